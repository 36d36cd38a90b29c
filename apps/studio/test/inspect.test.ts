import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { firstDocument } from "../src/state/document.js";
import { openStudio, show, startStudio } from "./browser.js";
import { inspecting, picture, settled, violations } from "./pictures.js";

const { browser, studio } = await startStudio();

const moons = {
  source: { kind: "generated", shape: "moons", rows: 120, noise: 0.2, balance: 0.5, seed: 2 },
  roles: { class: "target" },
  axes: ["x", "y"],
} as const;

const inspect = inspecting(browser, studio.address);

const readout = (page: Page) => page.locator(".readout").textContent();

/** Waits until the regions of the model are drawn. */
const drawn = (page: Page) => page.locator(".picture-table").waitFor();

test("keys move a crosshair that reads the model, and follow a row", async () => {
  const { page, close } = await inspect("LogisticRegression");
  await drawn(page);
  const explorer = page.getByRole("application");
  await explorer.focus();
  await page.keyboard.press("ArrowRight");
  const first = /^billLength ([\d.]+), flipperLength ([\d.]+): (Adelie|Chinstrap|Gentoo) (0\.\d\d|1\.00)$/;
  const here = first.exec((await readout(page))!)!;
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Shift+ArrowUp");
  const there = first.exec((await readout(page))!)!;
  expect(there[1]).toBe(here[1]);
  expect(Number(there[2]) - Number(here[2])).toBeGreaterThan(10);
  const live = page.locator(".boundary .unseen[aria-live]");
  expect(await live.textContent()).toBe(await readout(page));
  await page.keyboard.press("Enter");
  const row = page.getByRole("spinbutton", { name: "Row" });
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>(".what-if input")!.value !== "");
  expect(Number(await row.inputValue())).toBeGreaterThan(0);
  await page
    .getByText(/ → .* if \w+ (rose|fell) from/)
    .first()
    .waitFor();
  await explorer.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Escape");
  expect(await live.textContent()).toBe("");
  await page.getByText("Show as a table").click();
  const table = page.getByRole("region", { name: "Answers of the model as a table" });
  await table.waitFor();
  expect(await table.getByRole("row").count()).toBe(7);
  expect(await table.getByRole("cell", { name: /Gentoo/ }).count()).toBeGreaterThan(3);
  expect(await violations(page)).toEqual([]);
  await close();
}, 40_000);

test("the pointer reads the same picture", async () => {
  const { page } = await inspect("SVC", moons);
  await drawn(page);
  const box = (await page.locator(".explorer").boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 5);
  expect(await readout(page)).toMatch(/^x [\d.-]+, y [\d.-]+: A, f = -/);
  await page.mouse.move(5, 5);
  expect(await readout(page)).toMatch(/^Point at/);
  await page.context().close();
}, 30_000);

test("a slice and a projection say what they are", async () => {
  const roles = { species: "target", island: "feature", sex: "ignore" } as const;
  const { page, close } = await inspect("LogisticRegression", { roles });
  await drawn(page);
  await page.getByText("slice through the middle", { exact: true }).waitFor();
  await page.getByText(/^A slice: the other 3 features are in the middle of the table/).waitFor();
  await page.getByRole("combobox", { name: "Plane" }).selectOption("projection");
  await page.locator(".badge", { hasText: /^projection$/ }).waitFor();
  await page.getByText(/principal components of 4 standardised columns, with 69 % and 19 %/).waitFor();
  expect(await page.getByRole("combobox", { name: "Across" }).count()).toBe(0);
  await page.getByRole("application").focus();
  await page.keyboard.press("ArrowRight");
  expect(await readout(page)).toMatch(/^component 1 -?[\d.]+, component 2 -?[\d.]+: /);
  // The link keeps it.
  await page.waitForTimeout(600);
  await page.reload();
  await page.locator(".badge", { hasText: /^projection$/ }).waitFor();
  await close();
}, 40_000);

test("slack is a layer", async () => {
  const { page, close } = await inspect("SVC", moons);
  await page.getByRole("slider", { name: "Step of the fit" }).waitFor();
  const before = await settled(page);
  await page.getByRole("checkbox", { name: "Slack" }).check();
  await page.getByText(/its slack, up to its margin/).waitFor();
  await expect.poll(() => picture(page)).not.toBe(before);
  await page.getByRole("checkbox", { name: "Slack" }).uncheck();
  await expect.poll(() => picture(page)).toBe(before);
  await close();
}, 30_000);

test("keys go through the steps, with the objective; a fit that diverges says so", async () => {
  const { page, close } = await inspect("LogisticRegression", moons);
  const slider = page.getByRole("slider", { name: "Step of the fit" });
  await slider.waitFor();
  const last = Number(await slider.inputValue());
  expect(last).toBeGreaterThan(1);
  await page.keyboard.press(",");
  expect(await slider.inputValue()).toBe(String(last - 1));
  await page.getByText("Faint lines: earlier steps.").waitFor();
  await page.keyboard.press("Home");
  expect(await slider.inputValue()).toBe("0");
  await page.getByRole("img", { name: /^Objective over \d+ steps, from/ }).waitFor();
  await page.keyboard.press("End");
  expect(await slider.inputValue()).toBe(String(last));
  await close();
  const diverging = await inspect("MLPClassifier", moons, { solver: "sgd", learningRateInit: 1e9 });
  await diverging.page.getByText(/became infinite at epoch \d+: lower the learning rate/).waitFor();
  await diverging.page.context().close();
}, 40_000);

test("digits: the row as a picture, layers, and folded values", async () => {
  const { page, close } = await inspect(
    "CNNClassifier",
    {
      source: { kind: "included", name: "digits" },
      roles: { digit: "target" },
      axes: null,
      split: { kind: "folds", folds: 2, seed: 0 },
      view: { ...firstDocument.view, row: 7, plane: "projection" },
    },
    { maxIter: 2, filters: [4] },
  );
  await page.getByRole("img", { name: "Row 8 as a picture" }).waitFor();
  await page.getByRole("heading", { name: "Layers, for the selected row" }).waitFor();
  await page.getByRole("img", { name: /^1 conv2d: 8 × 8 × 4/ }).waitFor();
  await page.locator(".badge", { hasText: /^projection$/ }).waitFor();
  const pixels = page.locator(".what-if-fields input");
  expect(await pixels.count()).toBe(64);
  expect(await pixels.first().isVisible()).toBe(false);
  await page.getByText("The 64 values of the row").click();
  await pixels.first().waitFor();
  expect(await violations(page)).toEqual([]);
  await close();
}, 40_000);

test("a clustering that cannot predict shows its rows and says so", async () => {
  const { page, close } = await inspect("DBSCAN", {
    roles: { species: "ignore", island: "ignore", sex: "ignore", billDepth: "ignore", bodyMass: "ignore" },
    view: { ...firstDocument.view, row: 3 },
  });
  await page.getByText(/Colour: the cluster\. This clustering assigns the training rows only/).waitFor();
  await page.getByText(/This row is (in cluster|noise)/).waitFor();
  await close();
}, 30_000);

test("a wide tree scrolls in its own place, with the path of the row in sight", async () => {
  const { page, close } = await inspect(
    "DecisionTreeClassifier",
    { view: { ...firstDocument.view, row: 10 } },
    { maxDepth: 5 },
  );
  const region = page.getByRole("region", { name: "Tree", exact: true });
  await region.locator(".box.lit").first().waitFor();
  expect(await region.locator(".branch.lit").count()).toBe((await region.locator(".box.lit").count()) - 1);
  const [scroll, inside] = await region.evaluate((box) => {
    const leaf = [...box.querySelectorAll(".box.lit")].at(-1)!.getBoundingClientRect();
    const { left, right } = box.getBoundingClientRect();
    return [box.scrollWidth > box.clientWidth, leaf.left >= left && leaf.right <= right] as const;
  });
  expect([scroll, inside]).toEqual([true, true]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
  // Without a decision function the margin is one of probabilities, and no row has slack.
  const names = await page.getByRole("group", { name: "Layers" }).locator("label").allTextContents();
  expect(names.map((name) => name.trim())).toEqual([
    "How sure",
    "Boundaries",
    "Lead of 0.5",
    "Rows",
    "Mistakes",
  ]);
  expect(await page.getByText(/Slack belongs to the decision function/).count()).toBe(0);
  await close();
}, 30_000);

test("the scrubber of rounds lights the line of its round", async () => {
  const { page } = await inspect("AdaBoostClassifier", moons, { nEstimators: 12 });
  await page.getByRole("slider", { name: "Step of the fit" }).waitFor();
  await page.getByText(/^12 rounds: the rule of each/).waitFor();
  const lit = page.locator(".internals tr.now td").first();
  expect(await lit.textContent()).toBe("12");
  await page.keyboard.press("Home");
  await expect.poll(() => lit.textContent()).toBe("1");
  await page.getByText(/^1 round: the rule of each/).waitFor();
  expect(await page.locator(".internals tbody tr").count()).toBeLessThan(12);
  await page.context().close();
}, 30_000);

test("what the model has learned goes through the steps with it", async () => {
  const { page, problems } = await inspect("DecisionTreeClassifier", {
    view: { ...firstDocument.view, row: 10 },
  });
  const slider = page.getByRole("slider", { name: "Step of the fit" });
  await slider.waitFor();
  const region = page.getByRole("region", { name: "Tree", exact: true });
  const boxes = region.locator("rect.box");
  const leaves = 1 + Number(await slider.getAttribute("max")) + 1;
  await page.getByText(`At ${leaves} of ${leaves} leaves.`).waitFor();
  expect(await boxes.count()).toBe(2 * leaves - 1);
  const places = () =>
    region.evaluate((box) => ({
      scroll: [box.scrollLeft, box.scrollTop],
      root: box.querySelector("g")!.getAttribute("transform"),
    }));
  const before = await places();
  await page.getByRole("button", { name: "Earlier step" }).click();
  await page.getByText(`At ${leaves - 1} of ${leaves} leaves.`).waitFor();
  expect(await boxes.count()).toBe(2 * leaves - 3);
  // Nothing moves.
  expect(await places()).toEqual(before);
  await page.keyboard.press("Home");
  await page.getByText(`At 2 of ${leaves} leaves.`).waitFor();
  expect(await boxes.count()).toBe(3);
  expect((await places()).root).toBe(before.root);
  expect(await region.locator("rect.box.lit").count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  // Another row has its own path in the same step, though the frames have the same pictures.
  const lit = () => region.locator("rect.box.lit").last().locator("xpath=..").textContent();
  const path = await lit();
  await page.getByRole("spinbutton", { name: "Row" }).fill("200");
  await page.getByRole("spinbutton", { name: "Row" }).press("Enter");
  await expect.poll(lit).not.toBe(path);
  await page.getByText(`At 2 of ${leaves} leaves.`).waitFor();
  expect(await boxes.count()).toBe(3);
  expect(problems).toEqual([]);
  await page.context().close();

  const linear = await inspect("LogisticRegression", moons);
  await linear.page.getByRole("slider", { name: "Step of the fit" }).waitFor();
  const bars = linear.page.locator(".bars .weight-bar path:first-child");
  const lengths = () =>
    bars.evaluateAll((paths) =>
      paths.map((path) => Number(/h(-?[\d.e-]+)v/.exec(path.getAttribute("d")!)![1])),
    );
  const grown = await lengths();
  await linear.page.keyboard.press("Home");
  await linear.page.getByText(/^At step \d+ of \d+\.$/).waitFor();
  await expect.poll(lengths).not.toEqual(grown);
  // One scale: the weights of the first step are shorter.
  const size = (list: readonly number[]) => Math.max(...list.map(Math.abs));
  expect(size(await lengths())).toBeLessThan(size(grown));
  expect(linear.problems).toEqual([]);
  await linear.page.context().close();
}, 40_000);

test("names of any length leave the page as wide as it is; texts have no picture, and say why", async () => {
  const { page, close } = await openStudio(browser, studio.address, {
    viewport: { width: 320, height: 700 },
  });
  await show(page, "Data");
  const open = async (head: string, rows: readonly string[]) => {
    const buffer = Buffer.from([head, ...rows].join("\n"));
    await page.locator("input[type=file]").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer });
    await page.getByRole("heading", { level: 1, name: /own/ }).waitFor();
  };
  const long = "a column whose name goes on and on and on ".repeat(4).trim();
  await open(
    `${long} 1,${long} 2,${long} 3,answer`,
    Array.from({ length: 60 }, (_, i) => `${i % 7},${i % 5},${i % 3},${i % 7 > 3 ? long : "no"}`),
  );
  for (const screen of ["Inspect", "Evaluate", "Ship"]) {
    await show(page, screen);
    await page.waitForTimeout(800);
    expect([screen, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([screen, 320]);
  }
  await show(page, "Data");
  await open(
    "message,label",
    Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0 ? `win a free prize now ${i},spam` : `the report of our meeting ${i},ham`,
    ),
  );
  await show(page, "Inspect");
  await page.getByText(/There is no picture and no series of steps here/).waitFor();
  await page.getByRole("heading", { name: "What it has learned" }).waitFor();
  await close();
}, 40_000);
