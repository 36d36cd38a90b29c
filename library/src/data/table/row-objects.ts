import { DataError, show } from "../../core/errors.js";
import { checkList } from "../../core/labels.js";
import { readDate } from "../text/iso-date.js";
import {
  BooleanColumn,
  CategoricalColumn,
  type Column,
  type ColumnValues,
  DateColumn,
  NumericColumn,
  readColumn,
  TextColumn,
} from "./column.js";
import { checkedRows, type ReadCell, type RowCell, type RowField } from "./row-cells.js";
import { Table } from "./table.js";

/**
 * Rows as a table of the given fields: objects by name, or arrays in the order of the fields. Every field that is missing, unknown or of
 * another type is named in one RowsError. Models do this with rows by themselves; programs that know more of the fields call it. `where`
 * is the name of the call in errors.
 */
export function tableOfRows(where: string, fields: readonly RowField[], rows: readonly unknown[]): Table {
  checkList(where, "fields", fields);
  checkList(where, "rows", rows);
  const odd = fields.find(
    (field) => typeof field?.name !== "string" || !Object.hasOwn(expectations, field.kind),
  );
  if (odd !== undefined) {
    const expected = `of a name and a kind (${Object.keys(expectations).join(", ")})`;
    throw new DataError(where, "fields", expected, show(odd));
  }
  const cells = checkedRows(where, fields, rows, readCell);
  const columns = fields.map(({ name, kind }, j): [string, Column] => {
    const entries = cells.map((row) => row[j]!);
    return [name, columnOfCells(where, name, kind, entries)];
  });
  return Table.fromColumns(new Map(columns)) as Table;
}

/** A column of the field's kind, whatever its entries: a column of nothing but gaps keeps its kind too. */
function columnOfCells(
  where: string,
  name: string,
  kind: RowField["kind"],
  cells: readonly RowCell[],
): Column {
  const numbers = () => Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : (cell as number)));
  switch (kind) {
    case "numeric":
    case "number":
      return new NumericColumn(numbers());
    case "date":
      return new DateColumn(numbers());
    case "boolean":
      return new BooleanColumn(Uint8Array.from(cells, (cell) => (cell === null ? 2 : cell ? 1 : 0)));
    case "text":
      return new TextColumn(cells as readonly (string | null)[]);
    case "categorical":
      if (cells.length === 1 && cells[0] !== null)
        return new CategoricalColumn(Int32Array.of(0), [cells[0] as string]);
      return cells.every((cell) => cell === null)
        ? new CategoricalColumn(new Int32Array(cells.length).fill(-1), [])
        : readColumn(where, name, cells as ColumnValues);
    default:
      return readColumn(where, name, cells as ColumnValues);
  }
}

const expectations: Readonly<Record<RowField["kind"], string>> = {
  numeric: "a finite number",
  number: "a finite number",
  categorical: "text",
  text: "text",
  boolean: "true or false",
  date: "a date as ISO 8601 text or milliseconds since 1970",
  any: "a finite number, text, true or false",
};

const readCell: ReadCell = (kind, value) => cellOf(kind, value) ?? { expected: expectations[kind] };

/** The entry as a cell of this kind; undefined if it is not of it. */
function cellOf(kind: RowField["kind"], value: unknown): Exclude<RowCell, null> | undefined {
  const time = kind === "date" || kind === "any" ? timeOf(value) : undefined;
  if (time !== undefined) return time;
  const isNumber = typeof value === "number" && Number.isFinite(value);
  switch (kind) {
    case "numeric":
      return isNumber ? value : undefined;
    case "number":
      return isNumber ? value : typeof value === "boolean" ? Number(value) : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
    case "date":
      return isNumber && Math.abs(value) <= LAST_TIME
        ? value
        : typeof value === "string"
          ? readDate(value)
          : undefined;
    case "any":
      return isNumber || typeof value === "string" || typeof value === "boolean" ? value : undefined;
    default:
      return typeof value === "string" ? value : undefined;
  }
}

/** Milliseconds that a Date can hold. */
const LAST_TIME = 8.64e15;

/** The milliseconds of a Date; undefined if it is not a valid one. */
function timeOf(value: unknown): number | undefined {
  if (Object.prototype.toString.call(value) !== "[object Date]") return undefined;
  const time = (value as Date).getTime();
  return Number.isNaN(time) ? undefined : time;
}
