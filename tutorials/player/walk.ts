/**
 * One reader's walk through a walkthrough: where they are, how they get
 * elsewhere, and the address of that. What there is besides stepping through
 * the story has a module each: other ways on (`branches`), a game of one's own
 * (`your-turn`), other eyes and agreements (`telling`).
 *
 * It knows no rule and draws no table: what the reader does in a game of their
 * own goes to the engine, and the engine's markup is what is shown.
 */

import { Branches } from "./branches";
import { refresh } from "./controls";
import { CHANGED, freshId, same } from "./keep";
import { enlarge } from "./large";
import { decode, encode, type Link, short, write } from "./link";
import { Live, restart } from "./live";
import { Markup } from "./markup";
import { Moves } from "./moves";
import { savesData } from "./offline";
import { Pace } from "./pace";
import { Panels } from "./panels";
import { Place } from "./place";
import type { GameRecord, State, Viewer } from "./protocol";
import * as settings from "./settings";
import { Stage } from "./stage";
import { Story } from "./story";
import { Telling } from "./telling";
import { reversed, type Way, waysOf } from "./travel";
import { Voice } from "./voice";
import { YourTurn } from "./your-turn";

export class Walk {
  readonly markup: Markup;
  readonly story: Story;
  readonly place = new Place();
  readonly voice: Voice;
  readonly stage: Stage;
  readonly moves: Moves;
  readonly live: Live;
  readonly pace: Pace;
  readonly telling: Telling;
  readonly branches = new Branches(this);
  readonly turn = new YourTurn(this);
  readonly #panels = new Panels(this);
  /** Leaves the large view, while the walkthrough fills the screen. */
  #leaveLarge: (() => void) | null = null;
  /** The step is being set by a link, not by the reader. */
  #opening = false;
  /** What is more in a link than the step in sight, until the reader presses “Your turn”. */
  #linked: (() => Promise<void>) | null = null;

  constructor(element: HTMLElement) {
    this.markup = new Markup(element);
    this.story = new Story(element.querySelectorAll<HTMLElement>(".rw-step"));
    this.telling = new Telling(this);
    this.voice = new Voice(this.markup);
    this.moves = new Moves(this.markup);
    this.live = new Live(this.markup, this.story, this.voice, {
      changed: () => this.#panels.refresh(),
      lost: () => this.turn.giveUp(),
    });
    this.pace = new Pace(this, () => this.refresh());
    this.stage = new Stage(this.markup, this.place, this.voice, this.current, () => this.refresh());
    this.refresh();
  }

  /** Hear what concerns every walkthrough of the page, until the signal. */
  listen(signal: AbortSignal): void {
    this.live.listen(signal);
    document.addEventListener(CHANGED, () => this.refresh(), { signal });
    document.addEventListener(settings.CHANGED, () => this.pace.adjust(), { signal });
    signal.addEventListener("abort", () => {
      this.#leaveLarge?.();
      this.pace.pause();
    });
  }

  // Where the reader is

  /** The step in sight: 0 is the position before the first action. */
  get step(): number {
    const step = Math.trunc(Number(this.markup.element.getAttribute("step")));
    return Math.max(0, Math.min(this.last, step || 0));
  }

  set step(step: number) {
    this.markup.element.setAttribute("step", String(Math.max(0, Math.min(this.last, step))));
  }

  get last(): number {
    return this.telling.last;
  }

  /** The step of the story, whatever is in sight beside it. */
  get current(): HTMLElement {
    return this.story.steps[this.step] as HTMLElement;
  }

  get record(): GameRecord {
    const { branch, own } = this.place;
    return own?.current.played.record ?? this.telling.recordAt(this.step, branch?.done);
  }

  get state(): State {
    const { branch, own } = this.place;
    return own?.current.played.state ?? branch?.state ?? this.telling.stateAt(this.step);
  }

  get isLarge(): boolean {
    return this.#leaveLarge !== null;
  }

  // Its address

  /** The position in sight, as a link. */
  get link(): string {
    return write(short(this.markup.name), this.step, this.#line, this.telling.isAgreed);
  }

  /** The moves beside the story, as a link has them. */
  get #line(): string {
    return encode(this.place.done, this.markup.players);
  }

  /** Have the address lead to what is in sight. Back still leads to where the reader was before all that. */
  address(): void {
    try {
      this.#remember(this.link);
    } catch {
      // Some browsers allow this only so often; the next step makes up for it.
    }
  }

  /** Have whoever comes back to this page find the step as it is. */
  #remember(address?: string): void {
    const state = history.state as Record<string, unknown> | null;
    history.replaceState({ ...state, [this.markup.name]: this.step }, "", address);
  }

  /** Open a link to this walkthrough, as far as that goes, and say what does not. */
  open(link: Link): void {
    const { name, players } = this.markup;
    const step = /^\d{1,3}$/.test(link.step) ? Number(link.step) : Number.NaN;
    const isStep = step < this.story.steps.length;
    if (link.agreed !== this.telling.isAgreed && this.telling.hasAgreements) {
      this.turnQuietlyTo(isStep ? step : 0); // already something, until the engine tells it as agreed
      this.voice.note(null);
      const stays = this.place.stay();
      this.#whenAllowed(() => this.#openAgreed(link, stays));
      return;
    }
    const { actions, trouble } = decode(link.line, players);
    const [isThere, line] = [step === this.step && link.line === this.#line, isStep ? actions : []];
    if (isStep && trouble === null && isThere) {
      return;
    }
    this.turnQuietlyTo(isStep ? step : 0);
    this.voice.note(isStep ? trouble && `link-${trouble}` : "link-step");
    if (line.length > 0) {
      const kept = same(name, step, link.line);
      const undone = kept ? decode(kept.undone, players).actions : [];
      this.#whenAllowed(() => this.turn.resume(kept?.id ?? freshId(), step, line, undone));
    }
  }

  /** Do what a link wants of the engine; where data are to be saved, the reader is asked first. */
  #whenAllowed(act: () => Promise<void>): void {
    if (savesData() && this.live.state === "static") {
      this.#linked = act;
      this.voice.note("link-saves");
    } else {
      this.whenLive(act);
    }
  }

  /** Have the story told as a link has it, and open the link, unless the reader has stepped on in the meantime. */
  async #openAgreed(link: Link, stays: () => boolean): Promise<void> {
    await this.telling.retell(link.agreed);
    if (link.agreed === this.telling.isAgreed) {
      stays() ? this.open(link) : this.address();
    }
  }

  // From here to there

  /** Step by hand, which stops the steps from playing by themselves. */
  turnTo(step: number): void {
    this.pace.pause();
    this.branches.rejoin();
    this.step = step;
  }

  /** One step back or on, on the way that the reader is on. */
  #turn(by: -1 | 1): void {
    const { branch } = this.place;
    if (branch) {
      this.branches.turn(branch, by);
    } else {
      this.turnTo(this.step + by);
    }
  }

  /** The attribute `step` has changed: leave what was in sight, and show the step. */
  went(was: number): void {
    const { step } = this;
    this.leave();
    if (this.#opening) {
      return;
    }
    const ways =
      step === was + 1
        ? waysOf(this.current)
        : step === was - 1
          ? reversed(waysOf(this.stage.shown))
          : [];
    this.stage.show(this.current, ways);
    this.voice.note(null);
    if (!this.pace.isByItself) {
      this.voice.announce(this.current);
      this.address();
    }
  }

  /** Show a step of the story as it is, wherever the reader was: no card travels, no address changes. */
  turnQuietlyTo(step: number): void {
    this.pace.pause();
    this.leave();
    this.live.forget();
    this.#opening = true;
    this.step = step;
    this.#opening = false;
    this.stage.show(this.current, null);
    this.voice.announce(this.current);
  }

  /** Show a step that the reader has come to beside the story, or from there. */
  arrive(step: HTMLElement, ways: readonly Way[]): void {
    this.stage.present(step, ways);
    this.voice.note(null);
    this.address();
  }

  /** Leave the reader's own game, which is kept; what of it is in sight stays until something else is shown. */
  leave(): void {
    this.#linked = null;
    this.place.leave();
    this.moves.clear();
  }

  see(viewer: Viewer): void {
    this.pace.pause();
    void this.telling.see(viewer);
  }

  /** Do what needs the engine, once it is there. */
  whenLive(act: () => Promise<void>): void {
    this.pace.pause();
    this.live.when(act);
  }

  // What the reader does

  /** Do what a button is for, be it pressed itself or by its key. */
  press(name: string, button: HTMLElement): void {
    const { branches, pace, telling, turn } = this;
    const act: Record<string, () => void> = {
      restart: () => this.turnTo(0),
      back: () => this.#turn(-1),
      next: () => this.#turn(1),
      last: () => this.turnTo(this.last),
      play: () => {
        branches.rejoin();
        pace.isPlaying ? pace.pause() : pace.play();
      },
      branch: () => void branches.take(button),
      rejoin: () => branches.rejoin(),
      guess: () => this.#guess(button),
      agree: () => this.whenLive(() => telling.agree(!telling.isAgreed)),
      "take-over": () => this.#takeOver(),
      continue: () => turn.continue(),
      undo: () => void turn.turn(-1),
      redo: () => void turn.turn(1),
      story: () => turn.end(),
      share: () => void this.#panels.share(),
      more: () => void this.#panels.more(),
      large: () => this.#toggleLarge(),
      retry: restart,
      stop: () => {
        restart();
        this.voice.note("stopped");
      },
    };
    act[name]?.();
  }

  /** The reader wants their turn, or the rest of their link. */
  #takeOver(): void {
    const act = this.#linked;
    if (act) {
      this.#linked = null;
      this.voice.note(null);
    }
    this.whenLive(act ?? (() => this.turn.takeOver()));
  }

  /** The reader points at something that is no button: whoever stands at the board need not aim. */
  point(target: Element): void {
    if (this.isLarge && !this.place.own && target.closest(".rw-table")) {
      this.#turn(1);
    }
  }

  /** The reader follows a link away, and may come back. */
  depart(): void {
    this.#remember();
  }

  /** The reader says what comes next: show it, and whether that was right. */
  #guess(choice: HTMLElement): void {
    const guess = choice.closest<HTMLElement>(".rw-guess");
    const right = guess?.querySelector(`[data-choice="${guess.getAttribute("data-right")}"]`);
    this.#turn(1);
    this.voice.note(choice === right ? "guess-right" : "guess-wrong", {
      answer: right?.textContent ?? "",
    });
    this.voice.bringInSight();
  }

  /** Fill the screen with the walkthrough, or leave that. */
  #toggleLarge(): void {
    if (this.#leaveLarge) {
      this.#leaveLarge();
      return;
    }
    this.#panels.close();
    this.#leaveLarge = enlarge(this.markup.element, () => {
      this.#leaveLarge = null;
      this.refresh();
      this.markup.button("large").focus({ preventScroll: true });
    });
    this.refresh();
    this.stage.focus();
  }

  /** Bring all around the table up to date. */
  refresh(): void {
    refresh(this);
    this.#panels.refresh();
  }
}
