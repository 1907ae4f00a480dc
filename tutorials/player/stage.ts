/**
 * The step in sight: one of the story's, or one beside it that the engine has
 * drawn or that another way on has brought.
 */

import type { Markup } from "./markup";
import type { Place } from "./place";
import * as settings from "./settings";
import { travel, type Way } from "./travel";
import type { Voice } from "./voice";

export class Stage {
  readonly #markup: Markup;
  readonly #place: Place;
  readonly #voice: Voice;
  readonly #changed: () => void;
  #shown: HTMLElement;

  /** `changed` is called whenever there is something else in sight. */
  constructor(markup: Markup, place: Place, voice: Voice, shown: HTMLElement, changed: () => void) {
    [this.#markup, this.#place, this.#voice] = [markup, place, voice];
    [this.#shown, this.#changed] = [shown, changed];
    // Whatever the page had in sight before there was a script.
    for (const step of this.#steps.querySelectorAll(".rw-shown")) {
      step.classList.remove("rw-shown");
    }
    shown.classList.add("rw-shown");
  }

  get shown(): HTMLElement {
    return this.#shown;
  }

  get #steps(): HTMLElement {
    return this.#markup.part(".rw-steps");
  }

  focus(): void {
    this.#steps.focus({ preventScroll: true });
  }

  /** Show a step; its cards arrive on these ways, or (null) are there at once. */
  show(next: HTMLElement, ways: readonly Way[] | null): void {
    const before = this.#shown;
    // Whoever stood inside the step that goes out of sight is not sent to the top of the page.
    const hadFocus = before !== next && before.contains(document.activeElement);
    before.classList.remove("rw-shown");
    next.classList.add("rw-shown");
    this.#shown = next;
    if (before !== next && ways && settings.current().motion) {
      travel(before, next, ways);
    }
    if (hadFocus) {
      this.focus();
    }
    this.#clear();
    this.#changed();
  }

  /** Show a step that is the answer to what the reader did, and say what it says. */
  present(next: HTMLElement, ways: readonly Way[]): void {
    this.show(next, ways);
    this.#voice.announce(next);
    this.bringInSight();
    // The panel may be so high that what its buttons did is out of sight now. Who has keys must see where those go.
    const table = next.querySelector(".rw-table")?.getBoundingClientRect();
    const isLost = table && table.top + table.height / 2 < 0;
    if (isLost && !this.#markup.element.querySelector(":focus-visible")) {
      this.#steps.scrollIntoView({ block: "nearest" });
    }
  }

  /** Bring the step in sight, and what has the focus: that above all. Who has gone elsewhere is not fetched back. */
  bringInSight(): void {
    const { hasFocus, element } = this.#markup;
    const { top, bottom } = element.getBoundingClientRect();
    if (!hasFocus && (bottom < 0 || top > innerHeight)) {
      return;
    }
    this.#steps.scrollIntoView({ block: "nearest" });
    if (hasFocus) {
      document.activeElement?.scrollIntoView({ block: "nearest" });
    }
  }

  /** Make the engine's markup a step beside those of the story. */
  draw(html: string): HTMLElement {
    const step = document.createElement("li");
    step.className = "rw-step rw-step--own";
    step.innerHTML = html;
    this.#steps.append(step);
    return step;
  }

  /** Drop what can no longer be returned to, once its cards have left it. */
  #clear(): void {
    const kept = [this.#shown, ...this.#place.shown];
    for (const step of this.#steps.querySelectorAll<HTMLElement>(".rw-step--own")) {
      if (!kept.includes(step)) {
        const moving = step.getAnimations({ subtree: true }).map(({ finished }) => finished);
        void Promise.allSettled(moving).then(() => step.remove());
      }
    }
  }
}
