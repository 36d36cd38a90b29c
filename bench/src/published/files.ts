import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Thrown if the data of a row are missing; the row is skipped. */
export class MissingData extends Error {
  constructor(readonly file: string) {
    super(`${file} is not in the data folder`);
  }
}

/** The data folder: files, plain or gzipped. */
export class Files {
  constructor(readonly folder: string) {}

  text(name: string): string {
    return this.bytes(name).toString("utf8");
  }

  bytes(name: string): Buffer {
    const path = join(this.folder, name);
    if (existsSync(path)) return readFileSync(path);
    if (existsSync(`${path}.gz`)) return gunzipSync(readFileSync(`${path}.gz`));
    throw new MissingData(name);
  }
}

/** Rows of a CSV file with a header, as records of text. Quoted fields are refused, not guessed. */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] {
  if (text.includes('"')) throw new Error("quoted fields are not supported");
  const [header, ...lines] = text.trim().split(/\r?\n/);
  const names = header!.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, j) => [name, cells[j] ?? ""]));
  });
}
