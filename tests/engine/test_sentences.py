"""Every event has its sentence in every language: filled in, with the right plurals and genders."""

from collections.abc import Iterator
from typing import Any

import pytest

from rulewalk import Catalogue, Game, Request, say
from rulewalk.catalogue import card_name, listed
from rulewalk.sentences import the_card

from .kit import GAMES, LANGUAGES, Wire, at_random, record, table, told
from .telling import assert_well_said

# Glossary, "Counting cards": one, several, gender.
RANKS: dict[str, dict[str, tuple[str, str, str]]] = {
    "en": {
        "A": ("ace", "aces", "m"),
        "2": ("two", "twos", "m"),
        "3": ("three", "threes", "m"),
        "4": ("four", "fours", "m"),
        "5": ("five", "fives", "m"),
        "6": ("six", "sixes", "m"),
        "7": ("seven", "sevens", "m"),
        "8": ("eight", "eights", "m"),
        "9": ("nine", "nines", "m"),
        "10": ("ten", "tens", "m"),
        "J": ("jack", "jacks", "m"),
        "Q": ("queen", "queens", "m"),
        "K": ("king", "kings", "m"),
        "JK": ("joker", "jokers", "m"),
    },
    "es": {
        "A": ("as", "ases", "m"),
        "2": ("dos", "doses", "m"),
        "3": ("tres", "treses", "m"),
        "4": ("cuatro", "cuatros", "m"),
        "5": ("cinco", "cincos", "m"),
        "6": ("seis", "seises", "m"),
        "7": ("siete", "sietes", "m"),
        "8": ("ocho", "ochos", "m"),
        "9": ("nueve", "nueves", "m"),
        "10": ("diez", "dieces", "m"),
        "J": ("jota", "jotas", "f"),
        "Q": ("dama", "damas", "f"),
        "K": ("rey", "reyes", "m"),
        "JK": ("comodín", "comodines", "m"),
    },
    "pt": {
        "A": ("ás", "ases", "m"),
        "2": ("dois", "dois", "m"),
        "3": ("três", "três", "m"),
        "4": ("quatro", "quatros", "m"),
        "5": ("cinco", "cincos", "m"),
        "6": ("seis", "seis", "m"),
        "7": ("sete", "setes", "m"),
        "8": ("oito", "oitos", "m"),
        "9": ("nove", "noves", "m"),
        "10": ("dez", "dez", "m"),
        "J": ("valete", "valetes", "m"),
        "Q": ("dama", "damas", "f"),
        "K": ("rei", "reis", "m"),
        "JK": ("joker", "jokers", "m"),
    },
}
NUMBERS: dict[str, dict[str, list[str]]] = {
    "en": {"m": ["one", "two", "three", "four", "five", "six", "seven", "eight"]},
    "es": {
        "m": ["un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho"],
        "f": ["una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho"],
    },
    "pt": {
        "m": ["um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito"],
        "f": ["uma", "duas", "três", "quatro", "cinco", "seis", "sete", "oito"],
    },
}
SUITS = {
    "en": {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"},
    "es": {"S": "picas", "H": "corazones", "D": "diamantes", "C": "tréboles"},
    "pt": {"S": "espadas", "H": "copas", "D": "ouros", "C": "paus"},
}


def phrase(language: str, rank: str, count: int) -> str:
    """Return “three sixes”, «una dama», as the glossary has it."""
    one, several, gender = RANKS[language][rank]
    return f"{NUMBERS[language][gender][count - 1]} {one if count == 1 else several}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rank", RANKS["en"])
def test_a_number_agrees_with_its_rank_in_every_sentence_that_counts(language: str, rank: str) -> None:
    for count in range(1, 9):
        expected = phrase(language, rank, count)
        assert Catalogue.load(language).plural(f"count.{rank}", count) == expected
        names = {"player": "Lena", "target": "Anton", "rank": rank, "rules": ["BF-3.1"]}
        for event in (
            {"type": "request", **names, "quantity": count},
            {"type": "give", **names, "cards": ["6S"] * count},
            {"type": "give", **names, "cards": count},
            {"type": "refuse", **names, "quantity": count},
        ):
            sentence = say(event, language)
            assert f" {expected}" in sentence
            assert_well_said(sentence)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rank", RANKS["en"])
def test_ranks_by_themselves_are_in_the_plural(language: str, rank: str) -> None:
    _, several, _ = RANKS[language][rank]
    names = {"player": "Lena", "target": "Anton", "rank": rank, "rules": []}
    assert several in say({"type": "request", **names}, language)
    assert several in say({"type": "lay", **names, "cards": []}, language)
    assert several in say({"type": "bonus", **names, "points": 2}, language)


@pytest.mark.parametrize(("language", "words"), [("es", ("ningún", "ninguna")), ("pt", ("nenhum", "nenhuma"))])
@pytest.mark.parametrize("rank", RANKS["en"])
def test_no_card_of_a_rank_agrees_in_gender(language: str, words: tuple[str, str], rank: str) -> None:
    one, _, gender = RANKS[language][rank]
    sentence = say({"type": "refuse", "player": "Lena", "target": "Anton", "rank": rank, "rules": []}, language)
    assert f"{words[gender == 'f']} {one}" in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_is_named_by_rank_and_suit(language: str) -> None:
    catalogue = Catalogue.load(language)
    of = {"en": "of", "es": "de", "pt": "de"}[language]
    article = {"en": ("the", "the"), "es": ("el", "la"), "pt": ("o", "a")}[language]
    for rank, (one, _, gender) in RANKS[language].items():
        if rank == "JK":
            assert card_name(catalogue, rank) == one
            assert one in the_card(catalogue, rank)
            continue
        for suit, name in SUITS[language].items():
            assert card_name(catalogue, rank + suit) == f"{one} {of} {name}"
            assert the_card(catalogue, rank + suit) == f"{article[gender == 'f']} {one} {of} {name}"


@pytest.mark.parametrize(
    ("language", "one", "several"),
    [("en", "1 point", "2 points"), ("es", "1 punto", "2 puntos"), ("pt", "1 ponto", "2 pontos")],
)
def test_points_are_counted_in_figures(language: str, one: str, several: str) -> None:
    catalogue = Catalogue.load(language)
    assert catalogue.plural("table.points", 1) == one
    assert catalogue.plural("table.points", 2) == several


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["refill", "gather"])
def test_numbers_too_large_for_words_are_figures(language: str, kind: str) -> None:
    cards = {"cards": ["6S"] * 52, "hidden": 0}
    assert "52" in say({"type": kind, "player": "Lena", "rules": [], **cards}, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_winner_and_several_are_told_differently(language: str) -> None:
    one = say({"type": "over", "winners": ["Lena"], "rules": []}, language)
    two = say({"type": "over", "winners": ["Lena", "Vera"], "rules": []}, language)
    assert "Lena" in one
    assert listed(Catalogue.load(language), ["Lena", "Vera"]) in two
    assert two.replace("Lena, Vera", "Lena") != one


# ---- Everything that is ever said


def new_events(start: Wire, seed: int, shapes: set[str]) -> Iterator[Wire]:
    """Yield the events of a random game whose shape is new: another kind, another rank, another number of cards."""
    viewer = (None, "Lena")[seed // 3 % 2]
    for moment in at_random(Game.from_record(start), seed):
        for event in moment.events(viewer):
            shape = str([(key, _size(key, value)) for key, value in event.items()])
            if shape not in shapes:
                shapes.add(shape)
                yield event


def _size(key: str, value: Any) -> Any:
    """Return what of a field can change the words around it: single names, cards and faces cannot."""
    if isinstance(value, list) and key != "rules":
        return len(value)
    return (
        str(value) if key in ("type", "rules", "rank", "quantity", "why", "left", "points", "pattern") else type(value)
    )


GAMES_PLAYED = {"backstab-fish": 40, "go-fish": 1000, "egyptian-ratscrew": 300}


@pytest.mark.parametrize("game", GAMES)
def test_every_event_of_thousands_of_random_games_has_its_sentence_in_every_language(game: str) -> None:
    agreements: dict[str, list[Wire]] = {
        "backstab-fish": [{}, {"double-book-bonus": 1, "turn-passes": "every-request"}, {"double-book-bonus": 3}],
        "go-fish": [{}],
        "egyptian-ratscrew": [
            {},
            {"patterns": ["double", "sandwich", "top-bottom", "tens", "run", "marriage"], "ending": "challenge-first"},
        ],
    }
    least = {"backstab-fish": 4, "go-fish": 2, "egyptian-ratscrew": 2}[game]
    shapes: set[str] = set()
    kinds: set[str] = set()
    for seed in range(GAMES_PLAYED[game]):
        choices = agreements[game]
        start = record(game, players=least + seed % 4, deal={"seed": seed}, agreements=choices[seed % len(choices)])
        for event in new_events(start, seed, shapes):
            kinds.add(f"{event['type']} {event.get('why', '')}".strip())
            sentences = [say(event, language) for language in LANGUAGES]
            assert len(set(sentences)) == len(sentences), "said in one language as in another"
            for sentence in sentences:
                assert_well_said(sentence)
                # Who acts is named, except where it goes without saying.
                assert event.get("player", "") in sentence or event["type"] in QUIET
    assert kinds >= EXPECTED[game]


QUIET: frozenset[str] = frozenset({"undecided", "lost"})
"""Events whose sentence may be about somebody else, or nobody."""

EXPECTED = {
    "backstab-fish": {
        *("deal", "request", "give", "refuse", "draw", "lay", "bonus", "leave", "over"),
        *(f"turn {why}" for why in ("success", "refusal", "refusal-no-stock", "every-request", "empty", "may-lay")),
    },
    "go-fish": {
        *("deal", "request", "give", "refuse", "draw", "lay", "skip", "over"),
        *(
            f"turn {why}"
            for why in ("first", "again", "fished", "to-left", "to-left-no-stock", "nobody-to-ask", "skip")
        ),
    },
    "egyptian-ratscrew": {
        *("deal", "flip", "challenge", "tries", "lost", "slap", "claim", "gather", "penalty", "barred", "over"),
        *("lapse", "last-chance", "turn number", "turn lead", "turn penalty", "turn lapse"),
    },
}


@pytest.mark.parametrize("name", ["{player}", "{0}", "%(player)s", "<b>Ana</b>", "李娜", "Ana {"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_players_name_is_said_as_it_is(language: str, name: str) -> None:
    game = Game.from_record(record("go-fish") | {"players": [name, "Lena"]})
    after = game.play(game.legal()[0])
    sentence = say(told(after, "request"), language)
    assert name in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_slaps_at_one_moment_are_told_in_the_plural(language: str) -> None:
    alone = say({"type": "slap", "players": ["Lena"], "lowest": "Lena", "rules": []}, language)
    together = say({"type": "slap", "players": ["Lena", "Vera"], "lowest": None, "rules": []}, language)
    assert "Lena, Vera" in together
    assert together.replace("Lena, Vera", "Lena") != alone


@pytest.mark.parametrize("language", LANGUAGES)
def test_rarer_events_have_sentences_too(language: str) -> None:
    """Those that random games hardly come to: arranged tables, slaps at one moment, an emptied hand, BF-5.3."""
    for event in (
        {"type": "refill", "player": "Lena", "cards": ["6S"], "rules": []},
        {"type": "refill", "player": "Lena", "cards": 7, "rules": []},
        {"type": "arrange", "state": {}, "rules": []},
        {"type": "undecided", "players": ["Lena", "Vera"], "pattern": "double", "rules": []},
        {"type": "turn", "player": "Vera", "phase": "request", "next": None, "why": "skip", "rules": []},
    ):
        assert_well_said(say(event, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_draw_is_told_differently(language: str) -> None:
    hands = {"Anton": "6S 9H", "Lena": "7S", "Boris": "QS", "Vera": "AS"}
    sentences = set()
    for game, stock, action in [
        ("backstab-fish", "6C KC", Request("Anton", "Boris", "6", 1)),
        ("backstab-fish", "5C KC", Request("Anton", "Boris", "6", 1)),
        ("go-fish", "6C KC", Request("Anton", "Boris", "6")),
    ]:
        event = told(table(game, turn="Anton", hands=hands, stock=stock).play(action), "draw")
        sentences.add(say(event, language).replace("5", "6").replace("five", "six").replace("cinco", "seis"))
    assert len(sentences) == 3


def test_a_language_without_catalogue_is_an_error() -> None:
    with pytest.raises(LookupError):
        say({"type": "leave", "player": "Lena", "rules": []}, "de")


def test_a_missing_message_is_an_error_not_a_key() -> None:
    with pytest.raises(KeyError):
        say({"type": "nonsense", "player": "Lena", "rules": []}, "en")
