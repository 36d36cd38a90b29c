import type { MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import type { ParamsTable } from "../core/params/params.js";
import { type Learned, restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState, StateReader } from "../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { type KnownFeatures, readColumns } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { selectColumns } from "../data/table/join-columns.js";
import { type Scaled, TransformerModel } from "../fitted/transformers.js";
import { areColumns } from "../preprocessing/lists.js";

export type { Scaled as Selected } from "../fitted/transformers.js";

/** Keeps some columns of X, in their order. */
export abstract class FittedSelector<P extends object> extends TransformerModel<P> {
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

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    const rows = this.read(this.where("transform"), x, this.input);
    if (rows.rows === 0) return Matrix.zeros(0, this.selected.length) as Scaled<X>;
    return selectColumns(rows, this.selected) as Scaled<X>;
  }

  /** What X may be. */
  protected get input(): { readonly sparse: boolean; readonly missing: boolean } {
    return { sparse: true, missing: false };
  }

  /** The columns at their places, zeros elsewhere. */
  inverseTransform<X extends MatrixLike>(z: X): Scaled<X> {
    const { selected, nFeatures } = this;
    const design = readMatrix(this.where("inverseTransform"), z, { ...this.input, cols: selected.length });
    if (design instanceof CsrMatrix) {
      const indices = design.indices.map((place) => selected[place]!);
      return new CsrMatrix({ ...design, cols: nFeatures, indices }) as Scaled<X>;
    }
    const out = Matrix.zeros(design.rows, nFeatures);
    for (let i = 0, e = 0; i < design.rows; i++)
      for (const j of selected) out.data[i * nFeatures + j] = design.data[e++]!;
    return out as Scaled<X>;
  }

  /** Names of the columns that are kept. */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    return this.selected.map((j) => names[j]!);
  }

  override toState(): ModelState {
    return stateOf(this.id, this, this.selection());
  }

  protected selection(): Learned {
    const { nFeatures, selected, scores } = this;
    return { nFeatures, selected, scores: storable(scores) };
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

  protected override selection(): Learned {
    return { ...super.selection(), pValues: this.pValues && storable(this.pValues) };
  }
}

/** A score that is not a number is stored as text: tensors are free of NaN. */
export const storable = (scores: Float64Array): readonly (number | string)[] =>
  Array.from(scores, (score) => (Number.isFinite(score) ? score : String(score)));

const areScores =
  (count: number) =>
  (value: unknown): value is readonly (number | string)[] =>
    Array.isArray(value) &&
    value.length === count &&
    value.every((score) => typeof score === "number" || ["NaN", "Infinity", "-Infinity"].includes(score));

/** Scores and columns of a saved selector. */
export function readSelection(reader: StateReader, { nFeatures }: KnownFeatures) {
  const selected = reader.value("selected", "ascending numbers of columns", areColumns(nFeatures, 1));
  const scores = reader.value("scores", `a score for each of ${nFeatures} columns`, areScores(nFeatures));
  return { selected, scores: Float64Array.from(scores, Number) };
}

/** What a saved selector by scores is made of. */
export function readUnivariate<T extends ParamsTable>(table: T, state: ModelState) {
  const { reader, params } = restoring(table, state);
  const columns = readColumns(reader);
  const { selected, scores } = readSelection(reader, columns);
  const expected = `a p-value for each of ${columns.nFeatures} columns`;
  const pValues = Object.hasOwn(state.values, "pValues")
    ? Float64Array.from(reader.value("pValues", expected, areScores(columns.nFeatures)), Number)
    : undefined;
  return [params, columns, scores, pValues, selected] as const;
}

/** Throws where no column is left: there would be nothing to learn from. */
export function requireSome(where: string, selected: readonly number[], rule: string, advice: string): void {
  if (selected.length > 0) return;
  throw new DataError(where, "X", `with a column ${rule}`, "none", advice);
}
