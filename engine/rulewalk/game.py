"""A game: a record being played, one position after the other.

This is the library's face. `Game` is for programs that play; `replay` gives what wire.md writes for a whole record.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from rulewalk.actions import Action, players_of, to_wire
from rulewalk.record import Record, read
from rulewalk.refusal import Refusal
from rulewalk.ruleset import Setup, Step
from rulewalk.sentences import explain, say
from rulewalk.view import event_for, state_for


@dataclass(frozen=True, eq=False)
class Game:
    """A game at one moment, with how it came there. It never changes: `play` gives back another.

    Examples:
        >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
        >>> later = game.play(game.legal()[0])
        >>> later.before is game, len(later.actions)
        (True, 1)
    """

    source: Record
    step: Step[Any]
    action: Action | None = None
    before: "Game | None" = None

    @classmethod
    def from_record(cls, record: object) -> Self:
        """Play a record, a JSON value as wire.md has it, to its end.

        Raises `Refusal`: with ``index`` None for the record itself, else the place of the refused action.

        Examples:
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> game.setup.players, game.is_over
            (('Ana', 'Rui'), False)
        """
        source = read(record)
        game = cls(source, source.start)
        for index, raw in enumerate(source.actions):
            with _at(index):
                game = game.play(game.read_action(raw))
        return game

    @property
    def setup(self) -> Setup:
        """Who plays, who deals and what was agreed."""
        return self.source.setup

    @property
    def position(self) -> Any:
        """The position now: immutable, hashable, equal to the same position reached another way."""
        return self.step.position

    @property
    def actions(self) -> list[Action]:
        """The actions so far, the first one first."""
        return [game.action for game in self.history() if game.action is not None]

    @property
    def is_over(self) -> bool:
        """Whether nobody can do anything any more (wire.md, "States")."""
        return self.position.turn is None

    def history(self) -> list["Game"]:
        """Return this game at every moment from the deal to now.

        Examples:
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> len(game.play(game.legal()[0]).history())
            2
        """
        games, game = [self], self
        while game.before is not None:
            games.append(game := game.before)
        return games[::-1]

    def events(self, viewer: str | None = None) -> list[dict[str, Any]]:
        """Return what happened in the last step, each event with its rules, as ``viewer`` learns it.

        Raises `Refusal` (``unknown-player``) for a viewer who does not play.

        Examples:
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> deal = game.events(viewer="Ana")[0]
            >>> deal["type"], deal["rules"], deal["hands"]["Rui"], deal["stock"]
            ('deal', ['GF-2.2', 'GF-2.4'], 7, 38)
        """
        _check(self.setup, viewer)
        return [event_for(event.to_wire(), viewer) for event in self.step.events]

    def state(self, viewer: str | None = None) -> dict[str, Any]:
        """Return the position as wire.md writes it, to ``viewer``'s eyes, or with nothing hidden.

        Raises `Refusal` (``unknown-player``) for a viewer who does not play.

        Examples:
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> game.state()["phase"], game.state(viewer="Ana")["hands"]["Rui"]
            ('request', 7)
        """
        _check(self.setup, viewer)
        return state_for(self.source.ruleset.state(self.position), viewer)

    def legal(self, viewer: str | None = None) -> list[Action]:
        """Return every legal action in a fixed order, or those of ``viewer``: others' would give their cards away.

        Raises `Refusal` (``unknown-player``) for a viewer who does not play.

        Examples:
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> game.legal()[0]
            Request(player='Ana', target='Rui', rank='2', quantity=None)
        """
        _check(self.setup, viewer)
        actions = self.source.ruleset.legal(self.position)
        return actions if viewer is None else [action for action in actions if players_of(action) == (viewer,)]

    def read_action(self, raw: object) -> Action:
        """Make the action that a JSON value writes; raise ``malformed``, ``unknown-action`` or ``game-over``.

        Examples:
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> game.read_action({"type": "request", "player": "Ana", "target": "Rui", "rank": "Q"})
            Request(player='Ana', target='Rui', rank='Q', quantity=None)
        """
        return self.source.ruleset.read_action(raw, over=self.is_over)

    def play(self, action: Action) -> Self:
        """Return the game after ``action``; raise `Refusal`, with this game as it was, where it is illegal.

        Examples:
            >>> from rulewalk import Request
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> game.play(Request("Ana", "Ana", "A"))
            Traceback (most recent call last):
            rulewalk.refusal.Refusal: target-is-self (GF-3.1)
        """
        return type(self)(self.source, self.source.ruleset.play(self.position, action), action, self)

    def record(self) -> dict[str, Any]:
        """Return the record of the game so far: whoever has it and the rules has the game.

        Examples:
            >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 1}})
            >>> Game.from_record(game.record()) == game
            True
        """
        return self.source.to_wire([to_wire(action) for action in self.actions])

    def __eq__(self, other: object) -> bool:
        """Two games are equal that have the same record."""
        return isinstance(other, Game) and self.record() == other.record()

    def __hash__(self) -> int:
        """Hash by the position reached, which equal games share."""
        return hash(self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the record: shorter than the positions, and deep chains would not pickle."""
        return Game.from_record, (self.record(),)


class _at:
    """Tell the refusals raised within at which action of the record they happened."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, Refusal):
            error.index = self.index


def _check(setup: Setup, viewer: str | None) -> None:
    if viewer is not None and viewer not in setup.seat:
        raise Refusal("unknown-player", player=viewer)


class Told:
    """What a replay has to tell, step by step, in one language and for one viewer.

    Iterate over it for each step's state and events; it ends at the record's end or at its first refusal, which is
    then in ``error``. It keeps one position at a time, so a long game needs no more memory than a short one.
    """

    def __init__(self, record: object, *, language: str = "en", say: bool = False, viewer: str | None = None) -> None:
        """Take a record's JSON value; nothing is read before the first step."""
        self.record = record
        self.language = language
        self.say = say
        self.viewer = viewer
        self.error: dict[str, Any] | None = None
        self.legal: list[dict[str, Any]] = []

    def __iter__(self) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Yield each step's state and events."""
        try:
            source = read(self.record)
            game = Game(source, source.start)
            _check(source.setup, self.viewer)
        except Refusal as refusal:
            self.error = refused(refusal, self.language)
            return
        yield game.state(self.viewer), self._events(game)
        try:
            for index, raw in enumerate(source.actions):
                with _at(index):
                    step = game.play(game.read_action(raw))
                game = Game(source, step.step)
                yield game.state(self.viewer), self._events(game)
        except Refusal as refusal:
            self.error = refused(refusal, self.language)
        self.legal = [to_wire(action) for action in game.legal(self.viewer)]

    def _events(self, game: Game) -> list[dict[str, Any]]:
        events = game.events(self.viewer)
        return [{**event, "sentence": say(event, self.language)} for event in events] if self.say else events


def refused(refusal: Refusal, language: str) -> dict[str, Any]:
    """Return a refusal as wire.md writes it, its message in ``language``."""
    return {
        "index": refusal.index,
        "code": refusal.code,
        "rules": list(refusal.rules),
        "message": explain(refusal, language),
    }


def replay(record: object, *, language: str = "en", say: bool = False, viewer: str | None = None) -> dict[str, Any]:
    """Replay a record, any JSON value, and return wire.md's result: states, events, legal actions and error.

    Never raises for what the record holds: a record or an action that is refused is told in ``error``, after the
    states reached. With ``say`` each event has its ``sentence``; ``viewer`` sees only what that player may.

    Examples:
        >>> replay({"game": "whist"})["error"]["code"]
        'malformed'
    """
    told = Told(record, language=language, say=say, viewer=viewer)
    steps = list(told)
    return {
        "states": [state for state, _ in steps],
        "events": [events for _, events in steps],
        "legal": told.legal,
        "error": told.error,
    }
