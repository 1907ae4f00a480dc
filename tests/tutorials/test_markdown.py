"""The Markdown extension, by itself and beside those that a site uses."""

import textwrap
from typing import Any

import pytest
from markdown import markdown

from rulewalk_tutorials.markdown import PageError, RulewalkExtension
from rulewalk_tutorials.script import ScriptError

PAGE = "backstab-fish/"


def page(text: str, *extensions: Any, language: str = "en", address: str = PAGE) -> str:
    own = RulewalkExtension(language=language, page=address)
    return markdown(textwrap.dedent(text), extensions=["attr_list", *extensions, own])


# Walkthroughs


@pytest.mark.parametrize("beside", [(), ("fenced_code",), ("pymdownx.superfences",), ("md_in_html", "def_list")])
def test_a_fence_becomes_the_walkthrough(beside: tuple[str, ...]) -> None:
    written = page(
        """
        Before.
        {: #bf-6-1 }

        ```walkthrough
        backstab-fish/bf-6-1
        ```

        After.
        """,
        *beside,
        language="pt",
    )
    assert '<rule-walkthrough name="backstab-fish/bf-6-1"' in written
    assert "<p><rule-walkthrough" not in written
    assert 'lang-pack="pt"' in written
    assert "```" not in written
    assert written.index("Before.") < written.index("<rule-walkthrough") < written.index("</rule-walkthrough>")
    assert written.endswith("<p>After.</p>")


@pytest.mark.parametrize("beside", ["fenced_code", "pymdownx.superfences"])
def test_a_fence_shown_inside_another_stays_as_it_is(beside: str) -> None:
    written = page("````\n```walkthrough\nbackstab-fish/bf-6-1\n```\n````\n", beside)
    assert "<rule-walkthrough" not in written
    assert "```walkthrough" in written


def test_a_walkthrough_on_another_page_links_to_the_page_of_the_rules() -> None:
    fence = "```walkthrough\nbackstab-fish/bf-6-1\n```"
    assert 'href="#bf-3-5"' in page(fence)
    assert 'href="../backstab-fish/#bf-3-5"' in page(fence, address="for-teachers/")
    assert 'href="./backstab-fish/#bf-3-5"' in page(fence, address="")


def test_a_walkthrough_that_is_not_there_stops_the_page() -> None:
    with pytest.raises(ScriptError, match="backstab-fish/bf-0-0: there is no such script"):
        page("```walkthrough\nbackstab-fish/bf-0-0\n```")


# Rule paragraphs


def test_a_rule_has_its_number_for_a_permalink() -> None:
    assert page("Ask *one* opponent.\n{: #bf-3-1 }") == (
        '<p class="rule rule--source" id="bf-3-1">'
        '<a class="rule-number" href="#bf-3-1">BF-3.1</a> Ask <em>one</em> opponent.</p>'
    )


@pytest.mark.parametrize(
    ("language", "anchor", "badge"),
    [("en", "bf-2-7", "Home agreement"), ("es", "bf-2-7", "Acuerdo doméstico"), ("pt", "bf-2-7", "Acordo doméstico")],
)
def test_what_is_no_old_rule_says_so(language: str, anchor: str, badge: str) -> None:
    written = page(f"Left of the dealer.\n{{: #{anchor} }}", language=language)
    assert 'class="rule rule--home"' in written
    assert f'<a class="rule-kind" href="../how-to-use/#kinds">{badge}</a> Left of the dealer.' in written


def test_a_ruling_is_told_from_a_home_agreement() -> None:
    written = page("Clockwise.\n{: #bf-2-9 }")
    assert 'class="rule rule--ruling"' in written
    assert ">Ruling</a>" in written


def test_a_rule_can_be_a_list_item() -> None:
    written = page("- Ask.\n{: #bf-3-1 }\n")
    assert "<li" in written
    assert written.count("rule-number") == 1
    loose = page("- Ask.\n    {: #bf-3-1 }\n\n- Give.\n    {: #bf-3-3 }\n")
    assert loose.count('class="rule-number"') == 2


@pytest.mark.parametrize(
    ("text", "address", "reason"),
    [
        ("Nothing.\n{: #bf-3-99 }", PAGE, "#bf-3-99 looks like a rule's anchor"),
        ("Ask.\n{: #bf-3-1 }\n\nAsk again.\n{: #bf-3-1 }", PAGE, "BF-3.1 is told twice"),
        ("Ask.\n{: #bf-3-1 }", "go-fish/", "BF-3.1 belongs to the page backstab-fish/"),
        ("See BF-9.1.", PAGE, "there is no rule BF-9.1"),
    ],
)
def test_a_rule_out_of_place_stops_the_page(text: str, address: str, reason: str) -> None:
    with pytest.raises(PageError) as stopped:
        page(text, address=address)
    assert reason in str(stopped.value)
    assert f"page {address} (en)" in str(stopped.value)


# Numbers in running text


def test_a_bare_number_links_to_its_paragraph() -> None:
    assert page("See BF-3.4, or (GF-1.1).") == (
        '<p>See <a data-rule="BF-3.4" href="#bf-3-4">BF-3.4</a>, '
        'or (<a data-rule="GF-1.1" href="../go-fish/#gf-1-1">GF-1.1</a>).</p>'
    )
    assert 'href="go-fish/#gf-1-1"' in page("GF-1.1", address="")


@pytest.mark.parametrize(
    "text", ["`BF-3.4`", "[BF-3.4](elsewhere.md)", "[see *BF-3.4*](elsewhere.md)", "XBF-3.4", "BF-3"]
)
def test_code_links_and_other_words_keep_their_numbers(text: str) -> None:
    assert "data-rule" not in page(text)
