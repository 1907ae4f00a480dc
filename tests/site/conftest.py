"""What the tests of the pages share."""

from functools import cache
from pathlib import Path

import pytest

from . import prose
from .built import Pages, pages_in


@pytest.fixture(scope="session")
def pages(site: Path) -> Pages:
    """All built pages by their address (`/es/backstab-fish/`)."""
    return pages_in(site)


@pytest.fixture(scope="session")
def say(pages: Pages) -> prose.Say:
    """All that we say in a language, on its pages and in its catalogues."""
    return cache(lambda language: [*prose.on_pages(pages, language), *prose.in_catalogues(language)])
