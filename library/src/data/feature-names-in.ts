import { DataError, show } from "../core/errors.js";
import type { Json, StateReader } from "../core/state/state.js";
import type { Column } from "./table/column.js";

/** The columns of X as a fitted model stores them. */
export interface KnownFeatures {
  /** Columns that X must have. */
  readonly nFeatures: number;
  /** Their names, if X was a table in fit. */
  readonly featureNamesIn?: readonly string[] | undefined;
}

/** A table of any columns, recognised by its shape: one made by another copy of the library is one too. */
export interface AnyTable {
  readonly rows: number;
  readonly columnNames: readonly string[];
  column(name: string): Column;
  select(names: readonly string[]): AnyTable;
  selectRows(chosen: ArrayLike<number>): AnyTable;
  toMatrix(): { readonly data: Float64Array; readonly rows: number; readonly cols: number };
}

export function isTable(x: unknown): x is AnyTable {
  if (x === null || typeof x !== "object") return false;
  const { columnNames, column, select } = x as Partial<AnyTable>;
  return Array.isArray(columnNames) && typeof column === "function" && typeof select === "function";
}

/** The names of X's columns; undefined unless X is a table. */
export const featureNamesOf = (x: unknown): readonly string[] | undefined =>
  isTable(x) ? x.columnNames : undefined;

/**
 * A table with exactly the columns of fit, in their order, whatever the order of the given one. A column that is missing or one
 * that fit has not seen is an error that names it. Parity: scikit-learn refuses both too, and columns in another order as well.
 */
export function inOrderOfFit<T extends AnyTable>(
  where: string,
  table: T,
  known: readonly string[],
  subject = "X",
): T | AnyTable {
  const { columnNames } = table;
  if (columnNames.length === known.length && known.every((name, j) => name === columnNames[j])) return table;
  requireColumns(where, columnNames, known, subject);
  return table.select(known);
}

/** Throws unless `given` has the names of fit and no others, in any order. */
export function requireColumns(
  where: string,
  given: readonly string[],
  known: readonly string[],
  subject = "X",
): void {
  const present = new Set(given);
  const missing = known.find((name) => !present.has(name));
  if (missing !== undefined) refuseMissing(where, missing, given, subject);
  const expected = new Set(known);
  const extra = given.filter((name) => !expected.has(name));
  if (extra.length === 0) return;
  throw new DataError({
    where,
    subject,
    expected: `a table of the columns of fit (${listNames(known)})`,
    received: `one that also has ${listNames(extra)}`,
    advice: `${subject}.drop([${extra.slice(0, 8).map(show).join(", ")}${extra.length > 8 ? ", …" : ""}]) leaves them out.`,
  });
}

/** Throws for a column of fit that a table of these columns does not have. */
export function refuseMissing(
  where: string,
  missing: string,
  given: readonly string[],
  subject = "X",
): never {
  const received = `a table of ${listNames(given)}`;
  throw new DataError(where, `column ${show(missing)}`, `in ${subject}, as in fit`, received);
}

/** At most eight names, and how many there are if more. */
export const listNames = (names: readonly string[]): string =>
  names.length === 0
    ? "no columns"
    : `${names.slice(0, 8).map(show).join(", ")}${names.length > 8 ? `, … (${names.length} in all)` : ""}`;

/** What a saved model stores of its columns: nothing where they had no names. */
export const featureNamesJson = (names: readonly string[] | undefined): Readonly<Record<string, Json>> =>
  names === undefined ? {} : { featureNamesIn: [...names] };

/** The names that `featureNamesJson` stored, one per column and all distinct; undefined if there are none. */
export function readFeatureNames(reader: StateReader, cols: number): readonly string[] | undefined {
  if (!Object.hasOwn(reader.state.values, "featureNamesIn")) return undefined;
  const isNames = (value: unknown): value is readonly string[] | null =>
    value === null ||
    (Array.isArray(value) &&
      value.length === cols &&
      value.every((name) => typeof name === "string") &&
      new Set(value).size === cols);
  const names = reader.value("featureNamesIn", "a distinct name for each column, or null", isNames);
  return names === null ? undefined : Object.freeze([...names]);
}

/** The columns of X as a fit has read it. */
export const columnsOf = (x: unknown, { cols }: { readonly cols: number }): KnownFeatures => ({
  nFeatures: cols,
  featureNamesIn: featureNamesOf(x),
});

/** The columns of X of a model that stores how many they are. */
export function readColumns(reader: StateReader): KnownFeatures {
  const nFeatures = reader.count("nFeatures");
  return { nFeatures, featureNamesIn: readFeatureNames(reader, nFeatures) };
}
