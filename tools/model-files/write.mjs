/**
 * Writes the model files that a test loads forever after, and what each model answered when it was written:
 *
 *   npm run build && node tools/model-files/write.mjs                      every case that has no file yet
 *   npm run build && node tools/model-files/write.mjs --overwrite "Ridge"  these cases anew (they lose their history)
 *
 * Only files of the current version of the format are written; those of earlier versions can no longer be.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseCsv, saveModel } from "argmax";
import { answersOf, readRows } from "./answers.mjs";
import { cases, rows, training } from "./cases.mjs";

const fileName = (name) => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.safetensors`;

/** The version that `saveModel` writes, read from the header of a file. */
function currentVersion() {
  const [{ estimator, rows: set }] = cases;
  const bytes = saveModel(estimator.fit(training[set]));
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))).__metadata__.version;
}

/** Writes the cases without a file, and those to overwrite, below `root`; returns the names of the cases that it wrote. */
export function writeFiles(root, overwritten = []) {
  const unknown = overwritten.find((name) => cases.every((one) => one.name !== name));
  if (unknown !== undefined) throw new Error(`no such case: ${unknown}`);
  const folder = join(root, `v${currentVersion()}`);
  const list = join(folder, "answers.json");
  mkdirSync(folder, { recursive: true });
  const stored = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : { rows: {}, models: {} };
  const written = cases.filter(({ name }) => {
    return overwritten.includes(name) || !existsSync(join(folder, fileName(name)));
  });
  for (const { name, estimator, rows: set, y } of written) {
    if (JSON.stringify(stored.rows[set] ?? rows[set]) !== JSON.stringify(rows[set])) {
      throw new Error(`the rows "${set}" differ from those of earlier files: give them another name`);
    }
    stored.rows[set] = rows[set];
    const model = estimator.fit(training[set], y);
    const answers = answersOf(model, readRows(rows[set], parseCsv));
    stored.models[fileName(name)] = { name, rows: set, answers };
    writeFileSync(join(folder, fileName(name)), saveModel(model));
  }
  if (written.length > 0) writeFileSync(list, inLines(stored));
  return written.map(({ name }) => name);
}

/** One line per model, so that a change shows which one it is about. */
function inLines(stored) {
  const lines = (entries) =>
    Object.entries(entries).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const parts = Object.entries(stored).map(([part, all]) => `"${part}": {\n${lines(all).join(",\n")}\n}`);
  return `{\n${parts.join(",\n")}\n}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [flag, ...overwritten] = process.argv.slice(2);
  if (flag !== undefined && (flag !== "--overwrite" || overwritten.length === 0)) {
    console.error("usage: write.mjs [--overwrite case…]");
    process.exit(2);
  }
  const root = fileURLToPath(new URL("../../library/test/model-files/fixtures", import.meta.url));
  const written = writeFiles(root, overwritten);
  console.log(`${written.length} files written, ${cases.length - written.length} left as they are`);
}
