"""Backstab Fish: ask for an exact number; a refusal hands the turn to whoever was asked.

The rules are BF-2 to BF-5 and the agreements BF-7.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rulewalk.actions import Action, EndTurn, Lay, Request
from rulewalk.cards import RANK_OF, RANKS, TWO_PACKS, Card, Rank, codes, of_rank, ranks_of
from rulewalk.fish import REQUEST, Draft, Fish, FishPosition, complete_ranks, copies
from rulewalk.refusal import Refusal
from rulewalk.ruleset import OVER, Seat, Setup, Step, not_your_turn, seat_of, whole_number

OPENING = "opening"
AFTER_DRAW = "after-draw"

MAX_BONUS = 1_000_000
"""No table pays more for two books of a rank; keeps hostile records small."""


def _request(raw: Mapping[str, Any]) -> Request | None:
    match raw:
        case {"player": str(player), "target": str(target), "rank": str(rank), "quantity": int(quantity)}:
            # JSON's true is an int to Python, but no number.
            return None if isinstance(quantity, bool) else Request(player, target, rank, quantity)
    return None


def _lay(raw: Mapping[str, Any]) -> Lay | None:
    match raw:
        case {"player": str(player), "rank": str(rank)}:
            return Lay(player, rank)
    return None


def _end_turn(raw: Mapping[str, Any]) -> EndTurn | None:
    match raw:
        case {"player": str(player)}:
            return EndTurn(player)
    return None


def _bonus(raw: object) -> int | None:
    points = whole_number(raw)
    return points if points is not None and 0 <= points <= MAX_BONUS else None


def _turn_passes(raw: object) -> str | None:
    return raw if isinstance(raw, str) and raw in ("on-refusal", "every-request") else None


class BackstabFish(Fish):
    """The rules of Backstab Fish."""

    name = "backstab-fish"
    seats = range(4, 11)
    pack = TWO_PACKS
    ranks = RANK_OF
    agreements = {"double-book-bonus": (0, _bonus), "turn-passes": ("on-refusal", _turn_passes)}
    phases = frozenset({OPENING, REQUEST, AFTER_DRAW})
    fields = {"request": _request, "lay": _lay, "end-turn": _end_turn}
    malformed = {"request": ("BF-3.1",), "lay": ("BF-2.5",)}
    over_rules = ("BF-5.5",)
    count_rules = ("BF-2.1",)
    pack_rules = ("BF-2.2",)
    end_rules = ("BF-5.5", "BF-5.6")
    request_rules = {
        "unknown-rank": ("BF-2.2", "BF-2.4"),
        "not-your-turn": ("BF-3.6",),
        "target-is-self": ("BF-3.1",),
        "target-has-no-cards": ("BF-3.1", "BF-5.4"),
        "rank-not-held": ("BF-3.2",),
    }

    def hand_size(self, players: int) -> int:
        """Seven cards each, however many play (BF-2.3)."""
        return 7

    def deal(self, setup: Setup, deck: Sequence[Card]) -> Step[FishPosition]:
        return self.dealt(setup, deck, OPENING, ("BF-2.3", "BF-2.9", "BF-2.7")).step()

    def scores(self, position: FishPosition) -> list[int]:
        """One point a book (BF-5.6), and what the table agreed for both books of a rank (BF-7.1)."""
        bonus = position.setup.agreed["double-book-bonus"]
        assert isinstance(bonus, int)
        return [len(books) + bonus * sum(count == 2 for count in Counter(books).values()) for books in position.books]

    def legal(self, position: FishPosition) -> list[Action]:
        if position.turn is None:
            return []
        turn, players = position.turn, position.setup.players
        # In the opening everybody may lay (BF-2.8), later only the player in turn (BF-2.10).
        laying = range(len(players)) if position.phase == OPENING else (turn,)
        actions: list[Action] = [
            Lay(players[seat], RANKS[rank]) for seat in laying for rank in complete_ranks(position.hands[seat])
        ]
        if position.phase == AFTER_DRAW:
            return [*actions, EndTurn(players[turn])]
        ranks = ranks_of(position.hands[turn])
        for target, hand in enumerate(position.hands):
            if hand and target != turn:
                for rank in ranks:
                    actions += _requests(players[turn], players[target], rank)
        return actions

    def play(self, position: FishPosition, action: Action) -> Step[FishPosition]:
        if position.phase == OVER:
            raise Refusal("game-over", self.over_rules)
        draft = Draft(position)
        match action:
            case Request():
                self._ask(position, action, draft)
            case Lay():
                self._lay(position, action, draft)
            case EndTurn():
                self._end(position, action, draft)
            case _:
                raise Refusal("unknown-action", about=self.name, type=action.type)
        return draft.step()

    def check_phase(self, position: FishPosition) -> None:
        """Who has asked may only lay books any more before the turn passes (BF-3.6, BF-7.2)."""
        if position.phase == AFTER_DRAW:
            rules, _ = self._passing(position.setup)
            raise Refusal("wrong-phase", rules, about="request")

    def _ask(self, position: FishPosition, action: Request, draft: Draft) -> None:
        asker, target, rank = self.check_request(position, action)
        quantity = action.quantity
        if quantity is None or not 1 <= quantity <= copies(rank, 2):
            raise Refusal(
                "quantity-out-of-range", ("BF-3.8",), rank=action.rank, quantity=quantity, most=copies(rank, 2)
            )
        draft.note(
            "request",
            ("BF-3.1", "BF-2.10") if draft.phase == OPENING else ("BF-3.1",),
            {"player": action.player, "target": action.target, "rank": action.rank, "quantity": quantity},
        )
        draft.phase = REQUEST  # the first request closes the opening (BF-2.10)
        held = of_rank(draft.hands[target], rank)
        if len(held) >= quantity:
            broken = len(held) >= 4 > len(held) - quantity
            draft.give(target, asker, rank, quantity, ("BF-3.3", "BF-4.2") if broken else ("BF-3.3",))
            self._fill_if_empty(draft, target)
            if draft.setup.agreed["turn-passes"] == "every-request":
                self._before_passing(draft, asker, target, ("BF-7.2",), "every-request")
            else:
                self._go_on(draft, asker, ("BF-3.4",), "success")
            return
        # A laid book is told of whatever is left in hand: else the rules would tell that there is nothing.
        laid = ("BF-2.6",) if rank in draft.books[target] else ()
        draft.note(
            "refuse",
            ("BF-3.5", *laid),
            {"player": action.target, "target": action.player, "rank": action.rank, "quantity": quantity},
        )
        if draft.stock:
            cards = draft.take(asker, 1)
            why, rules = "refusal", ("BF-3.6",)
            matching = ("BF-3.7",) if cards[0] >> 2 == rank else ()
            draft.note("draw", (*rules, *matching), {"player": action.player, "cards": codes(cards)})
        else:
            why, rules = "refusal-no-stock", ("BF-5.2",)
        self._before_passing(draft, asker, target, rules, why)

    def _lay(self, position: FishPosition, action: Lay, draft: Draft) -> None:
        seat = seat_of(position.setup, action.player)
        rank = self.ranks.get(action.rank)
        if rank is None:
            raise self.unknown_rank(action.rank)
        if seat != position.turn and position.phase != OPENING:
            raise not_your_turn(position, action.player, ("BF-2.10", "BF-3.9"))
        if len(of_rank(position.hands[seat], rank)) < 4:
            raise Refusal("book-incomplete", ("BF-2.5",), rank=action.rank)
        draft.lay(seat, rank, ("BF-2.8",) if position.phase == OPENING else ("BF-3.9",))
        self._pay_bonus(draft, seat, rank)
        self._fill_if_empty(draft, seat)
        turn = position.turn  # in the opening perhaps another's than who lays
        assert turn is not None
        if position.next is not None:
            self._before_passing(draft, turn, position.next, *self._passing(draft.setup))
        elif not draft.hands[turn]:
            self._pass_on(draft, turn, ("BF-4.7",), "empty")
        elif not draft.has_opponent(turn):
            self._go_on(draft, turn, (), "success")

    def _end(self, position: FishPosition, action: EndTurn, draft: Draft) -> None:
        seat = seat_of(position.setup, action.player)
        if seat != position.turn:
            raise not_your_turn(position, action.player, ("BF-3.6",))
        if position.phase != AFTER_DRAW:
            raise Refusal("wrong-phase", ("BF-3.10",), about="end-turn")
        assert position.next is not None
        self._pass_to(draft, seat, position.next, *self._passing(draft.setup))

    def settle(self, draft: Draft) -> None:
        assert draft.turn is not None
        if draft.next is not None:
            self._before_passing(draft, draft.turn, draft.next, *self._passing(draft.setup))
        elif not draft.hands[draft.turn] or not draft.has_opponent(draft.turn):
            self._pass_on(draft, (draft.turn - 1) % len(draft.players), ("BF-4.7",), "empty")

    @staticmethod
    def _passing(setup: Setup) -> tuple[tuple[str, ...], str]:
        """Return why a turn passes once its player has laid or kept books: a refusal, or the agreement of BF-7.2."""
        if setup.agreed["turn-passes"] == "every-request":
            return ("BF-7.2",), "every-request"
        return ("BF-3.6",), "refusal"

    def _fill_if_empty(self, draft: Draft, seat: Seat) -> None:
        """Draw up to seven cards into an emptied hand (BF-4.4); with no stock its owner leaves the round (BF-4.5)."""
        if draft.hands[seat]:
            return
        player = draft.players[seat]
        if draft.stock:
            rules = ("BF-4.4", "BF-4.6") if seat == draft.turn else ("BF-4.4",)
            draft.note("refill", rules, {"player": player, "cards": codes(draft.take(seat, 7))})
        else:
            draft.note("leave", ("BF-4.5",), {"player": player})

    def _pay_bonus(self, draft: Draft, seat: Seat, rank: Rank) -> None:
        points = draft.setup.agreed["double-book-bonus"]
        if points and draft.books[seat].count(rank) == 2:
            draft.note("bonus", ("BF-7.1",), {"player": draft.players[seat], "rank": RANKS[rank], "points": points})

    def _before_passing(self, draft: Draft, seat: Seat, target: Seat, rules: tuple[str, ...], why: str) -> None:
        """Let the asker lay complete books before the turn goes to ``target`` (BF-3.6).

        Without a complete book, or with no stock, when all are laid anyway (BF-5.1), there is no choice.
        """
        if not draft.stock or not complete_ranks(draft.hands[seat]):
            self._pass_to(draft, seat, target, rules, why)
            return
        if draft.phase != AFTER_DRAW:
            draft.phase, draft.turn, draft.next = AFTER_DRAW, seat, target
            draft.note(
                "turn",
                (*rules, "BF-3.9"),
                {"player": draft.players[seat], "phase": AFTER_DRAW, "next": draft.players[target], "why": "may-lay"},
            )

    def _lay_all(self, draft: Draft, seat: Seat, rules: tuple[str, ...]) -> None:
        hand = draft.hands[seat]
        while ranks := complete_ranks(draft.hands[seat]):
            draft.lay(seat, ranks[0], rules)
            self._pay_bonus(draft, seat, ranks[0])
        if hand and not draft.hands[seat]:
            self._fill_if_empty(draft, seat)

    def _pass_to(self, draft: Draft, seat: Seat, target: Seat, rules: tuple[str, ...], why: str) -> None:
        """End the turn of ``seat``, who with no stock lays every complete book first (BF-5.1); ``target`` is next."""
        if not draft.stock:
            self._lay_all(draft, seat, ("BF-5.1",))
        if draft.hands[target]:
            self._go_on(draft, target, rules, why)
        else:
            self._pass_on(draft, target, (*rules, "BF-5.3"), "skip")

    def _pass_on(self, draft: Draft, seat: Seat, rules: tuple[str, ...], why: str) -> None:
        """Give the turn to the next player clockwise from ``seat`` who has cards (BF-4.7, BF-5.3)."""
        for other in draft.setup.after(seat):
            if draft.hands[other]:
                self._go_on(draft, other, rules, why)
                return
        self.finish(draft)

    def _go_on(self, draft: Draft, seat: Seat, rules: tuple[str, ...], why: str) -> None:
        """Let ``seat`` ask; where nobody can be asked, they lay what is complete and the game ends (BF-5.8)."""
        if not draft.has_opponent(seat):
            self._lay_all(draft, seat, ("BF-5.8",))
            self.finish(draft)
            return
        if draft.phase == AFTER_DRAW:
            draft.phase = REQUEST
        draft.turn, draft.next = seat, None
        draft.note("turn", rules, {"player": draft.players[seat], "phase": draft.phase, "next": None, "why": why})


@lru_cache(maxsize=4096)
def _requests(asker: str, target: str, rank: Rank) -> tuple[Request, ...]:
    """Return the requests for each number from one to the copies in the pack (BF-3.8)."""
    return tuple(Request(asker, target, RANKS[rank], n) for n in range(1, copies(rank, 2) + 1))
