"""Cards, packs and their canonical order (wire.md, "Cards").

A card is a small integer in canonical order, so that a sorted hand is a hand in canonical order and
``card >> 2`` is its rank. The twin of a card, from a second pack, is the same integer: the rules cannot
tell them apart (BF-2.5), so neither can a position. Nothing here knows a game.
"""

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

type Card = int
type Rank = int

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK")
SUITS = ("S", "H", "D", "C")

JOKER_RANK: Rank = RANKS.index("JK")
JOKER: Card = JOKER_RANK << 2

CODES = (*(rank + suit for rank in RANKS[:JOKER_RANK] for suit in SUITS), "JK")
"""The wire code of every card, in canonical order."""

CARD_OF = {code: card for card, code in enumerate(CODES)}
RANK_OF = {name: rank for rank, name in enumerate(RANKS)}

# One pack in the order a seeded shuffle starts from: suit by suit, ace to king (wire.md, "Record").
_SUIT_BY_SUIT = tuple(rank << 2 | suit for suit in range(4) for rank in range(JOKER_RANK))

ONE_PACK = _SUIT_BY_SUIT
"""52 cards in their starting order (GF-1.4, ER-2.1)."""

TWO_PACKS = _SUIT_BY_SUIT * 2 + (JOKER,) * 4
"""108 cards in their starting order: two packs and four jokers (BF-2.2)."""


def codes(cards: Iterable[Card]) -> list[str]:
    """Return the wire codes of ``cards``, in the order given.

    Examples:
        >>> codes([0, 21, 52])
        ['AS', '6H', 'JK']
    """
    return [CODES[card] for card in cards]


def of_rank(hand: tuple[Card, ...], rank: Rank) -> tuple[Card, ...]:
    """Return the cards of ``rank`` in a sorted ``hand``."""
    start = bisect_left(hand, rank << 2)
    return hand[start : bisect_left(hand, rank + 1 << 2, start)]


def ranks_of(hand: Iterable[Card]) -> list[Rank]:
    """Return the ranks in a hand, each once, in canonical order."""
    return sorted({card >> 2 for card in hand})


def parted(hand: tuple[Card, ...], rank: Rank, count: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the first ``count`` cards of ``rank`` in a sorted ``hand``, which must hold so many, and the rest of it.

    Examples:
        >>> parted((0, 0, 3, 4), 0, 2)
        ((0, 0), (3, 4))
    """
    start = bisect_left(hand, rank << 2)
    end = start + count
    return hand[start:end], hand[:start] + hand[end:]


def shuffled(pack: Sequence[Card], seed: int) -> tuple[Card, ...]:
    """Shuffle ``pack`` as wire.md fixes it, first card dealt first.

    Uses nothing of ``random`` but ``random()``, whose sequence Python promises to keep: an old link keeps
    its deal. ``seed`` is an integer, 0 <= seed < 2**32.
    """
    cards = list(pack)
    draw = random.Random(seed).random
    for i in range(len(cards) - 1, 0, -1):
        j = int(draw() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def is_whole(cards: Iterable[Card], pack: Sequence[Card]) -> bool:
    """Tell whether ``cards`` are exactly ``pack``, in any order."""
    return Counter(cards) == Counter(pack)


def fits(cards: Iterable[Card], pack: Sequence[Card]) -> bool:
    """Tell whether ``cards`` hold no card more often than ``pack`` does."""
    return Counter(cards) <= Counter(pack)
