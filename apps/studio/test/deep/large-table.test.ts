import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openStudio, serveStudio, show } from "../browser.js";

let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), "studio-"));
const path = join(folder, "large.csv");

/** 100,000 rows: 17 numbers with gaps, two categories and a text. */
beforeAll(async () => {
  browser = await launch();
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const lines = [[...Array.from({ length: 17 }, (_, j) => `x${j}`), "region", "remark", "class"].join(",")];
  for (let i = 0; i < 100_000; i++) {
    const numbers = Array.from({ length: 17 }, () => (random() < 0.01 ? "" : (random() * 100).toFixed(3)));
    const label = Number(numbers[0]) + Number(numbers[1]) > 100 ? "high" : "low";
    lines.push([...numbers, `region ${Math.floor(random() * 30)}`, `remark no ${i}`, label].join(","));
  }
  writeFileSync(path, lines.join("\n"));
}, 60_000);
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Tasks of the page over 50 ms from now on. */
const watchTasks = (page: Page) =>
  page.evaluate(() => {
    const long: string[] = [];
    Object.assign(globalThis, { long });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        long.push(`${Math.round(duration)} ms at ${Math.round(startTime)}`);
    }).observe({ type: "longtask" });
  });
const longTasks = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { long: readonly string[] }).long);

/** Looks rarely: the search for a text is a task of the page, too. */
const until = (page: Page, isThere: () => boolean) =>
  page.waitForFunction(isThere, null, { polling: 250, timeout: 60_000 });

/** Milliseconds of processor time that the longest task of the page took, in a trace. */
function longestWork(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const key = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(traceEvents.filter(({ args }) => args?.name === "CrRendererMain").map(key));
  const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && pages.has(key(event)));
  expect(tasks.length).toBeGreaterThan(100);
  const longest = tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
  expect(longest).toBeGreaterThan(1);
  return longest;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Opens the file, looks at it, changes columns and trains; returns the tasks of the page over 50 ms, by the clock or of work. */
async function longTasksOf(address: string): Promise<readonly string[]> {
  const { page, close } = await openStudio(browser, address);
  await show(page, "Data");
  await page.waitForSelector(".cards .figures");
  await browser.startTracing(page, { categories: ["toplevel"] });
  await watchTasks(page);
  await page.locator("input[type=file]").setInputFiles(path);
  await until(page, () => document.querySelectorAll(".card .figures").length === 20);
  expect(await page.locator(".data-head").textContent()).toContain("100,000 rows of 20 columns");
  // The table is scrolled, a kind and a role change.
  for (const top of [1e5, 5e5, 1e6]) {
    await page.locator(".rows-window").evaluate((box, to) => box.scrollTo({ top: to }), top);
    await page.waitForTimeout(50);
  }
  await page.getByLabel("Kind of x3").selectOption("category");
  await until(page, () => document.querySelectorAll(".card .frequent").length === 4);
  await page.getByLabel("Kind of x3").selectOption("number");
  await page.getByLabel("Role of region").selectOption("ignore");
  await until(
    page,
    () => document.querySelector(".train-now")?.textContent?.includes("it takes about") === true,
  );
  await page.getByRole("button", { name: "Train 6 models" }).click();
  await page.waitForTimeout(3000);
  // The pictures of the bench follow the models as they are trained.
  await show(page, "Bench");
  await page.waitForTimeout(5000);
  const work = longestWork(await browser.stopTracing());
  const found = [...(await longTasks(page)), ...(work < 50 ? [] : [`${Math.round(work)} ms of work`])];
  await page.getByRole("button", { name: "Cancel all" }).click();
  await close();
  return found;
}

/**
 * The clock runs on while other programs have the processor, and code that waits for its compiler works longer: what the page itself does too
 * slowly is too slow every time.
 */
const ATTEMPTS = 3;

test.each([true, false])(
  "100,000 × 20 cells are loaded, described and learned from without a task over 50 ms (isolated: %s)",
  async (isolated) => {
    const { address, server } = await serveStudio(isolated);
    const attempts: (readonly string[])[] = [];
    do attempts.push(await longTasksOf(address));
    while (attempts.at(-1)!.length > 0 && attempts.length < ATTEMPTS);
    expect(attempts.at(-1), JSON.stringify(attempts)).toEqual([]);
    server.close();
  },
  180_000,
);
