"""Cards, packs and the seeded shuffle, which every old link relies on."""

import random
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewalk import Game
from rulewalk.cards import (
    CARD_OF,
    CODES,
    ONE_PACK,
    RANK_OF,
    RANKS,
    TWO_PACKS,
    codes,
    fits,
    is_whole,
    of_rank,
    parted,
    shuffled,
)

from .kit import record


def test_codes_are_in_canonical_order_jokers_last() -> None:
    assert len(CODES) == 53
    assert CODES[:5] == ("AS", "AH", "AD", "AC", "2S")
    assert CODES[-5:] == ("KS", "KH", "KD", "KC", "JK")
    assert CODES.index("10S") > CODES.index("9C")
    assert [CARD_OF[code] for code in CODES] == list(range(53))


def test_a_card_is_of_the_rank_in_its_code() -> None:
    for card, code in enumerate(CODES):
        assert RANKS[card >> 2] == (code if code == "JK" else code[:-1])
    assert [RANK_OF[rank] for rank in RANKS] == list(range(14))


@pytest.mark.rule("GF-1.4", "ER-2.1", "BF-2.2")
def test_packs_start_suit_by_suit_from_ace_to_king() -> None:
    assert codes(ONE_PACK[:14]) == ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS", "AH"]
    assert codes(ONE_PACK[25:28]) == ["KH", "AD", "2D"]
    assert codes(ONE_PACK[-1:]) == ["KC"]
    assert (*ONE_PACK, *ONE_PACK, *[CARD_OF["JK"]] * 4) == TWO_PACKS


# Taken down once. If one of these changes, every link that anybody has kept deals other cards.
@pytest.mark.parametrize(
    ("pack", "seed", "first", "digest"),
    [
        (ONE_PACK, 0, "4S QD 5S 8D 8S 2S 7S 5H", "9341097630120fe9"),
        (ONE_PACK, 1, "9C 9D 2D 4S 3H 8S 7H 2C", "9e5038b4de30e251"),
        (ONE_PACK, 7, "QS 10S AS 3C 4D 3H 10D 8C", "082859b2b9f76ba4"),
        (ONE_PACK, 2**32 - 1, "8H 7H AS KC 3D 10H 8S 3S", "b4a0a1a50dddcfda"),
        (TWO_PACKS, 0, "7D KS 5D JS 4S KD JC 4C", "94d3fb1688e8f117"),
        (TWO_PACKS, 1, "QS 5S 10C QD AH JK 7S 5C", "1931f7b612e236e8"),
        (TWO_PACKS, 7, "8C 7S 4D 3C QC AC JK 3H", "34c5ec74e47f1684"),
        (TWO_PACKS, 2**32 - 1, "8S 10H 3S 8S 5S 10S 7H 8H", "9ef0864603657472"),
    ],
)
def test_a_seed_deals_the_same_cards_for_ever(pack: tuple[int, ...], seed: int, first: str, digest: str) -> None:
    deck = " ".join(codes(shuffled(pack, seed)))
    assert deck.startswith(first + " ")
    assert sha256(deck.encode()).hexdigest()[:16] == digest


@given(seed=st.integers(0, 2**32 - 1), pack=st.sampled_from([ONE_PACK, TWO_PACKS]))
def test_the_shuffle_is_fisher_and_yates_over_random_only(seed: int, pack: tuple[int, ...]) -> None:
    numbers = random.Random(seed)
    expected = list(pack)
    for i in reversed(range(1, len(expected))):
        j = int(numbers.random() * (i + 1))
        expected[i], expected[j] = expected[j], expected[i]
    assert list(shuffled(pack, seed)) == expected
    assert Counter(expected) == Counter(pack)


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish", "egyptian-ratscrew"])
def test_a_seed_and_the_pack_that_it_shuffles_are_one_deal(game: str) -> None:
    pack = TWO_PACKS if game == "backstab-fish" else ONE_PACK
    by_seed = Game.from_record(record(game, deal={"seed": 123456}))
    by_deck = Game.from_record(record(game, deal={"deck": codes(shuffled(pack, 123456))}))
    assert by_seed.state() == by_deck.state()
    assert by_seed.events() == by_deck.events()


def test_shuffling_leaves_the_pack_as_it_was() -> None:
    before = tuple(ONE_PACK)
    shuffled(ONE_PACK, 1)
    assert before == ONE_PACK


def test_taking_cards_away_leaves_twins() -> None:
    assert parted((0, 0, 1, 4), 0, 1) == ((0,), (0, 1, 4))
    assert parted((0, 4, 5, 5, 8), 1, 3) == ((4, 5, 5), (0, 8))
    assert of_rank((0, 3, 4, 52), 0) == (0, 3)


def test_a_fragment_fits_the_pack_and_a_whole_is_all_of_it() -> None:
    assert is_whole(sorted(TWO_PACKS), TWO_PACKS)
    assert not is_whole(TWO_PACKS[:-1], TWO_PACKS)
    assert fits(TWO_PACKS[:-1], TWO_PACKS)
    assert fits((0, 0), TWO_PACKS)
    assert not fits((0, 0), ONE_PACK)
    assert not fits((52,), ONE_PACK)
