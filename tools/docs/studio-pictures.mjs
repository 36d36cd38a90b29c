/**
 * Takes the pictures of the studio in the README, light and dark, and the small one that the page shows until its models are trained:
 * `npm run build && node tools/docs/studio-pictures.mjs`. They show the page as it is when it has just been opened.
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
const small = await browser.newPage({
  viewport: { width: 1360, height: 850 },
  deviceScaleFactor: 0.35,
  reducedMotion: "reduce",
});
await small.goto(address);
await small.waitForFunction(() => document.querySelectorAll('.tile[data-state="done"]').length === 6);
await small.locator(".scrubber input").waitFor();
const { x, y } = await small.locator("main").boundingBox();
// Of the size that index.html keeps free for it.
await small.screenshot({
  path: path("apps/studio/public/first.jpg"),
  type: "jpeg",
  quality: 27,
  clip: { x, y, width: 1220, height: 760 },
});
await browser.close();
server.kill();
