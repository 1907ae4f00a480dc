"""What may be slapped: the two patterns of this table and the four that may be agreed on besides.

Each is held against a second reading of its sentence in the rules, written with card codes and not with numbers.
"""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewalk.cards import CARD_OF, CODES, RANKS
from rulewalk.patterns import PATTERNS

from .kit import Wire, kinds, told
from .ratscrew import flip, packets, ratscrew, slap, turn

FULL = {"Anton": "2S 3S", "Lena": "2H 3H", "Boris": "2D 3D"}
COURT = ("A", "K", "Q", "J")
NUMBERS = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 10}
ROUND = "A 2 3 4 5 6 7 8 9 10 J Q K A 2 3"


def shows(pattern: str, up: list[str]) -> bool:
    """Tell whether the open cards ``up``, ranks only, show ``pattern``, by the words of the rules."""
    match pattern:
        case "double":
            return up[-2:] in [[rank, rank] for rank in RANKS]
        case "sandwich":
            return len(up) > 2 and up[-3] == up[-1] and up[-2] != up[-1]
        case "top-bottom":
            return len(up) > 1 and up[0] == up[-1]
        case "marriage":
            return up[-2:] in (["K", "Q"], ["Q", "K"])
        case "run":
            four = up[-4:]
            return len(four) == 4 and any(" ".join(way) in ROUND for way in (four, four[::-1]))
        case "tens":
            outer = up[-3:][::2] if len(up) > 2 and up[-2] in COURT else []
            return any(len(two) == 2 and sum(NUMBERS.get(rank, 100) for rank in two) == 10 for two in (up[-2:], outer))
    raise ValueError(pattern)


def cards(ranks: list[str]) -> list[str]:
    """Give the ranks suits, so that no card comes twice."""
    return [rank + "SHDC"[ranks[:place].count(rank)] for place, rank in enumerate(ranks)]


def named(up: str, *patterns: str) -> str | None:
    """Return the pattern under which the centre ``up`` is claimed, or None where the slap is false."""
    rest = [code for code in CODES[:52] if code not in up.split()]
    held = {"Anton": rest[:2], "Lena": rest[2:4], "Boris": rest[4:6]}
    game = slap(ratscrew(agreements={"patterns": list(patterns)}, packets=held, centre=up), "Boris")
    return told(game, "claim")["pattern"] if "claim" in kinds(game) else None


@pytest.mark.rule("ER-1.3", "ER-4.1", "ER-4.2")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_two_and_three_cards_are_judged_by_the_words_of_the_rules(pattern: str) -> None:
    matches, _ = PATTERNS[pattern]
    for count in (0, 1, 2, 3):
        for ranks in product(RANKS[:13], repeat=count):
            up = [CARD_OF[code] for code in cards(list(ranks))]
            assert matches(up) == shows(pattern, list(ranks)), ranks


@pytest.mark.rule("ER-1.3", "ER-4.1", "ER-4.2", "ER-4.5")
@pytest.mark.parametrize("pattern", PATTERNS)
@given(ranks=st.permutations([rank for rank in RANKS[:13] for _ in range(4)]), count=st.integers(0, 52))
def test_any_centre_is_judged_by_the_words_of_the_rules(pattern: str, ranks: list[str], count: int) -> None:
    matches, _ = PATTERNS[pattern]
    up = [CARD_OF[code] for code in cards(ranks[:count])]
    assert matches(up) == shows(pattern, ranks[:count])


@pytest.mark.rule("ER-1.3")
@pytest.mark.parametrize("ranks", [*permutations(["A", "2", "3", "4"]), *permutations(["J", "Q", "K", "A"])])
def test_a_run_goes_one_way(ranks: tuple[str, ...]) -> None:
    matches, _ = PATTERNS["run"]
    assert matches([CARD_OF[code] for code in cards(list(ranks))]) == shows("run", list(ranks))


@pytest.mark.rule("ER-2.6")
@pytest.mark.parametrize("pattern", PATTERNS)
@given(st.lists(st.sampled_from(range(13)), max_size=5), st.data())
def test_suits_count_for_nothing(pattern: str, ranks: list[int], data: st.DataObject) -> None:
    matches, _ = PATTERNS[pattern]
    suits = data.draw(st.lists(st.integers(0, 3), min_size=len(ranks), max_size=len(ranks)))
    up = [rank << 2 | suit for rank, suit in zip(ranks, suits, strict=True)]
    assert matches(up) == matches([card & ~3 for card in up])


@pytest.mark.rule("ER-1.3")
@pytest.mark.parametrize(
    ("pattern", "up"),
    [
        ("top-bottom", "5S 9H 6D 2C 5H"),
        ("top-bottom", "5S 5H"),
        ("top-bottom", "JS 2C JH"),
        ("tens", "4S 6H"),
        ("tens", "AS 9H"),
        ("tens", "9S AH"),
        ("tens", "5S 5H"),
        ("tens", "KS 2C 8H"),
        ("tens", "4S KH 6D"),
        ("tens", "9S QH AD"),
        ("tens", "4S AH 6D"),  # an ace between counts as a court card there
        ("run", "4H 5S 6D 7C"),
        ("run", "7C 6D 5S 4H"),
        ("run", "10S JH QD KC"),
        ("run", "JH QD KC AS"),
        ("run", "QD KC AS 2H"),
        ("run", "KC AS 2H 3D"),
        ("run", "2H AS KC QD"),
        ("run", "9C 3D 4S 5S 6S"),
        ("marriage", "KS QH"),
        ("marriage", "QS KH"),
    ],
)
def test_a_pattern_agreed_on_may_be_slapped_and_without_it_may_not(pattern: str, up: str) -> None:
    assert named(up, pattern) == pattern
    others = [name for name in PATTERNS if not shows(name, [card[:-1] for card in up.split()])]
    assert named(up, *others) is None


@pytest.mark.rule("ER-1.3")
@pytest.mark.parametrize(
    ("pattern", "up"),
    [
        ("top-bottom", "5S"),
        ("top-bottom", "9C 5S 2H 5D"),
        ("tens", "10S 10H"),
        ("tens", "10S JH"),
        ("tens", "4S 3H 6D"),  # a number between parts them
        ("tens", "4S KH KD 6C"),
        ("tens", "KS JH"),
        ("tens", "4S 6H 2D"),
        ("tens", "AS KH"),
        ("run", "4H 5S 6D"),
        ("run", "4H 5S 7D 6C"),
        ("run", "4H 5S 6D 5C"),
        ("run", "4H 6S 8D 10C"),
        ("run", "4S 4H 4D 4C"),
        ("run", "4H 5S 6D 7C 9C"),
        ("marriage", "KS KH"),
        ("marriage", "QS QH"),
        ("marriage", "KS 2H QD"),
        ("marriage", "JS QH"),
        ("marriage", "KS QH 2C"),
    ],
)
def test_what_only_looks_like_a_pattern_is_none(pattern: str, up: str) -> None:
    assert named(up, pattern) is None


@pytest.mark.rule("ER-1.3", "ER-4.9")
def test_the_bottom_of_the_centre_is_its_first_open_card() -> None:
    agreed = {"patterns": ["top-bottom"]}
    game = ratscrew(agreements=agreed, packets=FULL, centre="5S 8C 4C 5H", hidden=1)
    assert kinds(slap(game, "Boris"))[1] == "penalty"
    game = ratscrew(agreements=agreed, packets=FULL, centre="9S 5C 4C 5H", hidden=1)
    assert kinds(slap(game, "Boris"))[1] == "claim"


@pytest.mark.rule("ER-1.3")
@pytest.mark.parametrize(
    ("up", "first"),
    [("5S 5H", "double"), ("5S KH 5D", "sandwich"), ("4S 2H 3C 4D", "top-bottom"), ("KS 4H 6D", "tens")],
)
def test_a_centre_that_shows_several_patterns_is_claimed_under_one(up: str, first: str) -> None:
    assert named(up, *reversed(PATTERNS)) == first


@pytest.mark.rule("ER-1.3", "ER-4.1", "ER-4.2")
@pytest.mark.parametrize(
    ("pattern", "up", "rules"),
    [
        ("double", "5S 5H", ["ER-4.1"]),
        ("sandwich", "5S 9H 5D", ["ER-4.2"]),
        ("top-bottom", "5S 8C 9H 5D", ["ER-1.3"]),
        ("tens", "4S 6H", ["ER-1.3"]),
        ("run", "4H 5S 6D 7C", ["ER-1.3"]),
        ("marriage", "KS QH", ["ER-1.3"]),
    ],
)
def test_a_claim_names_the_rule_of_its_pattern(pattern: str, up: str, rules: list[str]) -> None:
    agreed: Wire = {"patterns": [pattern]}
    game = slap(ratscrew(agreements=agreed, packets=FULL, centre=up), "Boris")
    assert told(game, "claim")["rules"] == [*rules, "ER-4.3"]


@pytest.mark.rule("ER-1.3", "ER-4.4")
def test_a_marriage_may_be_slapped_from_under_its_own_challenge() -> None:
    agreed: Wire = {"patterns": ["marriage"]}
    game = ratscrew(
        agreements=agreed,
        phase="respond",
        turn="Lena",
        challenge={"by": "Anton", "left": 3},
        packets={**FULL, "Lena": "QH 3H"},
        centre="KS",
    )
    game = slap(flip(game, "Lena"), "Boris")
    assert (packets(game)["Boris"], turn(game)) == ("2D 3D KS QH", ("flip", "Boris"))


def test_the_patterns_are_those_of_the_rules() -> None:
    assert list(PATTERNS) == ["double", "sandwich", "top-bottom", "tens", "run", "marriage"]
    assert len(CODES) == 53  # so the ranks above are all there are
