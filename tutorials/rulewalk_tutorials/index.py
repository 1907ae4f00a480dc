"""The index of all rules: for each, where it is told, which walkthroughs show it, and how many tests hold it.

Nothing in it is kept by hand. A rule's number is in the engine; what a
walkthrough shows, its events say; what a test holds, its mark says.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path

from rulewalk.catalogue import Catalogue
from rulewalk.rules import GAMES, RULES, Rule

from . import script, story

#: Where this project keeps its tests.
TESTS = Path(__file__).resolve().parents[2] / "tests"

#: More walkthroughs than these are folded away.
_AT_ONCE = 3


def rule_index(language: str, to: Callable[[str], str], scripts: Path = script.SCRIPTS, tests: Path = TESTS) -> str:
    """Write the index; `to` leads from its page to an address under the language's root."""
    words = Catalogue.load(language, "site")
    english = "" if language == "en" else ' lang="en"'
    tables = []
    for prefix, game in GAMES.items():
        title = game.replace("-", " ").title()
        rows = "\n".join(_row(rule, words, to, scripts, tests) for rule in RULES.values() if rule.game == game)
        head = "".join(
            f'<th scope="col">{escape(words.text(f"index.{column}"))}</th>' for column in ("rule", "shown", "tests")
        )
        tables.append(
            f'<h2 id="{prefix.lower()}"{english}>{title}</h2>\n'
            f'<table class="rw-index">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>'
        )
    return "\n".join(tables)


def _row(rule: Rule, words: Catalogue, to: Callable[[str], str], scripts: Path, tests: Path) -> str:
    told = f'<a data-rule="{rule.number}" href="{to(f"{rule.game}/#{rule.anchor}")}">{rule.number}</a>'
    kind = escape(words.text(f"rule.{rule.kind}"))
    titles = Catalogue.load(words.language, "walkthroughs")
    links = [
        f'<a href="{to(f"{_game(name)}/#walk={_short(name)}")}">{escape(titles.text(f"{name}.title"))}</a>'
        for name in sorted(shown(scripts).get(rule.number, ()), key=lambda name: (_short(name) != rule.anchor, name))
    ]
    held_by = held(tests)[rule.number]
    return (
        f'<tr><th scope="row">{told} <span class="rw-kind">{kind}</span></th>'
        f"<td>{_listed(links, words)}</td><td>{held_by or _NONE}</td></tr>"
    )


# What there is nothing of is no empty cell: it would be read out as if it had been forgotten.
_NONE = "–"


def _listed(links: list[str], words: Catalogue) -> str:
    if not links:
        return _NONE
    items = [f"<li>{link}</li>" for link in links]
    shown_at_once = f"<ul>{''.join(items[:_AT_ONCE])}</ul>"
    rest = items[_AT_ONCE:]
    if not rest:
        return shown_at_once
    more = escape(words.text("index.more", n=len(rest)))
    return f"{shown_at_once}<details><summary>{more}</summary><ul>{''.join(rest)}</ul></details>"


def _game(name: str) -> str:
    return name.partition("/")[0]


def _short(name: str) -> str:
    return name.partition("/")[2]


@cache
def shown(scripts: Path = script.SCRIPTS) -> Mapping[str, list[str]]:
    """The walkthroughs that show each rule; a worked example is shown by the one of its name."""
    found = {rule.number: [f"{rule.game}/{rule.anchor}"] for rule in RULES.values() if rule.kind == "example"}
    for name in script.names(scripts):
        for number in story.shown(script.load(name, scripts)):
            found.setdefault(number, []).append(name)
    return found


@cache
def held(tests: Path = TESTS) -> Counter[str]:
    """How many tests say that they hold each rule: `@pytest.mark.rule("BF-3.4")`."""
    return Counter(
        number
        for file in sorted(tests.rglob("test_*.py"))
        for number in _marked(ast.parse(file.read_text("utf-8")).body, frozenset())
    )


def _marked(body: list[ast.stmt], outer: frozenset[str]) -> Iterator[str]:
    """Yield the rules of each test, those of its module and class among them."""
    for node in body:
        if isinstance(node, ast.Assign) and any(_names(target, "pytestmark") for target in node.targets):
            outer |= _numbers(node.value)
        elif isinstance(node, ast.ClassDef):
            yield from _marked(node.body, outer | _numbers(*node.decorator_list))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield from outer | _numbers(*node.decorator_list)


def _numbers(*marks: ast.expr) -> frozenset[str]:
    """The rules named by marks, also those on a single case: `pytest.param(…, marks=pytest.mark.rule("BF-3.4"))`."""
    return frozenset(
        argument.value
        for mark in marks
        for call in ast.walk(mark)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    )


def _names(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name
