"""Egyptian Ratscrew, rule by rule, each on a table small enough to read.

Anton, Lena and Boris sit clockwise; the last of them deals, so Anton begins, unless a table says otherwise.
"""

from typing import Any

import pytest

from rulewalk import Action, Collect, EndTurn, Flip, Game, Refusal, Slap, explain, replay
from rulewalk.cards import CODES, RANKS

from .kit import LANGUAGES, NAMES, Wire, kinds, record, refused, told
from .ratscrew import GAME, centre, challenge, challenged, collect, flip, lost, packets, ratscrew, slap, story, turn

PACK = list(CODES[:52])


def dealt(players: int, **fields: Any) -> Game:
    """Deal the pack in canonical order, AS first."""
    return Game.from_record(record(GAME, players=players, **{"deal": {"deck": PACK}, **fields}))


def why(game: Game, action: Action) -> tuple[str, tuple[str, ...]]:
    """Return the code and the rules of a refusal."""
    refusal = refused(game, action)
    return refusal.code, refusal.rules


# ---- 1: challenges and quick slaps


@pytest.mark.rule("ER-1.3")
@pytest.mark.parametrize(
    ("up", "why_not"),
    [
        ("5S 9H 6D 2C 5H", "top and bottom, with more between than a sandwich has"),
        ("4H 6S", "a sum of ten"),
        ("4H 5S 6D 7C", "a run"),
        ("QH KS", "a marriage"),
    ],
)
def test_this_table_slaps_doubles_and_sandwiches_only(up: str, why_not: str) -> None:
    game = ratscrew(packets={"Anton": "2S 3S", "Lena": "2H", "Boris": "3H"}, centre=up)
    assert kinds(slap(game, "Lena")) == ["slap", "penalty"], why_not


@pytest.mark.rule("ER-1.3", "ER-2.1")
def test_there_are_no_jokers() -> None:
    error = replay(record(GAME, players=3, deal={"table": {"packets": {"Anton": ["JK", "2S"]}}}))["error"]
    assert (error["code"], error["rules"]) == ("bad-table", ["ER-2.1"])


@pytest.mark.rule("ER-1.4", "ER-5.2")
def test_the_winner_is_who_has_the_whole_pack_and_nothing_is_scored() -> None:
    over = collect(lost("Anton", 0, turn="Lena", packets={"Anton": "2S"}, centre="KS 2H 3H 4H"), "Anton")
    assert over.state() == {
        "phase": "over",
        "turn": None,
        "packets": {"Anton": ["2S", "KS", "2H", "3H", "4H"], "Lena": [], "Boris": []},
        "centre": [],
        "hidden": 0,
        "challenge": None,
        "out": [],
        "winners": ["Anton"],
    }


# ---- 2: hidden packets


@pytest.mark.rule("ER-2.1")
@pytest.mark.parametrize("players", range(9))
def test_two_to_six_may_play(players: int) -> None:
    error = replay(record(GAME, players=players))["error"]
    if 2 <= players <= 6:
        assert error is None
    else:
        assert (error["code"], error["rules"]) == ("player-count", ["ER-2.1"])


@pytest.mark.rule("ER-2.1")
@pytest.mark.parametrize("deck", [PACK[1:], [*PACK, "AS"], [*PACK[1:], "JK"], [*PACK[1:], "2S"], [*PACK[1:], 7], []])
def test_the_pack_is_fifty_two_cards(deck: list[Any]) -> None:
    error = replay(record(GAME, players=3, deal={"deck": deck}))["error"]
    assert (error["index"], error["code"], error["rules"]) == (None, "bad-deck", ["ER-2.1"])


@pytest.mark.rule("ER-2.2")
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("dealer", [0, 1, -1])
def test_everything_is_dealt_one_at_a_time_clockwise_from_the_dealers_left(players: int, dealer: int) -> None:
    names = NAMES[:players]
    by_hand: dict[str, list[str]] = {name: [] for name in names}
    seat = dealer % players
    for card in PACK:
        seat = (seat + 1) % players
        by_hand[names[seat]].insert(0, card)
    game = dealt(players, dealer=names[dealer])
    assert game.state()["packets"] == by_hand
    assert told(game, "deal") == {
        "type": "deal",
        "dealer": names[dealer],
        "packets": by_hand,
        "rules": ["ER-2.2", "ER-2.7", "ER-2.4"],
    }
    assert kinds(game) == ["deal"]
    assert game.state() == {
        "phase": "flip",
        "turn": names[(dealer + 1) % players],
        "packets": by_hand,
        "centre": [],
        "hidden": 0,
        "challenge": None,
        "out": [],
        "winners": [],
    }


@pytest.mark.rule("ER-2.2")
@pytest.mark.parametrize(
    ("players", "sizes"),
    [(2, [26, 26]), (3, [18, 17, 17]), (4, [13] * 4), (5, [11, 11, 10, 10, 10]), (6, [9, 9, 9, 9, 8, 8])],
)
def test_packets_differ_by_one_card_at_most(players: int, sizes: list[int]) -> None:
    assert [len(packet) for packet in dealt(players).state()["packets"].values()] == sizes


@pytest.mark.rule("ER-2.3")
def test_nobody_sees_a_packet_not_even_its_owner() -> None:
    game = dealt(3)
    for name in NAMES[:3]:
        assert game.state(name)["packets"] == {"Anton": 18, "Lena": 17, "Boris": 17}
        assert told(game, "deal", name)["packets"] == {"Anton": 18, "Lena": 17, "Boris": 17}


@pytest.mark.rule("ER-2.4")
@pytest.mark.parametrize("dealer", range(4))
def test_the_dealers_left_begins(dealer: int) -> None:
    game = dealt(4, dealer=NAMES[dealer])
    first = NAMES[(dealer + 1) % 4]
    assert turn(game) == ("flip", first)
    assert game.legal() == [Flip(first)]


@pytest.mark.rule("ER-2.4", "ER-2.5")
def test_the_top_card_goes_onto_the_centre_where_all_see_it() -> None:
    game = flip(ratscrew(packets={"Anton": "5H 2S", "Lena": "7H", "Boris": "8H"}, centre="9C"), "Anton")
    assert (packets(game)["Anton"], centre(game)) == ("2S", "9C 5H")
    assert story(game) == ["flip player=Anton card=5H (ER-2.4)", "turn player=Lena phase=flip why=number (ER-2.5)"]
    for viewer in NAMES[:3]:
        assert told(game, "flip", viewer)["card"] == "5H"


@pytest.mark.rule("ER-2.5", "ER-5.1")
@pytest.mark.parametrize(
    ("lena", "boris", "vera", "follows"),
    [("7H", "8H", "9H", "Lena"), ("", "8H", "9H", "Boris"), ("", "", "9H", "Vera"), ("7H", "", "", "Lena")],
)
def test_after_a_number_the_next_packet_that_is_not_empty_follows(
    lena: str, boris: str, vera: str, follows: str
) -> None:
    game = ratscrew(players=4, packets={"Anton": "5H 2S", "Lena": lena, "Boris": boris, "Vera": vera})
    assert turn(flip(game, "Anton")) == ("flip", follows)


@pytest.mark.rule("ER-2.5")
def test_the_turn_goes_round_clockwise() -> None:
    game = ratscrew(packets={"Anton": "2S 3S", "Lena": "4H 5H", "Boris": "6D 7D"})
    assert turn(flip(game, "Anton", "Lena", "Boris")) == ("flip", "Anton")


@pytest.mark.rule("ER-2.7")
def test_the_card_dealt_last_is_turned_first() -> None:
    game = dealt(2)
    assert centre(flip(game, "Anton")) == PACK[50]
    assert centre(flip(dealt(2, dealer="Anton"), "Lena")) == PACK[50]


# ---- 3: answering a court card or an ace


@pytest.mark.rule("ER-3.1")
@pytest.mark.parametrize(("card", "tries"), [("AS", 4), ("KH", 3), ("QD", 2), ("JC", 1)])
def test_a_court_card_demands_its_number_of_the_next_player(card: str, tries: int) -> None:
    game = flip(ratscrew(packets={"Anton": f"{card} 2S", "Lena": "2H 3H", "Boris": "4H"}), "Anton")
    assert turn(game) == ("respond", "Lena")
    assert challenge(game) == ("Anton", tries)
    assert story(game) == [
        f"flip player=Anton card={card} (ER-2.4)",
        f"challenge by=Anton player=Lena left={tries} (ER-3.1)",
    ]


@pytest.mark.rule("ER-3.1")
@pytest.mark.parametrize("rank", RANKS[1:10])
def test_a_number_demands_nothing(rank: str) -> None:
    game = flip(ratscrew(packets={"Anton": f"{rank}C JC", "Lena": "2H 3H", "Boris": "4H"}), "Anton")
    assert (turn(game), challenge(game)) == (("flip", "Lena"), None)


@pytest.mark.rule("ER-3.2")
def test_the_answer_is_turned_card_by_card_until_the_count_is_used_up() -> None:
    game = challenged(
        "Anton", 3, turn="Lena", packets={"Anton": "2S", "Lena": "2H 4H 6H 8H", "Boris": "9H"}, centre="KS"
    )
    game = flip(game, "Lena")
    assert (turn(game), challenge(game)) == (("respond", "Lena"), ("Anton", 2))
    assert story(game) == ["flip player=Lena card=2H (ER-3.2)", "tries player=Lena left=2 (ER-3.2)"]
    game = flip(game, "Lena")
    assert story(game) == [
        "flip player=Lena card=4H (ER-3.2)",
        "tries player=Lena left=1 (ER-3.2)",
    ]
    game = flip(game, "Lena")
    assert (turn(game), challenge(game)) == (("collect", "Lena"), ("Anton", 0))
    assert story(game) == ["flip player=Lena card=6H (ER-3.2)", "lost player=Lena by=Anton left=0 (ER-3.4)"]


@pytest.mark.rule("ER-3.2", "ER-3.3")
def test_a_court_card_in_answer_challenges_the_next_player_with_its_own_count() -> None:
    game = challenged(
        "Anton", 3, turn="Lena", packets={"Anton": "2S", "Lena": "2H QH 6H", "Boris": "9H 8H"}, centre="KS"
    )
    game = flip(game, "Lena", "Lena")
    assert (turn(game), challenge(game)) == (("respond", "Boris"), ("Lena", 2))
    assert story(game) == [
        "flip player=Lena card=QH (ER-3.2)",
        "challenge by=Lena player=Boris left=2 (ER-3.1 ER-3.3)",
    ]


@pytest.mark.rule("ER-3.3")
def test_a_court_card_on_the_last_try_still_answers() -> None:
    game = challenged("Anton", 1, turn="Lena", packets={"Anton": "2S", "Lena": "AH 6H", "Boris": "9H 8H"}, centre="JS")
    assert challenge(flip(game, "Lena")) == ("Lena", 4)


@pytest.mark.rule("ER-3.1", "ER-3.3", "ER-5.1")
def test_a_challenge_passes_over_empty_packets_and_may_come_back_to_the_challenger() -> None:
    game = challenged("Anton", 1, turn="Lena", packets={"Anton": "2S", "Lena": "KH 6H"}, centre="JS")
    assert (turn(flip(game, "Lena")), challenge(flip(game, "Lena"))) == (("respond", "Anton"), ("Lena", 3))


@pytest.mark.rule("ER-3.4", "ER-3.5")
def test_whoever_played_the_last_court_card_gathers_and_leads() -> None:
    game = lost(
        "Anton", 0, turn="Lena", packets={"Anton": "2S 3S", "Lena": "6H", "Boris": "9H"}, centre="4D KS 2H 8H 7D"
    )
    assert game.legal()[0] == Collect("Anton")
    game = collect(game, "Anton")
    assert (packets(game)["Anton"], centre(game)) == ("2S 3S 4D KS 2H 8H 7D", "")
    assert (turn(game), challenge(game)) == (("flip", "Anton"), None)
    assert story(game) == [
        "gather player=Anton cards=4D+KS+2H+8H+7D hidden=0 (ER-3.4 ER-3.5)",
        "turn player=Anton phase=flip why=lead (ER-3.4)",
    ]


@pytest.mark.rule("ER-3.4")
def test_a_challenger_without_cards_gathers_too() -> None:
    game = lost("Anton", 0, turn="Lena", packets={"Lena": "6H", "Boris": "9H"}, centre="JS 7D")
    game = collect(game, "Anton")
    assert (packets(game)["Anton"], turn(game)) == ("JS 7D", ("flip", "Anton"))


@pytest.mark.rule("ER-3.5")
def test_the_card_played_first_will_be_turned_first() -> None:
    game = lost("Anton", 0, turn="Lena", packets={"Lena": "6H 7H", "Boris": "9H 10H"}, centre="4D 2C 8H")
    game = flip(collect(game, "Anton"), "Anton", "Lena", "Boris", "Anton")
    assert centre(game) == "4D 6H 9H 2C"


@pytest.mark.rule("ER-3.6")
@pytest.mark.parametrize("tries", [2, 3, 4])
def test_running_out_before_the_count_is_used_up_loses_and_passes_to_nobody(tries: int) -> None:
    game = challenged("Anton", tries, turn="Lena", packets={"Anton": "2S", "Lena": "5H", "Boris": "9H"}, centre="AS")
    game = flip(game, "Lena")
    assert (turn(game), challenge(game)) == (("collect", "Lena"), ("Anton", tries - 1))
    assert story(game) == [
        "flip player=Lena card=5H (ER-3.2)",
        f"lost player=Lena by=Anton left={tries - 1} (ER-3.6)",
    ]
    assert packets(collect(game, "Anton"))["Anton"] == "2S AS 5H"


@pytest.mark.rule("ER-3.4", "ER-3.6")
def test_the_last_card_on_the_last_try_loses_by_the_count() -> None:
    game = challenged("Anton", 1, turn="Lena", packets={"Anton": "2S", "Lena": "5H", "Boris": "9H"}, centre="JS")
    assert told(flip(game, "Lena"), "lost")["rules"] == ["ER-3.4"]


@pytest.mark.rule("ER-3.3", "ER-3.6")
def test_a_court_card_as_the_last_card_challenges_without_a_card_behind_it() -> None:
    game = challenged("Anton", 2, turn="Lena", packets={"Anton": "2S", "Lena": "JH", "Boris": "9H"}, centre="AS")
    game = flip(game, "Lena")
    assert (turn(game), challenge(game)) == (("respond", "Boris"), ("Lena", 1))


# ---- 4: a slap beats a challenge

FULL = {"Anton": "2S 3S", "Lena": "2H 3H", "Boris": "2D 3D"}


@pytest.mark.rule("ER-4.1")
@pytest.mark.parametrize("rank", RANKS[:13])
def test_the_last_two_of_one_rank_are_a_double(rank: str) -> None:
    game = slap(ratscrew(packets={"Anton": "2S", "Lena": "3H"}, centre=f"{rank}C {rank}D"), "Boris")
    assert told(game, "claim")["pattern"] == "double"
    assert told(game, "claim")["rules"] == ["ER-4.1", "ER-4.3"]


@pytest.mark.rule("ER-4.2")
def test_one_rank_around_another_is_a_sandwich() -> None:
    game = slap(ratscrew(packets=FULL, centre="8S 5H 9D 5C"), "Boris")
    assert told(game, "claim")["pattern"] == "sandwich"
    assert told(game, "claim")["rules"] == ["ER-4.2", "ER-4.3"]


@pytest.mark.rule("ER-4.1", "ER-4.2")
def test_three_of_one_rank_are_a_double_and_no_sandwich() -> None:
    assert told(slap(ratscrew(packets=FULL, centre="5S 5H 5D"), "Boris"), "claim")["pattern"] == "double"


@pytest.mark.rule("ER-4.1", "ER-4.2", "ER-4.6")
@pytest.mark.parametrize("up", ["5S", "5S 6H", "5S 6H 7D", "5S 5H 6D", "5S 6H 7D 5C", "5S 6H 6D 5C 8C"])
def test_other_centres_show_no_pattern(up: str) -> None:
    assert kinds(slap(ratscrew(packets=FULL, centre=up), "Boris")) == ["slap", "penalty"]


@pytest.mark.rule("ER-4.3", "ER-3.5")
@pytest.mark.parametrize("slapper", NAMES[:3])
def test_a_good_slap_takes_the_centre_under_the_packet_and_the_lead(slapper: str) -> None:
    game = slap(ratscrew(turn="Lena", packets=FULL, centre="9C 5H 5D"), slapper)
    assert packets(game) == {**FULL, slapper: f"{FULL[slapper]} 9C 5H 5D"}
    assert (centre(game), turn(game)) == ("", ("flip", slapper))
    assert story(game) == [
        f"slap players={slapper} lowest={slapper} (ER-4.3)",
        f"claim player={slapper} pattern=double late=- (ER-4.1 ER-4.3)",
        f"gather player={slapper} cards=9C+5H+5D hidden=0 (ER-4.3 ER-3.5)",
        f"turn player={slapper} phase=flip why=lead (ER-4.3)",
    ]


@pytest.mark.rule("ER-4.3", "ER-5.1")
def test_a_player_with_an_empty_packet_may_slap_and_come_back() -> None:
    game = slap(ratscrew(packets={"Anton": "2S", "Lena": "2H"}, centre="5H 5D"), "Boris")
    assert (packets(game)["Boris"], turn(game)) == ("5H 5D", ("flip", "Boris"))
    assert told(game, "gather")["rules"] == ["ER-4.3", "ER-3.5", "ER-5.1"]


@pytest.mark.rule("ER-4.4")
@pytest.mark.parametrize("slapper", NAMES[:3])
def test_a_good_slap_beats_an_open_challenge(slapper: str) -> None:
    game = challenged("Anton", 1, turn="Lena", packets=FULL, centre="KS 5H 5D")
    game = slap(game, slapper)
    assert (challenge(game), turn(game), packets(game)[slapper]) == (
        None,
        ("flip", slapper),
        f"{FULL[slapper]} KS 5H 5D",
    )
    assert told(game, "claim")["rules"] == ["ER-4.1", "ER-4.3", "ER-4.4"]


@pytest.mark.rule("ER-4.4")
def test_a_good_slap_beats_a_challenge_just_lost_until_the_centre_is_gathered() -> None:
    game = challenged("Anton", 1, turn="Lena", packets={**FULL, "Lena": "5D 3H"}, centre="QS 5H")
    game = flip(game, "Lena")
    assert turn(game) == ("collect", "Lena")
    taken = slap(game, "Boris")
    assert (packets(taken)["Boris"], turn(taken)) == ("2D 3D QS 5H 5D", ("flip", "Boris"))
    assert why(collect(game, "Anton"), Slap(("Boris",))) == ("nothing-to-slap", ("ER-4.10",))


@pytest.mark.rule("ER-4.4")
def test_two_court_cards_may_be_slapped_before_they_are_answered() -> None:
    game = flip(challenged("Anton", 1, turn="Lena", packets={**FULL, "Lena": "JH 3H"}, centre="JS"), "Lena")
    assert challenge(game) == ("Lena", 1)
    assert turn(slap(game, "Anton")) == ("flip", "Anton")


@pytest.mark.rule("ER-4.5")
def test_a_covered_pattern_is_gone() -> None:
    game = ratscrew(packets=FULL, centre="5H 5D")
    covered = flip(game, "Anton")
    assert kinds(slap(game, "Boris"))[1] == "claim"
    assert kinds(slap(covered, "Boris"))[1] == "penalty"


@pytest.mark.rule("ER-4.6")
@pytest.mark.parametrize("slapper", NAMES[:3])
def test_a_false_slap_costs_the_top_card_and_changes_neither_turn_nor_challenge(slapper: str) -> None:
    game = slap(challenged("Anton", 2, turn="Lena", packets=FULL, centre="QS"), slapper)
    top, rest = FULL[slapper].split()
    assert packets(game) == {**FULL, slapper: rest}
    assert centre(game) == f"{top} | QS"
    assert (turn(game), challenge(game)) == (("respond", "Lena"), ("Anton", 2))
    assert story(game) == [
        f"slap players={slapper} lowest={slapper} (ER-4.3)",
        f"penalty player={slapper} card={top} (ER-4.6 ER-4.9)",
    ]


@pytest.mark.rule("ER-4.6", "ER-3.4")
def test_a_false_slap_after_the_challenge_is_lost_leaves_it_lost() -> None:
    game = slap(lost("Anton", 0, turn="Lena", packets={**FULL, "Lena": "2H"}, centre="JS 7C"), "Lena")
    assert (packets(game)["Lena"], centre(game)) == ("", "2H | JS 7C")
    assert (turn(game), challenge(game)) == (("collect", "Lena"), ("Anton", 0))
    assert packets(collect(game, "Anton"))["Anton"] == "2S 3S 2H JS 7C"


@pytest.mark.rule("ER-4.6")
def test_a_false_slap_leaves_the_lead_where_it_is() -> None:
    assert turn(slap(ratscrew(turn="Lena", packets=FULL, centre="7S"), "Boris")) == ("flip", "Lena")


@pytest.mark.rule("ER-4.6")
def test_the_latest_penalty_lies_at_the_very_bottom() -> None:
    game = slap(slap(ratscrew(packets=FULL, centre="7S 8S"), "Boris"), "Lena")
    assert (centre(game), game.state()["hidden"]) == ("2H 2D | 7S 8S", 2)


@pytest.mark.rule("ER-4.6", "ER-2.3")
def test_nobody_sees_a_penalty() -> None:
    game = slap(ratscrew(packets=FULL, centre="7S"), "Boris")
    for viewer in NAMES[:3]:
        assert told(game, "penalty", viewer)["card"] is None
        assert game.state(viewer)["centre"] == [None, "7S"]


@pytest.mark.rule("ER-4.7")
def test_a_false_slap_without_a_card_costs_the_right_to_come_back() -> None:
    game = slap(ratscrew(packets={"Anton": "2S 3S", "Lena": "2H"}, centre="7S"), "Boris")
    assert game.state()["out"] == ["Boris"]
    assert (centre(game), turn(game)) == ("7S", ("flip", "Anton"))
    assert story(game) == [
        "slap players=Boris lowest=Boris (ER-4.3)",
        "barred player=Boris (ER-4.6 ER-4.7)",
    ]
    assert why(game, Slap(("Boris",))) == ("player-out", ("ER-4.7",))
    assert Slap(("Boris",)) not in game.legal()


@pytest.mark.rule("ER-4.7")
def test_the_right_to_come_back_stays_lost_when_the_centre_is_gathered() -> None:
    game = lost("Anton", 0, turn="Lena", packets={"Anton": "2S 3S", "Lena": "2H"}, centre="JS 7S", out=["Boris"])
    game = flip(collect(game, "Anton"), "Anton")
    assert game.state()["out"] == ["Boris"]
    assert why(game, Slap(("Boris",))) == ("player-out", ("ER-4.7",))


@pytest.mark.rule("ER-4.7")
def test_those_who_lost_the_right_are_listed_in_the_order_they_lost_it() -> None:
    game = ratscrew(players=4, turn="Anton", packets={"Anton": "2S 3S", "Lena": "2H"}, centre="7S")
    assert slap(slap(game, "Vera"), "Boris").state()["out"] == ["Vera", "Boris"]


@pytest.mark.rule("ER-4.7")
def test_nobody_slaps_in_the_company_of_a_player_who_is_out() -> None:
    game = ratscrew(packets={"Anton": "2S 3S", "Lena": "2H"}, centre="5S 5H", out=["Boris"])
    assert why(game, Slap(("Anton", "Boris"), "Anton")) == ("player-out", ("ER-4.7",))


@pytest.mark.rule("ER-4.8")
@pytest.mark.parametrize("lowest", NAMES[:3])
def test_of_slaps_at_one_moment_the_lowest_hand_wins(lowest: str) -> None:
    game = slap(ratscrew(packets=FULL, centre="5S 5H"), "Anton", "Lena", "Boris", lowest=lowest)
    assert packets(game) == {**FULL, lowest: f"{FULL[lowest]} 5S 5H"}
    assert turn(game) == ("flip", lowest)
    assert told(game, "slap") == {
        "type": "slap",
        "players": ["Anton", "Lena", "Boris"],
        "lowest": lowest,
        "rules": ["ER-4.8"],
    }


@pytest.mark.rule("ER-4.8", "ER-4.12")
def test_where_nobody_can_tell_nothing_changes_and_the_pattern_stays_open() -> None:
    before = challenged("Anton", 2, turn="Lena", packets=FULL, centre="9C 5S 5H")
    game = slap(before, "Lena", "Boris")
    assert game.state() == before.state()
    assert story(game) == [
        "slap players=Lena+Boris lowest=- (ER-4.8)",
        "undecided players=Lena+Boris pattern=double (ER-4.8 ER-4.12)",
    ]
    assert packets(slap(game, "Boris"))["Boris"] == "2D 3D 9C 5S 5H"
    assert kinds(slap(flip(game, "Lena"), "Boris"))[1] == "penalty"


@pytest.mark.rule("ER-4.9")
@pytest.mark.parametrize(
    ("centre_", "hidden", "pattern"),
    [
        ("5S 5H", 1, None),  # the penalty is of the rank of the only open card
        ("5S 5H", 2, None),
        ("5S 9D 5H", 1, None),
        ("5S 9D 5H", 2, None),
        ("5S 5H 5D", 1, "double"),
        ("9S 5H 9D 5D", 1, "sandwich"),
        ("KS 5H 9D 5D 5C", 4, None),
    ],
)
def test_penalties_are_no_part_of_a_pattern(centre_: str, hidden: int, pattern: str | None) -> None:
    game = slap(ratscrew(packets=FULL, centre=centre_, hidden=hidden), "Boris")
    assert (told(game, "claim")["pattern"] if pattern else kinds(game)[1]) == (pattern or "penalty")


@pytest.mark.rule("ER-4.9", "ER-3.5")
def test_penalties_are_gathered_with_the_centre_and_no_longer_face_down() -> None:
    game = collect(lost("Anton", 0, turn="Lena", packets=FULL, centre="4D 8C JS 7S", hidden=2), "Anton")
    assert (packets(game)["Anton"], game.state()["hidden"]) == ("2S 3S 4D 8C JS 7S", 0)
    assert told(game, "gather")["hidden"] == 2
    assert told(game, "gather", "Anton")["cards"] == [None, None, "JS", "7S"]


@pytest.mark.rule("ER-4.10")
def test_an_empty_centre_cannot_be_slapped_and_costs_nothing() -> None:
    game = ratscrew(packets=FULL)
    assert why(game, Slap(("Boris",))) == ("nothing-to-slap", ("ER-4.10",))
    assert why(game, Slap(("Boris", "Lena"))) == ("nothing-to-slap", ("ER-4.10",))
    assert game.legal() == [Flip("Anton")]


@pytest.mark.rule("ER-4.10", "ER-4.9")
def test_a_centre_of_penalties_alone_is_not_empty() -> None:
    game = ratscrew(packets=FULL, centre="4D", hidden=1)
    assert kinds(slap(game, "Boris")) == ["slap", "penalty"]


@pytest.mark.rule("ER-4.11", "ER-4.6")
def test_where_several_slap_falsely_each_pays_in_the_order_given() -> None:
    game = slap(ratscrew(packets=FULL, centre="7S"), "Boris", "Anton", lowest="Anton")
    assert packets(game) == {"Anton": "3S", "Lena": "2H 3H", "Boris": "3D"}
    assert (centre(game), game.state()["hidden"]) == ("2S 2D | 7S", 2)
    assert story(game) == [
        "slap players=Boris+Anton lowest=Anton (ER-4.8)",
        "penalty player=Boris card=2D (ER-4.6 ER-4.9)",
        "penalty player=Anton card=2S (ER-4.6 ER-4.9)",
    ]
    assert game.state() == slap(ratscrew(packets=FULL, centre="7S"), "Boris", "Anton").state()


@pytest.mark.rule("ER-4.11", "ER-4.7")
def test_of_several_who_slap_falsely_those_without_cards_are_barred() -> None:
    game = slap(ratscrew(players=4, packets={"Anton": "2S 3S", "Lena": "2H 3H"}, centre="7S"), "Vera", "Anton", "Boris")
    assert (game.state()["out"], centre(game)) == (["Vera", "Boris"], "2S | 7S")
    assert kinds(game) == ["slap", "barred", "penalty", "barred"]


@pytest.mark.rule("ER-4.11")
def test_who_came_too_late_for_a_good_pattern_pays_nothing() -> None:
    game = slap(ratscrew(packets=FULL, centre="5S 5H"), "Anton", "Lena", lowest="Lena")
    assert packets(game) == {**FULL, "Lena": "2H 3H 5S 5H"}
    assert told(game, "claim") == {
        "type": "claim",
        "player": "Lena",
        "pattern": "double",
        "late": ["Anton"],
        "rules": ["ER-4.1", "ER-4.3", "ER-4.11"],
    }


@pytest.mark.rule("ER-4.11", "ER-4.7")
def test_who_came_too_late_without_cards_is_not_barred() -> None:
    game = slap(ratscrew(packets={"Anton": "2S", "Lena": "2H"}, centre="5S 5H"), "Boris", "Anton", lowest="Anton")
    assert game.state()["out"] == []


@pytest.mark.rule("ER-4.13", "ER-3.6")
def test_a_penalty_that_empties_the_player_who_answers_loses_the_challenge() -> None:
    game = slap(challenged("Anton", 3, turn="Lena", packets={**FULL, "Lena": "2H"}, centre="KS"), "Lena")
    assert (turn(game), challenge(game)) == (("collect", "Lena"), ("Anton", 3))
    assert story(game)[1:] == [
        "penalty player=Lena card=2H (ER-4.6 ER-4.9)",
        "lost player=Lena by=Anton left=3 (ER-4.13 ER-3.6)",
    ]
    assert game.legal()[0] == Collect("Anton")


@pytest.mark.rule("ER-4.13")
def test_a_penalty_that_empties_the_player_who_leads_passes_the_lead() -> None:
    game = ratscrew(players=4, packets={"Anton": "2S", "Boris": "2H", "Vera": "3H"}, centre="7S")
    game = slap(game, "Anton")
    assert turn(game) == ("flip", "Boris")
    assert story(game)[1:] == [
        "penalty player=Anton card=2S (ER-4.6 ER-4.9)",
        "turn player=Boris phase=flip why=penalty (ER-4.13)",
    ]


@pytest.mark.rule("ER-4.13", "ER-4.6")
def test_a_penalty_that_empties_somebody_else_changes_no_turn() -> None:
    led = slap(ratscrew(turn="Lena", packets={**FULL, "Anton": "2S"}, centre="7S"), "Anton")
    answered = slap(challenged("Anton", 3, turn="Lena", packets={**FULL, "Anton": "2S"}, centre="KS"), "Anton")
    assert (turn(led), kinds(led)) == (("flip", "Lena"), ["slap", "penalty"])
    assert (turn(answered), challenge(answered)) == (("respond", "Lena"), ("Anton", 3))


@pytest.mark.rule("ER-4.14")
def test_the_challenge_of_a_barred_challenger_lapses_and_the_player_answering_leads() -> None:
    game = slap(challenged("Anton", 3, turn="Lena", packets={"Lena": "2H", "Boris": "2D"}, centre="KS"), "Anton")
    assert (turn(game), challenge(game)) == (("flip", "Lena"), None)
    assert story(game)[1:] == [
        "barred player=Anton (ER-4.6 ER-4.7)",
        "lapse by=Anton (ER-4.14)",
        "turn player=Lena phase=flip why=lapse (ER-4.14)",
    ]


@pytest.mark.rule("ER-4.14")
def test_where_the_player_answering_has_no_cards_the_next_who_has_leads() -> None:
    game = lost("Anton", 2, players=4, turn="Lena", packets={"Boris": "2D", "Vera": "2C"}, centre="KS 7H")
    game = slap(game, "Anton")
    assert (turn(game), challenge(game), centre(game)) == (("flip", "Boris"), None, "KS 7H")


@pytest.mark.rule("ER-4.14")
def test_a_lost_challenge_lapses_too_and_its_loser_leads_with_the_cards_they_have() -> None:
    game = lost("Anton", 0, turn="Lena", packets={"Lena": "2H", "Boris": "2D"}, centre="JS 7H")
    assert turn(slap(game, "Anton")) == ("flip", "Lena")


@pytest.mark.rule("ER-4.14", "ER-4.7")
def test_a_challenge_stands_when_somebody_else_is_barred() -> None:
    game = slap(
        challenged("Anton", 3, players=4, turn="Lena", packets={"Lena": "2H", "Boris": "2D"}, centre="KS"), "Vera"
    )
    assert (turn(game), challenge(game)) == (("respond", "Lena"), ("Anton", 3))


@pytest.mark.rule("ER-4.14")
def test_a_challenge_that_lapses_with_all_cards_in_the_centre_ends_the_game_without_a_winner() -> None:
    game = lost("Anton", 2, players=4, turn="Lena", agreements=CHALLENGE_FIRST, centre="KS 7H", out=["Boris"])
    game = slap(game, "Vera", "Anton", "Lena")
    assert game.state() == {
        "phase": "over",
        "turn": None,
        "packets": {"Anton": [], "Lena": [], "Boris": [], "Vera": []},
        "centre": ["KS", "7H"],
        "hidden": 0,
        "challenge": None,
        "out": ["Boris", "Vera", "Anton", "Lena"],
        "winners": [],
    }
    assert story(game)[1:] == [
        "barred player=Vera (ER-4.6 ER-4.7)",
        "barred player=Anton (ER-4.6 ER-4.7)",
        "lapse by=Anton (ER-4.14)",
        "barred player=Lena (ER-4.6 ER-4.7)",
        "over winners=- (ER-4.14)",
    ]
    assert game.legal() == []


# ---- 5: empty packets and the win


@pytest.mark.rule("ER-5.1")
def test_a_player_without_cards_is_passed_over() -> None:
    game = flip(ratscrew(packets={"Anton": "2S 3S", "Boris": "2D 3D"}), "Anton", "Boris", "Anton")
    assert turn(game) == ("last-chance", "Boris")
    assert why(ratscrew(packets={"Anton": "2S", "Boris": "2D"}), Flip("Lena")) == ("not-your-turn", ("ER-2.5",))


@pytest.mark.rule("ER-5.3")
def test_with_one_packet_left_there_is_one_last_chance_and_then_that_player_has_all() -> None:
    game = flip(ratscrew(packets={"Anton": "5H", "Lena": "2H 3H"}, centre="9C"), "Anton")
    assert (turn(game), challenge(game)) == (("last-chance", "Lena"), None)
    assert story(game) == [
        "flip player=Anton card=5H (ER-2.4)",
        "turn player=Lena phase=flip why=number (ER-2.5)",
        "last-chance player=Lena (ER-5.3)",
    ]
    assert game.legal() == [Collect("Lena"), Slap(("Anton",)), Slap(("Lena",)), Slap(("Boris",))]
    assert why(game, Flip("Lena")) == ("wrong-phase", ("ER-5.3",))
    over = collect(game, "Lena")
    assert (turn(over), packets(over)["Lena"]) == (("over", None), "2H 3H 9C 5H")
    assert over.state()["winners"] == ["Lena"]
    assert story(over) == [
        "gather player=Lena cards=9C+5H hidden=0 (ER-5.3)",
        "over winners=Lena (ER-1.4 ER-5.4)",
    ]


@pytest.mark.rule("ER-5.3")
def test_an_open_challenge_ends_with_the_last_chance() -> None:
    game = flip(ratscrew(packets={"Anton": "KH", "Lena": "2H 3H"}), "Anton")
    assert (turn(game), challenge(game)) == (("last-chance", "Lena"), None)
    assert kinds(game) == ["flip", "challenge", "last-chance"]


@pytest.mark.rule("ER-5.3")
def test_a_lost_challenge_ends_with_it_too_even_one_of_somebody_else() -> None:
    game = challenged("Anton", 2, turn="Lena", packets={"Lena": "2H", "Boris": "3H"}, centre="QS")
    game = flip(game, "Lena")
    assert (turn(game), challenge(game)) == (("last-chance", "Boris"), None)
    assert kinds(game) == ["flip", "lost", "last-chance"]


@pytest.mark.rule("ER-5.3", "ER-4.13")
@pytest.mark.parametrize("answering", [True, False])
def test_a_penalty_opens_the_last_chance_too(answering: bool) -> None:
    at = {"turn": "Lena", "packets": {"Anton": "3S", "Lena": "2H"}, "centre": "KS 7S"}
    game = slap(challenged("Anton", 3, **at) if answering else ratscrew(**at), "Lena")
    assert (turn(game), challenge(game), centre(game)) == (("last-chance", "Anton"), None, "2H | KS 7S")
    assert kinds(game) == ["slap", "penalty", "lost" if answering else "turn", "last-chance"]


@pytest.mark.rule("ER-5.3", "ER-4.14")
def test_a_lapsed_challenge_may_leave_only_the_last_chance() -> None:
    game = lost("Anton", 2, turn="Lena", agreements=CHALLENGE_FIRST, packets={"Boris": "3H"}, centre="QS 7S")
    game = slap(game, "Anton")
    assert (turn(game), challenge(game)) == (("last-chance", "Boris"), None)
    assert kinds(game) == ["slap", "barred", "lapse", "turn", "last-chance"]


@pytest.mark.rule("ER-5.3")
def test_the_last_chance_may_be_claimed_by_the_player_the_centre_goes_to() -> None:
    game = flip(ratscrew(packets={"Anton": "5H", "Lena": "2H 3H"}, centre="5C"), "Anton")
    game = slap(game, "Lena")
    assert (turn(game), game.state()["winners"]) == (("over", None), ["Lena"])


@pytest.mark.rule("ER-5.4")
def test_whoever_gathers_the_last_of_the_cards_has_won_at_once() -> None:
    by_slap = slap(ratscrew(packets={"Anton": "5H 2S", "Lena": ""}, centre="5C 5D", phase="last-chance"), "Anton")
    assert by_slap.state()["winners"] == ["Anton"]
    assert by_slap.legal() == []
    for action in (Flip("Anton"), Slap(("Lena",)), Collect("Anton")):
        assert why(by_slap, action) == ("game-over", ("ER-5.4",))
    late = refused(by_slap, {"type": "flip"})
    assert (late.code, late.rules) == ("game-over", ("ER-5.4",))


@pytest.mark.rule("ER-5.5", "ER-2.4")
def test_for_a_new_game_the_deal_moves_to_the_left() -> None:
    # The record of the next game names its dealer; who that is decides who begins, nothing else does.
    assert [turn(dealt(3, dealer=name))[1] for name in ("Boris", "Anton", "Lena")] == ["Anton", "Lena", "Boris"]


@pytest.mark.rule("ER-5.6")
def test_the_last_chance_stays_with_its_player_whose_last_card_a_false_slap_takes() -> None:
    game = flip(ratscrew(packets={"Anton": "5H", "Lena": "2H"}, centre="9C"), "Anton")
    game = slap(game, "Lena")
    assert (turn(game), packets(game)["Lena"], centre(game)) == (("last-chance", "Lena"), "", "2H | 9C 5H")
    assert kinds(game) == ["slap", "penalty"]
    assert packets(collect(game, "Lena"))["Lena"] == "2H 9C 5H"
    assert turn(collect(game, "Lena")) == ("over", None)


@pytest.mark.rule("ER-5.6", "ER-4.11")
def test_of_two_who_pay_their_last_cards_together_the_later_has_the_last_chance() -> None:
    at = {"packets": {"Anton": "5H", "Lena": "2H"}, "centre": "9C"}
    assert turn(slap(ratscrew(**at), "Anton", "Lena")) == ("last-chance", "Lena")
    assert turn(slap(ratscrew(**at), "Lena", "Anton")) == ("last-chance", "Anton")
    assert kinds(slap(ratscrew(**at), "Anton", "Lena")) == ["slap", "penalty", "turn", "last-chance", "penalty"]


@pytest.mark.rule("ER-5.6", "ER-4.7")
def test_a_second_false_slap_in_the_last_chance_costs_no_more_than_the_right_to_slap() -> None:
    game = flip(ratscrew(packets={"Anton": "5H", "Lena": "2H"}, centre="9C"), "Anton")
    game = slap(slap(game, "Lena"), "Lena")
    assert (turn(game), game.state()["out"]) == (("last-chance", "Lena"), ["Lena"])
    assert collect(game, "Lena").state()["winners"] == ["Lena"]


@pytest.mark.rule("ER-5.7")
def test_a_good_slap_in_the_last_chance_brings_a_player_back_and_play_goes_on() -> None:
    game = flip(ratscrew(packets={"Anton": "5H", "Lena": "2H 3H"}, centre="5C"), "Anton")
    game = slap(game, "Boris")
    assert (packets(game), turn(game)) == ({"Anton": "", "Lena": "2H 3H", "Boris": "5C 5H"}, ("flip", "Boris"))
    assert story(game)[2:] == [
        "gather player=Boris cards=5C+5H hidden=0 (ER-4.3 ER-3.5 ER-5.7)",
        "turn player=Boris phase=flip why=lead (ER-4.3)",
    ]


@pytest.mark.rule("ER-5.7", "ER-4.7")
def test_a_false_slap_in_the_last_chance_bars_a_player_without_cards() -> None:
    game = flip(ratscrew(packets={"Anton": "5H", "Lena": "2H 3H"}, centre="9C"), "Anton")
    game = slap(game, "Boris")
    assert (game.state()["out"], turn(game)) == (["Boris"], ("last-chance", "Lena"))


@pytest.mark.rule("ER-5.8")
def test_a_record_may_stop_at_any_point_and_then_has_no_winner() -> None:
    result = replay(record(GAME, {"type": "flip", "player": "Anton"}, players=2))
    assert (result["error"], result["states"][-1]["winners"]) == (None, [])


# ---- 6: the examples

QUEEN = {"players": 3, "packets": {"Anton": "9S", "Lena": "5H 5D 3C", "Boris": ""}, "centre": "QS"}


@pytest.mark.rule("ER-6.1", "ER-4.4")
def test_a_double_interrupts_the_queen() -> None:
    game = flip(challenged("Anton", 2, turn="Lena", **QUEEN), "Lena", "Lena")
    assert turn(game) == ("collect", "Lena")
    game = slap(game, "Boris")
    assert (packets(game)["Boris"], turn(game)) == ("QS 5H 5D", ("flip", "Boris"))


@pytest.mark.rule("ER-6.2", "ER-3.4")
def test_without_a_slap_the_queen_gathers() -> None:
    game = flip(challenged("Anton", 2, turn="Lena", **QUEEN), "Lena", "Lena")
    game = collect(game, "Anton")
    assert (packets(game)["Anton"], turn(game)) == ("9S QS 5H 5D", ("flip", "Anton"))


@pytest.mark.rule("ER-6.3", "ER-4.7")
def test_a_slap_after_the_first_five_bars_who_has_no_card() -> None:
    game = slap(flip(challenged("Anton", 2, turn="Lena", **QUEEN), "Lena"), "Boris")
    assert (game.state()["out"], turn(game), challenge(game)) == (["Boris"], ("respond", "Lena"), ("Anton", 1))


# ---- the agreement on the ending

CHALLENGE_FIRST: Wire = {"ending": "challenge-first"}


@pytest.mark.rule("ER-5.3")
def test_challenge_first_lets_the_last_packet_answer() -> None:
    at = {"agreements": CHALLENGE_FIRST, "packets": {"Anton": "KH", "Lena": "2H 4H 6H 8H"}}
    game = flip(ratscrew(**at), "Anton")
    assert (turn(game), challenge(game)) == (("respond", "Lena"), ("Anton", 3))
    game = collect(flip(game, "Lena", "Lena", "Lena"), "Anton")
    assert (packets(game), turn(game)) == ({"Anton": "KH 2H 4H 6H", "Lena": "8H", "Boris": ""}, ("flip", "Anton"))


@pytest.mark.rule("ER-5.3", "ER-3.6")
def test_challenge_first_gives_the_pile_to_the_challenger_when_the_last_packet_runs_out() -> None:
    game = ratscrew(agreements=CHALLENGE_FIRST, packets={"Anton": "KH", "Lena": "2H 4H"})
    game = flip(game, "Anton", "Lena", "Lena")
    assert (turn(game), challenge(game)) == (("collect", "Lena"), ("Anton", 1))
    over = collect(game, "Anton")
    assert (over.state()["winners"], packets(over)["Anton"]) == (["Anton"], "KH 2H 4H")


@pytest.mark.rule("ER-3.6")
def test_challenge_first_loses_at_once_where_the_player_challenged_has_no_card() -> None:
    at = {"agreements": CHALLENGE_FIRST, "packets": {"Anton": "KH", "Lena": "QH 4H"}}
    game = flip(ratscrew(**at), "Anton", "Lena")
    assert (turn(game), challenge(game)) == (("collect", "Boris"), ("Lena", 2))
    assert story(game) == [
        "flip player=Lena card=QH (ER-3.2)",
        "challenge by=Lena player=Boris left=2 (ER-3.1 ER-3.3)",
        "lost player=Boris by=Lena left=2 (ER-3.6)",
    ]
    assert collect(game, "Lena").state()["winners"] == ["Lena"]


@pytest.mark.rule("ER-5.3")
def test_challenge_first_has_a_last_chance_where_no_challenge_is_open() -> None:
    game = ratscrew(agreements=CHALLENGE_FIRST, packets={"Anton": "5H", "Lena": "2H 3H"}, centre="9C")
    assert turn(flip(game, "Anton")) == ("last-chance", "Lena")


@pytest.mark.rule("ER-4.4", "ER-5.7")
def test_challenge_first_lets_a_slap_take_a_lost_centre_from_the_last_packet() -> None:
    at = {"agreements": CHALLENGE_FIRST, "turn": "Lena", "packets": {"Lena": "5H 6H"}, "centre": "JS 5C"}
    game = slap(flip(challenged("Anton", 1, **at), "Lena"), "Boris")
    assert (packets(game), turn(game)) == ({"Anton": "", "Lena": "6H", "Boris": "JS 5C 5H"}, ("flip", "Boris"))


# ---- what is refused, and in which order

TABLES: dict[str, Wire] = {
    "flip": {"turn": "Lena", "packets": FULL, "centre": "7S"},
    "respond": {
        "phase": "respond",
        "turn": "Lena",
        "packets": FULL,
        "centre": "KS",
        "challenge": {"by": "Anton", "left": 3},
    },
    "collect": {
        "phase": "collect",
        "turn": "Lena",
        "packets": FULL,
        "centre": "JS 7S",
        "challenge": {"by": "Anton", "left": 0},
    },
    "last-chance": {"phase": "last-chance", "turn": "Lena", "packets": {"Lena": "2H"}, "centre": "7S"},
    "out": {"turn": "Lena", "packets": {"Anton": "2S", "Lena": "2H 3H"}, "centre": "7S", "out": ["Boris"]},
}


@pytest.mark.parametrize(
    ("phase", "action", "code", "rules", "about", "details"),
    [
        ("flip", Flip("Nobody"), "unknown-player", (), None, {"player": "Nobody"}),
        ("flip", Flip("Anton"), "not-your-turn", ("ER-2.5",), None, {"player": "Anton", "turn": "Lena"}),
        ("respond", Flip("Anton"), "not-your-turn", ("ER-3.2",), None, {"player": "Anton", "turn": "Lena"}),
        ("collect", Flip("Nobody"), "unknown-player", (), None, {"player": "Nobody"}),
        ("collect", Flip("Anton"), "wrong-phase", ("ER-3.4",), "flip", {}),
        ("collect", Flip("Lena"), "wrong-phase", ("ER-3.4",), "flip", {}),
        ("last-chance", Flip("Lena"), "wrong-phase", ("ER-5.3",), "flip", {}),
        ("flip", Collect("Nobody"), "unknown-player", (), None, {"player": "Nobody"}),
        ("flip", Collect("Lena"), "wrong-phase", ("ER-3.4",), "collect", {}),
        ("flip", Collect("Anton"), "wrong-phase", ("ER-3.4",), "collect", {}),
        ("respond", Collect("Anton"), "wrong-phase", ("ER-3.4",), "collect", {}),
        ("collect", Collect("Nobody"), "unknown-player", (), None, {"player": "Nobody"}),
        ("collect", Collect("Lena"), "not-your-turn", ("ER-3.4",), "collect", {"player": "Lena", "turn": "Anton"}),
        ("last-chance", Collect("Anton"), "not-your-turn", ("ER-5.3",), "collect", {"player": "Anton", "turn": "Lena"}),
        ("flip", Slap(()), "unknown-player", ("ER-4.3",), "slap", {}),
        ("flip", Slap(("Anton", "Anton"), "Anton"), "unknown-player", ("ER-4.3",), "slap", {}),
        ("flip", Slap(("Anton", "Lena"), "Boris"), "unknown-player", ("ER-4.3",), "slap", {}),
        ("flip", Slap(("Anton",), "Boris"), "unknown-player", ("ER-4.3",), "slap", {}),
        ("flip", Slap(("Anton", "Nobody")), "unknown-player", (), None, {"player": "Nobody"}),
        ("out", Slap(("Lena", "Boris")), "player-out", ("ER-4.7",), None, {"player": "Boris"}),
        ("out", EndTurn("Lena"), "unknown-action", (), GAME, {"type": "end-turn"}),
    ],
)
def test_refusals(
    phase: str, action: Action, code: str, rules: tuple[str, ...], about: str | None, details: Wire
) -> None:
    refusal = refused(ratscrew(**TABLES[phase]), action)
    assert (refusal.code, refusal.rules, refusal.about, dict(refusal.details)) == (code, rules, about, details)
    for language in LANGUAGES:
        sentence = explain(refusal, language)
        assert all(value in sentence for key, value in details.items() if key != "type")


def test_an_unknown_slapper_is_told_before_one_who_is_out_and_that_before_an_empty_centre() -> None:
    game = ratscrew(packets={"Anton": "2S", "Lena": "2H"}, out=["Boris"])
    assert refused(game, Slap(("Boris", "Nobody"))).code == "unknown-player"
    assert refused(game, Slap(("Anton", "Boris"))).code == "player-out"
    assert refused(game, Slap(("Anton",))).code == "nothing-to-slap"


@pytest.mark.parametrize(
    ("raw", "code", "rules"),
    [
        ({"type": "flip"}, "malformed", ("ER-2.4",)),
        ({"type": "flip", "player": 3}, "malformed", ("ER-2.4",)),
        ({"type": "collect"}, "malformed", ("ER-3.4",)),
        ({"type": "slap"}, "malformed", ("ER-4.3",)),
        ({"type": "slap", "player": "Anton"}, "malformed", ("ER-4.3",)),
        ({"type": "slap", "players": "Anton"}, "malformed", ("ER-4.3",)),
        ({"type": "slap", "players": ["Anton", None]}, "malformed", ("ER-4.3",)),
        ({"type": "slap", "players": ["Anton"], "lowest": 1}, "malformed", ("ER-4.3",)),
        ({"type": "slap", "players": [["Anton"]]}, "malformed", ("ER-4.3",)),
        ({"player": "Anton"}, "malformed", ()),
        ({"type": ["flip"], "player": "Anton"}, "malformed", ()),
        ({"type": "request", "player": "Anton", "target": "Lena", "rank": "6"}, "unknown-action", ()),
    ],
)
def test_an_action_that_lacks_something_is_refused(raw: Wire, code: str, rules: tuple[str, ...]) -> None:
    refusal = refused(ratscrew(**TABLES["flip"]), raw)
    assert (refusal.code, refusal.rules) == (code, rules)


def test_a_single_slap_may_say_whose_hand_is_lowest_or_not() -> None:
    game = ratscrew(packets=FULL, centre="5S 5H")
    plain = game.play(Slap(("Lena",)))
    assert plain.state() == game.play(Slap(("Lena",), "Lena")).state()
    assert plain.events() == game.play(Slap(("Lena",), "Lena")).events()
    assert plain.state() == game.play(game.read_action({"type": "slap", "players": ["Lena"], "lowest": None})).state()


# ---- what is legal


@pytest.mark.parametrize("phase", ["flip", "respond", "collect", "last-chance"])
def test_legal_is_the_one_flip_or_collect_then_a_slap_by_each(phase: str) -> None:
    game = ratscrew(**TABLES[phase])
    one = {
        "flip": Flip("Lena"),
        "respond": Flip("Lena"),
        "collect": Collect("Anton"),
        "last-chance": Collect("Lena"),
    }[phase]
    assert game.legal() == [one, Slap(("Anton",)), Slap(("Lena",)), Slap(("Boris",))]


def test_a_player_who_is_out_has_no_slap_among_the_legal_actions() -> None:
    game = ratscrew(packets={"Anton": "2S", "Boris": "2H"}, centre="7S", out=["Lena"])
    assert game.legal() == [Flip("Anton"), Slap(("Anton",)), Slap(("Boris",))]


# ---- arranged tables


@pytest.mark.parametrize("phase", TABLES)
def test_a_table_lies_as_it_was_arranged(phase: str) -> None:
    game = ratscrew(**TABLES[phase])
    again = Game.from_record(record(GAME, players=3, deal={"table": game.state()}))
    assert again.state() == game.state()
    assert game.events() == [{"type": "arrange", "state": game.state(), "rules": []}]


def test_what_a_table_leaves_out_is_empty_and_the_first_player_leads() -> None:
    assert ratscrew(players=2, packets={"Anton": "2S", "Lena": "3S"}).state() == {
        "phase": "flip",
        "turn": "Anton",
        "packets": {"Anton": ["2S"], "Lena": ["3S"]},
        "centre": [],
        "hidden": 0,
        "challenge": None,
        "out": [],
        "winners": [],
    }
    assert turn(challenged("Lena", 1, players=2, packets={"Anton": "2S", "Lena": "3S"}, centre="JS"))[1] == "Anton"


def test_a_table_with_a_challenge_and_no_phase_is_answered() -> None:
    game = ratscrew(turn="Lena", packets=FULL, centre="JS", challenge={"by": "Anton", "left": 1})
    assert turn(game) == ("respond", "Lena")


@pytest.mark.rule("ER-5.3")
def test_a_table_with_one_packet_left_is_taken_as_it_is_written_and_the_next_action_opens_the_last_chance() -> None:
    game = ratscrew(packets={"Anton": "2S 3S"}, centre="7S")
    assert (turn(game), kinds(game)) == (("flip", "Anton"), ["arrange"])
    assert turn(game.play(Flip("Anton"))) == ("last-chance", "Anton")


@pytest.mark.rule("ER-5.3", "ER-5.6")
def test_the_only_card_of_an_arranged_table_opens_the_last_chance_for_its_player() -> None:
    game = ratscrew(packets={"Lena": "2S"}, turn="Lena", centre="7S")
    for after in (flip(game, "Lena"), slap(game, "Lena")):
        assert (turn(after), packets(after)["Lena"]) == (("last-chance", "Lena"), "")
        assert kinds(after)[-1] == "last-chance"
        assert collect(after, "Lena").state()["winners"] == ["Lena"]


@pytest.mark.rule("ER-5.3")
def test_a_table_under_challenge_first_may_be_answered_by_the_last_packet() -> None:
    game = challenged("Boris", 2, agreements=CHALLENGE_FIRST, packets={"Anton": "2S"}, centre="QS")
    assert (turn(game), challenge(game)) == (("respond", "Anton"), ("Boris", 2))


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"packets": ["2S"]}, "players"),
        ({"packets": {"Nobody": ["2S"]}}, "players"),
        ({"packets": {"Anton": "2S"}}, "cards"),
        ({"packets": {"Anton": ["1S"]}}, "cards"),
        ({"packets": {"Anton": [2]}}, "cards"),
        ({"packets": {"Anton": [["2S"]]}}, "cards"),
        ({"packets": {"Anton": None}}, "cards"),
        ({"centre": "QS"}, "cards"),
        ({"centre": [None]}, "cards"),
        ({"centre": ["QS", "2S"]}, "pack"),
        ({"packets": {"Anton": ["2S", "2S"]}}, "pack"),
        ({"packets": {"Anton": ["2S"], "Lena": ["2S"]}}, "pack"),
        ({"packets": {"Anton": ["JK"]}}, "pack"),
        ({"hidden": -1}, "hidden"),
        ({"hidden": 2}, "hidden"),
        ({"hidden": True}, "hidden"),
        ({"hidden": "1"}, "hidden"),
        ({"hidden": 0.0}, "hidden"),
        ({"phase": "request"}, "phase"),
        ({"phase": 1}, "phase"),
        ({"phase": None}, "phase"),
        ({"phase": []}, "phase"),
        ({"turn": None}, "turn"),
        ({"turn": "Nobody"}, "turn"),
        ({"turn": ["Anton"]}, "turn"),
        ({"turn": "Boris"}, "turn"),  # who has no cards, and would have to turn one
        ({"phase": "over"}, "turn"),
        ({"phase": "over", "turn": None}, "phase"),  # two packets, and a centre
        ({"phase": "over", "turn": None, "centre": []}, "phase"),
        ({"phase": "over", "turn": None, "packets": {"Anton": ["2S"]}}, "phase"),
        ({"phase": "respond"}, "challenge"),
        ({"phase": "collect"}, "challenge"),
        ({"phase": "flip", "challenge": {"by": "Lena", "left": 1}}, "challenge"),
        ({"phase": "last-chance", "challenge": {"by": "Lena", "left": 1}}, "challenge"),
        ({"challenge": {"by": "Anton", "left": 1}}, "challenge"),  # who would answer themselves
        ({"challenge": {"by": "Lena", "left": 0}}, "challenge"),
        ({"challenge": {"by": "Lena", "left": 5}}, "challenge"),
        ({"phase": "collect", "challenge": {"by": "Lena", "left": -1}}, "challenge"),
        ({"challenge": {"by": "Lena", "left": 1.0}}, "challenge"),
        ({"challenge": {"by": "Lena"}}, "challenge"),
        ({"challenge": {"by": "Nobody", "left": 1}}, "challenge"),
        ({"challenge": {"by": ["Lena"], "left": 1}}, "challenge"),
        ({"challenge": {"left": 1}}, "challenge"),
        ({"challenge": "Lena"}, "challenge"),
        ({"challenge": []}, "challenge"),
        ({"challenge": {"by": "Boris", "left": 1}, "out": ["Boris"]}, "challenge"),
        ({"out": ["Nobody"]}, "cards"),
        ({"out": "Boris"}, "cards"),
        ({"out": [None]}, "cards"),
        ({"out": ["Boris", "Boris"]}, "phase"),
        ({"phase": "collect", "centre": [], "challenge": {"by": "Lena", "left": 1}}, "phase"),
        ({"phase": "last-chance", "centre": []}, "phase"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(change: Wire, about: str) -> None:
    state = {"turn": "Anton", "packets": {"Anton": ["2S"], "Lena": ["2H"]}, "centre": ["QS"], **change}
    with pytest.raises(Refusal) as caught:
        Game.from_record(record(GAME, players=3, deal={"table": state}))
    assert (caught.value.code, caught.value.about, caught.value.index) == ("bad-table", about, None)
    assert caught.value.rules == (("ER-2.1",) if about == "pack" else ())


@pytest.mark.parametrize("left", range(5))
def test_a_challenge_just_lost_may_have_any_count_left(left: int) -> None:
    assert challenge(lost("Anton", left, turn="Lena", packets=FULL, centre="AS")) == ("Anton", left)


@pytest.mark.parametrize("left", range(1, 5))
def test_an_open_challenge_has_one_to_four_left(left: int) -> None:
    assert challenge(challenged("Anton", left, turn="Lena", packets=FULL, centre="AS")) == ("Anton", left)


def test_the_whole_centre_may_lie_face_down() -> None:
    assert ratscrew(packets=FULL, centre="7S 8S", hidden=2).state()["hidden"] == 2


# ---- agreements


@pytest.mark.parametrize(
    "agreements",
    [
        {"patterns": "double"},
        {"patterns": ["treble"]},
        {"patterns": ["double", "double"]},
        {"patterns": [1]},
        {"patterns": [["double"]]},
        {"patterns": None},
        {"ending": "sole"},
        {"ending": None},
        {"ending": ["sole-packet"]},
        {"turn-passes": "on-refusal"},
    ],
)
def test_an_agreement_that_is_none_of_this_games_is_refused(agreements: Wire) -> None:
    error = replay(record(GAME, players=3, agreements=agreements))["error"]
    assert (error["index"], error["code"], error["rules"]) == (None, "unknown-agreement", [])


def test_the_defaults_are_double_and_sandwich_and_the_sole_packet() -> None:
    agreed = dealt(3).record()["agreements"]
    assert agreed == {"patterns": ["double", "sandwich"], "ending": "sole-packet"}


def test_a_table_may_agree_on_fewer_patterns() -> None:
    game = ratscrew(agreements={"patterns": ["sandwich"]}, packets=FULL, centre="5S 5H")
    assert kinds(slap(game, "Boris"))[1] == "penalty"
    none = ratscrew(agreements={"patterns": []}, packets=FULL, centre="5S 9H 5D")
    assert kinds(slap(none, "Boris"))[1] == "penalty"
