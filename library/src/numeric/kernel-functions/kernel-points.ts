import type { Design } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import type { Arena, F64 } from "../runtime/arena.js";
import type { KernelLeaf, KernelProgram, KernelTree } from "./kernel-tree.js";
import { isLinear, isRadial, programOf } from "./kernel-tree.js";

/** Points of a kernel expansion in the layout of the WASM functions: dense ones in panels of eight, feature by feature. */
export interface KernelPoints {
  readonly count: number;
  readonly cols: number;
  readonly panels: Float64Array | null;
  readonly sparse: {
    readonly indptr: Int32Array;
    readonly indices: Int32Array;
    readonly values: Float64Array;
  } | null;
  /** ‖x_t‖², padded with zeros to a multiple of eight. */
  readonly norms: Float64Array;
  /** The origin subtracted from every point, and to be subtracted from rows compared with them; null for none. */
  readonly origin: Float64Array | null;
}

/** Points this many times as far from 0 as from each other are centred. */
const FAR = 1e3;
/** For products, which the solver stores with 7 digits. */
const FAR_FOR_PRODUCTS = 5;

/**
 * Squared distances are computed as ‖x‖² + ‖z‖² − 2 x·z, which cancels for points far from 0 (map coordinates, for example). For
 * radial kernels such points are centred.
 */
export function kernelPoints(given: Design, tree: KernelTree): KernelPoints {
  const origin = given instanceof Matrix && isRadial(tree) ? farMean(given, FAR) : null;
  return centredPoints(given, origin);
}

/** The points with the origin subtracted. */
export function centredPoints(given: Design, origin: Float64Array | null): KernelPoints {
  return { ...laidOut(origin ? centredAt(given as Matrix, origin) : given), origin };
}

/**
 * The origin for products that are only used in sums Σ_t coef_t (a x_t·z + c) with Σ coef = 0: centring points and z changes the
 * sum by a constant, −a Σ_t coef_t (x_t − o)·o, which is added to the intercept. null if centring is not needed.
 */
export function productOrigin(given: Design, tree: KernelTree): Float64Array | null {
  return given instanceof Matrix && isLinear(tree) ? farMean(given, FAR_FOR_PRODUCTS) : null;
}

/** a Σ_t coef_t (x_t − o)·o of centred points x_t − o. */
export function originTerm({ a }: KernelLeaf, centred: Matrix, coef: Float64Array, o: Float64Array): number {
  const { data, rows, cols } = centred;
  let sum = 0;
  for (let j = 0; j < cols; j++) {
    // Column by column: products of whole rows with a far origin would be rounded before they cancel.
    let w = 0;
    for (let t = 0; t < rows; t++) w += coef[t]! * data[t * cols + j]!;
    sum += w * o[j]!;
  }
  return a * sum;
}

/** The mean of the rows if it is more than `far` times their standard deviation; else null. */
function farMean({ data, rows, cols }: Matrix, far: number): Float64Array | null {
  const mean = new Float64Array(cols);
  // Relative to the first row, so that identical rows have exactly that mean.
  for (let e = 0; e < data.length; )
    for (let j = 0; j < cols; j++) mean[j]! += (data[e++]! - data[j]!) / rows;
  let distance = 0;
  for (let j = 0; j < cols; j++) {
    mean[j]! += data[j]!;
    distance += mean[j]! * mean[j]!;
  }
  let spread = 0;
  for (let e = 0; e < data.length; )
    for (let j = 0; j < cols; j++) spread += (data[e++]! - mean[j]!) ** 2 / rows;
  return distance < Infinity && distance > far * far * spread ? mean : null;
}

export function centredAt({ data, rows, cols }: Matrix, origin: Float64Array): Matrix {
  return new Matrix(
    data.map((v, e) => v - origin[e % cols]!),
    rows,
    cols,
  );
}

function laidOut(x: Design): Omit<KernelPoints, "origin"> {
  const { rows, cols } = x;
  const padded = (rows + 7) & ~7;
  const norms = new Float64Array(padded);
  const dense = x instanceof Matrix;
  const values = dense ? x.data : x.values;
  for (let i = 0; i < rows; i++) {
    const [from, to] = dense ? [i * cols, (i + 1) * cols] : [x.indptr[i]!, x.indptr[i + 1]!];
    let sum = 0;
    for (let e = from; e < to; e++) sum += values[e]! * values[e]!;
    norms[i] = sum;
  }
  if (!dense) return { count: rows, cols, panels: null, sparse: x, norms };
  const panels = new Float64Array(padded * cols);
  for (let i = 0; i < rows; i++) {
    let to = (i >> 3) * cols * 8 + (i & 7);
    for (let j = 0, from = i * cols; j < cols; j++, from++, to += 8) panels[to] = x.data[from]!;
  }
  return { count: rows, cols, panels, sparse: null, norms };
}

/** The addresses of points and kernel in the arena. */
export interface PlacedPoints {
  /** 0 for what is absent. */
  readonly x: number;
  readonly starts: number;
  readonly columns: number;
  readonly values: number;
  readonly norms: F64;
  readonly program: number;
  readonly length: number;
  readonly depth: number;
}

/** `tree` null: kernel rows are computed in JavaScript. */
export function placePoints(arena: Arena, points: KernelPoints, tree: KernelTree | null): PlacedPoints {
  const { panels, sparse, norms } = points;
  const none: KernelProgram = { steps: new Float64Array(0), length: 0, depth: 0 };
  const { steps, length, depth } = tree ? programOf(tree) : none;
  return {
    x: panels ? arena.copy(panels).ptr : 0,
    starts: sparse ? arena.copyI32(sparse.indptr).ptr : 0,
    columns: sparse ? arena.copyI32(sparse.indices).ptr : 0,
    values: sparse ? arena.copy(sparse.values).ptr : 0,
    norms: arena.copy(norms),
    program: arena.copy(steps).ptr,
    length,
    depth: length > 1 ? depth : 0,
  };
}
