"""Records that cannot be read: each by its code, checked in wire.md's order, and told in three languages."""

from typing import Any

import pytest

from rulewalk import Catalogue, Game, replay
from rulewalk.cards import ONE_PACK, TWO_PACKS, codes

from .kit import LANGUAGES, NAMES, Wire, at_random, record
from .telling import assert_well_told

CODES_IN_ORDER = (
    "malformed",
    "unknown-game",
    "player-count",
    "duplicate-player",
    "unknown-player",
    "unknown-agreement",
    "bad-deck",
    "bad-table",
)

FAULTS: dict[str, Wire] = {
    "malformed": {"actions": {}},
    "unknown-game": {"game": "whist"},
    "player-count": {"players": ["Anton"]},
    "duplicate-player": {"players": ["Anton", "Lena", "Anton", "Vera"]},
    "unknown-player": {"dealer": "Nobody"},
    "unknown-agreement": {"agreements": {"stakes": "high"}},
    "bad-deck": {"deal": {"deck": ["AS"]}},
    "bad-table": {"deal": {"table": {"stock": "AS"}}},
}
"""One fault of each kind, in a field of its own where that is possible."""


def error_of(raw: Any) -> Wire:
    """Return why a record is refused, after seeing that nothing else is told and that it is told in all languages."""
    for language in LANGUAGES:
        result = replay(raw, language=language)
        assert (result["states"], result["events"], result["legal"]) == ([], [], [])
        assert result["error"]["index"] is None
        assert_well_told(result["error"], language)
    error: Wire = replay(raw)["error"]
    return error


@pytest.mark.parametrize("code", CODES_IN_ORDER)
def test_each_fault_has_its_code(code: str) -> None:
    assert error_of(record("backstab-fish") | FAULTS[code])["code"] == code


@pytest.mark.parametrize("later", CODES_IN_ORDER)
@pytest.mark.parametrize("earlier", CODES_IN_ORDER)
def test_of_two_faults_the_one_checked_first_is_told(earlier: str, later: str) -> None:
    if (
        CODES_IN_ORDER.index(earlier) < CODES_IN_ORDER.index(later)
        and not FAULTS[earlier].keys() & FAULTS[later].keys()
    ):
        assert error_of(record("backstab-fish") | FAULTS[earlier] | FAULTS[later])["code"] == earlier


def test_a_fault_of_the_record_is_told_before_any_of_its_actions() -> None:
    assert error_of(record("backstab-fish", {"type": "nonsense"}) | FAULTS["bad-table"])["code"] == "bad-table"


@pytest.mark.parametrize("raw", [None, True, 7, 1.5, "go-fish", [], [record("go-fish")], {}])
def test_what_is_no_record_is_malformed(raw: Any) -> None:
    assert error_of(raw)["code"] == "malformed"


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("game", [None, 7, ["go-fish"], {}]),
        (
            "players",
            [None, "Anton", {"Anton": 1}, 4, ["Anton", 7], ["Anton", None], ["Anton", ["Lena"]], ["Anton", ""]],
        ),
        ("players", [["Anton", "L" * 61], ["Anton", "Lena\ud800"], ["\udfffAnton", "Lena"]]),
        ("dealer", [7, True, ["Anton"], {}]),
        ("agreements", [None, [], "none", 7]),
        ("deal", [None, 7, "seed", [], {}, {"seed": 7, "deck": []}, {"shuffle": 7}, {"Seed": 7}]),
        ("deal", [{"seed": seed} for seed in (-1, 2**32, 10**30, 1.0, "7", True, None, [7])]),
        ("deal", [{"deck": deck} for deck in (None, "AS", {}, 7)]),
        ("deal", [{"table": table} for table in (None, "AS", [], 7)]),
        ("actions", [None, {}, "request", 7]),
    ],
)
def test_a_field_of_the_wrong_type_is_malformed_and_named(field: str, values: list[Any]) -> None:
    for value in values:
        error = error_of(record("go-fish") | {field: value})
        assert error["code"] == "malformed", value
        assert field in error["message"]


@pytest.mark.parametrize("field", ["game", "players", "deal"])
def test_a_field_missing_is_malformed_and_named(field: str) -> None:
    raw = record("go-fish")
    del raw[field]
    error = error_of(raw)
    assert error["code"] == "malformed"
    assert field in error["message"]


def test_dealer_agreements_and_actions_may_be_left_out() -> None:
    game = Game.from_record({"game": "go-fish", "players": ["Anton", "Lena"], "deal": {"seed": 0}})
    assert game.record() == {
        "game": "go-fish",
        "players": ["Anton", "Lena"],
        "dealer": "Lena",
        "agreements": {},
        "deal": {"seed": 0},
        "actions": [],
    }


@pytest.mark.parametrize(
    "fields", [{"deal": {"seed": 0}}, {"deal": {"seed": 2**32 - 1}}, {"dealer": None}, {"note": [1]}]
)
def test_what_is_just_within_bounds_is_read(fields: Wire) -> None:
    assert replay(record("go-fish") | fields)["error"] is None


def test_names_are_any_text_of_at_most_sixty_characters() -> None:
    names = ["L" * 60, "李娜", "José María", "{player}", " "]
    game = Game.from_record(record("go-fish") | {"players": names})
    assert list(game.state()["hands"]) == names


@pytest.mark.parametrize("name", ["", "Go Fish", "go_fish", "GO-FISH", "whist", "x" * 500])
def test_an_unknown_game_is_named_in_short(name: str) -> None:
    error = error_of(record("go-fish") | {"game": name})
    assert (error["code"], error["rules"]) == ("unknown-game", [])
    assert name[:39] in error["message"]
    assert len(error["message"]) < 120


def test_a_wrong_number_of_players_is_told_with_the_right_ones() -> None:
    for game, players, rule, least, most in [
        ("backstab-fish", 3, "BF-2.1", 4, 10),
        ("go-fish", 6, "GF-1.3", 2, 5),
        ("egyptian-ratscrew", 7, "ER-2.1", 2, 6),
    ]:
        error = error_of(record(game, players=players))
        assert (error["code"], error["rules"]) == ("player-count", [rule])
        assert {str(least), str(most), str(players)} <= set(
            error["message"].replace(".", " ").replace(";", " ").split()
        )


def test_the_name_that_two_players_have_is_told() -> None:
    assert "Lena" in error_of(record("go-fish") | {"players": ["Anton", "Lena", "Boris", "Lena"]})["message"]
    # Names are compared as they are written, letter by letter.
    assert replay(record("go-fish") | {"players": ["Lena", "lena", "Lena ", "Léna"]})["error"] is None


def test_the_stranger_who_deals_is_told() -> None:
    assert "Nobody" in error_of(record("go-fish") | {"dealer": "Nobody"})["message"]


@pytest.mark.rule("BF-7.1", "BF-7.2")
@pytest.mark.parametrize(
    ("game", "name", "values"),
    [
        ("backstab-fish", "double-book-bonus", [-1, 1_000_001, 10**30, "3", True, 1.0, None, [3]]),
        ("backstab-fish", "turn-passes", ["never", "", "On-Refusal", None, True, 0, ["on-refusal"]]),
        ("backstab-fish", "patterns", [["double"]]),
        ("go-fish", "double-book-bonus", [0, 3]),
        ("egyptian-ratscrew", "patterns", [None, "double", {}, ["triple"], ["double", "double"], ["double", 7], [[]]]),
        ("egyptian-ratscrew", "ending", ["never", None, True, ["sole-packet"]]),
    ],
)
def test_an_agreement_unknown_to_the_game_or_of_another_value_is_refused(
    game: str, name: str, values: list[Any]
) -> None:
    for value in values:
        error = error_of(record(game, agreements={name: value}))
        assert error["code"] == "unknown-agreement", value
        assert name in error["message"]


@pytest.mark.rule("BF-7.1", "BF-7.2", "BF-7.3")
def test_agreements_are_kept_in_the_record_and_default_to_none() -> None:
    for agreements in ({"double-book-bonus": 0}, {"double-book-bonus": 1_000_000}, {"turn-passes": "every-request"}):
        kept = Game.from_record(record("backstab-fish", agreements=agreements)).record()["agreements"]
        assert kept == {"double-book-bonus": 0, "turn-passes": "on-refusal"} | agreements


def _decks() -> list[tuple[str, list[Any]]]:
    one, two = codes(ONE_PACK), codes(TWO_PACKS)
    return [
        ("go-fish", []),
        ("go-fish", one[:-1]),
        ("go-fish", [*one, "AS"]),
        ("go-fish", ["AS", *one[:-1]]),
        ("go-fish", [*one[:-1], "JK"]),
        ("go-fish", two),
        ("backstab-fish", one),
        ("backstab-fish", two[:-1]),
        ("backstab-fish", [*two[:-1], "AS"]),
        ("backstab-fish", [*two, "JK"]),
        *(("go-fish", [*one[:-1], odd]) for odd in ("as", "1S", "10", "", None, 7, 0, True, [], {}, ["AS"])),
    ]


@pytest.mark.rule("BF-2.2", "GF-1.4")
@pytest.mark.parametrize(("game", "deck"), _decks())
def test_a_deck_that_is_not_the_whole_pack_is_refused(game: str, deck: list[Any]) -> None:
    error = error_of(record(game, deal={"deck": deck}))
    assert (error["code"], error["rules"]) == ("bad-deck", ["BF-2.2" if game == "backstab-fish" else "GF-1.4"])


FISH_TABLES: list[tuple[str, Wire]] = [
    ("phase", {"phase": "flip"}),
    ("phase", {"phase": "Request"}),
    ("phase", {"phase": None}),
    ("phase", {"phase": 1}),
    ("phase", {"phase": ["request"]}),
    ("turn", {"turn": None}),
    ("turn", {"phase": "request", "turn": None}),
    ("turn", {"phase": "over", "turn": "Anton"}),
    ("turn", {"next": "Lena"}),
    ("turn", {"phase": "over", "next": "Lena"}),
    ("players", {"turn": "Nobody"}),
    ("players", {"turn": 7}),
    ("players", {"turn": ["Anton"]}),
    ("players", {"hands": {"Nobody": ["AS"]}}),
    ("players", {"hands": []}),
    ("players", {"hands": None}),
    ("players", {"books": "Anton"}),
    ("players", {"books": {"Anton": ["A"], "Nobody": []}}),
    ("cards", {"hands": {"Anton": "AS"}}),
    ("cards", {"hands": {"Anton": None}}),
    ("cards", {"hands": {"Anton": {"AS": 1}}}),
    ("cards", {"hands": {"Anton": ["A"]}}),
    ("cards", {"hands": {"Anton": [None]}}),
    ("cards", {"hands": {"Anton": [[]]}}),
    ("cards", {"hands": {"Anton": [0]}}),
    ("cards", {"books": {"Anton": ["AS"]}}),
    ("cards", {"books": {"Anton": 1}}),
    ("cards", {"stock": 5}),
    ("cards", {"stock": None}),
    ("cards", {"stock": ["AS", "11S"]}),
    ("pack", {"hands": {"Anton": ["AS", "AS", "AS"]}}),
    ("pack", {"hands": {"Anton": ["AS"], "Lena": ["AS"], "Boris": ["AS"]}}),
    ("pack", {"stock": ["AS", "AS"], "hands": {"Anton": ["AS"]}}),
    ("pack", {"books": {"Anton": ["A", "A", "A"]}}),
    ("pack", {"books": {"Anton": ["A", "A"]}, "stock": ["AS"]}),
    ("pack", {"books": {"Anton": ["A"], "Lena": ["A"]}, "hands": {"Boris": ["AS"]}}),
]


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish"])
@pytest.mark.parametrize(("about", "table"), FISH_TABLES)
def test_a_table_that_makes_no_sense_is_refused_with_what_is_wrong(game: str, about: str, table: Wire) -> None:
    error = error_of(record(game, deal={"table": table}))
    assert error["code"] == "bad-table"
    assert error["rules"] == (["BF-2.2" if game == "backstab-fish" else "GF-1.4"] if about == "pack" else [])
    assert error["message"] == Catalogue.load("en").text(f"refusal.bad-table.{about}")


@pytest.mark.parametrize(
    ("game", "table"),
    [
        ("go-fish", {"phase": "opening"}),
        ("go-fish", {"phase": "after-draw", "next": "Lena"}),
        ("go-fish", {"hands": {"Anton": ["JK"]}}),
        ("go-fish", {"books": {"Anton": ["JK"]}}),
        ("go-fish", {"hands": {"Anton": ["AS", "AS"]}}),
        ("go-fish", {"books": {"Anton": ["A"]}, "stock": ["AC"]}),
        ("backstab-fish", {"phase": "after-draw"}),
        ("backstab-fish", {"phase": "after-draw", "next": None}),
        ("backstab-fish", {"phase": "after-draw", "turn": "Anton", "next": "Anton"}),
        ("backstab-fish", {"phase": "after-draw", "turn": "Anton", "next": "Nobody"}),
        ("backstab-fish", {"books": {"Anton": ["JK", "JK"]}}),
        ("backstab-fish", {"books": {"Anton": ["JK"]}, "stock": ["JK"]}),
        ("backstab-fish", {"stock": ["JK"] * 5}),
        ("backstab-fish", {"books": {"Anton": ["A"]}, "stock": ["AS", "AS", "AH", "AH", "AD"]}),
    ],
)
def test_a_table_must_fit_its_game(game: str, table: Wire) -> None:
    assert error_of(record(game, deal={"table": table}))["code"] == "bad-table"


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish"])
def test_what_a_table_leaves_out_is_empty_and_the_first_player_has_the_turn(game: str) -> None:
    state = Game.from_record(
        record(game, dealer="Anton", deal={"table": {"hands": {"Lena": ["AS"], "Vera": ["2S", "2H"]}}})
    ).state()
    assert state == {
        "phase": "request",
        "turn": "Lena",
        "next": None,
        "hands": {"Anton": [], "Lena": ["AS"], "Boris": [], "Vera": ["2S", "2H"]},
        "books": {name: [] for name in NAMES[:4]},
        "stock": [],
        "scores": dict.fromkeys(NAMES[:4], 0),
        "winners": [],
    }


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish"])
def test_an_empty_table_is_a_game_that_is_over(game: str) -> None:
    state = Game.from_record(record(game, deal={"table": {}})).state()
    assert (state["phase"], state["turn"], state["winners"]) == ("over", None, list(NAMES[:4]))


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish"])
def test_a_tables_hands_are_put_in_order_and_its_scores_and_winners_reckoned_anew(game: str) -> None:
    table = {
        "phase": "over",
        "turn": None,
        "next": None,
        "books": {"Lena": ["10", "A"], "Vera": ["K"]},
        "scores": {"Anton": 99},
        "winners": ["Anton"],
    }
    state = Game.from_record(record(game, deal={"table": table})).state()
    assert state["scores"] == {"Anton": 0, "Lena": 2, "Boris": 0, "Vera": 1}
    assert state["winners"] == ["Lena"]
    assert state["books"]["Lena"] == ["10", "A"]
    hands = {"Anton": ["KC", "10S", "AS", "2H", "10C", "2S"], "Lena": ["3S"]}
    sorted_ = Game.from_record(record(game, deal={"table": {"hands": hands, "stock": ["KD", "AD"]}})).state()
    assert sorted_["hands"]["Anton"] == ["AS", "2S", "2H", "10S", "10C", "KC"]
    assert sorted_["stock"] == ["KD", "AD"]


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish"])
def test_every_state_of_a_game_can_be_arranged_as_a_table(game: str) -> None:
    for moment in at_random(Game.from_record(record(game)), 3, 120):
        state = moment.state()
        again = Game.from_record(record(game, deal={"table": state}))
        assert again.state() == state
        assert again.legal() == moment.legal()
