import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { Estimator, reviveParams } from "../core/estimator.js";
import {
  choice,
  invalid,
  type ParamSpec,
  type Params,
  type ParamValues,
  readParams,
} from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import type { KnownFeatures } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { begin } from "./begin.js";
import { type BinEncoding, type Binned, Bins, binEncodings } from "./bins.js";
import { columnCapabilities, columnsOf, FittedColumns, readColumns } from "./fitted-columns.js";

const isAscending = (value: unknown): value is readonly number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((edge, k) => Number.isFinite(edge) && (k === 0 || edge > value[k - 1]));

const edgesParam: ParamSpec<readonly number[] | readonly (readonly number[])[]> = {
  kind: "union",
  default: [0],
  doc: "Ascending thresholds: one list for all columns, or one list a column.",
  expected: "an ascending list of numbers, or one such list a column",
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
    doc: "The bin's number, or one output a bin (sparse, or dense).",
  }),
};
type ThresholdParams = typeof thresholdBinnerParams;

/**
 * Numbers cut into bins at thresholds that the caller knows: the bin of x is the number of edges ≤ x. With edges 1, 10, 50,
 * 100 the numbers 0.5, 1, 10, 99 and 100 fall into bins 0, 1, 2, 3 and 4.
 */
export class ThresholdBinner<E extends BinEncoding = "ordinal"> extends Estimator<ThresholdParams> {
  static readonly id = "ThresholdBinner";
  static readonly table = thresholdBinnerParams;
  static readonly capabilities: Capabilities = columnCapabilities;

  constructor(params: Params<ThresholdParams> & { readonly encode?: E } = {}) {
    super(ThresholdBinner.id, thresholdBinnerParams, params);
  }

  /** Learns only how wide X is. */
  fit(x: MatrixLike, _y?: ArrayLike<unknown>, options: FitOptions = {}): FittedThresholdBinner<E> {
    const where = "ThresholdBinner.fit";
    begin(where, options);
    return new FittedThresholdBinner(this.params, columnsOf(x, readMatrix(where, x, {})), where);
  }

  /** `fit(x).transform(x)`. */
  fitTransform(x: MatrixLike, y?: ArrayLike<unknown>, options?: FitOptions): Binned<E> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedThresholdBinner<BinEncoding> {
    const reader = new StateReader(state);
    const table = thresholdBinnerParams;
    const params = readParams(reader.where, table, reviveParams(table, state.params));
    return new FittedThresholdBinner(params, readColumns(reader), reader.where);
  }
}

export class FittedThresholdBinner<E extends BinEncoding = "ordinal"> extends FittedColumns<
  ParamValues<ThresholdParams>
> {
  protected readonly id = ThresholdBinner.id;
  readonly #bins: Bins;

  constructor(params: ParamValues<ThresholdParams>, columns: KnownFeatures, where: string) {
    super(params, columns);
    const { edges, encode } = params;
    const { nFeatures } = columns;
    const lists = isAscending(edges) ? Array.from({ length: nFeatures }, () => edges) : edges;
    if (lists.length !== nFeatures) {
      throw new DataError({
        where,
        subject: "edges",
        expected: `one list for all columns, or one for each of the ${nFeatures} columns`,
        received: `${lists.length} lists`,
      });
    }
    this.#bins = new Bins(
      lists.map((list) => Float64Array.from(list as readonly number[])),
      encode,
    );
  }

  transform(x: MatrixLike): Binned<E> {
    return this.#bins.encoded(this.read("FittedThresholdBinner.transform", x, {})) as Binned<E>;
  }

  override featureNames(input?: readonly string[]): string[] {
    return this.#bins.names(this.namesIn(input));
  }
}
