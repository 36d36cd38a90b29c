import { DataError, KMeans, Matrix } from "argmax";
import { centersReport, initOf, kMeans, reportJson, requireStart } from "argmax/sums";
import { number } from "../expressions/expression.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { type Assigned, FileMeans, QueriedMeans } from "./k-means-passes.js";
import { groupMoments } from "./moments.js";
import { type Sample, scatteredSample } from "./samples.js";
import { modelState } from "./state.js";

/** The sum of the squares of how far the centres have moved. */
const shiftOf = (before: Matrix, after: Matrix): number =>
  after.data.reduce((total, v, e) => total + (v - before.data[e]!) ** 2, 0);

/** Sums in another order: centres that move less than this, relative to the spread of the columns, stand still. */
const STILL = 1e-24;

/** Where a search begins, and its passes. */
interface Begun {
  readonly centres: Matrix;
  /** The mean of the variances of the columns. */
  readonly variance: number;
  readonly shift: Float64Array;
  readonly file: FileMeans | undefined;
}

async function begun(rows: TrainingRows, params: KMeans["params"]): Promise<Begun> {
  const { where, x } = rows;
  const { scratch } = rows.passes.options;
  const { nClusters: k } = params;
  const cols = x.length;
  if (scratch) {
    const shift = await rows.centres(x);
    const { means: file, count, square, sample } = await FileMeans.open(rows, k, shift, scratch.directory);
    try {
      requireStart(where, params, { rows: count, cols } as never);
      const variance = finiteVariance(where, square / count / cols);
      return { centres: startOf(where, params, sample), variance, shift, file };
    } catch (error) {
      file.close();
      throw error;
    }
  }
  const plain = rows.for(where, undefined, number(1));
  const [{ mean: shift, squares, count }] = await groupMoments(plain, x);
  requireStart(where, params, { rows: count, cols } as never);
  const total = squares.reduce((sum, square) => sum + square, 0);
  const variance = finiteVariance(where, total / count / cols);
  const spread = squares.map((square) => Math.sqrt(square / count));
  const given = typeof params.init !== "string";
  const sample = given ? undefined : await scatteredSample(rows, shift, spread);
  return { centres: startOf(where, params, sample), variance, shift, file: undefined };
}

function finiteVariance(where: string, variance: number): number {
  if (Number.isFinite(variance)) return variance;
  const expected = "small enough for sums of squared distances";
  throw new DataError(where, "X", expected, "larger numbers", "Scale the columns.");
}

async function searched(rows: TrainingRows, params: KMeans["params"]) {
  const { nClusters: k, maxIter, tol } = params;
  const { variance, shift, file, ...start } = await begun(rows, params);
  let { centres } = start;
  const queried = new QueriedMeans(rows, shift);
  const assign = (at: Matrix, measured: boolean) => (file ? file.assign(at, measured) : queried.assign(at));
  try {
    let iterations = 0;
    let moved = Infinity;
    const isDone = () => moved <= Math.max(tol, STILL) * variance;
    while (iterations < maxIter && !isDone()) {
      let found = await assign(centres, false);
      if (found.weights.includes(0)) {
        // Which rows are farthest is a question to the database, and so is how many a centre has.
        found = await queried.assign(centres);
        await queried.refill(centres, found);
      }
      iterations++;
      const next = meansOf(found, shift);
      moved = shiftOf(centres, next);
      centres = next;
      rows.passes.report(iterations, found.inertia || undefined);
    }
    const found = await assign(centres, true);
    const { inertia, weights } = found;
    const labels = Int32Array.from([...weights.keys()].filter((c) => weights[c]! > 0));
    const gradientNorm = gradientNormOf(centres, found, shift);
    const stopped = `Stopped after ${iterations} iterations, before the centres stood still.`;
    const result = { converged: isDone(), iterations, inertia, gradientNorm, labels };
    return { centres, inertia, report: centersReport(result, k, "lloyd", stopped) };
  } finally {
    file?.close();
  }
}

/** The means of the assigned rows. */
function meansOf({ weights, offsets }: Assigned, shift: Float64Array): Matrix {
  const moved = Matrix.zeros(weights.length, shift.length);
  offsets.forEach((sums, k) => {
    sums.forEach((sum, j) => {
      moved.data[k * moved.cols + j] = shift[j]! + sum / weights[k]!;
    });
  });
  return moved;
}

/** The largest entry of the gradient 2 Σ w (c − x) of a centre over its rows. */
function gradientNormOf(centres: Matrix, { weights, offsets }: Assigned, shift: Float64Array): number {
  let most = 0;
  offsets.forEach((sums, k) => {
    sums.forEach((sum, j) => {
      most = Math.max(most, Math.abs(2 * (weights[k]! * (centres.at(k, j) - shift[j]!) - sum)));
    });
  });
  return most;
}

/** Given centres, or those of k-means on a sample: the best of nInit starts there. */
function startOf(
  where: string,
  { nClusters: k, init, nInit, randomState }: KMeans["params"],
  sample: Sample | undefined,
): Matrix {
  const given = initOf(init);
  if (given instanceof Matrix) return given;
  const { x, weights } = sample!;
  if (x.rows < k) throw new DataError(where, "a sample of the rows", `at least ${k} rows`, `${x.rows}`);
  const { centers } = kMeans(where, x, { k, weights, init: given, nInit, randomState });
  return new Matrix(centers, k, x.cols);
}

export const kMeansLearners = [
  learner(KMeans, async (estimator, rows) => {
    const { centres, inertia, report } = await searched(rows, estimator.params);
    const { rows: nClusters, cols: nFeatures, data } = centres;
    // Labels are one number per row of fit: those of a database are asked for by predict, or by SQL.
    const values = { nClusters, nFeatures, inertia, report: reportJson(report) };
    const tensors = { clusterCenters: { shape: [nClusters, nFeatures], data }, labels: new Int32Array() };
    return KMeans.restore(modelState(estimator, rows, values, tensors));
  }),
];
