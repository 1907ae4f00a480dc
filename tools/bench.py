"""Measures how fast the site is for a reader, as ratios within one run.

    python tools/bench.py [--rounds 5] [--slow-rounds 2]

Absolute times depend on the machine and its mood, so each round measures our
page and a bare page with stock Pyodide one after the other, in the same
browser and from the same server, and what is compared is their medians. Then
the same over a line of 4 Mbit/s and 100 ms, which the server imitates: so it
holds for workers too. The server sends packed what lies there packed, ours and
the stock Pyodide's alike.

The report is printed and kept in `bench/results/`.
"""

import argparse
import contextlib
import gzip
import json
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import brotli
from playwright.sync_api import Browser, BrowserContext, Page

import browsers
import serve

ROOT = Path(__file__).resolve().parents[1]
PAGE = "/backstab-fish/#bf-6-1"
RUNTIME = "/assets/runtime/"

# A page with nothing on it but Pyodide as its makers ship it.
STOCK = """<!doctype html>
<title>Stock Pyodide</title>
<script type="module">
  import { loadPyodide } from "./stock/pyodide.mjs";
  const python = await loadPyodide();
  python.runPython("1");
  window.answered = performance.now();
</script>
"""

# Presses "next" over and over until the walkthrough takes a step: only that proves that it can.
WATCH = """
addEventListener("readystatechange", function first() {
  removeEventListener("readystatechange", first, true);
  const clock = new MessageChannel();
  clock.port1.onmessage = () => {
    const walkthrough = document.querySelector("rule-walkthrough[name='backstab-fish/bf-6-1']");
    if (walkthrough && !window.stepped) {
      const before = walkthrough.getAttribute("step");
      walkthrough.querySelector("[data-do=next]")?.click();
      if (walkthrough.getAttribute("step") !== before) window.stepped = performance.now();
    }
    if (walkthrough?.getAttribute("engine") === "live") window.live = performance.now();
    else if (performance.now() < 60000) setTimeout(() => clock.port2.postMessage(0), 4);
  };
  clock.port2.postMessage(0);
}, true);
"""


# Waits until the browser keeps a snapshot of the engine.
KEPT = """async () => {
  const kept = async () => (await (await caches.open("rulewalk-memory:/")).keys()).length > 0;
  for (let wait = 0; wait < 100 && !(await kept()); wait++) await new Promise(resolve => setTimeout(resolve, 200));
}"""
START = "performance.getEntriesByName('rulewalk:started').at(-1)?.detail"


@dataclass
class Round:
    """Milliseconds since the navigation began."""

    html_arrived: float
    stepped: float
    live: float
    live_again: float
    stock: float
    stock_again: float
    started: str
    started_again: str


@dataclass
class Bytes:
    files: int = 0
    raw: int = 0
    gzip: int = 0
    brotli: int = 0

    def add(self, content: bytes) -> None:
        self.files += 1
        self.raw += len(content)
        # What is packed already, such as a font, a server sends as it is.
        self.gzip += min(len(content), len(gzip.compress(content, 9, mtime=0)))
        self.brotli += min(len(content), len(brotli.compress(content)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure loading times and sizes of the built site.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=2)
    wanted = parser.parse_args()
    if missing := browsers.missing():
        sys.exit(missing)
    with served() as (folder, address), browsers.chromium() as browser:
        rounds, slow = [], []
        for number in range(1, wanted.rounds + 1):
            print(f"Round {number} of {wanted.rounds} …", flush=True)
            rounds.append(measure(browser, address))
        page, runtime = weigh(browser, address, folder)
        Line.slow = True
        for number in range(1, wanted.slow_rounds + 1):
            print(f"Slow round {number} of {wanted.slow_rounds} …", flush=True)
            slow.append(measure(browser, address))
    report = tell(rounds, slow, page, runtime)
    results = ROOT / "bench/results"
    results.mkdir(parents=True, exist_ok=True)
    name = time.strftime("%Y-%m-%d-%H%M%S")
    raw = {
        "rounds": [asdict(one) for one in rounds],
        "slow": [asdict(one) for one in slow],
        "page": asdict(page),
        "runtime": asdict(runtime),
    }
    (results / f"{name}.json").write_text(json.dumps(raw, indent=2))
    (results / f"{name}.txt").write_text(report)
    print(f"\n{report}\nKept in bench/results/{name}.txt and .json")


class Line(serve.Handler):
    """A line to the server: as fast as can be, or one that all files share at 4 Mbit/s, 100 ms away."""

    slow = False
    shared = threading.Lock()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        if not Line.slow:
            super().copyfile(source, outputfile)
            return
        time.sleep(0.1)
        while chunk := source.read(10_000):
            with Line.shared:
                time.sleep(len(chunk) * 8 / 4e6)
            outputfile.write(chunk)


@contextlib.contextmanager
def served() -> Iterator[tuple[Path, str]]:
    """Serve the site and, beside it, a page with stock Pyodide from the npm package."""
    with tempfile.TemporaryDirectory() as name:
        # A copy, so that a build going on beside does not change what is measured.
        folder = Path(name) / "site"
        shutil.copytree(ROOT / "site", folder)
        stock = shutil.copytree(ROOT / "node_modules/pyodide", folder / "stock")
        for runtime in sorted(folder.glob("assets/runtime/*/*.br")):
            if (stock / runtime.stem).exists():
                shutil.copy(runtime, stock)
        (folder / "stock.html").write_text(STOCK)
        server = serve.Server(("127.0.0.1", 0), partial(Line, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def measure(browser: Browser, address: str) -> Round:
    """Visit our page and the stock one, each with an empty cache and then once more."""
    with visitor(browser) as context:
        context.add_init_script(WATCH)
        page = visit(context, address + PAGE, "live")
        arrived = page.evaluate("performance.getEntriesByType('navigation')[0].responseEnd")
        stepped, live = page.evaluate("[window.stepped, window.live]")
        starts = [page.evaluate(START)]
        # A reader stays for a while, and meanwhile the browser takes its snapshot.
        page.evaluate(KEPT)
        page.goto("about:blank")
        next_page = visit(context, address + PAGE, "live")
        again = next_page.evaluate("window.live")
        starts.append(next_page.evaluate(START))
    with visitor(browser) as context:
        stock, stock_again = (visit(context, address + "/stock.html", "answered") for _ in range(2))
        answers = [page.evaluate("window.answered") for page in (stock, stock_again)]
    return Round(arrived, stepped, live, again, *answers, *starts)


@contextlib.contextmanager
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


def visit(context: BrowserContext, address: str, moment: str) -> Page:
    """Open a page and wait until it has noted the time of a moment."""
    page = context.new_page()
    page.goto(address, wait_until="commit")
    # Looked for from outside, since the site's policy lets nobody write scripts into its pages.
    page.evaluate(
        f"async () => {{ while (!(window.{moment} > 0)) await new Promise(resolve => setTimeout(resolve, 50)); }}"
    )
    return page


def weigh(browser: Browser, address: str, folder: Path, page_path: str = PAGE) -> tuple[Bytes, Bytes]:
    """Weigh every file that one visit asks for: the page's own, and the runtime's."""
    paths: set[str] = set()
    with visitor(browser) as context:
        context.add_init_script(WATCH)
        context.on("response", lambda response: paths.add(urlsplit(response.url).path))
        # What the site keeps in advance is no part of this page.
        context.route("**/service-worker.js", lambda route: route.abort())
        visit(context, address + page_path, "live")
    page, runtime = Bytes(), Bytes()
    for path in sorted(paths):
        file = folder / path.lstrip("/")
        content = (file / "index.html" if file.is_dir() else file).read_bytes()
        (runtime if path.startswith(RUNTIME) else page).add(content)
    return page, runtime


def tell(rounds: list[Round], slow: list[Round], page: Bytes, runtime: Bytes) -> str:
    lines = [
        f"Rulewalk, {PAGE}, medians; ratios are to stock Pyodide's first answer",
        *tell_times("from this machine", rounds),
        *(tell_times("over 4 Mbit/s, 100 ms", slow) if slow else []),
        "",
        f"{'kilobytes':26}{'files':>6}{'raw':>10}{'gzip':>10}{'brotli':>10}",
    ]
    for name, size in ("page without the runtime", page), ("runtime", runtime):
        kilobytes = "".join(f"{count / 1000:10.1f}" for count in (size.raw, size.gzip, size.brotli))
        lines.append(f"{name:26}{size.files:6}{kilobytes}")
    return "\n".join(lines) + "\n"


def tell_times(line: str, rounds: list[Round]) -> list[str]:
    def median(name: str) -> float:
        return statistics.median([float(getattr(one, name)) for one in rounds])

    stock, stock_again = median("stock"), median("stock_again")
    wait = statistics.median(one.stepped - one.html_arrived for one in rounds)
    starts = ", ".join(sorted({f"{one.started}, then {one.started_again}" for one in rounds}))
    return [
        "",
        f"{line}, {len(rounds)} rounds; Python started {starts}",
        f"{'stock loadPyodide() and runPython, first visit':50}{stock:8.0f} ms   1.00",
        f"{'  … and once more':50}{stock_again:8.0f} ms   {stock_again / stock:.2f}",
        f"{'HTML arrived':50}{median('html_arrived'):8.0f} ms   {median('html_arrived') / stock:.2f}",
        f"{'first step can be stepped, after the HTML arrived':50}{wait:8.0f} ms   {wait / stock:.2f}",
        f"{'engine live, first visit':50}{median('live'):8.0f} ms   {median('live') / stock:.2f}",
        f"{'engine live, next page':50}{median('live_again'):8.0f} ms   {median('live_again') / stock:.2f}",
    ]


if __name__ == "__main__":
    main()
