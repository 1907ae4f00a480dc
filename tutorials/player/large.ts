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
    element.removeAttribute("tabindex");
    document.removeEventListener("fullscreenchange", changed);
    document.removeEventListener("keydown", pressed);
    fitting.disconnect();
    element.style.removeProperty("--rw-fit");
    for (const each of hidden) {
      each.inert = false;
    }
    const back = (): void => {
      window.scrollTo({ top: scrolled, behavior: "instant" });
      left();
    };
    if (document.fullscreenElement) {
      // Only then is the element back in its place, and the page as high as it was.
      void document.exitFullscreen().then(back, back);
    } else {
      back();
    }
  };
  const changed = (): void => {
    if (document.fullscreenElement !== element) {
      leave();
    }
  };
  // Whoever has left it with the Tab key finds nothing else in the page to press Escape in.
  const pressed = ({ key, target }: KeyboardEvent): void => {
    if (key === "Escape" && !element.contains(target as Node)) {
      leave();
    }
  };
  const steps = element.querySelector(".rw-steps") as HTMLElement;
  const fitting = new ResizeObserver(() => fit(element, steps));
  for (const each of hidden) {
    each.inert = true;
  }
  element.classList.add("rw-large");
  document.documentElement.classList.add("rw-is-large");
  // Whoever clicks beside table and buttons still has the keys, and the remote control.
  element.tabIndex = -1;
  document.addEventListener("fullscreenchange", changed);
  document.addEventListener("keydown", pressed);
  fitting.observe(steps); // its room is what the screen and all around it leave
  // Not on every phone, and not in every frame: then it fills what there is.
  element.requestFullscreen?.().catch(() => undefined);
  return leave;
}

/** As large as fits without scrolling: every step is in the same place, so all do. Else, as little to scroll as can be. */
function fit(element: HTMLElement, steps: HTMLElement): void {
  const set = (size: number): void => element.style.setProperty("--rw-fit", String(size));
  let [best, least] = [1, Number.POSITIVE_INFINITY];
  for (let size = 1; size >= SMALLEST && least > 0; size -= 0.05) {
    set(size);
    const beyond = steps.scrollHeight - steps.clientHeight;
    if (beyond < least) {
      [best, least] = [size, beyond];
    }
  }
  set(best);
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
