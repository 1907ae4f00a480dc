"""Makes the search's indexes, one for each language, of what the theme's plugin has gathered."""

import itertools
import json
import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any, TypedDict

import languages
from rulewalk.rules import RULES

#: A rule's paragraph, as the plugin has it.
_RULE = re.compile(r"<(?P<tag>p|li)>\s*(?:<p>\s*)?(?P<number>[A-Z]{2}-\d+\.\d+) (?P<text>.*?)</(?P=tag)>", re.DOTALL)

#: The name of an index, below the home of a language.
_PLACE = "search.json"


class Entry(TypedDict):
    """Something that can be found (docs/assets/results.ts)."""

    location: str
    """Its address below the language's home."""
    title: str
    within: str
    """The page that it is on and, of a rule, the section."""
    text: str


def write(pages: Path, before: Path | None = None) -> None:
    """Give each language an index of its own: its sections, and each rule by itself, under its number.

    Where MkDocs has written only some pages, the others are as the site `before` has them.
    """
    sections = json.loads((pages / "search/search_index.json").read_text("utf-8"))["docs"]
    shutil.rmtree(pages / "search")
    homes = sorted((language.home for language in languages.listed()), reverse=True)
    found: dict[str, list[Entry]] = {home: [] for home in homes}
    titles: dict[str, str] = {}
    for section in sections:
        home = next(home for home in homes if section["location"].startswith(home))
        page, _, anchor = section["location"].partition("#")
        titles.setdefault(page, _plain(section["title"]))
        within = titles[page] if anchor else ""
        found[home] += _entries(section | {"location": section["location"].removeprefix(home)}, within)
    for home, entries in found.items():
        if before:
            entries = _renewed(json.loads((before / home / _PLACE).read_text("utf-8")), entries)
        place = pages / home / _PLACE
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(entries, ensure_ascii=False, separators=(",", ":")), "utf-8")


def _renewed(old: list[Entry], new: list[Entry]) -> list[Entry]:
    """The old entries, with those of some pages in the place of what was there of the same pages."""
    renewed = {_page(entry) for entry in new}
    entries: list[Entry] = []
    for page, group in itertools.groupby(old, _page):
        entries += [entry for entry in new if _page(entry) == page] if page in renewed else group
    return entries


def _page(entry: Entry) -> str:
    return entry["location"].partition("#")[0]


def _entries(section: dict[str, Any], page: str) -> list[Entry]:
    """A section less its rules, and its rules."""
    title, location = _plain(section["title"]), section["location"]
    rules: list[Entry] = []

    def take(told: re.Match[str]) -> str:
        rule = RULES.get(told["number"])
        if rule is None or not location.startswith(f"{rule.game}/"):
            return told[0]  # a number that begins a paragraph of some other page
        place = f"{location.partition('#')[0]}#{rule.anchor}"
        text = _plain(told["text"])
        rules.append(Entry(location=place, title=rule.number, within=f"{page} · {title}", text=text))
        return " "

    rest = _RULE.sub(take, section["text"])
    return [Entry(location=location, title=title, within=page, text=_plain(rest)), *rules]


def _plain(html: str) -> str:
    """The text of some HTML, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
