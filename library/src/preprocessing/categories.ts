import { DataError, show } from "../core/errors.js";
import { invalid, type ParamSpec } from "../core/params.js";
import type { Json, StateReader } from "../core/state.js";
import type { Cells } from "../data/cells.js";
import type { Cell } from "../data/column.js";

/** A category: a cell's value, or null for "missing". */
export type Category = Cell | null;

const isCategory = (value: unknown): value is Category =>
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
function compare(a: Category, b: Category): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The categories of every column: those given, or those in the data. */
export function learnCategories(
  where: string,
  cells: Cells,
  given: "auto" | readonly (readonly Category[])[],
): readonly (readonly Category[])[] {
  if (given === "auto") {
    return cells.columns.map((column) => Object.freeze([...new Set<Category>(column)].sort(compare)));
  }
  if (given.length === cells.columns.length) return given;
  throw new DataError({
    where,
    subject: "categories",
    expected: `one list for each of the ${cells.columns.length} columns of X`,
    received: `${given.length} lists`,
  });
}

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
  const shown = categories.slice(0, 6).map(show).join(", ");
  return new DataError({
    where,
    subject: `X[${i}][${j}]`,
    expected: `one of the categories of column ${j} (${shown}${categories.length > 6 ? ", …" : ""})`,
    received: show(value),
    advice,
  });
}

export const categoriesJson = (categories: readonly (readonly Category[])[]): Json =>
  categories.map((list) => [...list]);

export function readCategories(reader: StateReader): readonly (readonly Category[])[] {
  const isLists = (value: unknown): value is readonly (readonly Category[])[] =>
    Array.isArray(value) && value.length > 0 && value.every(isCategoryList);
  return reader.value("categories", "lists of distinct categories", isLists);
}
