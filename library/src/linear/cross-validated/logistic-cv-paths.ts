import type { Label } from "../../core/labels.js";
import { maxOf } from "../../core/numbers/extremes.js";
import { joinReports } from "../../core/report.js";
import type { StateReader, Tensor } from "../../core/state/state.js";
import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import type { ClassificationSet } from "../../data/training-set.js";
import type { LinearState } from "../fitted-classifier.js";
import { matricesOf, stacked } from "./cross-validation.js";

/** The parts of LogisticRegressionCV: its problems, the fits of its folds, and what a model stores of them. */

/** One fold: a fit and a score per l1Ratio and C, the Cs of an l1Ratio next to each other. */
export interface FoldPath {
  readonly states: readonly LinearState<Label>[];
  readonly scores: Float64Array;
  /** Number of rows that were learned from, and the last Hessian of their loss, if there was one. */
  readonly rows: number;
  readonly hessian: Float64Array | undefined;
}

/** The chosen strengths, and the model of all rows. */
export interface Chosen {
  readonly state: LinearState<Label>;
  readonly scores: Matrix;
  readonly C: number;
  readonly l1Ratio: number;
  readonly folds: readonly FoldPath[];
}

/** One problem, or with "ovr" one per class: that class (true) against the rest. */
export function problemsOf(
  set: ClassificationSet<Label>,
  multiClass: "multinomial" | "ovr",
): ClassificationSet<Label>[] {
  if (set.classes.length === 2 || multiClass === "multinomial") return [set];
  return set.classes.map((_, k) => ({
    ...set,
    classes: [false, true],
    codes: set.codes.map((code) => (code === k ? 1 : 0)),
  }));
}

/** The rows of a fold, of which X is selected already. */
export function rowsOf(
  set: ClassificationSet<Label>,
  rows: ArrayLike<number>,
  x: Design,
): ClassificationSet<Label> {
  const list = Int32Array.from(rows);
  const { codes, weights } = set;
  return {
    ...set,
    x,
    codes: list.map((i) => codes[i]!),
    weights: weights && Float64Array.from(list, (i) => weights[i]!),
  };
}

/** An estimate of the Hessian of `rows` rows from that of a fold. */
export const hessianFor = (rows: number, fold: FoldPath): Float64Array | undefined =>
  fold.hessian?.map((h) => (h * rows) / fold.rows);

/** The coefficients of one output in all fits: a matrix per fold, one row per fit. */
export function coefsOf(folds: readonly FoldPath[], output: number, withIntercept: boolean): Matrix[] {
  return folds.map(({ states }) => {
    const d = states[0]!.coef.cols;
    const out = Matrix.zeros(states.length, d + (withIntercept ? 1 : 0));
    for (const [e, { coef, intercept }] of states.entries()) {
      out.row(e).set(coef.row(output));
      if (withIntercept) out.row(e)[d] = intercept[output]!;
    }
    return out;
  });
}

/** [w, b] per output. */
export function packed({ coef, intercept }: LinearState<Label>): Float64Array {
  const theta = new Float64Array(coef.data.length + intercept.length);
  for (let k = 0; k < coef.rows; k++) {
    theta.set(coef.row(k), k * (coef.cols + 1));
    theta[k * (coef.cols + 1) + coef.cols] = intercept[k]!;
  }
  return theta;
}

const MEANS = "refit is false: the coefficients are means over the folds, which minimise no objective.";

/** Means of the coefficients. */
export function meanState(states: readonly LinearState<Label>[]): LinearState<Label> {
  const mean = (of: (state: LinearState<Label>) => Float64Array) =>
    of(states[0]!).map((_, e) => states.reduce((sum, state) => sum + of(state)[e]! / states.length, 0));
  const { coef, report } = states[0]!;
  return {
    ...states[0]!,
    coef: new Matrix(
      mean((state) => state.coef.data),
      coef.rows,
      coef.cols,
    ),
    intercept: mean((state) => state.intercept),
    report: {
      ...report,
      converged: states.every((state) => state.report.converged),
      iterations: maxOf(states.map((state) => state.report.iterations)),
      objective: Number.NaN,
      gradientNorm: Number.NaN,
      warnings: [MEANS, ...new Set(states.flatMap((state) => state.report.warnings))],
    },
  };
}

/** One binary model per class as one model. */
export function stackedState(states: readonly LinearState<Label>[]): LinearState<Label> {
  const d = states[0]!.coef.cols;
  return {
    ...states[0]!,
    coef: new Matrix(Float64Array.from(states.flatMap(({ coef }) => [...coef.data])), states.length, d),
    intercept: Float64Array.from(states, ({ intercept }) => intercept[0]!),
    report: joinReports(states.map(({ report }) => report)),
  };
}

export interface StrengthSearch {
  readonly Cs: Float64Array;
  readonly C: Float64Array;
  readonly l1Ratio: Float64Array | undefined;
  /** One matrix per class: one row per fold. */
  readonly scores: readonly Matrix[];
  /** Per class and fold, one row per fit. */
  readonly coefsPaths: readonly (readonly Matrix[])[];
}

export function readSearch(reader: StateReader, count: number, width: number): StrengthSearch {
  const { tensors } = reader.state;
  const data = reader.floats("scores", [count, -1, -1]);
  const [, folds, candidates] = tensors["scores"]!.shape as [number, number, number];
  const Cs = reader.floats("Cs", [-1]);
  if (Cs.length === 0 || candidates % Cs.length !== 0)
    reader.fail("Cs", "one per column of scores", `${Cs.length}`);
  const coefs = reader.floats("coefsPaths", [count, folds, candidates, width]);
  const fits = matricesOf(coefs, count * folds, candidates, width);
  return {
    Cs,
    C: reader.floats("C", [count]),
    l1Ratio: Object.hasOwn(tensors, "l1Ratio") ? reader.floats("l1Ratio", [count]) : undefined,
    scores: matricesOf(data, count, folds, candidates),
    coefsPaths: Array.from({ length: count }, (_, k) => fits.slice(k * folds, (k + 1) * folds)),
  };
}

/** One matrix per class and fold, as a tensor. */
export function coefsPathsTensor(paths: StrengthSearch["coefsPaths"]): Tensor {
  const { shape, data } = stacked(paths.flat());
  return { shape: [paths.length, paths[0]!.length, ...shape.slice(1)], data };
}
