/**
 * `node bench/dist/cli/predict-rows.js [--rows 1000000] [--rounds 5] [--threads N]`: rows per second of `argmax predict` on a CSV file of ten numeric
 * columns, against pandas.read_csv, predict of scikit-learn, and to_csv. Both write one prediction per row. Rounds are interleaved; the
 * best counts. Prints markdown.
 */

import { execFile } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import {
  LogisticRegression,
  modelCard,
  parseCsv,
  pipeline,
  Random,
  RandomForestClassifier,
  StandardScaler,
  saveModel,
  type Table,
} from "argmax";
import { minOf } from "argmax/numeric";
import { env, findPython } from "../setting.js";

const run = promisify(execFile);
const bench = fileURLToPath(new URL("../..", import.meta.url));
const program = join(bench, "../apps/cli/dist/main.js");
const script = join(bench, "python/predict_rows.py");
const cache = join(bench, "cache/cli");

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
    threads: { type: "string" },
  },
});
const rows = Number(values.rows);
const rounds = Number(values.rounds);
const threads = values.threads === undefined ? [] : ["--threads", values.threads];
const TRAINING = 20_000;
const COLUMNS = 10;

/** Rows of numbers with six digits; the label is a noisy sign of a sum and a product of columns. */
function writeRows(path: string, count: number, seed: number, labelled: boolean): void {
  if (existsSync(path)) return;
  const random = new Random(seed);
  const names = Array.from({ length: COLUMNS }, (_, j) => `x${j}`);
  const file = openSync(path, "w");
  let text = `${[...names, ...(labelled ? ["y"] : [])].join(",")}\n`;
  for (let i = 0; i < count; i++) {
    const x = names.map(() => random.normal());
    const isYes = x[0]! + x[1]! * x[2]! - x[3]! + 0.5 * random.normal() > 0.2;
    text += `${x.map((value) => value.toFixed(6)).join(",")}${labelled ? (isYes ? ",yes" : ",no") : ""}\n`;
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = "";
    }
  }
  writeSync(file, text);
  closeSync(file);
}

const families = {
  logistic: () => pipeline(new StandardScaler(), new LogisticRegression()),
  forest: () => new RandomForestClassifier({ nEstimators: 100, maxDepth: 10, randomState: 0 }),
};
type Family = keyof typeof families;

/** Seconds of a run: of the work (reading, predicting, writing), and of the whole process. */
interface Measured {
  readonly work: number;
  readonly process: number;
}

async function timed(command: string, words: readonly string[]): Promise<Measured> {
  const began = performance.now();
  const { stdout } = await run(command, [...words], { env, maxBuffer: 1 << 24 });
  const { seconds } = JSON.parse(stdout) as { seconds: number };
  return { work: seconds, process: (performance.now() - began) / 1000 };
}

const best = (list: readonly Measured[]): Measured => ({
  work: minOf(list.map(({ work }) => work)),
  process: minOf(list.map(({ process }) => process)),
});

const perSecond = (seconds: number) => Math.round(rows / seconds).toLocaleString("en");

async function compare(family: Family, python: string, data: string, training: string): Promise<string> {
  const model = join(cache, `${family}.safetensors`);
  const table = parseCsv(readFileSync(training), { types: { y: "category" } });
  const X: Table = table.drop(["y"]);
  const y = table.column("y").toArray() as string[];
  const card = modelCard(X, { target: "y", task: "classification" });
  writeFileSync(model, saveModel(families[family]().fit(X, y) as never, { card }));
  const pickled = join(cache, `${family}.pickle`);
  await run(python, [script, "fit", family, training, pickled], { env });
  const outs = { argmax: join(cache, `${family}-argmax.csv`), sklearn: join(cache, `${family}-sklearn.csv`) };
  const measured = { argmax: [] as Measured[], sklearn: [] as Measured[] };
  for (let round = 0; round < rounds; round++) {
    measured.argmax.push(
      await timed(process.execPath, [
        program,
        "predict",
        model,
        data,
        "-o",
        outs.argmax,
        "--json",
        ...threads,
      ]),
    );
    measured.sklearn.push(await timed(python, [script, "predict", pickled, data, outs.sklearn]));
  }
  const [ours, theirs] = [best(measured.argmax), best(measured.sklearn)];
  const cells = [
    family,
    perSecond(ours.work),
    perSecond(theirs.work),
    `${(theirs.work / ours.work).toFixed(1)} ×`,
    `${(theirs.process / ours.process).toFixed(1)} ×`,
    `${(100 * agreement(outs.argmax, outs.sklearn)).toFixed(2)}%`,
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Share of rows with the same prediction: models of one family, trained on the same rows, agree on nearly all. */
function agreement(a: string, b: string): number {
  const [first, second] = [a, b].map((path) => readFileSync(path, "utf8").trim().split("\n").slice(1));
  if (first!.length !== rows || second!.length !== rows)
    throw new Error(`${a} and ${b} must have ${rows} rows.`);
  return first!.filter((label, i) => label === second![i]).length / rows;
}

const python = findPython();
if (python === undefined) throw new Error("There is no Python with scikit-learn.");
mkdirSync(cache, { recursive: true });
const data = join(cache, `rows-${rows}.csv`);
const training = join(cache, `training-${TRAINING}.csv`);
writeRows(data, rows, 1, false);
writeRows(training, TRAINING, 2, true);
console.log(
  `${rows.toLocaleString("en")} rows × ${COLUMNS} columns, best of ${rounds} interleaved rounds.\n`,
);
console.log(
  "| model | argmax predict, rows/s | pandas + scikit-learn, rows/s | work | whole process | same predictions |",
);
console.log("| --- | ---: | ---: | ---: | ---: | ---: |");
for (const family of Object.keys(families) as Family[])
  console.log(await compare(family, python, data, training));
