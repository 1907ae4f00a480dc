/**
 * What the reader can do in a game of their own: the engine's buttons and form
 * below the table, and the action that each stands for. Which of them there
 * are, and in what words, is the engine's to say.
 */

import type { Markup } from "./markup";
import type { Action, Played } from "./protocol";

export class Moves {
  readonly #panel: HTMLElement;
  readonly #steps: HTMLElement;

  constructor(markup: Markup) {
    this.#panel = markup.part(".rw-live");
    this.#steps = markup.part(".rw-steps");
  }

  /** Put out what can be done now, and leave the focus where it was, or what came in its place. */
  offer({ controls }: Played): void {
    const all = (): Element[] => Array.from(this.#panel.querySelectorAll("input, button"));
    const focused = document.activeElement;
    const before = focused && this.#panel.contains(focused) ? identity(focused) : null;
    this.#panel.innerHTML = controls;
    if (before !== null) {
      const same = all().find((control) => identity(control) === before);
      const next = (same as HTMLElement | undefined) ?? this.#first;
      next.focus({ preventScroll: true });
    }
  }

  clear(): void {
    this.#panel.replaceChildren();
  }

  focus(): void {
    this.#first.focus({ preventScroll: true });
  }

  /** The first of what can be done; once the game is over, and nothing can, what the reader looks at. */
  get #first(): HTMLElement {
    return this.#panel.querySelector<HTMLElement>("input:checked, button, input") ?? this.#steps;
  }
}

/** What makes a control the same as one before, when all are drawn anew. */
function identity(control: Element): string {
  return control instanceof HTMLInputElement
    ? `${control.name}=${control.value}`
    : JSON.stringify(actionOf(control as HTMLElement));
}

/** A request as the form has it: who asks is its own, the rest are its fields. */
export function requestOf(form: HTMLFormElement): Action {
  const { action, player } = form.dataset;
  const { quantity, ...fields } = Object.fromEntries(new FormData(form));
  const number = quantity === undefined ? {} : { quantity: Number(quantity) };
  return { type: action ?? "", player, ...fields, ...number };
}

/** The action that a button stands for, if it does. */
export function actionOf({ dataset }: HTMLElement): Action | null {
  const { player, lay } = dataset;
  if (lay !== undefined) {
    return { type: "lay", player, rank: lay };
  }
  if ("slap" in dataset) {
    return { type: "slap", players: [player] };
  }
  const type = ["endTurn", "flip", "collect"].find((name) => name in dataset);
  return type ? { type: type === "endTurn" ? "end-turn" : type, player } : null;
}
