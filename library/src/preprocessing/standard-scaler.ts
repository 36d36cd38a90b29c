import { transformerCapabilities } from "../core/capabilities.js";
import type {
  Capabilities,
  CsrLike,
  FitOptions,
  FittedTransformer,
  MatrixLike,
  Unlabelled,
} from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { describeParams, Estimator, restoreParams } from "../core/estimator.js";
import { Model } from "../core/model.js";
import { flag, type Params, type ParamValues } from "../core/params.js";
import { type ModelState, StateReader } from "../core/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { featureNamesJson, readFeatureNames } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { unlabelledSet } from "../data/training-set.js";
import { columnMoments } from "../numeric/rows/column-moments.js";

export const standardScalerParams = {
  withMean: flag({ default: true, doc: "Subtract each column's mean. Sparse X requires false." }),
  withStd: flag({ default: true, doc: "Divide each column by its standard deviation." }),
};

/**
 * Columns of mean 0 and variance 1:
 *
 *   z = (x − mean) / scale,    mean = Σ w x / Σ w,    scale² = variance = Σ w (x − mean)² / Σ w
 *
 * The variance is the population's (divisor n). A constant column is only centred: its scale is 1.
 * Parity: scikit-learn's StandardScaler, except that it also calls a column constant when its variance is below
 * (n · ε · mean)²; here only if all values are equal.
 */
export class StandardScaler extends Estimator<typeof standardScalerParams> {
  static readonly id = "StandardScaler";
  static readonly table = standardScalerParams;
  static readonly capabilities: Capabilities = {
    ...transformerCapabilities,
    sparse: true,
    sampleWeight: true,
  };

  constructor(params: Params<typeof standardScalerParams> = {}) {
    super(StandardScaler.id, standardScalerParams, params);
  }

  /** Sparse rows are for scalers that do not centre. */
  get capabilities(): Capabilities {
    return { ...StandardScaler.capabilities, sparse: !this.params.withMean };
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedStandardScaler {
    const where = "StandardScaler.fit";
    const { x: rows, weights, featureNamesIn } = unlabelledSet(where, x, y, options, { sparse: true });
    if (rows instanceof CsrMatrix && this.params.withMean) refuseCentering(where);
    const { mean, variance, deviation } = columnMoments(where, rows, weights);
    const scale = deviation.map((s) => (s > 0 && this.params.withStd ? s : 1));
    return new FittedStandardScaler(this.params, mean, variance, scale, featureNamesIn);
  }

  /** `fit(x).transform(x)`. */
  fitTransform<X extends MatrixLike>(x: X, y?: Unlabelled, options?: FitOptions): Scaled<X> {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedStandardScaler {
    const reader = new StateReader(state);
    const params = restoreParams(standardScalerParams, reader);
    const mean = reader.floats("mean", [-1]);
    const variance = reader.floats("variance", [mean.length]);
    const scale = reader.floats("scale", [mean.length]);
    if (!scale.every((s) => s > 0 && s < Infinity))
      reader.fail("scale", "positive and finite", "something else");
    const names = readFeatureNames(reader, scale.length);
    return new FittedStandardScaler(params, mean, variance, scale, names);
  }
}

/** Sparse stays sparse, everything else becomes a matrix. */
export type Scaled<X> = X extends CsrLike ? CsrMatrix : Matrix;

export class FittedStandardScaler extends Model implements FittedTransformer {
  constructor(
    readonly params: ParamValues<typeof standardScalerParams>,
    readonly mean: Float64Array,
    readonly variance: Float64Array,
    /** What columns are divided by: the standard deviation, or 1. */
    readonly scale: Float64Array,
    readonly featureNamesIn?: readonly string[] | undefined,
  ) {
    super();
  }

  get nFeatures(): number {
    return this.scale.length;
  }

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    const design = this.#read("FittedStandardScaler.transform", x);
    const { scale } = this;
    if (design instanceof CsrMatrix) {
      const values = design.values.map((value, e) => value / scale[design.indices[e]!]!);
      return new CsrMatrix({ ...design, values }) as Scaled<X>;
    }
    const offset = this.#offset();
    const { data, rows, cols } = design;
    const out = new Float64Array(data.length);
    for (let i = 0, e = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++, e++) out[e] = (data[e]! - offset[j]!) / scale[j]!;
    }
    return new Matrix(out, rows, this.nFeatures) as Scaled<X>;
  }

  inverseTransform<X extends MatrixLike>(z: X): Scaled<X> {
    const design = this.#read("FittedStandardScaler.inverseTransform", z);
    const { scale } = this;
    if (design instanceof CsrMatrix) {
      const values = design.values.map((value, e) => value * scale[design.indices[e]!]!);
      return new CsrMatrix({ ...design, values }) as Scaled<X>;
    }
    const offset = this.#offset();
    const { data, rows, cols } = design;
    const out = new Float64Array(data.length);
    for (let i = 0, e = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++, e++) out[e] = data[e]! * scale[j]! + offset[j]!;
    }
    return new Matrix(out, rows, this.nFeatures) as Scaled<X>;
  }

  toState(): ModelState {
    const vector = (data: Float64Array) => ({ shape: [data.length], data });
    return {
      kind: StandardScaler.id,
      params: describeParams(this.params),
      values: featureNamesJson(this.featureNamesIn),
      tensors: { mean: vector(this.mean), variance: vector(this.variance), scale: vector(this.scale) },
    };
  }

  #read(where: string, x: MatrixLike): Design {
    const design = readMatrix(where, x, { sparse: true, like: this });
    if (design instanceof CsrMatrix && this.params.withMean) refuseCentering(where);
    return design;
  }

  #offset(): Float64Array {
    return this.params.withMean ? this.mean : new Float64Array(this.nFeatures);
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
