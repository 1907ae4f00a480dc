"""Whole games as a person reads them: `python tests/engine/regenerate_golden.py` writes them anew.

A record of `golden/` is told by `python -m rulewalk show` into a text of the same name. A change of the rules, of
the sentences or of their order shows as a difference between two texts; where it is meant, run this and commit it.
"""

import io
import sys
from contextlib import redirect_stdout
from pathlib import Path

from rulewalk.__main__ import main

GOLDEN = Path(__file__).parent / "golden"

PLAYTHROUGHS: dict[str, tuple[str, ...]] = {
    "backstab-fish-beginning": (),
    "backstab-fish-end": (),
    "backstab-fish-agreements": (),
    "backstab-fish-refused": (),
    "go-fish-two": (),
    "go-fish-four": (),
    "egyptian-ratscrew": (),
    "egyptian-ratscrew-agreements": (),
    "go-fish-two-as-lena": ("--as", "Lena"),
    "backstab-fish-beginning-as-vera": ("--as", "Vera"),
}
"""Each text, and the options it is told with. ``-as-`` tells the record of the name before it as one player sees it."""


def playthrough(name: str) -> str:
    """Return what ``python -m rulewalk show`` prints for a record."""
    record = GOLDEN / f"{name.partition('-as-')[0]}.json"
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    with redirect_stdout(printed):
        main(["show", str(record), *PLAYTHROUGHS[name]])
    printed.flush()
    return printed.buffer.getvalue().decode()  # type: ignore[attr-defined]  # the buffer is the bytes above


def golden(name: str) -> Path:
    """Return where the text of a playthrough is kept."""
    return GOLDEN / f"{name}.txt"


if __name__ == "__main__":
    for name in PLAYTHROUGHS:
        golden(name).write_text(playthrough(name), encoding="utf-8", newline="\n")
    sys.exit()
