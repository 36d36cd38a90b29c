import type { FittedModel } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { type ForwardedMethod, type ForwardedValue, forward } from "../core/forwarded.js";
import { Model } from "../core/model.js";
import { objectAsCode } from "../core/printing-code.js";
import { type Json, type ModelState, StateReader } from "../core/state.js";
import type { Candidate } from "./candidates.js";
import { type CandidateResult, SearchResults } from "./search-results.js";

/** A fitted search that predicts with its best model M. */
export type SearchedModel<M, E = unknown> = FittedSearch<M, E> &
  Pick<M, Extract<keyof M, ForwardedMethod | ForwardedValue>>;

interface SearchParts<M> {
  /** The search's class. */
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly results: SearchResults;
  /** Number of the best candidate. */
  readonly best: number;
  /** The unfitted estimator, or what its `toJSON` gave. */
  readonly bestEstimator: unknown;
  readonly model: M | undefined;
  readonly warnings: readonly string[];
}

/**
 * What a search found. It predicts with `bestModel`, the best candidate fitted to all rows, and has its methods.
 */
export class FittedSearch<M = FittedModel, E = unknown> extends Model implements FittedModel {
  readonly results: SearchResults;
  readonly #parts: SearchParts<M>;

  constructor(parts: SearchParts<M>) {
    super();
    this.#parts = parts;
    this.results = parts.results;
    if (parts.model !== undefined)
      forward(this, parts.model as FittedModel, (method, x, rest) => method(x, ...rest));
    Object.freeze(this);
  }

  /** Number of the best candidate in `results`. */
  get bestIndex(): number {
    return this.#parts.best;
  }

  /** The parameters that were best. */
  get bestParams(): Candidate {
    return this.results.candidates[this.bestIndex]!.params;
  }

  /** Their mean score over the folds. It is the largest of many, so it flatters: judge the search by `crossValidate` around it. */
  get bestScore(): number {
    return this.results.candidates[this.bestIndex]!.meanScore;
  }

  /** The best estimator, not fitted; after loading, its description. */
  get bestEstimator(): E {
    return this.#parts.bestEstimator as E;
  }

  /** The best estimator, fitted to all rows. */
  get bestModel(): M {
    if (this.#parts.model !== undefined) return this.#parts.model;
    throw new DataError({
      where: `Fitted${this.#parts.id}.bestModel`,
      subject: "refit",
      expected: "true in the search, for it to have a model",
      received: "false",
    });
  }

  /** Why candidates have no score. */
  get warnings(): readonly string[] {
    return this.#parts.warnings;
  }

  get nFeatures(): number {
    return (this.bestModel as FittedModel).nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return (this.bestModel as FittedModel).featureNamesIn;
  }

  override toString(): string {
    const { id, model } = this.#parts;
    const best = `best of ${this.results.length}: ${objectAsCode(Object.entries(this.bestParams))}, score ${Number(this.bestScore.toPrecision(5))}`;
    const text = model === undefined ? "" : `\n  ${String(model).replaceAll("\n", "\n  ")}`;
    return `Fitted${id}\n  ${best}${text}`;
  }

  toState(): ModelState {
    const { id, params, results, best, bestEstimator, warnings } = this.#parts;
    const model = this.bestModel as FittedModel;
    // A scorer that is a function cannot be saved, and a fitted search needs it no more.
    const scoring = typeof params.scoring === "function" ? null : params.scoring;
    return {
      kind: id,
      params: describeParams({ ...params, scoring }),
      values: {
        results: results.toJSON(),
        best,
        bestEstimator: describeParams({ bestEstimator }).bestEstimator!,
        warnings: [...warnings],
      },
      tensors: {},
      parts: [model.toState()],
    };
  }

  static restore(state: ModelState, restorePart: (part: ModelState) => FittedModel): FittedSearch {
    const reader = new StateReader(state);
    const [part, ...rest] = state.parts ?? [];
    if (part === undefined || rest.length > 0)
      reader.fail("parts", "one fitted model", `${state.parts?.length ?? 0}`);
    const list = reader.value("results", "a list of candidates with scores", isResults);
    const results = new SearchResults(
      list.map((result) => ({
        ...result,
        scores: Object.freeze(result.scores.map((score) => score ?? Number.NaN)),
        fitTime: Number.NaN,
        scoreTime: Number.NaN,
      })),
    );
    const best = reader.count("best");
    if (best >= results.length) reader.fail("best", `below ${results.length}`, String(best));
    const isTexts = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every((text) => typeof text === "string");
    return new FittedSearch({
      id: state.kind,
      params: state.params,
      results,
      best,
      bestEstimator: reader.value(
        "bestEstimator",
        "a described estimator",
        (value): value is Json => value !== undefined,
      ),
      model: restorePart(part!),
      warnings: reader.value("warnings", "a list of texts", isTexts),
    });
  }
}

type SavedResult = Pick<CandidateResult, "params" | "rows"> & {
  readonly scores: readonly (number | null)[];
};

const isResults = (value: unknown): value is readonly SavedResult[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((result) => {
    const { params, scores } = (result ?? {}) as Partial<SavedResult>;
    return (
      typeof params === "object" &&
      params !== null &&
      Array.isArray(scores) &&
      scores.length > 0 &&
      scores.every((score) => score === null || typeof score === "number")
    );
  });
