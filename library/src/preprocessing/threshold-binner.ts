import type { Capabilities, FitOptions, FittedModel, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { describeParams, Estimator, reviveParams } from "../core/estimator.js";
import {
  choice,
  invalid,
  type ParamSpec,
  type Params,
  type ParamValues,
  readParams,
} from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { readMatrix } from "../data/input.js";
import { begin } from "./begin.js";
import { type BinEncoding, type Binned, Bins, binEncodings } from "./bins.js";
import { inputNames } from "./feature-names.js";

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
  static readonly capabilities: Capabilities = {
    task: "transform",
    sparse: false,
    missing: false,
    categorical: false,
    multiclass: true,
    probabilities: false,
    decisionFunction: false,
    sampleWeight: false,
    partialFit: false,
  };

  constructor(params: Params<ThresholdParams> & { readonly encode?: E } = {}) {
    super(ThresholdBinner.id, thresholdBinnerParams, params);
  }

  /** Learns only how wide X is. */
  fit(x: MatrixLike, _y?: ArrayLike<unknown>, options: FitOptions = {}): FittedThresholdBinner<E> {
    const where = "ThresholdBinner.fit";
    begin(where, options);
    const { cols } = readMatrix(where, x, {});
    return new FittedThresholdBinner(this.params, cols, where);
  }

  /** `fit(x).transform(x)`. */
  fitTransform(x: MatrixLike, y?: ArrayLike<unknown>, options?: FitOptions): Binned<E> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedThresholdBinner<BinEncoding> {
    const reader = new StateReader(state);
    const table = thresholdBinnerParams;
    const params = readParams(reader.where, table, reviveParams(table, state.params));
    return new FittedThresholdBinner(params, reader.count("nFeatures"), reader.where);
  }
}

export class FittedThresholdBinner<E extends BinEncoding = "ordinal"> implements FittedModel {
  readonly #bins: Bins;

  constructor(
    readonly params: ParamValues<ThresholdParams>,
    readonly nFeatures: number,
    where: string,
  ) {
    const { edges, encode } = params;
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
    return this.#bins.encoded(
      readMatrix("FittedThresholdBinner.transform", x, { cols: this.nFeatures }),
    ) as Binned<E>;
  }

  featureNames(input?: readonly string[]): string[] {
    return this.#bins.names(
      inputNames("FittedThresholdBinner.featureNames", input, undefined, this.nFeatures),
    );
  }

  toState(): ModelState {
    return {
      kind: ThresholdBinner.id,
      params: describeParams(this.params),
      values: { nFeatures: this.nFeatures },
      tensors: {},
    };
  }
}
