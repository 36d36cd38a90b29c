import { writeFile } from "node:fs/promises";
import { Failure } from "../command.js";
import type { Terminal } from "../terminal.js";
import { type Page, renderPage } from "./page.js";

/** Writes the page of --html, and says so. */
export async function writePage(path: string, page: Page, terminal: Terminal): Promise<void> {
  const html = renderPage(page);
  try {
    await writeFile(path, html);
  } catch (error) {
    throw new Failure(`${JSON.stringify(path)} cannot be written: ${(error as Error).message}.`);
  }
  terminal.emit({ type: "file", path, bytes: Buffer.byteLength(html) });
  terminal.print(`\nWrote ${path}.`);
}
