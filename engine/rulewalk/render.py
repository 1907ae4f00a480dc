"""The table as HTML: a position, what led to it, and what may be done next.

The one place where a table is drawn: the site's build and the reader's browser call the same functions with
the same wire values (wire.md) and get the same string. No game is played here; how a table looks is for
`tutorials/player/table.css`. A seat is told twice: drawn, for the eye, and as a sentence, for a screen reader.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rulewalk.cards import RANKS
from rulewalk.catalogue import Catalogue, card_name, listed, rank_of
from rulewalk.rules import RULES

type Wire = Mapping[str, Any]
"""A JSON object as wire.md has it."""

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})

CENTRE_SHOWN = 7
"""How many cards of Ratscrew's centre are drawn: the last ones, which a pattern can be made of (ER-4.5)."""


def step(
    record: Wire,
    state: Wire,
    outcome: Sequence[Wire] | Wire,
    language: str,
    rules_base: str = "",
    viewer: str | None = None,
) -> str:
    """Return what happened, in words, and the table after it.

    ``outcome`` is a step's events as the viewer learned them, each with its sentence, or the error of an
    action that was refused, with what was ``tried`` as a sentence, where there is one.
    A rule links to its paragraph on the same page, or under ``rules_base``, the address of the language's root.
    """
    if isinstance(outcome, Mapping):
        said = _told("", outcome["tried"], (), rules_base) if outcome.get("tried") else ""
        said += _told("rw-refusal", outcome["message"], outcome["rules"], rules_base)
        moved: list[dict[str, Any]] = []
    else:
        said = "".join(_told("", event["sentence"], event["rules"], rules_base) for event in outcome)
        moved = moves(outcome)
    return f'<div class="rw-said">{said}</div>\n{table(record, state, language, viewer=viewer, moves=moved)}'


def table(record: Wire, state: Wire, language: str, *, viewer: str | None = None, moves: Sequence[Wire] = ()) -> str:
    """Return the table in position ``state``, with the cards that have just moved marked.

    A ``viewer`` sits nearest the reader and sees no other hand, whatever ``state`` holds. Otherwise the
    first player sits there, and every hand that ``state`` shows is seen.
    """
    return _Table(record, state, language, viewer, moves).html()


def moves(events: Iterable[Wire]) -> list[dict[str, Any]]:
    """Return the cards' ways in ``events``: ``{"card": "6H", "from": "hand:Lena", "to": "hand:Anton"}``.

    A card that the viewer may not see is None. A deal moves nothing: it is how the table came to be.

    Examples:
        >>> moves([{"type": "draw", "player": "Lena", "cards": ["6H"], "rules": []}])
        [{'card': '6H', 'from': 'stock', 'to': 'hand:Lena'}]
    """
    ways: list[dict[str, Any]] = []
    for event in events:
        player = event.get("player")
        match event["type"]:
            case "give":
                way = f"hand:{player}", f"hand:{event['target']}"
            case "draw" | "refill":
                way = "stock", f"hand:{player}"
            case "lay":
                way = f"hand:{player}", f"books:{player}"
            case "flip" | "penalty":
                way = f"packet:{player}", "centre"
            case "gather":
                way = "centre", f"packet:{player}"
            case _:
                continue
        cards = event["cards"] if "cards" in event else [event["card"]]
        seen = [None] * cards if isinstance(cards, int) else cards
        ways += [{"card": card, "from": way[0], "to": way[1]} for card in seen]
    return ways


def controls(record: Wire, state: Wire, legal: Sequence[Wire], language: str) -> str:
    """Return the form of the reader's own move, in the terms of the game.

    Everything can be chosen: what is not ``legal`` looks muted, and the engine will say why not.
    """
    say = Catalogue.load(language)
    if state["phase"] == "over":
        return f'<div class="rw-own"><p>{escape(say.text("controls.over"))}</p></div>'
    if record["game"] == "egyptian-ratscrew":
        choices = _ratscrew_controls(record, legal, say)
    else:
        choices = _fish_controls(record, state, legal, say)
    return f'<div class="rw-own">{choices}</div>'


class _Table:
    """One drawing of one table."""

    def __init__(self, record: Wire, state: Wire, language: str, viewer: str | None, moves: Sequence[Wire]) -> None:
        players: list[str] = list(record["players"])
        nearest = players.index(viewer) if viewer in players else 0
        self.game: str = record["game"]
        self.players = players[nearest:] + players[:nearest]
        self.state = state
        self.say = Catalogue.load(language)
        self.viewer = viewer
        self.moves = moves
        self.arrived = _arrived(moves)
        # A lost challenge is still the turn of whoever lost it, but what comes next is the winner's to do (ER-3.4).
        self.mover: str | None = state["challenge"]["by"] if state["phase"] == "collect" else state["turn"]

    def html(self) -> str:
        ratscrew = self.game == "egyptian-ratscrew"
        seat = self._packet_seat if ratscrew else self._hand_seat
        middle = self._centre() if ratscrew else self._stock()
        # The seats come clockwise from the nearest; the style sheet sets them round the middle by their number.
        return (
            f'<div class="rw-table" data-game="{self.game}" role="group" aria-label="{self._text("table.name")}" '
            f"data-moves='{_in_single_quotes(self.moves)}'>\n"
            f'<ul class="rw-seats" data-seats="{len(self.players)}">\n'
            + "".join(f"{seat(player)}\n" for player in self.players)
            + f"{middle}\n</ul></div>"
        )

    # Backstab Fish and Go Fish

    def _hand_seat(self, player: str) -> str:
        hand: list[str] | int = self.state["hands"][player]
        if self.viewer not in (None, player):
            hand = _count(hand)
        books: list[str] = self.state["books"][player]
        score = self.state["scores"][player]

        spoken = [self._hand_told(hand)]
        if books:
            ranks = [self.say.plural(f"rank.{rank}", 4) for rank in books]
            spoken.append(self.say.text("table.books", books=listed(self.say, ranks)))
        told = score or self.state["winners"]  # a story that is not about points need not show noughts
        points = self.say.plural("table.points", score) if told else ""
        return self._seat(
            player,
            points and f'<span class="rw-score">{escape(points)}</span>',
            f'<p class="rw-spoken">{escape(" ".join(spoken))}</p>'
            f'<div class="rw-hand" data-place="hand:{escape(player)}" aria-hidden="true">'
            f"{self._fan(hand, self.arrived[f'hand:{player}'])}</div>{self._books(player, books)}",
        )

    def _fan(self, hand: list[str] | int, arrived: Counter[str | None]) -> str:
        if isinstance(hand, int):
            new = arrived.total()
            return "".join(_back(i >= hand - new) for i in range(hand))
        left = arrived.copy()
        # One span a rank: equal ranks lie closer together, and are not parted at the end of a line.
        return "".join(
            f"<span>{''.join(_card(card, left) for card in cards)}</span>" for _, cards in groupby(hand, rank_of)
        )

    def _books(self, player: str, books: list[str]) -> str:
        if not books:
            return ""
        new = Counter(rank_of(card) for card, n in self.arrived[f"books:{player}"].items() if card for _ in range(n))
        last = {rank: place for place, rank in enumerate(books)}
        piles = "".join(
            f'<b data-book="{rank}"{_moved(rank in new and last[rank] == place)}>{_index(rank)}</b>'
            for place, rank in enumerate(books)
        )
        return f'<div class="rw-books" data-place="books:{escape(player)}" aria-hidden="true">{piles}</div>'

    def _stock(self) -> str:
        stock = _count(self.state["stock"])
        return (
            f'<li class="rw-middle"><div class="rw-pile" data-place="stock" aria-hidden="true">{_pile(stock)}</div>'
            f"<p>{self._text('table.stock')} <b>{escape(self.say.plural('table.cards', stock))}</b></p></li>"
        )

    # Egyptian Ratscrew

    def _packet_seat(self, player: str) -> str:
        cards = _count(self.state["packets"][player])
        marks = f'<span class="rw-out">{self._text("table.out")}</span>' if player in self.state["out"] else ""
        moved = _moved(bool(self.arrived[f"packet:{player}"]))
        return self._seat(
            player,
            marks,
            f'<div class="rw-pile" data-place="packet:{escape(player)}" aria-hidden="true">{_pile(cards, moved)}</div>'
            f'<p class="rw-count">{escape(self.say.plural("table.cards", cards))}</p>',
        )

    def _centre(self) -> str:
        centre: list[str | None] = self.state["centre"]
        hidden: int = self.state["hidden"]
        challenge = self.state["challenge"]
        words = [f"<p>{self._text('table.centre')} <b>{escape(self.say.plural('table.cards', len(centre)))}</b></p>"]
        if hidden:
            words.append(f"<p>{escape(self.say.plural('table.hidden', hidden))}</p>")
        if challenge and self.state["phase"] != "collect":
            told = self.say.plural("table.challenge", challenge["left"], player=challenge["by"])
            words.append(f'<p class="rw-challenge">{escape(told)}</p>')
        if faces := [card for card in centre[hidden:] if card]:
            told = self.say.text("table.from-top", cards=self._named(reversed(faces)))
            words.append(f'<p class="rw-spoken">{escape(told)}</p>')
        return (
            '<li class="rw-middle"><div class="rw-centre" data-place="centre" aria-hidden="true">'
            f"{self._laid(centre, hidden)}</div>{''.join(words)}</li>"
        )

    def _laid(self, centre: list[str | None], hidden: int) -> str:
        """Draw the last cards of the centre, and what they cover as one pile."""
        left = self.arrived["centre"].copy()
        covered = max(hidden, len(centre) - CENTRE_SHOWN)
        pile = _pile(covered, _moved(any(left[card] for card in centre[:hidden]))) if covered else ""
        faces = "".join(_card(card, left) for card in centre[covered:] if card)
        return pile + (f"<span>{faces}</span>" if faces else "")

    # Both

    def _seat(self, player: str, marks: str, held: str) -> str:
        name = f"<b>{escape(player)}</b>"
        if player in self.state["winners"]:
            name += f' <span class="rw-winner">{self._text("table.winner")}</span>'
        elif player == self.mover:
            gathers = self.state["phase"] in ("collect", "last-chance")
            to_do = self._text("table.to-gather" if gathers else "table.to-move")
            name += f' <span class="rw-token">{to_do}</span>'
        elif player == self.state.get("next"):
            name += f' <span class="rw-next">{self._text("table.next")}</span>'
        turn = " data-turn" if player == self.mover else ""
        return (
            f'<li class="rw-seat" data-player="{escape(player)}"{turn}>'
            f'<p class="rw-name">{name}{" " if marks else ""}{marks}</p>{held}</li>'
        )

    def _hand_told(self, hand: list[str] | int) -> str:
        if not hand:
            return self.say.text("table.hand-empty")
        if isinstance(hand, int):
            return self.say.plural("table.hand-hidden", hand)
        return self.say.plural("table.hand", len(hand), cards=self._named(hand))

    def _named(self, cards: Iterable[str]) -> str:
        return listed(self.say, [card_name(self.say, card) for card in cards])

    def _text(self, key: str) -> str:
        return escape(self.say.text(key))


# Cards


def _card(card: str, left: Counter[str | None]) -> str:
    """Draw a card face up, marked if it is one of those ``left`` that have just arrived."""
    new = left[card] > 0
    left[card] -= new
    return f'<i data-card="{card}"{_moved(new)}>{_index(rank_of(card))}</i>'


def _index(rank: str) -> str:
    """Return what stands in a card's corner, in every language; the long ones set apart, to be fitted in."""
    return {"10": "<small>10</small>", "JK": "<small>Joker</small>"}.get(rank, rank)


def _back(moved: bool) -> str:
    return f"<i{_moved(moved)}></i>"


def _pile(cards: int, moved: str = "") -> str:
    """Draw a face-down pile; its thickness tells few from many, the words beside it how many."""
    return f'<i data-depth="{(cards > 0) + (cards > 3) + (cards > 15)}"{moved}></i>'


def _moved(moved: bool) -> str:
    return ' class="rw-moved"' if moved else ""


def _count(cards: Sequence[Any] | int) -> int:
    return cards if isinstance(cards, int) else len(cards)


def _arrived(moves: Iterable[Wire]) -> dict[str, Counter[str | None]]:
    """Return for each place the cards that came there and have stayed."""
    places: dict[str, Counter[str | None]] = defaultdict(Counter)
    for move in moves:
        places[move["to"]][move["card"]] += 1
        if places[move["from"]][move["card"]] > 0:
            places[move["from"]][move["card"]] -= 1
    return places


# Words


def escape(text: str) -> str:
    """Return ``text`` as it stands in HTML. `html.escape` would bring a long list of entities into every page.

    Examples:
        >>> escape('Ana & "Rui"')
        'Ana &amp; &quot;Rui&quot;'
    """
    return text.translate(_ENTITIES)


def _told(kind: str, sentence: str, rules: Sequence[str], rules_base: str) -> str:
    links = "".join(f" {_rule_link(number, rules_base)}" for number in rules)
    return f"<p{f' class="{kind}"' if kind else ''}>{escape(sentence)}{links}</p>"


def _rule_link(number: str, rules_base: str) -> str:
    rule = RULES[number]
    page = f"{rules_base}{rule.game}/" if rules_base else ""
    return f'<a data-rule="{number}" href="{escape(page)}#{rule.anchor}">{number}</a>'


def _in_single_quotes(value: object) -> str:
    """Return ``value`` as JSON in an attribute whose quotes are single: JSON has so many double ones."""
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return told.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;")


# Moves to choose from


def _fish_controls(record: Wire, state: Wire, legal: Sequence[Wire], say: Catalogue) -> str:
    backstab = record["game"] == "backstab-fish"
    asker: str = state["turn"]
    requests = [action for action in legal if action["type"] == "request"]
    others = [player for player in record["players"] if player != asker]
    ranks = RANKS if backstab else RANKS[:-1]  # no jokers in Go Fish

    fields = [
        _choice("target", {player: escape(player) for player in others}, requests, say),
        _choice("rank", {rank: _rank_chip(rank, say) for rank in ranks}, requests, say),
    ]
    if backstab:  # BF-3.8: up to the copies in the pack
        fields.append(_choice("quantity", {number: str(number) for number in range(1, 9)}, requests, say))
    form = (
        f'<form class="rw-ask" data-action="request" data-player="{escape(asker)}">'
        f"<p>{escape(say.text('controls.asker', player=asker))}</p>{''.join(fields)}"
        f'<button type="submit">{escape(say.text("controls.ask"))}</button></form>'
    )
    return form + (_laying(state, legal, say) if backstab else "")


def _choice(field: str, faces: Mapping[Any, str], requests: Sequence[Wire], say: Catalogue) -> str:
    """Offer the values of one part of a request; what no legal request has is muted."""
    allowed = {request[field] for request in requests}
    chosen = next((value for value in faces if value in allowed), next(iter(faces)))
    labels = "".join(
        _option(
            "radio",
            field,
            escape(str(value)),
            face + _muted_words(value in allowed, say),
            value == chosen,
            _muted(value in allowed),
        )
        for value, face in faces.items()
    )
    return _fieldset(field, labels, say)


def _laying(state: Wire, legal: Sequence[Wire], say: Catalogue) -> str:
    """Offer every rank that the player to move holds, and the books of others where they may lay (BF-2.8)."""
    player: str = state["turn"]
    hand: list[str] | int = state["hands"][player]
    held = [] if isinstance(hand, int) else [(player, rank_of(card)) for card in hand]
    books = [(action["player"], action["rank"]) for action in legal if action["type"] == "lay"]
    buttons = "".join(
        _button(
            f'lay="{rank}"',
            owner,
            f"{'' if owner == player else f'{escape(owner)} '}{_rank_chip(rank, say)}",
            (owner, rank) in books,
            say,
        )
        for owner, rank in dict.fromkeys(held + books)
    )
    ends = any(action["type"] == "end-turn" for action in legal)
    end = _button("end-turn", player, escape(say.text("controls.end-turn")), ends, say)
    return (_group(say.text("controls.lay"), buttons) if buttons else "") + end


def _ratscrew_controls(record: Wire, legal: Sequence[Wire], say: Catalogue) -> str:
    """Offer each player the three things a hand can do, and slaps at one moment (ER-4.8)."""
    can = {(action["type"], name) for action in legal for name in action.get("players") or [action["player"]]}
    rows = "".join(
        _group(
            player,
            "".join(
                _button(act, player, escape(say.text(f"controls.{act}")), (act, player) in can, say)
                for act in ("flip", "slap", "collect")
            ),
        )
        for player in record["players"]
    )
    names = {escape(player): escape(player) for player in record["players"]}
    hands = "".join(_option("checkbox", "players", name, face) for name, face in names.items())
    nobody = {"": escape(say.text("controls.nobody-can-tell"))}
    lowest = "".join(_option("radio", "lowest", name, face, not name) for name, face in {**nobody, **names}.items())
    return (
        f"{rows}<details><summary>{escape(say.text('controls.slaps'))}</summary>"
        f'<form data-action="slap">{_fieldset("players", hands, say)}{_fieldset("lowest", lowest, say)}'
        f'<button type="submit">{escape(say.text("controls.slap"))}</button></form></details>'
    )


def _option(kind: str, field: str, value: str, face: str, checked: bool = False, muted: str = "") -> str:
    return (
        f'<label><input type="{kind}" name="{field}" value="{value}"{muted}{" checked" if checked else ""}>'
        f"<span>{face}</span></label>"
    )


def _fieldset(field: str, labels: str, say: Catalogue) -> str:
    return f'<fieldset data-field="{field}"><legend>{escape(say.text(f"controls.{field}"))}</legend>{labels}</fieldset>'


def _group(name: str, buttons: str) -> str:
    name = escape(name)
    return f'<div class="rw-acts" role="group" aria-label="{name}"><p aria-hidden="true">{name}</p>{buttons}</div>'


def _button(act: str, player: str, face: str, allowed: bool, say: Catalogue) -> str:
    return (
        f'<button type="button" data-{act} data-player="{escape(player)}"{_muted(allowed)}>'
        f"{face}{_muted_words(allowed, say)}</button>"
    )


def _rank_chip(rank: str, say: Catalogue) -> str:
    name = escape(say.plural(f"rank.{rank}", 4))
    return f'<span data-rank="{rank}" aria-hidden="true">{_index(rank)}</span><span class="rw-spoken">{name}</span>'


def _muted(allowed: bool) -> str:
    return "" if allowed else ' class="rw-muted"'


def _muted_words(allowed: bool, say: Catalogue) -> str:
    return "" if allowed else f' <span class="rw-spoken">{escape(say.text("controls.muted"))}</span>'
