/**
 * A walkthrough that begins by itself, within `[data-plays]`: for whoever has
 * just come to the site and should see what is to be seen here.
 *
 * It goes calmly from step to step while it is in view, says nothing aloud and
 * leaves the address alone. The first thing that the reader does with it ends
 * that for good, and it never begins where motion is not wanted.
 */

import * as settings from "./settings";
import type { Walk } from "./walk";

/** From coming into view to the first step, and how long each step stays. */
const [FIRST, CALM] = [1500, 6000];

export function beginByItself(walk: Walk, signal: AbortSignal): void {
  const { element } = walk.markup;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const wanted = (): boolean => !still.matches && settings.current().motion;
  if (!element.closest("[data-plays]") || walk.step > 0 || !wanted()) {
    return;
  }
  const over = new AbortController();
  const until = over.signal;
  signal.addEventListener("abort", () => over.abort());
  const inView = new IntersectionObserver(
    (entries) => {
      if (entries.at(-1)?.isIntersecting && walk.step < walk.last) {
        walk.pace.playByItself(walk.step === 0 ? FIRST : CALM, CALM);
      } else if (walk.pace.isByItself) {
        walk.pace.pause();
      }
    },
    { threshold: 0.4 },
  );
  const end = (event: Event): void => {
    over.abort();
    // The button that stops it does so when it is pressed.
    const isButton = (event.target as Element).closest?.('[data-do="play"]');
    if (walk.pace.isByItself && !isButton) {
      walk.pace.pause();
    }
  };
  inView.observe(walk.current);
  until.addEventListener("abort", () => inView.disconnect());
  for (const act of ["pointerdown", "keydown", "focusin", "click"]) {
    element.addEventListener(act, end, { signal: until, capture: true });
  }
  const unlessWanted = (event: Event): void => {
    if (!wanted()) {
      end(event);
    }
  };
  still.addEventListener("change", unlessWanted, { signal: until });
  document.addEventListener(settings.CHANGED, unlessWanted, { signal: until });
}
