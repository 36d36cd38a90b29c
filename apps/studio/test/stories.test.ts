import { expect, test } from "vitest";
import { openStudio, show, startStudio } from "./browser.js";

const { browser, studio } = await startStudio();

test("every story runs to its end: models train, figures answer their controls", async () => {
  const { page, problems } = await openStudio(browser, studio.address);
  await show(page, "Learn");
  const cards = page.locator(".story-card");
  await cards.first().waitFor();
  const stories = await cards.count();
  expect(stories).toBe(15);
  await cards.first().click();
  const seen = new Set<string>();
  for (;;) {
    const heading = await page.locator("article.story h1").textContent();
    expect(seen.has(heading!)).toBe(false);
    seen.add(heading!);
    const tiles = page.locator(".story-scene .tile");
    // What the scene shows is known once its table is there.
    await page.locator(".story-scene :is(.plot-area, .tile, svg, table)").first().waitFor();
    if ((await page.locator(".story-scene .plot-area").count()) > 0) {
      // One model: its steps are drawn, and the last is that of the trained model.
      await page.waitForFunction(() => document.querySelector(".scrubber input, .scrubber.note") !== null);
    } else if ((await tiles.count()) > 0) {
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLElement>(".story-scene .tile")].every(
          (tile) => tile.dataset["state"] === "done",
        ),
      );
    } else {
      await page.locator(".story-scene svg, .story-scene table").first().waitFor();
      const slider = page.locator(".story-scene input[type=range]").first();
      if ((await slider.count()) > 0) {
        const scene = page.locator(".story-scene");
        const before = await scene.innerHTML();
        await slider.focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        expect(await scene.innerHTML(), heading!).not.toBe(before);
      }
    }
    expect(await page.locator(".story-scene .problem").count(), heading!).toBe(0);
    const next = page.locator(".story-steps .primary");
    if ((await next.count()) === 0) break;
    await next.click();
    await page.waitForFunction(
      (old) => document.querySelector("article.story h1")?.textContent !== old,
      heading,
    );
  }
  expect(seen.size).toBeGreaterThanOrEqual(38);
  // Back to where it began.
  await page.getByRole("button", { name: "All stories" }).click();
  await show(page, "Bench");
  await page.getByRole("heading", { level: 1, name: "penguins" }).waitFor();
  expect(problems).toEqual([]);
}, 120_000);
