"""The catalogues against the code: what is missing, unused, unfinished or broken; and the pages that wait.

    python tools/words.py          say it (make words)
    python tools/words.py add      write missing keys into the catalogues, to be translated there

Keys are read off the code: the strings that ask a catalogue for a message, the
templates of the site's shell, and the comments of the walkthroughs' scripts.
"""

import argparse
import ast
import re
import string
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import polib

import languages
import pages
from rulewalk.cards import RANKS
from rulewalk_tutorials import script

ROOT = languages.ROOT
LOCALES = ROOT / "locales"
ORIGINAL = "en"
DOMAINS = ("rulewalk", "site", "walkthroughs")

_KEY = re.compile(r"[a-z][a-z-]*(\.[\w/-]+)+")
# What a message may hold beside what its English and its comment speak of (rulewalk.catalogue).
_NUMBERS = {"n", "masculine", "feminine"}


# What the code asks for


@cache
def used() -> dict[str, list[re.Pattern[str]]]:
    """The keys that the code asks for, by catalogue: patterns, since a part of a key may be decided in play."""
    sources = [*(ROOT / "engine/rulewalk").glob("*.py"), *(ROOT / "tutorials/rulewalk_tutorials").glob("*.py")]
    asked = {pattern for file in sources for pattern in _asked_in(ast.parse(file.read_text("utf-8")))}
    return {
        "rulewalk": [re.compile(pattern) for pattern in asked],
        "site": [re.compile(pattern) for pattern in asked | set(_shell())],
        "walkthroughs": [re.compile(re.escape(key)) for key in needed_by_scripts()],
    }


def _asked_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _KEY.fullmatch(node.value):
            yield re.escape(node.value)
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            yield _pattern(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
            yield from _refusal(node)


def _pattern(node: ast.expr | None) -> str:
    """What a string can be: each part that is decided in play may be anything without a full stop."""
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(text)
        case ast.JoinedStr(values=values):
            return "".join(_pattern(value) for value in values)
    return r"[^.]+"


def _refusal(call: ast.Call) -> Iterator[str]:
    code = _pattern(call.args[0] if call.args else None)
    about = next((keyword.value for keyword in call.keywords if keyword.arg == "about"), None)
    yield rf"refusal\.{code}"
    if about is not None:
        yield rf"refusal\.{code}\.{_pattern(about)}(\.[^.]+)?"


def _shell() -> Iterator[str]:
    """The words of the templates, ours and, since ours stand in for them, the theme's; and those of the build."""
    theme = find_spec("material")
    assert theme and theme.origin
    folders = ROOT / "docs/overrides", Path(theme.origin).parent / "templates"
    texts = [file.read_text("utf-8") for folder in folders for file in folder.rglob("*.html")]
    for text in texts:
        for key in re.findall(r"(?:\bword\(|lang\.t\()[\"']?([\w.-]+)", text):
            yield re.escape(f"shell.{key}")
    for file in (ROOT / "tools").glob("*.py"):
        for key in re.findall(r"\"(shell\.[\w.-]+)\"", file.read_text("utf-8")):
            yield re.escape(key)


def needed_by_scripts() -> set[str]:
    """All words of every walkthrough: titles, comments, agreements."""
    return {key for name in script.names() for key in script.load(name).words()}


def _needed(domain: str) -> set[str]:
    """The keys that can be listed one by one, and so must be there."""
    if domain == "walkthroughs":
        return needed_by_scripts()
    if domain == "site":
        return set()
    return {f"{family}.{rank}" for family in ("rank", "count", "none", "all", "the") for rank in RANKS}


# What the catalogues hold


def problems(locales: Path = LOCALES) -> Iterator[str]:
    """Say, a sentence each, what is wrong with the catalogues."""
    for domain in DOMAINS:
        original = _catalogue(locales, ORIGINAL, domain)
        keys = {entry.msgid: entry for entry in original}
        for key in keys:
            if not any(pattern.fullmatch(key) for pattern in used()[domain]):
                yield f"{domain}.po: {key} is not used by anything."
        for pattern in used()[domain]:
            literal = pattern.pattern.replace("\\", "")
            asked = domain == "rulewalk" and _KEY.fullmatch(literal) and _family(literal) in map(_family, keys)
            if asked and literal not in keys and not any(key.startswith(literal + ".") for key in keys):
                yield f"{domain}.po: {literal} is asked for and not there."
        for key in sorted(_needed(domain) - keys.keys()):
            yield f"{domain}.po: {key} is needed and not there."
        for language in languages.listed():
            where = f"{language.code}/{domain}.po"
            yield from (f"{where}: {what}" for what in _faults(_catalogue(locales, language.code, domain), keys))


def _family(key: str) -> str:
    return key.partition(".")[0]


def _faults(catalogue: polib.POFile, original: dict[str, polib.POEntry]) -> Iterator[str]:
    forms = re.search(r"nplurals=(\d)", catalogue.metadata.get("Plural-Forms", ""))
    if not forms:
        yield "the header says nothing of plural forms."
        return
    if catalogue.obsolete_entries():
        yield "messages that are commented out are better deleted."
    here = {entry.msgid: entry for entry in catalogue if not entry.obsolete}
    for key in sorted(original.keys() - here.keys()):
        yield f"{key} is missing."
    for key in sorted(here.keys() - original.keys()):
        yield f"{key} is unknown: the English catalogue has no such key."
    if len(here) != len([entry for entry in catalogue if not entry.obsolete]):
        yield "a key is there twice."
    for key in here.keys() & original.keys():
        # A comment stands before the first of its kind: what it says of placeholders holds for all of them.
        kind = [entry for other, entry in original.items() if other.rpartition(".")[0] == key.rpartition(".")[0]]
        yield from (f"{key} {what}" for what in _entry_faults(here[key], original[key], kind, int(forms[1])))


def _entry_faults(
    entry: polib.POEntry, original: polib.POEntry, kind: list[polib.POEntry], forms: int
) -> Iterator[str]:
    texts = list(entry.msgstr_plural.values()) or [entry.msgstr]
    if entry.fuzzy:
        yield "is fuzzy: look at it once more, and remove the mark."
    if not all(texts):
        yield "is not translated."
        return
    if bool(entry.msgid_plural) != bool(original.msgid_plural):
        yield "must have plural forms in every language or in none."
        return
    if entry.msgid_plural and len(texts) != forms:
        yield f"has {len(texts)} plural forms of {forms}."
    try:
        fields = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError as error:
        yield f"has a broken placeholder: {error}."
        return
    known = _fields(original, kind) | (_NUMBERS if entry.msgid_plural else set())
    for unknown in sorted(fields - known):
        yield f"has the placeholder {{{unknown}}}, which nobody fills in."


def _fields(original: polib.POEntry, kind: list[polib.POEntry]) -> set[str]:
    """The placeholders of a message: those its English uses, and those that comments offer to other languages."""
    texts = [original.msgstr, *original.msgstr_plural.values(), *(entry.comment for entry in kind)]
    return {name for text in texts for name in re.findall(r"\{(\w+)\}", text)}


def _catalogue(locales: Path, language: str, domain: str) -> polib.POFile:
    return polib.pofile(str(locales / language / "LC_MESSAGES" / f"{domain}.po"), wrapwidth=0)


def add(locales: Path = LOCALES) -> int:
    """Write every key that a catalogue lacks into it, empty, with its comment and its English; return how many."""
    added = 0
    for domain in DOMAINS:
        original = _catalogue(locales, ORIGINAL, domain)
        for key in sorted(_needed(domain) - {entry.msgid for entry in original}):
            original.append(polib.POEntry(msgid=key, msgstr=""))
            added += 1
        original.save()
        for language in languages.listed():
            catalogue = _catalogue(locales, language.code, domain)
            here = {entry.msgid for entry in catalogue}
            for entry in original:
                if entry.msgid not in here:
                    english = entry.msgstr or " / ".join(entry.msgstr_plural.values())
                    catalogue.append(
                        polib.POEntry(
                            msgid=entry.msgid,
                            msgid_plural=entry.msgid_plural,
                            msgstr_plural=dict.fromkeys(entry.msgstr_plural, ""),
                            comment=f"{entry.comment}\nEnglish: {english}".strip(),
                        )
                    )
                    added += 1
            catalogue.save()
    return added


def main() -> None:
    parser = argparse.ArgumentParser(description="Say what is wrong with the catalogues, and which pages wait.")
    parser.add_argument("doing", nargs="?", choices=["add"], help="write missing keys into the catalogues")
    if parser.parse_args().doing == "add":
        print(f"{add()} keys added: fill in their msgstr.")
        return
    wrong = list(problems())
    print("\n".join(wrong) or "The catalogues are complete.")
    print("\n".join(pages.report()) or "No page waits for a translator.")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
