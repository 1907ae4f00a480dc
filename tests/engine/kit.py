"""What the engine's tests share: small arranged tables, random records, and playing them at random."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rulewalk import Action, Game, Refusal
from rulewalk.cards import CODES, RANKS
from rulewalk.catalogue import rank_of
from rulewalk.patterns import PATTERNS
from rulewalk.record import RULESETS

type Wire = dict[str, Any]

NAMES = ("Anton", "Lena", "Boris", "Vera", "Ivo", "Noa", "Rui", "Sol", "Teo", "Uma")
LANGUAGES = ("en", "es", "pt")
GAMES = tuple(RULESETS)

AGREEMENTS: dict[str, dict[str, SearchStrategy[Any]]] = {
    "backstab-fish": {
        "double-book-bonus": st.integers(0, 5),
        "turn-passes": st.sampled_from(["on-refusal", "every-request"]),
    },
    "go-fish": {},
    "egyptian-ratscrew": {
        "patterns": st.lists(st.sampled_from(sorted(PATTERNS)), unique=True),
        "ending": st.sampled_from(["sole-packet", "challenge-first"]),
    },
}
"""Every value that each setting of a game may have (a bonus has more; these are as good)."""


def record(game: str, *actions: Wire, players: int = 4, **fields: Any) -> Wire:
    """Write a record of ``game`` for so many players; ``fields`` are the wire's: deal, dealer, agreements."""
    return {"game": game, "players": list(NAMES[:players]), "deal": {"seed": 7}, **fields, "actions": list(actions)}


def table(game: str, *actions: Wire, players: int = 4, agreements: Wire | None = None, **state: Any) -> Game:
    """Arrange a position and play ``actions`` from it. Cards and books may be written in a line: ``"6S 6H JK"``."""
    for field in ("hands", "books", "packets"):
        if field in state:
            state[field] = {name: _line(cards) for name, cards in state[field].items()}
    for field in ("stock", "centre"):
        if field in state:
            state[field] = _line(state[field])
    return Game.from_record(record(game, *actions, players=players, agreements=agreements or {}, deal={"table": state}))


def _line(cards: Any) -> Any:
    return cards.split() if isinstance(cards, str) else cards


@st.composite
def records(draw: st.DrawFn, game: str) -> Wire:
    """Draw a record without actions: any number of players, any dealer, any agreements, any seed."""
    seats = RULESETS[game].seats
    count = draw(st.integers(seats[0], seats[-1]))
    return record(
        game,
        players=count,
        dealer=draw(st.sampled_from(NAMES[:count])),
        agreements=draw(st.fixed_dictionaries({}, optional=AGREEMENTS[game])),
        deal={"seed": draw(st.integers(0, 2**32 - 1))},
    )


def at_random(game: Game, seed: int, limit: int = 10_000) -> Iterator[Game]:
    """Yield ``game`` and each game after it while random legal actions are played, ``limit`` at most.

    A kind of action is chosen first, so that a rare one is not drowned by many requests; and among requests rather
    one for a small number, so that some succeed.
    """
    chance = random.Random(seed)
    yield game
    for _ in range(limit):
        if not (legal := game.legal()):
            return
        kind = chance.choice(sorted({action.type for action in legal}))
        several = chance.choices([action for action in legal if action.type == kind], k=3)
        game = game.play(min(several, key=lambda action: getattr(action, "quantity", None) or 0))
        yield game


def refused(game: Game, action: Action | Wire) -> Refusal:
    """Return why ``action``, or the JSON value of one, is refused; fail where it is allowed or changes anything."""
    before = game.state(), game.legal(), game.record()
    with pytest.raises(Refusal) as caught:
        game.play(game.read_action(action) if isinstance(action, dict) else action)
    assert (game.state(), game.legal(), game.record()) == before
    return caught.value


def kinds(game: Game) -> list[str]:
    """Return the types of the last step's events, in order."""
    return [event["type"] for event in game.events()]


def told(game: Game, kind: str, viewer: str | None = None) -> Wire:
    """Return the one event of ``kind`` in the last step, as ``viewer`` learns it."""
    (event,) = (event for event in game.events(viewer) if event["type"] == kind)
    return event


def hand(game: Game, player: str) -> str:
    """Return a player's hand in a line, as `table` takes it."""
    return " ".join(game.state()["hands"][player])


@st.composite
def positions(draw: st.DrawFn, game: str) -> Wire:
    """Draw a record whose table holds a whole pack somewhere in the middle of the game, most often late."""
    start = draw(records(game))
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    loose = [CODES[card] for card in RULESETS[game].pack]
    chance.shuffle(loose)
    players = start["players"]
    laid = draw(st.sampled_from([0.0, 0.3, 0.6, 0.9]))
    books: dict[str, list[str]] = {name: [] for name in players}
    for rank in RANKS:
        for _ in range(sum(rank_of(card) == rank for card in loose) // 4):
            if chance.random() < laid:
                books[chance.choice(players)].append(rank)
                for card in [card for card in loose if rank_of(card) == rank][:4]:
                    loose.remove(card)
    # While there is stock, nobody of Backstab Fish is without cards (BF-4.4).
    most = max(0, len(loose) - len(players))
    stock = draw(st.sampled_from([0, 0, 1, 3, 8, most // 2]))
    stock, loose = loose[: min(stock, most)], loose[min(stock, most) :]
    holding = list(players)
    if not stock or game == "go-fish":
        holding = chance.sample(players, chance.randint(min(2, len(players)), len(players)))
    hands: dict[str, list[str]] = {name: [] for name in players}
    for place, card in enumerate(loose):
        hands[holding[place] if place < len(holding) else chance.choice(holding)].append(card)
    turn, next_ = chance.sample(players, 2)
    phase = {"phase": "request", "turn": turn}
    if game == "backstab-fish":
        opening = {"phase": "opening", "turn": turn}
        phase = chance.choice([phase, opening, {"phase": "after-draw", "turn": turn, "next": next_}])
    return {**start, "deal": {"table": {**phase, "hands": hands, "books": books, "stock": stock}}}
