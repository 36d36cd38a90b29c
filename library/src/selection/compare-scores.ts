import { DataError, ShapeError } from "../core/errors.js";
import type { NumberArray } from "../core/labels.js";
import { readOptions } from "../core/params/options.js";
import { optional, real, type TableOf } from "../core/params/params.js";
import { readNumbers } from "../metrics/inputs.js";
import { criticalT, twoSided } from "./student-t.js";

/** A result of `crossValidate`, or its test scores. */
export type FoldScores = NumberArray | { readonly testScore: Float64Array };

export interface CompareScoresOptions {
  /** Fraction of the rows that each fold holds out; by default 1 / number of scores, as of k folds. Repeated folds need it. */
  readonly testFraction?: number | null | undefined;
  /** Probability with which the interval holds the true difference. */
  readonly confidence?: number | undefined;
}

const compareScoresOptions = {
  testFraction: optional(
    real({ above: 0, below: 1, default: 0.2, doc: "Fraction of the rows that each fold holds out." }),
  ),
  confidence: real({ above: 0, below: 1, default: 0.95, doc: "Confidence of the interval." }),
} satisfies TableOf<CompareScoresOptions>;

export interface ScoreComparison {
  /** Mean score of the first less that of the second. */
  readonly difference: number;
  /** Of the difference, with the correction for rows that training sets share. */
  readonly standardError: number;
  readonly t: number;
  readonly degreesOfFreedom: number;
  /** Probability of a difference at least as large, in either direction, if both are equally good. */
  readonly pValue: number;
  /** Holds the true difference with the given confidence. */
  readonly interval: readonly [low: number, high: number];
}

/**
 * Whether one estimator is better than another: the corrected resampled t-test [Nadeau & Bengio 2003] of scores on the same folds.
 *
 *   t = d̄ / √((1/J + n_test/n_train) s²),      d = first − second, s² its variance over the J folds; J − 1 degrees of freedom
 *
 * Scores of folds are not independent, since their training rows overlap: the plain t-test (without n_test/n_train) finds differences
 * where there are none.
 */
export function compareScores(
  first: FoldScores,
  second: FoldScores,
  options: CompareScoresOptions = {},
): ScoreComparison {
  const where = "compareScores";
  const { testFraction, confidence } = readOptions(where, compareScoresOptions, options);
  const [a, b] = [scoresOf(where, "first", first), scoresOf(where, "second", second)];
  if (a.length !== b.length) {
    const expected = `of the same folds as first (${a.length} scores)`;
    throw new ShapeError(where, "second", expected, `${b.length} scores`);
  }
  const J = a.length;
  if (J < 2) throw new DataError(where, "first", "two scores or more", `${J}`);
  const d = a.map((score, f) => score - b[f]!);
  const difference = d.reduce((sum, v) => sum + v, 0) / J;
  const variance = d.reduce((sum, v) => sum + (v - difference) ** 2, 0) / (J - 1);
  const held = testFraction ?? 1 / J;
  const standardError = Math.sqrt((1 / J + held / (1 - held)) * variance);
  const t = difference === 0 ? 0 : difference / standardError;
  const margin = standardError * criticalT(1 - confidence, J - 1);
  return {
    difference,
    standardError,
    t,
    degreesOfFreedom: J - 1,
    pValue: twoSided(t, J - 1),
    interval: [difference - margin, difference + margin],
  };
}

function scoresOf(where: string, subject: string, given: FoldScores): Float64Array {
  const { testScore = given } = (given ?? {}) as { readonly testScore?: NumberArray };
  return readNumbers(where, subject, testScore as NumberArray);
}
