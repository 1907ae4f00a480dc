"""What the tests of the pages share."""

from pathlib import Path

import pytest

from .built import Pages, pages_in


@pytest.fixture(scope="session")
def pages(site: Path) -> Pages:
    """All built pages by their address (`/es/backstab-fish/`)."""
    return pages_in(site)
