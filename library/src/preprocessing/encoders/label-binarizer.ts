import type { MatrixLike } from "../../core/contract.js";
import { DataError, ParameterError, ShapeError, show } from "../../core/errors.js";
import { Estimator } from "../../core/estimator.js";
import { codeLabels, encodeLabels, type Label, type Labels } from "../../core/labels.js";
import { Model } from "../../core/model.js";
import { choice, type Params, type ParamValues, real } from "../../core/params/params.js";
import { readMatrix } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { learnClasses } from "./label-encoder.js";

export const labelBinarizerParams = {
  negLabel: real({ default: 0, doc: "Entry for the classes that a row does not have." }),
  posLabel: real({ default: 1, doc: "Entry for the class of the row; must be above negLabel." }),
  handleUnknown: choice(["error", "ignore"], {
    default: "error",
    doc: 'Labels unseen in fit: an error, or with "ignore" a row of negLabel (three classes or more).',
  }),
};

/**
 * Labels as one-hot rows and back: t_ik = posLabel if row i has class k, negLabel otherwise. Two classes share one column, which is
 * posLabel for the second. Classes are sorted as in LabelEncoder. Estimators of this library take labels of any type, so this is
 * for targets of other programs and for regressors with a matrix Y.
 *
 * Parity: scikit-learn's LabelBinarizer. It encodes y, not X, so it is not a pipeline step. There unseen labels become rows of
 * neg_label, which with two classes are rows of the first class: here they are errors, unless `handleUnknown` is "ignore", and with
 * two classes always. `inverseTransform` throws for a row without a largest entry, which there is of the first class.
 */
export class LabelBinarizer extends Estimator<typeof labelBinarizerParams> {
  static readonly id = "LabelBinarizer";
  static readonly table = labelBinarizerParams;

  constructor(params: Params<typeof labelBinarizerParams> = {}) {
    super(params);
    const { negLabel, posLabel } = this.params;
    if (negLabel < posLabel) return;
    const expected = `below posLabel (${show(posLabel)})`;
    throw new ParameterError("LabelBinarizer", "negLabel", expected, show(negLabel));
  }

  fit<L extends Label>(y: Labels<L>): FittedLabelBinarizer<L> {
    return new FittedLabelBinarizer(learnClasses(this.where("fit"), y), this.params);
  }

  /** `fit(y).transform(y)`. */
  fitTransform<L extends Label>(y: Labels<L>): Matrix {
    return this.fit(y).transform(y);
  }
}

export class FittedLabelBinarizer<L extends Label = Label> extends Model {
  constructor(
    /** Column k is that of class k; of two classes, the only column is that of the second. */
    readonly classes: readonly L[],
    readonly params: ParamValues<typeof labelBinarizerParams>,
  ) {
    super();
  }

  /** Columns of `transform`: one per class, and one for one or two classes. */
  get nColumns(): number {
    return this.classes.length <= 2 ? 1 : this.classes.length;
  }

  transform(y: Labels<L>): Matrix {
    const codes = this.#codes("FittedLabelBinarizer.transform", y);
    const { negLabel, posLabel } = this.params;
    const K = this.classes.length;
    const cols = this.nColumns;
    const out = new Float64Array(codes.length * cols).fill(negLabel);
    for (let i = 0; i < codes.length; i++) {
      const k = codes[i]!;
      if (K > 2 && k >= 0) out[i * cols + k] = posLabel;
      else if (K === 2 && k === 1) out[i] = posLabel;
    }
    return new Matrix(out, codes.length, cols);
  }

  /**
   * The label of each row: that of the largest entry, the first of equal ones, so that scores and probabilities have labels too. One
   * column, or the second of two, is compared with the middle of negLabel and posLabel: above it is the second class.
   */
  inverseTransform(rows: MatrixLike): L[] {
    const where = "FittedLabelBinarizer.inverseTransform";
    const { data, rows: n, cols } = readMatrix(where, rows, {}) as Matrix;
    const K = this.classes.length;
    if (cols !== this.nColumns && !(K === 2 && cols === 2)) {
      throw new ShapeError({
        where,
        subject: "the rows",
        expected: `${K === 2 ? "1 or 2 columns" : `${this.nColumns} column${this.nColumns > 1 ? "s" : ""}`}, as transform returns them`,
        received: `${cols}`,
      });
    }
    const middle = 0.5 * this.params.negLabel + 0.5 * this.params.posLabel;
    return Array.from({ length: n }, (_, i) => {
      if (K === 1) return this.classes[0]!;
      if (K === 2) return this.classes[data[(i + 1) * cols - 1]! > middle ? 1 : 0]!;
      return this.classes[largest(where, data.subarray(i * cols, (i + 1) * cols), i)]!;
    });
  }

  /** Class of each label; −1 for labels to ignore. */
  #codes(where: string, y: Labels<L>): Int32Array {
    const { classes } = this;
    if (this.params.handleUnknown === "error" || classes.length <= 2)
      return codeLabels(where, y, y?.length ?? 0, classes);
    const known = encodeLabels(where, y, y?.length ?? 0);
    const place = known.classes.map((label) => classes.indexOf(label));
    return known.codes.map((k) => place[k]!);
  }
}

/** A row of equal entries belongs to no class: the first would be a guess. */
function largest(where: string, row: Float64Array, i: number): number {
  let top = 0;
  for (let k = 1; k < row.length; k++) if (row[k]! > row[top]!) top = k;
  if (row.some((value) => value !== row[top])) return top;
  throw new DataError(where, `row ${i}`, "a row with a largest entry", `${show(row[0])} in every column`);
}
