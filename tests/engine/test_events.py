"""Events tell the whole story, each under rules that there are."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewalk import RULES, Game, Request
from rulewalk.catalogue import rank_of

from . import folding
from .kit import GAMES, NAMES, Wire, at_random, positions, records


def starts(game: str) -> st.SearchStrategy[Wire]:
    return records(game) if game == "egyptian-ratscrew" else st.one_of(records(game), positions(game))


@st.composite
def played(draw: st.DrawFn, game: str) -> list[Game]:
    """Draw a random game, or the beginning of one, as its moments."""
    limit = draw(st.sampled_from([20, 200, 2000]))
    return list(at_random(Game.from_record(draw(starts(game))), draw(st.integers(0, 999)), limit))


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_events_alone_redraw_every_state(game: str, data: st.DataObject) -> None:
    moments = data.draw(played(game))
    redrawn = list(folding.states([moment.events() for moment in moments]))
    assert redrawn == [moment.state() for moment in moments]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_what_a_viewer_learns_redraws_what_they_see(game: str, data: st.DataObject) -> None:
    moments = data.draw(played(game))
    viewer = data.draw(st.sampled_from(moments[0].record()["players"]))
    redrawn = list(folding.states([moment.events(viewer) for moment in moments]))
    assert redrawn == [moment.state(viewer) for moment in moments]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=15)
@given(data=st.data())
def test_each_event_has_type_rules_and_nothing_but_json(game: str, data: st.DataObject) -> None:
    prefix = {"backstab-fish": "BF-", "go-fish": "GF-", "egyptian-ratscrew": "ER-"}[game]
    for moment in data.draw(played(game)):
        events = moment.events()
        assert events
        for event in events:
            assert next(iter(event)) == "type"
            assert isinstance(event["rules"], list)
            assert len(set(event["rules"])) == len(event["rules"])
            assert event["rules"] or event["type"] == "arrange"  # somebody set the table, no rule did
            assert all(number in RULES and number.startswith(prefix) for number in event["rules"])
            assert _is_json(event)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=10)
@given(data=st.data())
def test_a_game_begins_with_its_cards_and_ends_with_its_winners(game: str, data: st.DataObject) -> None:
    moments = data.draw(played(game))
    kinds = [[event["type"] for event in moment.events()] for moment in moments]
    assert kinds[0][0] in ("deal", "arrange")
    assert not any(kind in ("deal", "arrange") for step in kinds[1:] for kind in step)
    assert [step for step, happened in enumerate(kinds) if "over" in happened] == (
        [len(kinds) - 1] if moments[-1].is_over else []
    )
    if moments[-1].is_over:
        assert kinds[-1][-1] == "over"


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=10)
@given(data=st.data())
def test_every_action_tells_of_itself_first(game: str, data: st.DataObject) -> None:
    first = {
        "request": "request",
        "lay": "lay",
        "end-turn": "turn",
        "flip": "flip",
        "slap": "slap",
        "collect": "gather",
    }
    for moment in data.draw(played(game))[1:]:
        assert moment.action is not None
        assert moment.events()[0]["type"] == first[moment.action.type]


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish"])
@settings(max_examples=10)
@given(data=st.data())
def test_a_request_and_its_answer_name_who_asked_whom_for_what(game: str, data: st.DataObject) -> None:
    for moment in data.draw(played(game))[1:]:
        if isinstance(asked := moment.action, Request):
            request, answer, *_ = moment.events()
            number = {} if asked.quantity is None else {"quantity": asked.quantity}
            wish = {"rank": asked.rank, **number}
            names = {"player": asked.player, "target": asked.target}
            assert without_rules(request) == {"type": "request", **names, **wish}
            answered = {"player": asked.target, "target": asked.player}
            if answer["type"] == "refuse":
                assert without_rules(answer) == {"type": "refuse", **answered, **wish}
            else:
                cards = answer["cards"]
                assert without_rules(answer) == {"type": "give", **answered, "rank": asked.rank, "cards": cards}
                assert {rank_of(card) for card in cards} == {asked.rank}


def without_rules(event: Wire) -> Wire:
    return {key: value for key, value in event.items() if key != "rules"}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_done_with_an_event_does_not_change_the_game(game: str) -> None:
    moment = Game.from_record({"game": game, "players": list(NAMES[:4]), "deal": {"seed": 3}})
    before = deepcopy((moment.events(), moment.state(), moment.record()))
    for viewer in (None, "Lena"):
        for told in (moment.events(viewer), moment.state(viewer), moment.record()):
            _spoil(told)
    assert (moment.events(), moment.state(), moment.record()) == before


def _spoil(value: Any) -> None:
    """Empty everything that a caller was given."""
    inner = list(value.values()) if isinstance(value, dict) else list(value)
    for item in inner:
        if isinstance(item, (dict, list)):
            _spoil(item)
    value.clear()


def _is_json(value: Any) -> bool:
    match value:
        case dict():
            return all(isinstance(key, str) and _is_json(item) for key, item in value.items())
        case list():
            return all(_is_json(item) for item in value)
        case _:
            return value is None or isinstance(value, (str, int))
