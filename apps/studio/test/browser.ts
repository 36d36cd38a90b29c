import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".jpg": "image/jpeg",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** The built studio on a free port; `isolated`: with the headers that let a page share memory. */
export async function serveStudio(
  isolated = true,
): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, "http://localhost").pathname;
    const file = join(dist, path === "/" ? "index.html" : path);
    if (!file.startsWith(dist) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": types[extname(file)] ?? "application/octet-stream",
      ...(isolated && {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
      }),
    });
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

/** The themes of forms: both in `npm run test:deep`; gates.test.ts opens every screen in both. */
export const themes: readonly ("light" | "dark")[] = process.env["ARGMAX_DEEP"]
  ? ["light", "dark"]
  : ["light"];

let started: ReturnType<typeof start> | undefined;

async function start() {
  const [browser, studio] = await Promise.all([launch(), serveStudio()]);
  studio.server.unref();
  return { browser, studio };
}

/** A browser and the built studio for all files of this process; Playwright ends the browser with the process. */
export function startStudio(): ReturnType<typeof start> {
  started ??= start();
  return started;
}

export interface Opened {
  readonly page: Page;
  /** Errors of the page and its console, and requests that failed or went elsewhere. */
  readonly problems: string[];
  /** Closes the page, on which nothing may have gone wrong. */
  close(): Promise<void>;
}

/** A page of its own, in which everything that goes wrong is noted. */
export async function openStudio(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(new URL(address).origin) && !/^(data|blob):/.test(url))
      problems.push(`asked for ${url}`);
  });
  await page.goto(address);
  await page.waitForSelector(".rail");
  const close = async (): Promise<void> => {
    expect(problems).toEqual([]);
    await context.close();
  };
  return { page, problems, close };
}

/** Waits until every model is trained. */
export async function trained(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll<HTMLElement>(".tile")];
    return tiles.length > 0 && tiles.every((tile) => tile.dataset["state"] === "done");
  });
}

export async function show(page: Page, screen: string): Promise<void> {
  await page.getByRole("navigation", { name: "Screens" }).getByRole("button", { name: screen }).click();
}
