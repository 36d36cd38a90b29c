import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import type { Params, ParamValues } from "../../core/params/params.js";
import { choice, either, integer, invalid, numbers } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type KnownFeatures, readColumns } from "../../data/feature-names-in.js";
import type { Matrix } from "../../data/matrix.js";
import { TransformerEstimator } from "../../fitted/transformers.js";
import { spaced } from "../b-splines.js";
import { cutLists, joinedLists, requireAscending } from "../lists.js";
import type { Ranked } from "../scalers/quantiles.js";
import { clustered, distinct, quantiles, sortedColumn } from "./bin-edges.js";
import { type BinEncoding, type Binned, BinsModel, binEncodings } from "./bins.js";

const wholeNumbers = numbers({ atLeast: 2, default: [], doc: "" });

export const kBinsDiscretizerParams = {
  nBins: either(integer({ atLeast: 2, default: 5, doc: "Bins of every column, or one number per column." }), {
    ...wholeNumbers,
    expected: "an array of integers ≥ 2",
    read: (value: unknown) => {
      const list = wholeNumbers.read(value);
      return list !== invalid && list.length > 0 && list.every(Number.isInteger) ? list : invalid;
    },
  }),
  encode: choice(binEncodings, {
    default: "onehot",
    doc: "One output per bin (sparse or dense), or the index of the bin.",
  }),
  strategy: choice(["quantile", "uniform", "kmeans"], {
    default: "quantile",
    doc: "Bins of equal counts, of equal width, or around the centres of one-dimensional k-means.",
  }),
};

type BinsValues = ParamValues<typeof kBinsDiscretizerParams>;

/**
 * Numbers cut into bins: bin b of a column holds edges[b] ≤ x < edges[b + 1]; the first and last bins are unbounded,
 * so that every number has a bin.
 *
 * Parity: scikit-learn's KBinsDiscretizer. Equal edges are merged, so a column may have fewer bins than
 * nBins, and a constant column has one (its inverse is the constant; NaN in scikit-learn).
 */
export class KBinsDiscretizer<E extends BinEncoding = "onehot"> extends TransformerEstimator<
  typeof kBinsDiscretizerParams,
  MatrixLike,
  Binned<E>
> {
  static readonly id = "KBinsDiscretizer";
  static readonly table = kBinsDiscretizerParams;
  static readonly capabilities = transformer();

  constructor(params: Params<typeof kBinsDiscretizerParams, { encode: E }> = {}) {
    super(params);
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedKBinsDiscretizer<E> {
    const known = this.unweighted(x, y, options, {});
    const { where, x: rows, nFeatures } = known;
    const edges = Array.from(binCounts(where, this.params, nFeatures), (bins, j) => {
      const sorted = sortedColumn(where, rows, j);
      return binEdges(this.params, sorted, bins, () => clustered(sorted, bins));
    });
    return new FittedKBinsDiscretizer(this.params, edges, known);
  }

  static restore(state: ModelState): FittedKBinsDiscretizer<BinEncoding> {
    const { reader, params } = restoring(kBinsDiscretizerParams, state);
    const columns = readColumns(reader);
    const counts = reader.integers("counts", [columns.nFeatures]);
    if (counts.length === 0 || !counts.every((count) => count >= 2))
      reader.fail("counts", "two or more edges per column", "something else");
    const all = reader.floats("edges", [counts.reduce((sum, count) => sum + count, 0)]);
    const edges = requireAscending(reader, "edges", cutLists(all, counts));
    return new FittedKBinsDiscretizer(params, edges, columns);
  }
}

/** The number of bins of each column. */
export function binCounts(where: string, { nBins }: BinsValues, nFeatures: number): readonly number[] {
  if (typeof nBins === "number") return new Array<number>(nFeatures).fill(nBins);
  if (nBins.length === nFeatures) return nBins;
  const expected = `one number, or one for each of the ${nFeatures} columns`;
  throw new DataError(where, "nBins", expected, `${nBins.length} numbers`);
}

/** The edges of a column's bins; `byClusters` finds those of the strategy "kmeans". */
export function binEdges(
  { strategy }: BinsValues,
  column: Ranked,
  bins: number,
  byClusters: () => Float64Array,
): Float64Array {
  const [low, high] = [column.at(0)!, column.at(column.length - 1)!];
  if (low === high) return Float64Array.of(low, high);
  if (strategy === "uniform") return spaced(low, high, bins + 1);
  return distinct(strategy === "quantile" ? quantiles(column, bins) : byClusters());
}

export class FittedKBinsDiscretizer<E extends BinEncoding = "onehot"> extends BinsModel<
  ParamValues<typeof kBinsDiscretizerParams>,
  E
> {
  protected readonly id = KBinsDiscretizer.id;

  constructor(
    params: ParamValues<typeof kBinsDiscretizerParams>,
    /** The edges of each column's bins, ends included. */
    readonly binEdges: readonly Float64Array[],
    columns: KnownFeatures,
  ) {
    super(params, columns);
  }

  /** Number of bins per column. */
  get nBins(): Int32Array {
    return Int32Array.from(this.binEdges, (edges) => edges.length - 1);
  }

  /** The middle of every bin. */
  inverseTransform(z: MatrixLike): Matrix {
    const out = this.bins.decoded(this.where("inverseTransform"), z);
    for (let i = 0, e = 0; i < out.rows; i++) {
      for (let j = 0; j < out.cols; j++, e++) {
        const edges = this.binEdges[j]!;
        const bin = out.data[e]!;
        out.data[e] = edges[bin]! + (edges[bin + 1]! - edges[bin]!) * 0.5;
      }
    }
    return out;
  }

  override toState(): ModelState {
    const counts = Int32Array.from(this.binEdges, (edges) => edges.length);
    return stateOf(this.id, this, { nFeatures: this.nFeatures, counts, edges: joinedLists(this.binEdges) });
  }

  protected cuts(): readonly Float64Array[] {
    return this.binEdges.map((edges) => edges.subarray(1, -1));
  }
}
