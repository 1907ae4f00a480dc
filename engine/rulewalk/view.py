"""What a player may see of a position, and learns from an event (wire.md, ``--as``).

Whoever draws a card sees it and nobody else does, unless it is shown; cards handed over are seen by the two
who hand them over; books, and cards turned onto the centre, are seen by all; packets and penalties by nobody.
"""

from typing import Any

SECRET_RULES = frozenset({"BF-3.7", "BF-4.2"})
"""Rules that tell of an unseen card: that the one drawn matched, that a kept book was broken."""


def state_for(state: dict[str, Any], viewer: str | None) -> dict[str, Any]:
    """Return a wire state as ``viewer`` sees it: hidden cards as counts, face-down ones as null. None sees all."""
    if viewer is None:
        return state
    if "packets" in state:
        # Nobody knows a packet, not even its owner (ER-2.3).
        return {**state, "packets": _counts(state["packets"]), "centre": _face_down(state["centre"], state["hidden"])}
    return {**state, "hands": _hands_for(state["hands"], viewer), "stock": len(state["stock"])}


def event_for(event: dict[str, Any], viewer: str | None) -> dict[str, Any]:
    """Return a wire event as ``viewer`` learns it: hidden cards as counts, hidden faces as null. None sees all."""
    if viewer is None:
        return event
    kind = event["type"]
    seen = {**event}
    if event.get("player") != viewer:
        seen["rules"] = [rule for rule in event["rules"] if rule not in SECRET_RULES]
    if kind == "deal":
        if "packets" in event:
            return {**seen, "packets": _counts(event["packets"])}
        return {**seen, "hands": _hands_for(event["hands"], viewer), "stock": len(event["stock"])}
    if kind == "arrange":
        return {**seen, "state": state_for(event["state"], viewer)}
    if kind in ("draw", "refill") and event["player"] != viewer and not event.get("shown"):
        return {**seen, "cards": len(event["cards"])}
    if kind == "give" and viewer not in (event["player"], event["target"]):
        return {**seen, "cards": len(event["cards"])}
    if kind == "gather":
        return {**seen, "cards": _face_down(event["cards"], event["hidden"])}
    if kind == "penalty":
        return {**seen, "card": None}
    return seen


def _hands_for(hands: dict[str, list[str]], viewer: str) -> dict[str, list[str] | int]:
    return {name: hand if name == viewer else len(hand) for name, hand in hands.items()}


def _counts(packets: dict[str, list[str]]) -> dict[str, int]:
    return {name: len(packet) for name, packet in packets.items()}


def _face_down(centre: list[str], hidden: int) -> list[str | None]:
    return [None] * hidden + centre[hidden:]
