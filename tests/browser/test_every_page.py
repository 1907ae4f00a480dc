"""Every page in every language, in a real browser: quiet, self-contained, narrow enough, and accessible."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import languages

from .kit import AXE, COLOURS, STANDARD

DOCS = languages.ROOT / "docs"
PATHS = sorted(
    "" if file.stem == "index" else f"{file.relative_to(DOCS / 'en').with_suffix('').as_posix()}/"
    for file in (DOCS / "en").rglob("*.md")
)
EVERY = [language.home + path for language in languages.listed() for path in PATHS]


class Witness:
    """Notes what a page should not do."""

    def __init__(self, page: Page, site_url: str) -> None:
        self.wrong: list[str] = []
        self.site_url = site_url
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", self._asked)
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)

    def _said(self, message: Any) -> None:
        # Where a test's browser keeps no service worker, that is what it says.
        if message.type in ("error", "warning") and not message.text.startswith("Service Worker registration blocked"):
            self.wrong.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.site_url, "data:", "blob:")):
            self.wrong.append(f"foreign: {request.url}")

    def _failed(self, request: Any) -> None:
        # To leave a page ends what it was still loading, which is no fault of the page.
        if request.failure != "net::ERR_ABORTED":
            self.wrong.append(f"failed: {request.url}")

    def _answered(self, response: Any) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.status}: {response.url}")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One tab for all pages: a fresh one for each would take longer than the pages themselves."""
    context = browser.new_context(viewport={"width": 320, "height": 640})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("address", EVERY)
def test_a_page_is_quiet_narrow_and_accessible(page: Page, site_url: str, address: str) -> None:
    witness = Witness(page, site_url)
    page.goto(f"{site_url}/{address}")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    wrong = violations(page)
    assert not wrong
    assert not witness.wrong


@pytest.mark.parametrize("address", ["backstab-fish/", "es/egyptian-ratscrew/", "pt/go-fish/"])
def test_a_wide_page_is_accessible(page: Page, site_url: str, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{site_url}/{address}")
    wrong = violations(page)
    page.set_viewport_size({"width": 320, "height": 640})
    assert not wrong


def violations(page: Page) -> list[str]:
    """What axe finds in the light and, as far as that depends on colours, in the dark: the rule, and where."""
    page.evaluate(AXE.read_text())
    # A colour on its way is neither of two, and what is out of sight has its place only once it is drawn.
    style(page, "* { transition: none !important } .rw { content-visibility: visible !important }")
    run = "looked_for => axe.run({ runOnly: looked_for, resultTypes: ['violations'] })"
    light = page.evaluate(run, STANDARD)
    page.evaluate("document.body.setAttribute('data-md-color-scheme', 'slate')")
    dark = page.evaluate(run, COLOURS)
    return [
        f"{broken['id']} ({broken['help']}): {' | '.join(node['html'][:160] for node in broken['nodes'][:4])}"
        for broken in light["violations"] + dark["violations"]
    ]


def style(page: Page, rules: str) -> None:
    """Style a page in a way that its policy, which allows no sheet but its own, has no say in."""
    page.evaluate(
        "rules => { const sheet = new CSSStyleSheet(); sheet.replaceSync(rules);"
        " document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]; }",
        rules,
    )


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ("* { color: #333 !important }", "color-contrast"),
        ("a { text-decoration: none !important }", "link-in-text-block"),
    ],
)
def test_the_dark_is_looked_at(page: Page, site_url: str, rules: str, found: str) -> None:
    page.goto(site_url)
    style(page, f"[data-md-color-scheme=slate] article {rules}")
    assert [each.split()[0] for each in violations(page)] == [found]


def test_axe_would_find_something(page: Page) -> None:
    page.goto("about:blank")
    page.set_content("<html lang='en'><title>x</title><main><h1>x</h1><img src='data:,'></main>")
    assert [found for found in violations(page) if found.startswith("image-alt")]


def test_the_witness_would_notice(page: Page, site_url: str) -> None:
    witness = Witness(page, site_url)
    page.goto(f"{site_url}/nowhere/")
    page.goto("about:blank")
    page.evaluate("console.error('oh'); fetch('http://127.0.0.2:9/').catch(() => 0)")
    page.wait_for_timeout(200)
    assert any(line.startswith("404") for line in witness.wrong)
    assert any(line.startswith("foreign") for line in witness.wrong) and "oh" in witness.wrong
