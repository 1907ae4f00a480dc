/**
 * Arriving on a page by an address that names something in it: a rule, or a
 * position of a walkthrough. Whatever it is, it is unfolded and in sight.
 */

import { read } from "./link";
import { named } from "./named";
import { SCROLLS } from "./scrolls";
import type { RuleWalkthrough } from "./walkthrough";

/** Follow the address, now and whenever it changes. */
export function follow(): void {
  // Who comes back to a page, or loads it again, finds it scrolled as it was; and who has scrolled already, as they have.
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const hasScrolled = globalThis.rulewalkScrolled === true && scrollY > 0;
  arrive(location.hash, visit?.type === "navigate" && !hasScrolled);
  // Not the address as it is by now: it may be that of what was in sight before.
  addEventListener("hashchange", ({ newURL }) => arrive(new URL(newURL).hash, true));
}

function arrive(hash: string, fresh: boolean): void {
  document.querySelector(".rw-lost-link")?.remove();
  const link = read(hash);
  const meant = named(hash);
  const [any] = document.querySelectorAll<RuleWalkthrough>("rule-walkthrough");
  if (link && !meant) {
    if (any) {
      sayLost(any, fresh);
    }
    return;
  }
  ahead(meant)?.prepare(); // whether it is near is not known before the page is laid out
  unfold(meant, fresh);
  if (link) {
    (meant as RuleWalkthrough).open(link);
  }
}

/** The walkthrough that comes first from a place on, or on the page; what is folded away is not looked at so soon. */
function ahead(place: Element | null): RuleWalkthrough | undefined {
  const all = document.querySelectorAll<RuleWalkthrough>("rule-walkthrough");
  return place
    ? [...all].find((one) => one === place || isBefore(place, one))
    : [...all].find((one) => !one.closest("details:not([open])"));
}

function isBefore(place: Node, other: Node): boolean {
  return (place.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Whoever is sent to a walkthrough, or to the line before it, wants to see it. */
function unfold(target: Element | null, scroll: boolean): void {
  const fold = target?.closest("details") ?? target?.nextElementSibling;
  if (fold instanceof HTMLDetailsElement) {
    fold.open = true;
  }
  if (scroll && target) {
    bringInSight(target);
  }
}

/**
 * Scroll to a place, for three frames. A walkthrough far away is as high as was guessed (site.css); once it comes
 * near, it is as high as it is, and what is below it moves. Who begins to scroll in the meantime is let go.
 */
function bringInSight(target: Element): void {
  const arriving = new AbortController();
  const { signal } = arriving;
  for (const scrolls of SCROLLS) {
    addEventListener(scrolls, () => arriving.abort(), { capture: true, passive: true, signal });
  }
  const scroll = (frames: number): void => {
    if (frames === 0) {
      arriving.abort();
    } else if (!signal.aborted) {
      target.scrollIntoView();
      requestAnimationFrame(() => scroll(frames - 1));
    }
  };
  scroll(3);
}

/** The link is to a walkthrough that the page does not have. Any of its own lends the words. */
function sayLost({ words }: RuleWalkthrough, scroll: boolean): void {
  const note = document.createElement("p");
  note.className = "rw-note rw-lost-link";
  note.setAttribute("role", "status");
  note.textContent = words["link-lost"] ?? "";
  const heading = document.querySelector("h1");
  if (heading) {
    heading.after(note);
  } else {
    document.body.prepend(note);
  }
  if (scroll) {
    note.scrollIntoView({ block: "center" });
  }
}
