import type {
  FitReport,
  FittedClassifier,
  FittedProbabilisticClassifier,
  MatrixLike,
} from "../core/contract.js";
import type { Label } from "../core/labels.js";
import type { Learned } from "../core/model-state.js";
import { stateOf } from "../core/model-state.js";
import { logPosteriors, posteriors } from "../core/numbers/scores.js";
import type { DecidesBy, MarginOptions, ProbaOptions } from "../core/params/predict-options.js";
import { readReport, reportJson } from "../core/report.js";
import { type ModelState, StateReader } from "../core/state.js";
import {
  type ClassLink,
  classifierStructure,
  posteriorLink,
  type Structure,
  structure,
} from "../core/structure.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { MarginClassifier } from "../fitted/classifiers.js";
import { type Expansion, readExpansion } from "../kernel-functions/expansion.js";

/** The fitted state of a kernel classifier. */
export interface KernelClassifierState<L extends Label> {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly classes: readonly L[];
  /** One output for two classes (positive: the second), else one per class; discriminant axes may follow. */
  readonly expansion: Expansion;
  /** Absent for closed-form fits. */
  readonly report?: FitReport | undefined;
}

export interface ReportedState<L extends Label> extends KernelClassifierState<L> {
  readonly report: FitReport;
}

/** Classifies by the sign of the score Σ c k(x, ·) + b or, with more than two classes, by the highest score. */
export class FittedKernelClassifier<L extends Label = Label, O extends MarginOptions = MarginOptions>
  extends MarginClassifier<L, O>
  implements FittedClassifier<L>
{
  readonly classes: readonly L[];
  protected readonly state: KernelClassifierState<L>;

  constructor(state: KernelClassifierState<L>) {
    super();
    this.state = state;
    this.classes = state.classes;
  }

  protected get id(): string {
    return this.state.id;
  }

  get nFeatures(): number {
    return this.state.expansion.parts.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.state.expansion.parts.featureNamesIn;
  }

  /** The training rows of the expansion; without columns for a precomputed kernel. */
  get points(): Design {
    return this.state.expansion.parts.points;
  }

  /** Their indices among the training rows. */
  get rows(): Int32Array {
    return this.state.expansion.parts.rows;
  }

  /** c: one row per score, one column per point. */
  get dualCoef(): Matrix {
    const { coef } = this.state.expansion.parts;
    return new Matrix(coef.data.slice(0, this.outputs * coef.cols), this.outputs, coef.cols);
  }

  get intercept(): Float64Array {
    return this.state.expansion.parts.intercept.slice(0, this.outputs);
  }

  [structure](): Structure {
    return classifierStructure(this, this.state.expansion.described(0, this.outputs), this.link);
  }

  protected get link(): ClassLink | null {
    return null;
  }

  toState(): ModelState {
    const { id, params } = this.state;
    return stateOf(id, { params, featureNamesIn: this.featureNamesIn }, this.learned());
  }

  protected learned(): Learned {
    const { id, classes, expansion, report } = this.state;
    const reported = report && { report: reportJson(report) };
    return { ...expansion.learned(`saveModel(${id})`), classes, ...reported };
  }

  protected get outputs(): number {
    return outputsFor(this.classes.length);
  }

  protected scoreRows(where: string, x: MatrixLike): Matrix {
    return columns(this.state.expansion.scores(where, x), 0, this.outputs);
  }
}

export const outputsFor = (classes: number): number => (classes === 2 ? 1 : classes);

/** Columns `from` … `to` − 1. */
export function columns(m: Matrix, from: number, to: number): Matrix {
  if (from === 0 && to === m.cols) return m;
  const out = Matrix.zeros(m.rows, to - from);
  for (let i = 0; i < m.rows; i++)
    out.data.set(m.data.subarray(i * m.cols + from, i * m.cols + to), i * out.cols);
  return out;
}

/** A kernel classifier whose scores are log posteriors, up to a constant per row. */
export class FittedProbabilisticKernelClassifier<L extends Label = Label>
  extends FittedKernelClassifier<L, MarginOptions & ProbaOptions>
  implements FittedProbabilisticClassifier<L>
{
  protected override get link(): ClassLink {
    return posteriorLink(this.outputs);
  }

  protected override decidesBy({ data, cols }: Matrix): DecidesBy {
    return { margins: true, probabilities: () => posteriors(data, cols) };
  }

  /** One column per class, in the order of `classes`; rows sum to 1. */
  predictProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = this.scoreRows(`${this.id}.predictProba`, x);
    return new Matrix(posteriors(data, cols), rows, this.classes.length);
  }

  /** Logarithms of `predictProba`, also where those underflow to 0. */
  predictLogProba(x: MatrixLike): Matrix {
    const { data, rows, cols } = this.scoreRows(`${this.id}.predictLogProba`, x);
    return new Matrix(logPosteriors(data, cols), rows, this.classes.length);
  }
}

/** Checks and rebuilds what `toState` wrote; `more` outputs follow the scores. */
export function readKernelClassifier(state: ModelState, more = 0): KernelClassifierState<Label> {
  const reader = new StateReader(state);
  const classes = reader.labels("classes", 2);
  const expansion = readExpansion(reader, outputsFor(classes.length) + more);
  return { id: state.kind, params: state.params, classes, expansion };
}

export const readReportedClassifier = (state: ModelState): ReportedState<Label> => ({
  ...readKernelClassifier(state),
  report: readReport(new StateReader(state)),
});
