import type { Table } from "argmax/data";
import { tableOf } from "../data/library-table.js";
import type { ColumnData, TableData } from "../data/table.js";
import type { Model } from "./estimators.js";

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

  /** The model of a file. */
  async model(key: string): Promise<Model> {
    const { loadModel } = await import("./all-estimators.js");
    return this.made(key, () => loadModel(this.get<Uint8Array>(key)));
  }

  table(key: string): Table {
    return this.made(key, () => tableOf(this.get<TableData>(key)));
  }
}
