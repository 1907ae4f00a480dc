"""What a player may see, and nothing more.

Three ways of asking: every face in a view is one that the viewer may know; two games that differ only in what the
viewer cannot know look the same to them; and building a view changes nothing.
"""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewalk import EndTurn, Game, Lay, Refusal, Request, replay
from rulewalk.actions import to_wire
from rulewalk.cards import CODES
from rulewalk.record import RULESETS

from .kit import GAMES, LANGUAGES, Wire, at_random, positions, record, records, table, told


def faces(value: Any) -> Iterator[str]:
    """Yield every card whose face a JSON value shows."""
    match value:
        case dict():
            for item in value.values():
                yield from faces(item)
        case list():
            for item in value:
                yield from faces(item)
        case str() if value in CODES and value != "JK":
            yield value
        case _:
            pass  # a joker's code is its rank too; its places are counted below by the other cards'


def may_know(event: Wire, viewer: str) -> Wire:
    """Return of a whole event what ``viewer`` may know, written down once more from the rules.

    A dealt or drawn card is seen by its owner, or by all who are shown it; a card given by the two who hand it over;
    a packet by nobody.
    """
    seen = {key: value for key, value in event.items() if key != "rules"}
    kind, mine = event["type"], viewer in (event.get("player"), event.get("target"))
    if kind == "deal" and "hands" in event:
        seen |= {"hands": {name: cards if name == viewer else len(cards) for name, cards in event["hands"].items()}}
        seen |= {"stock": len(event["stock"])}
    elif kind == "deal":
        seen |= {"packets": {name: len(cards) for name, cards in event["packets"].items()}}
    elif kind == "arrange":
        seen |= {"state": may_see(event["state"], viewer)}
    elif kind in ("give", "draw", "refill") and not mine and not event.get("shown"):
        seen |= {"cards": len(event["cards"])}
    elif kind == "penalty":
        seen |= {"card": None}
    elif kind == "gather":
        hidden = event["hidden"]
        seen |= {"cards": [None] * hidden + event["cards"][hidden:]}
    return seen


def may_see(state: Wire, viewer: str) -> Wire:
    """Return of a whole state what ``viewer`` may see."""
    if "packets" in state:
        hidden = state["hidden"]
        packets = {name: len(cards) for name, cards in state["packets"].items()}
        return {**state, "packets": packets, "centre": [None] * hidden + state["centre"][hidden:]}
    hands = {name: cards if name == viewer else len(cards) for name, cards in state["hands"].items()}
    return {**state, "hands": hands, "stock": len(state["stock"])}


def without_rules(events: list[Wire]) -> list[Wire]:
    return [{key: value for key, value in event.items() if key != "rules"} for event in events]


def tell(moments: list[Game], viewer: str) -> tuple[Any, ...]:
    """Return everything that the engine tells ``viewer`` of a game."""
    seen = [(game.state(viewer), game.events(viewer), game.legal(viewer)) for game in moments]
    return seen, [replay(moments[-1].record(), viewer=viewer, say=True, language=code) for code in LANGUAGES]


@pytest.mark.rule("GF-2.5")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20)
@given(data=st.data())
def test_a_view_shows_what_its_viewer_may_know(game: str, data: st.DataObject) -> None:
    start = data.draw(records(game) if game == "egyptian-ratscrew" else st.one_of(records(game), positions(game)))
    viewer = data.draw(st.sampled_from(start["players"]))
    for moment in at_random(Game.from_record(start), data.draw(st.integers(0, 99)), 150):
        assert moment.state(viewer) == may_see(moment.state(), viewer)
        assert without_rules(moment.events(viewer)) == [may_know(event, viewer) for event in moment.events()]


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish"])
@settings(max_examples=20)
@given(data=st.data())
def test_a_card_that_was_never_shown_is_in_no_view_of_the_whole_game(game: str, data: st.DataObject) -> None:
    """A memory of every face a player has come by lawfully: no view has another, at any time."""
    start = data.draw(records(game))
    viewer = data.draw(st.sampled_from(start["players"]))
    memory: set[str] = set()
    for moment in at_random(Game.from_record(start), data.draw(st.integers(0, 99)), 60):
        memory |= set(moment.state()["hands"][viewer])
        for event in moment.events():
            if event["type"] == "lay" or event.get("shown") or viewer in (event.get("player"), event.get("target")):
                memory |= set(faces(event.get("cards", [])))
        told = moment.state(viewer), moment.events(viewer), [to_wire(action) for action in moment.legal(viewer)]
        assert set(faces(list(told))) <= memory


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25)
@given(data=st.data())
def test_two_games_that_a_viewer_cannot_tell_apart_look_the_same(game: str, data: st.DataObject) -> None:
    """Swap two cards and play the same: where what the viewer may know is the same, so is what they get.

    This holds the rules under each event too: that a rule is named must not tell of a hidden card.
    """
    chance = random.Random(data.draw(st.integers(0, 2**32 - 1)))
    middle = game != "egyptian-ratscrew" and chance.random() < 0.7
    start = data.draw(positions(game) if middle else records(game))
    if not middle:
        pack = [CODES[card] for card in RULESETS[game].pack]
        start["deal"] = {"deck": chance.sample(pack, len(pack))}
    moments = list(at_random(Game.from_record(start), chance.randrange(1000), chance.choice([0, 3, 10, 30])))
    viewer = chance.choice(start["players"])
    for _ in range(12):
        other = _same_actions({**start, "deal": _with_two_swapped(start["deal"], chance)}, moments)
        if other is not None and _known(moments, viewer) == _known(other, viewer):
            assert tell(moments, viewer) == tell(other, viewer)


def _with_two_swapped(deal: Wire, chance: random.Random) -> Wire:
    """Return a deal in which two cards, in hands or in the stock, have changed places."""
    other = deepcopy(deal)
    table_ = other.get("table")
    places = [other["deck"]] if table_ is None else [*table_["hands"].values(), table_["stock"]]
    cards = [(place, index) for place in places for index in range(len(place))]
    if len(cards) >= 2:
        (here, i), (there, j) = chance.sample(cards, 2)
        here[i], there[j] = there[j], here[i]
    return other


def _same_actions(start: Wire, moments: list[Game]) -> list[Game] | None:
    """Return the moments of ``start`` played with the same actions, None where one is illegal."""
    game = Game.from_record(start)
    others = [game]
    for moment in moments[1:]:
        assert moment.action is not None
        try:
            others.append(game := game.play(moment.action))
        except Refusal:
            return None
    return others


def _known(moments: list[Game], viewer: str) -> list[Any]:
    """Return what ``viewer`` may know of each moment; that includes what they may lay, or ask for."""
    return [
        (may_see(moment.state(), viewer), [may_know(event, viewer) for event in moment.events()]) for moment in moments
    ]


# ---- Single leaks that would be easy to overlook

HANDS = {"Anton": "6S 9H", "Lena": "6H 6D 7S", "Boris": "QS", "Vera": "AS"}


def test_that_a_draw_matched_is_known_to_whoever_drew() -> None:
    for stock in ("6C KC", "KC 6C"):
        game = table("backstab-fish", turn="Anton", hands=HANDS, stock=stock).play(Request("Anton", "Boris", "6", 1))
        assert told(game, "draw", "Boris") == {"type": "draw", "player": "Anton", "cards": 1, "rules": ["BF-3.6"]}
        assert told(game, "draw", "Anton")["cards"] == [stock.split()[0]]


def test_that_a_book_was_broken_is_known_to_whoever_kept_it() -> None:
    for anton in ("6S 6H 6D 6C", "6S 6H 6D 9C"):
        game = table("backstab-fish", turn="Boris", hands={**HANDS, "Lena": "7S", "Anton": anton, "Boris": "6S QS"})
        game = game.play(Request("Boris", "Anton", "6", 2))
        for viewer in ("Boris", "Vera"):
            assert told(game, "give", viewer)["rules"] == ["BF-3.3"]


def test_a_refusal_does_not_tell_whether_the_hand_has_one_of_the_rank() -> None:
    for lena in ("6H 7S", "7H 7S"):
        game = table("backstab-fish", turn="Anton", hands={**HANDS, "Lena": lena}, books={"Lena": ["6"]}, stock="KC")
        assert told(game.play(Request("Anton", "Lena", "6", 2)), "refuse", "Anton")["rules"] == ["BF-3.5", "BF-2.6"]


def test_a_card_drawn_unseen_is_still_unseen_by_others_when_it_is_given_on() -> None:
    game = table("backstab-fish", turn="Anton", hands=HANDS, stock="6C KC").play(Request("Anton", "Lena", "6", 3))
    given_on = game.play(Request("Lena", "Anton", "6", 2))
    assert told(given_on, "give", "Lena")["cards"] == ["6S", "6C"]
    assert told(given_on, "give", "Vera")["cards"] == 2


def test_cards_drawn_into_an_emptied_hand_are_known_to_its_owner() -> None:
    game = table("backstab-fish", turn="Anton", hands={**HANDS, "Lena": "6H 6D"}, stock="KC 2C")
    emptied = game.play(Request("Anton", "Lena", "6", 2))
    assert told(emptied, "refill", "Lena")["cards"] == ["KC", "2C"]
    assert [told(emptied, "refill", viewer)["cards"] for viewer in ("Anton", "Boris", "Vera")] == [2, 2, 2]


def test_the_legal_actions_of_others_would_tell_what_they_hold() -> None:
    game = table("backstab-fish", phase="opening", turn="Anton", hands={**HANDS, "Lena": "7S 7H 7D 7C"}, stock="KC")
    assert Lay("Lena", "7") in game.legal()
    assert game.legal("Lena") == [Lay("Lena", "7")]
    assert game.legal("Boris") == []
    assert all(
        action.player == "Anton" for action in game.legal("Anton") if isinstance(action, (Request, Lay, EndTurn))
    )
    record_ = game.record()
    assert replay(record_, viewer="Boris")["legal"] == []


def test_go_fish_hides_what_was_fished_unless_it_is_the_rank_asked_for() -> None:
    for stock, seen in [("KC 2C", 1), ("6C 2C", ["6C"])]:
        game = table("go-fish", turn="Anton", hands=HANDS, stock=stock).play(Request("Anton", "Boris", "6"))
        assert told(game, "draw", "Vera")["cards"] == seen
        assert told(game, "draw", "Anton")["cards"] == stock.split()[:1]


def test_go_fish_hides_a_card_drawn_into_an_empty_hand() -> None:
    game = table("go-fish", turn="Anton", hands={**HANDS, "Lena": ""}, stock="KC 2C").play(
        Request("Anton", "Boris", "6")
    )
    drawn = [event["cards"] for event in game.events("Vera") if event["type"] == "draw"]
    assert drawn == [1, 1]


# ---- The view itself


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=10)
@given(data=st.data())
def test_building_a_view_changes_nothing(game: str, data: st.DataObject) -> None:
    start = data.draw(records(game))
    *_, moment = at_random(Game.from_record(start), data.draw(st.integers(0, 99)), 40)
    before = deepcopy((moment.state(), moment.events(), moment.legal(), moment.record(), moment.position))
    for viewer in start["players"]:
        moment.state(viewer), moment.events(viewer), moment.legal(viewer)
    assert (moment.state(), moment.events(), moment.legal(), moment.record(), moment.position) == before


@pytest.mark.parametrize("game", GAMES)
def test_a_view_keeps_the_shape_and_order_of_the_whole(game: str) -> None:
    moment = Game.from_record(record(game))
    whole, seen = moment.state(), moment.state("Lena")
    assert list(seen) == list(whole)
    assert [list(event) for event in moment.events("Lena")] == [list(event) for event in moment.events()]
    json.dumps(seen)


def test_a_stranger_sees_nothing() -> None:
    moment = Game.from_record(record("go-fish"))
    for ask in (moment.state, moment.events, moment.legal):
        with pytest.raises(Refusal) as refusal:
            ask("Nobody")
        assert refusal.value.code == "unknown-player"
    result = replay(record("go-fish"), viewer="Nobody")
    assert (result["states"], result["events"], result["legal"]) == ([], [], [])
    assert (result["error"]["code"], result["error"]["index"]) == ("unknown-player", None)
