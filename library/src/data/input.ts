import type {
  CsrLike,
  DenseLike,
  ImagesLike,
  MatrixLike,
  MatrixSource,
  NumericArray,
  RowObject,
  ShapedLike,
} from "../core/contract.js";
import { ArgmaxError, DataError, ShapeError, show } from "../core/errors.js";
import { areFinite } from "../core/numbers/finite.js";
import {
  asFloat32Array,
  asFloat64Array,
  isArrayLike,
  isDetached,
  isTypedArray,
} from "../core/numbers/typed-arrays.js";
import type { ParamsTable } from "../core/params/params.js";
import { CsrMatrix } from "./csr-matrix.js";
import { type AnyTable, inOrderOfFit, isTable, type KnownFeatures } from "./feature-names-in.js";
import { Matrix, readNumber, readRows } from "./matrix.js";
import { checkedRows, isRowObjects, readNumberCell, rowFields } from "./table/row-cells.js";

/** X as an estimator works on it, after the checks: 64-bit dense, or sparse. */
export type Design = Matrix | CsrMatrix;

export interface InputRules {
  /** The model that X is for (at predict time): X must be as wide, and a table is read by the names of fit. */
  readonly like?: KnownFeatures | undefined;
  /** Columns that X must have where they have no names: what `inverseTransform` takes. */
  readonly cols?: number;
  /** Sparse input is refused unless this is true. */
  readonly sparse?: boolean;
  /** The table of the fit's options, where it has more than others. */
  readonly options?: ParamsTable;
  /** NaN means "missing" and is accepted. */
  readonly missing?: boolean;
  /** The caller sees NaN and ±∞ in its own sums and calls `requireFinite` then: saves a pass over large data. */
  readonly deferFiniteCheck?: boolean;
  /** A matrix of 32-bit floats is passed on as it is, for callers that copy its numbers: `data` is then a Float32Array. */
  readonly keepSingles?: boolean;
  /** The caller checks the indices of sparse rows itself (`checkRows`, or in its kernels): saves another pass. */
  readonly indicesLater?: boolean;
}

/**
 * Reads and checks X: any `MatrixLike` in, a 64-bit matrix out. Ragged rows, wrong width, NaN, ±∞ and empty input
 * are precise errors. A Float64Array-backed matrix is passed on as it is, not copied.
 */
export function readMatrix(where: string, x: MatrixLike, rules: InputRules & { sparse?: false }): Matrix;
export function readMatrix(where: string, x: MatrixLike, rules: InputRules): Design;
export function readMatrix(where: string, x: MatrixLike, rules: InputRules): Design {
  const singles = rules.keepSingles ? singlesOf(x) : undefined;
  const design = (singles as Matrix | undefined) ?? toDesign(where, x, rules.like?.featureNamesIn);
  if (design instanceof CsrMatrix && rules.sparse && !rules.indicesLater) checkRows(where, design);
  if (design instanceof CsrMatrix && !rules.sparse) {
    const advice = "X.toDense() makes it dense, if memory allows.";
    throw new DataError(where, "X", "dense here", "a sparse matrix", advice);
  }
  checkShape(where, design, rules.like?.nFeatures ?? rules.cols);
  if (!rules.missing && !rules.deferFiniteCheck) requireFinite(where, design);
  return design;
}

/**
 * The same for estimators that work in 32 bits. A matrix of 32-bit floats is passed on as it is; other numbers are rounded once, and
 * one that is too large for 32 bits is an error.
 */
export function readSingles(
  where: string,
  x: MatrixLike,
  rules: Omit<InputRules, "sparse" | "deferFiniteCheck">,
): Matrix<Float32Array> {
  const own = singlesOf(x);
  if (own === undefined) return rounded(where, readMatrix(where, x, { ...rules, sparse: false }));
  checkShape(where, own, rules.like?.nFeatures ?? rules.cols);
  if (!rules.missing) requireFinite(where, own);
  return own;
}

/** A dense matrix of 32-bit floats, as it is; undefined if X is something else or has lost its memory. */
function singlesOf(x: MatrixLike): Matrix<Float32Array> | undefined {
  if (x === null || typeof x !== "object" || !("data" in x)) return undefined;
  const { data, rows, cols } = sizesOf(x as DenseLike | ShapedLike | ImagesLike);
  const own = asFloat32Array(data);
  const fits = own !== undefined && Number.isSafeInteger(rows) && rows >= 0 && own.length === rows * cols;
  return fits ? new Matrix(own, rows, cols) : undefined;
}

function sizesOf(x: DenseLike | ShapedLike | ImagesLike): DenseLike {
  if (isImages(x)) return { data: x.data, rows: x.rows, cols: x.height * x.width * x.channels };
  if ("shape" in x && !(x instanceof Matrix)) return { data: x.data, rows: x.shape[0]!, cols: x.shape[1]! };
  return x as DenseLike;
}

function rounded(where: string, { data, rows, cols }: Matrix): Matrix<Float32Array> {
  const singles = Float32Array.from(data);
  const e = singles.findIndex((value, at) => !Number.isFinite(value) && Number.isFinite(data[at]!));
  if (e < 0) return new Matrix(singles, rows, cols);
  const subject = `X[${Math.floor(e / cols)}][${e % cols}]`;
  const expected = "at most 3.4e38, since this works in 32 bits";
  throw new DataError(where, subject, expected, show(data[e]), "Scale the column.");
}

function toDesign(where: string, x: MatrixLike, names?: readonly string[]): Design {
  if (x instanceof CsrMatrix) return checkLengths(where, x);
  if (x instanceof Matrix && x.data instanceof Float64Array) return checkMatrix(where, x as Matrix);
  if (isRowObjects(x)) return objectRows(where, x, names);
  if (Array.isArray(x)) return readRows(where, x as readonly (readonly number[] | NumericArray)[]);
  if (x === null || typeof x !== "object") return unreadable(where, x);
  if ("indptr" in x) return new CsrMatrix(x as CsrLike);
  if ("data" in x && "rows" in x && "cols" in x) return fromFlat(where, x.data, x.rows, x.cols);
  if (isImages(x)) return fromFlat(where, x.data, x.rows, x.height * x.width * x.channels);
  if ("data" in x && "shape" in x) {
    const { shape } = x;
    if (!Array.isArray(shape) || shape.length !== 2) {
      throw new ShapeError(where, "X.shape", "[rows, cols]", show(shape));
    }
    return fromFlat(where, x.data, shape[0], shape[1]);
  }
  if ("toMatrix" in x && typeof x.toMatrix === "function") {
    const source = names && isTable(x) ? tableLike(where, x, names) : (x as MatrixSource);
    return toDesign(where, askMatrix(where, source));
  }
  return unreadable(where, x);
}

/** Objects by name of the column, for a model that was fitted to a table of numbers. */
function objectRows(where: string, rows: readonly RowObject[], names: readonly string[] | undefined): Design {
  if (names === undefined) return refuseObjects(where, rows);
  const fields = rowFields(names, () => "number");
  const numbers = checkedRows(where, fields, rows, readNumberCell).map((cells) =>
    cells.map((cell) => (cell === null ? Number.NaN : (cell as number))),
  );
  return readRows(where, numbers);
}

/** Rows have names only where the model has seen some. */
export function refuseObjects(where: string, rows: readonly RowObject[]): never {
  throw new DataError({
    where,
    subject: "X[0]",
    expected: "a row of numbers",
    received: show(rows[0]),
    advice:
      "Rows by name are for predictions of models that were fitted to a table: fit takes Table.fromRows(rows), which has the names.",
  });
}

/** Whether X are images with their size. */
export const isImages = (x: unknown): x is ImagesLike =>
  x !== null && typeof x === "object" && "data" in x && "height" in x && "width" in x && "channels" in x;

/** A table without rows may lack the columns too (`Table.fromRows([])` has none). */
const tableLike = (where: string, table: AnyTable, names: readonly string[]): AnyTable =>
  table.rows === 0 && table.columnNames.length === 0 ? table : inOrderOfFit(where, table, names);

/** A table may refuse, e.g. because of a text column; its error is passed on with the caller's name in front. */
function askMatrix(where: string, source: MatrixSource): DenseLike {
  try {
    return source.toMatrix();
  } catch (error) {
    throw error instanceof ArgmaxError ? error.within(where) : error;
  }
}

/** A matrix whose memory was transferred away after it was made has no numbers left. */
function checkMatrix(where: string, x: Matrix): Matrix {
  if (x.data.length === x.rows * x.cols) return x;
  throw new ShapeError(where, "X.data", `rows × cols = ${x.rows} × ${x.cols} numbers long`, show(x.data));
}

/** A vector of so many doubles takes 2 GiB: a longer one does not fit the memory of the kernels. */
const MOST_COLUMNS = 2 ** 28;

/**
 * Sparse rows whose arrays still are what the constructor checked: an entry that was changed since then would make kernels read
 * and write outside their rows. One pass without branches, as the sign of a running "or".
 */
export function checkRows(where: string, x: CsrMatrix): CsrMatrix {
  const { cols, indices } = x;
  const last = cols - 1;
  let wrong = 0;
  for (let e = 0; e < indices.length; e++) wrong |= indices[e]! | (last - indices[e]!);
  return wrong < 0 ? refuseChanged(where) : x;
}

function refuseChanged(where: string): never {
  const received = "indptr, indices or values that were changed or transferred away since";
  throw new DataError(where, "the sparse X", "as it was made", received, "Make a new CsrMatrix.");
}

/** The arrays have their lengths, rows begin and end within them, and vectors of a number per column can exist. */
function checkLengths(where: string, x: CsrMatrix): CsrMatrix {
  const { rows, cols, indptr, indices, values } = x;
  const stored = values.length;
  let wrong = indptr.length === rows + 1 && indices.length === stored && indptr[0] === 0 ? 0 : -1;
  if (wrong === 0 && indptr[rows] !== stored) wrong = -1;
  for (let i = 0; i < rows; i++) wrong |= indptr[i + 1]! - indptr[i]!;
  if (wrong < 0) refuseChanged(where);
  if (cols <= MOST_COLUMNS) return x;
  const advice = "HashingVectorizer, or a hash of your own, makes fewer.";
  throw new ShapeError(where, "X", `at most 2^28 columns wide`, `${cols} columns`, advice);
}

function unreadable(where: string, x: unknown): never {
  throw new DataError({
    where,
    subject: "X",
    expected:
      "rows of numbers (number[][], typed arrays, Matrix, CsrMatrix, Table, { data, rows, cols } or images)",
    received: show(x),
  });
}

function fromFlat(where: string, data: unknown, rows: number, cols: number): Matrix {
  if (!isArrayLike(data)) throw new DataError(where, "X.data", "an array or a typed array", show(data));
  const list = data as NumericArray | readonly number[];
  if (!Number.isSafeInteger(rows) || !Number.isSafeInteger(cols) || list.length !== rows * cols) {
    const received = isTypedArray(list) && isDetached(list) ? show(list) : `${list.length}`;
    throw new ShapeError(where, "X.data", `rows × cols = ${show(rows)} × ${show(cols)} long`, received);
  }
  const own = asFloat64Array(list);
  if (own) return new Matrix(own, rows, cols);
  const copy = new Float64Array(list.length);
  for (let e = 0; e < copy.length; e++) {
    const value = list[e];
    copy[e] = typeof value === "number" ? value : readNumber(where, value, Math.floor(e / cols), e % cols);
  }
  return new Matrix(copy, rows, cols);
}

function checkShape(where: string, design: Pick<Design, "rows" | "cols">, cols: number | undefined): void {
  if (cols !== undefined && design.rows > 0) requireWidth(where, design.cols, cols);
  if (design.rows > 0 && design.cols > 0) return;
  if (cols !== undefined && design.rows === 0) return; // predicting for no rows gives no predictions
  const received = `${design.rows} rows × ${design.cols} columns`;
  throw new ShapeError(where, "X", "at least one row and one column", received);
}

/** Throws unless X is as wide as that of fit. */
export function requireWidth(where: string, cols: number, known: number): void {
  if (cols === known) return;
  throw new ShapeError(where, "X", `${known} columns wide, as in fit`, `${cols} columns`);
}

export function requireFinite(where: string, design: Design | Matrix<Float32Array>): void {
  const values = design instanceof Matrix ? design.data : design.values;
  if (areFinite(values)) return;
  const e = values.findIndex((value) => !Number.isFinite(value));
  const advice = "Remove the row, or fill the gap before fitting.";
  throw new DataError(where, cellName(design, e), "a finite number", show(values[e]), advice);
}

/** The place of stored entry e in errors; `columns` are the numbers of x's columns, where x holds some of the caller's. */
export function cellName(x: Design | Matrix<Float32Array>, e: number, columns?: readonly number[]): string {
  const [i, j] =
    x instanceof Matrix
      ? [Math.floor(e / x.cols), e % x.cols]
      : [x.indptr.findIndex((start) => start > e) - 1, x.indices[e]!];
  return `X[${i}][${columns ? columns[j] : j}]`;
}

/** Throws for numbers whose sums overflow. */
export function tooLarge(
  where: string,
  received: string,
  { expected = "small enough for sums of squares", advice = "Scale the columns." } = {},
): never {
  throw new DataError(where, "X", expected, received, advice);
}
