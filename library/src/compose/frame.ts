import type { MatrixLike } from "../core/contract.js";
import { DataError, ShapeError, show } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { AnyTable, KnownFeatures } from "../data/feature-names-in.js";
import { isTable, listNames, refuseMissing } from "../data/feature-names-in.js";
import { readMatrix, requireWidth } from "../data/input.js";
import { hasTextCells } from "../data/sample-rows.js";
import { type CellsLike, readCells } from "../data/table/cells.js";
import { type Column, NumericColumn } from "../data/table/column.js";
import { selectColumns } from "../data/table/join-columns.js";
import { isRowObjects, rowFields } from "../data/table/row-cells.js";
import { tableOfRows } from "../data/table/row-objects.js";
import { Table } from "../data/table/table.js";
import { writtenText } from "../data/table/table-columns.js";
import { asDates } from "../data/text/convert-text.js";

/** X by column: a table, a matrix, sparse rows. */
export interface Frame {
  readonly rows: number;
  readonly cols: number;
  /** Of a table. */
  readonly names: readonly string[] | undefined;
  column(j: number): Column;
  /** These columns, in this order, as X of an estimator. */
  select(columns: readonly number[]): MatrixLike;
}

/** Throws if one of these columns has a gap or an infinity, with its place in the whole X. */
export function requireFiniteColumns(where: string, frame: Frame, columns: readonly number[]): void {
  for (const j of columns) {
    const column = frame.column(j);
    if (column.kind !== "numeric") continue;
    const i = column.values.findIndex((value) => !Number.isFinite(value));
    if (i < 0) continue;
    const subject = frame.names ? `column ${show(frame.names[j])}, row ${i},` : `X[${i}][${j}]`;
    const advice = "Remove the row, or fill the gap before fitting, as SimpleImputer does.";
    throw new DataError(where, subject, "a finite number", show(column.values[i]), advice);
  }
}

/** X of a fit, or of a model that was fitted on other rows. */
export function readFrame(where: string, x: CellsLike): Frame {
  if (isTable(x)) {
    if (x.rows === 0 || x.columnNames.length === 0) refuseEmpty(where, x.rows, x.columnNames.length);
    return tableFrame(x, x.columnNames);
  }
  if (hasTextCells(x)) {
    const { columns } = readCells(where, x);
    const named = columns.map((column, j): [string, Column] => [`x${j}`, column]);
    const table: AnyTable = Table.fromColumns(new Map(named));
    return { ...tableFrame(table, table.columnNames), names: undefined };
  }
  const design = readMatrix(where, x as MatrixLike, { sparse: true, missing: true });
  return {
    rows: design.rows,
    cols: design.cols,
    names: undefined,
    column: (j) => {
      const one = selectColumns(design, [j]);
      return new NumericColumn((one instanceof CsrMatrix ? one.toDense() : one).data);
    },
    select: (columns) => (isAll(columns, design.cols) ? design : selectColumns(design, columns)),
  };
}

const isAll = (columns: readonly number[], cols: number): boolean =>
  columns.length === cols && columns.every((j, place) => j === place);

const tableFrame = (table: AnyTable, names: readonly string[]): Frame => ({
  rows: table.rows,
  cols: names.length,
  names,
  column: (j) => table.column(names[j]!),
  select: (columns) => table.select(columns.map((j) => names[j]!)) as unknown as MatrixLike,
});

/** What a fitted model requires of X. */
export interface FrameRules extends KnownFeatures {
  /** Numbers of the columns that are read. */
  readonly used: readonly number[];
  /** Whether X may have columns that fit has not seen: it may not if all the others are used together. */
  readonly extra: boolean;
  /** What the columns held in fit; models of earlier versions do not store it. */
  readonly kinds?: readonly Column["kind"][] | undefined;
}

/** X at transform, its columns numbered as in fit; a table's are found by name. Undefined if it has no rows. */
export function readFrameLike(where: string, x: CellsLike, rules: FrameRules): Frame | undefined {
  const { nFeatures, featureNamesIn, kinds } = rules;
  if (isRowObjects(x) && featureNamesIn !== undefined) {
    const used = new Set(rules.used);
    const fields = rowFields(
      featureNamesIn,
      (j) => kinds?.[j] ?? "any",
      (j) => used.has(j),
    );
    return readFrameLike(where, tableOfRows(where, fields, x), rules);
  }
  if (isTable(x)) {
    if (x.rows === 0) return undefined;
    if (featureNamesIn !== undefined) {
      requireUsed(where, x.columnNames, featureNamesIn, rules);
      return tableFrame(kinds === undefined ? x : asInFit(where, x, featureNamesIn, kinds), featureNamesIn);
    }
    requireWidth(where, x.columnNames.length, nFeatures);
    return tableFrame(x, x.columnNames);
  }
  const isEmpty = (Array.isArray(x) && x.length === 0) || (x as { rows?: unknown } | null)?.rows === 0;
  if (isEmpty) return undefined;
  const frame = readFrame(where, x);
  requireWidth(where, frame.cols, nFeatures);
  return frame;
}

/** The table with columns that were written as text in the kind that they had in fit, where the text is of that kind. */
function asInFit(
  where: string,
  table: AnyTable,
  names: readonly string[],
  kinds: readonly Column["kind"][],
): AnyTable {
  const present = new Set(table.columnNames);
  const changed = new Map<string, Column>();
  for (const [j, name] of names.entries()) {
    if (!present.has(name)) continue;
    const column = table.column(name);
    const own = columnLike(where, name, column, kinds[j]!);
    if (own !== column) changed.set(name, own);
  }
  if (changed.size === 0) return table;
  const all = table.columnNames.map((name): [string, Column] => [
    name,
    changed.get(name) ?? table.column(name),
  ]);
  return Table.fromColumns(new Map(all));
}

function columnLike(where: string, name: string, column: Column, kind: Column["kind"]): Column {
  if (column.kind === kind) return column;
  if (kind === "categorical" || kind === "text") return writtenText(where, name, column);
  const isText = column.kind === "categorical" || column.kind === "text";
  const dates = kind === "date" && isText && column.missing < column.length ? asDates(column) : undefined;
  return dates?.kind === "date" ? dates : column;
}

function requireUsed(
  where: string,
  given: readonly string[],
  known: readonly string[],
  { used, extra }: FrameRules,
): void {
  const present = new Set(given);
  const read = new Set(used);
  const missing = known.find((name, j) => read.has(j) && !present.has(name));
  if (missing !== undefined) refuseMissing(where, missing, given);
  if (extra) return;
  const expected = new Set(known);
  const unknown = given.filter((name) => !expected.has(name));
  if (unknown.length === 0) return;
  throw new DataError({
    where,
    subject: "X",
    expected: `a table of the columns of fit (${listNames(known)}), since the remainder is used`,
    received: `one that also has ${listNames(unknown)}`,
    advice: `X.drop([${unknown.slice(0, 8).map(show).join(", ")}${unknown.length > 8 ? ", …" : ""}]) leaves them out.`,
  });
}

function refuseEmpty(where: string, rows: number, cols: number): never {
  throw new ShapeError(where, "X", "at least one row and one column", `${rows} rows × ${cols} columns`);
}
