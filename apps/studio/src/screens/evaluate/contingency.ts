/** Rows by cluster and by category. */
export interface Contingency {
  /** Ascending; −1 is noise. */
  readonly clusters: readonly number[];
  /** Codes that occur, ascending; −1 is missing. */
  readonly used: readonly number[];
  readonly counts: Float64Array;
  readonly adjustedRand: number;
}

/** `rows[e]` is the row of the table that `clusters[e]` is about, `codes` are those of the table's column. */
export function contingencyOf(
  predicted: ArrayLike<number>,
  rows: ArrayLike<number>,
  codes: ArrayLike<number>,
): Contingency {
  const n = predicted.length;
  const code = (e: number) => codes[rows[e]!] ?? -1;
  const distinct = (of: (e: number) => number) =>
    [...new Set(Array.from({ length: n }, (_, e) => of(e)))].sort((a, b) => a - b);
  const clusters = distinct((e) => predicted[e]!);
  const used = distinct(code);
  const rowOf = new Map(clusters.map((cluster, r) => [cluster, r]));
  const columnOf = new Map(used.map((one, c) => [one, c]));
  const counts = new Float64Array(clusters.length * used.length);
  for (let e = 0; e < n; e++) counts[rowOf.get(predicted[e]!)! * used.length + columnOf.get(code(e))!]!++;
  return { clusters, used, counts, adjustedRand: adjustedRandOf(counts, clusters.length, used.length, n) };
}

const pairs = (count: number): number => (count * (count - 1)) / 2;

/** [Hubert & Arabie 1985]; 1 where both partitions are trivial. */
function adjustedRandOf(counts: Float64Array, rows: number, cols: number, n: number): number {
  const rowSums = new Float64Array(rows);
  const colSums = new Float64Array(cols);
  let together = 0;
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < cols; c++) {
      const count = counts[r * cols + c]!;
      together += pairs(count);
      rowSums[r]! += count;
      colSums[c]! += count;
    }
  const a = rowSums.reduce((sum, count) => sum + pairs(count), 0);
  const b = colSums.reduce((sum, count) => sum + pairs(count), 0);
  const expected = n < 2 ? 0 : (a * b) / pairs(n);
  const most = (a + b) / 2;
  return most === expected ? 1 : (together - expected) / (most - expected);
}
