import type { MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Json, StateReader } from "../core/state.js";
import { type AnyTable, inOrderOfFit, isTable, type KnownFeatures } from "../data/feature-names-in.js";
import { type Design, type InputRules, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { isRowObjects, rowFields } from "../data/row-cells.js";
import { tableOfRows } from "../data/row-objects.js";
import { Table } from "../data/table.js";
import { openTable } from "../data/table-columns.js";
import { paramsOf } from "./members.js";

/** X as the members of an ensemble are given it: numbers, or a table whose text they read themselves. */
export type MemberRows = Design | AnyTable;

/** A training set for members. */
export type MemberSet<S> = Omit<S, "x"> & { readonly x: MemberRows };

/** X before its checks. */
export interface OpenedForMembers {
  /** What a training set checks; text is codes in it. */
  readonly x: MatrixLike;
  readonly rules: InputRules;
  /** The table, if members are given one. */
  readonly table: AnyTable | undefined;
}

/** A table is passed on to members that read text if it has some, or if they name its columns; all other X are read once for all members. */
export function openForMembers(
  where: string,
  x: MatrixLike,
  estimator: object,
  rules: InputRules,
): OpenedForMembers {
  const readsText = capabilitiesOf(estimator)?.categorical ?? true;
  if (!isTable(x) || !readsText || !(namesColumns(estimator) || hasText(x)))
    return { x, rules, table: undefined };
  // Members check the gaps of what they are given, and read dates and free text if anybody does: there are no numbers for these.
  const readable = x.select(x.columnNames.filter((name) => !["date", "text"].includes(x.column(name).kind)));
  const numbers = readable.columnNames.length > 0 ? openTable(where, readable).x : Matrix.zeros(x.rows, 1);
  return { x: numbers, rules: { missing: true }, table: x };
}

const hasText = (table: AnyTable): boolean =>
  table.columnNames.some((name) => ["categorical", "date", "text"].includes(table.column(name).kind));

/** Whether a member's parameters name columns of a table. */
function namesColumns(estimator: object): boolean {
  const listed = paramsOf(estimator)?.["categoricalFeatures"];
  return Array.isArray(listed) && listed.some((column) => typeof column === "string");
}

/** The set with the table's rows instead of numbers, without those of weight 0. */
export function memberSet<S extends { readonly x: Design; readonly kept?: Int32Array | undefined }>(
  set: S,
  table: AnyTable | undefined,
): MemberSet<S> {
  if (table === undefined) return set;
  return { ...set, x: set.kept ? table.selectRows(set.kept) : table, featureNamesIn: table.columnNames };
}

export const widthOf = (x: MemberRows): number => (isTable(x) ? x.columnNames.length : x.cols);

/** The columns of these numbers. A table's column that is drawn again has another name: "city (2)". */
export function drawnColumns(x: MemberRows, features: Int32Array): MemberRows {
  if (!isTable(x)) return (x as Matrix).selectColumns(features);
  const names = Array.from(features, (j) => x.columnNames[j]!);
  if (new Set(names).size === names.length) return x.select(names);
  const taken = new Set(x.columnNames);
  const used = new Set<string>();
  const columns = names.map((name) => {
    let own = name;
    for (let e = 2; used.has(own) || (own !== name && taken.has(own)); e++) own = `${name} (${e})`;
    used.add(own);
    return [own, x.column(name)] as const;
  });
  return Table.fromColumns(Object.fromEntries(columns));
}

/** The columns of X as an ensemble stores them. */
export interface KnownToMembers extends KnownFeatures {
  /** Whether members were fitted to a table, and are given tables. */
  readonly readsTables: boolean;
}

/** X after fit, for members: a table's columns in the order of fit, or numbers. */
export function readForMembers(
  where: string,
  x: MatrixLike,
  known: KnownToMembers,
  rules: InputRules,
): MemberRows {
  if (!known.readsTables) return readMatrix(where, x, { like: known, ...rules });
  // Members know what their columns held, and read ISO dates as dates.
  if (isRowObjects(x))
    return tableOfRows(
      where,
      rowFields(known.featureNamesIn!, () => "any"),
      x,
    ) as unknown as AnyTable;
  if (!isTable(x)) {
    throw new DataError({
      where,
      subject: "X",
      expected: `a table with the columns of fit (${known.featureNamesIn!.join(", ")})`,
      received: show(x),
    });
  }
  return x.rows === 0 && x.columnNames.length === 0 ? x : inOrderOfFit(where, x, known.featureNamesIn!);
}

/** What a saved ensemble stores of `readsTables`. */
export const readsTablesJson = (readsTables: boolean): Readonly<Record<string, Json>> =>
  readsTables ? { readsTables } : {};

export function readReadsTables(reader: StateReader, names: readonly string[] | undefined): boolean {
  const { readsTables } = reader.state.values;
  if (readsTables === undefined) return false;
  if (readsTables !== true || names === undefined)
    reader.fail("readsTables", "true, with the names of the columns, or absent", show(readsTables));
  return true;
}
