import { transformerCapabilities } from "../../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import { Estimator, restoreParams } from "../../core/estimator.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import {
  choice,
  either,
  integer,
  invalid,
  numbers,
  type Params,
  type ParamValues,
} from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import type { KnownFeatures } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { columnsOf, FittedColumns, readColumns } from "../fitted-columns.js";
import { clustered, distinct, evenly, quantiles, sortedColumn } from "./bin-edges.js";
import { type BinEncoding, type Binned, binEncodings, ColumnBins } from "./bins.js";

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
type KBinsParams = typeof kBinsDiscretizerParams;

/**
 * Numbers cut into bins: bin b of a column holds edges[b] ≤ x < edges[b + 1]; the first and last bins are unbounded,
 * so that every number has a bin.
 *
 * Parity: scikit-learn's KBinsDiscretizer. Equal edges are merged, so a column may have fewer bins than
 * nBins, and a constant column has one (its inverse is the constant; NaN in scikit-learn).
 */
export class KBinsDiscretizer<E extends BinEncoding = "onehot"> extends Estimator<KBinsParams> {
  static readonly id = "KBinsDiscretizer";
  static readonly table = kBinsDiscretizerParams;
  static readonly capabilities: Capabilities = transformerCapabilities;

  constructor(params: Params<KBinsParams, { encode: E }> = {}) {
    super(params);
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedKBinsDiscretizer<E> {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    const design = readMatrix(where, x, {});
    const { nBins, strategy } = this.params;
    if (typeof nBins !== "number" && nBins.length !== design.cols) {
      throw new DataError({
        where,
        subject: "nBins",
        expected: `one number, or one for each of the ${design.cols} columns`,
        received: `${nBins.length} numbers`,
      });
    }
    const edges = Array.from({ length: design.cols }, (_, j) => {
      const column = sortedColumn(where, design, j);
      const bins = typeof nBins === "number" ? nBins : nBins[j]!;
      const low = column[0]!;
      const high = column[column.length - 1]!;
      if (low === high) return Float64Array.of(low, high);
      if (strategy === "uniform") return evenly(low, high, bins);
      return distinct((strategy === "quantile" ? quantiles : clustered)(column, bins));
    });
    return new FittedKBinsDiscretizer(this.params, edges, columnsOf(x, design));
  }

  /** `fit(x).transform(x)`. */
  fitTransform(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Binned<E> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedKBinsDiscretizer<BinEncoding> {
    const reader = new StateReader(state);
    const table = kBinsDiscretizerParams;
    const params = restoreParams(table, reader);
    const columns = readColumns(reader);
    const counts = reader.integers("counts", [columns.nFeatures]);
    if (counts.length === 0 || !counts.every((count) => count >= 2))
      reader.fail("counts", "two or more edges per column", "something else");
    const all = reader.floats("edges", [counts.reduce((sum, count) => sum + count, 0)]);
    let at = 0;
    const edges = Array.from(counts, (count) => {
      at += count;
      return all.slice(at - count, at);
    });
    const ascend = edges.every((list) =>
      list.every((edge, k) => Number.isFinite(edge) && (k === 0 || edge >= list[k - 1]!)),
    );
    if (!ascend) reader.fail("edges", "finite and ascending", "something else");
    return new FittedKBinsDiscretizer(params, edges, columns);
  }
}

export class FittedKBinsDiscretizer<E extends BinEncoding = "onehot"> extends FittedColumns<
  ParamValues<KBinsParams>
> {
  protected readonly id = KBinsDiscretizer.id;
  readonly #bins: ColumnBins;

  constructor(
    params: ParamValues<KBinsParams>,
    /** The edges of each column's bins, ends included. */
    readonly binEdges: readonly Float64Array[],
    columns: KnownFeatures,
  ) {
    super(params, columns);
    this.#bins = new ColumnBins(
      binEdges.map((edges) => edges.subarray(1, -1)),
      params.encode,
    );
  }

  [structure](): Structure {
    return transformerStructure(this, {
      kind: "bins",
      edges: this.binEdges.map((edges) => edges.subarray(1, -1)),
      encode: this.params.encode === "ordinal" ? "ordinal" : "onehot",
    });
  }

  /** Number of bins per column. */
  get nBins(): Int32Array {
    return Int32Array.from(this.binEdges, (edges) => edges.length - 1);
  }

  transform(x: MatrixLike): Binned<E> {
    return this.#bins.encoded(this.read("FittedKBinsDiscretizer.transform", x, {})) as Binned<E>;
  }

  /** The middle of every bin. */
  inverseTransform(z: MatrixLike): Matrix {
    const out = this.#bins.decoded("FittedKBinsDiscretizer.inverseTransform", z);
    for (let i = 0, e = 0; i < out.rows; i++) {
      for (let j = 0; j < out.cols; j++, e++) {
        const edges = this.binEdges[j]!;
        const bin = out.data[e]!;
        out.data[e] = edges[bin]! + (edges[bin + 1]! - edges[bin]!) * 0.5;
      }
    }
    return out;
  }

  override featureNames(input?: readonly string[]): string[] {
    return this.#bins.names(this.namesIn(input));
  }

  override toState(): ModelState {
    const counts = Int32Array.from(this.binEdges, (edges) => edges.length);
    const edges = Float64Array.from(this.binEdges.flatMap((list) => [...list]));
    return {
      ...super.toState(),
      tensors: {
        counts: { shape: [counts.length], data: counts },
        edges: { shape: [edges.length], data: edges },
      },
    };
  }
}
