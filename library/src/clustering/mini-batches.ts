import { Random } from "../core/numbers/random.js";
import type { ParamValues } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import { kMeans } from "../numeric/clustering/k-means.js";
import { nearestCenters } from "../numeric/clustering/nearest-centers.js";
import type { miniBatchKMeansParams } from "./mini-batch-k-means.js";
import { initOf } from "./params.js";

type BatchParams = ParamValues<typeof miniBatchKMeansParams>;

/** Centres, and the weight of all rows that each is the mean of. */
export interface BatchCenters {
  readonly centers: Matrix;
  readonly counts: Float64Array;
}

/** Moves the centres to the means of what they had and of their rows of the batch. */
export function updateByBatch(
  where: string,
  { centers, counts }: BatchCenters,
  batch: Matrix,
  weights: Float64Array | undefined,
): { readonly state: BatchCenters; readonly inertia: number; readonly moved: number } {
  const { rows: k, cols: d } = centers;
  const { labels, distances } = nearestCenters(where, batch, centers);
  const moved = Matrix.zeros(k, d);
  const sizes = new Float64Array(k);
  let inertia = 0;
  for (let i = 0, e = 0; i < batch.rows; i++) {
    const w = weights ? weights[i]! : 1;
    const label = labels[i]!;
    sizes[label]! += w;
    inertia += w * distances[i]!;
    // Relative to the old centre, so that an offset costs no digits.
    for (let j = 0, at = label * d; j < d; j++, e++, at++)
      moved.data[at]! += w * (batch.data[e]! - centers.data[at]!);
  }
  let square = 0;
  for (let c = 0, at = 0; c < k; c++) {
    const total = counts[c]! + sizes[c]!;
    for (let j = 0; j < d; j++, at++) {
      const step = sizes[c]! > 0 ? moved.data[at]! / total : 0;
      square += step * step;
      moved.data[at] = centers.data[at]! + step;
    }
  }
  const after = counts.map((count, c) => count + sizes[c]!);
  return { state: { centers: moved, counts: after }, inertia, moved: square };
}

/** Weight of the rows, all of them. */
const massOf = (weights: Float64Array | undefined, n: number): number =>
  weights ? weights.reduce((sum, w) => sum + w, 0) : n;

interface Batch {
  readonly x: Matrix;
  readonly weights: Float64Array | undefined;
}

/** Rows drawn one after the other, all equally likely, some perhaps twice. */
function draw(x: Matrix, weights: Float64Array | undefined, count: number, random: Random): Batch {
  const rows = Int32Array.from({ length: count }, () => random.below(x.rows));
  return { x: x.selectRows(rows), weights: weights && Float64Array.from(rows, (i) => weights[i]!) };
}

/** The best of `nInit` starts: each drawn from `initSize` rows, judged by `initSize` others. */
export function batchStart(
  where: string,
  x: Matrix,
  weights: Float64Array | undefined,
  params: BatchParams,
  random = new Random(params.randomState),
): BatchCenters {
  const { nClusters: k, init, nInit, batchSize, initSize } = params;
  const starts = typeof init !== "string" ? 1 : nInit === "auto" ? (init === "random" ? 3 : 1) : nInit;
  const size = Math.min(x.rows, Math.max(initSize ?? Math.max(3 * batchSize, 3 * k), k));
  let best: Matrix | undefined;
  let least = Infinity;
  for (let start = 0; start < starts; start++) {
    const sample = size < x.rows ? draw(x, weights, size, random) : { x, weights };
    const first = { k, init: initOf(init), nInit: 1, maxIter: 0, randomState: random.uint32() };
    const result = kMeans(where, sample.x, { ...first, weights: sample.weights });
    const centers = new Matrix(result.centers, k, x.cols);
    const judge = size < x.rows ? draw(x, weights, size, random) : sample;
    const inertia =
      starts === 1
        ? 0
        : kMeans(where, judge.x, { k, weights: judge.weights, init: centers, maxIter: 0 }).inertia;
    if (best !== undefined && !(inertia < least)) continue;
    best = centers;
    least = inertia;
  }
  return { centers: best!, counts: new Float64Array(k) };
}

/** One state per batch; returns the last one. */
export function* batchSteps(
  where: string,
  x: Matrix,
  weights: Float64Array | undefined,
  params: BatchParams,
): Generator<BatchCenters, { readonly centers: BatchCenters; readonly converged: boolean }, void> {
  const { nClusters: k, maxIter, tol, maxNoImprovement } = params;
  const random = new Random(params.randomState);
  const size = Math.min(params.batchSize, x.rows);
  let state = batchStart(where, x, weights, params, random);
  const most = Math.max(1, Math.floor((maxIter * x.rows) / size));
  const enough = tol * meanVariance(x);
  // Weight of a batch in the running mean of the inertia, as scikit-learn has it.
  const share = Math.min(1, (2 * size) / (x.rows + 1));
  let running = Number.NaN;
  let lowest = Infinity;
  let worse = 0;
  let seen = 0;
  for (let step = 0; step < most; step++) {
    const batch = draw(x, weights, size, random);
    const update = updateByBatch(where, state, batch.x, batch.weights);
    state = update.state;
    seen += size;
    if (state.counts.some((count) => count === 0) || seen >= 10 * k) {
      seen = 0;
      state = reassigned(state, batch.x, params.reassignmentRatio, random);
    }
    yield state;
    // The inertia of the first batch is that of the start.
    if (step === 0) continue;
    const inertia = update.inertia / massOf(batch.weights, size);
    running = Number.isNaN(running) ? inertia : running + share * (inertia - running);
    if (tol > 0 && update.moved <= enough) return { centers: state, converged: true };
    worse = running < lowest ? 0 : worse + 1;
    lowest = Math.min(lowest, running);
    if (maxNoImprovement !== null && worse >= maxNoImprovement) return { centers: state, converged: true };
  }
  return { centers: state, converged: false };
}

/** Moves centres of little weight to random rows of the batch, at most as many as half of the batch. */
function reassigned(state: BatchCenters, batch: Matrix, ratio: number, random: Random): BatchCenters {
  const most = state.counts.reduce((top, count) => Math.max(top, count), 0);
  const light = Array.from(state.counts.keys())
    .filter((c) => state.counts[c]! < ratio * most)
    .sort((a, b) => state.counts[a]! - state.counts[b]! || a - b)
    .slice(0, Math.floor(batch.rows / 2));
  if (light.length === 0) return state;
  const data = state.centers.data.slice();
  const { rows: k, cols: d } = state.centers;
  const rows = random.permutation(batch.rows);
  light.forEach((c, e) => {
    data.set(batch.row(rows[e]!), c * d);
  });
  const counts = state.counts.slice();
  const moved = new Set(light);
  let least = Infinity;
  for (let c = 0; c < k; c++) if (!moved.has(c)) least = Math.min(least, counts[c]!);
  for (const c of light) counts[c] = least;
  return { centers: new Matrix(data, k, d), counts };
}

/** Mean over the columns of Σ (x − mean)² / n. */
function meanVariance({ rows, cols, data }: Matrix): number {
  let total = 0;
  for (let j = 0; j < cols; j++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += data[i * cols + j]! / rows;
    for (let i = 0; i < rows; i++) {
      const gap = data[i * cols + j]! - mean;
      total += (gap * gap) / rows / cols;
    }
  }
  return total;
}
