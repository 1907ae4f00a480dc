"""Refusals: what is not allowed, by its code and the rules it breaks (wire.md, "Refusals")."""

from collections.abc import Mapping
from typing import Any


class Refusal(Exception):
    """An illegal action, or a record that cannot be read. Nothing has changed.

    ``code`` is one of wire.md's; ``rules`` are the rules broken, the most telling first; ``about`` names
    the sentence within the code where there are several (``"request"`` for a request with a part missing);
    ``details`` fill the sentence; ``index`` is the place of the action in its record, None for the record itself.
    """

    def __init__(
        self,
        code: str,
        rules: tuple[str, ...] = (),
        *,
        about: str | None = None,
        index: int | None = None,
        **details: Any,
    ) -> None:
        super().__init__(code, rules, about, index, details)
        self.code = code
        self.rules = rules
        self.about = about
        self.index = index
        self.details: Mapping[str, Any] = details

    def __str__(self) -> str:
        """Return the code, the place and the rules: the sentence is for `rulewalk.sentences`."""
        place = "" if self.index is None else f" at action {self.index}"
        return f"{self.code}{place} ({', '.join(self.rules)})" if self.rules else f"{self.code}{place}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by the arguments, which include keywords."""
        return _rebuild, (self.code, self.rules, self.about, self.index, dict(self.details))


def _rebuild(
    code: str, rules: tuple[str, ...], about: str | None, index: int | None, details: dict[str, Any]
) -> Refusal:
    return Refusal(code, rules, about=about, index=index, **details)
