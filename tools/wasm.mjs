// Cuts a program of WebAssembly to what is used of it.
//
// Pyodide's is all of Python, and names seven thousand functions for libraries that may be loaded beside it. The
// engine calls a fifth of what is in it, and nothing is loaded beside it. Functions keep their numbers: of those that
// are cut only the bodies go, and whoever calls one all the same is stopped before anything has gone wrong.
import wasmparser from "wasmparser";

const { BinaryReader, BinaryReaderState } = wasmparser;

/** What the binary format begins with, its numbers for sections and for kinds of exports, and its opcodes. */
const HEAD = 8;
const SECTION = { globals: 6, exports: 7, code: 10 };
const [FUNCTION, GLOBAL] = [0, 3];
const MUTABLE_I32 = [0x7f, 1];
const OP = { unreachable: 0x00, end: 0x0b, call: 0x10, tailCall: 0x12, globalSet: 0x24, i32: 0x41 };

/** The name by which a counted program exports whether one of its functions has been called. */
const noteOf = (i) => `called ${i}`;

/** The same program, but each of its functions notes that it has been called. */
export function counted(wasm) {
  const sections = split(wasm);
  const { globals, exports, code } = sections;
  const bodies = items(code, sized).map(body);
  const first = imported(wasm, "global") + read(globals.content, 0)[0];
  extend(
    globals,
    bodies.map(() => [...MUTABLE_I32, OP.i32, 0, OP.end]),
  );
  extend(
    exports,
    bodies.map((_, i) => {
      const name = Buffer.from(noteOf(i));
      return [...number(name.length), ...name, GLOBAL, ...number(first + i)];
    }),
  );
  const noting = bodies.map((instructions, i) => {
    const begin = afterLocals(instructions);
    const note = [OP.i32, 1, OP.globalSet, ...number(first + i)];
    return withSize([instructions.subarray(0, begin), note, instructions.subarray(begin)]);
  });
  fill(code, noting);
  return joined(wasm, sections);
}

/** Which of a counted program's own functions have been called, by their numbers. */
export function callsOf({ exports }) {
  const numbers = [];
  for (let i = 0; noteOf(i) in exports; i++) {
    if (exports[noteOf(i)].value) {
      numbers.push(i);
    }
  }
  return numbers;
}

/**
 * A program with the functions that are used, the exported ones that are named, and all that these call by number.
 * Of functions it exports only the named ones.
 */
export function cut(wasm, used, names) {
  const sections = split(wasm);
  const { exports, code } = sections;
  const before = imported(wasm, "function");
  const listed = items(exports, named)
    .map((item) => ({ item, ...exported(item) }))
    .filter(({ kind, name }) => kind !== FUNCTION || names.has(name));
  fill(
    exports,
    listed.map(({ item }) => item),
  );
  const called = listed.filter(({ kind }) => kind === FUNCTION).map(({ i }) => i - before);
  const needed = withCallees(wasm, [...used, ...called]);
  const nothing = withSize([[0, OP.unreachable, OP.end]]);
  fill(
    code,
    items(code, sized).map((item, i) => (needed.has(i) ? item : nothing)),
  );
  return joined(wasm, sections);
}

/** Functions and all that they may come to call, but for those that are called by their place in a table. */
function withCallees(wasm, used) {
  const callees = calleesIn(wasm);
  const kept = new Set(used);
  for (const i of kept) {
    for (const callee of callees[i]) {
      kept.add(callee); // whose turn comes in this very loop
    }
  }
  return kept;
}

/** For each of a program's own functions, which others its code names. */
function calleesIn(wasm) {
  const reader = new BinaryReader();
  reader.setData(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length), 0, wasm.length);
  const before = imported(wasm, "function");
  const callees = [];
  while (reader.read()) {
    if (reader.state === BinaryReaderState.BEGIN_FUNCTION_BODY) {
      callees.push([]);
    } else if (reader.state === BinaryReaderState.CODE_OPERATOR) {
      const { code, funcIndex } = reader.result;
      if ((code === OP.call || code === OP.tailCall) && funcIndex >= before) {
        callees.at(-1).push(funcIndex - before);
      }
    }
  }
  if (reader.error) {
    throw reader.error;
  }
  return callees;
}

/** How many things of a kind a program imports; they are numbered before its own. */
function imported(wasm, kind) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(wasm));
  return imports.filter((each) => each.kind === kind).length;
}

/** A program's sections in their order, and by name those that are changed. */
function split(wasm) {
  const all = [];
  for (let at = HEAD; at < wasm.length; ) {
    const [size, begin] = read(wasm, at + 1);
    all.push({ id: wasm[at], content: wasm.subarray(begin, begin + size) });
    at = begin + size;
  }
  const byName = Object.entries(SECTION).map(([name, id]) => [
    name,
    all.find((each) => each.id === id),
  ]);
  return { all, ...Object.fromEntries(byName) };
}

function joined(wasm, { all }) {
  const sections = all.flatMap(({ id, content }) => [[id], withSize([content])]);
  return bytes([wasm.subarray(0, HEAD), ...sections]);
}

/** The items of a section, each as long as is told by where it ends. */
function items({ content }, endOf) {
  const [count, begin] = read(content, 0);
  const list = [];
  for (let at = begin; list.length < count; ) {
    const end = endOf(content, at);
    list.push(content.subarray(at, end));
    at = end;
  }
  return list;
}

function sized(content, at) {
  const [size, begin] = read(content, at);
  return begin + size;
}

function named(content, at) {
  return read(content, sized(content, at) + 1)[1]; // a name, a kind, a number
}

/** What an export is called, of which kind it is, and its number among these. */
function exported(item) {
  const [[, begin], end] = [read(item, 0), sized(item, 0)];
  const name = Buffer.from(item.subarray(begin, end)).toString();
  return { name, kind: item[end], i: read(item, end + 1)[0] };
}

function fill(section, list) {
  section.content = bytes([number(list.length), ...list]);
}

function extend(section, list) {
  const [count, begin] = read(section.content, 0);
  section.content = bytes([number(count + list.length), section.content.subarray(begin), ...list]);
}

function body(item) {
  return item.subarray(read(item, 0)[1]);
}

/** Where a function's instructions begin. */
function afterLocals(instructions) {
  let [groups, at] = read(instructions, 0);
  for (; groups; groups--) {
    at = read(instructions, at)[1] + 1; // how many, of which type
  }
  return at;
}

function withSize(parts) {
  const content = bytes(parts);
  return bytes([number(content.length), content]);
}

function bytes(parts) {
  return Buffer.concat(parts.map((part) => Uint8Array.from(part)));
}

/** A number that takes as many bytes as it needs (LEB128), seven bits in each; and where it ends. */
function read(content, begin) {
  let value = 0;
  for (let at = begin; ; at++) {
    value += (content[at] & 0x7f) * 2 ** (7 * (at - begin));
    if (content[at] < 0x80) {
      return [value, at + 1];
    }
  }
}

function number(value) {
  const rest = Math.floor(value / 0x80);
  return rest ? [0x80 | (value % 0x80), ...number(rest)] : [value];
}
