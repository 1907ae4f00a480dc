"""The rules of Egyptian Ratscrew written down a second time, for the engine to be held to.

Plainly, in the wire's own terms, from the text of the rules and without a look at the engine: a state is the dict
of wire.md, and a move gives back another. It speaks no language and tells no events.
"""

import copy
from typing import Any

from .test_ratscrew_patterns import shows

type Wire = dict[str, Any]

TRIES = {"A": 4, "K": 3, "Q": 2, "J": 1}


def play(state: Wire, action: Wire, agreements: Wire) -> Wire:
    """Return the state after a legal ``action``."""
    after = copy.deepcopy(state)
    match action["type"]:
        case "flip":
            _flip(after, action["player"], agreements)
        case "collect":
            _gather(after, action["player"])
        case "slap":
            _slap(after, action, agreements)
    return after


def why_not(state: Wire, action: Wire) -> str | None:
    """Return the code by which ``action`` is refused, None where it is legal."""
    if state["phase"] == "over":
        return "game-over"
    if action["type"] == "slap":
        return _why_no_slap(state, action)
    if action["player"] not in state["packets"]:
        return "unknown-player"
    gathering = state["phase"] in ("collect", "last-chance")
    if gathering != (action["type"] == "collect"):
        return "wrong-phase"
    mover = state["challenge"]["by"] if state["phase"] == "collect" else state["turn"]
    return None if action["player"] == mover else "not-your-turn"


def legal(state: Wire) -> list[Wire]:
    """Return the legal actions: the one flip or collect, then a slap by each who may."""
    if state["phase"] == "over":
        return []
    moves = [{"type": kind, "player": name} for kind in ("flip", "collect") for name in state["packets"]]
    slaps = [{"type": "slap", "players": [name]} for name in state["packets"]]
    return [action for action in moves + slaps if why_not(state, action) is None]


def pattern(state: Wire, agreements: Wire) -> bool:
    """Tell whether the centre shows a pattern: by its face-up cards, and by the top of them (ER-4.5, ER-4.9)."""
    up = [card[:-1] for card in state["centre"][state["hidden"] :]]
    return any(shows(name, up) for name in agreements.get("patterns", ["double", "sandwich"]))


def _why_no_slap(state: Wire, action: Wire) -> str | None:
    names, lowest = action["players"], action.get("lowest")
    doubtful = [*names, lowest] if lowest is not None else names
    if not names or len(names) != len(set(names)) or (lowest is not None and lowest not in names):
        return "unknown-player"
    if any(name not in state["packets"] for name in doubtful):
        return "unknown-player"
    if any(name in state["out"] for name in names):
        return "player-out"
    return None if state["centre"] else "nothing-to-slap"


def _others(state: Wire, player: str) -> list[str]:
    """Return the other players, clockwise from the one after ``player``."""
    names = list(state["packets"])
    seat = names.index(player)
    return names[seat + 1 :] + names[:seat]


def _next_with_cards(state: Wire, player: str) -> str | None:
    return next((name for name in _others(state, player) if state["packets"][name]), None)


def _holders(state: Wire) -> list[str]:
    return [name for name, packet in state["packets"].items() if packet]


def _flip(state: Wire, player: str, agreements: Wire) -> None:
    card = state["packets"][player].pop(0)
    state["centre"].append(card)
    challenge = state["challenge"]
    if card[:-1] in TRIES:
        following = _next_with_cards(state, player)
        answering = following or _others(state, player)[0]
        state.update(
            phase="respond" if following else "collect",
            turn=answering,
            challenge={"by": player, "left": TRIES[card[:-1]]},
        )
    elif challenge:
        challenge["left"] -= 1
        if challenge["left"] == 0 or not state["packets"][player]:
            state["phase"] = "collect"
    else:
        _pass_lead(state, player)
    _perhaps_last_chance(state, agreements)


def _pass_lead(state: Wire, player: str) -> None:
    """Pass the lead on; only an arranged table leaves nobody to lead, and then the centre is the last player's."""
    following = _next_with_cards(state, player)
    state.update(phase="flip" if following else "last-chance", turn=following or player)


def _perhaps_last_chance(state: Wire, agreements: Wire) -> None:
    """ER-5.3, and the agreement on the ending."""
    holders = _holders(state)
    waits = state["challenge"] and agreements.get("ending") == "challenge-first"
    if len(holders) == 1 and state["phase"] not in ("last-chance", "over") and not waits:
        state.update(phase="last-chance", turn=holders[0], challenge=None)


def _gather(state: Wire, player: str) -> None:
    state["packets"][player] += state["centre"]
    state.update(centre=[], hidden=0, challenge=None, phase="flip", turn=player)
    if _holders(state) == [player]:
        state.update(phase="over", turn=None, winners=[player])


def _slap(state: Wire, action: Wire, agreements: Wire) -> None:
    names = action["players"]
    lowest = names[0] if len(names) == 1 else action.get("lowest")
    if not pattern(state, agreements):
        for name in names:
            _pay(state, name)
            _perhaps_last_chance(state, agreements)
    elif lowest:
        _gather(state, lowest)


def _pay(state: Wire, player: str) -> None:
    if not state["packets"][player]:
        _bar(state, player)
        return
    state["centre"].insert(0, state["packets"][player].pop(0))
    state["hidden"] += 1
    if state["packets"][player] or player != state["turn"]:
        return
    if state["phase"] == "respond":
        state["phase"] = "collect"
    elif state["phase"] == "flip":
        _pass_lead(state, player)


def _bar(state: Wire, player: str) -> None:
    state["out"].append(player)
    if state["challenge"] and state["challenge"]["by"] == player:
        answering = state["turn"]
        leader = answering if state["packets"][answering] else _next_with_cards(state, answering)
        state.update(challenge=None, phase="flip" if leader else "over", turn=leader)
