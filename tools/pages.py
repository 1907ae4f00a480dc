"""Which pages wait for a translator: missing in a language, or changed in English since they were last compared.

    python tools/pages.py                       say what waits
    python tools/pages.py mark es/glossary.md   this page was held against the English of today (or --all)

A translated page notes in its front matter, as `english:`, the digest of the
English page that it was last held against.
"""

import argparse
import hashlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import languages

DOCS = languages.ROOT / "docs"
ORIGINAL = "en"
# What nobody is asked to translate: the engine's reference, made from docstrings, and figures.
ENGLISH_ONLY = {"api.md", "figures.md"}

_NOTE = re.compile(r"(?<=\n)english: .*\n")
_FRONT_MATTER_END = re.compile(r"(?<=\n)---\n")


def digest(original: Path) -> str:
    """What a translation notes of the English page it was held against."""
    return hashlib.sha256(original.read_bytes()).hexdigest()[:12]


def missing(language: str, docs: Path = DOCS) -> list[str]:
    """The pages that are not yet written in a language."""
    return [
        page for page in _pages(ORIGINAL, docs) if page not in ENGLISH_ONLY and not (docs / language / page).exists()
    ]


def stale(language: str, docs: Path = DOCS) -> list[str]:
    """The pages whose English has changed since they were last held against it."""
    return [
        page
        for page in _pages(language, docs)
        if (original := docs / ORIGINAL / page).exists()
        and f"\nenglish: {digest(original)}\n" not in (docs / language / page).read_text("utf-8")
    ]


def mark(language: str, page: str, docs: Path = DOCS) -> None:
    """Note in a translated page that it says what the English page says today."""
    file = docs / language / page
    note = f"english: {digest(docs / ORIGINAL / page)}\n"
    text = _NOTE.sub("", file.read_text("utf-8"), count=1)
    file.write_text(_FRONT_MATTER_END.sub(f"{note}---\n", text, count=1), "utf-8")


def report(docs: Path = DOCS) -> Iterator[str]:
    """What waits for a translator, a sentence each."""
    for language in _translations():
        for page in missing(language, docs):
            yield f"{language}/{page} is missing: {ORIGINAL}/{page} is shown in its place."
        for page in stale(language, docs):
            yield (
                f"{language}/{page} may be out of date: {ORIGINAL}/{page} has changed. "
                f"Compare them, then: tools/pages.py mark {language}/{page}"
            )


def _translations() -> list[str]:
    return [language.code for language in languages.listed() if language.code != ORIGINAL]


def _pages(language: str, docs: Path) -> list[str]:
    folder = docs / language
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.md"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Say which pages wait for a translator.")
    doing = parser.add_subparsers(dest="doing")
    marking = doing.add_parser("mark", help="note that pages were held against the English of today")
    marking.add_argument("pages", nargs="*", metavar="LANGUAGE/PAGE", help="such as es/glossary.md")
    marking.add_argument("--all", action="store_true", help="every page of every translation")
    wanted = parser.parse_args()
    if wanted.doing != "mark":
        print("\n".join(report()) or "No page waits for a translator.")
        return
    for language in _translations():
        pages = [page for page in _pages(language, DOCS) if (DOCS / ORIGINAL / page).exists()]
        for page in pages if wanted.all else [page for page in pages if f"{language}/{page}" in wanted.pages]:
            mark(language, page)
            wanted.pages = [one for one in wanted.pages if one != f"{language}/{page}"]
    if wanted.pages:
        sys.exit(f"There is no such translated page: {', '.join(wanted.pages)}. Name it like es/glossary.md.")


if __name__ == "__main__":
    main()
