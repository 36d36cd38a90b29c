import { transformer } from "../../core/capabilities.js";
import type { CsrLike, FitOptions, Unlabelled } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import { choice, flag, type ParamValues } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { columnName } from "../../data/feature-names.js";
import { type KnownFeatures, readColumns } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { type CellsLike, readCells } from "../../data/table/cells.js";
import { type Scaled, ScalerEstimator, TransformerModel } from "../../fitted/transformers.js";
import { areColumns } from "../lists.js";
import { isSparse, refuseInfinities } from "./fitted-simple-imputer.js";

export const missingIndicatorParams = {
  features: choice(["missing-only", "all"], {
    default: "missing-only",
    doc: "Which columns have an indicator: those that had gaps in fit, or all.",
  }),
  errorOnNew: flag({
    default: true,
    doc: "Throw if a column has gaps that had none in fit; otherwise these have no indicator. Only for missing-only.",
  }),
};
type IndicatorParams = typeof missingIndicatorParams;

export type { Scaled as Indicated } from "../../fitted/transformers.js";

/**
 * 1 where an entry is missing (NaN, null, undefined), else 0: a column of them for every column that had gaps in fit, or for all.
 * Beside an imputer it keeps what a gap says. Parity: scikit-learn's MissingIndicator, whose output are booleans.
 */
export class MissingIndicator extends ScalerEstimator<IndicatorParams, CellsLike> {
  static readonly id = "MissingIndicator";
  static readonly table = missingIndicatorParams;
  static readonly capabilities = transformer({ sparse: true, missing: true, categorical: true });

  fit(x: CellsLike, y?: Unlabelled, options?: FitOptions): FittedMissingIndicator {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    const gaps = gapsOf(where, x);
    const all = [...gaps.columns.keys()];
    const features = this.params.features === "all" ? all : all.filter((j) => gaps.columns[j]!.length > 0);
    const known = { nFeatures: all.length, featureNamesIn: gaps.names };
    return new FittedMissingIndicator(this.params, known, features);
  }

  static restore(state: ModelState): FittedMissingIndicator {
    const { reader, params } = restoring(missingIndicatorParams, state);
    const known = readColumns(reader);
    const features = reader.value("features", "ascending numbers of columns", areColumns(known.nFeatures));
    return new FittedMissingIndicator(params, known, features);
  }
}

/** Where X has gaps: their rows, by column. */
interface Gaps {
  readonly rows: number;
  readonly columns: readonly (readonly number[])[];
  readonly names: readonly string[] | undefined;
}

function gapsOf(where: string, x: CellsLike, like?: KnownFeatures): Gaps {
  if (isSparse(x)) return sparseGaps(where, x, like);
  const cells = readCells(where, x, like);
  const columns = cells.columns.map((column) => {
    const gaps: number[] = [];
    if (column.missing > 0) for (let i = 0; i < cells.rows; i++) if (column.at(i) === null) gaps.push(i);
    return gaps;
  });
  return { rows: cells.rows, columns, names: cells.names };
}

function sparseGaps(where: string, x: CsrLike, like: KnownFeatures | undefined): Gaps {
  const width = like ? { cols: like.nFeatures } : {};
  const design = readMatrix(where, x, { sparse: true, missing: true, ...width }) as CsrMatrix;
  refuseInfinities(where, design);
  const { rows, cols, indptr, indices, values } = design;
  const columns = Array.from({ length: cols }, (): number[] => []);
  for (let i = 0; i < rows; i++)
    for (let e = indptr[i]!; e < indptr[i + 1]!; e++)
      if (Number.isNaN(values[e]!)) columns[indices[e]!]!.push(i);
  return { rows, columns, names: undefined };
}

export class FittedMissingIndicator extends TransformerModel<ParamValues<IndicatorParams>> {
  /** Numbers of the columns that have an indicator. */
  readonly features: readonly number[];

  constructor(params: ParamValues<IndicatorParams>, known: KnownFeatures, features: readonly number[]) {
    super(params, known);
    this.features = Object.freeze([...features]);
  }

  protected readonly id = MissingIndicator.id;

  [structure](): Structure {
    return transformerStructure(this, { kind: "missing", columns: this.features });
  }

  transform<X extends CellsLike>(x: X): Scaled<X> {
    const where = this.where("transform");
    const gaps = gapsOf(where, x, this);
    this.#refuseNew(where, gaps);
    const { features } = this;
    if (isSparse(x)) {
      const rows = Array.from({ length: gaps.rows }, (): [number, number][] => []);
      for (const [place, j] of features.entries())
        for (const i of gaps.columns[j]!) rows[i]!.push([place, 1]);
      return CsrMatrix.fromRows(rows, features.length) as Scaled<X>;
    }
    const out = Matrix.zeros(gaps.rows, features.length);
    // A table without rows may lack the columns too.
    for (const [place, j] of features.entries())
      for (const i of gaps.columns[j] ?? []) out.data[i * features.length + place] = 1;
    return out as Scaled<X>;
  }

  /** `missingindicator_` and the column's name. */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    return this.features.map((j) => `missingindicator_${names[j]}`);
  }

  override toState(): ModelState {
    return stateOf(this.id, this, ["nFeatures", "features"]);
  }

  #refuseNew(where: string, { columns }: Gaps): void {
    if (!this.params.errorOnNew || this.params.features === "all") return;
    const known = new Set(this.features);
    const j = columns.findIndex((gaps, place) => gaps.length > 0 && !known.has(place));
    if (j < 0) return;
    const subject = columnName(this.featureNamesIn, j);
    const advice = 'errorOnNew: false ignores it; features: "all" has an indicator for every column.';
    throw new DataError(where, subject, "without gaps, as in fit", `a gap in row ${columns[j]![0]}`, advice);
  }
}
