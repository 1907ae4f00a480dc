/** The other ways on that a script has prepared, and the reader's way onto them and back. */

import { Branch } from "./branch";
import { reversed, waysOf } from "./travel";
import type { Walk } from "./walk";

export class Branches {
  readonly #walk: Walk;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Look at what would have come of it, if the button for it is pressed. */
  async take(button: HTMLElement): Promise<void> {
    const { markup, pace, place, stage, telling } = this.#walk;
    const { element, script } = markup;
    const buttons = element.querySelectorAll('.rw-ways [data-do="branch"]');
    const index = Array.from(buttons).indexOf(button);
    const told = script.branches[index];
    const fold = element.querySelectorAll(".rw-branch")[index];
    if (!told || !fold) {
      return;
    }
    pace.pause();
    const branch = new Branch(fold, told, markup.part(".rw-steps"));
    place.branch = branch;
    const isTold = await telling.retellBranch(branch);
    if (place.branch !== branch) {
      return; // the reader has gone elsewhere in the meantime
    }
    if (isTold) {
      this.#turnTo(branch, 0);
      stage.focus();
    } else {
      this.#walk.leave();
    }
  }

  /** One step back or on; back from the first is back to the story. */
  turn(branch: Branch, by: -1 | 1): void {
    if (branch.has(branch.at + by)) {
      this.#turnTo(branch, branch.at + by);
    } else if (by < 0) {
      this.rejoin();
    }
  }

  /** Back to the step of the story that the reader left it at. */
  rejoin(): void {
    const { branch } = this.#walk.place;
    if (branch) {
      const ways = branch.at === 0 ? reversed(waysOf(branch.shown)) : [];
      this.#walk.leave();
      this.#walk.arrive(this.#walk.current, ways);
    }
  }

  #turnTo(branch: Branch, at: number): void {
    const back = at < branch.at ? reversed(waysOf(branch.shown)) : null;
    branch.at = at;
    this.#walk.arrive(branch.shown, back ?? waysOf(branch.shown));
  }
}
