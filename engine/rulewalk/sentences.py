"""Events and refusals as sentences in the reader's language.

Each event has a message of its own in the catalogue, whole; here it is only chosen and filled in. What is put
in are names, numbers and noun phrases that agree by themselves ("three sixes", «tres seises», «duas damas»).
"""

from collections.abc import Callable, Mapping
from typing import Any

from rulewalk.catalogue import Catalogue, listed, rank_of
from rulewalk.refusal import Refusal

type Wire = Mapping[str, Any]


def say(event: Wire, language: str) -> str:
    """Return the sentence of a wire event in ``language``.

    Examples:
        >>> say({"type": "lay", "player": "Lena", "rank": "6", "rules": ["BF-3.9"]}, "es")
        'Lena baja el cuarteto de seises.'
    """
    catalogue = Catalogue.load(language)
    choose = _EVENTS.get(event["type"])
    if choose is not None:
        return choose(event, catalogue)
    return catalogue.text(f"event.{event['type']}", **_names(event, catalogue))


def explain(refusal: Refusal, language: str) -> str:
    """Return why something is refused, as a sentence for the one who tried it.

    Examples:
        >>> explain(Refusal("game-over"), "pt")
        'O jogo acabou.'
    """
    catalogue = Catalogue.load(language)
    key = f"refusal.{refusal.code}"
    about = f"{key}.{refusal.about}"
    details: dict[str, Any] = dict(refusal.details)
    if (rank := details.get("rank")) is not None:
        details |= _of_rank(catalogue, rank)
    if "name" in details:
        details["name"] = shortened(details["name"])
    if "player" in details:
        details["player"] = shortened(details["player"])
    return catalogue.text(about if about in catalogue else key, **details)


def attempt(raw: object, language: str) -> str | None:
    """Return what somebody tried, as a sentence, from an action's JSON value; None where it does not say enough.

    Examples:
        >>> attempt({"type": "request", "player": "Anton", "target": "Lena", "rank": "6"}, "en")
        'Anton asks Lena for sixes.'
    """
    if not isinstance(raw, dict) or not isinstance(kind := raw.get("type"), str):
        return None
    catalogue = Catalogue.load(language)
    names = {key: shortened(raw[key]) for key in ("player", "target") if isinstance(raw.get(key), str)}
    try:
        if kind == "slap":
            players = [shortened(name) for name in raw["players"][:6]]
            return catalogue.plural("event.slap", len(players), players=listed(catalogue, players))
        if "rank" in raw:
            names |= _of_rank(catalogue, raw["rank"])
        if kind != "request":
            return catalogue.text(f"attempt.{kind}", **names)
        quantity = raw.get("quantity")
        if not isinstance(quantity, int) or not 0 <= quantity < 1000:
            return catalogue.text("event.request.all", **names)
        cards = catalogue.plural(f"count.{raw['rank']}", quantity)
        return catalogue.text("event.request", cards=cards, **names)
    except (AttributeError, KeyError, TypeError):  # a field is missing, or names nothing that there is
        return None


def shortened(name: str) -> str:
    """Return a name from a record that may be of any length and content, fit for a sentence."""
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name)
    return shown if len(shown) <= 40 else shown[:39] + "…"


def _names(event: Wire, say: Catalogue) -> dict[str, Any]:
    """Return the event's fields, its rank and card as words."""
    details = {key: value for key, value in event.items() if key not in ("type", "rules")}
    if "rank" in details:
        details |= _of_rank(say, details["rank"])
    if details.get("card") is not None:
        details["card"] = the_card(say, details["card"])
    return details


def _of_rank(say: Catalogue, rank: str) -> dict[str, str]:
    """Return the cards of a rank as words: several of them, all of them as they are asked for, and none."""
    return {
        "ranks": say.plural(f"rank.{rank}", 4),
        "all": say.text(f"all.{rank}"),
        "none": say.text(f"none.{rank}"),
    }


def the_card(say: Catalogue, code: str) -> str:
    """Return a card's name with its article: "the six of hearts", «la dama de picas»."""
    suit = {} if code == "JK" else {"suit": say.text(f"suit.{code[-1]}")}
    return say.text(f"the.{rank_of(code)}", **suit)


def _counted(say: Catalogue, event: Wire, count: int) -> str:
    return say.plural(f"count.{event['rank']}", count)


def _number(cards: Any) -> int:
    """Return how many cards an event is about: a viewer may be told only that."""
    return cards if isinstance(cards, int) else len(cards)


def _deal(event: Wire, say: Catalogue) -> str:
    if "packets" in event:
        return say.text("event.deal.all", dealer=event["dealer"])
    each = _number(next(iter(event["hands"].values())))
    return say.plural("event.deal", each, dealer=event["dealer"], stock=_number(event["stock"]))


def _request(event: Wire, say: Catalogue) -> str:
    if "quantity" not in event:
        return say.text("event.request.all", **_names(event, say))
    return say.text("event.request", **_names(event, say), cards=_counted(say, event, event["quantity"]))


def _give(event: Wire, say: Catalogue) -> str:
    names = {**_names(event, say), "cards": _counted(say, event, _number(event["cards"]))}
    return say.text("event.give", **names)


def _refuse(event: Wire, say: Catalogue) -> str:
    if "quantity" not in event:
        return say.text("event.refuse.go-fish", **_names(event, say))
    return say.text("event.refuse", **_names(event, say), cards=_counted(say, event, event["quantity"]))


def _draw(event: Wire, say: Catalogue) -> str:
    if isinstance(event["cards"], int):
        return say.text("event.draw.unseen", player=event["player"])
    key = "event.draw.shown" if event.get("shown") else "event.draw"
    if "BF-3.7" in event["rules"]:
        key = "event.draw.match"
    return say.text(key, player=event["player"], card=the_card(say, event["cards"][0]))


def _refill(event: Wire, say: Catalogue) -> str:
    return say.plural("event.refill", _number(event["cards"]), player=event["player"])


def _bonus(event: Wire, say: Catalogue) -> str:
    return say.plural("event.bonus", event["points"], **_names(event, say))


def _turn(event: Wire, say: Catalogue) -> str:
    return say.text(f"event.turn.{event['why']}", **_names(event, say))


def _over(event: Wire, say: Catalogue) -> str:
    if not event["winners"]:
        return say.text("event.over.nobody")
    return say.plural("event.over", len(event["winners"]), winners=listed(say, event["winners"]))


def _left(event: Wire, say: Catalogue) -> str:
    return say.plural(f"event.{event['type']}", event["left"], **_names(event, say))


def _lost(event: Wire, say: Catalogue) -> str:
    return say.text("event.lost.out-of-cards" if event["left"] else "event.lost", **_names(event, say))


def _slap(event: Wire, say: Catalogue) -> str:
    return say.plural("event.slap", len(event["players"]), players=listed(say, event["players"]))


def _claim(event: Wire, say: Catalogue) -> str:
    return say.text(f"event.claim.{event['pattern']}", player=event["player"])


def _gather(event: Wire, say: Catalogue) -> str:
    return say.plural("event.gather", _number(event["cards"]), player=event["player"])


_EVENTS: dict[str, Callable[[Wire, Catalogue], str]] = {
    "deal": _deal,
    "request": _request,
    "give": _give,
    "refuse": _refuse,
    "draw": _draw,
    "refill": _refill,
    "bonus": _bonus,
    "turn": _turn,
    "over": _over,
    "challenge": _left,
    "tries": _left,
    "lost": _lost,
    "slap": _slap,
    "claim": _claim,
    "gather": _gather,
}
"""The events whose message depends on more than their type."""
