"""The words: gettext catalogues, read as translators write them.

A message's id is a key, such as ``event.lay``; English is a translation like the others. The catalogues are
the ``.po`` files of ``locales/``, which the package carries as they are: what was changed is what is shown,
with nothing to compile. A key that a language lacks falls back to English; the tests report it.
"""

import os
import re
from collections.abc import Callable
from functools import lru_cache
from gettext import c2py
from typing import Any

# Not a `Path`: with all that it stands on, it would be a tenth of what readers load.
LOCALES = os.path.join(os.path.dirname(__file__), "locales")
FALLBACK = "en"
DOMAIN = "rulewalk"

type Message = str | tuple[str, ...]


def languages() -> list[str]:
    """Return the codes of the languages that have a catalogue, English first.

    Examples:
        >>> languages()
        ['en', 'es', 'pt']
    """
    found = sorted(code for code in os.listdir(LOCALES) if os.path.isfile(_file(code, DOMAIN)))
    return sorted(found, key=lambda code: code != FALLBACK)


def _file(language: str, domain: str) -> str:
    return os.path.join(LOCALES, language, "LC_MESSAGES", f"{domain}.po")


class Catalogue:
    """The messages of one language in one domain."""

    def __init__(self, language: str, messages: dict[str, Message], plural: Callable[[int], int]) -> None:
        """Hold ``messages`` by key; ``plural`` chooses among a message's plural forms."""
        self.language = language
        self._messages = messages
        self._plural = plural

    @staticmethod
    @lru_cache
    def load(language: str, domain: str = DOMAIN) -> "Catalogue":
        """Load the catalogue of ``language``; raise `LookupError` where there is none.

        Examples:
            >>> Catalogue.load("es").text("suit.H")
            'corazones'
        """
        path = _file(language, domain)
        if not os.path.isfile(path):
            raise LookupError(f"no {domain} catalogue for language {language!r}")
        with open(path, encoding="utf-8") as file:
            messages = read_po(file.read())
        header = messages.pop("", "")
        assert isinstance(header, str)
        plural = c2py(_header(header, "Plural-Forms").partition("plural=")[2].rstrip("; ") or "n != 1")
        if language != FALLBACK:
            messages = {**Catalogue.load(FALLBACK, domain)._messages, **messages}
        return Catalogue(language, messages, plural)

    def text(self, key: str, **details: object) -> str:
        """Return the message ``key`` with ``details`` filled in; raise `KeyError` where there is none."""
        message = self._messages[key]
        assert isinstance(message, str), f"{key} has plural forms"
        return message.format(**details)

    def plural(self, key: str, n: int, **details: object) -> str:
        """Return the message ``key`` in the form for ``n``.

        In it stand ``{n}`` as a figure, and ``{masculine}`` and ``{feminine}``, the number as a word.

        Examples:
            >>> Catalogue.load("es").plural("count.Q", 2), Catalogue.load("pt").plural("count.6", 2)
            ('dos damas', 'dois seis')
        """
        forms = self._messages[key]
        assert not isinstance(forms, str), f"{key} has no plural forms"
        form = forms[min(self._plural(n), len(forms) - 1)]
        return form.format(n=n, **self._number(n), **details)

    def __contains__(self, key: str) -> bool:
        """Tell whether there is a message ``key``."""
        return key in self._messages

    def _number(self, n: int) -> dict[str, str]:
        """Return the word for ``n`` by gender; a large number stays a figure."""
        words = {gender: self.text(f"numbers.{gender}").split() for gender in ("masculine", "feminine")}
        return {gender: word[n] if 0 <= n < len(word) else str(n) for gender, word in words.items()}


def read_po(text: str) -> dict[str, Message]:
    """Read a gettext PO file into its messages by id; the header's id is "".

    Left out are fuzzy and untranslated entries, as gettext does. Our own reader, because the engine has no
    dependencies and a compiled catalogue would be one more thing to forget; a test holds it to Babel's.
    """
    messages: dict[str, Message] = {}
    for entry in text.replace("\r\n", "\n").split("\n\n"):
        fields: dict[str, str] = {}
        field, fuzzy = "", False
        for line in entry.splitlines():
            if line.startswith("#"):
                fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
                continue
            keyword, quote, rest = line.partition('"')
            field = keyword.strip() or field
            if quote:
                fields[field] = fields.get(field, "") + _unescape(rest.rstrip()[:-1])
        forms = tuple(fields[name] for name in sorted(fields) if name.startswith("msgstr["))
        if "msgid" not in fields or (
            fuzzy and fields["msgid"]
        ):  # tools call a new header fuzzy; it counts all the same
            continue
        if forms and all(forms):
            messages[fields["msgid"]] = forms
        elif fields.get("msgstr"):
            messages[fields["msgid"]] = fields["msgstr"]
    return messages


_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
"""Every other character stands for itself after a backslash: the quotation mark, and the backslash."""


def _unescape(quoted: str) -> str:
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), quoted)


def _header(header: str, name: str) -> str:
    lines = (line.partition(":") for line in header.splitlines())
    return next((value.strip() for key, _, value in lines if key == name), "")


def card_name(say: Catalogue, code: str) -> str:
    """Return a card's name without an article: "six of hearts"."""
    rank = say.plural(f"rank.{rank_of(code)}", 1)
    return rank if code == "JK" else say.text("card.name", rank=rank, suit=say.text(f"suit.{code[-1]}"))


def rank_of(code: str) -> str:
    """Return the rank in a card's code."""
    return code if code == "JK" else code[:-1]


def listed(say: Catalogue, names: Any) -> str:
    """Return names one after the other, as the language separates them."""
    return say.text("list.separator").join(names)
