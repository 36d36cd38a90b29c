import { transformerCapabilities } from "../../core/capabilities.js";
import type {
  Capabilities,
  CsrLike,
  FitOptions,
  FittedTransformer,
  MatrixLike,
  Unlabelled,
} from "../../core/contract.js";
import { DataError, ParameterError, ShapeError, show } from "../../core/errors.js";
import { describeParams, Estimator, restoreParams } from "../../core/estimator.js";
import { Model } from "../../core/model.js";
import { flag, type ParamValues } from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state.js";
import { affine, type Structure, structure, transformerStructure } from "../../core/structure.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { featureNamesJson, readFeatureNames } from "../../data/feature-names-in.js";
import { type Design, readMatrix } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { type UnlabelledSet, unlabelledSet } from "../../data/training-set.js";
import { columnMoments } from "../../numeric/rows/column-moments.js";
import { inputNames } from "../feature-names.js";
import { isRoundingNoise } from "./rounding-noise.js";
import { scaledColumns, unscaledColumns } from "./scaled-columns.js";

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
export class StandardScaler extends Estimator<typeof standardScalerParams> {
  static readonly id = "StandardScaler";
  static readonly table = standardScalerParams;
  static readonly capabilities: Capabilities = {
    ...transformerCapabilities,
    sparse: true,
    sampleWeight: true,
    partialFit: true,
    invertible: true,
  };

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
      const expected = "a FittedStandardScaler, or null";
      throw new ParameterError({ where, subject: "the model", expected, received: show(model) });
    }
    const rules = { sparse: true, ...(model && { like: model }) };
    const more = momentsOf(where, unlabelledSet(where, x, y, options, rules), this.params);
    return this.#model(model === null ? more : joined(model, more));
  }

  /** `fit(x).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y?: Unlabelled, options?: FitOptions): Scaled<X> {
    return this.fit(x, y, options).transform(x);
  }

  #model({ deviation, ...moments }: Moments): FittedStandardScaler {
    const { withStd } = this.params;
    const scale = deviation.map((s, j) => (withStd && !isRoundingNoise(s, moments.mean[j]!) ? s : 1));
    return new FittedStandardScaler(this.params, { ...moments, scale });
  }

  static restore(state: ModelState): FittedStandardScaler {
    const reader = new StateReader(state);
    const params = restoreParams(standardScalerParams, reader);
    const mean = reader.finite("mean", [-1]);
    const variance = reader.floats("variance", [mean.length]);
    const scale = reader.floats("scale", [mean.length]);
    if (!scale.every((s) => s > 0 && s < Infinity))
      reader.fail("scale", "positive and finite", "something else");
    const nSamplesSeen = reader.number("nSamplesSeen");
    if (!(nSamplesSeen > 0)) reader.fail("nSamplesSeen", "> 0", `${nSamplesSeen}`);
    const featureNamesIn = readFeatureNames(reader, scale.length);
    return new FittedStandardScaler(params, { mean, variance, scale, nSamplesSeen, featureNamesIn });
  }
}

/** The moments of the columns, which merge by addition. */
interface Moments extends Omit<ScalerState, "scale"> {
  readonly deviation: Float64Array;
}

function momentsOf(
  where: string,
  { x, weights, featureNamesIn }: UnlabelledSet,
  { withMean }: ParamValues<typeof standardScalerParams>,
): Moments {
  if (x instanceof CsrMatrix && withMean) refuseCentering(where);
  if (x.rows === 0)
    throw new ShapeError({ where, subject: "X", expected: "at least one row", received: "0 rows" });
  const nSamplesSeen = weights ? weights.reduce((sum, s) => sum + s, 0) : x.rows;
  return { ...columnMoments(where, x, weights), nSamplesSeen, featureNamesIn };
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
  return { mean, variance, deviation, nSamplesSeen, featureNamesIn: known.featureNamesIn };
}

/** Sparse stays sparse, everything else becomes a matrix. */
export type Scaled<X> = X extends CsrLike ? CsrMatrix : Matrix;

interface ScalerState {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  readonly scale: Float64Array;
  readonly nSamplesSeen: number;
  readonly featureNamesIn?: readonly string[] | undefined;
}

export class FittedStandardScaler extends Model implements FittedTransformer {
  readonly mean: Float64Array;
  readonly variance: Float64Array;
  /** What columns are divided by: the standard deviation, or 1. */
  readonly scale: Float64Array;
  /** The number of rows of all fits, or the sum of their weights. */
  readonly nSamplesSeen: number;
  readonly featureNamesIn: readonly string[] | undefined;

  constructor(
    readonly params: ParamValues<typeof standardScalerParams>,
    state: ScalerState,
  ) {
    super();
    this.mean = state.mean;
    this.variance = state.variance;
    this.scale = state.scale;
    this.nSamplesSeen = state.nSamplesSeen;
    this.featureNamesIn = state.featureNamesIn;
  }

  /** `variance`, by scikit-learn's name. */
  get var(): Float64Array {
    return this.variance;
  }

  /** Names of the output columns, which are those of the input: given, of fit, or x0, x1, … */
  featureNames(input?: readonly string[]): string[] {
    return [...inputNames("FittedStandardScaler.featureNames", input, this.featureNamesIn, this.nFeatures)];
  }

  /** `featureNames()`. */
  get featureNamesOut(): readonly string[] {
    return this.featureNames();
  }

  get nFeatures(): number {
    return this.scale.length;
  }

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    const design = this.#read("FittedStandardScaler.transform", x);
    return scaledColumns(design, this.#center, this.scale) as Scaled<X>;
  }

  inverseTransform<X extends MatrixLike>(z: X): Scaled<X> {
    const design = this.#read("FittedStandardScaler.inverseTransform", z);
    return unscaledColumns(design, this.#center, this.scale) as Scaled<X>;
  }

  [structure](): Structure {
    return transformerStructure(this, affine(this.#center, this.scale));
  }

  toState(): ModelState {
    const vector = (data: Float64Array) => ({ shape: [data.length], data });
    return {
      kind: StandardScaler.id,
      params: describeParams(this.params),
      values: { nSamplesSeen: this.nSamplesSeen, ...featureNamesJson(this.featureNamesIn) },
      tensors: { mean: vector(this.mean), variance: vector(this.variance), scale: vector(this.scale) },
    };
  }

  #read(where: string, x: MatrixLike): Design {
    const design = readMatrix(where, x, { sparse: true, like: this });
    if (design instanceof CsrMatrix && this.params.withMean) refuseCentering(where);
    return design;
  }

  get #center(): Float64Array | undefined {
    return this.params.withMean ? this.mean : undefined;
  }
}

function refuseCentering(where: string): never {
  throw new DataError({
    where,
    subject: "X",
    expected: "dense, since subtracting the mean fills every zero",
    received: "a sparse matrix",
    advice: "new StandardScaler({ withMean: false }) keeps it sparse.",
  });
}
