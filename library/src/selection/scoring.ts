import type { FittedModel, Samples } from "../core/contract.js";
import { ParameterError, show } from "../core/errors.js";
import { findScorer, type ScoreFunction, type Scorer, type ScorerName } from "../metrics/scorers.js";

/** One scorer: a name or a function. */
export type OneScorer<M = never, X = never, Y = never> = ScorerName | Scorer<M, X, Y>;

/** What cross-validation can measure: one scorer, a list of names, or scorers by names of the caller's own. */
export type Scoring<M = never, X = never, Y = never> =
  | OneScorer<M, X, Y>
  | readonly ScorerName[]
  | Readonly<Record<string, OneScorer<M, X, Y>>>
  | undefined;

/** A value V of one scorer, or one V per name of several. Where nothing was given, S is what could have been, undefined too. */
export type ScoresOf<S, V> = undefined extends S
  ? V
  : S extends readonly (infer N extends string)[]
    ? { readonly [K in N]: V }
    : S extends string | ((...args: never) => unknown)
      ? V
      : { readonly [K in keyof S]: V };

/** Scorers in the order in which they were given. */
export interface ScorerList {
  /** Undefined: one scorer, whose values have no name. */
  readonly names: readonly string[] | undefined;
  readonly scorers: readonly ScoreFunction[];
  /** For each scorer whether it is the library's. */
  readonly known: readonly boolean[];
}

const isFunction = (value: unknown): boolean => typeof value === "function";

/** The list of one scorer. */
export const oneScorer = (scorer: ScoreFunction): ScorerList => ({
  names: undefined,
  scorers: [scorer],
  known: [false],
});

/** Whether `scoring` is several scorers. */
export const isSeveral = (
  scoring: unknown,
): scoring is readonly unknown[] | Readonly<Record<string, unknown>> =>
  typeof scoring === "object" && scoring !== null;

export function findScorers(where: string, scoring: unknown, estimator?: object): ScorerList {
  if (!isSeveral(scoring)) return oneScorer(findScorer(where, scoring as ScorerName | undefined, estimator));
  const given = namedScorers(where, scoring);
  return {
    names: given.map(([name]) => name),
    scorers: given.map(([, one]) => findScorer(where, one, estimator)),
    known: given.map(([, one]) => !isFunction(one)),
  };
}

function namedScorers(
  where: string,
  scoring: readonly unknown[] | Readonly<Record<string, unknown>>,
): [string, OneScorer][] {
  const given = Array.isArray(scoring)
    ? scoring.map((name: unknown): [unknown, unknown] => [name, name])
    : Object.entries(scoring);
  const received = Array.isArray(scoring) ? show(scoring) : `{ ${Object.keys(scoring).join(", ")} }`;
  if (given.length === 0) {
    const expected = "one or more scorers";
    throw new ParameterError({ where, subject: "scoring", expected, received: show(scoring) });
  }
  if (given.some(([, one]) => typeof one !== "string" && (Array.isArray(scoring) || !isFunction(one)))) {
    const expected = "a list of names, or an object of names to scorers (names or functions)";
    throw new ParameterError({ where, subject: "scoring", expected, received });
  }
  if (new Set(given.map(([name]) => name)).size < given.length)
    throw new ParameterError({ where, subject: "scoring", expected: "names that differ", received });
  return given as [string, OneScorer][];
}

/** The values of several scorers by name; of one scorer its value. */
export function byNames<V>(names: readonly string[] | undefined, values: readonly V[]): unknown {
  if (names === undefined) return values[0]!;
  return Object.fromEntries(names.map((name, s) => [name, values[s]!]));
}

/** What scorers of the library ask of a model. */
const methods = ["predict", "predictProba", "decisionFunction"] as const;

/** The model as scorers of the library see it; what it predicts is computed once for all of them. */
export function withSharedPredictions(model: FittedModel): FittedModel {
  const own = model as unknown as Readonly<Record<string, unknown>>;
  const entries = methods
    .filter((method) => isFunction(own[method]))
    .map((method) => {
      const values = new Map<Samples, unknown>();
      const call = own[method] as (x: Samples) => unknown;
      const once = (x: Samples) => {
        if (!values.has(x)) values.set(x, call.call(model, x));
        return values.get(x);
      };
      return [method, once] as const;
    });
  // Errors name the class of the model.
  const shown = { constructor: model.constructor, classes: own["classes"] };
  return { ...shown, ...Object.fromEntries(entries) } as unknown as FittedModel;
}
