"""Actions that are refused: each code, in wire.md's order, with the rules broken, and told to a learner."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewalk import RULES, Action, Collect, EndTurn, Flip, Game, Lay, Refusal, Request, Slap, explain, replay
from rulewalk.actions import to_wire

from .kit import GAMES, LANGUAGES, Wire, at_random, positions, record, records, refused, table
from .telling import assert_well_said, assert_well_told

HANDS = {"Anton": "6S 6H 6D JK", "Lena": "6C QD", "Boris": "", "Vera": "AS AH AD AC KS"}


def backstab(**state: Any) -> Game:
    return table("backstab-fish", **{"phase": "request", "turn": "Anton", "hands": HANDS, "stock": "KC 2C", **state})


def go_fish(**state: Any) -> Game:
    hands = {"Anton": "6S 6H 6D", "Lena": "6C QD", "Boris": "", "Vera": "AS AH AD KS"}
    return table("go-fish", **{"turn": "Anton", "hands": hands, "stock": "KC 2C", **state})


def ask(**changes: Any) -> Wire:
    return {"type": "request", "player": "Anton", "target": "Lena", "rank": "6", "quantity": 1, **changes}


# Each request has every fault from its own place in the order to the last.
BACKSTAB_REQUESTS: list[tuple[str, tuple[str, ...], Wire]] = [
    ("unknown-player", (), ask(player="Nobody", target="Nobody", rank="six", quantity=0)),
    ("unknown-player", (), ask(player="Vera", target="Nobody", rank="six", quantity=0)),
    ("unknown-rank", ("BF-2.2", "BF-2.4"), ask(player="Vera", target="Vera", rank="six", quantity=0)),
    ("not-your-turn", ("BF-3.6",), ask(player="Vera", target="Vera", rank="9", quantity=0)),
    ("target-is-self", ("BF-3.1",), ask(target="Anton", rank="9", quantity=0)),
    ("target-has-no-cards", ("BF-3.1", "BF-5.4"), ask(target="Boris", rank="9", quantity=0)),
    ("rank-not-held", ("BF-3.2",), ask(rank="9", quantity=0)),
    ("quantity-out-of-range", ("BF-3.8",), ask(quantity=0)),
    ("quantity-out-of-range", ("BF-3.8",), ask(rank="JK", quantity=5)),
]


@pytest.mark.rule("BF-3.1", "BF-3.2", "BF-3.6", "BF-3.8", "BF-5.4")
@pytest.mark.parametrize(("code", "rules", "action"), BACKSTAB_REQUESTS)
def test_a_request_of_backstab_fish_is_refused_for_the_first_reason(
    code: str, rules: tuple[str, ...], action: Wire
) -> None:
    refusal = refused(backstab(), action)
    assert (refusal.code, refusal.rules) == (code, rules)


@pytest.mark.rule("BF-3.6")
def test_after_the_draw_it_is_the_wrong_phase_before_anything_about_the_request() -> None:
    game = backstab(phase="after-draw", next="Lena", hands={**HANDS, "Anton": "6S 6H 6D 6C", "Lena": "QD"})
    assert refused(game, ask(target="Anton", rank="9", quantity=0)).code == "wrong-phase"
    assert refused(game, ask(player="Vera")).code == "not-your-turn"
    assert refused(game, ask(rank="six")).code == "unknown-rank"


@pytest.mark.rule("GF-3.1", "GF-4.3")
@pytest.mark.parametrize(
    ("code", "rules", "action"),
    [
        ("unknown-player", (), ask(player="Nobody", target="Nobody", rank="JK")),
        ("unknown-player", (), ask(player="Vera", target="Nobody", rank="JK")),
        ("unknown-rank", ("GF-1.4",), ask(player="Vera", target="Vera", rank="JK")),
        ("not-your-turn", ("GF-2.4", "GF-3.8"), ask(player="Vera", target="Vera", rank="9")),
        ("target-is-self", ("GF-3.1",), ask(target="Anton", rank="9")),
        ("target-has-no-cards", ("GF-3.1", "GF-3.14"), ask(target="Boris", rank="9")),
        ("rank-not-held", ("GF-3.1", "GF-4.3"), ask(rank="9")),
    ],
)
def test_a_request_of_go_fish_is_refused_for_the_first_reason(code: str, rules: tuple[str, ...], action: Wire) -> None:
    refusal = refused(go_fish(), action)
    assert (refusal.code, refusal.rules) == (code, rules)


@pytest.mark.rule("BF-2.5", "BF-2.10", "BF-3.9")
@pytest.mark.parametrize(
    ("code", "rules", "phase", "action"),
    [
        ("unknown-player", (), "request", Lay("Nobody", "six")),
        ("unknown-rank", ("BF-2.2", "BF-2.4"), "request", Lay("Vera", "six")),
        ("not-your-turn", ("BF-2.10", "BF-3.9"), "request", Lay("Vera", "9")),
        ("book-incomplete", ("BF-2.5",), "request", Lay("Anton", "6")),
        ("book-incomplete", ("BF-2.5",), "opening", Lay("Vera", "K")),
    ],
)
def test_laying_is_refused_for_the_first_reason(code: str, rules: tuple[str, ...], phase: str, action: Lay) -> None:
    refusal = refused(backstab(phase=phase), action)
    assert (refusal.code, refusal.rules) == (code, rules)


@pytest.mark.rule("BF-3.6", "BF-3.10")
def test_ending_the_turn_is_refused_for_the_first_reason() -> None:
    for name, code, rules in [
        ("Nobody", "unknown-player", ()),
        ("Vera", "not-your-turn", ("BF-3.6",)),
        ("Anton", "wrong-phase", ("BF-3.10",)),
    ]:
        refusal = refused(backstab(), EndTurn(name))
        assert (refusal.code, refusal.rules) == (code, rules)
    after_draw = backstab(phase="after-draw", next="Lena", hands={**HANDS, "Anton": "6S 6H 6D 6C", "Lena": "QD"})
    assert refused(after_draw, EndTurn("Lena")).code == "not-your-turn"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "raw", [None, True, 7, "request", [], [ask()], {}, {"type": None}, {"type": 7}, {"type": ["lay"]}]
)
def test_what_is_no_action_is_malformed(game: str, raw: Any) -> None:
    assert (
        refused(Game.from_record(record(game)), {"type": None} if not isinstance(raw, dict) else raw).code
        == "malformed"
    )
    with pytest.raises(Refusal) as refusal:
        Game.from_record(record(game)).read_action(raw)
    assert (refusal.value.code, refusal.value.rules) == ("malformed", ())


@pytest.mark.rule("BF-3.1", "BF-6.3")
@pytest.mark.parametrize("field", ["player", "target", "rank", "quantity"])
def test_a_request_with_a_field_missing_or_of_the_wrong_type_is_malformed(field: str) -> None:
    odd: list[Any] = [None, True, [], {}, ["Anton"], 1.0, "3" if field == "quantity" else 3]
    for action in (
        {key: value for key, value in ask().items() if key != field},
        *(ask() | {field: value} for value in odd),
    ):
        refusal = refused(backstab(), action)
        assert (refusal.code, refusal.rules) == ("malformed", ("BF-3.1",))
        if field != "quantity":
            refusal = refused(go_fish(), action)
            assert (refusal.code, refusal.rules) == ("malformed", ("GF-3.1",))


@pytest.mark.parametrize("field", ["player", "rank"])
def test_laying_with_a_field_missing_or_of_the_wrong_type_is_malformed(field: str) -> None:
    whole = {"type": "lay", "player": "Anton", "rank": "6"}
    for action in (
        {key: value for key, value in whole.items() if key != field},
        whole | {field: 6},
        whole | {field: None},
    ):
        assert refused(backstab(), action).code == "malformed"
    assert refused(backstab(), {"type": "end-turn"}).code == "malformed"
    assert refused(backstab(), {"type": "end-turn", "player": 1}).code == "malformed"


def test_what_is_whole_is_read() -> None:
    for action in (Request("Anton", "Lena", "6", 1), Lay("Anton", "6"), EndTurn("Anton")):
        assert backstab().read_action(to_wire(action)) == action
    assert go_fish().read_action(to_wire(Request("Anton", "Lena", "6"))) == Request("Anton", "Lena", "6")


def test_what_a_field_says_too_much_is_passed_over() -> None:
    assert backstab().play(backstab().read_action(ask(note="please"))).actions == [Request("Anton", "Lena", "6", 1)]
    assert go_fish().play(go_fish().read_action(ask(quantity="all"))).actions == [Request("Anton", "Lena", "6")]


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("backstab-fish", ["flip", "slap", "collect", "pass", "", "Request"]),
        ("go-fish", ["lay", "end-turn", "flip", "slap", "collect", "draw", ""]),
        ("egyptian-ratscrew", ["request", "lay", "end-turn", ""]),
    ],
)
def test_an_action_of_another_game_is_unknown_whatever_it_holds(game: str, kinds: list[str]) -> None:
    for kind in kinds:
        for action in ({"type": kind}, {"type": kind, "player": "Anton", "rank": "6", "players": ["Anton"]}):
            refusal = refused(Game.from_record(record(game)), action)
            assert (refusal.code, refusal.rules) == ("unknown-action", ())


def test_an_action_object_of_another_game_is_unknown_too() -> None:
    for action in (Flip("Anton"), Collect("Anton"), Slap(("Anton",))):
        assert refused(backstab(), action).code == "unknown-action"
    for other in (Lay("Anton", "6"), EndTurn("Anton"), Flip("Anton")):
        assert refused(go_fish(), other).code == "unknown-action"
    for fish in (Request("Anton", "Lena", "6"), Lay("Anton", "6"), EndTurn("Anton")):
        assert refused(Game.from_record(record("egyptian-ratscrew")), fish).code == "unknown-action"


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_action_is_told_with_the_games_own_actions(game: str) -> None:
    strange: Action = Flip("Anton") if game != "egyptian-ratscrew" else EndTurn("Anton")
    moment = Game.from_record(record(game))
    for action in (strange, to_wire(strange)):
        refusal = refused(moment, action)
        assert (refusal.about, refusal.details) == (game, {"type": strange.type})
        assert explain(refusal, "en").startswith("In " + {"b": "Backstab", "g": "Go Fish", "e": "Egyptian"}[game[0]])


@pytest.mark.rule("BF-5.5", "GF-4.1")
@pytest.mark.parametrize(
    ("game", "kinds", "rules"),
    [
        ("backstab-fish", ["request", "lay", "end-turn"], ("BF-5.5",)),
        ("go-fish", ["request"], ("GF-4.1",)),
        ("egyptian-ratscrew", ["flip", "slap", "collect"], ("ER-5.4",)),
    ],
)
def test_once_the_game_is_over_every_action_of_it_is_too_late_complete_or_not(
    game: str, kinds: list[str], rules: tuple[str, ...]
) -> None:
    *_, over = at_random(Game.from_record(record(game)), 4)
    assert over.is_over
    for kind in kinds:
        for action in ({"type": kind}, {"type": kind, "player": "Nobody"}, {**ask(), "type": kind, "players": []}):
            refusal = refused(over, action)
            assert (refusal.code, refusal.rules) == ("game-over", rules)
    assert refused(over, {"type": "nonsense"}).code == "unknown-action"
    assert refused(over, {"type": 7}).code == "malformed"


# ---- What a refusal tells its sentence

AFTER_DRAW: dict[str, Any] = {
    "phase": "after-draw",
    "next": "Lena",
    "hands": {**HANDS, "Anton": "6S 6H 6D 6C", "Lena": "QD"},
}


@pytest.mark.parametrize(
    ("state", "action", "code", "about", "details"),
    [
        ({}, Request("Nobody", "Lena", "6", 1), "unknown-player", None, {"player": "Nobody"}),
        ({}, Request("Anton", "Nobody", "6", 1), "unknown-player", None, {"player": "Nobody"}),
        ({}, Request("Anton", "Lena", "six", 1), "unknown-rank", None, {"name": "six"}),
        ({}, Request("Vera", "Lena", "A", 1), "not-your-turn", None, {"player": "Vera", "turn": "Anton"}),
        (AFTER_DRAW, Request("Anton", "Lena", "6", 1), "wrong-phase", "request", {}),
        ({}, Request("Anton", "Anton", "6", 1), "target-is-self", None, {}),
        ({}, Request("Anton", "Boris", "6", 1), "target-has-no-cards", None, {"target": "Boris"}),
        ({}, Request("Anton", "Lena", "9", 1), "rank-not-held", None, {"rank": "9"}),
        (
            {},
            Request("Anton", "Lena", "6", 9),
            "quantity-out-of-range",
            None,
            {"rank": "6", "quantity": 9, "most": 8},
        ),
        (
            {},
            Request("Anton", "Lena", "JK", 5),
            "quantity-out-of-range",
            None,
            {"rank": "JK", "quantity": 5, "most": 4},
        ),
        ({}, Lay("Nobody", "6"), "unknown-player", None, {"player": "Nobody"}),
        ({}, Lay("Anton", "six"), "unknown-rank", None, {"name": "six"}),
        ({}, Lay("Vera", "A"), "not-your-turn", None, {"player": "Vera", "turn": "Anton"}),
        ({}, Lay("Anton", "6"), "book-incomplete", None, {"rank": "6"}),
        ({}, EndTurn("Nobody"), "unknown-player", None, {"player": "Nobody"}),
        ({}, EndTurn("Vera"), "not-your-turn", None, {"player": "Vera", "turn": "Anton"}),
        ({}, EndTurn("Anton"), "wrong-phase", "end-turn", {}),
    ],
)
def test_a_refusal_holds_what_its_sentence_needs(
    state: Wire, action: Action, code: str, about: str | None, details: Wire
) -> None:
    refusal = refused(backstab(**state), action)
    assert (refusal.code, refusal.about, refusal.details) == (code, about, details)
    for language in LANGUAGES:
        assert_well_said(explain(refusal, language))
    if about:
        general = Refusal(code, refusal.rules, about="flip")
        assert explain(refusal, "en") != explain(general, "en")


@pytest.mark.parametrize(
    ("action", "about"),
    [({"type": "request"}, "request"), ({"type": "lay"}, "lay"), ({"type": "end-turn"}, "end-turn")],
)
def test_what_a_malformed_action_should_name_is_told(action: Wire, about: str) -> None:
    assert refused(backstab(), action).about == f"backstab-fish.{about}"


# ---- In a replay


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_ends_before_the_refused_action_and_says_which(language: str) -> None:
    good, bad = to_wire(Request("Anton", "Lena", "6", 1)), to_wire(Request("Anton", "Lena", "9", 1))
    start = backstab().record()
    result = replay({**start, "actions": [good, bad, good]}, language=language)
    assert (len(result["states"]), len(result["events"])) == (2, 2)
    assert (result["error"]["index"], result["error"]["code"], result["error"]["rules"]) == (
        1,
        "rank-not-held",
        ["BF-3.2"],
    )
    assert_well_told(result["error"], language)
    until_then = replay({**start, "actions": [good]}, language=language)
    assert {**result, "error": None} == until_then


def test_a_refused_action_of_a_record_has_its_place() -> None:
    with pytest.raises(Refusal) as refusal:
        Game.from_record({**backstab().record(), "actions": [to_wire(EndTurn("Anton"))]})
    assert (refusal.value.code, refusal.value.index) == ("wrong-phase", 0)
    assert str(refusal.value) == "wrong-phase at action 0 (BF-3.10)"


# ---- Sentences


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20)
@given(data=st.data())
def test_every_refusal_of_a_random_game_is_told_in_every_language(game: str, data: st.DataObject) -> None:
    late = game != "egyptian-ratscrew" and data.draw(st.booleans())
    start = data.draw(positions(game) if late else records(game))
    *_, moment = at_random(Game.from_record(start), data.draw(st.integers(0, 99)), data.draw(st.integers(0, 60)))
    people = [*start["players"][:3], moment.state()["turn"], "Nobody"]
    for _ in range(30):
        action = {
            "type": data.draw(st.sampled_from(["request", "lay", "end-turn", "flip", "slap", "collect", "nap", 1])),
            "player": data.draw(st.sampled_from(people)),
            "target": data.draw(st.sampled_from(people)),
            "rank": data.draw(st.sampled_from(["A", "6", "Q", "K", "JK", "six"])),
            "quantity": data.draw(st.sampled_from([0, 1, 9, "3"])),
            "players": data.draw(st.lists(st.sampled_from(people), max_size=2)),
        }
        refusal = why_not(moment, action)
        if refusal is not None:
            told = [explain(refusal, language) for language in LANGUAGES]
            assert len(set(told)) == len(LANGUAGES)
            for sentence in told:
                assert_well_said(sentence)
            assert set(refusal.rules) <= set(RULES)


def why_not(game: Game, action: Wire) -> Refusal | None:
    try:
        game.play(game.read_action(action))
    except Refusal as refusal:
        return refusal
    return None


@pytest.mark.parametrize(
    ("rank", "named"),
    [
        ("K", {"en": "no king", "es": "ningún rey", "pt": "nenhum rei"}),
        ("Q", {"en": "no queen", "es": "ninguna dama", "pt": "nenhuma dama"}),
    ],
)
def test_a_learner_is_told_what_is_missing_and_that_a_laid_book_does_not_help(rank: str, named: dict[str, str]) -> None:
    refusal = refused(backstab(), Request("Anton", "Vera", rank, 1))
    book = {"en": "book", "es": "cuarteto", "pt": "quarteto"}
    for language in LANGUAGES:
        assert named[language] in explain(refusal, language)
        assert book[language] in explain(refusal, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "name", ["x" * 5000, "{player}", "{0}", "%s", "<script>", "a\nb\x00\x1b[31m", "\u202e6", "\ud800"]
)
def test_a_refusal_repeats_odd_names_safely(language: str, name: str) -> None:
    refusal = refused(backstab(), Request(name, "Lena", "6", 1))
    sentence = explain(refusal, language)
    assert len(sentence) < 150
    assert sentence.isprintable()
    refusal = refused(backstab(), Request("Anton", "Lena", name, 1))
    assert refusal.code == "unknown-rank"
    assert explain(refusal, language).isprintable()
