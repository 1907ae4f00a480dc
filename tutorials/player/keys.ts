/** The keys of a walkthrough that has the focus, as the names of the buttons that do the same. */

/** What keys mean depends on where they are pressed. */
export interface Situation {
  readonly isOwn: boolean;
  readonly isBranch: boolean;
  readonly isLarge: boolean;
  /** Whether the reader wants more keys than Escape, and those of a remote control. */
  readonly wanted: boolean;
}

const STEPS: Readonly<Record<string, string>> = {
  ArrowLeft: "back",
  ArrowRight: "next",
  Home: "restart",
  End: "last",
  "?": "more",
};

/** What a presenter's remote control sends. */
const REMOTE: Readonly<Record<string, string>> = { PageUp: "back", PageDown: "next" };

/** The button that a key stands for, if it does. */
export function buttonOf(
  { altKey, ctrlKey, metaKey, shiftKey, key, target }: KeyboardEvent,
  { isOwn, isBranch, isLarge, wanted }: Situation,
): string | undefined {
  if (altKey || ctrlKey || metaKey || (shiftKey && key !== "?")) {
    return undefined;
  }
  if (isOwn) {
    // The panel's own keys, such as arrows among numbers, come first.
    return key === "Escape" ? "story" : undefined;
  }
  if (key === "Escape") {
    return isBranch ? "rejoin" : isLarge ? "large" : undefined;
  }
  if (isLarge && REMOTE[key]) {
    return REMOTE[key];
  }
  if (!wanted) {
    return undefined;
  }
  if (key === " ") {
    return (target as Element).closest("button, a") ? undefined : "play";
  }
  return STEPS[key];
}
