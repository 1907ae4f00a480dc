"""A script played by the engine, and held to what it expects.

The engine has the last word: a script it contradicts raises ScriptError, which
stops the build. All that is asked of it is `rulewalk.replay` (wire.md).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import rulewalk
from rulewalk.rules import RULES

from .script import Action, Branch, Expectation, Record, Script, ScriptError, Step, on_branch

State = Mapping[str, Any]


@dataclass(frozen=True)
class Scene:
    """What one step comes to: the position after it and, of the two, what happened or why nothing did."""

    step: Step
    record: Record
    state: State
    events: Sequence[Mapping[str, Any]]
    error: Mapping[str, Any] | None = None
    #: What comes of each other way on from here.
    branches: "Sequence[tuple[Branch, Sequence[Scene]]]" = ()


def play(script: Script, language: str = "en") -> list[Scene]:
    """Play a script, its branches too; raise ScriptError where the engine contradicts it."""
    scenes = list(_scenes(script, script.steps, (), language))
    if script.agreements:
        parting(script)
    return scenes


def parting(script: Script) -> int:
    """Return the first step that goes another way under the script's agreements; raise ScriptError if none does."""
    agreed = {**script.record, "agreements": {**script.record.get("agreements", {}), **script.agreements}}
    for scene in _scenes(script, script.steps, (), "en"):
        replay = rulewalk.replay({**scene.record, **agreed})
        if (error := replay["error"]) and error["index"] is None:
            raise ScriptError(script.name, None, f"`agreements`: the engine refuses it: {_told(error)}")
        if error or replay["states"][-1] != scene.state:
            return scene.step.number
        if scene.step.attempt is not None:
            actions = [*scene.record["actions"], scene.step.attempt]
            if rulewalk.replay({**agreed, "actions": actions})["error"] is None:
                return scene.step.number
    raise ScriptError(script.name, None, "`agreements`: the story goes the same way under them")


def _scenes(script: Script, steps: Sequence[Step], before: Sequence[Action], language: str) -> Iterator[Scene]:
    done = [*before]
    for step in steps:
        if step.action is not None:
            done.append(step.action)
        record = {**script.record, "actions": list(done)}
        scene = _scene(script, step, record, language)
        if differences := _differences(step.expect, scene.state):
            raise ScriptError(script.name, step.number, "; ".join(differences))
        branches = []
        for branch in step.branches:
            with on_branch(step.number, branch.title.rpartition(".")[2]):
                branches.append((branch, list(_scenes(script, branch.steps, done, language))))
        yield replace(scene, branches=branches)


def shown(script: Script) -> set[str]:
    """Return the rules that a script shows: those its events and refusals name, and those it says it shows."""
    if unknown := sorted(set(script.shows) - RULES.keys()):
        raise ScriptError(script.name, None, f"`shows` names rules that there are not: {', '.join(unknown)}")
    scenes = [each for scene in play(script) for each in (scene, *(one for _, way in scene.branches for one in way))]
    told = [rules for scene in scenes for rules in ([scene.error] if scene.error is not None else scene.events)]
    return {*script.shows, *(rule for happened in told for rule in happened["rules"])}


def _scene(script: Script, step: Step, record: Record, language: str) -> Scene:
    replay = rulewalk.replay(record, language=language, say=True)
    if error := replay["error"]:
        raise ScriptError(script.name, step.number, f"the engine refuses it: {_told(error)}")
    state = replay["states"][-1]
    if step.attempt is None:
        return Scene(step, record, state, replay["events"][-1])

    attempt = {**record, "actions": [*record["actions"], step.attempt]}
    error = rulewalk.replay(attempt, language=language, say=True)["error"]
    if error is None:
        raise ScriptError(script.name, step.number, "the engine allows what the script says is refused")
    if error["code"] != step.refused:
        raise ScriptError(script.name, step.number, f"expected the refusal {step.refused}, but it is {_told(error)}")
    return Scene(step, record, state, (), {**error, "tried": rulewalk.attempt(step.attempt, language)})


def _differences(expect: Expectation, state: State) -> list[str]:
    """Say, one by one, where a position is not as expected."""
    found = [
        f"expected {key} {value!r}, but it is {state.get(key)!r}"
        for key, value in expect.exact.items()
        if not _holds(value, state.get(key))
    ]
    for player, counts in expect.hands.items():
        hand = state.get("hands", {}).get(player)
        if hand is None:
            found.append(f"expected a hand of {player}, who is not at the table")
            continue
        held = Counter({**Counter(_rank(card) for card in hand), "all": len(hand)})
        found += [
            f"expected {player} to hold {count} × {rank}, but it is {held[rank]}"
            for rank, count in counts.items()
            if held[rank] != count
        ]
    for place, size in expect.sizes.items():
        key, _, player = place.partition(":")
        cards = state.get(key, {}).get(player) if player else state.get(key)
        if cards is None:
            found.append(f"expected cards in {place}, which is no place at this table")
        elif len(cards) != size:
            found.append(f"expected {place} to hold {size}, but it is {len(cards)}")
    return found


def _holds(expected: Any, actual: Any) -> bool:
    """Equal; or, of what is kept for each player, equal for the players named."""
    if isinstance(expected, dict) and isinstance(actual, Mapping):
        return all(player in actual and actual[player] == value for player, value in expected.items())
    return bool(expected == actual)


def _rank(card: str) -> str:
    return card if card == "JK" else card[:-1]


def _told(error: Mapping[str, Any]) -> str:
    return f"{error['code']} ({', '.join(error['rules'])}): {error['message']}"
