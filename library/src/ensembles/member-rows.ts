import type { Capabilities, MatrixLike, Samples } from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { capabilitiesOf } from "../core/estimator.js";
import type { Json, StateReader } from "../core/state/state.js";
import type { AnyTable, KnownFeatures } from "../data/feature-names-in.js";
import { inOrderOfFit, isTable, readFeatureNames } from "../data/feature-names-in.js";
import { type Design, type InputRules, isImages, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { hasTextCells, ImageRows, isSampleList, type SampleList, sampleList } from "../data/sample-rows.js";
import { readSamples } from "../data/select-rows.js";
import { isRowObjects, rowFields } from "../data/table/row-cells.js";
import { tableOfRows } from "../data/table/row-objects.js";
import { Table } from "../data/table/table.js";
import { openTable } from "../data/table/table-columns.js";
import { paramsOf } from "./members.js";

/** X as members read it: numbers, or a table, documents or rows with text that they read themselves; images keep their size. */
export type MemberRows = Design | AnyTable | SampleList | ImageRows;

/** What members are given after fit. */
export type MemberInput = "numbers" | "tables" | "lists";

/** A training set for members. */
export type MemberSet<S> = Omit<S, "x"> & { readonly x: MemberRows };

/** X before its checks. */
export interface OpenedForMembers {
  /** What a training set checks; text is codes in it, or absent. */
  readonly x: MatrixLike;
  readonly rules: InputRules;
  /** X itself, if members are given it instead of numbers. */
  readonly given: AnyTable | SampleList | ImageRows | undefined;
  readonly reads: MemberInput;
}

/**
 * Whatever an estimator takes, what is made of it takes. Documents and rows with text are passed on to members that read them; a table, if
 * members read text and it has some, or if they name its columns; images as they are, since networks learn from their size. All other X
 * are read once for all members.
 */
export function openForMembers(
  where: string,
  x: Samples,
  estimator: object,
  rules: InputRules,
): OpenedForMembers {
  const own = capabilitiesOf(estimator);
  const list = isTable(x) ? undefined : listFor(where, x, own);
  if (list) return { x: Matrix.zeros(list.rows, 1), rules: { missing: true }, given: list, reads: "lists" };
  if (isImages(x)) return { x, rules, given: new ImageRows(x), reads: "numbers" };
  const readsText = own?.input === "text" || (own?.categorical ?? true);
  if (!isTable(x) || !readsText || !(namesColumns(estimator) || hasText(x)))
    return { x: x as MatrixLike, rules, given: undefined, reads: "numbers" };
  // Members check the gaps of what they are given, and read dates and free text if anybody does: there are no numbers for these.
  const readable = x.select(x.columnNames.filter((name) => !["date", "text"].includes(x.column(name).kind)));
  const numbers = readable.columnNames.length > 0 ? openTable(where, readable).x : Matrix.zeros(x.rows, 1);
  return { x: numbers, rules: { missing: true }, given: x, reads: "tables" };
}

/** X as a list for members that read documents or rows with text; undefined if it is something else. */
function listFor(where: string, x: Samples, own: Capabilities | undefined): SampleList | undefined {
  if (own?.input === "text") {
    const list = readSamples(where, x);
    return Array.isArray(list) ? sampleList(list) : undefined;
  }
  const isDocuments = own === undefined && Array.isArray(x) && x.some((row) => typeof row === "string");
  const isCells = (own?.categorical ?? true) && hasTextCells(x);
  return isDocuments || isCells ? sampleList(x as readonly unknown[]) : undefined;
}

const hasText = (table: AnyTable): boolean =>
  table.columnNames.some((name) => ["categorical", "date", "text"].includes(table.column(name).kind));

/** Whether a member's parameters name columns of a table. */
export function namesColumns(estimator: object): boolean {
  const listed = paramsOf(estimator)?.["categoricalFeatures"];
  return Array.isArray(listed) && listed.some((column) => typeof column === "string");
}

/** The set with the rows that members are given instead of numbers, without those of weight 0. */
export function memberSet<S extends { readonly x: Design; readonly kept?: Int32Array | undefined }>(
  set: S,
  given: OpenedForMembers["given"],
): MemberSet<S> {
  if (given === undefined) return set;
  const x = set.kept ? given.selectRows(set.kept) : given;
  return isTable(given) ? { ...set, x, featureNamesIn: given.columnNames } : { ...set, x };
}

/** Documents are one column. */
export function widthOf(x: MemberRows): number {
  if (isTable(x)) return x.columnNames.length;
  if (isSampleList(x)) return Array.isArray(x[0]) ? x[0].length : 1;
  return isImages(x) ? x.height * x.width * x.channels : x.cols;
}

/** X as numbers, for what adds columns to it or draws some. */
export function columnsOfMembers(where: string, x: MemberRows): Design | AnyTable {
  if (isSampleList(x)) {
    const expected = "columns of numbers or a table here, since columns are drawn from it or added to it";
    const received = typeof x[0] === "string" ? "documents" : "rows with text";
    const advice = "Put the vectorizer or encoder before, in a pipeline around this estimator.";
    throw new ParameterError(where, "X", expected, received, advice);
  }
  return x instanceof ImageRows ? readMatrix(where, x, { missing: true }) : (x as Design | AnyTable);
}

/** The columns of these numbers. A table's column that is drawn again has another name: "city (2)". */
export function drawnColumns(where: string, rows: MemberRows, features: Int32Array): MemberRows {
  const x = columnsOfMembers(where, rows);
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
  /** What members were fitted to, and are given. */
  readonly reads: MemberInput;
}

/** X after fit, for members: a list, a table's columns in the order of fit, or numbers. */
export function readForMembers(
  where: string,
  x: Samples,
  known: KnownToMembers,
  rules: InputRules,
): MemberRows {
  if (known.reads === "lists") return listAfterFit(where, x);
  if (known.reads === "numbers") return readMatrix(where, x as MatrixLike, { like: known, ...rules });
  // Members know what their columns held, and read ISO dates as dates.
  if (isRowObjects(x))
    return tableOfRows(
      where,
      rowFields(known.featureNamesIn!, () => "any"),
      x,
    ) as unknown as AnyTable;
  if (!isTable(x)) {
    const expected = `a table with the columns of fit (${known.featureNamesIn!.join(", ")})`;
    throw new DataError(where, "X", expected, show(x));
  }
  return x.rows === 0 && x.columnNames.length === 0 ? x : inOrderOfFit(where, x, known.featureNamesIn!);
}

/** Members that were fitted to a list may take tables and numbers as well, which they check themselves. */
function listAfterFit(where: string, x: Samples): MemberRows {
  const list = readSamples(where, x);
  if (Array.isArray(list)) return sampleList(list);
  return isTable(list) ? list : readMatrix(where, list as MatrixLike, { sparse: true, missing: true });
}

/** Whether a restored member has the columns of X. The columns of documents are the words of each member. */
export const hasColumns = (
  reader: StateReader,
  member: { readonly nFeatures: number },
  cols: number,
): boolean => reader.state.values["readsLists"] === true || member.nFeatures === cols;

/** What a saved ensemble stores of `reads`. */
export const readsJson = (reads: MemberInput): Readonly<Record<string, Json>> =>
  reads === "numbers" ? {} : reads === "tables" ? { readsTables: true } : { readsLists: true };

/** The columns of X that a saved ensemble knows. */
export function readKnown(reader: StateReader): KnownToMembers {
  const nFeatures = reader.count("nFeatures");
  const featureNamesIn = readFeatureNames(reader, nFeatures);
  return { nFeatures, featureNamesIn, reads: readMemberInput(reader, featureNamesIn) };
}

function readMemberInput(reader: StateReader, names: readonly string[] | undefined): MemberInput {
  const { readsTables, readsLists } = reader.state.values;
  if (readsLists !== undefined) {
    if (readsLists !== true || readsTables !== undefined)
      reader.fail("readsLists", "true or absent, without readsTables", show(readsLists));
    return "lists";
  }
  if (readsTables === undefined) return "numbers";
  if (readsTables !== true || names === undefined)
    reader.fail("readsTables", "true, with the names of the columns, or absent", show(readsTables));
  return "tables";
}
