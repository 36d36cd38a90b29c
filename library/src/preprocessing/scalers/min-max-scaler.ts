import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { ParameterError } from "../../core/errors.js";
import { flag, numbers, type Params, type ParamValues } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { affine, type Structure, structure, transformerStructure } from "../../core/structure.js";
import { type KnownFeatures, readFeatureNames } from "../../data/feature-names-in.js";
import type { Matrix } from "../../data/matrix.js";
import { unlabelledSet } from "../../data/training-set.js";
import { TransformerEstimator, TransformerModel } from "../../fitted/transformers.js";
import { isRoundingNoise } from "./rounding-noise.js";
import { changedEntries, requireRange } from "./scaled-columns.js";

export const minMaxScalerParams = {
  featureRange: numbers({
    length: 2,
    default: [0, 1],
    doc: "Range of the transformed columns, [low, high].",
  }),
  clip: flag({ default: false, doc: "Clip values of new rows to featureRange." }),
};

/**
 * Columns scaled to [low, high] = featureRange:
 *
 *   z = low + (x − dataMin) / (dataMax − dataMin) · (high − low)
 *
 * A column that is constant up to rounding becomes `low`. Rows of weight 0 are ignored; other weights have no effect.
 * Parity: scikit-learn's MinMaxScaler computes x · scale + min, which cancels for columns far from 0, and calls a
 * column constant when its range is below 10 ε; here when it is below 2 ε times its largest value.
 */
export class MinMaxScaler extends TransformerEstimator<typeof minMaxScalerParams> {
  static readonly id = "MinMaxScaler";
  static readonly table = minMaxScalerParams;
  static readonly capabilities = transformer({ sampleWeight: true, invertible: true });

  constructor(params: Params<typeof minMaxScalerParams> = {}) {
    super(params);
    checkRange(this.id, this.params.featureRange);
  }

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedMinMaxScaler {
    const where = this.where("fit");
    const known = unlabelledSet(where, x, y, options, {});
    const { dataMin, dataMax } = extremes(known.x);
    for (const [j, low] of dataMin.entries()) requireRange(where, j, low, dataMax[j]!);
    return new FittedMinMaxScaler(this.params, known, dataMin, dataMax);
  }

  static restore(state: ModelState): FittedMinMaxScaler {
    const { reader, params } = restoring(minMaxScalerParams, state);
    checkRange(reader.where, params.featureRange);
    const dataMin = reader.floats("dataMin", [-1]);
    const dataMax = reader.floats("dataMax", [dataMin.length]);
    if (!dataMin.every((low, j) => low <= dataMax[j]! && dataMax[j]! - low < Infinity)) {
      reader.fail("dataMax", "finite and not below dataMin", "something else");
    }
    const featureNamesIn = readFeatureNames(reader, dataMin.length);
    return new FittedMinMaxScaler(params, { nFeatures: dataMin.length, featureNamesIn }, dataMin, dataMax);
  }
}

export class FittedMinMaxScaler extends TransformerModel<ParamValues<typeof minMaxScalerParams>> {
  protected readonly id = MinMaxScaler.id;
  /** dataMax − dataMin. */
  readonly dataRange: Float64Array;
  /** z = x · scale + min; the range of a constant column counts as 1. */
  readonly scale: Float64Array;
  readonly min: Float64Array;
  /** A constant column has no range to divide by. */
  readonly #divisors: Float64Array;

  constructor(
    params: ParamValues<typeof minMaxScalerParams>,
    columns: KnownFeatures,
    readonly dataMin: Float64Array,
    readonly dataMax: Float64Array,
  ) {
    super(params, columns);
    const [low, high] = params.featureRange as [number, number];
    this.dataRange = dataMax.map((max, j) => max - dataMin[j]!);
    this.#divisors = this.dataRange.map((range, j) => {
      const size = Math.max(Math.abs(dataMin[j]!), Math.abs(dataMax[j]!));
      return isRoundingNoise(range, size) ? 1 : range;
    });
    this.scale = this.#divisors.map((range) => (high - low) / range);
    this.min = this.scale.map((scale, j) => low - dataMin[j]! * scale);
  }

  transform(x: MatrixLike): Matrix {
    const rows = this.read(this.where("transform"), x, {});
    const { low, high, least, divisors } = this.#scaling;
    const out = changedEntries(
      rows,
      this.nFeatures,
      (value, j) => low + ((value - least[j]!) / divisors[j]!) * (high - low),
    );
    if (this.params.clip) clipInto(low, high, out.data);
    return out;
  }

  inverseTransform(z: MatrixLike): Matrix {
    const rows = this.read(this.where("inverseTransform"), z, {});
    const { low, high, least, divisors } = this.#scaling;
    return changedEntries(
      rows,
      this.nFeatures,
      (value, j) => least[j]! + ((value - low) / (high - low)) * divisors[j]!,
    );
  }

  [structure](): Structure {
    const { low, high } = this.#scaling;
    const scaled = { ...affine(this.dataMin, this.#divisors), factor: high - low, offset: low };
    return transformerStructure(this, { ...scaled, clip: this.params.clip ? [low, high] : null });
  }

  override toState(): ModelState {
    return stateOf(this.id, this, ["dataMin", "dataMax"]);
  }

  get #scaling() {
    const [low, high] = this.params.featureRange as [number, number];
    return { low, high, least: this.dataMin, divisors: this.#divisors };
  }
}

/** Numbers of a block: 16 KB, so that a block's columns are read from the first-level cache. */
const BLOCK = 2048;

function extremes({ data, rows, cols }: Matrix): { dataMin: Float64Array; dataMax: Float64Array } {
  const dataMin = data.slice(0, cols);
  const dataMax = data.slice(0, cols);
  const height = Math.max(1, Math.floor(BLOCK / cols)) * cols;
  for (let from = 0; from < rows * cols; from += height) {
    const to = Math.min(rows * cols, from + height);
    for (let j = 0; j < cols; j++) {
      let low = dataMin[j]!;
      let high = dataMax[j]!;
      for (let e = from + j; e < to; e += cols) {
        const value = data[e]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      dataMin[j] = low;
      dataMax[j] = high;
    }
  }
  return { dataMin, dataMax };
}

function clipInto(low: number, high: number, out: Float64Array): void {
  for (let e = 0; e < out.length; e++) out[e] = Math.min(Math.max(out[e]!, low), high);
}

function checkRange(where: string, [low, high]: readonly number[]): void {
  if (low! < high! && Number.isFinite(high! - low!)) return;
  throw new ParameterError(where, "featureRange", "[low, high] with low < high", `[${low}, ${high}]`);
}
