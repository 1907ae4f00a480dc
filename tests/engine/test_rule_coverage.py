"""No rule without a test, no test that names a rule there is not."""

import pytest

from rulewalk import RULES

from .rule_table import rule_tests, rules_to_hold

TABLE = rule_tests()


@pytest.mark.parametrize("number", rules_to_hold())
def test_a_rule_is_held_by_a_test(number: str) -> None:
    assert TABLE.get(number)


def test_marks_name_rules_that_there_are() -> None:
    assert set(TABLE) <= set(RULES)
