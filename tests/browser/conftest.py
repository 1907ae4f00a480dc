"""What the tests in a browser share: a reader's own context and tab, and a site to be spoilt."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import serve

from .kit import LIVE, Host, live, runtime_kept


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Each test is a reader of its own: nothing is kept yet."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(LIVE)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="session")
def been_here(browser: Browser, site_url: str) -> Iterator[BrowserContext]:
    """The browser of somebody who has been here: the engine is kept."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    live(page)
    runtime_kept(page)
    page.close()
    yield context
    context.close()


@pytest.fixture
def again(been_here: BrowserContext, site_url: str) -> Iterator[BrowserContext]:
    """The same once more, without what a test left there but for the engine."""
    others = been_here.pages
    yield been_here
    page = been_here.new_page()
    erased = {"origin": site_url, "storageTypes": "local_storage"}
    been_here.new_cdp_session(page).send("Storage.clearDataForOrigin", erased)
    for page in been_here.pages:
        if page not in others:
            page.close()


@pytest.fixture
def kept_context(browser: Browser) -> Iterator[BrowserContext]:
    """With the service worker."""
    context = browser.new_context(service_workers="allow", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(LIVE)
    yield context
    context.close()


@pytest.fixture
def host(site: Path, tmp_path: Path) -> Iterator[Host]:
    """A site of the test's own, below a path of its host."""
    folder = shutil.copytree(site, tmp_path / "some/rules")
    with serve.running(serve.server(tmp_path, 0)) as address:
        yield Host(folder, f"{address}some/rules/")
