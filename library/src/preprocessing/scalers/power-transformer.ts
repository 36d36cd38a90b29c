import { transformerCapabilities } from "../../core/capabilities.js";
import type {
  Capabilities,
  FitOptions,
  FittedTransformer,
  MatrixLike,
  Unlabelled,
} from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { Estimator, restoreParams } from "../../core/estimator.js";
import { beginUnweightedFit } from "../../core/params/options.js";
import { choice, flag, type ParamValues } from "../../core/params/params.js";
import { type ModelState, StateReader } from "../../core/state.js";
import { affine, type Structure, structure, transformerStructure } from "../../core/structure.js";
import type { KnownFeatures } from "../../data/feature-names-in.js";
import { readMatrix } from "../../data/input.js";
import { Matrix } from "../../data/matrix.js";
import { columnsOf, FittedColumns, readColumns } from "../fitted-columns.js";
import { momentsOf, type PowerFunction, powerFunctions } from "./power-functions.js";

export const powerTransformerParams = {
  method: choice(["yeoJohnson", "boxCox"], {
    default: "yeoJohnson",
    doc: "Which powers: yeoJohnson of any numbers, boxCox of positive ones.",
  }),
  standardize: flag({ default: true, doc: "Scale the outputs to mean 0 and variance 1." }),
};
type PowerParams = typeof powerTransformerParams;

/**
 * Powers that make columns as normal as powers can, by maximum likelihood:
 *
 *   yeoJohnson:  z = ((1 + x)^λ − 1) / λ  for x ≥ 0,     z = −((1 − x)^(2 − λ) − 1) / (2 − λ)  for x < 0
 *   boxCox:      z = (x^λ − 1) / λ,  x > 0
 *
 * with logarithms where a divisor is 0 [Yeo & Johnson 2000; Box & Cox 1964]. λ is learned per column, and 1 for a constant one.
 * Parity: scikit-learn's PowerTransformer, except where the spread of a column is small beside its mean (years): there scikit-learn's
 * likelihood is lost to rounding, and so are its powers. Here both are computed about the column's geometric mean.
 */
export class PowerTransformer extends Estimator<PowerParams> {
  static readonly id = "PowerTransformer";
  static readonly table = powerTransformerParams;
  static readonly capabilities: Capabilities = { ...transformerCapabilities, invertible: true };

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedPowerTransformer {
    const where = this.where("fit");
    beginUnweightedFit(where, y, options);
    const rows = readMatrix(where, x, { sparse: false });
    const { method, standardize } = this.params;
    if (method === "boxCox") requirePositive(where, rows);
    const power = powerFunctions[method];
    const lambdas = new Float64Array(rows.cols);
    const center = new Float64Array(rows.cols);
    const mean = new Float64Array(rows.cols);
    const scale = new Float64Array(rows.cols).fill(1);
    for (let j = 0; j < rows.cols; j++) {
      const column = rows.column(j);
      const lambda = column.every((x) => x === column[0]) ? 1 : power.likeliest(column);
      lambdas[j] = lambda;
      if (standardize) center[j] = power.center(column);
      const moments = momentsOf(column.map((value) => power.value(value, lambda, center[j]!)));
      requireFinite(where, j, lambda + moments.mean + moments.variance, standardize);
      if (!standardize) continue;
      mean[j] = moments.mean;
      scale[j] = Math.sqrt(moments.variance) || 1;
    }
    return new FittedPowerTransformer(this.params, columnsOf(x, rows), { lambdas, center, mean, scale });
  }

  /** `fit(x).transform(x)`. */
  fitTransform(x: MatrixLike, y?: Unlabelled, options?: FitOptions): Matrix {
    return this.fit(x, y, options).transform(x);
  }

  static restore(state: ModelState): FittedPowerTransformer {
    const reader = new StateReader(state);
    const params = restoreParams(powerTransformerParams, reader);
    const columns = readColumns(reader);
    const vector = (name: string) => reader.floats(name, [columns.nFeatures]);
    // Files of earlier versions have powers about 0.
    const isOld = "mean" in state.tensors;
    const center = isOld ? new Float64Array(columns.nFeatures) : vector("center");
    const mean = vector(isOld ? "mean" : "centeredMean");
    const [lambdas, scale] = [vector("lambdas"), vector("scale")];
    return new FittedPowerTransformer(params, columns, { lambdas, center, mean, scale });
  }
}

function requirePositive(where: string, { data, cols }: Matrix): void {
  const e = data.findIndex((value) => value <= 0);
  if (e < 0) return;
  throw new DataError({
    where,
    subject: `X[${Math.floor(e / cols)}][${e % cols}]`,
    expected: "above 0, as boxCox requires",
    received: show(data[e]),
    advice: 'method: "yeoJohnson" takes any number.',
  });
}

function requireFinite(where: string, j: number, sum: number, standardize: boolean): void {
  if (Number.isFinite(sum)) return;
  throw new DataError({
    where,
    subject: `column ${j} of X`,
    expected: "of numbers whose powers fit a double",
    received: "others",
    advice: standardize
      ? "Scale the column first."
      : "standardize: true takes the powers about the column's mean, where they fit.",
  });
}

interface PowerState {
  readonly lambdas: Float64Array;
  readonly center: Float64Array;
  readonly mean: Float64Array;
  readonly scale: Float64Array;
}

export class FittedPowerTransformer
  extends FittedColumns<ParamValues<PowerParams>>
  implements FittedTransformer
{
  /** The power of each column. */
  readonly lambdas: Float64Array;
  /** What columns are divided by before the power is taken, as a logarithm: the geometric mean with standardize; otherwise 0. */
  readonly center: Float64Array;
  /** Mean of the powers, subtracted with standardize; otherwise 0. */
  readonly mean: Float64Array;
  /** Deviation of the powers, divided by with standardize; otherwise 1. */
  readonly scale: Float64Array;

  constructor(params: ParamValues<PowerParams>, columns: KnownFeatures, state: PowerState) {
    super(params, columns);
    this.lambdas = state.lambdas;
    this.center = state.center;
    this.mean = state.mean;
    this.scale = state.scale;
  }

  protected get id(): string {
    return PowerTransformer.id;
  }

  [structure](): Structure {
    const { lambdas, center: centers, mean, scale } = this;
    const power = { kind: "power", method: this.params.method, lambdas, centers } as const;
    return transformerStructure(this, power, affine(mean, scale));
  }

  transform(x: MatrixLike): Matrix {
    const where = "FittedPowerTransformer.transform";
    const rows = this.read(where, x, { sparse: false });
    if (this.params.method === "boxCox") requirePositive(where, rows);
    return this.#map(
      where,
      rows,
      ({ value }, entry, j) =>
        (value(entry, this.lambdas[j]!, this.center[j]!) - this.mean[j]!) / this.scale[j]!,
    );
  }

  /** The numbers whose powers these are. */
  inverseTransform(z: MatrixLike): Matrix {
    const where = "FittedPowerTransformer.inverseTransform";
    const rows = this.read(where, z, { sparse: false });
    return this.#map(where, rows, ({ inverse }, entry, j) =>
      inverse(entry * this.scale[j]! + this.mean[j]!, this.lambdas[j]!, this.center[j]!),
    );
  }

  override toState(): ModelState {
    const vector = (data: Float64Array) => ({ shape: [data.length], data });
    const { lambdas, center, mean, scale } = this;
    return {
      ...super.toState(),
      tensors: {
        lambdas: vector(lambdas),
        center: vector(center),
        centeredMean: vector(mean),
        scale: vector(scale),
      },
    };
  }

  #map(
    where: string,
    { data, rows, cols }: Matrix,
    change: (power: PowerFunction, entry: number, j: number) => number,
  ): Matrix {
    const power = powerFunctions[this.params.method];
    const out = new Float64Array(data.length);
    for (let i = 0, e = 0; i < rows; i++)
      for (let j = 0; j < cols; j++, e++) out[e] = change(power, data[e]!, j);
    const e = out.findIndex((value) => !Number.isFinite(value));
    if (e < 0) return new Matrix(out, rows, this.nFeatures);
    throw new DataError({
      where,
      subject: `X[${Math.floor(e / cols)}][${e % cols}]`,
      expected: `a number that the power λ = ${this.lambdas[e % cols]} has, and that fits a double`,
      received: show(data[e]),
    });
  }
}
