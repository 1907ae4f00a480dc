"""The walkthrough on the home page begins by itself, gently, and leaves off as soon as the reader wants anything."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    yield context.new_page()
    context.close()


def in_view(page: Page) -> None:
    page.locator("rule-walkthrough").evaluate("one => one.scrollIntoView({ behavior: 'instant' })")


def test_it_goes_to_its_end_and_neither_speaks_nor_scrolls_nor_changes_the_address(page: Page, site_url: str) -> None:
    page.goto(site_url)
    in_view(page)
    walkthrough = page.locator("rule-walkthrough")
    expect(walkthrough.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "true")
    at = page.evaluate("scrollY")
    expect(walkthrough).to_have_attribute("step", "1")
    expect(walkthrough).to_have_attribute("step", "2")
    expect(walkthrough.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "false")
    expect(walkthrough.locator(".rw-status")).to_have_text("")
    expect(page).to_have_url(f"{site_url}/")
    assert page.evaluate("scrollY") == at


def test_what_counts_is_whether_it_is_in_view_now(page: Page, site_url: str) -> None:
    """A busy page is told of several changes at once, the oldest first."""
    page.add_init_script(
        """window.IntersectionObserver = class extends IntersectionObserver {
            constructor(heard, how) {
                super((entries, self) => {
                    const { target, isIntersecting } = entries[0];
                    heard([{ target, isIntersecting: !isIntersecting }, ...entries], self);
                }, how);
            }
        }"""
    )
    page.goto(site_url)
    in_view(page)
    walkthrough = page.locator("rule-walkthrough")
    expect(walkthrough.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "true")
    expect(walkthrough).to_have_attribute("step", "1")


@pytest.mark.parametrize("key", ["Tab", ""])
def test_it_stops_for_good_at_the_first_key_or_touch(page: Page, site_url: str, key: str) -> None:
    page.goto(site_url)
    in_view(page)
    walkthrough = page.locator("rule-walkthrough")
    play = walkthrough.locator('[data-do="play"]')
    expect(play).to_have_attribute("aria-pressed", "true")
    if key:
        walkthrough.locator(".rw-steps").focus()
    else:
        walkthrough.locator(".rw-title").click()
    expect(play).to_have_attribute("aria-pressed", "false")
    step = walkthrough.get_attribute("step")
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    in_view(page)
    page.wait_for_timeout(2500)
    expect(walkthrough).to_have_attribute("step", step or "")


def test_its_button_stops_it(page: Page, site_url: str) -> None:
    page.goto(site_url)
    in_view(page)
    play = page.locator('rule-walkthrough [data-do="play"]')
    expect(play).to_have_attribute("aria-pressed", "true")
    box = play.bounding_box()
    assert box and min(box["width"], box["height"]) >= 24
    play.click()
    expect(play).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("size", [(1280, 900), (1280, 720), (360, 740), (740, 360)])
def test_while_it_plays_what_stops_it_is_in_sight(page: Page, site_url: str, size: tuple[int, int]) -> None:
    """WCAG 2.2.2: on a large window from the first moment, on others wherever one has scrolled to."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(site_url)
    play = page.locator('rule-walkthrough [data-do="play"]')
    table = page.locator("rule-walkthrough .rw-shown .rw-table")
    if size[0] < 1280:
        table.evaluate("table => table.scrollIntoView({ block: 'center', behavior: 'instant' })")
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(play).to_be_in_viewport(ratio=1)
    assert play.evaluate("""play => {
        const { x, y, width, height } = play.getBoundingClientRect();
        return play.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }""")
    if size == (1280, 900):
        expect(table).to_be_in_viewport(ratio=1)


def test_it_stays_as_it_is_where_motion_is_not_wanted(browser: Browser, site_url: str) -> None:
    reduced = browser.new_context(reduced_motion="reduce")
    switched_off = browser.new_context()
    switched_off.add_init_script("localStorage.setItem('/.settings', JSON.stringify({ motion: false }))")
    for context in (reduced, switched_off):
        page = context.new_page()
        page.goto(site_url)
        in_view(page)
        expect(page.locator('rule-walkthrough [data-do="next"]')).to_have_attribute("aria-disabled", "false")
        page.wait_for_timeout(2500)
        expect(page.locator("rule-walkthrough")).to_have_attribute("step", "0")
        context.close()


def test_other_walkthroughs_wait_to_be_asked(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    page.wait_for_timeout(2500)
    expect(page.locator('rule-walkthrough [aria-pressed="true"]')).to_have_count(0)
