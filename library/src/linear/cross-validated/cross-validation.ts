import type { MatrixLike } from "../../core/contract.js";
import { ArgmaxError, ParameterError, show } from "../../core/errors.js";
import type { Label } from "../../core/labels.js";
import { choice, invalid, optional, type ParamSpec } from "../../core/params/params.js";
import type { Tensor } from "../../core/state/state.js";
import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { splitterFromJson } from "../../data/splitters/registry.js";
import type { Fold, Splitter } from "../../data/splitters/splitter.js";
import { checkFold, isSplitter, requireFolds } from "../../data/splitters/splitter.js";
import { splitterOf } from "../../data/splitters/splitter-of.js";
import type { RegressionSet } from "../../data/training-set.js";
import { regressionScorers } from "../../metrics/scorers.js";

/** What the estimators share that choose a parameter by cross-validation. */

/** `null` stands for what the estimator's `doc` says. */
export const foldsParam = (doc: string): ParamSpec<number | Splitter | null> => ({
  kind: "splitter",
  default: null,
  doc,
  expected: "a number of folds ≥ 2, a splitter such as new KFold(), or null",
  read: (value) => {
    if (value === null || isSplitter(value)) return value;
    if (typeof value === "number") return Number.isSafeInteger(value) && value >= 2 ? value : invalid;
    return splitterFromJson(value) ?? invalid;
  },
});

export const regressionScoring = (doc: string) => optional(choice(regressionScorers, { default: "r2", doc }));

/** The folds of the rows, in the order of the splitter; `codes` are the classes of a classifier. */
export function foldsOf(
  where: string,
  cv: number | Splitter | null,
  rows: ArrayLike<unknown>,
  labels?: ArrayLike<Label>,
): readonly Fold[] {
  const splitter = splitterOf(where, cv ?? DEFAULT_FOLDS, labels !== undefined);
  const folds = requireFolds(where, splitter.split(rows as MatrixLike, labels ?? rows));
  for (const fold of folds) checkFold(where, fold, rows.length);
  return folds;
}

/** scikit-learn's number of folds. */
const DEFAULT_FOLDS = 5;

/** Some rows of a training set, of which X is selected already (`FoldRows`). */
export function rowsOf(
  { y, weights, featureNamesIn }: RegressionSet,
  rows: ArrayLike<number>,
  x: Design,
): RegressionSet {
  const list = Int32Array.from(rows);
  return {
    x,
    y: Float64Array.from(list, (i) => y[i]!),
    weights: weights && Float64Array.from(list, (i) => weights[i]!),
    featureNamesIn,
  };
}

/** The rows of one fold after the other. Dense rows of a fold take the place of those of the fold before, which must no longer be used. */
export class FoldRows {
  readonly #buffers = new Map<"train" | "test", Float64Array>();

  constructor(private readonly x: Design) {}

  train({ train }: Fold): Design {
    return this.#select("train", train);
  }

  test({ test }: Fold): Design {
    return this.#select("test", test);
  }

  #select(part: "train" | "test", rows: ArrayLike<number>): Design {
    const x = this.x;
    const list = Int32Array.from(rows);
    if (!(x instanceof Matrix)) return x.selectRows(list);
    const { data, cols } = x;
    let buffer = this.#buffers.get(part);
    if (buffer === undefined || buffer.length < list.length * cols) {
      buffer = new Float64Array(list.length * cols);
      this.#buffers.set(part, buffer);
    }
    // Runs of consecutive rows are copied at once.
    for (let r = 0; r < list.length; ) {
      const first = list[r]!;
      let end = r + 1;
      while (end < list.length && list[end] === first + end - r) end++;
      buffer.set(data.subarray(first * cols, (first + end - r) * cols), r * cols);
      r = end;
    }
    return new Matrix(buffer.subarray(0, list.length * cols), list.length, cols);
  }
}

/** Runs a fold; its number stands in front of what it throws. */
export function inFold<R>(where: string, f: number, run: () => R): R {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(`${where}, fold ${f + 1}`) : error;
  }
}

/** A list of candidates must not be empty. */
export function requireCandidates(where: string, subject: string, list: readonly number[]): void {
  if (list.length > 0) return;
  throw new ParameterError(where, subject, "at least one number", show(list));
}

/** Matrices of one shape as a tensor. */
export function stacked(matrices: readonly Matrix[]): Tensor {
  const { rows, cols } = matrices[0]!;
  const data = new Float64Array(matrices.length * rows * cols);
  for (const [k, { data: own }] of matrices.entries()) data.set(own, k * rows * cols);
  return { shape: [matrices.length, rows, cols], data };
}

/** The inverse of `stacked`. */
export function matricesOf(data: Float64Array, count: number, rows: number, cols: number): Matrix[] {
  const size = rows * cols;
  return Array.from(
    { length: count },
    (_, k) => new Matrix(data.slice(k * size, (k + 1) * size), rows, cols),
  );
}

/** Index of the largest entry, the first of equal ones. NaN is never the largest. */
export function firstLargest(scores: ArrayLike<number>): number {
  let best = 0;
  for (let a = 1; a < scores.length; a++) {
    if (scores[a]! > scores[best]! || Number.isNaN(scores[best]!)) best = a;
  }
  return best;
}
