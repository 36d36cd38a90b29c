import type { EstimatorClass, FitOptions, FittedModel, Samples } from "../core/contract.js";
import { AbortError } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels } from "../core/labels.js";
import type { ModelState } from "../core/state.js";
import { type EstimatorJson, restoreState } from "../persistence/loader.js";
import { type Channel, giveBack, takeChannel, type WorkerFactory } from "./channel.js";
import { Packer, unpackError } from "./messages.js";

export interface BackgroundOptions {
  /**
   * Starts the worker, for bundlers that do not follow `new URL("./worker.js", import.meta.url)`: the worker's script
   * is the one line `import "argmax/worker";`. Keep one factory function: its worker is used again.
   */
  readonly worker?: WorkerFactory;
}

/** What can be fitted elsewhere: any estimator or pipeline of the library. */
export interface Describable {
  toJSON(): EstimatorJson;
  fit(x: never, y: never, options?: FitOptions): FittedModel;
}

/** A type that mentions labels, with L in their place. */
type Labelled<T, L extends Label> =
  ArrayLike<Label> extends T
    ? ArrayLike<L>
    : readonly Label[] extends T
      ? readonly L[]
      : Label[] extends T
        ? L[]
        : T extends (...args: infer A) => infer R
          ? (...args: { [K in keyof A]: Labelled<A[K], L> }) => Labelled<R, L>
          : T;

/**
 * What an estimator's own `fit` returns, with the labels it was given. (The compiler cannot ask a generic method for
 * its result, only for that of its widest case.)
 */
export type FittedBy<E extends Describable, L extends Label> = {
  [K in keyof ReturnType<E["fit"]>]: Labelled<ReturnType<E["fit"]>[K], L>;
} & ReturnType<E["fit"]>;

/** A fitted classifier of anything: rows, documents, tables. */
interface FittedOnLabels {
  readonly classes: readonly Label[];
  predict(x: never): Label[];
}

/** The same estimator; its `fit` runs elsewhere and returns a promise of the same model. */
export type BackgroundEstimator<E extends Describable> =
  ReturnType<E["fit"]> extends FittedOnLabels
    ? {
        fit<L extends Label>(
          x: Parameters<E["fit"]>[0],
          y: Labels<L>,
          options?: FitOptions,
        ): Promise<FittedBy<E, L>>;
      }
    : { fit(...args: Parameters<E["fit"]>): Promise<ReturnType<E["fit"]>> };

/**
 * Runs an estimator's `fit` in a worker, in Node and in browsers, and leaves this thread free:
 *
 *   const model = await background(new LogisticRegression()).fit(X, y, { signal, onProgress });
 *
 * The model has the same bits as the one that `estimator.fit` returns. X, y and the weights are copied when `fit`
 * is called, so they may change afterwards. An aborted fit rejects with an AbortError at once.
 */
export function background<E extends Describable>(
  estimator: E,
  options: BackgroundOptions = {},
): BackgroundEstimator<E> {
  const fit = async (x: Samples, y: unknown, fitOptions: FitOptions = {}) =>
    restoreState(
      await fitElsewhere(estimator.toJSON(), x, y, fitOptions, options.worker),
      classesIn(estimator),
    );
  return { fit } as unknown as BackgroundEstimator<E>;
}

/**
 * The classes of an estimator and of those inside it: all that its model can be made of, so that nothing else has to
 * be in the bundle.
 */
function classesIn(value: unknown): EstimatorClass[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap(classesIn);
  if (Object.getPrototypeOf(value) === Object.prototype) return Object.values(value).flatMap(classesIn);
  if (!(value instanceof Estimator)) return [];
  return [value.constructor as unknown as EstimatorClass, ...Object.values(value.params).flatMap(classesIn)];
}

async function fitElsewhere(
  estimator: EstimatorJson,
  x: Samples,
  y: unknown,
  options: FitOptions,
  factory: WorkerFactory | undefined,
): Promise<ModelState> {
  const { signal, onProgress } = options;
  const where = `${estimator.estimator}.fit`;
  if (signal?.aborted) throw new AbortError(where);
  const packer = new Packer();
  const request = packer.request(estimator, x, y, options);
  const flag = canShare && signal ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
  const channel = await takeChannel(factory);

  return new Promise<ModelState>((resolve, reject) => {
    const stop = (reason: unknown) => {
      signal?.removeEventListener("abort", abort);
      dismiss(channel, factory, flag);
      reject(reason);
    };
    const abort = () => stop(new AbortError(where));
    const finish = (settle: () => void) => {
      signal?.removeEventListener("abort", abort);
      giveBack(factory, channel);
      settle();
    };
    channel.listener = (message) => {
      if (message instanceof Error) return finish(() => reject(message));
      if (message.kind === "fitted") return finish(() => resolve(message.state));
      if (message.kind === "failed") return finish(() => reject(unpackError(message.error)));
      try {
        if (message.kind === "progress") onProgress?.(message.progress);
      } catch (error) {
        stop(error);
      }
    };
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    channel.send({ ...request, flag }, packer.transfer).catch(stop);
  });
}

/** After an abort a worker has this long to answer and be used again; one that is deep in a kernel is ended. */
const ABORT_MILLISECONDS = 100;

const canShare =
  typeof SharedArrayBuffer !== "undefined" &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

function dismiss(channel: Channel, factory: WorkerFactory | undefined, flag: Int32Array | undefined): void {
  if (flag === undefined) {
    channel.end();
    return;
  }
  Atomics.store(flag, 0, 1);
  channel.letGo();
  const timer = setTimeout(() => channel.end(), ABORT_MILLISECONDS);
  (timer as { unref?(): void }).unref?.();
  channel.listener = (message) => {
    if (!(message instanceof Error) && message.kind === "progress") return;
    clearTimeout(timer);
    giveBack(factory, channel);
  };
}
