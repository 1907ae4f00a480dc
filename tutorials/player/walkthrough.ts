/**
 * `<rule-walkthrough>`: a walkthrough that the reader steps through and, once
 * the engine is there, plays on from.
 *
 * The page holds every step as HTML and all words that are needed. The element
 * keeps its attributes `step` and `engine` true, hears clicks and keys, and
 * leaves what they mean to `walk`, and what a step looks like to the style
 * sheets. A walkthrough that nobody comes near costs next to nothing.
 */

import { beginByItself } from "./itself";
import { buttonOf } from "./keys";
import type { Link } from "./link";
import type { EngineState } from "./live";
import { actionOf, requestOf } from "./moves";
import { savesData } from "./offline";
import type { GameRecord, State } from "./protocol";
import * as settings from "./settings";
import { Walk } from "./walk";

export class RuleWalkthrough extends HTMLElement {
  static readonly observedAttributes = ["step"];

  #isSettled = false;
  /** What the reader does here; null until they come near, or something else wants it. */
  #made: Walk | null = null;
  /** Over once the element is out of the page. */
  #visit = new AbortController();

  connectedCallback(): void {
    this.#visit = new AbortController();
    const { signal } = this.#visit;
    this.addEventListener("click", this.#clicked, { signal });
    this.addEventListener("keydown", this.#pressed, { signal });
    this.addEventListener("submit", this.#submitted, { signal });
    this.#made?.listen(signal);
    this.#settle();
    this.#wakeWhenNear(signal);
  }

  disconnectedCallback(): void {
    this.#visit.abort();
  }

  attributeChangedCallback(_name: string, was: string | null, is: string | null): void {
    if (this.#isSettled && was !== is) {
      this.#walk.went(Number(was));
    }
  }

  /** The step in sight: 0 is the position before the first action. */
  get step(): number {
    return this.#walk.step;
  }

  set step(step: number) {
    this.#walk.step = step;
  }

  get engine(): EngineState {
    return this.#walk.live.state;
  }

  /** The record of the game up to what is in sight (wire.md). */
  get record(): GameRecord {
    return this.#walk.record;
  }

  /** The position in sight (wire.md). */
  get state(): State {
    return this.#walk.state;
  }

  /** Words for what is not in the page from the start, in its language. */
  get words(): Readonly<Record<string, string>> {
    return this.#walk.markup.words;
  }

  /** Open a link to this walkthrough, as far as that goes, and say what does not. */
  open(link: Link): void {
    this.#walk.open(link);
  }

  /** Have the engine for a reader who is near, or soon will be. It is in nobody's way: another thread has the work. */
  prepare(): void {
    if (savesData()) {
      this.toggleAttribute("data-saves", true); // "Your turn" says what it costs, and is pressed or not
    } else {
      void this.#walk.live.load();
    }
  }

  get #walk(): Walk {
    return this.#made ?? this.#wake();
  }

  #wake(): Walk {
    this.#made = new Walk(this);
    this.#made.listen(this.#visit.signal);
    return this.#made;
  }

  /** Look as it will when the reader comes near: with the step that they left it at, and its controls. */
  #settle(): void {
    if (this.#isSettled) {
      return; // only moved within the page
    }
    const state = history.state as Record<string, unknown> | null;
    const left = Math.trunc(
      Number(state?.[this.getAttribute("name") ?? ""] ?? this.getAttribute("step")),
    );
    const steps = this.querySelectorAll(".rw-step");
    const step = Math.max(0, Math.min(steps.length - 1, left || 0));
    this.setAttribute("step", String(step));
    steps[step]?.classList.add("rw-shown");
    // A place for the focus that is no button, so that Space and the arrows have somewhere to be pressed.
    this.querySelector(".rw-steps")?.setAttribute("tabindex", "0");
    this.querySelector(".rw-controls")?.removeAttribute("hidden");
    this.#isSettled = true;
    if (step > 0) {
      this.#wake();
    }
  }

  /** Once the reader comes near, be ready. */
  #wakeWhenNear(signal: AbortSignal): void {
    const near = new IntersectionObserver(
      (entries) => {
        // Several may come at once: out of sight where the page was opened, then near where its reader went.
        if (!entries.some(({ isIntersecting }) => isIntersecting)) {
          return;
        }
        near.disconnect();
        this.prepare();
        beginByItself(this.#walk, signal);
      },
      { rootMargin: "50% 0px" },
    );
    near.observe(this);
    signal.addEventListener("abort", () => near.disconnect());
  }

  readonly #clicked = (event: MouseEvent): void => {
    const target = event.target as Element;
    const pressed = target.closest<HTMLElement>("button, a");
    if (pressed instanceof HTMLAnchorElement) {
      this.#walk.depart();
    } else if (!pressed) {
      this.#walk.point(target);
    } else if (pressed.getAttribute("aria-disabled") !== "true") {
      this.#walk.press(pressed.getAttribute("data-do") ?? "", pressed);
      const action = pressed.closest(".rw-live") && actionOf(pressed);
      if (action) {
        void this.#walk.turn.act(action);
      }
    }
  };

  readonly #submitted = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.#walk.turn.act(requestOf(event.target as HTMLFormElement));
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    const { isLarge, place } = this.#walk;
    const name = buttonOf(event, {
      isOwn: place.own !== null,
      isBranch: place.branch !== null,
      isLarge,
      wanted: settings.current().keys,
    });
    if (name) {
      event.preventDefault();
      this.#walk.press(name, this.#walk.markup.button(name));
    }
  };
}
