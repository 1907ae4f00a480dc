"""The catalogues, and the pages that wait for a translator: what is missing, stale or broken is reported."""

import shutil
import warnings
from pathlib import Path

import polib
import pytest

import pages
import words

from .built import LANGUAGES


def test_the_catalogues_have_what_the_code_asks_for_and_nothing_else() -> None:
    assert not [*words.problems()]


@pytest.mark.parametrize("domain", words.DOMAINS)
def test_every_kind_of_message_is_explained_to_translators(domain: str) -> None:
    catalogue = polib.pofile(str(words.LOCALES / "en/LC_MESSAGES" / f"{domain}.po"))
    kinds = {entry.msgid.partition(".")[0] for entry in catalogue}
    assert kinds == {entry.msgid.partition(".")[0] for entry in catalogue if entry.comment}


@pytest.fixture
def locales(tmp_path: Path) -> Path:
    return shutil.copytree(words.LOCALES, tmp_path / "locales")


def edit(locales: Path, language: str, old: str, new: str, domain: str = "site") -> None:
    """Change a catalogue as a translator's slip would."""
    file = locales / language / "LC_MESSAGES" / f"{domain}.po"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def wrong(locales: Path) -> list[str]:
    """What is wrong with the copy and not with the catalogues themselves."""
    known = {*words.problems()}
    return [problem for problem in words.problems(locales) if problem not in known]


def entry(locales: Path, language: str, key: str, domain: str) -> str:
    catalogue = polib.pofile(str(locales / language / "LC_MESSAGES" / f"{domain}.po"), wrapwidth=0)
    found = catalogue.find(key)
    assert found
    return str(found).strip()


def test_a_missing_message_is_reported_and_can_be_added(locales: Path) -> None:
    edit(locales, "pt", 'msgid "player.next"\nmsgstr "Seguinte"\n', "")
    assert wrong(locales) == ["pt/site.po: player.next is missing."]
    assert words.add(locales) == 1
    assert "English: Next" in entry(locales, "pt", "player.next", "site")
    assert wrong(locales) == ["pt/site.po: player.next is not translated."]
    assert words.add(locales) == 0


def test_an_unused_message_is_reported(locales: Path) -> None:
    for language in LANGUAGES:
        edit(locales, language, 'msgid "player.next"', 'msgid "player.never"\nmsgstr "x"\n\nmsgid "player.next"')
    # The player's buttons are asked for by name; nothing asks for this one, but a pattern might.
    for language in LANGUAGES:
        edit(locales, language, 'msgid "rule.home"', 'msgid "corner.left"\nmsgstr "x"\n\nmsgid "rule.home"')
    assert "site.po: corner.left is not used by anything." in wrong(locales)


def test_a_message_unknown_to_english_is_reported(locales: Path) -> None:
    edit(locales, "es", 'msgid "player.next"', 'msgid "player.nxt"')
    assert set(wrong(locales)) == {
        "es/site.po: player.next is missing.",
        "es/site.po: player.nxt is unknown: the English catalogue has no such key.",
    }


def test_what_the_engine_needs_is_asked_for(locales: Path) -> None:
    for language in LANGUAGES:
        edit(locales, language, 'msgid "the.K"', 'msgid "the.Z"', "rulewalk")
        edit(locales, language, 'msgid "refusal.rank-not-held"', 'msgid "refusal.rank"', "rulewalk")
        edit(locales, language, 'msgid "backstab-fish/bf-6-1.title"', 'msgid "backstab-fish/bf.title"', "walkthroughs")
    found = wrong(locales)
    assert "rulewalk.po: the.K is needed and not there." in found
    assert "rulewalk.po: refusal.rank-not-held is asked for and not there." in found
    assert "walkthroughs.po: backstab-fish/bf-6-1.title is needed and not there." in found


def test_a_fuzzy_message_is_reported(locales: Path) -> None:
    edit(locales, "es", 'msgid "player.next"', '#, fuzzy\nmsgid "player.next"')
    (found,) = wrong(locales)
    assert found.startswith("es/site.po: player.next is fuzzy")


def test_a_broken_placeholder_is_reported(locales: Path) -> None:
    edit(locales, "es", "{player} ", "{jugador} ", "rulewalk")
    edit(locales, "pt", "{player} ", "{player ", "rulewalk")
    unknown, broken = wrong(locales)
    assert "has the placeholder {jugador}, which nobody fills in" in unknown
    assert "has a broken placeholder" in broken


def test_a_missing_plural_form_is_reported(locales: Path) -> None:
    (form,) = entry(locales, "pt", "table.cards", "rulewalk").splitlines()[-1:]
    edit(locales, "pt", form, 'msgstr[1] ""', "rulewalk")
    assert wrong(locales) == ["pt/rulewalk.po: table.cards is not translated."]


# Pages


def test_stale_pages_are_told_of() -> None:
    """A warning, not a failure: English may be mended without waiting for translators."""
    if waiting := [*pages.report()]:
        warnings.warn("\n".join(["pages wait for a translator:", *waiting]), stacklevel=1)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    for page in ("en/new.md", "en/api.md", "en/same.md", "es/same.md", "pt/same.md", "pt/new.md"):
        file = tmp_path / page
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"---\ntitle: {page}\n---\n\n# {page}\n\n---\n")
    return tmp_path


def test_a_page_is_stale_from_the_day_its_english_changes_until_it_was_looked_at(docs: Path) -> None:
    pages.mark("es", "same.md", docs)
    assert pages.stale("es", docs) == []
    assert pages.stale("pt", docs) == ["new.md", "same.md"]
    with (docs / "en/same.md").open("a") as file:
        file.write("More.\n")
    assert pages.stale("es", docs) == ["same.md"]
    pages.mark("es", "same.md", docs)
    assert pages.stale("es", docs) == []
    text = (docs / "es/same.md").read_text()
    assert text.startswith("---\ntitle: es/same.md\nenglish: ") and text.count("english:") == 1
    assert text.endswith("\n---\n\n# es/same.md\n\n---\n")


def test_a_missing_page_is_told_of_unless_it_is_in_english_on_purpose(docs: Path) -> None:
    assert pages.missing("es", docs) == ["new.md"]
    assert pages.missing("pt", docs) == []
    told = [*pages.report(docs)]
    assert "es/new.md is missing: en/new.md is shown in its place." in told
    assert any(sentence.startswith("pt/same.md may be out of date") for sentence in told)
