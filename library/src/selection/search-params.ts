import { ParameterError, show } from "../core/errors.js";
import type { ParamSpec, ParamValues } from "../core/params/params.js";
import { choice, either, flag, invalid, optional, real } from "../core/params/params.js";
import { positiveLabelParam } from "../core/positive-label.js";
import { splitterFromJson } from "../data/splitters/registry.js";
import { isSplitter, type Splitter } from "../data/splitters/splitter.js";
import { type Scorer, type ScorerName, scorers } from "../metrics/scorers.js";
import type { Learner } from "./cross-validate.js";
import { findScorers, isSeveral, type ScorerNames, type Scoring } from "./scoring.js";

/** What a search can be over: an estimator or a pipeline. */
export type Searchable = Learner & object;

/** A parameter that must be given: it has no default, as its constructor checks. */
export const required = <T>(spec: Omit<ParamSpec<T>, "default">): ParamSpec<T> => ({
  ...spec,
  default: undefined as T,
});

const estimator = required<Searchable>({
  kind: "estimator",
  doc: "The estimator or pipeline whose parameters are searched.",
  expected: "an estimator or a pipeline",
  read: (value) =>
    typeof (value as Partial<Learner> | null)?.fit === "function" ? (value as Searchable) : invalid,
});

/** Folds, as a parameter of an estimator. */
export const cvParam: ParamSpec<number | Splitter> = {
  kind: "splitter",
  default: 5,
  doc: "How many folds (stratified for classifiers), or how to make them.",
  expected: "a number of folds ≥ 2 or a splitter such as new KFold()",
  read: (value) => {
    if (isSplitter(value)) return value;
    if (typeof value === "number") return Number.isSafeInteger(value) && value >= 2 ? value : invalid;
    return splitterFromJson(value) ?? invalid;
  },
};

/** What is measured, as a parameter of an estimator. */
export const scoringParam: ParamSpec<ScorerName | Scorer | null> = {
  kind: "scorer",
  default: null,
  doc: "What to measure: a name, or a function of the fitted model and held-out rows; larger is better. null: the model's own score.",
  expected: `a function, null or one of ${Object.keys(scorers).join(", ")}`,
  read: (value) => {
    const isName = typeof value === "string" && Object.hasOwn(scorers, value);
    return value === null || isName || typeof value === "function"
      ? (value as ScorerName | Scorer | null)
      : invalid;
  },
};

/** Which of two labels is positive for scorers, as a parameter of an estimator. */
export const positiveLabelOfScorers = positiveLabelParam(
  'Which of two labels is "positive", for scorers that ask.',
);

const refit = flag({
  default: true,
  doc: "Fit the best candidate to all rows in the end. Without it there is no model.",
});

export const timeBudget = (begun: string): ParamSpec<number | null> =>
  optional(
    real({
      above: 0,
      default: 60,
      doc: `Seconds after which no further ${begun} is begun; null is no limit.`,
    }),
  );

/** What all searches take. */
export const searchParams = {
  estimator,
  cv: cvParam,
  scoring: {
    ...scoringParam,
    doc: `${scoringParam.doc} Several scorers are a list of names, or an object of names to scorers.`,
    expected: `a non-empty list of names or object of names to scorers, ${scoringParam.expected}`,
    // What is in a list or an object is checked with `refit`, by errors that name what is wrong with it.
    read: (value) => {
      if (!isSeveral(value)) return scoringParam.read(value);
      return Object.keys(value).length > 0 ? frozenCopy(value) : invalid;
    },
  } as ParamSpec<Exclude<Scoring, undefined> | null>,
  positiveLabel: positiveLabelOfScorers,
  refit: either(
    {
      ...refit,
      doc: `${refit.doc} With several scorers: the name of the one that chooses the best candidate, or false.`,
    },
    {
      kind: "name",
      expected: "the name of a scorer where there are several",
      read: (value) => (typeof value === "string" ? value : invalid),
    },
  ),
  onError: choice(["throw", "skip"], {
    default: "throw",
    doc: "A candidate that cannot be fitted is an error, or has no score and a warning.",
  }),
};

/** What searches take that choose by one scorer only. */
export const oneScorerSearchParams = {
  ...searchParams,
  scoring: { ...scoringParam, expected: `one scorer: ${scoringParam.expected}` },
  refit,
} satisfies typeof searchParams;

/**
 * `refit` of a search by scorers S: required where there are several, and then the name of one of them or false. Where S includes
 * undefined nothing is refused: the compiler asks with such an S before it has read scorers that are functions.
 */
export type SearchRefit<S> = undefined extends S
  ? unknown
  : [ScorerNames<S>] extends [never]
    ? { readonly refit?: boolean | undefined }
    : { readonly refit: ScorerNames<S> | false };

const frozenCopy = (several: object): Exclude<Scoring, undefined> =>
  Object.freeze(Array.isArray(several) ? several.slice() : { ...several }) as Exclude<Scoring, undefined>;

type SearchValues = ParamValues<typeof searchParams>;

/** An estimator has no default. */
export function requireEstimator(where: string, given: SearchValues): void {
  if (given.estimator !== undefined) return;
  const { expected } = estimator;
  throw new ParameterError(where, "estimator", expected, "nothing");
}

/** Whether the scorers exist, and `refit` is one of them where there are several. */
export function requireRefit(where: string, { scoring, refit }: SearchValues): void {
  const { names } = findScorers(where, scoring ?? undefined);
  if (refit === false || (names === undefined ? refit === true : names.includes(refit as string))) return;
  throw new ParameterError({
    where,
    subject: "refit",
    expected:
      names === undefined
        ? "true or false, since there is one scorer"
        : `the scorer that chooses the best candidate (${names.map(show).join(", ")}), or false`,
    received: show(refit),
  });
}
