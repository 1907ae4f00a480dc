/**
 * The first script of a page with walkthroughs: it starts the worker, which
 * takes a while to come to itself, and in that while the page arrives. The
 * engine (engine.ts) takes it over. And it notes whether the reader scrolls
 * before the player is there. This is a plain script, since modules wait until
 * the browser finds time for them.
 */

import type { FromWorker } from "./protocol";
import { SCROLLS } from "./scrolls";

/** The worker's file, beside this one; its name has a hash that only the bundler knows. */
declare const WORKER_FILE: string;

/** A worker that nobody listens to yet, and what it has said meanwhile. */
export interface Early {
  readonly worker: Worker;
  readonly said: FromWorker[];
}

declare global {
  var rulewalkEarly: Early | undefined;
  /** The reader has done what may scroll the page. */
  var rulewalkScrolled: boolean | undefined;
}

const note = (): void => {
  globalThis.rulewalkScrolled = true;
};
for (const scrolls of SCROLLS) {
  addEventListener(scrolls, note, { capture: true, passive: true, once: true });
}

const { src } = document.currentScript as HTMLScriptElement;
try {
  const early: Early = {
    worker: new Worker(new URL(WORKER_FILE, src), { type: "module" }),
    said: [],
  };
  early.worker.onmessage = ({ data }) => early.said.push(data);
  early.worker.onerror = (event) => {
    event.preventDefault();
    globalThis.rulewalkEarly = undefined;
  };
  globalThis.rulewalkEarly = early;
} catch {
  // The engine starts one of its own, and whoever asks it is told.
}
