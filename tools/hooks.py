"""What MkDocs is told while it builds, page by page and language by language.

`mkdocs.yml` names this file as its hook. Everything that happens before or
after MkDocs, such as the scripts and the runtime, is in `build.py`.
"""

import json
from pathlib import Path
from typing import Any

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url
from mkdocs.utils.templates import TemplateContext

BUNDLE = Path(__file__).parents[1] / "build/bundle.json"
MARKDOWN = "rulewalk_tutorials.markdown"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the bundled style sheet and scripts on every page, under their hashed names."""
    bundle = json.loads(BUNDLE.read_text())
    player = ExtraScriptValue(bundle["script"])
    player.type = "module"
    config.extra_css = [bundle["style"]]
    config.extra_javascript = [player]
    config.extra["shell"] = bundle["shell"]
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


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Tell our Markdown extension the language of this page's text, and where the page is.

    A page that is missing in a language is shown in English, so the language
    is that of the file, not that of the folder it is served from.
    """
    file: Any = page.file
    config.mdx_configs[MARKDOWN] = {"language": file.locale, "page": _path(page)}
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Keep walkthroughs out of the search: a hand of cards is no answer to anything."""
    return html.replace("<rule-walkthrough ", "<rule-walkthrough data-search-exclude ")


def _home(page: Page) -> str:
    """The path of the home page of the language that a page is served in."""
    file: Any = page.file  # the i18n plugin adds to MkDocs' own class
    language: str = file.locale_alternate_of
    return "" if language == "en" else f"{language}/"


def _path(page: Page) -> str:
    """The path of a page below its language's home: the same in every language."""
    return page.url.removeprefix("./").removeprefix(_home(page))


def on_page_context(context: TemplateContext, page: Page, config: MkDocsConfig, nav: Navigation) -> TemplateContext:
    """Name the page's home, the languages it is written in, and its original where it is not translated.

    Addresses are absolute where the site knows its own, as search engines want them.
    """
    file: Any = page.file
    path = _path(page)
    homes = {item["lang"]: "" if item["lang"] == "en" else f"{item['lang']}/" for item in config.extra["alternate"]}
    written = {
        language: home
        for language, home in homes.items()
        if Path(config.docs_dir, language, file.norm_src_uri).exists()
    }

    def address(home: str) -> str:
        return config.site_url + home + path if config.site_url else get_relative_url(home + path, page.url)

    extra: Any = context
    extra["home"] = _home(page)
    extra["alternates"] = [
        {"lang": language, "href": address(home)} for language, home in (written | {"x-default": ""}).items()
    ]
    extra["original"] = {"lang": file.locale, "href": address(homes[file.locale])}
    extra["untranslated"] = file.locale != file.locale_alternate_of
    return context


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Point the theme's search at the index of the page's language (see `build.split_search`)."""
    if not _home(page):
        return output
    root, home = (get_relative_url(path, page.url).rstrip("/") for path in (".", _home(page)))
    return output.replace(f'"base": "{root}"', f'"base": "{home}"', 1)


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """Keep the 404 page of the first build: there is one, and English is built first."""
    first = config.theme["language"].startswith("en")
    return output if first or template_name != "404.html" else ""
