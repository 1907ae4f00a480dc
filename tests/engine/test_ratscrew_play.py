"""Egyptian Ratscrew as it is played: what holds in every game, whatever is done.

The engine is held to `ratscrew_model`, the rules written down a second time; from deals and from positions in the
middle of a game, with every agreement and two to six players.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rulewalk import Collect, Flip, Game, Refusal, Slap, replay
from rulewalk.actions import to_wire
from rulewalk.cards import CODES

from . import folding
from . import ratscrew_model as model
from .kit import AGREEMENTS, NAMES, Wire, at_random, record, records
from .ratscrew import GAME

PACK = CODES[:52]


@st.composite
def late(draw: st.DrawFn) -> Wire:
    """Draw a record whose table is an end game: few cards in the packets, the rest of the pack in the centre."""
    players = NAMES[: draw(st.integers(2, 6))]
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    cards = list(PACK)
    chance.shuffle(cards)
    sizes = {name: draw(st.sampled_from([0, 0, 1, 2, 3])) for name in players}
    turn = draw(st.sampled_from(players))
    sizes[turn] = max(sizes[turn], 1)
    packets = {name: [cards.pop() for _ in range(size)] for name, size in sizes.items()}
    state: Wire = {"turn": turn, "packets": packets, "centre": cards, "hidden": draw(st.integers(0, 3))}
    if draw(st.booleans()):
        by = draw(st.sampled_from([name for name in players if name != turn]))
        state |= {"phase": "respond", "challenge": {"by": by, "left": draw(st.integers(1, 4))}}
    agreements = draw(st.fixed_dictionaries({}, optional=AGREEMENTS[GAME]))
    return record(GAME, players=len(players), agreements=agreements, deal={"table": state})


def outcome(game: Game, action: Wire) -> str | None:
    """Return the code by which an action is refused, None where it is played."""
    try:
        game.play(game.read_action(action))
    except Refusal as refusal:
        return refusal.code
    return None


def every_action(game: Game) -> Iterator[Wire]:
    """Yield every flip, collect and slap by one or two, also by a stranger, with every lowest hand."""
    people = [*game.record()["players"], "Nobody"]
    for player in people:
        yield {"type": "flip", "player": player}
        yield {"type": "collect", "player": player}
        yield {"type": "slap", "players": [player]}
        yield from ({"type": "slap", "players": [player], "lowest": lowest} for lowest in people[:2])
        for other in people:
            yield {"type": "slap", "players": [player, other]}
            yield {"type": "slap", "players": [player, other], "lowest": other}
    yield {"type": "slap", "players": []}
    yield {"type": "slap", "players": people[:2], "lowest": people[-1]}


class RatscrewPlay(RuleBasedStateMachine):
    """A game of Ratscrew, move by move, beside the model's."""

    game: Game

    @initialize(start=st.one_of(records(GAME), late()))
    def start(self, start: Wire) -> None:
        self.game = Game.from_record(start)
        self.agreements = start["agreements"]
        self.pack = Counter(_cards(self.game.state()))
        self.states = [self.game.state()]

    def _play(self, action: Wire) -> None:
        before = self.game.state()
        after = self.game.play(self.game.read_action(action))
        assert after.state() == model.play(before, action, self.agreements)
        again = self.game.play(self.game.read_action(action))
        assert (again.state(), again.events(), again.position) == (after.state(), after.events(), after.position)
        assert self.game.state() == before
        self.game = after
        self.states.append(after.state())

    @precondition(lambda self: not self.game.is_over)
    @rule(count=st.sampled_from([1, 1, 2, 5, 20]))
    def turn_and_gather(self, count: int) -> None:
        for _ in range(count):
            if not self.game.is_over:
                self._play(to_wire(self.game.legal()[0]))

    @precondition(lambda self: any(isinstance(action, Slap) for action in self.game.legal()))
    @rule(data=st.data())
    def slap(self, data: st.DataObject) -> None:
        slaps = [action for action in self.game.legal() if isinstance(action, Slap)]
        self._play(to_wire(data.draw(st.sampled_from(slaps))))

    @precondition(lambda self: any(isinstance(action, Slap) for action in self.game.legal()))
    @rule(data=st.data())
    def slap_at_one_moment(self, data: st.DataObject) -> None:
        able = [action.players[0] for action in self.game.legal() if isinstance(action, Slap)]
        players = data.draw(st.lists(st.sampled_from(able), min_size=1, unique=True))
        lowest = data.draw(st.sampled_from([None, *players]))
        self._play({"type": "slap", "players": players, "lowest": lowest})

    @precondition(lambda self: not self.game.is_over and model.pattern(self.game.state(), self.agreements))
    @rule(data=st.data())
    def slap_a_pattern(self, data: st.DataObject) -> None:
        """Without this hardly a pattern is slapped in time."""
        able = [name for name in self.game.record()["players"] if name not in self.game.state()["out"]]
        self._play({"type": "slap", "players": [data.draw(st.sampled_from(able))]}) if able else None

    @rule()
    def try_everything(self) -> None:
        """Every action is legal that the model calls so, and every other one is refused for the model's reason."""
        state = self.game.state()
        for action in every_action(self.game):
            assert outcome(self.game, action) == model.why_not(state, action), action
        assert [to_wire(action) for action in self.game.legal()] == model.legal(state)
        assert self.game.state() == state

    @rule()
    def arrange_the_table_as_it_lies(self) -> None:
        again = Game.from_record({**self.game.record(), "deal": {"table": self.game.state()}, "actions": []})
        assert again.state() == self.game.state()
        assert again.legal() == self.game.legal()

    @invariant()
    def no_card_is_lost_or_doubled(self) -> None:
        assert Counter(_cards(self.game.state())) == self.pack

    @invariant()
    def there_is_always_something_to_do(self) -> None:
        if self.game.is_over:
            assert self.game.legal() == []
            return
        first = self.game.legal()[0]
        state = self.game.state()
        match first:
            case Flip(player):
                assert state["packets"][player]
            case Collect():
                assert state["centre"]
            case _:
                pytest.fail(f"nobody may turn or gather: {first}")
        self.game.play(first)

    @invariant()
    def a_state_makes_sense(self) -> None:
        state = self.game.state()
        assert (state["challenge"] is not None) == (state["phase"] in ("respond", "collect"))
        assert (state["turn"] is None) == (state["phase"] == "over") == self.game.is_over
        assert 0 <= state["hidden"] <= len(state["centre"])
        if state["phase"] == "over":
            assert state["winners"] == [name for name, packet in state["packets"].items() if packet]
            assert len(state["winners"]) == (0 if state["centre"] else 1)
        else:
            assert state["winners"] == []
            assert not any(state["packets"][name] for name in state["out"])

    def teardown(self) -> None:
        if not hasattr(self, "game"):
            return
        whole = json.loads(json.dumps(self.game.record()))
        result = replay(whole)
        assert (result["error"], result["states"]) == (None, self.states)
        assert result["events"] == [game.events() for game in self.game.history()]
        again = Game.from_record(whole)
        assert again == self.game
        assert hash(again) == hash(self.game)


def _cards(state: Wire) -> list[str]:
    return [*state["centre"], *(card for packet in state["packets"].values() for card in packet)]


@pytest.mark.rule("ER-2.2", "ER-2.3", "ER-3.5", "ER-4.5", "ER-4.9", "ER-5.1", "ER-5.8")
def test_play_follows_the_rules() -> None:
    run_state_machine_as_test(RatscrewPlay)


@pytest.mark.rule("ER-5.3", "ER-5.4", "ER-4.14")
@given(start=st.one_of(records(GAME), late()), seed=st.integers(0, 2**32 - 1))
def test_whole_games_follow_the_rules(start: Wire, seed: int) -> None:
    """Every move at random, so that packets empty soon and the rare cases at the end come about."""
    game = Game.from_record(start)
    for after in at_random(game, seed, 400):
        if after.action is not None:
            assert after.state() == model.play(game.state(), to_wire(after.action), start["agreements"])
        assert [to_wire(action) for action in after.legal()] == model.legal(after.state())
        game = after


@pytest.mark.rule("ER-2.3", "ER-3.5")
@given(start=records(GAME), seed=st.integers(0, 2**32 - 1))
def test_packets_keep_their_order(start: Wire, seed: int) -> None:
    """A packet loses cards from its top and gains them below, in the order in which the centre lay."""
    game = Game.from_record(start)
    for after in at_random(game, seed, 200):
        was, now = game.state(), after.state()
        for name, packet in now["packets"].items():
            kept = was["packets"][name]
            assert packet in (kept, kept[1:], kept + was["centre"])
        game = after


@pytest.mark.rule("ER-2.6")
@given(start=late(), seed=st.integers(0, 2**32 - 1), suits=st.permutations("SHDC"))
def test_with_other_suits_the_same_game_is_played(start: Wire, seed: int, suits: list[str]) -> None:
    other = str.maketrans("SHDC", "".join(suits))

    def changed(state: Wire) -> Wire:
        swap = {card: card[:-1] + card[-1].translate(other) for card in PACK}
        packets = {name: [swap[card] for card in packet] for name, packet in state["packets"].items()}
        return {**state, "packets": packets, "centre": [swap[card] for card in state["centre"]]}

    played = list(at_random(Game.from_record(start), seed, 60))
    game = Game.from_record({**start, "deal": {"table": changed(start["deal"]["table"])}})
    for step in played:
        if step.action is not None:
            game = game.play(step.action)
        assert game.state() == changed(step.state())


@given(start=st.one_of(records(GAME), late()), seed=st.integers(0, 2**32 - 1))
def test_the_events_tell_every_state(start: Wire, seed: int) -> None:
    moments = list(at_random(Game.from_record(start), seed, 300))
    redrawn = list(folding.states([moment.events() for moment in moments]))
    assert redrawn == [moment.state() for moment in moments]


@given(start=st.one_of(records(GAME), late()), seed=st.integers(0, 2**32 - 1))
def test_over_is_told_last_and_once(start: Wire, seed: int) -> None:
    for game in at_random(Game.from_record(start), seed, 300):
        kinds = [event["type"] for event in game.events()]
        assert kinds.count("over") == (1 if game.is_over else 0)
        assert "over" not in kinds[:-1]
