import type { DenseLike, FittedModel, Samples } from "../core/contract.js";
import { AbortError, DataError, ParameterError, show } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { choice, type TableOf } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import { countRows } from "../data/select-rows.js";
import type { CrossValidationOptions, Learner, TargetsOf } from "./cross-validate.js";
import { crossValidationOptions } from "./cross-validate.js";
import { inFold, type Plan, partsOf, planFolds, requireLearner } from "./folds.js";
import { fitRows } from "./measure-fold.js";

/** What is asked of the models. */
export type PredictMethod = "predict" | "predictProba" | "predictLogProba" | "decisionFunction";

export interface CrossValPredictOptions<P extends PredictMethod = PredictMethod>
  extends Pick<CrossValidationOptions<never>, "cv" | "groups" | "sampleWeight" | "signal"> {
  /** What is asked of the models: classes or numbers, probabilities, or the decision function. */
  readonly method?: P | undefined;
}

const { cv, groups, sampleWeight, signal } = crossValidationOptions;
const crossValPredictOptions = {
  ...{ cv, groups, sampleWeight, signal },
  method: choice(["predict", "predictProba", "predictLogProba", "decisionFunction"], {
    default: "predict",
    doc: "What is asked of the models.",
  }),
} satisfies TableOf<CrossValPredictOptions>;

type ModelOf<E extends Learner> = ReturnType<E["fit"]>;
type Predicted<M> = M extends { predict(x: never, ...rest: never): infer P } ? P : never;

/** What `crossValPredict` returns: a matrix of scores; labels of the type of y; or what the models predict. */
export type CrossPredictions<E extends Learner, Y, P extends PredictMethod> = P extends "predict"
  ? Predicted<ModelOf<E>> extends readonly (Label | undefined)[]
    ? Y extends Labels<infer L>
      ? L[]
      : Label[]
    : Predicted<ModelOf<E>>
  : Matrix;

/**
 * The prediction for every row by a model that has not learned from it: that of the fold in which the row is held out. Every row must
 * be held out once, as by k folds. A fold that lacks a class gives it probability 0 (decision function: the smallest number).
 */
export function crossValPredict<
  E extends Learner,
  Y extends TargetsOf<E>,
  P extends PredictMethod = "predict",
>(
  estimator: E,
  x: Parameters<E["fit"]>[0],
  y: Y,
  options: CrossValPredictOptions<P> = {},
): CrossPredictions<E, Y, P> {
  const where = "crossValPredict";
  requireLearner(where, estimator);
  const { method } = readOptions(where, crossValPredictOptions, options);
  const plan = planFolds(where, estimator, x as Samples, y as Labels<Label>, options, "all");
  return outOfFold(plan, estimator, method, options.signal) as CrossPredictions<E, Y, P>;
}

/** Predictions of held-out rows, in the order of the rows. */
export function outOfFold(
  plan: Plan,
  estimator: Learner,
  method: PredictMethod,
  aborted?: CrossValPredictOptions["signal"],
): Label[] | Float64Array | Matrix {
  requirePartition(plan);
  const parts = plan.folds.map(({ test }, f) => {
    if (aborted?.aborted) throw new AbortError(plan.where, aborted);
    return inFold(plan.where, f, () => {
      const { train, test: held } = partsOf(plan, f);
      const model = fitRows(estimator, train, aborted ? { signal: aborted } : {});
      return { rows: test, model, values: callOf(plan.where, model, method)(held.X) };
    });
  });
  const n = countRows(plan.where, plan.x);
  const first = parts[0]!.values;
  if (isDense(first)) return inRows(n, parts as readonly Part<DenseLike>[], method);
  const out = ArrayBuffer.isView(first) ? new Float64Array(n) : new Array<Label>(n);
  for (const { rows, values } of parts)
    rows.forEach((i, e) => {
      out[i] = (values as ArrayLike<never>)[e]!;
    });
  return out;
}

interface Part<V> {
  readonly rows: Int32Array;
  readonly model: FittedModel;
  readonly values: V;
}

const isDense = (values: unknown): values is DenseLike =>
  typeof (values as Partial<DenseLike> | undefined)?.cols === "number";

function callOf(where: string, model: FittedModel, method: PredictMethod): (x: Samples) => unknown {
  const call = (model as FittedModel & Partial<Record<PredictMethod, unknown>>)[method];
  if (typeof call === "function") return (x) => call.call(model, x);
  throw new ParameterError(where, "method", `a method of ${model.constructor.name}`, show(method));
}

/** What a class that was not learned gets. */
const absentScore = {
  predict: 0,
  predictProba: 0,
  predictLogProba: -Infinity,
  decisionFunction: -Number.MAX_VALUE,
};

/** One row per row of X; columns are those of all classes that any fold has learned, sorted. */
function inRows(n: number, parts: readonly Part<DenseLike>[], method: PredictMethod): Matrix {
  const learned = parts.map(
    ({ model }) => (model as Partial<{ readonly classes: readonly Label[] }>).classes ?? [],
  );
  const classes = [...new Set(learned.flat())].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const same = learned.every((own) => own.length === classes.length);
  const cols = same ? parts[0]!.values.cols : classes.length;
  const out = new Float64Array(n * cols).fill(absentScore[method]);
  parts.forEach(({ rows, values: { data, cols: own } }, f) => {
    if (!same && own !== learned[f]!.length) lacksClass(classes, learned[f]!);
    const places = Array.from({ length: own }, (_, k) => (same ? k : classes.indexOf(learned[f]![k]!)));
    rows.forEach((i, e) => {
      for (let k = 0; k < own; k++) out[i * cols + places[k]!] = data[e * own + k]!;
    });
  });
  return new Matrix(out, n, cols);
}

function lacksClass(all: readonly Label[], own: readonly Label[]): never {
  throw new DataError({
    where: "crossValPredict",
    subject: "the training rows of every fold",
    expected: `of the same classes (${all.slice(0, 8).map(show).join(", ")})`,
    received: own.slice(0, 8).map(show).join(", "),
    advice: "Use stratified folds.",
  });
}

function requirePartition({ where, folds, x }: Plan): void {
  const held = new Int32Array(countRows(where, x));
  for (const { test } of folds) for (const i of test) held[i]!++;
  const wrong = held.findIndex((count) => count !== 1);
  if (wrong < 0) return;
  const expected = "folds that hold out every row once, such as new KFold()";
  throw new ParameterError(where, "cv", expected, `row ${wrong} held out ${held[wrong]} times`);
}
