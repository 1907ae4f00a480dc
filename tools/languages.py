"""The languages of the site, from the one place that lists them: the i18n plugin's entries in `mkdocs.yml`."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[1]


class Language(NamedTuple):
    """A language as the site knows it."""

    code: str
    """Its folder below `docs` and `locales`, such as `pt`."""
    name: str
    """Its name in itself."""
    variety: str
    """What our texts are written in, such as `pt-PT`."""
    home: str
    """The path of its home page below the site: nothing for the language that the site starts in."""


class _Loader(yaml.SafeLoader):
    """Reads past the tags that only MkDocs understands."""


_Loader.add_multi_constructor("", lambda loader, tag, node: None)


@cache
def listed(config: Path = ROOT / "mkdocs.yml") -> list[Language]:
    """Return the languages in the order of `mkdocs.yml`."""
    plugins: list[Any] = yaml.load(config.read_text("utf-8"), Loader=_Loader)["plugins"]
    (i18n,) = (plugin["i18n"] for plugin in plugins if isinstance(plugin, dict) and "i18n" in plugin)
    return [
        Language(
            code=entry["locale"],
            name=entry["name"],
            variety=entry["theme"]["language"],
            home="" if entry.get("default") else f"{entry['locale']}/",
        )
        for entry in i18n["languages"]
    ]
