"""Backstab Fish and Go Fish as they are played: what holds in every game, whatever is done.

The engine is held to `fish_model`, the rules written down a second time; from deals and from positions in the
middle of a game, with every agreement.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rulewalk import EndTurn, Game, Lay, Refusal, Request, replay
from rulewalk.actions import to_wire
from rulewalk.cards import CODES, TWO_PACKS, codes
from rulewalk.record import RULESETS

from . import fish_model
from .kit import Wire, at_random, positions, record, records

FISH = ("backstab-fish", "go-fish")


def expected(game: Game, action: Wire) -> Wire:
    """Return the state that the model has after ``action``."""
    state = game.state()
    if game.record()["game"] == "go-fish":
        return fish_model.play_go_fish(state, action)
    return fish_model.play_backstab_fish(state, action, game.record()["agreements"])


def outcome(game: Game, action: Wire) -> str | None:
    """Return the code by which an action is refused, None where it is played."""
    try:
        game.play(game.read_action(action))
    except Refusal as refusal:
        return refusal.code
    return None


def every_action(game: Game) -> Iterator[Wire]:
    """Yield every well-formed action, and some that name a stranger, a rank that is none, or a number too large."""
    people, ranks = [*game.record()["players"], "Nobody"], [*fish_model.RANKS, "1", "six"]
    backstab = game.record()["game"] == "backstab-fish"
    turn = game.state()["turn"]
    for player in people:
        yield {"type": "end-turn", "player": player}
        yield {"type": "flip", "player": player}
        for rank in ranks:
            yield {"type": "lay", "player": player, "rank": rank}
            # Who is not in turn is refused whomever they ask for whatever number: one of each is enough.
            for target in people if player == turn else people[:1]:
                asked = {"type": "request", "player": player, "target": target, "rank": rank}
                numbers = range(-1, 10) if player == turn else (1,)
                yield from ({**asked, "quantity": number} for number in numbers) if backstab else (asked,)


class FishPlay(RuleBasedStateMachine):
    """A game of fish, move by move, beside the model's."""

    name: ClassVar[str]
    game: Game

    def __init__(self) -> None:
        super().__init__()
        self.pack = Counter(codes(RULESETS[self.name].pack))

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        self.game = Game.from_record(data.draw(st.one_of(records(self.name), positions(self.name))))

    @precondition(lambda self: not self.game.is_over)
    @rule(data=st.data())
    def play_something_legal(self, data: st.DataObject) -> None:
        legal = self.game.legal()
        kind = data.draw(st.sampled_from(sorted({action.type for action in legal})))
        action = data.draw(st.sampled_from([action for action in legal if action.type == kind]))
        after = self.game.play(action)
        assert after.state() == expected(self.game, to_wire(action))
        assert after.before is self.game
        self.game = after

    @precondition(lambda self: not self.game.is_over)
    @rule(data=st.data())
    def ask_for_what_is_there(self, data: st.DataObject) -> None:
        """Without this a game seldom gets anywhere: most requests of Backstab Fish ask for too many."""
        hands = self.game.state()["hands"]
        met = [
            action
            for action in self.game.legal()
            if isinstance(action, Request)
            and sum(fish_model.rank_of(card) == action.rank for card in hands[action.target]) >= (action.quantity or 1)
        ]
        if met:
            action = data.draw(st.sampled_from(met))
            after = self.game.play(action)
            assert after.state() == expected(self.game, to_wire(action))
            self.game = after

    @rule()
    def try_everything(self) -> None:
        """Every action is legal that the model calls so, and every other one is refused for the model's reason."""
        name, state = self.name, self.game.state()
        legal = []
        for action in every_action(self.game):
            why_not = fish_model.why_not(name, state, action)
            assert outcome(self.game, action) == why_not, action
            if why_not is None:
                legal.append(action)
        listed = [to_wire(action) for action in self.game.legal()]
        assert sorted(map(json.dumps, listed)) == sorted(map(json.dumps, legal))
        assert self.game.state() == state

    @invariant()
    def no_card_is_lost_or_doubled(self) -> None:
        state = self.game.state()
        loose = Counter(state["stock"])
        loose.update(card for cards in state["hands"].values() for card in cards)
        assert loose <= self.pack
        ranks = Counter(fish_model.rank_of(card) for card in loose.elements())
        for rank in (rank for laid in state["books"].values() for rank in laid):
            ranks[rank] += 4
        whole: Counter[str] = Counter()
        for card, count in self.pack.items():
            whole[fish_model.rank_of(card)] += count
        assert ranks == whole

    @invariant()
    def the_state_is_as_the_wire_has_it(self) -> None:
        state = self.game.state()
        players = self.game.record()["players"]
        assert list(state) == ["phase", "turn", "next", "hands", "books", "stock", "scores", "winners"]
        assert [list(state[place]) for place in ("hands", "books", "scores")] == [players] * 3
        assert json.loads(json.dumps(state)) == state
        for cards in state["hands"].values():
            assert cards == sorted(cards, key=CODES.index)
        assert (state["next"] is not None) == (state["phase"] == "after-draw")
        assert (state["turn"] is None) == self.game.is_over == (state["phase"] == "over") == bool(state["winners"])

    @invariant()
    def a_game_goes_on_until_all_books_are_laid(self) -> None:
        state = self.game.state()
        left = sum(map(len, state["hands"].values())) + len(state["stock"])
        assert self.game.is_over == (left == 0)
        assert bool(self.game.legal()) != self.game.is_over

    @invariant()
    def nobody_is_without_cards_while_backstab_fish_has_stock(self) -> None:
        state = self.game.state()
        if self.name == "backstab-fish" and state["stock"]:
            assert all(state["hands"].values())

    @invariant()
    def go_fish_keeps_no_book_in_hand_and_nobody_has_an_empty_turn(self) -> None:
        state = self.game.state()
        if self.name == "go-fish":
            assert not any(fish_model.complete(state, player) for player in state["hands"])
        assert self.game.is_over or state["hands"][state["turn"]]

    def teardown(self) -> None:
        """The record replays to itself: each state and each event again."""
        if not hasattr(self, "game"):
            return
        again = replay(json.loads(json.dumps(self.game.record())))
        assert again["error"] is None
        moments = self.game.history()
        assert again["states"] == [moment.state() for moment in moments]
        assert again["events"] == [moment.events() for moment in moments]
        assert again["legal"] == [to_wire(action) for action in self.game.legal()]
        assert Game.from_record(self.game.record()) == self.game


class BackstabFishPlay(FishPlay):
    name = "backstab-fish"


class GoFishPlay(FishPlay):
    name = "go-fish"


TestBackstabFishPlay = BackstabFishPlay.TestCase
TestGoFishPlay = GoFishPlay.TestCase
TestBackstabFishPlay.settings = settings(max_examples=30, stateful_step_count=20)
TestGoFishPlay.settings = settings(max_examples=40, stateful_step_count=30)


@pytest.mark.parametrize("game", FISH)
@settings(max_examples=8)
@given(data=st.data())
def test_a_whole_random_game_goes_as_the_model_has_it(game: str, data: st.DataObject) -> None:
    start = data.draw(records(game))
    before: Game | None = None
    for moment in at_random(Game.from_record(start), data.draw(st.integers(0, 99))):
        if before is not None and moment.action is not None:
            assert moment.state() == expected(before, to_wire(moment.action))
        before = moment
    assert before is not None
    assert before.is_over


@pytest.mark.parametrize("game", FISH)
@given(data=st.data())
def test_the_same_seed_is_the_same_game(game: str, data: st.DataObject) -> None:
    start = data.draw(records(game))
    assert replay(start) == replay(start)


@pytest.mark.rule("BF-5.9")
@given(start=st.one_of(records("backstab-fish"), positions("backstab-fish")))
def test_backstab_fish_can_always_end(start: Wire) -> None:
    """From every position: lay what is complete, ask for all that is there, else be refused and draw.

    Each step leaves fewer books to lay, fewer hands that share a rank, or less stock. Where there is no stock and
    nothing is shared, every rank in hand is whole, so that something can be laid.
    """
    game = Game.from_record(start)
    for _ in range(600):
        if game.is_over:
            break
        game = game.play(_towards_the_end(game))
    assert game.is_over
    assert sum(map(len, game.state()["books"].values())) == 27


def _towards_the_end(game: Game) -> Lay | EndTurn | Request:
    state, legal = game.state(), game.legal()
    if laying := [action for action in legal if isinstance(action, Lay)]:
        return laying[0]
    requests = [action for action in legal if isinstance(action, Request)]
    for action in requests:
        there = len(fish_model.held(state, action.target, action.rank))
        if action.quantity == there:
            return action
    assert state["stock"], "without stock there is always something to lay or to get"
    return requests[-1]


@pytest.mark.rule("BF-5.9")
def test_without_stock_play_could_go_round_for_ever() -> None:
    hands = {"Anton": ["6S", "9H"], "Lena": ["6H", "9S"], "Boris": [], "Vera": []}
    refusals: list[Any] = [
        {"type": "request", "player": player, "target": target, "rank": "6", "quantity": 2}
        for player, target in [("Anton", "Lena"), ("Lena", "Anton")] * 20
    ]
    start = record("backstab-fish", *refusals, deal={"table": {"turn": "Anton", "hands": hands}})
    states = replay(start)["states"]
    assert len(states) == 41
    assert states[0] == states[2] == states[40]


def test_the_pack_of_the_model_is_the_engines() -> None:
    assert set(codes(TWO_PACKS)) == set(fish_model.ORDER)
    assert list(CODES) == fish_model.ORDER


def test_a_record_with_a_number_out_of_the_ordinary_is_refused_the_same() -> None:
    for number in (10**40, -(10**40)):
        error = replay(
            record(
                "backstab-fish",
                {"type": "request", "player": "Anton", "target": "Lena", "rank": "A", "quantity": number},
            )
        )["error"]
        assert error["code"] in ("quantity-out-of-range", "rank-not-held")
