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
    const { page, close } = await openStudio(browser, studio.address, { viewport: size });
    await openTable(page, "orders.csv", orders(160));
    await page.getByRole("button", { name: "See the models" }).click();
    await trained(page);
    await page.getByText("same and remark (free text) are left out.").waitFor();
    expect(await width(page)).toBeLessThanOrEqual(size.width);
    await page.getByRole("button", { name: "Download a model" }).click();
    await page.getByRole("button", { name: "Verify" }).waitFor();
    await close();
  }
}, 60_000);

test("classes with long names are compared within a narrow page", async () => {
  const { page, close } = await openStudio(browser, studio.address, {
    viewport: { width: 320, height: 700 },
  });
  const names = ["no", "yes"].map((name) => name.repeat(40));
  const lines = Array.from({ length: 60 }, (_, i) => `${(i * 7) % 31},${(i * 5) % 17},${names[i % 2]}`);
  await openTable(page, "long.csv", ["a,b,class", ...lines].join("\n"));
  await show(page, "Bench");
  await trained(page);
  const boxes = page.locator(".board tbody").getByRole("checkbox");
  for (const k of [0, 1]) await boxes.nth(k).check();
  await page.getByRole("heading", { name: "ROC" }).waitFor();
  expect(await width(page)).toBeLessThanOrEqual(320);
  await close();
}, 30_000);

test("every screen shown is an entry of the history, also after going back", async () => {
  const { page, close } = await openStudio(browser, studio.address);
  const shown = () => page.locator(".rail [aria-current]").innerText();
  const link = () => page.evaluate(() => history.length);
  await expect.poll(() => page.url()).toContain("#s=");
  const first = await link();
  await show(page, "Inspect");
  await expect.poll(link).toBe(first + 1);
  await page.goBack();
  await expect.poll(shown).toBe("Bench");
  // Longer than the address takes to follow.
  await page.waitForTimeout(600);
  await show(page, "Inspect");
  await page.waitForTimeout(600);
  await page.goBack();
  await expect.poll(shown).toBe("Bench");
  await close();
});

test("the target is chosen at the top; without one, models find clusters and are not scored", async () => {
  const { page, close } = await openStudio(browser, studio.address);
  await openTable(page, "orders.csv", orders(160));
  await page.getByRole("button", { name: "Use it: remark" }).click();
  await page.getByText("from 3 columns").waitFor();
  await page.getByLabel("Predict").selectOption({ label: "days" });
  await page.getByText("Models for regression replaced").waitFor();
  await page.getByLabel("Predict").selectOption({ label: "returned" });
  await page.getByText("Models for classification replaced").waitFor();
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
  await close();
}, 60_000);

test("what is being typed survives the news of a training", async () => {
  const { page, close } = await openStudio(browser, studio.address);
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
  // What is not a number is refused in words, beside the form.
  await rate.fill("fast");
  await rate.press("Enter");
  await page.locator(".settings .problem", { hasText: "learningRate" }).waitFor();
  await close();
}, 60_000);

test("a cascade is made of halves of the columns, and says if there are more than two classes", async () => {
  const { page, close } = await openStudio(browser, studio.address, {
    viewport: { width: 320, height: 700 },
  });
  const add = async () => {
    await page.locator("#add-model").click();
    await page.getByLabel("Search").fill("cascade");
    await page.getByLabel("Search").press("Enter");
  };
  await trained(page);
  await add();
  await page.locator(".settings .problem", { hasText: "separates two classes, and species has 3" }).waitFor();
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
  await close();
}, 60_000);

test("the leaderboard is sorted by any column, keeps pinned models on top, and the link says so", async () => {
  const { page, close } = await openStudio(browser, studio.address);
  await trained(page);
  const names = () => page.locator(".board tbody th .link").allTextContents();
  const byScore = await names();
  await page.getByRole("button", { name: "Model", exact: true }).click();
  const byName = [...byScore].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  expect(await names()).toEqual(byName);
  await page.getByRole("button", { name: "Model", exact: true }).click();
  expect(await names()).toEqual(byName.toReversed());
  expect(await page.locator("th[aria-sort=descending]").textContent()).toContain("Model");
  await page.getByRole("button", { name: "Keep Decision tree on top" }).click();
  const shown = await names();
  expect(shown).toEqual(["Decision tree", ...byName.toReversed().filter((name) => name !== "Decision tree")]);
  await page.waitForFunction(() => location.hash.length > 10);
  await page.waitForTimeout(500);
  await page.reload();
  await trained(page);
  expect(await names()).toEqual(shown);
  await close();
}, 60_000);

test("up to four models are compared, on the rows on which they differ", async () => {
  const { page, close } = await openStudio(browser, studio.address);
  await trained(page);
  const boxes = page.locator(".board").getByRole("checkbox");
  await boxes.nth(0).check();
  await page.getByText("One model is ticked: tick another").waitFor();
  await boxes.nth(5).check();
  await page.getByRole("heading", { name: "2 models compared" }).waitFor();
  const best = page.locator(".compare-figures tbody tr").first();
  // The first of the leaderboard is the better one.
  expect(await best.locator("strong").count()).toBe(1);
  expect(await best.locator("td").first().textContent()).toBe(
    await page.locator(".board tbody tr").first().locator("td").nth(1).textContent(),
  );
  const only = page.getByRole("button", { name: /: first: select \d+ rows$/ });
  const number = Number(await only.textContent());
  await only.click();
  await page.getByText(`${number} rows are selected.`).waitFor();
  await page.locator(".selected-rows summary").click();
  const [first, second] = await page.locator(".selected-rows tbody tr").evaluateAll((rows) => {
    const cells = (k: number) => rows.map((row) => row.children[k]!.textContent);
    // The answers of both models, then the truth.
    const [one, two, truth] = [cells(1), cells(2), cells(3)];
    const isRight = (list: (string | null)[]) => list.every((cell, r) => cell === truth[r]);
    return [isRight(one), two.some((cell, r) => cell === truth[r])];
  });
  expect([first, second]).toEqual([true, false]);
  for (const k of [1, 2]) await boxes.nth(k).check();
  await page.getByRole("heading", { name: "4 models compared" }).waitFor();
  expect(await page.locator(".compare-pairs tbody tr").count()).toBe(6);
  expect(await page.locator(".compare .chart path.line").count()).toBe(8);
  expect(await boxes.nth(3).isDisabled()).toBe(true);
  // By key, a fifth is refused in words.
  await page.locator(".board tbody tr").nth(3).locator(".link").click();
  await page.locator("h1").click();
  await page.keyboard.press("x");
  await page.getByText("4 models are compared already").waitFor();
  await page.getByRole("button", { name: "Untick all" }).first().click();
  await page.locator(".featured").waitFor();
  await close();
}, 60_000);

/** Three numbers, one of which follows from the others. */
const numbers = [
  "across,up,height",
  ...Array.from({ length: 120 }, (_, i) => {
    const [x, y] = [(i * 7919) % 97, (i * 104729) % 89];
    return `${x},${y},${(x * y) / 10 + (i % 7)}`;
  }),
].join("\n");

test.each([
  ["height", "First is nearer"],
  ["nothing: find clusters", "Adjusted Rand index"],
])(
  "predicting %s, models are compared, too",
  async (target, head) => {
    for (const size of [
      { width: 1280, height: 900 },
      { width: 320, height: 700 },
    ]) {
      const { page, close } = await openStudio(browser, studio.address, { viewport: size });
      await openTable(page, "numbers.csv", numbers);
      await page.getByLabel("Predict").selectOption({ label: target });
      await show(page, "Bench");
      await trained(page);
      const boxes = page.locator(".board").getByRole("checkbox");
      for (const k of [0, 1, 2]) await boxes.nth(k).check();
      await page.getByRole("columnheader", { name: head }).waitFor();
      expect(await page.locator(".compare-pairs tbody tr").count()).toBe(3);
      expect(await width(page)).toBeLessThanOrEqual(size.width);
      await close();
    }
  },
  60_000,
);

test("of an own table the best model is shown, until somebody chooses another", async () => {
  const { page, close } = await openStudio(browser, studio.address);
  await openTable(page, "orders.csv", orders(160));
  await show(page, "Bench");
  await trained(page);
  await page.waitForFunction(() => document.querySelector(".board tbody tr")?.classList.contains("selected"));
  const featured = page.locator("#featured-title");
  const names = page.locator(".board tbody .link");
  expect(await featured.textContent()).toBe(await names.first().textContent());
  const chosen = await names.last().textContent();
  await names.last().click();
  // Another split trains all models anew.
  await show(page, "Data");
  await page.getByLabel("Folds", { exact: true }).fill("7");
  await page.keyboard.press("Enter");
  await show(page, "Bench");
  await trained(page);
  expect(await featured.textContent()).toBe(chosen);
  await close();
}, 60_000);

test("rows without a class are drawn, and the legend says so", async () => {
  const { page, close } = await openStudio(browser, studio.address);
  await trained(page);
  const legend = page.getByRole("list", { name: "Classes" }).first();
  expect(await legend.getByText("no entry").count()).toBe(0);
  await openTable(page, "orders.csv", orders(160).replace(/,(yes|no)$/m, ","));
  await show(page, "Bench");
  await trained(page);
  await legend.getByText("no entry").waitFor();
  await close();
}, 60_000);
