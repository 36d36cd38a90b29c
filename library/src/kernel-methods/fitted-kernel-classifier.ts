import type { FitReport, MatrixLike } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { readReport } from "../core/report.js";
import type { Learned } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import type { ClassLink, Structure } from "../core/structure.js";
import { classifierStructure, posteriorLink, structure } from "../core/structure.js";
import type { Design } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { withMargins, withPosteriors } from "../fitted/classifiers.js";
import { type Expansion, readExpansion } from "../kernel-functions/expansion.js";
import { ExpansionModel } from "../kernel-functions/expansion-model.js";

/** The fitted state of a kernel classifier. */
export interface KernelClassifierState<L extends Label> {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly classes: readonly L[];
  /** One output for two classes (positive: the second), else one per class; discriminant axes may follow. */
  readonly expansion: Expansion;
}

export interface ReportedState<L extends Label> extends KernelClassifierState<L> {
  readonly report: FitReport;
}

/** Scores Σ c k(x, ·) + b of classes. */
abstract class KernelClassifierModel extends ExpansionModel {
  protected readonly id: string;
  readonly classes: readonly Label[];

  constructor({ id, params, expansion, classes }: KernelClassifierState<Label>) {
    super(params, expansion);
    this.id = id;
    this.classes = classes;
  }

  /** The training rows of the expansion; without columns for a precomputed kernel. */
  get points(): Design {
    return this.expansion.parts.points;
  }

  /** Their indices among the training rows. */
  get rows(): Int32Array {
    return this.expansion.parts.rows;
  }

  /** c: one row per score, one column per point. */
  get dualCoef(): Matrix {
    const { coef } = this.expansion.parts;
    return new Matrix(coef.data.slice(0, this.outputs * coef.cols), this.outputs, coef.cols);
  }

  get intercept(): Float64Array {
    return this.expansion.parts.intercept.slice(0, this.outputs);
  }

  [structure](): Structure {
    return classifierStructure(this, this.expansion.described(0, this.outputs), this.link);
  }

  protected get link(): ClassLink | null {
    return null;
  }

  toState(): ModelState {
    return this.stateWith(this.learned());
  }

  protected learned(): Learned {
    return { classes: this.classes };
  }

  protected get outputs(): number {
    return outputsFor(this.classes.length);
  }

  protected scoreRows(where: string, x: MatrixLike): Matrix {
    return columns(this.expansion.scores(where, x), 0, this.outputs);
  }
}

/** Classifies by the sign of the score Σ c k(x, ·) + b or, with more than two classes, by the highest score. */
export class FittedKernelClassifier<L extends Label = Label> extends /* @__PURE__ */ withMargins(
  KernelClassifierModel,
)<L> {
  declare readonly classes: readonly L[];
}

/** A kernel classifier whose scores are log posteriors, up to a constant per row. */
export class FittedProbabilisticKernelClassifier<
  L extends Label = Label,
> extends /* @__PURE__ */ withPosteriors(KernelClassifierModel)<L> {
  declare readonly classes: readonly L[];

  protected override get link(): ClassLink {
    return posteriorLink(this.outputs);
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
