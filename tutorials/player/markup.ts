/**
 * A walkthrough's markup, as the build wrote it (`rulewalk_tutorials/html.py`):
 * its parts by their names, and what it says of itself beside its HTML.
 */

import type { Script } from "./protocol";

export class Markup {
  readonly element: HTMLElement;
  readonly script: Script;

  constructor(element: HTMLElement) {
    this.element = element;
    this.script = JSON.parse(this.part(".rw-script").textContent ?? "") as Script;
  }

  /** What it is called, such as `backstab-fish/bf-6-1`. */
  get name(): string {
    return this.element.getAttribute("name") ?? "";
  }

  get players(): readonly string[] {
    return this.script.record.players;
  }

  /** Words for what is not in the page from the start, in its language. */
  get words(): Readonly<Record<string, string>> {
    return this.script.words;
  }

  /** In which language the engine is to speak, and where the rules are that it names. */
  get reader(): { readonly language: string; readonly rulesBase: string } {
    return {
      language: this.element.getAttribute("lang-pack") ?? "en",
      rulesBase: this.element.getAttribute("data-rules-base") ?? "",
    };
  }

  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  button(name: string): HTMLElement {
    return this.part(`[data-do="${name}"]`);
  }

  part(selector: string): HTMLElement {
    const part = this.element.querySelector<HTMLElement>(selector);
    if (!part) {
      throw new Error(`${this.name} has no ${selector}`);
    }
    return part;
  }
}
