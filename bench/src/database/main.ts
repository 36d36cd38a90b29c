/**
 * `node bench/dist/database/main.js [--rows 20000000] [--only logistic,ridge] [--rounds 1] [--alone]`: fits in DuckDB with 1 GB of memory to a Parquet file of 20
 * columns, against scikit-learn, which reads the same columns as raw doubles first; processes start to end, with their peak memory. Prints markdown, and leaves
 * results/database.json. `--alone` leaves scikit-learn out. Files of 160 bytes per row and side are made in cache/database.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { env, findPython, home, pythonScript } from "../setting.js";
import { parquetOf, rawColumns } from "./data.js";
import { type TaskName, taskNames, tasks } from "./tasks.js";

interface Outcome {
  readonly seconds: number;
  /** Peak resident memory, MB. */
  readonly rss: number;
  readonly passes?: number;
  readonly objective?: number | null;
}

interface Result {
  readonly task: TaskName;
  readonly rows: number;
  readonly ours: Outcome;
  readonly theirs?: Outcome | undefined;
}

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000000" },
    rounds: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    alone: { type: "boolean", default: false },
  },
});
const counts = values.rows.split(",").map(Number);
const rounds = Number(values.rounds);
const wanted =
  values.only === "" ? taskNames : taskNames.filter((name) => values.only.split(",").includes(name));
const directory = join(home, "cache/database");
const contestant = fileURLToPath(new URL("./contestant.js", import.meta.url));
const python = values.alone ? undefined : findPython();

function measured(command: string, words: readonly string[]): Outcome {
  const printed = execFileSync(command, words, {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(printed.trim().split("\n").at(-1)!) as Outcome;
}

const best = (a: Outcome | undefined, b: Outcome): Outcome =>
  a === undefined || b.seconds < a.seconds ? { ...b, rss: Math.max(b.rss, a?.rss ?? 0) } : a;

/** Keeps the result among those of other tasks and rows. */
function save(result: Result): void {
  const folder = join(home, "results");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "database.json");
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Result[]) : [];
  const others = before.filter(({ task, rows }) => task !== result.task || rows !== result.rows);
  writeFileSync(path, `${JSON.stringify([...others, result], null, 2)}\n`);
}

console.log(
  "| rows | task | argmax in DuckDB, 1 GB | passes | peak | scikit-learn | peak | faster | memory | objective |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
for (const rows of counts) {
  const file = await parquetOf(rows, directory);
  const raw = join(directory, `raw-${rows}`);
  if (python) await rawColumns(file, raw);
  for (const task of wanted) {
    let [ours, theirs]: (Outcome | undefined)[] = [];
    for (let round = 0; round < rounds; round++) {
      ours = best(ours, measured(process.execPath, [contestant, task, file, directory]));
      if (python)
        theirs = best(
          theirs,
          measured(python, [pythonScript("database_sklearn.py"), task, raw, String(rows)]),
        );
    }
    const result = { task, rows, ours: ours!, theirs };
    save(result);
    console.log(lineOf(result));
  }
}

function lineOf({ task, rows, ours, theirs }: Result): string {
  const time = (outcome: Outcome | undefined) => (outcome ? `${outcome.seconds.toPrecision(3)} s` : "·");
  const peak = (outcome: Outcome | undefined) => (outcome ? `${Math.round(outcome.rss)} MB` : "·");
  const ratio = (a: number | undefined, b: number) => (a === undefined ? "·" : `${(a / b).toFixed(2)} ×`);
  const objective =
    theirs?.objective && ours.objective ? (ours.objective / theirs.objective).toFixed(6) : "·";
  const cells = [
    rows.toLocaleString("en"),
    tasks[task].title,
    time(ours),
    ours.passes,
    peak(ours),
    time(theirs),
    peak(theirs),
    ratio(theirs?.seconds, ours.seconds),
    ratio(theirs?.rss, ours.rss),
    objective,
  ];
  return `| ${cells.join(" | ")} |`;
}
