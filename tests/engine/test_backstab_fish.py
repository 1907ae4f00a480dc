"""Backstab Fish, rule by rule, each on a table small enough to read.

Anton, Lena, Boris and Vera sit clockwise; Vera deals, so Anton begins, unless a table says otherwise.
"""

from collections import Counter
from typing import Any

import pytest

from rulewalk import EndTurn, Game, Lay, Request, replay
from rulewalk.cards import CODES, RANKS

from .kit import at_random, hand, kinds, record, refused, table, told

# A hand and a stock without any six, and a card for everybody: nobody is emptied by accident.
HANDS = {"Anton": "6S 9H", "Lena": "6H 6D", "Boris": "QS", "Vera": "AS"}


def fish(**state: Any) -> Game:
    """Arrange a position in the middle of the game: Anton's turn, five cards in stock."""
    return table("backstab-fish", **{"phase": "request", "turn": "Anton", "stock": "KC 2C 3C 4C 5C", **state})


# ---- 2 Set-up


@pytest.mark.rule("BF-2.1")
@pytest.mark.parametrize("players", range(4, 11))
def test_four_to_ten_may_play(players: int) -> None:
    assert Game.from_record(record("backstab-fish", players=players)).legal()


@pytest.mark.rule("BF-2.1")
@pytest.mark.parametrize("players", [0, 1, 3, 11, 60])
def test_fewer_and_more_may_not(players: int) -> None:
    names = [f"P{seat}" for seat in range(players)]
    error = replay({"game": "backstab-fish", "players": names, "deal": {"seed": 1}})["error"]
    assert (error["code"], error["rules"]) == ("player-count", ["BF-2.1"])


@pytest.mark.rule("BF-2.2", "BF-2.3")
@pytest.mark.parametrize("players", range(4, 11))
def test_two_packs_and_four_jokers_seven_each_the_rest_is_stock(players: int) -> None:
    state = Game.from_record(record("backstab-fish", players=players)).state()
    assert [len(cards) for cards in state["hands"].values()] == [7] * players
    dealt = Counter(card for cards in state["hands"].values() for card in cards) + Counter(state["stock"])
    assert dealt == {code: 4 if code == "JK" else 2 for code in CODES}
    assert dealt.total() == 108


@pytest.mark.rule("BF-2.4")
def test_jokers_are_a_rank_that_can_be_asked_for_and_make_a_book() -> None:
    after = fish(hands={**HANDS, "Anton": "6S JK JK JK", "Lena": "6H JK"}).play(Request("Anton", "Lena", "JK", 1))
    assert hand(after, "Anton") == "6S JK JK JK JK"
    laid = after.play(Lay("Anton", "JK"))
    assert laid.state()["books"]["Anton"] == ["JK"]
    assert hand(laid, "Anton") == "6S"


@pytest.mark.rule("BF-2.4", "BF-2.5")
def test_a_joker_stands_for_nothing_else() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6H 6D JK"})
    assert refused(game, Lay("Anton", "6")).code == "book-incomplete"
    assert refused(game, Lay("Anton", "JK")).code == "book-incomplete"
    assert Lay("Anton", "6") not in game.legal()


@pytest.mark.rule("BF-2.5")
@pytest.mark.parametrize("sixes", ["6S 6H 6D 6C", "6S 6S 6H 6H", "6H 6H 6D 6C"])
def test_any_four_of_a_rank_are_a_book_twins_among_them(sixes: str) -> None:
    laid = fish(hands={**HANDS, "Anton": f"{sixes} 9H", "Lena": "7S"}).play(Lay("Anton", "6"))
    assert laid.state()["books"]["Anton"] == ["6"]
    assert hand(laid, "Anton") == "9H"
    assert laid.state()["scores"]["Anton"] == 1


@pytest.mark.rule("BF-2.5")
def test_three_are_no_book() -> None:
    refusal = refused(fish(hands={**HANDS, "Anton": "6S 6H 6D 9H"}), Lay("Anton", "6"))
    assert (refusal.code, refusal.rules) == ("book-incomplete", ("BF-2.5",))


@pytest.mark.rule("BF-2.6")
def test_a_laid_book_cannot_be_asked_for() -> None:
    game = fish(books={"Lena": ["6"]}, hands={**HANDS, "Lena": "7H"})
    after = game.play(Request("Anton", "Lena", "6", 1))
    assert kinds(after) == ["request", "refuse", "draw", "turn"]
    assert told(after, "refuse")["rules"] == ["BF-3.5", "BF-2.6"]
    assert after.state()["books"]["Lena"] == ["6"]


@pytest.mark.rule("BF-2.7")
@pytest.mark.parametrize(
    ("dealer", "first"), [("Anton", "Lena"), ("Lena", "Boris"), ("Boris", "Vera"), ("Vera", "Anton")]
)
def test_the_player_on_the_dealers_left_begins(dealer: str, first: str) -> None:
    game = Game.from_record(record("backstab-fish", dealer=dealer))
    assert (game.state()["phase"], game.state()["turn"]) == ("opening", first)


@pytest.mark.rule("BF-2.7")
def test_the_dealer_is_the_last_player_unless_named() -> None:
    game = Game.from_record(record("backstab-fish"))
    assert told(game, "deal")["dealer"] == "Vera"
    assert game.record()["dealer"] == "Vera"


@pytest.mark.rule("BF-2.8")
def test_in_the_opening_everybody_may_lay_before_the_first_request() -> None:
    game = fish(
        phase="opening", hands={"Anton": "9H", "Lena": "6S 6H 6D 6C 7H", "Boris": "QS", "Vera": "AS AS AH AD 2S"}
    )
    assert [action for action in game.legal() if isinstance(action, Lay)] == [Lay("Lena", "6"), Lay("Vera", "A")]
    after = game.play(Lay("Vera", "A")).play(Lay("Lena", "6"))
    assert told(after, "lay")["rules"] == ["BF-2.8"]
    assert kinds(after) == ["lay"]
    assert (after.state()["phase"], after.state()["turn"]) == ("opening", "Anton")
    assert (after.state()["books"]["Lena"], after.state()["books"]["Vera"]) == (["6"], ["A"])


@pytest.mark.rule("BF-2.8", "BF-4.4")
def test_whoever_lays_their_whole_hand_in_the_opening_draws_seven() -> None:
    game = fish(phase="opening", hands={**HANDS, "Lena": "6S 6H 6D 6C"}, stock="KC 2C 3C 4C 5C 7C 8C 9C")
    after = game.play(Lay("Lena", "6"))
    assert hand(after, "Lena") == "2C 3C 4C 5C 7C 8C KC"
    assert told(after, "refill")["rules"] == ["BF-4.4"]
    assert (after.state()["phase"], after.state()["turn"], after.state()["stock"]) == ("opening", "Anton", ["9C"])


@pytest.mark.rule("BF-2.9")
def test_cards_are_dealt_one_at_a_time_clockwise_from_the_dealers_left() -> None:
    suits = [rank + suit for suit in "SHDC" for rank in RANKS[:13]]
    pack = [*suits, *suits, *["JK"] * 4]
    game = Game.from_record(record("backstab-fish", dealer="Anton", deal={"deck": pack}))
    assert game.state()["hands"] == {
        "Lena": ["AS", "4H", "5S", "8H", "9S", "QH", "KS"],
        "Boris": ["AH", "2S", "5H", "6S", "9H", "10S", "KH"],
        "Vera": ["AD", "2H", "3S", "6H", "7S", "10H", "JS"],
        "Anton": ["2D", "3H", "4S", "7H", "8S", "JH", "QS"],
    }
    assert game.state()["stock"] == pack[28:]


@pytest.mark.rule("BF-2.3", "BF-2.7", "BF-2.9")
def test_the_deal_names_its_rules() -> None:
    assert told(Game.from_record(record("backstab-fish")), "deal")["rules"] == ["BF-2.3", "BF-2.9", "BF-2.7"]


@pytest.mark.rule("BF-2.10")
def test_the_first_request_closes_the_opening() -> None:
    hands = {**HANDS, "Vera": "AS AH AD AC 2S"}
    game = fish(phase="opening", hands=hands).play(Request("Anton", "Lena", "6", 2))
    assert told(game, "request")["rules"] == ["BF-3.1", "BF-2.10"]
    assert (game.state()["phase"], game.state()["turn"]) == ("request", "Anton")
    refusal = refused(game, Lay("Vera", "A"))
    assert (refusal.code, refusal.rules) == ("not-your-turn", ("BF-2.10", "BF-3.9"))
    assert Lay("Vera", "A") not in game.legal()


@pytest.mark.rule("BF-2.10")
def test_a_first_request_that_is_refused_closes_it_too() -> None:
    game = fish(phase="opening", hands=HANDS).play(Request("Anton", "Lena", "6", 3))
    assert (game.state()["phase"], game.state()["turn"]) == ("request", "Lena")


# ---- 3 Asking, and keeping the turn


@pytest.mark.rule("BF-3.1")
def test_every_other_player_with_cards_can_be_asked() -> None:
    legal = fish(hands=HANDS).legal()
    asked = {action.target for action in legal if isinstance(action, Request)}
    assert asked == {"Lena", "Boris", "Vera"}
    assert {action.rank for action in legal if isinstance(action, Request)} == {"6", "9"}


@pytest.mark.rule("BF-3.1")
def test_nobody_asks_themselves() -> None:
    refusal = refused(fish(hands=HANDS), Request("Anton", "Anton", "6", 1))
    assert (refusal.code, refusal.rules) == ("target-is-self", ("BF-3.1",))


@pytest.mark.rule("BF-3.2", "BF-4.3")
def test_asking_takes_a_card_of_the_rank_in_hand_a_laid_book_is_no_help() -> None:
    game = fish(hands=HANDS, books={"Anton": ["Q"]})
    for rank in ("Q", "K"):
        refusal = refused(game, Request("Anton", "Boris", rank, 1))
        assert (refusal.code, refusal.rules) == ("rank-not-held", ("BF-3.2",))


@pytest.mark.rule("BF-3.3")
@pytest.mark.parametrize(("number", "given", "kept"), [(1, "6H", "6D 6C"), (2, "6H 6D", "6C"), (3, "6H 6D 6C", "")])
def test_exactly_the_number_asked_for_changes_hands(number: int, given: str, kept: str) -> None:
    game = fish(hands={**HANDS, "Lena": "6H 6D 6C 8S"}).play(Request("Anton", "Lena", "6", number))
    assert told(game, "request")["rules"] == ["BF-3.1"]
    assert hand(game, "Anton") == f"6S {given} 9H"
    assert hand(game, "Lena") == f"{kept} 8S".strip()
    give = told(game, "give")
    assert (give["player"], give["target"], give["rank"]) == ("Lena", "Anton", "6")
    assert (give["cards"], give["rules"]) == (given.split(), ["BF-3.3"])


@pytest.mark.rule("BF-3.4")
def test_after_a_success_the_asker_goes_on_with_any_legal_request() -> None:
    game = fish(hands=HANDS).play(Request("Anton", "Lena", "6", 1))
    assert kinds(game) == ["request", "give", "turn"]
    assert told(game, "turn") == {
        "type": "turn",
        "player": "Anton",
        "phase": "request",
        "next": None,
        "why": "success",
        "rules": ["BF-3.4"],
    }
    again = game.play(Request("Anton", "Boris", "9", 1))
    assert told(again, "request")["target"] == "Boris"


@pytest.mark.rule("BF-3.4", "BF-3.9")
def test_after_a_success_the_asker_may_lay_and_still_asks_again() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6C 9H"}).play(Request("Anton", "Lena", "6", 2)).play(Lay("Anton", "6"))
    assert (game.state()["phase"], game.state()["turn"]) == ("request", "Anton")
    assert game.play(Request("Anton", "Boris", "9", 1)).state()["turn"] == "Boris"


@pytest.mark.rule("BF-3.5", "BF-3.6", "BF-6.1")
def test_there_is_no_part_delivery() -> None:
    game = fish(hands=HANDS).play(Request("Anton", "Lena", "6", 3))
    assert kinds(game) == ["request", "refuse", "draw", "turn"]
    assert hand(game, "Lena") == "6H 6D"
    assert hand(game, "Anton") == "6S 9H KC"
    assert game.state()["turn"] == "Lena"
    refusal = told(game, "refuse")
    assert (refusal["player"], refusal["target"], refusal["rank"]) == ("Lena", "Anton", "6")
    assert (refusal["quantity"], refusal["rules"]) == (3, ["BF-3.5"])


@pytest.mark.rule("BF-3.6")
def test_a_refusal_draws_one_card_and_passes_the_turn_to_whoever_was_asked() -> None:
    game = fish(hands=HANDS).play(Request("Anton", "Vera", "9", 1))
    draw = told(game, "draw")
    assert (draw["player"], draw["cards"], draw["rules"]) == ("Anton", ["KC"], ["BF-3.6"])
    assert game.state()["stock"] == ["2C", "3C", "4C", "5C"]
    assert told(game, "turn") == {
        "type": "turn",
        "player": "Vera",
        "phase": "request",
        "next": None,
        "why": "refusal",
        "rules": ["BF-3.6"],
    }
    assert (game.state()["turn"], game.state()["phase"]) == ("Vera", "request")


@pytest.mark.rule("BF-3.6", "BF-3.9")
def test_after_the_draw_complete_books_may_be_laid_before_the_turn_goes() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6H 6D 9H"}, stock="6C 2C 3C 4C").play(Request("Anton", "Boris", "9", 1))
    assert (game.state()["phase"], game.state()["turn"], game.state()["next"]) == ("after-draw", "Anton", "Boris")
    assert game.legal() == [Lay("Anton", "6"), EndTurn("Anton")]
    turn = told(game, "turn")
    assert (turn["player"], turn["phase"], turn["next"], turn["why"]) == ("Anton", "after-draw", "Boris", "may-lay")
    assert turn["rules"] == ["BF-3.6", "BF-3.9"]
    laid = game.play(Lay("Anton", "6"))
    assert kinds(laid) == ["lay", "turn"]
    assert told(laid, "turn")["rules"] == ["BF-3.6"]
    assert (laid.state()["phase"], laid.state()["turn"], laid.state()["next"]) == ("request", "Boris", None)


@pytest.mark.rule("BF-3.6")
def test_after_the_draw_nobody_may_ask_again() -> None:
    game = fish(phase="after-draw", next="Lena", hands={**HANDS, "Anton": "6S 6H 6D 6C 9H"})
    refusal = refused(game, Request("Anton", "Boris", "9", 1))
    assert (refusal.code, refusal.rules) == ("wrong-phase", ("BF-3.6",))


@pytest.mark.rule("BF-3.7")
def test_a_matching_draw_keeps_no_turn() -> None:
    game = fish(hands=HANDS, stock="6C KC").play(Request("Anton", "Boris", "6", 1))
    assert hand(game, "Anton") == "6S 6C 9H"
    assert told(game, "draw")["rules"] == ["BF-3.6", "BF-3.7"]
    assert game.state()["turn"] == "Boris"


@pytest.mark.rule("BF-3.7", "BF-4.1")
def test_a_matching_draw_that_completes_the_book_keeps_no_turn_either() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6H 6D 9H"}, stock="6C KC").play(Request("Anton", "Boris", "6", 1))
    assert game.state()["phase"] == "after-draw"
    laid = game.play(Lay("Anton", "6"))
    assert laid.state()["turn"] == "Boris"


@pytest.mark.rule("BF-3.8")
@pytest.mark.parametrize(("rank", "most"), [("6", 8), ("JK", 4)])
def test_the_number_is_at_least_one_and_at_most_the_copies_in_the_pack(rank: str, most: int) -> None:
    game = fish(hands={**HANDS, "Anton": "6S JK"})
    numbers = [
        action.quantity
        for action in game.legal()
        if isinstance(action, Request) and (action.target, action.rank) == ("Boris", rank)
    ]
    assert numbers == list(range(1, most + 1))
    for number in (-1, 0, most + 1, 10**30):
        refusal = refused(game, Request("Anton", "Boris", rank, number))
        assert (refusal.code, refusal.rules) == ("quantity-out-of-range", ("BF-3.8",))
        assert refusal.details["most"] == most
    assert refused(game, Request("Anton", "Boris", rank)).code == "quantity-out-of-range"


@pytest.mark.rule("BF-3.8")
def test_a_number_that_cannot_be_met_passes_the_turn_to_a_chosen_opponent() -> None:
    for chosen in ("Lena", "Boris", "Vera"):
        assert fish(hands=HANDS).play(Request("Anton", chosen, "6", 8)).state()["turn"] == chosen


@pytest.mark.rule("BF-3.9")
def test_any_number_of_books_may_be_laid_in_ones_own_turn_one_at_a_time() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6H 6D 6C 9S 9S 9H 9H QS"})
    assert [action for action in game.legal() if isinstance(action, Lay)] == [Lay("Anton", "6"), Lay("Anton", "9")]
    first = game.play(Lay("Anton", "9"))
    assert (kinds(first), told(first, "lay")["rules"]) == (["lay"], ["BF-3.9"])
    second = first.play(Lay("Anton", "6"))
    assert second.state()["books"]["Anton"] == ["9", "6"]
    assert hand(second, "Anton") == "QS"
    assert (second.state()["phase"], second.state()["turn"]) == ("request", "Anton")


@pytest.mark.rule("BF-3.9")
def test_both_books_of_a_rank_are_laid_one_after_the_other_even_after_the_draw() -> None:
    hands = {**HANDS, "Anton": "6S 6S 6H 6H 6D 6D 6C 6C 9H", "Lena": "7S"}
    game = fish(phase="after-draw", next="Boris", hands=hands).play(Lay("Anton", "6"))
    assert (game.state()["phase"], game.state()["turn"], game.state()["next"]) == ("after-draw", "Anton", "Boris")
    assert kinds(game) == ["lay"]
    assert game.legal() == [Lay("Anton", "6"), EndTurn("Anton")]
    assert game.play(Lay("Anton", "6")).state()["turn"] == "Boris"


@pytest.mark.rule("BF-3.9")
@pytest.mark.parametrize("phase", ["request", "after-draw"])
def test_nobody_lays_in_anothers_turn(phase: str) -> None:
    next_ = {"next": "Boris"} if phase == "after-draw" else {}
    hands = {**HANDS, "Anton": "6S 6H 6D 6C 9H", "Vera": "AS AH AD AC 2S"}
    refusal = refused(fish(phase=phase, hands=hands, **next_), Lay("Vera", "A"))
    assert (refusal.code, refusal.rules) == ("not-your-turn", ("BF-2.10", "BF-3.9"))
    assert refusal.details["turn"] == "Anton"


@pytest.mark.rule("BF-3.10")
@pytest.mark.parametrize("phase", ["opening", "request"])
def test_nobody_may_simply_stop(phase: str) -> None:
    game = fish(phase=phase, hands=HANDS)
    refusal = refused(game, EndTurn("Anton"))
    assert (refusal.code, refusal.rules) == ("wrong-phase", ("BF-3.10",))
    after_success = game.play(Request("Anton", "Lena", "6", 1))
    assert refused(after_success, EndTurn("Anton")).code == "wrong-phase"


@pytest.mark.rule("BF-3.11")
def test_the_first_cards_in_canonical_order_change_hands() -> None:
    game = fish(hands={**HANDS, "Lena": "6C 6D 6D 6H 6H"}).play(Request("Anton", "Lena", "6", 3))
    assert told(game, "give")["cards"] == ["6H", "6H", "6D"]
    assert hand(game, "Lena") == "6D 6C"


@pytest.mark.rule("BF-3.11")
def test_the_first_cards_in_canonical_order_are_laid() -> None:
    hands = {**HANDS, "Anton": "6C 6D 6C 6S 6H 6H 9H", "Lena": "7S"}
    game = fish(hands=hands).play(Lay("Anton", "6"))
    assert told(game, "lay")["cards"] == ["6S", "6H", "6H", "6D"]
    assert hand(game, "Anton") == "6C 6C 9H"


# ---- 4 Laying a book or keeping it


@pytest.mark.rule("BF-4.1")
def test_a_complete_book_may_stay_in_hand_while_there_is_stock() -> None:
    game = fish(phase="after-draw", next="Boris", hands={**HANDS, "Anton": "6S 6H 6D 6C 9H"}).play(EndTurn("Anton"))
    assert kinds(game) == ["turn"]
    assert told(game, "turn")["rules"] == ["BF-3.6"]
    assert hand(game, "Anton") == "6S 6H 6D 6C 9H"
    assert (game.state()["phase"], game.state()["turn"], game.state()["next"]) == ("request", "Boris", None)


@pytest.mark.rule("BF-4.2")
def test_a_kept_book_entitles_to_ask_for_the_others() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6S 6C 6C"}).play(Request("Anton", "Lena", "6", 2))
    assert hand(game, "Anton") == "6S 6S 6H 6D 6C 6C"


@pytest.mark.rule("BF-4.2", "BF-3.3", "BF-6.4")
def test_a_kept_book_can_be_broken() -> None:
    hands = {**HANDS, "Anton": "6S 6H 6D 6C 9H", "Boris": "6S QS"}
    game = fish(turn="Boris", hands=hands).play(Request("Boris", "Anton", "6", 3))
    assert hand(game, "Anton") == "6C 9H"
    assert hand(game, "Boris") == "6S 6S 6H 6D QS"
    assert told(game, "give")["rules"] == ["BF-3.3", "BF-4.2"]


@pytest.mark.rule("BF-4.2")
@pytest.mark.parametrize(
    ("sixes", "asked", "broken"),
    [("6S 6H 6D", 3, False), ("6S 6H 6D 6C", 1, True), ("6S 6S 6H 6D 6C", 1, False), ("6S 6S 6H 6D 6C", 2, True)],
)
def test_it_is_told_whether_a_book_was_broken(sixes: str, asked: int, broken: bool) -> None:
    game = fish(turn="Boris", hands={**HANDS, "Anton": f"{sixes} 9H", "Boris": "6C QS"})
    assert ("BF-4.2" in told(game.play(Request("Boris", "Anton", "6", asked)), "give")["rules"]) is broken


@pytest.mark.rule("BF-4.3")
def test_laying_takes_away_the_right_to_ask_unless_another_card_is_left() -> None:
    laid = fish(hands={**HANDS, "Anton": "6S 6S 6H 6C 9H"}).play(Lay("Anton", "6"))
    assert refused(laid, Request("Anton", "Lena", "6", 1)).code == "rank-not-held"
    one_left = fish(hands={**HANDS, "Anton": "6S 6S 6H 6C 6C"}).play(Lay("Anton", "6"))
    assert hand(one_left.play(Request("Anton", "Lena", "6", 1)), "Anton") == "6H 6C"


@pytest.mark.rule("BF-4.4")
@pytest.mark.parametrize(
    ("stock", "drawn"),
    [("2C 3C 4C 5C 7C 8C 9C KC", 7), ("2C 3C 4C 5C 7C 8C 9C", 7), ("2C 3C 4C 5C 7C 8C", 6), ("2C", 1)],
)
def test_an_opponent_who_gives_their_last_card_draws_up_to_seven_at_once(stock: str, drawn: int) -> None:
    game = fish(hands=HANDS, stock=stock).play(Request("Anton", "Lena", "6", 2))
    assert kinds(game) == ["request", "give", "refill", "turn"]
    refill = told(game, "refill")
    assert (refill["player"], refill["cards"], refill["rules"]) == ("Lena", stock.split()[:drawn], ["BF-4.4"])
    assert hand(game, "Lena").split() == stock.split()[:drawn]
    assert game.state()["stock"] == stock.split()[drawn:]
    assert game.state()["turn"] == "Anton"


@pytest.mark.rule("BF-4.5", "BF-5.4")
def test_without_stock_whoever_has_no_cards_is_out_of_the_requests() -> None:
    game = fish(hands=HANDS, stock="").play(Request("Anton", "Lena", "6", 2))
    assert kinds(game) == ["request", "give", "leave", "turn"]
    leave = told(game, "leave")
    assert (leave["player"], leave["rules"]) == ("Lena", ["BF-4.5"])
    assert refused(game, Request("Anton", "Lena", "6", 1)).code == "target-has-no-cards"
    assert not [action for action in game.legal() if isinstance(action, Request) and action.target == "Lena"]


@pytest.mark.rule("BF-4.6", "BF-4.4")
@pytest.mark.parametrize("phase", ["opening", "request"])
def test_laying_ones_last_cards_with_stock_draws_and_the_turn_goes_on(phase: str) -> None:
    game = fish(phase=phase, hands={**HANDS, "Anton": "6S 6S 6C 6C"}).play(Lay("Anton", "6"))
    assert kinds(game) == ["lay", "refill"]
    assert told(game, "refill")["rules"] == ["BF-4.4", "BF-4.6"]
    assert hand(game, "Anton") == "2C 3C 4C 5C KC"
    assert (game.state()["phase"], game.state()["turn"]) == (phase, "Anton")


@pytest.mark.rule("BF-4.6")
def test_laying_ones_last_cards_after_the_draw_refills_and_the_turn_still_goes() -> None:
    game = fish(
        phase="after-draw", next="Vera", hands={**HANDS, "Anton": "6S 6S 6C 6C"}, stock="2C 3C 4C 5C 7C 8C 9C KC"
    )
    after = game.play(Lay("Anton", "6"))
    assert kinds(after) == ["lay", "refill", "turn"]
    assert (after.state()["phase"], after.state()["turn"]) == ("request", "Vera")
    assert after.state()["stock"] == ["KC"]


@pytest.mark.rule("BF-4.6", "BF-3.9")
def test_a_book_among_the_cards_drawn_after_the_draw_may_be_laid_too() -> None:
    game = fish(
        phase="after-draw", next="Vera", hands={**HANDS, "Anton": "6S 6S 6C 6C"}, stock="2S 2H 2D 2C 7C 8C 9C KC"
    )
    after = game.play(Lay("Anton", "6"))
    assert kinds(after) == ["lay", "refill"]
    assert (after.state()["phase"], after.state()["turn"], after.state()["next"]) == ("after-draw", "Anton", "Vera")
    assert after.legal() == [Lay("Anton", "2"), EndTurn("Anton")]


@pytest.mark.rule("BF-4.7")
def test_without_stock_an_emptied_hand_passes_the_turn_to_the_next_with_cards() -> None:
    hands = {"Anton": "6S 6S 6C 6C", "Lena": "", "Boris": "QS", "Vera": "AS"}
    game = fish(hands=hands, stock="").play(Lay("Anton", "6"))
    assert kinds(game) == ["lay", "leave", "turn"]
    turn = told(game, "turn")
    assert (turn["player"], turn["why"], turn["rules"]) == ("Boris", "empty", ["BF-4.7"])
    assert (game.state()["phase"], game.state()["turn"]) == ("request", "Boris")


@pytest.mark.rule("BF-4.7", "BF-2.8")
def test_in_an_opening_without_stock_only_the_player_in_turn_passes_it_on() -> None:
    hands = {"Anton": "6S 6S 6C 6C", "Lena": "9S 9H 9D 9C", "Boris": "QS", "Vera": "AS"}
    game = fish(phase="opening", hands=hands, stock="").play(Lay("Lena", "9"))
    assert kinds(game) == ["lay", "leave"]
    assert (game.state()["phase"], game.state()["turn"]) == ("opening", "Anton")
    after = game.play(Lay("Anton", "6"))
    assert (after.state()["phase"], after.state()["turn"]) == ("opening", "Boris")


# ---- 5 Empty stock and scoring


@pytest.mark.rule("BF-5.1")
def test_the_turn_whose_draw_took_the_last_card_lays_every_complete_book() -> None:
    hands = {**HANDS, "Anton": "6S 6S 6H 9S 9H 9D 9C QH", "Lena": "7H"}
    game = fish(hands=hands, stock="6C").play(Request("Anton", "Vera", "Q", 1))
    assert kinds(game) == ["request", "refuse", "draw", "lay", "lay", "turn"]
    laid = [(event["rank"], event["rules"]) for event in game.events() if event["type"] == "lay"]
    assert laid == [("6", ["BF-5.1"]), ("9", ["BF-5.1"])]
    assert game.state()["books"]["Anton"] == ["6", "9"]
    assert (game.state()["phase"], game.state()["turn"]) == ("request", "Vera")


@pytest.mark.rule("BF-5.1")
def test_with_an_empty_stock_both_books_of_a_rank_are_laid_at_the_end_of_the_turn() -> None:
    hands = {**HANDS, "Anton": "6S 6S 6H 6H 6D 6D 6C 6C 9H", "Lena": "7H"}
    game = fish(hands=hands, stock="").play(Request("Anton", "Vera", "9", 1))
    assert game.state()["books"]["Anton"] == ["6", "6"]
    assert hand(game, "Anton") == "9H"


@pytest.mark.rule("BF-5.1", "BF-4.5")
def test_whoever_lays_their_last_cards_at_the_end_of_their_turn_leaves_the_round() -> None:
    hands = {**HANDS, "Anton": "6S 6S 6C 6C", "Lena": "7H"}
    game = fish(hands=hands, stock="").play(Request("Anton", "Vera", "6", 1))
    assert kinds(game) == ["request", "refuse", "lay", "leave", "turn"]
    assert game.state()["turn"] == "Vera"


@pytest.mark.rule("BF-5.1")
def test_books_of_others_are_not_laid_for_them() -> None:
    hands = {**HANDS, "Lena": "6S 6H 6D 6C 7H", "Vera": "AS"}
    game = fish(hands={**hands, "Anton": "9H"}, stock="").play(Request("Anton", "Vera", "9", 1))
    assert hand(game, "Lena") == "6S 6H 6D 6C 7H"


@pytest.mark.rule("BF-5.1")
def test_laying_the_book_that_empties_the_stock_after_the_draw_lays_the_rest_too() -> None:
    game = fish(phase="after-draw", next="Vera", hands={**HANDS, "Anton": "6S 6S 6C 6C"}, stock="2S 2H 2D 2C 7C").play(
        Lay("Anton", "6")
    )
    assert kinds(game) == ["lay", "refill", "lay", "turn"]
    assert game.state()["books"]["Anton"] == ["6", "2"]
    assert game.state()["turn"] == "Vera"


@pytest.mark.rule("BF-5.2")
def test_a_refusal_without_stock_draws_nothing_and_still_passes_the_turn() -> None:
    game = fish(hands=HANDS, stock="").play(Request("Anton", "Lena", "6", 3))
    assert kinds(game) == ["request", "refuse", "turn"]
    turn = told(game, "turn")
    assert (turn["player"], turn["why"], turn["rules"]) == ("Lena", "refusal-no-stock", ["BF-5.2"])
    assert hand(game, "Anton") == "6S 9H"


@pytest.mark.rule("BF-5.3", "BF-7.2")
def test_a_turn_due_to_a_player_without_cards_goes_to_the_next_who_has() -> None:
    # Only under BF-7.2 can the player asked be without cards by then: they gave their last ones.
    game = table(
        "backstab-fish",
        phase="request",
        turn="Anton",
        hands={"Anton": "6S 9H", "Lena": "6H 6D", "Boris": "", "Vera": "AS"},
        agreements={"turn-passes": "every-request"},
    ).play(Request("Anton", "Lena", "6", 2))
    assert kinds(game) == ["request", "give", "leave", "turn"]
    turn = told(game, "turn")
    assert (turn["player"], turn["why"], turn["rules"]) == ("Vera", "skip", ["BF-7.2", "BF-5.3"])
    assert game.state()["turn"] == "Vera"


@pytest.mark.rule("BF-5.4", "BF-3.1")
def test_nobody_may_ask_a_player_without_cards() -> None:
    game = fish(hands={**HANDS, "Boris": ""}, books={"Boris": ["Q"]}, stock="")
    refusal = refused(game, Request("Anton", "Boris", "6", 1))
    assert (refusal.code, refusal.rules) == ("target-has-no-cards", ("BF-3.1", "BF-5.4"))
    assert {action.target for action in game.legal() if isinstance(action, Request)} == {"Lena", "Vera"}


@pytest.mark.rule("BF-5.5")
@pytest.mark.parametrize("seed", range(4))
def test_the_game_lasts_until_all_cards_lie_in_twenty_seven_books(seed: int) -> None:
    *earlier, last = at_random(Game.from_record(record("backstab-fish", players=4 + seed, deal={"seed": seed})), seed)
    books = Counter(rank for laid in last.state()["books"].values() for rank in laid)
    assert books == {rank: 1 if rank == "JK" else 2 for rank in RANKS}
    assert books.total() == 27
    assert not any(last.state()["hands"].values())
    assert not any(game.is_over for game in earlier)
    assert told(last, "over")["rules"] == ["BF-5.5", "BF-5.6"]


@pytest.mark.rule("BF-5.5")
def test_an_empty_stock_or_an_empty_hand_alone_ends_nothing() -> None:
    game = fish(hands={**HANDS, "Boris": ""}, stock="")
    assert (game.state()["phase"], game.state()["winners"]) == ("request", [])


@pytest.mark.rule("BF-5.6")
def test_a_point_a_book_and_most_points_win() -> None:
    game = fish(
        hands={"Anton": "6S 6H 6D", "Lena": "6C", "Boris": "", "Vera": ""},
        books={"Anton": ["2"], "Lena": ["3"], "Boris": [], "Vera": ["9"]},
        stock="",
    ).play(Request("Anton", "Lena", "6", 1))
    assert game.state()["scores"] == {"Anton": 2, "Lena": 1, "Boris": 0, "Vera": 1}
    assert game.state()["winners"] == told(game, "over")["winners"] == ["Anton"]


@pytest.mark.rule("BF-5.6")
def test_a_tie_at_the_top_is_a_shared_win() -> None:
    game = fish(
        hands={"Anton": "6S 6H 6D", "Lena": "6C", "Boris": "", "Vera": ""},
        books={"Anton": [], "Lena": ["3"], "Boris": [], "Vera": ["9"]},
        stock="",
    ).play(Request("Anton", "Lena", "6", 1))
    assert game.state()["winners"] == told(game, "over")["winners"] == ["Anton", "Lena", "Vera"]


@pytest.mark.rule("BF-5.7")
def test_one_pack_played_out_is_one_game_and_nothing_goes_on_after_it() -> None:
    *_, over = at_random(Game.from_record(record("backstab-fish")), 1)
    assert over.is_over
    assert over.legal() == []
    assert over.state()["turn"] is None
    for action in (Request("Anton", "Lena", "6", 1), Lay("Anton", "6"), EndTurn("Anton")):
        refusal = refused(over, action)
        assert (refusal.code, refusal.rules) == ("game-over", ("BF-5.5",))


@pytest.mark.rule("BF-5.8")
def test_without_opponents_to_ask_what_is_complete_is_laid_and_the_game_ends() -> None:
    game = fish(hands={"Anton": "6S 6H 9D", "Lena": "6C 6D", "Boris": "", "Vera": ""}, stock="")
    after = game.play(Request("Anton", "Lena", "6", 2))
    assert kinds(after) == ["request", "give", "leave", "lay", "over"]
    assert told(after, "lay")["rules"] == ["BF-5.8"]
    state = after.state()
    assert (state["phase"], state["turn"], state["next"]) == ("over", None, None)
    assert hand(after, "Anton") == "9D"  # of a rank that this fragment of the pack does not complete


@pytest.mark.rule("BF-5.8")
def test_all_complete_books_are_laid_when_the_last_opponent_has_given_their_cards() -> None:
    hands = {"Anton": "6S 6H 6D 6C 9S 9S 9H 9H QH", "Lena": "QS", "Boris": "", "Vera": ""}
    after = fish(hands=hands, stock="").play(Request("Anton", "Lena", "Q", 1))
    assert kinds(after) == ["request", "give", "leave", "lay", "lay", "over"]
    assert after.state()["books"]["Anton"] == ["6", "9"]


@pytest.mark.rule("BF-5.8", "BF-2.8")
@pytest.mark.parametrize("anton", ["6S 6H 9D", "6S 6S 6H 6H 9D"])
def test_where_the_only_opponent_with_cards_lays_them_in_the_opening_the_game_ends(anton: str) -> None:
    hands = {"Anton": anton, "Lena": "QS QH QD QC", "Boris": "", "Vera": ""}
    after = fish(phase="opening", hands=hands, stock="").play(Lay("Lena", "Q"))
    assert kinds(after) == ["lay", "leave", *(["lay"] if len(anton) > 8 else []), "over"]
    assert after.is_over


# ---- Positions that are arranged, and events as they are written


@pytest.mark.rule("BF-3.10")
def test_an_arranged_position_in_which_the_player_can_ask_is_left_alone() -> None:
    game = fish(hands=HANDS)
    assert kinds(game) == ["arrange"]
    assert told(game, "arrange") == {"type": "arrange", "state": game.state(), "rules": []}


@pytest.mark.rule("BF-4.7")
def test_in_an_arranged_position_a_player_without_cards_passes_the_turn() -> None:
    game = fish(turn="Lena", hands={**HANDS, "Lena": "", "Boris": ""}, stock="")
    assert game.events()[1:] == [turn("Vera", "empty", "BF-4.7")]
    assert game.state()["turn"] == "Vera"


@pytest.mark.rule("BF-5.8")
@pytest.mark.parametrize("whose", ["Anton", "Vera"])
def test_in_an_arranged_position_with_nobody_to_ask_what_is_complete_is_laid_and_the_game_over(whose: str) -> None:
    game = fish(turn=whose, hands={whose: "6S 6H 6D 6C 9H"}, stock="")
    assert kinds(game) == ["arrange", "lay", "over"]
    assert told(game, "lay") == {
        "type": "lay",
        "player": whose,
        "rank": "6",
        "cards": ["6S", "6H", "6D", "6C"],
        "rules": ["BF-5.8"],
    }
    assert told(game, "over") == {"type": "over", "winners": [whose], "rules": ["BF-5.5", "BF-5.6"]}
    assert (game.state()["phase"], game.state()["turn"], game.state()["next"]) == ("over", None, None)


@pytest.mark.rule("BF-5.8")
def test_an_arranged_position_in_which_only_another_has_cards_ends_in_their_turn() -> None:
    game = fish(turn="Anton", hands={"Boris": "6S 6H 6D 6C"}, stock="")
    assert kinds(game) == ["arrange", "lay", "leave", "over"]
    assert told(game, "leave") == {"type": "leave", "player": "Boris", "rules": ["BF-4.5"]}
    assert game.state()["books"]["Boris"] == ["6"]


@pytest.mark.rule("BF-3.6", "BF-5.1", "BF-7.2")
def test_an_arranged_position_after_the_draw_goes_on_where_nothing_is_to_be_decided() -> None:
    nothing = fish(phase="after-draw", next="Boris", hands=HANDS)
    assert nothing.events()[1:] == [turn("Boris", "refusal", "BF-3.6")]
    hands = {**HANDS, "Anton": "6S 6H 6D 6C 9H", "Lena": "7S"}
    forced = fish(phase="after-draw", next="Boris", hands=hands, stock="")
    assert kinds(forced) == ["arrange", "lay", "turn"]
    assert told(forced, "lay")["rules"] == ["BF-5.1"]
    assert told(forced, "turn") == turn("Boris", "refusal", "BF-3.6")
    choice = fish(phase="after-draw", next="Boris", hands=hands)
    assert kinds(choice) == ["arrange"]
    agreed = fish(phase="after-draw", next="Boris", hands=HANDS, agreements={"turn-passes": "every-request"})
    assert agreed.events()[1:] == [turn("Boris", "every-request", "BF-7.2")]


@pytest.mark.rule("BF-4.5")
def test_whoever_was_without_cards_already_does_not_leave_again_at_the_end_of_the_turn() -> None:
    game = fish(phase="after-draw", next="Boris", hands={**HANDS, "Anton": ""}, stock="")
    assert game.events()[1:] == [turn("Boris", "refusal", "BF-3.6")]


@pytest.mark.rule("BF-5.3")
def test_a_turn_due_to_a_player_without_cards_is_told_to_go_on() -> None:
    game = fish(phase="after-draw", next="Lena", hands={**HANDS, "Lena": "", "Boris": ""}, stock="")
    assert game.events()[1:] == [turn("Vera", "skip", "BF-3.6", "BF-5.3")]


@pytest.mark.rule("BF-4.4", "BF-4.5", "BF-7.1")
def test_refills_leaving_and_bonuses_are_written_with_whose_they_are() -> None:
    refilled = fish(hands=HANDS, stock="KC 2C").play(Request("Anton", "Lena", "6", 2))
    assert refilled.events()[2] == {"type": "refill", "player": "Lena", "cards": ["KC", "2C"], "rules": ["BF-4.4"]}
    left = fish(hands=HANDS, stock="").play(Request("Anton", "Lena", "6", 2))
    assert left.events()[2] == {"type": "leave", "player": "Lena", "rules": ["BF-4.5"]}
    paid = fish(
        hands={**HANDS, "Anton": "6S 6S 6H 6H", "Lena": "7S"},
        books={"Anton": ["6"]},
        agreements={"double-book-bonus": 2},
    ).play(Lay("Anton", "6"))
    assert kinds(paid) == ["lay", "bonus", "refill"]
    assert paid.events()[1] == {"type": "bonus", "player": "Anton", "rank": "6", "points": 2, "rules": ["BF-7.1"]}


def turn(player: str, why: str, *rules: str) -> dict[str, Any]:
    """Return the event that gives a player the turn."""
    return {"type": "turn", "player": player, "phase": "request", "next": None, "why": why, "rules": list(rules)}


# ---- 6 Worked examples: 6.1 and 6.4 are above


@pytest.mark.rule("BF-6.2", "BF-3.3", "BF-3.4")
def test_asking_for_one_would_have_gone_on() -> None:
    game = fish(hands=HANDS).play(Request("Anton", "Lena", "6", 1))
    assert (hand(game, "Anton"), hand(game, "Lena")) == ("6S 6H 9H", "6D")
    assert game.state()["turn"] == "Anton"


@pytest.mark.rule("BF-6.3", "BF-3.1")
def test_do_you_have_sixes_is_no_request() -> None:
    refusal = refused(fish(hands=HANDS), {"type": "request", "player": "Anton", "target": "Lena", "rank": "6"})
    assert (refusal.code, refusal.rules) == ("malformed", ("BF-3.1",))


@pytest.mark.rule("BF-6.5", "BF-2.6", "BF-4.3", "BF-3.5")
def test_a_laid_book_is_untouched_by_a_request() -> None:
    hands = {**HANDS, "Anton": "6S 6H 6D 6C 9H", "Boris": "6S QS"}
    laid = fish(hands=hands).play(Lay("Anton", "6")).play(Request("Anton", "Boris", "9", 1))
    asked = laid.play(Request("Boris", "Anton", "6", 3))
    assert kinds(asked) == ["request", "refuse", "draw", "turn"]
    assert asked.state()["books"]["Anton"] == ["6"]
    assert asked.state()["turn"] == "Anton"


# ---- 7 Agreements kept apart


@pytest.mark.rule("BF-7.1")
def test_an_agreed_bonus_is_paid_to_whoever_lays_both_books_of_a_rank() -> None:
    hands = {**HANDS, "Anton": "6S 6S 6H 6H 6D 6D 6C 6C 9H", "Lena": "7S"}
    game = table(
        "backstab-fish", phase="request", turn="Anton", hands=hands, stock="KC", agreements={"double-book-bonus": 3}
    )
    first = game.play(Lay("Anton", "6"))
    assert (kinds(first), first.state()["scores"]["Anton"]) == (["lay"], 1)
    second = first.play(Lay("Anton", "6"))
    assert kinds(second) == ["lay", "bonus"]
    bonus = told(second, "bonus")
    assert (bonus["player"], bonus["rank"], bonus["points"], bonus["rules"]) == ("Anton", "6", 3, ["BF-7.1"])
    assert second.state()["scores"]["Anton"] == 2 + 3


@pytest.mark.rule("BF-7.1", "BF-5.1")
def test_the_bonus_is_paid_for_a_forced_laying_too() -> None:
    game = table(
        "backstab-fish",
        phase="request",
        turn="Anton",
        hands={**HANDS, "Anton": "6S 6S 6H 6H 9H", "Lena": "7S"},
        books={"Anton": ["6", "K"]},
        agreements={"double-book-bonus": 3},
    ).play(Request("Anton", "Lena", "9", 1))
    assert kinds(game) == ["request", "refuse", "lay", "bonus", "turn"]
    assert game.state()["scores"]["Anton"] == 3 + 3


@pytest.mark.rule("BF-7.1")
def test_two_books_of_a_rank_with_two_players_pay_nobody() -> None:
    game = table(
        "backstab-fish",
        phase="request",
        turn="Anton",
        hands={**HANDS, "Anton": "6S 6S 6H 6H 9H", "Lena": "7S"},
        books={"Lena": ["6"]},
        agreements={"double-book-bonus": 3},
    ).play(Lay("Anton", "6"))
    assert kinds(game) == ["lay"]
    assert game.state()["scores"] == {"Anton": 1, "Lena": 1, "Boris": 0, "Vera": 0}


@pytest.mark.rule("BF-7.1", "BF-5.6")
def test_the_bonus_can_decide_the_game() -> None:
    books = {"Anton": ["2", "2"], "Lena": ["3", "4", "5"]}
    state = {"phase": "over", "hands": {}, "books": books}
    assert table("backstab-fish", **state).state()["winners"] == ["Lena"]
    assert table("backstab-fish", **state, agreements={"double-book-bonus": 1}).state()["winners"] == ["Anton", "Lena"]
    assert table("backstab-fish", **state, agreements={"double-book-bonus": 2}).state()["winners"] == ["Anton"]


@pytest.mark.rule("BF-7.2")
def test_every_request_passes_the_turn_where_that_is_agreed() -> None:
    game = table(
        "backstab-fish",
        phase="request",
        turn="Anton",
        hands=HANDS,
        stock="KC",
        agreements={"turn-passes": "every-request"},
    )
    met = game.play(Request("Anton", "Lena", "6", 1))
    turn = told(met, "turn")
    assert (turn["player"], turn["why"], turn["rules"]) == ("Lena", "every-request", ["BF-7.2"])
    assert (met.state()["phase"], met.state()["turn"], met.state()["stock"]) == ("request", "Lena", ["KC"])
    unmet = game.play(Request("Anton", "Lena", "6", 3))
    assert (unmet.state()["turn"], hand(unmet, "Anton")) == ("Lena", "6S 9H KC")


@pytest.mark.rule("BF-7.2")
def test_under_every_request_the_asker_may_lay_first_and_ends_the_turn() -> None:
    game = table(
        "backstab-fish",
        phase="request",
        turn="Anton",
        hands={**HANDS, "Anton": "6S 6S 6C 9H"},
        stock="KC",
        agreements={"turn-passes": "every-request"},
    ).play(Request("Anton", "Lena", "6", 1))
    assert kinds(game) == ["request", "give", "turn"]
    turn = told(game, "turn")
    assert (turn["next"], turn["why"], turn["rules"]) == ("Lena", "may-lay", ["BF-7.2", "BF-3.9"])
    assert (game.state()["phase"], game.state()["turn"], game.state()["next"]) == ("after-draw", "Anton", "Lena")
    assert game.legal() == [Lay("Anton", "6"), EndTurn("Anton")]
    for action in game.legal():
        after = game.play(action)
        assert (after.state()["phase"], after.state()["turn"]) == ("request", "Lena")
        assert told(after, "turn")["rules"] == ["BF-7.2"]
    too_late = refused(game, Request("Anton", "Boris", "9", 1))
    assert (too_late.code, too_late.rules) == ("wrong-phase", ("BF-7.2",))


@pytest.mark.rule("BF-7.2", "BF-4.4")
def test_under_every_request_an_emptied_giver_refills_and_takes_the_turn() -> None:
    game = table(
        "backstab-fish",
        phase="request",
        turn="Anton",
        hands=HANDS,
        stock="KC 2C",
        agreements={"turn-passes": "every-request"},
    ).play(Request("Anton", "Lena", "6", 2))
    assert kinds(game) == ["request", "give", "refill", "turn"]
    assert (game.state()["turn"], hand(game, "Lena")) == ("Lena", "2C KC")


@pytest.mark.rule("BF-7.3", "BF-7.1", "BF-7.2")
def test_neither_agreement_is_assumed() -> None:
    game = Game.from_record(record("backstab-fish"))
    assert game.record()["agreements"] == {"double-book-bonus": 0, "turn-passes": "on-refusal"}
    met = fish(hands=HANDS).play(Request("Anton", "Lena", "6", 1))
    assert met.state()["turn"] == "Anton"
    hands = {**HANDS, "Anton": "6S 6S 6H 6H 9H", "Lena": "7S"}
    both = fish(hands=hands, books={"Anton": ["6"]}).play(Lay("Anton", "6"))
    assert (kinds(both), both.state()["scores"]["Anton"]) == (["lay"], 2)


# ---- Seen wrong elsewhere


def test_an_empty_hand_on_ones_turn_never_stops_the_game() -> None:
    hands = {"Anton": "", "Lena": "6H 6D", "Boris": "QS", "Vera": "AS"}
    assert fish(hands=hands, stock="").state()["turn"] == "Lena"
    for seed in range(6):
        for game in at_random(Game.from_record(record("backstab-fish", deal={"seed": seed})), seed):
            assert game.is_over or game.legal()


def test_a_book_completed_by_the_last_draw_does_not_stay_in_hand() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6H 6D 9H"}, stock="6C").play(Request("Anton", "Boris", "9", 1))
    assert game.state()["books"]["Anton"] == ["6"]


def test_a_tie_is_not_the_first_players_win() -> None:
    over = fish(phase="over", turn=None, hands={}, stock="", books={"Lena": ["3"], "Vera": ["9"]})
    assert over.state()["winners"] == ["Lena", "Vera"]


def test_an_illegal_rank_is_refused_and_not_punished_by_a_draw() -> None:
    for rank in ("K", "11", "", "joker", "6S"):
        game = fish(hands=HANDS)
        assert refused(game, Request("Anton", "Lena", rank, 1)).code in ("rank-not-held", "unknown-rank")
        assert len(game.state()["stock"]) == 5


def test_nothing_is_drawn_from_an_empty_stock() -> None:
    game = fish(hands=HANDS, stock="").play(Request("Anton", "Boris", "6", 1))
    assert "draw" not in kinds(game)
    assert game.state()["stock"] == []
