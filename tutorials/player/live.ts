/**
 * The engine as one walkthrough has it: not yet, on its way, here, or not to be
 * had. What the reader wants of it meanwhile is done once it is here.
 */

import { ask, PROGRESS, Restarted, stop } from "./engine";
import type { Markup } from "./markup";
import type { Play, Played, Replay, Replayed } from "./protocol";
import type { Story } from "./story";
import type { Voice } from "./voice";

/** How long to wait for the engine before telling the reader that it may not come. */
const PATIENCE = 20_000;

/** How long an answer may take before the reader is told, and can stop it. */
const SLOW = 1000;

/** One walkthrough's fresh start is every walkthrough's: they share the engine. */
const RESTART = "rulewalk:restart";

export type EngineState = "static" | "loading" | "live" | "unavailable";

/** Give up whatever the engine is at, and have everything on the page try again. */
export function restart(): void {
  stop(new Restarted());
  // Only when all that waited has heard of the stop.
  setTimeout(() => document.dispatchEvent(new Event(RESTART)));
}

// Whoever comes Back to a page that was kept finds it as it was, but for its worker.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) {
    restart();
  }
});

type Act = () => Promise<void>;

/** A question without what the page itself knows of its reader. */
type Question<Asked> = Omit<Asked, "language" | "rulesBase">;

export class Live {
  readonly #markup: Markup;
  readonly #story: Story;
  readonly #voice: Voice;
  readonly #changed: () => void;
  readonly #lost: () => Act | null;
  /** What the reader has asked for, until it is done. */
  #wanted: Act | null = null;
  #patience = 0;
  /** How many answers are slow to come. */
  #slow = 0;

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
    document.addEventListener(RESTART, this.#restarted, { signal });
    document.addEventListener(PROGRESS, this.#progressed as EventListener, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#patience));
  }

  get state(): EngineState {
    return this.#markup.element.getAttribute("engine") as EngineState;
  }

  /** Have the engine, unless it is here or on its way. */
  async load(): Promise<void> {
    if (this.state !== "loading" && this.state !== "live") {
      await this.#load();
    }
  }

  /** Ask the engine for the whole walkthrough, and go live if it says what the page says. */
  async #load(): Promise<void> {
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
      if (error instanceof Restarted) {
        return; // and asked again
      }
      console.warn(error);
      this.#become("unavailable");
    }
    clearTimeout(this.#patience);
  }

  /** Do what needs the engine: now, or when it has come, be it after another try. */
  when(act: Act): void {
    if (this.state === "live") {
      const done = act(); // it may begin by turning the reader elsewhere, which forgets what was wanted
      this.#wanted = act;
      void done.finally(() => {
        if (this.#wanted === act && this.state === "live") {
          this.#wanted = null; // and where the engine was lost over it, it is still wanted
        }
      });
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

  /** Ask the engine; null where no answer comes, and then the reader has been told, or did not want it any more. */
  async ask(question: Question<Play>): Promise<Played | null>;
  async ask(question: Question<Replay>): Promise<Replayed | null>;
  async ask(question: Question<Play> | Question<Replay>): Promise<Played | Replayed | null> {
    let isSlow = false;
    const slow = window.setTimeout(() => {
      isSlow = true;
      this.#delay(1);
    }, SLOW);
    const patience = window.setTimeout(() => stop(new Error("no answer")), PATIENCE);
    try {
      return await ask({ ...question, ...this.#markup.reader } as Play);
    } catch (error) {
      if (!(error instanceof Restarted)) {
        console.warn(error);
        this.#wanted = this.#lost() ?? this.#wanted;
        this.#become("unavailable");
      }
      return null;
    } finally {
      clearTimeout(slow);
      clearTimeout(patience);
      if (isSlow) {
        this.#delay(-1);
      }
    }
  }

  /** One more answer is slow to come, or one less: offer to stop it as long as there is any. */
  #delay(by: 1 | -1): void {
    const busy = this.#markup.part(".rw-busy");
    this.#slow += by;
    if (this.#slow > 0 && busy.hidden) {
      this.#voice.tell(busy.textContent ?? "");
    } else if (this.#slow === 0 && busy.contains(document.activeElement)) {
      this.#markup.part(".rw-steps").focus({ preventScroll: true });
    }
    busy.hidden = this.#slow === 0;
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

  readonly #restarted = (): void => {
    if (this.state !== "static") {
      void this.#load();
    }
  };

  #become(state: EngineState): void {
    const [turn, retry] = ["take-over", "retry"].map((name) => this.#markup.button(name));
    const was = this.state;
    const hadFocus = [turn, retry].includes(document.activeElement as HTMLElement);
    this.#markup.element.setAttribute("engine", state);
    this.#changed();
    if (hadFocus) {
      // One of the two takes the other's place, and the focus with it.
      (state === "unavailable" ? retry : turn)?.focus({ preventScroll: true });
    }
    if (state === "live") {
      if (this.#wanted) {
        this.when(this.#wanted);
      }
    } else if (this.#wanted || (state === "unavailable" && was === "live")) {
      this.#voice.tell(this.#markup.part(`[data-when="${state}"]`).textContent ?? "");
    }
  }
}
