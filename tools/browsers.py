"""Finds and starts the browser that tests and measurements drive."""

import contextlib
import os
import shutil
from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

# A browser in its working clothes: no sandbox, which root cannot have, and no talk with its makers.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def path() -> str | None:
    """The path of Chromium: CHROMIUM in the environment, or the first that the system has."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def missing() -> str:
    """What to tell somebody who has no browser; nothing, where there is one."""
    if path():
        return ""
    return (
        "This needs the browser Chromium: install it ('apt-get install chromium' on Debian), "
        "or name one with 'CHROMIUM=/path/to/chromium' before the command."
    )


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium, for as long as the block runs."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path(), args=list(FLAGS))
        yield browser
        browser.close()
