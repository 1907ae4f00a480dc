"""What the tests in a browser do over and over: walkthroughs brought to life and pressed, sites of a test's own."""

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

import hosting

ROOT = Path(__file__).resolve().parents[2]
#: What stands before a page's path in each language.
HOMES = {"en": "", "es": "es/", "pt": "pt/"}
FIRST = "backstab-fish/bf-6-1"
#: Python takes its time to start, and two cores are shared with whatever else runs.
LIVE = 120_000
#: What Python starts from, as pages ask for it.
SNAPSHOT = "**/*.snapshot*"
#: A browser whose reader wants to save data tells its pages so.
SAVES = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"

AXE = ROOT / "node_modules/axe-core/axe.min.js"
#: Each rule of WCAG 2.0 to 2.2 at levels A and AA, and what axe's makers count as good practice.
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: What depends on colours, which alone differ in the dark.
COLOURS = ["color-contrast", "link-in-text-block"]


def walkthrough(page: Page, name: str = FIRST) -> Locator:
    return page.locator(f'rule-walkthrough[name="{name}"]')


def live(page: Page, name: str = FIRST) -> Locator:
    """A walkthrough, once the engine has been compared with it."""
    element = walkthrough(page, name)
    element.scroll_into_view_if_needed()
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    return element


def arrived(page: Page) -> None:
    """Wait until nothing moves a page any more: nobody scrolls to where its address leads, and no engine is coming."""
    expect(page.locator("rule-walkthrough .rw-controls:visible").last).to_be_attached()
    page.wait_for_load_state()
    expect(page.locator('[engine="loading"]')).to_have_count(0, timeout=LIVE)
    page.evaluate(
        """async () => {
            for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
        }"""
    )


def press(element: Locator, button: str) -> None:
    element.locator(f'[data-do="{button}"]').click()


def start(page: Page) -> str:
    """How Python started on a page."""
    return page.evaluate("performance.getEntriesByName('rulewalk:started').at(-1).detail")


def runtime_kept(page: Page) -> None:
    """Wait until the next page has all that it needs to start Python."""
    page.evaluate(
        """async () => {
            const missing = async () => {
                const kept = await (await caches.open("rulewalk-files:/")).keys();
                return ["python.wasm", "python.snapshot"].some(name => !kept.some(({ url }) => url.endsWith(name)));
            };
            while (await missing()) await new Promise(resolve => setTimeout(resolve, 100));
        }"""
    )


def asked_of_runtime(context: BrowserContext) -> list[str]:
    """What pages ask for of the runtime from now on: a list that grows as they do."""
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if "/runtime/" in request.url else None)
    return asked


class Host(NamedTuple):
    """A site of the test's own, to be spoilt."""

    folder: Path
    address: str


def held(pages: Page | BrowserContext, pattern: str) -> Callable[[], None]:
    """Hold what pages ask for by addresses of a pattern, until the function is called that is returned."""
    waiting: list[Route] = []
    is_over = False

    def hold(route: Route) -> None:
        if is_over:
            route.continue_()
        else:
            waiting.append(route)

    def let_go() -> None:
        nonlocal is_over
        is_over = True
        for route in waiting:
            route.continue_()

    pages.route(pattern, hold)
    return let_go


def put_part(folder: Path, name: str, content: bytes) -> None:
    """Put a part of the runtime into a site as if it had been built so."""
    (file,) = folder.glob(f"assets/runtime/*/{name}")
    (worker,) = folder.glob("assets/worker-*.js")
    for packed in file.parent.glob(f"{name}.*"):
        packed.unlink()
    script = worker.read_text()
    was, is_ = hashlib.sha256(file.read_bytes()), hashlib.sha256(content)
    place = f'{name}",size:{file.stat().st_size},sha256:"{base64.b64encode(was.digest()).decode()}"'
    assert script.count(place) == 1
    script = script.replace(place, f'{name}",size:{len(content)},sha256:"{base64.b64encode(is_.digest()).decode()}"')
    worker.write_text(script.replace(was.hexdigest(), is_.hexdigest()))  # so the lock file has it of the engine
    file.write_bytes(content)


def list_anew(folder: Path) -> None:
    """Tell a site's service worker what its files are now."""
    (script,) = folder.glob("assets/runtime/*/python.mjs")
    hosting.write(folder, ROOT / "build/service-worker.js", script.relative_to(folder / "assets").as_posix())


def visited(context: BrowserContext, host: Host, path: str = "") -> Page:
    """A page after a first visit: the site is kept, and the service worker serves it."""
    page = context.new_page()
    page.goto(host.address + path)
    controlled(page)
    return page


def controlled(page: Page) -> None:
    """Wait until the service worker serves a page."""
    page.evaluate(
        """async () => {
            while (!navigator.serviceWorker.controller) await new Promise(resolve => setTimeout(resolve, 100));
        }"""
    )
