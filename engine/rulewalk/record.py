"""From the JSON of a game to who plays, what is dealt and what was done (wire.md, "Record").

Here a record is only read and checked; `rulewalk.game` plays it.
"""

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from rulewalk.backstab_fish import BackstabFish
from rulewalk.cards import CARD_OF, Card, is_whole, shuffled
from rulewalk.egyptian_ratscrew import EgyptianRatscrew
from rulewalk.go_fish import GoFish
from rulewalk.refusal import Refusal
from rulewalk.ruleset import Agreement, Ruleset, Setup, Step, whole_number

RULESETS: Mapping[str, Ruleset[Any]] = {rules.name: rules for rules in (BackstabFish(), GoFish(), EgyptianRatscrew())}
"""The games by their names on the wire."""

MAX_NAME = 60
"""Characters in a player's name. A table has to show it."""

MAX_ACTIONS = 100_000
"""Actions in a record; no finished game of the three comes near."""

MAX_DEPTH = 20
"""Brackets within brackets in a line; a record has half a dozen."""

_NO_BRACKETS = re.compile(r"[^][{}]+")


@dataclass(frozen=True)
class Record:
    """A record that has been read: everything but its actions is known to be good.

    ``actions`` are JSON values still, because whether one is an action depends on the game and its phase.
    """

    ruleset: Ruleset[Any]
    setup: Setup
    deal: Mapping[str, Any]
    start: Step[Any]
    actions: tuple[object, ...]

    def to_wire(self, actions: list[dict[str, Any]]) -> dict[str, Any]:
        """Write the record with ``actions`` in place of its own."""
        setup = self.setup
        return {
            "game": self.ruleset.name,
            "players": list(setup.players),
            "dealer": setup.players[setup.dealer],
            "agreements": {key: list(value) if isinstance(value, tuple) else value for key, value in setup.agreements},
            "deal": deepcopy(self.deal),
            "actions": actions,
        }


def parse(line: str) -> object:
    """Parse one line of JSON; raise ``malformed`` for anything that is none.

    Not JSON are NaN and infinities too, and what is nested too deeply or holds a number too long to read.
    """
    try:
        if _is_nested_well(line):
            return json.loads(line, parse_constant=_no_constant)
    except ValueError:
        pass
    raise Refusal("malformed", about="json")


def _is_nested_well(line: str) -> bool:
    """Tell whether the brackets of ``line``, those in strings apart, pair off, no deeper than MAX_DEPTH.

    Python's parser would raise `RecursionError` for a deep line, but on WebAssembly it may run out of the host's
    stack before, and take the interpreter with it.
    """
    outside = "".join(line.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    brackets = _NO_BRACKETS.sub("", outside)
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace("[]", "").replace("{}", "")
    return not brackets


def _no_constant(name: str) -> None:
    raise ValueError(name)


def read(raw: object) -> Record:
    """Read a record's JSON value and deal its cards.

    Raises `Refusal` with index None and, checked in this order, ``malformed``, ``unknown-game``,
    ``player-count``, ``duplicate-player``, ``unknown-player`` (the dealer), ``unknown-agreement``,
    ``bad-deck`` or ``bad-table``.
    """
    game, players, dealer, agreements, deal, actions = _shape(raw)
    ruleset = RULESETS.get(game)
    if ruleset is None:
        raise Refusal("unknown-game", name=game)
    if len(players) not in ruleset.seats:
        raise Refusal(
            "player-count", ruleset.count_rules, count=len(players), least=ruleset.seats[0], most=ruleset.seats[-1]
        )
    if len(set(players)) < len(players):
        raise Refusal("duplicate-player", player=next(name for name in players if players.count(name) > 1))
    if dealer is not None and dealer not in players:
        raise Refusal("unknown-player", player=dealer)
    seat = len(players) - 1 if dealer is None else players.index(dealer)
    setup = Setup(players, seat, _agreements(ruleset, agreements))
    return Record(ruleset, setup, deal, _deal(ruleset, setup, deal), actions)


def _shape(raw: object) -> tuple[str, tuple[str, ...], str | None, dict[str, Any], dict[str, Any], tuple[object, ...]]:
    """Check that each field is there and of its type."""
    if not isinstance(raw, dict):
        raise Refusal("malformed", about="record")
    players, dealer, deal = raw.get("players"), raw.get("dealer"), raw.get("deal")
    agreements, actions = raw.get("agreements", {}), raw.get("actions", [])
    game = raw.get("game")
    if not isinstance(game, str):
        raise Refusal("malformed", about="field", field="game")
    if not isinstance(players, list) or not all(isinstance(name, str) and _is_name(name) for name in players):
        raise Refusal("malformed", about="field", field="players")
    if dealer is not None and not isinstance(dealer, str):
        raise Refusal("malformed", about="field", field="dealer")
    if not isinstance(agreements, dict):
        raise Refusal("malformed", about="field", field="agreements")
    if not isinstance(deal, dict) or len(deal) != 1 or not _is_deal(*deal.items()):
        raise Refusal("malformed", about="field", field="deal")
    if not isinstance(actions, list) or len(actions) > MAX_ACTIONS:
        raise Refusal("malformed", about="field", field="actions")
    try:
        own = deepcopy(deal)  # what a caller does with theirs afterwards must not change the game
    except RecursionError:
        raise Refusal("malformed", about="field", field="deal") from None
    return game, tuple(players), dealer, agreements, own, tuple(actions)


def _is_name(name: str) -> bool:
    # A lone surrogate, which JSON can write and UTF-8 cannot, is no text.
    return 0 < len(name) <= MAX_NAME and not any("\ud800" <= letter <= "\udfff" for letter in name)


def _is_deal(item: tuple[str, Any]) -> bool:
    match item:
        case ("seed", seed):
            number = whole_number(seed)
            return number is not None and 0 <= number < 2**32
        case ("deck", deck):
            return isinstance(deck, list)
        case ("table", table):
            return isinstance(table, dict)
        case _:
            return False


def _agreements(ruleset: Ruleset[Any], raw: dict[str, Any]) -> tuple[tuple[str, Agreement], ...]:
    agreed = {name: default for name, (default, _) in ruleset.agreements.items()}
    for name, value in raw.items():
        setting = ruleset.agreements.get(name)
        chosen = None if setting is None else setting[1](value)
        if chosen is None:
            raise Refusal("unknown-agreement", name=name)
        agreed[name] = chosen
    return tuple(agreed.items())


def _deal(ruleset: Ruleset[Any], setup: Setup, deal: Mapping[str, Any]) -> Step[Any]:
    ((how, what),) = deal.items()
    if how == "table":
        return ruleset.arrange(setup, what)
    return ruleset.deal(setup, shuffled(ruleset.pack, what) if how == "seed" else _deck(ruleset, what))


def _deck(ruleset: Ruleset[Any], raw: list[object]) -> tuple[Card, ...]:
    try:
        cards = tuple(CARD_OF[code] for code in raw)  # type: ignore[index]  # a code that is no string is in no index
    except (KeyError, TypeError):
        raise Refusal("bad-deck", ruleset.pack_rules) from None
    if not is_whole(cards, ruleset.pack):
        raise Refusal("bad-deck", ruleset.pack_rules)
    return cards
