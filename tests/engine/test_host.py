"""What a page asks of the engine: the same story to other eyes, under other agreements, and as far as it goes."""

import json
import re
from typing import Any

from rulewalk import host

TABLE = {
    "phase": "request",
    "turn": "Anton",
    "hands": {"Anton": ["6S", "9H"], "Lena": ["6H", "6D"], "Boris": ["QS"], "Vera": ["AS"]},
    "stock": ["KC", "2C"],
}
RECORD: dict[str, Any] = {
    "game": "backstab-fish",
    "players": ["Anton", "Lena", "Boris", "Vera"],
    "deal": {"table": TABLE},
}


def request(player: str, target: str, rank: str, quantity: int) -> dict[str, Any]:
    return {"type": "request", "player": player, "target": target, "rank": rank, "quantity": quantity}


ONE = request("Anton", "Lena", "6", 1)
TOO_MANY = request("Anton", "Boris", "9", 1)


def ask(do: str, **question: Any) -> Any:
    asked = {"do": do, "record": RECORD, "language": "en", "rulesBase": "", **question}
    return json.loads(host.handle(json.dumps(asked)))


def faces(step: str, player: str) -> list[str]:
    """The cards seen in a hand."""
    hand = re.search(rf'data-place="hand:{player}"[^>]*>(.*?)</div>', step, re.S)
    assert hand
    return re.findall(r'data-card="(\w+)"', hand[1])


def nearest(step: str) -> str:
    return re.findall(r'data-player="(\w+)"', step)[0]


def test_without_a_viewer_everything_is_open() -> None:
    start, one = ask("replay", steps=[{"action": ONE}])["steps"]
    assert faces(start, "Lena") == ["6H", "6D"]
    assert faces(one, "Anton") == ["6S", "6H", "9H"]


def test_a_player_sees_no_other_hand_and_sits_nearest() -> None:
    for step in ask("replay", steps=[{"action": ONE}, {"action": TOO_MANY}], viewer="Boris")["steps"]:
        assert nearest(step) == "Boris"
        assert (faces(step, "Boris"), faces(step, "Anton"), faces(step, "Lena")) == (["QS"], [], [])


def test_a_player_learns_events_as_that_player() -> None:
    drawn = {name: ask("replay", steps=[{"action": TOO_MANY}], viewer=name)["steps"][1] for name in ("Anton", "Lena")}
    assert "KC" in faces(drawn["Anton"], "Anton") and "king of clubs" in drawn["Anton"]
    assert '"card":null' in drawn["Lena"] and "KC" not in drawn["Lena"]


def test_who_looks_can_be_whoever_has_the_turn() -> None:
    start, asked = ask("replay", steps=[{"action": TOO_MANY}], viewer=True)["steps"]
    assert (nearest(start), nearest(asked)) == ("Anton", "Boris")


def test_what_a_player_may_do_gives_no_other_hand_away() -> None:
    told = ask("play", actions=[], viewer="Boris")
    assert told["legal"] == []
    assert 'value="6" class="rw-muted"' in told["controls"] and 'value="9" class="rw-muted"' in told["controls"]
    assert told["state"]["hands"]["Anton"] == ["6S", "9H"]


def test_a_viewer_who_does_not_play_is_refused() -> None:
    assert ask("play", actions=[], viewer="Ivo")["error"]["code"] == "unknown-player"


def test_a_story_goes_on_after_what_an_agreement_forbids() -> None:
    agreed = {**RECORD, "agreements": {"turn-passes": "every-request"}}
    moves = [{"action": ONE}, {"action": TOO_MANY}]
    plain, other = ask("replay", steps=moves), ask("replay", steps=moves, record=agreed)
    assert plain["refused"] == [None, None, None]
    assert other["refused"] == [None, None, "not-your-turn"]
    assert (plain["states"][1]["turn"], other["states"][1]["turn"]) == ("Anton", "Lena")
    assert other["states"][2] == other["states"][1]
    assert "rw-refusal" in other["steps"][2]
