import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pushAll } from "argmax/numeric";
import { type LoadResult, load } from "./load.js";
import { type Contestant, startArgmax, startFastApi } from "./servers.js";
import { type Prepared, prepare, type ServingWorkload } from "./workloads.js";

/**
 * Requests per second and latencies of `argmax serve` and of scikit-learn behind FastAPI: one process each, loopback, the same load
 * generator, in turns. Prints a Markdown table.
 *
 *     node bench/dist/serving/main.js [--seconds 5] [--rounds 3] [--connections 16]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "16" },
  },
});
const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number) as [
  number,
  number,
  number,
];

interface Line {
  readonly title: string;
  readonly argmax: LoadResult;
  readonly sklearn: LoadResult;
}

/** The round with the median rate. */
function median(results: readonly LoadResult[]): LoadResult {
  const failed = results.find(({ errors }) => errors > 0);
  if (failed !== undefined) throw new Error(`${failed.errors} requests failed.`);
  return [...results].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(results.length / 2)]!;
}

async function inTurns(
  title: string,
  sides: readonly [Contestant, Contestant],
  measure: (side: Contestant) => Promise<LoadResult>,
): Promise<Line> {
  const found: [LoadResult[], LoadResult[]] = [[], []];
  // A first short run compiles and warms up both sides.
  for (const side of sides) await measure(side);
  for (let round = 0; round < rounds; round++)
    for (const [s, side] of sides.entries()) found[s]!.push(await measure(side));
  const line = { title, argmax: median(found[0]), sklearn: median(found[1]) };
  console.log(rowText(line));
  return line;
}

/** Sends large batches one after the other until it is stopped; returns how many were answered. */
async function batches(url: string, body: string, stop: AbortSignal): Promise<number> {
  let count = 0;
  while (!stop.aborted) {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { predictions } = (await answer.json()) as { predictions: unknown[] };
    if (predictions.length !== 100_000) throw new Error(`${url} returned ${predictions.length} predictions.`);
    count++;
  }
  return count;
}

/** A dash where no request was answered in time. */
const milliseconds = (value: number) => (value > 0 ? `${value.toPrecision(3)} ms` : "–");
const times = (ratio: number) => (Number.isFinite(ratio) ? `${ratio.toPrecision(3)} ×` : "–");
const rate = (value: number) => Math.round(value).toLocaleString("en");

function rowText({ title, argmax, sklearn }: Line): string {
  const cells = [
    title,
    rate(argmax.perSecond),
    rate(sklearn.perSecond),
    times(argmax.perSecond / sklearn.perSecond),
    milliseconds(argmax.p50),
    milliseconds(sklearn.p50),
    milliseconds(argmax.p99),
    milliseconds(sklearn.p99),
  ];
  return `| ${cells.join(" | ")} |`;
}

async function run(folder: string, { workloads, batch }: Prepared, sides: readonly [Contestant, Contestant]) {
  const ask = ({ url }: Contestant, { model, body }: ServingWorkload, count = connections) =>
    load({ url: `${url}/v1/models/${model}/predict`, body, seconds, connections: count, folder });
  console.log(
    "| requests | argmax /s | FastAPI /s | faster | argmax p50 | FastAPI p50 | argmax p99 | FastAPI p99 |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const workload of workloads) {
    const title = `${workload.title}, ${workload.rows === 1 ? "1 row" : `${workload.rows} rows`}`;
    await inTurns(title, sides, (side) => ask(side, workload));
  }
  const one = workloads.find(({ model, rows: count }) => model === "iris" && count === 1)!;
  // Few connections: the question is how long a request waits, not how many there are.
  await inTurns(
    "logistic regression, 1 row, while batches of 100,000 rows run (forest)",
    sides,
    async (side) => {
      const stop = new AbortController();
      const running = batches(side.batchPath("forest"), batch, stop.signal);
      const result = await ask(side, one, 2);
      stop.abort();
      await running;
      return result;
    },
  );
}

const folder = mkdtempSync(join(tmpdir(), "argmax-serving-"));
mkdirSync(join(folder, "models"));
const started: Contestant[] = [];
try {
  const prepared = await prepare(folder);
  const sides = [await startArgmax(folder), await startFastApi(folder)] as const;
  pushAll(started, sides);
  await run(folder, prepared, sides);
} finally {
  for (const side of started) side.stop();
  rmSync(folder, { recursive: true });
}
