"""What a page asks of the engine: JSON text in, JSON text out (the worker's side of `tutorials/player`).

Two questions. ``replay``: the HTML of every step of a walkthrough, to be held against the page's own, or told in
the page's place. ``play``: actions after those of a record, as far as they are allowed, or none: the table, what may
be done next, and why not. Both may name a ``viewer``: a player, or ``true`` for whoever has the turn.
"""

import json
from collections.abc import Mapping
from typing import Any

from rulewalk import render
from rulewalk.actions import to_wire
from rulewalk.catalogue import Catalogue, languages
from rulewalk.game import Game, refused
from rulewalk.record import parse
from rulewalk.refusal import Refusal
from rulewalk.sentences import attempt, say


def prepare() -> None:
    """Read all there is to read, so that a snapshot of the memory answers without any file."""
    for language in languages():
        Catalogue.load(language)


def handle(question: str) -> str:
    """Answer one question. A record that cannot be read is answered with ``{"error": …}`` alone.

    Raises `KeyError` or `ValueError` for what is no question at all: that is the page's fault, not a record's.
    """
    try:
        asked: Any = parse(question)
    except Refusal:
        raise ValueError("the question is not JSON, or nested too deeply to be one") from None
    answer = {"replay": _replay, "play": _play}[asked["do"]]
    try:
        return json.dumps(answer(asked))
    except Refusal as refusal:
        return json.dumps({"error": refused(refusal, asked["language"])})


def _replay(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A move that is refused, though the walkthrough has it as done, is told as such; the others go on without it."""
    game = Game.from_record({**asked["record"], "actions": []})
    steps, states = [_step(asked, game)], [game.state()]
    refusals: list[str | None] = [None]
    for move in asked["steps"]:
        game, refusal = _try(game, move.get("action", move.get("attempt")), asked["language"])
        steps.append(_step(asked, game, refusal))
        states.append(game.state())
        refusals.append(refusal["code"] if refusal else None)
    return {"steps": steps, "states": states, "refused": refusals}


def _play(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Stop at the first action refused: the record then says how far it went."""
    language = asked["language"]
    game, refusal = Game.from_record(asked["record"]), None
    for action in asked["actions"]:
        game, refusal = _try(game, action, language)
        if refusal:
            break
    viewer = _viewer(asked, game)
    legal = [to_wire(action) for action in game.legal(viewer)]
    return {
        "step": _step(asked, game, refusal),
        "record": game.record(),
        "state": game.state(),
        "legal": legal,
        "controls": render.controls(game.record(), game.state(viewer), legal, language),
        "error": refusal,
    }


def _try(game: Game, raw: object, language: str) -> tuple[Game, dict[str, Any] | None]:
    """Play an action's JSON value: the game after it; or the game as it was, and why not."""
    try:
        return game.play(game.read_action(raw)), None
    except Refusal as refusal:
        refusal.index = len(game.actions)
        return game, {**refused(refusal, language), "tried": attempt(raw, language)}


def _step(asked: Mapping[str, Any], game: Game, refusal: dict[str, Any] | None = None) -> str:
    """Draw what led to a position, and the position, as the reader is to see them."""
    language, viewer = asked["language"], _viewer(asked, game)
    told = refusal or [{**event, "sentence": say(event, language)} for event in game.events(viewer)]
    return render.step(game.record(), game.state(viewer), told, language, asked["rulesBase"], viewer)


def _viewer(asked: Mapping[str, Any], game: Game) -> str | None:
    """Whose eyes the reader has: nobody's, who sees all; one player's; or (true) those of whoever has the turn."""
    viewer: str | bool | None = asked.get("viewer")
    return (game.state()["turn"] if viewer else None) if isinstance(viewer, bool) else viewer
