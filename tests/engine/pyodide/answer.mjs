// Answers questions to the engine as a reader's worker does, by the runtime that a site has for it:
//
//     node answer.mjs SITE
//
// One question a line, one answer a line; `null` for what is no question.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { unzipSync } from "fflate";
import { loadPyodide } from "pyodide";

const runtime = join(process.argv[2], "assets/runtime");
const paths = readdirSync(runtime, { recursive: true });
const part = (ending) => join(runtime, paths.find((path) => path.endsWith(ending)));

const { instantiate } = WebAssembly;
const whole = readFileSync(new URL(import.meta.resolve("pyodide/pyodide.asm.wasm")));
WebAssembly.instantiate = (source, imports) =>
  instantiate(source.byteLength === whole.length ? readFileSync(part("/python.wasm")) : source, imports);

const { default: createPyodideModule } = await import(part("/python.mjs"));
const python = await loadPyodide({
  createPyodideModule,
  stdLibURL: part("/python_compiled.zip"),
  fsInit: async ({ mkdirTree, writeFile }, { sitePackages }) => {
    for (const [name, content] of Object.entries(unzipSync(readFileSync(part(".whl"))))) {
      mkdirTree(dirname(join(sitePackages, name)));
      writeFile(join(sitePackages, name), content);
    }
  },
});
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
