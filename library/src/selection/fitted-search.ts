import type { FittedModel } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { type ForwardedMethod, type ForwardedValue, forward } from "../core/forwarded.js";
import { Model } from "../core/model.js";
import { type Json, type ModelState, StateReader } from "../core/state/state.js";
import { type Structure, structure, structureOf } from "../core/structure.js";
import { objectAsCode } from "../core/text/printing-code.js";
import type { Candidate } from "./candidates.js";
import { isSeveral } from "./scoring.js";
import { type CandidateResult, SearchResults, scoreOf } from "./search-results.js";

/** A fitted search that predicts with its best model M; S is what measured the candidates. */
export type SearchedModel<M, E = unknown, S = undefined> = FittedSearch<M, E, S> &
  Pick<M, Extract<keyof M, ForwardedMethod | ForwardedValue>>;

interface SearchParts<M, S> {
  /** The search's class. */
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly results: SearchResults<S>;
  /** Number of the best candidate; undefined where no scorer chooses. */
  readonly best: number | undefined;
  /** The unfitted estimator, or what its `toJSON` gave. */
  readonly bestEstimator: unknown;
  readonly model: M | undefined;
  readonly warnings: readonly string[];
}

/**
 * What a search found. It predicts with `bestModel`, the best candidate fitted to all rows, and has its methods.
 */
export class FittedSearch<M = FittedModel, E = unknown, S = undefined> extends Model implements FittedModel {
  readonly results: SearchResults<S>;
  readonly #parts: SearchParts<M, S>;

  constructor(parts: SearchParts<M, S>) {
    super();
    this.#parts = parts;
    this.results = parts.results;
    if (parts.model !== undefined)
      forward(this, parts.model as FittedModel, (method, x, rest) => method(x, ...rest));
    Object.freeze(this);
  }

  /** Number of the best candidate in `results`: of several scorers by the one that `refit` names. */
  get bestIndex(): number {
    return this.#parts.best ?? this.#refuse("bestIndex");
  }

  /** The parameters that were best. */
  get bestParams(): Candidate {
    return this.results.candidates[this.bestIndex]!.params;
  }

  /** Their mean score over the folds. It is the largest of many, so it is optimistically biased: judge the search by `crossValidate` around it. */
  get bestScore(): number {
    const { meanScore } = this.results.candidates[this.bestIndex]!;
    return scoreOf(meanScore, chooserOf(this.#parts.params));
  }

  /** The best estimator, not fitted; after loading, its description. */
  get bestEstimator(): E {
    return (this.#parts.bestEstimator ?? this.#refuse("bestEstimator")) as E;
  }

  /** The best estimator, fitted to all rows. */
  get bestModel(): M {
    return this.#parts.model ?? this.#refuse("bestModel");
  }

  /** Without `refit` there is no model, and with several scorers no best candidate either. */
  #refuse(member: string): never {
    const { id, best } = this.#parts;
    throw new DataError({
      where: `Fitted${id}.${member}`,
      subject: "refit",
      expected:
        best === undefined
          ? "the name of a scorer in the search, for one candidate to be the best"
          : "true in the search, or the name of a scorer, for it to have a model",
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
    const { id, model, best } = this.#parts;
    if (best === undefined) return `Fitted${id}\n  ${this.results.length} candidates, none chosen`;
    const chooser = chooserOf(this.#parts.params);
    const by = chooser === undefined ? "" : ` by ${chooser}`;
    const label = this.#parts.params["positiveLabel"] ?? null;
    const of = label === null ? "" : ` of ${show(label)}`;
    const params = objectAsCode(Object.entries(this.bestParams));
    const first = `best of ${this.results.length}${by}: ${params}, score${of} ${Number(this.bestScore.toPrecision(5))}`;
    const text = model === undefined ? "" : `\n  ${String(model).replaceAll("\n", "\n  ")}`;
    return `Fitted${id}\n  ${first}${text}`;
  }

  [structure](): Structure {
    return structureOf(this.bestModel as object);
  }

  toState(): ModelState {
    const { id, params, results, bestEstimator, warnings } = this.#parts;
    const model = this.bestModel as FittedModel;
    return {
      kind: id,
      params: describeParams({ ...params, scoring: savedScoring(params["scoring"]) }),
      values: {
        results: results.toJSON(),
        best: this.bestIndex,
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
    const results = restoredResults(reader);
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

/** The name of the scorer that chooses among several. */
const chooserOf = ({ refit }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof refit === "string" ? refit : undefined;

/** Scorers that are functions cannot be saved, and a fitted search needs them no more. */
function savedScoring(scoring: unknown): unknown {
  const saved = (one: unknown) => (typeof one === "function" ? null : one);
  if (!isSeveral(scoring) || Array.isArray(scoring)) return saved(scoring);
  return Object.fromEntries(Object.entries(scoring).map(([name, one]) => [name, saved(one)]));
}

/** Candidates of one scorer have a list of scores each, of several a list per name. */
function restoredResults(reader: StateReader): SearchResults {
  const saved = reader.value("results", "a list of candidates with scores", isResults);
  const names = namesOf(saved[0]!);
  const chooser = chooserOf(reader.state.params);
  if (names === undefined ? chooser !== undefined : !names.includes(chooser ?? ""))
    reader.fail("refit", names === undefined ? "true" : `one of ${names.join(", ")}`, show(chooser));
  const scoresOf = ({ scores }: SavedResult) => (Array.isArray(scores) ? [scores] : Object.values(scores));
  return new SearchResults(
    saved.map((result) => ({
      ...result,
      scores: scoresOf(result).map((list: SavedScores) => list.map((score) => score ?? Number.NaN)),
      fitTime: Number.NaN,
      scoreTime: Number.NaN,
    })),
    names,
    chooser,
  );
}

type SavedScores = readonly (number | null)[];
type SavedResult = Pick<CandidateResult, "params" | "rows"> & {
  readonly scores: SavedScores | Readonly<Record<string, SavedScores>>;
};

/** Undefined: the scores are those of one scorer. */
const namesOf = ({ scores }: SavedResult): readonly string[] | undefined =>
  Array.isArray(scores) ? undefined : Object.keys(scores);

const isScores = (value: unknown): value is SavedScores =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((score) => score === null || typeof score === "number");

const isResult = (value: unknown): value is SavedResult => {
  const { params, scores } = (value ?? {}) as Partial<SavedResult>;
  if (typeof params !== "object" || params === null) return false;
  if (!isSeveral(scores) || Array.isArray(scores)) return isScores(scores);
  return Object.keys(scores).length > 0 && Object.values(scores).every(isScores);
};

const isResults = (value: unknown): value is readonly [SavedResult, ...SavedResult[]] => {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isResult)) return false;
  const names = String(namesOf(value[0]!));
  return value.every((result) => String(namesOf(result)) === names);
};
