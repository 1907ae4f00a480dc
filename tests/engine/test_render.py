"""The table as HTML: everything of a position is on it once, nothing that is hidden, and it says what it shows."""

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewalk import replay, say
from rulewalk.actions import Lay, Slap, players_of, to_wire
from rulewalk.catalogue import rank_of
from rulewalk.game import Game
from rulewalk.render import controls, moves, step, table

from . import kit

FISH = ("backstab-fish", "go-fish")
VOID = {"input"}


@dataclass
class Element:
    """An element of the drawing: what the tests look for."""

    tag: str
    attributes: dict[str, str | None]
    parent: "Element | None" = None
    children: list["Element"] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def all(self, *names: str) -> list["Element"]:
        """Return the elements inside that have every attribute in ``names``, in order."""
        found = [self] if all(name in self.attributes for name in names) else []
        return found + [hit for child in self.children for hit in child.all(*names)]

    def classed(self, name: str) -> list["Element"]:
        return [hit for hit in self.all("class") if name in (hit.attributes["class"] or "").split()]

    def get(self, name: str) -> str:
        return self.attributes[name] or ""

    @property
    def text(self) -> str:
        return " ".join([*self.texts, *(child.text for child in self.children)])


class Reader(HTMLParser):
    """Reads a drawing strictly: what is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.here = self.root = Element("root", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {attrs}"
        child = Element(tag, dict(attrs), self.here)
        self.here.children.append(child)
        if tag not in VOID:
            self.here = child

    def handle_endtag(self, tag: str) -> None:
        assert self.here.tag == tag, f"</{tag}> closes <{self.here.tag}>"
        assert self.here.parent
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        self.here.texts.append(data)


def read(html: str) -> Element:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.here is reader.root, f"<{reader.here.tag}> is not closed"
    return reader.root


def places(drawing: Element) -> dict[str, list[str]]:
    """Return the open cards of each place, in the order drawn."""
    return {
        place.get("data-place"): [card.get("data-card") for card in place.all("data-card")]
        for place in drawing.all("data-place")
    }


def seat(drawing: Element, player: str) -> Element:
    (found,) = (one for one in drawing.all("data-player") if one.get("data-player") == player)
    return found


def drawn(game: Game, language: str = "en", **options: Any) -> Element:
    return read(table(game.record(), game.state(), language, **options))


def any_game(data: st.DataObject, game: str) -> Game:
    """A game played on at random from a random deal, some way."""
    start = Game.from_record(data.draw(kit.records(game)))
    *_, last = kit.at_random(start, data.draw(st.integers(0, 999)), data.draw(st.integers(0, 60)))
    return last


SIXES = kit.table(
    "backstab-fish",
    hands={"Anton": "6S 10D QH", "Lena": "2C 6H 6D JK", "Boris": "4S", "Vera": ""},
    books={"Vera": "9 A"},
    stock="KC KD",
    turn="Anton",
    phase="request",
)


class TestTable:
    @pytest.mark.parametrize("game", FISH)
    @given(data=st.data())
    def test_shows_every_card_once_where_it_is(self, game: str, data: st.DataObject) -> None:
        now = any_game(data, game)
        state, drawing = now.state(), drawn(now)
        shown = places(drawing)
        for player, hand in state["hands"].items():
            assert shown[f"hand:{player}"] == hand
            piles = [pile.get("data-book") for pile in seat(drawing, player).all("data-book")]
            assert piles == state["books"][player]
        assert shown["stock"] == []
        assert sum(map(len, shown.values())) == sum(map(len, state["hands"].values()))

    @given(data=st.data())
    def test_shows_the_top_of_the_centre_and_no_packet(self, data: st.DataObject) -> None:
        now = any_game(data, "egyptian-ratscrew")
        state, shown = now.state(), places(drawn(now))
        faces = state["centre"][state["hidden"] :]
        assert shown.pop("centre") == faces[-7:]
        assert not any(shown.values())

    @pytest.mark.parametrize("game", kit.GAMES)
    @given(data=st.data())
    def test_marks_who_is_to_move_by_more_than_colour(self, game: str, data: st.DataObject) -> None:
        now = any_game(data, game)
        state, drawing = now.state(), drawn(now)
        movers = {
            player for action in now.legal() if not isinstance(action, Lay | Slap) for player in players_of(action)
        }
        assert {one.get("data-player") for one in drawing.all("data-turn")} == movers
        assert [one.text for one in drawing.classed("rw-token")] == [
            "to gather" if state["phase"] in ("collect", "last-chance") else "to move" for _ in movers
        ]
        assert len(drawing.classed("rw-winner")) == len(state["winners"])

    @pytest.mark.parametrize("game", kit.GAMES)
    @pytest.mark.parametrize("language", kit.LANGUAGES)
    @settings(max_examples=10)
    @given(data=st.data())
    def test_needs_neither_ids_nor_styles_and_is_always_the_same(
        self, game: str, language: str, data: st.DataObject
    ) -> None:
        now = any_game(data, game)
        legal = [to_wire(action) for action in now.legal()]
        panel = controls(now.record(), now.state(), legal, language)
        for html in (table(now.record(), now.state(), language), panel):
            assert not read(html).all("id")
            assert not read(html).all("style")
        assert table(now.record(), now.state(), language) == table(now.record(), now.state(), language)

    def test_equal_ranks_lie_together(self) -> None:
        (hand,) = (place for place in drawn(SIXES).all("data-place") if place.get("data-place") == "hand:Lena")
        assert [[card.get("data-card") for card in rank.children] for rank in hand.children] == [
            ["2C"],
            ["6H", "6D"],
            ["JK"],
        ]

    @pytest.mark.parametrize(
        ("language", "hand", "books"),
        [
            ("en", "4 cards: two of clubs, six of hearts, six of diamonds, joker.", "Books laid: nines, aces."),
            ("es", "4 cartas: dos de tréboles, seis de corazones, seis de diamantes, comodín.", "nueves, ases."),
            ("pt", "4 cartas: dois de paus, seis de copas, seis de ouros, joker.", "noves, ases."),
        ],
    )
    def test_says_what_a_seat_holds(self, language: str, hand: str, books: str) -> None:
        drawing = drawn(SIXES, language)
        assert hand in seat(drawing, "Lena").text
        assert books in seat(drawing, "Vera").text

    def test_what_is_drawn_is_not_read_out_too(self) -> None:
        for place in drawn(SIXES).all("data-place"):
            assert place.get("aria-hidden") == "true"

    def test_two_cards_and_one_are_counted_as_the_language_counts(self) -> None:
        assert "2 cartas" in drawn(SIXES, "es").text
        assert "1 ponto" in drawn(kit.table("go-fish", hands={"Anton": "2S"}, books={"Lena": "A"}), "pt").text

    def test_a_name_is_never_markup(self) -> None:
        name = """<b id="x">&amp;'"</b>"""
        record = {
            "game": "go-fish",
            "players": [name, "Lena"],
            "deal": {"table": {"hands": {name: ["2S"], "Lena": ["KC"]}}},
        }
        game = Game.from_record(record)
        way = {"card": "2S", "from": f"hand:{name}", "to": "hand:Lena"}
        drawing = read(table(record, game.state(), "en", moves=[way]))
        assert not drawing.all("id")
        assert name in seat(drawing, name).text
        (top,) = drawing.all("data-moves")
        assert json.loads(top.get("data-moves")) == [way]
        panel = read(controls(record, game.state(), [], "en"))
        assert not panel.all("id")
        assert panel.classed("rw-ask")[0].get("data-player") == name

    def test_a_long_stories_table_is_light(self) -> None:
        game = Game.from_record(kit.record("backstab-fish"))
        assert len(table(game.record(), game.state(), "pt")) < 3200


class TestViews:
    @pytest.mark.parametrize("game", FISH)
    @given(data=st.data())
    def test_a_viewer_sees_their_own_hand_and_only_backs_of_others(self, game: str, data: st.DataObject) -> None:
        now = any_game(data, game)
        viewer = data.draw(st.sampled_from(now.record()["players"]))
        hidden = table(now.record(), now.state(viewer), "en", viewer=viewer)
        drawing = read(hidden)
        for player, hand in now.state()["hands"].items():
            assert places(drawing)[f"hand:{player}"] == (hand if player == viewer else [])
            if player != viewer:
                (fan,) = (one for one in drawing.all("data-place") if one.get("data-place") == f"hand:{player}")
                assert len(fan.children) == len(hand)
        # Even where the state holds more than the viewer may see.
        assert table(now.record(), now.state(), "en", viewer=viewer) == hidden

    def test_the_viewer_sits_nearest_and_the_others_clockwise(self) -> None:
        seats = drawn(SIXES, viewer="Boris").all("data-player")
        assert [one.get("data-player") for one in seats] == ["Boris", "Vera", "Anton", "Lena"]

    @given(data=st.data())
    def test_counts_for_packets_draw_the_same_table(self, data: st.DataObject) -> None:
        now = any_game(data, "egyptian-ratscrew")
        viewer = now.record()["players"][0]
        assert table(now.record(), now.state(viewer), "es") == table(now.record(), now.state(), "es")


class TestMoves:
    @pytest.mark.parametrize("game", kit.GAMES)
    @given(data=st.data())
    def test_lead_from_each_position_to_the_next(self, game: str, data: st.DataObject) -> None:
        before: dict[str, Counter[str]] | None = None
        for now in any_game(data, game).history():
            after = whereabouts(now.state())
            if before is not None:
                for way in moves(now.events()):
                    before[way["from"]][way["card"]] -= 1
                    before[way["to"]][way["card"]] += 1
                books = {place: before.pop(place) for place in list(before) if place.startswith("books:")}
                for cards in books.values():  # of a rank laid, always four
                    assert not any(n % 4 for n in Counter(map(rank_of, cards.elements())).values())
                assert {place: +cards for place, cards in before.items() if +cards} == after
            before = defaultdict(Counter, after)

    def test_mark_the_cards_that_have_just_come(self) -> None:
        after = SIXES.play(SIXES.read_action(ask("Lena", "6", 1)))
        drawing = drawn(after, moves=moves(after.events()))
        assert [card.attributes.get("data-card") for card in drawing.classed("rw-moved")] == ["6H"]
        assert seat(drawing, "Anton").classed("rw-moved")

    def test_mark_a_back_where_the_card_is_hidden(self) -> None:
        after = SIXES.play(SIXES.read_action(ask("Lena", "6", 3)))
        drawn_unseen = moves(after.events("Boris"))
        assert drawn_unseen == [{"card": None, "from": "stock", "to": "hand:Anton"}]
        html = table(after.record(), after.state("Boris"), "en", viewer="Boris", moves=drawn_unseen)
        (back,) = seat(read(html), "Anton").classed("rw-moved")
        assert "data-card" not in back.attributes

    def test_mark_a_book_where_its_cards_went(self) -> None:
        before = kit.table("backstab-fish", hands={"Anton": "6S 6H 6D 6C 2S", "Lena": "3S"}, turn="Anton", stock="KC")
        after = before.play(before.read_action({"type": "lay", "player": "Anton", "rank": "6"}))
        (book,) = drawn(after, moves=moves(after.events())).classed("rw-moved")
        assert book.get("data-book") == "6"

    @pytest.mark.parametrize("viewer", [None, "Lena"])
    def test_mark_the_pile_that_a_penalty_went_under(self, viewer: str | None) -> None:
        before = kit.table(
            "egyptian-ratscrew",
            packets={"Anton": "2S", "Lena": "3S", "Boris": "4S"},
            centre="QS",
            turn="Anton",
            phase="flip",
        )
        after = before.play(before.read_action({"type": "slap", "players": ["Lena"]}))
        html = table(after.record(), after.state(viewer), "en", moves=moves(after.events(viewer)))
        (pile,) = read(html).classed("rw-moved")
        assert pile.parent
        assert pile.parent.get("data-place") == "centre"
        assert "data-card" not in pile.attributes


class TestStep:
    def test_tells_each_event_with_links_to_its_rules(self) -> None:
        after = SIXES.play(SIXES.read_action(ask("Lena", "6", 1)))
        events = [{**event, "sentence": say(event, "es")} for event in after.events()]
        said, drawing = read(step(after.record(), after.state(), events, "es")).children
        assert said.get("class") == "rw-said"
        assert len(said.children) == len(events)
        for paragraph, event in zip(said.children, events, strict=True):
            assert paragraph.texts[0] == event["sentence"] + " "
            links = [(link.get("data-rule"), link.get("href")) for link in paragraph.children]
            assert links == [(rule, f"#{rule.lower().replace('.', '-')}") for rule in event["rules"]]
        assert json.loads(drawing.get("data-moves")) == moves(events)

    def test_tells_a_refusal_and_moves_nothing(self) -> None:
        error = replay({**SIXES.record(), "actions": [ask("Lena", "A", 1)]}, language="pt")["error"]
        said, drawing = read(step(SIXES.record(), SIXES.state(), error, "pt", rules_base="../")).children
        (refusal,) = said.children
        assert refusal.get("class") == "rw-refusal"
        assert error["message"] in refusal.text
        assert [link.get("href") for link in refusal.children] == ["../backstab-fish/#bf-3-2"]
        assert drawing.get("data-moves") == "[]"


class TestControls:
    @pytest.mark.parametrize("game", kit.GAMES)
    @given(data=st.data())
    def test_offer_every_legal_action_and_mute_the_rest(self, game: str, data: st.DataObject) -> None:
        now = any_game(data, game)
        legal = [to_wire(action) for action in now.legal()]
        panel = read(controls(now.record(), now.state(), legal, "en"))
        assert [act for act in legal if not offered(panel, act)] == []
        for button in panel.all("type", "data-player"):
            assert ("rw-muted" in button.attributes.get("class", "")) == (action_of(button) not in legal)

    def test_begin_with_a_legal_request(self) -> None:
        legal = [to_wire(action) for action in SIXES.legal()]
        panel = read(controls(SIXES.record(), SIXES.state(), legal, "en"))
        chosen = {one.get("name"): one.get("value") for one in panel.all("checked")}
        assert ask(chosen["target"], chosen["rank"], int(chosen["quantity"])) in legal

    def test_all_ranks_can_be_tried_but_say_when_they_are_not_allowed(self) -> None:
        legal = [to_wire(action) for action in SIXES.legal()]
        panel = read(controls(SIXES.record(), SIXES.state(), legal, "en"))
        ranks = {one.get("value"): one for one in panel.all("name") if one.get("name") == "rank"}
        assert list(ranks) == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"]
        assert [rank for rank, one in ranks.items() if not one.classed("rw-muted")] == ["6", "10", "Q"]
        assert not panel.all("disabled")
        for one in ranks.values():
            assert one.parent
            assert bool(one.classed("rw-muted")) == ("not allowed" in one.parent.text)

    def test_hands_at_one_moment_have_a_form_of_their_own(self) -> None:
        game = Game.from_record(kit.record("egyptian-ratscrew", players=2))
        panel = read(controls(game.record(), game.state(), [], "en"))
        (form,) = (one for one in panel.all("data-action") if one.get("data-action") == "slap")
        choices = [(one.get("type"), one.get("name"), one.get("value")) for one in form.all("name")]
        assert choices == [
            ("checkbox", "players", "Anton"),
            ("checkbox", "players", "Lena"),
            ("radio", "lowest", ""),
            ("radio", "lowest", "Anton"),
            ("radio", "lowest", "Lena"),
        ]

    def test_there_is_nothing_to_do_when_the_game_is_over(self) -> None:
        over = kit.table("go-fish", hands={}, books={"Lena": "A"})
        panel = read(controls(over.record(), over.state(), [], "en"))
        assert "over" in panel.text
        assert not panel.all("type")


def ask(target: str, rank: str, quantity: int) -> dict[str, Any]:
    return {"type": "request", "player": "Anton", "target": target, "rank": rank, "quantity": quantity}


def whereabouts(state: dict[str, Any]) -> dict[str, Counter[str]]:
    """Return where each card of an open state is, by the places that moves name, books left out."""
    found = {
        f"{kind}:{name}": cards for kind in ("hand", "packet") for name, cards in state.get(f"{kind}s", {}).items()
    }
    found |= {place: state.get(place, []) for place in ("stock", "centre")}
    return {place: Counter(cards) for place, cards in found.items() if cards}


def offered(panel: Element, action: dict[str, Any]) -> bool:
    if action["type"] != "request":
        return any(action_of(button) == action for button in panel.all("type", "data-player"))
    values = [(one.get("name"), one.get("value")) for one in panel.all("name") if not one.classed("rw-muted")]
    wanted = [(name, str(action[name])) for name in ("target", "rank", "quantity") if name in action]
    return all(value in values for value in wanted)


def action_of(button: Element) -> dict[str, Any]:
    """Return the action a button stands for, as the player reads it."""
    player = button.get("data-player")
    (act,) = (name[5:] for name in button.attributes if re.fullmatch("data-(lay|end-turn|flip|slap|collect)", name))
    match act:
        case "lay":
            return {"type": "lay", "player": player, "rank": button.get("data-lay")}
        case "slap":
            return {"type": "slap", "players": [player]}
        case _:
            return {"type": act, "player": player}
