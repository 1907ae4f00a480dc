/** Where one is: the section in the list of sections, the page in the header; and the list of pages on a phone. */

export function guide(): void {
  followSections();
  namePage();
  openPages();
  unfoldForPaper();
}

/** Mark in the list of sections the one being read, and keep it in sight there. */
function followSections(): void {
  const list = document.querySelector<HTMLElement>(
    ".md-sidebar--secondary .md-sidebar__scrollwrap",
  );
  const links = Array.from(list?.querySelectorAll<HTMLAnchorElement>("a[href^='#']") ?? []);
  const sections = links.map(({ hash }) =>
    document.getElementById(decodeURIComponent(hash.slice(1))),
  );
  const begun = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        begun[isIntersecting ? "add" : "delete"](target);
      }
      const at = sections.map((section) => !!section && begun.has(section)).lastIndexOf(true);
      for (const [index, link] of links.entries()) {
        link.toggleAttribute("aria-current", false);
        if (index === at) {
          link.setAttribute("aria-current", "location");
        }
      }
      if (list && links[at]) {
        keepInSight(links[at], list);
      }
    },
    // All that lies above the upper third of the window, however far.
    { rootMargin: "9999999px 0px -67% 0px" },
  );
  for (const section of sections) {
    if (section) {
      observer.observe(section);
    }
  }
}

/** Scroll a list so far that one sees an item of it, and what stands around it. */
function keepInSight(item: HTMLElement, list: HTMLElement): void {
  const [inside, frame] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inside.top < frame.top || inside.bottom > frame.bottom) {
    list.scrollTop += inside.top - frame.top - frame.height / 3;
  }
}

/** Say the page's title in the header while its heading is out of sight. */
function namePage(): void {
  const heading = document.querySelector("h1");
  const title = document
    .querySelector(".md-header__topic + .md-header__topic")
    ?.closest(".md-header__title");
  if (heading && title) {
    new IntersectionObserver((entries) => {
      title.classList.toggle("md-header__title--active", entries.at(-1)?.isIntersecting === false);
    }).observe(heading);
  }
}

/** Where there is no room for the list of pages, a button opens it: with keys as well, and they close it again. */
function openPages(): void {
  const toggle = document.querySelector<HTMLInputElement>("#__drawer");
  const button = document.querySelector<HTMLElement>(".rw-open-pages");
  const pages = document.querySelector<HTMLElement>(".md-sidebar--primary");
  if (!toggle || !button || !pages) {
    return;
  }
  const turn = (open: boolean): void => {
    toggle.checked = open;
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => {
    turn(true);
    pages.querySelector("a")?.focus({ preventScroll: true });
  });
  // Pressing beside the list turns it by itself.
  toggle.addEventListener("change", () => turn(toggle.checked));
  pages.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && toggle.checked) {
      turn(false);
      button.focus();
    }
  });
  pages.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Element && !pages.contains(relatedTarget)) {
      turn(false);
    }
  });
  // A link to a section of this page leaves the list in front of it.
  pages.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a[href*='#']")) {
      turn(false);
    }
  });
  // Browsers bring a page back as it was left, list and all.
  addEventListener("pageshow", () => turn(false));
}

/** On paper nothing can be unfolded, so everything is; on the screen, only what was before. */
function unfoldForPaper(): void {
  let folds: HTMLDetailsElement[] = [];
  const turn = (open: boolean): void => {
    if (open) {
      folds.push(...document.querySelectorAll<HTMLDetailsElement>("article details:not([open])"));
    }
    for (const fold of folds) {
      fold.open = open;
    }
    folds = open ? folds : [];
  };
  matchMedia("print").addEventListener("change", ({ matches }) => turn(matches));
  addEventListener("beforeprint", () => turn(true));
  addEventListener("afterprint", () => turn(false));
}
