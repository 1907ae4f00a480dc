/**
 * A walkthrough alone on the screen, for a class to read from ten metres.
 *
 * The browser's full screen where it is to be had, and else all of the window.
 * Either way nothing else can be reached until the reader leaves it.
 */

/** Of the size that it should have, how little is still worth it; then there is scrolling. */
const SMALLEST = 0.4;

/** Enlarge an element; `left` is called once, however it is left. The function returned leaves it. */
export function enlarge(element: HTMLElement, left: () => void): () => void {
  const hidden = rest(element);
  const scrolled = window.scrollY;
  const leave = (): void => {
    if (!element.classList.contains("rw-large")) {
      return;
    }
    element.classList.remove("rw-large");
    document.documentElement.classList.remove("rw-is-large");
    document.removeEventListener("fullscreenchange", changed);
    fitting.disconnect();
    element.style.removeProperty("--rw-fit");
    for (const each of hidden) {
      each.inert = false;
    }
    if (document.fullscreenElement) {
      void document.exitFullscreen();
    }
    window.scrollTo({ top: scrolled, behavior: "instant" });
    left();
  };
  const changed = (): void => {
    if (document.fullscreenElement !== element) {
      leave();
    }
  };
  const fitting = new ResizeObserver(() => fit(element));
  for (const each of hidden) {
    each.inert = true;
  }
  element.classList.add("rw-large");
  document.documentElement.classList.add("rw-is-large");
  document.addEventListener("fullscreenchange", changed);
  fitting.observe(element);
  // Not on every phone, and not in every frame: then it fills what there is.
  element.requestFullscreen?.().catch(() => undefined);
  return leave;
}

/** As large as fits on the screen without scrolling: every step is in the same place, so all of them do. */
function fit(element: HTMLElement): void {
  const steps = element.querySelector(".rw-steps") as HTMLElement;
  for (let size = 1; size >= SMALLEST; size -= 0.05) {
    element.style.setProperty("--rw-fit", String(size));
    if (steps.scrollHeight <= steps.clientHeight) {
      return;
    }
  }
}

/** All that is beside an element in the page, and not hidden from the reader already. */
function rest(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let each: HTMLElement | null = element; each?.parentElement; each = each.parentElement) {
    for (const other of each.parentElement.children) {
      if (other !== each && other instanceof HTMLElement && !other.inert) {
        found.push(other);
      }
    }
  }
  return found;
}
