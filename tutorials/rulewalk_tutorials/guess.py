"""What readers are asked before they see a step, and what the engine answers.

A script says what to ask (`ask: turn`). The choices and the right one come from
the game as the engine has played it, so that no script can be wrong about them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import rulewalk
from rulewalk.catalogue import Catalogue

from .script import ScriptError

if TYPE_CHECKING:
    from .story import Scene

#: In how many hands more than none there may be cards to choose from, at least.
_MOST = 3


@dataclass(frozen=True)
class Guess:
    """A question in the reader's language, what can be answered, and which of that is right."""

    question: str
    choices: Sequence[str]
    right: int


def guess(name: str, scene: "Scene", language: str) -> Guess:
    """Ask what the step of a scene asks; raise ScriptError where that cannot be asked of it."""
    asked = scene.step.ask
    if asked not in _KINDS:
        raise ScriptError(name, scene.step.number, f"`ask` is one of {', '.join(sorted(_KINDS))}")
    words = Catalogue.load(language, "site")
    choices, right = _KINDS[asked](scene, words)
    if right not in choices:
        raise ScriptError(name, scene.step.number, f"`ask: {asked}` has no answer here")
    tried = rulewalk.attempt(scene.step.action or scene.step.attempt, language)
    question = words.text(f"guess.{asked}")
    return Guess(f"{tried} {question}" if tried else question, choices, choices.index(right))


type _Answers = tuple[list[str], str]


def _turn(scene: "Scene", words: Catalogue) -> _Answers:
    """Whose turn it is now."""
    return list(scene.record["players"]), str(scene.state["turn"])


def _moved(scene: "Scene", words: Catalogue) -> _Answers:
    """How many cards go from hand to hand."""
    moved = sum(len(event["cards"]) for event in scene.events if event["type"] == "give")
    asked = (scene.step.action or {}).get("quantity", 0)
    return [str(number) for number in range(max(moved, asked, _MOST) + 1)], str(moved)


def _allowed(scene: "Scene", words: Catalogue) -> _Answers:
    """Whether it may be done at all."""
    yes, no = words.text("guess.yes"), words.text("guess.no")
    return [yes, no], no if scene.error else yes


def _gathers(scene: "Scene", words: Catalogue) -> _Answers:
    """Who gathers the centre, if anybody does."""
    nobody = words.text("guess.nobody")
    winners = [event["player"] for event in scene.events if event["type"] == "gather"]
    return [*scene.record["players"], nobody], winners[0] if winners else nobody


_KINDS: dict[str, Callable[["Scene", Catalogue], _Answers]] = {
    "turn": _turn,
    "moved": _moved,
    "allowed": _allowed,
    "gathers": _gathers,
}
