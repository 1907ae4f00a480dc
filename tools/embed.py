"""Writes each walkthrough as a page of its own, without the site around it, for an `<iframe>` in somebody else's.

`/embed/backstab-fish/bf-6-1/`, `/es/embed/…`: the walkthrough as its page has it, and a link to that page.
"""

from html import escape
from pathlib import Path

import hosting
import languages
from rulewalk.catalogue import Catalogue
from rulewalk_tutorials import html, script

#: From such a page to its language's home.
_HOME = "../../../"


def write(pages: Path, bundle: dict[str, str]) -> None:
    """Write the pages into the site; `bundle` names the site's scripts and its style sheet."""
    for language in languages.listed():
        for name in script.names():
            folder = pages / language.home / "embed" / name
            folder.mkdir(parents=True)
            (folder / "index.html").write_text(_page(script.load(name), language, bundle), "utf-8")


def _page(walkthrough: script.Script, language: languages.Language, bundle: dict[str, str]) -> str:
    words = Catalogue.load(language.code, "site")
    title = Catalogue.load(language.code, "walkthroughs").text(f"{walkthrough.name}.title")
    game, _, short = walkthrough.name.partition("/")
    root = _HOME + "../" * language.home.count("/")
    # Links lead out of the frame: what it is a part of stays where it is.
    return f"""\
<!doctype html>
<html lang="{words.text("shell.language")}" class="rw-embed">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{hosting.POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>{escape(title)} · Rulewalk</title>
<base target="_blank">
<link rel="icon" href="{root}assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{root}{bundle["style"]}">
<script type="module" src="{root}{bundle["script"]}"></script>
</head>
<body data-md-color-scheme="default">
<script src="{root}{bundle["embed"]}"></script>
{html.unfolded(walkthrough, language.code, _HOME)}
<p class="rw-full"><a href="{_HOME}{game}/#walk={short}">{escape(words.text("player.embed-full"))}</a></p>
</body>
</html>
"""
