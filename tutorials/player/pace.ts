/** Steps that play by themselves, one after the other, at the reader's speed. */

import * as settings from "./settings";

/** What is played. */
interface Steps {
  step: number;
  readonly last: number;
}

export class Pace {
  readonly #steps: Steps;
  readonly #changed: () => void;
  #timer = 0;
  #isByItself = false;

  /** `changed` is called when they begin to play, and when they stop. */
  constructor(steps: Steps, changed: () => void) {
    [this.#steps, this.#changed] = [steps, changed];
  }

  get isPlaying(): boolean {
    return this.#timer !== 0;
  }

  /** Whether they play without having been asked to. */
  get isByItself(): boolean {
    return this.#isByItself;
  }

  /** Play on from the step in sight; from the last one, all over again. */
  play(): void {
    const steps = this.#steps;
    if (steps.step === steps.last) {
      steps.step = 0;
    }
    this.#start(settings.interval());
  }

  /** Play on to the last step, though nobody has asked for it. */
  playByItself(first: number, interval: number): void {
    this.#isByItself = true;
    this.#start(interval, first);
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isByItself = false;
    this.#changed();
  }

  /** The reader likes it otherwise now: go on at the new speed. */
  adjust(): void {
    if (this.isPlaying && !this.isByItself) {
      this.pause();
      this.play();
    }
  }

  #start(interval: number, first = interval): void {
    const tick = (): void => {
      this.#steps.step += 1;
      if (this.#steps.step === this.#steps.last) {
        this.pause();
      } else {
        this.#timer = window.setTimeout(tick, interval);
      }
    };
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(tick, first);
    this.#changed();
  }
}
