import type {
  EstimatorClass,
  FitOptions,
  FittedModel,
  MatrixLike,
  Samples,
  TargetsModel,
} from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { Estimator, passWarnings } from "../core/estimator.js";
import type { WithLabels } from "../core/labelled-model.js";
import type { Label, Labels } from "../core/labels.js";
import type { ModelOn } from "../core/model-on.js";
import {
  beginElsewhere,
  fitArguments,
  fitOptions,
  functionOption,
  readOptions,
} from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import type { ModelState } from "../core/state/state.js";
import type { FittedClassifierOutput, FittedClassifierOutputs } from "../meta/outputs/classifier-outputs.js";
import type { LabelRows } from "../meta/outputs/label-rows.js";
import { allowedThreads } from "../numeric/runtime/threads.js";
import { type EstimatorJson, restoreState } from "../persistence/loader.js";
import type {
  CrossValidated,
  ScoringOf,
  TargetsLearner,
  TargetsOf,
  TargetsScoringOf,
  TargetsValidationOptions,
  UnsupervisedLearner,
  ValidationOptions,
} from "../selection/cross-validate.js";
import { Search } from "../selection/search.js";
import { ask } from "./ask.js";
import type { WorkerFactory } from "./channel.js";
import { hasFunctions, type SharedRun, validateInWorkers } from "./cross-validate.js";
import { adoptState, Packer } from "./messages.js";
import { searchInWorkers } from "./search.js";

export interface BackgroundOptions {
  /**
   * Starts the worker, for bundlers that do not follow `new URL("./worker.js", import.meta.url)`: the worker's script
   * is the one line `import "argmax/worker";`. Keep one factory function: its worker is used again.
   */
  readonly worker?: WorkerFactory | undefined;
}

const backgroundOptions = {
  worker: functionOption<WorkerFactory>(
    "Starts the worker, for bundlers that do not follow its URL.",
    "a function that starts a worker",
  ),
} satisfies TableOf<BackgroundOptions>;

/** Anything that can be fitted in a worker: any estimator or pipeline of the library. */
export interface Describable {
  toJSON(): EstimatorJson;
  fit(x: never, y: never, options?: FitOptions): FittedModel;
}

/**
 * What an estimator's own `fit` returns, with the labels it was given. (The compiler cannot infer the result of a generic method,
 * only that of its widest case.)
 */
export type FittedBy<E extends Describable, L extends Label> = WithLabels<ReturnType<E["fit"]>, L>;

/** A fitted classifier of anything: rows, documents, tables. */
interface FittedOnLabels {
  readonly classes: readonly Label[];
  predict(x: never): Label[];
}

type Measurable<E extends Describable> = ValidationOptions<E>;

interface BackgroundValidation<E extends Describable> {
  /**
   * `crossValidate` with the folds side by side in several workers: the same scores and models, in the order of the folds.
   * `onProgress` is called after every fold. A custom scorer is called on this thread.
   */
  crossValidate<S extends ScoringOf<E>, T extends boolean = false, R extends boolean = false>(
    x: Parameters<E["fit"]>[0],
    y: TargetsOf<E>,
    options?: ValidationOptions<E, T, R, S>,
  ): Promise<CrossValidated<ReturnType<E["fit"]>, T, R, S>>;
}

/** The same for an estimator that learns from X alone: y may be omitted. */
interface UnsupervisedBackgroundValidation<E extends Describable> {
  crossValidate<S extends ScoringOf<E>, T extends boolean = false, R extends boolean = false>(
    x: Parameters<E["fit"]>[0],
    options?: ValidationOptions<E, T, R, S>,
  ): Promise<CrossValidated<ReturnType<E["fit"]>, T, R, S>>;
}

/** The same for an estimator that learns several targets, the columns of a matrix Y. */
interface TargetsBackground<E extends Describable & TargetsLearner> {
  fit(x: Parameters<E["fit"]>[0], y: MatrixLike, options?: FitOptions): Promise<TargetsModel<E>>;
  crossValidate<S extends TargetsScoringOf<E>, T extends boolean = false, R extends boolean = false>(
    x: Parameters<E["fit"]>[0],
    y: MatrixLike,
    options?: TargetsValidationOptions<E, T, R, S>,
  ): Promise<CrossValidated<TargetsModel<E>, T, R, S>>;
}

/** The same for a classifier of several outputs, the columns of Y. */
interface OutputsBackground<E extends Describable> {
  fit<L extends Label>(
    x: Parameters<E["fit"]>[0],
    y: LabelRows<L>,
    options?: FitOptions,
  ): Promise<ModelOn<FittedClassifierOutputs<L>, Parameters<E["fit"]>[0]>>;
}

/** The same estimator; its `fit` runs in a worker and returns a promise of the same model. */
export type BackgroundEstimator<E extends Describable> = BackgroundValidation<E> &
  (ReturnType<E["fit"]> extends FittedClassifierOutput ? OutputsBackground<E> : unknown) &
  (E extends TargetsLearner ? TargetsBackground<E> : unknown) &
  (E extends UnsupervisedLearner ? UnsupervisedBackgroundValidation<E> : unknown) &
  (ReturnType<E["fit"]> extends FittedOnLabels
    ? {
        fit<L extends Label>(
          x: Parameters<E["fit"]>[0],
          y: Labels<L>,
          options?: Parameters<E["fit"]>[2],
        ): Promise<FittedBy<E, L>>;
      }
    : { fit(...args: Parameters<E["fit"]>): Promise<ReturnType<E["fit"]>> });

/**
 * Runs an estimator's `fit` in a worker, in Node and in browsers, without blocking this thread:
 *
 *   const model = await background(new LogisticRegression()).fit(X, y, { signal, onProgress });
 *
 * The model has the same bits as the one that `estimator.fit` returns. X, y and the options are copied when `fit`
 * is called, so they may change afterwards. An aborted fit rejects within a tenth of a second with an AbortError, whose `model` is the
 * model so far, if the estimator learns in steps.
 */
export function background<E extends Describable>(
  estimator: E,
  options: BackgroundOptions = {},
): BackgroundEstimator<E> {
  requireDescribable(estimator);
  const { worker: factory } = readOptions("background", backgroundOptions, options);
  const fit = async (x: Samples, targets: unknown, given?: FitOptions) => {
    const json = estimator.toJSON();
    const { y, options } = fitArguments(`${json.estimator}.fit`, estimator, targets, given);
    const { fitOptions: table = fitOptions } = estimator.constructor as Partial<EstimatorClass>;
    beginElsewhere(`${json.estimator}.fit`, options, table);
    const fitOne = async (one: object, x: Samples, y: unknown, options: FitOptions) => {
      const restore = (state: ModelState) => restoreState(adoptState(state), classesIn(estimator));
      const model = restore(
        await fitElsewhere((one as Describable).toJSON(), x, y, options, factory, restore),
      );
      passWarnings(model, options);
      return model;
    };
    if (estimator instanceof Search && !hasFunctions(estimator.params.scoring))
      return searchInWorkers(estimator, x, y, options, { factory, fit: fitOne });
    return fitOne(estimator, x, y, options);
  };
  const crossValidate = (x: Samples, targets: unknown, given?: Measurable<E>) =>
    validateInBackground(estimator, x, targets, given, factory);
  return { fit, crossValidate } as unknown as BackgroundEstimator<E>;
}

/** `background(estimator).crossValidate`, alone or with others that share the threads. */
export async function validateInBackground(
  estimator: Describable,
  x: Samples,
  targets: unknown,
  given: object | undefined,
  factory?: WorkerFactory,
  shared?: SharedRun,
) {
  const { y, options } = fitArguments("crossValidate", estimator, targets, given);
  const subject = { estimator, classes: classesIn(estimator), factory };
  return validateInWorkers(subject, x, y as Labels<Label>, options, shared);
}

function requireDescribable(estimator: unknown): void {
  const isCopy = hasForeign(estimator);
  if (estimator instanceof Estimator && !isCopy) return;
  throw new ParameterError({
    where: "background",
    subject: "the estimator",
    expected: "an estimator or a pipeline of the library",
    received: isCopy ? `${show(estimator)} that comes from another copy of the library` : show(estimator),
    ...(isCopy && { advice: "Import background and every estimator from the same installed package." }),
  });
}

/** Whether this is, or contains, an estimator of another copy of the library: the members of our classes, but an instance of none. */
function hasForeign(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (value instanceof Estimator) return Object.values(value.params).some(hasForeign);
  if (Array.isArray(value)) return value.some(hasForeign);
  const { id, table, restore } = (value.constructor ?? {}) as Partial<EstimatorClass>;
  if (typeof id === "string" && typeof table === "object" && typeof restore === "function") return true;
  return isPlain(value) && Object.values(value).some(hasForeign);
}

/** A plain object of any realm. */
const isPlain = (value: object): boolean =>
  Object.getPrototypeOf(Object.getPrototypeOf(value) ?? {}) === null;

/**
 * The classes of an estimator and of those inside it: all that its model can consist of, so that the bundle needs
 * no others.
 */
function classesIn(value: unknown): EstimatorClass[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap(classesIn);
  if (value instanceof Estimator) {
    const own = value.constructor as typeof value.constructor & EstimatorClass;
    return [own, ...Object.values(value.params).flatMap(classesIn)];
  }
  return isPlain(value) ? Object.values(value).flatMap(classesIn) : [];
}

async function fitElsewhere(
  estimator: EstimatorJson,
  x: Samples,
  y: unknown,
  options: FitOptions,
  factory: WorkerFactory | undefined,
  restore: (state: ModelState) => FittedModel,
): Promise<ModelState> {
  const where = `${estimator.estimator}.fit`;
  const { sampleWeight: _, signal, onProgress, onWarning: __, ...own } = options;
  const packer = new Packer();
  const rows = packer.rows(where, x, y, options);
  const progress = onProgress !== undefined;
  const packed = packer.options(where, own);
  const request = {
    kind: "fit",
    estimator,
    rows,
    options: packed,
    progress,
    threads: allowedThreads(),
  } as const;
  const answer = await ask(request, packer.transfer, { where, signal, onProgress, factory, restore });
  return (answer as { readonly state: ModelState }).state;
}
