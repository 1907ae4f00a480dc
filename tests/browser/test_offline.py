"""The site without a network, its new versions, and what is kept of it: with the service worker, in a real browser."""

from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, expect

from rulewalk.catalogue import Catalogue

from .kit import HOMES, SAVES, Host, list_anew, live, visited


def test_after_one_visit_the_whole_site_is_there_without_a_network(kept_context: BrowserContext, host: Host) -> None:
    # The home page has no runtime to load, but what it keeps has.
    page = visited(kept_context, host, "privacy/")
    kept_context.set_offline(True)
    for language, home in HOMES.items():
        for path in ("", "go-fish/", "backstab-fish/", "how-to-use/"):
            page.goto(f"{host.address}{home}{path}")
            expect(page.locator("html")).to_have_attribute("lang", "pt-PT" if language == "pt" else language)
        page.goto(f"{host.address}{home}backstab-fish/#bf-6-1")
        live(page)
    page.goto(f"{host.address}es/glossary")
    expect(page).to_have_url(f"{host.address}es/glossary/")
    page.goto(f"{host.address}nowhere/")
    expect(page.get_by_role("heading", name="Not here")).to_be_visible()


def deploy(host: Host, words: str) -> None:
    """Put a new version onto the host, with other words on the page about it."""
    page = host.folder / "es/about/index.html"
    page.write_text(page.read_text("utf-8").replace("</h1>", f" {words}</h1>", 1), "utf-8")
    list_anew(host.folder)


def test_a_new_version_is_offered_and_waits_to_be_asked_for(kept_context: BrowserContext, host: Host) -> None:
    page = visited(kept_context, host, "es/about/")
    offer = page.get_by_text(Catalogue.load("es", "site").text("shell.update"), exact=False)
    expect(offer).to_be_hidden()
    deploy(host, "NUEVO")
    page.reload()
    expect(offer).to_be_visible()
    # Until then, all is of one version.
    expect(page.locator("h1")).not_to_contain_text("NUEVO")
    page.goto(f"{host.address}es/")
    page.goto(f"{host.address}es/about/")
    expect(page.locator("h1")).not_to_contain_text("NUEVO")
    expect(offer).to_be_visible()
    page.get_by_role("button", name=Catalogue.load("es", "site").text("shell.update.go")).click()
    expect(page.locator("h1")).to_contain_text("NUEVO")
    expect(offer).to_be_hidden()


def test_a_version_that_is_only_half_there_is_not_taken(kept_context: BrowserContext, host: Host) -> None:
    page = visited(kept_context, host, "es/about/")
    deploy(host, "NUEVO")
    # A page that has changed: one that has not is taken over from the version before, and asked of nobody.
    (host.folder / "es/about/index.html").write_text("not what the service worker was promised")
    page.reload()
    fate = page.evaluate(
        """async () => {
            const registration = await navigator.serviceWorker.getRegistration();
            await registration.update();
            const found = registration.installing ?? registration.waiting;
            while (found.state === "installing") await new Promise(resolve => setTimeout(resolve, 100));
            return found.state;
        }"""
    )
    assert fate == "redundant"
    expect(page.locator(".rw-update")).to_be_hidden()
    page.goto(f"{host.address}es/about/")
    expect(page.locator("h1")).not_to_contain_text("NUEVO")


def test_what_is_kept_is_listed_and_erased_in_one_place(kept_context: BrowserContext, host: Host) -> None:
    page = visited(kept_context, host, "pt/privacy/")
    page.reload()
    storage = page.locator("rule-storage")
    for kind in ("site", "files", "total"):
        expect(storage.locator(f'[data-kind="{kind}"] [data-size]')).to_contain_text("MB")
    storage.locator('[data-do="erase"]').click()
    expect(storage.get_by_role("status")).not_to_be_empty()
    expect(storage.locator('[data-kind="total"] [data-size]')).to_contain_text("0")
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("localStorage.length") == 0
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0


def test_with_the_data_saver_nothing_is_fetched_in_advance(kept_context: BrowserContext, host: Host) -> None:
    kept_context.add_init_script(SAVES)
    page = kept_context.new_page()
    page.clock.install()
    page.goto(host.address)
    page.clock.run_for(60_000)
    page.wait_for_timeout(500)
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then(all => all.length)") == 0


def test_no_page_breaks_the_policy(browser: Browser, site: Path, site_url: str) -> None:
    context = browser.new_context()
    broken: list[str] = []
    context.expose_function("brokenPolicy", lambda told: broken.append(told))
    context.add_init_script(
        "addEventListener('securitypolicyviolation', event => "
        "brokenPolicy(`${location.pathname}: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`))"
    )
    page = context.new_page()
    page.on("console", lambda said: broken.append(said.text) if "Content Security Policy" in said.text else None)
    pages = [file.relative_to(site).as_posix() for file in sorted(site.rglob("index.html"))]
    for path in [path for path in pages if "embed/" not in path] + ["embed/backstab-fish/bf-6-1/index.html"]:
        page.goto(f"{site_url}/{path.removesuffix('index.html')}")
    page.goto(f"{site_url}/backstab-fish/#bf-6-1")
    live(page)
    page.get_by_role("textbox").first.click()
    page.keyboard.type("book")
    expect(page.locator(".md-search-result__link").first).to_be_visible()
    assert not broken
    context.close()
