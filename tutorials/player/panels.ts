/** The panels of a walkthrough, each loaded when somebody first wants it. */

import type { More } from "./more";
import type { Sharing } from "./share";
import { titleOf } from "./story";
import type { Walk } from "./walk";

export class Panels {
  readonly #walk: Walk;
  /** The panel with the address of what is in sight, while it is open. */
  #sharing: Sharing | null = null;
  /** The panel with what is seldom wanted, while it is open. */
  #more: More | null = null;

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /** Show the address of what is in sight, and ways to pass it on; or put them away. */
  async share(): Promise<void> {
    const { markup, voice } = this.#walk;
    if (this.#sharing) {
      this.#sharing.close();
      return;
    }
    try {
      const { Sharing } = await import("./share");
      this.#sharing ??= new Sharing(markup, voice, () => {
        this.#sharing = null;
      });
      this.#sharing.show(this.#walk.link);
    } catch (error) {
      console.warn(error);
      voice.note("share-failed");
    }
  }

  /** Show what is seldom wanted, or put it away. */
  async more(): Promise<void> {
    const walk = this.#walk;
    if (this.#more) {
      this.#more.close();
      return;
    }
    try {
      const { More } = await import("./more");
      this.#more ??= new More(
        walk.markup,
        {
          titles: () => walk.story.steps.map(titleOf),
          step: () => walk.step,
          viewer: () => walk.telling.viewer,
          isLive: () => walk.live.state === "live",
          go: (step) => walk.turnTo(step),
          see: (viewer) => walk.see(viewer),
        },
        () => {
          this.#more = null;
        },
      );
    } catch (error) {
      console.warn(error);
      walk.voice.note("more-failed");
    }
  }

  /** Bring what is open up to date. */
  refresh(): void {
    this.#sharing?.show(this.#walk.link);
    this.#more?.refresh();
  }

  close(): void {
    this.#sharing?.close();
    this.#more?.close();
  }
}
