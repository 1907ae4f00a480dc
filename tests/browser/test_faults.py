"""What goes wrong on readers' machines, and that no line of theirs is lost by it: clocks, tabs, room, old deploys.

Faults of the runtime's own files, and of a browser that refuses something, are in test_runtime.py.
"""

import datetime
import json
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

import serve
from rulewalk.catalogue import Catalogue

from .kit import (
    FIRST,
    HOMES,
    LIVE,
    ROOT,
    SAVES,
    Host,
    asked_of_runtime,
    controlled,
    list_anew,
    live,
    press,
    put_part,
    start,
    visited,
    walkthrough,
)

SECOND = "backstab-fish/bf-6-2"
TABS = 20


def take_over(element: Locator) -> None:
    press(element, "take-over")
    expect(element.locator('.rw-live [type="submit"]')).to_be_visible(timeout=LIVE)


def move(element: Locator) -> str:
    """Make a move of one's own; return the line that is in the address then."""
    before = element.evaluate("element => location.hash")
    element.locator('.rw-live [type="submit"]').click()
    return element.evaluate(
        """async (element, before) => {
            while (location.hash === before) await new Promise(resolve => setTimeout(resolve, 50));
            return location.hash;
        }""",
        before,
    )


def games(page: Page) -> list[dict[str, Any]]:
    """Those that are kept, the newest first."""
    found = page.evaluate(
        "Object.keys(localStorage).filter(key => key.startsWith('/.game.')).map(key => JSON.parse(localStorage[key]))"
    )
    return sorted(found, key=lambda game: -game["when"])


def says(element: Locator, language: str, key: str) -> None:
    expect(element.get_by_text(Catalogue.load(language, "site").text(key)).first).to_be_visible(timeout=LIVE)


# Clocks


@pytest.mark.parametrize("days", [400, -400])
def test_a_clock_set_forward_or_back_loses_no_game_and_the_last_is_the_one_to_go_on_with(
    context: BrowserContext, site_url: str, days: int
) -> None:
    page = context.new_page()
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    element = live(page)
    take_over(element)
    first = move(element)
    page.close()

    page = context.new_page()
    page.clock.set_fixed_time(datetime.datetime.now() + datetime.timedelta(days=days))
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    element = live(page)
    take_over(element)
    move(element)
    second = move(element)
    assert {game["line"] for game in games(page)} == {line.partition("line=")[2] for line in (first, second)}
    press(element, "story")
    press(element, "continue")
    expect(page).to_have_url(re.compile(re.escape(second)))


def test_a_clock_that_was_ahead_does_not_cost_the_game_that_is_played_now(
    context: BrowserContext, site_url: str
) -> None:
    page = context.new_page()
    page.goto(f"{site_url}/privacy/")
    ahead = {"name": SECOND, "step": 0, "line": "", "undone": "", "when": 9_000_000_000_000}
    for number in range(50):
        game = json.dumps(ahead | {"id": number, "version": 1})
        page.evaluate("([key, game]) => { localStorage[key] = game }", [f"/.game.{number}", game])
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    element = live(page)
    take_over(element)
    line = move(element)
    assert line.endswith(games(page)[0]["line"]) and games(page)[0]["name"] == FIRST


# Tabs


def test_a_tab_that_comes_back_after_a_day_goes_on_where_it_was(context: BrowserContext, site_url: str) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    page.clock.resume()
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    take_over(element)
    line = move(element)
    # The machine slept; all timers find that their time is over.
    page.clock.fast_forward("24:00:00")
    line = move(element)
    # The browser had let go of the tab, and loads it again.
    page.clock.fast_forward("24:00:00")
    page.reload()
    live(page)
    expect(element.locator('.rw-live [type="submit"]')).to_be_visible(timeout=LIVE)
    assert page.url.endswith(line)
    assert [game["line"] for game in games(page)] == [line.partition("line=")[2]]


@pytest.mark.alone
def test_twenty_tabs_at_once_each_have_their_game_and_all_games_are_kept(
    context: BrowserContext, site_url: str
) -> None:
    pages = [context.new_page() for _ in range(TABS)]
    for page in pages:
        page.goto(f"{site_url}/backstab-fish/#bf-6-1", wait_until="commit")
    for page in pages:
        element = walkthrough(page)
        element.scroll_into_view_if_needed()
        # Late is better than never, and until then the page says how it is.
        expect(element).to_have_attribute("engine", re.compile("live|loading|unavailable"), timeout=LIVE)
    for page in pages:
        take_over(live(page))
    # As nearly at once as can be.
    for page in pages:
        page.evaluate("document.querySelector('.rw-live [type=submit]').click()")
    for page in pages:
        expect(page).to_have_url(re.compile("line="), timeout=LIVE)
    pages[0].wait_for_timeout(500)
    assert len({game["id"] for game in games(pages[0])}) == TABS


# Two at once


def test_two_walkthroughs_asked_at_once_are_both_answered(context: BrowserContext, site_url: str) -> None:
    page = context.new_page()
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    expect(walkthrough(page)).to_have_attribute("step", "0")
    both = [walkthrough(page, name) for name in (FIRST, SECOND)]
    # Before the engine is there, and once more when it is.
    page.evaluate("document.querySelectorAll('rule-walkthrough [data-do=take-over]').forEach(each => each.click())")
    for element in both:
        expect(element.locator('.rw-live [type="submit"]')).to_be_attached(timeout=LIVE)
    page.evaluate("document.querySelectorAll('.rw-live [type=submit]').forEach(each => each.click())")
    for element in both:
        expect(element.locator(".rw-shown.rw-step--own .rw-said")).not_to_be_empty(timeout=LIVE)
    assert {game["name"] for game in games(page)} >= {FIRST, SECOND}
    assert both[0].evaluate("element => element.record.actions.length") > 0


# What was left out is needed after all

LACKING = {"es": "wave", "pt": "_csv"}
# What the build asks of the engine to see what it uses is never asked by her.
NEEDS = f"""

_handle = handle


def handle(question):
    if '"play"' in question and '"Lena"' in question:
        __import__({LACKING}[json.loads(question)["language"]])
    return _handle(question)
"""


@pytest.fixture(scope="module")
def lacking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts of a runtime whose engine needs, to answer a move, what was cut off when it was built."""
    folder = tmp_path_factory.mktemp("lacking")
    (plain,) = (ROOT / "build/wheel").glob("*.whl")
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(folder / plain.name, "w") as after:
        for name in before.namelist():
            more = NEEDS.encode() if name == "rulewalk/host.py" else b""
            after.writestr(name, before.read(name) + more)
    parts = folder / "parts"
    parts.mkdir()
    command = ["node", "tools/python.mjs", "node_modules/pyodide", str(folder / plain.name), str(parts)]
    subprocess.run(command, cwd=ROOT, check=True)
    return parts


@pytest.mark.parametrize("language", LACKING, ids=["a module of the library", "a function of Python itself"])
def test_an_engine_that_lacks_something_in_mid_answer_is_started_with_all_of_python(
    context: BrowserContext, host: Host, lacking: Path, language: str
) -> None:
    for part in lacking.iterdir():
        put_part(host.folder, part.name, part.read_bytes())
    page = context.new_page()
    page.goto(f"{host.address}{HOMES[language]}backstab-fish/#bf-6-1")
    element = live(page)
    assert start(page) == "snapshot"
    take_over(element)
    assert start(page) == "stock"
    move(element)
    expect(element.locator(".rw-shown .rw-said")).not_to_be_empty()


# Room


def test_settings_that_cannot_be_kept_hold_for_the_page(context: BrowserContext, site_url: str) -> None:
    full = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"
    context.add_init_script(full)
    page = context.new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(f"{site_url}/pt/backstab-fish/#bf-6-1")
    element = walkthrough(page)
    press(element, "more")
    four = element.get_by_role("switch", name=Catalogue.load("pt", "site").text("player.more-four"))
    four.click()
    expect(page.locator("html")).to_have_attribute("data-rw-suits", "four")
    # The shell's own choices, too: light or dark, and the language.
    page.locator('[data-choose="light"]').click()
    expect(page.locator('[data-choose="dark"]')).to_be_visible()
    page.locator('a[data-language="es"]').first.evaluate("link => link.click()")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert not broken


def test_where_the_site_does_not_fit_in_everything_else_works(kept_context: BrowserContext, host: Host) -> None:
    worker = host.folder / "service-worker.js"
    full = "Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));"
    worker.write_text(full + worker.read_text("utf-8"), "utf-8")
    for _ in range(2):
        page = kept_context.new_page()
        page.goto(f"{host.address}backstab-fish/#bf-6-1")
        element = live(page)
        page.wait_for_timeout(4000)  # by then the service worker has been asked for, in vain
        assert page.evaluate("navigator.serviceWorker.controller") is None
        take_over(element)
        move(element)
        page.close()


def test_where_nothing_may_be_kept_the_list_of_it_is_empty_and_erasing_it_is_no_mistake(
    context: BrowserContext, site_url: str
) -> None:
    context.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage', 'caches'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })"
    )
    page = context.new_page()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(f"{site_url}/es/privacy/")
    storage = page.locator("rule-storage")
    expect(storage.locator('[data-kind="total"] [data-size]')).to_contain_text("0")
    press(storage, "erase")
    expect(storage.get_by_role("status")).not_to_be_empty()
    assert not broken


# Old deploys


def deploy(host: Host) -> None:
    """Put a version onto the host none of whose hashed files has the name that it had."""
    names = {file.name: file for file in host.folder.glob("assets/*-*.js")}
    old = {name: f"{name.rpartition('-')[0]}-{'NEW' + name.rpartition('-')[2][3:]}" for name in names}
    for file in [*host.folder.rglob("*.html"), *names.values()]:
        text = file.read_text("utf-8")
        for was, is_ in old.items():
            text = text.replace(was, is_)
        file.write_text(text.replace("</h1>", " NEW</h1>", 1) if file.suffix == ".html" else text, "utf-8")
    for name, file in names.items():
        file.rename(file.with_name(old[name]))
    list_anew(host.folder)


def test_an_old_service_worker_serves_its_own_version_whole_until_the_reader_wants_the_new_one(
    kept_context: BrowserContext, host: Host
) -> None:
    page = visited(kept_context, host, "privacy/")
    deploy(host)
    page.goto(f"{host.address}backstab-fish/#bf-6-1")
    element = live(page)
    expect(page.locator("h1")).not_to_contain_text("NEW")
    take_over(element)
    line = move(element)
    # A part that is only fetched when it is wanted: the host does not have it any more.
    press(element, "share")
    expect(element.locator(".rw-share")).to_be_visible()
    page.get_by_role("button", name=Catalogue.load("en", "site").text("shell.update.go")).click()
    expect(page.locator("h1")).to_contain_text("NEW")
    live(page)
    assert page.url.endswith(line)
    expect(element.locator('.rw-live [type="submit"]')).to_be_visible(timeout=LIVE)


def test_an_old_service_worker_that_has_lost_its_files_makes_way_for_the_network(
    kept_context: BrowserContext, host: Host
) -> None:
    page = visited(kept_context, host, "privacy/")
    deploy(host)
    page.evaluate("async () => { for (const name of await caches.keys()) await caches.delete(name); }")
    page.goto(f"{host.address}backstab-fish/#bf-6-1")
    expect(page.locator("h1")).to_contain_text("NEW")
    element = live(page)
    take_over(element)
    move(element)


def test_a_page_from_before_a_deploy_says_what_it_lacks_and_loads_again_with_its_game(
    context: BrowserContext, host: Host
) -> None:
    """Without a service worker nobody keeps the old files: what a page has not fetched by then is gone."""
    page = context.new_page()
    page.goto(f"{host.address}pt/backstab-fish/#bf-6-1")
    element = live(page)
    take_over(element)
    line = move(element)
    deploy(host)
    for panel, key in (("share", "player.share-failed"), ("more", "player.more-failed")):
        press(element, panel)
        says(element, "pt", key)
    # The engine that is there goes on.
    line = move(element)
    page.reload()
    expect(page.locator("h1")).to_contain_text("NEW")
    live(page)
    assert page.url.endswith(line)
    expect(element.locator('.rw-live [type="submit"]')).to_be_visible(timeout=LIVE)


# Data


def test_with_the_data_saver_the_engine_is_fetched_only_when_it_is_asked_for(
    context: BrowserContext, site_url: str
) -> None:
    context.add_init_script(SAVES)
    asked = asked_of_runtime(context)
    page = context.new_page()
    page.goto(f"{site_url}/es/backstab-fish/#bf-6-1")
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    says(element, "es", "player.engine-saving")
    press(element, "next")
    expect(element).to_have_attribute("step", "1")
    page.wait_for_timeout(1000)
    assert asked == []
    take_over(element)
    assert asked


@pytest.mark.parametrize("more", ["line=1q0163", "agreed=1"])
def test_with_the_data_saver_a_link_is_opened_as_far_as_that_costs_nothing(
    context: BrowserContext, site_url: str, more: str
) -> None:
    context.add_init_script(SAVES)
    asked = asked_of_runtime(context)
    page = context.new_page()
    address = f"{site_url}/pt/backstab-fish/#walk=bf-6-2&step=1&{more}"
    page.goto(address)
    element = walkthrough(page, "backstab-fish/bf-6-2")
    expect(element).to_have_attribute("step", "1")
    expect(element.locator(".rw-note")).to_have_text(Catalogue.load("pt", "site").text("player.link-saves"))
    page.wait_for_timeout(1000)
    assert asked == []
    press(element, "take-over")
    if more == "agreed=1":
        expect(element.get_by_role("switch")).to_be_checked(timeout=LIVE)
    else:
        expect(element.locator(".rw-live [type=submit]")).to_be_visible(timeout=LIVE)
    expect(element.locator(".rw-note")).to_be_hidden()
    expect(page).to_have_url(address)


class Counting(serve.Handler):
    """Notes what it sends: nothing at all for what the browser has already."""

    sent: dict[str, list[int]]

    def copyfile(self, source: Any, outputfile: Any) -> None:
        path = self.path.partition("?")[0].removesuffix(".br").removesuffix("index.html")
        content = source.read()
        self.sent.setdefault(path, []).append(len(content))
        outputfile.write(content)


def test_on_a_visit_nothing_is_sent_twice_though_all_of_the_site_is_kept(
    kept_context: BrowserContext, site: Path
) -> None:
    sent: dict[str, list[int]] = {}
    handler = type("Handler", (Counting,), {"sent": sent})

    class Server(serve.Server):
        def finish_request(self, request: Any, client_address: Any) -> None:
            handler(request, client_address, self, directory=str(site))

    with serve.running(Server(("127.0.0.1", 0), handler)) as address:
        page = kept_context.new_page()
        page.goto(f"{address}backstab-fish/#bf-6-1")
        live(page)
        controlled(page)
        for path in ("go-fish/", "es/backstab-fish/#bf-6-1"):
            page.goto(address + path)
        live(page)
    assert any(path.endswith(".wasm") for path in sent) and "/pt/glossary/" in sent
    # Browsers ask for the service worker anew each time: it says what there is.
    assert {path: sizes for path, sizes in sent.items() if len(sizes) > 1 and path != "/service-worker.js"} == {}
