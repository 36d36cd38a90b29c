import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ridge, StandardScaler } from "argmax";
import { build } from "vite";
import { afterAll, expect, test } from "vitest";
import { fixtures } from "./bundle.js";
import { openBrowser } from "./chromium.js";
import { installTarball } from "./installed.js";
import { serve } from "./serve.js";

declare global {
  // What fixtures/vite-page.mjs puts on the page.
  var ranInBackground: Promise<number[]>;
}

const { folder, remove } = installTarball();
afterAll(remove);

/** An app as a user has it: a page, a script, the package; no configuration. */
async function buildApp(): Promise<Map<string, Uint8Array>> {
  copyFileSync(join(fixtures, "vite-page.mjs"), join(folder, "main.js"));
  writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="/main.js"></script>');
  await build({ root: folder, configFile: false, logLevel: "silent", mode: "production" });
  const files = readdirSync(join(folder, "dist"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [path.slice(join(folder, "dist").length), readFileSync(path)]));
}

test("Vite bundles the background worker without being told", async () => {
  const files = await buildApp();
  const worker = [...files.keys()].filter((path) => /worker-.*\.js$/.test(path));
  expect(worker).toHaveLength(1);
  files.set("/", files.get("/index.html")!);
  const site = await serve(files, false);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(site.origin);
    await page.waitForFunction(() => "ranInBackground" in globalThis);
    const found = await page.evaluate(() => globalThis.ranInBackground);
    const X = [
      [1, 2],
      [3, 5],
      [4, 4],
    ];
    const ridge = new Ridge().fit(X, [1, 2, 3]);
    expect(found).toEqual([...new StandardScaler().fit(X).mean, ...ridge.coef]);
  } finally {
    await browser.close();
    await site.close();
  }
}, 120_000);
