"""A small table, and scripts written on the spot."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rulewalk_tutorials import script
from rulewalk_tutorials.script import Script

RECORD: dict[str, Any] = {
    "game": "backstab-fish",
    "players": ["Anton", "Lena", "Boris", "Vera"],
    "deal": {
        "table": {
            "phase": "request",
            "turn": "Anton",
            "hands": {"Anton": ["6S", "9H"], "Lena": ["6H", "6D"], "Boris": ["QS"], "Vera": ["AS"]},
            "stock": ["KC", "2C"],
        }
    },
}

STEPS: list[dict[str, Any]] = [
    {"comment": "start", "expect": {"turn": "Anton"}},
    {
        "do": {"type": "request", "player": "Anton", "target": "Lena", "rank": "6", "quantity": 3},
        "comment": "three",
        "expect": {"turn": "Lena", "hands": {"Anton": {"6": 1, "all": 3}}, "stock": 1},
    },
    {
        "try": {"type": "request", "player": "Anton", "target": "Lena", "rank": "6", "quantity": 1},
        "refused": "not-your-turn",
        "comment": "again",
        "expect": {"turn": "Lena"},
    },
]

type Write = Callable[[Any], Script]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write what is given as the script `backstab-fish/made-up`, and load it."""

    def written(content: Any) -> Script:
        path = tmp_path / "backstab-fish" / "made-up.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), "utf-8")
        return script.load("backstab-fish/made-up", tmp_path)

    return written
