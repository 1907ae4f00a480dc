// Bundles the reader's side: one style sheet, the shell's script, the player and its worker.
//
//   node tools/bundle.mjs OUT MANIFEST RUNTIME THEME
//
// OUT is the site's assets folder. MANIFEST names, by paths from the site's
// root, what every page includes. Names carry a hash of what is inside, so that
// a browser may keep them for good; the style sheet, which begins with those of
// THEME, gets its own when it is known what of it is used (purge.mjs). Scripts
// learn by constants such as WORKER_FILE what those are called that they load
// later, and the worker what RUNTIME says of the runtime's files.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";
import subsetFont from "subset-font";

const [out, manifest, runtime, theme] = process.argv.slice(2);
const player = "tutorials/player";

async function bundle(options) {
  const { metafile } = await build({
    bundle: true,
    minify: true,
    sourcemap: false,
    metafile: true,
    format: "esm",
    target: ["es2022", "safari16.4"],
    outdir: out,
    entryNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file" },
    plugins: [{ name: "letters", setup: subset }],
    logLevel: "warning",
    ...options,
  });
  const [[made, { imports }]] = Object.entries(metafile.outputs).filter(
    ([, output]) => output.entryPoint,
  );
  // The other parts of itself that it asks for before it runs.
  const needed = imports.filter(({ kind, external }) => kind === "import-statement" && !external);
  return [made, needed.map(({ path }) => path)];
}

// What English, Spanish and Portuguese are written with, and the names of most of their neighbours' people.
// Any other letter comes from the reader's system.
const LETTERS = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}“”‘’–—…−×•→←↑↓Œœ`;
/** The lightest and the boldest that the style sheets ask for. */
const WEIGHTS = { min: 400, max: 700 };

function range(first, last) {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

/** Fonts as far as we need them, which is half. */
function subset({ onLoad }) {
  onLoad({ filter: /\.woff2$/ }, async ({ path }) => ({
    contents: await subsetFont(readFileSync(path), LETTERS, {
      targetFormat: "woff2",
      variationAxes: { wght: WEIGHTS },
    }),
    loader: "file",
  }));
}

const sheets = [
  ...["main", "palette"].map((name) =>
    join(
      theme,
      readdirSync(theme).find((file) => file.startsWith(`${name}.`) && file.endsWith(".css")),
    ),
  ),
  "./docs/assets/site.css",
  ...["table", "player", "branches", "panel", "large", "embed"].map(
    (name) => `./${player}/${name}.css`,
  ),
];
const [style] = await bundle({
  stdin: {
    contents: sheets.map((sheet) => `@import ${JSON.stringify(sheet)};`).join("\n"),
    resolveDir: ".",
    loader: "css",
  },
  entryNames: "site",
});

const [lost] = await bundle({ entryPoints: ["docs/assets/lost.ts"], format: "iife" });
const [embed] = await bundle({ entryPoints: [`${player}/embed.ts`], format: "iife" });
const [worker] = await bundle({
  entryPoints: [`${player}/worker.ts`],
  define: { RUNTIME: readFileSync(runtime, "utf8") },
  external: ["node:*"],
});
await bundle({
  entryPoints: [`${player}/service-worker.ts`],
  // Not a module, which some browsers do not take here; it serves from the root what lies in assets/.
  format: "iife",
  define: { RUNTIME: readFileSync(runtime, "utf8"), "import.meta.url": "ASSETS" },
  banner: { js: 'const ASSETS=new URL("assets/_",registration.scope).href;' },
  outdir: dirname(manifest),
  entryNames: "[name]",
});
const [early] = await bundle({
  entryPoints: [`${player}/early.ts`],
  format: "iife",
  define: { WORKER_FILE: JSON.stringify(basename(worker)) },
});
// One file that pages ask for before the rest of the player, which then finds it there.
const [engine] = await bundle({
  entryPoints: [`${player}/engine.ts`],
  define: { WORKER_FILE: JSON.stringify(basename(worker)) },
});
function takeEngine({ onResolve }) {
  onResolve({ filter: /^\.\/engine$/ }, () => ({ path: `./${basename(engine)}`, external: true }));
}
const [script, modules] = await bundle({
  entryPoints: [`${player}/player.ts`],
  splitting: true,
  chunkNames: "[name]-[hash]",
  plugins: [{ name: "engine", setup: takeEngine }],
});

const [file] = await bundle({
  entryPoints: [`${player}/file.ts`],
  format: "iife",
  define: { WORKER_FILE: JSON.stringify(basename(worker)), "import.meta.url": "FILE" },
  banner: { js: "const FILE=document.currentScript.src;" },
});
const [results] = await bundle({ entryPoints: ["docs/assets/results.ts"] });
const [shell] = await bundle({
  entryPoints: ["docs/assets/shell.ts"],
  format: "iife",
  define: {
    PLAYER_FILE: JSON.stringify(basename(file)),
    RESULTS_FILE: JSON.stringify(`./${basename(results)}`),
  },
  external: ["./results-*.js"],
});

const font = join(
  out,
  readdirSync(out).find((file) => file.endsWith(".woff2")),
);
const fromRoot = (path) => join("assets", relative(out, path));
const included = Object.entries({ style, shell, script, early, engine, embed, lost, font });
const named = Object.fromEntries(included.map(([name, path]) => [name, fromRoot(path)]));
writeFileSync(manifest, JSON.stringify({ ...named, modules: [script, ...modules].map(fromRoot) }));
