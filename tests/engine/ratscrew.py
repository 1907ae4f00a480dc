"""What the tests of Egyptian Ratscrew share: small tables, moves in one word, and events on one line each."""

from typing import Any

from rulewalk import Collect, Flip, Game, Slap

from .kit import Wire, table

GAME = "egyptian-ratscrew"


def ratscrew(*, players: int = 3, agreements: Wire | None = None, **state: Any) -> Game:
    """Arrange a position. Packets are written from the top, the centre from the bottom: ``centre="QS 5H"``."""
    return table(GAME, players=players, agreements=agreements, **state)


def challenged(by: str, left: int, **state: Any) -> Game:
    """Arrange a position in which ``by`` has played a court card and ``left`` cards may still answer it."""
    return ratscrew(phase="respond", challenge={"by": by, "left": left}, **state)


def lost(by: str, left: int, **state: Any) -> Game:
    """Arrange a position in which the challenge by ``by`` is lost and the centre lies ready to be gathered."""
    return ratscrew(phase="collect", challenge={"by": by, "left": left}, **state)


def flip(game: Game, *players: str) -> Game:
    """Let ``players`` turn a card, one after the other."""
    for player in players:
        game = game.play(Flip(player))
    return game


def slap(game: Game, *players: str, lowest: str | None = None) -> Game:
    """Let ``players`` slap, at one moment where they are several."""
    return game.play(Slap(players, lowest))


def collect(game: Game, player: str) -> Game:
    """Let ``player`` gather the centre."""
    return game.play(Collect(player))


def packets(game: Game) -> dict[str, str]:
    """Return the packets as they are written for `ratscrew`."""
    return {name: " ".join(cards) for name, cards in game.state()["packets"].items()}


def centre(game: Game) -> str:
    """Return the centre from the bottom, a bar after its face-down cards: ``"2C | QS 5H"``."""
    state = game.state()
    cards, hidden = state["centre"], state["hidden"]
    return " ".join([*cards[:hidden], "|", *cards[hidden:]] if hidden else cards)


def turn(game: Game) -> tuple[str, str | None]:
    """Return the phase and who has the turn."""
    return game.state()["phase"], game.state()["turn"]


def challenge(game: Game) -> tuple[str, int] | None:
    """Return who challenges and how many cards may still answer, or None."""
    open_ = game.state()["challenge"]
    return None if open_ is None else (open_["by"], open_["left"])


def story(game: Game) -> list[str]:
    """Return the last step's events, each on a line: its type, what it tells, and its rules.

    ``"flip player=Anton card=5H (ER-2.4)"``
    """
    return [_line(event) for event in game.events()]


def _line(event: Wire) -> str:
    told = (f" {key}={_word(value)}" for key, value in event.items() if key not in ("type", "rules"))
    return f"{event['type']}{''.join(told)} ({' '.join(event['rules'])})"


def _word(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(map(str, value)) or "-"
    return "-" if value is None else str(value)
