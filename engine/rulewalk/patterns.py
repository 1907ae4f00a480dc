"""What may be slapped in Egyptian Ratscrew: the patterns, each a look at the face-up centre.

Doubles and sandwiches are this table's; the others are settings (ER-1.3).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from rulewalk.cards import RANK_OF, Card

ACE, TEN, QUEEN, KING = (RANK_OF[name] for name in ("A", "10", "Q", "K"))
_RANKS_ROUND = KING + 1  # from the ace round to the ace again


def double(up: Sequence[Card]) -> bool:
    """The last two cards are of one rank (ER-4.1)."""
    return len(up) >= 2 and up[-1] >> 2 == up[-2] >> 2


def sandwich(up: Sequence[Card]) -> bool:
    """The ends of the last three are of one rank, the middle of another (ER-4.2)."""
    return len(up) >= 3 and up[-1] >> 2 == up[-3] >> 2 != up[-2] >> 2


def top_bottom(up: Sequence[Card]) -> bool:
    """The card just played equals the first face-up card, which is another card."""
    return len(up) >= 2 and up[-1] >> 2 == up[0] >> 2


def tens(up: Sequence[Card]) -> bool:
    """The last two numbers add up to ten, an ace counting one; a court card between them does not part them."""
    ranks = [card >> 2 for card in up[-3:]]
    if len(ranks) >= 2 and _sum_to_ten(ranks[-1], ranks[-2]):
        return True
    return len(ranks) == 3 and _is_court(ranks[1]) and _sum_to_ten(ranks[0], ranks[2])


def run(up: Sequence[Card]) -> bool:
    """The last four cards go one by one up or down; the ace joins king and two."""
    ranks = [card >> 2 for card in up[-4:]]
    steps = {(b - a) % _RANKS_ROUND for a, b in pairwise(ranks)}
    return len(ranks) == 4 and steps in ({1}, {KING})


def marriage(up: Sequence[Card]) -> bool:
    """The last two cards are a king and a queen, in either order."""
    return len(up) >= 2 and {up[-1] >> 2, up[-2] >> 2} == {QUEEN, KING}


def _is_court(rank: int) -> bool:
    return rank > TEN or rank == ACE


def _sum_to_ten(a: int, b: int) -> bool:
    """Ranks count their number, the ace one; jack, queen and king count nothing."""
    return a < TEN and b < TEN and a + b + 2 == 10


PATTERNS: dict[str, tuple[Callable[[Sequence[Card]], bool], tuple[str, ...]]] = {
    "double": (double, ("ER-4.1",)),
    "sandwich": (sandwich, ("ER-4.2",)),
    "top-bottom": (top_bottom, ("ER-1.3",)),
    "tens": (tens, ("ER-1.3",)),
    "run": (run, ("ER-1.3",)),
    "marriage": (marriage, ("ER-1.3",)),
}
"""Each pattern's test and the rules it rests on, this table's own two first."""
