/**
 * What the theme's pages must know before they are drawn: how to remember
 * something, and whether this reader chose light or dark.
 *
 * The theme writes this as scripts inside each page, which a strict
 * Content-Security-Policy forbids, so it stands here, under the names that the
 * theme's own script calls. It is loaded just before the palette's buttons.
 */

import { languages } from "./language";

type Remember = (key: string, value: unknown, storage?: Storage, scope?: URL) => void;
type Recall = (key: string, storage?: Storage, scope?: URL) => unknown;

declare global {
  var __md_scope: URL;
  var __md_hash: (text: string) => number;
  var __md_get: Recall;
  var __md_set: Remember;
}

interface Palette {
  readonly color: Record<"media" | "scheme" | "primary" | "accent", string>;
}

/** The player as a plain script, beside this one; its name has a hash that only the bundler knows. */
declare const PLAYER_FILE: string;

const SYSTEM = "(prefers-color-scheme)";

// Several sites may share a host, so what is remembered is filed under this one's path.
globalThis.__md_scope = new URL(
  document.currentScript?.getAttribute("data-scope") ?? ".",
  location.href,
);

globalThis.__md_hash = (text) =>
  Array.from(text).reduce((sum, letter) => ((sum << 5) - sum + letter.charCodeAt(0)) | 0, 0);

// Storage may be denied altogether; then nothing is remembered, and nothing else is lost.
globalThis.__md_get = (key, storage, scope = __md_scope) => {
  try {
    return JSON.parse((storage ?? localStorage).getItem(`${scope.pathname}.${key}`) ?? "null");
  } catch {
    return null;
  }
};

globalThis.__md_set = (key, value, storage, scope = __md_scope) => {
  try {
    (storage ?? localStorage).setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // Not remembered.
  }
};

const chosen = __md_get("__palette") as Palette | null;
if (chosen?.color) {
  let { color } = chosen;
  if (color.media === SYSTEM) {
    const scheme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    const button = document.querySelector(
      `[data-md-color-media="${SYSTEM.slice(0, -1)}: ${scheme})"]`,
    );
    color = { ...color, scheme: button?.getAttribute("data-md-color-scheme") ?? color.scheme };
  }
  for (const [name, value] of Object.entries(color)) {
    document.body.setAttribute(`data-md-color-${name}`, value);
  }
}

languages();

// A page that was opened from a disk may load no modules; see tutorials/player/file.ts.
if (location.protocol === "file:") {
  const player = document.createElement("script");
  player.src = new URL(PLAYER_FILE, (document.currentScript as HTMLScriptElement).src).href;
  document.addEventListener("DOMContentLoaded", () => document.head.append(player));
}
