import { DataError, ParameterError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/options.js";
import { choice, type ParamSpec } from "../core/params.js";
import { Matrix } from "../data/matrix.js";
import { codePairs, labels, type MetricOptions, metricOptions } from "./inputs.js";

/**
 * `rows-are-truth`: entry (r, c) counts truth r predicted as c (scikit-learn).
 * `lecture`: the transpose, for two classes: (TN FN / FP TP).
 */
export type ConfusionLayout = "rows-are-truth" | "lecture";

export interface ConfusionOptions<L extends Label> extends MetricOptions {
  /** The classes and their order. Without it: all labels that occur, sorted. */
  readonly labels?: readonly L[];
  readonly layout?: ConfusionLayout;
  /** Divide by the totals of the truth, of the predictions, or of everything. An empty class stays 0. */
  readonly normalize?: "true" | "pred" | "all" | null;
}

const confusionOptions = {
  ...metricOptions,
  labels,
  layout: choice(["rows-are-truth", "lecture"], {
    default: "rows-are-truth",
    doc: "Truth in the rows; or the lecture's (TN FN / FP TP), for two classes.",
  }),
  normalize: choice(["true", "pred", "all", null], {
    default: null,
    doc: "Divide by the totals of the truth, of the predictions, or of everything.",
  }),
} satisfies Record<keyof ConfusionOptions<Label>, ParamSpec<unknown>>;

export class ConfusionMatrix<L extends Label> {
  constructor(
    readonly matrix: Matrix,
    /** Labels of rows and columns. For the lecture's layout the second one is "positive". */
    readonly classes: readonly L[],
    readonly layout: ConfusionLayout,
  ) {}

  /** How often `truth` was predicted as `prediction`. */
  count(truth: L, prediction: L): number {
    const t = this.#index("truth", truth);
    const p = this.#index("prediction", prediction);
    return this.layout === "lecture" ? this.matrix.at(p, t) : this.matrix.at(t, p);
  }

  toArray(): number[][] {
    return this.matrix.toArray();
  }

  #index(subject: string, label: L): number {
    const k = this.classes.indexOf(label);
    if (k >= 0) return k;
    const shown = this.classes.slice(0, 8).map(show).join(", ");
    const expected = `one of the classes (${shown})`;
    throw new DataError({ where: "ConfusionMatrix.count", subject, expected, received: show(label) });
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
  const counts = Matrix.zeros(classes.length, classes.length);
  for (let i = 0; i < truth.length; i++)
    counts.data[truth[i]! * classes.length + predicted[i]!]! += weights[i]!;
  if (normalize !== null) normalizeInto(normalize, counts);
  if (layout === "rows-are-truth") return new ConfusionMatrix(counts, classes, layout);
  if (classes.length !== 2) {
    throw new ParameterError({
      where,
      subject: 'layout "lecture"',
      expected: "used with two classes",
      received: `${classes.length}`,
      advice: "Name both in `labels` if only one occurs.",
    });
  }
  return new ConfusionMatrix(counts.transpose(), classes, layout);
}

function normalizeInto(by: "true" | "pred" | "all", out: Matrix): void {
  const { rows, cols, data } = out;
  const group = (e: number) => (by === "true" ? Math.floor(e / cols) : by === "pred" ? e % cols : 0);
  const totals = new Float64Array(rows);
  for (let e = 0; e < data.length; e++) totals[group(e)]! += data[e]!;
  for (let e = 0; e < data.length; e++) data[e]! /= totals[group(e)]! || 1;
}
