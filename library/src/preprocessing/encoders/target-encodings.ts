/** The codes of one column and the targets of its rows. */
export interface CodedTargets {
  /** The category of every row, from 0; −1 for one that fit has not seen. */
  readonly codes: Int32Array;
  readonly categories: number;
  /** A number per row: y, or 1 for rows of a class and 0 for others. */
  readonly targets: Float64Array;
  /** The rows to learn from. */
  readonly rows: Int32Array;
}

export interface MeanAndVariance {
  readonly mean: number;
  readonly variance: number;
}

/** Mean and population variance of the targets of these rows. */
export function momentsOf(targets: Float64Array, rows: Int32Array): MeanAndVariance {
  let sum = 0;
  for (const i of rows) sum += targets[i]!;
  const mean = sum / rows.length;
  let squares = 0;
  for (const i of rows) squares += (targets[i]! - mean) ** 2;
  return { mean, variance: squares / rows.length };
}

/** The encoding of every category. One without rows gets the mean of all. */
export function encodingsOf(
  { codes, categories, targets, rows }: CodedTargets,
  { mean, variance }: MeanAndVariance,
  smooth: number | "auto",
): Float64Array {
  const sums = new Float64Array(categories);
  const counts = new Float64Array(categories);
  for (const i of rows) {
    const code = codes[i]!;
    if (code < 0) continue;
    sums[code]! += targets[i]!;
    counts[code]!++;
  }
  if (smooth !== "auto") return encodingsOfSums({ counts, sums }, { mean, variance }, smooth);
  const means = sums.map((sum, k) => sum / counts[k]!);
  const squares = new Float64Array(categories);
  for (const i of rows) if (codes[i]! >= 0) squares[codes[i]!]! += (targets[i]! - means[codes[i]!]!) ** 2;
  return encodingsOfSums({ counts, sums, squares }, { mean, variance }, smooth);
}

/** Sums of the targets of each category. */
export interface CategorySums {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** Σ (target − mean of the category)², for smooth "auto". */
  readonly squares?: Float64Array | undefined;
}

export function encodingsOfSums(
  { counts, sums, squares }: CategorySums,
  { mean, variance }: MeanAndVariance,
  smooth: number | "auto",
): Float64Array {
  if (smooth !== "auto")
    return sums.map((sum, k) =>
      counts[k]! + smooth > 0 ? (sum + smooth * mean) / (counts[k]! + smooth) : mean,
    );
  return sums.map((sum, k) => {
    const between = variance * counts[k]!;
    const lambda = between / (between + squares![k]! / counts[k]!);
    // 0 / 0 where a category has no rows, or all targets are the same.
    return Number.isNaN(lambda) ? mean : lambda * (sum / counts[k]!) + (1 - lambda) * mean;
  });
}
