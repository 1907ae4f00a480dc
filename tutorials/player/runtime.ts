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

/** The runtime's files by what they are for: the last but one only where `compiled` fails. */
export const PARTS = {
  wasm: "pyodide.asm.wasm",
  script: "pyodide.asm.mjs",
  compiled: "python_compiled.zip",
  stock: "python_stdlib.zip",
  engine,
} as const;

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

type Bytes = Uint8Array<ArrayBuffer>;
type Body = ReadableStream<Bytes>;
type Read<Result> = (body: Body) => Promise<{ bytes: Bytes; result: Result }>;

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
export function load(name: string, arrived: Arrived): Promise<Bytes> {
  return obtain(name, async (body) => {
    const bytes = await collect(body, fileNamed(name), arrived);
    return { bytes, result: bytes };
  });
}

/** A file of WebAssembly, compiled as it arrives, and given out once it is known to be unaltered. */
export function compile(name: string, arrived: Arrived): Promise<WebAssembly.Module> {
  return obtain(name, async (body) => {
    const [one, other] = body.tee();
    const headers = { "Content-Type": "application/wasm" };
    const [bytes, result] = await Promise.all([
      collect(one, fileNamed(name), arrived),
      WebAssembly.compileStreaming(new Response(other, { headers })),
    ]);
    return { bytes, result };
  });
}

/** A script's exports. The browser checks it as it passes, and then has it at hand to be run. */
export async function script(name: string, arrived: Arrived): Promise<unknown> {
  const { sha256, size } = fileNamed(name);
  const checked = await fetch(addressOf(name), { integrity: `sha256-${sha256}` });
  if (!checked.ok) {
    throw new Error(`${name}: the server answers ${checked.status}`);
  }
  arrived(size);
  return import(addressOf(name));
}

/** Take a file from what is kept, or else from the network: once more, past its caches, if it is not right. */
async function obtain<Result>(name: string, read: Read<Result>): Promise<Result> {
  const address = addressOf(name);
  const cache = await cacheOf("files");
  const sources = [
    async () => (await ifAllowed(async () => cache?.match(address)))?.body as Body | undefined,
    () => download(address, {}),
    () => download(address, { cache: "reload" }),
  ];
  // Whoever else wants the file meanwhile, such as another tab, waits and then finds it kept.
  return exclusively(address, async () => {
    let failure: unknown;
    for (const [index, source] of sources.entries()) {
      try {
        const body = await source();
        if (body) {
          const { bytes, result } = await read(body);
          await check(bytes, fileNamed(name));
          const headers = { "Content-Type": "application/octet-stream" };
          const keep = async () => {
            await calm;
            return cache?.put(address, new Response(bytes, { headers }));
          };
          return { result, after: index > 0 ? ifAllowed(keep) : undefined };
        }
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  });
}

/** Run one such act at a time, in all of the site's pages; the lock is held beyond the result, for what follows. */
function exclusively<Result>(
  name: string,
  act: () => Promise<{ result: Result; after: Promise<unknown> | undefined }>,
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

/** Fetch a file; where the host sends it as large as it is, take the variant that we unpack ourselves. */
async function download(address: string, how: RequestInit): Promise<Body> {
  const plain = await fetch(address, how);
  if (plain.ok && !plain.headers.get("Content-Encoding") && "DecompressionStream" in globalThis) {
    const packed = await fetch(`${address}.gz`, how);
    if (packed.ok && packed.body) {
      void plain.body?.cancel();
      return unpack(packed.body as Body);
    }
  }
  if (!plain.ok || !plain.body) {
    throw new Error(`${address}: the server answers ${plain.status}`);
  }
  return plain.body as Body;
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
  const isPacked = first?.[0] === 0x1f && first[1] === 0x8b;
  return isPacked ? rest.pipeThrough(new DecompressionStream("gzip")) : rest;
}

async function collect(body: Body, { size, path }: RuntimeFile, arrived: Arrived): Promise<Bytes> {
  const bytes = new Uint8Array(size);
  let count = 0;
  try {
    const reader = body.getReader();
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
