/**
 * The panel that passes a position on: its address, to be copied, sent or
 * photographed, and the code that shows it in another page.
 *
 * Loaded when somebody first wants it.
 */

import { encode } from "uqr";
import { short } from "./link";
import { make } from "./make";

/** What the panel must know of the walkthrough that it belongs to. */
export interface Subject {
  readonly name: string;
  /** The home of the language that the page is in. */
  readonly home: URL;
  /** Say something to whoever listens instead of looking. */
  readonly say: (words: string) => void;
  readonly closed: () => void;
}

/** Space in the embedded page around the walkthrough. */
const MARGIN = 24;

const SVG = "http://www.w3.org/2000/svg";

/** Copy what is in a field; false where the browser does not let us. It is selected in any case. */
async function copied(field: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // No clipboard for pages without encryption, or without permission: the old way, for what is selected.
    return document.execCommand("copy");
  }
}

export class Sharing {
  readonly #panel: HTMLElement;
  readonly #words: Readonly<Record<string, string>>;
  readonly #subject: Subject;
  readonly #address: HTMLInputElement;
  readonly #code: HTMLTextAreaElement;
  readonly #picture = make("p", { className: "rw-qr" });

  constructor(panel: HTMLElement, words: Readonly<Record<string, string>>, subject: Subject) {
    [this.#panel, this.#words, this.#subject] = [panel, words, subject];
    this.#address = this.#field(make("input", { type: "url", className: "rw-address" }));
    this.#code = this.#field(make("textarea", { rows: 4, spellcheck: false }));
    const embedding = make(
      "div",
      { hidden: true },
      make("label", {}, this.#word("code"), this.#code),
      make("p", { className: "rw-bar" }, this.#copyButton(this.#code)),
    );
    const embed = this.#button("embed", () => {
      embedding.hidden = !embedding.hidden;
      embed.setAttribute("aria-expanded", String(!embedding.hidden));
    });
    embed.setAttribute("aria-expanded", "false");
    panel.replaceChildren(
      make("label", {}, this.#word("address"), this.#address),
      make(
        "p",
        { className: "rw-bar" },
        this.#copyButton(this.#address),
        ...("share" in navigator ? [this.#button("send", () => this.#send())] : []),
        embed,
        this.#button("close", () => this.close()),
      ),
      embedding,
      this.#picture,
    );
    panel.addEventListener("keydown", this.#pressed);
    panel.hidden = false;
    this.#address.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  }

  /** Pass on this link (link.ts), and no longer another. */
  show(link: string): void {
    const { name, home } = this.#subject;
    const address = new URL(`${name.slice(0, -short(name).length)}${link}`, home).href;
    if (address === this.#address.value) {
      return;
    }
    this.#address.value = address;
    this.#picture.replaceChildren(...this.#qr(address));
    this.#code.value = this.#embedding(new URL(`embed/${name}/${link}`, home).href);
  }

  close(): void {
    this.#panel.removeEventListener("keydown", this.#pressed);
    this.#panel.hidden = true;
    this.#panel.replaceChildren();
    this.#subject.closed();
  }

  /** The walkthrough's own keys are not for here: arrows move in the fields. */
  readonly #pressed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.close();
    }
  };

  #copyButton(field: HTMLInputElement | HTMLTextAreaElement): HTMLButtonElement {
    const button = this.#button("copy", async () => {
      const word = (await copied(field)) ? "copied" : "not-copied";
      this.#subject.say(this.#word(word));
      if (word === "copied") {
        button.textContent = this.#word(word);
        setTimeout(() => {
          button.textContent = this.#word("copy");
        }, 2000);
      }
    });
    return button;
  }

  async #send(): Promise<void> {
    try {
      await navigator.share({ title: document.title, url: this.#address.value });
    } catch {
      // The reader thought better of it, or nothing there takes an address. It can still be copied.
    }
  }

  /** The address as a square of black on white, in any scheme of colours: cameras expect that. */
  #qr(address: string): Node[] {
    let rows: boolean[][];
    try {
      rows = encode(address, { border: 4 }).data;
    } catch {
      return [document.createTextNode(this.#word("too-long"))];
    }
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", this.#word("qr"));
    const path = document.createElementNS(SVG, "path");
    const dark = rows.flatMap((row, y) => row.map((is, x) => (is ? `M${x} ${y}h1v1h-1z` : "")));
    path.setAttribute("d", dark.join(""));
    svg.append(path);
    return [svg];
  }

  #embedding(address: string): string {
    const walkthrough = this.#panel.closest("rule-walkthrough") as HTMLElement;
    const frame = make("iframe", {
      src: address,
      title: walkthrough.getAttribute("aria-label") ?? "",
      width: "100%",
      height: String(walkthrough.offsetHeight - this.#panel.offsetHeight + MARGIN),
      loading: "lazy",
    });
    // Set here, it would be a style in this page, which its policy forbids.
    return frame.outerHTML.replace(" ", ' style="border: 0" ');
  }

  #field<Field extends HTMLInputElement | HTMLTextAreaElement>(field: Field): Field {
    field.readOnly = true;
    field.addEventListener("focus", () => field.select());
    return field;
  }

  #button(word: string, press: () => void): HTMLButtonElement {
    const button = make("button", { type: "button" }, this.#word(word));
    button.addEventListener("click", press);
    return button;
  }

  #word(name: string): string {
    return this.#words[`share-${name}`] ?? "";
  }
}
