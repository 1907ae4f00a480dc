/**
 * The reader's own game: a record that the story gave, the moves made since,
 * and how many of them stand at the moment; the others can be done again.
 */

import type { Action, GameRecord, Played } from "./protocol";

/** A position of the game, and what is in sight there. */
export interface Position {
  readonly shown: HTMLElement;
  readonly played: Played;
}

export class Own {
  /** By which it is kept (keep.ts). */
  readonly id: number;
  /** The step of the story that it began at. */
  readonly step: number;
  readonly #start: GameRecord;
  #moves: Action[];
  #at: number;
  /** By the number of moves made. Those that nobody has looked at yet are missing. */
  readonly #positions = new Map<number, Position>();

  constructor(id: number, step: number, start: GameRecord, moves: readonly Action[], at: number) {
    this.id = id;
    this.step = step;
    this.#start = start;
    this.#moves = [...moves];
    this.#at = at;
  }

  /** How many moves stand. */
  get at(): number {
    return this.#at;
  }

  get done(): readonly Action[] {
    return this.#moves.slice(0, this.#at);
  }

  get undone(): readonly Action[] {
    return this.#moves.slice(this.#at);
  }

  get current(): Position {
    return this.#positions.get(this.#at) as Position;
  }

  /** What is in sight, or was, at any of its positions. */
  get shown(): readonly HTMLElement[] {
    return Array.from(this.#positions.values(), ({ shown }) => shown);
  }

  has(at: number): boolean {
    return at >= 0 && at <= this.#moves.length;
  }

  position(at: number): Position | undefined {
    return this.#positions.get(at);
  }

  /** Look at every position anew: they are to be seen otherwise. */
  forget(): void {
    this.#positions.clear();
  }

  /** What to ask the engine for a position: the record before its last move, and that move. */
  question(at: number): { record: GameRecord; actions: readonly Action[] } {
    const told = this.#start.actions ?? [];
    return {
      record: { ...this.#start, actions: [...told, ...this.#moves.slice(0, Math.max(0, at - 1))] },
      actions: this.#moves.slice(Math.max(0, at - 1), at),
    };
  }

  /** Stand after so many moves. */
  turnTo(at: number, position: Position): void {
    this.#at = at;
    this.#positions.set(at, position);
  }

  /** Make a move, in the place of those taken back. */
  play(action: Action, position: Position): void {
    this.#moves = [...this.done, action];
    for (const at of this.#positions.keys()) {
      if (at > this.#at) {
        this.#positions.delete(at);
      }
    }
    this.turnTo(this.#at + 1, position);
  }
}
