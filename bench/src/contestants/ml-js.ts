import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import KDBush from "kdbush";
import loadingSvm, { type Svm } from "libsvm-js";
import { kmeans } from "ml-kmeans";
import LogisticRegression from "ml-logistic-regression";
import { Matrix } from "ml-matrix";
import MultivariateLinearRegression from "ml-regression-multivariate-linear";
import Papa from "papaparse";
import { inferSchema, initParser } from "udsv";
import { readDoubles, readIntegers, writeDoubles } from "../data/store.js";
import type { Job, Measurement } from "../workload.js";
import { heldOutError, learnedRows } from "./held-out.js";
import { readJob, report, timeFits } from "./measure.js";

/** The npm packages that users would otherwise choose. They read the same bytes; conversion to their types is not timed. */

function rowsOf(job: Job, withOnes: boolean): number[][] {
  const { rows, cols } = job.data;
  const X = readDoubles(job.data.dense!);
  return Array.from({ length: rows }, (_, i) => {
    const row = Array.from(X.subarray(i * cols, (i + 1) * cols));
    return withOnes ? [...row, 1] : row;
  });
}

/** One classifier a class against the rest; the class is its target 0. The intercept is a column of ones. */
function logistic(job: Job): Omit<Measurement, "version"> {
  const X = new Matrix(rowsOf(job, true));
  const Y = Matrix.columnVector(Array.from(readIntegers(job.data.y)));
  const { cols, classes } = job.data;
  const train = () => {
    const model = new LogisticRegression(job.params);
    model.train(X, Y);
    return model;
  };
  const { result, ...times } = timeFits(train, job);
  const weights = result.classifiers.map((classifier) => classifier.weights.to1DArray());
  // Two classes: the first classifier is the second class against the first. More: the sign makes a class its own score.
  const vectors = classes === 2 ? [weights[0]!] : weights.map((w) => w.map((v) => -v));
  writeDoubles(job.out, [...vectors.flatMap((w) => w.slice(0, cols)), ...vectors.map((w) => w[cols]!)]);
  return { ...times, shape: { vectors: vectors.length, cols } };
}

function linear(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job, false);
  const y = Array.from(readDoubles(job.data.y), (value) => [value]);
  const { result, ...times } = timeFits(() => new MultivariateLinearRegression(X, y, job.params), job);
  writeDoubles(
    job.out,
    result.weights.map((row) => row[0]!),
  );
  return { ...times, shape: { vectors: 1, cols: job.data.cols } };
}

/** Columns or rows of guessed types; the sum of all numbers. Both read strings. */
function csv(job: Job): Omit<Measurement, "version"> {
  const text = readFileSync(job.data.csv!, "utf8");
  const read: () => readonly (readonly unknown[])[] =
    job.call === "udsv"
      ? () => initParser(inferSchema(text)).typedCols(text)
      : () => Papa.parse<unknown[]>(text, { dynamicTyping: true, skipEmptyLines: true }).data.slice(1);
  const { result, ...times } = timeFits(read, job);
  let checksum = 0;
  for (const list of result) for (const value of list) if (typeof value === "number") checksum += value;
  return { ...times, checksum };
}

/** LIBSVM compiled by emscripten. Its memory is not garbage-collected: every model is freed once the next one exists. */
async function machine(job: Job): Promise<Omit<Measurement, "version">> {
  const SVM = await loadingSvm;
  const X = rowsOf(job, false);
  const y = Array.from(job.data.classes > 0 ? readIntegers(job.data.y) : readDoubles(job.data.y));
  const { kernel, ...rest } = job.params as { kernel: "LINEAR" | "POLYNOMIAL" | "RBF" };
  const type = job.data.classes > 0 ? SVM.SVM_TYPES.C_SVC : SVM.SVM_TYPES.EPSILON_SVR;
  const options = { ...rest, kernel: SVM.KERNEL_TYPES[kernel], type, gamma: scaleOf(X), quiet: true };
  let last: Svm | undefined;
  const train = () => {
    last?.free();
    last = new SVM({ cacheSize: 200, ...options });
    last.train(X, y);
    return last;
  };
  if (job.action === "supportPredict") {
    const model = train();
    const { result, ...times } = timeFits(() => model.predict(X), job);
    return { ...times, checksum: result.reduce((sum, value) => sum + value, 0) };
  }
  const { result: _, ...times } = timeFits(train, job);
  return times;
}

/** scikit-learn's "scale". */
function scaleOf(X: readonly (readonly number[])[]): number {
  const all = X.flat();
  const mean = all.reduce((sum, v) => sum + v, 0) / all.length;
  return all.length / (X[0]!.length * all.reduce((sum, v) => sum + (v - mean) ** 2, 0));
}

/** What the benchmark uses of the trees and forests of ml.js, whose own types do not compile. */
interface Learner {
  train(X: number[][], y: number[]): void;
  predict(X: number[][]): number[];
}
type Learners = Record<string, new (options: object) => Learner>;

/** ml-cart and ml-random-forest, whose classes are named differently for numbers. */
function trees(job: Job): Omit<Measurement, "version"> {
  const exported = createRequire(import.meta.url)(job.call) as Learners;
  const kind = job.call === "ml-cart" ? "DecisionTree" : "RandomForest";
  const Class = exported[`${kind}${job.data.classes > 0 ? "Classifier" : "Regression"}`]!;
  const X = rowsOf(job, false);
  const y = Array.from(job.data.classes > 0 ? readIntegers(job.data.y) : readDoubles(job.data.y));
  const cut = learnedRows(X.length);
  const train = () => {
    const model = new Class(job.params);
    model.train(X.slice(0, cut), y.slice(0, cut));
    return model;
  };
  const { result, ...times } = timeFits(train, job);
  return { ...times, checksum: heldOutError(y.slice(cut), result.predict(X.slice(cut)), job.data.classes) };
}

/** ml-knn has a kd-tree and predicts classes; rows are their own classes here, so that its answer is the nearest row. */
function knn(job: Job): Omit<Measurement, "version"> {
  const exported = createRequire(import.meta.url)(job.call) as {
    readonly default?: KnnClass;
  } & KnnClass;
  const Knn = exported.default ?? exported;
  const X = rowsOf(job, false);
  const cut = X.length - job.queries!;
  const labels = Array.from({ length: cut }, (_, i) => i % 2);
  const { result: _, ...times } = timeFits(
    () => new Knn(X.slice(0, cut), labels, { k: 5 }).predict(X.slice(cut)),
    job,
  );
  return times;
}
type KnnClass = new (X: number[][], y: number[], options: object) => { predict(X: number[][]): number[] };

/** All points within a radius, by kdbush: an index of points in the plane. */
function within(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job, false) as [number, number][];
  const cut = X.length - job.queries!;
  const { result, ...times } = timeFits(() => {
    const index = new KDBush(cut);
    for (let i = 0; i < cut; i++) index.add(X[i]![0], X[i]![1]);
    index.finish();
    let found = 0;
    for (let i = cut; i < X.length; i++)
      found += index.within(X[i]![0], X[i]![1], job.params["radius"] as number).length;
    return found;
  }, job);
  return { ...times, checksum: result };
}

/** ml-kmeans from the first rows, as the others. */
function kMeans(job: Job): Omit<Measurement, "version"> {
  const X = rowsOf(job, false);
  const k = job.params["k"] as number;
  const options = { initialization: X.slice(0, k), maxIterations: 300, tolerance: 1e-4 };
  const { result, ...times } = timeFits(() => kmeans(X, k, options), job);
  const inertia = X.reduce((sum, row, i) => {
    const centre = result.centroids[result.clusters[i]!]!;
    return sum + row.reduce((square, value, j) => square + (value - centre[j]!) ** 2, 0);
  }, 0);
  return { ...times, checksum: inertia };
}

type Run = (job: Job) => Omit<Measurement, "version"> | Promise<Omit<Measurement, "version">>;

const packages: Readonly<Record<string, Run>> = {
  kdbush: within,
  papaparse: csv,
  udsv: csv,
  "libsvm-js": machine,
  "ml-kmeans": kMeans,
  "ml-knn": knn,
  "ml-cart": trees,
  "ml-logistic-regression": logistic,
  "ml-random-forest": trees,
  "ml-regression-multivariate-linear": linear,
};

const job = readJob();
/** A package may not export its package.json: the folder of its entry, or one above, has it. */
function versionOf(name: string): string {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  while (basename(folder) !== name) folder = dirname(folder);
  return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;
}
const version = versionOf(job.call);
report({ version, ...(await packages[job.call]!(job)) });
