import { regressor } from "../core/capabilities.js";
import type { FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, ParameterError, ShapeError } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import { beginFit } from "../core/params/options.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { choice, either, flag, optional, real } from "../core/params/params.js";
import { restoring, stateOf } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { regressorStructure, type Structure, structure } from "../core/structure.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import { readMatrix } from "../data/input.js";
import { regressionSet } from "../data/training-set.js";
import { RegressorModel } from "../fitted/regressor.js";
import { fitMonotone, type MonotoneCurve, valueAt } from "./pool-adjacent.js";
import { isRising } from "./rank-correlation.js";

export const isotonicRegressionParams = {
  yMin: optional(real({ default: 0, doc: "The smallest value that is predicted; null: no bound." })),
  yMax: optional(real({ default: 1, doc: "The largest value that is predicted; null: no bound." })),
  increasing: either(
    flag({
      default: true,
      doc: 'Whether f rises (true), falls (false), or does what the sign of Spearman\'s rank correlation says ("auto").',
    }),
    choice(["auto"], { default: "auto", doc: "By the rank correlation." }),
  ),
  outOfBounds: choice(["clip", "raise"], {
    default: "clip",
    doc: "Outside the x of fit: the value at the nearest of them, or an error.",
  }),
};
type Values = ParamValues<typeof isotonicRegressionParams>;

/**
 * Isotonic regression: the monotone function of one column that is nearest to y.
 *
 *   minimise over f:   Σᵢ sᵢ (yᵢ − f(xᵢ))²      subject to   f(a) ≤ f(b) for a < b,   yMin ≤ f ≤ yMax
 *
 * Rows of one x are one point with their weighted mean. f is linear between the x of fit. By pooling adjacent violators, in O(n log n).
 * Parity: scikit-learn's IsotonicRegression, whose `out_of_bounds` is "nan" by default; no prediction is NaN here. "auto" counts weights.
 */
export class IsotonicRegression extends Estimator<typeof isotonicRegressionParams> {
  static readonly id = "IsotonicRegression";
  static readonly table = isotonicRegressionParams;
  static readonly capabilities = regressor({ input: "column", form: "linear" });

  constructor(params: Params<typeof isotonicRegressionParams> = {}) {
    super(params);
    const { yMin, yMax } = this.params;
    if (yMin === null || yMax === null || yMin <= yMax) return;
    throw new ParameterError(this.id, "yMin", `at most yMax (${yMax})`, `${yMin}`);
  }

  fit(x: MatrixLike, y: NumberArray, options: FitOptions = {}): FittedIsotonicRegression {
    const where = this.where("fit");
    beginFit(where, options);
    const set = regressionSet(where, x, y, options, {});
    requireOneColumn(where, set.x.cols);
    const { yMin, yMax, increasing: given } = this.params;
    const column = (set.x as { column(j: number): Float64Array }).column(0);
    const increasing = given === "auto" ? isRising(column, set.y, set.weights) : given;
    const bounds = { increasing, yMin: yMin ?? -Infinity, yMax: yMax ?? Infinity };
    const curve = fitMonotone(column, set.y, set.weights, bounds);
    return new FittedIsotonicRegression(this.params, increasing, curve, set.featureNamesIn);
  }

  static restore(state: ModelState): FittedIsotonicRegression {
    const { reader, params } = restoring(isotonicRegressionParams, state);
    const x = reader.floats("x", [-1]);
    const y = reader.floats("y", [x.length]);
    const increasing = reader.flag("increasing");
    const ascending = x.every((v, e) => Number.isFinite(v) && (e === 0 || v > x[e - 1]!));
    if (x.length === 0 || !ascending) reader.fail("x", "ascending finite numbers", "others");
    const sign = increasing ? 1 : -1;
    const monotone = y.every((v, e) => Number.isFinite(v) && (e === 0 || sign * (v - y[e - 1]!) >= 0));
    if (!monotone) reader.fail("y", "monotone finite numbers", "others");
    return new FittedIsotonicRegression(params, increasing, { x, y }, readFeatureNames(reader, 1));
  }
}

function requireOneColumn(where: string, cols: number): void {
  if (cols === 1) return;
  const advice = "Select the column that y should rise with.";
  throw new ShapeError(where, "X", "one column", `${cols} columns`, advice);
}

export class FittedIsotonicRegression extends RegressorModel {
  protected readonly id = IsotonicRegression.id;
  readonly nFeatures = 1;
  /** The x between which f is linear, ascending. */
  readonly xThresholds: Float64Array;
  /** f at these x. */
  readonly yThresholds: Float64Array;
  readonly #params: Values;
  readonly #curve: MonotoneCurve;

  constructor(
    params: Values,
    /** Whether f rises: as given, or as found by "auto". */
    readonly increasing: boolean,
    curve: MonotoneCurve,
    readonly featureNamesIn: readonly string[] | undefined,
  ) {
    super();
    this.#params = params;
    // Copies: a caller who changes them does not change the model.
    this.xThresholds = curve.x.slice();
    this.yThresholds = curve.y.slice();
    this.#curve = curve;
  }

  /** The smallest x of fit. */
  get xMin(): number {
    return this.#curve.x[0]!;
  }

  /** The largest x of fit. */
  get xMax(): number {
    return this.#curve.x.at(-1)!;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const { data, rows } = readMatrix(where, x, { like: this });
    if (this.#params.outOfBounds === "raise") this.#requireWithin(where, data, rows);
    return Float64Array.from({ length: rows }, (_, i) => valueAt(this.#curve, data[i]!));
  }

  [structure](): Structure {
    return regressorStructure(this, { kind: "curve", ...this.#curve });
  }

  toState(): ModelState {
    const { increasing, featureNamesIn } = this;
    return stateOf(this.id, { params: this.#params, featureNamesIn }, { increasing, ...this.#curve });
  }

  #requireWithin(where: string, data: ArrayLike<number>, rows: number): void {
    const { xMin, xMax } = this;
    for (let i = 0; i < rows; i++) {
      if (data[i]! >= xMin && data[i]! <= xMax) continue;
      const expected = `between the x of fit (${xMin} to ${xMax})`;
      const advice = 'Use outOfBounds: "clip" for the nearest value.';
      throw new DataError(where, `X[${i}][0]`, expected, `${data[i]}`, advice);
    }
  }
}
