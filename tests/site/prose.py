"""The words of a language: all that a page or a catalogue says in it, less what is no prose."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import polib
from bs4 import BeautifulSoup, NavigableString, Tag

from .built import HOMES, ROOT, SERVED, TAGS, WRITTEN, Pages

type Said = tuple[str, str]
"""Where something is said, and what."""
type Say = Callable[[str], list[Said]]
"""All that we say in a language."""

# What is no prose in any language: code and what is told in it, data, and the numbers of rules.
NO_PROSE = {"code", "pre", "kbd", "script", "style", "svg", "doc", "rule-number"}
# What stands within a line. Everything else begins a new one.
INLINE = {"a", "abbr", "b", "em", "i", "small", "span", "strong", *NO_PROSE}
NAMED = ("aria-label", "title", "alt", "placeholder")
# In the place of what was left out.
GAP = "\N{OBJECT REPLACEMENT CHARACTER}"


def pieces(html: BeautifulSoup, language: str) -> list[str]:
    """All that a page says in a language, line by line, with what assistive technology reads out."""
    assert html.body
    reader = _Reader(language)
    reader.read(html.body, language)
    reader.end_line()
    return reader.pieces


class _Reader:
    def __init__(self, language: str) -> None:
        self.language = language
        self.pieces: list[str] = []
        self.line: list[str] = []

    def read(self, element: Tag, language: str) -> None:
        language = str(element.get("lang", language))
        own = language == self.language
        if element.get("aria-hidden") == "true":
            return  # drawn only; what it shows is said elsewhere
        if element.name in NO_PROSE or element.has_attr("data-rule") or NO_PROSE & {*element.get("class", [])}:
            self.line.append(GAP)
            return
        if own:
            self.pieces += [str(element[name]) for name in NAMED if element.get(name)]
        if element.name not in INLINE:
            self.end_line()
        for child in element.children:
            if isinstance(child, Tag):
                self.read(child, language)
            elif type(child) is NavigableString:
                self.line.append(str(child) if own or not child.strip() else GAP)
        if element.name not in INLINE:
            self.end_line()

    def end_line(self) -> None:
        if line := " ".join("".join(self.line).split()).strip(GAP + " "):
            self.pieces.append(line)
        self.line = []


def on_pages(pages: Pages, language: str) -> Iterator[Said]:
    """Each piece of text of a language on the pages of that language, with its page's address."""
    for path in (path for served, path in SERVED if served == language):
        address = HOMES[language] + path
        html = pages[address].html
        found = pieces(html, TAGS[language])
        if (language, path) in WRITTEN:
            found += [str(meta["content"]) for meta in html.select("meta[name=description]")]
            found += [title.text for title in html.select("title")]
        yield from ((address, piece) for piece in found)


def in_catalogues(language: str) -> Iterator[Said]:
    """Each message of a language, its placeholders left out, with its catalogue and key."""
    for file in sorted((ROOT / "locales" / language / "LC_MESSAGES").glob("*.po")):
        for entry in polib.pofile(str(file)):
            if entry.msgid != "shell.language":
                for form in entry.msgstr_plural.values() or [entry.msgstr]:
                    yield f"{file.stem}.po, {entry.msgid}", re.sub(r"\{\w+\}", GAP, str(form))


def project_words(language: str) -> list[str]:
    return (Path(__file__).parent / "words" / f"{language}.txt").read_text("utf-8").split()
