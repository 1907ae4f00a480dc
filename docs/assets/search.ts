/**
 * The search, as far as every page has it: it opens and closes. What searches
 * comes when somebody goes there (`results.ts`).
 */

import type { Results } from "./results";

/** The file of `results.ts`, beside the shell's. */
declare const RESULTS_FILE: string;

export function search(): void {
  const toggle = document.querySelector<HTMLInputElement>("#__search");
  const place = document.querySelector<HTMLElement>(".md-search");
  const query = place?.querySelector("input");
  const told = place?.querySelector(".md-search-result__meta");
  if (!toggle || !place || !query || !told) {
    return;
  }
  let results: Promise<Results> | null = null;
  const start = (): void => {
    results ??= import(RESULTS_FILE).then(({ Results }) => new Results(place));
    results
      .then((ready) => ready.find(query.value))
      .catch((error) => {
        console.warn(error);
        results = null; // the network may be back when the reader tries again
        told.textContent = told.getAttribute("data-failed");
      });
  };
  const close = (): void => {
    toggle.checked = false;
    if (place.contains(document.activeElement)) {
      (document.activeElement as HTMLElement).blur();
    }
  };
  addEventListener("pageshow", close); // browsers bring a page back as it was left
  query.addEventListener("focus", () => {
    toggle.checked = true;
    start();
  });
  query.addEventListener("input", start);
  toggle.addEventListener("change", () => (toggle.checked ? query.focus() : close()));
  place.querySelector("form")?.addEventListener("reset", () => {
    query.value = "";
    query.focus();
    start();
  });
  place.querySelector("form")?.addEventListener("submit", (event) => {
    event.preventDefault();
    place.querySelector<HTMLElement>(".md-search-result__link")?.click();
  });
  place.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Element && !place.contains(relatedTarget)) {
      toggle.checked = false;
    }
  });
  place.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(".md-search-result__link")) {
      close(); // it may lead to this very page
    }
  });
  place.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      close();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const stops = [query, ...place.querySelectorAll<HTMLElement>(".md-search-result__link")];
      const at = stops.indexOf(document.activeElement as HTMLElement);
      stops[Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1))]?.focus();
    }
  });
}
