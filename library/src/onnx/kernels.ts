import type { Label } from "../core/labels.js";
import type { ModelState } from "../core/state.js";
import { Matrix } from "../data/matrix.js";
import { expansionOrigin, originTerms } from "../kernel-functions/expansion.js";
import {
  isLinear,
  type KernelLeaf,
  type KernelTree,
  kernelCodes,
} from "../numeric/kernel-functions/kernel-tree.js";
import { type Predictor, refuse, type Source, tensorOf, transposed } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { affine } from "./linear.js";
import { flat, fromLogPosteriors, fromScores, indicator, largest } from "./prediction.js";
import { Rows } from "./rows.js";

/** Σ coefficient · k(x, point) + b: rows × outputs. */
function expansion(source: Source): { readonly scores: Value; readonly cols: number } {
  const { state, graph, rows } = source;
  const { kernel } = state.values;
  if (kernel === undefined || typeof kernel !== "object")
    refuse(`the kernel of ${state.kind}`, "one of the library", "a function");
  const tree = kernel as unknown as KernelTree;
  const intercept = tensorOf(state, "intercept");
  const cols = intercept.length;
  const points = pointsOf(state, rows.cols);
  const coef = new Matrix(tensorOf(state, "coef"), cols, points.rows);
  if (isLinear(tree)) return { scores: linearScores(source, tree, points, coef, intercept), cols };
  const values = kernelOf(graph, tree, products(graph, source.rows.matrix(graph), points));
  const weights = graph.numbers(transposed(coef.data, cols, points.rows), [points.rows, cols]);
  const sums = graph.op("MatMul", [values, weights]);
  return { scores: graph.op("Add", [sums, graph.numbers(intercept, [cols])]), cols };
}

/** Numbers of the largest matrix that is written: 1 GB. */
const MOST_NUMBERS = 2 ** 27;

/** The points of the expansion, one per row; sparse ones as a dense matrix. */
function pointsOf(state: ModelState, d: number): Matrix<Float64Array> {
  if (state.values["pointsSparse"] !== true) {
    const data = tensorOf(state, "points");
    return new Matrix(data, data.length / d, d);
  }
  const [starts, columns] = [tensorOf(state, "pointStarts"), tensorOf(state, "pointColumns")];
  const values = tensorOf(state, "pointValues");
  const m = starts.length - 1;
  if (m * d > MOST_NUMBERS)
    refuse(
      `the sparse rows of ${state.kind}`,
      `at most ${MOST_NUMBERS} numbers as a dense matrix`,
      `${m * d}`,
    );
  const points = Matrix.zeros(m, d);
  for (let s = 0; s < m; s++)
    for (let e = starts[s]!; e < starts[s + 1]!; e++) points.data[s * d + columns[e]!] = values[e]!;
  return points;
}

/**
 * k = a x·p + c: one product with w = a Σ coefficient · p instead of one per point. Coefficients that sum to 0 have the same w around any
 * origin; far from 0 the products would cancel.
 */
function linearScores(
  source: Source,
  tree: KernelLeaf,
  points: Matrix<Float64Array>,
  coef: Matrix<Float64Array>,
  intercept: Float64Array,
): Value {
  const { graph, rows } = source;
  const { rows: m, cols: d } = points;
  const hasZeroSums = source.state.params["bias"] === "separate";
  const origin = hasZeroSums ? expansionOrigin(tree, points, coef) : null;
  const terms = origin && originTerms(tree, points, coef, origin);
  const weights = new Float64Array(coef.rows * d);
  const constants = intercept.map((b, k) => (terms ? b + terms[k]! : b));
  for (let k = 0; k < coef.rows; k++)
    for (let s = 0; s < m; s++) {
      const own = coef.data[k * m + s]!;
      for (let j = 0; j < d; j++)
        weights[k * d + j]! += tree.a * own * (points.data[s * d + j]! - (origin ? origin[j]! : 0));
      if (!origin) constants[k]! += tree.c * own;
    }
  if (!origin) return affine(source, weights, constants);
  const centred = graph.op("Sub", [source.rows.matrix(graph), graph.numbers(origin, [d])]);
  return affine({ ...source, rows: Rows.matrix(centred, rows.cols) }, weights, constants);
}

interface Products {
  /** a x·p + c. */
  readonly linear: (a: number, c: number) => Value;
  /** ‖x − p‖². */
  readonly square: () => Value;
}

function products(graph: Graph, x: Value, points: Matrix<Float64Array>): Products {
  const { data, rows: m, cols: d } = points;
  return {
    linear: (a, c) => {
      // The factor is in the points: ONNX Runtime would keep one beside a product in 32 bits.
      const factors = transposed(
        data.map((v) => a * v),
        m,
        d,
      );
      const dot = graph.op("MatMul", [x, graph.numbers(factors, [d, m])]);
      return c === 0 ? dot : graph.op("Add", [dot, graph.number(c)]);
    },
    square: () => squaredDistances(graph, x, points),
  };
}

/** ‖x‖² − 2 x·p + ‖p‖², not below 0, around the mean of the points: squares of what is far from 0 lose digits. */
export function squaredDistances(graph: Graph, x: Value, { data, rows: m, cols: d }: Matrix): Value {
  const mean = new Float64Array(d);
  for (let e = 0; e < data.length; e++) mean[e % d]! += data[e]! / m;
  const own = Float64Array.from(data, (v, e) => v - mean[e % d]!);
  const norms = Float64Array.from({ length: m }, (_, s) =>
    own.subarray(s * d, (s + 1) * d).reduce((sum, v) => sum + v * v, 0),
  );
  const centred = graph.op("Sub", [x, graph.numbers(mean, [d])]);
  const dot = graph.op("MatMul", [centred, graph.numbers(transposed(own, m, d), [d, m])]);
  const squares = graph.op("ReduceSumSquare", [centred, graph.integers([1], [1])]);
  const apart = graph.op("Sub", [
    graph.op("Add", [squares, graph.numbers(norms, [m])]),
    graph.op("Add", [dot, dot]),
  ]);
  return graph.op("Max", [apart, graph.number(0)]);
}

function kernelOf(graph: Graph, tree: KernelTree, given: Products): Value {
  if ("op" in tree)
    return tree.parts
      .map((part) => kernelOf(graph, part, given))
      .reduce((all, part) => graph.op(tree.op === "sum" ? "Add" : "Mul", [all, part]));
  const { code, a, c, degree } = tree;
  const times = (value: Value, factor: number) =>
    factor === 1 ? value : graph.op("Mul", [value, graph.number(factor)]);
  const plus = (value: Value, term: number) =>
    term === 0 ? value : graph.op("Add", [value, graph.number(term)]);
  const root = (value: Value) => graph.op("Sqrt", [value]);
  switch (code) {
    case kernelCodes.linear:
      return given.linear(a, c);
    case kernelCodes.polynomial: {
      if (degree === 0) return given.linear(0, 1);
      // Products, as the library computes it, also of negative numbers.
      const z = given.linear(a, c);
      let power = z;
      for (let k = 1; k < degree; k++) power = graph.op("Mul", [power, z]);
      return power;
    }
    case kernelCodes.sigmoid:
      return graph.op("Tanh", [given.linear(a, c)]);
    case kernelCodes.gaussian:
      return graph.op("Exp", [times(given.square(), -a)]);
    case kernelCodes.exponential:
      return graph.op("Exp", [times(root(given.square()), -a)]);
    case kernelCodes.multiquadric:
      return root(plus(given.square(), c * c));
    case kernelCodes.inverseMultiquadric:
      return graph.op("Reciprocal", [root(plus(given.square(), c * c))]);
    case kernelCodes.rationalQuadratic: {
      const square = given.square();
      return graph.op("Sub", [graph.number(1), graph.op("Div", [square, plus(square, c)])]);
    }
    default: {
      const square = graph.op("Max", [given.square(), graph.number(SMALLEST)]);
      return times(graph.op("Mul", [square, graph.op("Log", [square])]), 0.5);
    }
  }
}

/** Whose product with its logarithm is 0 in 64 bits. */
const SMALLEST = 1e-300;

export const kernelRegressor: Predictor = (source) => ({
  kind: "values",
  value: flat(source.graph, expansion(source).scores),
});

/** Kernel logistic regression: scores are log posteriors. */
export const kernelLogistic: Predictor = (source) => {
  const { scores, cols } = expansion(source);
  return fromLogPosteriors(source.graph, classesOf(source), scores, cols);
};

/** The sign of the score, the class with most pairs, or the largest score. Probabilities of three and more classes need iterations. */
export const svc: Predictor = (source) => {
  const { state, graph } = source;
  const classes = classesOf(source);
  const K = classes.length;
  const { scores, cols } = expansion(source);
  const { multiClass, breakTies, order, decisionFunctionShape } = state.values;
  if (order !== undefined) refuse("the classes of SVC", "in ascending order", "those of a LIBSVM file");
  if (K === 2) return fromScores(graph, classes, scores, 1, platt(source, scores));
  if (multiClass === "ovr") return fromScores(graph, classes, scores, cols);
  const isFirst = indicator(graph, graph.op("Greater", [scores, graph.number(0)]));
  const votes = pairVotes(graph, isFirst, K);
  const perClass = graph.op("Add", [votes, tieBreaks(graph, scores, K)]);
  const winner = largest(graph, breakTies === true ? perClass : votes);
  return decisionFunctionShape === "ovo"
    ? { kind: "classes", classes, winner, scores, scoreCols: cols }
    : { kind: "classes", classes, winner, scores: perClass, scoreCols: K };
};

const classesOf = ({ state }: Source) => state.values["classes"] as unknown as readonly Label[];

/** 1 / (1 + e^(a f + b)) of the second class, if the model has it. */
function platt({ state, graph }: Source, score: Value): Value | undefined {
  const sigmoid = state.tensors["sigmoids"];
  if (sigmoid === undefined) return undefined;
  const [a, b] = sigmoid.data;
  const z = graph.op("Add", [graph.op("Mul", [score, graph.number(a!)]), graph.number(b!)]);
  return graph.op("Concat", [graph.op("Sigmoid", [z]), graph.op("Sigmoid", [graph.op("Neg", [z])])], {
    axis: { int: 1 },
  });
}

/** Votes of all pairs (a, b), a < b, by 1 for a and 0 for b. */
export function pairVotes(graph: Graph, isFirst: Value, K: number): Value {
  const isSecond = graph.op("Sub", [graph.number(1), isFirst]);
  return graph.op("Add", [
    graph.op("MatMul", [isFirst, pairMatrix(graph, K, 1, 0)]),
    graph.op("MatMul", [isSecond, pairMatrix(graph, K, 0, 1)]),
  ]);
}

/** Sums of the scores of a class's pairs, scaled to less than 1/3. */
const tieBreaks = (graph: Graph, scores: Value, K: number): Value =>
  squashed(graph, graph.op("MatMul", [scores, pairMatrix(graph, K, 1, -1)]));

/** Between −1/3 and 1/3. */
export function squashed(graph: Graph, sums: Value): Value {
  const size = graph.op("Add", [graph.op("Abs", [sums]), graph.number(1)]);
  return graph.op("Div", [sums, graph.op("Mul", [size, graph.number(3)])]);
}

/** A row per pair of classes, with an entry for its first and one for its second class. */
export function pairMatrix(graph: Graph, K: number, first: number, second: number): Value {
  const pairs = (K * (K - 1)) / 2;
  const out = new Float64Array(pairs * K);
  for (let a = 0, at = 0; a < K; a++)
    for (let b = a + 1; b < K; b++, at += K) {
      out[at + a] = first;
      out[at + b] = second;
    }
  return graph.numbers(out, [pairs, K]);
}
