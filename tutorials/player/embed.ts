/**
 * A walkthrough that stands in somebody else's page (tools/embed.py): light or
 * dark as the reader's system is, and its height told to the page outside, as
 *
 *     {type: "rulewalk:height", name: "backstab-fish/bf-6-1", height: 640}
 *
 * Loaded at the start of the body, so that no page flashes light first.
 */

import { read } from "./link";

const dark = matchMedia("(prefers-color-scheme: dark)");

function dress(): void {
  document.body.setAttribute("data-md-color-scheme", dark.matches ? "slate" : "default");
}

/** How high it is, is no secret: whoever shows the page may know. */
function tell(): void {
  const name = document.querySelector("rule-walkthrough")?.getAttribute("name");
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  parent.postMessage({ type: "rulewalk:height", name, height }, "*");
}

dress();
dark.addEventListener("change", dress);
document.addEventListener("DOMContentLoaded", () => {
  new ResizeObserver(tell).observe(document.documentElement);
  // The way to the whole page leads to what is in sight here.
  const link = document.querySelector<HTMLAnchorElement>(".rw-full a");
  for (const press of ["pointerdown", "click"]) {
    link?.addEventListener(press, () => {
      if (read(location.hash)?.walk === read(link.hash)?.walk) {
        link.hash = location.hash;
      }
    });
  }
});
