import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { firstDocument, type ModelEntry, type StudioDocument } from "../src/state/document.js";
import { linkTo } from "../src/state/link.js";
import { openStudio, startStudio, themes, trained } from "./browser.js";

const { browser, studio } = await startStudio();

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let k = 0; k < 150; k++) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const at = document.activeElement as HTMLInputElement | null;
      return at?.ariaLabel ?? at?.labels?.[0]?.textContent?.trim() ?? at?.textContent?.trim();
    });
    if (found === name) return;
  }
  throw new Error(`The focus never came to ${name}.`);
}

/** The states that each tile goes through from now on, by the name of its class. */
async function watchTiles(page: Page): Promise<() => Promise<Record<string, string[]>>> {
  await page.evaluate(() => {
    const seen: Record<string, string[]> = {};
    Object.assign(globalThis, { seenStates: seen });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const { model, state } = (target as HTMLElement).dataset;
        if (model !== undefined && state !== undefined) seen[model] = [...(seen[model] ?? []), state];
      }
    }).observe(document.querySelector(".wall")!, {
      subtree: true,
      attributes: true,
      attributeFilter: ["data-state"],
    });
  });
  return () =>
    page.evaluate(() => (globalThis as unknown as { seenStates: Record<string, string[]> }).seenStates);
}

test("by keys alone: a vote of three models is added, trained, and trained anew when a member changes", async () => {
  const { page, close } = await openStudio(browser, studio.address);
  await trained(page);
  await page.keyboard.press("/");
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement).type === "search");
  await page.getByRole("button", { name: "Voting", exact: true }).waitFor();
  await page.keyboard.type("votingclass");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.id === "add-model");
  expect(await page.getByLabel("Search").isVisible()).toBe(false);
  await page.locator(".tile[data-model=VotingClassifier][data-state=done]").waitFor();
  const row = page.locator(".board tr", { hasText: "Voting" });
  await row.getByText(/0\.9\d\d/).waitFor();
  const members = page.getByRole("group", { name: "estimators" });
  const chosen = () =>
    members.getByRole("combobox").evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value));
  expect(await chosen()).toEqual(["model m1", "model m2", "model m3"]);

  // Another member: only the vote is trained anew.
  const states = await watchTiles(page);
  await tabTo(page, "Member 3");
  await page.keyboard.type("Naive");
  await expect.poll(async () => (await states())["VotingClassifier"]?.at(-1)).toBe("done");
  expect(Object.keys(await states())).toEqual(["VotingClassifier"]);
  expect((await chosen())[2]).toBe("estimator GaussianNB");

  // A fourth one, which is taken away again.
  await tabTo(page, "Add a member");
  await page.keyboard.press("Enter");
  expect(await chosen()).toHaveLength(4);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  expect(await chosen()).toHaveLength(3);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Add a member");
  await trained(page);

  // A parameter of a member: it and the vote are trained anew.
  await page.locator(".tile[data-model=SVC] button").first().click();
  const C = page.getByLabel("C", { exact: true });
  await C.fill("0.001");
  const later = await watchTiles(page);
  await C.press("Enter");
  await expect.poll(async () => Object.keys(await later()).sort()).toEqual(["SVC", "VotingClassifier"]);
  await trained(page);

  // Without a member it says what to do; the member can come back.
  await page.getByRole("button", { name: "Remove SVM, Gaussian kernel" }).click();
  await row.getByText("m2 is no longer on the bench: choose another one").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".tile[data-model=VotingClassifier][data-state=done]").waitFor();
  await close();
}, 60_000);

const columns = ["mean radius", "mean texture"];
const stage = { part: { estimator: "LogisticRegression" }, cost: 1, sensitivity: null };
const composed: readonly Omit<ModelEntry, "id">[] = [
  { estimator: "VotingClassifier", params: { estimators: [{ estimator: "GaussianNB" }, { model: "m4" }] } },
  {
    estimator: "Cascade",
    params: {
      stages: columns.map((name) => ({ ...stage, columns: [name] })),
      sensitivity: 0.9,
      positiveLabel: "malignant",
    },
  },
  { estimator: "MixedNB", params: { blocks: [{ event: "bernoulli", columns: ["mean radius"] }] } },
  {
    estimator: "NeuralClassifier",
    params: {
      layers: [
        { layer: "dense", units: 4, activation: "tanh" },
        { layer: "dropout", rate: 0.1 },
      ],
      maxIter: 5,
    },
  },
  {
    estimator: "LinearClassifier",
    params: { penalty: { name: "elasticNet", settings: { alpha: 0.01, l1Ratio: 0.5 } } },
  },
  {
    estimator: "ThresholdClassifier",
    params: {
      costMatrix: [
        [0, 1],
        [5, 0],
      ],
      estimator: { model: "m1" },
      positiveLabel: "malignant",
    },
  },
];

/** Two classes; a member may come after what it is in. */
const opened: StudioDocument = {
  ...firstDocument,
  source: { kind: "included", name: "breastCancer" },
  roles: { diagnosis: "target" },
  axes: ["mean radius", "mean texture"],
  models: composed.map((model, k) => ({ ...model, id: `m${k + 1}` })),
  selected: "m1",
};

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test.each(themes)(
  "a link opens models made of others; their forms are for everybody (%s)",
  async (colorScheme) => {
    const { page, close } = await openStudio(browser, studio.address, {
      colorScheme,
      bypassCSP: true,
      viewport: { width: 320, height: 800 },
    });
    await page.evaluate(
      (hash) => {
        location.hash = hash;
      },
      await linkTo(opened),
    );
    await page.locator(".tile[data-model=Cascade]").waitFor();
    await trained(page);
    await page.evaluate(axe);
    for (const { estimator } of composed) {
      await page.locator(`.tile[data-model=${estimator}] button`).first().click();
      await page.locator(".settings .param-name").first().waitFor();
      const found = await page.evaluate(async () => {
        const { axe: own } = globalThis as unknown as {
          axe: { run(at: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        const { violations } = await own.run(".settings");
        const small = [...document.querySelectorAll(".settings :is(button, select, input)")]
          .map((one) => (one as HTMLInputElement).closest("label") ?? one)
          .filter((one) => Math.min(one.clientHeight, one.clientWidth) < 24);
        return {
          violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`),
          small: small.map((one) => one.outerHTML.slice(0, 200)),
          width: document.documentElement.scrollWidth,
        };
      });
      expect([estimator, found]).toEqual([estimator, { violations: [], small: [], width: 320 }]);
    }
    await close();
  },
  60_000,
);
