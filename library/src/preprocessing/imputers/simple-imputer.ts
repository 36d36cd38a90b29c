import { transformer } from "../../core/capabilities.js";
import type { CsrLike, FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { Estimator } from "../../core/estimator.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import { choice, invalid, optional, type ParamSpec, type ParamValues } from "../../core/params/params.js";
import { restoring } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import type { CsrMatrix } from "../../data/csr-matrix.js";
import { columnName } from "../../data/feature-names.js";
import { readFeatureNames } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { type Cell, type CellsLike, readCells } from "../../data/table/cells.js";
import type { Table } from "../../data/table/table.js";
import { type CellKind, fillCell, fillNumber, presentByColumn } from "./fill-values.js";
import {
  CELLS,
  FittedSimpleImputer,
  isSparse,
  type Learned,
  refuseFill,
  refuseInfinities,
  takes,
} from "./fitted-simple-imputer.js";
import { gapParams } from "./imputer-model.js";

const isCell = (value: unknown): value is Cell =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

const fillValue: ParamSpec<Cell> = {
  kind: "union",
  default: 0,
  doc: 'What "constant" fills with; null for 0, false or "missing_value", by the kind of the column.',
  expected: "a number, a string or a boolean",
  read: (value) => (isCell(value) ? value : invalid),
};

export const simpleImputerParams = {
  strategy: choice(["mean", "median", "mostFrequent", "constant"], {
    default: "mean",
    doc: "What replaces the gaps of a column. mean and median are for numbers, the others for text too.",
  }),
  fillValue: optional(fillValue),
  ...gapParams,
};
export type ImputerValues = ParamValues<typeof simpleImputerParams>;

/** Numbers give a Matrix, sparse ones a CsrMatrix; a table or rows with text give a Table. */
export type Imputed<X> = X extends CsrLike
  ? CsrMatrix
  : X extends Table<infer S>
    ? string extends keyof S
      ? Matrix | Table
      : [S[keyof S]] extends [number | boolean]
        ? Matrix
        : Table
    : X extends MatrixLike
      ? Matrix
      : Matrix | Table;

/**
 * Gaps (NaN, null, undefined) filled with a value per column: its mean, its median, its most frequent value (of several the
 * smallest), or a constant.
 *
 * Columns of numbers and booleans give a matrix. If a column holds text, the output is a table with the same columns, which encoders
 * take. Parity: scikit-learn's SimpleImputer; a column without any value is dropped, and `onWarning` names it. A constant never
 * drops a column.
 */
export class SimpleImputer extends Estimator<typeof simpleImputerParams> {
  static readonly id = "SimpleImputer";
  static readonly table = simpleImputerParams;
  static readonly capabilities = transformer({ sparse: true, missing: true, categorical: true });

  fit<const X extends CellsLike>(
    x: X,
    y?: Unlabelled,
    options?: FitOptions,
  ): FittedSimpleImputer<Imputed<X>> {
    const where = this.where("fit");
    const { onWarning } = beginUnweightedFit(where, y, options);
    const learned = isSparse(x) ? this.#fromSparse(where, x) : this.#fromCells(where, x);
    const model = new FittedSimpleImputer<Imputed<X>>(this.params, learned);
    for (const warning of model.warnings) onWarning?.(warning);
    return model;
  }

  /** `fit(x).transform(x)`. */
  fitTransform<const X extends CellsLike>(x: X, y?: Unlabelled, options?: FitOptions): Imputed<X> {
    return this.fit(x, y, options).transform(x);
  }

  #fromSparse(where: string, x: CsrLike): Learned {
    const design = readMatrix(where, x, { sparse: true, missing: true }) as CsrMatrix;
    refuseInfinities(where, design);
    const { strategy, fillValue } = this.params;
    const present = presentByColumn(design);
    if (strategy === "constant" && fillValue !== null && typeof fillValue !== "number")
      refuseFill(where, "X", "numeric", fillValue);
    return {
      kinds: present.map(() => "numeric" as const),
      statistics: present.map((values) =>
        strategy === "constant" ? (fillValue ?? 0) : (fillNumber(strategy, values) ?? null),
      ),
      withGaps: present.flatMap((values, j) => (values.length < design.rows ? [j] : [])),
      featureNamesIn: undefined,
    };
  }

  #fromCells(where: string, x: CellsLike): Learned {
    const { columns, names } = readCells(where, x);
    const { strategy, fillValue } = this.params;
    const statistics = columns.map((column, j) => {
      if (strategy !== "constant") return fillCell(where, strategy, column, columnName(names, j));
      const empty = column.missing === column.length;
      const fill = fillValue ?? { numeric: 0, boolean: false, categorical: "missing_value" }[column.kind];
      if (!empty && !takes(column.kind, fill)) refuseFill(where, columnName(names, j), column.kind, fill);
      return fill;
    });
    return {
      kinds: columns.map(({ kind }) => kind),
      statistics,
      withGaps: columns.flatMap(({ missing }, j) => (missing > 0 ? [j] : [])),
      featureNamesIn: names,
    };
  }

  static restore(state: ModelState): FittedSimpleImputer<Matrix | Table | CsrMatrix> {
    const { reader, params } = restoring(simpleImputerParams, state);
    const isKinds = (value: unknown): value is readonly CellKind[] =>
      Array.isArray(value) && value.length > 0 && value.every((kind) => Object.hasOwn(CELLS, kind));
    const kinds = reader.value("kinds", "kinds of columns", isKinds);
    const isFills = (value: unknown): value is readonly (Cell | null)[] =>
      Array.isArray(value) &&
      value.length === kinds.length &&
      value.every((fill) => fill === null || isCell(fill));
    const statistics = reader.value("statistics", `a value for each of ${kinds.length} columns`, isFills);
    const isPlaces = (value: unknown): value is readonly number[] =>
      Array.isArray(value) && value.every((j) => Number.isInteger(j) && j >= 0 && j < kinds.length);
    const withGaps = reader.value("withGaps", "numbers of columns", isPlaces);
    const featureNamesIn = readFeatureNames(reader, kinds.length);
    return new FittedSimpleImputer(params, { kinds, statistics, withGaps, featureNamesIn });
  }
}
