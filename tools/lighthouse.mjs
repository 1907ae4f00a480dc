// Runs Lighthouse over addresses and prints each one's four scores and what spoils them, as JSON.
//
//   CHROME_PATH=/usr/bin/chromium node tools/lighthouse.mjs URL…
//
// The browser is the system's. Nothing is asked of anybody but the addresses given.

import * as chromeLauncher from "chrome-launcher";
import lighthouse from "lighthouse";

const flags = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
];
const chrome = await chromeLauncher.launch({ chromeFlags: flags });
const reports = [];
try {
  for (const url of process.argv.slice(2)) {
    const { lhr } = await lighthouse(url, {
      port: chrome.port,
      logLevel: "error",
      disableFullPageScreenshot: true,
    });
    const scores = Object.entries(lhr.categories).map(([id, { score }]) => [
      id,
      Math.round(score * 100),
    ]);
    const spoils = Object.values(lhr.categories).flatMap(({ id, auditRefs }) =>
      auditRefs
        .filter((ref) => ref.weight > 0 && (lhr.audits[ref.id].score ?? 1) < 0.9)
        .map(
          (ref) => `${id}: ${lhr.audits[ref.id].title} (${lhr.audits[ref.id].displayValue ?? ""})`,
        ),
    );
    reports.push({ url, scores: Object.fromEntries(scores), spoils });
  }
} finally {
  await chrome.kill();
}
console.log(JSON.stringify(reports));
