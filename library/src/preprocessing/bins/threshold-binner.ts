import { transformerCapabilities } from "../../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import { Estimator, restoreParams } from "../../core/estimator.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import { choice, invalid, type ParamSpec, type Params, type ParamValues } from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state.js";
import { type Structure, structure, transformerStructure } from "../../core/structure.js";
import type { KnownFeatures } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import { columnsOf, FittedColumns, readColumns } from "../fitted-columns.js";
import { type BinEncoding, type Binned, binEncodings, ColumnBins } from "./bins.js";

const isAscending = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((edge, k) => Number.isFinite(edge) && (k === 0 || edge > value[k - 1]));

const edgesParam: ParamSpec<readonly number[] | readonly (readonly number[])[]> = {
  kind: "union",
  default: [0],
  doc: "Ascending thresholds: one list for all columns, or one list per column.",
  expected: "an ascending list of numbers, or one such list per column",
  read: (value) => {
    if (isAscending(value)) return Object.freeze([...value]);
    if (!Array.isArray(value) || value.length === 0 || !value.every(isAscending)) return invalid;
    return Object.freeze(value.map((list: readonly number[]) => Object.freeze([...list])));
  },
};

export const thresholdBinnerParams = {
  edges: edgesParam,
  encode: choice(binEncodings, {
    default: "ordinal",
    doc: "The index of the bin, or one output per bin (sparse or dense).",
  }),
};
type ThresholdParams = typeof thresholdBinnerParams;

/**
 * Numbers cut into bins at given thresholds: the bin of x is the number of edges ≤ x. With edges 1, 10, 50,
 * 100 the numbers 0.5, 1, 10, 99 and 100 fall into bins 0, 1, 2, 3 and 4.
 */
export class ThresholdBinner<E extends BinEncoding = "ordinal"> extends Estimator<ThresholdParams> {
  static readonly id = "ThresholdBinner";
  static readonly table = thresholdBinnerParams;
  static readonly capabilities: Capabilities = transformerCapabilities;

  constructor(params: Params<ThresholdParams, { encode: E }> = {}) {
    super(params);
  }

  /** Learns only the number of columns. */
  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedThresholdBinner<E> {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    return new FittedThresholdBinner(this.params, columnsOf(x, readMatrix(where, x, {})), where);
  }

  /** `fit(x).transform(x)`. */
  fitTransform(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Binned<E> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedThresholdBinner<BinEncoding> {
    const reader = new StateReader(state);
    const table = thresholdBinnerParams;
    const params = restoreParams(table, reader);
    return new FittedThresholdBinner(params, readColumns(reader), reader.where);
  }
}

export class FittedThresholdBinner<E extends BinEncoding = "ordinal"> extends FittedColumns<
  ParamValues<ThresholdParams>
> {
  protected readonly id = ThresholdBinner.id;
  #made: ColumnBins | undefined;

  constructor(params: ParamValues<ThresholdParams>, columns: KnownFeatures, where: string) {
    super(params, columns);
    const { edges } = params;
    if (!isAscending(edges) && edges.length !== columns.nFeatures) {
      throw new DataError({
        where,
        subject: "edges",
        expected: `one list for all columns, or one for each of the ${columns.nFeatures} columns`,
        received: `${edges.length} lists`,
      });
    }
  }

  [structure](): Structure {
    const { edges, encode } = this.params;
    const lists = isAscending(edges) ? Array.from({ length: this.nFeatures }, () => edges) : edges;
    return transformerStructure(this, {
      kind: "bins",
      edges: (lists as readonly (readonly number[])[]).map((list) => Float64Array.from(list)),
      encode: encode === "ordinal" ? "ordinal" : "onehot",
    });
  }

  /** Created when first used, for an X with that many columns, so that loading a file does not reserve memory for a number in it. */
  get #bins(): ColumnBins {
    const { edges, encode } = this.params;
    const listOf = (list: unknown) => Float64Array.from(list as readonly number[]);
    this.#made ??= new ColumnBins(
      isAscending(edges)
        ? new Array<Float64Array>(this.nFeatures).fill(listOf(edges))
        : (edges as readonly unknown[]).map(listOf),
      encode,
    );
    return this.#made;
  }

  transform(x: MatrixLike): Binned<E> {
    const design = this.read("FittedThresholdBinner.transform", x, {});
    return this.#bins.encoded(design) as Binned<E>;
  }

  override featureNames(input?: readonly string[]): string[] {
    return this.#bins.names(this.namesIn(input));
  }
}
