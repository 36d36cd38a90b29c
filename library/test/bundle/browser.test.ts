import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleSite, fixtures, repository } from "./bundle.js";
import { openBrowser } from "./chromium.js";
import { type Site, serve } from "./serve.js";

type Fingerprints = Readonly<Record<string, string>>;
declare global {
  // What fixtures/page.mjs puts on the page.
  var runHere: () => Promise<Fingerprints>;
  var runInWorker: () => Promise<Fingerprints>;
}

const SLOW = 120_000;
async function runInNode(threads: number): Promise<Fingerprints> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(fixtures, "in-node.mjs"),
    String(threads),
  ]);
  return JSON.parse(stdout);
}

describe("the same numbers everywhere", () => {
  let browser: Browser;
  let expected: Fingerprints;
  let files: Map<string, Uint8Array | string>;

  beforeAll(async () => {
    expected = await runInNode(1);
    files = new Map<string, Uint8Array | string>(
      await bundleSite({
        page: join(fixtures, "page.mjs"),
        "in-worker": join(fixtures, "in-worker.mjs"),
        worker: join(repository, "library/dist/background/worker.js"),
      }),
    );
    files.set("/", '<!doctype html><script type="module" src="/page.js"></script>');
    browser = await openBrowser();
  }, SLOW);

  afterAll(() => browser?.close());

  test("the models are all there, and a second fit has the bits of the first", () => {
    expect(Object.keys(expected).length).toBeGreaterThan(15);
    expect(expected["large, again"]).toBe(expected["large, first"]);
  });

  test("Node with threads", async () => expect(await runInNode(2)).toEqual(expected), SLOW);

  for (const isolated of [true, false]) {
    describe(isolated ? "a cross-origin isolated page" : "an ordinary page", () => {
      let site: Site;
      beforeAll(async () => {
        site = await serve(files, isolated);
      });
      afterAll(() => site?.close());

      const openPage = async () => {
        const page = await browser.newPage();
        page.on("pageerror", (error) => expect.unreachable(String(error)));
        await page.goto(site.origin);
        await page.waitForFunction(() => "runHere" in globalThis);
        expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(isolated);
        return page;
      };

      test(
        `on the page's own thread, ${isolated ? "helped by others" : "alone"}`,
        async () => {
          const page = await openPage();
          expect(await page.evaluate(() => globalThis.runHere())).toEqual(expected);
          const helpers = page.workers().filter((worker) => worker.url().startsWith("blob:"));
          expect(helpers.length > 0).toBe(isolated);
          await page.close();
        },
        SLOW,
      );

      test(
        "in a module worker",
        async () => {
          const page = await openPage();
          expect(await page.evaluate(() => globalThis.runInWorker())).toEqual(expected);
          await page.close();
        },
        SLOW,
      );
    });
  }
});
