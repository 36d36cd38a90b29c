import type {
  FitReport,
  FittedClassifier,
  FittedProbabilisticClassifier,
  MatrixLike,
} from "../core/contract.js";
import { codeLabels, type Label, type Labels } from "../core/labels.js";
import {
  argmax,
  logOneVsRest,
  logPosteriors,
  logProbabilities,
  normalizeInto,
  oneVsRest,
  posteriors,
} from "../core/numbers/scores.js";
import type { DecidesBy, MarginOptions, ProbaOptions } from "../core/params/predict-options.js";
import { readReport, reportJson } from "../core/report.js";
import { type Learned, stateOf } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { type ClassLink, classifierStructure, type Structure, structure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { MarginClassifier } from "../fitted/classifiers.js";
import { linearScores } from "../numeric/rows/linear-scores.js";

/** The fitted state of a linear classifier. */
export interface LinearState<L extends Label> {
  readonly id: string;
  /** The estimator's parameters; described in JSON when the model is saved. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly classes: readonly L[];
  /** 1 × d for two classes, else one row per class. */
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  readonly report: FitReport;
  /** The link from scores to probabilities; null if there is none. */
  readonly link: Link | null;
  /** Names of the columns, if X was a table. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** "ovr" divides sigmoids by their sum; "clip" is the modified Huber's (z clipped to [−1, 1] + 1)/2. */
export type Link = "sigmoid" | "softmax" | "ovr" | "halfLogOdds" | "clip";
const links: readonly Link[] = ["sigmoid", "softmax", "ovr", "halfLogOdds", "clip"];

/** The link as a structure has it, of that many columns of scores. */
function linkOf(link: Link | null, cols: number): ClassLink | null {
  if (link === null) return null;
  if (link === "clip") return { kind: "clip" };
  const factor = link === "halfLogOdds" ? 2 : 1;
  if (cols === 1) return { kind: "sigmoid", factor };
  return { kind: link === "softmax" ? "softmax" : "oneVsRest", factor };
}

/** Margins of labelled rows, positive on the correct side of the boundary. */
export interface Margins {
  /** y (w·x + b); for more than two classes, the score of the true class minus the highest other score. */
  readonly functional: Float64Array;
  /** Functional margins divided by ‖w‖ (for more than two classes: of the difference of both w), or 0 if w = 0. */
  readonly geometric: Float64Array;
  readonly minFunctional: number;
  readonly minGeometric: number;
}

/**
 * A fitted linear classifier: predicts by the sign of the score w·x + b or, with more than two classes, by the highest score.
 */
export class FittedLinearClassifier<L extends Label = Label, O extends MarginOptions = MarginOptions>
  extends MarginClassifier<L, O>
  implements FittedClassifier<L>
{
  readonly classes: readonly L[];
  readonly coef: Matrix;
  readonly intercept: Float64Array;
  readonly report: FitReport;

  constructor(protected readonly state: LinearState<L>) {
    super();
    this.classes = state.classes;
    this.coef = state.coef;
    this.intercept = state.intercept;
    this.report = state.report;
  }

  protected get id(): string {
    return this.state.id;
  }

  get nFeatures(): number {
    return this.coef.cols;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.state.featureNamesIn;
  }

  /** The number of coefficients and intercepts. */
  get nParameters(): number {
    return this.coef.data.length + this.intercept.length;
  }

  /** 2/‖w‖ per row of coef: the distance between the margins w·x + b = ±1. */
  get marginWidths(): Float64Array {
    return Float64Array.from({ length: this.coef.rows }, (_, k) => 2 / norm(this.coef.row(k)));
  }

  margins(x: MatrixLike, y: Labels<L>): Margins {
    const where = `${this.state.id}.margins`;
    const z = this.scoreRows(where, x);
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
      const own = z.data[i * z.cols + k]!;
      z.data[i * z.cols + k] = -Infinity;
      const other = argmax(z.data, i * z.cols, z.cols);
      functional[i] = own - z.data[i * z.cols + other]!;
      const a = this.coef.row(k);
      const b = this.coef.row(other);
      const apart = norm(a.map((v, j) => v - b[j]!));
      geometric[i] = apart > 0 ? functional[i]! / apart : 0;
    }
    return { functional, geometric, minFunctional: smallest(functional), minGeometric: smallest(geometric) };
  }

  [structure](): Structure {
    const { coef, intercept, state } = this;
    return classifierStructure(this, { kind: "linear", coef, intercept }, linkOf(state.link, coef.rows));
  }

  /** The slack ξ = max(0, 1 − functional margin) of each labelled row. */
  slacks(x: MatrixLike, y: Labels<L>): Float64Array {
    return this.margins(x, y).functional.map((m) => Math.max(0, 1 - m));
  }

  toState(): ModelState {
    return stateOf(this.state.id, this.state, this.learned());
  }

  protected learned(): Learned {
    const { classes, coef, intercept, report, link } = this.state;
    return { classes: [...classes], report: reportJson(report), link, coef, intercept };
  }

  protected scoreRows(where: string, x: MatrixLike): Matrix {
    const design = readMatrix(where, x, { like: this, sparse: true });
    return linearScores(where, design, this.coef.data, this.intercept);
  }
}

/** A fitted linear classifier whose scores have a link to probabilities, usually as log-odds. */
export class FittedProbabilisticLinearClassifier<L extends Label = Label>
  extends FittedLinearClassifier<L, MarginOptions & ProbaOptions>
  implements FittedProbabilisticClassifier<L>
{
  /** One column per class, in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    return this.#linked("predictProba", x, probabilities);
  }

  /**
   * Logarithms of `predictProba`, also where those underflow to 0. −Infinity only where the link itself has probability 0, as the
   * modified Huber loss has beyond the margin.
   */
  predictLogProba(x: MatrixLike): Matrix {
    return this.#linked("predictLogProba", x, logarithms);
  }

  protected override decidesBy(scores: Matrix): DecidesBy {
    return {
      margins: true,
      probabilities: () => probabilities(scores.data, scores.cols, this.state.link),
    };
  }

  #linked(method: string, x: MatrixLike, linked: typeof probabilities): Matrix {
    const z = this.scoreRows(`${this.state.id}.${method}`, x);
    return new Matrix(linked(z.data, z.cols, this.state.link), z.rows, this.classes.length);
  }
}

function probabilities(z: Float64Array, cols: number, link: Link | null): Float64Array {
  if (link === "clip") return clippedProbabilities(z, cols);
  const scores = link === "halfLogOdds" ? z.map((half) => 2 * half) : z;
  return cols === 1 || link === "softmax" ? posteriors(scores, cols) : oneVsRest(scores, cols);
}

function logarithms(z: Float64Array, cols: number, link: Link | null): Float64Array {
  if (link === "clip") return logProbabilities(clippedProbabilities(z, cols), Math.max(2, cols));
  const scores = link === "halfLogOdds" ? z.map((half) => 2 * half) : z;
  return cols === 1 || link === "softmax" ? logPosteriors(scores, cols) : logOneVsRest(scores, cols);
}

/** Probabilities of the modified Huber loss: (z clipped to [−1, 1] + 1)/2, normalised for more than two classes. */
function clippedProbabilities(z: Float64Array, cols: number): Float64Array {
  const positive = (margin: number) => (Math.max(-1, Math.min(1, margin)) + 1) / 2;
  if (cols > 1) {
    const out = z.map(positive);
    for (let at = 0; at < out.length; at += cols) normalizeInto(at, cols, out);
    return out;
  }
  const out = new Float64Array(2 * z.length);
  for (let i = 0; i < z.length; i++) {
    out[2 * i] = positive(-z[i]!);
    out[2 * i + 1] = positive(z[i]!);
  }
  return out;
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
