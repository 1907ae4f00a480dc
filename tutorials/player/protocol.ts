/**
 * What page and worker say to each other, and what of the wire (wire.md) the
 * player needs to know. Questions and answers are those of `rulewalk.host`;
 * they travel as JSON text, since Python reads and writes it anyway.
 */

export interface Action {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A record as wire.md has it. The player only ever adds actions to one. */
export interface GameRecord {
  readonly players: readonly string[];
  readonly actions?: readonly Action[];
  readonly agreements?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface State {
  readonly turn: string | null;
  readonly [field: string]: unknown;
}

/** A step of a walkthrough: an action done, or one attempted and refused. */
export type Move = { readonly action: Action } | { readonly attempt: Action };

/** Another way on from a step, and what comes of it. */
export interface Way {
  readonly step: number;
  readonly steps: readonly Move[];
  readonly states: readonly State[];
}

/** What a walkthrough's page says of it beside its HTML. */
export interface Script {
  readonly record: GameRecord;
  readonly steps: readonly Move[];
  readonly states: readonly State[];
  readonly branches: readonly Way[];
  /** Settings under which the story goes another way. */
  readonly agreements: Readonly<Record<string, unknown>>;
  /** Sentences that are not in the page from the start, by their keys. */
  readonly words: Readonly<Record<string, string>>;
}

/** Whose eyes the reader has: a player's; those of whoever has the turn (true); or nobody's, who sees all. */
export type Viewer = string | true | null;

interface ForReader {
  readonly language: string;
  readonly rulesBase: string;
  readonly viewer: Viewer;
}

/** The HTML of every step, to be held against the page's, or told in its place. */
export interface Replay extends ForReader {
  readonly do: "replay";
  readonly record: GameRecord;
  readonly steps: readonly Move[];
}

export interface Replayed {
  readonly steps: readonly string[];
  readonly states: readonly State[];
  /** Why an action or attempt was refused, for each that was. */
  readonly refused: readonly (string | null)[];
}

/** Actions after those of a record, up to the first refused: how does the table stand, and what may be done? */
export interface Play extends ForReader {
  readonly do: "play";
  readonly record: GameRecord;
  readonly actions: readonly Action[];
}

export interface Played {
  readonly step: string;
  readonly record: GameRecord;
  readonly state: State;
  readonly controls: string;
  readonly error: { readonly code: string; readonly rules: readonly string[] } | null;
}

/** The answer to either, where the record itself is no game. */
export interface Unreadable {
  readonly error: { readonly code: string; readonly message: string };
}

/** To the worker: a question for `rulewalk.host.handle`. */
export interface Asked {
  readonly id: number;
  readonly question: string;
}

/** To the worker: a question, or the wish that it begins, because there will be one. */
export type ToWorker = Asked | "begin";

/** From the worker: the answer, or why there is none. */
export type Answered =
  | { readonly id: number; readonly answer: string }
  | { readonly id: number; readonly failure: string };

/** How Python started: from a snapshot, whole with the compiled library, or as its makers ship it. */
export type Start = "snapshot" | "compiled" | "stock";

/** From the worker, unasked: how much has arrived of what it must fetch, from 0 to 1; then, how Python started. */
export type Told = { readonly progress: number } | { readonly started: Start };

export type FromWorker = Answered | Told;
