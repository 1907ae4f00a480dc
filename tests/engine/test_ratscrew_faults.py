"""Faults seen in public implementations of Egyptian Ratscrew: each kind, and that it is none of ours.

A test's name says what is right. Anton, Lena and Boris sit clockwise.
"""

import random

import pytest

from rulewalk import Collect, Flip, Game, Slap

from .kit import NAMES, kinds, record, refused, told
from .ratscrew import GAME, centre, challenge, challenged, collect, flip, lost, packets, ratscrew, slap, turn

FULL = {"Anton": "2S 3S", "Lena": "2H 3H", "Boris": "2D 3D"}
CHALLENGE_FIRST = {"ending": "challenge-first"}


@pytest.mark.rule("ER-4.3", "ER-4.8")
def test_an_action_holds_nothing_of_its_outcome() -> None:
    """Seen: outcome fields inside an action's equality."""
    good = slap(ratscrew(packets=FULL, centre="5S 5H"), "Boris")
    false = slap(ratscrew(packets=FULL, centre="5S 6H"), "Boris")
    assert good.action == false.action == Slap(("Boris",))
    assert hash(good.action) == hash(false.action)
    assert (
        flip(ratscrew(packets=FULL), "Anton").action == flip(ratscrew(packets={**FULL, "Anton": "KS"}), "Anton").action
    )
    assert Flip("Anton") != Collect("Anton")


@pytest.mark.rule("ER-4.9")
def test_a_penalty_completes_no_pattern() -> None:
    """Seen: penalty cards completing a pattern, a five paid under a five."""
    game = slap(ratscrew(packets={**FULL, "Boris": "5D 3D"}, centre="5S"), "Boris")
    assert centre(game) == "5D | 5S"
    assert kinds(slap(game, "Lena"))[1] == "penalty"


@pytest.mark.rule("ER-4.9")
def test_a_penalty_shifts_no_pattern() -> None:
    """Seen: penalty cards shifting a pattern, counted from the wrong end or among the last three."""
    game = slap(ratscrew(turn="Lena", packets={**FULL, "Lena": "5H 3H"}, centre="5S 9C"), "Boris")
    game = flip(game, "Lena")
    assert centre(game) == "2D | 5S 9C 5H"
    assert told(slap(game, "Anton"), "claim")["pattern"] == "sandwich"
    apart = slap(ratscrew(turn="Lena", packets={**FULL, "Lena": "5H 3H"}, centre="5S"), "Boris")
    assert told(slap(flip(apart, "Lena"), "Anton"), "claim")["pattern"] == "double"


@pytest.mark.rule("ER-4.5")
@pytest.mark.parametrize("covered", ["5S 5H 9C", "5S 9C 5H 8D", "5S 5H 9C 8D"])
def test_a_covered_pattern_is_not_slapped(covered: str) -> None:
    """Seen: a covered pattern slapped."""
    assert kinds(slap(ratscrew(packets=FULL, centre=covered), "Boris")) == ["slap", "penalty"]


@pytest.mark.rule("ER-4.4", "ER-4.6")
def test_a_slap_clears_the_challenge_it_beats_and_a_false_one_clears_none() -> None:
    """Seen: a slap clearing the wrong challenge."""
    game = challenged("Anton", 3, turn="Lena", packets={**FULL, "Lena": "KH 3H"}, centre="KS")
    game = flip(game, "Lena")
    assert challenge(game) == ("Lena", 3)
    assert challenge(slap(game, "Anton")) is None
    led = flip(slap(game, "Anton"), "Anton")
    assert (turn(led), challenge(led)) == (("flip", "Lena"), None)  # neither Anton's nor Lena's is left
    false = slap(challenged("Anton", 3, turn="Lena", packets=FULL, centre="KS"), "Anton")
    assert challenge(false) == ("Anton", 3)


@pytest.mark.rule("ER-3.4", "ER-4.3")
def test_who_gathers_leads_and_not_the_next_seat() -> None:
    """Seen: the next seat leading instead of the winner."""
    assert turn(collect(lost("Boris", 0, turn="Anton", packets=FULL, centre="JS 7S"), "Boris")) == ("flip", "Boris")
    assert turn(slap(ratscrew(turn="Anton", packets=FULL, centre="7S 7H"), "Boris")) == ("flip", "Boris")


@pytest.mark.rule("ER-3.4", "ER-5.1")
def test_the_challenger_is_remembered_and_not_looked_for() -> None:
    """Seen: the challenger recomputed, as the seat before or the last with cards, instead of remembered."""
    game = ratscrew(players=4, packets={"Anton": "JS", "Lena": "", "Boris": "2D 3D", "Vera": "2C 3C"})
    game = flip(game, "Anton")
    assert (turn(game), challenge(game)) == (("respond", "Boris"), ("Anton", 1))
    game = slap(flip(game, "Boris"), "Vera")  # a penalty comes between, and Anton has no cards
    assert challenge(game) == ("Anton", 0)
    assert refused(game, Collect("Vera")).code == "not-your-turn"
    assert packets(collect(game, "Anton"))["Anton"] == "2C JS 2D"


@pytest.mark.rule("ER-2.2")
@pytest.mark.parametrize("players", [3, 5, 6])
def test_fifty_two_cards_are_dealt_to_any_number_of_players(players: int) -> None:
    """Seen: 52 not divisible by the players, cards left over."""
    state = Game.from_record(record(GAME, players=players)).state()
    assert sum(map(len, state["packets"].values())) == 52
    assert state["centre"] == []


@pytest.mark.rule("ER-3.6")
def test_a_challenge_is_not_passed_on_by_a_player_who_ran_out() -> None:
    """Seen: a challenge passed on by a responder who ran out."""
    game = flip(challenged("Anton", 4, turn="Lena", packets={**FULL, "Lena": "2H"}, centre="AS"), "Lena")
    assert (turn(game), challenge(game)) == (("collect", "Lena"), ("Anton", 3))
    assert refused(game, Flip("Boris")).code == "wrong-phase"


@pytest.mark.rule("ER-3.6", "ER-3.4")
@pytest.mark.parametrize("agreements", [{}, CHALLENGE_FIRST])
def test_the_challenger_gathers_from_a_player_who_ran_out(agreements: dict[str, str]) -> None:
    """Seen: the challenger unable to collect when the responder ran out."""
    at = {"agreements": agreements, "turn": "Lena", "packets": {"Lena": "2H", "Boris": "2D 3D"}, "centre": "AS"}
    if not agreements:
        at["packets"] = {**at["packets"], "Anton": "2S"}  # else Boris alone would have cards
    game = flip(challenged("Anton", 4, **at), "Lena")
    game = collect(game, "Anton")
    assert turn(game) == ("flip", "Anton")
    assert packets(game)["Anton"].endswith("AS 2H")


@pytest.mark.rule("ER-3.6", "ER-4.14", "ER-5.6")
def test_with_all_packets_empty_there_is_still_an_end() -> None:
    """Seen: all packets empty and an endless loop."""
    gathered = lost("Anton", 1, turn="Lena", agreements=CHALLENGE_FIRST, centre="QS 7S")
    assert collect(gathered, "Anton").state()["winners"] == ["Anton"]
    assert slap(gathered, "Anton").is_over
    last = slap(ratscrew(packets={"Anton": "5H", "Lena": "2H"}, centre="9C"), "Anton", "Lena")
    assert packets(last) == {"Anton": "", "Lena": "", "Boris": ""}
    assert collect(last, "Lena").state()["winners"] == ["Lena"]


@pytest.mark.rule("ER-4.7")
def test_a_false_slap_without_cards_is_not_free() -> None:
    """Seen: a free false slap without cards."""
    game = slap(ratscrew(packets={**FULL, "Boris": ""}, centre="7S"), "Boris")
    assert game.state()["out"] == ["Boris"]
    game = flip(flip(game, "Anton"), "Lena")
    assert refused(game, Slap(("Boris",))).code == "player-out"


@pytest.mark.rule("ER-4.6")
def test_a_penalty_goes_under_the_centre() -> None:
    """Seen: a penalty put on top, or after the pile."""
    game = slap(ratscrew(packets=FULL, centre="7S 8S 9S"), "Boris")
    assert centre(game) == "2D | 7S 8S 9S"
    assert centre(flip(game, "Anton")) == "2D | 7S 8S 9S 2S"


@pytest.mark.rule("ER-3.5")
def test_the_gathered_pile_is_not_reversed() -> None:
    """Seen: the gathered pile reversed; by a slap as well as by a challenge, and at the wrong end of the packet."""
    by_slap = slap(ratscrew(packets=FULL, centre="7S 8S 9S 9H"), "Boris")
    assert packets(by_slap)["Boris"] == "2D 3D 7S 8S 9S 9H"
    by_challenge = collect(lost("Boris", 0, turn="Anton", packets=FULL, centre="7S JS 9S"), "Boris")
    assert packets(by_challenge)["Boris"] == "2D 3D 7S JS 9S"


@pytest.mark.rule("ER-5.1", "ER-2.5")
def test_seats_stay_where_they_are_when_somebody_drops_out() -> None:
    """Seen: seats renumbered when somebody drops out."""
    game = ratscrew(
        players=5,
        turn="Boris",
        packets={"Anton": "2S 3S", "Lena": "", "Boris": "2D 4D", "Vera": "", "Ivo": "6C 7C"},
        centre="9S",
        out=["Lena"],
    )
    game = slap(game, "Vera")
    assert list(game.state()["packets"]) == list(NAMES[:5])
    turns = []
    for _ in range(4):
        turns.append(turn(game)[1])
        game = flip(game, turns[-1])
    assert turns == ["Boris", "Ivo", "Anton", "Boris"]


@pytest.mark.rule("ER-4.13")
@pytest.mark.parametrize("phase", ["flip", "respond"])
def test_a_penalty_may_empty_the_player_who_must_act(phase: str) -> None:
    """Seen: a penalty that empties the player who must act, who then has nothing to act with."""
    at = {"turn": "Lena", "packets": {**FULL, "Lena": "2H"}, "centre": "KS 7S"}
    game = slap(ratscrew(**at) if phase == "flip" else challenged("Anton", 3, **at), "Lena")
    assert turn(game) == (("flip", "Boris") if phase == "flip" else ("collect", "Lena"))
    assert game.play(game.legal()[0]).events()


@pytest.mark.rule("ER-3.2", "ER-4.6")
def test_only_a_card_turned_counts_as_an_answer() -> None:
    """Seen: counting a play without a card, such as a slap, or a turn that was refused."""
    game = challenged("Anton", 2, turn="Lena", packets=FULL, centre="QS")
    game = slap(slap(game, "Lena"), "Boris")
    assert refused(game, Flip("Boris")).code == "not-your-turn"
    assert challenge(game) == ("Anton", 2)
    assert challenge(slap(ratscrew(**_undecided()), "Lena", "Boris")) == ("Anton", 2)
    assert challenge(flip(game, "Lena")) == ("Anton", 1)


def _undecided() -> dict[str, object]:
    return {
        "phase": "respond",
        "challenge": {"by": "Anton", "left": 2},
        "turn": "Lena",
        "packets": FULL,
        "centre": "QS 9S 9H",
    }


@pytest.mark.rule("ER-2.1", "ER-2.2")
@pytest.mark.parametrize("players", range(2, 7))
def test_no_card_is_lost_in_a_long_game(players: int) -> None:
    """Seen: cards lost or doubled when packets empty and come back."""
    chance = random.Random(players)
    game = Game.from_record(record(GAME, players=players))
    whole = sorted(card for packet in game.state()["packets"].values() for card in packet)
    for _ in range(300):
        if game.is_over:
            break
        legal = game.legal()
        game = game.play(legal[0] if chance.random() < 0.8 else chance.choice(legal))
        state = game.state()
        assert sorted([*state["centre"], *(card for packet in state["packets"].values() for card in packet)]) == whole
