import type { FittedModel, MatrixLike, Samples } from "../core/contract.js";
import { DataError, ParameterError, ShapeError, show } from "../core/errors.js";
import { isTypedArray } from "../core/numbers/typed-arrays.js";
import { option } from "../core/params/options.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type AnyTable, inOrderOfFit, isTable, listNames } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { hasTextCells } from "../data/sample-rows.js";
import { CategoricalColumn, type Cell, type Column, readColumn } from "../data/table/column.js";
import { Table } from "../data/table/table.js";

/** A column of a matrix or of a table. */
export type AnyColumn = Float64Array | Column;

/** A column by number, or by name in a table. */
export type FeatureKey = number | string;

/** X whose columns can be read and replaced, whatever X is: dense, sparse or a table. */
export interface InspectedRows {
  readonly rows: number;
  readonly cols: number;
  /** `x0`, `x1`, … unless X is a table or the model has seen names. */
  readonly names: readonly string[];
  /** X itself, for the model. */
  readonly x: MatrixLike;
  column(j: number): AnyColumn;
  /** X with another column j. */
  withColumn(j: number, column: AnyColumn): InspectedRows;
  /** Some rows of X. */
  chosen(rows: Int32Array): InspectedRows;
}

/** What every inspection takes: names for columns that have none. */
export interface NamesOption {
  /** Names of the columns, if X is not a table. */
  readonly featureNames?: readonly string[] | undefined;
}

export const featureNamesOption = option<readonly string[]>(
  "texts",
  "Names of the columns, if X is not a table.",
  "an array of names",
  (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
);

/** Reads X for a model: a table's columns in the order of fit. One row of numbers is X too. */
export function inspectRows(
  where: string,
  model: FittedModel,
  x: Samples | ArrayLike<number>,
  featureNames?: readonly string[] | undefined,
): InspectedRows {
  requireModel(where, model);
  const given = asRows(x);
  const known = model.featureNamesIn;
  if (isTable(given)) {
    const table = known ? inOrderOfFit(where, given, known) : given;
    if (featureNames) requireNames(where, featureNames, table.columnNames.length);
    return new TableRows(where, table as Table);
  }
  if (readsText(given)) refuseText(where, given);
  const design = readMatrix(where, given as MatrixLike, {
    like: { nFeatures: model.nFeatures },
    sparse: true,
    missing: true,
  });
  if (featureNames) requireNames(where, featureNames, design.cols);
  if (design.rows > 0) return new MatrixRows(design, featureNames ?? known ?? numbered(design.cols));
  throw new ShapeError(where, "X", "at least one row", "none");
}

/** Whether X is documents or rows with text, which a pipeline turns into numbers first. */
export const readsText = (x: unknown): x is readonly unknown[] =>
  (Array.isArray(x) && x.some((row) => typeof row === "string")) || hasTextCells(x);

function refuseText(where: string, x: readonly unknown[]): never {
  throw new DataError({
    where,
    subject: "X",
    expected: "columns, of which each is a feature",
    received: typeof x[0] === "string" ? "documents" : "rows with text",
    advice:
      "Words are the features of a pipeline that begins with a vectorizer: pass such a pipeline, or one of a model made of several.",
  });
}

/** Throws unless it is a fitted model. */
export function requireModel(where: string, model: unknown): asserts model is FittedModel {
  if (typeof (model as Partial<FittedModel> | null | undefined)?.nFeatures === "number") return;
  throw new ParameterError(where, "the model", "a fitted model", show(model));
}

/** Throws unless there is a name per column. */
export function requireNames(where: string, names: readonly string[], cols: number): void {
  if (names.length === cols) return;
  throw new ShapeError(where, "featureNames", `one per column (${cols})`, `${names.length}`);
}

export const numbered = (cols: number): string[] => Array.from({ length: cols }, (_, j) => `x${j}`);

/** One row of numbers as a matrix of one row. */
function asRows(x: Samples | ArrayLike<number>): Samples {
  const isRow =
    isTypedArray(x) || (Array.isArray(x) && x.length > 0 && x.every((v) => typeof v === "number"));
  return isRow ? [Array.from(x as ArrayLike<number>)] : (x as Samples);
}

/** The number of a column that is given by number or by name. */
export function featureIndex(
  where: string,
  subject: string,
  key: FeatureKey,
  names: readonly string[],
): number {
  const j = typeof key === "number" ? key : names.indexOf(key);
  if (Number.isInteger(j) && j >= 0 && j < names.length) return j;
  throw new ParameterError({
    where,
    subject,
    expected: `the number of a column (0 to ${names.length - 1}) or one of the names ${listNames(names)}`,
    received: show(key),
  });
}

class MatrixRows implements InspectedRows {
  constructor(
    readonly x: Design,
    readonly names: readonly string[],
  ) {}

  get rows(): number {
    return this.x.rows;
  }

  get cols(): number {
    return this.x.cols;
  }

  column(j: number): Float64Array {
    const { x } = this;
    const out = new Float64Array(x.rows);
    if (x instanceof Matrix) for (let i = 0; i < x.rows; i++) out[i] = x.data[i * x.cols + j]!;
    else
      for (let i = 0; i < x.rows; i++)
        for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) if (x.indices[e] === j) out[i] = x.values[e]!;
    return out;
  }

  withColumn(j: number, column: Float64Array): MatrixRows {
    const { x, names } = this;
    if (x instanceof CsrMatrix) return new MatrixRows(sparseWithColumn(x, j, column), names);
    const data = x.data.slice();
    for (let i = 0; i < x.rows; i++) data[i * x.cols + j] = column[i]!;
    return new MatrixRows(new Matrix(data, x.rows, x.cols), names);
  }

  chosen(rows: Int32Array): MatrixRows {
    return new MatrixRows(this.x.selectRows(rows), this.names);
  }
}

function sparseWithColumn(x: CsrMatrix, j: number, column: Float64Array): CsrMatrix {
  const indptr = new Int32Array(x.rows + 1);
  const indices = new Int32Array(x.indices.length + x.rows);
  const values = new Float64Array(indices.length);
  let at = 0;
  const put = (index: number, value: number) => {
    indices[at] = index;
    values[at++] = value;
  };
  for (let i = 0; i < x.rows; i++) {
    let isPut = column[i] === 0;
    for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++) {
      if (!isPut && x.indices[e]! >= j) {
        put(j, column[i]!);
        isPut = true;
      }
      if (x.indices[e] !== j) put(x.indices[e]!, x.values[e]!);
    }
    if (!isPut) put(j, column[i]!);
    indptr[i + 1] = at;
  }
  const { rows, cols } = x;
  return new CsrMatrix({ rows, cols, indptr, indices: indices.slice(0, at), values: values.slice(0, at) });
}

class TableRows implements InspectedRows {
  readonly x: Table;
  readonly names: readonly string[];

  constructor(where: string, table: AnyTable) {
    if (table.rows === 0) throw new ShapeError(where, "X", "at least one row", "none");
    this.names = table.columnNames;
    this.x = Table.fromColumns(new Map(this.names.map((name) => [name, table.column(name)])));
  }

  get rows(): number {
    return this.x.rows;
  }

  get cols(): number {
    return this.names.length;
  }

  column(j: number): Column {
    return this.x.column(this.names[j]!) as Column;
  }

  withColumn(j: number, column: Column): TableRows {
    const all = this.names.map((name, at): [string, Column] => [name, at === j ? column : this.column(at)]);
    return new TableRows("inspection", Table.fromColumns(new Map(all)));
  }

  chosen(rows: Int32Array): TableRows {
    return new TableRows("inspection", this.x.selectRows(rows));
  }
}

/** Entries of a column in another order. */
export const chosenEntries = (column: AnyColumn, chosen: Int32Array): AnyColumn =>
  ArrayBuffer.isView(column) ? Float64Array.from(chosen, (i) => column[i]!) : column.selectRows(chosen);

/** Entry i of a column; a missing one is null in a table and NaN in a matrix. */
export const entryOf = (column: AnyColumn, i: number): Cell | null =>
  ArrayBuffer.isView(column) ? column[i]! : column.at(i);

/** The column with one value in all rows. The value of a categorical column must be one of its categories. */
export function constantColumn(where: string, name: string, like: AnyColumn, value: Cell): AnyColumn {
  const { length } = like;
  if (ArrayBuffer.isView(like)) {
    if (typeof value === "number") return new Float64Array(length).fill(value);
    throw new DataError(where, `the value of ${show(name)}`, "a number", show(value));
  }
  if (!(like instanceof CategoricalColumn))
    return readColumn(where, name, new Array(length).fill(value) as number[]);
  const code = like.categories.indexOf(value as string);
  if (code >= 0) return new CategoricalColumn(new Int32Array(length).fill(code), like.categories);
  const expected = `one of its categories (${listNames(like.categories)})`;
  throw new DataError(where, `the value of ${show(name)}`, expected, show(value));
}
