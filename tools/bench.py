"""Measures how fast the site is for a reader, as ratios within one run.

    python tools/bench.py [--rounds 5]

Absolute times depend on the machine and its mood, so each round measures our
page and a bare page with stock Pyodide one after the other, in the same
browser and from the same server, and what is compared is their medians.

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
from pathlib import Path
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
    const walkthrough = document.querySelector("rule-walkthrough");
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


@dataclass
class Round:
    """Milliseconds since the navigation began."""

    html_arrived: float
    stepped: float
    live: float
    live_again: float
    stock: float
    stock_again: float


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
    wanted = parser.parse_args()
    if missing := browsers.missing():
        sys.exit(missing)
    with served() as (folder, address), browsers.chromium() as browser:
        rounds = []
        for number in range(1, wanted.rounds + 1):
            print(f"Round {number} of {wanted.rounds} …", flush=True)
            rounds.append(measure(browser, address))
        page, runtime = weigh(browser, address, folder)
    report = tell(rounds, page, runtime)
    results = ROOT / "bench/results"
    results.mkdir(parents=True, exist_ok=True)
    name = time.strftime("%Y-%m-%d-%H%M%S")
    raw = {"rounds": [asdict(one) for one in rounds], "page": asdict(page), "runtime": asdict(runtime)}
    (results / f"{name}.json").write_text(json.dumps(raw, indent=2))
    (results / f"{name}.txt").write_text(report)
    print(f"\n{report}\nKept in bench/results/{name}.txt and .json")


@contextlib.contextmanager
def served() -> Iterator[tuple[Path, str]]:
    """Serve the site and, beside it, a page with stock Pyodide from the npm package."""
    with tempfile.TemporaryDirectory() as name:
        # A copy, so that a build going on beside does not change what is measured.
        folder = Path(name) / "site"
        shutil.copytree(ROOT / "site", folder)
        (folder / "stock").symlink_to(ROOT / "node_modules/pyodide")
        (folder / "stock.html").write_text(STOCK)
        server = serve.server(folder, 0)
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
        again = visit(context, address + PAGE, "live").evaluate("window.live")
    with visitor(browser) as context:
        stock, stock_again = (visit(context, address + "/stock.html", "answered") for _ in range(2))
        answers = [page.evaluate("window.answered") for page in (stock, stock_again)]
    return Round(arrived, stepped, live, again, *answers)


@contextlib.contextmanager
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


def visit(context: BrowserContext, address: str, moment: str) -> Page:
    """Open a page and wait until it has noted the time of a moment."""
    page = context.new_page()
    page.goto(address, wait_until="commit")
    page.wait_for_function(f"window.{moment} > 0", timeout=60_000)
    return page


def weigh(browser: Browser, address: str, folder: Path) -> tuple[Bytes, Bytes]:
    """Weigh every file that one visit asks for: the page's own, and the runtime's."""
    paths: set[str] = set()
    with visitor(browser) as context:
        context.add_init_script(WATCH)
        context.on("response", lambda response: paths.add(urlsplit(response.url).path))
        visit(context, address + PAGE, "live")
    page, runtime = Bytes(), Bytes()
    for path in sorted(paths):
        file = folder / path.lstrip("/")
        content = (file / "index.html" if file.is_dir() else file).read_bytes()
        (runtime if path.startswith(RUNTIME) else page).add(content)
    return page, runtime


def tell(rounds: list[Round], page: Bytes, runtime: Bytes) -> str:
    def median(name: str) -> float:
        return statistics.median([float(getattr(one, name)) for one in rounds])

    stock, stock_again = median("stock"), median("stock_again")
    wait = statistics.median(one.stepped - one.html_arrived for one in rounds)
    lines = [
        f"Rulewalk, {PAGE}, medians of {len(rounds)} rounds; ratios are to stock Pyodide's first answer",
        "",
        f"{'stock loadPyodide() and runPython, first visit':50}{stock:8.0f} ms   1.00",
        f"{'  … and once more':50}{stock_again:8.0f} ms   {stock_again / stock:.2f}",
        f"{'HTML arrived':50}{median('html_arrived'):8.0f} ms   {median('html_arrived') / stock:.2f}",
        f"{'first step can be stepped, after the HTML arrived':50}{wait:8.0f} ms   {wait / stock:.2f}",
        f"{'engine live, first visit':50}{median('live'):8.0f} ms   {median('live') / stock:.2f}",
        f"{'engine live, second visit (to stock, second visit)':50}"
        f"{median('live_again'):8.0f} ms   {median('live_again') / stock_again:.2f}",
        "",
        f"{'kilobytes':26}{'files':>6}{'raw':>10}{'gzip':>10}{'brotli':>10}",
    ]
    for name, size in ("page without the runtime", page), ("runtime", runtime):
        kilobytes = "".join(f"{count / 1000:10.1f}" for count in (size.raw, size.gzip, size.brotli))
        lines.append(f"{name:26}{size.files:6}{kilobytes}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
