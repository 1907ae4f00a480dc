/**
 * The worker: Python and the engine, away from the page's own thread.
 *
 * It answers each question in the order asked. Questions that come while
 * Python is still loading simply wait for it. The page starts the worker
 * before there is any question; then it begins by itself if all it needs is
 * kept in this browser, and otherwise waits for the first.
 *
 * Python starts in one of three ways, each the fallback of the one before:
 * from a snapshot of its memory that this browser took on an earlier page,
 * compiled and cut to what the engine uses, or whole, as Pyodide's makers ship
 * it. If what was cut off is missed later on, it starts once more, whole.
 */

import { unzipSync } from "fflate";
import { loadPyodide, type PyodideInterface } from "pyodide";
import type { Answered, Asked, FromWorker, Start } from "./protocol";
import { CUT, compile, engine, fileNamed, keepFiles, load, lock, script, WHOLE } from "./runtime";
import { forget, keep, kept, unpacked } from "./snapshot";

type Bytes = Uint8Array<ArrayBuffer>;
type Handle = ((question: string) => string) & { destroy(): void };

/** An archive without any file in it, for a Python that has all it needs in its memory. */
const EMPTY = Uint8Array.of(0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0));

/** How long nobody must have asked anything before a snapshot is taken. */
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
type Create = NonNullable<Settings["createPyodideModule"]>;

/** Pyodide's own two options for snapshots; they are for those who know, and for this very version. */
type Snapshots = { _makeSnapshot?: boolean; _loadSnapshot?: Uint8Array };

const WAYS: readonly Start[] = ["snapshot", "compiled", "stock"];
const HOME = new URL("runtime/", import.meta.url).href;

/** The snapshot of an earlier page, if there is one; looked for once, since nobody starts from it twice. */
const found = kept();

let started: Start | undefined;
let python: PyodideInterface;
let quiet = 0;
let remembered = false;

let arrived: (bytes: number) => void = () => undefined;
const count = (bytes: number): void => arrived(bytes);

/** What Python itself is. It is fetched once; where that fails, no other way of starting can help. */
interface Core {
  readonly create: Promise<{ default: Create }>;
  readonly module: Promise<WebAssembly.Module>;
}
const cores = new Map<typeof CUT | typeof WHOLE, Core>();
const partsFor = (way: Start) => (way === "stock" ? WHOLE : CUT);

/** Start Python in the first way that succeeds. */
async function begin(ways: readonly Start[]): Promise<Handle> {
  let failure: unknown;
  for (const way of ways) {
    try {
      if (await start(way)) {
        const handle = python.pyimport("rulewalk.host").handle as Handle;
        started = way;
        told({ started });
        return handle;
      }
    } catch (error) {
      failure = error;
      console.warn(`Python did not start: ${way}`, error);
      keepFiles(); // the next way may need some of them again, and waits until they are kept
      const core = cores.get(partsFor(way));
      await Promise.all([core?.create, core?.module]);
      if (way === "snapshot") {
        await forget();
      }
    }
  }
  throw failure;
}

/**
 * Lay the engine's modules and words into Python's file system, as a package that nobody has registered: Pyodide's
 * own way to load one imports a good deal of the library, and it takes no snapshot where it knows of a package.
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

/** Start Python in one way; tell false where there is nothing to start it from. */
async function start(way: Start): Promise<boolean> {
  const snapshot = way === "snapshot" ? await found : undefined;
  if (way === "snapshot" && !snapshot) {
    return false;
  }
  const parts = partsFor(way);
  const needed = way === "snapshot" ? [] : [parts.library, engine];
  arrived = progress([parts.wasm, parts.script, ...needed]);
  const core = cores.get(parts) ?? {
    create: script(parts.script, count) as Promise<{ default: Create }>,
    module: compile(parts.wasm, count),
  };
  cores.set(parts, core);
  const { create, module } = core;
  const [library = EMPTY, wheel = EMPTY] = needed.map((name) => load(name, count));
  // Pyodide begins while they are on their way. If one does not come, it is left waiting for it.
  const failed = Promise.all([create, module, library, wheel]).then(() => NEVER);
  failed.catch(() => undefined);
  given.set(`${HOME}${WHOLE.wasm}`, EMPTY); // whichever it is, it is being compiled, see below
  given.set(`${HOME}library.zip`, orNever(library));
  given.set(`${HOME}${engine}`, orNever(wheel));
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const compiled = await orNever(module);
    return { module: compiled, instance: await WebAssembly.instantiate(compiled, imports) };
  };
  const memory = snapshot && (await unpacked(snapshot));
  const snapshots: Snapshots = memory
    ? { _loadSnapshot: memory }
    : { _makeSnapshot: way === "compiled" };
  const loaded = create.then(({ default: createPyodideModule }) =>
    loadPyodide({
      ...snapshots,
      createPyodideModule,
      indexURL: HOME,
      stdLibURL: `${HOME}library.zip`,
      packageBaseUrl: HOME,
      ...(way === "stock"
        ? { lockFileContents: lock, packages: ["rulewalk"] }
        : {
            lockFileContents: { ...lock, packages: {} },
            fsInit: async (files, { sitePackages }) =>
              lay(files, sitePackages, await orNever(wheel)),
          }),
    } as Settings),
  );
  python = await Promise.race([loaded, failed]);
  given.clear();
  if (memory) {
    // Every start from one snapshot would draw the same numbers. The seed of hashes is part of
    // all that is in memory and cannot change; it was drawn by this browser, for this build.
    python.runPython("import random; random.seed()");
  }
  return true;
}

let ask: () => void;
const asked = new Promise<void>((resolve) => {
  ask = resolve;
});
let handling = found.then(async (snapshot) => {
  if (!snapshot) {
    await asked;
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
      handling = forget().then(() => begin(["stock"]));
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

self.addEventListener("message", async ({ data }: MessageEvent<Asked>) => {
  ask();
  clearTimeout(quiet);
  told(await answer(data));
  keepFiles();
  if (started === "compiled" && !remembered) {
    clearTimeout(quiet); // set by the answer to another question that came before this one's
    quiet = setTimeout(remember, QUIET);
  }
});

/** Keep a snapshot for the next page: with the engine's words read, without what only this page has. */
async function remember(): Promise<void> {
  remembered = true;
  try {
    const handle = await handling;
    python.runPython("from rulewalk.host import prepare; prepare()");
    // No snapshot can hold what JavaScript holds. Whoever asks next is answered by a new one.
    handle.destroy();
    handling = Promise.resolve().then(() => python.pyimport("rulewalk.host").handle as Handle);
    const memory = (
      python as unknown as { makeMemorySnapshot(): Uint8Array<ArrayBuffer> }
    ).makeMemorySnapshot();
    await keep(memory);
  } catch (error) {
    console.warn("No snapshot was taken", error);
  }
}
