/**
 * From one language to another: offered once, never forced, and without
 * losing one's place. Loaded with the shell, so it speaks no language itself.
 */

import { named } from "../../tutorials/player/named";
import { ROOT, recall, remember } from "./remember";

/** What the reader chose to do about languages: the code of one, once and for all. */
const CHOSEN = "language";
/** On its way from the page in one language to the same page in another. */
const PLACE = "place";

interface Place {
  readonly path: string;
  /** Each walkthrough's step, as the player keeps it. */
  readonly state: unknown;
}

export function languages(): void {
  absolute();
  arrive();
  offer();
  for (const press of ["pointerdown", "click"]) {
    document.addEventListener(press, leave, { capture: true });
  }
}

/** Search engines want the addresses of translations in full; a site may not know its own until it is opened. */
function absolute(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[hreflang]")) {
    link.setAttribute("href", link.href);
  }
}

/** Before the walkthroughs are there: let them find the steps that they had in the other language. */
function arrive(): void {
  const place = recall(PLACE, "sessionStorage") as Place | null;
  if (place?.path === location.pathname) {
    history.replaceState(place.state, "");
  }
  remember(PLACE, null, "sessionStorage");
}

/** A link to another language leads to the same section, whichever way it is opened. */
function leave({ type, target }: Event): void {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[data-language]");
  if (!link) {
    return;
  }
  // The offer stands at the top of the page, wherever the address led.
  link.hash = link.closest(".rw-offer") ? location.hash : inSight();
  if (type === "click") {
    const place: Place = { path: link.pathname, state: history.state };
    remember(PLACE, place, "sessionStorage");
    remember(CHOSEN, codeOf(link));
  }
}

/** What is being read: a position of a walkthrough, or a section. All have the same names in every language. */
function inSight(): string {
  const asked = named(location.hash);
  if (asked && isInWindow(asked)) {
    return location.hash;
  }
  const begun = Array.from(document.querySelectorAll("article :is(h2, h3, .rule)[id]")).filter(
    (mark) => mark.getBoundingClientRect().top < innerHeight / 6,
  );
  return begun.at(-1)?.id ?? "";
}

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Offer the reader's own language, if the page is there in it and they have not chosen before. */
function offer(): void {
  const own = document.documentElement.lang.slice(0, 2);
  const offers = Array.from(document.querySelectorAll<HTMLElement>(".rw-offer"));
  const known = [own, ...offers.map(codeOf)];
  const wanted = navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((code) => known.includes(code));
  const shown = offers.find((one) => codeOf(one) === wanted);
  if (!shown || recall(CHOSEN) !== null) {
    return;
  }
  shown.hidden = false;
  shown.querySelector("button")?.addEventListener("click", () => {
    shown.hidden = true;
    remember(CHOSEN, own);
    document.querySelector<HTMLElement>(".md-header a")?.focus(); // what comes next on the page
  });
}

/** On the page for addresses where there is none: leave the language of the address. */
export function answerLost(): void {
  const answers = Array.from(document.querySelectorAll<HTMLElement>(".rw-lost"));
  const [folder] = location.pathname.slice(ROOT.pathname.length).split("/");
  const wanted = answers.find((one) => codeOf(one) === folder) ?? answers[0];
  if (!wanted) {
    return;
  }
  for (const answer of answers) {
    answer.hidden = answer !== wanted;
  }
  document.documentElement.lang = wanted.lang;
  document.title = document.title.replace(
    /^.*(?= · )/,
    wanted.querySelector("h1")?.textContent ?? "",
  );
}

function codeOf(element: Element): string | null {
  return element.getAttribute("data-language");
}
