/**
 * Singular value decomposition of a square matrix by one-sided Jacobi rotations: A = U S Vᵀ.
 * Slow and simple, and more accurate for small singular values than bidiagonalisation [Demmel & Veselić 1992].
 * `us` holds the columns of U·S as rows (transposed), `v` those of V.
 */
export interface Svd {
  readonly values: Float64Array;
  /** Row k is column k of U·S. */
  readonly us: Float64Array;
  /** Row k is column k of V. */
  readonly v: Float64Array;
}

export function jacobiSvd(a: Float64Array, side: number): Svd {
  const us = new Float64Array(side * side);
  const v = new Float64Array(side * side);
  for (let i = 0; i < side; i++) {
    v[i * side + i] = 1;
    for (let j = 0; j < side; j++) us[j * side + i] = a[i * side + j]!;
  }
  sweepPairs(side, (p, q) => orthogonalise(us, v, side, p, q));
  return { values: lengthsOf(us, side, side), us, v };
}

/** Visits all pairs until none is rotated. */
function sweepPairs(count: number, rotate: (p: number, q: number) => boolean): void {
  for (let sweep = 0; sweep < 60; sweep++) {
    let rotated = false;
    for (let p = 0; p < count - 1; p++) for (let q = p + 1; q < count; q++) if (rotate(p, q)) rotated = true;
    if (!rotated) break;
  }
}

/** Rotates columns p and q until they are orthogonal; false if they are already. */
function orthogonalise(us: Float64Array, v: Float64Array, side: number, p: number, q: number): boolean {
  const a = p * side;
  const b = q * side;
  let aa = 0;
  let bb = 0;
  let ab = 0;
  for (let i = 0; i < side; i++) {
    aa += us[a + i]! * us[a + i]!;
    bb += us[b + i]! * us[b + i]!;
    ab += us[a + i]! * us[b + i]!;
  }
  if (ab === 0 || Math.abs(ab) <= 1e-15 * Math.sqrt(aa) * Math.sqrt(bb)) return false;
  for (const matrix of [us, v]) turn(matrix, a, b, side, (bb - aa) / (2 * ab));
  return true;
}

/** Rotates the rows at a and b by the angle whose cotangent of its double is zeta. */
function turn(rows: Float64Array, a: number, b: number, length: number, zeta: number): void {
  const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = c * t;
  for (let j = 0; j < length; j++) {
    const x = rows[a + j]!;
    const y = rows[b + j]!;
    rows[a + j] = c * x - s * y;
    rows[b + j] = s * x + c * y;
  }
}

/**
 * Principal directions of a few rows: one-sided Jacobi rotations of the rows themselves, without squaring the condition number.
 * B = U S Vᵀ; row k of `vectors` is vₖ (zeros where the value is 0), values descending.
 */
export function rowDirections(
  b: Float64Array,
  count: number,
  length: number,
): { values: Float64Array; vectors: Float64Array } {
  const rows = b.slice();
  sweepPairs(count, (p, q) => rotateRows(rows, length, p, q));
  const norms = lengthsOf(rows, count, length);
  const order = Array.from(norms.keys()).sort((p, q) => norms[q]! - norms[p]! || p - q);
  const vectors = new Float64Array(count * length);
  order.forEach((from, k) => {
    if (norms[from]! > 0)
      for (let j = 0; j < length; j++) vectors[k * length + j] = rows[from * length + j]! / norms[from]!;
  });
  return { values: Float64Array.from(order, (k) => norms[k]!), vectors };
}

const lengthsOf = (rows: Float64Array, count: number, length: number): Float64Array =>
  Float64Array.from({ length: count }, (_, k) => lengthOf(rows, k * length, length));

function lengthOf(rows: Float64Array, at: number, length: number): number {
  let square = 0;
  for (let j = at; j < at + length; j++) square += rows[j]! * rows[j]!;
  return Math.sqrt(square);
}

function rotateRows(rows: Float64Array, length: number, p: number, q: number): boolean {
  const a = p * length;
  const b = q * length;
  let ab = 0;
  for (let j = 0; j < length; j++) ab += rows[a + j]! * rows[b + j]!;
  const la = lengthOf(rows, a, length);
  const lb = lengthOf(rows, b, length);
  if (ab === 0 || Math.abs(ab) <= 1e-15 * la * lb) return false;
  turn(rows, a, b, length, (lb * lb - la * la) / (2 * ab));
  return true;
}
