import { DataError, show } from "../../core/errors.js";
import { invalid, type ParamSpec } from "../../core/params/params.js";
import type { StateReader } from "../../core/state/state.js";
import type { Cell, CellsLike, CodedColumn } from "../../data/table/cells.js";
import { codeCounts, codedColumn, kindOfCategories, readCells } from "../../data/table/cells.js";
import { TransformerModel } from "../../fitted/transformers.js";

/** A category: a cell's value, or null for "missing". */
export type Category = Cell | null;

export const isCategory = (value: unknown): value is Category =>
  value === null ||
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

const isCategoryList = (value: unknown): value is readonly Category[] =>
  Array.isArray(value) && value.length > 0 && value.every(isCategory) && new Set(value).size === value.length;

/** "auto", or one list of distinct categories per column. */
export const categoriesParam: ParamSpec<"auto" | readonly (readonly Category[])[]> = {
  kind: "union",
  default: "auto",
  doc: 'The categories of each column, in the order of their codes; "auto" for those in the data, sorted.',
  expected: '"auto", or one list of distinct categories per column',
  choices: ["auto"],
  read: (value) => {
    if (value === "auto") return value;
    if (!Array.isArray(value) || value.length === 0 || !value.every(isCategoryList)) return invalid;
    return Object.freeze(value.map((list: readonly Category[]) => Object.freeze([...list])));
  },
};

/** Numbers ascending, strings by code unit, false before true, missing last. */
function inOrder(a: Category, b: Category): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The categories of every column: those given, or those in the data. */
function learnCategories(
  where: string,
  columns: readonly CodedColumn[],
  given: "auto" | readonly (readonly Category[])[],
): readonly (readonly Category[])[] {
  return givenCategories(where, given, columns.length) ?? columns.map(seenCategories);
}

/** The categories that a parameter lists; undefined for "auto". */
export function givenCategories(
  where: string,
  given: "auto" | readonly (readonly Category[])[],
  columns: number,
): readonly (readonly Category[])[] | undefined {
  if (given === "auto") return undefined;
  if (given.length === columns) return given;
  const expected = `one list for each of the ${columns} columns of X`;
  throw new DataError(where, "categories", expected, `${given.length} lists`);
}

/** The categories that rows have, sorted. */
function seenCategories(column: CodedColumn): readonly Category[] {
  const counts = codeCounts(column);
  const all: readonly Category[] = [...column.values, null];
  return sortedCategories(all.filter((_, code) => counts[code]! > 0));
}

export const sortedCategories = (seen: readonly Category[]): readonly Category[] =>
  Object.freeze([...seen].sort(inOrder));

/**
 * The code among the categories of fit of every value of a column, and last that of a missing entry; −1 where fit has not seen it.
 * Cells are then encoded by their codes, without a look at their values.
 */
export function translation(
  index: ReadonlyMap<Category, number>,
  { values }: Pick<CodedColumn, "values">,
): Int32Array {
  const own: readonly Category[] = [...values, null];
  return Int32Array.from(own, (value) => index.get(value) ?? -1);
}

/** The value of row i. */
export const valueAt = ({ codes, values }: CodedColumn, i: number): Category => values[codes[i]!] ?? null;

/** From a category to its code, its index in the list of its column. */
export const indexOf = (categories: readonly Category[]): ReadonlyMap<Category, number> =>
  new Map(categories.map((category, code) => [category, code]));

/** The error about a value that was not seen in fit. */
export function unknownCategory(
  where: string,
  i: number,
  j: number,
  value: Category,
  categories: readonly Category[],
  advice: string,
): DataError {
  return new DataError({
    where,
    subject: `X[${i}][${j}]`,
    expected: `one of the categories of column ${j} ${listed(categories)}`,
    received: show(value),
    advice,
  });
}

/** The first categories, in parentheses. */
export const listed = (categories: readonly Category[]): string =>
  `(${categories.slice(0, 6).map(show).join(", ")}${categories.length > 6 ? ", …" : ""})`;

const isLists = (value: unknown): value is readonly (readonly Category[])[] =>
  Array.isArray(value) && value.length > 0 && value.every((list) => Array.isArray(list));

/** The categories of a saved model; `least` of each column. */
export const readCategories = (reader: StateReader, least = 1): readonly (readonly Category[])[] =>
  reader.value(
    "categories",
    "lists of distinct categories",
    (value): value is readonly (readonly Category[])[] =>
      isLists(value) && value.every((list) => (list.length === 0 ? least === 0 : isCategoryList(list))),
  );

/** The cells of X as codes, and the categories of each column: those given, or those in the data. */
export function learnCells(where: string, x: CellsLike, given: "auto" | readonly (readonly Category[])[]) {
  const cells = readCells(where, x);
  const columns = cells.columns.map(codedColumn);
  return { ...cells, columns, categories: learnCategories(where, columns, given) };
}

/** A fitted encoder of categories. */
export abstract class EncoderModel<P extends object> extends TransformerModel<P> {
  readonly #index: readonly ReadonlyMap<Category, number>[];

  constructor(
    params: P,
    /** The categories of each column, in the order of their codes; null stands for missing. */
    readonly categories: readonly (readonly Category[])[],
    featureNamesIn: readonly string[] | undefined,
  ) {
    super(params, { nFeatures: categories.length, featureNamesIn });
    this.#index = categories.map(indexOf);
  }

  /** The columns of X with the outputs of their codes: `outputs` of the codes of fit, the last that of a missing entry. */
  protected codesOf(where: string, x: CellsLike) {
    const kinds = this.categories.map(kindOfCategories);
    const { rows, columns } = readCells(where, x, this, kinds);
    return {
      rows,
      columns: columns.map((cells, j) => {
        const column = codedColumn(cells);
        return { ...column, known: translation(this.#index[j]!, column) };
      }),
    };
  }
}
