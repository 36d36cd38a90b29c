/**
 * The triangular factor R of a tall matrix, and Qᵀy, by Householder reflections, a block of rows at a time
 * [Golub & Van Loan 2013, §5.2]: the rows read so far are represented by R, stacked on the next block. Works on A itself,
 * without squaring the condition number: nearly dependent columns are distinguished down to machine precision.
 */
export interface TriangularFactor {
  /** cols × cols, upper triangle, row-major. */
  readonly r: Float64Array;
  /** The first cols entries of Qᵀy, for each right-hand side y. */
  readonly qty: Float64Array;
}

const BLOCK = 256;

/** `row(i, out)` writes [a_i, y_i]: cols numbers, and one per right-hand side. */
export function triangularFactor(
  rows: number,
  cols: number,
  row: (i: number, out: Float64Array) => void,
  sides = 1,
): TriangularFactor {
  const wide = cols + sides;
  // Column-major: column c of the stacked block starts at c · height.
  const height = cols + BLOCK;
  const a = new Float64Array(wide * height);
  const buffer = new Float64Array(wide);
  for (let from = 0; from < rows; from += BLOCK) {
    const count = Math.min(BLOCK, rows - from);
    for (let i = 0; i < count; i++) {
      row(from + i, buffer);
      for (let c = 0; c < wide; c++) a[c * height + cols + i] = buffer[c]!;
    }
    for (let c = 0; c < cols; c++) eliminate(a, height, wide, cols, c, count);
  }
  const r = new Float64Array(cols * cols);
  const qty = new Float64Array(cols * sides);
  for (let i = 0; i < cols; i++) {
    for (let j = i; j < cols; j++) r[i * cols + j] = a[j * height + i]!;
    for (let t = 0; t < sides; t++) qty[t * cols + i] = a[(cols + t) * height + i]!;
  }
  return { r, qty };
}

/** Householder reflection of column c into its diagonal entry, applied to the later columns too. */
function eliminate(
  a: Float64Array,
  height: number,
  wide: number,
  cols: number,
  c: number,
  count: number,
): void {
  const at = c * height;
  const top = a[at + c]!;
  let square = top * top;
  for (let i = cols; i < cols + count; i++) square += a[at + i]! * a[at + i]!;
  const length = Math.sqrt(square);
  if (length === 0) return;
  const diagonal = top > 0 ? -length : length;
  const head = top - diagonal;
  const scale = 1 / (length * (length + Math.abs(top)));
  for (let k = c + 1; k < wide; k++) {
    const other = k * height;
    let product = head * a[other + c]!;
    for (let i = cols; i < cols + count; i++) product += a[at + i]! * a[other + i]!;
    product *= scale;
    if (product === 0) continue;
    a[other + c]! -= product * head;
    for (let i = cols; i < cols + count; i++) a[other + i]! -= product * a[at + i]!;
  }
  a[at + c] = diagonal;
  for (let i = cols; i < cols + count; i++) a[at + i] = 0;
}
