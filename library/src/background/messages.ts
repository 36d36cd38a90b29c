import type { FitOptions, MatrixLike, Progress, Samples } from "../core/contract.js";
import {
  AbortError,
  ArgmaxError,
  type Complaint,
  DataError,
  FormatError,
  ParameterError,
  ShapeError,
} from "../core/errors.js";
import { checkLength } from "../core/labels.js";
import type { ModelState } from "../core/state.js";
import { BooleanColumn, CategoricalColumn, type Column, NumericColumn } from "../data/column.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { readRows } from "../data/select-rows.js";
import { Table } from "../data/table.js";
import type { EstimatorJson } from "../persistence/loader.js";

/** What the caller sends: everything a fit needs, nothing that it could change later. */
export interface FitRequest {
  readonly estimator: EstimatorJson;
  readonly x: PackedMatrix;
  readonly y: unknown;
  readonly sampleWeight: ArrayLike<number> | undefined;
  readonly progress: boolean;
  /** Not 0 once the caller has lost interest; absent where memory cannot be shared. */
  readonly flag: Int32Array | undefined;
}

export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "fitted"; readonly state: ModelState }
  | { readonly kind: "failed"; readonly error: PackedError };

export type PackedMatrix =
  | {
      readonly kind: "dense";
      readonly data: Float64Array | Float32Array;
      readonly rows: number;
      readonly cols: number;
    }
  | {
      readonly kind: "sparse";
      readonly rows: number;
      readonly cols: number;
      readonly indptr: Int32Array;
      readonly indices: Int32Array;
      readonly values: Float64Array;
    }
  | { readonly kind: "table"; readonly rows: number; readonly columns: readonly PackedColumn[] }
  /** Documents, or rows of cells. */
  | { readonly kind: "list"; readonly rows: number; readonly items: readonly unknown[] };

export type PackedColumn =
  | { readonly name: string; readonly kind: "numeric"; readonly values: Float64Array }
  | { readonly name: string; readonly kind: "boolean"; readonly values: Uint8Array }
  | {
      readonly name: string;
      readonly kind: "categorical";
      readonly codes: Int32Array;
      readonly categories: readonly string[];
    };

/** Gathers the copies of a request, and the buffers that may move to the other side instead of being cloned. */
export class Packer {
  readonly transfer: ArrayBuffer[] = [];

  request(estimator: EstimatorJson, x: Samples, y: unknown, options: FitOptions): Omit<FitRequest, "flag"> {
    const where = `${estimator.estimator}.fit`;
    const packed = this.matrix(where, x);
    return {
      estimator,
      x: packed,
      y: y === undefined ? undefined : this.list(where, "y", y, packed.rows),
      sampleWeight:
        options.sampleWeight === undefined
          ? undefined
          : (this.list(where, "sampleWeight", options.sampleWeight, packed.rows) as ArrayLike<number>),
      progress: options.onProgress !== undefined,
    };
  }

  /** NaN and the like are left for the fit to complain about: only it knows what its estimator can take. */
  matrix(where: string, x: Samples): PackedMatrix {
    if (x instanceof Table) return { kind: "table", rows: x.rows, columns: columnsOf(x) };
    const list = readRows(where, x);
    const items = itemsOf(list);
    if (items) return { kind: "list", rows: items.length, items };
    const design =
      x instanceof Matrix ? x : readMatrix(where, list as MatrixLike, { sparse: true, missing: true });
    const { rows, cols } = design;
    if (design instanceof CsrMatrix) {
      const given = x as Partial<CsrMatrix>;
      const indptr = this.array(design.indptr, given.indptr);
      const indices = this.array(design.indices, given.indices);
      return { kind: "sparse", rows, cols, indptr, indices, values: this.array(design.values, given.values) };
    }
    return { kind: "dense", rows, cols, data: this.array(design.data, (x as Partial<Matrix>).data) };
  }

  list(where: string, subject: string, y: unknown, rows: number): unknown {
    checkLength(where, subject, y, rows);
    return Array.isArray(y) ? y.slice() : this.array(y as Float64Array, y);
  }

  /** An array that the caller cannot change any more: a copy if it is the caller's own, or already shared. */
  array<A extends Float64Array | Float32Array | Int32Array>(array: A, given: unknown): A {
    if (!(array.buffer instanceof ArrayBuffer)) return array;
    const own =
      array === given || array.byteLength !== array.buffer.byteLength ? (array.slice() as A) : array;
    this.transfer.push(own.buffer as ArrayBuffer);
    return own;
  }
}

/** The columns as plain objects: names are part of what an encoder learns. Columns never change, so they are cloned as they are. */
function columnsOf(table: Table): readonly PackedColumn[] {
  return table.columnNames.map((name) => {
    const column: Column = table.column(name);
    if (column.kind !== "categorical")
      return { name, kind: column.kind, values: column.values } as PackedColumn;
    return { name, kind: column.kind, codes: column.codes, categories: column.categories };
  });
}

function unpackColumn(column: PackedColumn): Column {
  switch (column.kind) {
    case "numeric":
      return new NumericColumn(column.values);
    case "boolean":
      return new BooleanColumn(column.values);
    case "categorical":
      return new CategoricalColumn(column.codes, column.categories);
  }
}

/** Texts and rows with text in them travel as they are; numbers as a matrix. */
function itemsOf(x: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(x)) return undefined;
  const isText = (row: unknown) =>
    typeof row === "string" || (Array.isArray(row) && row.some((cell) => typeof cell !== "number"));
  return x.some(isText) ? x.map((row) => (Array.isArray(row) ? [...row] : row)) : undefined;
}

export function unpackMatrix(packed: PackedMatrix): Samples {
  if (packed.kind === "list") return packed.items;
  if (packed.kind === "table") {
    const { columns } = packed;
    const table = Table.fromColumns(
      Object.fromEntries(columns.map((column) => [column.name, unpackColumn(column)])),
    );
    // An object puts names that look like numbers first.
    return table.select(columns.map(({ name }) => name));
  }
  return packed.kind === "dense" ? new Matrix(packed.data, packed.rows, packed.cols) : new CsrMatrix(packed);
}

/** The buffers of a state, so that a large model moves instead of being copied. */
export function buffersOf(state: ModelState): ArrayBuffer[] {
  const own = Object.values(state.tensors).map(({ data }) => data.buffer);
  const parts = (state.parts ?? []).flatMap(buffersOf);
  return [...new Set([...own, ...parts])].filter((buffer) => buffer instanceof ArrayBuffer);
}

/** Structured cloning knows only the classes of the language; ours travel as their fields. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly complaint: Complaint | undefined;
}

const ownErrors = { ParameterError, ShapeError, DataError, FormatError };
const languageErrors = { RangeError, TypeError, ReferenceError, SyntaxError };

export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) {
    return { name: "Error", message: String(error), stack: undefined, complaint: undefined };
  }
  const { name, message, stack } = error;
  if (!(error instanceof ArgmaxError)) return { name, message, stack, complaint: undefined };
  const { where, subject, expected, received, advice } = error;
  return { name, message, stack, complaint: { where, subject, expected, received, advice } };
}

/** The same error on this side: same class, same fields, and the stack of where it happened. */
export function unpackError({ name, message, stack, complaint }: PackedError): Error {
  const error = construct(name, complaint);
  error.message = message;
  if (stack !== undefined) error.stack = stack;
  return error;
}

function construct(name: string, complaint: Complaint | undefined): Error {
  if (complaint !== undefined && Object.hasOwn(ownErrors, name)) {
    return new ownErrors[name as keyof typeof ownErrors](complaint);
  }
  if (name === "AbortError") return new AbortError("");
  if (Object.hasOwn(languageErrors, name)) return new languageErrors[name as keyof typeof languageErrors]();
  const error = new Error();
  error.name = name;
  return error;
}
