import { listOf } from "../core/column-like.js";
import type { FitOptions, FittedModel, ImagesLike, MatrixLike, Progress, Samples } from "../core/contract.js";
import {
  AbortError,
  ArgmaxError,
  DataError,
  type ErrorDetails,
  FormatError,
  ParameterError,
  ShapeError,
} from "../core/errors.js";
import { checkLength, type Label } from "../core/labels.js";
import type { ModelState, Tensor, TensorData } from "../core/state/state.js";
import { isTargetMatrix } from "../core/target-matrix.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type AnyTable, isTable } from "../data/feature-names-in.js";
import { isImages, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { readSamples } from "../data/select-rows.js";
import {
  BooleanColumn,
  CategoricalColumn,
  type Column,
  DateColumn,
  NumericColumn,
  TextColumn,
} from "../data/table/column.js";
import { type ColumnFacts, factsOf, withFacts } from "../data/table/column-facts.js";
import { Table } from "../data/table/table.js";
import { columnsToMatrix, readTargetColumns } from "../data/targets.js";
import type { ScorerName } from "../metrics/scorers.js";
import type { EstimatorJson } from "../persistence/loader.js";
import type { FoldMeasures } from "../selection/measure-fold.js";

/** Rows, targets and weights in the form that is sent. */
export interface PackedRows {
  readonly x: PackedMatrix;
  readonly y: unknown;
  readonly sampleWeight: ArrayLike<number> | undefined;
}

interface Job {
  readonly estimator: EstimatorJson;
  /** The maximum number of threads of the worker. */
  readonly threads: number;
  /** Not 0 after an abort; absent where memory cannot be shared. */
  readonly flag: Int32Array | undefined;
}

/** Options that only some estimators take: models are sent as their state, rows as matrices, numbers as they are. */
export type PackedOptions = Readonly<Record<string, PackedOption>>;

type PackedOption =
  | { readonly kind: "model"; readonly state: ModelState }
  | { readonly kind: "rows"; readonly rows: PackedRows }
  | { readonly kind: "plain"; readonly value: unknown };

/** What the caller sends: everything that a fit needs, copied. */
export interface FitRequest extends Job {
  readonly kind: "fit";
  readonly rows: PackedRows;
  readonly options: PackedOptions;
  readonly progress: boolean;
}

/** One fold of a cross-validation: fit on the training rows, score on the held-out rows. */
export interface FoldRequest extends Job {
  readonly kind: "fold";
  readonly train: PackedRows;
  readonly test: PackedRows;
  /** The scorers; undefined is the model's own. A custom function cannot be sent, so the worker returns the model instead. */
  readonly scoring: readonly (ScorerName | undefined)[] | "by the caller";
  readonly positiveLabel: Label | undefined;
  readonly trainScore: boolean;
  readonly keepModel: boolean;
}

/** Several estimators on one fold: a part of a search. */
export interface CandidatesRequest
  extends Omit<FoldRequest, "kind" | "estimator" | "trainScore" | "keepModel" | "scoring"> {
  readonly kind: "candidates";
  readonly estimator: EstimatorJson;
  /** The estimators to fit and score, in order. */
  readonly estimators: readonly EstimatorJson[];
  readonly scoring: readonly (ScorerName | undefined)[];
}

export type WorkerRequest = FitRequest | FoldRequest | CandidatesRequest;

/** What was measured of one candidate on one fold, or why nothing was. */
export type CandidateAnswer =
  | Pick<FoldMeasures, "testScores" | "fitTime" | "scoreTime">
  | { readonly error: PackedError };

/** The result of a fold. */
export interface FoldAnswer extends FoldMeasures {
  readonly kind: "measured";
  readonly state: ModelState | undefined;
}

/** The message that ends a request. */
export type WorkerAnswer =
  | { readonly kind: "fitted"; readonly state: ModelState }
  | FoldAnswer
  | { readonly kind: "candidates"; readonly answers: readonly CandidateAnswer[]; readonly state?: undefined };

export type WorkerMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "progress"; readonly progress: Progress }
  /** The model after a slow step: what an abort returns if the worker does not answer in time. */
  | { readonly kind: "checkpoint"; readonly state: ModelState }
  | { readonly kind: "failed"; readonly error: PackedError; readonly state?: ModelState | undefined }
  | WorkerAnswer;

export type PackedMatrix =
  | {
      readonly kind: "dense";
      readonly data: Float64Array | Float32Array;
      readonly rows: number;
      readonly cols: number;
      /** Of images: networks learn from their shape. */
      readonly size?: Pick<ImagesLike, "height" | "width" | "channels">;
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

/** A column, and the facts of the one that its rows were selected from. */
export type PackedColumn = { readonly facts: ColumnFacts } & PackedEntries;

type PackedEntries =
  | { readonly name: string; readonly kind: "numeric" | "date"; readonly values: Float64Array }
  | { readonly name: string; readonly kind: "text"; readonly values: readonly (string | null)[] }
  | { readonly name: string; readonly kind: "boolean"; readonly values: Uint8Array }
  | {
      readonly name: string;
      readonly kind: "categorical";
      readonly codes: Int32Array;
      readonly categories: readonly string[];
    };

/** Several targets. */
interface PackedTargets {
  readonly matrix: PackedMatrix;
}

/** What `Packer.targets` packed. */
export const unpackTargets = (y: unknown): unknown =>
  typeof y === "object" && y !== null && "matrix" in y ? unpackMatrix((y as PackedTargets).matrix) : y;

/** Collects the copies of a request, and the buffers that can be transferred instead of cloned. */
export class Packer {
  readonly transfer: ArrayBuffer[] = [];

  /** `fresh`: the packed data have no other owner, so that no copy is needed. */
  constructor(private readonly fresh = false) {}

  rows(where: string, x: Samples, y: unknown, { sampleWeight }: FitOptions): PackedRows {
    const packed = this.matrix(where, x);
    const weights =
      sampleWeight === undefined ? undefined : this.list(where, "sampleWeight", sampleWeight, packed.rows);
    return {
      x: packed,
      y: y === undefined ? undefined : this.targets(where, y, packed.rows),
      sampleWeight: weights as ArrayLike<number> | undefined,
    };
  }

  /** A list, rows of labels or numbers, or several targets: their matrix, or a table with its names. Fits check what is in them. */
  targets(where: string, y: unknown, rows: number): unknown {
    if (!isTargetMatrix(y)) return this.list(where, "y", y, rows);
    if (isTable(y) && y.rows === rows) return { matrix: this.matrix(where, y) } satisfies PackedTargets;
    if (Array.isArray(y) && y.length === rows && y.every(Array.isArray)) return y.map((row) => [...row]);
    const columns = readTargetColumns(where, y, rows);
    return { matrix: this.matrix(where, columnsToMatrix(columns)) } satisfies PackedTargets;
  }

  options(where: string, given: Readonly<Record<string, unknown>>): PackedOptions {
    const present = Object.entries(given).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present.map(([name, value]) => [name, this.#option(where, value as object)]));
  }

  #option(where: string, value: object): PackedOption {
    if (isModel(value)) return { kind: "model", state: value.toState() };
    if (!("X" in value && "y" in value)) return { kind: "plain", value: copyOf(value) };
    return { kind: "rows", rows: this.rows(where, value.X as Samples, value.y, value as FitOptions) };
  }

  /** NaN and ±∞ are not checked here: the fit checks them by the capabilities of its estimator. */
  matrix(where: string, x: Samples): PackedMatrix {
    if (isTable(x)) return { kind: "table", rows: x.rows, columns: columnsOf(x) };
    const list = readSamples(where, x);
    const items = itemsOf(list);
    if (items) return { kind: "list", rows: items.length, items };
    const images = isImages(x);
    const rules = { sparse: true, missing: true, keepSingles: images };
    const design = x instanceof Matrix ? x : readMatrix(where, list as MatrixLike, rules);
    const { rows, cols } = design;
    if (design instanceof CsrMatrix) {
      const given = x as Partial<CsrMatrix>;
      const indptr = this.array(design.indptr, given.indptr);
      const indices = this.array(design.indices, given.indices);
      return { kind: "sparse", rows, cols, indptr, indices, values: this.array(design.values, given.values) };
    }
    const data = this.array(design.data, (x as Partial<Matrix>).data);
    if (!images) return { kind: "dense", rows, cols, data };
    const { height, width, channels } = x;
    return { kind: "dense", rows, cols, data, size: { height, width, channels } };
  }

  list(where: string, subject: string, given: unknown, rows: number): unknown {
    checkLength(where, subject, given, rows);
    const y = listOf(given as ArrayLike<unknown>);
    return Array.isArray(y) ? y.slice() : this.array(y as Float64Array, y);
  }

  /** An array that the caller cannot change: a copy unless it is fresh and not yet transferred. */
  array<A extends Float64Array | Float32Array | Int32Array>(array: A, given: unknown): A {
    if (!isUnshared(array.buffer)) return array;
    const owned = this.fresh || array !== given;
    const own = owned && array.byteLength === array.buffer.byteLength ? array : (array.slice() as A);
    this.transfer.push(own.buffer as ArrayBuffer);
    return own;
  }
}

const isModel = (value: object): value is FittedModel =>
  typeof (value as Partial<FittedModel>).toState === "function";

/** Arrays and plain objects in each other, as nested weights. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (ArrayBuffer.isView(value)) return (value as Float64Array).slice();
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, copyOf(entry)]));
}

/** The columns as plain objects: encoders learn their names. Columns are immutable, so they are cloned without a copy. */
function columnsOf(table: AnyTable): readonly PackedColumn[] {
  return table.columnNames.map((name) => {
    const column: Column = table.column(name);
    const facts = factsOf(column);
    if (column.kind !== "categorical")
      return { name, kind: column.kind, values: column.values, facts } as PackedColumn;
    return { name, kind: column.kind, codes: column.codes, categories: column.categories, facts };
  });
}

function unpackColumn(column: PackedColumn): Column {
  switch (column.kind) {
    case "numeric":
      return new NumericColumn(column.values);
    case "boolean":
      return new BooleanColumn(column.values);
    case "date":
      return new DateColumn(column.values);
    case "text":
      return new TextColumn(column.values);
    case "categorical":
      return new CategoricalColumn(column.codes, column.categories);
  }
}

/** Texts, and rows that contain text, are cloned; numbers are sent as a matrix. */
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
    return Table.fromColumns(
      new Map(columns.map((column) => [column.name, withFacts(unpackColumn(column), column.facts)])),
    );
  }
  if (packed.kind === "sparse") return new CsrMatrix(packed);
  const { data, rows, cols, size } = packed;
  return size ? { data, rows, ...size } : new Matrix(data, rows, cols);
}

/** The buffers of a state, so that a large model is transferred, not copied. */
export function buffersOf(state: ModelState): ArrayBuffer[] {
  const own = Object.values(state.tensors).map(({ data }) => data.buffer);
  const parts = (state.parts ?? []).flatMap(buffersOf);
  return [...new Set([...own, ...parts])].filter(isUnshared);
}

/** By its tag, which also recognises buffers of another realm (a test runner, a frame). */
const isUnshared = (buffer: unknown): buffer is ArrayBuffer =>
  Object.prototype.toString.call(buffer) === "[object ArrayBuffer]";

const arrayTypes = { Float64Array, Float32Array, Int32Array, Uint8Array };

/** A state received from a worker, with its numbers in arrays of this realm: Node returns them in arrays of its own realm. */
export function adoptState(state: ModelState): ModelState {
  const adopt = ({ shape, data }: Tensor): Tensor => {
    const Type = arrayTypes[data[Symbol.toStringTag]] as new (
      buffer: ArrayBufferLike,
      at: number,
      length: number,
    ) => TensorData;
    return { shape, data: new Type(data.buffer, data.byteOffset, data.length) };
  };
  const tensors = Object.entries(state.tensors).map(([name, tensor]) => [name, adopt(tensor)]);
  return { ...state, tensors: Object.fromEntries(tensors), parts: (state.parts ?? []).map(adoptState) };
}

/** Structured cloning supports only built-in classes; ours are sent as their fields. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly details: ErrorDetails | undefined;
}

const ownErrors = { ParameterError, ShapeError, DataError, FormatError };
const languageErrors = { RangeError, TypeError, ReferenceError, SyntaxError };

export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) {
    return { name: "Error", message: String(error), stack: undefined, details: undefined };
  }
  const { name, message, stack } = error;
  if (!(error instanceof ArgmaxError)) return { name, message, stack, details: undefined };
  const { where, subject, expected, received, advice } = error;
  return { name, message, stack, details: { where, subject, expected, received, advice } };
}

/** The same error on this side: same class, same fields, and the stack of where it happened. */
export function unpackError({ name, message, stack, details }: PackedError): Error {
  const error = construct(name, details);
  error.message = message;
  if (stack !== undefined) error.stack = stack;
  return error;
}

function construct(name: string, details: ErrorDetails | undefined): Error {
  if (details !== undefined && Object.hasOwn(ownErrors, name)) {
    return new ownErrors[name as keyof typeof ownErrors](details);
  }
  if (name === "AbortError") return new AbortError("");
  if (Object.hasOwn(languageErrors, name)) return new languageErrors[name as keyof typeof languageErrors]();
  const error = new Error();
  error.name = name;
  return error;
}
