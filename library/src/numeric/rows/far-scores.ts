import { largestSize } from "./unit-scale.js";

/** Scores never exceed this, so that differences of two stay finite. */
export const LARGEST_SCORE = 1e300;

/** Visits the rows (of `cols` scores each) that have a score beyond `LARGEST_SCORE`, or NaN. */
export function forEachFarRow(
  scores: Float64Array,
  cols: number,
  visit: (i: number, row: Float64Array) => void,
): void {
  for (let e = 0; e < scores.length; e++) {
    if (Math.abs(scores[e]!) < LARGEST_SCORE) continue;
    const i = Math.floor(e / cols);
    visit(i, scores.subarray(i * cols, (i + 1) * cols));
    e = (i + 1) * cols - 1;
  }
}

/** Scores in the same proportions, as large as they may be. */
export function stretchInto(out: Float64Array): void {
  const top = largestSize(out);
  for (let k = 0; k < out.length; k++) out[k] = (out[k]! / top) * LARGEST_SCORE;
}
