/** What the shell remembers of a reader: in their own browser, for good or until they close the tab. */

/** Where the site begins. Others may share its host, so what is kept is filed under its path. */
export const ROOT = new URL("..", (document.currentScript as HTMLScriptElement).src);

type Keeper = "localStorage" | "sessionStorage";

/** What was remembered under a key; null where that is nothing, or the browser keeps nothing. */
export function recall(key: string, keeper: Keeper = "localStorage"): unknown {
  try {
    return JSON.parse(globalThis[keeper].getItem(`${ROOT.pathname}.${key}`) ?? "null");
  } catch {
    return null;
  }
}

export function remember(key: string, value: unknown, keeper: Keeper = "localStorage"): void {
  try {
    globalThis[keeper].setItem(`${ROOT.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // Denied, or full; then nothing is remembered, and nothing else is lost.
  }
}
