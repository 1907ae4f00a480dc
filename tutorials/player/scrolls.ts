/** By what readers scroll; what a page does by itself sends none of these. */
export const SCROLLS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
