"""Nothing of the rules is only told: a walkthrough shows it, and every page has its walkthroughs."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import rulewalk
from rulewalk.catalogue import languages
from rulewalk.patterns import PATTERNS
from rulewalk.rules import GAMES, RULES, Rule
from rulewalk_tutorials import script, story

DOCS = Path(__file__).resolve().parents[2] / "docs"

# Section 1 of each page is history; an example's rule is its walkthrough's name.
PLAYED = [rule for rule in RULES.values() if rule.kind != "example" and "-1." not in rule.number]
EXAMPLES = [rule for rule in RULES.values() if rule.kind == "example"]

# Ratscrew's agreements have no numbers: a pattern is shown by a slap that claims it, the ending by a game that has it.
HOUSE_PATTERNS = [name for name, (_, rules) in PATTERNS.items() if rules == ("ER-1.3",)]

FENCE = re.compile(r"^```walkthrough\n(.+)\n```$", re.MULTILINE)


@cache
def shown() -> dict[str, list[str]]:
    """The walkthroughs that show each rule."""
    found: dict[str, list[str]] = {}
    for name in script.names():
        for rule in story.shown(script.load(name)):
            found.setdefault(rule, []).append(name)
    return found


@pytest.mark.parametrize("number", [rule.number for rule in PLAYED])
def test_every_rule_is_shown_on_its_own_game(number: str) -> None:
    assert [name for name in shown().get(number, ()) if name.startswith(f"{RULES[number].game}/")]


@pytest.mark.parametrize("rule", EXAMPLES, ids=[rule.number for rule in EXAMPLES])
def test_every_example_has_its_walkthrough(rule: Rule) -> None:
    assert f"{rule.game}/{rule.anchor}" in script.names()


@pytest.mark.parametrize("pattern", HOUSE_PATTERNS)
def test_every_pattern_that_can_be_agreed_is_slapped(pattern: str) -> None:
    scenes = story.play(script.load(f"egyptian-ratscrew/er-patterns-{pattern}"))
    assert pattern in [event["pattern"] for scene in scenes for event in scene.events if event["type"] == "claim"]


def test_a_pattern_that_is_off_can_be_switched_on() -> None:
    told = script.load("egyptian-ratscrew/er-1-3")
    actions = [step.action for step in told.steps if step.action]
    without, switched = (
        rulewalk.replay({**told.record, "agreements": agreements, "actions": actions})["events"][story.parting(told)]
        for agreements in ({}, told.agreements)
    )
    assert [event["pattern"] for event in switched if event["type"] == "claim"] == ["tens"]
    assert not [event for event in without if event["type"] == "claim"]


def test_the_other_ending_of_ratscrew_is_played() -> None:
    assert script.load("egyptian-ratscrew/er-ending").record["agreements"] == {"ending": "challenge-first"}


def test_a_walkthrough_says_that_it_shows_only_what_its_events_do_not() -> None:
    """Else a list outlives the events that have made it needless."""
    for name in script.names():
        read = script.load(name)
        silent = script.Script(read.name, read.record, read.steps)
        assert not story.shown(silent) & set(read.shows), name


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES.values())
def test_every_walkthrough_is_on_its_page_once(game: str, language: str) -> None:
    placed = FENCE.findall((DOCS / language / f"{game}.md").read_text("utf-8"))
    assert Counter(placed) == Counter(name for name in script.names() if name.startswith(f"{game}/"))


@pytest.mark.parametrize("game", GAMES.values())
def test_a_page_has_its_walkthroughs_in_the_same_order_in_every_language(game: str) -> None:
    orders = {tuple(FENCE.findall((DOCS / code / f"{game}.md").read_text("utf-8"))) for code in languages()}
    assert len(orders) == 1
