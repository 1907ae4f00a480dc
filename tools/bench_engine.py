"""Measures how fast the engine plays, as ratios within one run.

    python tools/bench_engine.py

Random play, choosing among all legal actions each time. Go Fish is held against OpenSpiel's `go_fish`, which is
written in C++ and driven from Python here as ours is: batches in turn, so that both meet the machine in the same
mood. What should grow in step with its size (players, cards turned) is measured at several sizes.
"""

import random
import statistics
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from rulewalk.actions import Collect, Slap
from rulewalk.cards import shuffled
from rulewalk.record import Record, read

PLAYERS = ("Anton", "Lena", "Boris", "Vera", "Ivo", "Noa", "Rui", "Sol", "Teo", "Uma")
BATCHES = 25
CASELLA = ("---K---Q-KQAJ-----AAJ--J--", "----------Q----KQ-J-----KA")


def main() -> None:
    print("Go Fish, four players, random playouts: games a second")
    print(_against_open_spiel())
    print("Actions a second, by the number of players")
    for game, counts in (("backstab-fish", (4, 6, 8, 10)), ("egyptian-ratscrew", (2, 4, 6))):
        rates = {count: _actions_a_second(game, count) for count in counts}
        first = rates[counts[0]]
        told = ", ".join(f"{count}: {rate:,.0f} ({rate / first:.2f})" for count, rate in rates.items())
        print(f"  {game}: {told}")
    print("Ratscrew's endless deal (Casella): time and memory by cards turned")
    for cards, seconds, peak in _endless((12_500, 25_000, 50_000)):
        print(f"  {cards:,} cards: {seconds / cards * 1e6:.2f} µs a card, {peak / 1024:.0f} KiB at the most")


def _against_open_spiel() -> str:
    try:
        import pyspiel
    except ImportError:
        return "  OpenSpiel is not installed here: 'make bench' installs it where it can be had."
    theirs_game = pyspiel.load_game("go_fish(players=4,initial_cards=5)")
    table = _table("go-fish", 4)
    rates = []
    for batch in range(BATCHES):
        ours = _rate(lambda seed: _play_ours(table, seed), batch)
        theirs = _rate(lambda seed: _play_theirs(theirs_game, seed), batch)
        rates.append((ours, theirs))
    ours, theirs = (statistics.median(column) for column in zip(*rates, strict=True))
    ratio = statistics.median(ours / theirs for ours, theirs in rates)
    return f"  rulewalk {ours:,.0f}, OpenSpiel {theirs:,.0f}; median ratio {ratio:.2f}"


def _rate(play: Callable[[int], int], batch: int, games: int = 40) -> float:
    """Games a second."""
    start = time.perf_counter()
    for seed in range(batch * games, (batch + 1) * games):
        play(seed)
    return games / (time.perf_counter() - start)


def _play_ours(table: Record, seed: int, most: int = 100_000) -> int:
    """Play one game at random to its end, or to `most` actions; return how many it took."""
    rules = table.ruleset
    choose = random.Random(seed).random
    position = rules.deal(table.setup, shuffled(rules.pack, seed)).position
    actions = 0
    while (legal := rules.legal(position)) and actions < most:
        position = rules.play(position, legal[int(choose() * len(legal))]).position
        actions += 1
    return actions


def _table(game: str, players: int) -> Record:
    """Who plays which game; the deal is another each time."""
    return read({"game": game, "players": list(PLAYERS[:players]), "deal": {"seed": 0}})


def _play_theirs(game: Any, seed: int) -> int:
    choose = random.Random(seed).random
    state = game.new_initial_state()
    actions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            left = choose()
            for action, probability in state.chance_outcomes():  # noqa: B007  # the last one stands for rounding
                left -= probability
                if left < 0:
                    break
            state.apply_action(action)
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(choose() * len(legal))])
            actions += 1
    return actions


def _actions_a_second(game: str, players: int) -> float:
    table = _table(game, players)
    rates = []
    for seed in range(9):
        start = time.perf_counter()
        actions = _play_ours(table, seed, most=2_000)
        rates.append(actions / (time.perf_counter() - start))
    return statistics.median(rates)


def _endless(sizes: tuple[int, ...]) -> list[tuple[int, float, int]]:
    """Play the deal that never ends, without slaps, and return cards, seconds and bytes at the peak."""
    results = []
    for size in sizes:
        record = read(_casella())
        position, turned = record.start.position, 0
        tracemalloc.start()
        start = time.perf_counter()
        while turned < size:
            action = next(action for action in record.ruleset.legal(position) if not isinstance(action, Slap))
            turned += not isinstance(action, Collect)
            position = record.ruleset.play(position, action).position
        results.append((size, time.perf_counter() - start, tracemalloc.get_traced_memory()[1]))
        tracemalloc.stop()
    return results


def _casella() -> dict[str, Any]:
    """The two packets, number cards made different; suits are given out as they come (ER-2.6)."""
    suits = {rank: iter("SHDC") for rank in "AKQJ"}
    numbers = iter([f"{rank}{suit}" for suit in "SHDC" for rank in range(2, 11)])
    packets = [[next(numbers) if face == "-" else face + next(suits[face]) for face in hand] for hand in CASELLA]
    table = {"turn": "Anton", "packets": dict(zip(PLAYERS, packets, strict=False))}
    return {"game": "egyptian-ratscrew", "players": list(PLAYERS[:2]), "deal": {"table": table}}


if __name__ == "__main__":
    main()
