/**
 * How the reader likes walkthroughs: kept in this browser under one key, and
 * the same for all of them. Where the browser keeps nothing, a choice lasts as
 * long as the page.
 *
 * What the style sheets need to know stands on the page's root element, such
 * as `data-rw-suits="four"`.
 */

import { PATH } from "./caches";

const SPEEDS = { slow: 8000, normal: 4000, fast: 2000 } as const;

export interface Settings {
  /** How long a step stays in sight while the steps play by themselves. */
  readonly speed: keyof typeof SPEEDS;
  /** Whether keys step the walkthrough that has the focus. */
  readonly keys: boolean;
  /** Whether cards are seen to travel, where the system does not forbid it. */
  readonly motion: boolean;
  /** Whether each suit has a colour of its own. */
  readonly four: boolean;
  /** Whether walkthroughs ask what will happen. */
  readonly guesses: boolean;
}

/** Heard on the document when a setting has changed. */
export const CHANGED = "rulewalk:settings";

const KEY = `${PATH}.settings`;
const DEFAULTS: Settings = {
  speed: "normal",
  keys: true,
  motion: true,
  four: false,
  guesses: true,
};

let settings = read();

export function current(): Settings {
  return settings;
}

/** How long a step stays in sight, in milliseconds. */
export function interval(): number {
  return SPEEDS[settings.speed];
}

export function change(changed: Partial<Settings>): void {
  settings = { ...settings, ...changed };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Denied, or full: it holds for this page.
  }
  apply();
  document.dispatchEvent(new Event(CHANGED));
}

/** Have the page look as the reader likes it. */
export function apply(): void {
  const root = document.documentElement;
  root.setAttribute("data-rw-suits", settings.four ? "four" : "two");
  root.setAttribute("data-rw-guesses", settings.guesses ? "on" : "off");
}

/** Whatever is kept, take of it only what it may be. */
function read(): Settings {
  let kept: Record<string, unknown>;
  try {
    kept = Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    kept = {};
  }
  const known = Object.entries(DEFAULTS).map(([name, usual]) => {
    const value = kept[name];
    const isSpeed = typeof value === "string" && Object.hasOwn(SPEEDS, value);
    const fits = typeof usual === "boolean" ? typeof value === "boolean" : isSpeed;
    return [name, fits ? value : usual];
  });
  return Object.fromEntries(known) as Settings;
}
