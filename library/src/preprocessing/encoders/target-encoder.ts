import { transformer } from "../../core/capabilities.js";
import { listOf } from "../../core/column-like.js";
import type { FitOptions } from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { Estimator } from "../../core/estimator.js";
import { encodeLabels, type Label, type Labels, type NumberArray, readTargets } from "../../core/labels.js";
import { Random } from "../../core/numbers/random.js";
import { isArrayLike } from "../../core/numbers/typed-arrays.js";
import { beginFit, refuseWeights } from "../../core/params/options.js";
import type { ParamValues } from "../../core/params/params.js";
import { choice, either, flag, integer, randomState, real } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { readFeatureNames } from "../../data/feature-names-in.js";
import { Matrix } from "../../data/matrix.js";
import { cutFolds, dealFolds } from "../../data/splitters/k-fold.js";
import type { Fold } from "../../data/splitters/splitter.js";
import type { CellsLike } from "../../data/table/cells.js";
import type { Transformed } from "../../fitted/transformers.js";
import { cutLists, joinedLists } from "../lists.js";
import {
  type Category,
  categoriesParam,
  EncoderModel,
  indexOf,
  learnCells,
  readCategories,
  translation,
} from "./categories.js";
import { encodingsOf, momentsOf } from "./target-encodings.js";

export const targetEncoderParams = {
  categories: categoriesParam,
  targetType: choice(["auto", "continuous", "classes"], {
    default: "auto",
    doc: 'What y is. "auto": text and booleans are classes, numbers are numbers; "classes" for classes written as numbers.',
  }),
  smooth: either(
    choice(["auto"], {
      default: "auto",
      doc: "How many rows the mean of all counts as in the mean of a category; auto: from the variances.",
    }),
    real({ atLeast: 0, default: 0, doc: "" }),
  ),
  cv: integer({ atLeast: 2, default: 5, doc: "Folds of fitTransform, and of a pipeline's fit." }),
  shuffle: flag({ default: true, doc: "Put the rows in random order before they are divided into folds." }),
  randomState: randomState(),
};
type Targets = Labels<Label> | NumberArray;

/**
 * Every category as the mean target of its rows, drawn towards the mean of all rows:
 *
 *   encoding(c) = λ mean(c) + (1 − λ) mean,     λ = n(c) / (n(c) + smooth),   or, with smooth "auto",
 *                                               λ = n(c) s² / (n(c) s² + s²(c))
 *
 * n(c) counts the rows of category c, s²(c) is the variance of their targets, s² that of all. Of three or more classes there is an
 * output per column and class, the mean of 1 for rows of the class and 0 for others; of two only that of the second. A missing
 * entry is a category; one that fit has not seen is encoded as the mean of all [Micci-Barreca 2001].
 *
 * In `fitTransform`, and as a step of a pipeline in its fit, each row is encoded by means of the other folds' rows: its own
 * target is not in its encoding, which a model would memorise. `fit(x, y).transform(x)` encodes new rows.
 * Parity: the formula of scikit-learn's TargetEncoder, which Debian's version does not have to compare with; except that classes written as numbers need targetType "classes".
 */
export class TargetEncoder extends Estimator<typeof targetEncoderParams> {
  static readonly id = "TargetEncoder";
  static readonly table = targetEncoderParams;
  static readonly capabilities = transformer({ missing: true, categorical: true, needsTargets: true });

  fit(x: CellsLike, y: Targets, options: FitOptions = {}): FittedTargetEncoder {
    return this.#learn(x, y, options).model;
  }

  /** The rows of fit, each encoded without its own target. */
  fitTransform(x: CellsLike, y: Targets, options: FitOptions = {}): Matrix {
    return this.fitAndTransform(x, y, options).X;
  }

  /** The model for new rows, and the rows of fit, each encoded without its own target. */
  fitAndTransform(
    x: CellsLike,
    y: Targets,
    options: FitOptions = {},
  ): Transformed<FittedTargetEncoder, Matrix> {
    const { model, columns, targets, rows } = this.#learn(x, y, options);
    const { smooth } = this.params;
    const T = targets.length;
    const X = Matrix.zeros(rows, columns.length * T);
    for (const { train, test } of this.#folds(targets, rows)) {
      for (const [t, own] of targets.entries()) {
        const moments = momentsOf(own, train);
        for (const [j, { codes, categories }] of columns.entries()) {
          const encodings = encodingsOf({ codes, categories, targets: own, rows: train }, moments, smooth);
          for (const i of test)
            X.data[i * X.cols + j * T + t] = codes[i]! < 0 ? moments.mean : encodings[codes[i]!]!;
        }
      }
    }
    return { model, X };
  }

  #learn(x: CellsLike, y: Targets, options: FitOptions) {
    const where = this.where("fit");
    beginFit(where, options);
    refuseWeights(where, options, ", since means are of rows");
    const { rows: n, names, categories, ...cells } = learnCells(where, x, this.params.categories);
    const { targets, classes } = readY(where, y, n, this.params.targetType);
    const columns = cells.columns.map((column, j) => {
      const codes = translation(indexOf(categories[j]!), column);
      const missing = column.values.length;
      return {
        codes: column.codes.map((code) => codes[code < 0 ? missing : code]!),
        categories: categories[j]!.length,
      };
    });
    const rows = Int32Array.from({ length: n }, (_, i) => i);
    const means = new Float64Array(targets.length);
    const encodings: Float64Array[][] = columns.map(() => []);
    for (const [t, own] of targets.entries()) {
      const moments = momentsOf(own, rows);
      means[t] = moments.mean;
      for (const [j, column] of columns.entries())
        encodings[j]![t] = encodingsOf({ ...column, targets: own, rows }, moments, this.params.smooth);
    }
    const model = new FittedTargetEncoder(this.params, categories, encodings, means, classes, names);
    return { model, columns, targets, rows: n };
  }

  /** Stratified if the targets are classes, which are 0 and 1 in each list. */
  #folds(targets: readonly Float64Array[], rows: number): readonly Fold[] {
    const { cv, shuffle, randomState } = this.params;
    const where = this.where("fitTransform");
    const random = shuffle ? new Random(randomState) : undefined;
    const isClasses = targets.length > 1 || targets[0]!.every((target) => target === 0 || target === 1);
    if (isClasses) {
      const classOf = Array.from({ length: rows }, (_, i) => targets.findIndex((own) => own[i] === 1));
      return dealFolds(where, { data: new Float64Array(rows), rows, cols: 1 }, classOf, cv, random);
    }
    const order = random ? random.permutation(rows) : Int32Array.from({ length: rows }, (_, i) => i);
    return cutFolds(where, order, cv);
  }

  static restore(state: ModelState): FittedTargetEncoder {
    const { reader, params } = restoring(targetEncoderParams, state);
    const categories = readCategories(reader);
    const classes = Object.hasOwn(state.values, "classes") ? reader.labels("classes", 2) : undefined;
    const T = classes && classes.length > 2 ? classes.length : 1;
    const means = reader.finite("means", [T]);
    const flat = reader.finite("encodings", [T * categories.reduce((sum, list) => sum + list.length, 0)]);
    const lengths = categories.flatMap((list) => new Array<number>(T).fill(list.length));
    const lists = cutLists(flat, lengths);
    const encodings = categories.map((_, j) => lists.slice(j * T, (j + 1) * T));
    const names = readFeatureNames(reader, categories.length);
    return new FittedTargetEncoder(params, categories, encodings, means, classes, names);
  }
}

/** y as lists of numbers: itself, or 1 for the rows of a class and 0 for others. */
function readY(
  where: string,
  y: Targets,
  rows: number,
  targetType: ParamValues<typeof targetEncoderParams>["targetType"],
): { readonly targets: readonly Float64Array[]; readonly classes: readonly Label[] | undefined } {
  if (y === undefined || y === null) {
    throw new DataError(where, "y", "the targets, whose means encode categories", show(y));
  }
  const list = listOf<Label>(y);
  const isNumbers = isArrayLike(list) && typeof list[0] === "number";
  if (targetType === "continuous" || (targetType === "auto" && isNumbers))
    return { targets: [readTargets(where, y as NumberArray, rows)], classes: undefined };
  const { classes, codes } = encodeLabels(where, y as Labels<Label>, rows);
  const shown = classes.length > 2 ? classes.map((_, k) => k) : [classes.length - 1];
  const targets = shown.map((k) => Float64Array.from(codes, (code) => (code === k ? 1 : 0)));
  return { targets, classes };
}

export class FittedTargetEncoder extends EncoderModel<ParamValues<typeof targetEncoderParams>> {
  protected readonly id = TargetEncoder.id;

  constructor(
    params: ParamValues<typeof targetEncoderParams>,
    categories: readonly (readonly Category[])[],
    /** Of each column, a list per target (see `classes`) with a number per category. */
    readonly encodings: readonly (readonly Float64Array[])[],
    /** Mean of each target, the encoding of a category that fit has not seen. */
    readonly targetMeans: Float64Array,
    /** The classes of y; undefined if y was numbers. Three or more have an output per column and class. */
    readonly classes: readonly Label[] | undefined,
    featureNamesIn: readonly string[] | undefined,
  ) {
    super(params, categories, featureNamesIn);
  }

  transform(x: CellsLike): Matrix {
    const { rows, columns } = this.codesOf(this.where("transform"), x);
    const T = this.targetMeans.length;
    const out = Matrix.zeros(rows, this.nFeatures * T);
    for (const [j, column] of columns.entries()) {
      const missing = column.values.length;
      for (let t = 0; t < T; t++) {
        const own = this.encodings[j]![t]!;
        const mean = this.targetMeans[t]!;
        const values = Float64Array.from(column.known, (code) => (code < 0 ? mean : own[code]!));
        for (let i = 0, e = j * T + t; i < rows; i++, e += out.cols) {
          const code = column.codes[i]!;
          out.data[e] = values[code < 0 ? missing : code]!;
        }
      }
    }
    return out;
  }

  [structure](): Structure {
    const T = this.targetMeans.length;
    const columns = this.categories.map((categories, j) => {
      const table = Matrix.zeros(categories.length, T);
      for (const [t, own] of this.encodings[j]!.entries())
        for (let c = 0; c < own.length; c++) table.data[c * T + t] = own[c]!;
      return { categories, table, unknown: this.targetMeans };
    });
    return transformerStructure(this, { kind: "encode", columns });
  }

  /** Names of the outputs: those of the columns, with the class after them if there are three or more. */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    if (this.targetMeans.length === 1) return [...names];
    return names.flatMap((name) => this.classes!.map((label) => `${name}_${label}`));
  }

  override toState(): ModelState {
    const { categories, classes, targetMeans: means } = this;
    return stateOf(this.id, this, {
      categories,
      classes,
      means,
      encodings: joinedLists(this.encodings.flat()),
    });
  }
}
