import { validateInBackground } from "../background/background.js";
import { Semaphore } from "../background/semaphore.js";
import type { Samples } from "../core/contract.js";
import { AbortError, ArgmaxError } from "../core/errors.js";
import { Estimator } from "../core/estimator.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { allowedThreads } from "../numeric/runtime/threads.js";
import { type CrossValidation, crossValidate } from "../selection/cross-validate.js";
import type { FoldRecord } from "../selection/fold-memory.js";
import type { AnyLearner } from "../selection/measure-fold.js";
import type { CompareOptions } from "./compare.js";
import type { Measured } from "./comparison.js";
import type { Entrant, LeftOut } from "./default-models.js";

export const meanOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value / values.length, 0);

/** What is passed to every cross-validation. */
type Common = Readonly<Record<string, unknown>>;

/**
 * The cross-validations of all models, with as many folds at a time as there are threads. The folds of a model begin when all of the
 * model before it have begun, so that no worker waits for the last fold of a model.
 */
export class ComparisonRun {
  readonly #semaphore = new Semaphore(allowedThreads());
  readonly #stop = new AbortController();
  #done = 0;
  #folds = 0;

  constructor(
    readonly x: Samples,
    readonly y: Labels<Label> | NumberArray,
    readonly common: Common,
    readonly options: CompareOptions,
    readonly entrants: readonly Entrant[],
  ) {}

  /** What was measured, in the order of the models, and those that could not be. */
  async finish(): Promise<{ readonly measured: Measured[]; readonly failed: LeftOut[] }> {
    const { signal } = this.options;
    const abort = () => this.#stop.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    const outcomes: Promise<Measured | LeftOut>[] = [];
    try {
      for (const entrant of this.entrants) {
        if (signal?.aborted) throw new AbortError("compare", signal);
        if (this.#stop.signal.aborted) break;
        this.options.onStart?.(entrant.name);
        await new Promise<void>((resolve) => {
          const outcome = this.#measure(entrant, resolve);
          // An error is thrown below; until then it must not end the process.
          outcome.catch(abort).finally(resolve);
          outcomes.push(outcome);
        });
      }
      const found = await Promise.all(outcomes);
      return {
        measured: found.filter((one): one is Measured => "scores" in one),
        failed: found.filter((one): one is LeftOut => "because" in one),
      };
    } finally {
      abort();
      await Promise.allSettled(outcomes);
      signal?.removeEventListener("abort", abort);
    }
  }

  async #measure({ name, estimator }: Entrant, onLastFold: () => void): Promise<Measured | LeftOut> {
    const onProgress = ({ testScore, total }: { readonly testScore: number; readonly total?: number }) => {
      this.#folds = total ?? this.#folds;
      const all = this.#folds * this.entrants.length;
      this.options.onProgress?.({ iteration: ++this.#done, total: all, model: name, testScore });
    };
    const options = { ...this.common, signal: this.#stop.signal, onProgress };
    try {
      const { testScore, fitTime, scoreTime } = await this.#validated(
        { name, estimator },
        options,
        onLastFold,
      );
      return { name, estimator, scores: testScore, fitTime: meanOf(fitTime), scoreTime: meanOf(scoreTime) };
    } catch (error) {
      const { signal } = this.options;
      if (signal?.aborted) throw new AbortError("compare", signal);
      if (error instanceof AbortError || !(error instanceof ArgmaxError)) throw error;
      this.options.onWarning?.(`${name} was left out: ${error.message}`);
      return { name, because: error.message };
    }
  }

  /** Folds in workers; here, where an estimator is not of the library. */
  async #validated(
    { name, estimator }: Entrant,
    options: object,
    onLastFold: () => void,
  ): Promise<CrossValidation<unknown>> {
    const { x, y } = this;
    if (!(estimator instanceof Estimator)) return crossValidate(estimator as AnyLearner, x, y, options);
    const { memory } = this.options;
    const shared = {
      semaphore: this.#semaphore,
      onLastFold,
      recall: (fold: number) => memory?.recall(`${name}/${fold}`),
      remember: (fold: number, record: FoldRecord) => memory?.remember(`${name}/${fold}`, record),
    };
    return validateInBackground(estimator, x, y, options, undefined, shared);
  }
}
