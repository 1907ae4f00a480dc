// Leaves out of the style sheet what no page uses, most of it the theme's, and puts it on the pages.
//
//   node tools/purge.mjs PAGES NAME SHEET
//
// PAGES is the folder of the finished pages and scripts, NAME what the pages
// call the sheet until it has a hash, and SHEET the file of the whole one. What
// a page shows only later is named in the scripts, or in what the engine writes.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { PurgeCSS } from "purgecss";

const [pages, name, sheet] = process.argv.slice(2);

const files = (folder, suffix, recursive = false) =>
  readdirSync(folder, { recursive })
    .filter((name) => name.endsWith(suffix))
    .map((name) => join(folder, name));
const texts = files(pages, ".html", true).map((file) => [file, readFileSync(file, "utf8")]);

// Names of elements, classes and attributes; the same tags come over and over.
const tags = new Set(texts.flatMap(([, text]) => text.match(/<[a-z][^>]*>/gi)));
const code = [...files(join(pages, "assets"), ".js"), ...files("engine/rulewalk", ".py")];
const said = [...tags, ...code.map((file) => readFileSync(file, "utf8"))].join("\n");
const names = [...new Set(said.match(/[\w-]+/g))];

const [{ css }] = await new PurgeCSS().purge({
  content: [{ raw: names.join(" "), extension: "names" }],
  // The theme leaves the rings round what has the focus to a script, from the time before browsers knew.
  css: [
    {
      raw: readFileSync(sheet, "utf8").replaceAll(".focus-visible", ":focus-visible"),
    },
  ],
  defaultExtractor: (content) => content.split(" "),
  keyframes: true,
  variables: true,
});
const { code: purged } = await transform(css, { loader: "css", minify: true });
const hash = createHash("sha256").update(purged).digest("hex").slice(0, 8).toUpperCase();
const hashed = name.replace(/(?=\.css$)/, `-${hash}`);
for (const old of files(join(pages, "assets"), ".css")) {
  rmSync(old);
}
writeFileSync(join(pages, hashed), purged);

// Some pages may still have the name of the sheet before.
const named = new RegExp(name.replace(/\.css$/, "(-[0-9A-F]{8})?\\.css"), "g");
for (const [file, text] of texts) {
  const renamed = text.replace(named, hashed);
  if (renamed !== text) {
    writeFileSync(file, renamed);
  }
}
