/** Where the reader is: in the story, on another way on, or in a game of their own. */

import type { Branch } from "./branch";
import type { Own } from "./own";
import type { Action } from "./protocol";

export class Place {
  /** Another way on that the reader looks at: a “what if …?”. */
  branch: Branch | null = null;
  /** The reader's own game. */
  own: Own | null = null;
  #stays = 0;

  /** The moves made beside the story. */
  get done(): readonly Action[] {
    return this.own?.done ?? this.branch?.done ?? [];
  }

  /** The steps beside the story that can be returned to. */
  get shown(): readonly HTMLElement[] {
    return [...(this.own?.shown ?? []), ...(this.branch?.story.steps ?? [])];
  }

  /** Be in the story again. */
  leave(): void {
    this.#stays += 1;
    this.own = null;
    this.branch = null;
  }

  /** A way to ask later whether the reader has left meanwhile: what was asked for at one place is not done at another. */
  stay(): () => boolean {
    const stay = this.#stays;
    return () => this.#stays === stay;
  }
}
