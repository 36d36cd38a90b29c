import { CategoricalColumn, NumericColumn, Table, TextColumn } from "argmax/data";
import type { ColumnData, TableData } from "../data/table.js";
import { unpackTexts } from "../data/texts.js";

/** What the page has sent, and what was made of it. */
export class Held {
  readonly #values = new Map<string, unknown>();
  readonly #made = new Map<string, unknown>();

  set(key: string, value: unknown): void {
    this.#values.set(key, value);
    this.#made.delete(key);
  }

  /** Another column of a table; of one that was dropped meanwhile, nothing. */
  addColumn(key: string, column: ColumnData): void {
    (this.#values.get(key) as { columns: ColumnData[] } | undefined)?.columns.push(column);
  }

  drop(key: string): void {
    this.#values.delete(key);
    this.#made.delete(key);
  }

  get<V>(key: string): V {
    if (!this.#values.has(key)) throw new Error(`The worker has no ${key}.`);
    return this.#values.get(key) as V;
  }

  /** What `make` returned for the key when it was first asked for. */
  made<V>(key: string, make: () => V): V {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as V;
  }

  keep(key: string, made: unknown): void {
    this.#made.set(key, made);
  }

  table(key: string): Table {
    return this.made(key, () => tableOf(this.get<TableData>(key)));
  }
}

export const tableOf = ({ columns }: TableData): Table =>
  Table.fromColumns(new Map(columns.map((column) => [column.name, libraryColumn(column)])));

export function libraryColumn(column: ColumnData): NumericColumn | CategoricalColumn | TextColumn {
  if (column.kind === "number") return new NumericColumn(column.values);
  if (column.kind === "text") return new TextColumn(unpackTexts(column.texts));
  return new CategoricalColumn(column.codes, column.levels);
}
