import type { FitOptions, MatrixLike } from "../core/contract.js";
import { DataError, show } from "../core/errors.js";
import { beginFit, refuseWeights } from "../core/params/options.js";
import { invalid, type ParamSpec, readTable } from "../core/params/params.js";
import { columnsOf, type KnownFeatures } from "../data/feature-names-in.js";
import type { Design } from "../data/input.js";
import type { ColumnScores, MutualInformationOptions, Targets } from "./score-functions.js";
import { informationScorers, mutualInformationOptions, readRows, scorers } from "./score-functions.js";

/** Scores with p-values. */
export type TestName = keyof typeof scorers;
type InformationName = keyof typeof informationScorers;

/** Mutual information with options of its own. */
export type MutualInformation = { readonly name: InformationName } & MutualInformationOptions;

/** A score per column; larger is better. It cannot be saved. */
export type OwnScores = (x: Design, y: Targets) => ArrayLike<number> | ColumnScores;

export type ScoreFunction = TestName | InformationName | MutualInformation | OwnScores;

const tests = Object.keys(scorers) as TestName[];
const informations = Object.keys(informationScorers) as InformationName[];

const DOC =
  "How columns are scored, each alone: analysis of variance by class, correlation with numbers, χ² of counts and class";

/** The score of SelectKBest and SelectPercentile. */
export const scoreFunction: ParamSpec<ScoreFunction> = {
  kind: "function",
  default: "fClassif",
  doc: `${DOC}, mutual information (also as { name, discreteFeatures, nNeighbors, randomState }), or a function of X and y.`,
  expected: `one of ${[...tests, ...informations].map((name) => `"${name}"`).join(", ")}, { name, discreteFeatures, … } of mutual information, or a function`,
  choices: [...tests, ...informations],
  read: (value) => {
    if (typeof value === "function") return value as OwnScores;
    if (typeof value === "string")
      return [...tests, ...informations].find((name) => name === value) ?? invalid;
    if (value === null || typeof value !== "object" || Array.isArray(value)) return invalid;
    const { name, ...options } = value as MutualInformation;
    if (!informations.includes(name)) return invalid;
    const read = readTable("scoreFunction", mutualInformationOptions, options, {
      one: "option",
      all: "the options",
    });
    // The lists that were read are copies; what was not given stays out.
    const given = Object.keys(options).map((key) => [key, read[key as keyof typeof read]]);
    return Object.freeze({ name, ...Object.fromEntries(given) });
  },
};

/** The score of selectors by p-value. */
export const testFunction: ParamSpec<TestName> = {
  kind: "choice",
  default: "fClassif",
  doc: `${DOC}.`,
  expected: `one of ${tests.map((name) => `"${name}"`).join(", ")}`,
  choices: tests,
  read: (value) => (tests.includes(value as TestName) ? (value as TestName) : invalid),
};

export interface Scored extends KnownFeatures {
  readonly scores: Float64Array;
  /** Undefined for mutual information, which has none. */
  readonly pValues: Float64Array | undefined;
}

/** Rows and scores; weights have no meaning here. */
export function scored(
  where: string,
  score: ScoreFunction,
  x: MatrixLike,
  y: Targets,
  options: FitOptions,
): Scored {
  beginFit(where, options);
  refuseWeights(where, options, ", since scores are of rows");
  const given = readRows(where, x, y);
  const columns = columnsOf(x, given.x);
  if (typeof score === "function")
    return { ...columns, ...ownScores(where, score(given.x, y), given.x.cols) };
  if (typeof score === "string" && score in scorers)
    return { ...columns, ...scorers[score as TestName](given) };
  const { name, ...own } = typeof score === "object" ? score : { name: score as InformationName };
  const read = readTable(where, mutualInformationOptions, own, { one: "option", all: "the options" });
  return { ...columns, scores: informationScorers[name](given, read), pValues: undefined };
}

/** Whether the score of a user's function is one number per column. */
function ownScores(where: string, given: unknown, cols: number): Omit<Scored, keyof KnownFeatures> {
  const { scores, pValues } = (
    ArrayBuffer.isView(given) || Array.isArray(given) ? { scores: given } : (given ?? {})
  ) as Partial<Record<"scores" | "pValues", ArrayLike<number>>>;
  const isList = (list: ArrayLike<number> | undefined): list is ArrayLike<number> =>
    list?.length === cols && Array.from(list).every((score) => typeof score === "number");
  if (isList(scores) && (pValues === undefined || isList(pValues)))
    return { scores: Float64Array.from(scores), pValues: pValues && Float64Array.from(pValues) };
  const expected = `${cols} numbers, one per column of X`;
  throw new DataError(where, "what scoreFunction returns", expected, show(given));
}
