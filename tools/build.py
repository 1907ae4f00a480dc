"""Builds the whole site into `site/`, doing again only what has changed.

    python tools/build.py

1. `runtime`: Pyodide and the engine, compiled, with their hashes (`runtime.py`).
2. `assets`: the style sheet and the scripts, bundled by `bundle.mjs`.
3. `pages`: MkDocs writes the pages, and the two above are laid beside them; of the style sheet
   only what the pages use (`purge.mjs`).

Each step remembers the digests of what it was made from. Where nothing but the
text of some pages has changed, MkDocs writes those and the others stay as they
are. `site/` is replaced at the end in one move, so that a server or a reader
never sees half of it.
"""

import fcntl
import hashlib
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import embed
import hosting
import runtime
import search

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
SITE = ROOT / "site"
RUNTIME = Path("build/runtime.json")

#: A page of the site; its head is what stands above its text: title, description, marks.
PAGE = re.compile(r"docs/([a-z-]+/.+[.]md)")

# What of the tools decides how a page comes out.
SHELL = (
    "tools/embed.py",
    "tools/hosting.py",
    "tools/hooks.py",
    "tools/languages.py",
    "tools/search.py",
    "tools/valid.py",
)

ENVIRONMENT = {
    # Reproducible archives: the same sources give the same bytes, hence the same hash.
    "SOURCE_DATE_EPOCH": "1580601600",
    # The theme's advice on MkDocs 2 is no news to us: versions are pinned.
    "NO_MKDOCS_2_WARNING": "true",
}


def main() -> None:
    os.chdir(ROOT)
    os.environ |= ENVIRONMENT
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        # Two builds at once would tread on each other's files.
        fcntl.flock(lock, fcntl.LOCK_EX)
        packages = ["package-lock.json", "requirements/site.txt", "tools/build.py"]
        player = ["tutorials/player", "docs/assets", "tools/bundle.mjs", "tools/licences"]
        content = ["docs", "engine", "locales", "tutorials", "mkdocs.yml", "tools/purge.mjs", *SHELL]
        address = os.environ.get("SITE_URL", "")
        cutting = [f"tools/{name}.mjs" for name in ("python", "script", "snapshot", "unused", "wasm")]
        tools = ["tools/runtime.py", *cutting, "tools/exercise.py", "tools/pack.mjs"]
        step("runtime", make_runtime, [*packages, *tools, "engine", "locales"])
        step("assets", bundle_assets, [*packages, *player, str(RUNTIME)])
        step("pages", write_pages, [*packages, *tools, *player, *content, str(RUNTIME)], address)


def step(name: str, make: Callable[[set[str]], None], sources: list[str], setting: str = "") -> None:
    """Run `make` with what has changed, unless the sources are those of the last time."""
    stamp = BUILD / f"{name}.digests"
    now = digests(sources, setting)
    before = set(stamp.read_text().splitlines()) if stamp.exists() and (name != "pages" or SITE.exists()) else set()
    if now == before:
        return
    stamp.unlink(missing_ok=True)
    print(f"Making the {name} …", flush=True)
    make({line.partition(" ")[2] for line in now ^ before})
    stamp.write_text("\n".join(sorted(now)))


def digests(sources: list[str], setting: str) -> set[str]:
    """A digest and a name for each file in `sources`, and for the head of each page, which other pages read too."""
    parts = [("setting", setting.encode())]
    for path in set(files_in(sources)):
        content = path.read_bytes()
        parts.append((str(path), content))
        if page := PAGE.fullmatch(str(path)):
            parts.append((f"head of {page[1]}", content.partition(b"\n---\n")[0]))
    return {f"{hashlib.sha256(content).hexdigest()} {name}" for name, content in parts}


def files_in(sources: list[str]) -> Iterator[Path]:
    for source in map(Path, sources):
        if source.is_file():
            yield source
        for path in source.rglob("*"):
            made = any(part == "__pycache__" or part.endswith(".egg-info") for part in path.parts)
            if path.is_file() and not made:
                yield path


def bundle_assets(_: set[str]) -> None:
    assets = BUILD / "assets"
    shutil.rmtree(assets, ignore_errors=True)
    shutil.copytree("docs/assets", assets, ignore=shutil.ignore_patterns("*.css", "*.ts", "card.svg"))
    theme = find_spec("material")
    assert theme and theme.origin
    sheets = Path(theme.origin).parent / "templates/assets/stylesheets"
    run("node", "tools/bundle.mjs", str(assets), str(BUILD / "bundle.json"), str(RUNTIME), str(sheets))
    (assets / "licences.txt").write_text("\n\n\n".join(licences()))


def licences() -> Iterator[str]:
    """What others have made goes out with its licence; for what comes without one there is `tools/licences`."""
    packages: dict[str, str] = json.loads(Path("package.json").read_text())["dependencies"]
    for name, version in packages.items():
        package = Path("node_modules") / name
        (text,) = [*package.glob("LICEN[CS]E*"), *Path("tools").glob(f"licences/{name}.txt")]
        licence = json.loads((package / "package.json").read_text())["license"]
        yield f"{name} {version}: {licence}\n\n{text.read_text('utf-8')}"
    for file in distribution("mkdocs-material").files or ():
        if file.name == "LICENSE":
            yield f"mkdocs-material, {file}\n\n{file.read_text('utf-8')}"


def make_runtime(_: set[str]) -> None:
    runtime.make(fresh(BUILD / "runtime"), RUNTIME, run)


def write_pages(changed: set[str]) -> None:
    pages = fresh(BUILD / "pages")
    bundle = json.loads((BUILD / "bundle.json").read_text())
    if all(map(PAGE.fullmatch, changed)):
        written = BUILD / "changed"
        run_mkdocs(written, [page.removeprefix("docs/") for page in changed])
        shutil.copytree(SITE, pages, dirs_exist_ok=True)
        search.write(written, SITE)
        shutil.copytree(written, pages, dirs_exist_ok=True)
    else:
        packing = runtime.pack(BUILD / "runtime")
        run_mkdocs(pages)
        embed.write(pages, bundle)
        if packing.wait():
            sys.exit("The site was not built: 'tools/pack.mjs' failed (above).")
        shutil.copytree(BUILD / "assets", pages / "assets")
        shutil.copytree(BUILD / "runtime", pages / "assets/runtime")
        search.write(pages)
    run("node", "tools/purge.mjs", str(pages), bundle["style"], str(BUILD / bundle["style"]))
    script = json.loads(RUNTIME.read_text())["files"]["python.mjs"]["path"]
    hosting.write(pages, BUILD / "service-worker.js", script)

    old = BUILD / "old"
    shutil.rmtree(old, ignore_errors=True)
    if SITE.exists():
        SITE.rename(old)
    pages.rename(SITE)
    shutil.rmtree(old, ignore_errors=True)


def run_mkdocs(pages: Path, only: list[str] | None = None) -> None:
    """Let MkDocs write all pages, or only some, such as `es/glossary.md`.

    A mistake in a page or a script is told in its own words, without a traceback.
    """
    # Imported here, where they are needed: they take longer than finding out that nothing has changed.
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from mkdocs.exceptions import MkDocsException

    from rulewalk_tutorials.markdown import PageError
    from rulewalk_tutorials.script import ScriptError

    logging.getLogger("mkdocs").setLevel(logging.ERROR)
    try:
        config = load_config(site_dir=str(pages))
        config.extra["only"] = only
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
        # The theme's own files: what we need of them is in ours.
        shutil.rmtree(pages / "assets")
    except (MkDocsException, PageError, ScriptError) as error:
        sys.exit(f"The site was not built: {error}")


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def run(*command: str) -> None:
    """Run a tool; where it fails, it has said why, and a traceback of ours would only hide that."""
    failed = subprocess.run(command, check=False).returncode
    if failed:
        sys.exit(f"The site was not built: '{Path(command[0]).name} {command[1]}' failed (above).")


if __name__ == "__main__":
    main()
