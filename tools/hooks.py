"""What MkDocs is told while it builds, page by page and language by language.

`mkdocs.yml` names this file as its hook. Everything that happens before or
after MkDocs, such as the scripts and the runtime, is in `build.py`.
"""

import contextlib
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, TemplateNotFound
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url
from mkdocs.utils.templates import TemplateContext

import hosting
import languages
from rulewalk.catalogue import Catalogue

BUNDLE = Path(__file__).parents[1] / "build/bundle.json"
TEMPLATES = BUNDLE.with_name("templates")
MARKDOWN = "rulewalk_tutorials.markdown"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the bundled style sheet and scripts on every page, under their hashed names."""
    bundle = json.loads(BUNDLE.read_text())
    player = ExtraScriptValue(bundle["script"])
    player.type = "module"
    config.extra_css = [bundle["style"]]
    config.extra_javascript = [player]
    config.extra["policy"] = hosting.POLICY
    for part in ("shell", "early", "engine", "modules", "lost", "font"):
        config.extra[part] = bundle[part]
    return config


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """Leave out of the navigation what nobody has written yet."""
    nav.items = _written(nav.items)
    return nav


def _written(items: list[Any]) -> list[Any]:
    kept = []
    for item in items:
        if isinstance(item, Section):
            item.children = _written(item.children)
            if item.children:
                kept.append(item)
        # MkDocs makes a plain link of a path for which it finds no page.
        elif not isinstance(item, Link):
            kept.append(item)
    return kept


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """Give the templates the languages, and the shell's words in each: ours, or else the theme's."""
    i18n: Any = config.plugins["i18n"]

    def word(key: str, language: str = i18n.current_language) -> str:
        ours = Catalogue.load(language, "site")
        if f"shell.{key}" in ours:
            return ours.text(f"shell.{key}")
        # The theme's English fills what its other languages leave out, such as the direction of writing.
        for code in (language, "en"):
            with contextlib.suppress(TemplateNotFound):
                theirs: Any = env.get_template(f"partials/languages/{code}.html")
                if found := str(theirs.module.t(key)):
                    return found
        return ""

    # The same templates, in each language and each build.
    TEMPLATES.mkdir(exist_ok=True)
    env.bytecode_cache = FileSystemBytecodeCache(str(TEMPLATES))
    env.globals |= {"languages": languages.listed(), "word": word}
    return env


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tell our Markdown extension the language of this page's text, and where the page is.

    A page that is missing in a language is shown in English, so the language
    is that of the file, not that of the folder it is served from.
    """
    only = config.extra.get("only")
    if only is not None and _source(page, config) not in only:
        # Nothing of it has changed, so nothing is written of it.
        page.meta = {**page.meta, "template": "unchanged.html", "search": {"exclude": True}}
        return ""
    config.mdx_configs[MARKDOWN] = {"language": _file(page).locale, "page": _path(page)}
    if _falls_back(page):
        page.meta["search"] = {"exclude": True}
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Keep walkthroughs out of the search: a hand of cards is no answer to anything."""
    return html.replace("<rule-walkthrough ", "<rule-walkthrough data-search-exclude ")


def _file(page: Page) -> Any:
    """A page's file, to which the i18n plugin adds `locale`, the text's language, and where it is shown."""
    return page.file


def _source(page: Page, config: MkDocsConfig) -> str:
    return Path(str(_file(page).abs_src_path)).relative_to(config.docs_dir).as_posix()


def _home(page: Page) -> str:
    """The path of the home page of the language that a page is served in."""
    served = _file(page).locale_alternate_of
    return next(language.home for language in languages.listed() if language.code == served)


def _path(page: Page) -> str:
    """The path of a page below its language's home: the same in every language."""
    return page.url.removeprefix("./").removeprefix(_home(page))


def on_page_context(context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation) -> TemplateContext:
    """Name the page's home, its language and its translations; absolutely, where the site knows its own address."""

    def absolute(home: str) -> str:
        return config.site_url + home + _path(page) if config.site_url else relative(home)

    def relative(home: str) -> str:
        return get_relative_url(home + _path(page), page.url)

    file, extra = _file(page), _extra(context)
    written = [
        language for language in languages.listed() if Path(config.docs_dir, language.code, file.norm_src_uri).exists()
    ]
    (text,) = (language for language in written if language.code == file.locale)
    extra["home"] = _home(page)
    extra["language"] = text
    extra["foreign"] = _tag(file.locale) if _falls_back(page) else ""
    extra["original"] = absolute(text.home)
    extra["default_alternate"] = absolute("")
    extra["alternates"] = [
        language._asdict() | {"href": absolute(language.home), "link": relative(language.home)} for language in written
    ]
    return context


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """Keep the 404 page of the first build: there is one for all languages."""
    i18n: Any = config.plugins["i18n"]
    return output if template_name != "404.html" or i18n.is_default_language_build else ""


def _falls_back(page: Page) -> bool:
    """Whether a page is missing in the language it is served in, and shows the original."""
    file = _file(page)
    return bool(file.locale != file.locale_alternate_of)


def _tag(code: str) -> str:
    """A language as `<html lang>` has it."""
    return Catalogue.load(code, "site").text("shell.language")


def _extra(context: TemplateContext) -> Any:
    """The context, which may hold more than MkDocs itself puts into it."""
    return context
