/**
 * `node bench/dist/cli/compare-time.js [--rounds 3] [--adult DIR]`: wall time of `argmax compare`, start of the program included, against the same
 * twelve kinds of models in scikit-learn with as many folds (drawn by another generator) and a like treatment of the columns, in two processes; and the start of the program alone. With the folder of adult-train.csv.gz also that table, without SVC. Rounds are interleaved; the best counts.
 * Prints markdown.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadCsv } from "argmax/datasets";
import { env, findPython } from "../setting.js";

const bench = fileURLToPath(new URL("../..", import.meta.url));
const program = join(bench, "../apps/cli/dist/main.js");
const script = join(bench, "python/compare_time.py");
const cache = join(bench, "cache/cli");

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, adult: { type: "string" } },
});
const rounds = Number(values.rounds);

interface Row {
  readonly title: string;
  readonly ours: readonly string[];
  readonly theirs: readonly string[] | undefined;
}

function seconds(command: string, words: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(command, words, {
    cwd: cache,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${stderr}`);
  return (performance.now() - started) / 1000;
}

const python = findPython();
mkdirSync(cache, { recursive: true });
writeFileSync(join(cache, "titanic.csv"), (await loadCsv("titanic")).csv);
const iris = [
  "train",
  "iris",
  "-m",
  "logistic-regression",
  "--plain",
  "--test",
  "0",
  "-o",
  "iris-start.safetensors",
];
seconds(process.execPath, [program, ...iris]);

const compare = (file: string, target: string, dropped: string, models: string): Row => ({
  title: `compare ${basename(file)}, ${models} models × 5 folds`,
  ours: [
    program,
    "compare",
    file,
    "-t",
    target,
    ...(dropped ? ["--drop", dropped] : []),
    "--save",
    "none",
    "--json",
  ],
  theirs: [script, file, target, dropped],
});
const rows: Row[] = [
  { title: "argmax --version", ours: [program, "--version"], theirs: ["-c", "import sklearn"] },
  {
    title: "predict one row, iris, start included",
    ours: [program, "predict", "iris-start.safetensors", "iris", "--rows", "1", "--json"],
    theirs: ["-c", "import pandas, sklearn.linear_model"],
  },
  compare("titanic.csv", "survived", "boat,body", "twelve"),
];
if (values.adult !== undefined && existsSync(join(values.adult, "adult-train.csv.gz")))
  rows.push(compare(resolve(values.adult, "adult-train.csv.gz"), "income", "", "eleven"));

console.log("| | argmax | Python | faster |\n| --- | --- | --- | --- |");
for (const { title, ours, theirs } of rows) {
  let [mine, other] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round++) {
    mine = Math.min(mine, seconds(process.execPath, ours));
    if (python && theirs) other = Math.min(other, seconds(python, theirs));
  }
  const ratio = Number.isFinite(other) ? `${(other / mine).toFixed(2)} ×` : "·";
  const show = (value: number) => (Number.isFinite(value) ? `${value.toPrecision(3)} s` : "·");
  console.log(`| ${title} | ${show(mine)} | ${show(other)} | ${ratio} |`);
}
