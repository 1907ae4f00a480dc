/**
 * The panel with what is seldom wanted: another step, other eyes, another
 * agreement, and how the reader likes walkthroughs.
 *
 * Loaded when somebody first wants it.
 */

import { make } from "./make";
import type { Markup } from "./markup";
import { Panel } from "./panel";
import type { Viewer } from "./protocol";
import { change, current, type Settings } from "./settings";

/** What the panel must know of the walkthrough that it belongs to, and may do with it. */
export interface Subject {
  titles(): readonly string[];
  step(): number;
  viewer(): Viewer;
  isLive(): boolean;
  go(step: number): void;
  see(viewer: Viewer): void;
}

/** Values of the list of eyes that are no player's name: those are told by their place at the table. */
const ALL = "all";
const MOVER = "mover";

/** What is printed on a key is a word where languages differ, and else what it says here. */
const KEYS: readonly (readonly [keys: readonly string[], word: string])[] = [
  [["←", "→"], "turn"],
  [["home", "end"], "ends"],
  [["space"], "play"],
  [["page-up", "page-down"], "large"],
  [["Esc"], "leave"],
  [["?"], "more"],
];

export class More extends Panel {
  readonly #subject: Subject;
  readonly #step = make("select", {});
  readonly #viewer = make("select", {});
  readonly #wait = make("p", { className: "rw-wait" }, this.word("wait"));

  constructor(markup: Markup, subject: Subject, closed: () => void) {
    super(markup, "more", ".rw-options", closed);
    this.#subject = subject;
    const { players } = markup;
    this.#viewer.append(
      new Option(this.word("everyone"), ALL),
      new Option(this.word("mover"), MOVER),
      ...players.map((player, seat) => new Option(player, String(seat))),
    );
    this.#step.addEventListener("change", () => subject.go(Number(this.#step.value)));
    this.#viewer.addEventListener("change", () => {
      const { value } = this.#viewer;
      subject.see(value === ALL ? null : value === MOVER ? true : (players[Number(value)] ?? null));
    });
    this.refresh();
    this.open(
      this.#step,
      this.#field("step", this.#step),
      this.#field("seen", this.#viewer),
      this.#wait,
      this.#speed(),
      this.#switch("motion"),
      this.#switch("four"),
      this.#switch("guesses"),
      this.#switch("keys"),
      this.#keys(),
      make("p", { className: "rw-bar" }, this.closer()),
    );
  }

  /** Bring it up to date with its walkthrough. */
  refresh(): void {
    const subject = this.#subject;
    const [viewer, isLive] = [subject.viewer(), subject.isLive()];
    const told = subject.titles().map((title, index) => `${index + 1} · ${title}`);
    if (told.join() !== Array.from(this.#step.options, ({ text }) => text).join()) {
      this.#step.replaceChildren(...told.map((text, index) => new Option(text, String(index))));
    }
    this.#step.value = String(subject.step());
    const seat = typeof viewer === "string" ? String(this.markup.players.indexOf(viewer)) : MOVER;
    this.#viewer.value = viewer === null ? ALL : seat;
    this.#viewer.disabled = !isLive;
    this.#wait.hidden = isLive;
  }

  #field(word: string, field: HTMLElement): HTMLElement {
    return make("label", {}, make("span", {}, this.word(word)), field);
  }

  #speed(): HTMLElement {
    const speeds = (["slow", "normal", "fast"] as const).map(
      (speed) => new Option(this.word(speed), speed),
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
    return make("label", { className: "rw-switch" }, box, make("span", {}, this.word(name)));
  }

  #keys(): HTMLElement {
    const rows = KEYS.map(([keys, word]) =>
      make(
        "div",
        {},
        make(
          "dt",
          {},
          ...keys.flatMap((key) => [make("kbd", {}, this.word(`cap-${key}`) || key), " "]),
        ),
        make("dd", {}, this.word(`key-${word}`)),
      ),
    );
    return make("dl", { className: "rw-keys" }, ...rows);
  }
}
