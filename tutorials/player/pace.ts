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

  /** `changed` is called when they begin to play, and when they stop. */
  constructor(steps: Steps, changed: () => void) {
    [this.#steps, this.#changed] = [steps, changed];
  }

  get isPlaying(): boolean {
    return this.#timer !== 0;
  }

  /** Play on from the step in sight; from the last one, all over again. */
  play(): void {
    const steps = this.#steps;
    if (steps.step === steps.last) {
      steps.step = 0;
    }
    const tick = (): void => {
      steps.step += 1;
      if (steps.step === steps.last) {
        this.pause();
      }
    };
    this.#timer = window.setInterval(tick, settings.interval());
    this.#changed();
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#changed();
  }

  /** The reader likes it otherwise now: go on at the new speed. */
  adjust(): void {
    if (this.isPlaying) {
      this.pause();
      this.play();
    }
  }
}
