"""The site as a release has it, unpacked and put elsewhere: below a path of a plain server, of nginx, or on a disk."""

import contextlib
import shutil
import socket
import subprocess
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import hosting
import release
import serve
from rulewalk.catalogue import Catalogue

from .kit import HOMES, live, walkthrough

PATH = "school/cards"

type Host = Callable[[Path], contextlib.AbstractContextManager[str]]


@pytest.fixture(scope="module")
def unpacked(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the released site in it, under PATH."""
    folder = tmp_path_factory.mktemp("host")
    archive = folder / "site.zip"
    release.pack(site, archive, PATH)
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder


@contextlib.contextmanager
def plain(folder: Path) -> Iterator[str]:
    """As `python -m http.server` serves a folder: it knows nothing of this site, and packs nothing."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    with serve.running(ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))) as address:
        yield address.removesuffix("/")


@contextlib.contextmanager
def nginx(folder: Path) -> Iterator[str]:
    """As nginx serves it with the file that lies in the site for it (docs/en/hosting.md)."""
    if not shutil.which("nginx"):
        pytest.skip("nginx is not installed here")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    temporary = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    shutil.copy("/etc/nginx/mime.types", folder)
    settings = folder / "nginx.conf"
    settings.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr warn; events {{}}"
        f"http {{ access_log off; {temporary} include mime.types;"
        f"server {{ listen 127.0.0.1:{port}; root {folder}; error_page 404 /{PATH}/404.html;"
        f"location /{PATH}/ {{ include {folder}/{PATH}/_nginx.conf; }} }} }}"
    )
    server = subprocess.Popen(["nginx", "-c", settings], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


@pytest.mark.parametrize("host", [plain, nginx], ids=["plain", "nginx"])
def test_below_a_path_of_another_host_walkthroughs_go_live(page: Page, unpacked: Path, host: Host) -> None:
    with host(unpacked) as address:
        page.goto(f"{address}/{PATH}/es/backstab-fish/#bf-6-1")
        live(page)
        page.get_by_role("link", name="English").first.evaluate("link => link.click()")
        expect(page).to_have_url(f"{address}/{PATH}/backstab-fish/#bf-6-1")


def headers(address: str) -> dict[str, list[str]]:
    asked = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked) as answer:
        return {name: answer.headers.get_all(name) for name in answer.headers}


def test_nginx_sends_the_headers_of_the_file_that_is_made_for_it(unpacked: Path) -> None:
    (script,) = unpacked.glob(f"{PATH}/assets/runtime/*/python.mjs")
    with nginx(unpacked) as address:
        page = headers(f"{address}/{PATH}/go-fish/")
        assert page["Content-Security-Policy"] == [hosting.POLICY, "frame-ancestors 'self'"]
        assert page["X-Content-Type-Options"] == ["nosniff"] and page["Content-Encoding"] == ["gzip"]
        assert "Cache-Control" not in page
        embedded = headers(f"{address}/{PATH}/embed/backstab-fish/bf-6-1/")
        assert embedded["Content-Security-Policy"] == [hosting.POLICY]
        module = headers(f"{address}/{script.relative_to(unpacked).as_posix()}")
        assert module["Content-Type"] == ["text/javascript"] and module["Content-Encoding"] == ["gzip"]
        assert "immutable" in module["Cache-Control"][0]


@pytest.mark.parametrize("language", HOMES)
def test_on_a_disk_it_is_read_stepped_and_followed(page: Page, unpacked: Path, language: str) -> None:
    root = (unpacked / PATH).as_uri()
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    page.goto(f"{root}/{HOMES[language]}index.html")
    page.locator('article a[href*="backstab-fish/"]').first.click()
    expect(page).to_have_url(f"{root}/{HOMES[language]}backstab-fish/index.html")
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    steps = element.locator(".rw-step")
    last = steps.count() - 1
    for step in range(1, last + 1):
        element.locator('[data-do="next"]').click()
        expect(steps.nth(step)).to_be_visible()
        expect(element).to_have_attribute("step", str(step))
    # What cannot be had is said, and nothing is offered that cannot work.
    words = Catalogue.load(language, "site")
    expect(element.get_by_text(words.text("player.engine-unavailable")).first).to_be_visible()
    expect(page.get_by_role("search")).to_have_count(0)
    other = "es" if language != "es" else "pt"
    page.locator(f'a.md-select__link[hreflang="{other}"]').evaluate("link => link.click()")
    expect(page).to_have_url(f"{root}/{HOMES[other]}backstab-fish/index.html#walk=bf-6-1&step={last}")
    expect(element).to_have_attribute("step", str(last))
    assert not broken


def test_on_a_disk_without_scripts_every_step_is_there(browser: Browser, unpacked: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{(unpacked / PATH).as_uri()}/backstab-fish/index.html")
    steps = walkthrough(page).locator(".rw-step")
    assert steps.count() == 3
    for step in steps.all():
        expect(step).to_be_visible()
    context.close()
