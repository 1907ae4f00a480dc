"""A game told in plain text: a heading a step, its sentences with their rules, and the table as short lines.

No drawing and no columns, so that a screen reader reads it as it stands.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from rulewalk.catalogue import Catalogue, card_name, listed
from rulewalk.game import Told

type Wire = Mapping[str, Any]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Characters that would command a terminal or break a line. A name may hold some; a line must not."""


def told_in_text(told: Told) -> Iterator[str]:
    """Yield the lines of a told game, which must have been asked for its sentences."""
    return (_CONTROL.sub("\N{REPLACEMENT CHARACTER}", line) for line in _lines(told))


def _lines(told: Told) -> Iterator[str]:
    say = Catalogue.load(told.language)
    for number, (state, events) in enumerate(told):
        yield from ("",) if number else ()
        yield say.text("text.step", number=number) if number else say.text("text.start")
        for event in events:
            yield _with_rules(event["sentence"], event["rules"])
        yield from _table(state, say)
    if told.error:
        if told.error["index"] is not None:
            yield ""
            yield say.text("text.refused", number=told.error["index"] + 1)
        yield _with_rules(told.error["message"], told.error["rules"])


def _with_rules(sentence: str, rules: list[str]) -> str:
    return f"{sentence} ({', '.join(rules)})" if rules else sentence


def _table(state: Wire, say: Catalogue) -> Iterator[str]:
    """Yield a line for each player, then for what lies in the middle."""
    for name, cards in (state["packets"] if "packets" in state else state["hands"]).items():
        line = f"- {name}: {_cards(cards if 'hands' in state else _count(cards), say)}"
        if state.get("books", {}).get(name):
            books = listed(say, (say.plural(f"rank.{rank}", 4) for rank in state["books"][name]))
            line += f" {say.text('text.books', books=books)}"
        yield line
    if "packets" in state:
        yield f"- {say.text('text.centre')}: {_cards(state['centre'][state['hidden'] :], say)}"
        if state["hidden"]:
            yield f"- {say.plural('text.face-down', state['hidden'])}"
    else:
        yield f"- {say.text('text.stock')}: {_cards(_count(state['stock']), say)}"


def _cards(cards: list[str] | int, say: Catalogue) -> str:
    """Return cards by name, or how many where they are not seen."""
    if isinstance(cards, int):
        return say.plural("text.cards", cards)
    return f"{listed(say, (card_name(say, card) for card in cards))}." if cards else say.plural("text.cards", 0)


def _count(cards: list[str] | int) -> int:
    return cards if isinstance(cards, int) else len(cards)
