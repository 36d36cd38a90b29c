import { transformer } from "../core/capabilities.js";
import type { Capabilities, CsrLike, FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { DataError, ParameterError, ShapeError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { FunctionName } from "../core/params/named-functions.js";
import { functionNames, keepsZero, namedFunctions } from "../core/params/named-functions.js";
import { flag, invalid, type ParamSpec, type Params, type ParamValues } from "../core/params/params.js";
import { restoring } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, transformerStructure, undescribed } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { distinctNames } from "../data/feature-names.js";
import { type KnownFeatures, readColumns } from "../data/feature-names-in.js";
import { cellName, type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { unweightedSet } from "../data/training-set.js";
import { TransformerModel } from "../fitted/transformers.js";

/** A function of all rows at once: as many rows as it gets, any number of columns. */
export type MatrixFunction = (x: Matrix) => MatrixLike;
type Applied = FunctionName | MatrixFunction | null;

/** Names of the output columns from those of the input. */
export type NamesFunction = (input: readonly string[]) => readonly string[];

const applied = (doc: string): ParamSpec<Applied> => ({
  kind: "function",
  default: null,
  doc,
  expected: `one of ${functionNames.map((name) => `"${name}"`).join(", ")}, a function from matrix to matrix, or null`,
  choices: [...functionNames, null],
  read: (value) => {
    const fine =
      value === null || typeof value === "function" || functionNames.some((name) => name === value);
    return fine ? (value as Applied) : invalid;
  },
});

const featureNamesOut: ParamSpec<NamesFunction | null> = {
  kind: "function",
  default: null,
  doc: "Names of the outputs, as a function of those of X. null: those of X, or numbers where a function changes how many columns there are.",
  expected: "a function, or null",
  read: (value) =>
    value === null || typeof value === "function" ? (value as NamesFunction | null) : invalid,
};

export const functionTransformerParams = {
  func: applied(
    "What is applied: the name of a function of numbers, or a function of a matrix. null changes nothing.",
  ),
  inverseFunc: applied("What undoes it. null: the inverse of a function known by name."),
  checkInverse: flag({
    default: true,
    doc: "Warn in fit if inverseFunc does not undo func on a hundred rows of X.",
  }),
  featureNamesOut,
};
type FunctionParams = typeof functionTransformerParams;

/** A function of the user's decides whether its output is sparse; others keep sparse rows sparse. */
export type Mapped<F, X> = F extends (x: Matrix) => infer Z
  ? Z extends CsrLike
    ? CsrMatrix
    : Matrix
  : X extends CsrLike
    ? CsrMatrix
    : Matrix;

/** Rows that `fit` calls the function with. */
const SAMPLE = 100;

/**
 * A function applied to X: one of those known by name, entry by entry, or any function of a matrix.
 *
 *   new FunctionTransformer({ func: "log1p" })
 *   new FunctionTransformer({ func: (x) => x.selectColumns([0, 2]) })
 *
 * Nothing is learned. Sparse rows stay sparse under functions with f(0) = 0; a function of the user's gets a dense matrix, and a model
 * with one cannot be saved. An entry that a function is not defined for is an error.
 * Parity: scikit-learn's FunctionTransformer. X and the outputs are always checked, functions known by name have their inverses, and
 * without inverseFunc a function of the user's has none, where scikit-learn takes the identity.
 */
export class FunctionTransformer<const F extends Applied = Applied> extends Estimator<FunctionParams> {
  static readonly id = "FunctionTransformer";
  static readonly table = functionTransformerParams;
  static readonly capabilities = transformer({ sparse: true });

  get capabilities(): Capabilities {
    return { ...FunctionTransformer.capabilities, sparse: takesSparse(this.params.func) };
  }

  constructor(params: Params<FunctionParams, { func: F }> = {}) {
    super(params);
  }

  /** Learns only the numbers of columns; calls a function of the user's with at most 100 rows, to see what it returns. */
  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedFunctionTransformer<F> {
    const where = this.where("fit");
    const known = unweightedSet(where, x, y, options, { sparse: true });
    const {
      x: rows,
      options: { onWarning },
    } = known;
    const { func, checkInverse } = this.params;
    const sample = every(rows, Math.max(1, Math.floor(rows.rows / SAMPLE)));
    const outputs = apply(where, "func", func, sample);
    const model = new FittedFunctionTransformer<F>(this.params, known, outputs.cols);
    if (checkInverse && onWarning && this.#isUndone(where, sample, outputs) === false)
      onWarning("FunctionTransformer: inverseFunc does not undo func on rows of X.");
    return model;
  }

  /** `fit(x).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y?: Unlabelled, options?: FitOptions): Mapped<F, X> {
    return this.fit(x, y, options).transform(x);
  }

  /** Whether the inverse gives X back within 1e-7; undefined where there is nothing to compare. */
  #isUndone(where: string, sample: Design, outputs: Design): boolean | undefined {
    const { func, inverseFunc } = this.params;
    if (func === null || inverseFunc === null) return undefined;
    const back = dense(apply(where, "inverseFunc", inverseFunc, outputs));
    const own = dense(sample);
    // numpy's allclose with the tolerances of scikit-learn's check.
    return (
      back.cols === own.cols &&
      own.data.every((value, e) => Math.abs(back.data[e]! - value) <= 1e-9 + 1e-7 * Math.abs(value))
    );
  }

  override toJSON(): ReturnType<Estimator<FunctionParams>["toJSON"]> {
    refuseFunctions(this.where("toJSON"), this.params);
    return super.toJSON();
  }

  static restore(state: ModelState): FittedFunctionTransformer<FunctionName | null> {
    const { reader, params } = restoring(functionTransformerParams, state);
    const columns = readColumns(reader);
    return new FittedFunctionTransformer(params, columns, columns.nFeatures);
  }
}

function refuseFunctions(where: string, params: ParamValues<FunctionParams>): void {
  for (const key of ["func", "inverseFunc", "featureNamesOut"] as const) {
    if (typeof params[key] !== "function") continue;
    throw new ParameterError({
      where,
      subject: key,
      expected: "no function of your own, since code cannot be saved or sent to a worker",
      received: "a function",
      advice:
        key === "featureNamesOut"
          ? "Leave it out of what is saved."
          : 'Use a function by name (func: "log1p"), or call yours before the steps that are saved.',
    });
  }
}

const takesSparse = (func: Applied): boolean =>
  func === null || (typeof func === "string" && keepsZero(func));

const dense = (x: Design): Matrix => (x instanceof CsrMatrix ? x.toDense() : x);

const copied = (x: Design): Design =>
  x instanceof CsrMatrix
    ? new CsrMatrix({ ...x, indptr: x.indptr.slice(), indices: x.indices.slice(), values: x.values.slice() })
    : new Matrix(x.data.slice(), x.rows, x.cols);

/** Every so many-th row. */
function every(x: Design, step: number): Design {
  const places = Int32Array.from({ length: Math.ceil(x.rows / step) }, (_, r) => r * step);
  return x.selectRows(places);
}

/** What a function makes of X, checked. */
function apply(where: string, subject: string, func: Applied, x: Design): Design {
  // A copy: outputs never share memory with X.
  if (func === null) return copied(x);
  if (typeof func === "function") return called(where, subject, func, x);
  if (!(x instanceof CsrMatrix)) return new Matrix(mapped(where, func, x, x.data), x.rows, x.cols);
  if (!keepsZero(func)) refuseSparse(where, `zeros, which ${func} changes, would all be stored`);
  return new CsrMatrix({ ...x, values: mapped(where, func, x, x.values) });
}

function mapped(where: string, name: FunctionName, x: Design, values: Float64Array): Float64Array {
  const { value } = namedFunctions[name];
  const out = new Float64Array(values.length);
  for (let e = 0; e < values.length; e++) out[e] = value(values[e]!);
  const e = out.findIndex((result) => !Number.isFinite(result));
  if (e < 0) return out;
  throw new DataError(where, cellName(x, e), `a number whose ${name} is finite`, show(values[e]));
}

function called(where: string, subject: string, func: MatrixFunction, x: Design): Design {
  if (x instanceof CsrMatrix) refuseSparse(where, "functions of your own get a dense matrix");
  // A copy: a function that writes into its argument must not change the data of the caller.
  const given = new Matrix(x.data.slice(), x.rows, x.cols);
  const result = func(given);
  const out = readMatrix(`${where}: ${subject}`, result, { sparse: true });
  if (out.rows === x.rows) return out;
  const expected = `${x.rows} rows long, like its input`;
  throw new ShapeError(where, `the output of ${subject}`, expected, `${out.rows} rows`);
}

function refuseSparse(where: string, reason: string): never {
  const advice = "X.toDense() makes it dense, if memory allows.";
  throw new DataError(where, "X", `dense, since ${reason}`, "a sparse matrix", advice);
}

export class FittedFunctionTransformer<F extends Applied = Applied> extends TransformerModel<
  ParamValues<FunctionParams>
> {
  protected readonly id = FunctionTransformer.id;

  constructor(
    params: ParamValues<FunctionParams>,
    columns: KnownFeatures,
    /** Number of output columns. */
    readonly nOutputs: number,
  ) {
    super(params, columns);
  }

  [structure](): Structure {
    const { func: name } = this.params;
    if (typeof name === "function") return undescribed("its function is the caller's own");
    return name === null
      ? transformerStructure(this)
      : transformerStructure(this, { kind: "elementwise", name });
  }

  transform<X extends MatrixLike>(x: X): Mapped<F, X> {
    const where = this.where("transform");
    const rows = this.read(where, x, { sparse: true });
    return this.#applied(where, "func", this.params.func, rows, this.nOutputs) as Mapped<F, X>;
  }

  /** Undoes the function, by inverseFunc or the known inverse of a name. */
  inverseTransform<Z extends MatrixLike>(z: Z): Matrix | CsrMatrix {
    const where = this.where("inverseTransform");
    const rows = readMatrix(where, z as MatrixLike, { sparse: true, cols: this.nOutputs });
    const { func, inverseFunc } = this.params;
    const known = typeof func === "string" ? namedFunctions[func].inverse : null;
    const undo = inverseFunc ?? known;
    if (undo === undefined || (undo === null && func !== null)) {
      const expected = "a function, since the inverse of func is not known";
      throw new ParameterError(where, "inverseFunc", expected, "null");
    }
    return this.#applied(where, "inverseFunc", undo, rows, this.nFeatures);
  }

  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    const { featureNamesOut } = this.params;
    if (featureNamesOut === null) {
      if (this.nOutputs === this.nFeatures) return [...names];
      return Array.from({ length: this.nOutputs }, (_, j) => `functiontransformer${j}`);
    }
    const own: unknown = featureNamesOut(names);
    const fine =
      Array.isArray(own) &&
      own.length === this.nOutputs &&
      own.every((name) => typeof name === "string") &&
      distinctNames(own).every((name, j) => name === own[j]);
    if (fine) return [...own];
    const expected = `${this.nOutputs} different names, one per output column`;
    throw new DataError(this.where("featureNames"), "what featureNamesOut returns", expected, show(own));
  }

  override toState(): ModelState {
    refuseFunctions(this.where("toState"), this.params);
    return super.toState();
  }

  #applied(where: string, subject: string, func: Applied, rows: Design, cols: number): Matrix | CsrMatrix {
    if (rows.rows === 0) return Matrix.zeros(0, cols);
    const out = apply(where, subject, func, rows);
    if (out.cols === cols) return out;
    const expected = `${cols} columns wide, as in fit`;
    throw new ShapeError(where, `the output of ${subject}`, expected, `${out.cols} columns`);
  }
}
