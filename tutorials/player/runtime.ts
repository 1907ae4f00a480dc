/**
 * The files of the runtime: fetched once, checked against the hashes that the
 * build wrote down, and kept for the next page where the browser lets us.
 *
 * A file's path has its hash in it. So what is kept under a path is right for
 * good, whatever has been deployed since, and no two versions can be mixed.
 */

import { cacheOf, ifAllowed } from "./caches";

/** A file as the build made it; its path is below the site's assets. */
export interface RuntimeFile {
  readonly path: string;
  readonly size: number;
  /** In base64, as in a page's `integrity`. */
  readonly sha256: string;
}

/** What `tools/build.py` has written about the runtime. */
interface Runtime {
  readonly files: Readonly<Record<string, RuntimeFile>>;
  /** The lock file by which Pyodide loads the engine, and the name of the engine's wheel. */
  readonly lock: object;
  readonly engine: string;
}

declare const RUNTIME: Runtime;
export const { files, lock, engine } = RUNTIME;

/** A Python: the program, and the script that surrounds it. */
export interface Program {
  readonly wasm: string;
  readonly script: string;
}
/** Python cut to what the engine uses, with the memory that it goes on from. */
export const SNAPSHOT = {
  program: { wasm: "python.wasm", script: "python.mjs" },
  memory: "python.snapshot",
} as const;
/** Python as its makers ship it, for whom that does not do; and its library, cut and compiled or as they ship it. */
export const WHOLE: Program = { wasm: "pyodide.asm.wasm", script: "pyodide.asm.mjs" };
export const LIBRARY = { compiled: "python_compiled.zip", stock: "python_stdlib.zip" } as const;

/** How long to wait for one's turn: whoever else has it may be a page that was left and kept as it was. */
const TURN = 30_000;

let haveCalm: () => void;
const calm = new Promise<void>((resolve) => {
  haveCalm = resolve;
});

/** There is nothing more urgent: from now on, what has been fetched is kept. */
export function keepFiles(): void {
  haveCalm();
}

/** Called with how many more bytes have arrived; with fewer than none, if they were no good. */
export type Arrived = (bytes: number) => void;

export type Bytes = Uint8Array<ArrayBuffer>;
type Body = ReadableStream<Bytes>;

/** A file's bytes, and what has been made of them as they arrived. */
interface Obtained<Made> {
  readonly bytes: Bytes;
  readonly made: Made;
}
type Make<Made> = (file: Response | Bytes) => Promise<Made>;

/** Browsers compile as it arrives only what is called so. */
const CALLED = { headers: { "Content-Type": "application/wasm" } };

export function fileNamed(name: string): RuntimeFile {
  const file = files[name];
  if (!file) {
    throw new Error(`the runtime has no ${name}`);
  }
  return file;
}

export function addressOf(name: string): string {
  return new URL(fileNamed(name).path, import.meta.url).href;
}

/** A file's bytes, whole and unaltered. */
export async function load(name: string, arrived: Arrived): Promise<Bytes> {
  return (await obtain(name, arrived)).bytes;
}

/** Is all of that kept in this browser? */
export async function areKept(names: readonly string[]): Promise<boolean> {
  const cache = await cacheOf("files");
  const kept = names.map((name) => ifAllowed(async () => cache?.match(addressOf(name))));
  return (await Promise.all(kept)).every(Boolean);
}

/** Have a file kept; whoever comes to use it checks it. */
export async function keepFile(name: string): Promise<void> {
  if (!(await areKept([name]))) {
    await load(name, () => undefined);
  }
}

/** A file of WebAssembly, compiled as it arrives, and given out once it is known to be unaltered. */
export async function compile(name: string, arrived: Arrived): Promise<WebAssembly.Module> {
  const make = (file: Response | Bytes) =>
    file instanceof Response ? WebAssembly.compileStreaming(file) : WebAssembly.compile(file);
  return (await obtain(name, arrived, make)).made;
}

/** A script's exports, once the browser has checked what it has at hand of it. */
export async function script(name: string, arrived: Arrived): Promise<unknown> {
  const { sha256, size } = fileNamed(name);
  const [exports] = await Promise.all([
    import(addressOf(name)),
    get(addressOf(name), { integrity: `sha256-${sha256}` }),
  ]);
  arrived(size);
  return exports;
}

/** Take a file from what is kept, or else from the network: once more, past its caches, if it is not right. */
function obtain(name: string, arrived: Arrived): Promise<Obtained<undefined>>;
function obtain<Made>(name: string, arrived: Arrived, make: Make<Made>): Promise<Obtained<Made>>;
async function obtain<Made>(
  name: string,
  arrived: Arrived,
  make?: Make<Made>,
): Promise<Obtained<Made | undefined>> {
  const [file, address, cache] = [fileNamed(name), addressOf(name), await cacheOf("files")];
  const fromKept = () =>
    ifAllowed(async () => {
      const kept = await cache?.match(address);
      if (!kept) {
        return;
      }
      const bytes = new Uint8Array(await kept.arrayBuffer());
      const [made] = await Promise.all([make?.(bytes), check(bytes, file)]);
      arrived(file.size);
      return { bytes, made };
    });
  const fromNetwork = async (how: RequestInit) => {
    const response = await download(address, how);
    const copy = make && response.clone();
    const [bytes, made] = await Promise.all([
      collect(response, file, arrived),
      copy && make?.(copy),
    ]);
    return { bytes, made };
  };
  return (
    (await fromKept()) ??
    // Whoever else wants the file meanwhile, such as another tab, waits and then finds it kept.
    exclusively(address, async () => {
      const kept = await fromKept();
      if (kept) {
        return { result: kept };
      }
      const result = await fromNetwork({}).catch(() => fromNetwork({ cache: "reload" }));
      const keep = async () => {
        await calm;
        return cache?.put(address, new Response(result.bytes, CALLED));
      };
      return { result, after: ifAllowed(keep) };
    })
  );
}

/** Run one such act at a time, in all of the site's pages; the lock is held beyond the result, for what follows. */
function exclusively<Result>(
  name: string,
  act: () => Promise<{ result: Result; after?: Promise<unknown> }>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const whole = async () => {
      try {
        const { result, after } = await act();
        resolve(result);
        await after;
      } catch (error) {
        reject(error);
      }
    };
    // Only a secure context has locks; without one there is no cache to share either.
    const signal = AbortSignal.timeout(TURN);
    void (navigator.locks?.request(name, { signal }, whole).catch(whole) ?? whole());
  });
}

/** Fetch a file; where the host begins to send it as large as it is, take the variant that we unpack ourselves. */
async function download(address: string, how: RequestInit): Promise<Response> {
  const plain = await get(address, how);
  if (plain.headers.has("Content-Encoding") || !("DecompressionStream" in globalThis)) {
    return new Response(plain.body, CALLED);
  }
  await plain.body?.cancel(); // before more of it is sent in vain
  const packed = await get(`${address}.gz`, how).catch(() => null);
  const body = packed ? await unpack(packed.body as Body) : (await get(address, how)).body;
  return new Response(body, CALLED);
}

async function get(address: string, how: RequestInit): Promise<Response> {
  const response = await fetch(address, how);
  if (!response.ok) {
    throw new Error(`${address}: the server answers ${response.status}`);
  }
  return response;
}

/** Some servers call a .gz packed in transit, and then the browser has unpacked it already. */
async function unpack(body: Body): Promise<Body> {
  const reader = body.getReader();
  const { value: first } = await reader.read();
  const rest = new ReadableStream<Bytes>({
    start: (out) => {
      if (first) {
        out.enqueue(first);
      }
    },
    pull: async (out) => {
      const { value, done } = await reader.read();
      done ? out.close() : out.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
  const isGzip = first?.[0] === 0x1f && first[1] === 0x8b;
  return isGzip ? rest.pipeThrough(new DecompressionStream("gzip")) : rest;
}

/** All bytes of a file that is arriving. */
async function collect({ body }: Response, file: RuntimeFile, arrived: Arrived): Promise<Bytes> {
  const { size, path } = file;
  const bytes = new Uint8Array(size);
  let count = 0;
  try {
    const reader = (body as Body).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (count + part.value.length > size) {
        throw new Error(`${path} is too long`);
      }
      bytes.set(part.value, count);
      count += part.value.length;
      arrived(part.value.length);
    }
    if (count < size) {
      throw new Error(`${path} ends after ${count} bytes of ${size}`);
    }
    await check(bytes, file);
    return bytes;
  } catch (error) {
    arrived(-count);
    throw error;
  }
}

async function check(bytes: Bytes, { path, sha256 }: RuntimeFile): Promise<void> {
  // A page that came unprotected cannot vouch for its runtime; there, the size and gzip's own sum must do.
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bytes);
  if (digest && btoa(String.fromCharCode(...new Uint8Array(digest))) !== sha256) {
    throw new Error(`${path} is not what was built`);
  }
}
