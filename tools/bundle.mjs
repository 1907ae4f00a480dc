// Bundles the reader's side: one style sheet, the shell's script, the player and its worker.
//
//   node tools/bundle.mjs OUT MANIFEST RUNTIME
//
// OUT is the site's assets folder. MANIFEST names, by paths from the site's
// root, what every page includes. Names carry a hash of what is inside, so that
// a browser may keep them for good. The player learns its worker's name by the
// constant WORKER_FILE, and the worker what RUNTIME says of the runtime's files
// by the constant of that name.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";

const [out, manifest, runtime] = process.argv.slice(2);
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
    logLevel: "warning",
    ...options,
  });
  const made = Object.entries(metafile.outputs).filter(([, output]) => output.entryPoint);
  const byEntry = Object.fromEntries(made.map(([path, output]) => [output.entryPoint, path]));
  return options.entryPoints?.map((entry) => byEntry[entry]) ?? [made[0][0]];
}

const sheets = [
  "docs/assets/site.css",
  ...["table", "player", "branches", "panel", "large", "embed"].map(
    (name) => `${player}/${name}.css`,
  ),
];
const [style] = await bundle({
  stdin: {
    contents: sheets.map((sheet) => `@import "./${sheet}";`).join("\n"),
    resolveDir: ".",
    loader: "css",
  },
  entryNames: "site-[hash]",
});

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
const [script, early] = await bundle({
  entryPoints: [`${player}/player.ts`, `${player}/early.ts`],
  splitting: true,
  chunkNames: "[name]-[hash]",
  define: { WORKER_FILE: JSON.stringify(basename(worker)) },
});

const [file] = await bundle({
  entryPoints: [`${player}/file.ts`],
  format: "iife",
  define: { WORKER_FILE: JSON.stringify(basename(worker)), "import.meta.url": "FILE" },
  banner: { js: "const FILE=document.currentScript.src;" },
});
const [shell] = await bundle({
  entryPoints: ["docs/assets/shell.ts"],
  format: "iife",
  define: { PLAYER_FILE: JSON.stringify(basename(file)) },
});

const included = Object.entries({ style, shell, script, early, embed });
const fromRoot = included.map(([name, path]) => [name, join("assets", relative(out, path))]);
writeFileSync(manifest, JSON.stringify(Object.fromEntries(fromRoot)));
