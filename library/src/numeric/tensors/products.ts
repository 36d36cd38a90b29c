import { batchChunk, packChunk, productChunk, rowChunk } from "../generated/tensor.js";
import { DEPTH, ENDS_BYTES, ROWS, STEP_HEAD, TILE_BYTES } from "../generated/tensor.layout.js";
import { type Address, after } from "../runtime/kernels.js";
import { type Unary, unaryArguments } from "./activations.js";
import type { Reals, TensorSpace } from "./space.js";

/** A row-major matrix as stored: rows × cols. */
export interface MatrixView {
  readonly values: Reals;
  readonly rows: number;
  readonly cols: number;
  /** The product uses the transpose. */
  readonly transposed?: boolean;
  /** Entries from the start of values. */
  readonly offset?: number;
  /** Of the left side: zeros are skipped where four rows have one. The right side must be finite, since 0 · ∞ is not 0. */
  readonly manyZeros?: boolean;
}

export interface ProductOptions {
  /** out += instead of out =; not with an activation. */
  readonly accumulate?: boolean;
  /** Added to every row of the product, before the activation. */
  readonly bias?: Reals | undefined;
  /** Applied last. */
  readonly activation?: Unary | undefined;
}

/** An operand of a batch: its matrices follow one another, or one is used for all products. */
export interface BatchView extends MatrixView {
  readonly shared?: boolean;
}

/** Products with fewer multiplications are one call on this thread: 50 µs. */
const SMALL = 2 ** 20;
/** Multiplications per chunk, at least, and chunks, at most. */
const CHUNK = 2 ** 19;
const MAX_CHUNKS = 32;
/** Bytes of a panel's row (STEP of wasm/tensors/tensor/tile.ts). */
const STEP = 32;
/** Columns of a one-row product are divided at multiples of this, the eight vectors of its inner loop. */
const ROW_COLUMNS = 32;

const NO_OPTIONS: ProductOptions = {};

/** m × k times k × n. */
interface Shape {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

/** out = op(A)·op(B) of one shape, or what the options make of it. */
interface Product {
  readonly a: BatchView;
  readonly b: BatchView;
  readonly out: Reals;
  readonly shape: Shape;
  readonly options: ProductOptions;
}

function shapeOf(a: MatrixView, b: MatrixView): Shape {
  const [m, k] = a.transposed ? [a.cols, a.rows] : [a.rows, a.cols];
  return { m, k, n: b.transposed ? b.rows : b.cols };
}

const start = (space: TensorSpace, a: MatrixView): Address =>
  after(a.values.ptr, (a.offset ?? 0) * space.width);

/** A vector is the same as its transpose in memory. */
const turned = (a: MatrixView): number => (a.transposed && a.cols > 1 && a.rows > 1 ? 1 : 0);
/** Bytes between the rows as stored; those of a transposed column or row are single entries or all of it. */
function stride(space: TensorSpace, a: MatrixView): number {
  const cols = a.transposed && turned(a) === 0 ? a.rows : a.cols;
  return cols * space.width;
}

/** Bytes of B's packing. */
function packedBytes(space: TensorSpace, { k, n }: Shape): number {
  const slices = Math.max(1, Math.ceil(k / DEPTH));
  return (k + slices) * STEP * panelsOf(space, n);
}

const panelsOf = (space: TensorSpace, n: number): number => Math.ceil((n * space.width) / STEP);

/** Bytes of working memory per chunk. */
const areaOf = (space: TensorSpace, a: MatrixView, k: number): number =>
  TILE_BYTES + (turned(a) === 1 ? ROWS * Math.min(k, DEPTH) * space.width : 0);

/** The same for a product that skips zeros: the steps of ROWS rows, four at a time. */
const stepsArea = (space: TensorSpace, k: number): number =>
  TILE_BYTES + ENDS_BYTES + (ROWS / 4) * Math.min(k, DEPTH) * (STEP_HEAD + 4 * space.width);

/**
 * out = op(A)·op(B), or with options f(op(A)·op(B) + bias). The order of the sums depends on their length
 * only.
 */
export function gemmInto(
  space: TensorSpace,
  a: MatrixView,
  b: MatrixView,
  out: Reals,
  options: ProductOptions = NO_OPTIONS,
): void {
  const shape = shapeOf(a, b);
  const { m, k, n } = shape;
  if (m === 0 || n === 0) return;
  if (m === 1 && turned(b) === 0) rowProduct(space, { a, b, out, shape, options });
  else if (n === 1 && turned(a) === 1 && options.bias === undefined)
    // Aᵀb is the row bᵀA.
    rowProduct(space, { a: b, b: a, out, shape: { m: 1, k, n: m }, options });
  else if (m * n * k < SMALL) smallProducts(space, 1, { a, b, out, shape, options });
  else largeProduct(space, { a, b, out, shape, options });
}

/**
 * `count` products; the matrices of an operand follow one another in its memory, or one is used for all
 * (`shared`).
 */
export function batchedGemmInto(
  space: TensorSpace,
  count: number,
  a: BatchView,
  b: BatchView,
  out: Reals,
  options: Pick<ProductOptions, "accumulate"> = NO_OPTIONS,
): void {
  const shape = shapeOf(a, b);
  const { m, k, n } = shape;
  if (count === 0 || m === 0 || n === 0) return;
  if (b.shared && !a.shared && turned(a) === 0) {
    // The rows of all products follow one another.
    const rows = { values: a.values, rows: count * m, cols: k, offset: a.offset ?? 0 };
    gemmInto(space, rows, b, out, options);
  } else if (m * n * k < SMALL) {
    smallProducts(space, count, { a, b, out, shape, options });
  } else {
    for (let p = 0; p < count; p++) {
      const left = { ...a, offset: (a.offset ?? 0) + (a.shared ? 0 : p * m * k) };
      const right = { ...b, offset: (b.offset ?? 0) + (b.shared ? 0 : p * k * n) };
      gemmInto(space, left, right, space.part(out, p * m * n, m * n), options);
    }
  }
}

/** A product with one row reads B once, as it is. */
function rowProduct(space: TensorSpace, { a, b, out, shape, options }: Product): void {
  const { k, n } = shape;
  const chunks = Math.min(MAX_CHUNKS, Math.max(1, Math.floor((k * n) / CHUNK)));
  const size = ROW_COLUMNS * Math.ceil(n / chunks / ROW_COLUMNS);
  const { add, code, f1, f2 } = finishOf(options);
  const call = rowChunk({
    a: start(space, a),
    k,
    b: start(space, b),
    ldb: stride(space, b),
    n,
    bias: options.bias?.ptr ?? 0,
    c: out.ptr,
    add,
    code,
    f1,
    f2,
    size,
  });
  space.parallel(call, Math.ceil(n / size), (k * n) / 2);
}

/** What happens to the product: whether it is added, and the activation. */
function finishOf({ accumulate, activation }: ProductOptions) {
  const add = accumulate ? 1 : 0;
  if (activation === undefined) return { add, code: 0, f1: 0, f2: 0 };
  const { code, a, c } = unaryArguments(activation);
  return { add, code, f1: a, f2: c };
}

/** Chunks of whole products: packing and product in one call. */
function smallProducts(space: TensorSpace, count: number, { a, b, out, shape, options }: Product): void {
  const { m, k, n } = shape;
  const mark = space.mark();
  const perChunk = Math.max(1, Math.floor(CHUNK / (m * k * n + 1)), Math.ceil(count / (2 * MAX_CHUNKS)));
  const chunks = Math.ceil(count / perChunk);
  const packed = packedBytes(space, shape);
  const area = packed + areaOf(space, a, k);
  const work = space.reals((chunks * area) / space.width);
  const { add, code, f1, f2 } = finishOf(options);
  const call = batchChunk({
    count,
    a: start(space, a),
    lda: stride(space, a),
    aTransposed: turned(a),
    aNext: a.shared ? 0 : m * k * space.width,
    b: start(space, b),
    ldb: stride(space, b),
    bTransposed: turned(b),
    bNext: b.shared ? 0 : k * n * space.width,
    m,
    k,
    n,
    bias: options.bias?.ptr ?? 0,
    c: out.ptr,
    add,
    code,
    f1,
    f2,
    work: work.ptr,
    packed,
    area,
    size: perChunk,
  });
  space.parallel(call, chunks, (count * m * k * n) / 2);
  space.release(mark);
}

/** Packs B once, then computes chunks of rows; if these are too few for threads, also of columns. */
function largeProduct(space: TensorSpace, { a, b, out, shape, options }: Product): void {
  const { m, k, n } = shape;
  const mark = space.mark();
  const panels = panelsOf(space, n);
  const right = space.reals(packedBytes(space, shape) / space.width);
  const panelsAtOnce = Math.max(1, Math.ceil(panels / MAX_CHUNKS));
  const packs = Math.ceil(panels / panelsAtOnce);
  space.parallel(
    packChunk({
      b: start(space, b),
      ldb: stride(space, b),
      transposed: turned(b),
      k,
      n,
      bias: options.bias?.ptr ?? 0,
      out: right.ptr,
      size: panelsAtOnce,
    }),
    packs,
    2 * k * n,
  );

  const wanted = Math.min(MAX_CHUNKS, Math.ceil((m * k * n) / CHUNK));
  const rows = 4 * Math.ceil(m / 4 / wanted);
  const down = Math.ceil(m / rows);
  const width = Math.ceil(panels / Math.max(1, Math.floor(wanted / down)));
  const chunks = down * Math.ceil(panels / width);
  const area = a.manyZeros ? stepsArea(space, k) : areaOf(space, a, k);
  const work = space.reals((chunks * area) / space.width);
  const { add, code, f1, f2 } = finishOf(options);
  const call = productChunk({
    a: start(space, a),
    lda: stride(space, a),
    transposed: turned(a),
    skip: a.manyZeros ? 1 : 0,
    m,
    k,
    b: right.ptr,
    n,
    c: out.ptr,
    add,
    code,
    f1,
    f2,
    work: work.ptr,
    area,
    size: rows,
    width,
  });
  space.parallel(call, chunks, (m * k * n) / 2);
  space.release(mark);
}
