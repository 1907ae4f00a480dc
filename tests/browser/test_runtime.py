"""How Python starts in a reader's browser: as fast as can be, and in some way nevertheless when something is wrong."""

import contextlib
import hashlib
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

import hosting
import serve
from rulewalk.catalogue import Catalogue

from .kit import HOMES, LIVE, SAVES, asked_of_runtime, press, put_part, runtime_kept, start, walkthrough

# What a message to the worker asks; the first may be no question.
ASKED = "const asked = ({ data }) => JSON.parse(data.question ?? '{\"record\": {}}');"

type Prepare = Callable[[BrowserContext], Any]


def opened(context: BrowserContext, site_url: str, language: str = "en") -> tuple[Page, Locator]:
    page = context.new_page()
    page.goto(f"{site_url}/{HOMES[language]}backstab-fish/#bf-6-1")
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    return page, element


def live(context: BrowserContext, site_url: str) -> Page:
    page, element = opened(context, site_url)
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    return page


def played(page: Page) -> None:
    """A move of one's own is answered."""
    element = walkthrough(page)
    press(element, "take-over")
    element.locator('.rw-live [type="submit"]').click()
    expect(element.locator(".rw-shown .rw-said")).not_to_be_empty()


def unavailable(element: Locator, language: str) -> None:
    words = Catalogue.load(language, "site")
    expect(element).to_have_attribute("engine", "unavailable", timeout=LIVE)
    notice = element.locator(".rw-notices").get_by_text(words.text("player.engine-unavailable"))
    expect(notice).to_be_visible()
    press(element, "next")
    expect(element).to_have_attribute("step", "1")


def before_the_worker(context: BrowserContext, script: str) -> None:
    """Run something in the worker before it does anything itself."""

    def answer(route: Route) -> None:
        response = route.fetch()
        # Imports stay at the top, where they must be; the worker has none.
        route.fulfill(response=response, body=f"{ASKED}{script};\n{response.text()}")

    context.route("**/worker-*.js", answer)


# The three ways


def test_python_starts_from_the_snapshot_and_on_the_next_page_from_what_is_kept(
    context: BrowserContext, site_url: str
) -> None:
    first = live(context, site_url)
    assert start(first) == "snapshot"
    played(first)
    runtime_kept(first)
    asked = asked_of_runtime(context)
    second = live(context, site_url)
    assert start(second) == "snapshot"
    played(second)
    assert {url.rpartition("/")[2] for url in asked} <= {"python.mjs"}  # which the browser's own cache has


def test_the_random_state_is_drawn_anew_at_each_start(context: BrowserContext, site_url: str) -> None:
    """Two readers who let the engine deal are dealt different games, though both start from one snapshot."""
    before_the_worker(
        context,
        """
        const draw = crypto.getRandomValues.bind(crypto);
        crypto.getRandomValues = array => { console.log(`drew ${array.length}`); return draw(array); };
        """,
    )
    said: list[str] = []
    context.on("console", lambda message: said.append(message.text))
    assert start(live(context, site_url)) == "snapshot"
    drawn = [int(text.split()[1]) for text in said if text.startswith("drew")]
    assert sum(drawn) >= 624 * 4  # the bytes of its state


def test_with_the_data_saver_nothing_is_fetched_before_the_reader_asks(context: BrowserContext, site_url: str) -> None:
    context.add_init_script(SAVES)
    asked = asked_of_runtime(context)
    page, element = opened(context, site_url)
    page.wait_for_timeout(2000)
    assert not asked
    press(element, "take-over")
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)


type Change = Callable[[bytes], bytes]


@pytest.fixture
def altered(site: Path, tmp_path: Path) -> Iterator[Callable[[dict[str, Change]], str]]:
    """A site some files of whose runtime were built otherwise; their hashes are right."""

    def alter(changes: dict[str, Change]) -> str:
        copy = shutil.copytree(site, tmp_path / "site")
        for name, change in changes.items():
            (file,) = copy.glob(f"assets/runtime/*/{name}")
            put_part(copy, name, change(file.read_bytes()))
        return running.enter_context(serve.running(serve.server(copy, 0))).removesuffix("/")

    with contextlib.ExitStack() as running:
        yield alter


def without(module: str) -> Change:
    def change(content: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
            for name in old.namelist():
                if name != module:
                    new.writestr(name, old.read(name))
        return out.getvalue()

    return change


def another_magic(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"\0\0" + old.read(name)[2:])
    return out.getvalue()


def cut_off(content: bytes) -> bytes:
    return content[:100_000]


def of_another_build(snapshot: bytes) -> bytes:
    """Pyodide's own mark of a build stands in its head of a snapshot."""
    return snapshot[:28] + bytes(32) + snapshot[60:]


def of_another_memory(snapshot: bytes) -> bytes:
    """How long the memory is comes first, in numbers of four bytes."""
    return (int.from_bytes(snapshot[:4], "little") * 2).to_bytes(4, "little") + snapshot[4:]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("python.snapshot", of_another_build),
        ("python.snapshot", of_another_memory),
        ("python.snapshot", cut_off),
        ("python.snapshot", lambda _: b""),
        ("python.wasm", cut_off),
        ("python.mjs", cut_off),
    ],
    ids=["another build's", "another memory's", "cut off", "empty", "cut off program", "cut off script"],
)
def test_a_snapshot_that_is_no_good_gives_way_to_the_compiled_library(
    context: BrowserContext, altered: Callable[..., str], name: str, change: Change
) -> None:
    page = live(context, altered({name: change}))
    assert start(page) == "compiled"
    played(page)


@pytest.mark.parametrize(
    "change",
    [without("asyncio/__init__.pyc"), without("gettext.pyc"), another_magic, cut_off],
    ids=["a module that Pyodide needs", "a module that the engine needs", "another Python's", "cut off"],
)
def test_a_library_that_is_no_good_gives_way_to_the_stock_one(
    context: BrowserContext, altered: Callable[..., str], change: Change
) -> None:
    page = live(context, altered({"python.snapshot": of_another_build, "python_compiled.zip": change}))
    assert start(page) == "stock"
    played(page)


# Files


@pytest.mark.parametrize("host_packs", [True, False])
def test_files_come_packed_by_the_host_or_are_unpacked_here(
    context: BrowserContext, site_url: str, host_packs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not host_packs:
        monkeypatch.setattr(serve, "PACKED", {})
    asked = asked_of_runtime(context)
    assert start(live(context, site_url)) == "snapshot"
    # The script alone must come as a file of its own, since a page may run nothing else.
    names = {url.rpartition("/")[2] for url in asked} - {"python.mjs"}
    packed = {name for name in names if name.endswith(".gz")}
    assert packed == (set() if host_packs else {f"{name}.gz" for name in names - packed})


def test_two_walkthroughs_and_two_pages_share_one_download(context: BrowserContext, site_url: str) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if ".wasm" in request.url else None)
    pages = [opened(context, site_url) for _ in range(3)]
    for _, element in pages:
        expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    assert len(asked) == 1


@pytest.mark.parametrize(("language", "fault"), [("en", "truncated"), ("es", "altered"), ("pt", "missing")])
def test_a_file_that_is_not_what_was_built_is_not_used(
    context: BrowserContext, site_url: str, language: str, fault: str
) -> None:
    def spoil(route: Route) -> None:
        if fault == "missing":
            route.fulfill(status=404, body="gone")
            return
        body = route.fetch().body()
        spoilt = body[: len(body) // 2] if fault == "truncated" else body[:-1000] + bytes(1000)
        route.fulfill(content_type="application/wasm", body=spoilt)

    context.route("**/*.wasm*", spoil)
    page, element = opened(context, site_url, language)
    unavailable(element, language)
    # It was the network; now it is well again.
    context.unroute("**/*.wasm*")
    press(element, "retry")
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    played(page)


def test_progress_is_told_in_bytes(context: BrowserContext, site_url: str) -> None:
    page = context.new_page()
    page.add_init_script(
        "window.heard = []; addEventListener('rulewalk:progress', event => heard.push(event.detail), true)"
    )
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    expect(walkthrough(page)).to_have_attribute("engine", "live", timeout=LIVE)
    heard = page.evaluate("heard")
    assert heard == sorted(heard) and heard[-1] == 1 and len(heard) > 10


# The browser says no


def test_webassembly_refused_by_a_policy_is_told(context: BrowserContext, site_url: str) -> None:
    def refuse(route: Route) -> None:
        response = route.fetch()
        headers = {**response.headers, "content-security-policy": "script-src 'self'"}
        route.fulfill(response=response, headers=headers)

    context.route("**/worker-*.js", refuse)
    _, element = opened(context, site_url, "es")
    unavailable(element, "es")


@pytest.mark.parametrize(
    "denied",
    [
        "caches.open = () => Promise.reject(new DOMException('denied', 'SecurityError'))",
        "Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))",
        "Object.defineProperty(self, 'caches', { get() { throw new DOMException('denied', 'SecurityError') } })",
        "Object.defineProperty(navigator, 'locks', { value: undefined })",
        "Object.defineProperty(self, 'DecompressionStream', { value: undefined })",
        "Object.defineProperty(crypto, 'subtle', { value: undefined })",
    ],
    ids=["storage denied", "storage full", "no storage", "no locks", "no unpacking", "no hashing"],
)
def test_what_a_browser_does_not_give_is_done_without(context: BrowserContext, site_url: str, denied: str) -> None:
    before_the_worker(context, denied)
    page = live(context, site_url)
    assert start(page) == "snapshot"
    played(page)


def test_a_worker_that_dies_in_mid_answer_leaves_the_game_to_be_taken_up(
    context: BrowserContext, site_url: str
) -> None:
    before_the_worker(
        context,
        """
        self.addEventListener("message", event => {
            if (asked(event).actions?.length) {
                event.stopImmediatePropagation();
                self.close();
            }
        })
        """,
    )
    page = context.new_page()
    page.clock.install()
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    page.clock.run_for(3000)
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    press(element, "take-over")
    element.locator('.rw-live [type="submit"]').click()
    page.clock.run_for(21_000)
    unavailable(element, "en")
    context.unroute("**/worker-*.js")
    press(element, "retry")
    page.clock.run_for(1000)
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)


def test_an_answer_that_never_comes_can_be_stopped_and_the_readers_line_survives(
    context: BrowserContext, site_url: str
) -> None:
    """The engine runs in circles over one move. What was played before it stays, and is played on by a new worker."""
    before_the_worker(
        context,
        """
        self.addEventListener("message", event => {
            if (asked(event).actions?.[0]?.quantity === 8) for (;;);
        })
        """,
    )
    workers: list[str] = []
    page, element = opened(context, site_url, "pt")
    page.on("worker", lambda worker: workers.append(worker.url))
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    words = Catalogue.load("pt", "site")
    busy = element.locator(".rw-busy p")
    stop = element.get_by_role("button", name=words.text("player.stop"), exact=True)

    def ask(quantity: int) -> None:
        element.locator(f'[data-field="quantity"] label:has(input[value="{quantity}"])').click()
        element.locator('.rw-live [type="submit"]').click()

    press(element, "take-over")
    ask(1)
    expect(page).to_have_url(re.compile("&line="))
    expect(busy).to_be_hidden()
    before = element.evaluate("element => [element.record, element.state]")
    table, address = element.locator(".rw-shown").inner_html(), page.url
    assert len(before[0]["actions"]) == 1

    ask(8)
    expect(busy).to_be_visible()
    assert words.text("player.busy") in (element.get_by_role("status").text_content() or "")
    stop.focus()
    page.keyboard.press("Enter")
    expect(busy).to_be_hidden()
    expect(element.locator(".rw-note")).to_have_text(words.text("player.stopped"))
    assert words.text("player.stopped") in (element.get_by_role("status").text_content() or "")
    assert page.evaluate("document.activeElement.closest('rule-walkthrough') !== null")
    assert element.evaluate("element => [element.record, element.state]") == before
    assert element.locator(".rw-shown").inner_html() == table
    assert page.url == address

    # The new worker knows nothing of the old one, and goes on where the reader is.
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    ask(2)
    expect(page).not_to_have_url(address)
    expect(element.locator(".rw-note")).to_be_hidden()
    assert len(element.evaluate("element => element.record.actions")) == 2
    press(element, "undo")
    expect(page).to_have_url(address)
    assert element.evaluate("element => [element.record, element.state]") == before
    assert len([url for url in workers if "/worker-" in url]) <= 2


def test_other_eyes_that_never_open_are_as_they_were(context: BrowserContext, site_url: str) -> None:
    before_the_worker(
        context,
        """
        self.addEventListener("message", event => {
            if (asked(event).viewer) for (;;);
        })
        """,
    )
    page = live(context, site_url)
    element = walkthrough(page)
    press(element, "next")
    before = element.locator(".rw-shown").inner_html()
    press(element, "more")
    eyes = element.get_by_label("Cards seen by")
    eyes.select_option("Boris")
    element.get_by_role("button", name="Stop", exact=True).click()
    expect(eyes).to_have_value("all")
    assert element.locator(".rw-shown").inner_html() == before
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    press(element, "back")
    expect(element).to_have_attribute("step", "0")


# A game that needs what was agreed: as the page has it, it is not Lena's turn after step 1.
AGREED = "backstab-fish/bf-6-2"
AGREED_GAME = {
    "version": 1, "id": 7, "when": 1, "name": AGREED, "step": 1, "line": "1q1061", "undone": "", "agreed": True
}  # fmt: skip


def with_agreed_game(context: BrowserContext, site_url: str) -> Locator:
    """A walkthrough of which a game under its agreements is kept."""
    kept = json.dumps(json.dumps(AGREED_GAME))
    context.add_init_script(f"localStorage.setItem('/.game.7', {kept})")
    page = context.new_page()
    page.goto(f"{site_url}/backstab-fish/#bf-6-2")
    element = walkthrough(page, AGREED)
    element.scroll_into_view_if_needed()
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    return element


def test_a_game_is_not_taken_up_without_what_was_agreed_for_it(context: BrowserContext, site_url: str) -> None:
    before_the_worker(
        context,
        """
        self.addEventListener("message", event => {
            if (asked(event).record.agreements?.["turn-passes"]) for (;;);
        })
        """,
    )
    element = with_agreed_game(context, site_url)
    again = element.locator('[data-do="continue"]')
    again.click()
    stop = element.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_visible()
    context.unroute("**/worker-*.js")
    starts = "performance.getEntriesByName('rulewalk:started').length"
    before = element.page.evaluate(starts)
    stop.click()
    element.page.evaluate(
        f"async () => {{ while ({starts} === {before}) await new Promise(then => setTimeout(then, 50)); }}"
    )
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    expect(element.locator(".rw-note")).to_have_text(Catalogue.load("en", "site").text("player.stopped"))
    expect(element.locator(".rw-mine")).to_be_hidden()
    # It is still there, and so are its moves.
    again.click()
    expect(element.locator(".rw-mine")).to_be_visible()
    expect(element.locator(".rw-note")).to_be_hidden()
    assert len(element.evaluate("element => element.record.actions")) == 2
    assert element.evaluate("element => element.record.agreements")["turn-passes"] == "every-request"


def test_who_steps_on_before_a_game_is_there_is_not_called_back(context: BrowserContext, site_url: str) -> None:
    before_the_worker(
        context,
        """
        let held = false;
        self.addEventListener("message", event => {
            if (held || !asked(event).record.agreements?.["turn-passes"]) return;
            held = true;
            event.stopImmediatePropagation();
            setTimeout(() => self.dispatchEvent(new MessageEvent("message", { data: event.data })), 3000);
        })
        """,
    )
    element = with_agreed_game(context, site_url)
    press(element, "continue")
    expect(element).to_have_attribute("step", "1")
    press(element, "next")
    expect(element.locator('[data-do="agree"]')).to_have_attribute("aria-checked", "true")
    element.page.wait_for_timeout(1000)
    expect(element).to_have_attribute("step", "2")
    expect(element.locator(".rw-mine")).to_be_hidden()


def test_an_agreement_that_is_not_taken_back_moves_nobody(context: BrowserContext, site_url: str) -> None:
    before_the_worker(
        context,
        """
        self.addEventListener("message", event => {
            const { record, viewer } = asked(event);
            if (viewer && !record.agreements?.["turn-passes"]) for (;;);
        })
        """,
    )
    element = with_agreed_game(context, site_url)
    agree = element.locator('[data-do="agree"]')
    agree.click()
    expect(element.locator(".rw-shown .rw-parting")).to_be_visible()
    press(element, "more")
    element.get_by_label("Cards seen by").select_option("Boris")
    expect(element.locator(".rw-shown [data-player]").first).to_have_attribute("data-player", "Boris")
    press(element, "restart")
    agree.click()
    element.get_by_role("button", name="Stop", exact=True).click()
    expect(agree).to_have_attribute("aria-checked", "true")
    expect(element).to_have_attribute("step", "0")


# What is built


def test_the_lock_file_has_the_hash_of_the_engine_that_is_served(site: Path) -> None:
    (wheel,) = site.glob("assets/runtime/*/*.whl")
    (worker,) = site.glob("assets/worker-*.js")
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() in worker.read_text()
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        assert not [name for name in archive.namelist() if name.endswith(".py") and "__init__" not in name]


def test_the_runtime_of_a_first_visit_is_small(site: Path) -> None:
    parts = ("python.wasm", "python.mjs", "python.snapshot")
    sizes = {
        suffix: sum(file.stat().st_size for part in parts for file in site.glob(f"assets/runtime/*/{part}{suffix}"))
        for suffix in (".gz", ".br")
    }
    (worker,) = site.glob("assets/worker-*.js")
    assert sizes[".gz"] + worker.stat().st_size < 5_400_000
    assert sizes[".br"] + worker.stat().st_size < 4_200_000


# The policy


def test_every_page_has_the_policy_and_nothing_that_it_forbids(site: Path) -> None:
    for file in site.rglob("*.html"):
        html = file.read_text("utf-8")
        assert f'http-equiv="Content-Security-Policy" content="{hosting.POLICY}"' in html, file
        scripts = re.findall(r"<script\b([^>]*)>", html)
        assert all("src=" in script or 'type="application/json"' in script for script in scripts), file
        assert not re.search(r"<style\b|\sstyle=|\son\w+=\"|javascript:", html), file


def test_hosts_send_the_policy_too(site: Path) -> None:
    assert f"Content-Security-Policy: {hosting.POLICY}" in (site / "_headers").read_text()
    assert hosting.POLICY in (site / ".htaccess").read_text()
    assert json.loads((site / "es/app.webmanifest").read_text())["lang"] == "es"
