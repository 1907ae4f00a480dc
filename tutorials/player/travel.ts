/**
 * Cards on their way. Given the table as it was and as it is, both laid out on
 * the same spot, work out which card went where and let it be seen to go.
 *
 * Only the eye is served here: when this does nothing, the page is right too.
 */

/** One card's way, as the renderer tells it; places are `stock`, `hand:Lena`, `books:Lena`, … */
export interface Way {
  readonly card: string | null;
  readonly from: string;
  readonly to: string;
}

interface Card {
  readonly element: HTMLElement;
  readonly code: string;
  readonly place: string;
  readonly at: Point;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const DURATION = 450;
/** Of several cards, each sets out a little after the one before. */
const INTERVAL = 70;
/** How much longer all of it takes in the large view: the way is longer there, and is followed from the back row. */
const LARGE = 2;
const EASING = "cubic-bezier(0.3, 0, 0.2, 1)";

/** Read the ways that a step's own markup tells. */
export function waysOf(step: Element): Way[] {
  const told = step.querySelector("[data-moves]")?.getAttribute("data-moves");
  return told ? (JSON.parse(told) as Way[]) : [];
}

/** The same ways, walked back. */
export function reversed(ways: readonly Way[]): Way[] {
  return ways.map(({ card, from, to }) => ({ card, from: to, to: from }));
}

/** Show the cards going from where they were to where they are. Cuts short whatever still moves. */
export function travel(before: Element, after: Element, ways: readonly Way[]): void {
  settle(before);
  settle(after);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return;
  }
  const [was, is] = [before, after].map((step) => step.querySelector(".rw-table"));
  if (!was || !is) {
    return;
  }
  const { moved, gone, come } = match(cards(was), cards(is));
  const left = [...ways];
  const times = after.closest(".rw-large") ? LARGE : 1;
  let travellers = 0;
  const set = (card: Card, from: Point, to: Point, frames: PropertyIndexedKeyframes = {}): void => {
    // The card is drawn where it is; it is moved from there by the difference.
    const offset = ({ x, y }: Point) => `translate(${x - card.at.x}px, ${y - card.at.y}px)`;
    card.element.animate(
      { transform: [offset(from), offset(to)], zIndex: ["2", "2"], ...frames },
      {
        duration: DURATION * times,
        delay: INTERVAL * times * travellers,
        easing: EASING,
        fill: "backwards",
      },
    );
  };

  for (const [from, to] of moved) {
    if (Math.hypot(from.at.x - to.at.x, from.at.y - to.at.y) >= 1) {
      set(to, from.at, to.at);
      travellers += from.place === to.place ? 0 : 1;
    }
  }
  for (const card of come) {
    const way = take(left, (way) => way.card === card.code && way.to === card.place);
    const from = way && (placed(was, way.from) ?? placed(is, way.from));
    set(card, from ?? card.at, card.at, { opacity: from ? [0.4, 1] : [0, 1] });
    travellers += from ? 1 : 0;
  }
  for (const card of gone) {
    const way = take(left, (way) => way.card === card.code && way.from === card.place);
    const to = way && (placed(is, way.to) ?? placed(was, way.to));
    if (to) {
      // It belongs to the step just left, which is hidden; only the card stays in sight for its way.
      set(card, card.at, to, { visibility: ["visible", "visible"], opacity: [1, 0.4] });
      travellers += 1;
    }
  }
}

function settle(step: Element): void {
  for (const animation of step.getAnimations({ subtree: true })) {
    animation.cancel();
  }
}

function cards(table: Element): Card[] {
  return Array.from(table.querySelectorAll<HTMLElement>("[data-card]"), (element) => ({
    element,
    code: element.getAttribute("data-card") ?? "",
    place: element.closest("[data-place]")?.getAttribute("data-place") ?? "",
    at: within(table, element),
  }));
}

/** Pair the cards of two tables: of twins first those that stay where they are. */
function match(before: readonly Card[], after: readonly Card[]) {
  const gone = [...before];
  const pairs = new Map<Card, Card>();
  for (const stays of [true, false]) {
    for (const card of after) {
      const earlier = pairs.has(card)
        ? undefined
        : take(gone, ({ code, place }) => code === card.code && (!stays || place === card.place));
      if (earlier) {
        pairs.set(card, earlier);
      }
    }
  }
  const moved = Array.from(pairs, ([to, from]) => [from, to] as const);
  return { moved, gone, come: after.filter((card) => !pairs.has(card)) };
}

/** Take out of a list the first that fits. */
function take<T>(list: T[], fits: (one: T) => boolean): T | undefined {
  const index = list.findIndex(fits);
  return index < 0 ? undefined : list.splice(index, 1)[0];
}

/**
 * Where a place is on a table: the pile it is drawn as, of several that which has just grown. A place
 * that is not drawn while empty is where its player sits.
 */
function placed(table: Element, place: string): Point | undefined {
  const [, player] = place.split(/:(.*)/s);
  const element =
    table.querySelector(`[data-place="${CSS.escape(place)}"]`) ??
    (player === undefined ? null : table.querySelector(`[data-player="${CSS.escape(player)}"]`));
  const pile = element?.querySelector(":scope > .rw-moved") ?? element?.lastElementChild ?? element;
  return pile ? within(table, pile) : undefined;
}

/** The middle of an element, seen from its table's corner. */
function within(table: Element, element: Element): Point {
  const [outer, inner] = [table.getBoundingClientRect(), element.getBoundingClientRect()];
  return {
    x: inner.left - outer.left + inner.width / 2,
    y: inner.top - outer.top + inner.height / 2,
  };
}
