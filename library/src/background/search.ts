import type { FitOptions, FittedModel, Samples } from "../core/contract.js";
import { AbortError, ArgmaxError } from "../core/errors.js";
import type { Label, Labels } from "../core/labels.js";
import { allowedThreads } from "../numeric/runtime/threads.js";
import type { EstimatorJson } from "../persistence/loader.js";
import { FittedSearch } from "../selection/fitted-search.js";
import { partsOf } from "../selection/folds.js";
import type { AnySearch, Measured, Round, SearchOptions, SearchTask } from "../selection/search.js";
import {
  candidateText,
  chooseBest,
  learnerOf,
  memoryKey,
  openSearch,
  refitOptions,
  rounds,
} from "../selection/search.js";
import { ask } from "./ask.js";
import type { WorkerFactory } from "./channel.js";
import { copied, sentScoring } from "./cross-validate.js";
import { type CandidateAnswer, Packer, unpackError, type WorkerAnswer } from "./messages.js";

/** Jobs per worker and round: more would copy the rows of folds more often, fewer would leave workers without work. */
const JOBS_PER_WORKER = 4;

/** Some candidates, by number, in one fold. */
interface Job {
  readonly fold: number;
  readonly members: readonly number[];
}

/** How a search is run in workers. */
interface WorkerContext {
  readonly factory: WorkerFactory | undefined;
  /** Fits an estimator in a worker. */
  fit(estimator: object, x: Samples, y: unknown, options: FitOptions): Promise<FittedModel>;
}

/**
 * A search with its fits in several workers, as many at a time as there are threads. Fits are independent, so that scores and the
 * model are those of `fit`, whatever the number of workers. X, y and weights are copied
 * first. A scorer that is a function cannot be sent, and is refused.
 */
export async function searchInWorkers(
  search: AnySearch,
  samples: Samples,
  targets: unknown,
  options: SearchOptions,
  context: WorkerContext,
): Promise<FittedSearch> {
  const { id, params } = search;
  const { x: own, y: labels, sampleWeight } = copied(samples, targets as Labels<Label>, options.sampleWeight);
  const task = openSearch(`${id}.fit`, params, own, labels, { ...options, sampleWeight });
  const asked = search[rounds](task);
  let done = 0;
  const tell = () => options.onProgress?.({ iteration: ++done, total: task.total });
  let next = asked.next();
  for (let round = 0; !next.done; round++)
    next = asked.next(await new SearchRound(task, search, next.value, round, tell, context).run());
  const chosen = chooseBest(task, next.value);
  const { x, y } = task.plan;
  const model =
    params.refit === false
      ? undefined
      : await context.fit(chosen.bestEstimator!, x as Samples, y, refitOptions(task));
  return new FittedSearch({ id, params, model, ...chosen }) as FittedSearch;
}

/** One round of a search. */
class SearchRound {
  readonly #learners: readonly (object | ArgmaxError)[];
  readonly #folds: SearchTask["plan"]["folds"];
  readonly #answers: CandidateAnswer[][];
  readonly #stop = new AbortController();

  constructor(
    readonly task: SearchTask,
    readonly search: AnySearch,
    readonly round: Round,
    readonly number: number,
    readonly tell: () => void,
    readonly context: WorkerContext,
  ) {
    const { candidates, rowsOf = (fold) => fold } = round;
    this.#learners = candidates.map((candidate) => learnerOf(task, candidate));
    this.#folds = task.plan.folds.map(rowsOf);
    this.#answers = candidates.map(() => []);
  }

  async run(): Promise<Measured[]> {
    const { where, options } = this.task;
    const legal = [...this.#learners.keys()].filter((c) => !(this.#learners[c] instanceof ArgmaxError));
    const jobs = divide(this.#folds.length, legal).flatMap((job) => this.#unknown(job));
    const workers = Math.min(jobs.length, allowedThreads());
    const threads = Math.max(1, Math.floor(allowedThreads() / workers));
    const abort = () => this.#stop.abort(options.signal?.reason);
    options.signal?.addEventListener("abort", abort);
    let failure: { readonly error: unknown } | undefined;
    const work = async () => {
      for (let job = jobs.shift(); job && failure === undefined; job = jobs.shift()) {
        try {
          await this.#measure(job, threads);
        } catch (error) {
          failure ??= { error };
          this.#stop.abort();
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    options.signal?.removeEventListener("abort", abort);
    if (options.signal?.aborted) throw new AbortError(where, options.signal);
    if (failure !== undefined) throw failure.error;
    return this.round.candidates.map((_, c) => this.#measured(c));
  }

  /** What remains of a job after candidates whose measures are known already. */
  #unknown({ fold, members }: Job): Job[] {
    const { memory } = this.task.options;
    const left = members.filter((c) => {
      const known = memory?.recall(memoryKey(this.number, this.round.candidates[c]!, fold));
      if (known === undefined) return true;
      this.#answers[c]![fold] = known;
      this.tell();
      return false;
    });
    return left.length === 0 ? [] : [{ fold, members: left }];
  }

  #keep(c: number, fold: number, answer: CandidateAnswer): void {
    this.#answers[c]![fold] = answer;
    if ("error" in answer) return;
    const { testScores, fitTime, scoreTime } = answer;
    const key = memoryKey(this.number, this.round.candidates[c]!, fold);
    this.task.options.memory?.remember(key, { testScores, fitTime, scoreTime });
  }

  async #measure({ fold, members }: Job, threads: number): Promise<void> {
    const { where, plan } = this.task;
    const parts = partsOf({ ...plan, folds: this.#folds }, fold);
    // Rows were copied for this fold, except rows of an array, which the folds share.
    const packer = new Packer(!Array.isArray(plan.x));
    const pack = ({ X, y, options }: typeof parts.train) => packer.rows(where, X, y, options);
    const request = {
      kind: "candidates",
      estimator: this.search.toJSON(),
      estimators: members.map((c) => (this.#learners[c] as { toJSON(): EstimatorJson }).toJSON()),
      train: pack(parts.train),
      test: pack(parts.test),
      scoring: sentScoring(this.search.params.scoring ?? undefined),
      positiveLabel: this.search.params.positiveLabel ?? undefined,
      threads,
    } as const;
    let seen = 0;
    const onProgress = ({ iteration }: { readonly iteration: number }) => {
      for (; seen < iteration; seen++) this.tell();
    };
    const { factory } = this.context;
    const asking = { where, signal: this.#stop.signal, onProgress, factory };
    const { answers } = (await ask(request, packer.transfer, asking)) as Extract<
      WorkerAnswer,
      { kind: "candidates" }
    >;
    for (const [k, c] of members.entries()) this.#keep(c, fold, answers[k]!);
  }

  #measured(c: number): Measured {
    const { where, skipErrors } = this.task;
    const params = this.round.candidates[c]!;
    const learner = this.#learners[c];
    const scored = this.#answers[c]!;
    const f = scored.findIndex((answer) => "error" in answer);
    const failed = scored[f];
    const error =
      learner instanceof ArgmaxError
        ? learner
        : failed && "error" in failed
          ? unpackError(failed.error)
          : undefined;
    if (error !== undefined && !skipErrors)
      throw error instanceof ArgmaxError
        ? error.within(`${where}, fold ${f + 1}, ${candidateText(params)}`)
        : error;
    const mean = (key: "fitTime" | "scoreTime") =>
      scored.reduce((sum, answer) => sum + ("error" in answer ? 0 : answer[key] / scored.length), 0);
    const scores = this.task.scorers.scorers.map((_, s) =>
      this.#folds.map((_, fold) => {
        const answer = scored[fold];
        return answer === undefined || "error" in answer ? Number.NaN : answer.testScores[s]!;
      }),
    );
    return {
      params,
      scores,
      fitTime: mean("fitTime"),
      scoreTime: mean("scoreTime"),
      ...(error === undefined ? {} : { failure: (error as Error).message }),
    };
  }
}

/** Every fold with all candidates, or with some of them where there are fewer folds than workers can use. */
function divide(folds: number, candidates: readonly number[]): Job[] {
  const wanted = JOBS_PER_WORKER * allowedThreads();
  const pieces = Math.min(candidates.length, Math.max(1, Math.ceil(wanted / folds)));
  const cut = (p: number) => Math.floor((p * candidates.length) / pieces);
  return Array.from({ length: pieces * folds }, (_, k) => {
    const p = Math.floor(k / folds);
    return { fold: k % folds, members: candidates.slice(cut(p), cut(p + 1)) };
  });
}
