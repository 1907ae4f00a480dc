// Cuts a program of WebAssembly to what is used of it.
//
// Pyodide's is all of Python, and names seven thousand functions for libraries that may be loaded beside it. The
// engine calls a fifth of what is in it, and nothing is loaded beside it. Functions keep their numbers: of those that
// are cut only the bodies go, and whoever calls one all the same is stopped before anything has gone wrong.
import wasmparser from "wasmparser";

const { BinaryReader, BinaryReaderState } = wasmparser;

/** What the binary format begins with, its numbers for sections and for kinds of exports, and its opcodes. */
const HEAD = 8;
const SECTION = { globals: 6, exports: 7, code: 10, data: 11 };
const DATA_COUNT = 12;
/** Data that is laid out at an address before anything else happens. */
const PLACED = 0;
const [FUNCTION, GLOBAL] = [0, 3];
const MUTABLE_I32 = [0x7f, 1];
const OP = {
  unreachable: 0x00,
  end: 0x0b,
  call: 0x10,
  tailCall: 0x12,
  globalGet: 0x23,
  globalSet: 0x24,
  i32: 0x41,
};

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
 * A program with the functions that are used, the exported ones that are named, and all that these call by number; of
 * functions it exports only the named ones. Its data is as it was but for the unused stretches, each from one address
 * to another, which are left empty.
 */
export function cut(wasm, { used, names, unused }) {
  const sections = split(wasm);
  const { exports, code, data } = sections;
  const before = imported(wasm, "function");
  const listed = exportsIn(exports, names);
  fill(
    exports,
    listed.map(({ item }) => item),
  );
  const called = listed.filter(({ kind }) => kind === FUNCTION).map(({ i }) => i - before);
  const needed = withCallees(namedIn(wasm), [...used, ...called]);
  const nothing = withSize([[0, OP.unreachable, OP.end]]);
  fill(
    code,
    items(code, sized).map((item, i) => (needed.has(i) ? item : nothing)),
  );
  fill(
    data,
    items(data, placed).flatMap((item) => without(item, unused)),
  );
  sections.all = sections.all.filter(({ id }) => id !== DATA_COUNT);
  return joined(wasm, sections);
}

/** What a section exports: memory and tables, and of functions and values those that are named. */
function exportsIn(section, names) {
  return items(section, named)
    .map((item) => ({ item, ...exported(item) }))
    .filter(({ kind, name }) => (kind !== FUNCTION && kind !== GLOBAL) || names.has(name));
}

/** What is left of an item of data outside of some stretches, as items. */
function without(item, stretches) {
  const { begin, content } = laid(item);
  const end = begin + content.length;
  const inside = stretches.filter((each) => each[0] < end && each[1] > begin);
  const edges = [begin, ...inside.sort(([a], [b]) => a - b).flat(), end];
  const rest = [];
  for (let i = 0, from = begin; i < edges.length; i += 2) {
    from = Math.max(from, edges[i]);
    const to = Math.min(end, edges[i + 1]);
    if (from < to) {
      const place = [PLACED, OP.i32, ...signed(from), OP.end];
      rest.push(bytes([place, withSize([content.subarray(from - begin, to - begin)])]));
    }
  }
  return rest;
}

/** By name what a program imports, and whether that is ever used. */
export function importsOf(wasm, { used, names }) {
  const before = imported(wasm, "function");
  const exported = exportsIn(split(wasm).exports, names).filter(({ kind }) => kind === FUNCTION);
  const code = namedIn(wasm);
  const functions = withCallees(code, [...used, ...exported.map(({ i }) => i - before)]);
  const globals = new Set([...functions].flatMap((i) => code[i]?.globals ?? []));
  const numbers = { function: 0, global: 0 };
  const imports = new Map();
  for (const { name, kind } of WebAssembly.Module.imports(new WebAssembly.Module(wasm))) {
    const i = numbers[kind]++;
    const isUsed = kind === "function" ? functions.has(i - before) : globals.has(i);
    imports.set(name, isUsed || imports.get(name)); // a function, or its address, or both
  }
  return imports;
}

/**
 * Functions and all that they may come to call, but for those that are called by their place in a table. What a program
 * imports is numbered before its own, so here it has numbers below 0.
 */
function withCallees(code, used) {
  const kept = new Set(used);
  for (const i of kept) {
    for (const callee of code[i]?.callees ?? []) {
      kept.add(callee); // whose turn comes in this very loop
    }
  }
  return kept;
}

/** For each of a program's own functions, which functions and which values its code names. */
function namedIn(wasm) {
  const reader = new BinaryReader();
  reader.setData(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length), 0, wasm.length);
  const before = imported(wasm, "function");
  const functions = [];
  while (reader.read()) {
    if (reader.state === BinaryReaderState.BEGIN_FUNCTION_BODY) {
      functions.push({ callees: [], globals: [] });
    } else if (reader.state === BinaryReaderState.CODE_OPERATOR) {
      const { code, funcIndex, globalIndex } = reader.result;
      if (code === OP.call || code === OP.tailCall) {
        functions.at(-1).callees.push(funcIndex - before);
      } else if (code === OP.globalGet) {
        functions.at(-1).globals.push(globalIndex);
      }
    }
  }
  if (reader.error) {
    throw reader.error;
  }
  return functions;
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

function placed(content, at) {
  if (content[at] !== PLACED) {
    throw new Error(`data of kind ${content[at]}: see tools/wasm.mjs`);
  }
  return sized(content, read(content, at + 2)[1] + 1); // its kind, an opcode, a number and an end
}

/** Where an item of data begins in memory, and what it is. */
function laid(item) {
  const [begin, at] = read(item, 2);
  return { begin, content: item.subarray(read(item, at + 1)[1]) };
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

/** A number as it stands among instructions, where the last byte's highest bit is its sign. */
function signed(value) {
  return value < 0x40 ? [value] : [0x80 | (value % 0x80), ...signed(Math.floor(value / 0x80))];
}

function number(value) {
  const rest = Math.floor(value / 0x80);
  return rest ? [0x80 | (value % 0x80), ...number(rest)] : [value];
}
