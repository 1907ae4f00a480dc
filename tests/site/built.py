"""The built pages, as the tests of this folder read them."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup

import languages
import pages as waiting
from rulewalk.catalogue import Catalogue

ROOT = Path(__file__).resolve().parents[2]
HOST = "http://rulewalk.test"

LANGUAGES = {language.code: language for language in languages.listed()}
HOMES = {code: f"/{language.home}" for code, language in LANGUAGES.items()}
TAGS = {code: Catalogue.load(code, "site").text("shell.language") for code in LANGUAGES}

ENGLISH_ONLY = {f"{Path(page).stem}/" for page in waiting.ENGLISH_ONLY}


def paths_of(language: str) -> set[str]:
    """The addresses, below the language's home, of the pages that are written in a language."""
    folder = ROOT / "docs" / language
    names = (file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.md"))
    return {"" if name == "index" else f"{name}/" for name in names}


PATHS = {language: paths_of(language) for language in LANGUAGES}

# Every page in every language, as it is served; and those that are not English for want of a translation.
SERVED = [(language, path) for language in LANGUAGES for path in sorted(PATHS["en"])]
WRITTEN = [(language, path) for language, path in SERVED if path in PATHS[language]]
FALLEN_BACK = [one for one in SERVED if one not in WRITTEN]


@dataclass
class BuiltPage:
    address: str
    file: Path

    @cached_property
    def html(self) -> BeautifulSoup:
        return BeautifulSoup(self.file.read_text(), "html.parser")

    @cached_property
    def anchors(self) -> set[str]:
        return {str(element["id"]) for element in self.html.select("[id]")}

    @cached_property
    def links(self) -> set[str]:
        """Where the page's links lead: absolute, with fragment."""
        return {self.absolute(str(link["href"])) for link in self.html.select("a[href]")}

    def absolute(self, address: str) -> str:
        return urljoin(HOST + self.address, address)

    def path(self, address: str) -> str:
        return urlsplit(self.absolute(address)).path


type Pages = dict[str, BuiltPage]


def pages_in(site: Path) -> Pages:
    """All built pages by their address (`/es/backstab-fish/`)."""
    found = {}
    for file in site.rglob("index.html"):
        folder = file.parent.relative_to(site).as_posix()
        address = "/" if folder == "." else f"/{folder}/"
        found[address] = BuiltPage(address, file)
    return found
