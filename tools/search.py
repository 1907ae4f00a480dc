"""Makes the theme's search fit for several languages: what is found, and by which words."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import languages


def split(pages: Path) -> None:
    """Give each language an index of its own, with addresses from that language's home.

    MkDocs writes a single index for everything, and the theme reads
    `search/search_index.json` below the base that a page names (see `hooks.py`).
    """
    index = json.loads((pages / "search/search_index.json").read_text())
    entries: dict[str, list[dict[str, Any]]] = {language.home: [] for language in languages.listed()}
    for entry in index["docs"]:
        home = next(home for home in sorted(entries, reverse=True) if entry["location"].startswith(home))
        own = entry | {"location": entry["location"].removeprefix(home)}
        if plain := without_accents(f"{entry['title']} {entry['text']}"):
            own["tags"] = plain
        entries[home].append(own)
    for language in languages.listed():
        stop_words = pages / f"assets/javascripts/lunr/min/lunr.{language.code}.min.js"
        config = index["config"] | {"lang": [language.code if stop_words.exists() else "en"]}
        place = pages / language.home / "search/search_index.json"
        place.parent.mkdir(exist_ok=True)
        own_index = index | {"config": config, "docs": entries[language.home]}
        place.write_text(json.dumps(own_index, ensure_ascii=False, separators=(",", ":")))


def without_accents(text: str) -> list[str]:
    """The words of a text that have accents, without them: who looks for peticion finds petición.

    The theme looks for what it calls tags as for any other word, and `site.css` does not show them.
    """
    words = set(re.findall(r"\w+", re.sub(r"<[^>]*>", " ", text).lower()))
    plain = {word: unicodedata.normalize("NFD", word).encode("ascii", "ignore").decode() for word in words}
    return sorted({bare for word, bare in plain.items() if bare != word})
