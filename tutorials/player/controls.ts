/** The controls of a walkthrough, brought up to date with where the reader is. */

import { newest } from "./keep";
import type { Walk } from "./walk";

/** A button that does nothing now can still hold the focus. */
export function refresh(walk: Walk): void {
  const { isLarge, last, markup, pace, place, step, story, telling } = walk;
  const { branch, own } = place;
  const [first, end] = [!branch && step === 0, !branch && step === last];
  markup.part(".rw-now").textContent = String((branch?.at ?? step) + 1);
  markup.part(".rw-all").textContent = String((branch?.story ?? story).steps.length);
  markup.part(".rw-whatif").textContent = branch?.title ?? "";
  const idle: Record<string, boolean> = {
    restart: first,
    back: first,
    next: branch ? !branch.has(branch.at + 1) : end,
    last: end,
    undo: !own?.has(own.at - 1),
    redo: !own?.has(own.at + 1),
  };
  for (const [name, is] of Object.entries(idle)) {
    markup.button(name).setAttribute("aria-disabled", String(is));
  }
  markup.button("play").setAttribute("aria-pressed", String(pace.isPlaying));
  markup.button("large").setAttribute("aria-pressed", String(isLarge));
  markup.element
    .querySelector('[data-do="agree"]')
    ?.setAttribute("aria-checked", String(telling.isAgreed));
  const hidden: Record<string, boolean> = {
    ".rw-story": own !== null,
    ".rw-engine": own !== null,
    ".rw-mine": !own,
    ".rw-live": !own,
    ".rw-aside": !branch,
    '[data-do="continue"]': own !== null || !newest(markup.name, step),
  };
  for (const [part, is] of Object.entries(hidden)) {
    markup.part(part).hidden = is;
  }
}
