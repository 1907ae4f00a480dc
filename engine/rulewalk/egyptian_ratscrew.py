"""Egyptian Ratscrew: turn cards, answer the court card, and be first to slap.

The rules are ER-2 to ER-5 and the settings ``patterns`` and ``ending``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rulewalk.actions import Action, Collect, Flip, Slap
from rulewalk.cards import CARD_OF, CODES, ONE_PACK, Card, codes, fits
from rulewalk.events import Told
from rulewalk.patterns import PATTERNS
from rulewalk.refusal import Refusal
from rulewalk.ruleset import OVER, Ruleset, Seat, Setup, Step, not_your_turn, read_list, seat_of, whole_number

FLIP = "flip"
RESPOND = "respond"
COLLECT = "collect"
LAST_CHANCE = "last-chance"

TRIES = {0: 4, 12: 3, 11: 2, 10: 1}
"""How many cards a court card demands, by rank: ace 4, king 3, queen 2, jack 1 (ER-3.1)."""


class Challenge(NamedTuple):
    """Who played the court card, and how many cards may still be turned to answer it."""

    by: Seat
    left: int


class RatscrewPosition(NamedTuple):
    """``packets`` are by seat, from the top; ``centre`` from the bottom.

    The first ``hidden`` cards of the centre are penalties, face down. ``out`` are the seats that lost the right
    to come back, in order.
    """

    setup: Setup
    phase: str
    turn: Seat | None
    packets: tuple[tuple[Card, ...], ...]
    centre: tuple[Card, ...]
    hidden: int
    challenge: Challenge | None
    out: tuple[Seat, ...]


class Draft:
    """The next position while it is being worked out, with its events so far."""

    __slots__ = ("centre", "challenge", "hidden", "out", "packets", "phase", "players", "setup", "told", "turn")

    def __init__(self, position: RatscrewPosition) -> None:
        """Start from ``position``, which stays as it is."""
        self.setup, self.phase, self.turn, packets, self.centre, self.hidden, self.challenge, self.out = position
        self.players = self.setup.players
        self.packets = list(packets)
        self.told: list[Told] = []

    def note(self, type_: str, rules: tuple[str, ...], details: dict[str, Any]) -> None:
        """Record that something happened."""
        self.told.append((type_, rules, details))

    def with_cards(self) -> list[Seat]:
        """Return the seats whose packet is not empty."""
        return [seat for seat, packet in enumerate(self.packets) if packet]

    def next_with_cards(self, seat: Seat) -> Seat | None:
        """Return the next seat clockwise whose packet is not empty, ``seat`` itself last; None if all are empty."""
        return next((other for other in self.setup.after(seat) if self.packets[other]), None)

    def step(self) -> Step[RatscrewPosition]:
        """Freeze the draft."""
        position = RatscrewPosition(
            self.setup, self.phase, self.turn, tuple(self.packets), self.centre, self.hidden, self.challenge, self.out
        )
        return Step(position, tuple(self.told))


def _flip(raw: Mapping[str, Any]) -> Flip | None:
    match raw:
        case {"player": str(player)}:
            return Flip(player)
    return None


def _collect(raw: Mapping[str, Any]) -> Collect | None:
    match raw:
        case {"player": str(player)}:
            return Collect(player)
    return None


def _slap(raw: Mapping[str, Any]) -> Slap | None:
    players, lowest = raw.get("players"), raw.get("lowest")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players):
        return None
    return Slap(tuple(players), lowest) if lowest is None or isinstance(lowest, str) else None


def _patterns(raw: object) -> tuple[str, ...] | None:
    """Read a list of patterns, each once."""
    if not isinstance(raw, list) or not all(isinstance(name, str) and name in PATTERNS for name in raw):
        return None
    return tuple(raw) if len(set(raw)) == len(raw) else None


def _ending(raw: object) -> str | None:
    return raw if isinstance(raw, str) and raw in ("sole-packet", "challenge-first") else None


class EgyptianRatscrew(Ruleset[RatscrewPosition]):
    """The rules of Egyptian Ratscrew."""

    name = "egyptian-ratscrew"
    seats = range(2, 7)
    pack = ONE_PACK
    agreements = {"patterns": (("double", "sandwich"), _patterns), "ending": ("sole-packet", _ending)}
    fields = {"flip": _flip, "slap": _slap, "collect": _collect}
    malformed = {"flip": ("ER-2.4",), "slap": ("ER-4.3",), "collect": ("ER-3.4",)}
    over_rules = ("ER-5.4",)
    count_rules = ("ER-2.1",)
    pack_rules = ("ER-2.1",)

    def deal(self, setup: Setup, deck: Sequence[Card]) -> Step[RatscrewPosition]:
        """Deal everything; each card goes on top of the last (ER-2.2, ER-2.7)."""
        count = len(setup.players)
        packets: list[tuple[Card, ...]] = [()] * count
        for turn, seat in enumerate(setup.after(setup.dealer)):
            packets[seat] = tuple(deck[turn::count])[::-1]
        draft = Draft(RatscrewPosition(setup, FLIP, setup.first, tuple(packets), (), 0, None, ()))
        draft.note(
            "deal",
            ("ER-2.2", "ER-2.7", "ER-2.4"),
            {
                "dealer": setup.players[setup.dealer],
                "packets": {name: codes(packet) for name, packet in zip(setup.players, packets, strict=True)},
            },
        )
        return draft.step()

    def state(self, position: RatscrewPosition) -> dict[str, Any]:
        setup, phase, turn, packets, centre, hidden, challenge, out = position
        players = setup.players
        return {
            "phase": phase,
            "turn": None if turn is None else players[turn],
            "packets": {name: codes(packet) for name, packet in zip(players, packets, strict=True)},
            "centre": codes(centre),
            "hidden": hidden,
            "challenge": None if challenge is None else {"by": players[challenge.by], "left": challenge.left},
            "out": [players[seat] for seat in out],
            "winners": [name for name, packet in zip(players, packets, strict=True) if phase == OVER and packet],
        }

    def legal(self, position: RatscrewPosition) -> list[Action]:
        if position.turn is None:
            return []
        players = position.setup.players
        actions: list[Action] = [
            Collect(players[self._collector(position)])
            if position.phase in (COLLECT, LAST_CHANCE)
            else Flip(players[position.turn])
        ]
        if position.centre:
            actions += [Slap((name,)) for seat, name in enumerate(players) if seat not in position.out]
        return actions

    def play(self, position: RatscrewPosition, action: Action) -> Step[RatscrewPosition]:
        if position.phase == OVER:
            raise Refusal("game-over", self.over_rules)
        draft = Draft(position)
        match action:
            case Flip():
                self._turn_card(position, action, draft)
            case Collect():
                self._gather_lost(position, action, draft)
            case Slap():
                self._slap(position, action, draft)
            case _:
                raise Refusal("unknown-action", about=self.name, type=action.type)
        return draft.step()

    def pattern_on(self, position: RatscrewPosition) -> str | None:
        """Return the pattern now on top, by its setting's name, or None (ER-4.5).

        Penalties lie face down and are no part of it (ER-4.9).
        """
        up = position.centre[position.hidden :]
        agreed = position.setup.agreed["patterns"]
        assert isinstance(agreed, tuple)
        return next((name for name, (matches, _) in PATTERNS.items() if name in agreed and matches(up)), None)

    @staticmethod
    def _collector(position: RatscrewPosition) -> Seat:
        """Return who may gather: the challenger, also one without cards, or the player of the last chance."""
        seat = position.turn if position.challenge is None else position.challenge.by
        assert seat is not None
        return seat

    def _turn_card(self, position: RatscrewPosition, action: Flip, draft: Draft) -> None:
        seat = seat_of(position.setup, action.player)
        if position.phase not in (FLIP, RESPOND):
            raise Refusal("wrong-phase", ("ER-3.4",) if position.phase == COLLECT else ("ER-5.3",), about="flip")
        if seat != position.turn:
            raise not_your_turn(position, action.player, ("ER-3.2",) if position.challenge else ("ER-2.5",))
        card, *rest = draft.packets[seat]
        draft.packets[seat] = tuple(rest)
        draft.centre = (*draft.centre, card)
        draft.note(
            "flip", ("ER-3.2",) if draft.challenge else ("ER-2.4",), {"player": action.player, "card": CODES[card]}
        )
        tries = TRIES.get(card >> 2)
        if tries is not None:
            self._challenge(draft, seat, tries)
        elif draft.challenge is not None:
            self._answer(draft, seat, draft.challenge)
        else:
            self._pass_lead(draft, seat, ("ER-2.5",), "number")
        self._close(draft)

    def _challenge(self, draft: Draft, seat: Seat, tries: int) -> None:
        """Put the next player under a new challenge, in place of any other (ER-3.3)."""
        rules = ("ER-3.1",) if draft.challenge is None else ("ER-3.1", "ER-3.3")
        draft.challenge = Challenge(seat, tries)
        answering = self._next_other(draft, seat)
        draft.phase, draft.turn = RESPOND, answering
        draft.note("challenge", rules, {"by": draft.players[seat], "player": draft.players[answering], "left": tries})
        if not draft.packets[answering]:
            self._lose(draft, answering, ("ER-3.6",))

    @staticmethod
    def _next_other(draft: Draft, seat: Seat) -> Seat:
        """Return who answers ``seat``: the next other player with cards, or the next one if none of them has any."""
        others = [other for other in draft.setup.after(seat) if other != seat]
        return next((other for other in others if draft.packets[other]), others[0])

    def _answer(self, draft: Draft, seat: Seat, challenge: Challenge) -> None:
        """Count a number turned in answer; the last one, or the last card, loses the challenge (ER-3.4, ER-3.6)."""
        draft.challenge = challenge._replace(left=challenge.left - 1)
        if not draft.challenge.left:
            self._lose(draft, seat, ("ER-3.4",))
        elif not draft.packets[seat]:
            self._lose(draft, seat, ("ER-3.6",))
        else:
            draft.note("tries", ("ER-3.2",), {"player": draft.players[seat], "left": draft.challenge.left})

    def _lose(self, draft: Draft, seat: Seat, rules: tuple[str, ...]) -> None:
        assert draft.challenge is not None
        draft.phase, draft.turn = COLLECT, seat
        draft.note(
            "lost",
            rules,
            {"player": draft.players[seat], "by": draft.players[draft.challenge.by], "left": draft.challenge.left},
        )

    def _pass_lead(self, draft: Draft, seat: Seat, rules: tuple[str, ...], why: str) -> None:
        """Pass the lead on from ``seat`` to the next with cards."""
        following = draft.next_with_cards(seat)
        if following is None:  # the only packet, in a table arranged so, has just lost its last card
            self._open_last_chance(draft, seat)
        else:
            self._lead(draft, following, rules, why)

    @staticmethod
    def _lead(draft: Draft, seat: Seat, rules: tuple[str, ...], why: str) -> None:
        draft.phase, draft.turn, draft.challenge = FLIP, seat, None
        draft.note("turn", rules, {"player": draft.players[seat], "phase": FLIP, "why": why})

    def _gather_lost(self, position: RatscrewPosition, action: Collect, draft: Draft) -> None:
        seat = seat_of(position.setup, action.player)
        if position.phase not in (COLLECT, LAST_CHANCE):
            raise Refusal("wrong-phase", ("ER-3.4",), about="collect")
        rules = ("ER-3.4", "ER-3.5") if position.phase == COLLECT else ("ER-5.3",)
        if seat != self._collector(position):
            name = position.setup.players[self._collector(position)]
            raise Refusal("not-your-turn", rules[:1], about="collect", player=action.player, turn=name)
        self._gather(draft, seat, rules)

    def _gather(self, draft: Draft, seat: Seat, rules: tuple[str, ...]) -> None:
        """Put the centre under a packet in its order: the card played first will be turned first (ER-3.5)."""
        draft.note(
            "gather", rules, {"player": draft.players[seat], "cards": codes(draft.centre), "hidden": draft.hidden}
        )
        draft.packets[seat] += draft.centre
        draft.centre, draft.hidden, draft.challenge = (), 0, None
        if draft.with_cards() == [seat]:
            self._win(draft, seat)
        else:
            self._lead(draft, seat, rules[:1], "lead")

    def _win(self, draft: Draft, seat: Seat) -> None:
        draft.phase, draft.turn = OVER, None
        draft.note("over", ("ER-1.4", "ER-5.4"), {"winners": [draft.players[seat]]})

    def _slap(self, position: RatscrewPosition, action: Slap, draft: Draft) -> None:
        names = action.players
        if not names or len(set(names)) < len(names) or (action.lowest is not None and action.lowest not in names):
            raise Refusal("unknown-player", ("ER-4.3",), about="slap")
        seats = [seat_of(position.setup, name) for name in names]
        for seat in seats:
            if seat in position.out:
                raise Refusal("player-out", ("ER-4.7",), player=position.setup.players[seat])
        if not position.centre:
            raise Refusal("nothing-to-slap", ("ER-4.10",))
        pattern = self.pattern_on(position)
        winner = names[0] if len(names) == 1 else action.lowest
        draft.note("slap", ("ER-4.8",) if len(names) > 1 else ("ER-4.3",), {"players": list(names), "lowest": winner})
        if pattern is None:
            for seat in seats:
                self._pay(draft, seat)
                self._close(draft)
            if draft.phase == OVER:  # the challenge lapsed with all cards in the centre: nobody has won
                draft.note("over", ("ER-4.14",), {"winners": []})
            return
        shown = PATTERNS[pattern][1]
        if winner is None:
            draft.note("undecided", ("ER-4.8", "ER-4.12"), {"players": list(names), "pattern": pattern})
            return
        late = [name for name in names if name != winner]
        beats = ("ER-4.4",) if position.challenge else ()
        spared = ("ER-4.11",) if late else ()
        draft.note("claim", (*shown, "ER-4.3", *beats, *spared), {"player": winner, "pattern": pattern, "late": late})
        seat = draft.setup.seat[winner]
        back = ("ER-5.7",) if position.phase == LAST_CHANCE else ("ER-5.1",)
        self._gather(draft, seat, ("ER-4.3", "ER-3.5", *(() if draft.packets[seat] else back)))

    def _pay(self, draft: Draft, seat: Seat) -> None:
        """Pay for a false slap: the top card goes unseen under the centre (ER-4.6).

        Without a card to pay, the player loses the right to come back (ER-4.7).
        """
        player = draft.players[seat]
        if not draft.packets[seat]:
            draft.out = (*draft.out, seat)
            draft.note("barred", ("ER-4.6", "ER-4.7"), {"player": player})
            if draft.challenge is not None and draft.challenge.by == seat:
                self._lapse(draft)
            return
        card, *rest = draft.packets[seat]
        draft.packets[seat] = tuple(rest)
        draft.centre = (card, *draft.centre)
        draft.hidden += 1
        draft.note("penalty", ("ER-4.6", "ER-4.9"), {"player": player, "card": CODES[card]})
        if rest or seat != draft.turn:
            return
        if draft.phase == RESPOND:
            self._lose(draft, seat, ("ER-4.13", "ER-3.6"))
        elif draft.phase == FLIP:
            self._pass_lead(draft, seat, ("ER-4.13",), "penalty")

    def _lapse(self, draft: Draft) -> None:
        """Drop the challenge of a player who may not come back (ER-4.14).

        Who was answering leads, or the next with cards.
        """
        assert draft.turn is not None
        assert draft.challenge is not None
        draft.note("lapse", ("ER-4.14",), {"by": draft.players[draft.challenge.by]})
        seat = draft.turn if draft.packets[draft.turn] else draft.next_with_cards(draft.turn)
        if seat is None:  # nobody can do anything any more
            draft.phase, draft.turn, draft.challenge = OVER, None, None
        else:
            self._lead(draft, seat, ("ER-4.14",), "lapse")

    def _close(self, draft: Draft) -> None:
        """See whether only one packet is left: then a last chance on the pattern, and the centre goes there (ER-5.3).

        Under ``challenge-first`` an open challenge is answered before.
        """
        holders = draft.with_cards()
        if len(holders) != 1 or draft.phase == LAST_CHANCE:
            return
        if draft.challenge is not None and draft.setup.agreed["ending"] == "challenge-first":
            return
        self._open_last_chance(draft, holders[0])

    @staticmethod
    def _open_last_chance(draft: Draft, seat: Seat) -> None:
        draft.phase, draft.turn, draft.challenge = LAST_CHANCE, seat, None
        draft.note("last-chance", ("ER-5.3",), {"player": draft.players[seat]})

    def arrange(self, setup: Setup, table: Mapping[str, Any]) -> Step[RatscrewPosition]:
        # Taken as it is written, also with one packet: whether that ends the game is seen at the next action.
        position = self._read_table(setup, table)
        draft = Draft(position)
        draft.note("arrange", (), {"state": self.state(position)})
        return draft.step()

    def _read_table(self, setup: Setup, table: Mapping[str, Any]) -> RatscrewPosition:
        """Read a state; its winners follow from the rest and are not read."""
        raw_packets, raw_out, hidden = table.get("packets", {}), table.get("out", []), table.get("hidden", 0)
        if not isinstance(raw_packets, dict) or not raw_packets.keys() <= setup.seat.keys():
            raise Refusal("bad-table", about="players")
        packets = [tuple(read_list(raw_packets.get(name, []), CARD_OF)) for name in setup.players]
        centre = tuple(read_list(table.get("centre", []), CARD_OF))
        out = tuple(read_list(raw_out, setup.seat))
        if not fits([*centre, *(card for packet in packets for card in packet)], self.pack):
            raise Refusal("bad-table", self.pack_rules, about="pack")
        if whole_number(hidden) is None or not 0 <= hidden <= len(centre):
            raise Refusal("bad-table", about="hidden")
        challenge = self._read_challenge(setup, table.get("challenge"))
        phase = table.get("phase", FLIP if challenge is None else RESPOND)
        turn = table.get("turn", None if phase == OVER else setup.players[setup.first])
        if not isinstance(phase, str) or phase not in (FLIP, RESPOND, COLLECT, LAST_CHANCE, OVER):
            raise Refusal("bad-table", about="phase")
        if (turn is None) != (phase == OVER) or not (turn is None or (isinstance(turn, str) and turn in setup.seat)):
            raise Refusal("bad-table", about="turn")
        seat = None if turn is None else setup.seat[turn]
        if (challenge is None) == (phase in (RESPOND, COLLECT)):
            raise Refusal("bad-table", about="challenge")
        if challenge is not None:
            used_up = phase == RESPOND and not challenge.left
            if used_up or challenge.by == seat or challenge.by in out:
                raise Refusal("bad-table", about="challenge")
        if seat is not None and phase in (FLIP, RESPOND) and not packets[seat]:
            raise Refusal("bad-table", about="turn")
        if len(set(out)) < len(out) or (phase in (COLLECT, LAST_CHANCE) and not centre):
            raise Refusal("bad-table", about="phase")
        if phase == OVER and sum(1 for cards in (*packets, centre) if cards) > 1:
            raise Refusal("bad-table", about="phase")
        return RatscrewPosition(setup, phase, seat, tuple(packets), centre, hidden, challenge, out)

    @staticmethod
    def _read_challenge(setup: Setup, raw: object) -> Challenge | None:
        if raw is None:
            return None
        if not isinstance(raw, dict):
            raise Refusal("bad-table", about="challenge")
        by, left = raw.get("by"), whole_number(raw.get("left"))
        if not isinstance(by, str) or by not in setup.seat or left is None or not 0 <= left <= 4:
            raise Refusal("bad-table", about="challenge")
        return Challenge(setup.seat[by], left)
