import type { Table } from "../../library/src/data/table/table.js";

/** X as an answers file has it. */
export type StoredRows =
  | readonly (readonly number[])[]
  | readonly string[]
  | { readonly csv: string; readonly types: Readonly<Record<string, string>>; readonly head: number };

export type Answers = Readonly<Record<string, unknown>>;
export function answersOf(model: object, x: unknown): Answers;
export function readRows(rows: StoredRows, parseCsv: (csv: string, options: never) => Table): unknown;
