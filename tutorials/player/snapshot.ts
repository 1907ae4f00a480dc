/**
 * The snapshot: Python's memory with the engine in it, as this browser had it
 * on an earlier page. Python starts from it in a fraction of the time.
 *
 * It fits one build only. The worker's own address names that build, since it
 * has a hash of the worker in it, and the worker has the hashes of all else.
 */

import { cacheOf, drop, ifAllowed } from "./caches";
import { savesData } from "./saver";

const KEY = `${import.meta.url}?${encodeURIComponent(navigator.userAgent)}`;
/** A browser that has little room left has better uses for it. */
const ROOM = 300_000_000;

/** The snapshot that is kept for this build; its body is still to be read. */
export async function kept(): Promise<Response | undefined> {
  return ifAllowed(async () => (await cacheOf("memory"))?.match(KEY));
}

/** Keep a snapshot in the place of any other; not for readers who are short of room or of data. */
export async function keep(memory: Uint8Array<ArrayBuffer>): Promise<void> {
  await ifAllowed(async () => {
    const { quota = Number.POSITIVE_INFINITY, usage = 0 } =
      (await navigator.storage?.estimate()) ?? {};
    if (savesData() || quota - usage < ROOM) {
      return;
    }
    await forget();
    await (await cacheOf("memory"))?.put(KEY, new Response(memory));
  });
}

export function forget(): Promise<void> {
  return drop("memory", () => true);
}
