import { readFileSync } from "node:fs";
import { CsrMatrix, Matrix } from "argmax";
import { loadDataset } from "argmax/datasets";

/** The fixtures that tools/parity writes: cases with a proven minimum, and the data they name. */

export type Target = string | number;

export interface DataSpec {
  readonly included?: "iris" | "wine" | "breastCancer" | "digits" | "diabetes";
  readonly synthetic?: string;
  readonly target?: string;
  readonly standardize?: boolean;
  readonly classes?: readonly string[];
}

export interface Case<Expected> {
  readonly name: string;
  readonly estimator: string;
  readonly oracle: string;
  readonly data: DataSpec;
  readonly params: Readonly<Record<string, unknown>>;
  readonly weighted: boolean;
  readonly expected: Expected;
}

/** Answers of an oracle, by the names that fixtures give them. */
export interface Answers {
  readonly objective: number;
  readonly score: number;
  /** Those of X that the answers are about. */
  readonly rows: readonly number[];
  readonly classes: readonly Target[];
  readonly predict: readonly Target[];
  readonly predictProba: readonly (readonly number[])[];
  readonly decision: readonly (readonly number[])[];
  readonly transform: readonly (readonly number[])[];
  readonly inverse: readonly (readonly number[])[];
}

export interface ClassifierExpected
  extends Pick<Answers, "objective" | "rows" | "classes" | "predict">,
    Partial<Pick<Answers, "predictProba" | "decision">> {
  readonly coef: readonly (readonly number[])[];
  readonly intercept: readonly number[];
}

export interface RegressorExpected extends Pick<Answers, "objective" | "rows"> {
  readonly coef?: readonly number[];
  readonly intercept?: number;
  readonly predict: readonly number[];
}

export interface Data<Y extends Target> {
  readonly X: Matrix | CsrMatrix;
  readonly y: readonly Y[];
  /** One weight a row, ones when the case has none. */
  readonly weight: readonly number[];
  readonly fitOptions: { readonly sampleWeight?: readonly number[] };
}

interface SparseArrays {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: readonly number[];
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

interface SyntheticSet {
  readonly X: readonly (readonly number[])[] | SparseArrays;
  readonly weight: readonly number[];
  readonly [target: string]: unknown;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8"));

export function casesOf<Expected>(family: string): readonly Case<Expected>[] {
  return (read(family) as { cases: readonly Case<Expected>[] }).cases;
}

let synthetic: Readonly<Record<string, SyntheticSet>> | undefined;

/** The rows, targets and weights that a case names. */
export async function dataOf<Y extends Target>(fixture: Case<unknown>): Promise<Data<Y>> {
  const { X, y, weight } = fixture.data.included
    ? await includedSet(fixture.data)
    : syntheticSet(fixture.data);
  const sampleWeight = fixture.weighted ? weight : undefined;
  return {
    X,
    y: y as Y[],
    weight: sampleWeight ?? new Array<number>(y.length).fill(1),
    fitOptions: sampleWeight ? { sampleWeight } : {},
  };
}

function syntheticSet(spec: DataSpec) {
  synthetic ??= read("data") as Readonly<Record<string, SyntheticSet>>;
  const set = synthetic[spec.synthetic!]!;
  return { X: matrixOf(set.X), y: set[spec.target!] as Target[], weight: set.weight };
}

function matrixOf(X: SyntheticSet["X"]): Matrix | CsrMatrix {
  if (!("indptr" in X)) return new Matrix(Float64Array.from(X.flat()), X.length, X[0]!.length);
  return new CsrMatrix({
    rows: X.rows,
    cols: X.cols,
    indptr: Int32Array.from(X.indptr),
    indices: Int32Array.from(X.indices),
    values: Float64Array.from(X.values),
  });
}

async function includedSet(spec: DataSpec) {
  const set = await loadDataset(spec.included!);
  const labels = Array.from(set.y as ArrayLike<Target>);
  const kept = labels.map((_, i) => i).filter((i) => spec.classes?.includes(labels[i] as string) ?? true);
  const { cols } = set.X;
  const rows = kept.map((i) => set.X.data.slice(i * cols, (i + 1) * cols));
  const data = new Float64Array(kept.length * cols);
  rows.forEach((row, i) => {
    data.set(row, i * cols);
  });
  const X = new Matrix(data, kept.length, cols);
  return { X: spec.standardize ? standardized(X) : X, y: kept.map((i) => labels[i]!), weight: [] };
}

/** Column mean 0 and population deviation 1, as tools/parity/shapes.py does it: not the code under test. */
function standardized(X: Matrix): Matrix {
  const { rows, cols } = X;
  const data = Float64Array.from(X.data);
  for (let j = 0; j < cols; j++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += data[i * cols + j]! / rows;
    let variance = 0;
    for (let i = 0; i < rows; i++) variance += (data[i * cols + j]! - mean) ** 2 / rows;
    const scale = variance > 1e-24 ? Math.sqrt(variance) : 1;
    for (let i = 0; i < rows; i++) data[i * cols + j] = (data[i * cols + j]! - mean) / scale;
  }
  return new Matrix(data, rows, cols);
}

/** The chosen rows as a dense matrix: what predictions are asked for. */
export function pick(X: Matrix | CsrMatrix, rows: readonly number[]): number[][] {
  return rows.map((i) => rowOf(X, i));
}

export function rowOf(X: Matrix | CsrMatrix, i: number): number[] {
  if (X instanceof Matrix) return Array.from(X.data.slice(i * X.cols, (i + 1) * X.cols));
  const row = new Array<number>(X.cols).fill(0);
  for (let e = X.indptr[i]!; e < X.indptr[i + 1]!; e++) row[X.indices[e]!] = X.values[e]!;
  return row;
}

/** w·xᵢ + b of every row. */
export function scores(X: Matrix | CsrMatrix, w: ArrayLike<number>, b: number): number[] {
  return Array.from({ length: X.rows }, (_, i) => {
    let z = b;
    const row = rowOf(X, i);
    for (let j = 0; j < row.length; j++) z += row[j]! * w[j]!;
    return z;
  });
}
