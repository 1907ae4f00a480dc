"""What every game has in common: who sits at the table, and what a game must be able to do.

A game is a `Ruleset`: it deals, lists what is legal, plays an action, and shows a position as wire.md has it.
Positions never change. `play` gives back the next one with the events that led there, or raises a `Refusal`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

from rulewalk.actions import Action, Request
from rulewalk.cards import RANKS, Card
from rulewalk.events import Event, Told
from rulewalk.refusal import Refusal

type Seat = int
"""A player by their place in ``Setup.players``; the next seat is the next one clockwise."""

OVER = "over"

type Agreement = str | int | tuple[str, ...]


@dataclass(frozen=True)
class Setup:
    """Who plays, in clockwise order, who deals, and what was agreed. It lasts for the whole game."""

    players: tuple[str, ...]
    dealer: Seat
    agreements: tuple[tuple[str, Agreement], ...]
    seat: Mapping[str, Seat] = field(init=False, compare=False, repr=False)
    agreed: Mapping[str, Agreement] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Index the players and the agreements by name."""
        object.__setattr__(self, "seat", {name: seat for seat, name in enumerate(self.players)})
        object.__setattr__(self, "agreed", dict(self.agreements))

    @property
    def first(self) -> Seat:
        """The seat on the dealer's left, which begins (BF-2.7, GF-2.4, ER-2.4)."""
        return (self.dealer + 1) % len(self.players)

    def after(self, seat: Seat) -> Iterator[Seat]:
        """Yield the other seats clockwise from the one after ``seat``, then ``seat`` itself."""
        count = len(self.players)
        return ((seat + step) % count for step in range(1, count + 1))

    @cached_property
    def requests(self) -> tuple[tuple[tuple[Request, ...], ...], ...]:
        """Every request without a number, made once: by asker, then the other seats in order, then rank."""
        return tuple(
            tuple(tuple(Request(asker, target, rank) for rank in RANKS) for target in self.players if target != asker)
            for asker in self.players
        )


class Position(Protocol):
    """What all positions share; each game adds its own fields."""

    @property
    def setup(self) -> Setup: ...
    @property
    def phase(self) -> str: ...
    @property
    def turn(self) -> Seat | None: ...


class Step[P: Position](NamedTuple):
    """The position reached, and the events that led to it, as they were noted down."""

    position: P
    told: tuple[Told, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events. They are made when somebody asks: whoever plays on at random never does."""
        return tuple(map(Event._make, self.told))


class Ruleset[P: Position](ABC):
    """One game's rules. It has no state of its own."""

    name: ClassVar[str]
    seats: ClassVar[range]
    pack: ClassVar[tuple[Card, ...]]
    agreements: ClassVar[Mapping[str, tuple[Agreement, Callable[[object], Agreement | None]]]] = {}
    """Each setting's default, and what reads its wire form (None: not one of its values)."""

    fields: ClassVar[Mapping[str, Callable[[Mapping[str, Any]], Action | None]]]
    """Each action's type, and what makes the action of its JSON object: None where a field is missing or wrong."""

    malformed: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The rules that say what an action of a type must name."""

    over_rules: ClassVar[tuple[str, ...]]
    count_rules: ClassVar[tuple[str, ...]]
    pack_rules: ClassVar[tuple[str, ...]]

    @abstractmethod
    def deal(self, setup: Setup, deck: Sequence[Card]) -> Step[P]:
        """Deal the shuffled pack ``deck``, first card first, clockwise from the dealer's left."""

    @abstractmethod
    def arrange(self, setup: Setup, table: Mapping[str, Any]) -> Step[P]:
        """Set up the arranged position ``table``, in the form of a state; raise ``bad-table``."""

    @abstractmethod
    def legal(self, position: P) -> list[Action]:
        """List every legal action in a fixed order; none when the game is over."""

    @abstractmethod
    def play(self, position: P, action: Action) -> Step[P]:
        """Play ``action``; raise `Refusal` and change nothing where it is illegal."""

    @abstractmethod
    def state(self, position: P) -> dict[str, Any]:
        """Return the position as wire.md writes it, nothing hidden."""

    def read_action(self, raw: object, *, over: bool = False) -> Action:
        """Make the action that the JSON value ``raw`` writes; raise ``malformed``, ``unknown-action`` or ``game-over``.

        Once the game is over (``over``) every action of the game is refused as too late, complete or not.
        """
        if not isinstance(raw, dict) or not isinstance(kind := raw.get("type"), str):
            raise Refusal("malformed", about="action")
        if kind not in self.fields:
            raise Refusal("unknown-action", about=self.name, type=kind)
        if over:
            raise Refusal("game-over", self.over_rules)
        action = self.fields[kind](raw)
        if action is None:
            raise Refusal("malformed", self.malformed.get(kind, ()), about=f"{self.name}.{kind}")
        return action


def seat_of(setup: Setup, player: str) -> Seat:
    """Return the seat of ``player``; raise ``unknown-player``."""
    seat = setup.seat.get(player)
    if seat is None:
        raise Refusal("unknown-player", player=player)
    return seat


def not_your_turn(position: Position, player: str, rules: tuple[str, ...]) -> Refusal:
    """Return the refusal of a move out of turn, which says whose turn it is."""
    turn = None if position.turn is None else position.setup.players[position.turn]
    return Refusal("not-your-turn", rules, player=player, turn=turn)


def read_list(raw: object, index: Mapping[str, int]) -> list[int]:
    """Read a JSON list of codes by their ``index``; raise ``bad-table``."""
    if not isinstance(raw, list):
        raise Refusal("bad-table", about="cards")
    try:
        return [index[code] for code in raw]
    except (KeyError, TypeError):  # no such code, or no string at all
        raise Refusal("bad-table", about="cards") from None


def whole_number(value: object) -> int | None:
    """Return ``value`` where it is an integer (JSON's true is none), else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
