"""The story told otherwise: to other eyes, down another road, under another agreement; at the reader's pace."""

import os
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

import rulewalk
from rulewalk.catalogue import Catalogue
from rulewalk_tutorials import script, story

from .kit import AXE, COLOURS, FIRST, STANDARD, live, press, walkthrough
from .test_walkthrough import HOMES, UNFOLD, ask, said, shown

SCRIPTS = [script.load(name) for name in script.names()]
BRANCHED = [one.name for one in SCRIPTS if any(step.branches for step in one.steps)]
AGREED = [one.name for one in SCRIPTS if one.agreements]

type Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, again: BrowserContext, site_url: str) -> Iterator[Visit]:
    """Open the page of a game, with the reader's browser as it usually is or otherwise."""
    contexts = []

    def opened(game: str = "backstab-fish", language: str = "en", *, engine: bool = True, **context: Any) -> Page:
        if context:
            contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}))
        page = (contexts[-1] if context else again).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"an error in the page: {error}"))
        if not engine:
            # A worker that starts and is silent: Playwright does not always survive the abortion of one.
            silence = {"content_type": "text/javascript", "body": "// silence"}
            page.route("**/worker-*.js", lambda route: route.fulfill(**silence))
        page.goto(f"{site_url}{HOMES[language]}{game}/")
        page.evaluate(UNFOLD)
        return page

    yield opened
    for context in contexts:
        context.close()


def more(element: Locator) -> Locator:
    """The panel with what is seldom wanted, opened if it is not."""
    panel = element.locator(".rw-options")
    if panel.is_hidden():
        press(element, "more")
    expect(panel).to_be_visible()
    return panel


def see(element: Locator, viewer: str) -> None:
    more(element).get_by_label("Cards seen by").select_option(viewer)


def faces(element: Locator, player: str) -> list[str]:
    hand = shown(element).locator(f'[data-place="hand:{player}"] [data-card]')
    return [card.get_attribute("data-card") or "" for card in hand.all()]


def nearest(element: Locator, player: str) -> None:
    expect(shown(element).locator("[data-player]").first).to_have_attribute("data-player", player)


# Seats


def test_the_table_to_one_players_eyes_and_open_again(visit: Visit) -> None:
    element = live(visit(), FIRST)
    press(element, "next")
    open_, told = shown(element).inner_html(), said(element)
    see(element, "Boris")
    nearest(element, "Boris")
    assert faces(element, "Boris") == ["3S", "3H", "7D", "10C", "QS"]
    assert faces(element, "Anton") == faces(element, "Lena") == []
    # He saw Anton draw, and not what.
    assert "Anton draws a card." in said(element)
    assert "five of spades" in told and "five of spades" not in (element.get_by_role("status").text_content() or "")

    press(element, "back")
    nearest(element, "Boris")
    assert faces(element, "Lena") == []
    press(element, "next")
    press(element, "next")
    assert "one six" in said(element) and faces(element, "Lena") == []
    press(element, "back")
    see(element, "Everyone (all open)")
    expect(shown(element).locator("[data-player]").first).to_have_attribute("data-player", "Anton")
    assert shown(element).inner_html() == open_


def test_eyes_are_to_be_had_once_the_engine_is_there(visit: Visit) -> None:
    element = walkthrough(visit(engine=False), FIRST)
    panel = more(element)
    expect(panel.get_by_label("Cards seen by")).to_be_disabled()
    expect(panel.get_by_text("This needs the game, which is not here yet.")).to_be_visible()


def test_a_game_of_ones_own_is_seen_with_the_same_eyes(visit: Visit) -> None:
    element = live(visit(), FIRST)
    press(element, "take-over")
    ask(element, target="Lena", rank="6", quantity=1)
    expect(shown(element).locator(".rw-said")).to_contain_text("gives")
    see(element, "Lena")
    nearest(element, "Lena")
    assert faces(element, "Anton") == []
    # Not hers to move: what Anton holds is not given away by what he may do.
    expect(element.locator('.rw-live [name="rank"]:not(.rw-muted)')).to_have_count(0)
    see(element, "Anton")
    nearest(element, "Anton")
    assert faces(element, "Anton") == ["6S", "6H", "9H", "9C", "QD", "JK"]
    press(element, "undo")
    nearest(element, "Anton")
    assert faces(element, "Lena") == []


def test_the_device_is_passed_from_hand_to_hand(visit: Visit) -> None:
    element = live(visit(), FIRST)
    see(element, "Whoever has the turn")
    nearest(element, "Anton")
    press(element, "take-over")
    ask(element, target="Lena", rank="6", quantity=3)
    curtain = element.locator(".rw-curtain")
    expect(curtain).to_contain_text("Now pass the device to Lena.")
    expect(curtain.get_by_role("button")).to_be_focused()
    expect(element.locator(".rw-live form")).to_have_count(0)
    assert [table for table in element.locator(".rw-table").all() if table.is_visible()] == []
    status = element.get_by_role("status").text_content() or ""
    assert "sixes" not in status and "Lena" in status
    curtain.get_by_role("button").click()
    nearest(element, "Lena")
    assert faces(element, "Anton") == []
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Lena")
    assert "Anton asks Lena for three sixes." in said(element)
    # Whoever keeps the turn keeps the device.
    ask(element, target="Anton", rank="6", quantity=1)
    expect(shown(element).locator(".rw-said")).to_contain_text("gives")
    nearest(element, "Lena")
    press(element, "story")
    expect(element.locator(".rw-step--own")).to_have_count(0)


# The reader's pace and taste


def test_any_step_can_be_gone_to(visit: Visit) -> None:
    element = walkthrough(visit(engine=False), FIRST)
    press(element, "last")
    expect(element).to_have_attribute("step", "2")
    expect(element.locator('[data-do="last"]')).to_be_disabled()
    steps = more(element).get_by_label("Go to step")
    expect(steps).to_have_value("2")
    expect(steps).to_be_focused()
    steps.select_option("2 · Anton asks Lena for three sixes.")
    expect(element).to_have_attribute("step", "1")
    press(element, "back")
    expect(steps).to_have_value("0")


def test_the_speed_is_the_readers(visit: Visit) -> None:
    page = visit(engine=False)
    page.evaluate(
        """() => {
            window.waits = [];
            const { setTimeout } = window;
            window.setTimeout = (act, time) => { window.waits.push(time); return setTimeout(act, time); };
        }"""
    )
    element = walkthrough(page, FIRST)
    more(element).get_by_label("Speed").select_option("Fast")
    press(element, "play")
    assert page.evaluate("window.waits.splice(0)").count(2000) == 1
    more(element).get_by_label("Speed").select_option("Slow")
    expect(element.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.waits.splice(0)").count(8000) == 1
    press(element, "play")
    expect(element.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "false")


def test_keys_are_shown_and_can_be_switched_off(visit: Visit) -> None:
    page = visit(engine=False)
    element = walkthrough(page, FIRST)
    element.locator(".rw-steps").focus()
    page.keyboard.press("?")
    panel = element.locator(".rw-options")
    expect(panel.locator("kbd").first).to_be_visible()
    panel.get_by_role("switch", name="Use the keyboard").uncheck()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(element.locator('[data-do="more"]')).to_be_focused()
    element.locator(".rw-steps").focus()
    for key in ("ArrowRight", "End", "Space", "?"):
        page.keyboard.press(key)
    expect(element).to_have_attribute("step", "0")
    expect(panel).to_be_hidden()
    press(element, "next")
    expect(element).to_have_attribute("step", "1")


def test_no_card_travels_when_the_reader_has_said_so(visit: Visit) -> None:
    element = walkthrough(visit(engine=False), FIRST)
    more(element).get_by_role("switch", name="Cards travel").uncheck()
    press(element, "next")
    assert element.evaluate("element => element.getAnimations({subtree: true}).length") == 0


def test_four_colours_and_all_else_are_remembered_for_every_walkthrough(visit: Visit) -> None:
    page = visit(engine=False)
    colour = "card => getComputedStyle(card).color"
    diamond = walkthrough(page, FIRST).locator('.rw-step[data-step="0"] [data-card="QD"]')
    heart = walkthrough(page, FIRST).locator('.rw-step[data-step="0"] [data-card="9H"]')
    assert diamond.evaluate(colour) == heart.evaluate(colour)
    panel = more(walkthrough(page, FIRST))
    panel.get_by_role("switch", name="Four colours").check()
    panel.get_by_label("Speed").select_option("Slow")
    assert diamond.evaluate(colour) != heart.evaluate(colour)
    page.reload()
    page.evaluate(UNFOLD)
    assert diamond.evaluate(colour) != heart.evaluate(colour)
    panel = more(walkthrough(page, "backstab-fish/bf-6-3"))
    expect(panel.get_by_role("switch", name="Four colours")).to_be_checked()
    expect(panel.get_by_label("Speed")).to_have_value("slow")


@pytest.mark.parametrize("kept", ["no JSON", "[]", "null", '{"speed": "toString", "keys": "yes", "four": 1}'])
def test_whatever_is_kept_of_choices_does_no_harm(visit: Visit, site_url: str, kept: str) -> None:
    page = visit(engine=False)
    page.evaluate("kept => localStorage.setItem('/.settings', kept)", kept)
    page.reload()
    page.evaluate(UNFOLD)
    panel = more(walkthrough(page, FIRST))
    expect(panel.get_by_label("Speed")).to_have_value("normal")
    expect(panel.get_by_role("switch", name="Use the keyboard")).to_be_checked()


@pytest.mark.parametrize("language", HOMES)
def test_the_panel_speaks_the_pages_language(visit: Visit, language: str) -> None:
    panel = more(walkthrough(visit(language=language, engine=False), FIRST))
    words = Catalogue.load(language, "site")
    for word in ("step", "seen", "speed", "motion", "four", "keys", "key-turn", "close"):
        expect(panel).to_contain_text(words.text(f"player.more-{word}"))


# Other ways on


def take(element: Locator, title: str) -> None:
    shown(element).get_by_role("button", name=title).click()
    expect(element.locator(".rw-aside")).to_contain_text(title)


def test_another_way_on_is_taken_and_left_for_the_same_step(visit: Visit) -> None:
    page = visit(engine=False)
    element = walkthrough(page, FIRST)
    before = shown(element).inner_html()
    take(element, "What if he had asked for one?")
    assert said(element).startswith("Anton asks Lena for one six.")
    expect(element.locator(".rw-place")).to_have_text("1 / 2")
    assert "it is still his turn" in (element.get_by_role("status").text_content() or "")
    expect(element.locator(".rw-steps")).to_be_focused()
    (scene,) = [scene for scene in story.play(script.load(FIRST)) if scene.branches]
    for each in scene.branches[0][1]:
        assert element.evaluate("element => element.record") == each.record
        assert element.evaluate("element => element.state") == each.state
        element.locator('[data-do="next"]').dispatch_event("click")
    expect(element.locator('[data-do="next"]')).to_be_disabled()
    for _ in range(2):
        press(element, "back")
    expect(element).to_have_attribute("step", "0")
    assert shown(element).inner_html() == before
    expect(element.locator(".rw-aside")).to_be_hidden()
    expect(element.locator(".rw-step--own")).to_have_count(0)

    # By its own button, by Escape, and by going to any step of the story.
    take(element, "What if he had asked for one?")
    press(element, "rejoin")
    expect(element).to_have_attribute("step", "0")
    take(element, "What if he had asked for one?")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    assert shown(element).inner_html() == before
    take(element, "What if he had asked for one?")
    press(element, "last")
    expect(element).to_have_attribute("step", "2")
    expect(element.locator(".rw-aside")).to_be_hidden()


@pytest.mark.parametrize("language", HOMES)
@pytest.mark.parametrize("game", sorted({name.partition("/")[0] for name in BRANCHED}))
def test_every_other_way_is_told_as_the_engine_tells_it(visit: Visit, game: str, language: str) -> None:
    page = visit(game, language, engine=False)
    words = Catalogue.load(language, "walkthroughs")
    for name in (name for name in BRANCHED if name.startswith(f"{game}/")):
        element = walkthrough(page, name)
        for scene in story.play(script.load(name), language):
            for branch, way in scene.branches:
                take(element, words.text(branch.title))
                for each in way:
                    for event in each.events:
                        expect(shown(element).locator(".rw-said")).to_contain_text(event["sentence"])
                    expect(shown(element).locator(".rw-comment")).to_have_text(words.text(each.step.comment))
                    if each is not way[-1]:
                        press(element, "next")
                press(element, "rejoin")
            element.locator('[data-do="next"]').dispatch_event("click")


def test_another_way_on_can_be_played_on_seen_and_passed_on(visit: Visit) -> None:
    page = visit()
    element = live(page, FIRST)
    take(element, "What if he had asked for one?")
    see(element, "Lena")
    nearest(element, "Lena")
    assert faces(element, "Anton") == []
    see(element, "Everyone (all open)")
    nearest(element, "Anton")
    address = page.url
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Anton")
    expect(element.locator(".rw-aside")).to_be_hidden()
    assert len(element.evaluate("element => element.record.actions")) == 1
    press(element, "story")

    page.goto("about:blank")
    page.goto(address)
    element = walkthrough(page, FIRST)
    expect(element.locator(".rw-live form")).to_be_visible(timeout=60_000)
    assert said(element).startswith("Anton asks Lena for one six.")


def test_another_way_on_is_there_to_read_without_a_script(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    element = walkthrough(page)
    expect(element.get_by_role("button", name="What if")).to_have_count(0)
    expect(element.locator("summary")).to_have_text("What if he had asked for one?")
    expect(element.get_by_text("Anton keeps the turn.")).to_be_visible()
    expect(element.locator(".rw-guess")).to_be_hidden()


# What do you think?


def test_a_right_and_a_wrong_guess_are_both_answered_with_the_rule(visit: Visit) -> None:
    element = walkthrough(visit(engine=False), FIRST)
    guess = shown(element).get_by_role("group", name="What do you think?")
    expect(guess).to_contain_text("Anton asks Lena for three sixes. Who has the turn after that?")
    guess.get_by_role("button", name="Boris").click()
    expect(element).to_have_attribute("step", "1")
    expect(element.locator(".rw-note")).to_have_text("Not quite. The answer: Lena.")
    expect(shown(element).locator('[data-rule="BF-3.6"]').first).to_be_visible()
    status = element.get_by_role("status").text_content() or ""
    assert status.startswith("Not quite. The answer: Lena. Anton asks Lena for three sixes.")
    press(element, "back")
    expect(element.locator(".rw-note")).to_be_hidden()
    assert "Who has the turn after that?" in (element.get_by_role("status").text_content() or "")
    guess.get_by_role("button", name="Lena").click()
    expect(element.locator(".rw-note")).to_have_text("Right.")


def test_on_a_phone_the_answer_to_a_guess_is_in_sight(visit: Visit) -> None:
    element = walkthrough(visit(engine=False, viewport={"width": 360, "height": 740}), FIRST)
    shown(element).locator(".rw-guess").get_by_role("button", name="Boris").click()
    expect(element.locator(".rw-note")).to_be_in_viewport(ratio=1)


def test_on_a_phone_another_way_on_is_stepped_without_looking_for_the_buttons(visit: Visit) -> None:
    element = walkthrough(visit(engine=False, viewport={"width": 360, "height": 740}), FIRST)
    shown(element).locator('[data-do="branch"]').first.click()
    element.locator(".rw-table:visible").evaluate("table => table.scrollIntoView({ behavior: 'instant' })")
    expect(element.locator('[data-do="next"]')).to_be_in_viewport(ratio=1)


def test_a_question_can_be_passed_over_and_all_of_them_switched_off(visit: Visit) -> None:
    page = visit(engine=False)
    element = walkthrough(page, FIRST)
    press(element, "next")
    expect(element).to_have_attribute("step", "1")
    expect(element.locator(".rw-note")).to_be_hidden()
    press(element, "back")
    more(element).get_by_role("switch", name="Ask me").uncheck()
    expect(shown(element).locator(".rw-guess")).to_be_hidden()
    page.reload()
    page.evaluate(UNFOLD)
    expect(shown(walkthrough(page, FIRST)).locator(".rw-guess")).to_be_hidden()
    press(walkthrough(page, FIRST), "next")
    press(walkthrough(page, FIRST), "back")
    assert "after that?" not in (walkthrough(page, FIRST).get_by_role("status").text_content() or "")


# Other agreements


@pytest.mark.parametrize("name", AGREED)
def test_an_agreement_shows_where_the_story_goes_another_way(visit: Visit, name: str) -> None:
    element = live(visit(name.partition("/")[0]), name)
    told = script.load(name)
    parting = story.parting(told)
    switch = element.get_by_role("switch", name=Catalogue.load("en", "walkthroughs").text(f"{name}.agreement"))
    before = [step.inner_html() for step in element.locator(".rw-step").all()]
    switch.click()
    expect(switch).to_be_checked()
    expect(element).to_have_attribute("step", str(parting))
    expect(shown(element).locator(".rw-parting")).to_have_text("From here the story goes another way.")
    expect(shown(element).locator(".rw-comment")).to_be_hidden()
    assert shown(element).locator("[data-rule]").count() > 0
    agreements = element.evaluate("element => element.record.agreements")
    assert told.agreements.items() <= agreements.items()
    record = element.evaluate("element => element.record")
    assert element.evaluate("element => element.state") == rulewalk.replay(record)["states"][-1]
    press(element, "back")
    expect(shown(element).locator(".rw-comment")).to_be_visible()
    press(element, "last")
    switch.click()
    expect(switch).not_to_be_checked()
    expect(element.locator(".rw-parting")).to_have_count(0)
    assert [step.inner_html() for step in element.locator(".rw-step").all()] == before


def test_an_agreement_is_heard_once(visit: Visit) -> None:
    """When the engine has told the story so: what is in sight until then, the reader knows."""
    element = live(visit(), "backstab-fish/bf-6-2")
    element.locator(".rw-status").evaluate(
        """region => {
            window.heard = [];
            new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { childList: true });
        }"""
    )
    for heard in (1, 2):
        press(element, "agree")
        expect(element.get_by_role("switch")).to_be_checked(checked=heard == 1)
        element.page.wait_for_timeout(300)
        told = element.evaluate("window.heard")
        assert len(told) == heard
        assert ("another way" in told[-1]) is (heard == 1)


def test_an_agreement_that_ends_a_game_of_ones_own_leaves_the_reader_where_it_is_told(visit: Visit) -> None:
    """On a phone, the moves that are gone stood between the table and the switch."""
    page = visit(language="es", viewport={"width": 360, "height": 640})
    element = live(page, "backstab-fish/bf-6-2")
    press(element, "take-over")
    element.locator('.rw-live [type="submit"]').click()
    expect(shown(element)).to_have_class(re.compile("rw-step--own"))
    press(element, "agree")
    expect(element.locator('[data-do="agree"]')).to_have_attribute("aria-checked", "true")
    expect(shown(element).locator(".rw-parting")).to_be_in_viewport()
    expect(element.locator('[data-do="agree"]')).to_be_in_viewport()


@pytest.mark.parametrize("language", HOMES)
def test_a_pattern_that_is_agreed_on_makes_a_false_slap_a_good_one(visit: Visit, language: str) -> None:
    name = "egyptian-ratscrew/er-1-3"
    told = script.load(name)
    actions = [step.action for step in told.steps if step.action]
    agreed = rulewalk.replay(
        {**told.record, "agreements": told.agreements, "actions": actions}, language=language, say=True
    )
    false, claim = story.play(told, language)[3].events, agreed["events"][3]
    element = live(visit("egyptian-ratscrew", language), name)
    press(element, "last")
    press(element, "back")
    assert said(element).startswith(false[0]["sentence"])
    assert false[1]["sentence"] in said(element)

    press(element, "restart")
    press(element, "agree")
    expect(element).to_have_attribute("step", "3")
    assert element.evaluate("element => element.state") == agreed["states"][3]
    for event in claim:
        expect(shown(element).locator(".rw-said")).to_contain_text(event["sentence"])
    expect(shown(element).locator('.rw-said [data-rule="ER-1.3"]')).to_have_count(1)
    words = Catalogue.load(language, "site")
    expect(shown(element).locator(".rw-parting")).to_have_text(words.text("player.parting"))
    assert words.text("player.parting") in (element.get_by_role("status").text_content() or "")
    # Nothing has parted before, and the story goes on from what has come of it.
    press(element, "back")
    assert shown(element).locator(".rw-parting").count() == 0
    press(element, "last")
    assert element.evaluate("element => element.state") == agreed["states"][4]

    press(element, "agree")
    press(element, "back")
    assert false[1]["sentence"] in said(element)


def test_a_story_ends_with_what_an_agreement_forbids_and_can_be_played_on(visit: Visit) -> None:
    page = visit()
    element = live(page, "backstab-fish/bf-6-2")
    press(element, "agree")
    expect(element).to_have_attribute("step", "1")
    press(element, "next")
    expect(shown(element).locator(".rw-refusal")).to_contain_text("Lena")
    expect(element.locator('[data-do="next"]')).to_be_disabled()
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Lena")
    ask(element, target="Anton", rank="6", quantity=1)
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Anton")
    address = page.url
    assert "agreed" in address

    page.goto("about:blank")
    page.goto(address.replace("/backstab-fish/", "/es/backstab-fish/"))
    element = walkthrough(page, "backstab-fish/bf-6-2")
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Anton", timeout=60_000)
    expect(element.locator('[data-do="agree"]')).to_have_attribute("aria-checked", "true")
    assert len(element.evaluate("element => element.record.actions")) == 2


# The large view


def in_large_view(element: Locator) -> None:
    expect(element).to_have_class(re.compile(r"\brw-large\b"))


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("name", [FIRST, "backstab-fish/bf-2-8", "egyptian-ratscrew/er-6-1", "go-fish/gf-3-13"])
def test_the_large_view_fills_the_screen_and_everything_is_in_sight(
    visit: Visit, name: str, size: tuple[int, int]
) -> None:
    page = visit(name.partition("/")[0], engine=False, viewport={"width": size[0], "height": size[1]})
    element = walkthrough(page, name)
    press(element, "large")
    in_large_view(element)
    page.wait_for_timeout(300)
    box = element.bounding_box()
    assert box and (box["x"], box["y"], box["width"], box["height"]) == (0, 0, *size)
    # One screen holds every step, and the sentences are a twentieth of it or nearly.
    assert element.evaluate("element => element.scrollHeight") <= size[1] + 1
    for part in (".rw-table", ".rw-said", '[data-do="next"]'):
        within = (shown(element) if part.startswith(".") else element).locator(part).bounding_box()
        assert within and within["x"] >= 0 and within["y"] >= 0
        assert within["x"] + within["width"] <= size[0] and within["y"] + within["height"] <= size[1]
    text = shown(element).locator(".rw-said p").first.evaluate("p => parseFloat(getComputedStyle(p).fontSize)")
    assert text >= size[1] / 50


def test_the_large_view_is_stepped_by_remote_control_keys_and_clicks_and_left_again(visit: Visit) -> None:
    page = visit(engine=False)
    element = walkthrough(page, FIRST)
    press(element, "large")
    in_large_view(element)
    expect(element.locator(".rw-steps")).to_be_focused()
    for key, step in (("PageDown", 1), ("PageDown", 2), ("PageUp", 1), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        expect(element).to_have_attribute("step", str(step))
    shown(element).locator(".rw-table").click()
    expect(element).to_have_attribute("step", "1")
    # Nothing else can be reached.
    for _ in range(20):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('.rw-large')"
        )
    page.keyboard.press("Escape")
    expect(element).not_to_have_class(re.compile("rw-large"))
    expect(element.locator('[data-do="large"]')).to_be_focused()
    expect(element.locator('[data-do="large"]')).to_be_in_viewport()  # where the reader was
    assert page.evaluate("document.fullscreenElement") is None
    assert page.locator("[inert]").count() == 0
    page.keyboard.press("PageDown")
    expect(element).to_have_attribute("step", "1")


def test_in_the_large_view_the_keys_are_still_heard_after_a_panel_that_a_key_has_opened(visit: Visit) -> None:
    page = visit(engine=False)
    element = walkthrough(page, FIRST)
    press(element, "large")
    in_large_view(element)
    page.keyboard.press("?")
    expect(element.locator(".rw-options")).to_be_visible()
    element.locator(".rw-options").get_by_role("button", name="Close").click()
    expect(element.locator(".rw-options")).to_be_hidden()
    expect(element.locator(".rw-steps")).to_be_focused()
    page.keyboard.press("PageDown")
    expect(element).to_have_attribute("step", "1")


def test_without_full_screen_the_large_view_fills_the_window(visit: Visit) -> None:
    page = visit(engine=False)
    page.evaluate("() => { Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('no')); }")
    element = walkthrough(page, "backstab-fish/bf-5-5")
    press(element, "large")
    in_large_view(element)
    assert element.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 900}
    assert page.evaluate("document.elementFromPoint(640, 5).closest('.rw-large') !== null")
    # A click beside everything takes the keys away from nobody.
    page.mouse.click(640, 5)
    page.keyboard.press("PageDown")
    expect(element).to_have_attribute("step", "1")
    # And beyond the last button there is still a way out.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(element).not_to_have_class(re.compile("rw-large"))
    press(element, "large")
    in_large_view(element)
    press(element, "large")
    expect(element).not_to_have_class(re.compile("rw-large"))


@pytest.mark.parametrize("size", [(1280, 720), (360, 740), (740, 360)])
def test_in_the_large_view_table_controls_and_ones_own_moves_lie_beside_each_other(
    visit: Visit, size: tuple[int, int]
) -> None:
    """On a projector and on a phone either way up: what does not fit scrolls, and nothing lies on anything else."""
    element = live(visit(viewport={"width": size[0], "height": size[1]}), FIRST)
    press(element, "large")
    in_large_view(element)

    def lie_apart(*parts: str) -> None:
        boxes = [element.locator(part).bounding_box() for part in parts]
        for box in boxes:
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= size[0]
            assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
        for one, other in combinations(filter(None, boxes), 2):
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            above = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert beside or above

    lie_apart("> .rw-title", ".rw-steps", ".rw-controls")
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_be_visible()
    lie_apart("> .rw-title", ".rw-steps", ".rw-controls", ".rw-live")
    ask(element, target="Lena", rank="6", quantity=1)
    expect(shown(element).locator(".rw-said")).to_contain_text("gives")
    lie_apart("> .rw-title", ".rw-steps", ".rw-controls", ".rw-live")


# Paper


def test_a_walkthrough_prints_on_one_page_with_its_other_ways(visit: Visit, site_url: str) -> None:
    page = visit(engine=False)
    for name in ("backstab-fish/bf-6-2", "go-fish/gf-5-1", "egyptian-ratscrew/er-6-1", "egyptian-ratscrew/er-4-5"):
        page.goto(f"{site_url}/embed/{name}/")
        pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
        assert len(pages) == 1, name
    page.goto(f"{site_url}/embed/egyptian-ratscrew/er-6-1/")
    page.emulate_media(media="print")
    expect(page.locator("summary")).to_have_text("What if nobody slaps?")
    expect(page.locator("summary")).to_be_visible()
    assert all(side.is_visible() for side in page.locator(".rw-side .rw-comment").all())
    for part in (".rw-controls", ".rw-guess", ".rw-ways"):
        assert not any(each.is_visible() for each in page.locator(part).all())


# For everyone


def violations(page: Page, element: Locator) -> list[str]:
    """What axe finds in a walkthrough, in the light and, as far as that depends on colours, in the dark."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
        page.add_style_tag(content="*, *::before { transition: none !important; animation: none !important }")
    found = []
    for scheme, looked_for in (("default", STANDARD), ("slate", COLOURS)):
        page.evaluate("scheme => document.body.setAttribute('data-md-color-scheme', scheme)", scheme)
        ran = element.evaluate(
            "(element, tags) => axe.run(element, {runOnly: tags, resultTypes: ['violations']})", looked_for
        )
        found += [f"{scheme}: {each['id']}: {each['nodes'][0]['html'][:200]}" for each in ran["violations"]]
    return found


def test_axe_finds_nothing_in_any_state_of_the_player(visit: Visit) -> None:
    page = visit(bypass_csp=True)
    element = live(page, FIRST)
    wrong: dict[str, list[str]] = {}

    def look(state: str) -> None:
        if found := violations(page, element):
            wrong[state] = found

    look("asked at the start")
    shown(element).locator('[data-do="guess"]').first.click()
    look("told the answer")
    press(element, "back")
    take(element, "What if he had asked for one?")
    look("on another way")
    press(element, "rejoin")
    more(element)
    look("more")
    press(element, "more")
    press(element, "share")
    look("sharing")
    press(element, "share")
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_be_visible()
    look("own turn")
    ask(element, target="Lena", rank="K", quantity=1)
    expect(shown(element).locator(".rw-refusal")).to_be_visible()
    look("refused")
    press(element, "story")
    see(element, "Whoever has the turn")
    look("to one player's eyes")
    press(element, "take-over")
    ask(element, target="Lena", rank="6", quantity=3)
    expect(element.locator(".rw-curtain")).to_be_visible()
    look("between two turns")
    press(element, "story")
    press(element, "large")
    in_large_view(element)
    look("large")
    page.keyboard.press("Escape")
    element = live(page, "backstab-fish/bf-6-2")
    press(element, "agree")
    expect(shown(element).locator(".rw-parting")).to_be_visible()
    look("agreed")
    assert not wrong


def test_whatever_can_be_pressed_is_large_enough(visit: Visit) -> None:
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True)
    element = live(page, FIRST)
    more(element)
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_be_visible()
    small = element.evaluate(
        """element => Array.from(element.querySelectorAll("button, select, input, summary, label"))
            .map(one => [one, (one.closest("label") ?? one).getBoundingClientRect()])
            .filter(([one, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
            .map(([one]) => one.outerHTML.slice(0, 100))"""
    )
    assert small == []


def test_at_400_per_cent_and_with_doubled_letters_nothing_is_cut_off(visit: Visit) -> None:
    """WCAG 1.4.10 and 1.4.4: 1280 pixels at 400 % are 320, and the page scrolls one way only."""
    page = visit(engine=False, viewport={"width": 320, "height": 256}, bypass_csp=True)
    element = walkthrough(page, FIRST)
    more(element)
    for size in ("100%", "200%"):
        page.add_style_tag(content=f".rw {{ font-size: {size} }}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        for button in element.locator(".rw-controls button:visible").all():
            assert button.evaluate("button => button.scrollWidth <= button.clientWidth + 1"), button.text_content()


@pytest.mark.parametrize("language", HOMES)
@pytest.mark.parametrize("name", [FIRST, "go-fish/gf-5-1", "egyptian-ratscrew/er-6-1"])
def test_what_a_screen_reader_is_told_is_as_it_was_looked_at(visit: Visit, name: str, language: str) -> None:
    """The accessibility tree against golden text; RULEWALK_GOLDEN=1 writes it anew, to be read as a diff."""
    game, _, short = name.partition("/")
    element = live(visit(game, language), name)
    press(element, "next")
    golden = Path(__file__).parent / "golden" / f"{short}-{language}.yaml"
    # Rule links go elsewhere in the tree of another build; their numbers are what is read out.
    tree = re.sub(r"\n *- /url:.*", "", element.aria_snapshot()) + "\n"
    if "RULEWALK_GOLDEN" in os.environ:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(tree, "utf-8")
    assert tree == golden.read_text("utf-8")
