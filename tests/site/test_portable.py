"""The pages outlive the tools: the same ones, with the same fences and hooks, built by ProperDocs without Material.

ProperDocs carries MkDocs 1 on. The theme here is a bare one of a few lines, so whatever is on these pages is in
`docs`, `locales` and our own extension, and none of it in Material. CONTRIBUTING says what is lost.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .built import HOMES, ROOT, SERVED, BuiltPage, Pages, pages_in

WALKTHROUGH = re.compile(r"<rule-walkthrough .*?</rule-walkthrough>", re.DOTALL)


@pytest.fixture(scope="module")
def elsewhere(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """All pages as ProperDocs builds them."""
    out = tmp_path_factory.mktemp("elsewhere")
    run = subprocess.run(
        [
            Path(sys.executable).with_name("properdocs"),
            *("build", "--quiet", "--config-file", "tests/site/portable/properdocs.yml", "--site-dir", out),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return pages_in(out)


def text(page: BuiltPage, selector: str) -> str:
    found = page.html.select_one(selector)
    assert found
    return " ".join(found.text.split())


@pytest.mark.parametrize(("language", "path"), SERVED)
def test_another_tool_builds_the_same_page(pages: Pages, elsewhere: Pages, language: str, path: str) -> None:
    here, there = (built[HOMES[language] + path] for built in (pages, elsewhere))
    assert text(there, "main") in text(here, "article")
    assert WALKTHROUGH.findall(there.file.read_text()) == WALKTHROUGH.findall(here.file.read_text())
    assert {element["id"] for element in here.html.select("article [id]")} <= there.anchors
    # The player and the style sheets come with them.
    assert there.html.select("script[type=module][src*=player-]") and there.html.select("link[href$='assets/site.css']")
