import type { Label } from "../core/labels.js";
import { type KernelTree, kernelCodes } from "../numeric/kernel-functions/kernel-tree.js";
import { matrixOf, type Predictor, refuse, type Source, tensorOf } from "./converter.js";
import type { Graph, Value } from "./graph.js";
import { flat, fromLogPosteriors, fromScores, largest } from "./prediction.js";

/** Σ coefficient · k(x, point) + b: rows × outputs. */
function expansion(source: Source): { readonly scores: Value; readonly cols: number } {
  const { state, graph, rows } = source;
  const { kernel, pointsSparse } = state.values;
  if (pointsSparse === true) refuse(`the rows of ${state.kind}`, "dense", "sparse");
  if (kernel === undefined || typeof kernel !== "object")
    refuse(`the kernel of ${state.kind}`, "one of the library", "a function");
  const points = tensorOf(state, "points");
  const m = points.length / rows.cols;
  const coef = tensorOf(state, "coef");
  const cols = coef.length / m;
  const x = matrixOf(source);
  const values = kernelOf(graph, kernel as unknown as KernelTree, products(graph, x, points, m, rows.cols));
  const weights = new Float64Array(coef.length);
  for (let k = 0; k < cols; k++) for (let s = 0; s < m; s++) weights[s * cols + k] = coef[k * m + s]!;
  const sums = graph.op("MatMul", [values, graph.numbers(weights, [m, cols])]);
  return { scores: graph.op("Add", [sums, graph.numbers(tensorOf(state, "intercept"), [cols])]), cols };
}

interface Products {
  /** a x·p + c. */
  readonly linear: (a: number, c: number) => Value;
  /** ‖x − p‖². */
  readonly square: () => Value;
}

function products(graph: Graph, x: Value, points: Float64Array, m: number, d: number): Products {
  // The factor is in the points: ONNX Runtime would keep one beside a product in 32 bits.
  const dot = (a: number) => {
    const transposed = new Float64Array(points.length);
    for (let s = 0; s < m; s++) for (let j = 0; j < d; j++) transposed[j * m + s] = a * points[s * d + j]!;
    return graph.op("MatMul", [x, graph.numbers(transposed, [d, m])]);
  };
  return {
    linear: (a, c) => (c === 0 ? dot(a) : graph.op("Add", [dot(a), graph.number(c)])),
    square: () => squaredDistances(graph, x, dot(1), points, m),
  };
}

/** ‖x‖² − 2 x·p + ‖p‖², not below 0. */
export function squaredDistances(graph: Graph, x: Value, dot: Value, points: Float64Array, m: number): Value {
  const d = points.length / m;
  const norms = Float64Array.from({ length: m }, (_, s) =>
    points.subarray(s * d, (s + 1) * d).reduce((sum, v) => sum + v * v, 0),
  );
  const own = graph.op("ReduceSumSquare", [x, graph.integers([1], [1])]);
  const apart = graph.op("Sub", [
    graph.op("Add", [own, graph.numbers(norms, [m])]),
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
  const votes = pairVotes(graph, scores, K);
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

/** Votes of all pairs (a, b), a < b: a positive score is one for a. */
function pairVotes(graph: Graph, scores: Value, K: number): Value {
  const [forFirst, forSecond] = [pairMatrix(K, 1, 0), pairMatrix(K, 0, 1)];
  const pairs = (K * (K - 1)) / 2;
  const isFirst = graph.op("Cast", [graph.op("Greater", [scores, graph.number(0)])], { to: { int: 11 } });
  const isSecond = graph.op("Sub", [graph.number(1), isFirst]);
  return graph.op("Add", [
    graph.op("MatMul", [isFirst, graph.numbers(forFirst, [pairs, K])]),
    graph.op("MatMul", [isSecond, graph.numbers(forSecond, [pairs, K])]),
  ]);
}

/** Sums of the scores of a class's pairs, scaled to less than 1/3. */
function tieBreaks(graph: Graph, scores: Value, K: number): Value {
  const sums = graph.op("MatMul", [scores, graph.numbers(pairMatrix(K, 1, -1), [(K * (K - 1)) / 2, K])]);
  const size = graph.op("Add", [graph.op("Abs", [sums]), graph.number(1)]);
  return graph.op("Div", [sums, graph.op("Mul", [size, graph.number(3)])]);
}

/** A row per pair, with an entry for its first and one for its second class. */
function pairMatrix(K: number, first: number, second: number): Float64Array {
  const out = new Float64Array(((K * (K - 1)) / 2) * K);
  for (let a = 0, at = 0; a < K; a++)
    for (let b = a + 1; b < K; b++, at += K) {
      out[at + a] = first;
      out[at + b] = second;
    }
  return out;
}
