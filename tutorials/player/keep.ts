/**
 * The readers' own games, kept in this browser while they look around and
 * until they come back. They never leave it.
 *
 * Each lies under a key of its own, as the moves that a link has: so however
 * many tabs keep games at once, none of them writes over another's. Where the
 * browser keeps nothing, or has no room left, they last as long as the page.
 */

import { PATH } from "./caches";

/** A game of the reader's own: where it left a walkthrough's story, and its moves (link.ts). */
export interface Game {
  /** Tells it from all others. */
  readonly id: number;
  /** When its last move was made; later than that of any game kept before, whatever has become of the clock. */
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

const KEY = `${PATH}.game.`;

/** What the browser did not take. */
let unsaved: readonly Game[] = [];

interface Found {
  readonly games: readonly Game[];
  /** The keys of what cannot be read. */
  readonly unreadable: readonly string[];
}

/** An id for a game that begins, which no other has: not even one that begins in another tab at the same time. */
export function freshId(): number {
  return Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
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
export function keep(kept: Omit<Game, "when">): Trouble {
  const { games, unreadable } = find();
  const before = merged(unsaved, games);
  const game = { ...kept, when: Math.max(Date.now(), (before[0]?.when ?? 0) + 1) };
  unsaved = merged([game], unsaved).filter((each) => !save(each));
  const isKept = unsaved.length === 0;
  if (isKept) {
    const oldest = merged([game], before).slice(MOST);
    for (const key of [...unreadable, ...oldest.map(({ id }) => KEY + id)]) {
      localStorage.removeItem(key);
    }
  }
  document.dispatchEvent(new Event(CHANGED));
  return isKept ? (unreadable.length > 0 ? "unreadable" : null) : "denied";
}

/** Forget all games. False where the browser does not let go of them. */
export function erase(): boolean {
  unsaved = [];
  let done = true;
  try {
    for (const key of keys()) {
      localStorage.removeItem(key);
    }
  } catch {
    done = false;
  }
  document.dispatchEvent(new Event(CHANGED));
  return done;
}

/** Read what the browser has. What a newer version has written is not for this one. */
function find(): Found {
  const games: Game[] = [];
  const unreadable: string[] = [];
  try {
    for (const key of keys()) {
      const { version, ...game } = read(localStorage.getItem(key) ?? "");
      if (version === VERSION && isGame(game)) {
        games.push(game);
      } else if (!(typeof version === "number" && version > VERSION)) {
        unreadable.push(key);
      }
    }
  } catch {
    // Denied.
  }
  return { games: merged([], games), unreadable };
}

function keys(): readonly string[] {
  return Object.keys(localStorage).filter((key) => key.startsWith(KEY));
}

function read(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {}; // not even JSON
  }
}

function save(game: Game): boolean {
  try {
    localStorage.setItem(KEY + game.id, JSON.stringify({ version: VERSION, ...game }));
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
