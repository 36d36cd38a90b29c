import { Matrix } from "argmax";
import type { SampledRows } from "argmax/sums";
import type { CentredColumns } from "./objective.js";

/** Rows of the largest sample: a minimum of that many is near that of all. */
const MOST_ROWS = 65_536;
/** Numbers of the largest sample. */
const MOST_NUMBERS = 4e6;
/** A sample is this much smaller than the rows at least, and has this many rows per coefficient. */
const [WORTH, ROWS_PER_COEFFICIENT] = [4, 50];

/**
 * The first rows of a source, which cost little to read: where minimisers start. They need not be like the others. A solver that knows no
 * Hessian (`isBlind`) asks for a hundred passes without them, which all rows of a small table save it.
 */
export async function sampleOf(
  { rows, u }: CentredColumns,
  coefficients: number,
  total: number,
  isBlind: boolean,
): Promise<SampledRows | undefined> {
  const all = rows.passes.rows;
  const most = Math.floor(Math.min(all / (isBlind ? 1 : WORTH), MOST_ROWS, MOST_NUMBERS / (u.length + 1)));
  if (most < ROWS_PER_COEFFICIENT * coefficients && !(isBlind && most === all)) return undefined;
  const numbers = await rows.first(most, [...u, rows.target!.value, rows.weight]);
  if (numbers === undefined) return undefined;
  const [y, weights] = [numbers.at(-2)!, numbers.at(-1)!];
  const x = new Matrix(new Float64Array(y.length * u.length), y.length, u.length);
  numbers.slice(0, u.length).forEach((column, j) => {
    for (let i = 0; i < y.length; i++) x.data[i * u.length + j] = column[i]!;
  });
  const sampled = weights.reduce((sum, w) => sum + w, 0);
  if (!(sampled > 0) || !x.data.every(Number.isFinite) || !y.every(Number.isFinite)) return undefined;
  return { x, y, weights: rows.isWeighted ? weights : undefined, factor: total / sampled };
}
