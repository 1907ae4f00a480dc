"""The index of rules: made from the rules, the scripts and the tests, and without an empty cell."""

import re
from pathlib import Path

import pytest
from markdown import markdown

from rulewalk.rules import RULES
from rulewalk_tutorials import index
from rulewalk_tutorials.markdown import RulewalkExtension

# Section 1 of each game is history: told, and nothing in it to play.
PLAYED = [number for number in RULES if "-1." not in number]


@pytest.mark.parametrize("number", PLAYED)
def test_every_rule_is_shown_and_tested(number: str) -> None:
    assert index.shown().get(number), "no walkthrough shows it"
    # An example is held by its script, each step of which says what must be so.
    assert index.held()[number] or RULES[number].kind == "example", "no test holds it: @pytest.mark.rule"


def test_the_index_links_each_rule_to_its_paragraph_and_to_its_walkthroughs() -> None:
    own = RulewalkExtension(language="es", page="rules/")
    written = markdown("Before\n\n```rule-index\n```\n", extensions=["attr_list", own])
    (row,) = re.findall(r'<tr><th scope="row"><a data-rule="BF-6.1".*?</tr>', written)
    assert 'href="../backstab-fish/#bf-6-1"' in row
    assert 'href="../backstab-fish/#walk=bf-6-1"' in row
    assert "Ejemplo" in row
    assert written.count('<th scope="row">') == len(RULES)
    assert '<h2 id="bf" lang="en">Backstab Fish</h2>' in written


def test_marks_are_counted_once_a_test_on_modules_classes_functions_and_cases(tmp_path: Path) -> None:
    (tmp_path / "test_marked.py").write_text(
        """
import pytest

pytestmark = pytest.mark.rule("BF-2.1")

@pytest.mark.rule("BF-3.1", "BF-3.2")
@pytest.mark.rule("BF-3.1")
def test_one(): ...

@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("BF-3.3")), 2])
def test_two(n): ...

def help(): ...

@pytest.mark.rule("BF-3.4")
class TestSome:
    def test_three(self): ...
"""
    )
    assert index.held(tmp_path) == {"BF-2.1": 3, "BF-3.1": 1, "BF-3.2": 1, "BF-3.3": 1, "BF-3.4": 1}
