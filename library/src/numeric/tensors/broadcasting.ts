import { binaryRows } from "../generated/tensor-shapes.js";
import { type Address, after } from "../runtime/kernels.js";
import { copyStrided } from "./copies.js";
import { sumInto } from "./reductions.js";
import type { Reals, TensorSpace } from "./space.js";

/** Sizes of a tensor's axes, outermost first; [] is one number. */
export type Shape = readonly number[];

/** The order is the kernels' code. */
const binaryNames = ["add", "subtract", "multiply", "divide", "maximum", "minimum"] as const;
export type BinaryName = (typeof binaryNames)[number];
/** The codes of b ∘ a: only subtraction and division have another one. */
const SWAPPED = [0, 6, 2, 7, 4, 5];

/** The common shape by NumPy's rule, or undefined: axes are matched from the last, and an axis of size 1 is repeated. */
export function broadcastShape(a: Shape, b: Shape): Shape | undefined {
  const rank = Math.max(a.length, b.length);
  const out: number[] = new Array(rank);
  for (let axis = 1; axis <= rank; axis++) {
    const p = a[a.length - axis] ?? 1;
    const q = b[b.length - axis] ?? 1;
    if (p !== q && p !== 1 && q !== 1) return undefined;
    out[rank - axis] = p === 1 ? q : p;
  }
  return out;
}

/** Entries per chunk of a threaded call: some ten microseconds. */
const CHUNK = 65536;
/** A vector longer than a chunk is computed in rows of this length. */
const ROW = 16384;
/** Memory is the limit: about two operations' time per entry. */
const OPERATIONS = 2;

/** Axes of an output, innermost first, and the entries between neighbours along each in a and b (0: repeated). */
interface Axes {
  readonly sizes: number[];
  readonly a: number[];
  readonly b: number[];
}

/** out = a ∘ b with broadcasting; out has broadcastShape(aShape, bShape). out may be a or b when that one has out's shape. */
export function binaryInto(
  space: TensorSpace,
  name: BinaryName,
  a: Reals,
  aShape: Shape,
  b: Reals,
  bShape: Shape,
  out: Reals,
): void {
  if (out.length === 0) return;
  const code = binaryNames.indexOf(name);
  if (b.length === 1) {
    alongVector(space, code, a.ptr, b.ptr, out, 0);
  } else if (a.length === 1) {
    alongVector(space, SWAPPED[code]!, b.ptr, a.ptr, out, 0);
  } else if (a.length === out.length && b.length === out.length) {
    alongVector(space, code, a.ptr, b.ptr, out, 1);
  } else {
    const axes = commonAxes(aShape, bShape);
    // The kernel reads its first operand along rows: one of the two has entries along the innermost axis.
    if (axes.a[0] === 1) alongAxes(space, code, a.ptr, axes.a, b.ptr, axes.b, out.ptr, axes.sizes);
    else alongAxes(space, SWAPPED[code]!, b.ptr, axes.b, a.ptr, axes.a, out.ptr, axes.sizes);
  }
}

/** Both operands have out's length, or b is one number. */
function alongVector(
  space: TensorSpace,
  code: number,
  a: Address,
  b: Address,
  out: Reals,
  alongB: number,
): void {
  const n = out.length;
  const rows = n > CHUNK ? Math.floor(n / ROW) : 0;
  const done = rows * ROW;
  if (rows > 0) {
    const chunks = Math.ceil(done / CHUNK);
    const call = binaryRows({
      code,
      a,
      b,
      out: out.ptr,
      rows,
      middle: rows,
      inner: ROW,
      a1: 0,
      a2: ROW,
      b1: 0,
      b2: alongB * ROW,
      alongB,
      chunkRows: CHUNK / ROW,
    });
    space.parallel(call, chunks, OPERATIONS * n);
  }
  if (done === n) return;
  const from = done * space.width;
  const call = binaryRows({
    code,
    a: after(a, from),
    b: after(b, alongB * from),
    out: after(out.ptr, from),
    rows: 1,
    middle: 1,
    inner: n - done,
    a1: 0,
    a2: 0,
    b1: 0,
    b2: 0,
    alongB,
    chunkRows: 1,
  });
  space.single(call);
}

/** Axes without those of size 1; neighbours that are repeated in the same operand, or in none, become one. */
function commonAxes(aShape: Shape, bShape: Shape): Axes {
  const axes: Axes = { sizes: [], a: [], b: [] };
  let inA = 1;
  let inB = 1;
  for (let axis = 1; axis <= Math.max(aShape.length, bShape.length); axis++) {
    const p = aShape[aShape.length - axis] ?? 1;
    const q = bShape[bShape.length - axis] ?? 1;
    const size = Math.max(p, q);
    if (size === 1) continue;
    const last = axes.sizes.length - 1;
    if (last >= 0 && (axes.a[last] !== 0) === p > 1 && (axes.b[last] !== 0) === q > 1) {
      axes.sizes[last]! *= size;
    } else {
      axes.sizes.push(size);
      axes.a.push(p > 1 ? inA : 0);
      axes.b.push(q > 1 ? inB : 0);
    }
    inA *= p;
    inB *= q;
  }
  return axes;
}

/** The kernel has three axes; outer ones beyond them are walked here. */
function alongAxes(
  space: TensorSpace,
  code: number,
  a: Address,
  aSteps: readonly number[],
  b: Address,
  bSteps: readonly number[],
  out: Address,
  sizes: readonly number[],
): void {
  const rank = sizes.length;
  if (rank > 3) {
    const last = rank - 1;
    const inner = sizes.slice(0, last);
    const outStep = inner.reduce((product, size) => product * size, space.width);
    for (let i = 0; i < sizes[last]!; i++) {
      const left = after(a, i * aSteps[last]! * space.width);
      const right = after(b, i * bSteps[last]! * space.width);
      alongAxes(space, code, left, aSteps, right, bSteps, after(out, i * outStep), inner);
    }
    return;
  }
  const inner = sizes[0]!;
  const middle = sizes[1] ?? 1;
  const rows = middle * (sizes[2] ?? 1);
  const chunkRows = Math.max(1, Math.floor(CHUNK / inner));
  const call = binaryRows({
    code,
    a,
    b,
    out,
    rows,
    middle,
    inner,
    a1: (rank > 2 && aSteps[2]) || 0,
    a2: aSteps[1] ?? 0,
    b1: (rank > 2 && bSteps[2]) || 0,
    b2: bSteps[1] ?? 0,
    alongB: bSteps[0]!,
    chunkRows,
  });
  const operations = OPERATIONS * rows * inner;
  const chunks = Math.ceil(rows / chunkRows);
  space.parallel(call, chunks, operations);
}

/** out (+)= x summed over the axes along which `shape` was broadcast from `target`; out has `target`. */
export function sumToInto(
  space: TensorSpace,
  x: Reals,
  shape: Shape,
  target: Shape,
  out: Reals,
  accumulate = false,
): void {
  const axes = commonAxes(target, shape);
  const { sizes } = axes;
  const summed = sizes.flatMap((_, axis) => (axes.a[axis] === 0 ? [axis] : []));
  if (x.length === 0 || summed.length === 0) {
    if (x.length === 0 && !accumulate) out.array.fill(0);
    copyStrided(space, [x.length], x, 0, [1], out, 0, [1], accumulate);
    return;
  }
  space.step(() => {
    let from = x;
    // Outermost first: the later sums are over fewer entries.
    for (const axis of summed.reverse()) {
      const inner = product(sizes, 0, axis);
      const outer = product(sizes, axis + 1, sizes.length);
      const isLast = axis === summed.at(-1);
      const to = isLast ? out : space.reals(outer * inner);
      sumInto(space, from, outer, sizes[axis]!, inner, to, { accumulate: isLast && accumulate });
      from = to;
      sizes[axis] = 1;
    }
  });
}

const product = (sizes: readonly number[], from: number, to: number): number =>
  sizes.slice(from, to).reduce((result, size) => result * size, 1);
