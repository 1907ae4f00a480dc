"""Recorded playthroughs: what is told of a game does not change unnoticed."""

import json

import pytest

from rulewalk import Game, Refusal

from .regenerate_golden import GOLDEN, PLAYTHROUGHS, golden, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_is_told_as_it_was(name: str) -> None:
    told, before = playthrough(name).splitlines(), golden(name).read_text(encoding="utf-8").splitlines()
    assert told == before, "If it is meant to be so: python tests/engine/regenerate_golden.py"


def test_every_text_and_every_record_is_used() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(PLAYTHROUGHS)
    assert {path.stem for path in GOLDEN.glob("*.json")} == {name.partition("-as-")[0] for name in PLAYTHROUGHS}


@pytest.mark.parametrize("name", sorted({name.partition("-as-")[0] for name in PLAYTHROUGHS}))
def test_a_record_is_played_to_its_end_unless_it_shows_a_refusal(name: str) -> None:
    record = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    if name.endswith("-refused"):
        with pytest.raises(Refusal):
            Game.from_record(record)
    else:
        assert Game.from_record(record).record()["actions"] == record["actions"]
