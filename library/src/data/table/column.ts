import { DataError, ShapeError, show } from "../../core/errors.js";
import { checkList } from "../../core/labels.js";
import { areFinite } from "../../core/numbers/finite.js";
import {
  asBytes,
  asFloat64Array,
  asInt32Array,
  isArrayLike,
  isDetached,
  isTypedArray,
} from "../../core/numbers/typed-arrays.js";

/** What a cell may hold; `null` is "missing". */
export type Cell = number | string | boolean | Date;

/** Values as a caller holds them: `null` and `undefined` are missing, and so are NaN among numbers and invalid dates. */
export type ColumnValues =
  | ArrayLike<number | null | undefined>
  | ArrayLike<string | null | undefined>
  | ArrayLike<boolean | null | undefined>
  | ArrayLike<Date | null | undefined>;

interface ColumnOf<V extends Cell, E = V> {
  readonly length: number;
  /** How many entries are missing. */
  readonly missing: number;
  /** Entry i, or null where it is missing. */
  at(i: number): V | null;
  toArray(): (E | null)[];
}

/** Numbers. A missing entry is NaN in `values`. */
export class NumericColumn implements ColumnOf<number> {
  readonly kind = "numeric";
  readonly missing: number;
  /** How many entries are ±∞, which most models refuse. */
  readonly infinite: number;
  readonly values: Float64Array;

  constructor(values: Float64Array) {
    this.values = asFloat64Array(values) ?? refuseArray("values", "a Float64Array", values);
    const finite = areFinite(this.values);
    this.missing = finite ? 0 : countMissing(this.values);
    this.infinite = finite ? 0 : countInfinite(this.values);
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
    return new NumericColumn(chosenInto(chosen, this.values, new Float64Array(countRows(chosen, this))));
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
    checkList("CategoricalColumn", "categories", categories);
    const count = categories.length;
    let missing = 0;
    for (let i = 0; i < this.codes.length; i++) {
      const code = this.codes[i]!;
      if (code < -1 || code >= count) refuseCode(code, i, count);
      if (code < 0) missing++;
    }
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
    const codes = chosenInto(chosen, this.codes, new Int32Array(countRows(chosen, this)));
    return new CategoricalColumn(codes, this.categories);
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
    for (let i = 0; i < this.values.length; i++) {
      if (this.values[i]! < ABSENT) continue;
      if (this.values[i] !== ABSENT) refuseFlag(this.values[i]!, i);
      missing++;
    }
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
    return new BooleanColumn(chosenInto(chosen, this.values, new Uint8Array(countRows(chosen, this))));
  }
}

/** Points in time. In `values` they are milliseconds since 1970 in UTC; a missing entry is NaN. */
export class DateColumn implements ColumnOf<Date, number> {
  readonly kind = "date";
  readonly missing: number;
  readonly values: Float64Array;

  constructor(values: Float64Array) {
    this.values = asFloat64Array(values) ?? refuseArray("values", "a Float64Array", values);
    this.missing = countMissing(this.values);
  }

  get length(): number {
    return this.values.length;
  }

  at(i: number): Date | null {
    checkRow(i, this.length);
    const value = this.values[i]!;
    return Number.isNaN(value) ? null : new Date(value);
  }

  /** Milliseconds since 1970 in UTC; `toDates` gives dates. */
  toArray(): (number | null)[] {
    return Array.from(this.values, (value) => (Number.isNaN(value) ? null : value));
  }

  toDates(): (Date | null)[] {
    return Array.from(this.values, (value) => (Number.isNaN(value) ? null : new Date(value)));
  }

  selectRows(chosen: ArrayLike<number>): DateColumn {
    return new DateColumn(chosenInto(chosen, this.values, new Float64Array(countRows(chosen, this))));
  }
}

/** Free text (names, reviews), which is not made of categories. A missing entry is null. */
export class TextColumn implements ColumnOf<string> {
  readonly kind = "text";
  readonly missing: number;
  readonly values: readonly (string | null)[];

  constructor(values: ArrayLike<string | null | undefined>) {
    checkList("TextColumn", "values", values);
    this.values = Object.freeze(Array.from(values, (value, i) => readText(value, i)));
    let missing = 0;
    for (const value of this.values) if (value === null) missing++;
    this.missing = missing;
  }

  get length(): number {
    return this.values.length;
  }

  at(i: number): string | null {
    checkRow(i, this.length);
    return this.values[i]!;
  }

  toArray(): (string | null)[] {
    return [...this.values];
  }

  selectRows(chosen: ArrayLike<number>): TextColumn {
    countRows(chosen, this);
    return new TextColumn(Array.from(chosen, (i) => this.values[i]!));
  }
}

function readText(value: unknown, i: number): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  throw new DataError("TextColumn", `values[${i}]`, "a string or null", show(value));
}

function countMissing(values: Float64Array): number {
  let missing = 0;
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) missing++;
  return missing;
}

function countInfinite(values: Float64Array): number {
  let infinite = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) === Number.POSITIVE_INFINITY) infinite++;
  return infinite;
}

function refuseArray(subject: string, expected: string, received: unknown): never {
  throw new DataError("Column", subject, expected, show(received));
}

function refuseCode(code: number, i: number, count: number): never {
  const expected = `below ${count}, the number of categories, or -1 where the entry is missing`;
  throw new DataError("CategoricalColumn", `codes[${i}]`, expected, show(code));
}

function refuseFlag(value: number, i: number): never {
  throw new DataError("BooleanColumn", `values[${i}]`, "0, 1 or 2 (missing)", show(value));
}

/** How many rows are chosen, each of which must be one of the column. */
function countRows(chosen: ArrayLike<number>, { length }: ColumnOf<Cell, unknown>): number {
  checkList("Column.selectRows", "indices", chosen);
  for (let r = 0; r < chosen.length; r++) {
    const i = chosen[r]!;
    if (Number.isInteger(i) && i >= 0 && i < length) continue;
    throw new ShapeError("Column.selectRows", `indices[${r}]`, `a row from 0 to ${length - 1}`, show(i));
  }
  return chosen.length;
}

function chosenInto<A extends Float64Array | Int32Array | Uint8Array>(
  chosen: ArrayLike<number>,
  values: A,
  out: A,
): A {
  for (let r = 0; r < out.length; r++) out[r] = values[chosen[r]!]!;
  return out;
}

/** Past the end there is nothing, which is not the same as a missing entry. */
function checkRow(i: number, length: number): void {
  if (Number.isInteger(i) && i >= 0 && i < length) return;
  throw new ShapeError("Column.at", "the row", `from 0 to ${length - 1}`, show(i));
}

export type Column = NumericColumn | CategoricalColumn | BooleanColumn | DateColumn | TextColumn;

const isDate = (value: unknown): value is Date =>
  typeof value === "object" && Object.prototype.toString.call(value) === "[object Date]";

const isMissing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  Number.isNaN(value) ||
  (isDate(value) && Number.isNaN(value.getTime()));

/** Builds the column that the values ask for. A column without any value counts as numeric. */
export function readColumn(where: string, name: string, values: ColumnValues | Column): Column {
  if (
    values instanceof NumericColumn ||
    values instanceof CategoricalColumn ||
    values instanceof BooleanColumn ||
    values instanceof DateColumn ||
    values instanceof TextColumn
  ) {
    return values;
  }
  if (!isArrayLike(values) || (isTypedArray(values) && isDetached(values))) {
    throw new DataError(where, `column ${show(name)}`, "an array, a typed array or a Column", show(values));
  }
  const list = values as ArrayLike<unknown>;
  // All entries of a typed array are of one type, and NaN is a gap already.
  if (isTypedArray(values) && typeof values[0] === "number")
    return new NumericColumn(new Float64Array(values));
  switch (kindOf(where, name, list)) {
    case "string":
      return readCategorical(list);
    case "boolean": {
      const flags = new Uint8Array(list.length);
      for (let i = 0; i < flags.length; i++) flags[i] = isMissing(list[i]) ? ABSENT : list[i] ? 1 : 0;
      return new BooleanColumn(flags);
    }
    case "date":
      return new DateColumn(numbersOf(list, (value) => (value as Date).getTime()));
    default:
      return new NumericColumn(numbersOf(list, (value) => value as number));
  }
}

/** NaN where an entry is missing. */
function numbersOf(list: ArrayLike<unknown>, numberOf: (value: unknown) => number): Float64Array {
  const out = new Float64Array(list.length);
  for (let i = 0; i < out.length; i++) out[i] = isMissing(list[i]) ? Number.NaN : numberOf(list[i]);
  return out;
}

/** The one type that all entries have. */
function kindOf(
  where: string,
  name: string,
  list: ArrayLike<unknown>,
): "number" | "string" | "boolean" | "date" {
  let kind: "number" | "string" | "boolean" | "date" | undefined;
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    // Almost all of them; numbers may be NaN, which is fine too.
    if (typeof value === kind || isMissing(value)) continue;
    const type = isDate(value) ? "date" : typeof value;
    const known = type === "number" || type === "string" || type === "boolean" || type === "date";
    if (known && (kind === undefined || kind === type)) {
      kind = type;
      continue;
    }
    throw new DataError({
      where,
      subject: `column ${show(name)}, row ${i},`,
      expected: kind
        ? `a ${kind} like the rows before it, or null`
        : "a number, a string, a boolean, a Date or null",
      received: show(value),
    });
  }
  return kind ?? "number";
}

/** The number of a value: that of its first occurrence. */
export function codeIn<T>(known: Map<T, number>, value: T): number {
  let code = known.get(value);
  if (code === undefined) {
    code = known.size;
    known.set(value, code);
  }
  return code;
}

function readCategorical(list: ArrayLike<unknown>): CategoricalColumn {
  const known = new Map<string, number>();
  const codes = new Int32Array(list.length);
  for (let i = 0; i < codes.length; i++) {
    const value = list[i];
    if (typeof value !== "string") {
      codes[i] = -1;
      continue;
    }
    codes[i] = codeIn(known, value);
  }
  const categories = [...known.keys()].sort((a, b) => (a < b ? -1 : 1));
  const ranks = new Int32Array(categories.length);
  for (const [rank, category] of categories.entries()) ranks[known.get(category)!] = rank;
  for (let i = 0; i < codes.length; i++) if (codes[i]! >= 0) codes[i] = ranks[codes[i]!]!;
  return new CategoricalColumn(codes, Object.freeze(categories));
}
