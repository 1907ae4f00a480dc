"""Go Fish, rule by rule, each on a table small enough to read.

Anton, Lena, Boris and Vera sit clockwise; the last of them deals, so Anton begins, unless a table says otherwise.
"""

from collections import Counter
from typing import Any

import pytest

from rulewalk import EndTurn, Game, Lay, Request, replay
from rulewalk.cards import CODES, RANKS

from .kit import NAMES, at_random, hand, kinds, record, refused, table, told

HANDS = {"Anton": "6S 9H", "Lena": "6H 6D 7S", "Boris": "QS 9S", "Vera": "AS"}


def fish(**state: Any) -> Game:
    """Arrange a position: Anton's turn, four cards in stock."""
    return table("go-fish", **{"turn": "Anton", "stock": "KC 2C 3C 4C", **state})


def all_books_but(*ranks: str) -> list[str]:
    """Return the books that lie open towards the end of a game."""
    return [rank for rank in RANKS[:13] if rank not in ranks]


# ---- 1 and 2: the version, set-up and deal


@pytest.mark.rule("GF-1.3")
@pytest.mark.parametrize("players", range(7))
def test_two_to_five_may_play(players: int) -> None:
    error = replay(record("go-fish", players=players))["error"]
    if 2 <= players <= 5:
        assert error is None
    else:
        assert (error["code"], error["rules"]) == ("player-count", ["GF-1.3"])


@pytest.mark.rule("GF-1.4", "GF-2.2")
@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 7), (4, 5), (5, 5)])
def test_fifty_two_cards_seven_each_or_five_the_rest_is_stock(players: int, each: int) -> None:
    deal = told(Game.from_record(record("go-fish", players=players)), "deal")
    assert [len(cards) for cards in deal["hands"].values()] == [each] * players
    dealt = Counter(card for cards in deal["hands"].values() for card in cards) + Counter(deal["stock"])
    assert dealt == {code: 1 for code in CODES if code != "JK"}


@pytest.mark.rule("GF-1.4")
def test_there_are_no_jokers_to_ask_for() -> None:
    refusal = refused(fish(hands=HANDS), Request("Anton", "Lena", "JK"))
    assert (refusal.code, refusal.rules) == ("unknown-rank", ("GF-1.4",))
    error = replay(record("go-fish", deal={"table": {"hands": {"Anton": ["JK"]}}}))["error"]
    assert (error["code"], error["rules"]) == ("bad-table", ["GF-1.4"])


@pytest.mark.rule("GF-2.1")
@pytest.mark.parametrize("dealer", NAMES[:4])
def test_any_player_may_be_the_dealer_whom_the_lot_chose(dealer: str) -> None:
    game = Game.from_record(record("go-fish", dealer=dealer))
    assert told(game, "deal")["dealer"] == dealer
    assert game.state()["turn"] == NAMES[(NAMES.index(dealer) + 1) % 4]


@pytest.mark.rule("GF-2.2")
def test_cards_are_dealt_one_at_a_time_clockwise_from_the_dealers_left() -> None:
    pack = [rank + suit for suit in "SHDC" for rank in RANKS[:13]]
    game = Game.from_record(record("go-fish", players=3, dealer="Anton", deal={"deck": pack}))
    assert told(game, "deal")["hands"] == {
        "Lena": ["AS", "3H", "4S", "6H", "7S", "10S", "KS"],
        "Boris": ["AH", "2S", "4H", "5S", "7H", "8S", "JS"],
        "Anton": ["2H", "3S", "5H", "6S", "8H", "9S", "QS"],
    }
    assert told(game, "deal")["stock"] == pack[21:]


@pytest.mark.rule("GF-2.2", "GF-2.4")
def test_the_deal_names_its_rules() -> None:
    assert told(Game.from_record(record("go-fish")), "deal")["rules"] == ["GF-2.2", "GF-2.4"]


@pytest.mark.rule("GF-2.3")
def test_a_complete_book_in_a_dealt_hand_is_set_aside_at_once() -> None:
    rest = [rank + suit for suit in "SHDC" for rank in RANKS[:13] if rank not in ("6", "K")]
    # Two players, seven cards each, the first card to Anton: Lena is dealt all the sixes.
    dealt = [
        card
        for pair in zip([*rest[:3], "KS", *rest[3:6]], ["6S", "6H", "6D", "6C", *rest[6:9]], strict=True)
        for card in pair
    ]
    game = Game.from_record(record("go-fish", players=2, deal={"deck": [*dealt, *rest[9:], "KH", "KD", "KC"]}))
    assert kinds(game) == ["deal", "lay", "turn"]
    assert told(game, "lay") == {
        "type": "lay",
        "player": "Lena",
        "rank": "6",
        "cards": ["6S", "6H", "6D", "6C"],
        "rules": ["GF-2.3"],
    }
    assert game.state()["books"]["Lena"] == ["6"]
    assert len(game.state()["hands"]["Lena"]) == 3
    assert game.state()["turn"] == "Anton"


@pytest.mark.rule("GF-2.3")
def test_dealt_books_are_laid_in_the_order_of_the_seats_from_the_dealers_left() -> None:
    hands = {"Anton": "6S 6H 6D 6C 9H", "Lena": "9S", "Boris": "QS QH QD QC 7H", "Vera": "AS AH AD AC 2S 2H 2D 2C 7S"}
    game = table("go-fish", turn="Boris", hands=hands, stock="KC")
    assert [(event["player"], event["rank"]) for event in game.events() if event["type"] == "lay"] == [
        ("Anton", "6"),
        ("Boris", "Q"),
        ("Vera", "A"),
        ("Vera", "2"),
    ]


@pytest.mark.rule("GF-2.3", "GF-3.10")
def test_a_first_player_whose_dealt_hand_was_all_books_draws_one() -> None:
    game = fish(hands={**HANDS, "Anton": "KS KH KD KC"}, stock="8C 2C")
    assert kinds(game) == ["arrange", "lay", "turn", "draw"]
    assert told(game, "draw")["rules"] == ["GF-3.10"]
    assert (hand(game, "Anton"), game.state()["turn"]) == ("8C", "Anton")


@pytest.mark.rule("GF-2.4")
@pytest.mark.parametrize(
    ("dealer", "first"), [("Anton", "Lena"), ("Lena", "Boris"), ("Boris", "Vera"), ("Vera", "Anton")]
)
def test_the_dealers_left_begins(dealer: str, first: str) -> None:
    game = Game.from_record(record("go-fish", dealer=dealer))
    assert (game.state()["phase"], game.state()["turn"]) == ("request", first)
    assert (told(game, "turn")["why"], told(game, "turn")["rules"]) == ("first", ["GF-2.4"])


@pytest.mark.rule("GF-2.5")
def test_hands_are_hidden_and_books_open() -> None:
    seen = fish(hands=HANDS, books={"Vera": ["2"]}, stock="KC").state("Anton")
    assert seen["hands"] == {"Anton": ["6S", "9H"], "Lena": 3, "Boris": 2, "Vera": 1}
    assert seen["stock"] == 1
    assert seen["books"]["Vera"] == ["2"]


@pytest.mark.rule("GF-2.4", "GF-3.1")
def test_a_dealt_game_begins_and_an_arranged_one_goes_on_with_whoever_is_in_turn() -> None:
    first = {"type": "turn", "player": "Anton", "phase": "request", "next": None, "why": "first", "rules": ["GF-2.4"]}
    assert told(Game.from_record(record("go-fish")), "turn") == first
    assert told(fish(hands=HANDS), "turn") == first | {"why": "on-turn", "rules": ["GF-3.1"]}
    assert told(fish(turn="Boris", hands=HANDS), "turn")["player"] == "Boris"


# ---- 3 Play


@pytest.mark.rule("GF-3.1")
def test_a_request_names_an_opponent_with_cards_and_a_rank_that_one_holds() -> None:
    game = fish(hands={**HANDS, "Boris": ""})
    assert game.legal() == [
        Request("Anton", "Lena", "6"),
        Request("Anton", "Lena", "9"),
        Request("Anton", "Vera", "6"),
        Request("Anton", "Vera", "9"),
    ]
    for action, code in [
        (Request("Anton", "Anton", "6"), "target-is-self"),
        (Request("Anton", "Boris", "6"), "target-has-no-cards"),
        (Request("Anton", "Lena", "7"), "rank-not-held"),
    ]:
        refusal = refused(game, action)
        assert (refusal.code, refusal.rules[0]) == (code, "GF-3.1")


@pytest.mark.rule("GF-3.2", "GF-3.4")
def test_the_opponent_gives_every_card_of_the_rank() -> None:
    game = fish(hands=HANDS).play(Request("Anton", "Lena", "6"))
    assert kinds(game) == ["request", "give", "turn"]
    assert told(game, "request")["rules"] == ["GF-3.1"]
    assert told(game, "give") == {
        "type": "give",
        "player": "Lena",
        "target": "Anton",
        "rank": "6",
        "cards": ["6H", "6D"],
        "rules": ["GF-3.2"],
    }
    assert (hand(game, "Anton"), hand(game, "Lena")) == ("6S 6H 6D 9H", "7S")


@pytest.mark.rule("GF-3.3")
def test_a_success_lets_the_asker_ask_anybody_for_any_rank_they_hold() -> None:
    game = fish(hands=HANDS).play(Request("Anton", "Lena", "6"))
    assert game.state()["turn"] == "Anton"
    assert (told(game, "turn")["why"], told(game, "turn")["rules"]) == ("again", ["GF-3.3"])
    assert {(action.target, action.rank) for action in game.legal() if isinstance(action, Request)} == {
        (target, rank) for target in ("Lena", "Boris", "Vera") for rank in ("6", "9")
    }


@pytest.mark.rule("GF-3.4")
def test_nobody_can_deny_a_card_there_is_no_action_to_do_it_with() -> None:
    game = fish(hands=HANDS)
    for kind in ("deny", "refuse", "pass", "give"):
        assert refused(game, {"type": kind, "player": "Lena"}).code == "unknown-action"
    for action in game.legal():
        assert isinstance(action, Request)
        holds = any(card[:-1] == action.rank for card in game.state()["hands"][action.target])
        assert ("give" in kinds(game.play(action))) is holds


@pytest.mark.rule("GF-3.5")
def test_four_gathered_are_set_aside_at_once_and_the_turn_goes_on() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6C 9H"}).play(Request("Anton", "Lena", "6"))
    assert kinds(game) == ["request", "give", "lay", "turn"]
    assert (told(game, "lay")["cards"], told(game, "lay")["rules"]) == (["6S", "6H", "6D", "6C"], ["GF-3.5"])
    assert (hand(game, "Anton"), game.state()["books"]["Anton"], game.state()["turn"]) == ("9H", ["6"], "Anton")


@pytest.mark.rule("GF-3.6", "GF-3.8")
def test_go_fish_the_asker_draws_the_top_card_which_stays_hidden_and_the_turn_passes_to_the_left() -> None:
    game = fish(hands=HANDS).play(Request("Anton", "Vera", "6"))
    assert kinds(game) == ["request", "refuse", "draw", "turn"]
    refuse, draw, turn = game.events()[1:]
    assert (refuse["player"], refuse["target"], refuse["rules"]) == ("Vera", "Anton", ["GF-3.6"])
    assert draw == {
        "type": "draw",
        "player": "Anton",
        "cards": ["KC"],
        "shown": False,
        "rules": ["GF-3.6", "GF-3.8"],
    }
    assert turn == {
        "type": "turn",
        "player": "Lena",
        "phase": "request",
        "next": None,
        "why": "to-left",
        "rules": ["GF-3.8"],
    }
    assert (hand(game, "Anton"), game.state()["stock"]) == ("6S 9H KC", ["2C", "3C", "4C"])
    assert told(game, "draw", "Lena")["cards"] == 1


@pytest.mark.rule("GF-3.8")
def test_the_turn_passes_to_the_left_not_to_whoever_refused() -> None:
    for target in ("Boris", "Vera"):
        assert fish(hands=HANDS).play(Request("Anton", target, "6")).state()["turn"] == "Lena"
    assert (
        fish(turn="Vera", hands={**HANDS, "Vera": "AS"}).play(Request("Vera", "Lena", "A")).state()["turn"] == "Anton"
    )


@pytest.mark.rule("GF-3.7")
def test_a_fished_card_of_the_rank_is_shown_and_the_turn_goes_on() -> None:
    game = fish(hands=HANDS, stock="6C 2C").play(Request("Anton", "Vera", "6"))
    assert (told(game, "draw")["shown"], told(game, "draw")["rules"]) == (True, ["GF-3.6", "GF-3.7"])
    assert (told(game, "turn")["why"], told(game, "turn")["rules"]) == ("fished", ["GF-3.7"])
    assert (hand(game, "Anton"), game.state()["turn"]) == ("6S 6C 9H", "Anton")
    assert told(game, "draw", "Lena")["cards"] == ["6C"]


@pytest.mark.rule("GF-3.7", "GF-3.5")
def test_a_fished_card_that_completes_the_book_asked_for_is_set_aside_and_the_turn_goes_on() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6H 6D 9H", "Lena": "7S"}, stock="6C 2C").play(
        Request("Anton", "Vera", "6")
    )
    assert kinds(game) == ["request", "refuse", "draw", "lay", "turn"]
    assert told(game, "lay")["rules"] == ["GF-3.5"]
    assert (hand(game, "Anton"), game.state()["turn"]) == ("9H", "Anton")


@pytest.mark.rule("GF-3.9")
def test_without_stock_a_failed_request_just_passes_the_turn() -> None:
    game = fish(hands=HANDS, stock="").play(Request("Anton", "Vera", "6"))
    assert kinds(game) == ["request", "refuse", "turn"]
    turn = told(game, "turn")
    assert (turn["player"], turn["why"], turn["rules"]) == ("Lena", "to-left-no-stock", ["GF-3.9"])
    assert hand(game, "Anton") == "6S 9H"


@pytest.mark.rule("GF-3.10")
def test_a_player_without_cards_in_their_turn_draws_one_and_asks_for_its_rank() -> None:
    game = fish(hands={**HANDS, "Lena": ""}).play(Request("Anton", "Vera", "6"))
    assert kinds(game) == ["request", "refuse", "draw", "turn", "draw"]
    draw = game.events()[4]
    assert (draw["player"], draw["cards"], draw["shown"], draw["rules"]) == ("Lena", ["2C"], False, ["GF-3.10"])
    assert (hand(game, "Lena"), game.state()["turn"]) == ("2C", "Lena")
    assert {action.rank for action in game.legal() if isinstance(action, Request)} == {"2"}


@pytest.mark.rule("GF-3.10")
def test_without_stock_a_player_without_cards_is_out_and_the_next_has_the_turn() -> None:
    game = fish(hands={**HANDS, "Lena": ""}, stock="").play(Request("Anton", "Vera", "6"))
    assert kinds(game) == ["request", "refuse", "skip", "turn"]
    assert (told(game, "skip")["player"], told(game, "skip")["rules"]) == ("Lena", ["GF-3.10"])
    assert (told(game, "turn")["why"], told(game, "turn")["rules"]) == ("skip", ["GF-3.10"])
    assert game.state()["turn"] == "Boris"


@pytest.mark.rule("GF-3.11")
def test_where_a_book_empties_the_hand_the_player_draws_one_and_asks_on() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6C"}).play(Request("Anton", "Lena", "6"))
    assert kinds(game) == ["request", "give", "lay", "draw", "turn"]
    draw = told(game, "draw")
    assert (draw["player"], draw["cards"], draw["shown"], draw["rules"]) == ("Anton", ["KC"], False, ["GF-3.11"])
    assert (hand(game, "Anton"), game.state()["turn"]) == ("KC", "Anton")
    assert told(game, "turn")["rules"] == ["GF-3.3"]


@pytest.mark.rule("GF-3.11", "GF-3.7")
def test_where_the_fished_card_makes_the_book_that_empties_the_hand_it_is_the_same() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6H 6D", "Lena": "7S"}, stock="6C 2C").play(Request("Anton", "Vera", "6"))
    assert kinds(game) == ["request", "refuse", "draw", "lay", "draw", "turn"]
    assert [event["rules"] for event in game.events() if event["type"] == "draw"] == [["GF-3.6", "GF-3.7"], ["GF-3.11"]]
    assert (hand(game, "Anton"), game.state()["turn"]) == ("2C", "Anton")


@pytest.mark.rule("GF-3.11", "GF-3.10")
def test_where_a_book_empties_the_hand_and_there_is_no_stock_the_next_goes_on() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6C"}, stock="").play(Request("Anton", "Lena", "6"))
    assert kinds(game) == ["request", "give", "lay", "skip", "turn"]
    assert game.state()["turn"] == "Lena"


@pytest.mark.rule("GF-3.12")
def test_a_drawn_card_that_completes_another_book_is_laid_and_the_turn_still_passes() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 9H 9D 9C", "Boris": "QS"}, stock="9S 2C").play(
        Request("Anton", "Vera", "6")
    )
    assert kinds(game) == ["request", "refuse", "draw", "lay", "turn"]
    assert told(game, "draw")["shown"] is False
    assert (told(game, "lay")["rank"], told(game, "lay")["rules"]) == ("9", ["GF-3.12"])
    assert (told(game, "turn")["player"], told(game, "turn")["rules"]) == ("Lena", ["GF-3.8"])
    assert (hand(game, "Anton"), game.state()["books"]["Anton"]) == ("6S", ["9"])


@pytest.mark.rule("GF-3.13", "GF-3.10")
def test_whoever_has_nobody_to_ask_passes_the_turn_to_the_left_where_a_card_is_drawn() -> None:
    game = fish(hands={"Anton": "6S 9H", "Lena": "6H"}, stock="KC 2C").play(Request("Anton", "Lena", "6"))
    assert kinds(game) == ["request", "give", "turn", "draw"]
    assert [event["player"] for event in game.events() if event["type"] == "draw"] == ["Lena"]
    turn = told(game, "turn")
    assert (turn["player"], turn["why"], turn["rules"]) == ("Lena", "nobody-to-ask", ["GF-3.13"])
    assert (game.state()["turn"], hand(game, "Lena")) == ("Lena", "KC")


@pytest.mark.rule("GF-3.13")
def test_with_nobody_to_ask_a_book_completed_by_the_same_request_is_laid_first() -> None:
    game = table("go-fish", players=2, hands={"Anton": "6S 6H 9H", "Lena": "6D 6C"}, stock="KC 2C")
    after = game.play(Request("Anton", "Lena", "6"))
    assert kinds(after) == ["request", "give", "lay", "turn", "draw"]
    assert (after.state()["turn"], hand(after, "Anton"), hand(after, "Lena")) == ("Lena", "9H", "KC")


@pytest.mark.rule("GF-3.14")
def test_an_opponent_emptied_by_a_request_waits() -> None:
    game = fish(hands={**HANDS, "Lena": "6H 6D"}).play(Request("Anton", "Lena", "6"))
    assert kinds(game) == ["request", "give", "turn"]
    assert hand(game, "Lena") == ""
    refusal = refused(game, Request("Anton", "Lena", "6"))
    assert (refusal.code, refusal.rules) == ("target-has-no-cards", ("GF-3.1", "GF-3.14"))
    after = game.play(Request("Anton", "Vera", "6"))
    assert (hand(after, "Lena"), after.state()["turn"]) == ("2C", "Lena")


# ---- 4 End and score


@pytest.mark.rule("GF-4.1", "GF-1.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_game_ends_when_all_thirteen_books_lie_open(players: int) -> None:
    for seed in range(8):
        *earlier, last = at_random(Game.from_record(record("go-fish", players=players, deal={"seed": seed})), seed)
        assert sorted(rank for laid in last.state()["books"].values() for rank in laid) == sorted(RANKS[:13])
        assert (told(last, "over")["rules"], last.state()["phase"]) == (["GF-4.1", "GF-4.2"], "over")
        assert not any(game.is_over for game in earlier)


@pytest.mark.rule("GF-4.1")
def test_the_last_book_ends_the_game_at_once() -> None:
    books = {"Anton": all_books_but("6", "9")[:7], "Lena": all_books_but("6", "9")[7:], "Boris": ["9"]}
    game = fish(hands={"Anton": "6S 6C", "Lena": "6H 6D"}, books=books, stock="")
    after = game.play(Request("Anton", "Lena", "6"))
    assert kinds(after) == ["request", "give", "lay", "over"]
    state = after.state()
    assert (state["phase"], state["turn"], state["next"], state["winners"]) == ("over", None, None, ["Anton"])
    refusal = refused(after, Request("Anton", "Lena", "6"))
    assert (refusal.code, refusal.rules) == ("game-over", ("GF-4.1",))


@pytest.mark.rule("GF-4.2")
def test_each_book_counts_one_and_equal_highest_share_the_win() -> None:
    game = fish(
        hands={"Lena": "6S 6C", "Anton": "6H 6D"},
        books={"Anton": ["2"], "Lena": [], "Vera": ["3"]},
        stock="",
        turn="Lena",
    )
    after = game.play(Request("Lena", "Anton", "6"))
    assert after.state()["scores"] == {"Anton": 1, "Lena": 1, "Boris": 0, "Vera": 1}
    assert after.state()["winners"] == told(after, "over")["winners"] == ["Anton", "Lena", "Vera"]


@pytest.mark.rule("GF-4.3")
def test_complete_books_cannot_be_asked_for() -> None:
    game = fish(hands=HANDS, books={"Anton": ["2"], "Vera": ["3"]}, stock="KC")
    for rank in ("2", "3"):
        refusal = refused(game, Request("Anton", "Vera", rank))
        assert (refusal.code, refusal.rules) == ("rank-not-held", ("GF-3.1", "GF-4.3"))


@pytest.mark.rule("GF-4.4", "GF-2.1")
def test_for_another_game_the_deal_moves_to_the_left_as_the_next_record_says() -> None:
    first = Game.from_record(record("go-fish", dealer="Vera"))
    players, dealer = first.record()["players"], first.record()["dealer"]
    another = record("go-fish", dealer=players[(players.index(dealer) + 1) % 4], deal={"seed": 8})
    assert told(Game.from_record(another), "deal")["dealer"] == "Anton"
    assert Game.from_record(another).state()["turn"] == "Lena"


@pytest.mark.rule("GF-4.5")
def test_guessing_wrong_costs_nothing_but_the_turn() -> None:
    game = fish(hands=HANDS, books={"Anton": ["2"]}, stock="KC")
    after = game.play(Request("Anton", "Vera", "6"))
    assert after.state()["scores"] == game.state()["scores"]
    assert set(game.state()["hands"]["Anton"]) <= set(after.state()["hands"]["Anton"])


@pytest.mark.rule("GF-4.1")
def test_the_game_is_over_when_nobody_can_do_anything() -> None:
    """Only a fragment of the pack can come to this: one hand, no stock, nobody to ask."""
    assert fish(hands={"Boris": "6S"}, stock="").state()["phase"] == "over"
    after = fish(hands={"Anton": "6S 9H", "Lena": "6H"}, stock="").play(Request("Anton", "Lena", "6"))
    assert kinds(after) == ["request", "give", "over"]


# ---- 5 An example explained


@pytest.mark.rule("GF-5.1", "GF-3.1", "GF-3.2", "GF-3.5")
def test_the_example_both_sixes_are_given_and_the_book_is_laid() -> None:
    game = table("go-fish", players=2, hands={"Anton": "6C 6D 7H", "Lena": "6H 6S KC"}, stock="2C")
    after = game.play(Request("Anton", "Lena", "6"))
    assert (hand(after, "Anton"), hand(after, "Lena"), after.state()["books"]["Anton"]) == ("7H", "KC", ["6"])


@pytest.mark.rule("GF-5.2", "GF-3.3", "GF-4.3")
def test_after_the_example_one_may_go_on_with_sevens_not_with_sixes() -> None:
    game = table("go-fish", players=2, hands={"Anton": "7H", "Lena": "KC"}, books={"Anton": ["6"]}, stock="2C")
    assert game.legal() == [Request("Anton", "Lena", "7")]
    assert refused(game, Request("Anton", "Lena", "6")).code == "rank-not-held"


# ---- Seen wrong elsewhere


def test_an_empty_hand_on_ones_turn_never_stops_the_game() -> None:
    for seed in range(20):
        for game in at_random(Game.from_record(record("go-fish", players=2 + seed % 4, deal={"seed": seed})), seed):
            assert game.is_over or game.legal()


def test_a_book_completed_by_a_draw_is_never_left_in_hand() -> None:
    for seed in range(20):
        for game in at_random(Game.from_record(record("go-fish", players=2 + seed % 4, deal={"seed": seed})), seed):
            for cards in game.state()["hands"].values():
                assert max(Counter(card[:-1] for card in cards).values(), default=0) < 4


def test_a_card_drawn_into_an_empty_hand_never_completes_a_book_but_may_be_asked_for() -> None:
    game = fish(hands={**HANDS, "Lena": ""}).play(Request("Anton", "Vera", "6"))
    assert game.play(Request("Lena", "Boris", "2")).state()["turn"] == "Boris"


def test_a_tie_is_not_the_first_players_win() -> None:
    over = fish(phase="over", turn=None, hands={}, stock="", books={"Lena": ["3"], "Vera": ["9"]})
    assert over.state()["winners"] == ["Lena", "Vera"]


def test_an_illegal_rank_is_refused_and_not_punished_by_a_draw() -> None:
    for rank in ("K", "11", "", "six", "6S", "JK"):
        game = fish(hands=HANDS)
        assert refused(game, Request("Anton", "Lena", rank)).code in ("rank-not-held", "unknown-rank")
        assert len(game.state()["stock"]) == 4


def test_nothing_is_drawn_from_an_empty_stock() -> None:
    game = fish(hands=HANDS, stock="").play(Request("Anton", "Boris", "6"))
    assert ("draw" not in kinds(game), game.state()["stock"]) == (True, [])


def test_the_game_is_not_over_at_the_first_empty_hand_nor_with_the_stock() -> None:
    assert fish(hands={**HANDS, "Vera": ""}, stock="").state()["phase"] == "request"
    assert fish(hands={**HANDS, "Vera": ""}).state()["phase"] == "request"


def test_a_next_player_who_draws_on_an_empty_hand_is_not_skipped() -> None:
    game = fish(hands={**HANDS, "Lena": ""}).play(Request("Anton", "Vera", "6"))
    assert game.state()["turn"] == "Lena"


def test_a_book_that_empties_the_hand_does_not_lose_the_turn() -> None:
    game = fish(hands={**HANDS, "Anton": "6S 6C"}).play(Request("Anton", "Lena", "6"))
    assert game.state()["turn"] == "Anton"


def test_laying_and_ending_the_turn_are_no_actions_of_this_game() -> None:
    game = fish(hands=HANDS)
    assert refused(game, Lay("Anton", "6")).code == "unknown-action"
    assert refused(game, EndTurn("Anton")).code == "unknown-action"
    assert refused(game, {"type": "lay", "player": "Anton", "rank": "6"}).code == "unknown-action"
