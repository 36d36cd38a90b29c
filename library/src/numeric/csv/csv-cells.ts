import { countBreaks, findFields, readCategories, readDays, readNumbers } from "../generated/csv.js";
import {
  BAD_WIDTH,
  csvFileBytes,
  csvFileI32,
  csvFileUsize,
  DONE,
  FULL,
  NOT_CLOSED,
  PADDING,
  TEXT_AFTER_QUOTE,
} from "../generated/csv.layout.js";
import { type Arena, type F64, type I32, withArena } from "../runtime/arena.js";
import { MixedFields } from "../runtime/fields.js";
import type { Address, Call } from "../runtime/kernels.js";

/** How a file is written. */
export interface Dialect {
  /** Codes of single bytes; a quote of 256 stands for no quotes. */
  readonly delimiter: number;
  readonly quote: number;
  /** Leave out blanks around cells that are not quoted. */
  readonly trim: boolean;
}

/** What is wrong with a row: where it starts, and its width. */
export interface BadRow {
  readonly at: number;
  readonly width: number;
}

/** What is wrong with a file: a cell whose quote has no end, or one that is followed by something else. */
export interface BadQuote {
  readonly fault: "not closed" | "text after it";
  /** The quote that opens the cell, or the one that closes it. */
  readonly at: number;
}

/** Cells that a sample has room for at first. */
const SAMPLE_CELLS = 4096;
const NEWLINE = 10;

const places = { ...csvFileI32, ...csvFileUsize };

/** The bytes of a CSV file in the kernels' memory. */
export class CsvText {
  readonly length: number;
  /** For `CsvCells`. */
  readonly ptr: Address;

  constructor(
    readonly arena: Arena,
    bytes: Uint8Array,
  ) {
    // The last row may lack its line break; what follows is read, but means nothing.
    const endsRow = bytes.at(-1) === NEWLINE;
    this.length = bytes.length + (endsRow ? 0 : 1);
    const text = arena.u8(bytes.length + 1 + PADDING);
    text.array.set(bytes);
    text.array.fill(NEWLINE, bytes.length);
    this.ptr = text.ptr;
  }
}

/**
 * The cells of a file by RFC 4180: divided by the delimiter, rows by a line break; a cell in quotes may have both inside, and quotes
 * if doubled. Lines without anything are passed over, and rows of another width than the first are listed. Cell f is
 * bytes[starts[f]] … bytes[ends[f] − 1], without quotes; if it has doubled quotes inside, its end is stored as ~end.
 */
export class CsvCells {
  readonly rows: number;
  readonly cols: number;
  readonly badRows: readonly BadRow[];
  readonly badQuote: BadQuote | undefined;
  readonly #file: MixedFields<never, keyof typeof places>;
  readonly #starts: I32;
  readonly #ends: I32;

  /** All rows, or the first `most`, rows of another width included. */
  constructor(
    readonly text: CsvText,
    dialect: Dialect,
    most = 2 ** 31 - 1,
  ) {
    const { arena, length } = text;
    const isSample = most < length;
    let capacity = isSample
      ? SAMPLE_CELLS
      : arena.heap.call(countBreaks({ text: text.ptr, length, delimiter: dialect.delimiter }));
    let [starts, ends] = [arena.i32(capacity), arena.i32(capacity)];
    this.#file = new MixedFields(arena, csvFileBytes, {}, places);
    this.#file.write({
      text: text.ptr,
      length,
      delimiter: dialect.delimiter,
      quote: dialect.quote,
      trim: dialect.trim ? 1 : 0,
      starts: starts.ptr,
      ends: ends.ptr,
      capacity,
      at: 0,
      cells: 0,
      rows: 0,
      cols: -1,
    });
    const badRows: BadRow[] = [];
    const find = () => arena.heap.call(findFields({ file: this.#file.ptr, most: most - badRows.length }));
    let outcome = find();
    for (; outcome === FULL || outcome === BAD_WIDTH; outcome = find()) {
      if (outcome === BAD_WIDTH)
        badRows.push({ at: this.#file.get("wrongAt"), width: this.#file.get("width") });
      else {
        capacity *= 2;
        const longer = [arena.i32(capacity), arena.i32(capacity)] as [I32, I32];
        longer[0].array.set(starts.array);
        longer[1].array.set(ends.array);
        [starts, ends] = longer;
        this.#file.write({ starts: starts.ptr, ends: ends.ptr, capacity });
      }
    }
    this.rows = this.#file.get("rows");
    this.cols = Math.max(0, this.#file.get("cols"));
    this.badRows = badRows;
    this.badQuote =
      outcome === DONE ? undefined : { fault: faults.get(outcome)!, at: this.#file.get("wrongAt") };
    this.#starts = starts;
    this.#ends = ends;
  }

  /** Views that are valid until the next allocation, as is `ends`: reading a column allocates. */
  get starts(): Int32Array<ArrayBufferLike> {
    return this.#starts.array.subarray(0, this.rows * this.cols);
  }

  get ends(): Int32Array<ArrayBufferLike> {
    return this.#ends.array.subarray(0, this.rows * this.cols);
  }

  /**
   * Column `col` as numbers, from row `first` of the file on. A cell that is not a plain number is read by `other`, which gets its row after
   * `first`; undefined ends everything, and that row is the result. `exactly`: integers of more than 15 digits or with a zero in
   * front are such cells, too.
   */
  numbers(col: number, first: number, rules: NumberRules, other: OtherCell): Float64Array | number {
    const { mark, exactly, emptyIsMissing } = rules;
    return this.#column(first, other, (from, rows, out) =>
      readNumbers({
        file: this.#file.ptr,
        col,
        first,
        from,
        rows,
        mark,
        exactly: Number(exactly),
        emptyIsMissing: Number(emptyIsMissing),
        out: out.ptr,
      }),
    );
  }

  /** Column `col` as days YYYY-MM-DD, in milliseconds since 1970; other cells as in `numbers`. */
  days(col: number, first: number, emptyIsMissing: boolean, other: OtherCell): Float64Array | number {
    return this.#column(first, other, (from, rows, out) =>
      readDays({
        file: this.#file.ptr,
        col,
        first,
        from,
        rows,
        emptyIsMissing: Number(emptyIsMissing),
        out: out.ptr,
      }),
    );
  }

  /**
   * Different cells of column `col`, from row `first` of the file on, numbered as they appear: the number of every row's, and the first
   * cell of each. Undefined if there are more than `most`.
   */
  categories(
    col: number,
    first: number,
    most: number,
  ): { readonly codes: Int32Array; readonly cells: Int32Array } | undefined {
    const rows = this.rows - first;
    const limit = Math.max(1, Math.min(most, rows));
    return withArena(this.text.arena.where, (scratch) => {
      const [codes, hashes, cells] = [scratch.i32(rows), scratch.i32(limit), scratch.i32(limit)];
      // The table of hashes doubles while it is more than half full.
      const slots = scratch.i32(Math.max(256, 4 * limit));
      const count = scratch.heap.call(
        readCategories({
          file: this.#file.ptr,
          col,
          first,
          rows,
          most: limit,
          codes: codes.ptr,
          slots: slots.ptr,
          hashes: hashes.ptr,
          places: cells.ptr,
        }),
      );
      return count < 0 ? undefined : { codes: codes.array.slice(), cells: cells.array.slice(0, count) };
    });
  }

  #column(
    first: number,
    other: OtherCell,
    kernel: (from: number, rows: number, out: F64) => Call,
  ): Float64Array | number {
    const rows = this.rows - first;
    return withArena(this.text.arena.where, (scratch) => {
      const out = scratch.f64(rows);
      const read = (from: number) => scratch.heap.call(kernel(from, rows, out));
      for (let row = read(0); row < rows; row = read(row + 1)) {
        const value = other(row);
        if (value === undefined) return row;
        out.array[row] = value;
      }
      return out.array.slice();
    });
  }
}

const faults = new Map<number, BadQuote["fault"]>([
  [NOT_CLOSED, "not closed"],
  [TEXT_AFTER_QUOTE, "text after it"],
]);

export interface NumberRules {
  /** Code of what stands before the fraction. */
  readonly mark: number;
  readonly exactly: boolean;
  /** An empty cell is NaN. */
  readonly emptyIsMissing: boolean;
}

/** Reads the cell of a row; undefined if it cannot. */
export type OtherCell = (row: number) => number | undefined;
