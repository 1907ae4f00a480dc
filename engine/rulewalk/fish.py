"""What Backstab Fish and Go Fish share: hands, books, a stock, and a player in turn who asks.

The two games differ in what a request does and in who goes next; that is in their own modules.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from rulewalk.actions import Request
from rulewalk.cards import CARD_OF, JOKER_RANK, RANK_OF, RANKS, Card, Rank, codes, fits, of_rank, parted
from rulewalk.events import Told
from rulewalk.refusal import Refusal
from rulewalk.ruleset import OVER, Ruleset, Seat, Setup, Step, not_your_turn, read_list

REQUEST = "request"


class FishPosition(NamedTuple):
    """A position of either game. ``hands`` and ``books`` are by seat; ``stock`` from the top.

    Hands are sorted, so in canonical order. ``next`` is who has the turn after an ``after-draw``.
    """

    setup: Setup
    phase: str
    turn: Seat | None
    next: Seat | None
    hands: tuple[tuple[Card, ...], ...]
    books: tuple[tuple[Rank, ...], ...]
    stock: tuple[Card, ...]


# The constructor of a named tuple is a Python function; this is the C one below it. Every action makes both.
_new_position: Callable[[tuple[object, ...]], FishPosition] = partial(tuple.__new__, FishPosition)
_new_step: Callable[[tuple[object, ...]], Step[FishPosition]] = partial(tuple.__new__, Step)


def complete_ranks(hand: Sequence[Card]) -> list[Rank]:
    """Return the ranks of which ``hand`` holds a book, in canonical order (BF-2.5)."""
    # In a sorted hand a book is a card whose third neighbour has its rank.
    return sorted({a >> 2 for a, d in zip(hand, hand[3:], strict=False) if a >> 2 == d >> 2})


class Draft:
    """The next position while it is being worked out, with its events so far.

    It lives within one `Ruleset.play` only; `step` freezes it.
    """

    __slots__ = ("books", "hands", "next", "phase", "players", "setup", "stock", "told", "turn")

    def __init__(self, position: FishPosition) -> None:
        """Start from ``position``, which stays as it is."""
        self.setup, self.phase, self.turn, self.next, hands, self.books, self.stock = position
        self.players = self.setup.players
        self.hands = list(hands)
        self.told: list[Told] = []

    def note(self, type_: str, rules: tuple[str, ...], details: dict[str, Any]) -> None:
        """Record that something happened."""
        self.told.append((type_, rules, details))

    def hold(self, seat: Seat, cards: Sequence[Card]) -> None:
        """Put ``cards`` into a hand."""
        self.hands[seat] = tuple(sorted((*self.hands[seat], *cards)))

    def give(self, giver: Seat, taker: Seat, rank: Rank, count: int, rules: tuple[str, ...]) -> None:
        """Hand ``count`` cards of ``rank`` from one player to another, the first ones (BF-3.11)."""
        cards, self.hands[giver] = parted(self.hands[giver], rank, count)
        self.hold(taker, cards)
        self.note(
            "give",
            rules,
            {"player": self.players[giver], "target": self.players[taker], "rank": RANKS[rank], "cards": codes(cards)},
        )

    def take(self, seat: Seat, count: int) -> tuple[Card, ...]:
        """Move up to ``count`` cards from the top of the stock into a hand, and return them."""
        cards, self.stock = self.stock[:count], self.stock[count:]
        self.hold(seat, cards)
        return cards

    def lay(self, seat: Seat, rank: Rank, rules: tuple[str, ...]) -> None:
        """Lay a book: the first four cards of ``rank`` in canonical order (BF-3.11)."""
        cards, self.hands[seat] = parted(self.hands[seat], rank, 4)
        self.books = (*self.books[:seat], (*self.books[seat], rank), *self.books[seat + 1 :])
        self.note("lay", rules, {"player": self.players[seat], "rank": RANKS[rank], "cards": codes(cards)})

    def has_opponent(self, seat: Seat) -> bool:
        """Tell whether somebody else has cards and so can be asked."""
        return any(self.hands[:seat]) or any(self.hands[seat + 1 :])

    def step(self) -> Step[FishPosition]:
        """Freeze the draft."""
        position = _new_position(
            (self.setup, self.phase, self.turn, self.next, tuple(self.hands), self.books, self.stock)
        )
        return _new_step((position, tuple(self.told)))


class Fish(Ruleset[FishPosition]):
    """What the two games do alike."""

    ranks: ClassVar[Mapping[str, Rank]]
    """The ranks of the pack by name."""

    phases: ClassVar[frozenset[str]]
    end_rules: ClassVar[tuple[str, ...]]
    request_rules: ClassVar[Mapping[str, tuple[str, ...]]]
    """The rules behind each refusal of a request, by its code."""

    @abstractmethod
    def scores(self, position: FishPosition) -> list[int]:
        """Return each seat's points."""

    @abstractmethod
    def settle(self, draft: Draft) -> None:
        """Do what an arranged or dealt position leaves no choice about."""

    def winners(self, position: FishPosition) -> list[str]:
        """Return who has most points once the game is over; equal highest share the win (BF-5.6, GF-4.2)."""
        if position.phase != OVER:
            return []
        scores = self.scores(position)
        return [name for name, score in zip(position.setup.players, scores, strict=True) if score == max(scores)]

    def state(self, position: FishPosition) -> dict[str, Any]:
        players = position.setup.players
        return {
            "phase": position.phase,
            "turn": None if position.turn is None else players[position.turn],
            "next": None if position.next is None else players[position.next],
            "hands": {name: codes(hand) for name, hand in zip(players, position.hands, strict=True)},
            "books": {
                name: [RANKS[rank] for rank in books] for name, books in zip(players, position.books, strict=True)
            },
            "stock": codes(position.stock),
            "scores": dict(zip(players, self.scores(position), strict=True)),
            "winners": self.winners(position),
        }

    def hand_size(self, players: int) -> int:
        """Return how many cards each player is dealt."""
        raise NotImplementedError

    def dealt(self, setup: Setup, deck: Sequence[Card], phase: str, rules: tuple[str, ...]) -> Draft:
        """Deal ``deck`` one card at a time, clockwise from the dealer's left (BF-2.9, GF-2.2)."""
        count = len(setup.players)
        used = count * self.hand_size(count)
        hands: list[tuple[Card, ...]] = [()] * count
        for turn, seat in enumerate(setup.after(setup.dealer)):
            hands[seat] = tuple(sorted(deck[turn:used:count]))
        draft = Draft(FishPosition(setup, phase, setup.first, None, tuple(hands), ((),) * count, tuple(deck[used:])))
        draft.note(
            "deal",
            rules,
            {
                "dealer": setup.players[setup.dealer],
                "hands": {name: codes(hand) for name, hand in zip(setup.players, hands, strict=True)},
                "stock": codes(draft.stock),
            },
        )
        return draft

    def arrange(self, setup: Setup, table: Mapping[str, Any]) -> Step[FishPosition]:
        position = self._read_table(setup, table)
        draft = Draft(position)
        draft.note("arrange", (), {"state": self.state(position)})
        if position.phase != OVER:
            self.settle(draft)
        return draft.step()

    def _read_table(self, setup: Setup, table: Mapping[str, Any]) -> FishPosition:
        """Read a state; its scores and winners follow from the rest and are not read."""
        phase = table.get("phase", REQUEST)
        if phase not in (*self.phases, OVER):
            raise Refusal("bad-table", about="phase")
        hands = self._by_player(setup, table.get("hands", {}), CARD_OF)
        books = self._by_player(setup, table.get("books", {}), RANK_OF)
        stock = read_list(table.get("stock", []), CARD_OF)
        turn = self._player(setup, table.get("turn", None if phase == OVER else setup.players[setup.first]))
        next_ = self._player(setup, table.get("next"))
        someone_next = next_ is not None and next_ != turn
        if (turn is None) != (phase == OVER) or someone_next != (phase == "after-draw"):
            raise Refusal("bad-table", about="turn")
        self._check_pack(chain(stock, *hands), chain(*books))
        sorted_hands = tuple(tuple(sorted(hand)) for hand in hands)
        return FishPosition(setup, phase, turn, next_, sorted_hands, tuple(map(tuple, books)), tuple(stock))

    def _check_pack(self, loose: Iterable[Card], books: Iterable[Rank]) -> None:
        """Refuse more cards than the pack has; a book is four of its rank, it does not matter which (BF-2.5)."""
        cards = list(loose)
        per_rank = Counter(card >> 2 for card in cards)
        per_rank.update({rank: 4 * count for rank, count in Counter(books).items()})
        room = Counter(card >> 2 for card in self.pack)
        if not fits(cards, self.pack) or not per_rank <= room:
            raise Refusal("bad-table", self.pack_rules, about="pack")

    @staticmethod
    def _by_player(setup: Setup, raw: object, index: Mapping[str, int]) -> list[list[int]]:
        if not isinstance(raw, dict) or not raw.keys() <= setup.seat.keys():
            raise Refusal("bad-table", about="players")
        return [read_list(raw.get(name, []), index) for name in setup.players]

    @staticmethod
    def _player(setup: Setup, raw: object) -> Seat | None:
        if raw is None:
            return None
        if not isinstance(raw, str) or raw not in setup.seat:
            raise Refusal("bad-table", about="players")
        return setup.seat[raw]

    def unknown_rank(self, name: str) -> Refusal:
        """Return the refusal of a rank that the pack has not."""
        return Refusal("unknown-rank", self.request_rules["unknown-rank"], name=name)

    def check_request(self, position: FishPosition, action: Request) -> tuple[Seat, Seat, Rank]:
        """Return asker, target and rank of a request; raise its refusal, in wire.md's order, save for the number."""
        setup = position.setup
        try:
            asker, target = setup.seat[action.player], setup.seat[action.target]
        except KeyError as unknown:
            raise Refusal("unknown-player", player=unknown.args[0]) from None
        why = self.request_rules
        rank = self.ranks.get(action.rank)
        if rank is None:
            raise self.unknown_rank(action.rank)
        if asker != position.turn:
            raise not_your_turn(position, action.player, why["not-your-turn"])
        self.check_phase(position)
        if target == asker:
            raise Refusal("target-is-self", why["target-is-self"])
        if not position.hands[target]:
            raise Refusal("target-has-no-cards", why["target-has-no-cards"], target=action.target)
        if not of_rank(position.hands[asker], rank):
            raise Refusal("rank-not-held", why["rank-not-held"], rank=action.rank)
        return asker, target, rank

    def check_phase(self, position: FishPosition) -> None:
        """Raise the refusal of any request at a moment that is for something else, where a game has such moments."""

    def finish(self, draft: Draft) -> None:
        """End the game, and say who has won."""
        draft.phase, draft.turn, draft.next = OVER, None, None
        draft.note("over", self.end_rules, {"winners": self.winners(draft.step().position)})


def copies(rank: Rank, packs: int) -> int:
    """Return how many cards of ``rank`` there are: four a pack, and four jokers in all (BF-3.8)."""
    return 4 if rank == JOKER_RANK else 4 * packs
