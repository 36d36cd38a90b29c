import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as argmax from "argmax";
import { readDoubles, readIntegers, readTexts, writeDoubles } from "../data/store.js";
import type { Job, Measurement, StoredData } from "../workload.js";
import { heldOut } from "./held-out.js";
import { compared, csv, mixedColumns, reload, tune } from "./kit.js";
import { readJob, report, residentNow, sink, timeCalls, timeFits } from "./measure.js";
import { gemm32, train, trainPredict } from "./networks.js";
import { search, searchOne, unsupervised, within } from "./unsupervised.js";

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

/** Documents that a classifier of single documents learns from. */
const TAUGHT = 5000;

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

/** A table of numbers, with a gap in every 97th row, and strings, as they come from elsewhere; its checksum adds up the sizes of all entries. */
function columns(job: Job): Omit<Measurement, "version"> {
  const { numbers, ...params } = job.params as { numbers: number };
  const raw = mixedColumns(rowsOf(job.data) as argmax.Matrix, numbers);
  interface Transformer {
    fitTransform(table: argmax.Table): argmax.Matrix | argmax.CsrMatrix;
  }
  const Class = exported[job.call] as new (params: object) => Transformer;
  const { result, ...times } = timeFits(
    () => new Class(params).fitTransform(argmax.Table.fromColumns(new Map(raw))),
    job,
  );
  const entries: Float64Array = "indptr" in result ? result.values : result.data;
  return { ...times, checksum: entries.reduce((sum, value) => sum + Math.abs(value), 0) };
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

/** Documents into a matrix; its checksum adds up the sizes of all entries. */
function vectorize(job: Job): Omit<Measurement, "version"> {
  const texts = readTexts(job.data.texts!);
  interface Vectorizer {
    fitTransform(documents: readonly string[]): argmax.CsrMatrix;
  }
  const Class = exported[job.call] as new (params: object) => Vectorizer;
  const { result, ...times } = timeFits(() => new Class(job.params).fitTransform(texts), job);
  return { ...times, checksum: result.values.reduce((sum, value) => sum + Math.abs(value), 0) };
}

/** One document after the other, as strings, through a pipeline that has learned from the first of them. */
function classifyOne(job: Job): Omit<Measurement, "version"> {
  const texts = readTexts(job.data.texts!).slice(0, TAUGHT);
  const steps = (job.params.steps as string[]).map((name) => new (exported[name] as new () => never)());
  const estimator = (argmax.pipeline as unknown as (...steps: never[]) => unknown)(...steps) as {
    fit(texts: string[], y: Int32Array): { predict(texts: string[]): number[] };
  };
  const model = estimator.fit(texts, readIntegers(job.data.y).subarray(0, TAUGHT));
  const asked = texts.slice(0, 500).map((text) => [text]);
  const times = timeCalls((i) => model.predict(asked[i % asked.length]!), job.minSeconds);
  const checksum = asked.reduce((sum, one) => sum + model.predict(one)[0]!, 0);
  return { ...times, ...residentNow(), checksum };
}

/** Support vector machines report their dual objective. */
function support(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data);
  const y = targetsOf(job.data);
  interface Machine {
    fit(x: typeof X, y: ArrayLike<number>): { readonly report: { objective: number; iterations: number } };
  }
  const Class = exported[job.call] as new (params: object) => Machine;
  const { result, ...times } = timeFits(() => new Class(job.params).fit(X, y), job);
  return { ...times, iterations: result.report.iterations, checksum: result.report.objective };
}

function supportPredict(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data);
  const model = estimatorOf(job).fit(X, targetsOf(job.data));
  const predict = model.predict as unknown as (x: typeof X) => ArrayLike<number>;
  const { result, ...times } = timeFits(() => predict.call(model, X), job);
  return { ...times, checksum: Array.from(result).reduce((sum, value) => sum + value, 0) };
}

/** Training rows of a kernel ridge regression whose predictions are measured. */
const LEARNED = 3000;

interface KernelRidge {
  fit(
    x: argmax.Matrix,
    y: Float64Array,
  ): {
    readonly dualCoef: Float64Array;
    readonly report: { iterations: number };
    predict(x: argmax.Matrix): Float64Array;
  };
}

function kernelRidge(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data) as argmax.Matrix;
  const y = targetsOf(job.data) as Float64Array;
  const estimator = estimatorOf(job) as unknown as KernelRidge;
  const { result: model, ...times } = timeFits(() => estimator.fit(X, y), job);
  const f = model.predict(X);
  const alpha = job.params.alpha as number;
  const checksum = f.reduce((sum, v, i) => sum + (y[i]! - v) ** 2 + alpha * model.dualCoef[i]! * v, 0);
  return { ...times, iterations: model.report.iterations, checksum };
}

function kernelRidgePredict(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data) as argmax.Matrix;
  const y = targetsOf(job.data) as Float64Array;
  const first = Int32Array.from({ length: LEARNED }, (_, i) => i);
  const model = (estimatorOf(job) as unknown as KernelRidge).fit(X.selectRows(first), y.slice(0, LEARNED));
  const { result, ...times } = timeFits(() => model.predict(X), job);
  return { ...times, checksum: result.reduce((sum, value) => sum + Math.abs(value), 0) };
}

/** Rows whose contributions are measured. */
const EXPLAINED = 1000;

function explained(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data) as argmax.Matrix;
  const y = targetsOf(job.data) as Float64Array;
  const model = estimatorOf(job).fit(X, y);
  const rows = X.selectRows(Int32Array.from({ length: EXPLAINED }, (_, i) => i));
  const { result, ...times } = timeFits(
    () => argmax.explain(model as unknown as argmax.FittedModel, rows),
    job,
  );
  const first = y.slice(0, EXPLAINED);
  return { ...times, checksum: 1 - argmax.r2Score(first, result.predictions.data) };
}

function mapped(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job.data);
  const y = targetsOf(job.data);
  const steps = (job.params.steps as [string, object][]).map(([name, params]) => {
    const Class = exported[name] as new (params: object) => never;
    return new Class(params);
  });
  const estimator = (argmax.pipeline as unknown as (...steps: never[]) => unknown)(...steps) as {
    fit(x: typeof X, y: ArrayLike<number>): { predictProba(x: typeof X): argmax.Matrix };
  };
  const { result: model, ...times } = timeFits(() => estimator.fit(X, y), job);
  const { data, rows, cols } = model.predictProba(X);
  let loss = 0;
  for (let i = 0; i < rows; i++) loss -= Math.log(data[i * cols + y[i]!]!);
  return { ...times, checksum: loss / rows };
}

function judged(job: Job): Omit<Measurement, "version"> {
  return heldOut(job, rowsOf(job.data), targetsOf(job.data), estimatorOf(job) as never);
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

function ranking(job: Job): Omit<Measurement, "version"> {
  const scores = (rowsOf(job.data) as argmax.Matrix).column(0);
  const y = targetsOf(job.data) as ArrayLike<number>;
  const { result, ...times } = timeFits(() => argmax.rocAucScore(y, scores), job);
  return { ...times, checksum: result };
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

const actions = {
  fit,
  classify,
  vectorize,
  columns,
  classifyOne,
  support,
  supportPredict,
  kernelRidge,
  kernelRidgePredict,
  mapped,
  heldOut: judged,
  heldOutPredict: judged,
  explain: explained,
  search: (job: Job) => search(job, rowsOf(job.data)),
  searchOne: (job: Job) => searchOne(job, rowsOf(job.data)),
  within: (job: Job) => within(job, rowsOf(job.data)),
  unsupervised: (job: Job) => unsupervised(job, rowsOf(job.data)),
  train: (job: Job) => train(job, rowsOf(job.data), targetsOf(job.data)),
  trainPredict: (job: Job) => trainPredict(job, rowsOf(job.data), targetsOf(job.data)),
  path,
  predictOne,
  ranking,
  csv: (job: Job) => csv(job),
  tune: (job: Job) => tune(job, rowsOf(job.data) as argmax.Matrix, targetsOf(job.data)),
  compare: (job: Job) => compared(job, rowsOf(job.data) as argmax.Matrix, targetsOf(job.data)),
  reload: (job: Job) => reload(job, rowsOf(job.data) as argmax.Matrix, targetsOf(job.data)),
  gemm: kernel,
  gemm32,
  gemv: kernel,
  exp: kernel,
} as const;

const job = readJob();
if (job.action === "start") throw new Error("start.js runs this action");
report({ version: version(), ...(await actions[job.action](job)) });
