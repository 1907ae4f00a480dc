/**
 * The engine as the page sees it: one worker, shared by every walkthrough.
 *
 * On pages with walkthroughs the worker is there before this (early.ts), and
 * this before the rest of the player. So Python wakes while the page is still
 * being laid out: at once where all it takes is kept already, else when the
 * page itself is here.
 */

import type { Early } from "./early";
import { savesData } from "./offline";
import type {
  Answered,
  Asked,
  FromWorker,
  Play,
  Played,
  Replay,
  Replayed,
  ToWorker,
  Unreadable,
} from "./protocol";

/** The worker's file, beside this one; its name has a hash that only the bundler knows. */
declare const WORKER_FILE: string;

/** Heard on the document while the runtime arrives; its detail is how much is here, from 0 to 1. */
export const PROGRESS = "rulewalk:progress";

/** Why an answer does not come: the engine was stopped to be started anew. Nothing else is wrong. */
export class Restarted extends Error {}

interface Waiting {
  readonly resolve: (answer: string) => void;
  readonly reject: (reason: Error) => void;
}

let questions = 0;
const waiting = new Map<number, Waiting>();
let worker = globalThis.rulewalkEarly ? take(globalThis.rulewalkEarly) : null;

/** Ask the engine; the answer comes when it comes, so set a clock beside it. */
export function ask(question: Replay): Promise<Replayed>;
export function ask(question: Play): Promise<Played>;
export async function ask(question: Replay | Play): Promise<unknown> {
  worker ??= start();
  const asked: Asked = { id: ++questions, question: JSON.stringify(question) };
  const answer = new Promise<string>((resolve, reject) => {
    waiting.set(asked.id, { resolve, reject });
  });
  worker.postMessage(asked);
  const told = JSON.parse(await answer) as Replayed | Played | Unreadable;
  if (!("step" in told || "steps" in told)) {
    throw new Error(told.error.message);
  }
  return told;
}

/** Give the worker up, and with it all that it was asked. The next question starts another. */
export function stop(reason: Error): void {
  worker?.terminate();
  worker = null;
  for (const { reject } of waiting.values()) {
    reject(reason);
  }
  waiting.clear();
}

// A page that is left may be kept as it is, for whoever comes Back; in Safari with the locks of its
// worker, on which the next page would wait in vain. So the worker is not kept with it.
addEventListener("pagehide", ({ persisted }) => {
  if (persisted) {
    worker?.terminate();
    worker = null;
  }
});

/** A worker that is there already; it is told to begin once it is in nobody's way. */
function take({ worker: early, said }: Early): Worker {
  listen(early);
  said.forEach(hear);
  if (!savesData()) {
    // By then the page can be stepped through.
    addEventListener("DOMContentLoaded", () => early.postMessage("begin" satisfies ToWorker));
  }
  return early;
}

function start(): Worker {
  return listen(new Worker(new URL(WORKER_FILE, import.meta.url), { type: "module" }));
}

function listen(to: Worker): Worker {
  to.onmessage = ({ data }: MessageEvent<FromWorker>) => hear(data);
  // The script did not arrive, or broke outside of any question.
  to.onerror = (event) => {
    event.preventDefault(); // whoever waits is told
    stop(new Error(event.message ?? "the worker did not start"));
  };
  return to;
}

function hear(message: FromWorker): void {
  if ("progress" in message) {
    document.dispatchEvent(new CustomEvent(PROGRESS, { detail: message.progress }));
  } else if ("started" in message) {
    performance.mark("rulewalk:started", { detail: message.started }); // for tests and measurements
  } else {
    settle(message);
  }
}

function settle(answered: Answered): void {
  const { resolve, reject } = waiting.get(answered.id) ?? {};
  waiting.delete(answered.id);
  if ("answer" in answered) {
    resolve?.(answered.answer);
  } else {
    reject?.(new Error(answered.failure));
  }
}
