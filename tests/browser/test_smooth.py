"""Pages with many walkthroughs stay smooth: one engine for all, nothing moves when it comes, input is answered."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .kit import LIVE, SNAPSHOT, held, walkthrough
from .test_walkthrough import UNFOLD

pytestmark = pytest.mark.alone

# What a browser calls a long task, in microseconds.
LONG = 50_000

# Notes in the browser's own records when the engine of any walkthrough gets into another state.
WATCH = """
new MutationObserver(records => {
    for (const { target } of records) performance.mark(`engine ${target.getAttribute("engine")}`);
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["engine"] });
window.shifts = [];
new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries()) {
        window.shifts.push([value, ...sources.map(({ node }) => node?.className ?? String(node))]);
    }
}).observe({ type: "layout-shift" });
"""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(WATCH)
    yield context
    context.close()


def test_nothing_moves_when_the_engine_arrives(context: BrowserContext, site_url: str) -> None:
    let_go = held(context, SNAPSHOT)
    page = context.new_page()
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    element = walkthrough(page)
    expect(element).to_have_attribute("engine", "loading")
    expect(element).to_be_in_viewport()
    page.wait_for_timeout(500)
    expect(element).to_have_attribute("engine", "loading")
    page.evaluate("window.shifts = []")
    let_go()
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    page.wait_for_timeout(500)
    assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("backstab-fish/#bf-6-1", "backstab-fish/bf-6-1"),
        ("backstab-fish/#walk=bf-6-2&step=1", "backstab-fish/bf-6-2"),
        ("backstab-fish/", None),
    ],
)
def test_what_the_reader_comes_to_is_asked_for_before_the_page_is_laid_out(
    context: BrowserContext, site_url: str, address: str, name: str | None
) -> None:
    context.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
            const asked = document.querySelectorAll("rule-walkthrough:not([engine=static])");
            window.asked = [...asked].map(element => element.getAttribute("name"));
        });"""
    )
    page = context.new_page()
    page.goto(f"{site_url}/{address}")
    first = page.locator("rule-walkthrough:not(details:not([open]) *)").first
    assert page.evaluate("window.asked") == [name or first.get_attribute("name")]


def test_ten_walkthroughs_share_one_engine(context: BrowserContext, site_url: str) -> None:
    page = context.new_page()
    page.goto(f"{site_url}/backstab-fish/")
    page.evaluate(UNFOLD)
    all_ = page.locator("rule-walkthrough")
    assert all_.count() >= 10
    for place in range(10):
        all_.nth(place).scroll_into_view_if_needed()
        expect(all_.nth(place)).to_have_attribute("engine", "live", timeout=LIVE)
    assert len([worker for worker in page.workers if "/worker-" in worker.url]) == 1


def test_the_reader_is_answered_at_once_while_the_engine_loads(
    browser: Browser, context: BrowserContext, site_url: str
) -> None:
    """By the processor time of the page's own thread: a machine that is busy with something else does not change it."""
    let_go = held(context, SNAPSHOT)
    page = context.new_page()
    browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing", "__metadata"])
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    element = walkthrough(page)
    expect(element).to_have_attribute("engine", "loading")
    element.locator(".rw-steps").focus()
    pressed = 0
    while element.get_attribute("engine") == "loading":
        page.keyboard.press("ArrowLeft" if pressed % 2 else "ArrowRight")
        expect(element).to_have_attribute("step", str(1 - pressed % 2))
        pressed += 1
        if pressed == 3:
            let_go()
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    assert pressed >= 3
    events = json.loads(browser.stop_tracing())["traceEvents"]
    marks = {event["name"]: event for event in events if event["name"].startswith("engine ")}
    start, end = marks["engine loading"], marks["engine live"]
    tasks = [
        # Chromium leaves out the processor time of some; how long they took is no less.
        event.get("tdur", event.get("dur", 0))
        for event in events
        if event["name"].endswith("RunTask")
        and (event["pid"], event["tid"]) == (start["pid"], start["tid"])
        and start["ts"] < event["ts"] <= end["ts"]
    ]
    assert tasks and max(tasks) < LONG
