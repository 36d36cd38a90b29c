import { BINNED_ROWS, Matrix } from "argmax/sums";
import {
  both,
  call,
  compare,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
} from "../../expressions/expression.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import type { TableRows } from "./table-rows.js";

/** Rows in a first look at the columns. */
const LOOK = 1000;
/** A column tells rows apart if so many of these have values of their own. */
const TELLING = 0.9;
/** Columns in a hash: more of them only take time. */
const HASHED = 2;
/** Rows per block. */
const BLOCK = 20_000;
/** (√5 − 1) / 2: its multiples are spread evenly over the unit interval (Knuth, The Art of Computer Programming 3, 6.4). */
const GOLDEN = 0.6180339887498949;
/** Steps into which the spread of a column is divided. */
const STEPS = 2 ** 20;

/** The rows that bins are learned from: all, or about as many as in memory, of those whose place is not below `from`. */
export async function sampleOf(
  { rows, x }: TableRows,
  count: number,
  place: Expression | undefined,
  from: number,
): Promise<Matrix> {
  // Somewhat fewer than are kept at most, since the number drawn is random.
  const share = Math.min(1, (0.98 * BINNED_ROWS) / count);
  const tests = [
    ...(from > 0 ? [compare(place!, ">=", number(from))] : []),
    ...(count > BINNED_ROWS ? [compare(place!, "<", number(from + (1 - from) * share))] : []),
  ];
  const test = tests.length > 0 ? both(...tests) : undefined;
  const d = x.length;
  const data = new Float64Array(Math.min(count, BINNED_ROWS) * d);
  let filled = 0;
  for await (const block of rows.blocks(BLOCK, x, { limit: BINNED_ROWS, test })) {
    for (const [j, values] of block.entries())
      for (let i = 0, e = filled * d + j; i < values.length; i++, e += d) data[e] = values[i]!;
    filled += block[0]!.length;
  }
  if (count <= BINNED_ROWS) rows.passes.requireRows(filled, count);
  return new Matrix(data.subarray(0, filled * d), filled, d);
}

/**
 * A number from 0 to 1 per row, the same whenever the row is read: of a column of numbers that are nearly all different, where a multiple far finer than its spread falls between
 * whole numbers; else a hash of the columns that differ most.
 */
export async function placeOfRow(rows: TrainingRows, x: readonly Expression[]): Promise<Expression> {
  const columns = rows.target!.classes.length > 0 ? x : [...x, rows.target!.value];
  const look = (await rows.first(LOOK, columns)) ?? [];
  const counts = look.map((column) => new Set(column).size);
  const order = [...counts.keys()].sort((a, b) => counts[b]! - counts[a]!);
  const first = order[0]!;
  if (counts[first]! > TELLING * look[0]!.length && !look[first]!.some(Number.isNaN)) {
    const values = look[first]!.slice().sort();
    const spread = values[Math.floor(0.75 * values.length)]! - values[Math.floor(0.25 * values.length)]!;
    const multiple = shared(multiply(columns[first]!, number((GOLDEN * STEPS) / spread)));
    if (spread > 0) return subtract(multiple, call("floor", multiple));
  }
  const of = order.slice(0, HASHED).map((j) => columns[j]!);
  return divide({ kind: "hash", of }, number(2 ** 32));
}
