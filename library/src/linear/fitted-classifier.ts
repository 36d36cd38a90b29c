import type { FitReport, FittedClassifier, MatrixLike, ScoreOptions } from "../core/contract.js";
import { exp, sigmoid } from "../core/elementary.js";
import { ParameterError, show } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { codeLabels, type Label, type Labels } from "../core/labels.js";
import { option, readOptions } from "../core/options.js";
import type { ParamSpec } from "../core/params.js";
import { readReport, reportJson } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state.js";
import { featureNamesJson, readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { accuracyScore } from "../metrics/accuracy.js";
import { linearScores } from "../numeric/rows/linear-scores.js";

/** What a linear classifier learns, whatever it minimised. */
export interface LinearState<L extends Label> {
  readonly id: string;
  /** The estimator's parameters; described in JSON when the model is saved. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly classes: readonly L[];
  /** 1 × d for two classes, one row a class otherwise. */
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  readonly report: FitReport;
  /** How margins become probabilities, if they do. */
  readonly link: Link | null;
  /** Names of the columns, if X was a table. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** "ovr" divides sigmoids by their sum; "clip" is the modified Huber's (z clipped to [−1, 1] + 1)/2. */
export type Link = "sigmoid" | "softmax" | "ovr" | "halfLogOdds" | "clip";
const links: readonly Link[] = ["sigmoid", "softmax", "ovr", "halfLogOdds", "clip"];

export interface PredictOptions {
  /**
   * For two classes: the margin above which the second class is predicted, 0 unless told. With one score a class
   * (softmax) the margin is the second score less the first.
   */
  readonly threshold?: number;
}

const predictOptions = {
  threshold: option<number>(
    "real",
    "For two classes: the margin above which the second class is predicted.",
    "a number",
    (value) => typeof value === "number" && !Number.isNaN(value),
  ),
} satisfies Record<keyof PredictOptions, ParamSpec<unknown>>;

/** Signed distances of labelled rows from the boundary. */
export interface Margins {
  /** y (w·x + b); for more than two classes the score of the true class less the best other. */
  readonly functional: Float64Array;
  /** Functional margins divided by ‖w‖ (of the difference of the two classes' w): doubling (w, b) leaves them alone. 0 if w = 0. */
  readonly geometric: Float64Array;
  readonly minFunctional: number;
  readonly minGeometric: number;
}

/**
 * A fitted linear classifier: scores w·x + b, the sign (or the highest score) decides.
 */
export class FittedLinearClassifier<L extends Label = Label> implements FittedClassifier<L> {
  readonly classes: readonly L[];
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  readonly report: FitReport;
  protected readonly state: LinearState<L>;

  constructor(state: LinearState<L>) {
    this.state = state;
    this.classes = state.classes;
    this.coef = state.coef;
    this.intercept = state.intercept;
    this.report = state.report;
  }

  get nFeatures(): number {
    return this.coef.cols;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.state.featureNamesIn;
  }

  /** Numbers learned: coefficients and intercepts. */
  get nParameters(): number {
    return this.coef.data.length + this.intercept.length;
  }

  /** One column for two classes (positive: the second), else one a class. */
  decisionFunction(x: MatrixLike): Matrix {
    return this.scores(`${this.state.id}.decisionFunction`, x);
  }

  predict(x: MatrixLike, options?: PredictOptions): L[] {
    const where = `${this.state.id}.predict`;
    const threshold = options && readOptions(where, predictOptions, options).threshold;
    const { data, rows, cols } = this.scores(where, x);
    const out = new Array<L>(rows);
    if (threshold !== undefined) checkThreshold(where, threshold, this.classes.length);
    if (cols === 1) {
      for (let i = 0; i < rows; i++) out[i] = this.classes[data[i]! > (threshold ?? 0) ? 1 : 0]!;
      return out;
    }
    if (threshold !== undefined) {
      for (let i = 0; i < rows; i++)
        out[i] = this.classes[data[2 * i + 1]! - data[2 * i]! > threshold ? 1 : 0]!;
      return out;
    }
    for (let i = 0; i < rows; i++) out[i] = this.classes[argMax(data, i * cols, cols)]!;
    return out;
  }

  /** Accuracy. */
  score(x: MatrixLike, y: Labels<L>, options: ScoreOptions = {}): number {
    return accuracyScore(y, this.predict(x), options);
  }

  /** 2/‖w‖ of each row of coef: the width of the street between the margins w·x + b = ±1. */
  get marginWidths(): Float64Array {
    return Float64Array.from({ length: this.coef.rows }, (_, k) => 2 / norm(this.coef.row(k)));
  }

  margins(x: MatrixLike, y: Labels<L>): Margins {
    const where = `${this.state.id}.margins`;
    const z = this.scores(where, x);
    const codes = codeLabels(where, y, z.rows, this.classes);
    const functional = new Float64Array(z.rows);
    const geometric = new Float64Array(z.rows);
    const single = norm(this.coef.row(0));
    for (let i = 0; i < z.rows; i++) {
      const k = codes[i]!;
      if (z.cols === 1) {
        functional[i] = (k === 1 ? 1 : -1) * z.data[i]!;
        geometric[i] = single > 0 ? functional[i]! / single : 0;
        continue;
      }
      const other = argMax(z.data, i * z.cols, z.cols, k);
      functional[i] = z.data[i * z.cols + k]! - z.data[i * z.cols + other]!;
      const a = this.coef.row(k);
      const b = this.coef.row(other);
      const apart = norm(a.map((v, j) => v - b[j]!));
      geometric[i] = apart > 0 ? functional[i]! / apart : 0;
    }
    return { functional, geometric, minFunctional: smallest(functional), minGeometric: smallest(geometric) };
  }

  /** How far each labelled row is on the wrong side of its margin: max(0, 1 − functional margin). */
  slacks(x: MatrixLike, y: Labels<L>): Float64Array {
    return this.margins(x, y).functional.map((m) => Math.max(0, 1 - m));
  }

  toState(): ModelState {
    const { id, params, classes, coef, intercept, report, link, featureNamesIn } = this.state;
    return {
      kind: id,
      params: describeParams(params),
      values: {
        classes: [...classes],
        report: reportJson(report),
        link,
        ...featureNamesJson(featureNamesIn),
      },
      tensors: {
        coef: { shape: [coef.rows, coef.cols], data: coef.data },
        intercept: { shape: [intercept.length], data: intercept },
      },
    };
  }

  protected scores(where: string, x: MatrixLike): Matrix {
    const design = readMatrix(where, x, { like: this, sparse: true });
    return linearScores(where, design, this.coef.data, this.intercept);
  }
}

/** A fitted linear classifier whose margins are log-odds. */
export class FittedProbabilisticLinearClassifier<L extends Label = Label> extends FittedLinearClassifier<L> {
  /** One column a class, in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    const z = this.scores(`${this.state.id}.predictProba`, x);
    const out = Matrix.zeros(z.rows, this.classes.length);
    if (this.state.link === "softmax")
      for (let i = 0; i < z.rows; i++) softmaxInto(z.data, i * z.cols, z.cols, out.data);
    else if (z.cols === 1) binaryInto(z.data, this.state.link, out.data);
    else
      for (let i = 0; i < z.rows; i++) oneVsRestInto(z.data, i * z.cols, z.cols, this.state.link, out.data);
    return out;
  }
}

function checkThreshold(where: string, threshold: unknown, classes: number): void {
  if (classes === 2) return;
  throw new ParameterError({
    where,
    subject: "threshold",
    expected: "absent when there are more than two classes",
    received: show(threshold),
  });
}

/** p of the second class as a function of the margin. */
function positive(z: number, link: Link | null): number {
  if (link === "halfLogOdds") return sigmoid(2 * z);
  if (link === "clip") return (Math.max(-1, Math.min(1, z)) + 1) / 2;
  return sigmoid(z);
}

function binaryInto(z: Float64Array, link: Link | null, out: Float64Array): void {
  for (let i = 0; i < z.length; i++) {
    // Each tail is computed by itself: 1 − p would lose all of a small p.
    out[2 * i] = positive(-z[i]!, link);
    out[2 * i + 1] = positive(z[i]!, link);
  }
}

function softmaxInto(z: Float64Array, at: number, count: number, out: Float64Array): void {
  const top = z[at + argMax(z, at, count)]!;
  let sum = 0;
  for (let k = at; k < at + count; k++) {
    out[k] = exp(z[k]! - top);
    sum += out[k]!;
  }
  for (let k = at; k < at + count; k++) out[k]! /= sum;
}

function oneVsRestInto(
  z: Float64Array,
  at: number,
  count: number,
  link: Link | null,
  out: Float64Array,
): void {
  let sum = 0;
  for (let k = at; k < at + count; k++) {
    out[k] = positive(z[k]!, link);
    sum += out[k]!;
  }
  // All classes refused (every probability 0): nothing is known, so all are equal.
  for (let k = at; k < at + count; k++) out[k] = sum > 0 ? out[k]! / sum : 1 / count;
}

/** Index of the largest of `count` entries from `at`, the first of equals; `except` is passed over. */
function argMax(z: Float64Array, at: number, count: number, except = -1): number {
  let best = except === 0 ? 1 : 0;
  for (let k = best + 1; k < count; k++) if (k !== except && z[at + k]! > z[at + best]!) best = k;
  return best;
}

function norm(w: Float64Array): number {
  let largest = 0;
  for (const v of w) largest = Math.max(largest, Math.abs(v));
  if (largest === 0) return 0;
  let sum = 0;
  for (const v of w) sum += (v / largest) * (v / largest);
  return largest * Math.sqrt(sum);
}

const smallest = (v: Float64Array): number => v.reduce((least, m) => Math.min(least, m), Infinity);

const isLink = (value: unknown): value is Link | null => value === null || links.includes(value as Link);

/** Checks and rebuilds the state that `toState` wrote. */
export function readLinearState(state: ModelState): LinearState<Label> {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  const link = reader.value("link", "a link", isLink);
  const outputs = classes.length === 2 && link !== "softmax" ? 1 : classes.length;
  const data = reader.floats("coef", [outputs, -1]);
  const intercept = reader.floats("intercept", [outputs]);
  if (!data.every(Number.isFinite) || !intercept.every(Number.isFinite)) reader.fail("coef", "finite", "±∞");
  const coef = new Matrix(data, outputs, data.length / outputs);
  const featureNamesIn = readFeatureNames(reader, coef.cols);
  const report = readReport(reader);
  return { id: state.kind, params: state.params, classes, coef, intercept, report, link, featureNamesIn };
}
