/**
 * The worker: Python and the engine, away from the page's own thread.
 *
 * It answers each question in the order asked. Questions that come while
 * Python is still loading simply wait for it.
 */

import type { PyodideInterface } from "pyodide";
import type { Answered, Asked } from "./protocol";

type Handle = (question: string) => string;

const RUNTIME = new URL("runtime/", import.meta.url).href;

async function load(): Promise<Handle> {
  const { loadPyodide } = (await import(`${RUNTIME}pyodide.mjs`)) as {
    loadPyodide: (options: object) => Promise<PyodideInterface>;
  };
  const python = await loadPyodide({
    indexURL: RUNTIME,
    lockFileURL: `${RUNTIME}pyodide-lock.json`,
    packages: ["rulewalk"],
  });
  return python.pyimport("rulewalk.host").handle as Handle;
}

const loading = load();

async function answer({ id, question }: Asked): Promise<Answered> {
  try {
    const handle = await loading;
    return { id, answer: handle(question) };
  } catch (error) {
    return { id, failure: String(error) };
  }
}

self.addEventListener("message", async (event: MessageEvent<Asked>) => {
  self.postMessage(await answer(event.data));
});

// A failure to load is told to whoever asks; nobody may have asked yet.
loading.catch(() => undefined);
