"""Measures how fast the site is for a reader, how much of a machine it takes, and how long it takes to be built.

    python tools/bench.py [--rounds 5] [--slow-rounds 2] [--keep]

All are ratios within one run, since absolute times depend on the machine and
its mood. Each round measures our page and a bare page with stock Pyodide one
after the other, in the same browser and from the same server, and what is
compared is their medians. Then the same over a line of 4 Mbit/s and 100 ms,
which the server imitates: so it holds for workers too. The server sends packed
what lies there packed, ours and the stock Pyodide's alike.

The report is printed, and with `--keep` written into the programmers' page of
figures (docs/en/figures.md).
"""

import argparse
import contextlib
import gzip
import os
import platform
import re
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import brotli
from playwright.sync_api import Browser, BrowserContext, Page

import bench_build
import browsers
import serve

ROOT = Path(__file__).resolve().parents[1]
PAGE = "/backstab-fish/#bf-6-1"
RUNTIME = "/assets/runtime/"
FIGURES = ROOT / "docs/en/figures.md"
MEASURED = re.compile(r"(?<=<!-- measured -->\n).*(?=<!-- until here -->)", re.DOTALL)

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
  let walkthrough;
  clock.port1.onmessage = () => {
    walkthrough ??= document.querySelector("rule-walkthrough[name='backstab-fish/bf-6-1']");
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


# Waits until the browser keeps the site and the engine.
KEPT = "navigator.serviceWorker.ready.then(() => new Promise(resolve => setTimeout(resolve, 1000)))"
# Notes how long each task is that keeps the page from answering.
LONG = """
window.long = [];
new PerformanceObserver(list => window.long.push(...list.getEntries().map(task => task.duration)))
    .observe({ type: "longtask", buffered: true });
"""
# Waits until a walkthrough is live, and tells when that was.
LIVE = """async (walkthrough) => {
  const element = typeof walkthrough === "string" ? document.querySelector(walkthrough) : walkthrough;
  while (element.getAttribute("engine") !== "live") await new Promise(resolve => setTimeout(resolve, 50));
  return performance.now();
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
    raw: int = 0
    gzip: int = 0
    brotli: int = 0

    def add(self, file: Path) -> None:
        content = file.read_bytes()
        self.raw += len(content)
        # What is packed already, such as a font, a server sends as it is; the runtime lies there packed.
        self.gzip += min(len(content), size(file, ".gz") or len(gzip.compress(content, 9, mtime=0)))
        self.brotli += min(len(content), size(file, ".br") or len(brotli.compress(content)))


def size(file: Path, suffix: str) -> int:
    """The bytes of a variant of a file, 0 where there is none."""
    variant = file.with_name(file.name + suffix)
    return variant.stat().st_size if variant.exists() else 0


@dataclass
class Main:
    """Of the page's own thread until the engine is live, in milliseconds: all tasks of 50 and more, and the longest."""

    long: float
    longest: float
    live: float


@dataclass
class Memory:
    """Bytes of the processes that a browser has for a page: its own memory, and its share of what it shares."""

    ten: int
    one: int
    text: int
    stock: int


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure loading, sizes, memory and building, as ratios.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slow-rounds", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help=f"write the figures into {FIGURES.relative_to(ROOT)}")
    wanted = parser.parse_args()
    if missing := browsers.missing():
        sys.exit(missing)
    rounds, slow, threads = [], [], []
    with served() as (folder, address):
        with browsers.chromium() as browser:
            version = browser.version
            for number in range(1, wanted.rounds + 1):
                tell(f"Round {number} of {wanted.rounds} …")
                rounds.append(measure(browser, address))
                threads.append(watch(browser, address))
            page, runtime = weigh(browser, address, folder)
            Line.slow = True
            for number in range(1, wanted.slow_rounds + 1):
                tell(f"Slow round {number} of {wanted.slow_rounds} …")
                slow.append(measure(browser, address))
            Line.slow = False
        tell("Memory …")
        memory = remember(address, folder)
    tell("Builds …")
    build = bench_build.measure()
    report = "\n".join(
        [
            f"Measured on {time.strftime('%-d %B %Y')}, with {os.cpu_count()} processors ({platform.machine()}), "
            f"Chromium {version.partition('.')[0]} and Python {platform.python_version()}.",
            *tell_times(rounds, slow),
            *tell_bytes(page, runtime),
            *tell_machine(threads, memory),
            *tell_build(build),
            "",
        ]
    )
    print(report)
    if wanted.keep:
        FIGURES.write_text(MEASURED.sub(lambda _: report, FIGURES.read_text("utf-8")), "utf-8")


def tell(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


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
        with serve.running(serve.Server(("127.0.0.1", 0), partial(Line, directory=str(folder)))) as address:
            yield folder, address.removesuffix("/")


def measure(browser: Browser, address: str) -> Round:
    """Visit our page and the stock one, each with an empty cache and then once more."""
    with visitor(browser) as context:
        context.add_init_script(WATCH)
        page = visit(context, address + PAGE, "live")
        arrived = page.evaluate("performance.getEntriesByType('navigation')[0].responseEnd")
        stepped, live = page.evaluate("[window.stepped, window.live]")
        starts = [page.evaluate(START)]
        # A reader stays for a while, and meanwhile the browser keeps what it will need.
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
def visitor(browser: Browser, **settings: Any) -> Iterator[BrowserContext]:
    context = browser.new_context(**settings)
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
        (runtime if path.startswith(RUNTIME) else page).add(file / "index.html" if file.is_dir() else file)
    return page, runtime


def watch(browser: Browser, address: str) -> Main:
    """Note what keeps the page's own thread busy while nobody does anything but wait."""
    with visitor(browser) as context:
        context.add_init_script(LONG)
        page = context.new_page()
        page.goto(address + PAGE)
        live = page.evaluate(LIVE, 'rule-walkthrough[name="backstab-fish/bf-6-1"]')
        tasks = page.evaluate("window.long")
    return Main(sum(tasks), max(tasks, default=0), live)


def remember(address: str, folder: Path) -> Memory:
    """Weigh a page with ten walkthroughs, all of them live, and others to hold it against."""
    html = (folder / "backstab-fish/index.html").read_text("utf-8").replace("<details ", "<details open ")
    walkthroughs = re.compile(r"<rule-walkthrough .*?</rule-walkthrough>", re.DOTALL)
    for count in (10, 1):
        place = folder / f"with-{count}/index.html"
        place.parent.mkdir()
        kept = iter([*walkthroughs.findall(html)[:count], *[""] * 100])
        place.write_text(walkthroughs.sub(lambda _, kept=kept: next(kept), html), "utf-8")  # type: ignore[misc]
    return Memory(
        ten=weight_of(f"{address}/with-10/", 10),
        one=weight_of(f"{address}/with-1/", 1),
        text=weight_of(f"{address}/glossary/", 0),
        stock=weight_of(f"{address}/stock.html", 0, "answered"),
    )


def weight_of(address: str, walkthroughs: int, moment: str = "") -> int:
    """Open a page in a browser of its own; return what its processes weigh once all is live, and calm."""
    with browsers.chromium() as browser, visitor(browser, service_workers="block") as context:
        page = visit(context, address, moment) if moment else context.new_page()
        if not moment:
            page.goto(address)
        for number in range(walkthroughs):
            element = page.locator("rule-walkthrough").nth(number)
            element.scroll_into_view_if_needed()
            element.evaluate(f"element => ({LIVE})(element)")
        page.wait_for_timeout(5000)
        told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        renderers = [process["id"] for process in told["processInfo"] if process["type"] == "renderer"]
        return sum(proportional(process) for process in renderers)


def proportional(process: int) -> int:
    """The bytes of a process as Linux counts them where memory is shared: each has its part of it."""
    (line,) = (line for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines() if line[:4] == "Pss:")
    return int(line.split()[1]) * 1024


def table(*rows: tuple[str, ...]) -> list[str]:
    """A table in Markdown; how its columns are aligned would be a style in the page, which our policy forbids."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return ["", head, f"|{' --- |' * len(rows[0])}", *body]


def tell_times(rounds: list[Round], slow: list[Round]) -> list[str]:
    def median(of: list[Round], name: str) -> float:
        return statistics.median([float(getattr(one, name)) for one in of])

    def row(what: str, name: str) -> tuple[str, ...]:
        return (what, *(f"{median(of, name) / median(of, 'stock'):.2f}" for of in (rounds, slow)))

    starts = ", ".join(sorted({start for one in rounds for start in (one.started, one.started_again)}))
    base = " and ".join(f"{median(of, 'stock') / 1000:.1f}" for of in (rounds, slow))
    return [
        "",
        "### Until the engine answers {: #time }",
        "",
        f"Stock `loadPyodide()` took {base} seconds to its first answer: that is 1. Medians of {len(rounds)} and "
        f"{len(slow)} rounds; our Python started from the {starts}.",
        *table(
            ("from the click", "on the spot", "4 Mbit/s, 100 ms"),
            row("stock, once more", "stock_again"),
            row("the page is there", "html_arrived"),
            row("the first step can be taken", "stepped"),
            row("the engine is live, with nothing kept", "live"),
            row("the engine is live, on the next page", "live_again"),
        ),
    ]


def tell_bytes(page: Bytes, runtime: Bytes) -> list[str]:
    def row(what: str, size: Bytes) -> tuple[str, ...]:
        return (what, *(f"{count / 1000:,.0f}" for count in (size.raw, size.gzip, size.brotli)))

    return [
        "",
        "### What a first visit fetches, in kilobytes {: #bytes }",
        *table(("part", "as it is", "`gzip`", "`brotli`"), row("the page", page), row("the runtime", runtime)),
    ]


def tell_machine(threads: list[Main], memory: Memory) -> list[str]:
    busy = statistics.median(one.long / one.live for one in threads)
    longest = statistics.median(one.longest for one in threads)
    return [
        "",
        "### What it takes of the machine {: #machine }",
        "",
        f"Of the time until the engine is live, the page’s own thread is busy with tasks of 50 ms and more for "
        f"{busy:.2f}; the longest takes {longest:.0f} ms.",
        "",
        f"A page with stock Pyodide weighs {memory.stock / 1e6:.0f} MB in memory: that is 1.",
        *table(
            ("a page", "memory"),
            ("of text only", f"{memory.text / memory.stock:.2f}"),
            ("with one example, live", f"{memory.one / memory.stock:.2f}"),
            ("with ten examples, all live", f"{memory.ten / memory.stock:.2f}"),
        ),
    ]


def tell_build(build: bench_build.Build) -> list[str]:
    def row(what: str, seconds: float) -> tuple[str, ...]:
        return (what, f"{seconds / build.plain:.2f}", f"{seconds / build.everything:.2f}")

    more, much_more = build.twice - build.pages, build.four_times - build.twice
    return [
        "",
        "### To build the site {: #building }",
        "",
        f"Plain Material for MkDocs works {build.plain:.1f} seconds on the same Markdown in the same three languages, "
        f"its fences left as code. With every example twice, all pages take {more:.1f} seconds more; twice as many "
        f"again, {much_more / 2:.1f} seconds more for each library.",
        *table(
            ("processor time", "to plain", "to everything"),
            row("everything, from nothing, with the runtime and its compression", build.everything),
            row("all pages", build.pages),
            row("all pages, with twice the examples", build.twice),
            row("all pages, with four times the examples", build.four_times),
            row("after a change to one page", build.one_page),
        ),
    ]


if __name__ == "__main__":
    main()
