"""The library's face: games that never change, that can be compared, hashed, pickled and copied."""

import copy
import dataclasses
import doctest
import importlib
import pickle
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulewalk
from rulewalk import RULES, Collect, EndTurn, Flip, Game, Lay, Refusal, Request, Rule, Slap, replay
from rulewalk.actions import players_of, to_wire
from rulewalk.cards import RANKS

from .kit import GAMES, Wire, at_random, record, records, refused

MODULES = [f"rulewalk.{module.name}" for module in pkgutil.iter_modules(rulewalk.__path__) if module.name != "__main__"]


@pytest.mark.parametrize("name", ["rulewalk", *MODULES])
def test_the_examples_in_a_module_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


@pytest.mark.parametrize("name", ["rulewalk", *MODULES])
def test_every_module_says_what_lives_in_it(name: str) -> None:
    assert importlib.import_module(name).__doc__


def test_everything_public_is_there_and_says_what_it_is() -> None:
    assert sorted(rulewalk.__all__, key=str.lower) == sorted(set(rulewalk.__all__), key=str.lower)
    for name in rulewalk.__all__:
        thing = getattr(rulewalk, name)
        if callable(thing):
            assert thing.__doc__, name
    assert (Path(rulewalk.__file__).parent / "py.typed").is_file()


def test_public_methods_of_a_game_say_what_they_do() -> None:
    for name, member in vars(Game).items():
        if not name.startswith("_") and (callable(member) or isinstance(member, (property, classmethod))):
            assert member.__doc__, name


# ---- Actions


ACTIONS = [
    Request("Anton", "Lena", "6", 3),
    Request("Anton", "Lena", "6"),
    Lay("Anton", "6"),
    EndTurn("Anton"),
    Flip("Anton"),
    Collect("Anton"),
    Slap(("Anton",)),
    Slap(("Anton", "Lena"), "Lena"),
    Slap(("Anton", "Lena")),
]


def test_actions_are_equal_when_they_wish_the_same_and_only_then() -> None:
    for i, one in enumerate(ACTIONS):
        for j, two in enumerate(copy.deepcopy(ACTIONS)):
            assert (one == two) is (i == j)
            assert (hash(one) == hash(two)) or i != j
    assert len(set(ACTIONS)) == len(ACTIONS)


def test_an_action_holds_nothing_of_its_outcome() -> None:
    assert [field.name for field in dataclasses.fields(Request)] == ["player", "target", "rank", "quantity"]
    assert [field.name for field in dataclasses.fields(Lay)] == ["player", "rank"]
    assert [field.name for field in dataclasses.fields(Slap)] == ["players", "lowest"]
    for kind in (EndTurn, Flip, Collect):
        assert [field.name for field in dataclasses.fields(kind)] == ["player"]


@pytest.mark.parametrize("action", ACTIONS)
def test_an_action_never_changes_and_goes_through_pickle(action: Any) -> None:
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
        action.player = "Vera"
    assert pickle.loads(pickle.dumps(action)) == action
    assert players_of(action) == (
        ("Anton", "Lena") if getattr(action, "players", ("Anton",)) != ("Anton",) else ("Anton",)
    )


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_action_is_the_same_after_a_way_over_the_wire(game: str) -> None:
    for moment in at_random(Game.from_record(record(game)), 2, 60):
        for action in moment.legal():
            assert moment.read_action(to_wire(action)) == action


# ---- Games


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=10)
@given(data=st.data())
def test_a_game_goes_through_pickle_and_copy_with_its_whole_history(game: str, data: st.DataObject) -> None:
    *_, moment = at_random(Game.from_record(data.draw(records(game))), data.draw(st.integers(0, 99)), 30)
    for other in (pickle.loads(pickle.dumps(moment)), copy.deepcopy(moment), copy.copy(moment)):
        assert other == moment
        assert hash(other) == hash(moment)
        assert other.actions == moment.actions
        assert [before.state() for before in other.history()] == [before.state() for before in moment.history()]
        assert other.events() == moment.events()


def test_a_long_game_goes_through_pickle_too() -> None:
    *_, moment = at_random(Game.from_record(record("backstab-fish", players=10)), 3)
    assert len(moment.history()) > 300
    assert pickle.loads(pickle.dumps(moment)) == moment


@pytest.mark.parametrize("game", GAMES)
def test_games_with_the_same_record_are_equal_and_others_are_not(game: str) -> None:
    one, two = Game.from_record(record(game)), Game.from_record(record(game, dealer="Vera"))
    assert one == two
    assert hash(one) == hash(two)
    assert one != Game.from_record(record(game, dealer="Anton"))
    assert one != Game.from_record(record(game, deal={"seed": 8}))
    assert one != one.play(one.legal()[0])
    assert one.play(one.legal()[0]) == two.play(two.legal()[0])
    assert one != "a game"
    assert {one: 1}[two] == 1


def test_the_same_position_reached_another_way_is_the_same() -> None:
    deck = Game.from_record(record("go-fish"))
    table = Game.from_record(record("go-fish", deal={"table": deck.state()}))
    assert deck.position == table.position
    assert hash(deck.position) == hash(table.position)
    assert deck != table  # but not the same game


@pytest.mark.parametrize("game", GAMES)
def test_playing_gives_another_game_and_leaves_this_one(game: str) -> None:
    before = Game.from_record(record(game))
    state = before.state()
    after = before.play(before.legal()[0])
    assert after is not before
    assert after.before is before
    assert (before.state(), before.actions) == (state, [])
    assert after.actions == [before.legal()[0]]
    assert after.history() == [before, after]
    with pytest.raises(dataclasses.FrozenInstanceError):
        after.action = None  # type: ignore[misc]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_caller_does_with_a_record_afterwards_does_not_change_the_game(game: str) -> None:
    table = Game.from_record(record(game)).state()
    for deal in ({"seed": 7}, {"table": table}):
        given_ = record(game, deal=copy.deepcopy(deal), agreements={})
        moment = Game.from_record(given_)
        before = copy.deepcopy((moment.state(), moment.record(), moment.events()))
        given_["players"].reverse()
        given_["deal"].clear()
        given_["agreements"]["x"] = 1
        moment.record()["deal"].clear()
        for value in moment.state().values():
            if hasattr(value, "clear"):
                value.clear()
        moment.legal().clear()
        assert (moment.state(), moment.record(), moment.events()) == before


@pytest.mark.parametrize("game", GAMES)
def test_a_game_and_the_replay_of_its_record_agree(game: str) -> None:
    *_, moment = at_random(Game.from_record(record(game)), 9, 40)
    result = replay(moment.record())
    assert result["states"][-1] == moment.state()
    assert result["events"][-1] == moment.events()
    assert result["legal"] == [to_wire(action) for action in moment.legal()]
    assert Game.from_record(moment.record()).record() == moment.record()


def test_legal_actions_come_in_a_fixed_order() -> None:
    """By player in turn first, then by opponents clockwise as they sit, ranks in canonical order, numbers upwards."""
    for game in ("backstab-fish", "go-fish"):
        moment = Game.from_record(record(game))
        requests = [action for action in moment.legal() if isinstance(action, Request)]
        seats = list(moment.state()["hands"])
        order = [(seats.index(action.target), RANKS.index(action.rank), action.quantity or 0) for action in requests]
        assert order == sorted(order)
        assert moment.legal() == moment.legal()


# ---- Refusals and rules


def test_a_refusal_goes_through_pickle_with_all_it_says() -> None:
    refusal = refused(Game.from_record(record("go-fish")), Request("Anton", "Anton", "6"))
    other = pickle.loads(pickle.dumps(refusal))
    assert (other.code, other.rules, other.about, other.index, other.details) == (
        refusal.code,
        refusal.rules,
        refusal.about,
        refusal.index,
        refusal.details,
    )
    assert str(other) == str(refusal)


@pytest.mark.parametrize(
    ("refusal", "shown"),
    [
        (Refusal("game-over", ("GF-4.1",)), "game-over (GF-4.1)"),
        (Refusal("malformed"), "malformed"),
        (Refusal("rank-not-held", ("GF-3.1", "GF-4.3"), index=4), "rank-not-held at action 4 (GF-3.1, GF-4.3)"),
        (Refusal("malformed", index=0), "malformed at action 0"),
    ],
)
def test_a_refusal_shows_code_place_and_rules(refusal: Refusal, shown: str) -> None:
    assert str(refusal) == shown


COUNTS = {"BF": [3, 10, 11, 7, 9, 5, 3], "GF": [4, 5, 14, 5, 2], "ER": [4, 7, 6, 14, 8, 3]}


def test_every_rule_of_the_spec_is_registered_once() -> None:
    numbers = [
        f"{game}-{section}.{i}"
        for game, counts in COUNTS.items()
        for section, n in enumerate(counts, 1)
        for i in range(1, n + 1)
    ]
    assert list(RULES) == numbers
    assert {rule.kind for rule in RULES.values()} == {"source", "home", "ruling", "example", "setting"}


def test_a_rule_knows_its_game_and_its_anchor() -> None:
    assert RULES["BF-3.11"] == Rule("BF-3.11", "ruling")
    assert (RULES["BF-3.11"].game, RULES["BF-3.11"].anchor) == ("backstab-fish", "bf-3-11")
    assert {rule.game for rule in RULES.values()} == set(GAMES)
    assert len({rule.anchor for rule in RULES.values()}) == len(RULES)


SPEC_KINDS: Wire = {"GF-1.3": "home", "GF-4.4": "home", "GF-3.12": "ruling", "BF-2.7": "home", "BF-7.2": "setting"}


@pytest.mark.parametrize(("number", "kind"), SPEC_KINDS.items())
def test_a_rule_is_of_the_kind_that_the_spec_says(number: str, kind: str) -> None:
    assert RULES[number].kind == kind
