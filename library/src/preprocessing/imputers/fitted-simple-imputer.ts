import type { CsrLike } from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { columnName } from "../../data/feature-names.js";
import { readMatrix } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type Cell, type CellColumn, type CellsLike, readCells } from "../../data/table/cells.js";
import { CategoricalColumn, type Column, NumericColumn, readColumn } from "../../data/table/column.js";
import { joinColumns, selectColumns } from "../../data/table/join-columns.js";
import { Table } from "../../data/table/table.js";
import { numbersIn } from "../cell-numbers.js";
import type { CellKind } from "./fill-values.js";
import { ImputerModel } from "./imputer-model.js";
import type { ImputerValues } from "./simple-imputer.js";

export const isSparse = (x: unknown): x is CsrLike => x !== null && typeof x === "object" && "indptr" in x;

export const CELLS = { numeric: "numbers", categorical: "text", boolean: "booleans" } as const;

/** Whether a column can hold the value: booleans become numbers where they have to. */
export const takes = (kind: CellKind, fill: Cell): boolean =>
  (kind === "categorical") === (typeof fill === "string");

export function refuseFill(where: string, subject: string, kind: CellKind, fill: Cell): never {
  const expected = `${typeof fill === "string" ? "text" : "numbers"}, to be filled with ${show(fill)}`;
  const advice = "fillValue: null fills each column with a value of its kind.";
  throw new DataError(where, subject, expected, CELLS[kind], advice);
}

export function refuseInfinities(where: string, { values }: CsrMatrix): void {
  const e = values.findIndex((value) => value === Infinity || value === -Infinity);
  if (e < 0) return;
  throw new DataError(where, "X", "free of infinities", show(values[e]));
}

/** What an imputer learns of each column. */
export interface Learned {
  readonly kinds: readonly CellKind[];
  /** What replaces gaps; null for a column without any value. */
  readonly statistics: readonly (Cell | null)[];
  /** Numbers of the columns that had gaps. */
  readonly withGaps: readonly number[];
  readonly featureNamesIn: readonly string[] | undefined;
}

export class FittedSimpleImputer<
  Out extends Matrix | Table | CsrMatrix = Matrix | Table,
> extends ImputerModel<ImputerValues> {
  protected readonly id = "SimpleImputer";
  /** What replaces the gaps of each column; null for a column without any value. */
  readonly statistics: readonly (Cell | null)[];
  readonly #learned: Learned;

  constructor(params: ImputerValues, learned: Learned) {
    const { statistics, withGaps, featureNamesIn } = learned;
    const known = { nFeatures: statistics.length, featureNamesIn };
    super(params, known, (j) => statistics[j] === null, withGaps);
    this.#learned = learned;
    this.statistics = Object.freeze([...statistics]);
  }

  transform(x: CellsLike): Out {
    const where = this.where("transform");
    if (isSparse(x)) return this.#sparse(where, x) as Out;
    const kinds = this.#learned.kinds.map((kind) => (kind === "numeric" ? "number" : kind));
    const { rows, columns } = readCells(where, x, this, kinds);
    if (this.#learned.kinds.includes("categorical")) return this.#table(where, rows, columns) as Out;
    if (rows === 0) return Matrix.zeros(0, this.outputs.count) as Out;
    for (const [j, column] of columns.entries())
      if (column.kind === "categorical") this.#refuseKind(where, j, column);
    return this.#matrix(rows, columns) as Out;
  }

  [structure](): Structure {
    const kept = new Set(this.outputs.kept);
    const fill = this.statistics.map((value, j) => (kept.has(j) ? (value ?? 0) : undefined));
    return transformerStructure(this, { kind: "impute", fill, indicators: this.outputs.indicators });
  }

  override toState(): ModelState {
    const { kinds, statistics, withGaps } = this.#learned;
    return stateOf(this.id, this, { kinds, statistics, withGaps });
  }

  #matrix(rows: number, columns: readonly CellColumn[]): Matrix {
    const out = Matrix.zeros(rows, this.outputs.count);
    const { cols } = out;
    for (const [place, j] of this.outputs.kept.entries()) {
      const fill = Number(this.statistics[j] ?? 0);
      const values = numbersIn(columns[j]!);
      for (let i = 0, e = place; i < rows; i++, e += cols)
        out.data[e] = Number.isNaN(values[i]!) ? fill : values[i]!;
    }
    for (const [place, j] of this.outputs.indicators.entries()) {
      const values = numbersIn(columns[j]!);
      for (let i = 0, e = this.outputs.kept.length + place; i < rows; i++, e += cols)
        if (Number.isNaN(values[i]!)) out.data[e] = 1;
    }
    return out;
  }

  #table(where: string, rows: number, columns: readonly CellColumn[]): Table {
    const names = this.featureNames();
    const out = new Map<string, Column>();
    for (const [place, j] of this.outputs.kept.entries()) {
      const column = columns[j];
      const kind = this.#learned.kinds[j]!;
      // A table without rows may lack the columns too, and a column without values has no kind.
      const isEmpty = column === undefined || column.missing === rows;
      if (!isEmpty && (column.kind === "categorical") !== (kind === "categorical"))
        this.#refuseKind(where, j, column);
      const fill = this.statistics[j] ?? 0;
      out.set(
        names[place]!,
        isEmpty ? readColumn(where, names[place]!, new Array(rows).fill(fill)) : filled(column, fill),
      );
    }
    for (const [place, j] of this.outputs.indicators.entries()) {
      const column = columns[j];
      const flags = Float64Array.from({ length: rows }, (_, i) => (column!.at(i) === null ? 1 : 0));
      out.set(names[this.outputs.kept.length + place]!, new NumericColumn(flags));
    }
    return Table.fromColumns(out);
  }

  #sparse(where: string, x: CsrLike): CsrMatrix {
    const design = readMatrix(where, x, { sparse: true, missing: true, cols: this.nFeatures }) as CsrMatrix;
    refuseInfinities(where, design);
    const { rows, cols, indptr, indices, values } = design;
    const fills = Float64Array.from(this.statistics, (fill) => Number(fill ?? 0));
    const full = values.map((value, e) => (Number.isNaN(value) ? fills[indices[e]!]! : value));
    const kept = selectColumns(
      new CsrMatrix({ rows, cols, indptr, indices, values: full }),
      this.outputs.kept,
    );
    if (!this.params.addIndicator) return kept as CsrMatrix;
    const gaps = CsrMatrix.fromRows(
      Array.from({ length: rows }, (_, i) => {
        const row: [number, number][] = [];
        for (let e = indptr[i]!; e < indptr[i + 1]!; e++)
          if (Number.isNaN(values[e]!)) row.push([indices[e]!, 1]);
        return row;
      }),
      cols,
    );
    return joinColumns([kept, selectColumns(gaps, this.outputs.indicators)], rows, true) as CsrMatrix;
  }

  #refuseKind(where: string, j: number, column: CellColumn): never {
    const expected = `${CELLS[this.#learned.kinds[j]!]}, as in fit`;
    throw new DataError(where, columnName(this.featureNamesIn, j), expected, CELLS[column.kind]);
  }
}

/** The column with its gaps filled. Booleans that are filled with a number become numbers. */
function filled(column: CellColumn, fill: Cell): Column {
  if (column.missing === 0) return column;
  if (column.kind !== "categorical") {
    const isBoolean = column.kind === "boolean" && typeof fill === "boolean";
    const values = numbersIn(column).map((value) => (Number.isNaN(value) ? Number(fill) : value));
    return isBoolean
      ? readColumn("SimpleImputer", "", Array.from(values, Boolean))
      : new NumericColumn(values);
  }
  const { categories, codes } = column;
  const known = categories.indexOf(fill as string);
  if (known >= 0)
    return new CategoricalColumn(
      codes.map((code) => (code < 0 ? known : code)),
      categories,
    );
  return readColumn(
    "SimpleImputer",
    "",
    column.toArray().map((value) => value ?? (fill as string)),
  );
}
