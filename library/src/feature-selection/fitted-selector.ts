import type { CsrLike, FittedTransformer, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import type { ModelState, StateReader } from "../core/state.js";
import { type Structure, structure, transformerStructure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { KnownFeatures } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { selectColumns } from "../data/table/join-columns.js";
import { FittedColumns } from "../preprocessing/fitted-columns.js";

/** Sparse stays sparse, everything else becomes a matrix. */
export type Selected<X> = X extends CsrLike ? CsrMatrix : Matrix;

/** Keeps some columns of X, in their order. */
export abstract class FittedSelector<P extends object> extends FittedColumns<P> implements FittedTransformer {
  /** Numbers of the columns that are kept, ascending. */
  readonly selected: readonly number[];

  constructor(
    params: P,
    columns: KnownFeatures,
    /** What decided: a number per column, larger is better. NaN where there is none. */
    readonly scores: Float64Array,
    selected: readonly number[],
  ) {
    super(params, columns);
    this.selected = Object.freeze([...selected]);
  }

  [structure](): Structure {
    return transformerStructure(this, { kind: "select", columns: this.selected });
  }

  transform<X extends MatrixLike>(x: X): Selected<X> {
    const rows = this.read(`Fitted${this.id}.transform`, x, this.input);
    if (rows.rows === 0) return Matrix.zeros(0, this.selected.length) as Selected<X>;
    return selectColumns(rows, this.selected) as Selected<X>;
  }

  /** What X may be. */
  protected get input(): { readonly sparse: boolean; readonly missing: boolean } {
    return { sparse: true, missing: false };
  }

  /** The columns at their places, zeros elsewhere. */
  inverseTransform<X extends MatrixLike>(z: X): Selected<X> {
    const where = `Fitted${this.id}.inverseTransform`;
    const { selected, nFeatures } = this;
    const design = readMatrix(where, z, { ...this.input, cols: selected.length });
    if (design instanceof CsrMatrix) {
      const indices = design.indices.map((place) => selected[place]!);
      return new CsrMatrix({ ...design, cols: nFeatures, indices }) as Selected<X>;
    }
    const out = Matrix.zeros(design.rows, nFeatures);
    for (let i = 0, e = 0; i < design.rows; i++)
      for (const j of selected) out.data[i * nFeatures + j] = design.data[e++]!;
    return out as Selected<X>;
  }

  /** Names of the columns that are kept. */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    return this.selected.map((j) => names[j]!);
  }

  override toState(): ModelState {
    const state = super.toState();
    const scores = storable(this.scores);
    return { ...state, values: { ...state.values, selected: [...this.selected], scores } };
  }
}

/** Keeps columns by scores that may have p-values. */
export abstract class FittedUnivariate<P extends object> extends FittedSelector<P> {
  constructor(
    params: P,
    columns: KnownFeatures,
    scores: Float64Array,
    /** How probable a score as large is if the column says nothing about y; undefined for mutual information. */
    readonly pValues: Float64Array | undefined,
    selected: readonly number[],
  ) {
    super(params, columns, scores, selected);
  }

  override toState(): ModelState {
    const state = super.toState();
    const { pValues } = this;
    return pValues ? { ...state, values: { ...state.values, pValues: storable(pValues) } } : state;
  }
}

/** A score that is not a number is stored as text: tensors are free of NaN. */
const storable = (scores: Float64Array): readonly (number | string)[] =>
  Array.from(scores, (score) => (Number.isFinite(score) ? score : String(score)));

/** p-values of a saved selector, if it has any. */
export function readPValues(reader: StateReader, { nFeatures }: KnownFeatures): Float64Array | undefined {
  if (!Object.hasOwn(reader.state.values, "pValues")) return undefined;
  const expected = `a p-value for each of ${nFeatures} columns`;
  return Float64Array.from(reader.value("pValues", expected, areScores(nFeatures)), Number);
}

const areScores =
  (count: number) =>
  (value: unknown): value is readonly (number | string)[] =>
    Array.isArray(value) &&
    value.length === count &&
    value.every((score) => typeof score === "number" || ["NaN", "Infinity", "-Infinity"].includes(score));

/** Scores and columns of a saved selector. */
export function readSelection(reader: StateReader, { nFeatures }: KnownFeatures) {
  const isPlaces = (value: unknown): value is readonly number[] =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (j, place) => Number.isInteger(j) && j < nFeatures && j > (place === 0 ? -1 : value[place - 1]),
    );
  const selected = reader.value("selected", "ascending numbers of columns", isPlaces);
  const scores = reader.value("scores", `a score for each of ${nFeatures} columns`, areScores(nFeatures));
  return { selected, scores: Float64Array.from(scores, Number) };
}

/** Throws where no column is left: there would be nothing to learn from. */
export function requireSome(where: string, selected: readonly number[], rule: string, advice: string): void {
  if (selected.length > 0) return;
  throw new DataError({ where, subject: "X", expected: `with a column ${rule}`, received: "none", advice });
}
