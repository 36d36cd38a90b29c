import { DataError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { choice, type TableOf } from "../core/params/params.js";
import { grid, numberCells, Printed } from "../core/text/printing.js";
import { Matrix } from "../data/matrix.js";
import { requireFewClasses } from "./contingency.js";
import { codePairs, labels, type MetricOptions, metricOptions } from "./inputs.js";

/**
 * `rows-are-truth`: entry (r, c) counts truth r predicted as c, as in scikit-learn; (TN FP / FN TP) for two classes.
 * `rows-are-predictions`: the transpose; (TN FN / FP TP) for two classes.
 */
export type ConfusionLayout = "rows-are-truth" | "rows-are-predictions";

export interface ConfusionOptions<L extends Label> extends MetricOptions {
  /** The classes and their order. Without it: all labels that occur, sorted. */
  readonly labels?: readonly L[] | undefined;
  readonly layout?: ConfusionLayout | undefined;
  /** Divide by the totals of the truth, of the predictions, or of everything. An empty class stays 0. */
  readonly normalize?: "true" | "pred" | "all" | null | undefined;
}

const confusionOptions = {
  ...metricOptions,
  labels,
  layout: choice(["rows-are-truth", "rows-are-predictions"], {
    default: "rows-are-truth",
    doc: "One row per true class and one column per predicted class, or the transpose.",
  }),
  normalize: choice(["true", "pred", "all", null], {
    default: null,
    doc: "Divide by the totals of the truth, of the predictions, or of everything.",
  }),
} satisfies TableOf<ConfusionOptions<Label>>;

export class ConfusionMatrix<L extends Label> extends Printed {
  constructor(
    readonly matrix: Matrix,
    /** Labels of rows and columns. Of two classes the second one is "positive". */
    readonly classes: readonly L[],
    readonly layout: ConfusionLayout,
  ) {
    super();
  }

  /** The counts with the classes beside and above them. */
  toString(): string {
    const [down, across] = this.layout === "rows-are-truth" ? ["truth", "predicted"] : ["predicted", "truth"];
    const columns = this.classes.map((label, c) => [
      String(label),
      ...numberCells(this.classes.map((_, r) => this.matrix.at(r, c))),
    ]);
    const names = [`${down} \\ ${across}`, ...this.classes.map(String)];
    return grid([names, ...columns], 1);
  }

  /** Number (or weight) of entries of class `truth` that were predicted as `prediction`. */
  count(truth: L, prediction: L): number {
    const t = this.#index("truth", truth);
    const p = this.#index("prediction", prediction);
    return this.layout === "rows-are-predictions" ? this.matrix.at(p, t) : this.matrix.at(t, p);
  }

  toArray(): number[][] {
    return this.matrix.toArray();
  }

  #index(subject: string, label: L): number {
    const k = this.classes.indexOf(label);
    if (k >= 0) return k;
    const shown = this.classes.slice(0, 8).map(show).join(", ");
    throw new DataError("ConfusionMatrix.count", subject, `one of the classes (${shown})`, show(label));
  }
}

/** Counts every pair of truth and prediction. */
export function confusionMatrix<L extends Label>(
  yTrue: Labels<L>,
  yPred: Labels<L>,
  options: ConfusionOptions<L> = {},
): ConfusionMatrix<L> {
  const where = "confusionMatrix";
  const { layout, normalize } = readOptions(where, confusionOptions, options);
  const { classes, truth, predicted, weights } = codePairs(where, yTrue, yPred, options);
  requireFewClasses(where, classes.length, classes.length);
  const counts = Matrix.zeros(classes.length, classes.length);
  for (let i = 0; i < truth.length; i++)
    counts.data[truth[i]! * classes.length + predicted[i]!]! += weights[i]!;
  if (normalize !== null) normalizeInto(normalize, counts);
  const matrix = layout === "rows-are-truth" ? counts : counts.transpose();
  return new ConfusionMatrix(matrix, classes, layout);
}

function normalizeInto(by: "true" | "pred" | "all", out: Matrix): void {
  const { rows, cols, data } = out;
  const group = (e: number) => (by === "true" ? Math.floor(e / cols) : by === "pred" ? e % cols : 0);
  const totals = new Float64Array(rows);
  for (let e = 0; e < data.length; e++) totals[group(e)]! += data[e]!;
  for (let e = 0; e < data.length; e++) data[e]! /= totals[group(e)]! || 1;
}
