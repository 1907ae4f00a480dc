"""Positions passed on and kept: links to them, the panel that shares one, walkthroughs in other pages, own games."""

import base64
import json
import random
import re
import subprocess
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

import serve
from rulewalk.actions import to_wire
from rulewalk.catalogue import Catalogue
from rulewalk.game import Game
from rulewalk_tutorials import script

from .kit import FIRST, LIVE, ROOT, SNAPSHOT, arrived, held, press, walkthrough

HOMES = {"en": "/", "es": "/es/", "pt": "/pt/"}
GAME = "backstab-fish/"
NAME = FIRST

# After step 1 of bf-6-1 Lena, at seat 1, has the turn: she asks Anton for a six, then Boris for three of them.
LINE = "1q1061q1263"
MOVES = [
    {"type": "request", "player": "Lena", "target": "Anton", "rank": "6", "quantity": 1},
    {"type": "request", "player": "Lena", "target": "Boris", "rank": "6", "quantity": 3},
]
LINK = f"#walk=bf-6-1&step=1&line={LINE}"


def words(language: str, key: str, **params: object) -> str:
    return Catalogue.load(language, "site").text(f"player.{key}", **params)


@pytest.fixture
def page(again: BrowserContext) -> Iterator[Page]:
    wrong: list[str] = []
    page = again.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    yield page
    assert not wrong


def without_engine(page: Page) -> None:
    page.route("**/worker-*.js", lambda route: route.abort())


def actions(element: Locator) -> Any:
    return element.evaluate("element => element.record.actions")


def arrive_at(element: Locator, expected: Any) -> None:
    """Wait until these are the actions: another position comes from the engine, which takes its moment."""
    for _ in range(100):
        if actions(element) == expected:
            return
        element.page.wait_for_timeout(100)
    assert actions(element) == expected


def own(element: Locator) -> Locator:
    """The reader's own game, once it is in sight."""
    expect(element.locator(".rw-mine")).to_be_visible(timeout=LIVE)
    return element


def end_turn(element: Locator) -> None:
    element.locator(".rw-live [data-end-turn]").click()


# Links


@pytest.mark.parametrize("language", HOMES)
@pytest.mark.parametrize("name", [NAME, "backstab-fish/bf-3-3"])
def test_a_link_opens_its_step_at_once(page: Page, site_url: str, language: str, name: str) -> None:
    """Without the engine, unfolded, and in sight."""
    without_engine(page)
    page.goto(f"{site_url}{HOMES[language]}backstab-fish/#walk={name.partition('/')[2]}&step=1")
    element = walkthrough(page, name)
    expect(element).to_have_attribute("step", "1")
    expect(element.locator(".rw-shown")).to_have_attribute("data-step", "1")
    expect(element.locator(".rw-title, .rw-steps").last).to_be_in_viewport()
    expect(element.locator(".rw-note")).to_be_hidden()
    press(element, "back")
    expect(page).to_have_url(f"{site_url}{HOMES[language]}backstab-fish/#walk={name.partition('/')[2]}")


@pytest.mark.parametrize("address", ["egyptian-ratscrew/#er-6-1", "backstab-fish/#bf-6-1"])
def test_whoever_is_sent_to_an_example_sees_the_table_and_what_turns_its_pages(
    page: Page, site_url: str, address: str
) -> None:
    without_engine(page)
    page.goto(f"{site_url}/{address}")
    element = page.locator(":target + rule-walkthrough")
    expect(element.locator(".rw-shown .rw-table")).to_be_in_viewport(ratio=1)
    expect(element.locator('[data-do="next"]')).to_be_in_viewport(ratio=1)


#: Frames come when the test says so.
HOLD = """
window.held = [];
window.requestAnimationFrame = act => held.push(act);
window.release = () => { while (held.length > 0) held.splice(0).forEach(act => act()); };
"""


@pytest.mark.parametrize("scroll", ["wheel", "key", None])
def test_whoever_scrolls_while_a_page_arrives_is_not_pulled_back(page: Page, site_url: str, scroll: str | None) -> None:
    page.add_init_script(HOLD)
    page.goto(f"{site_url}/backstab-fish/#bf-3-5")
    rule = page.locator("#bf-3-5")
    expect(rule).to_be_in_viewport()
    assert page.evaluate("held.length") > 0
    if scroll == "wheel":
        page.mouse.move(640, 450)
        page.mouse.wheel(0, -1500)
    elif scroll == "key":
        page.keyboard.press("Home")
    else:  # what is above it is higher than was guessed
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    expect(rule).not_to_be_in_viewport()
    page.wait_for_timeout(500)  # keys scroll little by little
    page.evaluate("release()")
    if scroll:
        expect(rule).not_to_be_in_viewport()
    else:
        expect(rule).to_be_in_viewport()


@pytest.mark.parametrize("address", ["#walk=bf-6-2&step=1", "#walk=nothing"])
@pytest.mark.parametrize("act", ["wheel", "key", None])
def test_whoever_scrolls_before_the_player_is_there_is_not_pulled_back(
    page: Page, site_url: str, act: str | None, address: str
) -> None:
    """Who has only pressed a key, say to have their screen reader be quiet, is taken to the address."""
    let_go = held(page, "**/player-*.js")
    page.goto(f"{site_url}/backstab-fish/{address}", wait_until="commit")
    page.locator("footer").wait_for(state="attached")
    if act == "wheel":
        page.mouse.move(640, 450)
        page.mouse.wheel(0, 1600)
    elif act == "key":
        page.keyboard.press("Control")
    page.wait_for_timeout(300)
    before = page.evaluate("scrollY")
    assert (before > 0) is (act == "wheel")
    let_go()
    arrived(page)
    meant = page.locator(".rw-lost-link, rule-walkthrough[step='1'] .rw-steps").first
    if act == "wheel":
        expect(meant).to_be_attached()
        assert page.evaluate("scrollY") == pytest.approx(before, abs=100)  # what is told above takes room
    else:
        expect(meant).to_be_in_viewport()


def test_whoever_has_gone_elsewhere_is_not_fetched_back_when_a_link_is_opened(page: Page, site_url: str) -> None:
    let_go = held(page, SNAPSHOT)
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    element = walkthrough(page)
    expect(element.locator(".rw-steps")).to_be_in_viewport()
    page.wait_for_timeout(300)
    page.evaluate("scrollTo({ top: 1000, behavior: 'instant' })")
    expect(element).not_to_be_in_viewport()
    let_go()
    expect(element.locator(".rw-step--own.rw-shown")).to_be_attached(timeout=LIVE)
    page.wait_for_timeout(300)
    expect(element).not_to_be_in_viewport()


def test_whoever_steps_while_an_agreed_link_is_opened_is_left_where_they_are(page: Page, site_url: str) -> None:
    let_go = held(page, SNAPSHOT)
    page.goto(f"{site_url}/backstab-fish/#walk=bf-6-2&agreed=1")
    element = walkthrough(page, "backstab-fish/bf-6-2")
    press(element, "next")
    let_go()
    expect(element.locator('[data-do="agree"]')).to_be_checked(timeout=LIVE)
    expect(element).to_have_attribute("step", "1")
    expect(page).to_have_url(re.compile("#walk=bf-6-2&step=1&agreed=1$"))
    told = element.locator(".rw-shown .rw-said p").first.text_content() or ""
    assert told.strip() in (element.get_by_role("status").text_content() or "")
    assert "another way" in (element.get_by_role("status").text_content() or "")


def test_a_link_with_moves_opens_the_same_position_in_every_language(page: Page, site_url: str) -> None:
    states = []
    for home in HOMES.values():
        page.goto("about:blank")
        page.goto(f"{site_url}{home}backstab-fish/{LINK}")
        element = walkthrough(page)
        expect(element).to_have_attribute("step", "1")
        own(element)
        assert actions(element)[1:] == MOVES
        expect(page).to_have_url(f"{site_url}{home}backstab-fish/{LINK}")
        states.append(element.evaluate("element => element.state"))
        # What was moved by somebody else can be taken back as one's own.
        press(element, "undo")
        expect(page).to_have_url(f"{site_url}{home}backstab-fish/{LINK[:-5]}")
        assert actions(element)[1:] == MOVES[:1]
        press(element, "redo")
        expect(page).to_have_url(f"{site_url}{home}backstab-fish/{LINK}")
    assert states[0] == states[1] == states[2]


def test_changing_the_language_keeps_walkthrough_step_and_moves(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    own(walkthrough(page))
    page.locator(".md-select button").hover()
    page.get_by_role("link", name="Português", exact=True).click()
    expect(page).to_have_url(f"{site_url}/pt/backstab-fish/{LINK}")
    element = own(walkthrough(page))
    expect(element).to_have_attribute("step", "1")
    assert actions(element)[1:] == MOVES
    expect(element.locator(".rw-steps")).to_be_in_viewport()


def test_back_and_forward_go_from_link_to_link_and_steps_add_nothing(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    first = own(walkthrough(page))
    entries = page.evaluate("history.length")
    press(first, "story")
    for button in ("next", "back", "back"):
        press(first, button)
    expect(page).to_have_url(f"{site_url}/backstab-fish/#walk=bf-6-1")
    assert page.evaluate("history.length") == entries

    page.evaluate("location.hash = '#walk=bf-6-2&step=1'")
    second = walkthrough(page, "backstab-fish/bf-6-2")
    expect(second).to_have_attribute("step", "1")
    expect(second.locator(".rw-steps")).to_be_in_viewport()
    page.evaluate(f"location.hash = '{LINK}'")
    assert actions(own(first))[1:] == MOVES
    page.go_back()
    expect(page).to_have_url(f"{site_url}/backstab-fish/#walk=bf-6-2&step=1")
    page.go_back()
    expect(first).to_have_attribute("step", "0")
    expect(first.locator(".rw-mine")).to_be_hidden()
    page.go_forward()
    page.go_forward()
    assert actions(own(first))[1:] == MOVES


def test_a_link_keeps_what_was_agreed(page: Page, site_url: str) -> None:
    """Its step is there at once; the engine then tells it as agreed, and plays the link's moves so."""
    name = next(name for name in script.names() if name.startswith(GAME) and script.load(name).agreements)
    home = f"{site_url}/backstab-fish/#walk={name.removeprefix(GAME)}"
    page.goto(f"{home}&step=1&agreed=1")
    element = walkthrough(page, name)
    expect(element).to_have_attribute("step", "1")
    expect(element).to_have_class(re.compile("rw-agreed"), timeout=LIVE)
    expect(page).to_have_url(f"{home}&step=1&agreed=1")
    expect(element).to_have_attribute("step", "1")
    agreements = script.load(name).agreements
    assert agreements.items() <= element.evaluate("element => element.record.agreements").items()
    page.evaluate(f"location.hash = {json.dumps(home.partition('#')[2] + '&step=1')}")
    expect(element).not_to_have_class(re.compile("rw-agreed"))


@pytest.mark.parametrize("language", HOMES)
@pytest.mark.parametrize(
    ("link", "step", "word"),
    [
        ("#walk=bf-6-1&step=1&line=2xyz", 1, "link-newer"),
        ("#walk=bf-6-1&step=1&line=1q16", 1, "link-broken"),
        ("#walk=bf-6-1&step=1&line=~", 1, "link-broken"),
        ("#walk=bf-6-1&step=77", 0, "link-step"),
        ("#walk=bf-6-1&step=__proto__&line=1e1", 0, "link-step"),
    ],
)
def test_what_a_link_cannot_give_is_said(
    page: Page, site_url: str, language: str, link: str, step: int, word: str
) -> None:
    without_engine(page)
    page.goto(f"{site_url}{HOMES[language]}backstab-fish/{link}")
    element = walkthrough(page)
    expect(element).to_have_attribute("step", str(step))
    expect(element.locator(".rw-note")).to_have_text(words(language, word))
    assert words(language, word) in (element.locator(".rw-status").text_content() or "")
    press(element, "next")
    expect(element.locator(".rw-note")).to_be_hidden()


@pytest.mark.parametrize("language", HOMES)
def test_a_link_to_nothing_on_the_page_says_so(page: Page, site_url: str, language: str) -> None:
    without_engine(page)
    page.goto(f"{site_url}{HOMES[language]}backstab-fish/#walk=constructor&step=1")
    note = page.locator(".rw-lost-link")
    expect(note).to_have_text(words(language, "link-lost"))
    expect(note).to_be_in_viewport()
    page.evaluate("location.hash = '#walk=bf-6-1'")
    expect(note).to_have_count(0)


def test_moves_before_the_damage_are_played(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/{LINK}q1")
    element = own(walkthrough(page))
    expect(element.locator(".rw-note")).to_have_text(words("en", "link-broken"))
    assert actions(element)[1:] == MOVES


@pytest.mark.parametrize("language", HOMES)
def test_a_move_that_is_not_allowed_is_refused_and_the_game_opens_up_to_it(
    page: Page, site_url: str, language: str
) -> None:
    page.goto(f"{site_url}{HOMES[language]}backstab-fish/#walk=bf-6-1&step=1&line=1q1061q10K1e1")
    element = own(walkthrough(page))
    expect(element.locator(".rw-note")).to_have_text(words(language, "link-illegal", move=2))
    refusal = element.locator(".rw-shown .rw-refusal")
    expect(refusal).to_be_visible()
    expect(refusal.locator('[data-rule="BF-3.2"]')).to_have_count(1)
    assert actions(element)[1:] == MOVES[:1]
    first = actions(element)[:1]
    press(element, "undo")
    arrive_at(element, first)


@pytest.mark.parametrize("game", ["backstab-fish", "go-fish", "egyptian-ratscrew"])
def test_every_move_of_a_game_survives_a_link(tmp_path: Path, game: str) -> None:
    """The code of link.ts itself, under Node: what is written is what is read, and only then."""
    module = tmp_path / "link.mjs"
    bundle = ["--bundle", "--format=esm", f"--outfile={module}", "--log-level=error"]
    subprocess.run([ROOT / "node_modules/.bin/esbuild", ROOT / "tutorials/player/link.ts", *bundle], check=True)
    chance = random.Random(5)
    games = [_random_game(game, seats, chance) for seats in (4, 5) for _ in range(5)]
    check = """
        const { encode, decode } = await import(process.argv[1]);
        const games = JSON.parse(process.argv[2]);
        console.log(JSON.stringify(games.map(({ players, actions }) => {
            const line = encode(actions, players);
            return { line, ...decode(line, players) };
        })));
    """
    told = subprocess.run(
        ["node", "--input-type=module", "-e", check, str(module), json.dumps(games)],
        check=True,
        capture_output=True,
        text=True,
    )
    for played, read in zip(games, json.loads(told.stdout), strict=True):
        assert read["actions"] == played["actions"] and read["trouble"] is None
        # Short, and nothing that an address has to spell otherwise.
        assert len(read["line"]) <= 1 + 5 * len(played["actions"]) and read["line"].replace("-", "").isalnum()


def _random_game(game: str, seats: int, chance: random.Random) -> dict[str, Any]:
    players = [f"Zoë {seat}" for seat in range(seats)]
    state = Game.from_record({"game": game, "players": players, "deal": {"seed": chance.randrange(2**32)}})
    done: list[dict[str, Any]] = []
    while len(done) < 60 and (legal := [to_wire(action) for action in state.legal()]):
        action = chance.choice(legal)
        if action["type"] == "slap" and chance.random() < 0.5:
            others = [one for one in players if one not in action["players"]]
            both = [*action["players"], chance.choice(others)]
            action = {"type": "slap", "players": both, "lowest": chance.choice([None, both[1]])}
        try:
            state = state.play(state.read_action(action))
        except Exception:
            continue
        done.append(action)
    assert done
    return {"players": players, "actions": done}


# A thousand hostile ones

HOSTILE = (
    "<img src=x onerror=window.broken=1>",
    "<script>window.broken=1</script>",
    '"><svg onload=window.broken=1>',
    "javascript:window.broken=1",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "${window.broken=1}",
    "{{constructor.constructor('window.broken=1')()}}",
    "\u202e\u0000\ufeff",
    "💥👩‍👩‍👧",
    "ﬀ\u0301" * 50,
    "%",
    "%zz%E0%A4%A",
    "&&==&step=&line=",
    "../../../../etc/passwd",
    "1" * 5000,
    "A" * 100_000,
    "-1",
    "1e9",
    "NaN",
    "0x10",
    "١",
    " 1",
    "null",
    "[object Object]",
)


def hostile_link(chance: random.Random) -> str:
    """A link that is wrong in at least one respect, whatever chance decides: where, how, and how it is written."""

    def nasty() -> str:
        text = chance.choice(HOSTILE)
        if chance.random() < 0.3:
            text = text[: chance.randrange(len(text) + 1)] + chance.choice(HOSTILE)
        return text or "?"

    def spoilt(line: str) -> str:
        at = chance.randrange(1, len(line))
        return line[:at] + chance.choice("!~. <é💥%") + line[at + chance.randrange(2) :]

    kind = chance.randrange(6)
    if kind == 0:
        fields = {"walk": nasty(), "step": nasty(), "line": nasty()}
    elif kind == 1:
        fields = {"walk": "bf-6-1", "step": chance.choice(["", "-", "+", "x"]) + "9" + nasty(), "line": LINE}
    elif kind == 2:
        fields = {"walk": "bf-6-1", "step": "1", "line": "=" + nasty()}
    elif kind == 3:
        fields = {"walk": "bf-6-1", "step": "1", "line": spoilt(LINE)}
    elif kind == 4:
        fields = {"walk": "bf-6-1", "step": "1", "line": chance.choice("23456789abcz") + nasty()}
    else:  # readable, and against the rules: Lena has no king
        fields = {"walk": "bf-6-1", "step": "1", "line": f"1q10K{chance.randrange(1, 9)}" + "e1" * chance.randrange(3)}
    return "#" + "&".join(f"{name}={_written(value, chance)}" for name, value in fields.items())


def _written(value: str, chance: random.Random) -> str:
    """As it is, or as an address should have it, or as a careless program writes it."""
    how = chance.randrange(3)
    if how == 0:
        return value.replace("&", "%26").replace("#", "%23")
    text = "".join(f"%{byte:02X}" for byte in value[:2000].encode())
    return text if how == 1 else text.replace("%26", "%2526")


# Opens all links at once, each answered as it arrives; those that the engine must answer then once more, one by one.
ANSWERS = """async links => {
    const note = document.querySelector('rule-walkthrough[name="backstab-fish/bf-6-1"] .rw-note');
    const answer = () => {
        const lost = document.querySelector(".rw-lost-link");
        const told = lost ? lost.innerHTML : note.hidden ? "" : note.innerHTML;
        lost?.remove();
        note.hidden = true;
        note.textContent = "";
        return told;
    };
    const said = [];
    const waiting = new Map();
    addEventListener("hashchange", ({ newURL }) => {
        const index = Number(/&n=([0-9]+)$/.exec(newURL)?.[1]);
        if (waiting.has(index)) {
            said[index] = answer();
            waiting.get(index)();
        }
    });
    const open = (link, index) => new Promise(resolve => {
        waiting.set(index, resolve);
        location.hash = `${link}&n=${index}`;
    });
    await Promise.all(links.map(open));
    for (const [index, link] of links.entries()) {
        if (said[index] === "") {
            const told = new Promise(resolve => {
                new MutationObserver((_, observer) => {
                    if (!note.hidden) { observer.disconnect(); resolve(); }
                }).observe(note, { attributes: true });
            });
            await open(`${link}&again`, index);
            await told;
            said[index] = answer();
        }
    }
    return said;
}"""


@pytest.mark.parametrize(
    ("path", "count"),
    [
        # Where the walkthrough is alone, a page is laid out fast enough for a thousand.
        (f"embed/{NAME}/", 1000),
        (GAME, 60),
    ],
)
def test_hostile_links_harm_nothing_and_are_each_answered(page: Page, site_url: str, path: str, count: int) -> None:
    chance = random.Random(20_261_130)
    links = [hostile_link(chance) for _ in range(count)]
    page.goto(f"{site_url}/{path}#walk=bf-6-1")
    element = walkthrough(page)
    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    said = page.evaluate(ANSWERS, links)
    english = [f"link-{trouble}" for trouble in ("lost", "step", "newer", "broken")]
    answers = {escape(words("en", key), quote=False) for key in english} | {
        escape(words("en", "link-illegal", move=1), quote=False)
    }
    wrong = [(link[:200], answer) for link, answer in zip(links, said, strict=True) if answer not in answers]
    assert not wrong
    assert set(said) == answers
    assert page.evaluate("window.broken") is None
    assert page.evaluate("Object.keys(Object.prototype).length") == 0
    expect(element.locator("img, iframe, svg[onload]")).to_have_count(0)
    # All of that, and one can still step.
    page.evaluate("location.hash = '#walk=bf-6-1'")
    expect(element).to_have_attribute("step", "0")
    press(element, "next")
    expect(element).to_have_attribute("step", "1")


@pytest.mark.parametrize(
    "hash_", ["#%", "#%zz%E0%A4%A", "#walk=%E0%A4%A&step=%", "#<img src=x onerror=window.broken=1>"]
)
def test_a_page_opened_by_a_hostile_address_works(page: Page, site_url: str, hash_: str) -> None:
    without_engine(page)
    page.goto(f"{site_url}/backstab-fish/{hash_}")
    element = walkthrough(page)
    press(element, "next")
    expect(element).to_have_attribute("step", "1")
    page.locator(".md-select button").hover()
    page.get_by_role("link", name="Español", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert page.evaluate("window.broken") is None


# Sharing


@pytest.mark.parametrize("language", HOMES)
def test_a_position_is_shared(page: Page, site_url: str, language: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    without_engine(page)
    page.goto(f"{site_url}{HOMES[language]}backstab-fish/")
    element = walkthrough(page)
    press(element, "next")
    assert not [url for url in asked if "/share-" in url]
    press(element, "share")
    panel = element.locator(".rw-share")
    address = panel.get_by_label(words(language, "share-address"), exact=True)
    url = f"{site_url}{HOMES[language]}backstab-fish/#walk=bf-6-1&step=1"
    expect(address).to_have_value(url)
    expect(address).to_be_focused()
    assert [url for url in asked if "/share-" in url]
    panel.get_by_role("button", name=words(language, "share-copy")).first.click()
    expect(element.get_by_role("status")).to_have_text(words(language, "share-copied"))
    assert page.evaluate("navigator.clipboard.readText()") == url

    # The panel goes along with the steps.
    picture = panel.get_by_role("img", name=words(language, "share-qr")).locator("path")
    before = picture.get_attribute("d")
    press(element, "back")
    expect(address).to_have_value(url.removesuffix("&step=1"))
    assert picture.get_attribute("d") != before

    panel.get_by_role("button", name=words(language, "share-embed")).click()
    code = panel.get_by_label(words(language, "share-code")).input_value()
    assert f'src="{site_url}{HOMES[language]}embed/backstab-fish/bf-6-1/#walk=bf-6-1"' in code
    assert code.startswith("<iframe ") and code.endswith("></iframe>")

    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(element.locator('[data-do="share"]')).to_be_focused()
    expect(element.locator('[data-do="share"]')).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("link", ["#walk=bf-6-1", LINK])
def test_a_camera_reads_the_link_off_the_picture(browser: Browser, site_url: str, link: str) -> None:
    """What is on the screen, in the dark and on a phone, is decoded by a library that has not drawn it."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme="dark", locale="pt-PT")
    page = context.new_page()
    url = f"{site_url}/pt/backstab-fish/{link}"
    page.goto(url)
    element = walkthrough(page)
    if "line" in link:
        own(element)
    press(element, "share")
    expect(element.locator(".rw-address")).to_have_value(url)
    picture = base64.b64encode(element.get_by_role("img", name=words("pt", "share-qr")).screenshot()).decode()
    page.evaluate((ROOT / "node_modules/jsqr/dist/jsQR.js").read_text("utf-8"))
    read = page.evaluate(
        """async picture => {
            const bytes = Uint8Array.from(atob(picture), letter => letter.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
            canvas.drawImage(bitmap, 0, 0);
            const { data, width, height } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
            return jsQR(data, width, height)?.data;
        }""",
        picture,
    )
    assert read == url
    context.close()


def test_the_arrows_in_the_address_do_not_step(page: Page, site_url: str) -> None:
    without_engine(page)
    page.goto(f"{site_url}/backstab-fish/#walk=bf-6-1")
    element = walkthrough(page)
    press(element, "share")
    expect(element.locator(".rw-address")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(element).to_have_attribute("step", "0")


def test_the_phone_shares_in_its_own_way(page: Page, site_url: str) -> None:
    without_engine(page)
    page.add_init_script(
        "navigator.share = async what => { window.sent = what; throw new DOMException('', 'AbortError') }"
    )
    page.goto(f"{site_url}/es/backstab-fish/#walk=bf-6-1&step=1")
    element = walkthrough(page)
    press(element, "share")
    element.get_by_role("button", name=words("es", "share-send")).click()
    assert page.evaluate("window.sent.url") == f"{site_url}/es/backstab-fish/#walk=bf-6-1&step=1"


@pytest.mark.parametrize("old_way", [True, False])
def test_where_the_clipboard_is_denied_the_old_way_serves_or_the_reader_is_told(
    page: Page, site_url: str, old_way: bool
) -> None:
    without_engine(page)
    page.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
        f"document.execCommand = () => {json.dumps(old_way)};"
    )
    page.goto(f"{site_url}/backstab-fish/#walk=bf-6-1")
    element = walkthrough(page)
    press(element, "share")
    element.get_by_role("button", name=words("en", "share-copy")).click()
    expect(element.get_by_role("status")).to_have_text(words("en", "share-copied" if old_way else "share-not-copied"))
    selected = element.locator(".rw-address").evaluate("field => field.selectionEnd - field.selectionStart")
    assert selected == len(f"{site_url}/backstab-fish/#walk=bf-6-1")


def test_a_panel_that_does_not_arrive_is_told(page: Page, site_url: str) -> None:
    without_engine(page)
    page.route("**/share-*.js", lambda route: route.abort())
    page.goto(f"{site_url}/pt/backstab-fish/")
    element = walkthrough(page)
    press(element, "share")
    expect(element.locator(".rw-note")).to_have_text(words("pt", "share-failed"))


@pytest.mark.parametrize(("button", "place"), [("share", ".rw-share"), ("more", ".rw-options")])
def test_a_panel_on_its_way_is_not_made_twice(page: Page, site_url: str, button: str, place: str) -> None:
    without_engine(page)
    page.goto(f"{site_url}/backstab-fish/")
    element = walkthrough(page)
    element.evaluate(
        """(element, [button, place]) => {
            window.made = 0;
            new MutationObserver(changes => {
                window.made += changes.filter(({ addedNodes }) => addedNodes.length > 0).length;
            }).observe(element.querySelector(place), { childList: true });
            element.querySelector(`[data-do="${button}"]`).click();
            element.querySelector(`[data-do="${button}"]`).click();
        }""",
        [button, place],
    )
    expect(element.locator(place)).to_be_visible()
    page.wait_for_timeout(300)
    assert page.evaluate("window.made") == 1


# In other pages


def test_every_walkthrough_has_a_page_for_frames_in_every_language(site: Path) -> None:
    for home in HOMES.values():
        for name in script.names():
            written = (site / home.strip("/") / "embed" / name / "index.html").read_text("utf-8")
            assert '<meta name="robots" content="noindex">' in written
            assert f'<rule-walkthrough name="{name}"' in written
            game, _, short = name.partition("/")
            # The way back leads to a page that has it.
            assert f'href="../../../{game}/#walk={short}"' in written
            full = (site / home.strip("/") / game / "index.html").read_text("utf-8")
            assert f'name="{name}"' in full
    sitemap = site / "sitemap.xml"
    assert not sitemap.exists() or "/embed/" not in sitemap.read_text("utf-8")


@pytest.fixture
def elsewhere(site_url: str, tmp_path: Path) -> Iterator[str]:
    """Somebody else's page, at another origin, that shows a walkthrough as high as it says it is."""
    (tmp_path / "index.html").write_text(
        f"""<!doctype html><title>Elsewhere</title>
        <iframe src="{site_url}/es/embed/{NAME}/#walk=bf-6-1&step=1" title="Rulewalk" width="500" height="50"></iframe>
        <script>
            window.heights = [];
            addEventListener("message", ({{ data, source }}) => {{
                const frame = document.querySelector("iframe");
                if (data.type === "rulewalk:height" && source === frame.contentWindow) {{
                    heights.push(data);
                    frame.height = data.height;
                }}
            }});
        </script>"""
    )
    with serve.running(serve.server(tmp_path, 0)) as address:
        yield address


def test_a_walkthrough_in_another_page_tells_its_height_and_the_way_back(
    page: Page, site_url: str, elsewhere: str
) -> None:
    page.goto(elsewhere)
    frame = page.frame_locator("iframe")
    element = frame.locator("rule-walkthrough")
    expect(element).to_have_attribute("step", "1")
    expect(frame.locator("html")).to_have_attribute("lang", "es")
    expect(frame.locator(".md-header")).to_have_count(0)

    def fits_above(height: float) -> None:
        """It tells that it is higher than that, and then as much as it is."""
        page.evaluate(
            """async height => {
                while (!(heights.at(-1)?.height > height)) await new Promise(then => setTimeout(then, 50));
            }""",
            height,
        )
        page.wait_for_timeout(300)
        inside = page.frames[1].evaluate("[document.documentElement.scrollHeight, innerHeight]")
        assert inside[0] <= inside[1]

    fits_above(300)
    assert page.evaluate("heights.at(-1).name") == NAME
    before = page.evaluate("heights.at(-1).height")

    expect(element).to_have_attribute("engine", "live", timeout=LIVE)
    press(element, "take-over")
    expect(element.locator(".rw-live form")).to_be_visible()
    fits_above(before)
    element.locator('[data-field="rank"] label:has(input[value="6"])').click()
    element.locator('.rw-live [type="submit"]').click()
    with page.context.expect_page() as opened:
        frame.locator(".rw-full a").click()
    full = opened.value
    expect(full).to_have_url(f"{site_url}/es/backstab-fish/#walk=bf-6-1&step=1&line=1q1061")
    assert actions(own(walkthrough(full)))[1:] == MOVES[:1]
    # Whoever shows the frame keeps their own page and its history.
    assert page.url == elsewhere


def test_a_frame_is_light_or_dark_as_the_system_is(browser: Browser, site_url: str) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{site_url}/embed/{NAME}/")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    page.emulate_media(color_scheme="light")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
    context.close()


# Kept


def kept_games(page: Page) -> list[dict[str, Any]]:
    return page.evaluate(
        "Object.keys(localStorage).filter(key => key.startsWith('/.game.')).map(key => JSON.parse(localStorage[key]))"
    )


def test_a_game_is_kept_while_the_reader_looks_around_and_after_a_reload(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    element = own(walkthrough(page))
    # Somebody else's moves are not the reader's game until they make one of their own.
    assert kept_games(page) == []
    end_turn(element)
    expect(element.locator(".rw-note")).to_be_hidden()
    played = actions(element)
    assert len(played) == 4
    press(element, "undo")
    expect(element.locator('[data-do="redo"]')).to_be_enabled()

    press(element, "story")
    again = element.get_by_role("button", name=words("en", "continue"))
    expect(again).to_be_visible()
    press(element, "next")
    again.click()
    expect(element).to_have_attribute("step", "1")
    assert actions(own(element)) == played[:3]
    press(element, "redo")
    arrive_at(element, played)

    page.goto("about:blank")
    page.goto(f"{site_url}/es/backstab-fish/")
    element.scroll_into_view_if_needed()
    element.get_by_role("button", name=words("es", "continue")).click()
    assert actions(own(element)) == played
    assert element.evaluate("element => document.activeElement.closest('.rw-live') !== null")

    # A reload of the page finds it in the address, and what was taken back with it.
    press(element, "undo")
    expect(element.locator('[data-do="redo"]')).to_be_enabled()
    page.reload()
    assert actions(own(element)) == played[:3]
    press(element, "redo")
    arrive_at(element, played)
    # It was one game all the time.
    assert len(kept_games(page)) == 1


def test_a_new_move_takes_the_place_of_those_taken_back(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    element = own(walkthrough(page))
    press(element, "undo")
    expect(page).to_have_url(f"{site_url}/backstab-fish/{LINK[:-5]}")
    element.locator('[data-field="rank"] label:has(input[value="8"])').click()
    element.locator('.rw-live [type="submit"]').click()
    expect(page).to_have_url(f"{site_url}/backstab-fish/{LINK[:-5]}q1081")
    expect(element.locator('[data-do="redo"]')).to_be_disabled()


@pytest.mark.parametrize(
    ("storage", "word"),
    [
        (
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })",
            "denied",
        ),
        ("Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }", "denied"),
        ('localStorage.setItem("/.game.7", \'{"version": 1, "id": 7, "__proto__": 1}\')', "unreadable"),
        ("localStorage.setItem('/.game.7', '<garbage>')", "unreadable"),
    ],
)
def test_where_the_browser_keeps_nothing_it_is_said_and_the_game_lasts_as_long_as_the_page(
    page: Page, site_url: str, storage: str, word: str
) -> None:
    page.add_init_script(f"if (!window.prepared) {{ window.prepared = true; {storage}; }}")
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    element = own(walkthrough(page))
    end_turn(element)
    expect(element.locator(".rw-note")).to_have_text(words("en", f"kept-{word}"))
    played = actions(element)
    press(element, "story")
    press(element, "continue")
    assert actions(own(element)) == played


def test_what_a_newer_version_keeps_is_left_alone(page: Page, site_url: str) -> None:
    page.add_init_script("""localStorage["/.game.7"] = '{"version": 2}'""")
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    element = own(walkthrough(page))
    end_turn(element)
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Boris")
    expect(element.locator(".rw-note")).to_be_hidden()
    assert sorted(game["version"] for game in kept_games(page)) == [1, 2]


def test_the_newest_fifty_games_are_kept(page: Page, site_url: str) -> None:
    games = [
        {"id": n, "when": n, "name": "go-fish/gf-5-1", "step": 0, "line": "1a016", "undone": ""} for n in range(1, 51)
    ]
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    page.evaluate(
        "games => { for (const game of games) localStorage[`/.game.${game.id}`] = JSON.stringify(game) }",
        [{"version": 1} | game for game in games],
    )
    element = own(walkthrough(page))
    end_turn(element)
    expect(element.locator(".rw-live form")).to_have_attribute("data-player", "Boris")
    kept = sorted(kept_games(page), key=lambda game: -game["when"])
    assert len(kept) == 50
    assert kept[0]["name"] == NAME
    assert [game["id"] for game in kept[1:]] == list(range(50, 1, -1))


def test_a_game_that_is_lost_with_the_engine_comes_back_with_it(page: Page, site_url: str) -> None:
    page.add_init_script(
        """window.Worker = class extends Worker {
            constructor(address, how) {
                super(address, how);
                if (String(address).includes("/worker-")) window.engine = this;
            }
        }"""
    )
    page.goto(f"{site_url}/backstab-fish/{LINK}")
    element = own(walkthrough(page))
    element.evaluate(
        """element => {
            element.querySelector(".rw-live [data-end-turn]").click();
            window.engine.dispatchEvent(new ErrorEvent("error", {message: "out of memory"}));
        }"""
    )
    expect(element).to_have_attribute("engine", "unavailable")
    press(element, "retry")
    assert actions(own(element))[1:] == MOVES
