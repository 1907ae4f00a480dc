/**
 * The panel with what is seldom wanted: another step, other eyes, another
 * agreement, and how the reader likes walkthroughs.
 *
 * Loaded when somebody first wants it.
 */

import { make } from "./make";
import { change, current, type Settings } from "./settings";

/** Whose eyes the reader has: nobody's, who sees all; a player's; or those of whoever has the turn. */
export type Viewer = string | true | null;

/** What the panel must know of the walkthrough that it belongs to, and may do with it. */
export interface Subject {
  readonly titles: readonly string[];
  readonly step: number;
  readonly players: readonly string[];
  readonly viewer: Viewer;
  readonly isLive: boolean;
  go(step: number): void;
  see(viewer: Viewer): void;
  closed(): void;
}

/** Values of the list of eyes that are no player's name: those are told by their place at the table. */
const ALL = "all";
const MOVER = "mover";

const KEYS: readonly (readonly [keys: readonly string[], word: string])[] = [
  [["←", "→"], "turn"],
  [["Home", "End"], "ends"],
  [["Space"], "play"],
  [["PageUp", "PageDown"], "large"],
  [["Esc"], "leave"],
  [["?"], "more"],
];

export class More {
  readonly #panel: HTMLElement;
  readonly #words: Readonly<Record<string, string>>;
  readonly #subject: Subject;
  readonly #step = make("select", {});
  readonly #viewer = make("select", {});
  readonly #wait = make("p", { className: "rw-wait" });

  constructor(panel: HTMLElement, words: Readonly<Record<string, string>>, subject: Subject) {
    [this.#panel, this.#words, this.#subject] = [panel, words, subject];
    const { players } = subject;
    this.#viewer.append(
      new Option(this.#word("everyone"), ALL),
      new Option(this.#word("mover"), MOVER),
      ...players.map((player, seat) => new Option(player, String(seat))),
    );
    this.#step.addEventListener("change", () => subject.go(Number(this.#step.value)));
    this.#viewer.addEventListener("change", () => {
      const { value } = this.#viewer;
      subject.see(value === ALL ? null : value === MOVER ? true : (players[Number(value)] ?? null));
    });
    this.#wait.textContent = this.#word("wait");
    panel.replaceChildren(
      this.#field("step", this.#step),
      this.#field("seen", this.#viewer),
      this.#wait,
      this.#speed(),
      this.#switch("motion"),
      this.#switch("four"),
      this.#switch("guesses"),
      this.#switch("keys"),
      this.#keys(),
      this.#close(),
    );
    panel.addEventListener("keydown", this.#pressed);
    panel.hidden = false;
    this.refresh();
    this.#step.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }

  /** Bring it up to date with its walkthrough. */
  refresh(): void {
    const { titles, step, viewer, players, isLive } = this.#subject;
    const told = titles.map((title, index) => `${index + 1} · ${title}`);
    if (told.join() !== Array.from(this.#step.options, ({ text }) => text).join()) {
      this.#step.replaceChildren(...told.map((text, index) => new Option(text, String(index))));
    }
    this.#step.value = String(step);
    const seat = typeof viewer === "string" ? String(players.indexOf(viewer)) : MOVER;
    this.#viewer.value = viewer === null ? ALL : seat;
    this.#viewer.disabled = !isLive;
    this.#wait.hidden = isLive;
  }

  close(): void {
    this.#panel.removeEventListener("keydown", this.#pressed);
    this.#panel.hidden = true;
    this.#panel.replaceChildren();
    this.#subject.closed();
  }

  /** The walkthrough's own keys are not for here: arrows choose from the lists. */
  readonly #pressed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.close();
    }
  };

  #field(word: string, field: HTMLElement): HTMLElement {
    return make("label", {}, make("span", {}, this.#word(word)), field);
  }

  #speed(): HTMLElement {
    const speeds = (["slow", "normal", "fast"] as const).map(
      (speed) => new Option(this.#word(speed), speed),
    );
    const list = make("select", {}, ...speeds);
    list.value = current().speed;
    list.addEventListener("change", () => change({ speed: list.value as Settings["speed"] }));
    return this.#field("speed", list);
  }

  #switch(name: "keys" | "motion" | "four" | "guesses"): HTMLElement {
    const box = make("input", { type: "checkbox", checked: current()[name] });
    box.setAttribute("role", "switch");
    box.addEventListener("change", () => change({ [name]: box.checked }));
    return make("label", { className: "rw-switch" }, box, make("span", {}, this.#word(name)));
  }

  #keys(): HTMLElement {
    const rows = KEYS.map(([keys, word]) =>
      make(
        "div",
        {},
        make("dt", {}, ...keys.flatMap((key) => [make("kbd", {}, key), " "])),
        make("dd", {}, this.#word(`key-${word}`)),
      ),
    );
    return make("dl", { className: "rw-keys" }, ...rows);
  }

  #close(): HTMLElement {
    const button = make("button", { type: "button" }, this.#word("close"));
    button.addEventListener("click", () => this.close());
    return make("p", { className: "rw-bar" }, button);
  }

  #word(name: string): string {
    return this.#words[`more-${name}`] ?? "";
  }
}
