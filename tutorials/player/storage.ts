/**
 * `<rule-storage>`: what this site keeps in the reader's browser, how much room
 * it takes, and a button that erases all of it.
 *
 * The page has the words. Each `[data-kind]` stands for one kind of thing and
 * has a place `[data-size]` for its size: `notes` (choices and games), `site`,
 * `files` (the runtime) and `total`.
 */

import { erase, ifAllowed, KINDS, PATH, sizeOf } from "./caches";
import { erase as forgetGames } from "./keep";
import { keepNothing } from "./offline";

export class RuleStorage extends HTMLElement {
  connectedCallback(): void {
    this.hidden = false;
    this.querySelector('[data-do="erase"]')?.addEventListener("click", () => void this.#erase());
    void this.#refresh();
  }

  async #refresh(): Promise<void> {
    let total = sizeOfNotes();
    this.#say("notes", total);
    for (const kind of KINDS) {
      const size = await sizeOf(kind);
      this.#say(kind, size);
      total += size;
    }
    this.#say("total", total);
  }

  #say(kind: string, size: number): void {
    const place = this.querySelector(`[data-kind="${kind}"] [data-size]`);
    if (place) {
      place.textContent = told(size, document.documentElement.lang);
    }
  }

  async #erase(): Promise<void> {
    keepNothing();
    forgetGames(); // those too that this page has only in memory
    for (const key of notes()) {
      localStorage.removeItem(key);
    }
    // First the one who would fetch it all anew.
    await ifAllowed(async () => {
      await (await navigator.serviceWorker?.getRegistration(PATH))?.unregister();
    });
    for (const kind of KINDS) {
      await erase(kind);
    }
    await this.#refresh();
    const done = this.querySelector('[role="status"]');
    if (done) {
      done.textContent = this.getAttribute("data-erased") ?? "";
    }
  }
}

/** The keys under which choices and games are kept; none, where the browser keeps nothing. */
function notes(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${PATH}.`));
  } catch {
    return [];
  }
}

function sizeOfNotes(): number {
  const lengths = notes().map((key) => key.length + (localStorage.getItem(key)?.length ?? 0));
  return 2 * lengths.reduce((sum, length) => sum + length, 0);
}

function told(size: number, language: string): string {
  const large = size >= 1e5;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: large ? "megabyte" : "kilobyte",
    maximumFractionDigits: large ? 1 : 0,
  }).format(large ? size / 1e6 : Math.ceil(size / 1e3));
}
