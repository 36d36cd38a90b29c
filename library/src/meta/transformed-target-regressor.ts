import type {
  Capabilities,
  FitOptions,
  FittedModel,
  FittedRegressor,
  FittedTransformer,
  MatrixLike,
  Regressor,
  RestorePart,
  Transformer,
} from "../core/contract.js";
import { DataError, ParameterError, show } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { NumberArray } from "../core/labels.js";
import type { AnyRegressor, ModelOn, SamplesOf } from "../core/model-on.js";
import { flag, optional, type Params, type ParamValues } from "../core/params/params.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import {
  membersOf,
  type RegressorLink,
  regressorStructure,
  type Scores,
  type Structure,
  stepsOf,
  structure,
  structureOf,
  undescribed,
} from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { FittedMembers, type MembersState, membersState, readMembers } from "../ensembles/fitted-members.js";
import { memberOptions, memberParam, nameOf, requireTask, takesWeights } from "../ensembles/members.js";
import { withRegression } from "../fitted/regressor.js";
import { LinearRegression } from "../linear/index.js";
import { StandardScaler } from "../preprocessing/index.js";
import { capabilitiesOfWhole, composedRegressor, regressionForMembers } from "./named-estimators.js";
import { callOf, inverseOf, targetFunction } from "./target-functions.js";

export const transformedTargetRegressorParams = {
  regressor: memberParam<Regressor>(
    new LinearRegression(),
    "The regressor that learns the transformed targets.",
  ),
  transformer: optional({
    ...memberParam<Transformer>(
      new StandardScaler(),
      "A transformer of one column with an inverse, such as a scaler; fitted to y.",
    ),
    kind: "transformer",
  }),
  func: optional(targetFunction("The function that is applied to y, in place of a transformer.")),
  inverseFunc: optional(
    targetFunction("Its inverse, applied to predictions; null: that of a func that is known by name."),
  ),
  checkInverse: flag({
    default: true,
    doc: "Warn if the inverse does not give back the targets of fit.",
  }),
};
type Values = ParamValues<typeof transformedTargetRegressorParams>;

type Fitted<E extends AnyRegressor> = ModelOn<FittedTransformedTargetRegressor, SamplesOf<E>>;

/**
 * A regressor of transformed targets: it learns t(y) and predicts t⁻¹(f(x)).
 *
 * t is a function (by name, with its inverse: "log", "log1p", "sqrt", "logit", …; or of the caller's own, with `inverseFunc`) or a fitted
 * transformer of y as one column. Functions of the caller's own work but cannot be saved. Without either, y stays as it is.
 * Parity: scikit-learn's TransformedTargetRegressor, with one target. Weights count in the transformer too. A target or prediction that
 * becomes NaN or infinite is an error.
 */
export class TransformedTargetRegressor<E extends AnyRegressor = LinearRegression> extends Estimator<
  typeof transformedTargetRegressorParams,
  object
> {
  declare readonly partTypes?: { regressor: E };
  static readonly id = "TransformedTargetRegressor";
  static readonly table = transformedTargetRegressorParams;
  /** What it can be at most; `capabilities` of the object depend on its regressor. */
  static readonly capabilities = composedRegressor();

  constructor(params: Params<typeof transformedTargetRegressorParams, { regressor: E }> = {}) {
    super(params);
    requireTask(this.id, this.params.regressor, "regression");
    if (this.params.transformer) requireTask(this.id, this.params.transformer, "transform");
    requireInverse(this.id, this.params);
  }

  get capabilities(): Capabilities {
    return capabilitiesOfWhole(this, [this.params.regressor]);
  }

  fit(x: SamplesOf<E>, y: NumberArray, options: FitOptions = {}): Fitted<E> {
    const where = this.where("fit");
    const { regressor, checkInverse } = this.params;
    const { set, opened } = regressionForMembers(where, [regressor], this.capabilities, x, y, options);
    const transformer = fittedTransformer(where, this.params, set.y, options, set.weights);
    const there = transformed(where, this.params, transformer, set.y);
    const back = inverted(this.params, transformer, there);
    const warning = checkInverse ? inverseWarning(set.y, back) : undefined;
    if (warning) options.onWarning?.(warning);
    const model = regressor.fit(set.x, there, memberOptions(options, set.weights));
    const state = membersState(this, set, opened, transformer ? [model, transformer] : [model]);
    return new FittedTransformedTargetRegressor(state, this.params) as Fitted<E>;
  }

  static restore(state: ModelState, restorePart: RestorePart): FittedTransformedTargetRegressor {
    const reader = new StateReader(state);
    const isMember = (model: FittedModel, m: number) =>
      m === 0 ? "predict" in model && !("classes" in model) : isInvertible(model);
    const expected = "a regressor, and a transformer with an inverse";
    const members = readMembers<FittedRegressor | Invertible>(reader, restorePart, expected, isMember);
    const name = (key: "func" | "inverseFunc") => {
      const spec = transformedTargetRegressorParams[key];
      const read = spec.read(state.values[key]);
      const isName = typeof read === "string" || read === null;
      return isName ? read : reader.fail(key, "the name of a function, or null", show(state.values[key]));
    };
    const rule = { func: name("func"), inverseFunc: name("inverseFunc") };
    const count = members.models.length;
    if (count > 2 || (count === 2 && rule.func !== null))
      reader.fail("parts", "a regressor, and a transformer or a function", `${count} models`);
    return new FittedTransformedTargetRegressor(members, rule);
  }
}

/** One of a transformer and a function; and a way back. */
function requireInverse(where: string, { transformer, func, inverseFunc }: Values): void {
  const fail = (subject: string, expected: string, received: string): never => {
    throw new ParameterError(where, subject, expected, received);
  };
  const name = (value: unknown) => (typeof value === "function" ? "a function" : show(value));
  if (transformer !== null && (func ?? inverseFunc) !== null)
    fail("transformer", "null where func or inverseFunc is given", nameOf(transformer));
  if (func === null && inverseFunc !== null) fail("func", "given where inverseFunc is", "null");
  if (typeof func === "function" && inverseFunc === null)
    fail("inverseFunc", "given, since func is not known by name", name(inverseFunc));
}

type Invertible = FittedTransformer & { inverseTransform(x: MatrixLike): Matrix };

const isInvertible = (model: object): model is Invertible =>
  "transform" in model &&
  typeof (model as { readonly inverseTransform?: unknown }).inverseTransform === "function";

function fittedTransformer(
  where: string,
  { transformer }: Values,
  y: Float64Array,
  options: FitOptions,
  weights: Float64Array | undefined,
): Invertible | undefined {
  if (transformer === null) return undefined;
  const own = memberOptions(options, takesWeights(transformer) ? weights : undefined);
  const fitted = transformer.fit(new Matrix(y, y.length, 1), undefined, own);
  if (isInvertible(fitted)) return fitted;
  const expected = "a transformer whose models have inverseTransform";
  throw new ParameterError(where, "transformer", expected, nameOf(transformer));
}

type Rule = Pick<Values, "func" | "inverseFunc">;

/** t(y), finite. */
function transformed(
  where: string,
  { func }: Rule,
  transformer: Invertible | undefined,
  y: Float64Array,
): Float64Array {
  const out = transformer ? columnOf(where, transformer.transform(new Matrix(y, y.length, 1)) as Matrix) : y;
  const call = func === null ? undefined : callOf(func);
  return out.map((value, i) => {
    const there = call ? call(value) : value;
    if (typeof there === "number" && Number.isFinite(there)) return there;
    const what = call ? "func" : "transformer";
    const expected = "one that gives finite numbers for all targets";
    throw new DataError(where, what, expected, `${show(there)} for y[${i}] = ${y[i]}`);
  });
}

/** t⁻¹ of predictions. */
function inverted(
  { func, inverseFunc }: Rule,
  transformer: Invertible | undefined,
  there: Float64Array,
): Float64Array {
  if (transformer)
    return transformer.inverseTransform(new Matrix(there, there.length, 1)).column(0) as Float64Array;
  const inverse = inverseFunc ?? inverseOf(func);
  if (inverse === null) return there;
  const call = callOf(inverse);
  // One argument: map would pass the row's number as well.
  return there.map((value) => call(value));
}

function columnOf(where: string, matrix: Matrix): Float64Array {
  if (matrix.cols === 1) return Float64Array.from(matrix.data);
  const expected = "a transformer that gives one column";
  throw new ParameterError(where, "transformer", expected, `${matrix.cols} columns`);
}

/** As numpy.allclose: relative to the target, and absolute for targets near 0. */
const CLOSE = { relative: 1e-5, absolute: 1e-8 };

/** What to say if the way there and back does not end where it began. */
function inverseWarning(y: Float64Array, back: Float64Array): string | undefined {
  const far = y.findIndex(
    (v, i) => !(Math.abs(back[i]! - v) <= CLOSE.absolute + CLOSE.relative * Math.abs(v)),
  );
  if (far < 0) return undefined;
  return `The inverse of the transformed target ${y[far]} is ${back[far]}: inverseFunc or the transformer is not an inverse. If that is meant, checkInverse: false.`;
}

export class FittedTransformedTargetRegressor
  extends /* @__PURE__ */ withRegression(FittedMembers<FittedRegressor | Invertible>)
  implements FittedRegressor
{
  readonly #rule: Rule;

  constructor(state: MembersState<FittedRegressor | Invertible>, rule: Rule) {
    super(state);
    this.#rule = { func: rule.func, inverseFunc: rule.inverseFunc };
  }

  /** The regressor of transformed targets. */
  get regressor(): FittedRegressor {
    return this.models[0] as FittedRegressor;
  }

  /** The transformer of y; undefined if there is none. */
  get transformer(): FittedTransformer | undefined {
    return this.models[1] as Invertible | undefined;
  }

  protected predictRows(where: string, x: MatrixLike): Float64Array {
    const rows = this.read(where, x);
    if (rows.rows === 0) return new Float64Array(0);
    const there = this.regressor.predict(rows);
    const out = inverted(this.#rule, this.models[1] as Invertible | undefined, there);
    const wrong = out.findIndex((value) => !Number.isFinite(value));
    if (wrong < 0) return out;
    const subject = `the inverse of the prediction for X[${wrong}]`;
    const expected = "a finite number";
    const received = `${out[wrong]} for ${there[wrong]}`;
    throw new DataError(where, subject, expected, received);
  }

  [structure](): Structure {
    const { func, inverseFunc } = this.#rule;
    const transformer = this.models[1];
    const inverse = inverseFunc ?? inverseOf(func);
    if (!transformer && typeof inverse === "function")
      return undescribed("the inverse of its target is a function of the caller's own");
    const link = transformer ? { inverseOf: stepsOf(structureOf(transformer)) } : (inverse ?? "identity");
    const rule = { kind: "mean", weights: Float64Array.of(1) } as const;
    const scores: Scores = { kind: "composite", members: membersOf([this.regressor]), rule, outputs: 1 };
    return regressorStructure(this, scores, { link: link as RegressorLink });
  }

  /** Functions of the caller's own cannot be saved: `stateWith` refuses the parameters that hold them. */
  toState(): ModelState {
    const { func, inverseFunc } = this.#rule;
    return this.stateWith({ func: func as string | null, inverseFunc: inverseFunc as string | null });
  }
}
