/**
 * The worker: Python and the engine, away from the page's own thread.
 *
 * It answers each question in the order asked. Questions that come while
 * Python is still loading simply wait for it. The page starts the worker
 * before there is any question; then it begins by itself if all it needs is
 * kept in this browser, and otherwise when the page bids it or asks.
 *
 * Python starts in one of three ways, each the fallback of the one before:
 * from a snapshot, cut to what the engine uses; whole, with a compiled library;
 * or as Pyodide's makers ship it. If what was cut off is missed later on, it
 * starts once more, as its makers ship it.
 */

import { unzipSync } from "fflate";
import { loadPyodide, type PyodideInterface } from "pyodide";
import type { Answered, Asked, FromWorker, Start, ToWorker } from "./protocol";
import {
  areKept,
  type Bytes,
  compile,
  engine,
  fileNamed,
  keepFiles,
  LIBRARY,
  load,
  lock,
  type Program,
  SNAPSHOT,
  script,
  WHOLE,
} from "./runtime";
import { Snapshot } from "./snapshot";

type Handle = (question: string) => string;

/** An archive without any file in it, for a Python that has all it needs in its memory. */
const EMPTY = Uint8Array.of(0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0));

/** How long Python has been there before what has arrived is kept, if nobody asks it anything. */
const QUIET = 1000;

// Pyodide fetches its files by itself. Here it is given those that we fetch, and check, for it.
const given = new Map<string, Bytes | Promise<Bytes>>();
const network = self.fetch;
self.fetch = async (input, init) => {
  const bytes = given.get(input instanceof Request ? input.url : String(input));
  return bytes ? new Response(await bytes) : network(input, init);
};

function told(message: FromWorker): void {
  self.postMessage(message);
}

/** Sums up the bytes of several files, and tells each further hundredth. */
function progress(names: readonly string[]): (bytes: number) => void {
  const total = names.reduce((sum, name) => sum + fileNamed(name).size, 0);
  let [count, last] = [0, 0];
  return (bytes) => {
    count += bytes;
    const hundredth = Math.floor((100 * count) / total);
    if (hundredth !== last) {
      last = hundredth;
      told({ progress: hundredth / 100 });
    }
  };
}

const NEVER = new Promise<never>(() => undefined);

/** What is promised; where that fails, somebody else is told of it. */
function orNever<T>(promised: T | Promise<T>): Promise<T> {
  return Promise.resolve(promised).catch(() => NEVER);
}

type Settings = NonNullable<Parameters<typeof loadPyodide>[0]>;
type Lock = Exclude<NonNullable<Settings["lockFileContents"]>, string | Promise<unknown>>;
type Create = NonNullable<Settings["createPyodideModule"]>;

const WAYS: readonly Start[] = ["snapshot", "compiled", "stock"];
const HOME = new URL("runtime/", import.meta.url).href;
/** What Python takes its library for; the name is ours. */
const LIBRARY_FILE = "library.zip";

let started: Start | undefined;
let python: PyodideInterface;

let arrived: (bytes: number) => void = () => undefined;
const count = (bytes: number): void => arrived(bytes);

/** What Python itself is. */
interface Core {
  readonly create: Promise<{ default: Create }>;
  readonly module: Promise<WebAssembly.Module>;
}

/** While Python starts, a program is fetched once; where that fails, no other way of starting it can help. */
const cores = new Map<Program, Core>();

function coreOf(program: Program): Core {
  const core = cores.get(program) ?? {
    create: script(program.script, count) as Core["create"],
    module: compile(program.wasm, count),
  };
  cores.set(program, core);
  return core;
}

/** Start Python in the first way that succeeds. */
async function begin(ways: readonly Start[]): Promise<Handle> {
  let failure: unknown;
  for (const way of ways) {
    try {
      await (way === "snapshot" ? startFromSnapshot() : startWhole(way));
      const handle = python.pyimport("rulewalk.host").handle as Handle;
      started = way;
      cores.clear(); // some megabytes
      told({ started });
      setTimeout(keepFiles, QUIET);
      return handle;
    } catch (error) {
      failure = error;
      console.warn(`Python did not start: ${way}`, error);
      keepFiles(); // the next way may need some of them again, and waits until they are kept
    }
  }
  throw failure;
}

/** Start Python where the build has left it. */
async function startFromSnapshot(): Promise<void> {
  arrived = progress([...Object.values(SNAPSHOT.program), SNAPSHOT.memory]);
  const packed = load(SNAPSHOT.memory, count);
  const snapshot = new Snapshot();
  await startPyodide({
    program: SNAPSHOT.program,
    files: { [LIBRARY_FILE]: EMPTY },
    more: packed,
    settings: { _loadSnapshot: snapshot.forPyodide } as Settings, // for those who know, and for this very version
    begun: async ({ memory }) => {
      const { buffer } = await packed;
      snapshot.have(new Uint32Array(buffer), memory as WebAssembly.Memory);
    },
  });
  // Every start would draw the same numbers. The seed of hashes cannot be drawn anew, since all that is in memory is
  // made of it; no answer depends on it, and nobody but the reader brings anything into this Python.
  python.pyimport("random").seed();
}

/** Start Python from its beginnings. */
async function startWhole(way: keyof typeof LIBRARY): Promise<void> {
  arrived = progress([...Object.values(WHOLE), LIBRARY[way], engine]);
  const [library, wheel] = [load(LIBRARY[way], count), load(engine, count)];
  await startPyodide({
    program: WHOLE,
    files: { [LIBRARY_FILE]: library, [engine]: wheel },
    settings:
      way === "stock"
        ? { lockFileContents: lock as Lock, packages: ["rulewalk"] }
        : {
            fsInit: async (files, { sitePackages }) =>
              lay(files, sitePackages, await orNever(wheel)),
          },
  });
}

interface Pyodide {
  readonly program: Program;
  /** What it fetches by itself. */
  readonly files: Readonly<Record<string, Bytes | Promise<Bytes>>>;
  /** What else must come. */
  readonly more?: Promise<Bytes>;
  readonly settings: Settings;
  /** Called when the program is there, with what it exports. */
  readonly begun?: (exports: WebAssembly.Exports) => Promise<void>;
}

/** Start Pyodide while what it needs is on its way. If one of that does not come, it is left waiting for it. */
async function startPyodide({ program, files, more, settings, begun }: Pyodide): Promise<void> {
  const { create, module } = coreOf(program);
  given.set(`${HOME}${WHOLE.wasm}`, EMPTY); // whichever it is, it is being compiled, see below
  for (const [name, bytes] of Object.entries(files)) {
    given.set(`${HOME}${name}`, orNever(bytes));
  }
  const broken = new Promise<never>((_, reject) => {
    WebAssembly.instantiateStreaming = async (_, imports) => {
      try {
        const compiled = await module;
        const instance = await WebAssembly.instantiate(compiled, imports);
        await begun?.(instance.exports);
        return { module: compiled, instance };
      } catch (error) {
        reject(error); // Pyodide would only say so, and wait
        return NEVER;
      }
    };
  });
  const loaded = create.then(({ default: createPyodideModule }) =>
    loadPyodide({
      lockFileContents: { ...(lock as Lock), packages: {} },
      ...settings,
      createPyodideModule,
      indexURL: HOME,
      stdLibURL: `${HOME}${LIBRARY_FILE}`,
      packageBaseUrl: HOME,
    }),
  );
  const failed = Promise.all([create, module, more, ...Object.values(files)]).then(() => NEVER);
  python = await Promise.race([loaded, failed, broken]);
  given.clear();
}

/**
 * Lay the engine's modules and words into Python's file system, as a package that nobody has registered: Pyodide's
 * own way to load one imports a good deal of the library.
 */
function lay(
  { mkdirTree, writeFile }: PyodideInterface["FS"],
  folder: string,
  wheel: Uint8Array,
): void {
  const contents = unzipSync(wheel, { filter: ({ name }) => name.startsWith("rulewalk/") });
  for (const [name, content] of Object.entries(contents)) {
    const path = `${folder}/${name}`;
    mkdirTree(path.slice(0, path.lastIndexOf("/")));
    writeFile(path, content);
  }
}

let bid: () => void;
const bidden = new Promise<void>((resolve) => {
  bid = resolve;
});
let handling = areKept([SNAPSHOT.program.wasm, SNAPSHOT.memory]).then(async (kept) => {
  if (!kept) {
    await bidden;
  }
  return begin(WAYS);
});
handling.catch(() => undefined); // it is told to whoever asks; nobody may have asked yet

async function answer({ id, question }: Asked): Promise<Answered> {
  const current = handling;
  try {
    const handle = await current;
    // It may have failed somebody else meanwhile, and be no more.
    return current === handling ? { id, answer: handle(question) } : answer({ id, question });
  } catch (error) {
    if (started && started !== "stock" && missesWhatWasCutOff(error)) {
      started = undefined;
      handling = begin(["stock"]);
      return answer({ id, question });
    }
    return { id, failure: String(error) };
  }
}

/** A module of the library, or a function of the interpreter. */
function missesWhatWasCutOff(error: unknown): boolean {
  return (
    error instanceof WebAssembly.RuntimeError ||
    /ModuleNotFoundError|ImportError/.test(String(error))
  );
}

self.addEventListener("message", async ({ data }: MessageEvent<ToWorker>) => {
  bid();
  if (data !== "begin") {
    told(await answer(data));
    keepFiles();
  }
});
