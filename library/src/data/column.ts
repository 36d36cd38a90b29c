import { DataError, ShapeError, show } from "../core/errors.js";
import { checkList } from "../core/labels.js";
import {
  asBytes,
  asFloat64Array,
  asInt32Array,
  isArrayLike,
  isDetached,
  isTypedArray,
} from "../core/typed-arrays.js";

/** What a cell may hold; `null` is "missing". */
export type Cell = number | string | boolean;

/** Values as a caller holds them: `null` and `undefined` are missing, and so is NaN among numbers. */
export type ColumnValues =
  | ArrayLike<number | null | undefined>
  | ArrayLike<string | null | undefined>
  | ArrayLike<boolean | null | undefined>;

interface ColumnOf<V extends Cell> {
  readonly length: number;
  /** How many entries are missing. */
  readonly missing: number;
  /** Entry i, or null where it is missing. */
  at(i: number): V | null;
  toArray(): (V | null)[];
}

/** Numbers. A missing entry is NaN in `values`. */
export class NumericColumn implements ColumnOf<number> {
  readonly kind = "numeric";
  readonly missing: number;
  readonly values: Float64Array;

  constructor(values: Float64Array) {
    this.values = asFloat64Array(values) ?? refuseArray("values", "a Float64Array", values);
    let missing = 0;
    for (const value of this.values) if (Number.isNaN(value)) missing++;
    this.missing = missing;
  }

  get length(): number {
    return this.values.length;
  }

  at(i: number): number | null {
    checkRow(i, this.length);
    const value = this.values[i]!;
    return Number.isNaN(value) ? null : value;
  }

  toArray(): (number | null)[] {
    return Array.from(this.values, (value) => (Number.isNaN(value) ? null : value));
  }

  selectRows(chosen: ArrayLike<number>): NumericColumn {
    checkList("Column.selectRows", "indices", chosen);
    return new NumericColumn(Float64Array.from(chosen, (i) => this.values[i]!));
  }
}

/** Text from a dictionary. Entry i is `categories[codes[i]]`; a missing entry has code −1. */
export class CategoricalColumn<V extends string = string> implements ColumnOf<V> {
  readonly kind = "categorical";
  readonly missing: number;
  readonly codes: Int32Array;

  constructor(
    codes: Int32Array,
    /** Distinct values by code unit, so that equal columns have equal codes. */
    readonly categories: readonly V[],
  ) {
    this.codes = asInt32Array(codes) ?? refuseArray("codes", "an Int32Array", codes);
    let missing = 0;
    for (const code of this.codes) if (code === -1) missing++;
    this.missing = missing;
  }

  get length(): number {
    return this.codes.length;
  }

  at(i: number): V | null {
    checkRow(i, this.length);
    return this.categories[this.codes[i]!] ?? null;
  }

  toArray(): (V | null)[] {
    return Array.from(this.codes, (code) => this.categories[code] ?? null);
  }

  /** The categories stay as they are, also those that no chosen row has. */
  selectRows(chosen: ArrayLike<number>): CategoricalColumn<V> {
    checkList("Column.selectRows", "indices", chosen);
    return new CategoricalColumn(
      Int32Array.from(chosen, (i) => this.codes[i]!),
      this.categories,
    );
  }
}

/** The value of a missing entry in a boolean column. */
const ABSENT = 2;

/** Yes or no. In `values` 0 is false, 1 is true and 2 is missing. */
export class BooleanColumn implements ColumnOf<boolean> {
  readonly kind = "boolean";
  readonly missing: number;
  readonly values: Uint8Array;

  constructor(values: Uint8Array) {
    this.values = asBytes(values) ?? refuseArray("values", "a Uint8Array", values);
    let missing = 0;
    for (const value of this.values) if (value === ABSENT) missing++;
    this.missing = missing;
  }

  get length(): number {
    return this.values.length;
  }

  at(i: number): boolean | null {
    checkRow(i, this.length);
    const value = this.values[i];
    return value === ABSENT ? null : value === 1;
  }

  toArray(): (boolean | null)[] {
    return Array.from(this.values, (value) => (value === ABSENT ? null : value === 1));
  }

  selectRows(chosen: ArrayLike<number>): BooleanColumn {
    checkList("Column.selectRows", "indices", chosen);
    return new BooleanColumn(Uint8Array.from(chosen, (i) => this.values[i]!));
  }
}

function refuseArray(subject: string, expected: string, received: unknown): never {
  throw new DataError({ where: "Column", subject, expected, received: show(received) });
}

/** Past the end there is nothing, which is not the same as a missing entry. */
function checkRow(i: number, length: number): void {
  if (Number.isInteger(i) && i >= 0 && i < length) return;
  throw new ShapeError({
    where: "Column.at",
    subject: "the row",
    expected: `from 0 to ${length - 1}`,
    received: show(i),
  });
}

export type Column = NumericColumn | CategoricalColumn | BooleanColumn;

const isMissing = (value: unknown): boolean => value === null || value === undefined || Number.isNaN(value);

/** Builds the column that the values ask for. A column without any value counts as numeric. */
export function readColumn(where: string, name: string, values: ColumnValues | Column): Column {
  if (
    values instanceof NumericColumn ||
    values instanceof CategoricalColumn ||
    values instanceof BooleanColumn
  ) {
    return values;
  }
  if (!isArrayLike(values) || (isTypedArray(values) && isDetached(values))) {
    throw new DataError({
      where,
      subject: `column ${show(name)}`,
      expected: "an array, a typed array or a Column",
      received: show(values),
    });
  }
  const list = values as ArrayLike<unknown>;
  switch (kindOf(where, name, list)) {
    case "string":
      return readCategorical(list);
    case "boolean":
      return new BooleanColumn(Uint8Array.from(list, (v) => (isMissing(v) ? ABSENT : v ? 1 : 0)));
    default:
      return new NumericColumn(Float64Array.from(list, (v) => (isMissing(v) ? Number.NaN : (v as number))));
  }
}

/** The one type that all entries have. */
function kindOf(where: string, name: string, list: ArrayLike<unknown>): "number" | "string" | "boolean" {
  let kind: "number" | "string" | "boolean" | undefined;
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (isMissing(value)) continue;
    const type = typeof value;
    const known = type === "number" || type === "string" || type === "boolean";
    if (known && (kind === undefined || kind === type)) {
      kind = type;
      continue;
    }
    throw new DataError({
      where,
      subject: `column ${show(name)}, row ${i},`,
      expected: kind ? `a ${kind} like the rows before it, or null` : "a number, a string, a boolean or null",
      received: show(value),
    });
  }
  return kind ?? "number";
}

function readCategorical(list: ArrayLike<unknown>): CategoricalColumn {
  const seen = new Set<string>();
  for (let i = 0; i < list.length; i++) if (!isMissing(list[i])) seen.add(list[i] as string);
  const categories = [...seen].sort((a, b) => (a < b ? -1 : 1));
  const codes = new Map<unknown, number>(categories.map((category, code) => [category, code]));
  return new CategoricalColumn(
    Int32Array.from(list, (value) => codes.get(value) ?? -1),
    Object.freeze(categories),
  );
}
