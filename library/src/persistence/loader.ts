import type {
  CsrLike,
  DenseLike,
  EstimatorClass,
  FitOptions,
  FittedClassifier,
  FittedModel,
  FittedRegressor,
  FittedTransformer,
  MatrixLike,
  ModelClass,
  Samples,
  ScoreOptions,
} from "../core/contract.js";
import { ArgmaxError, FormatError, ParameterError, show } from "../core/errors.js";
import { type Estimator, reviveParams } from "../core/estimator.js";
import type { WithLabels } from "../core/labelled-model.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { option, readOptions } from "../core/params/options.js";
import type { ParamsTable, TableOf } from "../core/params/params.js";
import type { Json, ModelState } from "../core/state/state.js";
import type { Matrix } from "../data/matrix.js";
import { readModelFile } from "./model-file.js";

/** An estimator whose class is known only at run time. */
export interface RegisteredEstimator extends Estimator<ParamsTable> {
  fit(x: never, y: never, options?: FitOptions): FittedModel;
}

/** An estimator class as a registry requires it: restores models and constructs estimators. */
export interface RegisteredClass extends EstimatorClass {
  new (params: never): RegisteredEstimator;
}

/** An estimator as its `toJSON` writes it. */
export interface EstimatorJson {
  readonly estimator: string;
  readonly params: Readonly<Record<string, Json>>;
}

/** A model whose class is known only at run time: check that a method exists before calling it. */
export interface LoadedModel extends FittedModel {
  readonly classes?: readonly Label[];
  /** Targets of a model of several: `predict` then returns a Matrix, one column per target. */
  readonly nTargets?: number;
  predict?(x: Samples): Label[] | Float64Array | Matrix;
  predictProba?(x: Samples): Matrix;
  predictLogProba?(x: Samples): Matrix;
  decisionFunction?(x: Samples): Matrix | Float64Array;
  transform?(x: Samples): DenseLike | CsrLike;
  score?(x: Samples, y: Labels<Label> | NumberArray | MatrixLike): number;
}

/** What the caller knows about a model in a file. */
export interface LoadOptions<L extends Label = Label> {
  /** The model's classes, in any order: a model of other classes is an error. */
  readonly classes?: readonly L[] | undefined;
}

/** A classifier of the labels L, with the methods that its class may have besides. */
export interface LoadedClassifier<L extends Label>
  extends FittedClassifier<L>,
    Omit<LoadedModel, "classes" | "predict" | "score"> {
  predict(x: Samples): L[];
  score(x: Samples, y: Labels<L>, options?: ScoreOptions): number;
}

export interface Loader {
  /** Any model; or, with a class as second argument, a model of that class only, and, with `classes`, of these labels. */
  loadModel(bytes: Uint8Array | ArrayBuffer): LoadedModel;
  loadModel<M extends FittedModel>(bytes: Uint8Array | ArrayBuffer, kind: ModelClass<M>): M;
  loadModel<M extends FittedModel, const L extends Label>(
    bytes: Uint8Array | ArrayBuffer,
    kind: ModelClass<M>,
    options: Required<LoadOptions<L>>,
  ): WithLabels<M, L>;
  /** The labels L are checked if `classes` lists them, and claimed by the caller otherwise. */
  loadClassifier<const L extends Label = Label>(
    bytes: Uint8Array | ArrayBuffer,
    options?: LoadOptions<L>,
  ): LoadedClassifier<L>;
  loadRegressor(bytes: Uint8Array | ArrayBuffer): FittedRegressor & LoadedModel;
  loadTransformer(bytes: Uint8Array | ArrayBuffer): FittedTransformer & LoadedModel;
  /** The estimator that `toJSON` described. */
  estimatorFromJson(json: EstimatorJson): RegisteredEstimator;
}

/** Loads models of the given classes only, so that a bundle contains only these. */
export function createLoader(classes: readonly RegisteredClass[]): Loader {
  /** Loads a model and throws if it is not of the required kind. */
  const load = <M extends LoadedModel>(
    where: string,
    bytes: Uint8Array | ArrayBuffer,
    wanted: string,
    fits: (model: LoadedModel) => model is M,
  ): M => {
    const state = readModelFile(where, bytes);
    const model = restoreState(state, classes) as LoadedModel;
    if (fits(model)) return model;
    throw new FormatError(where, "the model", wanted, `a ${state.kind}`, targetsAdvice(model));
  };
  const isClassifier = (model: LoadedModel): model is LoadedModel & LoadedClassifier<never> =>
    "predict" in model && "classes" in model;
  const isRegressor = (model: LoadedModel): model is LoadedModel & FittedRegressor =>
    "predict" in model && !("classes" in model) && model.nTargets === undefined;
  const isTransformer = (model: LoadedModel): model is LoadedModel & FittedTransformer =>
    "transform" in model;
  return {
    loadModel: (bytes: Uint8Array | ArrayBuffer, kind?: { readonly id: string }, options?: LoadOptions) => {
      if (kind !== undefined && typeof kind?.id !== "string") {
        const expected = "a class of the library's estimators, as LogisticRegression, or absent";
        throw new ParameterError("loadModel", "the kind", expected, show(kind));
      }
      // Never: the overloads of the interface say what it is.
      const fits = (model: LoadedModel): model is never =>
        kind === undefined || model.toState().kind === kind.id;
      return withClasses("loadModel", load("loadModel", bytes, `a ${kind?.id}`, fits), options);
    },
    loadClassifier: (bytes: Uint8Array | ArrayBuffer, options?: LoadOptions) =>
      withClasses("loadClassifier", load("loadClassifier", bytes, "a classifier", isClassifier), options),
    loadRegressor: (bytes) => load("loadRegressor", bytes, "a regressor of one target", isRegressor),
    loadTransformer: (bytes) => load("loadTransformer", bytes, "a transformer", isTransformer),
    estimatorFromJson: (json) => buildEstimator(json, classes),
  };
}

/** How to load a model of several targets, which has a class of its own; a pipeline has not. */
function targetsAdvice(model: LoadedModel): string | undefined {
  if (model.nTargets === undefined) return undefined;
  const { kind, values } = model.toState();
  const { estimator } = values;
  if (typeof estimator !== "string") return "It has several targets: load it with loadModel.";
  const load = `load it with loadModel(bytes, Fitted${kind}), or without a class`;
  return `It was fitted by ${estimator} to several targets: ${load}.`;
}

const loadOptions = {
  classes: option<readonly Label[]>("labels", "The model's classes.", "an array of labels", isArrayLike),
} satisfies TableOf<LoadOptions>;

/** The model, if its classes are those that the caller expects. */
function withClasses<M extends LoadedModel>(where: string, model: M, given: LoadOptions = {}): M {
  const { classes } = readOptions(where, loadOptions, given);
  const found = model.classes ?? [];
  const same = classes?.length === found.length && found.every((label) => classes.includes(label));
  if (classes === undefined || same) return model;
  const list = (labels: readonly Label[]) => labels.map(show).join(", ") || "none";
  throw new FormatError(where, "the classes of the model", list(Array.from(classes)), list(found));
}

/** Rebuilds a model from its state. Throws a FormatError if the state is invalid. */
export const restoreState = (state: ModelState, classes: readonly EstimatorClass[]): FittedModel =>
  restoreOf(state, withParts(classes));

/** The classes, and those that their models consist of. */
function withParts(classes: readonly EstimatorClass[]): readonly EstimatorClass[] {
  const all = new Set(classes);
  // A set also walks through what is added on the way.
  for (const one of all) for (const part of one.madeOf ?? []) all.add(part);
  return [...all];
}

function restoreOf(state: ModelState, classes: readonly EstimatorClass[]): FittedModel {
  const several = classes.flatMap((one) => [one.severalTargets ?? [], one.severalOutputs ?? []].flat());
  const found = find<ModelClass>("loadModel", "the model's kind", state.kind, [
    ...classes,
    ...new Set(several),
  ]);
  try {
    return found.restore(state, (part) => restoreOf(part, classes));
  } catch (error) {
    throw error instanceof FormatError ? error : asFormatError(`loadModel(${state.kind})`, error);
  }
}

function asFormatError(where: string, error: unknown): FormatError {
  const details =
    error instanceof ArgmaxError
      ? {
          // What a network refuses has its layer in `where`.
          where: error.where.startsWith(where) ? error.where : where,
          subject: error.subject,
          expected: error.expected,
          received: error.received,
        }
      : {
          where,
          subject: "the state",
          expected: "that of a fitted model",
          received: `something else (${error})`,
        };
  const wrapped = new FormatError(details);
  wrapped.cause = error;
  return wrapped;
}

function find<C extends { readonly id: string }>(
  where: string,
  subject: string,
  id: string,
  classes: readonly C[],
): C {
  const found = classes.find((candidate) => candidate.id === id);
  if (found !== undefined) return found;
  const expected = `one of ${classes.map((candidate) => candidate.id).join(", ")}`;
  throw new FormatError(where, subject, expected, show(id));
}

/** Maximum nesting of estimators and lists, far above that of any description that `toJSON` writes. */
const MOST_LEVELS = 64;

function buildEstimator(
  json: EstimatorJson,
  classes: readonly RegisteredClass[],
  level = 0,
): RegisteredEstimator {
  const where = "estimatorFromJson";
  if (!isDescribed(json)) throw new FormatError(where, "an estimator", "{ estimator, params }", show(json));
  const found = find(where, "estimator", json.estimator, classes);
  const nested = (value: Json, depth: number): unknown => {
    if (value === null || typeof value !== "object") return value;
    if (depth > MOST_LEVELS) {
      const expected = `at most ${MOST_LEVELS} levels deep`;
      throw new FormatError(where, "the description", expected, "more, or a cycle");
    }
    if (isDescribed(value)) return buildEstimator(value, classes, depth + 1);
    if (Array.isArray(value)) return value.map((inner: Json) => nested(inner, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nested(inner, depth + 1)]));
  };
  const entries = Object.entries(reviveParams(found.table, json.params));
  const params = entries.map(([key, value]) => [key, nested(value as Json, level)]);
  // What a class takes is known to its params table only, which checks it.
  return new found(Object.fromEntries(params) as never);
}

const isDescribed = (value: unknown): value is EstimatorJson => {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const { estimator, params } = value as Partial<EstimatorJson>;
  return (
    typeof estimator === "string" && params !== null && typeof params === "object" && !Array.isArray(params)
  );
};
