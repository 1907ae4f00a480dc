"""The Python-Markdown extension by which a page tells rules and calls for walkthroughs.

Four things, on top of plain Markdown with `attr_list`:

* a fenced block ```` ```walkthrough ```` holding a walkthrough's name becomes the walkthrough;
* an empty one, ```` ```rule-index ````, becomes the index of all rules;
* a paragraph or list item with a rule's anchor (`{: #bf-3-4 }`) becomes that rule's
  paragraph: its number as a permalink and, where it is no old rule, a badge of its kind;
* a bare rule number in running text (`BF-3.4`) becomes a link to its paragraph.

It works by itself, in any program that uses Python-Markdown:

    markdown.markdown(text, extensions=["attr_list", RulewalkExtension(language="es", page="backstab-fish/")])

`page` is the address of the page under its language: `""` for the front page,
`backstab-fish/`, …; links to other pages are relative to it.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from rulewalk.catalogue import Catalogue
from rulewalk.rules import RULES, Rule

from . import html, index, script

#: Kinds of rule that a reader must not take for an old one, so they get a badge.
_BADGES = ("home", "ruling")
_KINDS = "how-to-use/#kinds"

_ANCHOR = re.compile(r"(?:bf|gf|er)-\d+-\d+")
_NUMBER = r"\b((?:BF|GF|ER)-\d+\.\d+)\b"
_FENCE = re.compile(r"(?P<indent>\s*)(?P<fence>`{3,}|~{3,})\s*(?P<info>.*)")


class PageError(Exception):
    """A page that names a rule that there is not, or misplaces one."""


class RulewalkExtension(Extension):
    """See the module's text. Options: `language`, `page`, and `scripts`, the folder of the scripts."""

    def __init__(self, **options: Any) -> None:
        self.config = {
            "language": ["en", "the page's language: en, es or pt"],
            "page": ["", "the page's address under its language"],
            "scripts": [str(script.SCRIPTS), "the folder of the walkthroughs' scripts"],
        }
        super().__init__(**options)

    def extendMarkdown(self, md: Markdown) -> None:
        page = Page(self.getConfig("language"), self.getConfig("page"))
        # Before any other extension's fences (25), after tabs and line ends are dealt with (30).
        md.preprocessors.register(_Fences(md, page, Path(self.getConfig("scripts"))), "walkthroughs", 28)
        # Last of all inline patterns: code, links and other HTML keep their numbers to themselves.
        md.inlinePatterns.register(_RuleNumbers(_NUMBER, md, page), "rule-numbers", 5)
        # After attr_list (8), which gives the ids.
        md.treeprocessors.register(_RuleParagraphs(md, page), "rule-paragraphs", 7)
        md.block_level_elements.append("rule-walkthrough")


class Page:
    """The page being written: its language, its address, and the way from it to others."""

    def __init__(self, language: str, address: str) -> None:
        self.language, self.address = language, address
        self.words = Catalogue.load(language, "site")

    def to(self, address: str) -> str:
        """Lead from this page to another of the same language: `""` where it is this one."""
        if address == self.address:
            return ""
        path, hash_, anchor = address.partition("#")
        return posixpath.relpath(path or ".", self.address or ".").rstrip("/") + "/" + hash_ + anchor

    def to_rule(self, rule: Rule) -> str:
        return f"{self.to(f'{rule.game}/')}#{rule.anchor}"

    def error(self, reason: str) -> PageError:
        return PageError(f"page {self.address or 'index'} ({self.language}): {reason}")


class _Fences(Preprocessor):
    """Puts a walkthrough, or the index of rules, in the place of its fence."""

    def __init__(self, md: Markdown, page: Page, scripts: Path) -> None:
        super().__init__(md)
        self.page, self.scripts = page, scripts

    def run(self, lines: list[str]) -> list[str]:
        return list(self._replaced(iter(lines)))

    def _replaced(self, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            opening = _FENCE.fullmatch(line)
            if opening is None:
                yield line
                continue
            body = list(_fenced(lines, opening["fence"]))
            match opening["info"].strip():
                case "walkthrough":
                    written = self._walkthrough("".join(body[:-1]).strip())
                case "rule-index":
                    written = index.rule_index(self.page.language, self.page.to, self.scripts)
                case _:
                    yield from (line, *body)  # some other fence, whatever it shows
                    continue
            yield from ("", opening["indent"] + self.md.htmlStash.store(written), "")

    def _walkthrough(self, name: str) -> str:
        game = name.partition("/")[0]
        # The renderer's rule links start from the language's root, or stay on the page.
        rules_base = self.page.to("") or "./" if self.page.to(f"{game}/") else ""
        return html.walkthrough(script.load(name, self.scripts), self.page.language, rules_base)


def _fenced(lines: Iterator[str], fence: str) -> Iterator[str]:
    """Yield what an opened fence holds, its closing line last."""
    for line in lines:
        yield line
        if re.fullmatch(rf"\s*{fence[0]}{{{len(fence)},}}\s*", line):
            return


class _RuleNumbers(InlineProcessor):
    """Makes a bare rule number a link to the rule's paragraph."""

    ANCESTOR_EXCLUDES = ("a", "code")

    def __init__(self, pattern: str, md: Markdown, page: Page) -> None:
        super().__init__(pattern, md)
        self.page = page

    def handleMatch(  # type: ignore[override]  # the base class allows for older signatures
        self, match: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        number = match[1]
        if number not in RULES:
            raise self.page.error(f"there is no rule {number}")
        link = Element("a", {"data-rule": number, "href": self.page.to_rule(RULES[number])})
        link.text = number
        return link, match.start(), match.end()


class _RuleParagraphs(Treeprocessor):
    """Makes a paragraph with a rule's anchor that rule's paragraph."""

    def __init__(self, md: Markdown, page: Page) -> None:
        super().__init__(md)
        self.page = page
        self.rules = {rule.anchor: rule for rule in RULES.values()}

    def run(self, root: Element) -> None:
        told = set()
        for element in list(root.iter()):
            anchor = element.get("id", "")
            if not _ANCHOR.fullmatch(anchor):
                continue
            rule = self.rules.get(anchor)
            if rule is None:
                raise self.page.error(f"#{anchor} looks like a rule's anchor, but there is no such rule")
            if self.page.to(f"{rule.game}/"):
                raise self.page.error(f"{rule.number} belongs to the page {rule.game}/")
            if rule in told:
                raise self.page.error(f"{rule.number} is told twice")
            told.add(rule)
            self._tell(element, rule)

    def _tell(self, element: Element, rule: Rule) -> None:
        element.set("class", f"{element.get('class', '')} rule rule--{rule.kind}".strip())
        # In a loose list the words of an item are in a paragraph of their own.
        words = element[0] if len(element) and element[0].tag == "p" else element
        head = [_link("rule-number", f"#{rule.anchor}", rule.number)]
        if rule.kind in _BADGES:
            kind = self.page.words.text(f"rule.{rule.kind}")
            head.append(_link("rule-kind", self.page.to(_KINDS), kind))
        for link in head:
            link.tail = " "
        head[-1].tail = f" {(words.text or '').lstrip()}"
        words.text = ""
        for place, link in enumerate(head):
            words.insert(place, link)


def _link(class_: str, address: str, text: str) -> Element:
    link = Element("a", {"class": class_, "href": address})
    link.text = text
    return link


def makeExtension(**options: Any) -> RulewalkExtension:
    """Give Python-Markdown the extension by the module's name."""
    return RulewalkExtension(**options)
