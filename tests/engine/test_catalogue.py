"""The catalogues: our reader reads them as gettext's own tools do, and no language lacks a word.

The tools are polib and Babel, which the tests have and the engine has not.
"""

import re
import string
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewalk import Catalogue, languages
from rulewalk.catalogue import LOCALES, read_po

babel_messages = pytest.importorskip("babel.messages")
pofile = pytest.importorskip("babel.messages.pofile")
polib = pytest.importorskip("polib")

FILES = sorted(Path(LOCALES).glob("*/LC_MESSAGES/*.po"))
DOMAINS = sorted({path.stem for path in FILES})


def by_polib(path: Path) -> dict[str, Any]:
    """Read a catalogue's messages, the header's left out, as polib does."""
    return {
        entry.msgid: tuple(entry.msgstr_plural[form] for form in sorted(entry.msgstr_plural)) or entry.msgstr
        for entry in polib.pofile(str(path))
        if entry.translated()
    }


def by_babel(path: Path) -> dict[str, Any]:
    """Read a catalogue's messages, the header's left out, as Babel does."""
    with path.open("rb") as file:
        catalogue = pofile.read_po(file)
    return {
        message.id[0] if isinstance(message.id, tuple) else message.id: message.string
        for message in catalogue
        if message.id and message.string and not message.fuzzy
    }


def by_us(path: Path) -> dict[str, Any]:
    messages = read_po(path.read_text(encoding="utf-8"))
    del messages[""]
    return messages


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_catalogue_is_read_as_polib_and_babel_read_it(path: Path) -> None:
    assert by_us(path) == by_polib(path) == by_babel(path)
    assert by_us(path)


# What can stand in a message: quotation marks, backslashes, line ends and anything that is not English among them.
TEXTS = st.text(st.sampled_from("abé “«\\\"'nrt\n\t {}%#~0"), min_size=1, max_size=12)
KEYS = st.text(string.ascii_letters + string.digits + ".-", min_size=1, max_size=12)


@given(
    messages=st.dictionaries(KEYS, st.one_of(TEXTS, st.tuples(TEXTS, TEXTS)), max_size=5),
    comment=st.sampled_from(["", "Where it appears.", 'msgid "trap"', "two\nlines"]),
    width=st.sampled_from([0, 20, 76]),
)
def test_what_the_tools_write_is_read_back(messages: dict[str, Any], comment: str, width: int) -> None:
    written = babel_messages.Catalog(locale="en")
    other = polib.POFile(wrapwidth=width or 10_000)
    other.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    for key, message in messages.items():
        several = isinstance(message, tuple)
        written.add((key, key) if several else key, message, auto_comments=comment.splitlines())
        other.append(
            polib.POEntry(msgid=key, msgid_plural=key, msgstr_plural=dict(enumerate(message)), comment=comment)
            if several
            else polib.POEntry(msgid=key, msgstr=message, comment=comment)
        )
    out = BytesIO()
    pofile.write_po(out, written, width=width)
    for text in (out.getvalue().decode(), str(other)):
        for newline in ("\n", "\r\n"):
            read = read_po(text.replace("\n", newline))
            assert "" in read
            del read[""]
            assert read == messages


HEADER = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=n != 1;\\n"\n\n'


@pytest.mark.parametrize(
    "entry",
    [
        '#, fuzzy\nmsgid "key"\nmsgstr "word"\n',
        '#, python-brace-format, fuzzy\nmsgid "key"\nmsgstr "word"\n',
        'msgid "key"\nmsgstr ""\n',
        'msgid "key"\nmsgid_plural "key"\nmsgstr[0] ""\nmsgstr[1] ""\n',
        'msgid "key"\nmsgid_plural "key"\nmsgstr[0] "one"\nmsgstr[1] ""\n',
        '#~ msgid "key"\n#~ msgstr "word"\n',
        "# Only a remark.\n",
    ],
)
def test_what_is_unfinished_or_obsolete_is_left_out(entry: str) -> None:
    assert set(read_po(HEADER + entry)) == {""}
    assert set(read_po(HEADER + entry + '\nmsgid "next"\nmsgstr "following"\n')) == {"", "next"}


def test_a_message_may_go_over_several_lines() -> None:
    entry = 'msgid "key"\nmsgstr ""\n"one “two”, "\n"three\\n"\n"\\"four\\" \\\\n"\n'
    assert read_po(HEADER + entry)["key"] == 'one “two”, three\n"four" \\n'


# ---- What the catalogues hold


def placeholders(message: Any) -> list[set[str]]:
    """Return the names in braces in each form of a message."""
    forms = (message,) if isinstance(message, str) else message
    return [{name for _, name, _, _ in string.Formatter().parse(form) if name} for form in forms]


def test_english_spanish_and_portuguese_have_catalogues() -> None:
    assert languages() == ["en", "es", "pt"]
    assert {path.parts[-3] for path in FILES} == {"en", "es", "pt"}
    assert len(FILES) == 3 * len(DOMAINS)


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", ["es", "pt"])
def test_no_language_lacks_a_message_or_has_one_too_many(language: str, domain: str) -> None:
    own = by_us(Path(LOCALES) / language / "LC_MESSAGES" / f"{domain}.po")
    english = by_us(Path(LOCALES) / "en" / "LC_MESSAGES" / f"{domain}.po")
    assert own.keys() == english.keys()
    for key, message in english.items():
        assert isinstance(own[key], str) == isinstance(message, str), key
        allowed = set().union(*placeholders(message)) - {"masculine", "feminine", "n"}
        for form in placeholders(own[key]):
            assert form - {"masculine", "feminine", "n"} <= allowed, key


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_no_id_stands_twice_in_a_catalogue(path: Path) -> None:
    ids = re.findall(r'^msgid "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(set(ids)) == len(ids)


def test_a_key_that_a_language_lacks_falls_back_to_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for language, messages in [("en", {"a": "one", "b": "two"}), ("es", {"a": "uno"})]:
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        entries = "\n".join(f'msgid "{key}"\nmsgstr "{text}"\n' for key, text in messages.items())
        (folder / "rulewalk.po").write_text(HEADER + entries, encoding="utf-8")
    monkeypatch.setattr("rulewalk.catalogue.LOCALES", tmp_path)
    Catalogue.load.cache_clear()
    try:
        spanish = Catalogue.load("es")
        assert (spanish.text("a"), spanish.text("b")) == ("uno", "two")
        assert "b" in spanish
        assert "c" not in spanish
        with pytest.raises(KeyError):
            spanish.text("c")
        with pytest.raises(LookupError):
            Catalogue.load("pt")
    finally:
        Catalogue.load.cache_clear()


@pytest.mark.parametrize(
    ("rule", "ones"),
    [("n != 1", {1}), ("(n > 1)", {0, 1}), ("(n != 1)", {1}), ("n==1 ? 0 : 1", {1})],
)
def test_plural_forms_follow_the_catalogues_own_rule(
    rule: str, ones: set[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "en" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    header = f'msgid ""\nmsgstr ""\n"Language: en\\n"\n"Plural-Forms: nplurals=2; plural={rule};\\n"\n\n'
    entries = 'msgid "card"\nmsgid_plural "card"\nmsgstr[0] "{n} card"\nmsgstr[1] "{n} cards"\n'
    words = "".join(f'\nmsgid "numbers.{gender}"\nmsgstr "zero one"\n' for gender in ("masculine", "feminine"))
    (folder / "rulewalk.po").write_text(header + entries + words, encoding="utf-8")
    monkeypatch.setattr("rulewalk.catalogue.LOCALES", tmp_path)
    Catalogue.load.cache_clear()
    try:
        for n in range(4):
            assert Catalogue.load("en").plural("card", n) == (f"{n} card" if n in ones else f"{n} cards")
    finally:
        Catalogue.load.cache_clear()
