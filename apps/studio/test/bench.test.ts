import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openStudio, show, startStudio, trained } from "./browser.js";

const { browser, studio } = await startStudio();

async function openTable(page: Page, name: string, text: string): Promise<void> {
  await show(page, "Data");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await page.getByRole("heading", { level: 1, name: name.replace(/\.csv$/, "") }).waitFor();
}

/** Columns with a long name, an identifier, a constant, free text and a class. */
const orders = (rows: number) =>
  [
    `orderId,"weight of the parcel as the carrier has measured it, in kilograms, rounded up to the next hundred grams",days,same,remark,returned`,
    ...Array.from({ length: rows }, (_, i) => {
      const [x, y] = [(i * 7919) % 97, (i * 104729) % 89];
      return `${5000 + i},${x / 10},${y},x,"the customer wrote ${i} lines, of which ${x} were kind",${x > y ? "yes" : "no"}`;
    }),
  ].join("\n");

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test("an own table: what is left out is named, long names stay in the page, and the next step is a download", async () => {
  for (const size of [
    { width: 1280, height: 900 },
    { width: 320, height: 700 },
  ]) {
    const { page, problems } = await openStudio(browser, studio.address, { viewport: size });
    await openTable(page, "orders.csv", orders(160));
    await page.getByRole("button", { name: "See the models" }).click();
    await trained(page);
    await page.getByText("same and remark (free text) are left out.").waitFor();
    expect(await width(page)).toBeLessThanOrEqual(size.width);
    await page.getByRole("button", { name: "Download a model" }).click();
    await page.getByRole("button", { name: "Verify" }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  }
}, 60_000);

test("the target is chosen at the top; without one, models find clusters and are not scored", async () => {
  const { page, problems } = await openStudio(browser, studio.address);
  await openTable(page, "orders.csv", orders(160));
  await page.getByRole("button", { name: "Use it: remark" }).click();
  await page.getByText("from 3 columns").waitFor();
  await page.getByLabel("Predict").selectOption({ label: "days" });
  await page.getByText("Models for regression took the place").waitFor();
  await page.getByLabel("Predict").selectOption({ label: "returned" });
  await page.getByText("Models for classification took the place").waitFor();
  await page.getByLabel("Predict").selectOption({ label: "nothing: find clusters" });
  await show(page, "Bench");
  await trained(page);
  await page.locator(".board").getByText("3 clusters").first().waitFor();
  expect(await page.getByText("Means over held-out folds").count()).toBe(0);
  // It answers for its own rows only: there are no regions, not even those of the model that was here before.
  const corner = await page
    .locator(".tile[data-model=DBSCAN] canvas")
    .evaluate((canvas: HTMLCanvasElement) => [...canvas.getContext("2d")!.getImageData(1, 1, 1, 1).data]);
  expect(corner).toEqual([255, 255, 255, 255]);
  // Rows have their names wherever they are listed.
  await show(page, "Data");
  const head = page.getByLabel("Rows of the table").locator("thead th").nth(1);
  expect(await head.textContent()).toBe("orderIdid");
  expect(problems).toEqual([]);
  await page.context().close();
}, 60_000);

test("what is being typed survives the news of a training", async () => {
  const { page, problems } = await openStudio(browser, studio.address);
  await trained(page);
  const rounds = page.getByLabel("nEstimators", { exact: true });
  await rounds.fill("1500");
  await rounds.press("Enter");
  const rate = page.getByLabel("learningRate", { exact: true });
  await rate.focus();
  await page.keyboard.type("0.2");
  await trained(page);
  await page.getByText("6 models trained").waitFor();
  expect(await rate.inputValue()).toContain("0.2");
  // What is no number is refused in words, beside the form.
  await rate.fill("fast");
  await rate.press("Enter");
  await page.locator(".settings .problem", { hasText: "learningRate" }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
}, 60_000);

test("a cascade is made of halves of the columns, and says if there are more than two classes", async () => {
  const { page, problems } = await openStudio(browser, studio.address, {
    viewport: { width: 320, height: 700 },
  });
  const add = async () => {
    await page.locator("#add-model").click();
    await page.getByLabel("Search").fill("cascade");
    await page.getByLabel("Search").press("Enter");
  };
  await trained(page);
  await add();
  await page.locator(".settings .problem", { hasText: "two classes apart, and species has 3" }).waitFor();
  await openTable(page, "orders.csv", orders(160));
  await page.getByRole("button", { name: "See the models" }).click();
  await page.locator(".tile[data-model=Cascade]").getByRole("button").first().click();
  // Its columns were those of the table before.
  await page.locator(".settings .problem", { hasText: "Stage 1 has no column" }).waitFor();
  await page.getByRole("button", { name: "Remove Cascade" }).click();
  await add();
  await page.locator(".tile[data-model=Cascade][data-state=done]").waitFor();
  const stage = (s: number) => page.getByRole("group", { name: new RegExp(`Columns of stage ${s}`) });
  expect(await stage(1).getByRole("checkbox", { checked: true }).count()).toBe(1);
  // A column is acquired once: it moves.
  await stage(1).getByRole("checkbox", { name: "days" }).check();
  expect(await stage(2).getByRole("checkbox", { checked: true }).count()).toBe(0);
  await page.locator(".settings .problem", { hasText: "Stage 2 has no column: choose one." }).waitFor();
  await page.getByRole("button", { name: "Remove stage 2" }).click();
  await page.locator(".tile[data-model=Cascade][data-state=done]").waitFor();
  expect(await width(page)).toBeLessThanOrEqual(320);
  expect(problems).toEqual([]);
  await page.context().close();
}, 60_000);
