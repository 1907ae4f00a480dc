"""Every built page, in every language, as a static host would hand it out."""

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from rulewalk.catalogue import Catalogue
from rulewalk.rules import RULES

from .built import ENGLISH_ONLY, FALLEN_BACK, HOMES, HOST, LANGUAGES, PATHS, SERVED, TAGS, WRITTEN, Pages

# What a browser fetches by itself when it opens a page, as against what a reader may follow.
FETCHED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "use": "href"}


def written_in(path: str) -> list[str]:
    return [language for language in LANGUAGES if path in PATHS[language]]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_page_is_there_in_every_language(language: str) -> None:
    missing = PATHS["en"] - PATHS[language] - ENGLISH_ONLY
    assert not missing, f"not yet in {LANGUAGES[language].name}"
    assert not PATHS[language] - PATHS["en"], f"in {LANGUAGES[language].name} only"


@pytest.mark.parametrize(("language", "path"), SERVED)
def test_a_page_says_its_language_and_what_it_is(pages: Pages, language: str, path: str) -> None:
    page = pages[HOMES[language] + path].html
    assert page.html and page.html["lang"] == TAGS[language]
    # Where the theme does not know the direction of writing, its drawer lies open over the page.
    assert page.body and page.body["dir"] == "ltr"
    assert page.title and page.title.text.strip().endswith("Rulewalk")
    description = page.select_one("meta[name=description]")
    assert description
    assert 40 <= len(str(description["content"])) <= 200
    assert len(page.select("h1")) == 1
    assert not page.select("meta[name=generator]")


def test_no_two_pages_of_a_language_have_the_same_title_or_description(pages: Pages) -> None:
    for language in LANGUAGES:
        for what in ("title", "meta[name=description]"):
            found = [str(pages[HOMES[language] + path].html.select_one(what)) for path in PATHS[language]]
            assert len(set(found)) == len(found)


@pytest.mark.parametrize(("language", "path"), WRITTEN)
def test_what_is_shown_when_a_page_is_shared(pages: Pages, language: str, path: str) -> None:
    page = pages[HOMES[language] + path].html
    shown = {str(meta["property"]): str(meta["content"]) for meta in page.select("meta[property^='og:']")}
    assert page.title and page.title.text.strip().startswith(shown["og:title"])
    description = page.select_one("meta[name=description]")
    assert description and shown["og:description"] == description["content"]
    assert shown["og:locale"] == LANGUAGES[language].variety.replace("-", "_")
    others = [str(meta["content"]) for meta in page.select("meta[property='og:locale:alternate']")]
    assert others == [LANGUAGES[one].variety.replace("-", "_") for one in written_in(path) if one != language]


@pytest.mark.parametrize(("language", "path"), SERVED)
def test_a_page_names_its_other_languages_and_they_name_it(pages: Pages, language: str, path: str) -> None:
    page = pages[HOMES[language] + path]
    named = {str(link["hreflang"]): page.path(str(link["href"])) for link in page.html.select("link[rel=alternate]")}
    assert named == {other: HOMES[other] + path for other in written_in(path)} | {"x-default": "/" + path}
    # What the reader presses leads to the same pages, and to a page that says so where there is none.
    pressed = {str(link["hreflang"]): page.path(str(link["href"])) for link in page.html.select("a.md-select__link")}
    assert pressed == {other: home + path for other, home in HOMES.items()}


@pytest.mark.parametrize(("language", "path"), FALLEN_BACK)
def test_a_page_missing_in_a_language_is_openly_shown_in_english(pages: Pages, language: str, path: str) -> None:
    page = pages[HOMES[language] + path]
    notice, text = page.html.select("article > .rw-notice, article > div[lang]")
    assert notice.text == Catalogue.load(language, "site").text("shell.english-only")
    assert text["lang"] == "en" and text.select_one("h1")
    assert all(part["lang"] == "en" for part in page.html.select(".rw-sections, .md-header__topic + .md-header__topic"))
    original = page.html.select_one("link[rel=canonical]")
    assert original and page.path(str(original["href"])) == "/" + path


@pytest.mark.parametrize(("language", "path"), WRITTEN)
def test_a_translated_page_has_no_notice(pages: Pages, language: str, path: str) -> None:
    assert not pages[HOMES[language] + path].html.select(".rw-notice")


@pytest.mark.parametrize(("language", "path"), SERVED)
def test_every_link_and_anchor_leads_somewhere(pages: Pages, site: Path, language: str, path: str) -> None:
    dead = []
    for link in pages[HOMES[language] + path].links:
        parts = urlsplit(link)
        if not link.startswith(HOST):
            continue
        target = pages.get(unquote(parts.path))
        if target is None:
            if not (site / unquote(parts.path).lstrip("/")).is_file():
                dead.append(link)
        elif parts.fragment.startswith("walk="):
            if not target.html.select(f'rule-walkthrough[name$="/{parts.fragment.removeprefix("walk=")}"]'):
                dead.append(link)
        elif parts.fragment and unquote(parts.fragment) not in target.anchors:
            dead.append(link)
    assert not dead


@pytest.mark.parametrize(("language", "path"), SERVED)
def test_ids_are_unique_and_what_names_one_finds_it(pages: Pages, language: str, path: str) -> None:
    page = pages[HOMES[language] + path]
    ids = [str(element["id"]) for element in page.html.select("[id]")]
    assert sorted(ids) == sorted(set(ids))
    for attribute in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns"):
        for element in page.html.select(f"[{attribute}]"):
            assert set(str(element[attribute]).split()) <= page.anchors, f"{attribute} of {element.name}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", RULES)
def test_every_rule_is_told_in_every_language(pages: Pages, language: str, number: str) -> None:
    rule = RULES[number]
    (paragraph,) = pages[f"{HOMES[language]}{rule.game}/"].html.select(f"#{rule.anchor}")
    assert f"rule--{rule.kind}" in paragraph["class"]
    told = paragraph.text.replace(number, "").strip()
    assert len(told) >= 10


@pytest.mark.parametrize(("language", "path"), WRITTEN)
def test_links_within_the_text_stay_in_the_language_or_name_another(pages: Pages, language: str, path: str) -> None:
    page = pages[HOMES[language] + path]
    left = []
    for link in page.html.select("article a[href]:not([hreflang])"):
        target = urlsplit(page.absolute(str(link["href"])))
        home = re.match(r"/(\w\w)/", target.path)
        if target.netloc == urlsplit(HOST).netloc and (home[1] if home else "en") != language:
            left.append(link["href"])
    assert not left


@pytest.mark.parametrize(("language", "path"), SERVED)
def test_a_page_asks_nobody_else_for_anything(pages: Pages, language: str, path: str) -> None:
    page = pages[HOMES[language] + path]
    asked = [str(one[name]) for tag, name in FETCHED.items() for one in page.html.select(f"{tag}[{name}]")]
    asked += [
        str(link["href"])
        for link in page.html.select("link[href]")
        if not {"alternate", "canonical"} & set(link["rel"])
    ]
    assert not [url for url in asked if not page.absolute(url).startswith(HOST)]
    # Relative, so that the site also works below a path of its host.
    assert not [url for url in asked if url.startswith("/")]


@pytest.mark.parametrize(("language", "path"), SERVED)
def test_no_script_stands_in_the_page(pages: Pages, language: str, path: str) -> None:
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
    page = BeautifulSoup((site / "404.html").read_text(), "html.parser")
    answers = page.select("article section")
    assert [str(one["lang"]) for one in answers] == list(TAGS.values())
    # Without JavaScript all of them are there.
    assert all(one.select_one("h1") and one.select_one("a[href]") and not one.has_attr("hidden") for one in answers)


def index_of(site: Path, language: str) -> list[dict[str, str]]:
    return list(json.loads((site / HOMES[language].lstrip("/") / "search.json").read_text("utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_finds_pages_of_one_language(site: Path, language: str) -> None:
    found = {entry["location"].split("#")[0] for entry in index_of(site, language)}
    assert found == PATHS[language]
    # A heading that is the same in two languages is in both.
    assert "glossary/#ratscrew" in {entry["location"] for entry in index_of(site, language)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_finds_each_rule_by_itself(site: Path, language: str) -> None:
    entries = {entry["title"]: entry for entry in index_of(site, language)}
    for rule in RULES.values():
        entry = entries[rule.number]
        assert entry["location"] == f"{rule.game}/#{rule.anchor}"
        assert entry["text"] and rule.number not in entry["text"]
    # Nor is it found a second time, with its section.
    texts = " ".join(entry["text"] for entry in index_of(site, language))
    assert texts.count(entries["BF-3.5"]["text"]) == 1


def test_without_an_address_of_its_own_the_site_has_no_site_map(site: Path) -> None:
    assert not [*site.glob("sitemap.xml*")]
