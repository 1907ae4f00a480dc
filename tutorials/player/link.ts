/**
 * The address of a position: `#walk=bf-6-1&step=2&line=1q0163`.
 *
 * It names a walkthrough, a step of its story and, where the reader has played
 * on from there, their moves. It speaks no language, so it opens on the page
 * in any. Whoever opens one has it from somebody else: nothing here trusts it,
 * and whether its moves are allowed is for the engine to say.
 */

import type { Action } from "./protocol";

/** A link as it was found. What it says of the step and the moves may be nonsense. */
export interface Link {
  readonly walk: string;
  readonly step: string;
  readonly line: string;
  /** Whether the story is to go as it does under the script's agreements. */
  readonly agreed: boolean;
}

/** The moves that could be read, and why not the others. */
export interface Line {
  readonly actions: readonly Action[];
  readonly trouble: "newer" | "broken" | null;
}

/** Read what stands behind the `#` of an address; null if it is no link to a position. */
export function read(hash: string): Link | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const walk = fields.get("walk");
  return walk === null
    ? null
    : {
        walk,
        step: fields.get("step") ?? "0",
        line: fields.get("line") ?? "",
        agreed: fields.has("agreed"),
      };
}

/** Write a link, `#` and all: as short as it can be. */
export function write(walk: string, step: number, line: string, agreed: boolean): string {
  const at = step > 0 ? `&step=${step}` : "";
  return `#walk=${walk}${at}${line && `&line=${line}`}${agreed ? "&agreed=1" : ""}`;
}

/** What a walkthrough is called in a link: `bf-6-1` of `backstab-fish/bf-6-1`. */
export function short(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

// The moves. The first character is the format's; then each move is a letter for its kind and one
// character for each thing it says. All are characters that an address may hold as they are.

const FORMAT = "1";
/** More moves than any game takes that somebody would send. */
const MOST = 2000;

const SEATS = "0123456789";
/** Ranks as the wire has them, and each in one character. */
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK"];
const RANK_LETTERS = "A23456789TJQKX";
const NOBODY = "-";

/** What each kind of move says, in the order written. */
const KINDS: ReadonlyMap<string, readonly [type: string, ...fields: string[]]> = new Map([
  ["q", ["request", "player", "target", "rank", "quantity"]],
  ["a", ["request", "player", "target", "rank"]],
  ["l", ["lay", "player", "rank"]],
  ["e", ["end-turn", "player"]],
  ["f", ["flip", "player"]],
  ["c", ["collect", "player"]],
  ["s", ["slap", "players"]],
  ["m", ["slap", "players", "lowest"]],
]);

/** Write moves for a link; players are named by their seats. Nothing where there are none. */
export function encode(actions: readonly Action[], players: readonly string[]): string {
  return actions.length > 0
    ? FORMAT + actions.map((action) => encodeOne(action, players)).join("")
    : "";
}

function encodeOne(action: Action, players: readonly string[]): string {
  const { type, ...said } = action;
  for (const [letter, [name, ...fields]] of KINDS) {
    const fits =
      fields.length === Object.keys(said).length && fields.every((field) => field in said);
    if (name === type && fits) {
      return letter + fields.map((field) => encodeField(field, said[field], players)).join("");
    }
  }
  throw new Error(`no letter for ${JSON.stringify(action)}`);
}

function encodeField(field: string, value: unknown, players: readonly string[]): string {
  const seat = (name: unknown): string => SEATS.charAt(players.indexOf(name as string));
  switch (field) {
    case "rank":
      return RANK_LETTERS.charAt(RANKS.indexOf(value as string));
    case "quantity":
      return (value as number).toString(36);
    case "players":
      return (value as unknown[]).length + (value as unknown[]).map(seat).join("");
    default:
      return value === null ? NOBODY : seat(value);
  }
}

/** Read moves from a link, as far as they can be read. */
export function decode(line: string, players: readonly string[]): Line {
  const actions: Action[] = [];
  const [format = "", ...letters] = line.slice(0, 1 + MOST * (4 + SEATS.length));
  if (line !== "" && format !== FORMAT) {
    return { actions, trouble: /[2-9a-z]/i.test(format) ? "newer" : "broken" };
  }
  const next = (): string => letters.shift() ?? "";
  while (letters.length > 0) {
    const action = decodeOne(next, players);
    if (!action || actions.length === MOST) {
      return { actions, trouble: "broken" };
    }
    actions.push(action);
  }
  return { actions, trouble: null };
}

function decodeOne(next: () => string, players: readonly string[]): Action | null {
  const [type, ...fields] = KINDS.get(next()) ?? [];
  if (type === undefined) {
    return null;
  }
  const said = fields.map((field) => [field, decodeField(field, next, players)] as const);
  return said.some(([, value]) => value === undefined)
    ? null
    : { type, ...Object.fromEntries(said) };
}

/** Undefined where it cannot be read. */
function decodeField(field: string, next: () => string, players: readonly string[]): unknown {
  const seat = (letter: string): string | undefined => players[place(SEATS, letter)];
  switch (field) {
    case "rank":
      return RANKS[place(RANK_LETTERS, next())];
    case "quantity": {
      const letter = next();
      return /^[1-9a-z]$/.test(letter) ? Number.parseInt(letter, 36) : undefined;
    }
    case "players": {
      const named = Array.from({ length: place(SEATS, next()) || 0 }, () => seat(next()));
      return named.length === 0 || named.includes(undefined) ? undefined : named;
    }
    default: {
      const letter = next();
      return field === "lowest" && letter === NOBODY ? null : seat(letter);
    }
  }
}

/** Where a letter stands, if it does; what is missing stands nowhere. */
function place(letters: string, letter: string): number {
  return letter === "" ? -1 : letters.indexOf(letter);
}
