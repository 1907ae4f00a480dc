/**
 * The player on a page that was opened from a disk, without a server. Browsers
 * load no modules, no worker and nothing else by themselves there, so this is
 * one plain script (see docs/assets/shell.ts), and the engine is not to be had.
 * Reading, stepping and links are.
 */

import "./player";

// No server leads from a folder to the page in it.
for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href]")) {
  if (link.protocol === "file:" && link.pathname.endsWith("/")) {
    link.pathname += "index.html";
  }
}

// What is searched would have to be fetched.
for (const search of document.querySelectorAll(".md-search, [for=__search]")) {
  search.remove();
}
