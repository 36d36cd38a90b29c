import type { TableInput } from "argmax";
import {
  type ColumnType,
  type Condition,
  choose,
  compare,
  type Expression,
  either,
  isIn,
  isNull,
  nothing,
  number,
  text,
  when,
} from "../expressions/expression.js";

import type { GroupKey } from "../expressions/sums.js";

/** A cell of a table that is not a gap. */
type Known = string | number | boolean;

/** What a column holds, as encoders see it: dates are numbers. */
export type CellKind = "numeric" | "categorical" | "boolean";

/** A column on its way through the steps of a model: as a number, or compared with cells of a table. */
export interface Cells {
  /** NULL for gaps. */
  readonly number: Expression;
  readonly kind: CellKind;
  /** Whether it is a column of dates, whose numbers are milliseconds. */
  readonly isDate: boolean;
  /** The cell itself, as a key of groups. */
  readonly key: GroupKey;
  isGap(): Condition;
  /** Whether the cell is one of these. */
  isOneOf(cells: readonly Known[]): Condition;
  /** With another cell for gaps. */
  filled(cell: Known): Cells;
  /** As a model reads it that was fitted to a table with such a column. */
  readAs(given: TableInput): Cells;
  /** Of a column of categories that the model itself reads: their names, whose places are its numbers. */
  readonly categories?: readonly string[] | undefined;
  /** Of a column of the source that no step has changed. */
  readonly given?: GivenColumn | undefined;
}

/** A column of the source. */
export interface GivenColumn {
  readonly type: ColumnType | undefined;
  readonly text: Expression;
}

/** A column that is a number by now. */
export const numbers = (e: Expression): Cells => {
  const own: Cells = {
    number: e,
    kind: "numeric",
    isDate: false,
    key: { of: e, type: "number" },
    isGap: () => isNull(e),
    isOneOf: (cells) =>
      isIn(
        e,
        cells.map((cell) => number(Number(cell))),
      ),
    filled: (cell) => numbers(choose([{ test: isNull(e), value: number(Number(cell)) }], e)),
    readAs: () => own,
  };
  return own;
};

type ColumnOf = (as: "number" | "text" | "any", type: ColumnType | undefined) => Expression;

/** How databases write NaN as text. */
const NOT_A_NUMBER = ["nan", "NaN"].map(text);

/** A column of the table, of which numbers and text are taken as they are needed. */
export class InputCells implements Cells {
  readonly categories: readonly string[] | undefined;
  readonly #column: ColumnOf;
  readonly #type: ColumnType | undefined;

  constructor(column: ColumnOf, type: ColumnType | undefined, categories?: readonly string[]) {
    this.#column = column;
    this.#type = type;
    this.categories = categories;
  }

  get given(): GivenColumn {
    return { type: this.#type, text: this.#as("text") };
  }

  readAs({ kind, categories }: TableInput): Cells {
    if (kind !== "categorical")
      return new InputCells(this.#column, this.#type ?? (kind === "boolean" ? kind : "number"));
    return new InputCells(this.#column, this.#type ?? "text", categories);
  }

  get number(): Expression {
    const { categories } = this;
    if (categories === undefined) return this.#as("number");
    return choose(categories.map((name, place) => ({ test: this.isOneOf([name]), value: number(place) })));
  }

  get kind(): CellKind {
    if (this.#type === "text") return "categorical";
    return this.#type === "boolean" ? "boolean" : "numeric";
  }

  get isDate(): boolean {
    return this.#type === "date";
  }

  get key(): GroupKey {
    if (this.#type === "text") return { of: this.#as("text"), type: "text" };
    // A boolean is a key as it is: a number would be another category.
    if (this.#type === "boolean") return { of: this.#as("any"), type: "boolean" };
    return { of: this.#as("number"), type: "number" };
  }

  isGap(): Condition {
    if (this.#type === "number") return isNull(this.#as("number"));
    if (this.#type !== undefined) return isNull(this.#as("any"));
    return either(isNull(this.#as("any")), isIn(this.#as("text"), NOT_A_NUMBER));
  }

  /** Numbers are compared as numbers, whichever way a category is written. */
  isOneOf(cells: readonly Known[]): Condition {
    const type = this.#type ?? typeOf(cells);
    if (type === "text")
      return isIn(
        this.#as("text"),
        cells.map((cell) => text(String(cell))),
      );
    const known = cells.map(Number).filter((value) => !Number.isNaN(value));
    return isIn(this.#column("number", type), known.map(number));
  }

  /** The cell says what kind of column it is, if nothing else does. */
  filled(cell: Known): Cells {
    const type = this.#type ?? typeOf([cell]);
    return new FilledCells(new InputCells(this.#column, type, this.categories), cell);
  }

  #as(kind: "number" | "text" | "any"): Expression {
    return this.#column(kind, this.#type);
  }
}

/** The type of a column that is compared with these cells. */
function typeOf(cells: readonly Known[]): ColumnType {
  if (cells.some((cell) => typeof cell === "string")) return "text";
  return cells.length > 0 && cells.every((cell) => typeof cell === "boolean") ? "boolean" : "number";
}

/** A column whose gaps count as a cell. */
class FilledCells implements Cells {
  constructor(
    private readonly inner: Cells,
    private readonly cell: Known,
  ) {}

  get categories(): readonly string[] | undefined {
    return this.inner.categories;
  }

  get kind(): CellKind {
    return typeof this.cell === "number" ? "numeric" : this.inner.kind;
  }

  get isDate(): boolean {
    return this.inner.isDate;
  }

  get key(): GroupKey {
    if (this.kind === "numeric") return { of: this.number, type: "number" };
    const { of, type } = this.inner.key;
    const filled =
      typeof this.cell === "boolean"
        ? ({ kind: "truth", value: this.cell } as const)
        : text(String(this.cell));
    return { of: when(this.inner.isGap(), filled, of), type };
  }

  readAs(given: TableInput): Cells {
    return new FilledCells(this.inner.readAs(given), this.cell);
  }

  get number(): Expression {
    const { categories } = this;
    const own = categories ? categories.indexOf(String(this.cell)) : Number(this.cell);
    const isUnknown = Number.isNaN(own) || (categories !== undefined && own < 0);
    const value = isUnknown ? nothing : number(own);
    return choose([{ test: this.inner.isGap(), value }], this.inner.number);
  }

  /** There is none: 0 = 1. */
  isGap(): Condition {
    return compare(number(0), "=", number(1));
  }

  isOneOf(cells: readonly Known[]): Condition {
    const own = this.inner.isOneOf(cells);
    return cells.includes(this.cell) ? either(own, this.inner.isGap()) : own;
  }

  filled(): Cells {
    return this;
  }
}
