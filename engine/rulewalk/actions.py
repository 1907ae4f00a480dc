"""What a player can do, in every game (wire.md, "Actions").

An action names players and ranks as the wire does and holds nothing of its outcome, so two equal actions
are the same wish. Whether it is allowed is for the game to say.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

# `type` is the wire's name of the action. Dataclasses, not named tuples: a Flip must never equal a Collect.


@dataclass(frozen=True, slots=True)
class Request:
    """Ask ``target`` for cards of ``rank``: ``quantity`` of them in Backstab Fish, all of them in Go Fish.

    Source: BF-3.1, GF-3.1.
    """

    type: ClassVar[str] = "request"
    player: str
    target: str
    rank: str
    quantity: int | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a complete book of ``rank`` open on the table (BF-2.5, BF-3.9)."""

    type: ClassVar[str] = "lay"
    player: str
    rank: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Lay nothing more, and let the turn go on (BF-3.6)."""

    type: ClassVar[str] = "end-turn"
    player: str


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn the top card of one's packet onto the centre (ER-2.4)."""

    type: ClassVar[str] = "flip"
    player: str


@dataclass(frozen=True, slots=True)
class Slap:
    """Slap the centre: one player, or several at one moment (ER-4.3, ER-4.8).

    ``lowest`` is whose hand lies lowest, None where nobody can tell.
    """

    type: ClassVar[str] = "slap"
    players: tuple[str, ...]
    lowest: str | None = None


@dataclass(frozen=True, slots=True)
class Collect:
    """Gather the centre after a lost challenge (ER-3.4) or in the last chance (ER-5.3)."""

    type: ClassVar[str] = "collect"
    player: str


type Action = Request | Lay | EndTurn | Flip | Slap | Collect


def to_wire(action: Action) -> dict[str, Any]:
    """Return ``action`` as wire.md writes it.

    Examples:
        >>> to_wire(Request("Anton", "Lena", "6", 3))
        {'type': 'request', 'player': 'Anton', 'target': 'Lena', 'rank': '6', 'quantity': 3}
        >>> to_wire(Slap(("C",)))
        {'type': 'slap', 'players': ['C']}
    """
    match action:
        case Request(player, target, rank, None):
            return {"type": "request", "player": player, "target": target, "rank": rank}
        case Request(player, target, rank, quantity):
            return {"type": "request", "player": player, "target": target, "rank": rank, "quantity": quantity}
        case Lay(player, rank):
            return {"type": "lay", "player": player, "rank": rank}
        case Slap((player,)):
            return {"type": "slap", "players": [player]}
        case Slap(players, lowest):
            return {"type": "slap", "players": list(players), "lowest": lowest}
        case _:
            return {"type": action.type, "player": action.player}


def players_of(action: Action) -> tuple[str, ...]:
    """Return who acts: one player, or all who slap at one moment."""
    return action.players if isinstance(action, Slap) else (action.player,)
