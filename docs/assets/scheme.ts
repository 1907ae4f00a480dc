/** Light or dark: as the reader's system is, until they choose. */

import { recall, remember } from "./remember";

const CHOICES = ["auto", "light", "dark"] as const;
type Choice = (typeof CHOICES)[number];

const CHOSEN = "scheme";

const dark = matchMedia("(prefers-color-scheme: dark)");

export function schemes(): void {
  let choice = known(recall(CHOSEN));
  const buttons = Array.from(document.querySelectorAll<HTMLButtonElement>("[data-choose]"));
  dress(choice, buttons);
  dark.addEventListener("change", () => dress(choice, buttons));
  for (const button of buttons) {
    button.addEventListener("click", () => {
      choice = known(button.getAttribute("data-choose"));
      remember(CHOSEN, choice);
      dress(choice, buttons);
      buttons.find(({ hidden }) => !hidden)?.focus();
    });
  }
}

/** Whatever is kept, take of it only what it may be. */
function known(choice: unknown): Choice {
  return CHOICES.find((each) => each === choice) ?? "auto";
}

function dress(choice: Choice, buttons: readonly HTMLButtonElement[]): void {
  const isDark = choice === "dark" || (choice === "auto" && dark.matches);
  document.body.setAttribute("data-md-color-scheme", isDark ? "slate" : "default");
  for (const button of buttons) {
    button.hidden = button.getAttribute("data-while") !== choice;
  }
  // What the browser draws round the page.
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")) {
    meta.media = (meta.getAttribute("data-scheme") === "dark") === isDark ? "all" : "not all";
  }
}
