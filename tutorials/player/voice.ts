/**
 * What is said besides what the table shows: to whoever listens, by the
 * walkthrough's one polite region, and to the eye too, by a note above the table.
 */

import type { Markup } from "./markup";

/** Of a step, what happened first, as the eye finds it; then what to make of it. */
const TOLD = [".rw-parting", ".rw-said p", ".rw-comment", ".rw-guess > p:first-child"];

export class Voice {
  readonly #markup: Markup;

  constructor(markup: Markup) {
    this.#markup = markup;
  }

  announce(step: HTMLElement): void {
    const told = TOLD.flatMap((part) =>
      Array.from(step.querySelectorAll<HTMLElement>(part)).filter(isShown),
    );
    this.tell(told.map((part) => part.textContent).join(" "));
  }

  /** Say something to whoever listens instead of looking. */
  tell(words: string): void {
    this.#markup.part(".rw-status").textContent = words.replace(/\s+/g, " ").trim();
  }

  /** Say something beside the story, for the eye too, until something else is to be said. */
  note(key: string | null, values: Readonly<Record<string, number | string>> = {}): void {
    const words = key === null ? "" : (this.#markup.words[key] ?? "");
    const note = this.#markup.part(".rw-note");
    const was = note.textContent;
    note.textContent = words.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
    note.hidden = key === null;
    if (key !== null && note.textContent !== was) {
      this.tell(`${note.textContent} ${this.#markup.part(".rw-status").textContent}`);
    }
  }

  /** Have the eye find the note, wherever in the walkthrough it was. */
  bringInSight(): void {
    this.#markup.part(".rw-note").scrollIntoView({ block: "nearest" });
  }
}

/** Whether its own style or, of a question, its frame's lets it be seen: told without laying out the page. */
function isShown(part: HTMLElement): boolean {
  return [part, part.parentElement].every(
    (each) => each === null || getComputedStyle(each).display !== "none",
  );
}
