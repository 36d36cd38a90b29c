/**
 * Takes the pictures of the studio in the README, light and dark: `npm run build && node tools/docs/studio-pictures.mjs`. They show the page
 * as it is when it has just been opened, once its models are trained.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const path = (file) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const server = spawn(process.execPath, [path("apps/cli/dist/main.js"), "studio", "--port", "0"]);
const address = await new Promise((resolve) => {
  server.stdout.on("data", (text) => {
    const found = /http:\/\/\S+/.exec(String(text))?.[0];
    if (found !== undefined) resolve(found);
  });
});
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({
    viewport: { width: 1360, height: 850 },
    colorScheme,
    reducedMotion: "reduce",
  });
  await page.goto(address);
  await page.waitForFunction(() => document.querySelectorAll('.tile[data-state="done"]').length === 6);
  const scrubber = page.locator(".scrubber input");
  await scrubber.waitFor();
  await scrubber.fill("14");
  await page.waitForTimeout(500);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: path(`docs/studio-${colorScheme}.png`) });
}
await browser.close();
server.kill();
