import { Matrix } from "argmax";
import {
  call,
  compare,
  type Expression,
  multiply,
  number,
  subtract,
  sum,
} from "../expressions/expression.js";
import type { TrainingRows } from "../rows/training-rows.js";

/** Rows of X in memory. */
export interface Sample {
  readonly x: Matrix;
  readonly weights: Float64Array | undefined;
}

/** Numbers of the largest sample. */
const MOST_NUMBERS = 2e6;
const MOST_ROWS = 50_000;

/** How many rows a sample of X has, at most. */
const sampleSize = (cols: number): number => Math.floor(Math.min(MOST_ROWS, MOST_NUMBERS / cols));

/**
 * About so many rows from all over the source: those whose numbers happen to be mapped near 0, so that the same rows are drawn wherever they
 * lie. All of them, if there are few.
 */
export async function scatteredSample(
  rows: TrainingRows,
  centres: Float64Array,
  spread: Float64Array,
): Promise<Sample> {
  const { x } = rows;
  const most = sampleSize(x.length);
  const all = rows.passes.rows;
  const share = (1.1 * most) / all;
  const test = share >= 1 ? undefined : compare(fractionOf(x, centres, spread), "<", number(share));
  const found = await rows.first(most, [...x, rows.weight], { test });
  const columns = found ?? x.map(() => new Float64Array());
  const weights = columns.at(-1)!;
  const n = weights.length;
  const data = new Float64Array(n * x.length);
  for (let j = 0; j < x.length; j++) for (let i = 0; i < n; i++) data[i * x.length + j] = columns[j]![i]!;
  return { x: new Matrix(data, n, x.length), weights: rows.isWeighted ? weights : undefined };
}

/** Every so many-th of the rows that pass by. */
export class SampleKeeper {
  readonly #every: number;
  readonly #columns: number[][];
  #next = 0;

  /** Of rows with so many columns, of which the first d are X. */
  constructor(
    columns: number,
    private readonly d: number,
    rows: number,
  ) {
    this.#every = Math.max(1, Math.ceil(rows / sampleSize(d)));
    this.#columns = Array.from({ length: columns }, () => []);
  }

  add(block: readonly Float64Array[]): void {
    const n = block[0]!.length;
    let i = this.#next;
    for (; i < n; i += this.#every) for (const [c, kept] of this.#columns.entries()) kept.push(block[c]![i]!);
    this.#next = i - n;
  }

  sample(isWeighted: boolean): Sample {
    const d = this.d;
    const n = this.#columns[0]!.length;
    const data = new Float64Array(n * d);
    for (let j = 0; j < d; j++) for (let i = 0; i < n; i++) data[i * d + j] = this.#columns[j]![i]!;
    return {
      x: new Matrix(data, n, d),
      weights: isWeighted ? Float64Array.from(this.#columns[d]!) : undefined,
    };
  }
}

/** A number from 0 to 1 per row that looks random: far digits of a sine. */
function fractionOf(x: readonly Expression[], centres: Float64Array, spread: Float64Array): Expression {
  const terms = x.map((e, j) => {
    const scale = (1 + ((j * Math.SQRT2) % 1)) / (spread[j]! || 1);
    return multiply(number(scale), subtract(e, number(centres[j]!)));
  });
  const far = multiply(number(43_758.5453), call("sin", sum(terms)));
  return subtract(far, call("floor", far));
}
