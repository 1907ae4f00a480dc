"""Lighthouse on the main pages: 100 for accessibility, best practices and SEO, 95 and more for performance.

Its phone is made up: a slow network and a quarter of this machine's speed, so whatever else runs here spoils the
performance. A page has three tries, and `make lighthouse` is not part of `make test`.
"""

import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import browsers
import languages
import serve

WANTED = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
ADDRESSES = [*(language.home for language in languages.listed()), "backstab-fish/"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def hosted(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site as hosts send it: its text packed."""
    copy = shutil.copytree(site, tmp_path_factory.mktemp("hosted"), dirs_exist_ok=True)
    for file in copy.rglob("*"):
        if file.suffix in (".html", ".css", ".js", ".svg", ".json"):
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
    with serve.running(serve.server(copy, 0)) as address:
        yield address


def judged(url: str) -> dict[str, Any]:
    environment = os.environ | {"CHROME_PATH": browsers.path() or ""}
    command = ["node", languages.ROOT / "tools/lighthouse.mjs", url]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    (report,) = json.loads(run.stdout)
    return dict(report)


@pytest.mark.parametrize("address", ADDRESSES)
def test_lighthouse_is_content(hosted: str, address: str) -> None:
    if missing := browsers.missing():
        pytest.fail(missing, pytrace=False)
    for _ in range(3):
        report = judged(hosted + address)
        if all(report["scores"][what] >= least for what, least in WANTED.items()):
            return
    pytest.fail(f"{report['scores']}: {'; '.join(report['spoils'])}", pytrace=False)
