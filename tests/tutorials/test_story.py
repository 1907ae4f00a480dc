"""The engine has the last word on a script, and names the step it contradicts."""

from copy import deepcopy
from typing import Any

import pytest

from rulewalk_tutorials import story
from rulewalk_tutorials.script import ScriptError

from .conftest import RECORD, STEPS, Write


def test_a_true_script_is_played_step_by_step(write: Write) -> None:
    start, three, again = story.play(write({"record": RECORD, "steps": STEPS}))
    assert start.state["turn"] == "Anton"
    assert three.state["hands"]["Anton"] == ["6S", "9H", "KC"]
    assert [event["type"] for event in three.events] == ["request", "refuse", "draw", "turn"]
    assert again.state == three.state
    assert again.error is not None
    assert again.error["code"] == "not-your-turn"
    assert len(again.record["actions"]) == 1  # what is refused is not part of the game


@pytest.mark.parametrize(
    ("step", "changes", "reason"),
    [
        (0, {"expect": {"turn": "Lena"}}, "expected turn 'Lena', but it is 'Anton'"),
        (1, {"expect": {"turn": "Anton"}}, "expected turn 'Anton', but it is 'Lena'"),
        (1, {"expect": {"hands": {"Lena": {"6": 1}}}}, "expected Lena to hold 1 × 6, but it is 2"),
        (1, {"expect": {"hands": {"Lena": {"all": 7}}}}, "expected Lena to hold 7 × all, but it is 2"),
        (1, {"expect": {"hands": {"Ivo": {"6": 1}}}}, "Ivo, who is not at the table"),
        (1, {"expect": {"stock": 2}}, "expected a stock of 2, but it is 1"),
        (1, {"expect": {"books": {"Anton": ["6"]}}}, "expected books {'Anton': ['6']}"),
        (1, {"do": {**STEPS[1]["do"], "rank": "K"}}, "the engine refuses it: rank-not-held (BF-3.2)"),
        (2, {"refused": "rank-not-held"}, "expected the refusal rank-not-held, but it is not-your-turn"),
        (2, {"try": {**STEPS[2]["try"], "player": "Lena", "target": "Vera"}}, "the engine allows"),
    ],
)
def test_a_contradiction_stops_it_and_names_the_step(
    write: Write, step: int, changes: dict[str, Any], reason: str
) -> None:
    steps = deepcopy(STEPS)
    steps[step].update(changes)
    with pytest.raises(ScriptError) as contradicted:
        story.play(write({"record": RECORD, "steps": steps}))
    assert f"walkthrough backstab-fish/made-up, step {step}: " in str(contradicted.value)
    assert reason in str(contradicted.value)


def test_a_record_that_is_no_game_is_refused(write: Write) -> None:
    with pytest.raises(ScriptError, match=r"step 0: the engine refuses it: unknown-game"):
        story.play(write({"record": {**RECORD, "game": "whist"}, "steps": STEPS}))
