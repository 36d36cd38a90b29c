import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { home } from "../setting.js";
import { Files, MissingData } from "./files.js";
import type { PublishedRow } from "./row.js";
import { publishedRows } from "./rows.js";
import { lines, passed, type Result, rewritten } from "./table.js";

const usage = `npm run published -- DIR [--write]

Reproduces published results on the data in DIR. --write also renews the table in docs/results.md.
Rows whose data is not in DIR are named and left out. Exits with 1 if a figure differs.
`;

function run(row: PublishedRow, files: Files): Result {
  const start = performance.now();
  try {
    const ours = row.run(files);
    return { row, ours, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    if (error instanceof MissingData) return { row, missing: error.message };
    throw error;
  }
}

function main(): number {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { write: { type: "boolean", default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  // npm runs scripts in the workspace's folder; INIT_CWD is where the user stands.
  const files = new Files(resolve(process.env.INIT_CWD ?? process.cwd(), folder));
  const results = publishedRows.map((row) => {
    const result = run(row, files);
    process.stdout.write(lines(result));
    return result;
  });
  if (values.write) {
    const document = join(home, "../docs/results.md");
    writeFileSync(document, rewritten(readFileSync(document, "utf8"), results));
  }
  return results.every(passed) ? 0 : 1;
}

process.exitCode = main();
