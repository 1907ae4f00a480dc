"""The exact odds of sources.md, from the engine's own pack and its own idea of a book and a pattern."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest

from rulewalk import Game
from rulewalk.cards import ONE_PACK, TWO_PACKS, shuffled
from rulewalk.fish import complete_ranks
from rulewalk.patterns import PATTERNS

from .kit import record

double, sandwich = (PATTERNS[name][0] for name in ("double", "sandwich"))


def chance_of_a_book(pack: Sequence[int], dealt: int) -> Fraction:
    """Return how likely so many cards of ``pack`` hold a complete book.

    Counts the hands without one: a product over the ranks, each of which may give up to three of its cards.
    """
    without = [1] + [0] * dealt  # hands without a book, by size, from the ranks so far
    for copies in Counter(card >> 2 for card in pack).values():
        without = [
            sum(without[size - taken] * comb(copies, taken) for taken in range(min(3, copies, size) + 1))
            for size in range(dealt + 1)
        ]
    return 1 - Fraction(without[dealt], comb(len(pack), dealt))


@pytest.mark.rule("GF-2.3", "BF-2.5")
@pytest.mark.parametrize(
    ("pack", "dealt", "chance"),
    [
        (ONE_PACK, 7, Fraction(1, 595)),
        (ONE_PACK, 5, Fraction(1, 4165)),
        (TWO_PACKS, 7, Fraction(1451627, 268107867)),
    ],
)
def test_a_dealt_hand_holds_a_complete_book_as_often_as_published(
    pack: Sequence[int], dealt: int, chance: Fraction
) -> None:
    assert chance_of_a_book(pack, dealt) == chance


def expected(pack: Sequence[int], pattern: Callable[[Sequence[int]], bool], length: int) -> Fraction:
    """Return how many places of a shuffled pack show ``pattern`` on average: every place is as likely as any."""
    rows = [pattern(row) for row in permutations(pack, length)]
    return (len(pack) - length + 1) * Fraction(sum(rows), len(rows))


@pytest.mark.rule("ER-4.1", "ER-4.2")
def test_a_shuffled_pack_has_three_doubles_and_48_17ths_of_a_sandwich() -> None:
    assert expected(ONE_PACK, double, 2) == 3
    assert expected(ONE_PACK, sandwich, 3) == Fraction(48, 17)


def test_seeded_decks_have_doubles_and_sandwiches_about_as_often() -> None:
    decks = [shuffled(ONE_PACK, seed) for seed in range(1500)]
    for pattern, length, mean in ((double, 2, 3.0), (sandwich, 3, 48 / 17)):
        seen = sum(pattern(deck[i : i + length]) for deck in decks for i in range(53 - length))
        # A deck's count is about Poisson: the mean of 1500 strays by 0.045; five times that is wide.
        assert abs(seen / len(decks) - mean) < 0.23


@pytest.mark.parametrize(("pack", "chance"), [(ONE_PACK, Fraction(1, 595)), (TWO_PACKS, Fraction(1451627, 268107867))])
def test_seeded_deals_hold_complete_books_about_as_often(pack: Sequence[int], chance: Fraction) -> None:
    hands = [sorted(shuffled(pack, seed)[first : first + 7]) for seed in range(400) for first in range(0, 49, 7)]
    seen = sum(bool(complete_ranks(hand)) for hand in hands)
    mean = float(chance) * len(hands)
    assert abs(seen - mean) < 5 * mean**0.5 + 1


@pytest.mark.rule("GF-2.3")
def test_a_book_dealt_by_a_seed_is_laid_by_the_game() -> None:
    seeds = [seed for seed in range(400) if any(_dealt_books(seed))]
    assert seeds
    for seed in seeds:
        game = Game.from_record(record("go-fish", players=3, deal={"seed": seed}))
        assert list(map(len, game.state()["books"].values())) == _dealt_books(seed)


def _dealt_books(seed: int) -> list[int]:
    """Return how many books each of three players is dealt."""
    deck = shuffled(ONE_PACK, seed)
    return [len(complete_ranks(sorted(deck[player:21:3]))) for player in range(3)]
