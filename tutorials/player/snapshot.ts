/**
 * The snapshot: Python's memory with the engine in it, as this browser had it
 * on an earlier page. Python starts from it in a fraction of the time.
 *
 * It fits one build only. The worker's own address names that build, since it
 * has a hash of the worker in it, and the worker has the hashes of all else.
 */

import { cacheOf, drop, ifAllowed } from "./caches";
import { savesData } from "./offline";

const KEY = new URL(`?${encodeURIComponent(navigator.userAgent)}`, import.meta.url).href;
/** A browser that has little room left has better uses for it. */
const ROOM = 300_000_000;

/** Memory is kept without its empty blocks, which are most of it; so many numbers of four bytes are a block. */
const BLOCK = 4096;

/** The snapshot that is kept for this build, still to be unpacked. */
export async function kept(): Promise<Response | undefined> {
  return ifAllowed(async () => (await cacheOf("memory"))?.match(KEY));
}

/** The stretches of memory that are not empty: where each begins and ends, in numbers of four bytes. */
function filled(memory: Uint32Array): number[] {
  const ends: number[] = [];
  for (let begin = 0; begin < memory.length; begin += BLOCK) {
    if (memory.subarray(begin, begin + BLOCK).some(Boolean)) {
      if (ends.at(-1) === begin) {
        ends.pop(); // it goes on
      } else {
        ends.push(begin);
      }
      ends.push(Math.min(begin + BLOCK, memory.length));
    }
  }
  return ends;
}

/** How large it is, how many numbers follow, the ends of what is filled, and that. */
function pack(memory: Uint8Array<ArrayBuffer>): Blob {
  const numbers = new Uint32Array(memory.buffer, memory.byteOffset, memory.length / 4);
  const ends = filled(numbers);
  const parts = ends.flatMap((end, i) => (i % 2 ? [numbers.subarray(ends[i - 1], end)] : []));
  return new Blob([Uint32Array.of(numbers.length, ends.length, ...ends), ...parts]);
}

/** The memory as it was. */
export async function unpacked(snapshot: Response): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Uint32Array(await snapshot.arrayBuffer());
  const [length = 0, count = 0] = packed;
  const ends = packed.subarray(2, 2 + count);
  const memory = new Uint32Array(length);
  let at = 2 + count;
  for (let i = 0; i < count; i += 2) {
    const [begin = 0, end = 0] = ends.subarray(i);
    memory.set(packed.subarray(at, at + end - begin), begin);
    at += end - begin;
  }
  if (at !== packed.length) {
    throw new Error(`a snapshot has ${packed.length} numbers and not ${at}`);
  }
  return new Uint8Array(memory.buffer);
}

/** Keep a snapshot in the place of any other; not for readers who are short of room or of data. */
export async function keep(memory: Uint8Array<ArrayBuffer>): Promise<void> {
  await ifAllowed(async () => {
    const { quota = Number.POSITIVE_INFINITY, usage = 0 } =
      (await navigator.storage?.estimate()) ?? {};
    if (savesData() || quota - usage < ROOM) {
      return;
    }
    await (await cacheOf("memory"))?.put(KEY, new Response(pack(memory)));
    await drop("memory", (address) => address !== KEY);
  });
}

export function forget(): Promise<void> {
  return drop("memory", () => true);
}
