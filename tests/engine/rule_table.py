"""Which tests hold which rule: `python tests/engine/rule_table.py` prints the table.

Found by reading the sources, so that a page can be made of it without running anything: a test names the rules it
holds in ``@pytest.mark.rule("BF-3.4", "BF-3.5")``.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

import rulewalk
from rulewalk import RULES

TESTS = Path(__file__).parent
ENGINE = Path(rulewalk.__file__).parent


def rule_tests() -> dict[str, list[str]]:
    """Return for each rule the tests that hold it, as ``file.py::name``, in the order of the rules."""
    found = defaultdict(list)
    for path in sorted(TESTS.glob("test_*.py")):
        for test in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(test, (ast.FunctionDef, ast.ClassDef)):
                for number in _marked(test):
                    found[number].append(f"{path.name}::{test.name}")
    order = list(RULES)
    return {number: found[number] for number in sorted(found, key=lambda n: order.index(n) if n in RULES else -1)}


def _marked(test: ast.FunctionDef | ast.ClassDef) -> list[str]:
    """Return the rules in a test's marks."""
    return [
        argument.value
        for mark in test.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule"
        for argument in mark.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def rules_to_hold() -> list[str]:
    """Return the rules that a test must hold: all but the history of section 1, and of that what the engine names."""
    named = {
        number
        for path in ENGINE.glob("*.py")
        if path.name != "rules.py"
        for number in re.findall(r'"((?:BF|GF|ER)-\d+\.\d+)"', path.read_text(encoding="utf-8"))
    }
    return [number for number in RULES if not re.search(r"-1\.", number) or number in named]


if __name__ == "__main__":
    table = rule_tests()
    for number in rules_to_hold():
        print(f"{number} ({RULES[number].kind})", *(table.get(number) or ["no test"]), sep="\n    ")
