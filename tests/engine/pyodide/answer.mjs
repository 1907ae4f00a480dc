// Answers questions to the engine as a reader's worker does, by the runtime that a site has for it:
//
//     node answer.mjs SITE
//
// One question a line, one answer a line; `null` for what is no question.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";

const runtime = join(process.argv[2], "assets/runtime");
const paths = readdirSync(runtime, { recursive: true });
const part = (ending) => join(runtime, paths.find((path) => path.endsWith(ending)));

const { Snapshot } = await readersOwn("snapshot.ts");
const snapshot = new Snapshot();
const { instantiate } = WebAssembly;
const whole = readFileSync(new URL(import.meta.resolve("pyodide/pyodide.asm.wasm")));
WebAssembly.instantiate = async (source, imports) => {
  if (source.byteLength !== whole.length) {
    return instantiate(source, imports);
  }
  const made = await instantiate(readFileSync(part("/python.wasm")), imports);
  snapshot.have(new Uint32Array(readFileSync(part("/python.snapshot")).buffer), made.instance.exports.memory);
  return made;
};

const { default: createPyodideModule } = await import(part("/python.mjs"));
const python = await loadPyodide({ createPyodideModule, _loadSnapshot: snapshot.forPyodide });
python.FS.unlink("/lib/python314.zip"); // which a reader's does not have
const { handle } = python.pyimport("rulewalk.host");

for await (const question of createInterface({ input: process.stdin })) {
  try {
    console.log(handle(JSON.parse(question)));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      throw error.message; // a function that was cut off
    }
    console.log(null);
  }
}

/** A script of the reader's side, as the site has it. */
async function readersOwn(name) {
  const path = new URL(`../../../tutorials/player/${name}`, import.meta.url).pathname;
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
