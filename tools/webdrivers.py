"""Starts Chromium, Firefox and WebKit, all to be driven alike, for what must hold in every browser.

Each starts on a system whose colours are dark, as most tests do not.

The one language that all three understand is WebDriver, which Selenium speaks.
Debian has a driver for Chromium and one for WebKitGTK. It has none for Firefox,
whose Marionette takes the same commands over a socket of its own.
"""

import contextlib
import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as ChromiumService
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.service import Service as WebKitService

import browsers

#: A browser starts, or there is something wrong with it.
_PATIENCE = 60


def missing(browser: str) -> str:
    """What to tell somebody whose machine cannot start a browser; nothing, where it can."""
    packages = [package for package, names in _NEEDS[browser].items() if not any(map(shutil.which, names))]
    if not packages:
        return ""
    return f"This needs the browser {browser} and what drives it: 'apt-get install {' '.join(packages)}' on Debian."


@contextlib.contextmanager
def chromium() -> Iterator[WebDriver]:
    options = webdriver.ChromeOptions()
    options.binary_location = browsers.path() or ""
    for flag in (*browsers.FLAGS, "--headless", "--blink-settings=preferredColorScheme=0"):
        options.add_argument(flag)
    with webdriver.Chrome(options, ChromiumService(shutil.which("chromedriver"))) as driver:
        yield driver


@contextlib.contextmanager
def firefox() -> Iterator[WebDriver]:
    options = webdriver.FirefoxOptions()
    options.page_load_strategy = "eager"  # here, unlike elsewhere, a page has not loaded before its worker has
    program = next(filter(None, map(shutil.which, _NEEDS["Firefox"]["firefox-esr"])))
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder)
        preferences = {"marionette.port": 0, "ui.systemUsesDarkTheme": 1}
        (profile / "user.js").write_text(
            "".join(f'user_pref("{name}", {preferences[name]});\n' for name in preferences)
        )
        command = [program, "--headless", "--no-remote", "--marionette", "--profile", folder]
        # As root it wants a home of its own, which a CI machine may not give it.
        environment = os.environ | {"HOME": folder}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = _told(profile / "MarionetteActivePort")
            with _Marionette(int(port)) as marionette:
                yield WebDriver(marionette, options=options)
        finally:
            process.terminate()
            process.wait()


@contextlib.contextmanager
def webkit() -> Iterator[WebDriver]:
    with _screen() as display:
        service = WebKitService(env=os.environ | {"DISPLAY": display, "GTK_THEME": "Adwaita:dark"})
        with webdriver.WebKitGTK(service=service) as driver:
            yield driver


STARTS: dict[str, Callable[[], contextlib.AbstractContextManager[WebDriver]]] = {
    "Chromium": chromium,
    "Firefox": firefox,
    "WebKit": webkit,
}

#: Debian's packages, and the programs in them by any of their names.
_NEEDS: dict[str, dict[str, tuple[str, ...]]] = {
    "Chromium": {"chromium": (browsers.path() or "chromium",), "chromium-driver": ("chromedriver",)},
    "Firefox": {"firefox-esr": ("firefox-esr", "firefox")},
    "WebKit": {"webkit2gtk-driver": ("WebKitWebDriver",), "xvfb": ("Xvfb",)},
}


@contextlib.contextmanager
def _screen() -> Iterator[str]:
    """A screen that nobody sees, for a browser that cannot do without; its name is that of a DISPLAY."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        process.terminate()
        process.wait()


def _told(file: Path) -> str:
    """What a program writes into a file once it is ready."""
    end = time.monotonic() + _PATIENCE
    while not (file.exists() and file.read_text()):
        if time.monotonic() > end:
            raise TimeoutError(f"{file.name} was not written in {_PATIENCE} seconds")
        time.sleep(0.05)
    return file.read_text()


class _Marionette(RemoteConnection):
    """A connection to a Firefox itself, in the place of one to a driver that would only pass everything on.

    A message is its length, a colon and JSON: `[0, id, command, parameters]`,
    answered by `[1, id, error, result]`.
    """

    #: What tests ask for, as Firefox calls it.
    NAMES = {
        Command.NEW_SESSION: "NewSession",
        Command.SET_TIMEOUTS: "SetTimeouts",
        Command.SET_WINDOW_RECT: "SetWindowRect",
        Command.GET: "Navigate",
        Command.REFRESH: "Refresh",
        Command.GO_BACK: "Back",
        Command.FIND_ELEMENT: "FindElement",
        Command.CLICK_ELEMENT: "ElementClick",
        Command.W3C_ACTIONS: "PerformActions",
        Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    }

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._incoming = self._socket.makefile("rb")
        self._ids = itertools.count(1)
        self._read()  # Firefox introduces itself

    def __enter__(self) -> "_Marionette":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        if command == Command.NEW_SESSION:
            params = params["capabilities"]["alwaysMatch"]
        parameters = {name: value for name, value in params.items() if name != "sessionId"}
        message = json.dumps([0, next(self._ids), f"WebDriver:{self.NAMES[command]}", parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        return result if "value" in result else {"value": result}

    def _read(self) -> Any:
        length = b""
        while (character := self._incoming.read(1)) != b":":
            if not character:
                raise ConnectionError("Firefox has gone")
            length += character
        return json.loads(self._incoming.read(int(length)))
