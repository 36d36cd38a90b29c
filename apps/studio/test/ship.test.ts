import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openStudio, serveStudio, show, startStudio, trained } from "./browser.js";

const { browser, studio } = await startStudio();

test.each([true, false])(
  "an ONNX file is offered once ONNX Runtime gives the app's answers in the page (isolated: %s)",
  async (isolated) => {
    const { address, server } = await serveStudio(isolated);
    const { page, close } = await openStudio(browser, address, { acceptDownloads: true });
    await trained(page);
    await show(page, "Ship");
    await page.getByRole("tab", { name: "ONNX" }).click();
    expect(await page.getByRole("button", { name: /Download/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText("344 rows of the table").waitFor();
    expect(await page.locator(".checked").textContent()).toMatch(
      /✓ Verified.*no label differs.*69 held-out rows.*no label differs/,
    );
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: /Download penguins-ada-boost-classifier\.onnx/ }).click();
    const file = readFileSync((await (await download).path())!);
    // The version of the format, as its first field.
    expect([...file.subarray(0, 2)]).toEqual([8, 10]);
    await close();
    server.close();
  },
  60_000,
);

test("what did not arrive of ONNX Runtime is fetched again by the next check", async () => {
  const { page } = await openStudio(browser, studio.address);
  await trained(page);
  await show(page, "Ship");
  await page.getByRole("tab", { name: "ONNX" }).click();
  await page.context().route(/\.wasm$/, (route) => route.abort());
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("ONNX Runtime could not be fetched from this site").waitFor();
  await page.context().unroute(/\.wasm$/);
  await page.getByRole("button", { name: "Verify again" }).click();
  await page.getByText("344 rows of the table").waitFor();
  await page.context().close();
}, 60_000);
