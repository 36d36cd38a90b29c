import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError } from "../../core/errors.js";
import { choice, invalid, type ParamSpec, type Params, type ParamValues } from "../../core/params/params.js";
import { restoring } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { type KnownFeatures, readColumns } from "../../data/feature-names-in.js";
import { TransformerEstimator } from "../../fitted/transformers.js";
import { type BinEncoding, type Binned, BinsModel, binEncodings } from "./bins.js";

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

/**
 * Numbers cut into bins at given thresholds: the bin of x is the number of edges ≤ x. With edges 1, 10, 50,
 * 100 the numbers 0.5, 1, 10, 99 and 100 fall into bins 0, 1, 2, 3 and 4.
 */
export class ThresholdBinner<E extends BinEncoding = "ordinal"> extends TransformerEstimator<
  typeof thresholdBinnerParams,
  MatrixLike,
  Binned<E>
> {
  static readonly id = "ThresholdBinner";
  static readonly table = thresholdBinnerParams;
  static readonly capabilities = transformer();

  constructor(params: Params<typeof thresholdBinnerParams, { encode: E }> = {}) {
    super(params);
  }

  /** Learns only the number of columns. */
  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedThresholdBinner<E> {
    const known = this.unweighted(x, y, options, {});
    return new FittedThresholdBinner(this.params, known, known.where);
  }

  static restore(state: ModelState): FittedThresholdBinner<BinEncoding> {
    const { reader, params } = restoring(thresholdBinnerParams, state);
    return new FittedThresholdBinner(params, readColumns(reader), reader.where);
  }
}

export class FittedThresholdBinner<E extends BinEncoding = "ordinal"> extends BinsModel<
  ParamValues<typeof thresholdBinnerParams>,
  E
> {
  protected readonly id = ThresholdBinner.id;

  constructor(params: ParamValues<typeof thresholdBinnerParams>, columns: KnownFeatures, where: string) {
    super(params, columns);
    const { edges } = params;
    if (!isAscending(edges) && edges.length !== columns.nFeatures) {
      const expected = `one list for all columns, or one for each of the ${columns.nFeatures} columns`;
      throw new DataError(where, "edges", expected, `${edges.length} lists`);
    }
  }

  protected cuts(): readonly Float64Array[] {
    const { edges } = this.params;
    if (isAscending(edges)) return new Array<Float64Array>(this.nFeatures).fill(Float64Array.from(edges));
    return (edges as readonly (readonly number[])[]).map((list) => Float64Array.from(list));
  }
}
