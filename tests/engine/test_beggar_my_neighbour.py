"""Two-player Ratscrew without slaps is Beggar My Neighbour (ER-1.1), whose published records must come out exactly.

Notation: a hand from its top, `-` for any number. The deals are the longest known of their time (see sources.md, and
the site's page on sources). They are played position by position, in no more memory than one position takes.
"""

import tracemalloc
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from rulewalk import Collect, Flip
from rulewalk.cards import CODES
from rulewalk.record import read

from .kit import Wire
from .ratscrew import GAME

PAULHUS = "------------KAQ----J------/-JQQK---K----JK--QA-A-JA--"
MANN_AND_WU = "K-KK----K-A-----JAA--Q--J-/---Q---Q-J-----J------AQ--"
CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"

ENDINGS = ["sole-packet", "challenge-first"]


class Moment(NamedTuple):
    """A position, and how many cards have been turned and how many piles gathered until then."""

    cards: int
    tricks: int
    position: Any


def record_of(hands: str, ending: str) -> Wire:
    """Write the record of a deal, which puts each card on top of the last; the first hand leads."""
    left = {mark: [code for code in CODES[:52] if code[:-1] == mark] for mark in "AKQJ"}
    left["-"] = [code for code in CODES[:52] if code[:-1] not in left]
    first, second = ([left[mark].pop() for mark in hand] for hand in hands.split("/"))
    deck = [card for pair in zip(reversed(first), reversed(second), strict=True) for card in pair]
    return {
        "game": GAME,
        "players": ["first", "second"],
        "agreements": {"ending": ending},
        "deal": {"deck": deck},
    }


def played(hands: str, ending: str) -> Iterator[Moment]:
    """Play a deal without slaps, and yield each moment at which somebody leads, or the game is over."""
    source = read(record_of(hands, ending))
    position, ruleset = source.start.position, source.ruleset
    cards = tricks = 0
    yield Moment(0, 0, position)
    while legal := ruleset.legal(position):
        position = ruleset.play(position, legal[0]).position
        cards += isinstance(legal[0], Flip)
        tricks += isinstance(legal[0], Collect)
        if position.phase in ("flip", "over"):
            yield Moment(cards, tricks, position)


def picture(position: Any) -> str:
    """Return the packets in the records' notation, and who leads."""
    marks = {0: "A", 12: "K", 11: "Q", 10: "J"}
    hands = ("".join(marks.get(card >> 2, "-") for card in packet) for packet in position.packets)
    return f"{'/'.join(hands)} {position.turn}"


@pytest.mark.parametrize("hands", [PAULHUS, MANN_AND_WU, CASELLA])
def test_a_deal_is_written_as_it_is_played(hands: str) -> None:
    assert picture(next(played(hands, "sole-packet")).position) == f"{hands} 0"


@pytest.mark.rule("ER-1.1", "ER-3.1", "ER-3.3", "ER-3.4", "ER-3.5", "ER-3.6", "ER-5.3")
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("hands", "cards", "tricks", "winner"),
    [(PAULHUS, 4791, 670, "first"), (MANN_AND_WU, 7157, 1007, "second")],
    ids=["Paulhus 1999", "Mann and Wu 2007"],
)
def test_a_published_record_comes_out_exactly(hands: str, cards: int, tricks: int, winner: str, ending: str) -> None:
    source = read(record_of(hands, ending))
    (last,) = deque(played(hands, ending), maxlen=1)
    assert (last.cards, last.tricks) == (cards, tricks)
    assert source.ruleset.state(last.position)["winners"] == [winner]


@pytest.mark.rule("ER-1.1", "ER-5.8")
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_deal_of_casella_never_ends(ending: str) -> None:
    seen: dict[str, tuple[int, int]] = {}
    for moment in played(CASELLA, ending):
        now = picture(moment.position)
        if moment.position.centre:
            continue
        if now in seen:
            break
        seen[now] = (moment.cards, moment.tricks)
    assert seen[now] == (34, 4)
    assert (moment.cards - 34, moment.tricks - 4) == (440, 62)


@pytest.mark.rule("ER-5.8")
def test_a_game_without_end_runs_in_flat_memory() -> None:
    peaks = []
    for length in (1_000, 10_000):
        tracemalloc.start()
        for moment in played(CASELLA, "sole-packet"):
            if moment.cards >= length:
                break
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 20_000
