/**
 * What every page has around its text: light or dark, languages, where one is,
 * the search. Loaded in the header, below the buttons for light and dark, so
 * that no page flashes light first.
 */

import { guide } from "./guide";
import { answerLost, languages } from "./language";
import { ROOT } from "./remember";
import { schemes } from "./scheme";
import { search } from "./search";

/** The player as a plain script, beside this one; its name has a hash that only the bundler knows. */
declare const PLAYER_FILE: string;

document.documentElement.classList.replace("no-js", "js");
schemes();
languages();
whenParsed(() => {
  answerLost();
  guide();
  search();
  // A page that was opened from a disk may load no modules; see tutorials/player/file.ts.
  if (location.protocol === "file:") {
    const player = document.createElement("script");
    player.src = new URL(`assets/${PLAYER_FILE}`, ROOT).href;
    document.head.append(player);
  }
});

/** Now, if it has come late (`lost.ts`). */
function whenParsed(act: () => void): void {
  if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", act);
  } else {
    act();
  }
}
