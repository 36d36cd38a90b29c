import { writeFile } from "node:fs/promises";
import type { Terminal } from "../terminal/terminal.js";
import { writeFailure } from "../write-failure.js";
import { type Page, renderPage } from "./page.js";

/** Writes the page of --html, and says so. */
export async function writePage(path: string, page: Page, terminal: Terminal): Promise<void> {
  const html = renderPage(page);
  try {
    await writeFile(path, html);
  } catch (error) {
    throw writeFailure(path, error);
  }
  terminal.emit({ type: "file", path, bytes: Buffer.byteLength(html) });
  terminal.print(`\nWrote ${path}.`);
}
