import { DataError, KMeans, Matrix } from "argmax";
import { centersReport, initOf, kMeans, reportJson, requireStart } from "argmax/sums";
import {
  choose,
  compare,
  type Expression,
  leastOf,
  multiply,
  number,
  shared,
  subtract,
  sum,
} from "../expressions/expression.js";
import { sumOf } from "../expressions/sums.js";
import { learner } from "../fit/learner.js";
import type { TrainingRows } from "../fit/training-rows.js";
import { groupMoments } from "./moments.js";
import { scatteredSample } from "./samples.js";
import { modelState } from "./state.js";

/** Sums over the rows that are nearest to each centre. */
interface Assigned {
  /** Σ w. */
  readonly weights: Float64Array;
  readonly counts: Float64Array;
  /** Σ w u, where u is x less the shift of the columns. */
  readonly offsets: readonly Float64Array[];
  /** Σ w ‖x − c‖², over all rows. */
  readonly inertia: number;
}

/** Lloyd's algorithm, an iteration per pass. */
class Lloyd {
  readonly #rows: TrainingRows;
  readonly #u: readonly Expression[];

  /** `shift`: a point near the rows, so that sums keep their digits. */
  constructor(
    rows: TrainingRows,
    readonly shift: Float64Array,
  ) {
    this.#rows = rows;
    this.#u = rows.x.map((x, j) => shared(subtract(x, number(shift[j]!))));
  }

  async assign(centres: Matrix): Promise<Assigned> {
    const rows = this.#rows;
    const { label, distance } = this.#nearest(centres);
    const aggregates = [rows.weight, rows.weighted(distance), ...this.#u.map((u) => rows.weighted(u))].map(
      sumOf,
    );
    const groups = await rows.sums({ groupBy: [{ of: label, type: "number" }], aggregates });
    const weights = new Float64Array(centres.rows);
    const counts = new Float64Array(centres.rows);
    const offsets = Array.from(weights, () => new Float64Array(centres.cols));
    let inertia = 0;
    for (const { keys, count, values } of groups) {
      const k = Number(keys[0]);
      weights[k] = values[0]!;
      counts[k] = count;
      inertia += values[1]!;
      offsets[k] = values.slice(2);
    }
    return { weights, counts, offsets, inertia };
  }

  /** The means of the assigned rows. */
  means({ weights, offsets }: Assigned): Matrix {
    const moved = Matrix.zeros(weights.length, this.shift.length);
    offsets.forEach((sums, k) => {
      sums.forEach((sum, j) => {
        moved.data[k * moved.cols + j] = this.shift[j]! + sum / weights[k]!;
      });
    });
    return moved;
  }

  /** The largest entry of the gradient 2 Σ w (c − x) of a centre over its rows. */
  gradientNorm(centres: Matrix, { weights, offsets }: Assigned): number {
    let most = 0;
    offsets.forEach((sums, k) => {
      sums.forEach((sum, j) => {
        most = Math.max(most, Math.abs(2 * (weights[k]! * (centres.at(k, j) - this.shift[j]!) - sum)));
      });
    });
    return most;
  }

  /** Gives each centre without rows the row that is farthest from its own one, and takes it away there, as a fit in memory does. */
  async refill(centres: Matrix, found: Assigned): Promise<void> {
    const empty = [...found.weights.keys()].filter((k) => found.weights[k] === 0);
    if (empty.length === 0) return;
    const { label, distance } = this.#nearest(centres);
    const rows = this.#rows;
    const most = empty.length + centres.rows;
    const farthest = await rows.first(most, [...this.#u, rows.weight, label], {
      orderBy: subtract(number(0), distance),
    });
    if (farthest === undefined) return;
    const [weights, labels] = [farthest.at(-2)!, farthest.at(-1)!];
    let at = 0;
    for (const k of empty) {
      while (at < labels.length && found.counts[labels[at]!]! < 2) at++;
      if (at === labels.length) return;
      const own = labels[at]!;
      found.counts[own]!--;
      found.counts[k] = 1;
      found.weights[own]! -= weights[at]!;
      found.weights[k] = weights[at]!;
      for (let j = 0; j < centres.cols; j++) {
        const value = weights[at]! * farthest[j]![at]!;
        found.offsets[k]![j] = value;
        found.offsets[own]![j]! -= value;
      }
      at++;
    }
  }

  /** The squared distance to the nearest centre, and its place: the first of equally near ones. */
  #nearest(centres: Matrix): { readonly label: Expression; readonly distance: Expression } {
    const { x } = this.#rows;
    const squares = Array.from({ length: centres.rows }, (_, k) => {
      const r = x.map((e, j) => shared(subtract(e, number(centres.at(k, j)))));
      return shared(sum(r.map((e) => multiply(e, e))));
    });
    const distance = leastOf(squares);
    const places = squares.map((own, k) => ({ test: compare(own, "=", distance), value: number(k) }));
    return { label: shared(choose(places)), distance };
  }
}

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
  if (!Number.isFinite(variance))
    throw new DataError(
      where,
      "X",
      "small enough for sums of squared distances",
      "larger numbers",
      "Scale the columns.",
    );
  const lloyd = new Lloyd(rows, mean);
  let centres = await startOf(
    rows,
    params,
    mean,
    squares.map((square) => Math.sqrt(square / count)),
  );
  let found: Assigned | undefined;
  let iterations = 0;
  let converged = false;
  let moved = Infinity;
  while (iterations < maxIter && !converged) {
    found = await lloyd.assign(centres);
    iterations++;
    await lloyd.refill(centres, found);
    const next = lloyd.means(found);
    moved = shiftOf(centres, next);
    converged = moved <= Math.max(tol, STILL) * variance;
    if (moved > 0) centres = next;
    rows.passes.report(iterations, found.inertia);
  }
  if (found === undefined || moved > 0) found = await lloyd.assign(centres);
  const { inertia, counts } = found;
  const labels = Int32Array.from([...counts.keys()].filter((c) => counts[c]! > 0));
  const gradientNorm = lloyd.gradientNorm(centres, found);
  const stopped = `Stopped after ${iterations} iterations, before the centres stood still.`;
  const result = { converged, iterations, inertia, gradientNorm, labels };
  return { centres, inertia, report: centersReport(result, k, "lloyd", stopped) };
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
