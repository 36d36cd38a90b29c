import {
  type DenseRows,
  type GaussianScores,
  type KernelScores,
  type Label,
  linearScoresOf,
  type NetworkLayer,
  type Scores,
  type TableScores,
} from "argmax";
import {
  add,
  both,
  call,
  choose,
  compare,
  divide,
  type Expression,
  isNull,
  multiply,
  negative,
  not,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../expressions/expression.js";
import type { Cells } from "./cells.js";
import { combined } from "./combinations.js";
import type { Compiler } from "./compiler.js";
import { curveAt } from "./curve.js";
import { distances } from "./distances.js";
import {
  decay,
  exponential,
  hyperbolicTangent,
  integerPower,
  logOnePlus,
  logSumOfExponentials,
  sigmoid,
} from "./functions.js";
import { softmax } from "./links.js";
import { refuse } from "./refuse.js";
import { treeScores } from "./trees.js";

/** A machine of more support vectors than this is refused: each is a term of the expression. */
const MOST_POINTS = 2000;

/** One expression per score; `evaluate-scores.ts` of the library says the same in numbers. */
export function scoresOf(
  scores: Scores,
  columns: readonly Cells[],
  classes: readonly Label[],
  own: Compiler,
): readonly Expression[] {
  const linear = linearScoresOf(scores);
  // Lazily: a column of text has no number.
  const x = () => columns.map((column) => shared(column.number));
  if (linear) {
    const { coef, intercept, origin } = linear;
    const read = x();
    const centred = origin ? read.map((e, j) => shared(subtract(e, number(origin[j]!)))) : read;
    return rowsTimes(coef, intercept, centred);
  }
  switch (scores.kind) {
    case "trees":
      return treeScores(scores, columns);
    case "kernel":
      return kernelScores(scores, x());
    case "gaussians":
      return gaussianScores(scores, x());
    case "tables":
      return tableScores(scores, x());
    case "network":
      return scores.layers.reduce<readonly Expression[]>((values, layer) => layerOf(layer, values), x());
    case "centers":
      return distances(scores.centers, scores.metric, x()).map(negative);
    case "curve":
      return [curveAt(scores, x()[0]!)];
    case "constant":
      return Array.from(scores.values, number);
    case "composite":
      return combined(scores, columns, classes, own);
    case "neighbors":
      return refuse("a search for the nearest training rows");
    case "undescribed":
      return refuse(scores.reason);
    default:
      return refuse(`scores of the kind ${scores.kind}`);
  }
}

/** b + W x. Coefficients of 0 take no part, but a gap in their columns is a gap of the score. */
function rowsTimes(coef: DenseRows, intercept: Float64Array, x: readonly Expression[]): Expression[] {
  return Array.from(intercept, (b, k) => {
    const terms = x.map((e, j) => multiply(number(coef.data[k * coef.cols + j]!), e));
    return add(number(b), sum(terms));
  });
}

function kernelScores(
  { kernel, points, coef, intercept }: KernelScores,
  x: readonly Expression[],
): Expression[] {
  if (kernel.name === "precomputed") return refuse("a precomputed kernel, which is not a function of rows");
  if ("parts" in kernel) return refuse("a kernel that is made of others");
  if (points.rows > MOST_POINTS) return refuse(`${points.rows} support vectors, more than ${MOST_POINTS}`);
  const { name, a, c, degree } = kernel;
  const p = "indptr" in points ? refuse("support vectors of sparse rows") : points;
  const values = Array.from({ length: p.rows }, (_, t) => {
    const row = p.data.subarray(t * p.cols, (t + 1) * p.cols);
    const inner = () =>
      add(multiply(number(a), sum(x.map((e, j) => multiply(number(row[j]!), e)))), number(c));
    const apart = () =>
      sum(
        x.map((e, j) => {
          const gap = shared(subtract(e, number(row[j]!)));
          return multiply(gap, gap);
        }),
      );
    switch (name) {
      case "linear":
        return inner();
      case "polynomial":
        return integerPower(shared(inner()), degree);
      case "sigmoid":
        return hyperbolicTangent(inner());
      case "gaussian":
        return decay(multiply(number(-a), apart()));
      case "exponential":
        return decay(multiply(number(-a), call("sqrt", apart())));
      case "multiquadric":
        return call("sqrt", add(apart(), number(c * c)));
      case "inverseMultiquadric":
        return divide(number(1), call("sqrt", add(apart(), number(c * c))));
      case "rationalQuadratic": {
        const square = shared(apart());
        return subtract(number(1), divide(square, add(square, number(c))));
      }
      case "thinPlate": {
        const square = shared(apart());
        const value = multiply(multiply(number(0.5), square), call("log", square));
        return when(compare(square, "=", number(0)), number(0), value);
      }
      default:
        return refuse(`the kernel ${name}`);
    }
  });
  return rowsTimes(coef, intercept, values.map(shared));
}

function gaussianScores({ components, groups }: GaussianScores, x: readonly Expression[]): Expression[] {
  const byGroup: Expression[][] = Array.from({ length: groups }, () => []);
  for (const { mean, whitening, constant, group } of components) {
    const r = x.map((e, j) => shared(subtract(e, number(mean[j]!))));
    byGroup[group]!.push(gaussianScore(r, whitening, constant));
  }
  return byGroup.map((own) => (own.length === 1 ? own[0]! : logSumOfExponentials(own)));
}

/** The logarithm of a weighted Gaussian density of residuals from its mean; W Wᵀ is the inverse covariance. */
export function gaussianScore(
  r: readonly Expression[],
  whitening: Float64Array,
  constant: number,
): Expression {
  const d = r.length;
  const z =
    whitening.length === d
      ? r.map((e, j) => multiply(e, number(whitening[j]!)))
      : r.map((_, c) => sum(r.map((e, i) => multiply(number(whitening[i * d + c]!), e))));
  const square = sum(
    z.map((given) => {
      const e = shared(given);
      return multiply(e, e);
    }),
  );
  return subtract(number(constant), multiply(number(0.5), square));
}

function tableScores({ constant, tables }: TableScores, x: readonly Expression[]): Expression[] {
  return Array.from(constant, (start, k) => {
    const terms = tables.map(({ data, rows, cols }, j) => {
      const at = (place: number) => number(data[place * cols + k]!);
      const other = at(rows - 1);
      const branches = Array.from({ length: rows - 1 }, (_, place) => ({
        test: both(compare(x[j]!, ">=", number(place)), compare(x[j]!, "<", number(place + 1))),
        value: at(place),
      }));
      return choose([...branches, { test: not(isNull(x[j]!)), value: other }]);
    });
    return add(number(start), sum(terms));
  });
}

function layerOf(layer: NetworkLayer, x: readonly Expression[]): readonly Expression[] {
  if (layer.kind === "dense") {
    const { data, cols } = layer.weights;
    return Array.from(layer.bias, (b, o) =>
      shared(add(number(b), sum(x.map((e, j) => multiply(number(data[j * cols + o]!), e))))),
    );
  }
  const { name, a, c } = layer;
  if (name === "softmax") return softmax(x);
  const f = activations[name] ?? refuse(`the activation ${name}`);
  return x.map((e) => shared(f(shared(e), a, c)));
}

const relu = (x: Expression, slope: number): Expression =>
  choose([
    { test: compare(x, ">", number(0)), value: x },
    { test: compare(x, "<=", number(0)), value: slope === 0 ? number(0) : multiply(number(slope), x) },
  ]);

/** log(1 + eˣ). */
const softplus = (x: Expression): Expression => add(relu(x, 0), logOnePlus(decay(negative(call("abs", x)))));

const isWithin = (x: Expression, low: number, high: number): Expression =>
  choose([
    { test: both(compare(x, ">", number(low)), compare(x, "<", number(high))), value: number(1) },
    { test: not(isNull(x)), value: number(0) },
  ]);

const activations: Readonly<Record<string, (x: Expression, a?: number, c?: number) => Expression>> = {
  linear: (x) => x,
  identity: (x) => x,
  sigmoid: (x, a = 1, c = 0) => sigmoid(multiply(number(a), subtract(x, number(c)))),
  logistic: (x) => sigmoid(x),
  tanh: hyperbolicTangent,
  relu: (x) => relu(x, 0),
  leakyRelu: (x, a = 0.01) => relu(x, a),
  softplus,
  gaussian: (x, a = 1, c = 0) => {
    const gap = shared(subtract(x, number(c)));
    return exponential(divide(negative(multiply(gap, gap)), number(2 * a * a)));
  },
  inverseMultiquadric: (x, a = 1, c = 0) => {
    const gap = shared(subtract(x, number(c)));
    return divide(number(1), call("sqrt", add(multiply(gap, gap), number(a * a))));
  },
  heaviside: (x) => isWithin(x, 0, Infinity),
  twoStep: (x, a = 0.25, c = 0.75) => isWithin(x, a, c),
};
