import { transformer } from "../../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../../core/contract.js";
import { DataError, show } from "../../core/errors.js";
import { choice, flag, type ParamValues } from "../../core/params/params.js";
import { restoring, stateOf } from "../../core/state/model-state.js";
import type { ModelState } from "../../core/state/state.js";
import { affine, type Structure, structure, transformerStructure } from "../../core/structure.js";
import { type KnownFeatures, readColumns } from "../../data/feature-names-in.js";
import { cellName } from "../../data/input.js";
import type { Matrix } from "../../data/matrix.js";
import { TransformerEstimator, TransformerModel } from "../../fitted/transformers.js";
import { momentsOf, type PowerFunction, powerFunctions } from "./power-functions.js";
import { changedEntries } from "./scaled-columns.js";

export const powerTransformerParams = {
  method: choice(["yeoJohnson", "boxCox"], {
    default: "yeoJohnson",
    doc: "Which powers: yeoJohnson of any numbers, boxCox of positive ones.",
  }),
  standardize: flag({ default: true, doc: "Scale the outputs to mean 0 and variance 1." }),
};

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
export class PowerTransformer extends TransformerEstimator<typeof powerTransformerParams> {
  static readonly id = "PowerTransformer";
  static readonly table = powerTransformerParams;
  static readonly capabilities = transformer({ invertible: true });

  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedPowerTransformer {
    const known = this.unweighted(x, y, options, { sparse: false });
    const { where, x: rows } = known;
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
    return new FittedPowerTransformer(this.params, known, lambdas, center, mean, scale);
  }

  static restore(state: ModelState): FittedPowerTransformer {
    const { reader, params } = restoring(powerTransformerParams, state);
    const columns = readColumns(reader);
    const vector = (name: string) => reader.floats(name, [columns.nFeatures]);
    // Files of earlier versions have powers about 0.
    const isOld = "mean" in state.tensors;
    const center = isOld ? new Float64Array(columns.nFeatures) : vector("center");
    const mean = vector(isOld ? "mean" : "centeredMean");
    const [lambdas, scale] = [vector("lambdas"), vector("scale")];
    return new FittedPowerTransformer(params, columns, lambdas, center, mean, scale);
  }
}

function requirePositive(where: string, rows: Matrix): void {
  const e = rows.data.findIndex((value) => value <= 0);
  if (e < 0) return;
  const advice = 'method: "yeoJohnson" takes any number.';
  throw new DataError(where, cellName(rows, e), "above 0, as boxCox requires", show(rows.data[e]), advice);
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

export class FittedPowerTransformer extends TransformerModel<ParamValues<typeof powerTransformerParams>> {
  protected readonly id = PowerTransformer.id;

  constructor(
    params: ParamValues<typeof powerTransformerParams>,
    columns: KnownFeatures,
    /** The power of each column. */
    readonly lambdas: Float64Array,
    /** What columns are divided by before the power is taken, as a logarithm: the geometric mean with standardize; otherwise 0. */
    readonly center: Float64Array,
    /** Mean of the powers, subtracted with standardize; otherwise 0. */
    readonly mean: Float64Array,
    /** Deviation of the powers, divided by with standardize; otherwise 1. */
    readonly scale: Float64Array,
  ) {
    super(params, columns);
  }

  [structure](): Structure {
    const { lambdas, center: centers, mean, scale } = this;
    const power = { kind: "power", method: this.params.method, lambdas, centers } as const;
    return transformerStructure(this, power, affine(mean, scale));
  }

  transform(x: MatrixLike): Matrix {
    const where = this.where("transform");
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
    const where = this.where("inverseTransform");
    const rows = this.read(where, z, { sparse: false });
    return this.#map(where, rows, ({ inverse }, entry, j) =>
      inverse(entry * this.scale[j]! + this.mean[j]!, this.lambdas[j]!, this.center[j]!),
    );
  }

  override toState(): ModelState {
    const { nFeatures, lambdas, center, mean: centeredMean, scale } = this;
    return stateOf(this.id, this, { nFeatures, lambdas, center, centeredMean, scale });
  }

  #map(
    where: string,
    rows: Matrix,
    change: (power: PowerFunction, entry: number, j: number) => number,
  ): Matrix {
    const power = powerFunctions[this.params.method];
    const out = changedEntries(rows, this.nFeatures, (value, j) => change(power, value, j));
    const e = out.data.findIndex((value) => !Number.isFinite(value));
    if (e < 0) return out;
    const expected = `a number that the power λ = ${this.lambdas[e % rows.cols]} has, and that fits a double`;
    throw new DataError(where, cellName(rows, e), expected, show(rows.data[e]));
  }
}
