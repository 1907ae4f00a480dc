/**
 * The readers' own games, kept in this browser while they look around and
 * until they come back. They never leave it.
 *
 * Under one key lie the newest of them, as the moves that a link has. Where the
 * browser keeps nothing, or has no room left, they last as long as the page.
 */

import { PATH } from "./caches";

/** A game of the reader's own: where it left a walkthrough's story, and its moves (link.ts). */
export interface Game {
  /** When it was begun, which tells it from all others. */
  readonly id: number;
  /** When its last move was made. */
  readonly when: number;
  /** The walkthrough's name, such as `backstab-fish/bf-6-1`. */
  readonly name: string;
  readonly step: number;
  readonly line: string;
  /** Moves taken back that can be done again; the next one first. */
  readonly undone: string;
  /** Whether it is played under the script's agreements. */
  readonly agreed?: boolean;
}

/** What became of a game that was to be kept: no place for it, or one that held something unreadable. */
export type Trouble = "denied" | "unreadable" | null;

/** Heard on the document when what is kept has changed. */
export const CHANGED = "rulewalk:kept";

const VERSION = 1;
const MOST = 50;

const KEY = `${PATH}.games`;

/** What the browser did not take. */
let unsaved: readonly Game[] = [];

interface Found {
  readonly games: readonly Game[];
  readonly trouble: Trouble;
}

/** All games kept, the newest first. */
export function stored(): readonly Game[] {
  return merged(unsaved, find().games);
}

/** The game to go on with at a step of a walkthrough: one begun there, or else the newest. */
export function newest(name: string, step: number): Game | undefined {
  const games = stored().filter((game) => game.name === name);
  return games.find((game) => game.step === step) ?? games[0];
}

/** The game, if it is kept, that stands at a position. */
export function same(name: string, step: number, line: string): Game | undefined {
  return stored().find((game) => game.name === name && game.step === step && game.line === line);
}

/** Keep a game, in the place of what was kept of it before. */
export function keep(game: Game): Trouble {
  const { games, trouble } = find();
  const all = merged([game], merged(unsaved, games)).slice(0, MOST);
  const failed = trouble === "denied" || !save(all);
  unsaved = failed ? merged([game], unsaved).slice(0, MOST) : [];
  document.dispatchEvent(new Event(CHANGED));
  return failed ? "denied" : trouble;
}

/** Forget one game, or all of them. False where the browser does not let go of them. */
export function erase(one?: Game): boolean {
  const left = (games: readonly Game[]) => games.filter(({ id }) => one && id !== one.id);
  unsaved = left(unsaved);
  const games = left(find().games);
  let done = true;
  try {
    if (games.length > 0) {
      done = save(games);
    } else {
      localStorage.removeItem(KEY);
    }
  } catch {
    done = false;
  }
  document.dispatchEvent(new Event(CHANGED));
  return done;
}

/** Read what the browser has. What a newer version has written is not to be overwritten. */
function find(): Found {
  let text: string | null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    return { games: [], trouble: "denied" };
  }
  if (text === null) {
    return { games: [], trouble: null };
  }
  try {
    const { version, games } = JSON.parse(text) as { version: unknown; games: unknown };
    if (typeof version === "number" && version > VERSION) {
      return { games: [], trouble: "denied" };
    }
    if (version === VERSION && Array.isArray(games)) {
      return { games: games.filter(isGame), trouble: games.every(isGame) ? null : "unreadable" };
    }
  } catch {
    // Not even JSON.
  }
  return { games: [], trouble: "unreadable" };
}

function save(games: readonly Game[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, games }));
    return true;
  } catch {
    return false; // denied, or full
  }
}

/** One list of two; of a game in both, the first one's. */
function merged(first: readonly Game[], second: readonly Game[]): readonly Game[] {
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))].sort((a, b) => b.when - a.when);
}

function isGame(value: unknown): value is Game {
  const game = (value ?? {}) as Record<keyof Game, unknown>;
  return (
    [game.id, game.when, game.step].every(Number.isSafeInteger) &&
    [game.name, game.line, game.undone].every((each) => typeof each === "string")
  );
}
