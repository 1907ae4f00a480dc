"""What the build writes for a walkthrough, which readers, the player and other scripts rely on."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rulewalk import render
from rulewalk.catalogue import LOCALES, languages, read_po
from rulewalk_tutorials import html, script, story

LANGUAGES = languages()


class Outline(HTMLParser):
    """The elements of a piece of HTML, each with its attributes, and a check that they nest."""

    VOID = ("input", "br", "path")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, **attributes: str) -> list[dict[str, str | None]]:
        """The attributes of each element that has those given; `class_` is one of its classes."""
        wanted = {name.replace("_", "-"): value for name, value in attributes.items() if name != "class_"}
        return [
            found
            for _, found in self.found
            if wanted.items() <= found.items()
            and ("class_" not in attributes or attributes["class_"] in (found.get("class") or "").split())
        ]


def written_script(written: str) -> Any:
    return json.loads(re.search(r'class="rw-script">(.*?)</script>', written, re.S)[1])  # type: ignore[index]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", script.names())
def test_a_page_holds_every_step_whole(name: str, language: str) -> None:
    walkthrough = script.load(name)
    written = html.walkthrough(walkthrough, language)
    scenes = story.play(walkthrough, language)
    outline = Outline(written)

    (element,) = outline.all(name=name)
    assert (element["step"], element["engine"], element["lang-pack"]) == ("0", "static", language)
    assert [step["data-step"] for step in outline.all(class_="rw-step")] == [str(i) for i in range(len(scenes))]
    aside = [each for scene in scenes for _, way in scene.branches for each in way]
    assert len(outline.all(class_="rw-side")) == len(aside)
    assert len(outline.all(class_="rw-comment")) == len(outline.all(class_="rw-table")) == len(scenes) + len(aside)
    assert len(outline.all(role="status")) == 1
    for scene in (*scenes, *aside):
        told = scene.error if scene.error is not None else scene.events
        # To the letter: the engine in the browser is held to the same string.
        assert render.step(scene.record, scene.state, told, language) in written

    told = written_script(written)
    assert told["record"] == walkthrough.record
    assert told["states"] == [scene.state for scene in scenes]
    assert told["steps"] == [
        {"action": step.action} if step.action else {"attempt": step.attempt} for step in walkthrough.steps[1:]
    ]


def test_a_branch_stands_after_its_step_and_is_offered_there() -> None:
    walkthrough = script.load("backstab-fish/bf-6-1")
    written = html.walkthrough(walkthrough, "en")
    (way,) = Outline(written).all(data_do="branch")
    assert way["type"] == "button"
    start, fold, rest = re.split(r'<li class="rw-branch">|(?=<li class="rw-step" data-step="1">)', written)
    assert 'data-step="0"' in start and 'data-do="branch"' in start
    assert "<summary>What if he had asked for one?</summary>" in fold and "Anton keeps the turn." in fold
    assert "rw-branch" not in rest
    (told,) = written_script(written)["branches"]
    assert told["step"] == 0
    assert told["steps"] == [{"action": step.action} for step in walkthrough.steps[0].branches[0].steps]
    assert [state["turn"] for state in told["states"]] == ["Anton", "Boris"]


def test_a_question_stands_before_the_step_that_answers_it() -> None:
    written = html.walkthrough(script.load("backstab-fish/bf-6-1"), "en")
    outline = Outline(written)
    (group,) = outline.all(class_="rw-guess")
    assert group["data-right"] == "1"  # Lena
    assert [choice["data-choice"] for choice in outline.all(data_do="guess")] == ["0", "1", "2", "3"]
    assert "Anton asks Lena for three sixes. Who has the turn after that?" in written.partition('data-step="1"')[0]


def test_a_switch_stands_beside_a_walkthrough_that_has_agreements() -> None:
    written = html.walkthrough(script.load("backstab-fish/bf-6-2"), "en")
    (switch,) = Outline(written).all(data_do="agree")
    assert (switch["role"], switch["aria-checked"]) == ("switch", "false")
    assert written_script(written)["agreements"] == {"turn-passes": "every-request"}
    assert not Outline(html.walkthrough(script.load("backstab-fish/bf-6-1"), "en")).all(data_do="agree")


def test_the_controls_are_there_but_hidden_from_readers_without_a_script() -> None:
    outline = Outline(html.walkthrough(script.load("backstab-fish/bf-6-1"), "en"))
    for action in ("restart", "back", "next", "play", "take-over", "undo", "story", "retry"):
        assert len(outline.all(data_do=action, type="button")) == 1
    assert "hidden" in outline.all(class_="rw-controls")[0]
    assert "hidden" in outline.all(class_="rw-live")[0]
    assert outline.all(data_do="play")[0]["aria-pressed"] == "false"


def test_rule_links_lead_to_the_page_of_the_rules() -> None:
    written = html.walkthrough(script.load("backstab-fish/bf-6-1"), "en", "../")
    links = [found for found in Outline(written).all() if found.get("data-rule")]
    assert {link["href"] for link in links} >= {"../backstab-fish/#bf-3-5", "../backstab-fish/#bf-3-6"}


def test_nothing_in_a_record_breaks_out_of_the_page() -> None:
    hostile = "</script><img src=x onerror=alert(1)>'\""
    walkthrough = script.load("backstab-fish/bf-6-1")
    renamed = json.loads(json.dumps(walkthrough.record).replace("Lena", json.dumps(hostile)[1:-1]))
    steps = (walkthrough.steps[0],)
    expect = script.Expectation(exact={"turn": "Anton"})
    nasty = script.Script(walkthrough.name, renamed, (script.Step(0, steps[0].comment, expect=expect),))
    written = html.walkthrough(nasty, "en")
    assert "<img" not in written
    assert not [tag for tag, _ in Outline(written).found if tag == "img"]
    assert written_script(written)["record"]["players"][1] == hostile


@pytest.mark.parametrize("domain", ["site", "walkthroughs"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_words(domain: str, language: str) -> None:
    def keys(code: str) -> set[str]:
        return set(read_po((Path(LOCALES) / code / "LC_MESSAGES" / f"{domain}.po").read_text("utf-8")))

    assert keys(language) == keys("en")


def test_every_word_of_the_walkthroughs_is_used_by_one() -> None:
    words = set(read_po((Path(LOCALES) / "en/LC_MESSAGES/walkthroughs.po").read_text("utf-8"))) - {""}
    assert words == {key for name in script.names() for key in script.load(name).words()}


def test_a_walkthrough_without_words_is_refused() -> None:
    walkthrough = script.load("backstab-fish/bf-6-1")
    nameless = script.Script("backstab-fish/nameless", walkthrough.record, walkthrough.steps)
    with pytest.raises(script.ScriptError, match=r"no words in “es” for 'backstab-fish/nameless.title'"):
        html.walkthrough(nameless, "es")
