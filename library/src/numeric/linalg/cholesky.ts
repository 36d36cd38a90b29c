import { factor as factorKernel } from "../generated/cholesky.js";
import { withArena } from "../runtime/arena.js";

/**
 * Cholesky factor of a symmetric positive definite matrix, row by row: A = L Lᵀ, L in the lower triangle of `out`.
 * Rows are contiguous, so the inner loop is a dot product.
 *
 * Entries are scaled to unit diagonal first, so columns of very different size are handled. A pivot below `floor`
 * (relative to that unit diagonal) is lifted: to 1, which yields the factor of a positive definite matrix, or to Infinity,
 * which excludes its coordinate: solutions are 0 there. The number of lifted pivots is returned: 0 means the
 * factor is exact.
 */
export interface CholeskyFactor {
  readonly side: number;
  readonly lower: Float64Array;
  /** 1 / √diagonal. */
  readonly scale: Float64Array;
  readonly lifted: number;
  /** Smallest pivot before lifting, relative to the unit diagonal: near 0 means near singular. */
  readonly smallestPivot: number;
}

export function cholesky(
  a: Float64Array,
  side: number,
  floor = 1e-13,
  lift: 1 | typeof Infinity = 1,
): CholeskyFactor {
  const scale = new Float64Array(side);
  for (let i = 0; i < side; i++) {
    const diagonal = a[i * side + i]!;
    scale[i] = diagonal > 0 ? 1 / Math.sqrt(diagonal) : 0;
  }
  if (side >= WORTH_A_KERNEL) return kernelFactor(a, side, floor, lift, scale);
  const lower = new Float64Array(side * side);
  let lifted = 0;
  let smallestPivot = Infinity;
  for (let i = 0; i < side; i++) {
    const row = i * side;
    for (let j = 0; j < i; j++) {
      const other = j * side;
      let s0 = a[row + j]! * scale[i]! * scale[j]!;
      let s1 = 0;
      let k = 0;
      for (; k + 1 < j; k += 2) {
        s0 -= lower[row + k]! * lower[other + k]!;
        s1 -= lower[row + k + 1]! * lower[other + k + 1]!;
      }
      if (k < j) s0 -= lower[row + k]! * lower[other + k]!;
      lower[row + j] = (s0 + s1) / lower[other + j]!;
    }
    let pivot = scale[i] === 0 ? 0 : 1;
    for (let k = 0; k < i; k++) pivot -= lower[row + k]! * lower[row + k]!;
    if (pivot < smallestPivot) smallestPivot = pivot;
    if (!(pivot > floor)) {
      lifted++;
      pivot = lift;
      for (let k = 0; k < i; k++) lower[row + k] = 0;
    }
    lower[row + i] = Math.sqrt(pivot);
  }
  return { side, lower, scale, lifted, smallestPivot };
}

/** Smaller matrices are factored faster than they are copied to the arena. */
const WORTH_A_KERNEL = 48;

function kernelFactor(
  a: Float64Array,
  side: number,
  floor: number,
  lift: number,
  scale: Float64Array,
): CholeskyFactor {
  return withArena("cholesky", (arena) => {
    const matrix = arena.f64(side * side);
    const work = matrix.array;
    for (let i = 0; i < side; i++) {
      const row = i * side;
      for (let j = 0; j < i; j++) work[row + j] = a[row + j]! * scale[i]! * scale[j]!;
      work[row + i] = scale[i] === 0 ? 0 : 1;
    }
    const result = arena.f64(2);
    arena.heap.call(factorKernel({ a: matrix.ptr, n: side, floor, lift, result: result.ptr }));
    const lower = new Float64Array(side * side);
    for (let i = 0; i < side; i++) lower.set(matrix.array.subarray(i * side, i * side + i + 1), i * side);
    return { side, lower, scale, lifted: result.array[0]!, smallestPivot: result.array[1]! };
  });
}

/** out = A⁻¹ b. */
export function choleskySolveInto(factor: CholeskyFactor, b: Float64Array, out: Float64Array): void {
  const { side, lower, scale } = factor;
  for (let i = 0; i < side; i++) {
    let s = b[i]! * scale[i]!;
    const row = i * side;
    for (let k = 0; k < i; k++) s -= lower[row + k]! * out[k]!;
    out[i] = s / lower[row + i]!;
  }
  // Column-oriented back substitution accesses L contiguously.
  for (let i = side - 1; i >= 0; i--) {
    const row = i * side;
    const value = out[i]! / lower[row + i]!;
    out[i] = value;
    for (let k = 0; k < i; k++) out[k]! -= lower[row + k]! * value;
  }
  for (let i = 0; i < side; i++) out[i]! *= scale[i]!;
}
