"""What happened: events, and what one step of a game consists of (wire.md, "Events").

An event is a plain statement with the rules it follows from. It speaks no language: the sentence is made
from it by `rulewalk.sentences`.
"""

from typing import Any, NamedTuple

type Told = tuple[str, tuple[str, ...], dict[str, Any]]
"""An event while it is only noted down: type, rules and details, as `Event` has them."""


class Event(NamedTuple):
    """One thing that happened, under which rules.

    ``details`` holds what the wire shows beside type and rules: player names, card codes, counts.
    """

    type: str
    rules: tuple[str, ...]
    details: dict[str, Any]

    def to_wire(self) -> dict[str, Any]:
        """Return the event as wire.md writes it.

        Examples:
            >>> Event("leave", ("BF-4.5",), {"player": "Lena"}).to_wire()
            {'type': 'leave', 'player': 'Lena', 'rules': ['BF-4.5']}
        """
        return {"type": self.type, **_copied(self.details), "rules": list(self.rules)}


def _copied(value: Any) -> Any:
    """Copy what a caller could change, since the event is part of a game, which never changes."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return list(value) if isinstance(value, list) else value
