"""Valid HTML on every page, by html-validate: what must be where, which attributes may hold what."""

import json
import subprocess
from pathlib import Path

from .built import ROOT

CHECKER = ROOT / "node_modules/.bin/html-validate"


def complaints(*files: Path) -> list[str]:
    command = [CHECKER, "--config", ROOT / ".htmlvalidate.json", "--formatter", "json", *files]
    asked = subprocess.run(command, capture_output=True, text=True)
    return [
        f"{file['filePath']}:{found['line']}: {found['ruleId']}: {found['message']}"
        for file in json.loads(asked.stdout)
        for found in file["messages"]
    ]


def test_every_page_is_valid_html(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 36
    assert not complaints(*pages)


def test_a_fault_would_be_found(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><html lang='en'><head><title>x</title></head><body><p><ul></ul></p></body></html>")
    assert complaints(page)
