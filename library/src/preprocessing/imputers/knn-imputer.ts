import { transformer } from "../../core/capabilities.js";
import type { FitOptions, Unlabelled } from "../../core/contract.js";
import { show } from "../../core/errors.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import { choice, integer, type ParamValues } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type Structure, structure, transformerStructure, undescribed } from "../../core/structure.js";
import { type KnownFeatures, readColumns } from "../../data/feature-names-in.js";
import { Matrix } from "../../data/matrix.js";
import { type CellsLike, readCells } from "../../data/table/cells.js";
import { TransformerEstimator } from "../../fitted/transformers.js";
import { eachGapDistances } from "../../numeric/neighbors/gap-distances.js";
import { numericColumns } from "../cell-numbers.js";
import { evenLists } from "../lists.js";
import { mean } from "./fill-values.js";
import { gapParams, ImputerModel } from "./imputer-model.js";
import { NearestRows } from "./nearest-rows.js";

export const knnImputerParams = {
  nNeighbors: integer({ atLeast: 1, default: 5, doc: "How many rows a gap is filled from." }),
  weights: choice(["uniform", "distance"], {
    default: "uniform",
    doc: "Whether these rows count equally, or inversely to their distance.",
  }),
  ...gapParams,
};
type ImputerParams = typeof knnImputerParams;

const ADVICE = 'SimpleImputer with strategy "mostFrequent" fills text; encoders turn it into numbers.';

/**
 * Gaps filled from the nearest rows of fit: the mean of column j over the k nearest of the rows that have a value in it,
 *
 *   x̂ⱼ = Σᵣ wᵣ xᵣⱼ / Σᵣ wᵣ,      wᵣ = 1, or 1 / d(x, xᵣ); rows at distance 0 count alone if there are any
 *
 * by the euclidean distance over the columns that both rows have, scaled up to all columns. Of equally near rows the first ones count. A row that shares no column with any
 * of them gets the mean of the column. [Troyanskaya et al. 2001]
 *
 * Parity: scikit-learn's KNNImputer. Rows that share no column with x never count, as in its versions since 1.3; version 1.2 counts
 * them where others are fewer than nNeighbors and weights are uniform. Indicators are appended also to rows without any gap, where
 * version 1.2 leaves them out.
 */
export class KNNImputer extends TransformerEstimator<ImputerParams, CellsLike> {
  static readonly id = "KNNImputer";
  static readonly table = knnImputerParams;
  static readonly capabilities = transformer({ missing: true });

  fit(x: CellsLike, y?: Unlabelled, options?: FitOptions): FittedKNNImputer {
    const where = this.where("fit");
    const { onWarning } = beginUnweightedFit(where, y, options);
    const cells = readCells(where, x);
    const columns = numericColumns(where, cells, ADVICE).map((column) => column.slice());
    const known = { nFeatures: columns.length, featureNamesIn: cells.names };
    const model = new FittedKNNImputer(this.params, known, columns);
    for (const warning of model.warnings) onWarning?.(warning);
    return model;
  }

  static restore(state: ModelState): FittedKNNImputer {
    const { reader, params } = restoring(knnImputerParams, state);
    const known = readColumns(reader);
    const rows = reader.count("rows");
    if (rows === 0 || known.nFeatures === 0) reader.fail("rows", "one or more, with columns", "none");
    const own = reader.finite("columns", [known.nFeatures, rows]).slice();
    for (const e of reader.integers("gaps", [-1])) {
      if (e < 0 || e >= own.length) reader.fail("gaps", "numbers of entries", show(e));
      own[e] = Number.NaN;
    }
    return new FittedKNNImputer(params, known, evenLists(own, known.nFeatures));
  }
}

export class FittedKNNImputer extends ImputerModel<ParamValues<ImputerParams>> {
  protected readonly id = KNNImputer.id;
  /** The columns of fit, NaN where they have gaps. */
  readonly #columns: readonly Float64Array[];
  readonly #means: readonly (number | undefined)[];

  constructor(params: ParamValues<ImputerParams>, known: KnownFeatures, columns: readonly Float64Array[]) {
    const present = columns.map((column) => column.filter((value) => !Number.isNaN(value)));
    const withGaps = [...columns.keys()].filter((j) => present[j]!.length < columns[j]!.length);
    super(params, known, (j) => present[j]!.length === 0, withGaps);
    this.#columns = columns;
    this.#means = present.map((values) => (values.length > 0 ? mean(values) : undefined));
  }

  [structure](): Structure {
    return transformerStructure(this, undescribed("it fills gaps from neighbours among the training rows"));
  }

  transform(x: CellsLike): Matrix {
    const where = this.where("transform");
    const kinds = Array.from({ length: this.nFeatures }, () => "number" as const);
    const cells = readCells(where, x, this, kinds);
    const { kept, indicators, count } = this.outputs;
    const out = Matrix.zeros(cells.rows, count);
    if (cells.rows === 0) return out;
    const columns = numericColumns(where, cells, ADVICE);
    const filled = this.#filled(where, columns, cells.rows);
    for (let i = 0, o = 0; i < cells.rows; i++) {
      for (const j of kept) out.data[o++] = filled.data[i * this.nFeatures + j]!;
      for (const j of indicators) out.data[o++] = Number.isNaN(columns[j]![i]!) ? 1 : 0;
    }
    return out;
  }

  override toState(): ModelState {
    const rows = this.#columns[0]!.length;
    const data = new Float64Array(this.nFeatures * rows);
    const gaps: number[] = [];
    for (const [j, column] of this.#columns.entries()) {
      for (let i = 0; i < rows; i++) {
        if (Number.isNaN(column[i]!)) gaps.push(j * rows + i);
        else data[j * rows + i] = column[i]!;
      }
    }
    const { nFeatures } = this;
    const columns = { shape: [nFeatures, rows], data };
    return stateOf(this.id, this, { nFeatures, rows, columns, gaps: Int32Array.from(gaps) });
  }

  /** All columns, row by row; those without any value in fit are 0. */
  #filled(where: string, columns: readonly Float64Array[], rows: number): Matrix {
    const { nFeatures } = this;
    const out = Matrix.zeros(rows, nFeatures);
    const withGaps: number[] = [];
    for (let i = 0, e = 0; i < rows; i++) {
      let hasGap = false;
      for (let j = 0; j < nFeatures; j++, e++) {
        if (this.#means[j] === undefined) continue;
        out.data[e] = columns[j]![i]!;
        if (Number.isNaN(out.data[e]!)) hasGap = true;
      }
      if (hasGap) withGaps.push(i);
    }
    if (withGaps.length === 0) return out;
    const nearest = new NearestRows(this.params.nNeighbors);
    eachGapDistances(where, this.#columns, out.selectRows(withGaps), (query, squares) => {
      const start = withGaps[query]! * nFeatures;
      for (let j = 0; j < nFeatures; j++)
        if (Number.isNaN(out.data[start + j]!)) out.data[start + j] = this.#fill(j, squares, nearest);
    });
    return out;
  }

  #fill(j: number, squares: Float64Array<ArrayBufferLike>, nearest: NearestRows): number {
    const column = this.#columns[j]!;
    const rows = nearest.find(squares, column);
    return rows.length === 0 ? this.#means[j]! : this.#average(column, squares, rows);
  }

  #average(column: Float64Array, squares: Float64Array<ArrayBufferLike>, rows: Int32Array): number {
    const values = new Float64Array(rows.length);
    for (let r = 0; r < rows.length; r++) values[r] = column[rows[r]!]!;
    if (this.params.weights === "uniform") return mean(values);
    const inverse = Float64Array.from(rows, (r) => 1 / Math.sqrt(squares[r]!));
    const atZero = inverse.some((weight) => weight === Infinity);
    const weights = atZero ? inverse.map((weight) => (weight === Infinity ? 1 : 0)) : inverse;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return values.reduce((sum, value, r) => sum + value * (weights[r]! / total), 0);
  }
}
