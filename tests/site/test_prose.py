"""The words themselves: spelling, variety, typography, and no English left in other languages.

What a person must judge, whether a sentence reads well, no test can. These find what slips through.
"""

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from .built import LANGUAGES, ROOT
from .prose import GAP, Said, Say, project_words

TRANSLATIONS = [language for language in LANGUAGES if language != "en"]
# Single letters and cards in a row, AKQ, are no words.
WORD = re.compile(r"(?!(?:[AKQJ]+|[A-Z])\b)[^\W\d_]+(?:['’-][^\W\d_]+)*")

# American spelling, the Spanish of the Americas, the Portuguese of Brazil: what is right elsewhere, but not here.
WRONG_VARIETY = {
    "en": r"""
        colors?|colored | centers?|centered | favorites? | favors? | gray | behaviors? | honors? | neighbors?
        | labeled | canceled | traveled | defense | offense | catalogs? | theater | gotten | math | fulfill
    """,
    "es": r"""
        ustedes | vos | computador\w* | celular(?:es)? | acá | ahorita | nomás | che[qc]uear\w* | (?:cliqu|click)e\w*
        | click | mouse | jugo | carros?
    """,
    "pt": r"""
        vocês? | telas? | usuári[oa]s? | celular(?:es)? | compartilh\w+ | arquivos? | delet\w+ | acessar | aplicativos?
        | c[ou]ringas? | esportes? | registros? | planej\w+ | contatos? | equipes? | mouse | ônibus
        | (?:est(?:á|ão|ou|ava|avam|amos)|continua|continuam|fica|ficam)\ \w+[aei]ndo
    """,
}

# Words that English has and the others have not: where one stands alone, something was not translated.
ENGLISH = re.compile(
    r"\b(the|and|of|with|you|your|this|that|these|from|is|are|was|it|its|not|have|what|when|which|who|how"
    r"|there|they|their|player|turn|stock|draw|suit|hand|next|back|search|page|rule|rules)\b",
    re.IGNORECASE,
)


def found(said: list[Said], wrong: re.Pattern[str]) -> list[str]:
    """Where something stands that should not, with a little of what stands around it."""
    hits = {
        f"{where}: {piece[max(0, hit.start() - 40) : hit.end() + 40]}".replace(GAP, "□")
        for where, piece in said
        for hit in wrong.finditer(piece)
    }
    return sorted(hits)


def misspelt(words: set[str], variety: str) -> set[str]:
    """Those words that hunspell does not know."""
    dictionary = variety.replace("-", "_")
    if not shutil.which("hunspell"):
        pytest.fail(
            "The spelling is checked with hunspell, which is not here: install hunspell, hunspell-en-gb, "
            "hunspell-es and hunspell-pt-pt ('apt-get install' on Debian).",
            pytrace=False,
        )
    asked = subprocess.run(
        ["hunspell", "-d", dictionary, "-i", "utf-8", "-l"],
        input="\n".join(sorted(words)),
        capture_output=True,
        text=True,
    )
    if asked.returncode:
        pytest.fail(
            f"hunspell has no dictionary {dictionary}: install hunspell-en-gb, hunspell-es and hunspell-pt-pt "
            f"('apt-get install' on Debian).\n{asked.stderr}",
            pytrace=False,
        )
    return set(asked.stdout.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_spelling(say: Say, language: str) -> None:
    places = defaultdict(set)
    for where, piece in say(language):
        for word in WORD.findall(piece):
            places[word.replace("’", "'")].add(where)
    known = set(project_words(language))
    unknown = misspelt(set(places), LANGUAGES[language].variety)
    new = {word: sorted(places[word])[:3] for word in sorted(unknown) if not {word, word.lower()} & known}
    assert not new, f"mend them, or add them to tests/site/words/{language}.txt"
    assert not sorted(known - unknown - {word.lower() for word in unknown}), (
        f"no longer needed in tests/site/words/{language}.txt"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_of_words_is_sorted(language: str) -> None:
    words = project_words(language)
    assert words == sorted(set(words), key=lambda word: (word.casefold(), word))


@pytest.mark.parametrize(
    ("variety", "right", "wrong"),
    [("en-GB", "colour", "recieve"), ("es-ES", "baraja", "barjaa"), ("pt-PT", "baralho", "barahlo")],
)
def test_a_misspelt_word_is_found(variety: str, right: str, wrong: str) -> None:
    assert misspelt({right, wrong}, variety) == {wrong}


@pytest.mark.parametrize("language", WRONG_VARIETY)
def test_the_variety_is_that_of_europe(say: Say, language: str) -> None:
    assert not found(say(language), variety(language))


def variety(language: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{WRONG_VARIETY[language]})\b", re.IGNORECASE | re.VERBOSE)


@pytest.mark.parametrize(
    ("language", "right", "wrong"),
    [
        ("en", "The colours in the centre", "The color of your neighbor"),
        ("es", "Vosotros usáis el ordenador", "Ustedes usan la computadora"),
        ("pt", "Está a jogar no ecrã do telemóvel", "Você está jogando"),
    ],
)
def test_the_wrong_variety_is_found(language: str, right: str, wrong: str) -> None:
    assert not variety(language).search(right)
    assert len(variety(language).findall(wrong)) == 2


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_english_is_left(say: Say, language: str) -> None:
    assert not found(say(language), ENGLISH)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_sentence_is_that_of_the_english_page(say: Say, language: str) -> None:
    english = {piece for _, piece in say("en")}
    same = {piece for _, piece in say(language) if len(piece.split()) >= 5 and piece in english}
    assert not same


# Typography

QUOTES = {"en": "“”‘’", "es": "«»“”", "pt": "«»“”"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotation_marks_are_those_of_the_language(say: Say, language: str) -> None:
    foreign = set("\"'`´„‚‹›«»“”‘’") - set(QUOTES[language])
    assert not found(say(language), re.compile("[" + "".join(sorted(foreign)) + "]"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotation_marks_come_in_pairs(say: Say, language: str) -> None:
    opening, closing = QUOTES[language][:2]
    uneven = [f"{where}: {piece}" for where, piece in say(language) if piece.count(opening) != piece.count(closing)]
    assert not uneven


@pytest.mark.parametrize("language", LANGUAGES)
def test_dashes_points_and_spaces(say: Say, language: str) -> None:
    # A hyphen for a dash, two for one, three points for an ellipsis, a space before a mark or two anywhere.
    assert not found(say(language), re.compile(r"(?<=\s)-(?=\s)|--|\.\.\.|(?<=\w) [,;:.!?](?=\s|$)|  |\d-\d"))


def test_spanish_questions_and_exclamations_are_opened(say: Say) -> None:
    for opening, closing in ("¿?", "¡!"):
        uneven = [f"{where}: {piece}" for where, piece in say("es") if piece.count(opening) != piece.count(closing)]
        assert not uneven


SOURCES = sorted((ROOT / "docs").glob("??/*.md"))


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: "/".join(file.parts[-2:]))
def test_the_source_of_a_page_has_no_space_too_many(file: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", file.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert not re.findall(r".*(?:[^\S\n]$|[\w,.;:!?”»]  +\w).*", text, flags=re.MULTILINE)
