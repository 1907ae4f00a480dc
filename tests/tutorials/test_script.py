"""A script that is not in order is refused with its name, the step and the reason."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from rulewalk_tutorials import script
from rulewalk_tutorials.script import ScriptError

from .conftest import RECORD, STEPS, Write


def changed(step: int, **changes: Any) -> dict[str, Any]:
    """The small script, with other fields in one of its steps; None takes a field out."""
    steps = deepcopy(STEPS)
    steps[step].update(changes)
    steps[step] = {key: value for key, value in steps[step].items() if value is not None}
    return {"record": RECORD, "steps": steps}


def test_a_script_in_order_is_read(write: Write) -> None:
    read = write({"record": RECORD, "steps": STEPS})
    assert [step.number for step in read.steps] == [0, 1, 2]
    assert read.steps[0].action is None
    assert read.steps[1].action == STEPS[1]["do"]
    assert (read.steps[2].attempt, read.steps[2].refused) == (STEPS[2]["try"], "not-your-turn")
    assert read.steps[1].comment == "backstab-fish/made-up.three"


def test_a_script_can_say_what_its_events_do_not(write: Write) -> None:
    assert write({"record": RECORD, "steps": STEPS}).shows == ()
    assert write({"record": RECORD, "steps": STEPS, "shows": ["BF-2.6"]}).shows == ("BF-2.6",)


def test_a_script_can_branch_ask_and_agree(write: Write) -> None:
    steps = deepcopy(STEPS)
    steps[0]["branch"] = [{"title": "if-one", "steps": [{**STEPS[1], "comment": "one"}]}]
    steps[1]["ask"] = "turn"
    read = write({"record": RECORD, "steps": steps, "agreements": {"double-book-bonus": 2}})
    (branch,) = read.steps[0].branches
    assert [step.number for step in branch.steps] == [1]
    assert read.steps[1].ask == "turn"
    words = ["title", "agreement", "start", "if-one", "one", "three", "again"]
    assert list(read.words()) == [f"backstab-fish/made-up.{word}" for word in words]


def test_a_script_can_start_from_the_record_of_another(write: Write, tmp_path: Path) -> None:
    write({"record": RECORD, "steps": STEPS})
    other = tmp_path / "backstab-fish" / "other.yaml"
    other.write_text("record: backstab-fish/made-up\nsteps: [{comment: start, expect: {turn: Anton}}]")
    assert script.load("backstab-fish/other", tmp_path).record == RECORD
    assert script.names(tmp_path) == ["backstab-fish/made-up", "backstab-fish/other"]


@pytest.mark.parametrize(
    ("content", "step", "reason"),
    [
        ("steps: [", None, "no good YAML"),
        ("record: {}\nrecord: {}\nsteps: []", None, "“record” is given twice"),
        ("- a list", None, "must hold `record` and `steps`"),
        ({"record": RECORD}, None, "missing: steps"),
        ({"record": RECORD, "steps": STEPS, "title": "Six"}, None, "unknown: title"),
        ({"record": RECORD, "steps": []}, None, "a list of steps"),
        ({"record": {**RECORD, "actions": []}, "steps": STEPS}, None, "the `record` has no `actions`"),
        ({"record": "backstab-fish/nowhere", "steps": STEPS}, None, "no such script"),
        ({"record": ["a list"], "steps": STEPS}, None, "`record` must be a record"),
        ({"record": RECORD, "steps": ["next"]}, 0, "must be a mapping"),
        ({"record": RECORD, "steps": [STEPS[1]]}, 0, "the position before the first action"),
        (changed(1, comment=None), 1, "missing: comment"),
        (changed(1, comment=3), 1, "`comment` must be a word"),
        (changed(1, expects={}), 1, "unknown: expects"),
        (changed(1, expect={}), 1, "at least one thing"),
        (changed(1, expect={"hand": {}}), 1, "unknown: hand"),
        (changed(1, expect={"hands": {"Anton": {6: 1}}}), 1, "the rank in quotes"),
        (changed(1, expect={"hands": {"Anton": ["6S"]}}), 1, "must count cards by rank"),
        (changed(1, expect={"hands": ["Anton"]}), 1, "must count cards by rank"),
        (changed(1, expect={"stock": "one"}), 1, "a number of cards"),
        (changed(1, expect={"centre": ["QS"]}), 1, "`expect: centre` is a number of cards"),
        (changed(1, expect={"packets": {"Ana": ["QS"]}}), 1, "`expect: packets:Ana` is a number of cards"),
        (changed(1, expect={"packets": 3}), 1, "`expect: packets` counts"),
        ({"record": RECORD, "steps": STEPS, "shows": "BF-2.6"}, None, "`shows` must be a list of rules"),
        (changed(1, do="ask"), 1, "`do` must be an action"),
        (changed(1, do=None), 1, "either `do` or `try`"),
        (changed(2, do=STEPS[1]["do"]), 2, "either `do` or `try`"),
        (changed(2, refused=None), 2, "`try` and `refused` go together"),
        (changed(1, refused="malformed"), 1, "`try` and `refused` go together"),
        ({"record": RECORD, "steps": STEPS, "agreements": "all"}, None, "`agreements` names settings"),
        (changed(0, ask="turn"), 0, "nothing can be asked before step 0"),
        (changed(1, ask=["turn"]), 1, "`ask` must be a word"),
        (changed(0, branch={}), 0, "`branch` must be a list"),
        (changed(0, branch=["if-one"]), 0, "a branch must be a mapping"),
        (changed(0, branch=[{"title": "if-one"}]), 0, "missing: steps"),
        (changed(0, branch=[{"title": "if-one", "steps": []}]), 0, "a word for its `title`, and `steps`"),
        (changed(0, branch=[{"title": 1, "steps": [STEPS[1]]}]), 0, "a word for its `title`, and `steps`"),
        (changed(0, branch=[{"title": "if-one", "steps": [{"comment": "one"}]}]), 0, "branch if-one, step 1: missing"),
        (
            changed(0, branch=[{"title": "if-one", "steps": [STEPS[1], {**STEPS[1], "ask": "turn"}]}]),
            0,
            "branch if-one, step 2: a branch has no branches or questions of its own",
        ),
    ],
)
def test_a_script_out_of_order_is_refused(write: Write, content: Any, step: int | None, reason: str) -> None:
    with pytest.raises(ScriptError) as refused:
        write(content)
    assert reason in str(refused.value)
    assert "walkthrough backstab-fish/" in str(refused.value)
    assert refused.value.step == step
    assert step is None or f"step {step}" in str(refused.value)


@pytest.mark.parametrize("name", ["backstab-fish/nowhere", "../../etc/passwd", ""])
def test_a_name_without_a_script_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ScriptError, match="no such script"):
        script.load(name, tmp_path)
