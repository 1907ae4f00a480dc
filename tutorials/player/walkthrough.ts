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

import { actionsOf, Branch } from "./branch";
import { ask, PROGRESS, stop } from "./engine";
import { CHANGED, type Game, keep, newest, same } from "./keep";
import { enlarge } from "./large";
import { decode, encode, type Link, short, write } from "./link";
import { make } from "./make";
import type { More, Viewer } from "./more";
import { savesData } from "./offline";
import { Own, type Position } from "./own";
import type { Action, GameRecord, Move, Played, Replayed, Script, State } from "./protocol";
import * as settings from "./settings";
import type { Sharing } from "./share";
import { Story, titleOf } from "./story";
import { reversed, travel, type Way, waysOf } from "./travel";

/** How long to wait for the engine before telling the reader that it may not come. */
const PATIENCE = 20_000;

/** One walkthrough's retry is every walkthrough's: they share the engine. */
const RETRY = "rulewalk:retry";

type EngineState = "static" | "loading" | "live" | "unavailable";

export class RuleWalkthrough extends HTMLElement {
  static readonly observedAttributes = ["step"];

  #script!: Script;
  #story!: Story;
  #steps: readonly HTMLElement[] = [];
  #shown!: HTMLElement;
  /** Another way on that the reader looks at: a “what if …?”. */
  #branch: Branch | null = null;
  /** The story as it goes under the script's agreements, while the reader has them on. */
  #agreed: Replayed | null = null;
  /** The reader's own game; null while the story is told. */
  #own: Own | null = null;
  /** What the reader has asked for while the engine is still on its way. */
  #wanted: (() => Promise<void>) | null = null;
  /** The panel with the address of what is in sight, while it is open. */
  #sharing: Sharing | null = null;
  /** The panel with what is seldom wanted, while it is open. */
  #more: More | null = null;
  /** Leaves the large view, while the walkthrough fills the screen. */
  #leaveLarge: (() => void) | null = null;
  /** Whose eyes the reader has, in the story and in a game of their own. */
  #viewer: Viewer = null;
  /** Counts where the reader has been, so that what was asked for at one place is not done at another. */
  #stay = 0;
  /** The step is being set by a link, not by the reader. */
  #opening = false;
  #playing = 0;
  #patience = 0;

  connectedCallback(): void {
    if (this.#steps.length > 0) {
      return; // only moved within the page
    }
    this.#script = JSON.parse(this.#part(".rw-script").textContent ?? "") as Script;
    this.#story = new Story(this.querySelectorAll<HTMLElement>(".rw-step"));
    this.#steps = this.#story.steps;
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
    document.addEventListener(PROGRESS, this.#progressed as EventListener);
    document.addEventListener(CHANGED, this.#refreshed);
    document.addEventListener(settings.CHANGED, this.#resettled);
    this.#loadWhenNear();
  }

  disconnectedCallback(): void {
    document.removeEventListener(RETRY, this.#retried);
    document.removeEventListener(PROGRESS, this.#progressed as EventListener);
    document.removeEventListener(CHANGED, this.#refreshed);
    document.removeEventListener(settings.CHANGED, this.#resettled);
    this.#leaveLarge?.();
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
    return Math.max(0, Math.min(this.#last, step || 0));
  }

  set step(step: number) {
    this.setAttribute("step", String(Math.max(0, Math.min(this.#last, step))));
  }

  get engine(): EngineState {
    return this.getAttribute("engine") as EngineState;
  }

  /** The record of the game up to what is in sight (wire.md). */
  get record(): GameRecord {
    return this.#own?.current.played.record ?? this.#recordAt(this.step, this.#branch?.done);
  }

  /** The position in sight (wire.md). */
  get state(): State {
    const told = (this.#agreed ?? this.#script).states[this.step] as State;
    return this.#own?.current.played.state ?? this.#branch?.state ?? told;
  }

  /** Words for what is not in the page from the start, in its language. */
  get words(): Readonly<Record<string, string>> {
    return this.#script.words;
  }

  /** Open a link to this walkthrough, as far as that goes, and say what does not. */
  open(link: Link): void {
    const step = /^\d{1,3}$/.test(link.step) ? Number(link.step) : Number.NaN;
    const isStep = step < this.#steps.length;
    if (link.agreed !== (this.#agreed !== null) && this.#hasAgreements) {
      this.#turnQuietlyTo(isStep ? step : 0); // already something, until the engine tells it as agreed
      this.#note(null);
      this.#whenLive(() => this.#openAgreed(link));
      return;
    }
    const { actions, trouble } = decode(link.line, this.#players);
    const [isThere, line] = [step === this.step && link.line === this.#line, isStep ? actions : []];
    if (isStep && trouble === null && isThere) {
      return;
    }
    this.#turnQuietlyTo(isStep ? step : 0);
    this.#note(isStep ? trouble && `link-${trouble}` : "link-step");
    if (line.length > 0) {
      const kept = same(this.#name, step, link.line);
      const undone = kept ? decode(kept.undone, this.#players).actions : [];
      this.#whenLive(() => this.#resume(kept?.id ?? Date.now(), step, line, undone));
    }
  }

  async #openAgreed(link: Link): Promise<void> {
    const stay = this.#stay;
    await this.#retell(link.agreed);
    if (this.#stay === stay && link.agreed === (this.#agreed !== null)) {
      this.open(link);
    }
  }

  // The story

  get #name(): string {
    return this.getAttribute("name") ?? "";
  }

  get #current(): HTMLElement {
    return this.#steps[this.step] as HTMLElement;
  }

  get #players(): readonly string[] {
    return this.#script.record.players;
  }

  get #hasAgreements(): boolean {
    return Object.keys(this.#script.agreements).length > 0;
  }

  /** The last step of the story; under an agreement, it may be one that is refused. */
  get #last(): number {
    const refused = this.#agreed?.refused ?? [];
    const end = this.#script.steps.findIndex((move, i) => "action" in move && refused[i + 1]);
    return end < 0 ? this.#steps.length - 1 : end + 1;
  }

  /** The record at a step of the story, or after some actions more. */
  #recordAt(step: number, more: readonly Action[] = []): GameRecord {
    const moves = this.#script.steps.slice(0, step);
    const done = this.#agreed
      ? moves
          .filter((_, index) => this.#agreed?.refused[index + 1] === null)
          .map((move) => ("action" in move ? move.action : move.attempt))
      : actionsOf(moves);
    return { ...this.#start(this.#agreed !== null), actions: [...done, ...more] };
  }

  /** The record before the first action, with the script's agreements or without. */
  #start(agreed: boolean): GameRecord {
    const { record, agreements } = this.#script;
    return agreed ? { ...record, agreements: { ...record.agreements, ...agreements } } : record;
  }

  /** The attribute `step` has changed: leave what was in sight, and show the step. */
  #went(was: number): void {
    const { step } = this;
    this.#leave();
    if (this.#opening) {
      return;
    }
    const ways =
      step === was + 1
        ? waysOf(this.#current)
        : step === was - 1
          ? reversed(waysOf(this.#shown))
          : [];
    this.#show(this.#current, ways);
    this.#note(null);
    this.#announce();
    this.#address();
  }

  /** The position in sight, as a link. */
  get #link(): string {
    return write(short(this.#name), this.step, this.#line, this.#agreed !== null);
  }

  /** The moves of the reader's own game, or of another way on, as a link has them. */
  get #line(): string {
    return encode(this.#own?.done ?? this.#branch?.done ?? [], this.#players);
  }

  /** Have the address lead to what is in sight. Back still leads to where the reader was before all that. */
  #address(): void {
    const state = history.state as Record<string, unknown> | null;
    try {
      history.replaceState({ ...state, [this.#name]: this.step }, "", this.#link);
    } catch {
      // Some browsers allow this only so often; the next step makes up for it.
    }
  }

  /** Show a step of the story as it is, wherever the reader was: no card travels, no address changes. */
  #turnQuietlyTo(step: number): void {
    this.#pause();
    this.#leave();
    this.#wanted = null;
    this.#opening = true;
    this.step = step;
    this.#opening = false;
    this.#show(this.#current, null);
    this.#announce();
  }

  #show(next: HTMLElement, ways: readonly Way[] | null): void {
    const before = this.#shown;
    // Whoever stood inside the step that goes out of sight is not sent to the top of the page.
    const hadFocus = before !== next && before.contains(document.activeElement);
    before.classList.remove("rw-shown");
    next.classList.add("rw-shown");
    this.#shown = next;
    if (before !== next && ways && settings.current().motion) {
      travel(before, next, ways);
    }
    if (hadFocus) {
      this.#part(".rw-steps").focus({ preventScroll: true });
    }
    // Drop what can no longer be returned to, once its cards have left it.
    const kept = [next, ...(this.#own?.shown ?? []), ...(this.#branch?.story.steps ?? [])];
    for (const step of this.querySelectorAll<HTMLElement>(".rw-step--own")) {
      if (!kept.includes(step)) {
        const moving = step.getAnimations({ subtree: true }).map(({ finished }) => finished);
        void Promise.allSettled(moving).then(() => step.remove());
      }
    }
    this.#refresh();
  }

  /** Bring the controls up to date. A button that does nothing now can still hold the focus. */
  #refresh(): void {
    const step = this.step;
    const branch = this.#branch;
    const playing = this.#playing !== 0;
    this.#part(".rw-now").textContent = String((branch?.at ?? step) + 1);
    this.#part(".rw-all").textContent = String((branch?.story ?? this.#story).steps.length);
    this.#part(".rw-whatif").textContent = branch?.title ?? "";
    const idle: Record<string, boolean> = {
      restart: !branch && step === 0,
      back: !branch && step === 0,
      next: branch ? !branch.has(branch.at + 1) : step === this.#last,
      last: !branch && step === this.#last,
      undo: !this.#own?.has(this.#own.at - 1),
      redo: !this.#own?.has(this.#own.at + 1),
    };
    for (const [name, is] of Object.entries(idle)) {
      this.#button(name).setAttribute("aria-disabled", String(is));
    }
    this.#button("play").setAttribute("aria-pressed", String(playing));
    this.#button("large").setAttribute("aria-pressed", String(this.#leaveLarge !== null));
    const own = this.#own !== null;
    this.#part(".rw-story").hidden = own;
    this.#part(".rw-engine").hidden = own;
    this.#part(".rw-mine").hidden = !own;
    this.#part(".rw-aside").hidden = !branch;
    this.querySelector('[data-do="agree"]')?.setAttribute("aria-checked", String(!!this.#agreed));
    this.#part(".rw-live").hidden = !own;
    this.#button("continue").hidden = own || !newest(this.#name, step);
    this.#sharing?.show(this.#link);
    this.#more?.refresh();
  }

  readonly #refreshed = (): void => this.#refresh();

  #announce(): void {
    // What happened first, as the eye finds it; then what to make of it.
    const parts = [".rw-parting", ".rw-said p", ".rw-comment", ".rw-guess > p:first-child"];
    const told = parts.flatMap((part) =>
      Array.from(this.#shown.querySelectorAll<HTMLElement>(part)).filter(isShown),
    );
    this.#tell(told.map((part) => part.textContent).join(" "));
  }

  /** Say something to whoever listens instead of looking. */
  #tell(words: string): void {
    this.#part(".rw-status").textContent = words.replace(/\s+/g, " ").trim();
  }

  /** Say something beside the story, for the eye too, until something else is to be said. */
  #note(key: string | null, values: Readonly<Record<string, number | string>> = {}): void {
    const words = key === null ? "" : (this.words[key] ?? "");
    const note = this.#part(".rw-note");
    const was = note.textContent;
    note.textContent = words.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
    note.hidden = key === null;
    if (key !== null && note.textContent !== was) {
      this.#tell(`${note.textContent} ${this.#part(".rw-status").textContent}`);
    }
  }

  /** Show the address of what is in sight, and ways to pass it on; or put them away. */
  async #share(): Promise<void> {
    if (this.#sharing) {
      this.#sharing.close();
      return;
    }
    try {
      const { Sharing } = await import("./share");
      this.#sharing = new Sharing(this.#part(".rw-share"), this.words, {
        name: this.#name,
        home: new URL(this.#reader.rulesBase || "../", location.href),
        say: (words) => this.#tell(words),
        closed: () => {
          this.#sharing = null;
          this.#button("share").setAttribute("aria-expanded", "false");
          this.#button("share").focus();
        },
      });
      this.#button("share").setAttribute("aria-expanded", "true");
      this.#sharing.show(this.#link);
    } catch (error) {
      console.warn(error);
      this.#note("share-failed");
    }
  }

  /** Show what is seldom wanted, or put it away. */
  async #showMore(): Promise<void> {
    if (this.#more) {
      this.#more.close();
      return;
    }
    try {
      const { More } = await import("./more");
      this.#button("more").setAttribute("aria-expanded", "true");
      this.#more = new More(this.#part(".rw-options"), this.words, this.#forMore());
    } catch (error) {
      console.warn(error);
      this.#note("more-failed");
    }
  }

  #forMore() {
    const walkthrough = this;
    return {
      get titles(): readonly string[] {
        return walkthrough.#steps.map(titleOf);
      },
      get step(): number {
        return walkthrough.step;
      },
      get viewer(): Viewer {
        return walkthrough.#viewer;
      },
      get isLive(): boolean {
        return walkthrough.engine === "live";
      },
      players: this.#players,
      go: (step: number) => this.#turnTo(step),
      see: (viewer: Viewer) => void this.#see(viewer),
      closed: () => {
        this.#more = null;
        this.#button("more").setAttribute("aria-expanded", "false");
        this.#button("more").focus();
      },
    };
  }

  /** Fill the screen with the walkthrough, or leave that. */
  #toggleLarge(): void {
    if (this.#leaveLarge) {
      this.#leaveLarge();
      return;
    }
    this.#sharing?.close();
    this.#more?.close();
    this.#leaveLarge = enlarge(this, () => {
      this.#leaveLarge = null;
      this.#refresh();
      this.#button("large").focus({ preventScroll: true });
    });
    this.#refresh();
    this.#part(".rw-steps").focus({ preventScroll: true });
  }

  #togglePlay(): void {
    if (this.#playing !== 0) {
      this.#pause();
      return;
    }
    this.#rejoin();
    if (this.step === this.#last) {
      this.step = 0;
    }
    const tick = (): void => {
      this.step += 1;
      if (this.step === this.#last) {
        this.#pause();
      }
    };
    this.#playing = window.setInterval(tick, settings.interval());
    this.#refresh();
  }

  /** The reader likes it otherwise now; steps that play by themselves go on at the new speed. */
  readonly #resettled = (): void => {
    if (this.#playing !== 0) {
      this.#pause();
      this.#togglePlay();
    }
  };

  #pause(): void {
    clearInterval(this.#playing);
    this.#playing = 0;
    this.#refresh();
  }

  // The engine

  /** Load the engine once the reader comes near, and the page has nothing better to do. */
  #loadWhenNear(): void {
    if (savesData()) {
      this.toggleAttribute("data-saves", true); // "Your turn" says what it costs, and is pressed or not
      return;
    }
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
    this.#wait();
    try {
      const { record, steps } = this.#script;
      const replayed = await ask({ do: "replay", record, steps, ...this.#reader, viewer: null });
      const index = this.#story.differs(replayed.steps);
      if (index >= 0) {
        throw new Error(`${this.#name}: the engine tells step ${index} otherwise than the page`);
      }
      this.#engine("live"); // late is better than never: even after patience has run out
    } catch (error) {
      console.warn(error);
      this.#engine("unavailable");
    }
    clearTimeout(this.#patience);
  }

  #wait(): void {
    clearTimeout(this.#patience);
    this.#patience = window.setTimeout(() => this.#engine("unavailable"), PATIENCE);
  }

  /** More of the runtime is here: however slow the line, it is not in vain. */
  readonly #progressed = ({ detail }: CustomEvent<number>): void => {
    (this.#part(".rw-progress") as HTMLProgressElement).value = detail;
    if (this.engine === "loading") {
      this.#wait();
    }
  };

  #engine(state: EngineState): void {
    const [turn, retry] = [this.#button("take-over"), this.#button("retry")];
    const hadFocus = [turn, retry].includes(document.activeElement as HTMLElement);
    this.setAttribute("engine", state);
    this.#more?.refresh();
    if (hadFocus) {
      // One of the two takes the other's place, and the focus with it.
      (state === "unavailable" ? retry : turn).focus({ preventScroll: true });
    }
    if (!this.#wanted) {
      return;
    }
    if (state === "live") {
      this.#whenLive(this.#wanted);
    } else {
      this.#tell(this.#part(`[data-when="${state}"]`).textContent ?? "");
    }
  }

  /** Do what needs the engine: now, or when it has come, be it after another try. */
  #whenLive(act: () => Promise<void>): void {
    this.#pause();
    if (this.engine === "live") {
      this.#wanted = null;
      void act();
      return;
    }
    this.#wanted = act;
    if (this.engine === "loading") {
      this.#engine("loading");
    } else {
      void this.#load();
    }
  }

  get #reader() {
    return {
      language: this.getAttribute("lang-pack") ?? "en",
      rulesBase: this.getAttribute("data-rules-base") ?? "",
      viewer: this.#viewer,
    };
  }

  /** Whatever the engine was asked last is no longer to be had. */
  #lost(error: unknown): void {
    console.warn(error);
    const own = this.#own;
    if (own) {
      this.#leave();
      this.#show(this.#current, []);
      this.#wanted = () => this.#resume(own.id, own.step, own.done, own.undone);
    }
    this.#engine("unavailable");
  }

  readonly #retried = (): void => {
    if (this.engine === "unavailable") {
      void this.#load();
    }
  };

  // Other ways on

  /** Look at what would have come of it. */
  async #take(place: number): Promise<void> {
    const told = this.#script.branches[place];
    const fold = this.querySelectorAll(".rw-branch")[place];
    if (!told || !fold) {
      return;
    }
    this.#pause();
    const branch = new Branch(fold, told, this.#part(".rw-steps"));
    this.#branch = branch;
    if (this.#viewer !== null) {
      await this.#seeAside(branch);
    }
    if (this.#branch === branch) {
      this.#walk(branch, 0);
      this.#part(".rw-steps").focus({ preventScroll: true });
    }
  }

  /** Turn to a step of another way on. */
  #walk(branch: Branch, at: number): void {
    const ways = at < branch.at ? reversed(waysOf(branch.shown)) : null;
    branch.at = at;
    this.#replace(branch.shown, ways ?? waysOf(branch.shown));
    this.#note(null);
    this.#address();
  }

  /** Back to the step of the story that the reader left it at. */
  #rejoin(): void {
    if (this.#branch) {
      const ways = this.#branch.at === 0 ? reversed(waysOf(this.#branch.shown)) : [];
      this.#leave();
      this.#replace(this.#current, ways);
      this.#note(null);
      this.#address();
    }
  }

  async #seeAside(branch: Branch): Promise<void> {
    const before = this.#script.steps.slice(0, branch.from);
    const told = await this.#replay([...before, ...branch.moves], false);
    branch.story.tell(told?.steps.slice(-branch.moves.length) ?? null);
  }

  // Other eyes, other agreements

  /** See the story, and the reader's own game, with other eyes. */
  async #see(viewer: Viewer): Promise<void> {
    this.#pause();
    this.#viewer = viewer;
    await this.#retell(this.#agreed !== null);
  }

  /** Have the story go as it would under the script's agreements, and show where that is another way. */
  async #agree(on: boolean): Promise<void> {
    this.#turnQuietlyTo(this.step);
    this.#note(null);
    await this.#retell(on);
    const parting = this.#steps.findIndex((step) => step.querySelector(".rw-parting"));
    if (parting >= 0) {
      this.step = parting;
    }
    this.#address();
  }

  async #retell(agreed: boolean): Promise<void> {
    const [viewer, own, branch] = [this.#viewer, this.#own, this.#branch];
    const told = viewer || agreed ? await this.#replay(this.#script.steps, agreed) : null;
    if (branch) {
      await this.#seeAside(branch);
    }
    if (this.#viewer !== viewer || this.engine !== "live") {
      return; // the reader has chosen otherwise in the meantime, or nothing is to be had
    }
    this.#agreed = agreed ? told : null;
    this.#story.tell(told?.steps ?? null);
    this.classList.toggle("rw-agreed", agreed);
    const { states, steps } = this.#script;
    const { parting = "" } = this.words;
    this.#story.part(
      agreed && told
        ? states.findIndex((state, index) => {
            const move = steps[index - 1];
            const refused = move !== undefined && "attempt" in move;
            return !alike(state, told.states[index]) || refused !== !!told.refused[index];
          })
        : -1,
      parting,
    );
    if (own && own === this.#own) {
      const position = await this.#lookUp(own, own.at);
      if (!position || own !== this.#own || this.#viewer !== viewer) {
        return;
      }
      own.forget();
      own.turnTo(own.at, position);
      this.#replace(position.shown, []);
      this.#offer(position.played);
    } else {
      this.#show(this.#shown, []);
      this.#announce();
    }
  }

  async #replay(steps: readonly Move[], agreed: boolean): Promise<Replayed | null> {
    try {
      return await ask({ do: "replay", record: this.#start(agreed), steps, ...this.#reader });
    } catch (error) {
      this.#viewer = null;
      this.#lost(error);
      return null;
    }
  }

  /** Show no table until the device has been passed to whoever's turn it is now. */
  #passTo(player: string): Promise<void> {
    const words = (key: string): string => (this.words[key] ?? "").replace("{player}", player);
    const here = make("button", { type: "button" }, words("pass-here"));
    const curtain = this.#draw("");
    curtain.classList.add("rw-curtain");
    curtain.append(make("p", {}, words("pass")), here);
    this.#part(".rw-live").replaceChildren();
    this.#show(curtain, null);
    this.#tell(words("pass"));
    here.focus();
    return new Promise((passed) => {
      here.addEventListener("click", () => passed());
    });
  }

  // The reader's own game

  async #takeOver(): Promise<void> {
    const isHere = this.#hasFocus;
    await this.#resume(Date.now(), this.step, this.#branch?.done ?? [], []);
    this.#focusPanel(isHere);
  }

  /** Play on from a step of the story, after some moves: none yet, a link's, or those of a game that was kept. */
  async #resume(
    id: number,
    step: number,
    done: readonly Action[],
    undone: readonly Action[],
  ): Promise<void> {
    const start = this.#recordAt(step);
    const stay = this.#stay;
    const isAway = (): boolean => this.#stay !== stay || this.#own !== null;
    const played = this.step === step ? await this.#ask(start, done) : null;
    if (!played) {
      return;
    }
    const refused = played.error !== null;
    const allowed = (played.record.actions?.length ?? 0) - (start.actions?.length ?? 0);
    const moves = refused ? done.slice(0, allowed) : [...done, ...undone];
    const own = new Own(id, step, start, moves, allowed);
    const position = await this.#lookUp(own, allowed);
    if (!position || isAway()) {
      return; // the reader has gone elsewhere in the meantime
    }
    own.turnTo(allowed, position);
    this.#own = own;
    this.#branch = null;
    this.#offer(position.played);
    if (refused) {
      this.#replace(this.#draw(played.step), []);
      this.#note("link-illegal", { move: allowed + 1 });
    } else if (done.length > 0) {
      this.#replace(position.shown, []);
    }
    this.#address();
  }

  /** Take up a game again that was kept. */
  #continue(): void {
    const game = newest(this.#name, this.step);
    if (game) {
      this.#turnQuietlyTo(game.step);
      this.#note(null);
      this.#whenLive(() => this.#takeUp(game));
    }
  }

  async #takeUp({ id, step, line, undone, agreed = false }: Game): Promise<void> {
    if (agreed !== (this.#agreed !== null) && this.#hasAgreements) {
      await this.#agree(agreed);
      this.#turnQuietlyTo(step);
    }
    const [before, after] = [line, undone].map((moves) => decode(moves, this.#players).actions);
    const isHere = this.#hasFocus;
    await this.#resume(id, step, before ?? [], after ?? []);
    this.#focusPanel(isHere);
  }

  async #act(action: Action): Promise<void> {
    const own = this.#own;
    const from = own?.current;
    const played = from && (await this.#ask(from.played.record, [action]));
    if (!played || this.#own !== own || own?.current !== from) {
      return; // the reader has gone elsewhere in the meantime
    }
    const shown = this.#draw(played.step);
    if (played.error) {
      this.#replace(shown, []); // the reader's choice stands, to be mended
      return;
    }
    own.play(played.record.actions?.at(-1) as Action, { shown, played });
    this.#keep();
    const { turn } = played.state;
    const passes = this.#viewer === true && turn !== null && turn !== from?.played.state.turn;
    if (passes) {
      await this.#passTo(String(turn));
    }
    this.#replace(shown, passes ? [] : waysOf(shown));
    this.#offer(played);
    if (passes) {
      this.#focusPanel();
    }
  }

  /** Take a move back (-1), or make one again that was taken back (1). */
  async #turnOwn(by: -1 | 1): Promise<void> {
    const own = this.#own as Own;
    const [from, at] = [own.current, own.at + by];
    const position = own.position(at) ?? (await this.#lookUp(own, at));
    if (!position || this.#own !== own || own.current !== from) {
      return;
    }
    own.turnTo(at, position);
    this.#replace(position.shown, by < 0 ? reversed(waysOf(from.shown)) : waysOf(position.shown));
    this.#offer(position.played);
    this.#keep();
  }

  /** A position that nobody has seen yet, of a game that was taken up after it. */
  async #lookUp(own: Own, at: number): Promise<Position | null> {
    const played = await this.#askFor(own, at);
    return played && { shown: at > 0 ? this.#draw(played.step) : this.#current, played };
  }

  /** Keep the reader's own game, and say so where that cannot be. */
  #keep(): void {
    const own = this.#own as Own;
    const [line = "", undone = ""] = [own.done, own.undone].map((moves) =>
      encode(moves, this.#players),
    );
    const { id, step } = own;
    const agreed = this.#agreed !== null;
    const trouble = keep({ id, when: Date.now(), name: this.#name, step, line, undone, agreed });
    this.#note(trouble && `kept-${trouble}`);
    this.#address();
  }

  /** Back to the step that the reader's own game began at. */
  #backToStory(): void {
    this.#leave();
    this.#replace(this.#current, []);
    this.#note(null);
    this.#button("take-over").focus();
    this.#address();
  }

  /** Leave the reader's own game, which is kept; what of it is in sight stays until something else is shown. */
  #leave(): void {
    this.#stay += 1;
    this.#own = null;
    this.#branch = null;
    this.#part(".rw-live").replaceChildren();
  }

  #askFor(own: Own, at: number): Promise<Played | null> {
    const { record, actions } = own.question(at);
    return this.#ask(record, actions);
  }

  async #ask(record: GameRecord, actions: readonly Action[]): Promise<Played | null> {
    const patience = window.setTimeout(() => stop("no answer"), PATIENCE);
    try {
      return await ask({ do: "play", record, actions, ...this.#reader });
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

  get #hasFocus(): boolean {
    return this.contains(document.activeElement);
  }

  /** Lead whoever asked for their turn to it. The button that they pressed is gone by now, and the focus with it. */
  #focusPanel(isHere = this.#hasFocus): void {
    if (this.#own && isHere) {
      this.#focusable()?.focus();
    }
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
    if (
      !target &&
      this.#leaveLarge &&
      !this.#own &&
      (event.target as Element).closest(".rw-table")
    ) {
      this.#turn(1); // whoever stands at the board need not aim
    }
    if (!target || target.getAttribute("aria-disabled") === "true") {
      return;
    }
    const act: Record<string, () => void> = {
      restart: () => this.#turnTo(0),
      back: () => this.#turn(-1),
      next: () => this.#turn(1),
      branch: () => {
        const ways = this.querySelectorAll('.rw-ways [data-do="branch"]');
        void this.#take(Array.from(ways).indexOf(target));
      },
      rejoin: () => this.#rejoin(),
      guess: () => this.#guess(target),
      agree: () => this.#whenLive(() => this.#agree(this.#agreed === null)),
      play: () => this.#togglePlay(),
      "take-over": () => this.#whenLive(() => this.#takeOver()),
      continue: () => this.#continue(),
      undo: () => void this.#turnOwn(-1),
      redo: () => void this.#turnOwn(1),
      last: () => this.#turnTo(this.#last),
      share: () => void this.#share(),
      more: () => void this.#showMore(),
      large: () => this.#toggleLarge(),
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
    if (altKey || ctrlKey || metaKey || (shiftKey && key !== "?")) {
      return;
    }
    if (this.#own) {
      if (key === "Escape") {
        this.#backToStory();
      }
      return; // the panel's own keys, such as arrows among numbers, come first
    }
    if (key === "Escape") {
      this.#branch ? this.#rejoin() : this.#leaveLarge?.();
    }
    if (this.#leaveLarge && (key === "PageUp" || key === "PageDown")) {
      event.preventDefault();
      this.#turn(key === "PageUp" ? -1 : 1); // what a presenter's remote control sends
    }
    if (!settings.current().keys) {
      return;
    }
    const act: Record<string, () => void> = {
      ArrowLeft: () => this.#turn(-1),
      ArrowRight: () => this.#turn(1),
      Home: () => this.#turnTo(0),
      End: () => this.#turnTo(this.#last),
      "?": () => void this.#showMore(),
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
    this.#rejoin();
    this.step = step;
  }

  /** One step back or on, on the way that the reader is on. */
  #turn(by: -1 | 1): void {
    const branch = this.#branch;
    if (branch?.has(branch.at + by)) {
      this.#walk(branch, branch.at + by);
    } else if (by < 0 && branch) {
      this.#rejoin();
    } else if (!branch) {
      this.#turnTo(this.step + by);
    }
  }

  /** The reader says what comes next: show it, and whether that was right. */
  #guess(choice: HTMLElement): void {
    const guess = choice.closest<HTMLElement>(".rw-guess");
    const right = guess?.querySelector(`[data-choice="${guess.getAttribute("data-right")}"]`);
    this.#turn(1);
    this.#note(choice === right ? "guess-right" : "guess-wrong", {
      answer: right?.textContent ?? "",
    });
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

function isShown(part: HTMLElement): boolean {
  return getComputedStyle(part).display !== "none" && part.offsetParent !== null;
}

/** Whether two positions are the same; both come from the engine, which names things in one order. */
function alike(one: State, other: State | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
    requestIdleCallback(act, { timeout: 300 }); // it is another thread that has the work
  } else {
    setTimeout(act, 200); // Safari
  }
}
