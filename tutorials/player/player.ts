/** What every page includes: it makes the page's walkthroughs come alive. */

import { RuleWalkthrough } from "./walkthrough";

customElements.define("rule-walkthrough", RuleWalkthrough);

/** Whoever is sent to a walkthrough, or to the line before it, wants to see it: unfold it. */
function unfold(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details") ?? target?.nextElementSibling;
  if (fold instanceof HTMLDetailsElement) {
    fold.open = true;
    target?.scrollIntoView();
  }
}

unfold();
addEventListener("hashchange", unfold);
