"""Python as readers' browsers have it, cut to what the engine uses, answers as Python here does."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewalk import Game, host

from .kit import GAMES, LANGUAGES, NAMES, Wire, at_random, positions, record, records

HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(sys.platform == "emscripten", reason="this starts a Pyodide of its own")

type Ask = Callable[[str], str | None]

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**80,
    1.5,
    "",
    "ñ\U0001f0a1\ud800",
    "K" * 5000,
    [],
    [[]],
    {},
    {"a": None},
    ["2C"] * 500,
)
NO_QUESTIONS = ("", "{", "[" * 100_000, "null", "{}", '{"do": "fly"}', '{"do": "play"}', "\ufeff{}", '{"do": 1e999}')


@pytest.fixture(scope="module")
def ask(site: Path) -> Iterator[Ask]:
    """Ask the built site's runtime: its answer, or none where there was no question."""
    command = ["node", str(HERE / "pyodide/answer.mjs"), str(site)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin and node.stdout
        pipe = node.stdin, node.stdout

        def answer(question: str) -> str | None:
            print(json.dumps(question), file=pipe[0], flush=True)
            told = pipe[1].readline()
            assert told, "it stopped: a function that was called has been cut off"
            return None if told == "null\n" else told.removesuffix("\n")

        yield answer
        node.stdin.close()


def here(question: str) -> str | None:
    try:
        return host.handle(question)
    except (LookupError, ValueError, TypeError, AttributeError, OSError):
        return None


def question(start: Wire, actions: list[Any], language: str, viewer: object = None) -> str:
    asked = {"do": "play", "record": start, "actions": actions, "language": language, "viewer": viewer}
    return json.dumps({**asked, "rulesBase": ""})


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_it_plays_as_python_here_does(game: str, ask: Ask, data: st.DataObject) -> None:
    start = data.draw(records(game) if game == "egyptian-ratscrew" else records(game) | positions(game))
    *_, last = at_random(Game.from_record(start), data.draw(st.integers(0, 999)), data.draw(st.integers(0, 200)))
    viewer = data.draw(st.sampled_from([None, True, *start["players"], "Nobody"]))
    asked = question(start, last.record()["actions"], data.draw(st.sampled_from(LANGUAGES)), viewer)
    assert ask(asked) == here(asked)


@pytest.mark.parametrize("game", GAMES)
def test_it_refuses_as_python_here_does(game: str, ask: Ask) -> None:
    good = record(game)
    legal = json.loads(host.handle(question(good, [], "en")))["legal"][0]
    for i, odd in enumerate(ODD):
        language = LANGUAGES[i % 3]
        for field in good:
            asked = question({**good, field: odd}, [], language)
            assert ask(asked) == here(asked)
        for field in legal:
            asked = question(good, [{**legal, field: odd}], language, NAMES[0])
            assert ask(asked) == here(asked)


@pytest.mark.parametrize("do", ["play", "replay"])
def test_it_fails_as_python_here_does(ask: Ask, do: str) -> None:
    """Whatever part of a question is odd; how a failure is told is Python's own matter."""
    good = {"do": do, "record": record("go-fish"), "actions": [{}], "steps": [{}], "language": "pt", "rulesBase": ""}
    for part in (*good, "viewer"):
        for odd in (*ODD, [1.5], ["a"], [None]):
            asked = json.dumps({**good, part: odd})
            assert ask(asked) == here(asked)


@pytest.mark.parametrize("text", NO_QUESTIONS, ids=range(len(NO_QUESTIONS)))
def test_it_outlives_what_is_no_question(ask: Ask, text: str) -> None:
    assert ask(text) is None
    asked = question(record("go-fish"), [], "en")
    assert ask(asked) == here(asked)
