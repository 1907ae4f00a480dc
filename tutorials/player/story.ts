/**
 * The steps of a story, as the page has them or as the engine tells them
 * otherwise: to one player's eyes, or under another agreement.
 *
 * Of each step the engine's part is what was said and the table; the author's
 * words beside it stay.
 */

const ENGINE = ".rw-said, .rw-table";

export class Story {
  readonly steps: readonly HTMLElement[];
  /** The engine's part of each, read before the reader has touched any of it. */
  readonly #page: readonly string[];

  constructor(steps: Iterable<HTMLElement>) {
    this.steps = Array.from(steps);
    this.#page = this.steps.map((step) => serialised(partsOf(step)));
  }

  /** The first step that the engine tells otherwise than the page; -1 if there is none. */
  differs(told: readonly string[]): number {
    return this.#page.findIndex((page, index) => page !== fromEngine(told[index] ?? ""));
  }

  /** Say at a step that from there on it goes another way than the author tells; -1 takes that back. */
  part(parting: number, words: string): void {
    for (const [index, step] of this.steps.entries()) {
      step.querySelector(".rw-parting")?.remove();
      step.classList.toggle("rw-otherwise", parting >= 0 && index >= parting);
    }
    if (parting >= 0) {
      const told = document.createElement("p");
      told.className = "rw-parting";
      told.textContent = words;
      this.steps[parting]?.prepend(told);
    }
  }

  /** Tell it as the engine does, or (null) as the page does. */
  tell(told: readonly string[] | null): void {
    for (const [index, step] of this.steps.entries()) {
      const parts = partsOf(step);
      const [first, last] = [parts[0], parts.at(-1)];
      if (first && last) {
        const range = document.createRange();
        range.setStartBefore(first);
        range.setEndAfter(last);
        range.deleteContents();
        range.insertNode(parsed((told ?? this.#page)[index] ?? ""));
      }
    }
  }
}

/** What a step is called in a list: the first thing that it says, or else what the author says of it. */
export function titleOf(step: Element): string {
  const [said] = step.querySelector(".rw-said p")?.childNodes ?? [];
  return (said ?? step.querySelector(".rw-comment"))?.textContent?.trim() ?? "";
}

function partsOf(step: Element): Element[] {
  return Array.from(step.children).filter((part) => part.matches(ENGINE));
}

/** The engine's markup, read and written as the browser reads and writes the page's. */
function fromEngine(html: string): string {
  return serialised(Array.from(parsed(html).children));
}

function parsed(html: string): DocumentFragment {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function serialised(elements: readonly Element[]): string {
  return elements.map((element) => element.outerHTML).join("\n");
}
