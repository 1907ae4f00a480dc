"""Makes the theme's search fit for several languages: what is found, and by which words."""

import itertools
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import languages

type Entry = dict[str, Any]

#: Where the theme looks for an index, below the home of a language.
PLACE = "search/search_index.json"


def split(pages: Path, before: Path | None = None) -> None:
    """Give each language an index of its own, with addresses from that language's home.

    MkDocs writes a single index for everything, and the theme reads
    `search/search_index.json` below the base that a page names (see `hooks.py`).
    Where MkDocs has written only some pages, the others are as the site `before` has them.
    """
    index = json.loads((pages / PLACE).read_text())
    entries: dict[str, list[Entry]] = {language.home: [] for language in languages.listed()}
    for entry in index["docs"]:
        home = next(home for home in sorted(entries, reverse=True) if entry["location"].startswith(home))
        own = entry | {"location": entry["location"].removeprefix(home)}
        if plain := without_accents(f"{entry['title']} {entry['text']}"):
            own["tags"] = plain
        entries[home].append(own)
    for language in languages.listed():
        stop_words = pages / f"assets/javascripts/lunr/min/lunr.{language.code}.min.js"
        config = index["config"] | {"lang": [language.code if stop_words.exists() else "en"]}
        place = pages / language.home / PLACE
        place.parent.mkdir(parents=True, exist_ok=True)
        found = entries[language.home]
        if before:
            found = _renewed(json.loads((before / language.home / PLACE).read_text())["docs"], found)
        own_index = index | {"config": config, "docs": found}
        place.write_text(json.dumps(own_index, ensure_ascii=False, separators=(",", ":")))


def _renewed(old: list[Entry], new: list[Entry]) -> list[Entry]:
    """The old entries, with those of some pages in the place of what was there of the same pages."""
    renewed = {_page(entry) for entry in new}
    entries: list[Entry] = []
    for page, group in itertools.groupby(old, _page):
        entries += [entry for entry in new if _page(entry) == page] if page in renewed else group
    return entries


def _page(entry: Entry) -> str:
    return str(entry["location"]).partition("#")[0]


def without_accents(text: str) -> list[str]:
    """The words of a text that have accents, without them: who looks for peticion finds petición.

    The theme looks for what it calls tags as for any other word, and `site.css` does not show them.
    """
    words = set(re.findall(r"\w+", re.sub(r"<[^>]*>", " ", text).lower()))
    plain = {word: unicodedata.normalize("NFD", word).encode("ascii", "ignore").decode() for word in words}
    return sorted({bare for word, bare in plain.items() if bare != word})
