import { maxOf } from "../../core/numbers/extremes.js";
import type { Matrix } from "../../data/matrix.js";
import type { Arena, I32 } from "../runtime/arena.js";

/**
 * Categorical columns for wasm/trees/trees.layout.ts: the rank of a category is its index among the codes that occur in the column, ascending;
 * missing values have the last rank.
 */
export class CategoryRanks {
  /** Number of ranks per column; 0 for a numeric one. */
  readonly counts: I32;
  /** The largest number of ranks of a column. */
  readonly most: number;
  readonly #narrow: boolean;
  readonly #ranks: number;
  readonly #starts: I32;
  readonly #codes: I32;

  /** `categories`: the largest code + 1 of each categorical column; 0 for a numeric one. */
  constructor(arena: Arena, x: Matrix, categories: Int32Array) {
    const { rows, cols } = x;
    const codes = Array.from(categories, (most, j) => (most > 0 ? codesOf(x, j) : null));
    const counts = codes.map((own) => (own ? own.length + 1 : 0));
    this.counts = arena.copyI32(Int32Array.from(counts));
    this.most = maxOf(counts, 0);
    const starts = counts.map((_, j) => counts.slice(0, j).reduce((sum, count) => sum + count, 0));
    this.#starts = arena.copyI32(Int32Array.from(starts));
    this.#codes = arena.copyI32(Int32Array.from(codes.flatMap((own) => (own ? [...own, -1] : []))));
    this.#narrow = this.most <= 2 ** 16;
    const cells = this.most === 0 ? 0 : rows * cols;
    const ranks = this.#narrow ? arena.u16(cells) : arena.i32(cells);
    this.#ranks = ranks.ptr;
    const { array } = ranks;
    for (const [j, own] of codes.entries()) if (own) ranksInto(x, j, own, array);
  }

  /** The fields of a task. */
  get fields() {
    return {
      categories: this.counts.ptr,
      maxCategories: this.most,
      ranks: this.#ranks,
      narrowRanks: this.#narrow ? 1 : 0,
      codeStarts: this.#starts.ptr,
      categoryCodes: this.#codes.ptr,
    };
  }
}

/** The codes that occur in a column, ascending. */
function codesOf({ data, rows, cols }: Matrix, column: number): Int32Array {
  const seen = new Set<number>();
  let last = Number.NaN;
  for (let at = column; at < rows * cols; at += cols) {
    const code = data[at]!;
    if (code === last || Number.isNaN(code)) continue;
    seen.add(code);
    last = code;
  }
  return Int32Array.from(seen).sort();
}

function ranksInto(
  { data, rows, cols }: Matrix,
  column: number,
  codes: Int32Array,
  out: Uint16Array<ArrayBufferLike> | Int32Array<ArrayBufferLike>,
): void {
  const rankOf = new Map(Array.from(codes, (code, rank) => [code, rank]));
  const own = out.subarray(column * rows);
  for (let i = 0; i < rows; i++) own[i] = rankOf.get(data[i * cols + column]!) ?? codes.length;
}
