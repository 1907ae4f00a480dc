/**
 * The service worker: after one visit the whole site is here, in all its
 * languages and with its runtime, and needs no network.
 *
 * The build writes down every file of the site with its hash, so that a new
 * build is a new service worker. It takes over a file from the version before
 * if the hash is the same, fetches the others, checked by hash, and is only
 * ready when it has them all. Then it waits until no page of the old version is
 * open, or the reader asks for the new one. So a page never finds itself among
 * files of another version.
 */

import { cacheOf, drop, ifAllowed } from "./caches";
import { addressOf, files, keepFile, keepFiles, SNAPSHOT } from "./runtime";

/** Path below the site, with "" for what lies in a folder as index.html, and hash. */
declare const FILES: Readonly<Record<string, string>>;

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
declare const self: EventTarget & {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
};
type Listen<Type> = (event: Type) => void;
const on = <Type extends Event>(type: string, listen: Listen<Type>): void =>
  self.addEventListener(type, listen as Listen<Event>);

const ROOT = self.registration.scope;
/** How many files are fetched at a time: the reader's own requests come first. */
const AT_ONCE = 4;

/** What a file is kept under: its address and, as a query, its hash. */
const keyOf = (path: string): string =>
  `${ROOT}${path}?${encodeURIComponent(FILES[path] as string)}`;

on<Extendable>("install", (event) => event.waitUntil(install()));
on<Extendable>("activate", (event) => event.waitUntil(activate()));
on<MessageEvent>("message", ({ data }) => {
  if (data === "take over") {
    void self.skipWaiting();
  }
});
on<Fetching>("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const path = `${origin}${pathname}`.startsWith(ROOT)
    ? `${origin}${pathname}`.slice(ROOT.length).replace(/(^|\/)index\.html$/, "$1")
    : null;
  if (request.method !== "GET" || path === null) {
    return;
  }
  if (path in FILES) {
    event.respondWith(answer(path, request));
  } else if (`${path}/` in FILES) {
    event.respondWith(Promise.resolve(Response.redirect(`${ROOT}${path}/`)));
  } else if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => answer("404.html", request)));
  }
});

async function answer(path: string, request: Request): Promise<Response> {
  const kept = await ifAllowed(async () => (await cacheOf("site"))?.match(keyOf(path)));
  return kept ?? fetch(request);
}

async function install(): Promise<void> {
  const cache = await cacheOf("site");
  if (!cache) {
    throw new Error("there is no room for the site");
  }
  const paths = Object.keys(FILES);
  const fetchNext = async (): Promise<void> => {
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
      await keep(path, cache);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
  keepFiles();
  for (const part of [SNAPSHOT.program.wasm, SNAPSHOT.memory]) {
    await keepFile(part);
  }
}

async function keep(path: string, cache: Cache): Promise<void> {
  if (await cache.match(keyOf(path))) {
    return;
  }
  const how = { integrity: `sha256-${FILES[path]}`, cache: "no-cache" } as const;
  const response = await fetch(`${ROOT}${path}`, how);
  if (!response.ok) {
    throw new Error(`${path}: the server answers ${response.status}`);
  }
  // A new one, because a page must not come from a response that was redirected or is still packed.
  const headers = new Headers(response.headers);
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  await cache.put(keyOf(path), new Response(await response.blob(), { headers }));
}

/** Drop what only earlier versions needed, and serve the page that brought us. */
async function activate(): Promise<void> {
  const site = new Set(Object.keys(FILES).map(keyOf));
  const runtime = new Set(Object.keys(files).map(addressOf));
  await drop("site", (address) => !site.has(address));
  await drop("files", (address) => !runtime.has(address));
  await self.clients.claim();
}
