"""What readers are asked comes from a script, what is right from the engine."""

from copy import deepcopy
from typing import Any

import pytest

from rulewalk.catalogue import languages
from rulewalk_tutorials import script, story
from rulewalk_tutorials.guess import Guess, guess
from rulewalk_tutorials.script import ScriptError

from .conftest import RECORD, STEPS, Write
from .test_story import SLAPPED


def asked(write: Write, content: dict[str, Any], step: int, kind: str, language: str = "en") -> Guess:
    steps = deepcopy(content["steps"])
    steps[step]["ask"] = kind
    read = write({**content, "steps": steps})
    return guess(read.name, story.play(read, language)[step], language)


SMALL = {"record": RECORD, "steps": STEPS}


def test_who_has_the_turn(write: Write) -> None:
    told = asked(write, SMALL, 1, "turn")
    assert told.question == "Anton asks Lena for three sixes. Who has the turn after that?"
    assert told.choices[told.right] == "Lena"


def test_how_many_cards_change_hands(write: Write) -> None:
    told = asked(write, SMALL, 1, "moved")
    assert (told.choices, told.right) == (["0", "1", "2", "3"], 0)
    steps = deepcopy(STEPS)[:2]
    steps[1] = {**steps[1], "do": {**steps[1]["do"], "quantity": 2}, "expect": {"turn": "Anton"}}
    told = asked(write, {"record": RECORD, "steps": steps}, 1, "moved")
    assert told.choices[told.right] == "2"


def test_whether_it_is_allowed(write: Write) -> None:
    assert (asked(write, SMALL, 1, "allowed").right, asked(write, SMALL, 2, "allowed").right) == (0, 1)


def test_who_gathers_the_centre(write: Write) -> None:
    told = asked(write, SLAPPED, 2, "gathers")
    assert told.choices == ["Ana", "Bruno", "Nobody"]
    assert told.choices[told.right] == "Nobody"


@pytest.mark.parametrize("language", languages())
def test_a_question_is_in_the_readers_language(write: Write, language: str) -> None:
    told = asked(write, SMALL, 2, "allowed", language)
    assert told.choices == {"en": ["Yes", "No"], "es": ["Sí", "No"], "pt": ["Sim", "Não"]}[language]


def test_what_cannot_be_asked_is_refused(write: Write) -> None:
    with pytest.raises(ScriptError, match="step 1: `ask` is one of allowed, gathers, moved, turn"):
        asked(write, SMALL, 1, "weather")


def test_readers_are_asked_often_enough() -> None:
    loaded = [script.load(name) for name in script.names()]
    assert len([step for one in loaded for step in one.steps if step.ask]) >= 5
    assert len([branch for one in loaded for step in one.steps for branch in step.branches]) >= 3
    assert len([one for one in loaded if one.agreements]) >= 4
