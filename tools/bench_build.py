"""Measures how long the site takes to be built, as ratios of processor time, which other work here spoils least.

`measure` builds in a copy of the project: everything from nothing, all pages, all pages with two and four times as
many walkthroughs, and a single page. Beside it, plain Material for MkDocs builds the same Markdown in the same three
languages, with the fences as code.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import polib
import yaml

import languages

ROOT = languages.ROOT
PAGES_STAMP = "build/pages.digests"

# Plain Material in three languages. What is not Markdown lies in docs, too.
_PLAIN = {
    "site_name": "Plain",
    "docs_dir": "docs",
    "exclude_docs": "/overrides/\n/assets/\n",
    "theme": {"name": "material"},
    "plugins": [
        "search",
        {
            "i18n": {
                "docs_structure": "folder",
                "fallback_to_default": True,
                "languages": [
                    {"locale": language.code, "name": language.name, "default": not language.home}
                    for language in languages.listed()
                ],
            }
        },
    ],
    "markdown_extensions": ["attr_list", "def_list", "fenced_code", "md_in_html", "tables", "toc"],
}


@dataclass(frozen=True)
class Build:
    """Seconds of processor time."""

    everything: float
    pages: float
    twice: float
    four_times: float
    one_page: float
    plain: float


def measure() -> Build:
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "copy"
        ignored = shutil.ignore_patterns(".git", ".venv", "node_modules", "build", "site", "release", "__pycache__")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=ignored)
        (copy / "node_modules").symlink_to(ROOT / "node_modules")
        everything = _build(copy)
        pages = _all_pages(copy)
        with (copy / "docs/es/glossary.md").open("a") as page:
            page.write("\nUna frase más.\n")
        one_page = _build(copy)
        plain = _plain(copy)
        _add_copies(copy, 1)
        twice = _all_pages(copy)
        _add_copies(copy, 3)
        four_times = _all_pages(copy)
    return Build(everything, pages, twice, four_times, one_page, plain)


def _all_pages(copy: Path) -> float:
    """Build the pages alone, with all that they take at hand."""
    _build(copy)
    (copy / PAGES_STAMP).unlink()
    return _build(copy)


def _build(copy: Path) -> float:
    return _time([sys.executable, str(copy / "tools/build.py")], copy)


def _plain(copy: Path) -> float:
    settings = copy / "plain.yml"
    settings.write_text(yaml.safe_dump(_PLAIN))
    mkdocs = str(Path(sys.executable).with_name("mkdocs"))
    return _time([mkdocs, "build", "--quiet", "--config-file", str(settings), "--site-dir", str(copy / "plain")], copy)


def _time(command: list[str], copy: Path) -> float:
    """Run something on a copy, whose engine is its own; return the processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    paths = os.pathsep.join(str(copy / name) for name in ("engine", "tutorials"))
    environment = os.environ | {"PYTHONPATH": paths, "NO_MKDOCS_2_WARNING": "true"}
    subprocess.run(command, cwd=copy, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _add_copies(copy: Path, count: int) -> None:
    """Have each page show copies of its walkthroughs, as well; they are scripts, and have words, of their own."""
    scripts = copy / "tutorials/scripts"
    names = sorted(path.relative_to(scripts).with_suffix("").as_posix() for path in scripts.rglob("*.yaml"))
    originals = [name for name in names if "-copy-" not in name]
    numbers = range(len(names) // len(originals), len(names) // len(originals) + count)
    for name in originals:
        for number in numbers:
            shutil.copy(scripts / f"{name}.yaml", scripts / f"{name}-copy-{number}.yaml")
    for file in copy.glob("locales/*/LC_MESSAGES/walkthroughs.po"):
        words = polib.pofile(str(file))
        for entry in [entry for entry in words if "-copy-" not in entry.msgid]:
            name, dot, rest = entry.msgid.partition(".")
            for number in numbers:
                words.append(polib.POEntry(msgid=f"{name}-copy-{number}{dot}{rest}", msgstr=entry.msgstr))
        words.save()
    for page in copy.glob("docs/*/*.md"):
        text = page.read_text("utf-8")
        for name in originals:
            fence = f"```walkthrough\n{name}\n```\n"
            text = text.replace(fence, fence + "".join(f"\n{fence.replace(name, f'{name}-copy-{n}')}" for n in numbers))
        page.write_text(text, "utf-8")
