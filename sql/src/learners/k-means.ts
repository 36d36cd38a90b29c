import { DataError, KMeans, Matrix } from "argmax";
import { centersReport, frameAround, initOf, kMeans, reportJson, requireStart } from "argmax/sums";
import { number } from "../expressions/expression.js";
import { learner } from "../rows/learner.js";
import type { TrainingRows } from "../rows/training-rows.js";
import { type Assigned, FileMeans, QueriedMeans } from "./k-means-passes.js";
import { groupMoments } from "./moments.js";
import { scatteredSample } from "./samples.js";
import { modelState } from "./state.js";

/** The sum of the squares of how far the centres have moved. */
const shiftOf = (before: Matrix, after: Matrix): number =>
  after.data.reduce((total, v, e) => total + (v - before.data[e]!) ** 2, 0);

/** Sums in another order: centres that move less than this, relative to the spread of the columns, stand still. */
const STILL = 1e-24;

async function searched(rows: TrainingRows, params: KMeans["params"]) {
  const { nClusters: k, maxIter, tol } = params;
  const { where, x } = rows;
  const plain = rows.for(where, undefined, number(1));
  const [{ mean, squares, count }] = await groupMoments(plain, x);
  requireStart(where, params, { rows: count, cols: x.length } as never);
  const variance = squares.reduce((total, square) => total + square, 0) / count / x.length;
  const spread = squares.map((square) => Math.sqrt(square / count));
  let centres = await startOf(rows, params, mean, spread);
  const queried = new QueriedMeans(rows, mean);
  const file = await openFile(rows, k, mean, count);
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
      const next = meansOf(found, mean);
      moved = shiftOf(centres, next);
      centres = next;
      rows.passes.report(iterations, found.inertia || undefined);
    }
    const found = await assign(centres, true);
    const { inertia, weights } = found;
    const labels = Int32Array.from([...weights.keys()].filter((c) => weights[c]! > 0));
    const gradientNorm = gradientNormOf(centres, found, mean);
    const stopped = `Stopped after ${iterations} iterations, before the centres stood still.`;
    const result = { converged: isDone(), iterations, inertia, gradientNorm, labels };
    return { centres, inertia, report: centersReport(result, k, "lloyd", stopped) };
  } finally {
    file?.close();
  }
}

async function openFile(rows: TrainingRows, k: number, shift: Float64Array, count: number) {
  const { scratch } = rows.passes.options;
  if (scratch === undefined) return undefined;
  const { x } = rows;
  const ends = (kind: "min" | "max") => x.map((of) => ({ kind, of }));
  const [group] = await rows.sums({ groupBy: [], aggregates: [...ends("min"), ...ends("max")] });
  const frame = frameAround(shift, group!.values.slice(0, x.length), group!.values.slice(x.length));
  return FileMeans.open(rows, k, frame, count, scratch.directory);
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
async function startOf(
  rows: TrainingRows,
  { nClusters: k, init, nInit, randomState }: KMeans["params"],
  mean: Float64Array,
  spread: Float64Array,
): Promise<Matrix> {
  const given = initOf(init);
  if (given instanceof Matrix) return given;
  const { x, weights } = await scatteredSample(rows, mean, spread);
  if (x.rows < k) throw new DataError(rows.where, "a sample of the rows", `at least ${k} rows`, `${x.rows}`);
  const { centers } = kMeans(rows.where, x, { k, weights, init: given, nInit, randomState });
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
