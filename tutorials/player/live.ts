/**
 * The engine as one walkthrough has it: not yet, on its way, here, or not to be
 * had. What the reader wants of it meanwhile is done once it is here.
 */

import { ask, PROGRESS, stop } from "./engine";
import type { Markup } from "./markup";
import type { Play, Played, Replay, Replayed } from "./protocol";
import type { Story } from "./story";
import type { Voice } from "./voice";

/** How long to wait for the engine before telling the reader that it may not come. */
const PATIENCE = 20_000;

/** One walkthrough's retry is every walkthrough's: they share the engine. */
const RETRY = "rulewalk:retry";

export type EngineState = "static" | "loading" | "live" | "unavailable";

type Act = () => Promise<void>;

/** A question without what the page itself knows of its reader. */
type Question<Asked> = Omit<Asked, "language" | "rulesBase">;

export class Live {
  readonly #markup: Markup;
  readonly #story: Story;
  readonly #voice: Voice;
  readonly #changed: () => void;
  readonly #lost: () => Act | null;
  /** What the reader has asked for while the engine is still on its way. */
  #wanted: Act | null = null;
  #patience = 0;

  /**
   * `changed` is called with every change of its state; `lost` when an answer does not come, and returns
   * what to do once the engine is back.
   */
  constructor(
    markup: Markup,
    story: Story,
    voice: Voice,
    on: { changed: () => void; lost: () => Act | null },
  ) {
    [this.#markup, this.#story, this.#voice] = [markup, story, voice];
    [this.#changed, this.#lost] = [on.changed, on.lost];
  }

  /** Hear what the page's other walkthroughs hear of the engine, until the signal. */
  listen(signal: AbortSignal): void {
    document.addEventListener(RETRY, this.#retried, { signal });
    document.addEventListener(PROGRESS, this.#progressed as EventListener, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#patience));
  }

  get state(): EngineState {
    return this.#markup.element.getAttribute("engine") as EngineState;
  }

  /** Ask the engine for the whole walkthrough, and go live if it says what the page says. */
  async load(): Promise<void> {
    if (this.state === "loading" || this.state === "live") {
      return;
    }
    this.#become("loading");
    this.#wait();
    const { name, reader, script } = this.#markup;
    const { record, steps } = script;
    try {
      const replayed = await ask({ do: "replay", record, steps, ...reader, viewer: null });
      const index = this.#story.differs(replayed.steps);
      if (index >= 0) {
        throw new Error(`${name}: the engine tells step ${index} otherwise than the page`);
      }
      this.#become("live"); // late is better than never: even after patience has run out
    } catch (error) {
      console.warn(error);
      this.#become("unavailable");
    }
    clearTimeout(this.#patience);
  }

  /** Do what needs the engine: now, or when it has come, be it after another try. */
  when(act: Act): void {
    if (this.state === "live") {
      this.#wanted = null;
      void act();
      return;
    }
    this.#wanted = act;
    if (this.state === "loading") {
      this.#become("loading");
    } else {
      void this.load();
    }
  }

  /** The reader does not want any more what they have asked for. */
  forget(): void {
    this.#wanted = null;
  }

  /** Have everything on the page try again. */
  retry(): void {
    stop("the reader tries again");
    // Only when all that waited has heard of the stop.
    setTimeout(() => document.dispatchEvent(new Event(RETRY)));
  }

  /** Ask the engine; null where no answer comes, and then the reader has been told. */
  async ask(question: Question<Play>): Promise<Played | null>;
  async ask(question: Question<Replay>): Promise<Replayed | null>;
  async ask(question: Question<Play> | Question<Replay>): Promise<Played | Replayed | null> {
    const patience = window.setTimeout(() => stop("no answer"), PATIENCE);
    try {
      return await ask({ ...question, ...this.#markup.reader } as Play);
    } catch (error) {
      console.warn(error);
      this.#wanted = this.#lost() ?? this.#wanted;
      this.#become("unavailable");
      return null;
    } finally {
      clearTimeout(patience);
    }
  }

  #wait(): void {
    clearTimeout(this.#patience);
    this.#patience = window.setTimeout(() => this.#become("unavailable"), PATIENCE);
  }

  /** More of the runtime is here: however slow the line, it is not in vain. */
  readonly #progressed = ({ detail }: CustomEvent<number>): void => {
    (this.#markup.part(".rw-progress") as HTMLProgressElement).value = detail;
    if (this.state === "loading") {
      this.#wait();
    }
  };

  readonly #retried = (): void => {
    if (this.state === "unavailable") {
      void this.load();
    }
  };

  #become(state: EngineState): void {
    const [turn, retry] = ["take-over", "retry"].map((name) => this.#markup.button(name));
    const hadFocus = [turn, retry].includes(document.activeElement as HTMLElement);
    this.#markup.element.setAttribute("engine", state);
    this.#changed();
    if (hadFocus) {
      // One of the two takes the other's place, and the focus with it.
      (state === "unavailable" ? retry : turn)?.focus({ preventScroll: true });
    }
    if (!this.#wanted) {
      return;
    }
    if (state === "live") {
      this.when(this.#wanted);
    } else {
      this.#voice.tell(this.#markup.part(`[data-when="${state}"]`).textContent ?? "");
    }
  }
}
