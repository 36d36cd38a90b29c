import { transformer } from "../../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { ParameterError, ShapeError, show } from "../../core/errors.js";
import { flag, type ParamValues } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { readPositive } from "../../core/state/state-lists.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { type KnownFeatures, readFeatureNames } from "../../data/feature-names-in.js";
import { type UnlabelledSet, unlabelledSet } from "../../data/training-set.js";
import { ScalerEstimator } from "../../fitted/transformers.js";
import { type ColumnMoments, columnMoments } from "../../numeric/rows/column-moments.js";
import { refuseShift, ShiftAndScaleModel } from "./fitted-shift-and-scale.js";
import { isRoundingNoise } from "./rounding-noise.js";

export const standardScalerParams = {
  withMean: flag({ default: true, doc: "Subtract each column's mean. Sparse X requires false." }),
  withStd: flag({ default: true, doc: "Divide each column by its standard deviation." }),
};

/**
 * Columns of mean 0 and variance 1:
 *
 *   z = (x − mean) / scale,    mean = Σ w x / Σ w,    scale² = variance = Σ w (x − mean)² / Σ w
 *
 * The variance is the population's (divisor n). A column that is constant up to rounding is only centred: its scale is 1.
 * Parity: scikit-learn's StandardScaler, except that it calls a column constant when its deviation is below n · ε · |mean|; here,
 * where the mean is exact, below 2 ε · |mean|.
 */
export class StandardScaler extends ScalerEstimator<typeof standardScalerParams> {
  static readonly id = "StandardScaler";
  static readonly table = standardScalerParams;
  static readonly capabilities = transformer({
    sparse: true,
    sampleWeight: true,
    partialFit: true,
    invertible: true,
  });

  /** Sparse rows are for scalers that do not centre. */
  get capabilities(): Capabilities {
    return { ...StandardScaler.capabilities, sparse: !this.params.withMean };
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedStandardScaler {
    const where = this.where("fit");
    return this.#model(momentsOf(where, unlabelledSet(where, x, y, options, { sparse: true }), this.params));
  }

  /** The scaler of all rows that the model has seen and of these; null begins a new one. */
  partialFit(
    model: FittedStandardScaler | null,
    x: MatrixLike,
    y?: Unlabelled,
    options?: FitOptions,
  ): FittedStandardScaler {
    const where = this.where("partialFit");
    if (model !== null && !(model instanceof FittedStandardScaler)) {
      throw new ParameterError(where, "the model", "a FittedStandardScaler, or null", show(model));
    }
    const rules = { sparse: true, ...(model && { like: model }) };
    const more = momentsOf(where, unlabelledSet(where, x, y, options, rules), this.params);
    return this.#model(model === null ? more : joined(model, more));
  }

  #model({ columns, mean, variance, deviation, nSamplesSeen }: Moments): FittedStandardScaler {
    const { withStd } = this.params;
    const scale = deviation.map((s, j) => (withStd && !isRoundingNoise(s, mean[j]!) ? s : 1));
    return new FittedStandardScaler(this.params, columns, mean, variance, scale, nSamplesSeen);
  }

  static restore(state: ModelState): FittedStandardScaler {
    const { reader, params } = restoring(standardScalerParams, state);
    const mean = reader.finite("mean", [-1]);
    const variance = reader.floats("variance", [mean.length]);
    const scale = readPositive(reader, "scale", [mean.length]);
    const nSamplesSeen = reader.number("nSamplesSeen");
    if (!(nSamplesSeen > 0)) reader.fail("nSamplesSeen", "> 0", `${nSamplesSeen}`);
    const columns = { nFeatures: mean.length, featureNamesIn: readFeatureNames(reader, mean.length) };
    return new FittedStandardScaler(params, columns, mean, variance, scale, nSamplesSeen);
  }
}

/** The moments of the columns, which merge by addition. */
interface Moments extends ColumnMoments {
  readonly columns: KnownFeatures;
  /** The number of rows of all fits, or the sum of their weights. */
  readonly nSamplesSeen: number;
}

function momentsOf(
  where: string,
  columns: UnlabelledSet,
  { withMean }: ParamValues<typeof standardScalerParams>,
): Moments {
  const { x, weights } = columns;
  if (x instanceof CsrMatrix && withMean) refuseMean(where);
  if (x.rows === 0) throw new ShapeError(where, "X", "at least one row", "0 rows");
  const nSamplesSeen = weights ? weights.reduce((sum, s) => sum + s, 0) : x.rows;
  return { ...columnMoments(where, x, weights), nSamplesSeen, columns };
}

/**
 * The moments of both sets of rows [Chan, Golub & LeVeque 1979]:
 *
 *   mean = m₁ + δ p,     variance = (1 − p) v₁ + p v₂ + p (1 − p) δ²,     δ = m₂ − m₁,   p the fraction of the new rows
 */
function joined(known: FittedStandardScaler, more: Moments): Moments {
  const nSamplesSeen = known.nSamplesSeen + more.nSamplesSeen;
  const p = more.nSamplesSeen / nSamplesSeen;
  const delta = more.mean.map((m, j) => m - known.mean[j]!);
  const mean = delta.map((change, j) => known.mean[j]! + change * p);
  const variance = delta.map(
    (change, j) => (1 - p) * known.variance[j]! + p * more.variance[j]! + p * (1 - p) * change * change,
  );
  const deviation = delta.map((change, j) => {
    // In units of the largest term, whose square may be outside the range of doubles.
    const [a, b] = [Math.sqrt(known.variance[j]!), more.deviation[j]!];
    const unit = Math.max(a, b, Math.abs(change));
    if (unit === 0) return 0;
    return (
      unit * Math.sqrt((1 - p) * (a / unit) ** 2 + p * (b / unit) ** 2 + p * (1 - p) * (change / unit) ** 2)
    );
  });
  return { mean, variance, deviation, nSamplesSeen, columns: known };
}

export class FittedStandardScaler extends ShiftAndScaleModel<ParamValues<typeof standardScalerParams>> {
  protected readonly id = StandardScaler.id;

  constructor(
    params: ParamValues<typeof standardScalerParams>,
    columns: KnownFeatures,
    readonly mean: Float64Array,
    readonly variance: Float64Array,
    /** What columns are divided by: the standard deviation, or 1. */
    readonly scale: Float64Array,
    /** The number of rows of all fits, or the sum of their weights. */
    readonly nSamplesSeen: number,
  ) {
    super(params, columns);
  }

  /** `variance`, by scikit-learn's name. */
  get var(): Float64Array {
    return this.variance;
  }

  /** `featureNames()`. */
  get featureNamesOut(): readonly string[] {
    return this.featureNames();
  }

  override toState(): ModelState {
    return stateOf(this.id, this, ["nSamplesSeen", "mean", "variance", "scale"]);
  }

  protected refuseSparse(where: string): never {
    refuseMean(where);
  }

  protected shift(): Float64Array | undefined {
    return this.params.withMean ? this.mean : undefined;
  }
}

function refuseMean(where: string): never {
  refuseShift(where, StandardScaler.id, "the mean", "withMean");
}
