/**
 * How the story is told: to whose eyes, and under which agreements. As the page
 * has it, open to all and as agreed at its table, needs no engine; any other
 * way is told by it.
 */

import { actionsOf, type Branch } from "./branch";
import type { Action, GameRecord, Move, Replayed, Script, State, Viewer } from "./protocol";
import type { Walk } from "./walk";

export class Telling {
  readonly #walk: Walk;
  readonly #script: Script;
  /** Whose eyes the reader has, in the story and in a game of their own. */
  viewer: Viewer = null;
  /** The story as it goes under the script's agreements, while the reader has them on. */
  #agreed: Replayed | null = null;

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#script = walk.markup.script;
  }

  get isAgreed(): boolean {
    return this.#agreed !== null;
  }

  /** Whether there is anything to agree upon. */
  get hasAgreements(): boolean {
    return Object.keys(this.#script.agreements).length > 0;
  }

  /** The last step of the story; under an agreement, it may be one that is refused. */
  get last(): number {
    const { steps } = this.#script;
    const refused = this.#agreed?.refused ?? [];
    const end = steps.findIndex((move, i) => "action" in move && refused[i + 1]);
    return end < 0 ? steps.length : end + 1;
  }

  /** The position at a step of the story. */
  stateAt(step: number): State {
    return (this.#agreed ?? this.#script).states[step] as State;
  }

  /** The record at a step of the story, or after some actions more. */
  recordAt(step: number, more: readonly Action[] = []): GameRecord {
    const moves = this.#script.steps.slice(0, step);
    const done = this.#agreed
      ? moves
          .filter((_, index) => this.#agreed?.refused[index + 1] === null)
          .map((move) => ("action" in move ? move.action : move.attempt))
      : actionsOf(moves);
    return { ...this.#start(this.isAgreed), actions: [...done, ...more] };
  }

  /** See the story, and the reader's own game, with other eyes. */
  async see(viewer: Viewer): Promise<void> {
    const before = this.viewer;
    this.viewer = viewer;
    if (!(await this.retell(this.isAgreed)) && this.viewer === viewer) {
      this.viewer = before;
      this.#walk.refresh();
    }
  }

  /** Have the story go as it would under the script's agreements, and show where that is another way. */
  async agree(on: boolean): Promise<void> {
    const { place, stage, step, story, voice } = this.#walk;
    const { own, branch } = place;
    if (own || branch) {
      this.#walk.turnQuietlyTo(step);
    }
    voice.note(null);
    const stays = place.stay();
    if (!(await this.retell(on, false))) {
      return;
    }
    const parting = story.steps.findIndex((each) => each.querySelector(".rw-parting"));
    if (parting >= 0 && parting !== step && stays()) {
      this.#walk.step = parting; // and hear of it
    } else {
      voice.announce(stage.shown);
    }
    if (own) {
      stage.bringInSight(); // its moves are gone, and what stood below them has come up
    }
    this.#walk.address();
  }

  /**
   * Tell the story as agreed, or as it is written, to the reader's eyes, and aloud unless what is in sight is not yet
   * what will be; false if that is not to be had.
   */
  async retell(agreed: boolean, aloud = true): Promise<boolean> {
    const { markup, place, stage, story, turn, voice } = this.#walk;
    const { viewer } = this;
    const { own, branch } = place;
    const isOther = viewer !== null || agreed;
    const told = isOther ? await this.#replay(this.#script.steps, agreed) : null;
    if ((isOther && !told) || (branch && !(await this.retellBranch(branch)))) {
      return false;
    }
    if (this.viewer !== viewer) {
      return false; // the reader has chosen otherwise in the meantime
    }
    this.#agreed = agreed ? told : null;
    story.tell(told?.steps ?? null);
    markup.element.classList.toggle("rw-agreed", agreed);
    const { parting = "" } = markup.words;
    story.part(agreed && told ? this.#parting(told) : -1, parting);
    if (own && own === place.own) {
      await turn.lookAgain(own);
    } else {
      stage.show(stage.shown, []);
      if (aloud) {
        voice.announce(stage.shown);
      }
    }
    return true;
  }

  /** Tell another way on to the reader's eyes, as written, whatever is agreed; false if that is not to be had. */
  async retellBranch({ from, moves, story }: Branch): Promise<boolean> {
    const before = this.#script.steps.slice(0, from);
    const isOther = this.viewer !== null;
    const told = isOther ? await this.#replay([...before, ...moves], false) : null;
    if (isOther && !told) {
      return false;
    }
    story.tell(told?.steps.slice(-moves.length) ?? null);
    return true;
  }

  #replay(steps: readonly Move[], agreed: boolean): Promise<Replayed | null> {
    const record = this.#start(agreed);
    return this.#walk.live.ask({ do: "replay", record, steps, viewer: this.viewer });
  }

  /** The record before the first action, with the script's agreements or without. */
  #start(agreed: boolean): GameRecord {
    const { record, agreements } = this.#script;
    return agreed ? { ...record, agreements: { ...record.agreements, ...agreements } } : record;
  }

  /** The first step at which the story is not what it is on the page. */
  #parting(told: Replayed): number {
    const { states, steps } = this.#script;
    return states.findIndex((state, index) => {
      const move = steps[index - 1];
      const refused = move !== undefined && "attempt" in move;
      return !alike(state, told.states[index]) || refused !== !!told.refused[index];
    });
  }
}

/** Whether two positions are the same; both come from the engine, which names things in one order. */
function alike(one: State, other: State | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
