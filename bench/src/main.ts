import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { chosen, type Options, readOptions, usage } from "./options.js";
import { type Row, runWorkload } from "./run.js";
import { canImport, findPython, home, type Setting } from "./setting.js";
import { type Summary, summarize } from "./summary.js";
import { geometricMeans, line, markdown } from "./table.js";
import type { Workload } from "./workload.js";
import { workloads } from "./workloads/index.js";

/** A line on stderr that overwrites itself on a terminal and is not written to logs. */
function progressLine(prefix: string): (text: string) => void {
  if (!process.stderr.isTTY) return () => {};
  return (text) => process.stderr.write(text === "" ? "\r\u001b[2K" : `\r\u001b[2K${prefix}: ${text}`);
}

interface Results {
  readonly rows: readonly Row[];
  readonly summaries: readonly Summary[];
  /** Workloads that a contestant could not finish, with its last output. */
  readonly failed: readonly string[];
}

async function runAll(list: readonly Workload[], options: Options): Promise<Results> {
  const python = findPython();
  if (python === undefined) {
    process.stderr.write(
      "scikit-learn is not installed: its side is skipped (apt-get install python3-sklearn).\n",
    );
  }
  const xgboost = python !== undefined && canImport(python, "xgboost");
  if (python !== undefined && !xgboost) {
    process.stderr.write(
      "XGBoost is not installed: its side is skipped (apt-get install python3-xgboost).\n",
    );
  }
  const torch = python !== undefined && canImport(python, "torch");
  const rows: Row[] = [];
  const summaries: Summary[] = [];
  const failed: string[] = [];
  for (const [index, workload] of list.entries()) {
    const progress = progressLine(`${index + 1}/${list.length} ${workload.id}`);
    const { rounds, quick } = options;
    const setting: Setting = { cache: join(home, "cache"), rounds, quick, python, xgboost, torch, progress };
    try {
      const row = await runWorkload(workload, setting);
      const summary = summarize(row);
      rows.push(row);
      summaries.push(summary);
      progress("");
      process.stdout.write(`${line(row, summary)}\n`);
    } catch (error) {
      progress("");
      failed.push(`${workload.id}: ${(error as Error).message}`);
      process.stdout.write(`${workload.title}: failed\n`);
    }
  }
  return { rows, summaries, failed };
}

function versions(rows: readonly Row[]): string {
  const outcomes = rows.flatMap((row) => row.outcomes);
  const version = (side: string) =>
    outcomes.find(({ contestant, version }) => contestant.side === side && version !== "")?.version ??
    "absent";
  const processors = cpus();
  return [
    `argmax ${version("argmax")}`,
    `scikit-learn ${version("scikit-learn")}`,
    `XGBoost ${version("XGBoost")}`,
    `TensorFlow.js ${version("TensorFlow.js")}`,
    `PyTorch ${version("PyTorch")}`,
    `Node ${process.version}`,
    `${processors.length} × ${processors[0]?.model ?? "unknown processor"}`,
  ].join(", ");
}

function write(rows: readonly Row[], summaries: readonly Summary[]): void {
  const folder = join(home, "results");
  mkdirSync(folder, { recursive: true });
  const text = versions(rows);
  writeFileSync(
    join(folder, "latest.json"),
    `${JSON.stringify({ versions: text, rows, summaries }, null, 2)}\n`,
  );
  writeFileSync(join(folder, "latest.md"), markdown(rows, summaries, text));
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const list = chosen(workloads, options.only);
  if (options.list) {
    for (const { id, title } of list) process.stdout.write(`${id.padEnd(22)} ${title}\n`);
    return 0;
  }
  const { rows, summaries, failed } = await runAll(list, options);
  write(rows, summaries);
  for (const text of geometricMeans(summaries)) process.stdout.write(`${text.slice(2)}\n`);
  for (const text of failed) process.stderr.write(`${text}\n`);
  const broken = summaries.flatMap(({ id, broken }) => broken.map((reason) => `${id}: ${reason}`));
  if (options.check && broken.length > 0) {
    process.stderr.write(`Broken promises:\n${broken.map((text) => `  ${text}\n`).join("")}`);
    return 1;
  }
  return failed.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
