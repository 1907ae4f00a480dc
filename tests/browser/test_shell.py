"""The site around the pages, in a real browser: what it asks for, how one gets about in it."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import serve

ROOT = Path(__file__).resolve().parents[2]
HOMES = {"en": "/", "es": "/es/", "pt": "/pt/"}
PATHS = sorted(
    "" if file.stem == "index" else f"{file.relative_to(ROOT / 'docs/en').with_suffix('').as_posix()}/"
    for file in (ROOT / "docs/en").rglob("*.md")
)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("language", HOMES)
def test_no_page_asks_others_or_complains_or_needs_sideways_scrolling(page: Page, site_url: str, language: str) -> None:
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(f"failed: {request.url}"))
    page.on("request", lambda request: None if request.url.startswith(site_url) else wrong.append(request.url))
    page.set_viewport_size({"width": 320, "height": 700})
    for path in PATHS:
        page.goto(site_url + HOMES[language] + path)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, f"{path} is {width} pixels wide"
    # Leaving a page ends what it was still loading; that is no fault.
    assert not [what for what in wrong if not what.startswith("failed: ")]
    page.wait_for_load_state("networkidle")
    assert not [what for what in wrong if not what.startswith("failed: ")]


def test_changing_the_language_keeps_the_page(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/")
    for language, address, lang in (("Español", "/es/", "es"), ("Português", "/pt/", "pt-PT"), ("English", "/", "en")):
        page.locator(".md-select button").hover()
        page.get_by_role("link", name=language, exact=True).click()
        expect(page).to_have_url(f"{site_url}{address}backstab-fish/")
        expect(page.locator("html")).to_have_attribute("lang", lang)


def test_the_search_stays_in_the_language(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/pt/glossary/")
    page.get_by_role("textbox", name="Pesquisar").click()
    page.keyboard.type("baralho")
    results = page.locator(".md-search-result__link")
    expect(results.first).to_be_visible()
    addresses = results.evaluate_all("links => links.map(link => new URL(link.href).pathname)")
    assert all(address.startswith("/pt/") for address in addresses)
    results.first.click()
    expect(page.locator("html")).to_have_attribute("lang", "pt-PT")
    expect(page.locator("h1")).to_be_visible()


def test_light_and_dark_follow_the_system_until_the_reader_chooses(browser: Browser, site_url: str) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{site_url}/es/")
    body = page.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.get_by_title("Cambiar a claro").click()
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    page.goto(f"{site_url}/backstab-fish/")
    expect(body).to_have_attribute("data-md-color-scheme", "default")
    page.get_by_title("Switch to dark").click()
    page.get_by_title("Follow the system: light or dark").click()
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    context.close()


def test_the_site_works_below_a_path_of_its_host(page: Page, site: Path, tmp_path: Path) -> None:
    (tmp_path / "some/path").mkdir(parents=True)
    (tmp_path / "some/path/rules").symlink_to(site)
    server = serve.server(tmp_path, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failed: list[str] = []
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    page.goto(f"http://127.0.0.1:{server.server_port}/some/path/rules/es/backstab-fish/")
    page.wait_for_load_state("networkidle")
    assert not failed
    page.get_by_role("link", name="Rulewalk").first.click()
    expect(page).to_have_url(f"http://127.0.0.1:{server.server_port}/some/path/rules/es/")
    server.shutdown()


def test_an_unknown_address_is_answered_in_every_language(page: Page, site_url: str) -> None:
    answer = page.goto(f"{site_url}/es/nada/")
    assert answer and answer.status == 404
    expect(page.get_by_role("link", name="A la página de inicio")).to_be_visible()
    page.get_by_role("link", name="À página inicial").click()
    expect(page.locator("html")).to_have_attribute("lang", "pt-PT")
