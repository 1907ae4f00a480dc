/** The caches that this site has in the reader's browser: `site` and `files` (the runtime's). */

export const KINDS = ["site", "files"] as const;
export type Kind = (typeof KINDS)[number];

/** Where the site begins. Others may share its host, so what is kept is filed under its path. */
export const PATH = new URL("..", import.meta.url).pathname;

const nameOf = (kind: Kind): string => `rulewalk-${kind}:${PATH}`;

/** A cache, where the browser has one to give. */
export function cacheOf(kind: Kind): Promise<Cache | undefined> {
  return ifAllowed(() => caches.open(nameOf(kind)));
}

export async function erase(kind: Kind): Promise<void> {
  await ifAllowed(() => caches.delete(nameOf(kind)));
}

/** Drop what is not wanted of a cache. */
export async function drop(kind: Kind, unwanted: (address: string) => boolean): Promise<void> {
  await ifAllowed(async () => {
    const cache = await caches.open(nameOf(kind));
    for (const request of await cache.keys()) {
      if (unwanted(request.url)) {
        await cache.delete(request);
      }
    }
  });
}

/** How many bytes a cache holds; nothing is made where there is none. */
export async function sizeOf(kind: Kind): Promise<number> {
  const size = await ifAllowed(async () => {
    let sum = 0;
    if (await caches.has(nameOf(kind))) {
      const cache = await caches.open(nameOf(kind));
      for (const request of await cache.keys()) {
        sum += (await (await cache.match(request))?.blob())?.size ?? 0;
      }
    }
    return sum;
  });
  return size ?? 0;
}

/** Storage may be denied or full. Then nothing is kept, and nothing else is lost. */
export async function ifAllowed<T>(act: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await act();
  } catch {
    return undefined;
  }
}
