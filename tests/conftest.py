"""What several test folders share: the built site, a server for it, a browser."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect

import browsers
import serve

ROOT = Path(__file__).resolve().parents[1]

# How long an example takes says nothing on a machine that builds a site meanwhile.
settings.register_profile("rulewalk", deadline=None, print_blob=True)
settings.load_profile("rulewalk")
expect.set_options(timeout=20_000)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what tests have noted; what they print in a process beside this one, nobody would see."""
    for report in terminalreporter.getreports("passed"):
        for name, told in report.user_properties:
            terminalreporter.section(name)
            terminalreporter.line(told)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the built site, built again where something has changed."""
    built = subprocess.run([sys.executable, ROOT / "tools/build.py"], capture_output=True, text=True)
    if built.returncode:
        pytest.fail(f"The site cannot be built.\n{built.stdout}{built.stderr}", pytrace=False)
    # The next build, perhaps in another window, must not pull the pages from under the tests.
    return shutil.copytree(ROOT / "site", tmp_path_factory.mktemp("site"), dirs_exist_ok=True)


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """The address of the built site, served on a free port, without a slash at its end."""
    with serve.running(serve.server(site, 0)) as address:
        yield address.removesuffix("/")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, as the system has it. CHROMIUM names another one."""
    if missing := browsers.missing():
        pytest.fail(missing, pytrace=False)
    with browsers.chromium() as chromium:
        # A service worker would answer before any route of a test. Tests of its own allow it.
        chromium.new_context = partial(chromium.new_context, service_workers="block")  # type: ignore[method-assign]
        yield chromium
