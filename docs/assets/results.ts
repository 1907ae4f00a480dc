/**
 * What the search finds. Loaded when somebody goes there, with the index of the
 * page's language (`tools/search.py`).
 */

import MiniSearch, { type SearchResult } from "minisearch";
import { make } from "../../tutorials/player/make";

/** A section, or a rule: what it is called, where it stands, and its text. */
interface Entry {
  readonly location: string;
  readonly title: string;
  readonly within: string;
  readonly text: string;
}

/** How many are shown; nobody reads more. */
const MOST = 30;
/** How much of a text is shown, and how much of that stands before the word that was found. */
const [LENGTH, BEFORE] = [180, 50];

/** A rule's number, or its beginning, is one word; it may be written with a space, or with nothing. */
const WORDS = /\b(?:bf|gf|er)[\s-]?\d+(?:\.\d+)?|[\p{L}\p{N}]+/giu;

export class Results {
  readonly #list: HTMLElement;
  readonly #told: HTMLElement;
  readonly #home: URL;
  readonly #index: Promise<MiniSearch<Entry>>;
  #query = "";

  constructor(place: HTMLElement) {
    this.#list = place.querySelector(".md-search-result__list") as HTMLElement;
    this.#told = place.querySelector(".md-search-result__meta") as HTMLElement;
    this.#home = new URL(place.getAttribute("data-home") ?? ".", location.href);
    this.#index = this.#load();
  }

  /** Show what is found by a query. */
  async find(query: string): Promise<void> {
    this.#query = query;
    const index = await this.#index;
    if (query !== this.#query) {
      return; // the reader has typed on
    }
    const all = index.search(query, { combineWith: "AND" });
    const found = all.length > 0 ? all : index.search(query, { combineWith: "OR" });
    this.#tell(query.trim(), found.length);
    this.#list.replaceChildren(...found.slice(0, MOST).map((one) => this.#item(one)));
  }

  async #load(): Promise<MiniSearch<Entry>> {
    const answer = await fetch(new URL("search.json", this.#home));
    if (!answer.ok) {
      throw new Error(`the search's index: the server answers ${answer.status}`);
    }
    const index = new MiniSearch<Entry>({
      idField: "location",
      fields: ["title", "text"],
      storeFields: ["title", "within", "text"],
      tokenize: (text) => text.match(WORDS) ?? [],
      processTerm: plain,
      searchOptions: {
        boost: { title: 4 },
        prefix: true,
        fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? 0.2 : false),
      },
    });
    index.addAll((await answer.json()) as Entry[]);
    return index;
  }

  #tell(query: string, count: number): void {
    const { placeholder = "", none = "", one = "", other = "" } = this.#told.dataset;
    const number = new Intl.NumberFormat(document.documentElement.lang).format(count);
    const some = count === 1 ? one : other.replace("#", number);
    this.#told.textContent = query === "" ? placeholder : count === 0 ? none : some;
  }

  #item({ id, title, within, text, terms }: SearchResult): HTMLElement {
    const found = new Set(terms);
    const heading = make("p", { className: "rw-found-title" }, ...marked(title, found));
    const parts = [heading, make("p", { className: "rw-found-within" }, within)];
    const told = excerpt(text, found);
    if (told) {
      parts.push(make("p", { className: "rw-found-text" }, ...marked(told, found)));
    }
    const { href } = new URL(id, this.#home);
    const link = make("a", { className: "md-search-result__link", href }, ...parts);
    return make("li", { className: "md-search-result__item" }, link);
  }
}

/** A word as it is compared: without accents, and a rule's number as rules are written. */
function plain(word: string): string {
  const bare = word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return bare.replace(/^(bf|gf|er)[\s-]?(?=\d)/, "$1-");
}

/** What of a text stands around the first word that was found. */
function excerpt(text: string, found: ReadonlySet<string>): string {
  const [first] = Array.from(text.matchAll(WORDS)).filter(([word]) => found.has(plain(word)));
  const from = Math.max(0, (first?.index ?? 0) - BEFORE);
  const start = from > 0 ? text.indexOf(" ", from) + 1 : 0;
  const cut = text.slice(start, start + LENGTH);
  const whole = start + LENGTH >= text.length ? cut : cut.slice(0, cut.lastIndexOf(" "));
  return `${start > 0 ? "… " : ""}${whole}${whole === cut ? "" : " …"}`;
}

/** A text in which the words that were found are marked. It comes from our pages, but stays text. */
function marked(text: string, found: ReadonlySet<string>): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (found.has(plain(word))) {
      parts.push(text.slice(end, index), make("mark", {}, word));
      end = index + word.length;
    }
  }
  return [...parts, text.slice(end)];
}
