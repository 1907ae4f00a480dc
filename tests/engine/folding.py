"""A reader who knows only the events, and redraws every state from them (wire.md, "Events").

It looks at no record and asks no engine. Of the rules it knows one thing: the player on the dealer's left begins,
which is what BF-2.7, GF-2.4 and ER-2.4 under the deal say. With the events that a viewer learns it draws what the
viewer sees: then a place holds a number of cards, or faces that are null.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

type Wire = dict[str, Any]
type Cards = list[Any] | int
"""Cards, or where they are not seen how many."""


def states(steps: Sequence[Sequence[Wire]]) -> Iterator[Wire]:
    """Yield the state after each step's events, the deal's first."""
    state: Wire = {}
    for events in steps:
        for event in events:
            state = _after(deepcopy(state), event)
        yield deepcopy(state)


def _after(state: Wire, event: Wire) -> Wire:
    kind, player = event["type"], event.get("player")
    match kind:
        case "arrange":
            return deepcopy(event["state"])
        case "deal":
            return _dealt(event)
        case "request" | "refuse" | "slap" | "claim" | "undecided" | "leave" | "skip":
            pass
        case "give":
            _take(state["hands"], player, event["cards"])
            _add(state["hands"], event["target"], event["cards"])
        case "draw" | "refill":
            _take(state, "stock", event["cards"], from_top=True)
            _add(state["hands"], player, event["cards"])
        case "lay":
            _take(state["hands"], player, event["cards"])
            state["books"][player].append(event["rank"])
            state["scores"][player] += 1
        case "bonus":
            state["scores"][player] += event["points"]
        case "flip":
            _take(state["packets"], player, [event["card"]], from_top=True)
            state["centre"].append(event["card"])
        case "challenge":
            state.update(phase="respond", turn=player, challenge={"by": event["by"], "left": event["left"]})
        case "tries":
            state["challenge"]["left"] = event["left"]
        case "lost":
            state.update(phase="collect", turn=player, challenge={"by": event["by"], "left": event["left"]})
        case "gather":
            assert event["cards"] == state["centre"]
            packets = state["packets"]
            packets[player] += len(event["cards"]) if isinstance(packets[player], int) else event["cards"]
            state.update(centre=[], hidden=0, challenge=None)
        case "penalty":
            _take(state["packets"], player, [event["card"]], from_top=True)
            state["centre"].insert(0, event["card"])
            state["hidden"] += 1
        case "barred":
            state["out"].append(player)
        case "lapse":
            state["challenge"] = None
        case "last-chance":
            state.update(phase="last-chance", turn=player, challenge=None)
        case "turn" if "packets" in state:
            state.update(phase=event["phase"], turn=player)
        case "turn":
            state.update(phase=event["phase"], turn=player, next=event["next"])
        case "over":
            state.update(
                phase="over", turn=None, winners=event["winners"], **({} if "packets" in state else {"next": None})
            )
        case _:
            raise AssertionError(f"an event that nobody has heard of: {kind}")
    return state


def _dealt(event: Wire) -> Wire:
    players = list(event.get("hands", event.get("packets")))
    first = players[(players.index(event["dealer"]) + 1) % len(players)]
    if "packets" in event:
        return {
            "phase": "flip",
            "turn": first,
            "packets": dict(event["packets"]),
            "centre": [],
            "hidden": 0,
            "challenge": None,
            "out": [],
            "winners": [],
        }
    return {
        "phase": "opening" if "BF-2.7" in event["rules"] else "request",
        "turn": first,
        "next": None,
        "hands": dict(event["hands"]),
        "books": {player: [] for player in players},
        "stock": event["stock"],
        "scores": dict.fromkeys(players, 0),
        "winners": [],
    }


def _add(place: Wire, name: str, cards: Cards) -> None:
    if isinstance(place[name], int):
        place[name] += cards if isinstance(cards, int) else len(cards)
    else:
        assert not isinstance(cards, int)
        place[name] = sorted([*place[name], *cards], key=_canonical)


def _take(place: Wire, name: str, cards: Cards, *, from_top: bool = False) -> None:
    if isinstance(place[name], int):
        place[name] -= cards if isinstance(cards, int) else len(cards)
        assert place[name] >= 0
        return
    assert not isinstance(cards, int)
    if from_top:
        assert place[name][: len(cards)] == cards
        place[name] = place[name][len(cards) :]
        return
    place[name] = list(place[name])
    for card in cards:
        place[name].remove(card)


def _canonical(card: str) -> tuple[int, int]:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    return (13, 0) if card == "JK" else (ranks.index(card[:-1]), "SHDC".index(card[-1]))
