"""Backstab Fish and Go Fish once more, as plainly as their rules can be written down.

The engine is held to it. It works on states as wire.md writes them and on nothing of the engine's, knows neither
events nor reasons, copies everything, and takes its time.
"""

from typing import Any

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"]
ORDER = [rank + suit for rank in RANKS[:13] for suit in "SHDC"] + ["JK"]
PLACE = {card: place for place, card in enumerate(ORDER)}

type Wire = dict[str, Any]


def rank_of(card: str) -> str:
    return "JK" if card == "JK" else card[:-1]


def held(state: Wire, player: str, rank: str) -> list[str]:
    return [card for card in state["hands"][player] if rank_of(card) == rank]


def complete(state: Wire, player: str) -> list[str]:
    ranks = [rank_of(card) for card in state["hands"][player]]
    return [rank for rank in RANKS if ranks.count(rank) >= 4]


def why_not(game: str, state: Wire, action: Wire) -> str | None:
    """Return the code of the refusal of a well-formed action, or None where it is legal (wire.md, in its order)."""
    kind, player, turn, phase = action["type"], action["player"], state["turn"], state["phase"]
    backstab = game == "backstab-fish"
    if kind not in (("request", "lay", "end-turn") if backstab else ("request",)):
        return "unknown-action"
    if phase == "over":
        return "game-over"
    if player not in state["hands"] or ("target" in action and action["target"] not in state["hands"]):
        return "unknown-player"
    if "rank" in action and action["rank"] not in (RANKS if backstab else RANKS[:13]):
        return "unknown-rank"
    if player != turn and not (kind == "lay" and phase == "opening"):
        return "not-your-turn"
    if kind == "lay":
        return None if action["rank"] in complete(state, player) else "book-incomplete"
    if kind == "end-turn":
        return None if phase == "after-draw" else "wrong-phase"
    if phase == "after-draw":
        return "wrong-phase"
    if action["target"] == player:
        return "target-is-self"
    if not state["hands"][action["target"]]:
        return "target-has-no-cards"
    if not held(state, player, action["rank"]):
        return "rank-not-held"
    if backstab and not 1 <= action["quantity"] <= (4 if action["rank"] == "JK" else 8):
        return "quantity-out-of-range"
    return None


class _Table:
    """A state that is being changed."""

    def __init__(self, state: Wire, agreements: Wire) -> None:
        self.state = {
            **state,
            "hands": {name: list(cards) for name, cards in state["hands"].items()},
            "books": {name: list(laid) for name, laid in state["books"].items()},
            "stock": list(state["stock"]),
        }
        self.agreements = agreements
        self.players = list(state["hands"])
        self.hands, self.books, self.stock = self.state["hands"], self.state["books"], self.state["stock"]

    def add(self, player: str, cards: list[str]) -> None:
        self.hands[player] = sorted(self.hands[player] + cards, key=PLACE.__getitem__)

    def draw(self, player: str, most: int) -> list[str]:
        drawn = [self.stock.pop(0) for _ in range(min(most, len(self.stock)))]
        self.add(player, drawn)
        return drawn

    def move(self, giver: str, taker: str, cards: list[str]) -> None:
        for card in cards:
            self.hands[giver].remove(card)
        self.add(taker, cards)

    def lay(self, player: str, rank: str) -> None:
        for card in held(self.state, player, rank)[:4]:
            self.hands[player].remove(card)
        self.books[player].append(rank)

    def after(self, player: str) -> list[str]:
        place = self.players.index(player) + 1
        return self.players[place:] + self.players[:place]

    def can_ask(self, player: str) -> bool:
        return any(self.hands[other] for other in self.players if other != player)

    def set(self, phase: str, turn: str | None, next_: str | None = None) -> None:
        self.state.update(phase=phase, turn=turn, next=next_)

    def done(self) -> Wire:
        bonus = self.agreements.get("double-book-bonus", 0)
        scores = {name: len(laid) + bonus * (len(laid) - len(set(laid))) for name, laid in self.books.items()}
        best = max(scores.values())
        over = self.state["phase"] == "over"
        self.state.update(scores=scores, winners=[name for name in scores if over and scores[name] == best])
        return self.state


def play_backstab_fish(state: Wire, action: Wire, agreements: Wire) -> Wire:
    """Return the state after a legal action."""
    table = _Table(state, agreements)
    player = action["player"]

    def refill(whose: str) -> None:  # BF-4.4
        if not table.hands[whose]:
            table.draw(whose, 7)

    def lay_all(whose: str) -> None:
        while complete(table.state, whose):
            table.lay(whose, complete(table.state, whose)[0])

    def turn_of(candidates: list[str]) -> None:  # BF-4.7, BF-5.3, BF-5.8
        whose = next((name for name in candidates if table.hands[name]), None)
        if whose and table.can_ask(whose):
            table.set("opening" if table.state["phase"] == "opening" else "request", whose)
            return
        if whose:
            lay_all(whose)
        table.set("over", None)

    def pass_to(whose: str) -> None:  # BF-5.1
        if not table.stock:
            lay_all(player)
        turn_of([whose, *table.after(whose)])

    def may_lay_then_pass_to(whose: str) -> None:  # BF-3.6
        if table.stock and complete(table.state, player):
            table.set("after-draw", player, whose)
        else:
            pass_to(whose)

    if action["type"] == "end-turn":
        pass_to(state["next"])
    elif action["type"] == "lay":
        table.lay(player, action["rank"])
        refill(player)
        if state["phase"] == "after-draw":
            may_lay_then_pass_to(state["next"])
        else:
            turn_of([state["turn"], *table.after(state["turn"])])
    else:
        target, rank, number = action["target"], action["rank"], action["quantity"]
        table.set("request", player)  # BF-2.10
        cards = held(state, target, rank)
        if len(cards) >= number:
            table.move(target, player, cards[:number])
            refill(target)
            if agreements.get("turn-passes") == "every-request":
                may_lay_then_pass_to(target)
            else:
                turn_of([player])
        else:
            table.draw(player, 1)
            may_lay_then_pass_to(target)
    return table.done()


def play_go_fish(state: Wire, action: Wire) -> Wire:
    """Return the state after a legal action."""
    table = _Table(state, {})
    player, target, rank = action["player"], action["target"], action["rank"]

    def lay_complete() -> None:
        for done in complete(table.state, player):
            table.lay(player, done)

    cards = held(state, target, rank)
    if cards:
        table.move(target, player, cards)
        goes_on = True
    else:
        goes_on = [rank_of(card) for card in table.draw(player, 1)] == [rank]
    lay_complete()
    turns = [player, *table.after(player)] if goes_on else table.after(player)
    for whose in turns * 2:
        if not table.hands[whose]:
            table.draw(whose, 1)  # GF-3.10, GF-3.11
        if table.hands[whose] and table.can_ask(whose):
            table.set("request", whose)
            return table.done()
    table.set("over", None)
    return table.done()
