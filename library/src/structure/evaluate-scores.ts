import type { Label } from "../core/labels.js";
import { exp, log, log1pExp, pow, sigmoid, tanh } from "../core/numbers/elementary.js";
import { normalCdf } from "../core/numbers/normal-distribution.js";
import { logAddExp, softmaxInto } from "../core/numbers/scores.js";
import type { KernelFormula, NeighborScores, NetworkLayer, Scores, TreeNodes } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { valueAt } from "../isotonic/pool-adjacent.js";
import { combined } from "./evaluate-members.js";
import type { Evaluator } from "./evaluator.js";
import { densePoints, type Frame, integerPower, numbersOf } from "./frame.js";
import { encoded } from "./read-rows.js";
import { refuseUndescribed } from "./refuse.js";

type Kind<K extends Scores["kind"]> = Extract<Scores, { kind: K }>;
type Row = Float64Array;

/** From rows to functions of a row, by kind of scores. */
const scorers: {
  readonly [K in Exclude<Scores["kind"], "composite">]: (scores: Kind<K>) => (x: Row) => Row;
} = {
  linear: ({ coef, intercept, origin }) => {
    const centred = (x: Row) => (origin ? x.map((value, j) => value - origin[j]!) : x);
    return (x) => {
      const z = centred(x);
      return intercept.map((b, k) => b + dot(coef.data.subarray(k * coef.cols, (k + 1) * coef.cols), z));
    };
  },
  trees:
    ({ trees, divisor, baseline }) =>
    (x) => {
      const out = new Float64Array(baseline.length);
      for (const [t, tree] of trees.entries()) {
        const leaf = leafOf(tree, x);
        const first = (t * tree.width) % out.length;
        for (let k = 0; k < tree.width; k++) out[first + k]! += tree.values[leaf * tree.width + k]!;
      }
      return out.map((sum, k) => baseline[k]! + sum / divisor);
    },
  kernel: ({ kernel, points, support, coef, intercept }) => {
    const p = densePoints(points);
    const value = (x: Row, t: number) =>
      kernel.name === "precomputed" ? x[support[t]!]! : kernelValue(kernel, x, p.row(t));
    return (x) => {
      const k = Float64Array.from(support, (_, t) => value(x, t));
      return intercept.map((b, o) => b + dot(coef.data.subarray(o * coef.cols, (o + 1) * coef.cols), k));
    };
  },
  neighbors: (scores) => {
    const points = densePoints(scores.points);
    return (x) => neighborMeans(scores, points, x);
  },
  gaussians:
    ({ components, groups }) =>
    (x) => {
      const out = new Float64Array(groups).fill(-Infinity);
      for (const { mean, whitening, constant, group } of components) {
        const z = whitened(
          whitening,
          x.map((value, j) => value - mean[j]!),
        );
        out[group] = logAddExp(out[group]!, constant - 0.5 * dot(z, z));
      }
      return out;
    },
  tables:
    ({ constant, tables }) =>
    (x) => {
      const out = constant.slice();
      for (const [j, { data, rows, cols }] of tables.entries()) {
        const place = x[j]! >= 0 && x[j]! < rows - 1 ? Math.floor(x[j]!) : rows - 1;
        for (let k = 0; k < cols; k++) out[k]! += data[place * cols + k]!;
      }
      return out;
    },
  network:
    ({ layers }) =>
    (x) =>
      layers.reduce((values, layer) => activated(layer, values), x),
  centers:
    ({ centers, metric }) =>
    (x) =>
      Float64Array.from({ length: centers.rows }, (_, k) => {
        const c = centers.data.subarray(k * centers.cols, (k + 1) * centers.cols);
        return -distance({ name: metric, p: 2 }, x, c);
      }),
  curve: (curve) => (x) => Float64Array.of(valueAt(curve, x[0]!)),
  constant:
    ({ values }) =>
    () =>
      values,
  undescribed: ({ reason }) => refuseUndescribed(reason),
};

/** One row of scores per row. `classes` are those of the classifier that the scores belong to. */
export function evaluateScores(
  scores: Scores,
  frame: Frame,
  classes: readonly Label[],
  evaluator: Evaluator,
): Matrix {
  if (scores.kind === "composite") return combined(scores, frame, classes, evaluator);
  const x = encoded(scores, numbersOf(frame)) as Matrix;
  const score = (scorers[scores.kind] as (scores: Scores) => (x: Row) => Row)(scores);
  const rows = Array.from({ length: x.rows }, (_, i) => score(Float64Array.from(x.row(i))));
  const cols = rows[0]?.length ?? 0;
  const out = Matrix.zeros(x.rows, cols);
  for (const [i, row] of rows.entries()) out.data.set(row, i * cols);
  return out;
}

const square = (value: number): number => value * value;

const dot = (a: Row, b: Row): number => a.reduce((sum, value, j) => sum + value * b[j]!, 0);

function leafOf(tree: TreeNodes, x: Row): number {
  let node = 0;
  while (tree.features[node]! >= 0) {
    const value = x[tree.features[node]!]!;
    node = goesLeft(tree, node, value) ? tree.lefts[node]! : tree.rights[node]!;
  }
  return node;
}

function goesLeft(
  { thresholds, missingLeft, categoryStarts, pool }: TreeNodes,
  node: number,
  value: number,
): boolean {
  if (Number.isNaN(value)) return missingLeft[node] === 1;
  const start = categoryStarts[node]!;
  return start < 0
    ? value <= thresholds[node]!
    : pool.subarray(start + 1, start + 1 + pool[start]!).includes(value);
}

function kernelValue(kernel: KernelFormula, x: Row, y: Row): number {
  if (kernel.name === "precomputed")
    return refuseUndescribed("a precomputed kernel is not a function of rows");
  if ("parts" in kernel) {
    const values = kernel.parts.map((part) => kernelValue(part, x, y));
    return values.reduce((a, b) => (kernel.name === "sum" ? a + b : a * b));
  }
  const { name, a, c, degree } = kernel;
  const apart = () => x.reduce((sum, value, j) => sum + square(value - y[j]!), 0);
  switch (name) {
    case "linear":
      return a * dot(x, y) + c;
    case "polynomial":
      return integerPower(a * dot(x, y) + c, degree);
    case "sigmoid":
      return tanh(a * dot(x, y) + c);
    case "gaussian":
      return exp(-a * apart());
    case "exponential":
      return exp(-a * Math.sqrt(apart()));
    case "multiquadric":
      return Math.sqrt(apart() + c * c);
    case "inverseMultiquadric":
      return 1 / Math.sqrt(apart() + c * c);
    case "rationalQuadratic":
      return 1 - apart() / (apart() + c);
    case "thinPlate":
      return apart() === 0 ? 0 : 0.5 * apart() * log(apart());
  }
}

function distance({ name, p }: NeighborScores["metric"], x: Row, y: Row): number {
  const gaps = x.map((value, j) => Math.abs(value - y[j]!));
  const count = (test: (j: number) => boolean) => x.reduce((sum, _, j) => sum + (test(j) ? 1 : 0), 0);
  switch (name) {
    case "manhattan":
      return gaps.reduce((sum, gap) => sum + gap, 0);
    case "chebyshev":
      return gaps.reduce((most, gap) => Math.max(most, gap), 0);
    case "minkowski":
      return pow(
        gaps.reduce((sum, gap) => sum + pow(gap, p), 0),
        1 / p,
      );
    case "cosine":
      return 1 - dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
    case "hamming":
      return count((j) => x[j] !== y[j]) / x.length;
    case "jaccard": {
      const some = count((j) => x[j] !== 0 || y[j] !== 0);
      return some === 0 ? 0 : count((j) => (x[j] !== 0) !== (y[j] !== 0)) / some;
    }
    default:
      return Math.sqrt(dot(gaps, gaps));
  }
}

function neighborMeans(
  { values, metric, within, weights, outlier }: NeighborScores,
  points: Matrix,
  x: Row,
): Row {
  const distances = Float64Array.from({ length: points.rows }, (_, t) =>
    distance(metric, x, Float64Array.from(points.row(t))),
  );
  const order = [...distances.keys()].sort((a, b) => distances[a]! - distances[b]! || a - b);
  const near = "k" in within ? order.slice(0, within.k) : order.filter((t) => distances[t]! <= within.radius);
  if (near.length === 0) return outlier ?? refuseUndescribed("a row without neighbours is an error");
  const nearest = distances[near[0]!]!;
  const weightOf = (t: number) =>
    weights === "uniform" ? 1 : nearest === 0 ? (distances[t] === 0 ? 1 : 0) : nearest / distances[t]!;
  const total = near.reduce((sum, t) => sum + weightOf(t), 0);
  return Float64Array.from({ length: values.cols }, (_, k) =>
    near.reduce((sum, t) => sum + (weightOf(t) * values.data[t * values.cols + k]!) / total, 0),
  );
}

/** Wᵀ r, where W is upper triangular, or its diagonal. */
function whitened(w: Row, r: Row): Row {
  const d = r.length;
  if (w.length === d) return r.map((value, j) => value * w[j]!);
  return r.map((_, c) => r.reduce((sum, value, i) => sum + value * w[i * d + c]!, 0));
}

function activated(layer: NetworkLayer, x: Row): Row {
  if (layer.kind === "dense") {
    const { data, cols } = layer.weights;
    return layer.bias.map((b, o) => x.reduce((sum, value, j) => sum + value * data[j * cols + o]!, b));
  }
  const { name, a, c } = layer;
  if (name === "softmax") {
    const out = x.slice();
    softmaxInto(out, 0, out.length, out);
    return out;
  }
  const f = activations[name] ?? refuseUndescribed(`the activation ${name} is not described`);
  return x.map((value) => f(value, a, c));
}

const activations: Readonly<Record<string, (x: number, a?: number, c?: number) => number>> = {
  linear: (x) => x,
  identity: (x) => x,
  sigmoid: (x, a = 1, c = 0) => sigmoid(a * (x - c)),
  logistic: (x) => sigmoid(x),
  tanh: (x) => tanh(x),
  relu: (x) => Math.max(0, x),
  leakyRelu: (x, a = 0.01) => (x > 0 ? x : a * x),
  gelu: (x) => x * normalCdf(x),
  softplus: (x) => log1pExp(x),
  gaussian: (x, a = 1, c = 0) => exp((-(x - c) * (x - c)) / (2 * a * a)),
  inverseMultiquadric: (x, a = 1, c = 0) => 1 / Math.sqrt(square(x - c) + a * a),
  sign: (x) => Math.sign(x),
  heaviside: (x) => (x > 0 ? 1 : 0),
  twoStep: (x, a = 0.25, c = 0.75) => (a < x && x < c ? 1 : 0),
};
