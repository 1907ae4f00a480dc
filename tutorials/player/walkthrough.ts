/**
 * `<rule-walkthrough>`: a walkthrough that the reader steps through and, once
 * the engine is there, plays on from.
 *
 * The page holds every step as HTML and all words that are needed. The element
 * shows one step at a time, keeps its attributes `step` and `engine` true, and
 * leaves what a step looks like to the style sheets. It knows no rule and draws
 * no table: what the reader does in a game of their own goes to the engine, and
 * the engine's markup is what is shown.
 */

import { ask, stop } from "./engine";
import type { Action, GameRecord, Played, Script, State } from "./protocol";
import { reversed, travel, type Way, waysOf } from "./travel";

/** How long a step stays in sight while the steps play by themselves. */
const PLAY_INTERVAL = 4000;
/** How long to wait for the engine before telling the reader that it may not come. */
const PATIENCE = 20_000;

/** One walkthrough's retry is every walkthrough's: they share the engine. */
const RETRY = "rulewalk:retry";

type EngineState = "static" | "loading" | "live" | "unavailable";

/** A position of the reader's own game, and what is in sight there. */
interface Own {
  readonly shown: HTMLElement;
  readonly played: Played;
}

export class RuleWalkthrough extends HTMLElement {
  static readonly observedAttributes = ["step"];

  #script!: Script;
  #steps: HTMLElement[] = [];
  /** What the page says of each step, read before the theme or the reader has touched any of it. */
  #told: string[] = [];
  #shown!: HTMLElement;
  /** The reader's own game, from the step it began at; empty while the story is told. */
  #own: Own[] = [];
  /** The reader has asked for their turn, and the engine is still on its way. */
  #wanted = false;
  #playing = 0;
  #patience = 0;

  connectedCallback(): void {
    if (this.#steps.length > 0) {
      return; // only moved within the page
    }
    this.#script = JSON.parse(this.#part(".rw-script").textContent ?? "") as Script;
    this.#steps = Array.from(this.querySelectorAll<HTMLElement>(".rw-step"));
    this.#told = this.#steps.map(fromPage);
    const remembered = (history.state as Record<string, number> | null)?.[this.#name];
    this.step = remembered ?? this.step;
    this.#shown = this.#current;
    this.#show(this.#shown, []);

    // A place for the focus that is no button, so that Space and the arrows have somewhere to be pressed.
    this.#part(".rw-steps").tabIndex = 0;
    this.#part(".rw-controls").hidden = false;
    this.addEventListener("click", this.#clicked);
    this.addEventListener("keydown", this.#pressed);
    this.addEventListener("submit", this.#submitted);
    document.addEventListener(RETRY, this.#retried);
    this.#loadWhenNear();
  }

  disconnectedCallback(): void {
    document.removeEventListener(RETRY, this.#retried);
    this.#pause();
    clearTimeout(this.#patience);
  }

  attributeChangedCallback(_name: string, was: string | null, is: string | null): void {
    if (this.#shown && was !== is) {
      this.#went(Number(was));
    }
  }

  /** The step in sight: 0 is the position before the first action. */
  get step(): number {
    const step = Math.trunc(Number(this.getAttribute("step")));
    return Math.max(0, Math.min(this.#steps.length - 1, step || 0));
  }

  set step(step: number) {
    this.setAttribute("step", String(Math.max(0, Math.min(this.#steps.length - 1, step))));
  }

  get engine(): EngineState {
    return this.getAttribute("engine") as EngineState;
  }

  /** The record of the game up to what is in sight (wire.md). */
  get record(): GameRecord {
    const actions = this.#script.steps
      .slice(0, this.step)
      .flatMap((move) => ("action" in move ? [move.action] : []));
    return this.#own.at(-1)?.played.record ?? { ...this.#script.record, actions };
  }

  /** The position in sight (wire.md). */
  get state(): State {
    return this.#own.at(-1)?.played.state ?? (this.#script.states[this.step] as State);
  }

  // The story

  get #name(): string {
    return this.getAttribute("name") ?? "";
  }

  get #current(): HTMLElement {
    return this.#steps[this.step] as HTMLElement;
  }

  /** The attribute `step` has changed: leave what was in sight, and show the step. */
  #went(was: number): void {
    const { step } = this;
    if (this.#own.length > 0) {
      this.#leave();
    }
    const ways =
      step === was + 1
        ? waysOf(this.#current)
        : step === was - 1
          ? reversed(waysOf(this.#shown))
          : [];
    this.#show(this.#current, ways);
    this.#announce();
  }

  #show(next: HTMLElement, ways: readonly Way[]): void {
    const before = this.#shown;
    // Whoever stood inside the step that goes out of sight is not sent to the top of the page.
    const hadFocus = before !== next && before.contains(document.activeElement);
    before.classList.remove("rw-shown");
    next.classList.add("rw-shown");
    this.#shown = next;
    if (before !== next) {
      travel(before, next, ways);
    }
    if (hadFocus) {
      this.#part(".rw-steps").focus({ preventScroll: true });
    }
    this.#refresh();
  }

  /** Bring the controls up to date. A button that does nothing now can still hold the focus. */
  #refresh(): void {
    const { step } = this;
    const playing = this.#playing !== 0;
    this.#part(".rw-now").textContent = String(step + 1);
    const idle: Record<string, boolean> = {
      restart: step === 0,
      back: step === 0,
      next: step === this.#steps.length - 1,
      undo: this.#own.length < 2,
    };
    for (const [name, is] of Object.entries(idle)) {
      this.#button(name).setAttribute("aria-disabled", String(is));
    }
    this.#button("play").setAttribute("aria-pressed", String(playing));
    const own = this.#own.length > 0;
    this.#part(".rw-story").hidden = own;
    this.#part(".rw-engine").hidden = own;
    this.#part(".rw-mine").hidden = !own;
    this.#part(".rw-live").hidden = !own;
  }

  #announce(): void {
    // What happened first, as the eye finds it; then what to make of it.
    const told = [".rw-said p", ".rw-comment"].flatMap((part) =>
      Array.from(this.#shown.querySelectorAll(part)),
    );
    this.#tell(told.map((part) => part.textContent).join(" "));
  }

  /** Say something to whoever listens instead of looking. */
  #tell(words: string): void {
    this.#part(".rw-status").textContent = words.replace(/\s+/g, " ").trim();
  }

  #togglePlay(): void {
    if (this.#playing !== 0) {
      this.#pause();
      return;
    }
    if (this.step === this.#steps.length - 1) {
      this.step = 0;
    }
    const tick = (): void => {
      this.step += 1;
      if (this.step === this.#steps.length - 1) {
        this.#pause();
      }
    };
    this.#playing = window.setInterval(tick, PLAY_INTERVAL);
    this.#refresh();
  }

  #pause(): void {
    clearInterval(this.#playing);
    this.#playing = 0;
    this.#refresh();
  }

  // The engine

  /** Load the engine once the reader comes near, and the page has nothing better to do. */
  #loadWhenNear(): void {
    const near = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) {
          near.disconnect();
          whenIdle(() => this.#load());
        }
      },
      { rootMargin: "50% 0px" },
    );
    near.observe(this);
  }

  /** Ask the engine for the whole walkthrough, and go live if it says what the page says. */
  async #load(): Promise<void> {
    if (this.engine === "loading" || this.engine === "live") {
      return;
    }
    this.#engine("loading");
    this.#patience = window.setTimeout(() => this.#engine("unavailable"), PATIENCE);
    try {
      const { record, steps } = this.#script;
      const replayed = await ask({ do: "replay", record, steps, ...this.#reader });
      for (const [index, told] of this.#told.entries()) {
        if (told !== fromEngine(replayed.steps[index] ?? "")) {
          throw new Error(`${this.#name}: the engine tells step ${index} otherwise than the page`);
        }
      }
      this.#engine("live"); // late is better than never: even after patience has run out
    } catch (error) {
      console.warn(error);
      this.#engine("unavailable");
    }
    clearTimeout(this.#patience);
  }

  #engine(state: EngineState): void {
    const [turn, retry] = [this.#button("take-over"), this.#button("retry")];
    const hadFocus = [turn, retry].includes(document.activeElement as HTMLElement);
    this.setAttribute("engine", state);
    if (hadFocus) {
      // One of the two takes the other's place, and the focus with it.
      (state === "unavailable" ? retry : turn).focus({ preventScroll: true });
    }
    if (!this.#wanted) {
      return;
    }
    if (state === "live") {
      void this.#takeOver();
    } else {
      this.#tell(this.#part(`[data-when="${state}"]`).textContent ?? "");
      this.#wanted = state === "loading";
    }
  }

  get #reader() {
    return {
      language: this.getAttribute("lang-pack") ?? "en",
      rulesBase: this.getAttribute("data-rules-base") ?? "",
    };
  }

  /** Whatever the engine was asked last is no longer to be had. */
  #lost(error: unknown): void {
    console.warn(error);
    if (this.#own.length > 0) {
      this.#leave();
      this.#show(this.#current, []);
    }
    this.#wanted = true; // so that the reader, who was playing, hears of it
    this.#engine("unavailable");
  }

  readonly #retried = (): void => {
    if (this.engine === "unavailable") {
      void this.#load();
    }
  };

  // The reader's own game

  async #takeOver(): Promise<void> {
    this.#pause();
    if (this.engine !== "live") {
      this.#wanted = true;
      if (this.engine === "loading") {
        this.#engine("loading");
      } else {
        void this.#load();
      }
      return;
    }
    this.#wanted = false;
    const { record, step } = this;
    const played = await this.#ask(record, null);
    if (played && this.step === step && this.#own.length === 0) {
      this.#own = [{ shown: this.#current, played }];
      this.#offer(played);
      this.#focusable()?.focus();
    }
  }

  async #act(action: Action): Promise<void> {
    const from = this.#own.at(-1);
    const played = from && (await this.#ask(from.played.record, action));
    if (!played || this.#own.at(-1) !== from) {
      return; // the reader has gone elsewhere in the meantime
    }
    const shown = this.#draw(played.step);
    const refused = played.error !== null;
    if (!refused) {
      this.#own.push({ shown, played });
    }
    this.#replace(shown, refused ? [] : waysOf(shown));
    if (!refused) {
      this.#offer(played); // after a refusal the reader's choice stands, to be mended
    }
  }

  #undo(): void {
    if (this.#own.length < 2) {
      return;
    }
    const ways = reversed(waysOf(this.#own.pop()?.shown as HTMLElement));
    const { shown, played } = this.#own.at(-1) as Own;
    this.#replace(shown, ways);
    this.#offer(played);
  }

  /** Back to the step that the reader's own game began at. */
  #backToStory(): void {
    this.#leave();
    this.#replace(this.#current, []);
    this.#button("take-over").focus();
  }

  /** Forget the reader's own game; what of it is in sight stays until something else is shown. */
  #leave(): void {
    this.#own = [];
    this.#part(".rw-live").replaceChildren();
  }

  async #ask(record: GameRecord, action: Action | null): Promise<Played | null> {
    const patience = window.setTimeout(() => stop("no answer"), PATIENCE);
    try {
      return await ask({ do: "play", record, action, ...this.#reader });
    } catch (error) {
      this.#lost(error);
      return null;
    } finally {
      clearTimeout(patience);
    }
  }

  /** Make the engine's markup a step beside those of the story. */
  #draw(html: string): HTMLElement {
    const step = document.createElement("li");
    step.className = "rw-step rw-step--own";
    step.innerHTML = html;
    this.#part(".rw-steps").append(step);
    return step;
  }

  #replace(shown: HTMLElement, ways: readonly Way[]): void {
    this.#show(shown, ways);
    this.#announce();
    // The panel may be so high that what its buttons did is out of sight.
    this.#part(".rw-steps").scrollIntoView({ block: "nearest" });
    // Drop what can no longer be returned to, once its cards have left it.
    const kept = new Set<Element>([shown, ...this.#own.map((own) => own.shown)]);
    for (const step of this.querySelectorAll(".rw-step--own")) {
      if (!kept.has(step)) {
        const moving = step.getAnimations({ subtree: true }).map(({ finished }) => finished);
        void Promise.allSettled(moving).then(() => step.remove());
      }
    }
  }

  /** Put out what can be done now, and leave the focus where it was, or what came in its place. */
  #offer({ controls }: Played): void {
    const panel = this.#part(".rw-live");
    const all = (): Element[] => Array.from(panel.querySelectorAll("input, button"));
    const focused = document.activeElement;
    const before = focused && panel.contains(focused) ? identity(focused) : null;
    panel.innerHTML = controls;
    if (before !== null) {
      const same = all().find((control) => identity(control) === before);
      const next = (same as HTMLElement | undefined) ?? this.#focusable();
      next?.focus({ preventScroll: true });
    }
    this.#refresh();
  }

  #focusable(): HTMLElement | null {
    return this.#part(".rw-live").querySelector("input:checked, button, input");
  }

  // What the reader does

  readonly #clicked = (event: MouseEvent): void => {
    const target = (event.target as Element).closest<HTMLElement>("button, a");
    if (target instanceof HTMLAnchorElement) {
      // The link leads away; whoever comes Back finds the step as it was.
      const state = history.state as Record<string, unknown> | null;
      history.replaceState({ ...state, [this.#name]: this.step }, "");
      return;
    }
    if (!target || target.getAttribute("aria-disabled") === "true") {
      return;
    }
    const act: Record<string, () => void> = {
      restart: () => this.#turnTo(0),
      back: () => this.#turnTo(this.step - 1),
      next: () => this.#turnTo(this.step + 1),
      play: () => this.#togglePlay(),
      "take-over": () => void this.#takeOver(),
      undo: () => this.#undo(),
      story: () => this.#backToStory(),
      retry: () => {
        stop("the reader tries again");
        // Only when all that waited has heard of the stop.
        setTimeout(() => document.dispatchEvent(new Event(RETRY)));
      },
    };
    act[target.getAttribute("data-do") ?? ""]?.();
    const action = target.closest(".rw-live") && actionOf(target);
    if (action) {
      void this.#act(action);
    }
  };

  readonly #submitted = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.#act(request(event.target as HTMLFormElement));
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    const target = event.target as Element;
    const { altKey, ctrlKey, metaKey, shiftKey, key } = event;
    if (altKey || ctrlKey || metaKey || shiftKey) {
      return;
    }
    if (this.#own.length > 0) {
      if (key === "Escape") {
        this.#backToStory();
      }
      return; // the panel's own keys, such as arrows among numbers, come first
    }
    const act: Record<string, () => void> = {
      ArrowLeft: () => this.#turnTo(this.step - 1),
      ArrowRight: () => this.#turnTo(this.step + 1),
      Home: () => this.#turnTo(0),
      End: () => this.#turnTo(this.#steps.length - 1),
    };
    if (!target.closest("button, a")) {
      act[" "] = () => this.#togglePlay();
    }
    if (act[key]) {
      event.preventDefault();
      act[key]();
    }
  };

  /** Step by hand, which stops the steps from playing by themselves. */
  #turnTo(step: number): void {
    this.#pause();
    this.step = step;
  }

  #button(name: string): HTMLElement {
    return this.#part(`[data-do="${name}"]`);
  }

  #part(selector: string): HTMLElement {
    const part = this.querySelector<HTMLElement>(selector);
    if (!part) {
      throw new Error(`${this.#name} has no ${selector}`);
    }
    return part;
  }
}

/** Of a step in the page, what the engine says; the author's comment comes before it. */
function fromPage(step: HTMLElement): string {
  return serialised(Array.from(step.children).filter((part) => !part.matches(".rw-comment")));
}

/** The engine's markup, read and written as the browser reads and writes the page's. */
function fromEngine(html: string): string {
  const template = document.createElement("template");
  template.innerHTML = html;
  return serialised(Array.from(template.content.children));
}

function serialised(elements: readonly Element[]): string {
  return elements.map((element) => element.outerHTML).join("\n");
}

/** What makes a control of the panel the same as one before, when the panel is drawn anew. */
function identity(control: Element): string {
  return control instanceof HTMLInputElement
    ? `${control.name}=${control.value}`
    : JSON.stringify(actionOf(control as HTMLElement));
}

/** A request as the form has it: who asks is its own, the rest are its fields. */
function request(form: HTMLFormElement): Action {
  const { action, player } = form.dataset;
  const { quantity, ...fields } = Object.fromEntries(new FormData(form));
  const number = quantity === undefined ? {} : { quantity: Number(quantity) };
  return { type: action ?? "", player, ...fields, ...number };
}

/** The action that a button of the panel stands for, if it does. */
function actionOf({ dataset }: HTMLElement): Action | null {
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

function whenIdle(act: () => void): void {
  if ("requestIdleCallback" in window) {
    requestIdleCallback(act, { timeout: 2000 });
  } else {
    setTimeout(act, 200); // Safari
  }
}
