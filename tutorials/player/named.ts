/** What an address names in a page: a position of a walkthrough, a rule, a section. */

import { read, short } from "./link";

/** The element that an address names, if the page has it; an address may come from anywhere, and be no text at all. */
export function named(hash: string): Element | null {
  const link = read(hash);
  if (link) {
    const all = Array.from(document.querySelectorAll("rule-walkthrough"));
    return all.find((one) => short(one.getAttribute("name") ?? "") === link.walk) ?? null;
  }
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}
