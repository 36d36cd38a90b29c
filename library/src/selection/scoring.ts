import { ParameterError, show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import type { Scorer, ScorerName } from "../metrics/scorers.js";
import { type ScorerList, scorerList } from "./scorer-list.js";

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

/** The names of several scorers; never, of one. */
export type ScorerNames<S> = undefined extends S
  ? never
  : S extends readonly (infer N extends string)[]
    ? N
    : S extends string | ((...args: never) => unknown)
      ? never
      : Extract<keyof S, string>;

/** Several scorers S as they are; undefined for one, whatever it is, since its values have no name. */
export type SeveralScorers<S> = [ScorerNames<S>] extends [never] ? undefined : S;

/** Whether `scoring` is several scorers. */
export const isSeveral = (
  scoring: unknown,
): scoring is readonly unknown[] | Readonly<Record<string, unknown>> =>
  typeof scoring === "object" && scoring !== null;

export function findScorers(
  where: string,
  scoring: unknown,
  estimator?: object,
  positiveLabel?: Label | null,
): ScorerList {
  if (!isSeveral(scoring))
    return scorerList(where, [scoring as OneScorer | undefined], { estimator, positiveLabel });
  const given = namedScorers(where, scoring);
  const names = given.map(([name]) => name);
  const list = given.map(([, one]) => one);
  return scorerList(where, list, { estimator, positiveLabel, names });
}

/** The scorers, without the names of their values. */
export const scorersIn = (scoring: unknown): readonly unknown[] =>
  isSeveral(scoring) ? Object.values(scoring) : [scoring];

function namedScorers(
  where: string,
  scoring: readonly unknown[] | Readonly<Record<string, unknown>>,
): [string, OneScorer][] {
  const given = Array.isArray(scoring)
    ? scoring.map((name: unknown): [unknown, unknown] => [name, name])
    : Object.entries(scoring);
  const received = Array.isArray(scoring) ? show(scoring) : `{ ${Object.keys(scoring).join(", ")} }`;
  if (given.length === 0) throw new ParameterError(where, "scoring", "one or more scorers", show(scoring));
  if (
    given.some(([, one]) => typeof one !== "string" && (Array.isArray(scoring) || typeof one !== "function"))
  ) {
    const expected = "a list of names, or an object of names to scorers (names or functions)";
    throw new ParameterError(where, "scoring", expected, received);
  }
  if (new Set(given.map(([name]) => name)).size < given.length)
    throw new ParameterError(where, "scoring", "names that differ", received);
  return given as [string, OneScorer][];
}

/** The values of several scorers by name; of one scorer its value. */
export function byNames<V>(names: readonly string[] | undefined, values: readonly V[]): unknown {
  if (names === undefined) return values[0]!;
  return Object.fromEntries(names.map((name, s) => [name, values[s]!]));
}
