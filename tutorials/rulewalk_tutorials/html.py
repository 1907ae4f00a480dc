"""A walkthrough as HTML for a page: every step, its sentence, its table, and the player's furniture.

Whole without JavaScript: the steps stand one under the other, as a storyboard.
The player (`tutorials/player`) finds in it all it needs, its words included, and
speaks no language itself.
"""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from rulewalk import render
from rulewalk.catalogue import Catalogue
from rulewalk.rules import RULES

from . import story
from .guess import Guess, guess
from .script import Script, ScriptError

#: What the engine can be doing while the reader looks on, apart from nothing ("static").
_NOTICES = ("saving", "loading", "live", "unavailable")

#: Pictures on buttons, as outlines on a square of 24; what can be pressed has one for each of its two states.
_ICONS = {
    "restart": ("M6 5h2v14H6zM20 5v14L9 12z",),
    "last": ("M16 5h2v14h-2zM4 5v14l11-7z",),
    "back": ("M15.4 5.4 14 4l-8 8 8 8 1.4-1.4L8.8 12z",),
    "next": ("M8.6 5.4 10 4l8 8-8 8-1.4-1.4 6.6-6.6z",),
    "play": ("M7 5v14l12-7z", "M7 5h4v14H7zM14 5h4v14h-4z"),
    "undo": ("M9 5v4h5a6 6 0 0 1 0 12H8v-2h6a4 4 0 0 0 0-8H9v4L3 10z",),
    "redo": ("M15 5v4h-5a6 6 0 0 0 0 12h6v-2h-6a4 4 0 0 1 0-8h5v4l6-5z",),
    "large": ("M4 4h7v2H6v5H4zM13 18h5v-5h2v7h-7z", "M9 4h2v7H4V9h5zM13 13h7v2h-5v5h-2z"),
    "more": ("M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z",),
    "branch": ("M5 3h2v8c0 2 1 3 3 3h6l-3-3 1.4-1.4L20 15l-5.6 5.4L13 19l3-3h-6c-3 0-5-2-5-5z",),
    "share": ("M14 5v5C7 10.5 4 15 3 20c3-4 6-5.5 11-5.5V20l8-7.5z",),
}

#: Sentences that the player may have to say, and the words of the panel that it makes when somebody wants it.
_WORDS = (
    *(f"link-{trouble}" for trouble in ("lost", "step", "newer", "broken", "illegal", "saves")),
    *(f"kept-{trouble}" for trouble in ("denied", "unreadable")),
    *(f"share-{word}" for word in ("address", "copy", "copied", "not-copied", "send", "close", "qr", "too-long")),
    *(f"share-{word}" for word in ("embed", "code", "failed")),
    *(f"more-{word}" for word in ("step", "seen", "everyone", "mover", "wait", "close", "failed")),
    *(f"more-{word}" for word in ("speed", "slow", "normal", "fast", "motion", "four", "guesses", "keys")),
    *(f"more-key-{word}" for word in ("turn", "ends", "play", "large", "leave", "more")),
    *(f"more-cap-{key}" for key in ("home", "end", "space", "page-up", "page-down")),
    *("pass", "pass-here", "guess-right", "guess-wrong", "parting", "stopped"),
)


def walkthrough(script: Script, language: str, rules_base: str = "") -> str:
    """Write a walkthrough in a language; `rules_base` is the renderer's: the way to the language's root.

    A page's worked examples stand open. The others would bury the rules under their tables, so each is folded
    under its title, by the browser's own means: they open without scripting too.
    """
    written = unfolded(script, language, rules_base)
    rule = RULES.get(script.name.partition("/")[2].upper().replace("-", ".").replace(".", "-", 1))
    if rule is not None and rule.kind == "example":
        return written
    title = escape(Catalogue.load(language, "walkthroughs").text(f"{script.name}.title"))
    return f'<details class="rw-fold">\n<summary>{title}</summary>\n{written}\n</details>'


def unfolded(script: Script, language: str, rules_base: str = "") -> str:
    """Write the walkthrough alone."""
    try:
        words = Catalogue.load(language, "walkthroughs")
        title = escape(words.text(f"{script.name}.title"))
        scenes = story.play(script, language)
        guesses = [guess(script.name, scene, language) if scene.step.ask else None for scene in scenes[1:]]
        steps = "\n".join(
            _step(scene, ahead, words, language, rules_base)
            for scene, ahead in zip(scenes, [*guesses, None], strict=True)
        )
        agreement = words.text(f"{script.name}.agreement") if script.agreements else ""
    except KeyError as error:
        raise ScriptError(script.name, None, f"no words in “{language}” for {error}") from error
    site = Catalogue.load(language, "site")
    return f"""\
<rule-walkthrough name="{escape(script.name)}" step="0" engine="static" class="rw" \
role="group" aria-label="{title}" lang-pack="{escape(language)}" data-rules-base="{escape(rules_base)}">
<script type="application/json" class="rw-script">{_for_script(_json(script, scenes, site))}</script>
<p class="rw-title">{title}</p>
<p class="rw-note" hidden></p>
<ol class="rw-steps">
{steps}
</ol>
{_furniture(site, len(scenes), agreement)}
</rule-walkthrough>"""


def _step(scene: story.Scene, ahead: Guess | None, words: Catalogue, language: str, rules_base: str) -> str:
    """One step: to the letter what the engine says of it, then the author's words; what to ask; other ways on.

    A branch stands after its step, folded under its question. The player offers it by a button instead.
    """
    ways, branches = "", ""
    for branch, scenes in scene.branches:
        title = escape(words.text(branch.title))
        ways += f'<button type="button" data-do="branch">{_icon("branch")}{title}</button>'
        told = "\n".join(f'<li class="rw-side">\n{_told(each, words, language, rules_base)}\n</li>' for each in scenes)
        fold = f'<details class="rw-fold">\n<summary>{title}</summary>\n<ol>\n{told}\n</ol>\n</details>'
        branches += f'\n<li class="rw-branch">{fold}</li>'
    return (
        f'<li class="rw-step" data-step="{scene.step.number}">\n{_told(scene, words, language, rules_base)}\n'
        f"{_asked(ahead, language) if ahead else ''}"
        f"{f'<p class="rw-ways">{ways}</p>\n' if ways else ''}</li>{branches}"
    )


def _told(scene: story.Scene, words: Catalogue, language: str, rules_base: str) -> str:
    told = scene.error if scene.error is not None else scene.events
    said_and_table = render.step(scene.record, scene.state, told, language, rules_base=rules_base)
    return f'{said_and_table}\n<p class="rw-comment">{escape(words.text(scene.step.comment))}</p>'


def _asked(ahead: Guess, language: str) -> str:
    """What readers are asked before the next step. On paper, and without a script, nobody could answer."""
    name = escape(Catalogue.load(language, "site").text("player.guess"))
    choices = "".join(
        f'<button type="button" data-do="guess" data-choice="{place}">{escape(choice)}</button>'
        for place, choice in enumerate(ahead.choices)
    )
    return (
        f'<div class="rw-guess" role="group" aria-label="{name}" data-right="{ahead.right}">'
        f"<p>{escape(ahead.question)}</p><p>{choices}</p></div>\n"
    )


def _json(script: Script, scenes: list[story.Scene], site: Catalogue) -> Mapping[str, Any]:
    """What the player must know of a walkthrough that it cannot read off its HTML."""
    # Placeholders are left for the player to fill.
    places = {name: f"{{{name}}}" for name in ("move", "player", "answer", "step")}
    told = {
        "record": script.record,
        "steps": _moves(scenes[1:]),
        "states": [scene.state for scene in scenes],
        "words": {word: site.text(f"player.{word}", **places) for word in _WORDS},
    }
    branches = [
        {"step": scene.step.number, "steps": _moves(way), "states": [each.state for each in way]}
        for scene in scenes
        for _, way in scene.branches
    ]
    return {**told, "branches": branches, "agreements": script.agreements}


def _moves(scenes: Sequence[story.Scene]) -> list[Mapping[str, Any]]:
    return [
        {"action": scene.step.action} if scene.step.action is not None else {"attempt": scene.step.attempt}
        for scene in scenes
    ]


def _for_script(value: Mapping[str, Any]) -> str:
    """JSON that no content can break out of: a `<script>` ends at the first `</script`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _icon(name: str) -> str:
    """The picture on a button; not every button has one."""
    paths = "".join(f'<path d="{path}"/>' for path in _ICONS.get(name, ()))
    return f'<svg viewBox="0 0 24 24" aria-hidden="true">{paths}</svg>' if paths else ""


def _furniture(words: Catalogue, steps: int, agreement: str) -> str:
    """Controls, notices and the place for the reader's own game; the player unhides them."""

    def button(name: str, *, label: bool = True, attributes: str = "") -> str:
        text = escape(words.text(f"player.{name}"))
        named = f"<span>{text}</span>" if label else ""
        hint = "" if label else f' aria-label="{text}" title="{text}"'
        return f'<button type="button" data-do="{name}"{hint}{attributes}>{_icon(name)}{named}</button>'

    def progress(notice: str) -> str:
        name = escape(words.text("player.progress"))
        return f' <progress class="rw-progress" max="1" aria-label="{name}"></progress>' if notice == "loading" else ""

    notices = "".join(
        f'<span data-when="{notice}">{escape(words.text(f"player.engine-{notice}"))}{progress(notice)}</span> '
        for notice in _NOTICES
    )
    idle = ' aria-disabled="true"'
    agreed = (
        f'<div class="rw-bar rw-agreement"><button type="button" data-do="agree" role="switch" aria-checked="false">'
        f"<span>{escape(agreement)}</span></button></div>\n"
        if agreement
        else ""
    )
    return f"""\
<div class="rw-live" role="group" aria-label="{escape(words.text("player.own"))}" hidden></div>
<div class="rw-controls" hidden>
<div class="rw-bar rw-story" role="group" aria-label="{escape(words.text("player.steps"))}">
{button("restart", label=False, attributes=idle)}
{button("back", attributes=idle)}
<span class="rw-place"><span class="rw-now">1</span> / <span class="rw-all">{steps}</span></span>
{button("next")}
{button("last", label=False)}
{button("play", label=False, attributes=' aria-pressed="false"')}
</div>
<div class="rw-bar rw-aside" hidden>
<b class="rw-whatif"></b>
{button("rejoin")}
</div>
<div class="rw-bar rw-mine" role="group" aria-label="{escape(words.text("player.own"))}" hidden>
{button("undo", attributes=idle)}
{button("redo", attributes=idle)}
{button("story")}
</div>
<div class="rw-bar rw-engine">
<span class="rw-turn">{button("take-over")}{button("retry")}</span>
<span class="rw-notices">{notices}</span>
</div>
{agreed}<div class="rw-bar rw-more">
{button("continue", attributes=" hidden")}
{button("share", attributes=' aria-expanded="false"')}
{button("large", attributes=' aria-pressed="false"')}
{button("more", attributes=' aria-expanded="false"')}
</div>
<div class="rw-panel rw-share" role="group" aria-label="{escape(words.text("player.share"))}" hidden></div>
<div class="rw-panel rw-options" role="group" aria-label="{escape(words.text("player.more"))}" hidden></div>
</div>
<p role="status" class="rw-status"></p>
<div class="rw-busy" hidden><p>{escape(words.text("player.busy"))} {button("stop")}</p></div>"""
