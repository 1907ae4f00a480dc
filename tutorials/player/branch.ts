/**
 * Another way on from a step of a story, prepared by its script: “What if …?”
 *
 * The page holds it as a fold after the step. While the reader is on it, its
 * steps stand beside those of the story, and the fold stays for paper.
 */

import type { Action, Move, State, Way } from "./protocol";
import { Story } from "./story";

export class Branch {
  readonly title: string;
  /** The step that it leaves from. */
  readonly from: number;
  readonly moves: readonly Move[];
  readonly story: Story;
  readonly #states: readonly State[];
  /** Where on it the reader is. */
  at = 0;

  /** Take the fold's steps into the list that the story's stand in. */
  constructor(fold: Element, { step, steps, states }: Way, list: Element) {
    this.title = fold.querySelector("summary")?.textContent ?? "";
    [this.from, this.moves, this.#states] = [step, steps, states];
    const copies = Array.from(fold.querySelectorAll(".rw-side"), (side) => {
      const copy = document.createElement("li");
      copy.className = "rw-step rw-step--own";
      copy.innerHTML = side.innerHTML;
      return copy;
    });
    list.append(...copies);
    this.story = new Story(copies);
  }

  get shown(): HTMLElement {
    return this.story.steps[this.at] as HTMLElement;
  }

  get state(): State {
    return this.#states[this.at] as State;
  }

  /** What has been done on it so far. */
  get done(): readonly Action[] {
    return actionsOf(this.moves.slice(0, this.at + 1));
  }

  has(at: number): boolean {
    return at >= 0 && at < this.moves.length;
  }
}

/** What is done in the course of moves; what is attempted and refused is not. */
export function actionsOf(moves: readonly Move[]): readonly Action[] {
  return moves.flatMap((move) => ("action" in move ? [move.action] : []));
}
