import { readFileSync } from "node:fs";
import { copyFile, rm } from "node:fs/promises";
import { createServer as createModelServer } from "@argmax/server";
import { loadModel } from "argmax/persistence";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { tableOf } from "../src/data/library-table.js";
import { firstDocument, type StudioDocument } from "../src/state/document.js";
import { linkTo } from "../src/state/link.js";
import { table } from "../src/work/answers/tables.js";
import { trainingRows } from "../src/work/answers/train.js";
import { preparedEstimator } from "../src/work/build-estimator.js";
import { openStudio, show, startStudio, trained } from "./browser.js";
import { speciesRoles } from "./worker-context.js";

const { browser, studio } = await startStudio();

/** Opens a document on a screen; models train while it is shown. */
async function openAt(document: Partial<StudioDocument>) {
  const link = await linkTo({ ...firstDocument, ...document } as StudioDocument);
  return openStudio(browser, studio.address + link, { acceptDownloads: true });
}

const selectedText = (page: Page) =>
  page.getByRole("region", { name: "Selected rows" }).getByRole("status").textContent();

describe("evaluate", () => {
  test("the threshold is moved by keys, and everything follows", async () => {
    const { page, close } = await openStudio(browser, studio.address);
    await trained(page);
    await show(page, "Evaluate");
    await page
      .getByRole("combobox", { name: "Model", exact: true })
      .selectOption({ label: "Logistic regression" });
    const slider = page.getByLabel("Threshold of Chinstrap, slider");
    await slider.focus();
    const rule = page.getByLabel("Chinstrap from the threshold on");
    expect(await rule.isChecked()).toBe(false);
    const recall = page.getByRole("row", { name: /^Recall/ }).first();
    const before = await recall.textContent();
    for (let step = 0; step < 30; step++) await page.keyboard.press("ArrowLeft");
    expect(await rule.isChecked()).toBe(true);
    expect(await page.getByLabel("Threshold of Chinstrap", { exact: true }).inputValue()).toBe("0.2");
    expect(await recall.textContent()).not.toBe(before);
    const roc = page.getByRole("slider", { name: /^ROC curve of Chinstrap/ });
    expect(await roc.getAttribute("aria-valuetext")).toContain("threshold 0.200");
    // A point further along the curve: more is predicted positive.
    await roc.focus();
    const at = Number(await roc.getAttribute("aria-valuenow"));
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(
      (now) =>
        document.querySelector('[role="slider"][aria-label^="ROC"]')!.getAttribute("aria-valuenow") === now,
      String(at + 1),
    );
    await page.keyboard.press("Enter");
    expect(await selectedText(page)).toMatch(/^\d+ rows are selected\.$/);
    await close();
  }, 40_000);

  test("a cell selects its rows, here and on other screens", async () => {
    const { page, close } = await openStudio(browser, studio.address);
    await trained(page);
    await show(page, "Evaluate");
    const cell = page.getByRole("button", { name: /rows of Chinstrap decided as Adelie/ });
    const rows = Number(/^(\d+)/.exec((await cell.getAttribute("title"))!)![1]);
    expect(rows).toBeGreaterThan(0);
    await cell.focus();
    await page.keyboard.press("Enter");
    expect(await selectedText(page)).toBe(`${rows} rows are selected.`);
    await page.getByText("These rows").click();
    const listed = page.getByRole("region", { name: "The first selected rows" }).locator("tbody tr");
    expect(await listed.count()).toBe(rows);
    for (const text of await listed.allTextContents()) expect(text).toContain("Adelie");
    // Histograms know how many of their rows are selected; the screen is left and the selection stays.
    expect(await page.locator(".count.picked").evaluateAll((all) => all.length)).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Show in Data" }).click();
    await page.waitForFunction(() => document.title.startsWith("Data"));
    await show(page, "Evaluate");
    expect(await selectedText(page)).toBe(`${rows} rows are selected.`);
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await selectedText(page)).toMatch(/^No rows/);
    // Bars by keys: one stop, arrows, Enter.
    const bar = page.locator('.targets [role="button"][tabindex="0"]').first();
    await bar.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    const pressed = page.locator('.targets [aria-pressed="true"]');
    const words = (await pressed.getAttribute("aria-label"))!;
    expect(await selectedText(page)).toContain(`${/^\d+/.exec(words)![0]} row`);
    await close();
  }, 40_000);

  test("costs move the cheapest threshold, and a cascade answers most rows with the cheap model", async () => {
    const { page, problems } = await openStudio(browser, studio.address);
    await trained(page);
    await show(page, "Evaluate");
    await page
      .getByRole("combobox", { name: "Model", exact: true })
      .selectOption({ label: "Logistic regression" });
    const cheapest = page.getByRole("button", { name: "Use the cheapest threshold" });
    const threshold = page.getByLabel("Threshold of Chinstrap", { exact: true });
    const chosen: number[] = [];
    for (const cost of ["1", "50"]) {
      await page.getByLabel("Cost of a miss", { exact: true }).fill(cost);
      await page.keyboard.press("Enter");
      await cheapest.click();
      chosen.push(Number(await threshold.inputValue()));
    }
    // Misses that cost more: the class is given earlier.
    expect(chosen[1]).toBeLessThan(chosen[0]!);
    const cascade = page.getByRole("region", { name: "Cascade" });
    const summary = cascade.locator(".summary");
    await cascade.getByLabel("Cost per row of stage 1").fill("1");
    await cascade.getByLabel("Cost per row of stage 2").fill("10");
    await page.keyboard.press("Enter");
    await cascade.getByLabel("Other below", { exact: true }).fill("0");
    await cascade.getByLabel("Chinstrap from", { exact: true }).fill("0");
    await page.keyboard.press("Enter");
    // An empty band: the first stage answers all.
    await page.waitForFunction(() => /at 1 +per row/.test(document.querySelector(".summary")!.textContent!));
    await cascade.getByLabel("Chinstrap from", { exact: true }).fill("1");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !/at 1 +per row/.test(document.querySelector(".summary")!.textContent!));
    await cascade.getByLabel(/^Budget per row/).fill("3");
    await page.keyboard.press("Enter");
    await cascade.getByRole("button", { name: "Best first stage within the budget" }).click();
    await page.waitForFunction(() =>
      document.querySelector(".summary")!.textContent!.includes("within the budget"),
    );
    expect(await summary.textContent()).toMatch(/^[\d.]+ % errors/);
    expect(problems).toEqual([]);
    await page.context().close();
  }, 40_000);

  test("values and clusters have screens of their own", async () => {
    const regression = await openAt({
      screen: "evaluate",
      source: { kind: "included", name: "diabetes" },
      roles: { progression: "target" },
      axes: null,
      models: [{ id: "m1", estimator: "LinearRegression", params: {} }],
      selected: "m1",
    });
    await regression.page.getByRole("heading", { name: "Predicted against true" }).waitFor();
    expect(await regression.page.getByRole("row", { name: /^R²/ }).textContent()).toMatch(/R²0\.4\d/);
    await regression.page.locator('.targets [role="button"]').nth(4).focus();
    await regression.page.keyboard.press("Enter");
    expect(await selectedText(regression.page)).toMatch(/rows are selected/);
    expect(regression.problems).toEqual([]);
    await regression.page.context().close();
    const clusters = await openAt({
      screen: "evaluate",
      roles: { species: "ignore", island: "ignore", sex: "ignore" },
      models: [{ id: "m1", estimator: "KMeans", params: { nClusters: 3 } }],
      selected: "m1",
    });
    await clusters.page.getByRole("heading", { name: "Sizes" }).waitFor();
    await clusters.page.getByRole("combobox", { name: "Column" }).selectOption("species");
    await clusters.page
      .getByRole("button", { name: /rows of cluster 0 with Gentoo/ })
      .first()
      .click();
    expect(await selectedText(clusters.page)).toMatch(/selected/);
    expect(clusters.problems).toEqual([]);
    await clusters.page.context().close();
  }, 40_000);
});

describe("ship", () => {
  test("a file is offered once it is verified; loadModel reads it, and a server answers the shown request", async () => {
    const { page, close } = await openStudio(browser, studio.address);
    await trained(page);
    await show(page, "Ship");
    await page.getByRole("tab", { name: "TypeScript" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "Model file" }).getAttribute("aria-selected")).toBe("true");
    const button = page.getByRole("button", { name: /^Download .*\.safetensors/ });
    expect(await button.count()).toBe(0);
    await page.getByRole("button", { name: "Verify" }).click();
    await button.waitFor();
    const results = await page.locator(".results").textContent();
    expect(results).toContain("✓ Verified");
    expect(results).toContain("344 rows of the table");
    expect(results!.match(/max \|Δp\| 0, no label differs/g)).toHaveLength(2);
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect(download.suggestedFilename()).toBe("penguins-ada-boost-classifier.safetensors");
    const path = await download.path();
    const file = readFileSync(path);
    const data = await table({ source: { kind: "included", name: "penguins" } });
    const roles = { ...speciesRoles, table: "t" };
    const { x, y } = trainingRows(tableOf(data), roles);
    const fitted = (
      await preparedEstimator({ estimator: "AdaBoostClassifier", params: { nEstimators: 60 } }, x)
    ).fit(x, y);
    const loaded = loadModel(file);
    expect(Array.from(loaded.predictProba!(x).data)).toEqual(Array.from(fitted.predictProba!(x).data));
    // The request that the page shows, to a server of the downloaded file.
    await page.getByRole("tab", { name: "HTTP" }).click();
    const request = (await page.getByRole("region", { name: "Request for one row" }).textContent())!;
    const shown = (await page.getByRole("region", { name: "Prediction of the row" }).textContent())!;
    const copy = `${path}-penguins-ada-boost-classifier.safetensors`;
    await copyFile(path, copy);
    const server = await createModelServer({
      files: [copy],
      host: "127.0.0.1",
      port: 0,
      logLevel: "silent",
    } as never);
    const address = await server.listen();
    const name = copy.split("/").at(-1)!.replace(".safetensors", "");
    const body = /-d '(.*)'/s.exec(request)![1]!.replaceAll(`'\\''`, "'");
    const response = await fetch(`${address}/v1/models/${name}/predict`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { predictions } = (await response.json()) as { predictions: unknown[] };
    await server.close();
    await rm(copy);
    expect(predictions[0]).toEqual(JSON.parse(shown));
    await close();
  }, 40_000);

  test("code, JSON and card are verified and downloaded by keyboard alone", async () => {
    const { page, close } = await openStudio(browser, studio.address);
    await trained(page);
    await page.keyboard.press("5");
    for (const [tab, wanted] of [
      ["TypeScript", /\.ts$/],
      ["JSON", /\.json$/],
      ["Model card", /\.md$/],
    ] as const) {
      await page.getByRole("tab", { name: tab }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Verify" }).focus();
      await page.keyboard.press("Enter");
      const button = page.getByRole("button", { name: /^Download/ }).first();
      await button.waitFor();
      const [download] = await Promise.all([page.waitForEvent("download"), button.press("Enter")]);
      expect(download.suggestedFilename()).toMatch(wanted);
      const text = readFileSync(await download.path(), "utf8");
      expect(text).toContain(tab === "JSON" ? '"AdaBoostClassifier"' : "AdaBoostClassifier");
      if (tab === "TypeScript")
        expect(text.trimEnd()).toBe(
          (await page.getByRole("region", { name: "TypeScript code" }).textContent())!.trimEnd(),
        );
      if (tab === "Model card") expect(text).toContain("| Accuracy | 0.9");
    }
    await close();
  }, 40_000);

  test("another parameter is another model: it is verified anew", async () => {
    const { page } = await openStudio(browser, studio.address);
    await trained(page);
    await show(page, "Ship");
    await page.getByRole("button", { name: "Verify" }).click();
    await page
      .getByRole("button", { name: /^Download/ })
      .first()
      .waitFor();
    await page.getByRole("combobox", { name: "Model", exact: true }).selectOption({ label: "Decision tree" });
    await page.getByText("Decision tree predicts species from").waitFor();
    expect(await page.getByRole("button", { name: /^Download/ }).count()).toBe(0);
    expect(await page.getByRole("region", { name: "TypeScript code" }).textContent()).toContain(
      "new DecisionTreeClassifier({ maxDepth: 4 })",
    );
    await page.context().close();
  }, 40_000);
});
