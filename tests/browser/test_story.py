"""The story told otherwise: to other eyes, down another road, under another agreement; at the reader's pace."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from rulewalk.catalogue import Catalogue

from .test_walkthrough import HOMES, UNFOLD, ask, live, press, said, shown, walkthrough, without_runtime

FIRST = "backstab-fish/bf-6-1"

type Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, site_url: str) -> Iterator[Visit]:
    """Open the page of a game, as a reader who has never been there."""
    contexts = []

    def opened(game: str = "backstab-fish", language: str = "en", *, engine: bool = True, **context: Any) -> Page:
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: pytest.fail(f"an error in the page: {error}"))
        if not engine:
            without_runtime(page)
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
    page.clock.install()
    element = walkthrough(page, FIRST)
    more(element).get_by_label("Speed").select_option("Fast")
    press(element, "play")
    page.clock.run_for(2100)
    expect(element).to_have_attribute("step", "1")
    more(element).get_by_label("Speed").select_option("Slow")
    expect(element.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "true")
    page.clock.run_for(7000)
    expect(element).to_have_attribute("step", "1")
    page.clock.run_for(1100)
    expect(element).to_have_attribute("step", "2")


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
