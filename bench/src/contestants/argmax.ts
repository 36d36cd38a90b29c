import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as argmax from "argmax";
import { readDoubles, readIntegers, writeDoubles } from "../data/store.js";
import type { Job, Measurement, StoredData } from "../workload.js";
import { readJob, report, residentNow, sink, timeCalls, timeFits } from "./measure.js";

/** What the benchmark needs of any linear estimator; workloads name them, so their types are not known here. */
interface Linear {
  fit(x: argmax.Matrix | argmax.CsrMatrix, y: ArrayLike<number>): LinearModel;
}
interface LinearModel {
  readonly coef: argmax.Matrix | Float64Array;
  readonly intercept: Float64Array | number;
  readonly report: { readonly iterations: number };
  predict(x: readonly (readonly number[])[]): ArrayLike<unknown>;
}
interface Path {
  readonly alphas: Float64Array;
  readonly coefs: argmax.Matrix;
  readonly intercepts: Float64Array;
}
type PathFunction = (x: argmax.Matrix, y: Float64Array, params: object) => Path;

const exported = argmax as unknown as Record<string, unknown>;

function rowsOf(data: StoredData): argmax.Matrix | argmax.CsrMatrix {
  const { rows, cols } = data;
  if (!data.sparse) return new argmax.Matrix(readDoubles(data.dense!), rows, cols);
  return new argmax.CsrMatrix({
    rows,
    cols,
    indptr: readIntegers(data.sparse.indptr),
    indices: readIntegers(data.sparse.indices),
    values: readDoubles(data.sparse.values),
  });
}

const targetsOf = (data: StoredData) => (data.classes > 0 ? readIntegers(data.y) : readDoubles(data.y));

function estimatorOf(job: Job, seed?: number): Linear {
  const Class = exported[job.call] as new (params: object) => Linear;
  return new Class(seed === undefined ? job.params : { ...job.params, randomState: seed });
}

function fit(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data);
  const y = targetsOf(job.data);
  const seeds = job.seeds === undefined ? [undefined] : [...Array(job.seeds).keys()];
  const { result: models, ...times } = timeFits(
    () => seeds.map((seed) => estimatorOf(job, seed).fit(X, y)),
    job,
    seeds.length,
  );
  const learned = models.map(({ coef, intercept }) => [
    ...(coef instanceof Float64Array ? coef : (coef.data as Float64Array)),
    ...(typeof intercept === "number" ? [intercept] : intercept),
  ]);
  writeDoubles(job.out, learned.flat());
  const { cols } = job.data;
  const shape = { vectors: learned[0]!.length / (cols + 1), cols };
  const iterations = models.reduce((sum, { report }) => sum + report.iterations, 0) / models.length;
  return { ...times, shape, iterations };
}

/** What the benchmark needs of any classifier with probabilities. */
interface Probabilistic {
  fit(x: argmax.Matrix | argmax.CsrMatrix, y: ArrayLike<number>): ProbabilisticModel;
}
interface ProbabilisticModel {
  predict(x: argmax.Matrix | argmax.CsrMatrix): ArrayLike<unknown>;
  predictLogProba(x: argmax.Matrix | argmax.CsrMatrix): argmax.Matrix;
}

function classify(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data);
  const y = targetsOf(job.data);
  const Class = exported[job.call] as new (params: object) => Probabilistic;
  const { result: model, ...times } = timeFits(() => {
    const fitted = new Class(job.params).fit(X, y);
    sink.last = fitted.predict(X);
    return fitted;
  }, job);
  const { data, rows, cols } = model.predictLogProba(X);
  let loss = 0;
  for (let i = 0; i < rows; i++) loss -= data[i * cols + y[i]!]!;
  return { ...times, checksum: loss / rows };
}

function path(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data) as argmax.Matrix;
  const y = targetsOf(job.data) as Float64Array;
  const follow = exported[job.call] as PathFunction;
  const { result, ...times } = timeFits(() => follow(X, y, job.params), job);
  const coefs = result.coefs.data as Float64Array;
  writeDoubles(job.out, [...result.alphas, ...coefs, ...result.intercepts]);
  return { ...times, shape: { vectors: result.alphas.length, cols: X.cols } };
}

function predictOne(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data) as argmax.Matrix;
  const model = estimatorOf(job).fit(X, targetsOf(job.data));
  const rows = Array.from({ length: X.rows }, (_, i) => [
    Array.from(X.data.slice(i * X.cols, (i + 1) * X.cols)),
  ]);
  const times = timeCalls((i) => model.predict(rows[i % rows.length]!), job.minSeconds);
  let checksum = 0;
  for (const row of rows) checksum += Number(model.predict(row)[0]);
  return { ...times, ...residentNow(), checksum };
}

async function kernel(job: Job): Promise<Omit<Measurement, "version">> {
  const { gemm, gemv, vectorExp } = await import("argmax/numeric");
  const A = rowsOf(job.data) as argmax.Matrix;
  const data = A.data as Float64Array;
  const ones = new Float64Array(A.cols).fill(1);
  const calls: Readonly<Record<string, () => Float64Array>> = {
    gemm: () => gemm(A, A).data as Float64Array,
    gemv: () => gemv(A, ones),
    exp: () => vectorExp(data),
  };
  const { result, ...times } = timeFits(calls[job.action]!, job);
  let checksum = 0;
  for (const value of result) checksum += Math.abs(value);
  return { ...times, checksum };
}

function version(): string {
  const manifest = createRequire(import.meta.url)
    .resolve("argmax")
    .replace(/dist[\\/].*$/, "package.json");
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

const actions = { fit, classify, path, predictOne, gemm: kernel, gemv: kernel, exp: kernel } as const;

const job = readJob();
if (job.action === "start") throw new Error("start.js runs this action");
report({ version: version(), ...(await actions[job.action](job)) });
