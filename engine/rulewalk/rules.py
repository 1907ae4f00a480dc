"""Every rule by its number: which game it belongs to, and of what kind it is.

Kinds: ``source``, what the published description says; ``home``, an agreement of this table; ``ruling``, this
project's own answer to a case that neither settles; ``example``, a worked example; ``setting``, an agreement
kept apart, off by default. The words of a rule are in the pages, under its anchor.
"""

from typing import NamedTuple

GAMES = {"BF": "backstab-fish", "GF": "go-fish", "ER": "egyptian-ratscrew"}


class Rule(NamedTuple):
    """A rule's number, such as ``"BF-3.4"``, and its kind."""

    number: str
    kind: str

    @property
    def game(self) -> str:
        """Return the game's name on the wire, which is also its page's address."""
        return GAMES[self.number[:2]]

    @property
    def anchor(self) -> str:
        """Return the id of the rule's paragraph.

        Examples:
            >>> RULES["BF-3.4"].anchor
            'bf-3-4'
        """
        return self.number.lower().replace(".", "-")


_KINDS = {
    "BF-1": "source source source",
    "BF-2": "source source source source source source home home ruling ruling",
    "BF-3": "source source source source source source source ruling ruling ruling ruling",
    "BF-4": "source source source source source ruling ruling",
    "BF-5": "home home home home source source home ruling ruling",
    "BF-6": "example example example example example",
    "BF-7": "setting setting setting",
    "GF-1": "source source home source",
    "GF-2": "source source source source source",
    "GF-3": "source source source source source source source source source source source ruling ruling ruling",
    "GF-4": "source source source home source",
    "GF-5": "example example",
    "ER-1": "source source home source",
    "ER-2": "source source source source source source ruling",
    "ER-3": "source source source source source source",
    "ER-4": "source source source source source source home source ruling ruling ruling ruling ruling ruling",
    "ER-5": "source source home home home ruling ruling ruling",
    "ER-6": "example example example",
}
# A section's kinds in the order of its rules: "BF-3": the kinds of BF-3.1, BF-3.2, …

RULES = {
    rule.number: rule
    for section, kinds in _KINDS.items()
    for rule in (Rule(f"{section}.{i}", kind) for i, kind in enumerate(kinds.split(), start=1))
}
"""Every rule of the three games, in the order of the pages."""
