"""Walkthroughs in a real browser: stepped, by the engine or without it, played on from, and read otherwise."""

import json
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from rulewalk.catalogue import Catalogue
from rulewalk_tutorials import script, story

from .kit import FIRST, LIVE, SNAPSHOT, held, live, press, walkthrough

HOMES = {"en": "/", "es": "/es/", "pt": "/pt/"}
GAMES = sorted({name.partition("/")[0] for name in script.names()})
# The five of section 6, for what need not be tried with each of them all.
NAMES = [name for name in script.names() if name.startswith("backstab-fish/bf-6-")]

# Some walkthroughs are folded under their titles.
UNFOLD = "document.querySelectorAll('details').forEach(fold => { fold.open = true })"

type Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, again: BrowserContext, site_url: str) -> Iterator[Open]:
    """Open the page of a game in a language, with what a test wants to be otherwise."""
    contexts: list[BrowserContext] = []

    def opened(
        language: str = "en",
        game: str = "backstab-fish",
        *,
        prepare: Callable[[Page], Any] | None = None,
        been_here: bool = False,
        **context: Any,
    ) -> Page:
        if not been_here:
            contexts.append(browser.new_context(viewport={"width": 1280, "height": 900}, **context))
        page = (again if been_here else contexts[-1]).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"an error in the page: {error}"))
        if prepare:
            prepare(page)
        page.goto(f"{site_url}{HOMES[language]}{game}/")
        page.evaluate(UNFOLD)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def live_page(been_here: BrowserContext, site_url: str) -> Iterator[Callable[[str], Page]]:
    """The page of Backstab Fish with its engine, one for each language: each test takes another walkthrough of it."""
    pages: dict[str, Page] = {}

    def page(language: str) -> Page:
        if language not in pages:
            pages[language] = been_here.new_page()
            pages[language].goto(f"{site_url}{HOMES[language]}backstab-fish/")
            pages[language].evaluate(UNFOLD)
        pages[language].bring_to_front()  # a tab behind another is drawn seldom
        return pages[language]

    yield page
    for page_ in pages.values():
        page_.close()


def block(pattern: str) -> Callable[[Page], None]:
    return lambda page: page.route(pattern, lambda route: route.abort())


without_runtime = block("**/runtime/**")
without_worker = block("**/worker-*.js")


def choose(element: Locator, **fields: object) -> None:
    """Choose in the reader's own panel, as a reader does: by the visible label."""
    for field, value in fields.items():
        element.locator(f'[data-field="{field}"] label:has(input[value="{value}"])').click()


def ask(element: Locator, **fields: object) -> None:
    choose(element, **fields)
    element.locator('.rw-live [type="submit"]').click()


def shown(element: Locator) -> Locator:
    return element.locator(".rw-shown")


def said(element: Locator) -> str:
    return " ".join(shown(element).locator(".rw-said").inner_text().split())


def stepped_through(element: Locator) -> list[str]:
    """The HTML of each step, as it comes into sight on the way to the end."""
    steps: list[list[Any]] = element.evaluate(
        """element => {
            const next = element.querySelector('[data-do="next"]');
            const seen = [];
            for (;;) {
                const shown = Array.from(element.querySelectorAll(".rw-step"))
                    .filter(step => getComputedStyle(step).visibility === "visible");
                seen.push([element.getAttribute("step"), shown.map(step => step.dataset.step), shown[0].innerHTML]);
                if (next.getAttribute("aria-disabled") === "true") return seen;
                next.click();
            }
        }"""
    )
    assert len(steps) == element.locator(".rw-step").count()
    for number, (step, in_sight, _) in enumerate(steps):
        assert (step, in_sight) == (str(number), [str(number)])
    return [html for _, _, html in steps]


# Stepping


@pytest.mark.parametrize("language", HOMES)
@pytest.mark.parametrize("game", GAMES)
def test_every_walkthrough_is_the_same_to_its_end_static_and_live(open_page: Open, language: str, game: str) -> None:
    static = open_page(language, game, prepare=without_runtime)
    by_engine = open_page(language, game, been_here=True)
    names = [name for name in script.names() if name.startswith(f"{game}/")]
    on_the_page = static.locator("rule-walkthrough").evaluate_all("all => all.map(one => one.getAttribute('name'))")
    assert sorted(on_the_page) == names
    for name in names:
        before = stepped_through(walkthrough(static, name))
        assert before == stepped_through(live(by_engine, name))
        words = Catalogue.load(language, "walkthroughs")
        scenes = story.play(script.load(name), language)
        assert len(before) == len(scenes)
        for html, scene in zip(before, scenes, strict=True):
            assert escape(words.text(scene.step.comment), quote=False) in html
    # All of them by one engine.
    assert len([worker for worker in by_engine.workers if "/worker-" in worker.url]) == 1


def test_going_back_is_as_good_as_going_forward(open_page: Open) -> None:
    page = open_page(prepare=without_runtime)
    for name in NAMES:
        element = walkthrough(page, name)
        forward = stepped_through(element)
        backward = [shown(element).inner_html()]
        for _ in forward[1:]:
            press(element, "back")
            backward.append(shown(element).inner_html())
        assert backward[::-1] == forward
        press(element, "next")
        press(element, "restart")
        expect(element).to_have_attribute("step", "0")


def test_record_and_state_are_those_of_the_step(open_page: Open) -> None:
    page = open_page(prepare=without_runtime)
    for name in NAMES:
        element = walkthrough(page, name)
        for scene in story.play(script.load(name)):
            expect(element).to_have_attribute("step", str(scene.step.number))
            assert element.evaluate("element => element.record") == scene.record
            assert element.evaluate("element => element.state") == scene.state
            element.locator('[data-do="next"]').dispatch_event("click")


def test_at_its_ends_a_walkthrough_stays(open_page: Open) -> None:
    element = walkthrough(open_page(prepare=without_runtime))
    for button in ("back", "restart"):
        expect(element.locator(f'[data-do="{button}"]')).to_be_disabled()
        element.locator(f'[data-do="{button}"]').dispatch_event("click")
        expect(element).to_have_attribute("step", "0")
    stepped_through(element)
    expect(element.locator('[data-do="next"]')).to_be_disabled()
    element.locator('[data-do="next"]').dispatch_event("click")
    expect(element).to_have_attribute("step", "2")
    expect(element.locator(".rw-place")).to_have_text("3 / 3")


@pytest.mark.parametrize("language", HOMES)
def test_each_step_is_announced_once(open_page: Open, language: str) -> None:
    element = walkthrough(open_page(language, prepare=without_runtime))
    status = element.get_by_role("status")
    expect(status).to_have_text("")
    status.evaluate(
        "region => { window.announced = []; new MutationObserver(() => window.announced.push(region.textContent))"
        ".observe(region, {childList: true, characterData: true, subtree: true}) }"
    )
    expected = []
    for button in ("next", "next", "back"):
        press(element, button)
        comment = shown(element).locator(".rw-comment").inner_text()
        expected.append(f"{said(element)} {comment}")
    assert element.evaluate("() => window.announced") == expected


def test_playing_stops_at_the_end_and_when_the_reader_steps(open_page: Open) -> None:
    def by_hand(page: Page) -> None:
        without_runtime(page)
        page.clock.install()

    page = open_page(prepare=by_hand)
    element = walkthrough(page)
    play = element.locator('[data-do="play"]')
    press(element, "play")
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(element).to_have_attribute("step", "0")
    page.clock.run_for(4100)
    expect(element).to_have_attribute("step", "1")
    page.clock.run_for(4000)
    expect(element).to_have_attribute("step", "2")
    expect(play).to_have_attribute("aria-pressed", "false")

    press(element, "play")  # at the end: from the start
    expect(element).to_have_attribute("step", "0")
    press(element, "next")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(10_000)
    expect(element).to_have_attribute("step", "1")


# Cards on their way


# The middle of what is shown of an element, from the corner of its table.
MIDDLE = """element => {
    const outer = element.closest(".rw-table").getBoundingClientRect();
    const inner = element.getBoundingClientRect();
    return [inner.left + inner.width / 2 - outer.left, inner.top + inner.height / 2 - outer.top].map(Math.round);
}"""
# Press a button, and hold all that sets out at once: how many do?
SET_OUT = """(element, button) => {
    element.getAnimations({subtree: true}).forEach(animation => animation.finish());
    element.querySelector(`[data-do="${button}"]`).click();
    const animations = element.getAnimations({subtree: true});
    for (const animation of animations) { animation.pause(); animation.currentTime = 0; }
    return animations.length;
}"""
ARRIVE = "element => element.getAnimations({subtree: true}).forEach(animation => animation.finish())"


def test_cards_come_from_where_they_were(open_page: Open) -> None:
    element = walkthrough(open_page(prepare=without_runtime))
    assert element.evaluate(SET_OUT, "next") > 0
    drawn = shown(element).locator('[data-place="hand:Anton"] [data-card="5S"]')
    stock = shown(element).locator('[data-place="stock"] > :last-child')
    assert drawn.evaluate(MIDDLE) == pytest.approx(stock.evaluate(MIDDLE), abs=2)

    element.evaluate(ARRIVE)
    before = shown(element).locator('[data-place="hand:Anton"] [data-card="6S"]').evaluate(MIDDLE)
    assert drawn.evaluate(MIDDLE) != pytest.approx(stock.evaluate(MIDDLE), abs=2)
    element.evaluate(SET_OUT, "next")
    given = shown(element).locator('[data-place="hand:Lena"] [data-card="6S"]')
    assert given.evaluate(MIDDLE) == pytest.approx(before, abs=2)

    # And back again: it sets out from Lena's hand.
    element.evaluate(ARRIVE)
    there = given.evaluate(MIDDLE)
    element.evaluate(SET_OUT, "back")
    returned = shown(element).locator('[data-place="hand:Anton"] [data-card="6S"]')
    assert returned.evaluate(MIDDLE) == pytest.approx(there, abs=2)


def test_laid_cards_are_seen_to_go(open_page: Open) -> None:
    element = walkthrough(open_page(prepare=without_runtime), "backstab-fish/bf-6-4")
    press(element, "next")
    element.evaluate(SET_OUT, "next")
    sixes = ", ".join(f'[data-card="6{suit}"]' for suit in "SHD")
    going = element.locator(f'.rw-step[data-step="1"] [data-place="hand:Boris"] :is({sixes})')
    assert going.count() == 4
    for card in going.all():
        expect(card).to_be_visible()
    element.evaluate(ARRIVE)
    for card in going.all():
        expect(card).to_be_hidden()


def test_nothing_moves_for_those_who_asked_for_less_motion(open_page: Open) -> None:
    element = walkthrough(open_page(prepare=without_runtime, reduced_motion="reduce"))
    for button in ("next", "next", "back", "restart"):
        press(element, button)
        assert element.evaluate("element => element.getAnimations({subtree: true}).length") == 0


def test_fast_clicking_ends_where_it_should(open_page: Open) -> None:
    element = walkthrough(open_page(prepare=without_runtime), "backstab-fish/bf-6-5")
    element.evaluate(
        """element => {
            const press = name => element.querySelector(`[data-do="${name}"]`).click();
            for (let i = 0; i < 50; i++) ["next", "next", "back", "next", "back", "restart", "next"].forEach(press);
        }"""
    )
    expect(element).to_have_attribute("step", "1")
    expect(shown(element)).to_have_count(1)
    visible = element.locator(".rw-step").evaluate_all(
        "steps => steps.filter(step => getComputedStyle(step).visibility === 'visible').length"
    )
    assert visible == 1


# The page around it


def test_nothing_below_moves_when_the_script_comes_or_a_step_changes(open_page: Open) -> None:
    def height(element: Locator) -> float:
        # Its own height, not what is kept free for one that is out of sight.
        measure = "element => (element.style.contentVisibility = 'visible', element.getBoundingClientRect().height)"
        return float(element.evaluate(measure))

    for width in (360, 1280):
        # At once, and together: after a while of waiting for the player the storyboard would be laid out.
        bare = open_page(prepare=block("**/player-*.js"))
        bare.set_viewport_size({"width": width, "height": 800})
        reserved = {name: height(walkthrough(bare, name)) for name in NAMES}
        page = open_page(prepare=without_worker)
        page.set_viewport_size({"width": width, "height": 800})
        for name in NAMES:
            element = walkthrough(page, name)
            assert height(element) == pytest.approx(reserved[name], abs=1)
            stepped_through(element)
            assert height(element) == pytest.approx(reserved[name], abs=1)
            for state in ("loading", "live", "unavailable"):
                element.evaluate("(element, state) => element.setAttribute('engine', state)", state)
                assert height(element) == pytest.approx(reserved[name], abs=1)


@pytest.mark.parametrize("language", HOMES)
def test_without_javascript_every_step_is_there_to_read(open_page: Open, language: str) -> None:
    page = open_page(language, java_script_enabled=False)
    for name in NAMES:
        element = walkthrough(page, name)
        scenes = story.play(script.load(name), language)
        for scene in scenes:
            step = element.locator(f'[data-step="{scene.step.number}"]')
            expect(step).to_be_visible()
            expect(step.locator(".rw-table")).to_be_visible()
            sentences = [scene.error["message"]] if scene.error else [event["sentence"] for event in scene.events]
            for sentence in sentences:
                expect(step.get_by_text(sentence)).to_be_visible()
        expect(element.get_by_role("button")).to_have_count(0)


def test_on_paper_every_step_is_there_to_read(open_page: Open) -> None:
    page = open_page(prepare=without_runtime)
    element = walkthrough(page)
    press(element, "next")
    expect(element.locator('[data-step="0"]')).to_be_hidden()
    page.emulate_media(media="print")
    for step in element.locator(".rw-step").all():
        expect(step).to_be_visible()
    expect(element.locator(".rw-controls")).to_be_hidden()


def test_without_the_player_the_storyboard_is_laid_out_after_all(open_page: Open) -> None:
    page = open_page(prepare=block("**/player-*.js"))
    element = walkthrough(page)
    expect(element.locator('[data-step="1"]')).to_be_hidden()
    # What a reader would wait for, without the waiting.
    page.evaluate("document.getAnimations().forEach(one => { try { one.finish() } catch {} })")
    for step in element.locator(".rw-step").all():
        expect(step).to_be_visible()


# By keyboard alone


def test_the_story_by_keyboard(open_page: Open) -> None:
    page = open_page(prepare=without_runtime)
    element = walkthrough(page)
    stage = element.locator(".rw-steps")
    stage.focus()
    for key, step in (("ArrowRight", 1), ("End", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(element).to_have_attribute("step", str(step))
        expect(stage).to_be_focused()
    page.keyboard.press("Space")
    expect(element.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    expect(element.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "false")

    # From a button, Space presses the button, and the focus stays on it to the end.
    following = element.locator('[data-do="next"]')
    following.focus()
    for _ in range(3):
        page.keyboard.press("Space")
        expect(following).to_be_focused()
    expect(element).to_have_attribute("step", "2")

    # A link that goes out of sight hands the focus on.
    shown(element).locator("[data-rule]").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(element).to_have_attribute("step", "1")
    expect(stage).to_be_focused()


def in_sight(focused: Locator) -> None:
    """All of it is in the window, and nothing lies over it."""
    expect(focused).to_be_in_viewport(ratio=1)
    assert focused.evaluate("""focused => {
        const { x, y, width, height } = focused.getClientRects()[0];
        const ends = [y + 1, y + height - 1].map(end => document.elementFromPoint(x + width / 2, end));
        return ends.every(seen => (focused.closest("label") ?? focused).contains(seen));
    }"""), focused.text_content()


@pytest.mark.parametrize("size", [(1280, 720), (360, 640)])
def test_what_has_the_focus_is_ringed_and_in_sight(open_page: Open, size: tuple[int, int]) -> None:
    """Neither under the header nor under the bar that stays in sight below, whichever way one goes."""
    page = open_page(prepare=without_runtime)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    element = walkthrough(page)
    element.locator(".rw-steps").focus()
    page.keyboard.press("ArrowRight")
    expect(element).to_have_attribute("step", "1")
    for key in ["Tab"] * 16 + ["Shift+Tab"] * 16:
        page.keyboard.press(key)
        focused = page.locator(":focus:not(.rw-steps)")
        if focused.count():
            expect(focused).to_have_css("outline-width", "3px")
            in_sight(focused)


def tab_to(page: Page, target: Locator) -> None:
    for _ in range(40):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail("Tab does not lead there")


@pytest.mark.parametrize("language", HOMES)
def test_a_move_of_ones_own_by_keyboard(live_page: Callable[[str], Page], language: str) -> None:
    page = live_page(language)
    element = live(page, "backstab-fish/bf-6-1")
    element.locator(".rw-steps").focus()
    tab_to(page, element.locator('[data-do="take-over"]'))
    page.keyboard.press("Enter")
    expect(element.locator('[name="target"]:checked')).to_be_focused()
    tab_to(page, element.locator('[name="quantity"]:checked'))
    page.keyboard.press("ArrowRight")
    tab_to(page, element.locator('.rw-live [type="submit"]'))
    page.keyboard.press("Enter")
    expect(element.get_by_role("status")).to_contain_text("Lena")
    assert element.evaluate("element => element.record.actions") == [
        {"type": "request", "player": "Anton", "target": "Lena", "rank": "6", "quantity": 2}
    ]
    # The panel was drawn anew, and the focus is where it was.
    expect(element.locator('.rw-live [type="submit"]')).to_be_focused()
    page.keyboard.press("Escape")
    expect(element.locator(".rw-live")).to_be_hidden()
    expect(element.locator('[data-do="take-over"]')).to_be_focused()


def own_game(page: Page, game: str, name: str) -> Locator:
    """A game of one's own, taken up by keyboard."""
    element = live(page, f"{game}/{name}")
    element.locator('[data-do="take-over"]').focus()
    page.keyboard.press("Enter")
    expect(element.locator(".rw-live button").first).to_be_visible()
    return element


#: So high is what stays at the window's head.
HEADER = 48


@pytest.mark.parametrize("size", [(1280, 720), (360, 640), (320, 640)])
@pytest.mark.parametrize("game", ["backstab-fish/bf-6-1", "go-fish/gf-5-1", "egyptian-ratscrew/er-6-1"])
def test_what_has_the_focus_in_a_game_of_ones_own_is_in_sight(
    open_page: Open, game: str, size: tuple[int, int]
) -> None:
    """And what takes moves back is in sight as well, wherever one is."""
    game, _, name = game.partition("/")
    page = open_page("pt", game, been_here=True)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    element = own_game(page, game, name)
    focused = page.locator(":focus")
    in_sight(focused)
    for moves in (1, 2):
        element.locator(".rw-live").locator('[type="submit"], [data-flip]:not(.rw-muted)').first.focus()
        page.keyboard.press("Enter")
        expect(element.locator(".rw-step--own")).to_have_count(moves)
        expect(element.locator(".rw-live :focus")).to_have_count(1)
        in_sight(focused)
        in_sight(element.locator('[data-do="undo"]'))
    for key in ["Shift+Tab"] * 12 + ["Tab"] * 24:
        page.keyboard.press(key)
        if element.locator(":focus:not(.rw-steps)").count():
            in_sight(focused)
    element.locator('[data-do="undo"]').focus()
    page.keyboard.press("Enter")
    expect(element.locator('[data-do="redo"]')).to_be_enabled()
    in_sight(focused)
    shown(element).locator(".rw-table").evaluate("table => table.scrollIntoView({ behavior: 'instant' })")
    in_sight(element.locator('[data-do="undo"]'))


def test_in_a_game_of_ones_own_the_table_is_in_sight_where_there_is_room(open_page: Open) -> None:
    """Beside what has the focus; where that cannot be, who points sees what they did."""
    page = open_page(game="egyptian-ratscrew", been_here=True)
    page.set_viewport_size({"width": 1280, "height": 720})
    element = own_game(page, "egyptian-ratscrew", "er-6-1")
    table = element.locator(".rw-table:visible")
    for _ in range(2):
        expect(table).to_be_in_viewport(ratio=1)
        assert table.evaluate("table => table.getBoundingClientRect().top") >= HEADER
        page.keyboard.press("Enter")
        expect(element.locator(".rw-step--own.rw-shown")).to_be_visible()

    page = open_page(been_here=True)
    page.set_viewport_size({"width": 1280, "height": 720})
    element = own_game(page, "backstab-fish", "bf-6-1")
    ask(element, target="Lena", rank="6", quantity=1)
    expect(element.locator(".rw-step--own.rw-shown")).to_be_visible()
    expect(element.locator(".rw-table:visible")).to_be_in_viewport(ratio=1)


def test_at_the_end_of_a_game_of_ones_own_the_focus_is_at_the_table(open_page: Open) -> None:
    """There is nothing more to press; whoever has keys is not sent to the top of the page."""
    page = open_page(game="go-fish", been_here=True)
    element = live(page, "go-fish/gf-4-1")
    press(element, "next")
    element.locator('[data-do="take-over"]').focus()
    page.keyboard.press("Enter")
    element.locator('.rw-live [type="submit"]').focus()
    page.keyboard.press("Enter")
    expect(element.locator(".rw-live button")).to_have_count(0)
    expect(element.locator(".rw-steps")).to_be_focused()
    page.keyboard.press("Escape")
    for _ in range(2):
        press(element, "next")
    element.locator('[data-do="take-over"]').focus()
    page.keyboard.press("Enter")
    expect(element.locator('[data-do="story"]')).to_be_visible()
    expect(element.locator(".rw-steps")).to_be_focused()
    expect(element.locator(".rw-table:visible")).to_be_in_viewport()


# Live


@pytest.mark.parametrize("language", HOMES)
def test_the_reader_asks_plays_on_undoes_and_returns(live_page: Callable[[str], Page], language: str) -> None:
    element = live(live_page(language), "backstab-fish/bf-6-3")
    story_before = shown(element).inner_html()
    press(element, "take-over")
    element.evaluate(
        """() => {
            const animate = Element.prototype.animate;
            window.moved = 0;
            Element.prototype.animate = function (...how) { window.moved++; return animate.apply(this, how); };
        }"""
    )
    ask(element, target="Lena", rank="6", quantity=2)

    request = {"type": "request", "player": "Anton", "target": "Lena", "rank": "6", "quantity": 2}
    after = story.rulewalk.replay({**script.load(FIRST).record, "actions": [request]}, language=language, say=True)
    expect(shown(element).locator(".rw-said")).to_contain_text(after["events"][-1][0]["sentence"])
    assert said(element).startswith(after["events"][-1][0]["sentence"])
    assert element.evaluate("element => element.state") == after["states"][-1]
    assert element.evaluate("() => window.moved") > 0
    assert said(element) in (element.get_by_role("status").text_content() or "")

    # Anton has the turn still, and asks for what nobody can meet.
    ask(element, target="Vera", rank="9", quantity=8)
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Vera")
    assert len(element.evaluate("element => element.record.actions")) == 2
    press(element, "undo")
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Anton")
    assert element.evaluate("element => element.record.actions") == [request]
    press(element, "undo")
    expect(element.locator('[data-do="undo"]')).to_be_disabled()
    assert element.evaluate("element => element.record.actions") == []

    press(element, "story")
    expect(element).to_have_attribute("step", "0")
    assert shown(element).inner_html() == story_before
    expect(element.locator(".rw-step--own")).to_have_count(0)
    press(element, "next")
    expect(element).to_have_attribute("step", "1")


def test_the_reader_lays_a_book_and_ends_a_turn(live_page: Callable[[str], Page]) -> None:
    element = live(live_page("en"), "backstab-fish/bf-6-5")
    press(element, "take-over")
    element.locator('.rw-live [data-lay="6"][data-player="Anton"]').click()
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Boris")
    press(element, "undo")
    element.locator(".rw-live [data-end-turn]").click()
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Boris")
    assert element.evaluate("element => element.record.actions") == [{"type": "end-turn", "player": "Anton"}]
    assert element.evaluate("element => element.state.books.Anton") == ["9", "2"]


@pytest.mark.parametrize("language", HOMES)
def test_a_refusal_says_why_and_its_rule_is_a_click_away(live_page: Callable[[str], Page], language: str) -> None:
    page = live_page(language)
    element = live(page, "backstab-fish/bf-6-2")
    press(element, "next")
    press(element, "take-over")
    ask(element, rank="K", quantity=1)
    refused = {"type": "request", "player": "Anton", "target": "Lena", "rank": "K", "quantity": 1}
    record = {**script.load("backstab-fish/bf-6-2").record}
    first = script.load("backstab-fish/bf-6-2").steps[1].action
    error = story.rulewalk.replay({**record, "actions": [first, refused]}, language=language)["error"]
    assert error["code"] == "rank-not-held"
    expect(shown(element).locator(".rw-refusal")).to_contain_text(error["message"])
    assert error["message"] in (element.get_by_role("status").text_content() or "")
    assert element.evaluate("element => element.record.actions") == [first]
    # The reader's choice stands, to be mended.
    expect(element.locator('[name="rank"][value="K"]')).to_be_checked()

    shown(element).locator('[data-rule="BF-3.2"]').click()
    expect(page).to_have_url(f"{page.url.partition('#')[0]}#bf-3-2")
    paragraph = page.locator("#bf-3-2:target")
    expect(paragraph).to_be_in_viewport()
    assert paragraph.evaluate("element => getComputedStyle(element).backgroundColor") != "rgba(0, 0, 0, 0)"

    page.go_back()
    expect(element).to_be_in_viewport()
    expect(element).to_have_attribute("step", "1")
    expect(shown(element).locator(".rw-refusal")).to_be_visible()
    ask(element, rank="6", quantity=1)
    expect(shown(element).locator(".rw-refusal")).to_have_count(0)


def test_back_from_another_page_finds_the_step(open_page: Open, site_url: str) -> None:
    page = open_page(prepare=without_runtime)
    element = walkthrough(page)
    press(element, "next")
    link = shown(element).locator("[data-rule]").first
    link.evaluate("(link, address) => { link.href = address }", f"{site_url}/glossary/")
    link.click()
    expect(page).to_have_url(f"{site_url}/glossary/")
    page.go_back()
    expect(walkthrough(page)).to_have_attribute("step", "1")
    expect(shown(walkthrough(page))).to_have_attribute("data-step", "1")


def test_your_turn_can_be_asked_for_before_the_engine_is_there(open_page: Open) -> None:
    letting_go: list[Callable[[], None]] = []
    page = open_page(prepare=lambda page: letting_go.append(held(page, SNAPSHOT)))
    element = walkthrough(page)
    press(element, "take-over")
    words = Catalogue.load("en", "site")
    expect(element.get_by_role("status")).to_have_text(words.text("player.engine-loading"))
    letting_go[0]()
    expect(element.locator(".rw-live form")).to_be_visible(timeout=LIVE)


# When the engine does not come


def unavailable(element: Locator, language: str) -> None:
    """It says so, in the reader's language, offers another try, and the story goes on working."""
    words = Catalogue.load(language, "site")
    notices = element.locator(".rw-notices")
    expect(element).to_have_attribute("engine", "unavailable", timeout=LIVE)
    expect(notices.get_by_text(words.text("player.engine-unavailable"))).to_be_visible()
    expect(notices.get_by_text(words.text("player.engine-loading"))).to_be_hidden()
    expect(element.get_by_role("button", name=words.text("player.retry"))).to_be_visible()
    expect(element.locator('[data-do="take-over"]')).to_be_hidden()
    stepped_through(element)


def test_a_blocked_worker_is_told_and_the_story_goes_on(open_page: Open) -> None:
    page = open_page("pt", prepare=without_worker)
    for name in NAMES:
        element = walkthrough(page, name)
        element.scroll_into_view_if_needed()
        unavailable(element, "pt")


def test_a_runtime_that_fails_is_told_and_another_try_can_succeed(open_page: Open) -> None:
    # Answered with an error: Playwright does not survive the abortion of what a worker fetches.
    page = open_page(prepare=lambda page: page.route("**/*.wasm*", lambda route: route.fulfill(status=503)))
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    unavailable(element, "en")
    page.unroute("**/*.wasm*")
    press(element, "retry")
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    expect(element.get_by_role("button", name="Try again")).to_be_hidden()


def test_an_engine_that_never_answers_is_given_up_after_20_seconds(open_page: Open) -> None:
    def stuck(page: Page) -> None:
        page.clock.install()
        # A worker that starts, and then is silent: so WebAssembly behaves where a policy forbids it.
        page.route("**/worker-*.js", lambda route: route.fulfill(content_type="text/javascript", body="// silence"))

    page = open_page("es", prepare=stuck)
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    page.clock.run_for(3000)  # the page is idle
    expect(element).to_have_attribute("engine", "loading")
    expect(element.get_by_text(Catalogue.load("es", "site").text("player.engine-loading"))).to_be_visible()
    page.clock.run_for(16_000)
    expect(element).to_have_attribute("engine", "loading")
    page.clock.run_for(5000)
    unavailable(element, "es")


def test_an_engine_that_comes_late_is_welcome(open_page: Open) -> None:
    on_hold: list[Route] = []

    def hold(page: Page) -> None:
        page.clock.install()
        page.route(SNAPSHOT, lambda route: on_hold.append(route))

    page = open_page(prepare=hold)
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    page.clock.run_for(3000)
    expect(element).to_have_attribute("engine", "loading")
    # As long as more comes, it is waited for: here, until nothing is missing but what is held.
    arrived = -1
    for _ in range(60):
        page.wait_for_timeout(500)
        before, arrived = arrived, element.locator(".rw-progress").evaluate("bar => bar.value")
        if on_hold and arrived == before:
            break
    page.clock.run_for(21_000)
    expect(element).to_have_attribute("engine", "unavailable")
    for route in on_hold:
        route.continue_()
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)


def test_an_engine_that_tells_otherwise_than_the_page_is_not_believed(open_page: Open) -> None:
    warnings: list[str] = []

    def falsify(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("Lena gives Anton one six.", "Lena gives him one."))

    def listen(page: Page) -> None:
        page.route("**/backstab-fish/", falsify)
        page.on("console", lambda message: warnings.append(message.text))

    page = open_page(prepare=listen, been_here=True)
    live(page, FIRST)  # nothing was changed in this one
    element = walkthrough(page, "backstab-fish/bf-6-2")
    element.scroll_into_view_if_needed()
    unavailable(element, "en")
    assert [text for text in warnings if "bf-6-2: the engine tells step 1 otherwise than the page" in text]


def watched(page: Page) -> None:
    """Have a test at hand what the engine runs in."""
    page.add_init_script(
        """window.Worker = class extends Worker {
            constructor(address, how) {
                super(address, how);
                if (String(address).includes("/worker-")) window.engine = this;
            }
        }"""
    )


@pytest.mark.parametrize(("button", "done"), [("take-over", ".rw-live form"), ("agree", ".rw-parting")])
def test_what_an_engine_dies_of_is_told_and_done_after_another_try(open_page: Open, button: str, done: str) -> None:
    element = live(open_page(prepare=watched, been_here=True), "backstab-fish/bf-6-2")
    element.evaluate(
        """(element, button) => {
            element.querySelector(`[data-do="${button}"]`).click();
            window.engine.dispatchEvent(new ErrorEvent("error", {message: "out of memory"}));
        }""",
        button,
    )
    expect(element).to_have_attribute("engine", "unavailable")
    told = Catalogue.load("en", "site").text("player.engine-unavailable")
    expect(element.get_by_role("status")).to_have_text(told)
    press(element, "retry")
    expect(element.locator(done)).to_be_visible(timeout=LIVE)


def test_other_eyes_that_an_engine_dies_of_are_told(open_page: Open) -> None:
    element = live(open_page(prepare=watched, been_here=True))
    press(element, "more")
    element.get_by_label("Cards seen by").evaluate(
        """list => {
            list.selectedIndex = 2;
            list.dispatchEvent(new Event("change"));
            window.engine.dispatchEvent(new ErrorEvent("error", {message: "out of memory"}));
        }"""
    )
    told = Catalogue.load("en", "site").text("player.engine-unavailable")
    expect(element.get_by_role("status")).to_have_text(told)


def test_an_engine_that_dies_while_the_reader_plays_leads_back_to_the_story(open_page: Open) -> None:
    element = live(open_page(prepare=watched, been_here=True))
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_be_visible()
    element.evaluate(
        """element => {
            element.querySelector(".rw-live form").requestSubmit();
            window.engine.dispatchEvent(new ErrorEvent("error", {message: "out of memory"}));
        }"""
    )
    unavailable(element, "en")
    expect(element.locator(".rw-live")).to_be_hidden()


def test_what_a_record_holds_is_never_markup(open_page: Open) -> None:
    """The engine's answers become HTML; names are data, whatever is in them."""
    page = open_page(been_here=True)
    element = live(page)
    hostile = "<img src=x onerror=window.broken=1>"
    told = json.dumps(script.load(FIRST).record).replace("Lena", hostile)
    element.evaluate(
        "(element, told) => { element.querySelector('.rw-script').textContent = told; }",
        json.dumps({"record": json.loads(told), "steps": [], "states": [{}]}),
    )
    element.evaluate("element => { const copy = element.cloneNode(true); element.replaceWith(copy); }")
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_be_visible(timeout=LIVE)
    ask(element, rank="6", quantity=1)
    expect(shown(element).locator(".rw-said")).to_contain_text(hostile)
    assert page.evaluate("window.broken") is None
    expect(element.locator("img")).to_have_count(0)
