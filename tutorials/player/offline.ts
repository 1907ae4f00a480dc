/** The page's side of the service worker: asks for it, and offers a new version of the site when there is one. */

/** Beside the site's home page, so that all of the site is its scope. */
const SCRIPT = new URL("../service-worker.js", import.meta.url);

/** Does the reader's browser ask for as little to be sent as can be? */
export function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

let wanted = true;

/** Whoever has just erased all that was kept does not want it back from this page. */
export function keepNothing(): void {
  wanted = false;
}

/** Keep the whole site in this browser; in private windows and in frames that may not be had. */
export async function keepSite(): Promise<void> {
  if (!wanted || !("serviceWorker" in navigator)) {
    return;
  }
  try {
    const registered = await navigator.serviceWorker.register(SCRIPT, { updateViaCache: "none" });
    if (!registered) {
      return; // so some tools block it
    }
    const follow = (): void => {
      offer(registered);
      registered.installing?.addEventListener("statechange", () => offer(registered));
    };
    registered.addEventListener("updatefound", follow);
    follow(); // the browser may have found one before we asked
  } catch (error) {
    console.info("The site is not kept for use without a network.", error);
  }
}

/** Offer the version that waits, unless this is the first one. */
function offer({ waiting, active }: ServiceWorkerRegistration): void {
  const notice = document.querySelector<HTMLElement>(".rw-update");
  if (!waiting || !active || !notice) {
    return;
  }
  notice.hidden = false;
  notice.querySelector("button")?.addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), {
      once: true,
    });
    waiting.postMessage("take over");
  });
}

/** How long to leave the page and its engine in peace, again and again while the engine is loading. */
const PEACE = 2500;

/** Once the page is there and has nothing better to do, unless the reader is short of data or reads in a frame. */
export function keepSiteLater(): void {
  const start = (): void => {
    setTimeout(() => {
      if (document.querySelector('[engine="loading"]')) {
        start();
      } else {
        void keepSite();
      }
    }, PEACE);
  };
  if (savesData() || window.top !== window) {
    return;
  }
  if (document.readyState === "complete") {
    start();
  } else {
    addEventListener("load", start, { once: true });
  }
}
