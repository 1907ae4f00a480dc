"""A fourth language is a folder of pages, a folder of catalogues and an entry in mkdocs.yml: shown with one made up.

Its letters are English ones with accents, so that what comes from its catalogues and pages is told from English
at a glance. One of its pages is missing. The site is built once, under a sub-path of a made-up address.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import polib
import pytest

import languages

from .built import LANGUAGES, PATHS, ROOT, BuiltPage, Pages, pages_in

CODE, TAG = "xa", "en-XA"
ADDRESS = "https://rulewalk.test/some/path/"
MISSING = "about"
ENTRY = f"""
        - locale: {CODE}
          name: Àççèñţš
          site_description: Made up for a test, to show that a fourth language needs no more than this.
          theme:
            language: {TAG}

markdown_extensions:"""

# What of a page is no prose: its head, code, HTML, the targets of links, attributes, rules' numbers.
KEPT = re.compile(r"\A---\n.*?\n---\n|```.*?```|`[^`]*`|<[^>]*>|\]\([^)]*\)|\{:[^}]*\}|\b[BGE][FR]-\d+\.\d+", re.DOTALL)


def accented(text: str, kept: re.Pattern[str]) -> str:
    """The same with accents, but for what is kept as it is."""
    table = str.maketrans("aeioucnAEIOUCN", "àèìòùçñÀÈÌÒÙÇÑ")
    end, parts = 0, []
    for match in kept.finditer(text):
        parts += [text[end : match.start()].translate(table), match[0]]
        end = match.end()
    return "".join([*parts, text[end:].translate(table)])


def add_language(copy: Path) -> None:
    for page in (ROOT / "docs/en").glob("*.md"):
        made = copy / "docs" / CODE / page.name
        made.parent.mkdir(exist_ok=True)
        if page.stem not in (MISSING, "api"):
            made.write_text(accented(page.read_text("utf-8"), KEPT), "utf-8")

    catalogues = shutil.copytree(ROOT / "locales/en", copy / "locales" / CODE)
    for file in catalogues.rglob("*.po"):
        catalogue = polib.pofile(str(file))
        for message in catalogue:
            kept = re.compile(r".*" if message.msgid == "shell.language" else r"\{\w+\}")
            message.msgstr = accented(message.msgstr, kept)
            message.msgstr_plural = {n: accented(form, kept) for n, form in message.msgstr_plural.items()}
        if language := catalogue.find("shell.language"):
            language.msgstr = TAG
        catalogue.save()

    settings = copy / "mkdocs.yml"
    settings.write_text(settings.read_text("utf-8").replace("\nmarkdown_extensions:", ENTRY, 1), "utf-8")


@pytest.fixture(scope="module")
def built(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site once more, with the made-up language."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("docs", "engine", "locales", "tools", "tutorials"):
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "tests").symlink_to(ROOT / "tests")
    shutil.copy(ROOT / "mkdocs.yml", copy)
    (copy / "build").mkdir()
    shutil.copy(ROOT / "build/bundle.json", copy / "build")
    add_language(copy)

    make = "import build, search, pathlib; out = pathlib.Path('out'); build.run_mkdocs(out); search.write(out)"
    paths = os.pathsep.join(str(copy / name) for name in ("tools", "engine", "tutorials"))
    environment = os.environ | {"PYTHONPATH": paths, "SITE_URL": ADDRESS, "NO_MKDOCS_2_WARNING": "true"}
    run = subprocess.run([sys.executable, "-c", make], cwd=copy, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return copy / "out"


@pytest.fixture(scope="module")
def pages_of_four(built: Path) -> Pages:
    return pages_in(built)


def test_it_is_listed_from_its_entry_alone(built: Path) -> None:
    assert [language.code for language in languages.listed(built.parent / "mkdocs.yml")] == [*LANGUAGES, CODE]


@pytest.mark.parametrize("path", sorted(PATHS["en"] - {"api/", f"{MISSING}/"}))
def test_its_pages_are_there_in_its_own_words(pages_of_four: Pages, path: str) -> None:
    page = pages_of_four[f"/{CODE}/{path}"].html
    english = pages_of_four[f"/{path}"].html
    assert page.html and page.html["lang"] == TAG
    title, original = page.select_one("h1"), english.select_one("h1")
    assert title and original and title.text == accented(original.text, re.compile("$^"))
    # The shell's words too, and those of the rules.
    assert page.select_one('[aria-label="Çhòòsè à làñgùàgè"]')
    assert len(page.select(".rule")) == len(english.select(".rule"))


def test_its_walkthroughs_speak_it(pages_of_four: Pages) -> None:
    english = pages_of_four["/backstab-fish/"].html.select("rule-walkthrough")
    for walkthrough, original in zip(
        pages_of_four[f"/{CODE}/backstab-fish/"].html.select("rule-walkthrough"), english, strict=True
    ):
        assert walkthrough["lang-pack"] == CODE
        for part in (".rw-comment", ".rw-said p", ".rw-controls button span"):
            told, source = walkthrough.select_one(part), original.select_one(part)
            if told and source and re.search("[aeiou]", source.text):
                assert told.text != source.text


def test_a_page_that_it_lacks_is_openly_english(pages_of_four: Pages) -> None:
    page = pages_of_four[f"/{CODE}/{MISSING}/"].html
    notice = page.select_one(".rw-notice")
    assert notice and notice.text == "Thìs pàgè ìs ìñ Èñglìsh òñly."
    original = page.select_one("link[rel=canonical]")
    assert original and original["href"] == f"{ADDRESS}{MISSING}/"


# What needs an address of one's own


def hreflang(page: BuiltPage) -> dict[str, str]:
    return {str(link["hreflang"]): str(link["href"]) for link in page.html.select("link[rel=alternate]")}


def test_alternates_are_absolute_and_reciprocal(pages_of_four: Pages) -> None:
    for address, page in pages_of_four.items():
        named = hreflang(page)
        for language, target in named.items():
            assert target.startswith(ADDRESS)
            other = pages_of_four["/" + target.removeprefix(ADDRESS)]
            if language != "x-default" and not page.html.select(".rw-notice"):
                assert hreflang(other) == named, (address, language)
        assert named["x-default"] == named["en"]
    assert [*hreflang(pages_of_four["/go-fish/"])] == [*LANGUAGES, CODE, "x-default"]
    assert CODE not in hreflang(pages_of_four[f"/{MISSING}/"])


def test_each_page_is_its_own_canonical_unless_it_falls_back(pages_of_four: Pages) -> None:
    for address, page in pages_of_four.items():
        canonical = page.html.select_one("link[rel=canonical]")
        original = address if not page.html.select(".rw-notice") else re.sub(r"^/\w\w/", "/", address)
        assert canonical and canonical["href"] == ADDRESS + original[1:]


def test_a_shared_page_has_a_picture(pages_of_four: Pages) -> None:
    for page in pages_of_four.values():
        shown = {str(meta["property"]): str(meta["content"]) for meta in page.html.select("meta[property^='og:']")}
        assert shown["og:image"] == f"{ADDRESS}assets/card.png"
        assert shown["og:image:alt"]
        card = page.html.select_one("meta[name='twitter:card']")
        assert card and card["content"] == "summary_large_image"
    picture = (ROOT / "docs/assets/card.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(picture[at : at + 4]) for at in (16, 20)] == [1200, 630]


def test_the_site_map_names_every_page_once_with_its_alternates(built: Path, pages_of_four: Pages) -> None:
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    entries = ElementTree.parse(built / "sitemap.xml").getroot().findall("s:url", space)
    mapped = {
        str(entry.findtext("s:loc", None, space)): {
            str(link.get("hreflang")): str(link.get("href")) for link in entry.findall("x:link", space)
        }
        for entry in entries
    }
    assert len(mapped) == len(entries)
    written = {address: page for address, page in pages_of_four.items() if not page.html.select(".rw-notice")}
    assert mapped == {ADDRESS + address[1:]: hreflang(page) for address, page in written.items()}


def test_the_404_page_finds_its_way_from_any_depth(built: Path) -> None:
    lost = (built / "404.html").read_text()
    assert f'<section class="rw-lost" lang="{TAG}" data-language="{CODE}">' in lost
    for address in re.findall(r'(?:href|src)="([^"#]+)"', lost):
        assert address.startswith(("/some/path/", "https://")), address
