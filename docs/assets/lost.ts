/**
 * On the page for addresses where there is none, of a site that was built
 * without knowing its own: that page names everything from the host's root, but
 * the site may lie below a path. This script is asked for at every height above
 * the address that was wanted, and where it is found, the site begins.
 */

const { src } = document.currentScript as HTMLScriptElement;
const root = new URL("..", src);

if (root.pathname !== "/") {
  for (const element of document.querySelectorAll("[href^='/'], [src^='/']")) {
    const name = element.hasAttribute("href") ? "href" : "src";
    element.setAttribute(name, root.href + (element.getAttribute(name) ?? "").slice(1));
    if (element instanceof HTMLScriptElement) {
      const again = document.createElement("script");
      for (const attribute of element.attributes) {
        again.setAttribute(attribute.name, attribute.value);
      }
      element.replaceWith(again); // only a new one is fetched
    }
  }
}
