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
        (1, {"expect": {"stock": 2}}, "expected stock to hold 2, but it is 1"),
        (1, {"expect": {"packets": {"Anton": 2}}}, "packets:Anton, which is no place at this table"),
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


SLAPPED: dict[str, Any] = {
    "record": {
        "game": "egyptian-ratscrew",
        "players": ["Ana", "Bruno"],
        "deal": {"table": {"turn": "Ana", "packets": {"Ana": ["QS", "2C", "4D"], "Bruno": ["5H", "9D", "3C"]}}},
    },
    "steps": [
        {"comment": "start", "expect": {"centre": 0, "packets": {"Ana": 3}}},
        {
            "do": {"type": "flip", "player": "Ana"},
            "comment": "queen",
            "expect": {"turn": "Bruno", "centre": 1, "challenge": {"by": "Ana", "left": 2}, "hidden": 0},
        },
        {
            "do": {"type": "slap", "players": ["Ana"]},
            "comment": "false",
            "expect": {
                "centre": 2,
                "hidden": 1,
                "packets": {"Ana": 1, "Bruno": 3},
                "out": [],
                "challenge": {"left": 2},
            },
        },
    ],
}


def test_a_ratscrew_table_is_held_to_what_is_expected_of_it(write: Write) -> None:
    assert len(story.play(write(SLAPPED))) == 3


@pytest.mark.parametrize(
    ("expect", "reason"),
    [
        ({"packets": {"Ana": 2}}, "expected packets:Ana to hold 2, but it is 1"),
        ({"packets": {"Ivo": 1}}, "packets:Ivo, which is no place at this table"),
        ({"centre": 1}, "expected centre to hold 1, but it is 2"),
        ({"hidden": 0}, "expected hidden 0, but it is 1"),
        ({"challenge": None}, "expected challenge None"),
        ({"challenge": {"left": 1}}, "expected challenge {'left': 1}"),
        ({"out": ["Ana"]}, "expected out ['Ana'], but it is []"),
        ({"hands": {"Ana": {"all": 0}}}, "a hand of Ana, who is not at the table"),
    ],
)
def test_a_ratscrew_table_that_is_otherwise_stops_it(write: Write, expect: dict[str, Any], reason: str) -> None:
    slapped = deepcopy(SLAPPED)
    slapped["steps"][2]["expect"] = expect
    with pytest.raises(ScriptError) as contradicted:
        story.play(write(slapped))
    assert reason in str(contradicted.value)


def test_a_script_shows_what_its_events_refusals_and_it_say(write: Write) -> None:
    told = write({"record": RECORD, "steps": STEPS, "shows": ["BF-2.6"]})
    assert story.shown(told) == {"BF-2.6", "BF-3.1", "BF-3.5", "BF-3.6"}


def test_a_script_cannot_show_a_rule_that_there_is_not(write: Write) -> None:
    with pytest.raises(ScriptError, match=r"`shows` names rules that there are not: BF-2\.60"):
        story.shown(write({"record": RECORD, "steps": STEPS, "shows": ["BF-2.60"]}))


def test_a_record_that_is_no_game_is_refused(write: Write) -> None:
    with pytest.raises(ScriptError, match=r"step 0: the engine refuses it: unknown-game"):
        story.play(write({"record": {**RECORD, "game": "whist"}, "steps": STEPS}))


# Branches, agreements, questions

ONE = {"type": "request", "player": "Anton", "target": "Lena", "rank": "6", "quantity": 1}


def branched(**changes: Any) -> dict[str, Any]:
    """The small script, whose first step has another way on."""
    steps = deepcopy(STEPS)
    one = {"do": ONE, "comment": "one", "expect": {"turn": "Anton"}, **changes}
    steps[0]["branch"] = [{"title": "if-one", "steps": [one]}]
    return {"record": RECORD, "steps": steps}


def test_a_branch_goes_on_from_its_step_and_the_story_as_if_there_were_none(write: Write) -> None:
    scenes = story.play(write(branched()))
    ((branch, (one,)),) = scenes[0].branches
    assert branch.title == "backstab-fish/made-up.if-one"
    assert one.record["actions"] == [ONE]
    assert one.state["hands"]["Anton"] == ["6S", "6H", "9H"]
    assert [scene.state for scene in scenes] == [
        scene.state for scene in story.play(write({**branched(), "steps": STEPS}))
    ]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"expect": {"turn": "Lena"}}, "expected turn 'Lena', but it is 'Anton'"),
        ({"do": {**ONE, "rank": "K"}}, "the engine refuses it: rank-not-held"),
    ],
)
def test_a_branch_that_the_engine_contradicts_stops_it(write: Write, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ScriptError, match="step 0: branch if-one, step 1: ") as contradicted:
        story.play(write(branched(**changes)))
    assert reason in str(contradicted.value)


def test_what_a_branch_shows_is_shown(write: Write) -> None:
    assert "BF-3.4" not in story.shown(write({"record": RECORD, "steps": STEPS}))
    assert "BF-3.4" in story.shown(write(branched()))


def test_a_story_parts_from_itself_under_an_agreement(write: Write) -> None:
    one = {"do": ONE, "comment": "one", "expect": {"turn": "Anton"}}
    agreed = {"record": RECORD, "steps": [STEPS[0], one], "agreements": {"turn-passes": "every-request"}}
    assert story.parting(write(agreed)) == 1


@pytest.mark.parametrize(
    ("agreements", "reason"),
    [
        ({"turn-passes": "every-request"}, "the story goes the same way under them"),
        ({"turn-passes": "never"}, "the engine refuses it: unknown-agreement"),
    ],
)
def test_agreements_that_show_nothing_stop_it(write: Write, agreements: dict[str, Any], reason: str) -> None:
    with pytest.raises(ScriptError) as contradicted:
        story.play(write({"record": RECORD, "steps": STEPS, "agreements": agreements}))
    assert reason in str(contradicted.value)
