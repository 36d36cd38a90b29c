import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { firstDocument } from "../src/state/document.js";
import { linkTo } from "../src/state/link.js";
import { openStudio, show, startStudio, themes } from "./browser.js";

const { browser, studio } = await startStudio();

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The Data screen of a fresh page, with the penguins described. */
async function openData(options = {}, hash = "") {
  const opened = await openStudio(browser, studio.address + hash, options);
  await show(opened.page, "Data");
  if (hash === "") await opened.page.locator(".card .figures").first().waitFor();
  return opened;
}

/** Drops a file as somebody does: anywhere. */
const drop = (page: Page, name: string, text: string) =>
  page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content!], fileName!));
      for (const type of ["dragover", "drop"])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

const title = (page: Page, text: string) => page.getByRole("heading", { level: 1, name: text }).waitFor();
const status = (page: Page, text: string | RegExp) => page.locator(".tray", { hasText: text }).waitFor();

/** Flowers whose kind follows from length and width. */
const flowers = (rows: number) =>
  [
    "id,length,width,site,kind",
    ...Array.from({ length: rows }, (_, i) => {
      const x = (i * 7919) % 97;
      const y = (i * 104729) % 89;
      return `${1000 + i},${x / 10},${i % 25 === 3 ? "" : y / 10},site ${i % 6},${x > y ? "large" : "small"}`;
    }),
  ].join("\n");

test("a dropped CSV is described, its roles and kinds change, and models train on it", async () => {
  const { page, close } = await openData();
  await drop(page, "flowers.csv", flowers(240));
  await title(page, "flowers");
  await page.getByText("240 rows of 5 columns").waitFor();
  await status(page, "6 models trained");
  expect(await page.getByLabel("Role of id", { exact: true }).inputValue()).toBe("id");
  expect(await page.getByLabel("Role of kind", { exact: true }).inputValue()).toBe("target");
  await page
    .locator(".card", { hasText: "width" })
    .getByText(/\d+ different, 10 missing \(4\s%\)/)
    .waitFor();

  // Rows of a site are held out together.
  await page.getByRole("radio", { name: "By group" }).check();
  await page.getByText("No column is the group yet").waitFor();
  await page.locator(".split select").selectOption("site");
  await status(page, "6 models trained");
  expect(await page.getByLabel("Role of site", { exact: true }).inputValue()).toBe("group");

  // Another target is another task.
  await page.getByLabel("Role of width", { exact: true }).selectOption("target");
  await page.getByText("Models for regression replaced").waitFor();
  await status(page, "5 models trained");
  await page.getByText(/"width" is missing in 10 rows/).waitFor();
  await page.getByLabel("Kind of length", { exact: true }).selectOption("category");
  await page.locator(".card", { hasText: "length" }).locator(".frequent").waitFor();
  await show(page, "Bench");
  await page.getByText("predict width from").waitFor();
  // The link names the file, and has nothing of it.
  await page.waitForFunction(() => location.hash.length > 10);
  await close();
}, 60_000);

test("warnings name what is wrong, and one click helps", async () => {
  const { page, close } = await openData();
  const rows = flowers(200)
    .split("\n")
    .map((line, i) => (i === 0 ? `${line},copy,same` : `${line},${line.endsWith("large") ? 1 : 0},x`));
  await drop(page, "leaky.csv", rows.join("\n").replace(/,copy,/, ",copyOfKind,"));
  await title(page, "leaky");
  await page.getByLabel("Role of kind", { exact: true }).selectOption("target");
  const leak = page.locator("[data-kind=leak]");
  await leak.getByText(/"copyOfKind" alone predicts "kind" almost perfectly/).waitFor();
  await leak.getByRole("button", { name: "Ignore it: copyOfKind" }).click();
  expect(await page.getByLabel("Role of copyOfKind").inputValue()).toBe("ignore");
  await leak.waitFor({ state: "detached" });
  await close();
}, 60_000);

test("pasted text and chosen Parquet open; what cannot be read says why", async () => {
  const { page, close } = await openData();
  await page.getByRole("radio", { name: "Paste" }).check();
  await page.getByLabel("Rows from a spreadsheet, CSV or JSON").fill(flowers(60).replaceAll(",", "\t"));
  await page.getByRole("button", { name: "Read the text" }).click();
  await title(page, "pasted table");
  await page.getByText("60 rows of 5 columns").waitFor();

  // Ctrl V beside the fields does the same.
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", '[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":5,"b":"x"}]');
    document.body.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await page.getByText("3 rows of 2 columns").waitFor();

  await page.getByRole("radio", { name: "File" }).check();
  const fixture = fileURLToPath(new URL("./fixtures/orders.parquet", import.meta.url));
  await page.locator("input[type=file]").setInputFiles(fixture);
  await title(page, "orders");
  await page.locator(".card", { hasText: "day" }).getByText("2024-02-19").waitFor();

  await drop(page, "broken.json", '[{"a":1},\n{"a":}]');
  await page
    .getByRole("alert")
    .getByText(/not valid JSON in line 2, column 6/)
    .waitFor();
  await title(page, "orders");
  await page.getByRole("button", { name: "Dismiss" }).click();
  expect(await page.locator("[role=alert]").textContent()).toBe("");
  await close();
}, 60_000);

test("hostile names and cells are text, have roles and kinds, and can be learned from", async () => {
  const { page, close } = await openData();
  const bad = '<img src=x onerror="globalThis.hacked=1">';
  const names = [bad, "__proto__", "constructor", "", "a", "a", "toString"];
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = Array.from({ length: 60 }, (_, i) =>
    [bad, (i * 7) % 13, i % 11, (i * 5) % 7, `=cmd|' /C calc'!A${i % 3}`, i, i % 2 ? "<b>yes</b>" : "no"]
      .map((cell) => quote(String(cell)))
      .join(","),
  );
  rows[7] = rows[7]!.replace("=cmd", "x".repeat(2 ** 20));
  await drop(page, `${bad}.csv`, [names.map(quote).join(","), ...rows].join("\n"));
  await page.getByRole("heading", { level: 1, name: "<img" }).waitFor();
  await page.getByLabel("Role of __proto__").selectOption("target");
  expect(await page.getByLabel("Role of __proto__").inputValue()).toBe("target");
  expect(await page.getByLabel("Role of toString").inputValue()).not.toBe("target");
  await page.getByLabel("Kind of __proto__").selectOption("category");
  await page.getByLabel("Kind of constructor").selectOption("text");
  await page.getByLabel("Kind of constructor").selectOption("number");
  await page.getByLabel("Role of constructor").selectOption("feature");
  await status(page, /6 models trained/);
  await show(page, "Bench");
  await page.getByText("predict __proto__ from").waitFor();
  expect(await page.locator("main img, main b").count()).toBe(0);
  expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined();
  await close();
}, 60_000);

test("of ten thousand columns a page of cards is shown, and a search finds the others", async () => {
  const { page, close } = await openData();
  const row = (of: (j: number) => string) => Array.from({ length: 10_000 }, (_, j) => of(j)).join(",");
  await drop(
    page,
    "wide.csv",
    [row((j) => `c${j}`), ...[1, 2, 3].map((i) => row((j) => String((j * i) % 7)))].join("\n"),
  );
  await page.getByText("3 rows of 10,000 columns").waitFor();
  expect(await page.locator(".card").count()).toBeLessThanOrEqual(24);
  await page.getByLabel("Search").fill("c9998");
  await page.getByRole("heading", { name: "c9998" }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 1);
  await page.getByRole("button", { name: "Ignore these 1" }).click();
  await close();
}, 60_000);

test("points are generated and painted, by pointer, by keys and by numbers", async () => {
  const { page, close } = await openData();
  await page.getByRole("radio", { name: "Generate" }).check();
  await page.getByRole("radio", { name: "Spirals" }).check();
  await title(page, "spirals");
  await page.getByLabel("Rows, as a number").fill("90000");
  await page.getByLabel("Rows, as a number").press("Tab");
  await page.getByText("20,000 rows of 3 columns").waitFor();
  await page.getByLabel("Rows, as a number").fill("100");
  await page.getByLabel("Rows, as a number").press("Tab");
  await page.getByLabel("Fraction of class A, as a number").fill("0.2");
  await page.getByLabel("Fraction of class A, as a number").press("Tab");
  await page.locator(".card", { hasText: "class" }).getByText("80", { exact: true }).waitFor();

  await page.getByRole("radio", { name: "Draw points" }).check();
  const canvas = page.getByRole("img", { name: /^Canvas with/ });
  const box = (await canvas.boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 300, { steps: 30 });
  await page.mouse.up();
  await page.getByText("Put points of at least two classes.").waitFor();
  await page.getByRole("radio", { name: "B", exact: true }).check();
  await canvas.focus();
  for (let k = 0; k < 6; k++) {
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Space");
  }
  await page.getByRole("img", { name: /6 of class B/ }).waitFor();
  await page.locator(".point-form select").selectOption("B");
  await page.getByRole("button", { name: "Put the point" }).click();
  await page.getByRole("img", { name: /7 of class B/ }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("img", { name: /6 of class B/ }).waitFor();
  await title(page, "painted points");
  await status(page, "6 models trained");
  // The eraser takes the points around the crosshair.
  await page.getByRole("radio", { name: "Eraser" }).check();
  await canvas.focus();
  await page.keyboard.press("Space");
  await page.getByRole("img", { name: /4 of class B/ }).waitFor();
  await close();
}, 60_000);

test("pictures and rows share a selection, which is shown first", async () => {
  const { page, close } = await openData();
  await page.getByRole("radio", { name: "Included sets" }).check();
  await page.getByRole("button", { name: /^Digits/ }).click();
  await page.getByRole("img", { name: "Row 31," }).click();
  await page.getByText("1 selected, shown first").waitFor();
  const first = page.locator(".rows tbody tr").first();
  expect(await first.getByRole("button").textContent()).toBe("31");
  // A row that is chosen here stays where it is.
  await page.getByRole("button", { name: "Select row 2", exact: true }).click();
  await page.getByText("2 selected").waitFor();
  expect(await first.getByRole("button").textContent()).toBe("31");
  await page.getByRole("button", { name: "Clear selection" }).click();
  expect(await first.getByRole("button").textContent()).toBe("1");
  await page.locator(".rows-window").focus();
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Select row 1797" }).waitFor();
  expect(await page.locator(".rows tbody tr").count()).toBeLessThan(30);
  await close();
}, 60_000);

test("a link about a file asks for it: the same one opens with its roles, another one is asked about", async () => {
  const text = flowers(80);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const link = await linkTo({
    ...firstDocument,
    screen: "data",
    source: { kind: "file", name: "flowers.csv", sha256, rows: 80 },
    roles: { site: "target", id: "ignore" },
    axes: ["length", "width"],
    models: [{ id: "m1", estimator: "GaussianNB", params: {} }],
    selected: "m1",
  });
  const { page, close } = await openData({}, link);
  await page.getByText("This link is about flowers.csv").waitFor();
  await drop(page, "flowers.csv", flowers(81));
  await page
    .getByText("This flowers.csv differs from the one that the link is about: 81 rows here, 80 there.")
    .waitFor();
  await page.getByRole("button", { name: "Leave it" }).click();
  await page.getByText("This link is about flowers.csv").waitFor();
  await drop(page, "renamed.csv", text);
  await page.getByText("80 rows of 5 columns").waitFor();
  expect(await page.getByLabel("Role of site", { exact: true }).inputValue()).toBe("target");
  await status(page, "1 model trained");

  // Another file with the models of the link.
  await page.reload();
  await page.getByText("This link is about flowers.csv").waitFor();
  await drop(page, "other.csv", flowers(90));
  await page.getByText("other.csv is not flowers.csv").waitFor();
  await page.getByRole("button", { name: "Use it with the models of the link" }).click();
  await page.getByText("90 rows of 5 columns").waitFor();
  expect(await page.getByLabel("Role of site", { exact: true }).inputValue()).toBe("target");
  await status(page, "1 model trained");
  await close();
}, 60_000);

test("a large table is trained on when somebody asks for it", async () => {
  const { page, close } = await openData();
  const rows = Array.from(
    { length: 50_001 },
    (_, i) => `${i % 977},${(i * 31) % 1009},${(i * 31) % 1009 > i % 977 ? "a" : "b"}`,
  );
  await drop(page, "large.csv", `x,y,kind\n${rows.join("\n")}`);
  await page.getByText("nothing is trained until you start it").waitFor();
  await show(page, "Bench");
  await page.getByText(/By a sample of the rows it takes about/).waitFor();
  expect(await page.locator(".tile[data-state=waiting]").count()).toBe(6);
  await page.getByRole("button", { name: "Train 6 models" }).click();
  await page.locator(".tile[data-state=running], .tile[data-state=done]").first().waitFor();
  await page.getByRole("button", { name: "Cancel all" }).click();
  await close();
}, 60_000);

test.each(themes)(
  "every way to a table passes axe in the %s theme, at 320 pixels too",
  async (colorScheme) => {
    const { page, close } = await openData({ colorScheme });
    await page.evaluate(axe);
    for (const way of ["File", "Paste", "Included sets", "Generate", "Draw points"]) {
      await page.getByRole("radio", { name: way }).check();
      if (way === "Generate") await page.getByRole("radio", { name: "Blobs" }).check();
      if (way === "Included sets") {
        await page.getByRole("button", { name: /^Titanic/ }).click();
        await page.locator("[data-kind=leak]").waitFor();
      }
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
      await page.setViewportSize({ width: 1280, height: 900 });
      const found = await page.evaluate(async () => {
        const { run } = (
          globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          }
        ).axe;
        const { violations } = await run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      });
      expect(found, way).toEqual([]);
    }
    await close();
  },
  60_000,
);
