"""Go Fish, as Bicycle has it: ask for a rank, get them all, or go fish.

The rules are GF-2 to GF-4.
"""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

from rulewalk.actions import Action, Request
from rulewalk.cards import JOKER_RANK, ONE_PACK, RANK_OF, Card, codes, of_rank, ranks_of
from rulewalk.fish import REQUEST, Draft, Fish, FishPosition, complete_ranks
from rulewalk.refusal import Refusal
from rulewalk.ruleset import OVER, Seat, Setup, Step


def _request(raw: Mapping[str, Any]) -> Request | None:
    match raw:
        case {"player": str(player), "target": str(target), "rank": str(rank)}:
            return Request(player, target, rank)
    return None


class GoFish(Fish):
    """The rules of Go Fish."""

    name = "go-fish"
    seats = range(2, 6)
    pack = ONE_PACK
    ranks = {name: rank for name, rank in RANK_OF.items() if rank != JOKER_RANK}
    phases = frozenset({REQUEST})
    fields = {"request": _request}
    malformed = {"request": ("GF-3.1",)}
    over_rules = ("GF-4.1",)
    count_rules = ("GF-1.3",)
    pack_rules = ("GF-1.4",)
    end_rules = ("GF-4.1", "GF-4.2")
    request_rules = {
        "unknown-rank": ("GF-1.4",),
        "not-your-turn": ("GF-2.4", "GF-3.8"),
        "target-is-self": ("GF-3.1",),
        "target-has-no-cards": ("GF-3.1", "GF-3.14"),
        "rank-not-held": ("GF-3.1", "GF-4.3"),
    }

    def hand_size(self, players: int) -> int:
        """Seven each for two or three, five for four or five (GF-2.2)."""
        return 7 if players <= 3 else 5

    def deal(self, setup: Setup, deck: Sequence[Card]) -> Step[FishPosition]:
        draft = self.dealt(setup, deck, REQUEST, ("GF-2.2", "GF-2.4"))
        self.settle(draft)
        return draft.step()

    def scores(self, position: FishPosition) -> list[int]:
        """One point a book (GF-4.2)."""
        return [len(books) for books in position.books]

    def legal(self, position: FishPosition) -> list[Action]:
        turn = position.turn
        if turn is None:
            return []
        hands, ranks = position.hands, ranks_of(position.hands[turn])
        asked = compress(position.setup.requests[turn], hands[:turn] + hands[turn + 1 :])
        return [by_rank[rank] for by_rank in asked for rank in ranks]

    def play(self, position: FishPosition, action: Action) -> Step[FishPosition]:
        if position.phase == OVER:
            raise Refusal("game-over", self.over_rules)
        if not isinstance(action, Request):
            raise Refusal("unknown-action", about=self.name, type=action.type)
        asker, target, rank = self.check_request(position, action)
        draft = Draft(position)
        draft.note("request", ("GF-3.1",), {"player": action.player, "target": action.target, "rank": action.rank})
        held = of_rank(draft.hands[target], rank)
        if held:
            draft.give(target, asker, rank, len(held), ("GF-3.2",))
            self._lay_if_complete(draft, asker, rank, ("GF-3.5",))
            self._start_turn(draft, asker, ("GF-3.3",), "again")
            return draft.step()
        draft.note("refuse", ("GF-3.6",), {"player": action.target, "target": action.player, "rank": action.rank})
        if not draft.stock:
            self._start_turn(draft, asker + 1, ("GF-3.9",), "to-left-no-stock")
            return draft.step()
        (card,) = draft.take(asker, 1)
        fished = card >> 2 == rank
        draft.note(
            "draw",
            ("GF-3.6", "GF-3.7") if fished else ("GF-3.6", "GF-3.8"),
            {"player": action.player, "cards": codes([card]), "shown": fished},
        )
        if fished:
            self._lay_if_complete(draft, asker, rank, ("GF-3.5",))
            self._start_turn(draft, asker, ("GF-3.7",), "fished")
        else:
            self._lay_if_complete(draft, asker, card >> 2, ("GF-3.12",))
            self._start_turn(draft, asker + 1, ("GF-3.8",), "to-left")
        return draft.step()

    def settle(self, draft: Draft) -> None:
        """Lay the books in dealt hands (GF-2.3), in the order of the seats from the first player, and start."""
        for seat in draft.setup.after(draft.setup.dealer):
            for rank in complete_ranks(draft.hands[seat]):
                draft.lay(seat, rank, ("GF-2.3",))
        assert draft.turn is not None
        begins = draft.told[0][0] == "deal"  # an arranged table is mostly the middle of a game
        self._start_turn(draft, draft.turn, ("GF-2.4",) if begins else ("GF-3.1",), "first" if begins else "on-turn")

    def _lay_if_complete(self, draft: Draft, seat: Seat, rank: int, rules: tuple[str, ...]) -> None:
        if len(of_rank(draft.hands[seat], rank)) == 4:
            draft.lay(seat, rank, rules)

    def _start_turn(self, draft: Draft, seat: Seat, rules: tuple[str, ...], why: str) -> None:
        """Let ``seat``, counted on past the last one, ask, or whoever on their left first can.

        Without cards they draw one (GF-3.10, GF-3.11), and with no stock they are out; with nobody to ask the
        turn passes on (GF-3.13). Where that would go round for ever, nobody can do anything: the game is over.
        """
        if why in ("again", "fished") and not draft.hands[seat] and draft.stock:
            self._draw_one(draft, seat, ("GF-3.11",))
        while draft.stock or sum(map(bool, draft.hands)) > 1:
            draft.turn = seat = seat % len(draft.players)
            if not draft.hands[seat] and not draft.stock:
                draft.note("skip", ("GF-3.10",), {"player": draft.players[seat]})
                rules, why = ("GF-3.10",), "skip"
            else:
                can_ask = draft.has_opponent(seat)
                if can_ask or not draft.hands[seat]:
                    draft.note(
                        "turn", rules, {"player": draft.players[seat], "phase": REQUEST, "next": None, "why": why}
                    )
                if not draft.hands[seat]:
                    self._draw_one(draft, seat, ("GF-3.10",))
                if can_ask:
                    return
                rules, why = ("GF-3.13",), "nobody-to-ask"
            seat += 1
        self.finish(draft)

    @staticmethod
    def _draw_one(draft: Draft, seat: Seat, rules: tuple[str, ...]) -> None:
        draft.note("draw", rules, {"player": draft.players[seat], "cards": codes(draft.take(seat, 1)), "shown": False})
