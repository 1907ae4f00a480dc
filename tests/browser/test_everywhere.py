"""What must hold in every browser: each of the three reads the site on a plain host of its own."""

import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

import rulewalk
import serve
import webdrivers
from rulewalk.catalogue import Catalogue
from rulewalk_tutorials import script

from .kit import FIRST, SNAPSHOT, held, list_anew, walkthrough

#: Python takes its time to start, and two cores are shared with whatever else runs.
LIVE = 120

#: Notes what goes wrong in a page, whichever browser it is in. That there was more to lay out than one round of
#: observers saw to is no fault, nor is it that Firefox gave up fetching the next page in advance.
WITNESS = """
const note = told => {
  const before = sessionStorage.getItem("wrong") ?? "";
  sessionStorage.setItem("wrong", `${before}${location.pathname}: ${told}\\n`);
};
addEventListener("error", ({ message, target }) => {
  if (!message?.startsWith("ResizeObserver loop") && target.rel !== "next") {
    note(message ?? target.src ?? target.href);
  }
}, true);
addEventListener("unhandledrejection", ({ reason }) => note(reason));
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  note(`${violatedDirective} ${blockedURI}`));
for (const how of ["warn", "error"]) {
  const say = console[how];
  console[how] = (...words) => {
    note(words.join(" "));
    say(...words);
  };
}
"""


class Host(serve.Server):
    """A host that only hands out files, as they are; a test can have it keep some to itself, or be gone."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        #: Part of the paths that get no answer yet.
        self.held = ""
        self.has_service_worker = False  # which would answer in its place
        self.is_gone = False


class Handler(serve.Handler):
    server: Host

    def send_head(self) -> Any:
        while self.server.held and self.server.held in self.path:
            time.sleep(0.05)
        if self.server.is_gone:
            raise ConnectionAbortedError
        if self.path == "/service-worker.js" and not self.server.has_service_worker:
            return self.send_error(404)
        del self.headers["Accept-Encoding"]  # so it packs nothing
        return super().send_head()


class Reader:
    """Somebody at a browser, reading the site of a host."""

    def __init__(self, driver: WebDriver, host: Host, address: str) -> None:
        self.driver = driver
        self.host = host
        self.address = address

    def open(self, path: str) -> None:
        self.driver.get("about:blank")  # so that another # in the address is another visit, too
        self.driver.get(self.address + path)

    def run(self, expression: str, *arguments: Any) -> Any:
        """What some JavaScript gives in the page, perhaps only later; `it` is the walkthrough."""
        it = f"const it = document.querySelector('rule-walkthrough[name=\"{FIRST}\"]')"
        return self.driver.execute_script(f"{it}; return {expression}", *arguments)

    def until(self, expression: str, *arguments: Any, timeout: float = 20) -> None:
        """Wait until some JavaScript gives something true."""
        end = time.monotonic() + timeout
        while not self.run(expression, *arguments):
            if time.monotonic() > end:
                pytest.fail(f"never came true: {expression} {arguments or ''}")
            time.sleep(0.1)

    def live(self) -> None:
        # Again and again, since a page that is still being laid out moves it away.
        self.until("(it.scrollIntoView(), it.engine === 'live')", timeout=LIVE)

    def press(self, selector: str) -> None:
        """Press something of the walkthrough, once it is clear of what stays at the window's foot."""
        element = self.driver.find_element(By.CSS_SELECTOR, f'rule-walkthrough[name="{FIRST}"] {selector}')
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def take_over(self) -> None:
        self.press('[data-do="take-over"]')
        self.until("it.querySelector('.rw-live form')")

    def ask(self, **fields: object) -> None:
        """Make a request, as a reader does: by the visible labels."""
        for field, value in fields.items():
            self.press(f'[data-field="{field}"] label:has(input[value="{value}"])')
        self.press('.rw-live [type="submit"]')

    def keys(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()


@pytest.fixture(scope="module")
def witnessed(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with a witness on each page."""
    folder = shutil.copytree(site, tmp_path_factory.mktemp("everywhere") / "site")
    (folder / "witness.js").write_text(WITNESS)
    for page in folder.rglob("*.html"):
        html = page.read_text("utf-8").replace("<head>", '<head><script src="/witness.js"></script>', 1)
        page.write_text(html, "utf-8")
    list_anew(folder)
    return folder


@pytest.fixture(scope="module", params=webdrivers.STARTS)
def driver(request: pytest.FixtureRequest) -> Iterator[WebDriver]:
    """One browser of each kind for all tests: to start one takes as long as most of them."""
    if missing := webdrivers.missing(request.param):
        pytest.fail(missing, pytrace=False)
    with webdrivers.STARTS[request.param]() as driver:
        driver.set_window_size(1280, 900)
        driver.set_script_timeout(LIVE)
        yield driver


@pytest.fixture
def reader(driver: WebDriver, witnessed: Path) -> Iterator[Reader]:
    """Somebody who has never been here, as each host has a port of its own. At the end nothing must have gone wrong."""
    host = Host(witnessed)
    with serve.running(host) as address:
        reader = Reader(driver, host, address)
        yield reader
        wrong = reader.run("sessionStorage.getItem('wrong')")
        driver.get("about:blank")
    assert wrong is None


#: Each step as it comes into sight, to the end that a button leads to.
STEPS = """(() => {
    const button = it.querySelector(`[data-do="${arguments[0]}"]`);
    const seen = [];
    for (;;) {
        const shown = [...it.querySelectorAll(".rw-step")].filter(
            step => getComputedStyle(step).visibility === "visible");
        seen.push([it.step, ...shown.map(step => step.innerHTML)]);
        if (button.ariaDisabled === "true") return seen;
        button.click();
    }
})()"""


def test_the_story_is_told_there_and_back_before_the_engine_is_there_and_alike_with_it(reader: Reader) -> None:
    reader.host.held = "/assets/worker-"
    reader.open("backstab-fish/")
    reader.until("it.step === 0")
    there = reader.run(STEPS, "next")
    assert [step for step, _ in there] == [0, 1, 2]
    assert reader.run(STEPS, "back") == there[::-1]
    assert reader.run("it.engine") != "live"
    reader.host.held = ""
    reader.live()
    assert reader.run(STEPS, "next") == there


def test_a_move_of_ones_own_is_answered_and_a_refusal_names_its_rule(reader: Reader) -> None:
    reader.open("es/backstab-fish/")
    reader.live()
    reader.take_over()
    reader.ask(target="Lena", rank="6", quantity=2)
    request = {"type": "request", "player": "Anton", "target": "Lena", "rank": "6", "quantity": 2}
    record = {**script.load(FIRST).record, "actions": [request]}
    told = rulewalk.replay(record, language="es", say=True)
    reader.until(
        "it.querySelector('.rw-shown .rw-said').innerText.includes(arguments[0])", told["events"][-1][0]["sentence"]
    )
    assert reader.run("it.record.actions") == [request]
    assert reader.run("it.state") == told["states"][-1]

    reader.ask(rank="K", quantity=1)
    error = rulewalk.replay({**record, "actions": [request, {**request, "rank": "K", "quantity": 1}]}, language="es")
    reader.until(
        "it.querySelector('.rw-shown .rw-refusal')?.innerText.includes(arguments[0])", error["error"]["message"]
    )
    assert reader.run("it.record.actions") == [request]
    reader.press('.rw-shown .rw-refusal [data-rule="BF-3.2"]')
    reader.until("document.querySelector('#bf-3-2:target')")


def test_a_link_leads_to_its_position_in_any_language_and_a_reload_keeps_the_readers_game(reader: Reader) -> None:
    states = []
    for home in ("", "es/", "pt/"):
        reader.open(f"{home}backstab-fish/#walk=bf-6-1&step=1&line=1q1061")
        reader.until("it?.record?.actions?.length === 2", timeout=LIVE)
        assert reader.run("it.step") == 1
        states.append(reader.run("it.state"))
    assert states[0] == states[1] == states[2]

    reader.ask(target="Boris", rank="6", quantity=1)
    reader.until("it.record.actions.length === 3")
    actions = reader.run("it.record.actions")
    reader.driver.refresh()
    reader.until("it?.record?.actions?.length === 3", timeout=LIVE)
    assert reader.run("it.record.actions") == actions
    reader.press('[data-do="undo"]')
    reader.until("it.record.actions.length === 2")


def test_python_starts_from_the_snapshot(reader: Reader) -> None:
    reader.open("pt/backstab-fish/")
    reader.live()
    assert reader.run("performance.getEntriesByName('rulewalk:started').map(({ detail }) => detail)") == ["snapshot"]
    reader.take_over()
    reader.ask(target="Lena", rank="6", quantity=1)
    reader.until("it.record.actions.length === 1")


def test_a_page_loaded_again_and_again_stays_alive(reader: Reader) -> None:
    """With a worker that starts before anything else, WebKitGTK's own process once did not survive that."""
    reader.open("go-fish/")
    for _ in range(10):
        reader.driver.refresh()
    reader.open("backstab-fish/")
    reader.run("sessionStorage.clear()")  # what was cut short by loading again may be told
    reader.live()


def test_who_leaves_while_the_engine_is_on_its_way_finds_it_on_the_next_page_and_coming_back(reader: Reader) -> None:
    reader.host.held = ".wasm"
    reader.open("backstab-fish/#walk=bf-6-1")
    reader.until("navigator.locks.query().then(({ held }) => held.some(({ name }) => name.endsWith('.wasm')))")
    reader.driver.get(f"{reader.address}es/backstab-fish/")
    reader.host.held = ""
    reader.live()
    reader.driver.back()
    reader.live()
    reader.take_over()
    reader.run("sessionStorage.clear()")  # what was cut short by leaving may be told


def test_by_the_keyboard_alone(reader: Reader) -> None:
    reader.open("backstab-fish/")
    reader.live()
    reader.run("it.querySelector('.rw-steps').focus()")
    for key, step in ((Keys.ARROW_RIGHT, 1), (Keys.END, 2), (Keys.ARROW_LEFT, 1), (Keys.HOME, 0)):
        reader.keys(key)
        reader.until("it.step === arguments[0]", step)
    for _ in range(40):
        if reader.run("document.activeElement.dataset.do") == "take-over":
            break
        reader.keys(Keys.TAB)
    reader.keys(Keys.ENTER)
    reader.until("document.activeElement.closest('.rw-live')")
    reader.keys(Keys.ENTER)  # a form's own way
    reader.until("it.record.actions.length === 1")
    reader.keys(Keys.ESCAPE)
    reader.until("document.activeElement.dataset.do === 'take-over'")


LIGHTNESS = """(() => {
    const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number);
    return (red + green + blue) / 3 / 255;
})()"""


def test_dark_as_the_system_is_until_the_reader_chooses(reader: Reader) -> None:
    reader.open("es/go-fish/")
    assert reader.run(LIGHTNESS) < 0.2
    reader.driver.find_element(By.CSS_SELECTOR, '[title="Cambiar a claro"]').click()
    assert reader.run(LIGHTNESS) > 0.8
    reader.driver.refresh()
    assert reader.run(LIGHTNESS) > 0.8


def test_no_script_runs_that_is_not_the_sites_own(reader: Reader) -> None:
    reader.open("")
    reader.run("document.body.append(Object.assign(document.createElement('script'), { text: 'window.broken = 1' }))")
    assert reader.run("window.broken ?? null") is None
    elsewhere = reader.address.replace("127.0.0.1", "localhost")
    assert (
        reader.run("fetch(arguments[0], { mode: 'no-cors' }).then(() => 'answered', () => 'refused')", elsewhere)
        == "refused"
    )
    wrong = reader.run("sessionStorage.getItem('wrong')")
    assert "script-src" in wrong and "connect-src" in wrong
    reader.run("sessionStorage.clear()")


def test_the_search_finds_a_rule(reader: Reader) -> None:
    reader.open("es/")
    reader.driver.find_element(By.CSS_SELECTOR, ".md-search__input").click()
    reader.keys("BF-3.2")
    reader.until("document.querySelector('.md-search-result__link')?.pathname.startsWith('/es/')")


def test_after_one_visit_everything_is_there_without_a_network_until_the_reader_erases_it(reader: Reader) -> None:
    reader.host.has_service_worker = True
    reader.open("")
    reader.until("navigator.serviceWorker.controller", timeout=LIVE)
    reader.host.is_gone = True
    reader.open("pt/backstab-fish/#walk=bf-6-1&step=1")
    reader.live()
    reader.take_over()
    reader.open("privacy/")
    reader.until("document.querySelector('[data-kind=total] [data-size]').textContent.includes('MB')")
    reader.driver.find_element(By.CSS_SELECTOR, '[data-do="erase"]').click()
    reader.until("document.querySelector('rule-storage [role=status]').textContent")
    assert reader.run("caches.keys()") == []
    assert reader.run("localStorage.length") == 0
    assert reader.run("navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0


# Old browsers, and a phone that takes its time: Chromium plays both.


@pytest.fixture
def page(browser: Browser, site_url: str) -> Iterator[Page]:
    context = browser.new_context(
        base_url=site_url, viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True
    )
    yield context.new_page()
    context.close()


def without_modules(page: Page) -> None:
    def age(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace('type="module"', 'type="what-is-a-module"'))

    page.route("**/backstab-fish/", age)


def before_scripts(forget: str) -> Callable[[Page], None]:
    return lambda page: page.add_init_script(forget)


@pytest.mark.parametrize(
    "age", [without_modules, before_scripts("delete window.customElements")], ids=["modules", "elements"]
)
def test_where_a_browser_is_too_old_for_the_player_every_step_is_there_to_read(
    page: Page, age: Callable[[Page], None]
) -> None:
    age(page)
    page.goto("/backstab-fish/")
    element = walkthrough(page)
    expect(element.locator('[data-step="1"]')).to_be_hidden()
    # What a reader would wait for, without the waiting.
    page.evaluate("document.getAnimations().forEach(one => { try { one.finish() } catch {} })")
    for step in element.locator(".rw-step").all():
        expect(step).to_be_visible()


@pytest.mark.parametrize("lacking", ["Worker", "WebAssembly"])
def test_where_a_browser_is_too_old_for_the_engine_the_story_is_stepped_and_it_is_said(
    page: Page, lacking: str
) -> None:
    page.add_init_script(
        f"delete window.{lacking}; addEventListener('error', ({{ message }}) => {{ wrong = message }})"
    )
    page.route("**/worker-*.js", lambda route: forgotten(route, lacking))
    page.goto("/es/backstab-fish/")
    element = walkthrough(page)
    element.scroll_into_view_if_needed()
    expect(element).to_have_attribute("engine", "unavailable", timeout=LIVE * 1000)
    expect(element.get_by_text(Catalogue.load("es", "site").text("player.engine-unavailable"))).to_be_visible()
    element.locator('[data-do="next"]').click()
    expect(element.locator(".rw-shown")).to_have_attribute("data-step", "1")
    assert page.evaluate("window.wrong ?? null") is None


def forgotten(route: Route, lacking: str) -> None:
    response = route.fetch()
    route.fulfill(response=response, body=f"delete self.{lacking};\n{response.text()}")


@pytest.mark.alone
def test_a_phone_four_times_as_slow_answers_each_touch(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    let_go = held(page, SNAPSHOT)
    page.goto("/pt/backstab-fish/")
    element = walkthrough(page)
    element.locator('[data-do="next"]').tap()
    expect(element.locator(".rw-shown")).to_have_attribute("data-step", "1")
    # The engine is on its way, and in nobody's.
    assert element.get_attribute("engine") != "live"
    let_go()
    element.locator('[data-do="take-over"]').tap()
    expect(element.locator(".rw-live form")).to_be_visible(timeout=LIVE * 1000)
    element.locator('.rw-live [type="submit"]').tap()
    expect(element.locator(".rw-step--own.rw-shown .rw-said")).to_be_visible()
    assert len(element.evaluate("element => element.record.actions")) == 2
    assert page.evaluate("document.documentElement.scrollWidth") == 360
