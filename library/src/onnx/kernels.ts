import type { KernelFormula, KernelScores } from "../core/structure.js";
import type { Matrix } from "../data/matrix.js";
import { densePoints } from "../structure/frame.js";
import { linearScoresOf } from "../structure/linear-scores.js";
import { affine } from "./affine.js";
import { type Block, refuse, transposed } from "./converter.js";
import type { Graph, Value } from "./graph.js";

/** Numbers of the largest matrix that is written: 1 GB. */
const MOST_NUMBERS = 2 ** 27;

/** Σ coefficient · k(x, point) + b: rows × outputs. */
export function kernelScores(graph: Graph, x: Value, scores: KernelScores): Block {
  const { kernel, points: given, coef, intercept } = scores;
  if (given.rows * given.cols > MOST_NUMBERS)
    refuse("the points of a kernel", `at most ${MOST_NUMBERS} numbers`, `${given.rows * given.cols}`);
  const linear = linearScoresOf(scores);
  if (linear) return affine(graph, x, linear);
  const points = densePoints(given);
  const values = kernelOf(graph, kernel, products(graph, x, points));
  const weights = graph.numbers(transposed(coef.data, coef.rows, coef.cols), [coef.cols, coef.rows]);
  const sums = graph.op("MatMul", [values, weights]);
  return { value: graph.op("Add", [sums, graph.numbers(intercept, [coef.rows])]), cols: coef.rows };
}

interface Products {
  /** a x·p + c. */
  readonly linear: (a: number, c: number) => Value;
  /** ‖x − p‖². */
  readonly square: () => Value;
}

function products(graph: Graph, x: Value, points: Matrix): Products {
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

function kernelOf(graph: Graph, kernel: KernelFormula, given: Products): Value {
  if (kernel.name === "precomputed") return refuse("the kernel", "a function of rows", "precomputed");
  if ("parts" in kernel)
    return kernel.parts
      .map((part) => kernelOf(graph, part, given))
      .reduce((all, part) => graph.op(kernel.name === "sum" ? "Add" : "Mul", [all, part]));
  const { name, a, c, degree } = kernel;
  const times = (value: Value, factor: number) =>
    factor === 1 ? value : graph.op("Mul", [value, graph.number(factor)]);
  const plus = (value: Value, term: number) =>
    term === 0 ? value : graph.op("Add", [value, graph.number(term)]);
  const root = (value: Value) => graph.op("Sqrt", [value]);
  switch (name) {
    case "linear":
      return given.linear(a, c);
    case "polynomial": {
      if (degree === 0) return given.linear(0, 1);
      // Products, as the library computes it, also of negative numbers.
      const z = given.linear(a, c);
      let power = z;
      for (let k = 1; k < degree; k++) power = graph.op("Mul", [power, z]);
      return power;
    }
    case "sigmoid":
      return graph.op("Tanh", [given.linear(a, c)]);
    case "gaussian":
      return graph.op("Exp", [times(given.square(), -a)]);
    case "exponential":
      return graph.op("Exp", [times(root(given.square()), -a)]);
    case "multiquadric":
      return root(plus(given.square(), c * c));
    case "inverseMultiquadric":
      return graph.op("Reciprocal", [root(plus(given.square(), c * c))]);
    case "rationalQuadratic": {
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
