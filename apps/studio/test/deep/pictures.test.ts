import { expect, test } from "vitest";
import { firstDocument } from "../../src/state/document.js";
import { startStudio } from "../browser.js";
import { inspecting, picture, settled, violations } from "../pictures.js";

const { browser, studio } = await startStudio();
const inspect = inspecting(browser, studio.address);

test("three classes have margins: of probabilities, and of the pairs of an SVM", async () => {
  for (const [estimator, layer, note] of [
    ["LogisticRegression", "Lead of 0.5", /Dashed: where the likeliest class leads the next one/],
    [
      "SVC",
      "Margins of pairs",
      /Dashed: where the smallest margin of the winner against any other class is 1/,
    ],
  ] as const) {
    const { page, close } = await inspect(estimator);
    await page.getByText(note).waitFor();
    const on = await settled(page);
    await page.getByRole("checkbox", { name: layer }).uncheck();
    expect(await page.getByText(note).count()).toBe(0);
    await expect.poll(() => picture(page)).not.toBe(on);
    await close();
  }
}, 30_000);

test("values have a colour bar with numbers, in Inspect and on the Bench", async () => {
  for (const [screen, width] of [
    ["inspect", 1280],
    ["bench", 320],
  ] as const) {
    const { page, problems } = await inspect("KNeighborsRegressor", {
      screen,
      source: { kind: "included", name: "diabetes" },
      roles: { progression: "target" },
      axes: ["bmi", "s5"],
    });
    await page.setViewportSize({ width, height: 900 });
    const bar = page.getByRole("img", { name: "Colours from dark to bright: 25, 185.5, 346." });
    await bar.waitFor();
    const numbers = page.locator(".color-bar");
    expect(await numbers.locator("span").allTextContents()).toEqual(["progression", "25", "185.5", "346"]);
    // As wide as the picture that it is of.
    const [picture, below] = [await page.locator(".explorer canvas").boundingBox(), await bar.boundingBox()];
    expect(Math.abs(picture!.width - below!.width)).toBeLessThan(3);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  }
}, 30_000);

test("clusters have a legend with their rows, and noise is named", async () => {
  const roles = {
    species: "ignore",
    island: "ignore",
    sex: "ignore",
    billDepth: "ignore",
    bodyMass: "ignore",
  } as const;
  const rowsOf = (texts: readonly string[]) =>
    texts.map((text) => Number(/: (\d+) rows?$/.exec(text)![1])).reduce((sum, rows) => sum + rows, 0);
  const means = await inspect("KMeans", { roles }, { nClusters: 3 });
  const entries = means.page.getByRole("list", { name: "Clusters" }).getByRole("listitem");
  await entries.first().waitFor();
  const texts = await entries.allTextContents();
  expect(texts.map((text) => text.split(":")[0])).toEqual(["cluster 0", "cluster 1", "cluster 2"]);
  expect(rowsOf(texts)).toBe(344);
  // The first step has clusters of its own.
  await means.page.getByRole("slider", { name: "Step of the fit" }).press("Home");
  await expect.poll(async () => (await entries.allTextContents()).join()).not.toBe(texts.join());
  // Two rows have no place in the picture: they are left out, and are not noise.
  expect(rowsOf(await entries.allTextContents())).toBe(342);
  await means.page.context().close();
  const density = await inspect("DBSCAN", { roles });
  const noise = density.page.getByRole("list", { name: "Clusters" }).getByRole("listitem");
  await noise.first().waitFor();
  const named = await noise.allTextContents();
  expect(named[0]).toMatch(/^noise: \d+ rows$/);
  expect(rowsOf(named)).toBe(344);
  expect([...means.problems, ...density.problems]).toEqual([]);
  await density.page.context().close();
}, 30_000);

test("a row is named by its id: in the badge, the note and the fields", async () => {
  const { page, close } = await inspect("LogisticRegression", {
    roles: { species: "target", island: "id", sex: "ignore" },
    view: { ...firstDocument.view, row: 11 },
  });
  await page.getByText("slice through row 12, Torgersen").waitFor();
  await page.getByText(/the other 2 features are as in row 12, Torgersen\./).waitFor();
  await page.getByText("island: Torgersen").waitFor();
  await close();
}, 30_000);
