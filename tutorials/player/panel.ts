/**
 * A panel below a walkthrough's controls, made when its button is pressed and
 * put away by the same button, by its own, or by Escape.
 */

import { make } from "./make";
import type { Markup } from "./markup";

export abstract class Panel {
  readonly #place: HTMLElement;
  readonly #opener: HTMLElement;
  readonly #name: string;
  readonly #closed: () => void;
  protected readonly markup: Markup;

  /** `name` is that of the button, and its words begin with it. */
  constructor(markup: Markup, name: string, place: string, closed: () => void) {
    [this.markup, this.#name, this.#closed] = [markup, name, closed];
    [this.#place, this.#opener] = [markup.part(place), markup.button(name)];
  }

  /** Show the panel, and lead the reader to its first field. */
  protected open(first: HTMLElement, ...content: readonly Node[]): void {
    const place = this.#place;
    place.replaceChildren(...content);
    place.addEventListener("keydown", this.#pressed);
    place.hidden = false;
    this.#opener.setAttribute("aria-expanded", "true");
    first.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    this.#place.removeEventListener("keydown", this.#pressed);
    this.#place.hidden = true;
    this.#place.replaceChildren();
    this.#opener.setAttribute("aria-expanded", "false");
    this.#closed();
    // In the large view there is no button for what its key has opened.
    (this.#opener.offsetParent ? this.#opener : this.markup.part(".rw-steps")).focus();
  }

  /** How much higher it makes the walkthrough. */
  protected get height(): number {
    return this.#place.offsetHeight;
  }

  /** The walkthrough's own keys are not for here: arrows choose from lists, and move in fields. */
  readonly #pressed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.close();
    }
  };

  protected closer(): HTMLButtonElement {
    return this.button("close", () => this.close());
  }

  protected button(word: string, press: () => void): HTMLButtonElement {
    const button = make("button", { type: "button" }, this.word(word));
    button.addEventListener("click", press);
    return button;
  }

  protected word(name: string): string {
    return this.markup.words[`${this.#name}-${name}`] ?? "";
  }
}
