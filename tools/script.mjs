// Cuts the script that Pyodide surrounds its program with.
//
// It has all of Emscripten's library, for programs that may be loaded later: sockets, sound, graphics. Names that only
// such programs would use are taken out, and then what nobody names any more (terser).
import { minify } from "terser";

const WORD = /[\w$]+/g;

/**
 * The script with no more than is used of what the program imports and exports, and of what those find who load it.
 * `imports` says by name whether what the program can import is ever called; `loader` is another script.
 */
export async function cutScript(script, imports, loader) {
  const own = withoutOffers(
    withoutExports(withoutImports(withoutWaiting(script), imports), loader),
    script + loader,
  );
  // What the site's policy refuses anyway would keep terser from knowing what is named.
  const known = own.replace(/\beval\(/g, "(0,eval)(");
  return calledAtOnce((await minify(known, { module: true })).code);
}

/**
 * The script for a program that goes on from a snapshot, in which the module is that it would import. `exported` are the
 * places in the program's table that have functions which it exports too: to find these the script would look at all.
 */
export function goingOn(script, exported) {
  const [, before, between, after] = parts(
    /^(.*)updateTableMap\(0,wasmTable\.length\)(.*)API\.rawRun\("import _pyodide_core"\)(.*)$/s,
    script,
  );
  return `${before}for(const place of [${exported}])updateTableMap(place,1)${between}[0,""]${after}`;
}

/** All names by which a script may call what the program exports. */
export function namesIn(script) {
  return new Set(script.match(WORD).flatMap((word) => [word, word.replace(/^_/, "")]));
}

/**
 * Without memory that threads share, which it would wait in for a slow terminal. Browsers warn of it where a page is not
 * isolated, and to tell where in the script that is they read all of it once more.
 */
function withoutWaiting(script) {
  const [, before, after] = parts(
    /^(.*)new WebAssembly\.Memory\(\{shared:!0,[^}]*\}\)\.buffer(.*)$/s,
    script,
  );
  return `${before}new ArrayBuffer(4)${after}`;
}

/** The same in brackets, by which browsers know that they had better read the function for good and not skim it first. */
function calledAtOnce(script) {
  const [, before, name, rest, after] = parts(
    /^(.*?)async function ([\w$]+)(\(.*\})([\w$.="]*;)export default \2;$/s,
    script,
  );
  return `${before}${after}export default(async function ${name}${rest});`;
}

/** Of all that programs could import, what this one does: as it is if that is ever called, else as what stops. */
function withoutImports(script, imports) {
  const [, before, entries, after] = parts(/^(.*var wasmImports=\{)(.*?)(\};.*)$/s, script);
  const kept = entries
    .split(",")
    .map((entry) => entry.split(":"))
    .filter(([name]) => imports.has(name))
    .map(([name, value = name]) => `${name}:${imports.get(name) ? value : "cutOff"}`);
  const values = new Set(kept.map((entry) => entry.split(":")[1]));
  const stop = 'function cutOff(){throw new WebAssembly.RuntimeError("cut off")}cutOff.sig="v";';
  return `${stop}${before}${kept.join(",")}${after}`.replace(
    /([\w$]+)\.sig="\w*";/g,
    (statement, name) => (values.has(name) ? statement : ""),
  );
}

/** The script without what it offers to whoever has loaded it, where nobody asks for that by its name. */
function withoutOffers(script, askers) {
  return script.replace(/Module\["([\w$]+)"\]=[\w$]+;/g, (statement, name) => {
    const quoted = name.replaceAll("$", "\\$");
    const times = askers.match(new RegExp(`\\.${quoted}\\b|"${quoted}"`, "g")).length;
    return times > 1 ? statement : "";
  });
}

/** The script without what it never asks of the program's exports. */
function withoutExports(script, loader) {
  const [, before, variables, head, statements, after] = parts(
    /^(.*)var ([\w$,]+);(function assignWasmExports\(wasmExports\)\{)(.*?)(\}.*)$/s,
    script,
  );
  const own = namesIn(before + after + loader);
  const assigned = statements.split(";").filter((statement) => {
    const [, name] = /wasmExports\["([\w$]+)"\]/.exec(statement) ?? [];
    return !name || own.has(name);
  });
  const mentioned = namesIn(before + assigned.join(";") + after);
  const declared = variables.split(",").filter((name) => mentioned.has(name));
  return `${before}var ${declared};${head}${assigned.join(";")}${after}`;
}

function parts(pattern, script) {
  const found = pattern.exec(script);
  if (!found) {
    throw new Error("pyodide.asm.mjs is not written as it was: see tools/script.mjs");
  }
  return found;
}
