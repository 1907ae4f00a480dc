/**
 * The panel that passes a position on: its address, to be copied, sent or
 * photographed, and the code that shows it in another page.
 *
 * Loaded when somebody first wants it.
 */

import { encode } from "uqr";
import { short } from "./link";
import { make } from "./make";
import type { Markup } from "./markup";
import { Panel } from "./panel";
import type { Voice } from "./voice";

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

export class Sharing extends Panel {
  readonly #voice: Voice;
  readonly #address = field(make("input", { type: "url", className: "rw-address" }));
  readonly #code = field(make("textarea", { rows: 4, spellcheck: false }));
  readonly #picture = make("p", { className: "rw-qr" });

  constructor(markup: Markup, voice: Voice, closed: () => void) {
    super(markup, "share", ".rw-share", closed);
    this.#voice = voice;
    const embedding = make(
      "div",
      { hidden: true },
      make("label", {}, this.word("code"), this.#code),
      make("p", { className: "rw-bar" }, this.#copyButton(this.#code)),
    );
    const embed = this.button("embed", () => {
      embedding.hidden = !embedding.hidden;
      embed.setAttribute("aria-expanded", String(!embedding.hidden));
    });
    embed.setAttribute("aria-expanded", "false");
    this.open(
      this.#address,
      make("label", {}, this.word("address"), this.#address),
      make(
        "p",
        { className: "rw-bar" },
        this.#copyButton(this.#address),
        ...("share" in navigator ? [this.button("send", () => this.#send())] : []),
        embed,
        this.closer(),
      ),
      embedding,
      this.#picture,
    );
  }

  /** Pass on this link (link.ts), and no longer another. */
  show(link: string): void {
    const { name, reader } = this.markup;
    // The home of the language that the page is in.
    const home = new URL(reader.rulesBase || "../", location.href);
    const address = new URL(`${name.slice(0, -short(name).length)}${link}`, home).href;
    if (address === this.#address.value) {
      return;
    }
    this.#address.value = address;
    this.#picture.replaceChildren(...this.#qr(address));
    this.#code.value = this.#embedding(new URL(`embed/${name}/${link}`, home).href);
  }

  #copyButton(field: HTMLInputElement | HTMLTextAreaElement): HTMLButtonElement {
    const button = this.button("copy", async () => {
      const word = (await copied(field)) ? "copied" : "not-copied";
      this.#voice.tell(this.word(word));
      if (word === "copied") {
        button.textContent = this.word(word);
        setTimeout(() => {
          button.textContent = this.word("copy");
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
      return [document.createTextNode(this.word("too-long"))];
    }
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", this.word("qr"));
    const path = document.createElementNS(SVG, "path");
    const dark = rows.flatMap((row, y) => row.map((is, x) => (is ? `M${x} ${y}h1v1h-1z` : "")));
    path.setAttribute("d", dark.join(""));
    svg.append(path);
    return [svg];
  }

  #embedding(address: string): string {
    const { element } = this.markup;
    const frame = make("iframe", {
      src: address,
      title: element.getAttribute("aria-label") ?? "",
      width: "100%",
      height: String(element.offsetHeight - this.height + MARGIN),
      loading: "lazy",
    });
    // Set here, it would be a style in this page, which its policy forbids.
    return frame.outerHTML.replace(" ", ' style="border: 0" ');
  }
}

/** A field to be copied from: whoever comes to it has all of it selected. */
function field<Field extends HTMLInputElement | HTMLTextAreaElement>(made: Field): Field {
  made.readOnly = true;
  made.addEventListener("focus", () => made.select());
  return made;
}
