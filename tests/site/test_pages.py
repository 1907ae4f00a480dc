"""Every built page, in every language, as a static host would hand it out."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup

ROOT = Path(__file__).resolve().parents[2]
HOST = "http://rulewalk.test"
LANGUAGES = {"en": "en", "es": "es", "pt": "pt-PT"}
HOMES = {"en": "/", "es": "/es/", "pt": "/pt/"}

# For programmers, from the docstrings of the engine.
ENGLISH_ONLY = {"api/"}

# What a browser fetches by itself when it opens a page, as against what a reader may follow.
FETCHED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "use": "href"}


def paths_of(language: str) -> set[str]:
    """The addresses, below the language's home, of the pages that are written in a language."""
    folder = ROOT / "docs" / language
    names = (file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.md"))
    return {"" if name == "index" else f"{name}/" for name in names}


EVERY = [(language, path) for language in LANGUAGES for path in sorted(paths_of(language))]


@dataclass
class BuiltPage:
    address: str
    file: Path

    @cached_property
    def html(self) -> BeautifulSoup:
        return BeautifulSoup(self.file.read_text(), "html5lib")

    @cached_property
    def anchors(self) -> set[str]:
        return {str(element["id"]) for element in self.html.select("[id]")}

    @cached_property
    def links(self) -> set[str]:
        """Where the page's links lead: absolute, with fragment."""
        return {urljoin(HOST + self.address, str(link["href"])) for link in self.html.select("a[href]")}


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, BuiltPage]:
    """All built pages by their address (`/es/backstab-fish/`)."""
    found = {}
    for file in site.rglob("index.html"):
        folder = file.parent.relative_to(site).as_posix()
        address = "/" if folder == "." else f"/{folder}/"
        found[address] = BuiltPage(address, file)
    return found


@pytest.mark.parametrize("language", ["es", "pt"])
def test_every_page_is_there_in_every_language(language: str) -> None:
    assert paths_of(language) == paths_of("en") - ENGLISH_ONLY


@pytest.mark.parametrize("language", ["es", "pt"])
@pytest.mark.parametrize("path", sorted(ENGLISH_ONLY))
def test_a_page_that_is_not_translated_says_so(pages: dict[str, BuiltPage], language: str, path: str) -> None:
    address = HOMES[language] + path
    page = pages[address].html
    assert page.html and page.html["lang"] == LANGUAGES[language]
    assert page.select_one("article > .rw-notice")
    assert page.select_one("article > [lang=en] h1")
    canonical = page.select_one("link[rel=canonical]")
    assert canonical and urljoin(HOST + address, str(canonical["href"])) == HOST + HOMES["en"] + path


@pytest.mark.parametrize(("language", "path"), EVERY)
def test_a_page_says_its_language_and_what_it_is(pages: dict[str, BuiltPage], language: str, path: str) -> None:
    page = pages[HOMES[language] + path].html
    assert page.html and page.html["lang"] == LANGUAGES[language]
    assert page.title and page.title.text.strip().endswith("Rulewalk")
    description = page.select_one("meta[name=description]")
    assert description
    assert len(str(description["content"])) >= 40
    assert len(page.select("h1")) == 1
    assert not page.select("meta[name=generator]")


@pytest.mark.parametrize(("language", "path"), EVERY)
def test_a_page_names_its_other_languages_and_they_name_it(
    pages: dict[str, BuiltPage], language: str, path: str
) -> None:
    page = pages[HOMES[language] + path]
    named = {
        str(link["hreflang"]): urlsplit(urljoin(HOST + page.address, str(link["href"]))).path
        for link in page.html.select("link[rel=alternate]")
    }
    written = {other: home + path for other, home in HOMES.items() if path in paths_of(other)}
    assert named == written | {"x-default": "/" + path}
    # What the reader presses leads to the same pages.
    pressed = {
        str(link["hreflang"]): urlsplit(urljoin(HOST + page.address, str(link["href"]))).path
        for link in page.html.select("a.md-select__link")
    }
    assert pressed == {other: home + path for other, home in HOMES.items()}


@pytest.mark.parametrize(("language", "path"), EVERY)
def test_every_link_and_anchor_leads_somewhere(
    pages: dict[str, BuiltPage], site: Path, language: str, path: str
) -> None:
    dead = []
    for link in pages[HOMES[language] + path].links:
        parts = urlsplit(link)
        if not link.startswith(HOST):
            continue
        target = pages.get(unquote(parts.path))
        if target is None:
            if not (site / unquote(parts.path).lstrip("/")).is_file():
                dead.append(link)
        elif parts.fragment and unquote(parts.fragment) not in target.anchors:
            dead.append(link)
    assert not dead


@pytest.mark.parametrize(("language", "path"), EVERY)
def test_links_within_the_text_stay_in_the_language(pages: dict[str, BuiltPage], language: str, path: str) -> None:
    address = HOMES[language] + path
    page = pages[address].html
    left = []
    for link in page.select("article a[href]"):
        target = urlsplit(urljoin(HOST + address, str(link["href"])))
        home = re.match(r"/(es|pt)/", target.path)
        if target.netloc == "rulewalk.test" and (home[1] if home else "en") != language:
            left.append(link["href"])
    assert not left


@pytest.mark.parametrize(("language", "path"), EVERY)
def test_a_page_asks_nobody_else_for_anything(pages: dict[str, BuiltPage], language: str, path: str) -> None:
    page = pages[HOMES[language] + path]
    asked = [str(one[name]) for tag, name in FETCHED.items() for one in page.html.select(f"{tag}[{name}]")]
    asked += [
        str(link["href"])
        for link in page.html.select("link[href]")
        if not {"alternate", "canonical"} & set(link["rel"])
    ]
    assert not [url for url in asked if not urljoin(HOST + page.address, url).startswith(HOST)]
    # Relative, so that the site also works below a path of its host.
    assert not [url for url in asked if url.startswith("/")]


@pytest.mark.parametrize(("language", "path"), EVERY)
def test_no_script_stands_in_the_page(pages: dict[str, BuiltPage], language: str, path: str) -> None:
    """So that `script-src 'self' 'wasm-unsafe-eval'` is policy enough. JSON is no script."""
    page = pages[HOMES[language] + path].html
    assert not page.select("script:not([src], [type='application/json'])")
    assert not [one for one in page.select("*") if any(name.startswith("on") for name in one.attrs)]


def test_no_style_sheet_asks_anybody_else(site: Path) -> None:
    sheets = [*site.rglob("*.css")]
    assert sheets
    for sheet in sheets:
        assert not re.findall(r"url\(\s*['\"]?(?:https?:)?//", sheet.read_text()), sheet.name


def test_the_404_page_speaks_all_languages(site: Path) -> None:
    page = BeautifulSoup((site / "404.html").read_text(), "html5lib")
    assert page.html
    assert {str(one["lang"]) for one in page.select("article [lang]")} | {page.html["lang"]} == set(LANGUAGES.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_finds_pages_of_one_language(pages: dict[str, BuiltPage], site: Path, language: str) -> None:
    index = json.loads((site / HOMES[language].lstrip("/") / "search/search_index.json").read_text())
    found = {entry["location"].split("#")[0] for entry in index["docs"]}
    assert found == paths_of(language)
    assert index["config"]["lang"] == [language]
