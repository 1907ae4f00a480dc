"""Rulewalk: three card games by their numbered rules, able to say why and why not.

Backstab Fish, Go Fish and Egyptian Ratscrew from a record in JSON (wire.md) to positions, legal actions, events
with the rules they follow from, and sentences in English, Spanish and European Portuguese. Pure Python, nothing
else needed.

Examples:
    >>> from rulewalk import Game, Request, say
    >>> game = Game.from_record({"game": "go-fish", "players": ["Ana", "Rui"], "deal": {"seed": 4}})
    >>> game.state()["turn"]
    'Ana'
    >>> after = game.play(game.legal()[0])
    >>> [say(event, "pt") for event in after.events()][:1]
    ['Ana pede a Rui os ases que tenha.']
"""

from rulewalk.actions import Action, Collect, EndTurn, Flip, Lay, Request, Slap
from rulewalk.catalogue import Catalogue, languages
from rulewalk.game import Game, replay
from rulewalk.refusal import Refusal
from rulewalk.rules import RULES, Rule
from rulewalk.sentences import attempt, explain, say

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "Action",
    "Catalogue",
    "Collect",
    "EndTurn",
    "Flip",
    "Game",
    "Lay",
    "Refusal",
    "Request",
    "Rule",
    "Slap",
    "attempt",
    "explain",
    "languages",
    "replay",
    "say",
]
