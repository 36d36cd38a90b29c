import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { drawBoundary } from "../src/draw/boundary.js";
import { light } from "../src/draw/colors.js";
import { firstDocument } from "../src/state/document.js";
import { linkTo } from "../src/state/link.js";
import { table } from "../src/work/answers/tables.js";
import { train } from "../src/work/answers/train.js";
import { Held } from "../src/work/held.js";
import type { Grid, TrainNews } from "../src/work/protocol.js";
import { openStudio, serveStudio, show, startStudio, trained } from "./browser.js";
import { speciesRoles } from "./worker-context.js";

const { browser, studio: isolated } = await startStudio();

const screens = ["Data", "Bench", "Inspect", "Evaluate", "Ship", "Learn"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

describe("the first opening", () => {
  test("trains six models without a click, from this origin alone, with and without isolation", async () => {
    const open = await serveStudio(false);
    for (const [address, isolation] of [
      [isolated.address, true],
      [open.address, false],
    ] as const) {
      const { page, close } = await openStudio(browser, address);
      await trained(page);
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolation);
      await expect(page.locator(".tile").count()).resolves.toBe(6);
      expect(await page.locator(".tray [role=status]").textContent()).toContain("Nothing was uploaded");
      await close();
    }
    open.server.close();
  }, 60_000);

  test("draws the pixels that Node draws", async () => {
    const { page } = await openStudio(browser, isolated.address);
    await trained(page);
    // Pictures are drawn one after the other.
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLCanvasElement>(".tile canvas")].every(({ height }) => height === 300),
    );
    await page.waitForTimeout(300);
    const drawn = await page.locator(".tile canvas").evaluateAll((all) =>
      Promise.all(
        (all as HTMLCanvasElement[]).map(async (canvas) => {
          const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
          const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
          const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
          return [canvas.closest<HTMLElement>(".tile")!.dataset["model"]!, hex] as const;
        }),
      ),
    );
    const expected = await tilesInNode();
    for (const [model, found] of drawn) expect([model, found]).toEqual([model, hash(expected.get(model)!)]);
    expect(drawn).toHaveLength(6);
    await page.context().close();
  }, 60_000);

  test("loads at most 80 KB of scripts on the page", () => {
    const dist = new URL("../dist/", import.meta.url);
    const page = readFileSync(new URL("index.html", dist), "utf8");
    const scripts = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path!);
    expect(scripts.length).toBeGreaterThan(0);
    const bytes = scripts.reduce((sum, path) => sum + gzipSync(readFileSync(new URL(path, dist))).length, 0);
    expect(bytes).toBeLessThan(80 * 1024);
    const styles = readdirSync(fileURLToPath(new URL("assets", dist))).filter((name) =>
      name.endsWith(".css"),
    );
    const css = styles.reduce(
      (sum, name) => sum + gzipSync(readFileSync(new URL(`assets/${name}`, dist))).length,
      0,
    );
    expect(css).toBeLessThan(12 * 1024);
  });

  test("nothing imports the first file of a worker, which WebKit would then run twice", () => {
    const folder = new URL("../dist/assets/", import.meta.url);
    const scripts = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith(".js"));
    expect(scripts.filter((name) => name.startsWith("worker-"))).toHaveLength(1);
    const importing = scripts.filter((name) =>
      /(?:from|import)\s*\(?["']\.\/worker-/.test(readFileSync(new URL(name, folder), "utf8")),
    );
    expect(importing).toEqual([]);
  });
});

const hash = (data: Uint8ClampedArray) => createHash("sha256").update(data).digest("hex");

/** The six tiles by the same functions, without a browser. */
async function tilesInNode(): Promise<Map<string, Uint8ClampedArray>> {
  const data = await table({ source: firstDocument.source });
  const held = new Held();
  held.set("t", data);
  const [x, y] = ["billLength", "flipperLength"].map((name) => {
    const column = data.columns.find((one) => one.name === name)!;
    return (column as { values: Float64Array }).values;
  }) as [Float64Array, Float64Array];
  const around = (values: Float64Array): [number, number] => {
    const seen = values.filter((value) => !Number.isNaN(value));
    const [least, most] = [Math.min(...seen), Math.max(...seen)];
    return [least - 0.06 * (most - least), most + 0.06 * (most - least)];
  };
  const view = {
    axes: ["billLength", "flipperLength"] as const,
    x: around(x),
    y: around(y),
    n: 150,
    row: null,
  };
  const roles = { ...speciesRoles, table: "t" };
  const species = data.columns.find(({ name }) => name === "species") as { codes: Int32Array };
  const tiles = new Map<string, Uint8ClampedArray>();
  for (const model of firstDocument.models) {
    let grid: Grid | undefined;
    const news = (one: TrainNews) => {
      grid = one.grid ?? grid;
    };
    const context = { held, news, isStopped: () => false, breathe: async () => {} };
    await train({ roles, model, split: firstDocument.split, preview: view }, context);
    const { data: pixels } = drawBoundary({
      width: 300,
      height: 300,
      theme: light,
      grid,
      probability: true,
      contours: true,
      margins: false,
      mistakes: false,
      radius: 3.5,
      x: view.x,
      y: view.y,
      points: { x, y, label: species.codes },
    });
    tiles.set(model.estimator, pixels);
  }
  return tiles;
}

interface Checker {
  run(rules: object): Promise<{ violations: Violation[] }>;
}

/** Both themes have the same elements: of the dark one only the colours are checked. */
const rulesOf = { light: {}, dark: { runOnly: { type: "rule", values: ["color-contrast"] } } };

describe("for everybody", () => {
  test.each(["light", "dark"] as const)(
    "axe finds nothing on any screen (%s)",
    async (colorScheme) => {
      const { page, close } = await openStudio(browser, isolated.address, {
        colorScheme,
        bypassCSP: true,
      });
      const violations = async (where: string) => {
        await page.waitForTimeout(400);
        await page.evaluate(axe);
        const found = await page.evaluate(async (rules) => {
          const { axe } = globalThis as unknown as { axe: Checker };
          return (await axe.run(rules)).violations;
        }, rulesOf[colorScheme]);
        return found.map(({ id, nodes }) => `${where}: ${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`);
      };
      await trained(page);
      for (const screen of screens) {
        await show(page, screen);
        expect(await violations(screen)).toEqual([]);
      }
      await show(page, "Bench");
      for (const key of ["x", "j", "x", "j", "x"]) await page.keyboard.press(key);
      await page.getByRole("button", { name: /rows are not answered alike/ }).click();
      await page.getByText("The first 10").or(page.getByText("These rows")).click();
      expect(await violations("comparison")).toEqual([]);
      await close();
    },
    90_000,
  );

  test("no screen is wider than 320 pixels", async () => {
    const { page } = await openStudio(browser, isolated.address, { viewport: { width: 320, height: 640 } });
    await trained(page);
    for (const screen of screens) {
      await show(page, screen);
      await page.waitForTimeout(300);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([screen, wide]).toEqual([screen, 320]);
    }
    await page.context().close();
  }, 60_000);
});

describe("work in progress", () => {
  test("a cancelled model says so at once, and can be trained again; one that has learned for a while is kept", async () => {
    const { page } = await openStudio(browser, isolated.address);
    await trained(page);
    // A network that takes minutes.
    const slow = {
      ...firstDocument,
      models: [
        {
          id: "m1",
          estimator: "MLPClassifier",
          params: { hiddenLayerSizes: [500, 500], maxIter: 20_000, tol: 0, nIterNoChange: 20_000 },
        },
      ],
    };
    await page.evaluate(
      (link) => {
        location.hash = link;
      },
      await linkTo(slow),
    );
    const cancelButton = page.getByRole("button", { name: "Cancel Neural network" });
    await cancelButton.waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLElement>(".tile")?.dataset["state"] === "running",
    );
    const waited = await page.evaluate(async () => {
      const button = [...document.querySelectorAll("button")].find(
        (one) => one.ariaLabel === "Cancel Neural network",
      )!;
      const start = performance.now();
      button.click();
      while (document.querySelector<HTMLElement>(".tile")!.dataset["state"] !== "cancelled")
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    });
    expect(waited).toBeLessThan(100);
    // After some steps there is a model to keep.
    await page.getByRole("button", { name: "Train Neural network again" }).click();
    await page.waitForTimeout(2500);
    await cancelButton.click();
    await page.getByText(/stopped at step \d+ of 20000, usable/).waitFor();
    await show(page, "Ship");
    await page.getByRole("button", { name: "Verify" }).click();
    await page
      .getByRole("button", { name: /^Download/ })
      .first()
      .waitFor();
    await show(page, "Bench");
    // The worker is free for others: its place is taken by a new one.
    await page.evaluate(
      (link) => {
        location.hash = link;
      },
      await linkTo({ ...slow, models: [{ id: "m1", estimator: "GaussianNB", params: {} }] }),
    );
    await trained(page);
    await page.context().close();
  }, 60_000);
});

describe("links", () => {
  test("open what they hold, within bounds; others open the first document", async () => {
    const hostile = JSON.parse(JSON.stringify(firstDocument)) as Record<string, unknown>;
    Object.assign(hostile, {
      screen: "inspect",
      source: { kind: "generated", shape: "moons", rows: 1e9, noise: -5, balance: 0.5, seed: 1 },
      roles: { class: "target", "<img src=x onerror=alert(1)>": "feature" },
      axes: ["x", "y"],
      models: [{ id: "m1", estimator: "SVC", params: { C: 3 } }],
      selected: "m1",
      view: { layers: { margin: "yes" }, step: -4, row: 1e12, plane: "cube" },
    });
    const { page, problems } = await openStudio(browser, isolated.address + (await linkTo(hostile as never)));
    await page.getByRole("heading", { level: 1, name: "SVM, Gaussian kernel" }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
    const broken = await openStudio(browser, `${isolated.address}#s=1.@@@@`);
    await trained(broken.page);
    expect(broken.problems).toEqual([]);
    await broken.page.context().close();
  }, 60_000);
});

describe("without a connection", () => {
  test("the studio opens again after the first visit", async () => {
    const own = await serveStudio();
    const { page, close } = await openStudio(browser, own.address);
    await trained(page);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      // Controlled, so that all files are kept.
      while (navigator.serviceWorker.controller === null)
        await new Promise((resolve) => setTimeout(resolve, 50));
    });
    own.server.closeAllConnections();
    await new Promise((resolve) => own.server.close(resolve));
    await page.reload();
    await trained(page);
    // A model that the first visit did not load.
    await page.locator("#add-model").click();
    await page.getByRole("button", { name: "Random forest" }).click();
    await page.waitForFunction(() => document.querySelectorAll('.tile[data-state="done"]').length === 7);
    await close();
  }, 60_000);
});

describe("by keys alone", () => {
  test("from a pasted table to a downloaded model", async () => {
    const { page, close } = await openStudio(browser, isolated.address, { acceptDownloads: true });
    const { keyboard } = page;
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: at } = document;
        return (at as HTMLElement).ariaLabel ?? at?.textContent?.trim() ?? "";
      });
    /** Presses Tab until the element whose name begins so is reached. */
    const tabTo = async (name: string | RegExp) => {
      for (let k = 0; k < 150; k++) {
        await keyboard.press("Tab");
        const text = await focused();
        if (typeof name === "string" ? text.startsWith(name) : name.test(text)) return;
      }
      throw new Error(`Tab does not lead to ${name}.`);
    };
    await trained(page);
    await keyboard.press("1");
    await page.getByRole("group", { name: "Open a table" }).waitFor();
    await page.getByRole("radio", { name: "File" }).focus();
    await keyboard.press("ArrowRight");
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 7) % 11 > 5 ? "yes" : "no"}`,
    );
    const area = page.locator("textarea");
    await area.waitFor();
    for (let k = 0; k < 10 && !(await area.evaluate((one) => one === document.activeElement)); k++)
      await keyboard.press("Tab");
    await keyboard.insertText(["height,weight,answer", ...rows].join("\n"));
    await tabTo("Read the text");
    await keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("h1")?.textContent?.includes("pasted") ?? false);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await keyboard.press("2");
    await trained(page);
    // From wherever the leader is, two neighbours of the leaderboard are ticked.
    for (const key of ["k", "k", "k", "k", "k", "x", "j", "x"]) await keyboard.press(key);
    await page.getByRole("heading", { name: "2 models compared" }).waitFor();
    await tabTo("Untick all");
    await keyboard.press("Enter");
    await page.locator(".featured").waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await keyboard.press("Enter");
    await page.locator(".inspect").waitFor();
    await keyboard.press("4");
    await page.getByRole("heading", { level: 1, name: "Evaluate" }).waitFor();
    await keyboard.press("5");
    await page.getByRole("heading", { level: 1, name: "Ship" }).waitFor();
    await page.getByRole("tab", { name: "TypeScript" }).focus();
    await keyboard.press("ArrowRight");
    await tabTo("Verify");
    await keyboard.press("Enter");
    const download = page.waitForEvent("download");
    await page
      .getByRole("button", { name: /Download/ })
      .or(page.getByRole("link", { name: /Download/ }))
      .first()
      .waitFor();
    await tabTo(/Download/);
    await keyboard.press("Enter");
    expect((await download).suggestedFilename()).toMatch(/\.safetensors$/);
    await close();
  }, 60_000);
});
