"""What a page asks of the engine: JSON text in, JSON text out (the worker's side of `tutorials/player`).

Two questions. ``replay``: the HTML of every step of a walkthrough, to be held against the page's own.
``play``: actions after those of a record, as far as they are allowed, or none: the table, what may be done next,
and why not.
"""

import json
from collections.abc import Mapping
from typing import Any

from rulewalk import render
from rulewalk.actions import to_wire
from rulewalk.game import Game, refused
from rulewalk.refusal import Refusal
from rulewalk.sentences import attempt, say


def handle(question: str) -> str:
    """Answer one question. A record that cannot be read is answered with ``{"error": …}`` alone.

    Raises `KeyError` or `ValueError` for what is no question at all: that is the page's fault, not a record's.
    """
    asked = json.loads(question)
    answer = {"replay": _replay, "play": _play}[asked["do"]]
    try:
        return json.dumps(answer(asked))
    except Refusal as refusal:
        return json.dumps({"error": refused(refusal, asked["language"])})


def _replay(asked: Mapping[str, Any]) -> dict[str, Any]:
    game = Game.from_record({**asked["record"], "actions": []})
    steps = [_step(asked, game, _events(game, asked["language"]))]
    for move in asked["steps"]:
        game, outcome = _try(game, move.get("action", move.get("attempt")), asked["language"])
        steps.append(_step(asked, game, outcome))
    return {"steps": steps}


def _play(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Stop at the first action refused: the record then says how far it went."""
    language = asked["language"]
    game = Game.from_record(asked["record"])
    outcome: Any = _events(game, language)
    for action in asked["actions"]:
        game, outcome = _try(game, action, language)
        if isinstance(outcome, dict):
            break
    legal = [to_wire(action) for action in game.legal()]
    return {
        "step": _step(asked, game, outcome),
        "record": game.record(),
        "state": game.state(),
        "legal": legal,
        "controls": render.controls(game.record(), game.state(), legal, language),
        "error": outcome if isinstance(outcome, dict) else None,
    }


def _try(game: Game, raw: object, language: str) -> tuple[Game, list[dict[str, Any]] | dict[str, Any]]:
    """Play an action's JSON value: the game after it and its events, or the game as it was and why not."""
    try:
        after = game.play(game.read_action(raw))
    except Refusal as refusal:
        refusal.index = len(game.actions)
        return game, {**refused(refusal, language), "tried": attempt(raw, language)}
    return after, _events(after, language)


def _events(game: Game, language: str) -> list[dict[str, Any]]:
    return [{**event, "sentence": say(event, language)} for event in game.events()]


def _step(asked: Mapping[str, Any], game: Game, outcome: Any) -> str:
    return render.step(game.record(), game.state(), outcome, asked["language"], asked["rulesBase"])
