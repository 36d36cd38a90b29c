import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Running } from "./support.js";
import { cleanUp, folderOfModels, passengerModel, startServer, sumModel, textModel } from "./support.js";

afterAll(cleanUp);

const token = "a-token-of-many-characters";
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
afterAll(() => browser.close());

let running: Running;
let guarded: Running;
beforeAll(async () => {
  const folder = folderOfModels({ passengers: passengerModel(), sum: sumModel(), text: textModel() });
  running = await startServer({ folder });
  guarded = await startServer({ folder, tokens: [token] });
});

/** A page, and what its console complains about: a violated policy would. */
async function open(url: string) {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

test("the form has the fields of the model with its example, and shows the prediction", async () => {
  const { page, complaints } = await open(running.url);
  await page.waitForSelector("form button");
  const fields = await page.$$eval("form [name]", (all) =>
    all.map((one) => [one.getAttribute("name"), one.tagName]),
  );
  expect(fields).toEqual([
    ["age", "INPUT"],
    ["sex", "SELECT"],
    ["alone", "INPUT"],
    ["boarded", "INPUT"],
  ]);
  await page.selectOption("[name=sex]", "male");
  await page.fill("[name=age]", "");
  await page.click("form button");
  await page.waitForSelector("#result meter");
  expect(await page.textContent("#result dd")).toBe("false");
  await page.selectOption("#model", "text");
  await page.waitForSelector("textarea");
  await page.fill("textarea", "cheap pills <b>now</b>");
  await page.click("form button");
  await page.waitForFunction(() => document.querySelector("#result dd")?.textContent === "spam");
  await page.selectOption("#model", "sum");
  await page.waitForSelector("[name=a]");
  await page.fill("[name=a]", "1");
  await page.fill("[name=b]", "2");
  await page.click("form button");
  await page.waitForFunction(
    () => Math.abs(Number(document.querySelector("#result dd")?.textContent) - 9) < 1e-9,
  );
  expect(complaints).toEqual([]);
  await page.close();
});

test("a server with tokens asks for one", async () => {
  const { page } = await open(guarded.url);
  await page.waitForSelector("#token", { state: "visible" });
  expect(await page.textContent("#state")).toBe("This server needs a token.");
  await page.fill("#token", token);
  await page.press("#token", "Tab");
  await page.waitForSelector("form button");
  await page.click("form button");
  await page.waitForSelector("#result meter");
  await page.close();
});
