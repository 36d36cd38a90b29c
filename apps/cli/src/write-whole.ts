import { rename, rm, writeFile } from "node:fs/promises";
import { writeFailure } from "./write-failure.js";

/** Writes a file that appears under its name when it is complete. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.partial`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw writeFailure(path, error);
  }
}
