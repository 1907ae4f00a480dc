"""Building again after a change: quick where only the text of a page has changed, and the same as from nothing."""

import json
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .built import ROOT


def build(copy: Path) -> float:
    """Build a copy of the project; return the seconds that processors worked for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    paths = os.pathsep.join(str(copy / name) for name in ("engine", "tutorials"))
    environment = os.environ | {"PYTHONPATH": paths}
    run = subprocess.run(
        [sys.executable, copy / "tools/build.py"], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def contents(copy: Path) -> dict[str, bytes]:
    site = copy / "site"
    return {file.relative_to(site).as_posix(): file.read_bytes() for file in site.rglob("*") if file.is_file()}


@pytest.fixture
def copy(site: Path, tmp_path: Path) -> Path:
    """The project with all that has been built of it."""
    made = tmp_path / "copy"
    for name in ("build", "site", "docs", "engine", "locales", "requirements", "tools", "tutorials"):
        shutil.copytree(ROOT / name, made / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("mkdocs.yml", "package.json", "package-lock.json"):
        shutil.copy(ROOT / name, made)
    for name in ("node_modules", "tests"):
        (made / name).symlink_to(ROOT / name)
    return made


def test_a_change_to_one_page_is_written_alone_and_the_site_is_as_if_written_anew(copy: Path) -> None:
    before = contents(copy)
    with (copy / "docs/es/glossary.md").open("a") as page:
        page.write("\nUna frase nueva, con una petición.\n")
    quick = build(copy)
    after = contents(copy)
    assert {name for name in after if after[name] != before.get(name)} == {
        *("es/glossary/index.html", "es/search.json", "service-worker.js")
    }
    assert "frase nueva" in after["es/search.json"].decode()
    (copy / "build/pages.digests").unlink()
    whole = build(copy)
    assert contents(copy) == after
    assert quick < whole / 3


def test_a_change_to_a_title_or_to_what_all_pages_share_writes_them_all(copy: Path) -> None:
    page = copy / "docs/es/glossary.md"
    page.write_text(page.read_text("utf-8").replace("title: ", "title: Nuevo ", 1), "utf-8")
    build(copy)
    home = (copy / "site/es/index.html").read_text("utf-8")
    assert "Nuevo " in home  # among the links at the side


def test_the_same_sources_give_the_same_runtime(site: Path, tmp_path: Path) -> None:
    """Its files are called by their hashes: another one would be fetched anew by everybody."""
    (wheel,) = (ROOT / "build/wheel").glob("*.whl")
    command = ["node", "tools/python.mjs", "node_modules/pyodide", str(wheel), str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    for part in tmp_path.iterdir():
        assert part.read_bytes() == (ROOT / "build/parts" / part.name).read_bytes(), part.name


def test_what_others_have_made_goes_out_with_its_licence(site: Path) -> None:
    licences = (site / "assets/licences.txt").read_text("utf-8")
    for name in json.loads((ROOT / "package.json").read_text("utf-8"))["dependencies"]:
        assert f"{name} " in licences
    for holder in (
        "Arjun Barrett",
        "Luca Ongaro",
        "Anthony Fu",
        "Martin Donath",
        "Mozilla Public",
        "Python Software Foundation",
        "Atkinson Hyperlegible",
    ):
        assert holder in licences
