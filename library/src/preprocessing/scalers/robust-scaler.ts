import { transformer } from "../../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { ParameterError } from "../../core/errors.js";
import { normalQuantile } from "../../core/numbers/normal-distribution.js";
import { flag, numbers, type Params, type ParamValues } from "../../core/params/params.js";
import { restoring } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { readColumns } from "../../data/feature-names-in.js";
import { ScalerEstimator } from "../../fitted/transformers.js";
import { presentByColumn } from "../imputers/fill-values.js";
import { FittedShiftAndScale, readShiftAndScale, refuseCenter } from "./fitted-shift-and-scale.js";
import { quantileOf, type Ranked } from "./quantiles.js";
import { isRoundingNoise } from "./rounding-noise.js";

export const robustScalerParams = {
  withCentering: flag({ default: true, doc: "Subtract each column's median. Sparse X requires false." }),
  withScaling: flag({ default: true, doc: "Divide each column by the distance of two quantiles." }),
  quantileRange: numbers({
    length: 2,
    atLeast: 0,
    atMost: 100,
    default: [25, 75],
    doc: "The quantiles whose distance is the scale, in percent.",
  }),
  unitVariance: flag({
    default: false,
    doc: "Divide by so much more that a normal column has variance 1. Needs quantiles other than 0 and 100.",
  }),
};
type RobustParams = typeof robustScalerParams;

/**
 * Columns by median and quartiles, which outliers do not move:
 *
 *   z = (x − median) / (q₇₅ − q₂₅)
 *
 * Quantiles are linearly interpolated. A column whose quantiles are equal is only centred. Sparse rows count their zeros.
 * Parity: scikit-learn's RobustScaler, which calls quantiles equal when they differ by less than 10 ε; here by 2 ε times their size.
 */
export class RobustScaler extends ScalerEstimator<RobustParams> {
  static readonly id = "RobustScaler";
  static readonly table = robustScalerParams;
  static readonly capabilities = transformer({ sparse: true, invertible: true });

  constructor(params: Params<RobustParams> = {}) {
    super(params);
    checkRange(this.id, this.params);
  }

  /** Sparse rows are for scalers that do not centre. */
  get capabilities(): Capabilities {
    return { ...RobustScaler.capabilities, sparse: !this.params.withCentering };
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedRobustScaler {
    const known = this.unweighted(x, y, options, { sparse: true });
    const rows = known.x;
    const { withCentering } = this.params;
    if (rows instanceof CsrMatrix && withCentering) refuseCenter(known.where, this.id);
    const columns =
      rows instanceof CsrMatrix
        ? presentByColumn(rows)
        : Array.from({ length: rows.cols }, (_, j) => rows.column(j));
    const center = withCentering ? new Float64Array(rows.cols) : undefined;
    const scale = new Float64Array(rows.cols);
    for (const [j, column] of columns.entries()) {
      const own = robustStatistics(this.params, column.sort());
      if (center) center[j] = own.center!;
      scale[j] = own.scale;
    }
    return new FittedRobustScaler(this.params, known, center, scale);
  }

  static restore(state: ModelState): FittedRobustScaler {
    const { reader, params } = restoring(robustScalerParams, state);
    const columns = readColumns(reader);
    const { center, scale } = readShiftAndScale(reader, columns.nFeatures, params.withCentering);
    return new FittedRobustScaler(params, columns, center, scale);
  }
}

/** What a column is shifted by, if at all, and divided by. */
export function robustStatistics(
  { withCentering, withScaling, quantileRange, unitVariance }: ParamValues<RobustParams>,
  column: Ranked,
): { readonly center: number | undefined; readonly scale: number } {
  const [low, high] = [quantileRange[0]! / 100, quantileRange[1]! / 100];
  const normal = unitVariance ? normalQuantile(high) - normalQuantile(low) : 1;
  const center = withCentering ? quantileOf(column, 0.5) : undefined;
  const [from, to] = [quantileOf(column, low), quantileOf(column, high)];
  const constant = isRoundingNoise(to - from, Math.max(Math.abs(from), Math.abs(to)));
  return { center, scale: withScaling && !constant ? (to - from) / normal : 1 };
}

function checkRange(where: string, { quantileRange, unitVariance }: ParamValues<RobustParams>): void {
  const [low, high] = quantileRange as [number, number];
  const inner = !unitVariance || (low > 0 && high < 100);
  if (low < high && inner) return;
  const expected = inner ? "[low, high] with low < high" : "within (0, 100) with unitVariance";
  throw new ParameterError(where, "quantileRange", expected, `[${low}, ${high}]`);
}

export class FittedRobustScaler extends FittedShiftAndScale<ParamValues<RobustParams>> {
  protected readonly id = RobustScaler.id;
}
