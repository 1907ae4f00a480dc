"""What makes a sentence fit to be read out, in any of the languages."""

from typing import Any

from rulewalk import RULES

from .kit import GAMES

INITIALS = ("BF-", "GF-", "ER-")


def assert_well_said(sentence: str) -> None:
    """See that a sentence is filled in, whole, and free of keys and codes."""
    assert sentence
    assert sentence == " ".join(sentence.split()), f"odd spaces: {sentence!r}"
    assert not set("{}") & set(sentence), f"unfilled: {sentence!r}"
    assert sentence[-1] in ".!?”»", f"no end: {sentence!r}"
    assert not sentence[0].islower(), f"small letter: {sentence!r}"
    assert not any(key in sentence for key in ("event.", "refusal.", "rank.", "None", *INITIALS)), sentence
    assert not any(game in sentence for game in GAMES), f"a name of the wire: {sentence!r}"


def assert_well_told(error: dict[str, Any], language: str) -> None:
    """See that a refusal has its parts, a good sentence, and rules that there are."""
    assert list(error) == ["index", "code", "rules", "message"]
    assert_well_said(error["message"])
    assert all(number in RULES for number in error["rules"])
    assert len(set(error["rules"])) == len(error["rules"])
    assert language in ("en", "es", "pt")
