"""The site around the pages, in a real browser: what it asks for, how one gets about in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import bench
import languages

from . import kit
from .kit import Host


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


def test_the_site_works_below_a_path_of_its_host(page: Page, host: Host) -> None:
    failed: list[str] = []
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    page.goto(f"{host.address}es/backstab-fish/")
    page.wait_for_load_state("networkidle")
    assert not failed
    page.get_by_role("link", name="Rulewalk").first.click()
    expect(page).to_have_url(f"{host.address}es/")


@pytest.mark.parametrize(
    ("address", "lang", "title", "home"),
    [
        ("/nothing/", "en", "Not here", "/"),
        ("/es/nada/de/nada/", "es", "No está aquí", "/es/"),
        ("/pt/nada", "pt-PT", "Não está aqui", "/pt/"),
        ("/fr/rien/", "en", "Not here", "/"),
    ],
)
def test_an_unknown_address_is_answered_in_its_language(
    page: Page, site_url: str, address: str, lang: str, title: str, home: str
) -> None:
    answer = page.goto(site_url + address)
    assert answer and answer.status == 404
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("h1:visible")).to_have_text([title])
    expect(page).to_have_title(f"{title} · Rulewalk")
    page.locator("article a:visible").click()
    expect(page).to_have_url(site_url + home)


@pytest.mark.parametrize("address", ["nada", "es/nada/", "es/nada/de/nada"])
def test_an_unknown_address_below_a_path_of_the_host_is_answered_as_well(
    page: Page, host: Host, tmp_path: Path, address: str
) -> None:
    """By a site that was not told its address: its answer stands at the path, and finds out where it belongs."""
    (tmp_path / "404.html").symlink_to(host.folder / "404.html")
    page.goto(host.address + address)
    lang, title, home = ("es", "No está aquí", "es/") if address.startswith("es/") else ("en", "Not here", "")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("h1:visible")).to_have_text([title])
    expect(page.locator(".md-header")).to_have_css("position", "sticky")  # its style has come
    page.locator("article a:visible").click()
    expect(page).to_have_url(host.address + home)


def test_an_unknown_address_is_answered_in_every_language_without_javascript(browser: Browser, site_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}/es/nada/")
    expect(page.locator("h1:visible")).to_have_text(["Not here", "No está aquí", "Não está aqui"])
    context.close()


# From one language to another


def change_to(page: Page, language: str) -> None:
    page.locator(".md-select button").hover()
    page.get_by_role("link", name=language, exact=True).click()


def read_at(page: Page, selector: str) -> None:
    """Scroll something to where one reads, until nothing above it moves it any more."""
    for _ in range(20):
        moved = page.evaluate(
            "selector => { const by = document.querySelector(selector).getBoundingClientRect().top - 60;"
            " scrollBy({ top: by, behavior: 'instant' }); return Math.abs(by) }",
            selector,
        )
        page.wait_for_timeout(100)
        if moved < 2:
            return


def test_search_engines_read_the_translations_addresses_in_full(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/es/go-fish/")
    named = (
        "Array.from(document.querySelectorAll('link[hreflang]'), link => [link.hreflang, link.getAttribute('href')])"
    )
    expected = {"en": "/go-fish/", "es": "/es/go-fish/", "pt": "/pt/go-fish/", "x-default": "/go-fish/"}
    assert dict(page.evaluate(named)) == {language: site_url + path for language, path in expected.items()}


def test_changing_the_language_keeps_the_section(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/#bf-3-5")
    change_to(page, "Português")
    expect(page).to_have_url(f"{site_url}/pt/backstab-fish/#bf-3-5")
    expect(page.locator("#bf-3-5")).to_be_in_viewport()
    # The address says where one came in; what is in sight counts.
    kit.arrived(page)
    read_at(page, "#bf-3-8")
    change_to(page, "Español")
    # The rule, or the next one where that has come up to be read as well.
    expect(page).to_have_url(re.compile(r"/es/backstab-fish/#bf-3-[89]$"))
    expect(page.locator("#bf-3-8")).to_be_in_viewport()


def test_changing_the_language_at_the_top_of_a_page_stays_there(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/es/go-fish/")
    change_to(page, "English")
    expect(page).to_have_url(f"{site_url}/go-fish/")


def test_changing_the_language_keeps_each_walkthroughs_step(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/")
    walkthrough = kit.walkthrough(page)
    for _ in range(2):
        walkthrough.locator('[data-do="next"]').click()
    expect(walkthrough).to_have_attribute("step", "2")
    change_to(page, "Español")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(walkthrough).to_have_attribute("step", "2")
    expect(walkthrough).to_be_in_viewport()


@pytest.fixture
def abroad(browser: Browser) -> Iterator[Page]:
    """Somebody whose browser speaks Brazilian Portuguese, French before it."""
    context = browser.new_context(locale="pt-BR", viewport={"width": 360, "height": 700})
    context.add_init_script("Object.defineProperty(navigator, 'languages', { get: () => ['fr-FR', 'pt-BR', 'es'] })")
    yield context.new_page()
    context.close()


def test_the_readers_language_is_offered_until_they_have_decided(abroad: Page, site_url: str) -> None:
    abroad.goto(f"{site_url}/go-fish/")
    offer = abroad.locator(".rw-offer:visible")
    expect(offer).to_have_count(1)
    expect(offer).to_have_attribute("lang", "pt-PT")
    abroad.goto(f"{site_url}/es/go-fish/")
    offer.get_by_role("button", name="Ficar aqui").click()
    expect(offer).to_have_count(0)
    abroad.goto(f"{site_url}/glossary/")
    expect(abroad.locator("h1")).to_be_visible()
    expect(offer).to_have_count(0)


def test_the_offer_covers_nothing_and_moves_nothing(abroad: Page, site_url: str) -> None:
    abroad.goto(f"{site_url}/go-fish/")
    offer = abroad.locator(".rw-offer:visible")
    bar = offer.bounding_box()
    header = abroad.locator(".md-header").bounding_box()
    assert bar and header and bar["y"] == 0 and header["y"] == bar["height"]
    shift = abroad.evaluate(
        """() => new Promise(done => {
          const sum = list => list.getEntries().reduce((sum, { value }) => sum + value, 0);
          new PerformanceObserver(list => done(sum(list))).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => done(0), 1500);
        })"""
    )
    # Less than a line of text on this window.
    assert shift < 0.02
    abroad.evaluate("scrollTo({ top: 900, behavior: 'instant' })")
    expect(offer).not_to_be_in_viewport()


def test_the_offered_language_is_the_same_page(abroad: Page, site_url: str) -> None:
    abroad.goto(f"{site_url}/go-fish/#play")
    abroad.get_by_role("link", name="Ler em português").click()
    expect(abroad).to_have_url(f"{site_url}/pt/go-fish/#play")
    # Who chose goes on choosing for themselves.
    abroad.goto(f"{site_url}/es/")
    expect(abroad.locator("h1")).to_be_visible()
    expect(abroad.locator(".rw-offer:visible")).to_have_count(0)


def test_nothing_is_offered_to_whom_the_page_suits(abroad: Page, page: Page, site_url: str) -> None:
    abroad.goto(f"{site_url}/pt/go-fish/")
    expect(abroad.locator("h1")).to_be_visible()
    expect(abroad.locator(".rw-offer:visible")).to_have_count(0)
    page.goto(f"{site_url}/go-fish/")
    expect(page.locator(".rw-offer:visible")).to_have_count(0)
    # Nor a page that is in English only.
    abroad.goto(f"{site_url}/api/")
    expect(abroad.locator("h1")).to_be_visible()
    expect(abroad.locator(".rw-offer:visible")).to_have_count(0)


def test_without_storage_the_offer_works_and_nothing_breaks(abroad: Page, site_url: str) -> None:
    wrong: list[str] = []
    abroad.on("pageerror", lambda error: wrong.append(str(error)))
    abroad.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })"
    )
    abroad.goto(f"{site_url}/go-fish/")
    offer = abroad.locator(".rw-offer:visible")
    offer.get_by_role("button").click()
    expect(offer).to_have_count(0)
    abroad.reload()
    offer.get_by_role("link").click()
    expect(abroad.locator("html")).to_have_attribute("lang", "pt-PT")
    assert not wrong


# The lists of pages and of sections


def test_the_section_being_read_is_marked_and_in_sight(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/")
    marked = page.locator(".md-sidebar--secondary [aria-current]")
    expect(marked).to_have_count(0)
    read_at(page, "#q-stop")
    expect(marked).to_have_attribute("href", "#q-stop")
    expect(marked).to_be_in_viewport()
    expect(page.locator(".md-header__topic").last).to_have_css("opacity", "1")
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    expect(marked).to_have_count(0)
    expect(page.locator(".md-header__topic").last).to_have_css("opacity", "0")


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 700}, locale="en-GB")
    yield context.new_page()
    context.close()


def test_on_a_phone_the_pages_are_reached_with_keys(phone: Page, site_url: str) -> None:
    phone.goto(f"{site_url}/go-fish/")
    phone.wait_for_load_state("networkidle")
    button = phone.get_by_role("button", name="Navigation")
    here = phone.locator(".rw-pages [aria-current=page]")
    expect(here).not_to_be_visible()
    button.focus()
    phone.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(here).to_be_in_viewport()
    expect(phone.locator(".rw-pages a").first).to_be_focused()
    phone.keyboard.press("Escape")
    expect(here).not_to_be_visible()
    expect(button).to_be_focused()
    button.click()
    phone.locator(".rw-pages").get_by_role("link", name="Questions").click()
    expect(phone).to_have_url(f"{site_url}/go-fish/#questions")
    expect(here).not_to_be_visible()
    expect(phone.locator("#questions")).to_be_in_viewport()


def test_without_javascript_the_pages_are_reached_on_a_phone(browser: Browser, site_url: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 700}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}/es/go-fish/")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("label.md-header__button[for=__drawer]").click()
    page.get_by_role("link", name="Glosario", exact=True).first.click()
    expect(page).to_have_url(f"{site_url}/es/glossary/")
    context.close()


def test_on_paper_nothing_is_folded(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/")
    folded = page.locator("article > details:not([open])")
    count = folded.count()
    assert count > 5
    page.emulate_media(media="print")
    expect(folded).to_have_count(0)
    page.emulate_media(media="screen")
    expect(folded).to_have_count(count)


# Searching


def look_for(page: Page, query: str) -> Locator:
    """Type a query into the search's field; what is found, the best first."""
    page.locator(".md-search__input").click()
    page.keyboard.type(query)
    return page.locator(".md-search-result__link")


@pytest.mark.parametrize(
    ("home", "with_accents", "without"), [("/es/", "petición", "peticion"), ("/pt/", "número", "numero")]
)
def test_the_search_copes_with_accents(page: Page, site_url: str, home: str, with_accents: str, without: str) -> None:
    for query in (with_accents, without):
        page.goto(f"{site_url}{home}how-to-use/")
        found = look_for(page, query)
        expect(found.first).to_be_visible()
        assert all(href.startswith(home) for href in found.evaluate_all("all => all.map(a => a.pathname)"))
        # What it was found by is marked as the page has it.
        expect(page.locator(".md-search-result mark", has_text=with_accents).first).to_be_visible()


@pytest.mark.parametrize("home", ["/", "/es/", "/pt/"])
@pytest.mark.parametrize("query", ["BF-3.5", "bf 3.5", "Bf3.5"])
def test_a_rules_number_finds_the_rule_first(page: Page, site_url: str, home: str, query: str) -> None:
    page.goto(f"{site_url}{home}about/")
    found = look_for(page, query)
    expect(found.first).to_contain_text("BF-3.5")
    assert found.first.evaluate("link => link.pathname + link.hash") == f"{home}backstab-fish/#bf-3-5"
    assert found.count() > 1
    page.keyboard.press("Enter")
    expect(page.locator("#bf-3-5")).to_be_in_viewport()


def test_the_search_is_used_with_keys(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/go-fish/")
    found = look_for(page, "nine")
    expect(page.locator(".md-search-result [role=status]")).to_have_text(re.compile(r"\d+ results"))
    page.keyboard.press("ArrowDown")
    expect(found.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(found.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".md-search__input")).to_be_focused()
    page.keyboard.press("Escape")
    expect(found.first).not_to_be_visible()


def test_what_searches_comes_when_it_is_wanted_and_failing_that_says_so(page: Page, site_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/search.json", lambda route: route.fulfill(status=503))
    page.goto(f"{site_url}/pt/about/")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "search" in url or "results" in url]
    look_for(page, "x")
    expect(page.locator(".md-search-result [role=status]")).to_contain_text("Não foi possível")
    page.unroute("**/search.json")
    page.locator(".md-search__input").fill("baralho")
    expect(page.locator(".md-search-result__link").first).to_be_visible()


def test_a_query_that_finds_nothing_says_so(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/es/about/")
    look_for(page, "xyzzyx")
    expect(page.locator(".md-search-result [role=status]")).to_have_text("No hay resultados")


# How much of it there is


@pytest.mark.parametrize("address", ["/", "/es/backstab-fish/#bf-6-1"])
def test_a_first_view_is_small(browser: Browser, site: Path, site_url: str, address: str) -> None:
    page, runtime = bench.weigh(browser, site_url, site, address)
    assert page.gzip <= 120_000 and page.brotli <= 120_000
    assert runtime.gzip > 1_000_000  # it was weighed as well, and apart


# How each kind of element, and what stands before and after it, looks under one more style sheet.
DIFFERS = """more => {
  const kindOf = element => `${element.localName}.${element.className?.baseVal ?? element.className}`;
  const kinds = new Map();
  for (const element of document.querySelectorAll("body, body *")) {
    const { parentElement } = element;
    const family = [parentElement?.parentElement, parentElement, element];
    kinds.set(family.map(each => each && kindOf(each)).join(" > "), element);
  }
  const looks = element => ["", "::before", "::after"].flatMap(part => {
    const style = getComputedStyle(element, part);
    const names = Array.from(style).filter(name => !name.startsWith("--"));
    return names.map(name => `${part} ${name}: ${style.getPropertyValue(name)}`);
  });
  const still = "transition: none !important; animation: none !important; content-visibility: visible !important";
  const sheets = [`* { ${still} }`, more].map(rules => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    return sheet;
  });
  document.adoptedStyleSheets = sheets.slice(0, 1);
  const before = new Map(Array.from(kinds, ([kind, element]) => [kind, looks(element)]));
  document.adoptedStyleSheets = sheets.toReversed();
  return Array.from(kinds).flatMap(([kind, element]) => {
    const [was, is] = [before.get(kind), looks(element)];
    const at = is.findIndex((look, index) => look !== was[index]);
    return at < 0 ? [] : [`${kind}: ${was[at]}, with all of it ${is[at]}`];
  });
}"""


def whole_sheet() -> str:
    return (languages.ROOT / "build/assets/site.css").read_text("utf-8").replace(".focus-visible", ":focus-visible")


@pytest.mark.parametrize("address", ["", "backstab-fish/", "es/rules/", "pt/privacy/"])
@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_left_out_of_the_style_sheet_is_not_missed(page: Page, site_url: str, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{site_url}/{address}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(DIFFERS, whole_sheet()) == []


def test_what_is_missed_would_be_seen(page: Page, site_url: str) -> None:
    page.goto(site_url)
    (missed, *_) = page.evaluate(DIFFERS, whole_sheet() + "h1 { color: red !important }")
    assert "color: rgb(255, 0, 0)" in missed
