import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { firstDocument, type StudioDocument } from "../src/state/document.js";
import { linkTo } from "../src/state/link.js";
import { type Opened, openStudio } from "./browser.js";

/** Opens Inspect with one model. */
export const inspecting =
  (browser: Browser, address: string) =>
  async (estimator: string, changes: Partial<StudioDocument> = {}, params = {}): Promise<Opened> => {
    const document: StudioDocument = {
      ...firstDocument,
      screen: "inspect",
      models: [{ id: "m1", estimator, params }],
      selected: "m1",
      ...changes,
    };
    return openStudio(browser, address + (await linkTo(document)), { bypassCSP: true });
  };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await checker.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
  });
}

/** The hash of the large picture. */
export const picture = (page: Page): Promise<string> =>
  page.locator(".explorer canvas").evaluate(async (canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
    return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  });

/** The picture once nothing finer follows. */
export async function settled(page: Page): Promise<string> {
  let last = "";
  for (let same = 0; same < 4; ) {
    const now = await picture(page);
    same = now === last ? same + 1 : 0;
    last = now;
    await page.waitForTimeout(200);
  }
  return last;
}
