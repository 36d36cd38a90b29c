import { DataError, show } from "../core/errors.js";
import { maxOf } from "../core/numbers/extremes.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { option, readOptions } from "../core/params/options.js";
import type { TableOf } from "../core/params/params.js";
import { compareScores } from "../selection/compare-scores.js";
import { kindOf, type ModelKind, undeclared } from "./simplicity.js";

/** What is known of a model: its scores on the folds that all models share, the larger the better. */
export interface ScoredModel {
  readonly name: string;
  /** Its `id` declares how simple it is; an estimator that is not of the library counts as the most complex. */
  readonly estimator: object;
  readonly scores: ArrayLike<number>;
}

/** A model in its place. */
export type Ranked<M extends ScoredModel> = M & {
  /** NaN unless there is a finite score per fold. */
  readonly mean: number;
  /** Half of the 95 % interval of the mean, corrected for rows that training sets share; NaN of fewer than two folds. */
  readonly margin: number;
  /** Whether it is tied with the best: see `recommend`. */
  readonly tied: boolean;
};

export interface Recommendation<M extends ScoredModel> {
  /** From the best on; those without a mean last. */
  readonly ranked: readonly Ranked<M>[];
  /** Undefined if no model has a mean. */
  readonly recommended: Ranked<M> | undefined;
  /** Why, as a sentence. */
  readonly reason: string;
}

export interface RecommendOptions {
  /** The mean score of a constant prediction, as of `DummyClassifier`. Without it a tie is a matter of the standard error alone. */
  readonly baseline?: number | undefined;
}

const recommendOptions = {
  baseline: option<number>(
    "number",
    "The mean score of a constant prediction.",
    "a finite number",
    (value) => typeof value === "number" && Number.isFinite(value),
  ),
} satisfies TableOf<RecommendOptions>;

/** Of the lead of the best over a constant prediction: what a simpler model may cost where the folds differ by more. */
const LARGEST_LOSS = 0.05;

/** Of the same lead: practically equal. With many rows even such a difference is more than its standard error. */
const NEGLIGIBLE_LOSS = 0.01;

/**
 * The simplest of the models that are tied with the best; of equally simple ones the best, then the first by name. Times do not count: the
 * same scores give the same answer.
 *
 * With d the differences of the best to a model over the J folds, d̄ their mean and s their standard deviation, the model is tied if
 *
 *   d̄ ≤ s / √J  and  d̄ ≤ 0.05 (best − baseline),      or      d̄ ≤ 0.01 (best − baseline)
 *
 * that is at most one standard error behind [Breiman et al. 1984, 3.4.3] at little cost, or practically equal. The first excludes every
 * model that is nowhere ahead of the best and behind it in two folds or more: for d ≥ 0, s / √J ≤ d̄. "The difference could be chance"
 * (p > 0.05) would be too weak: with five folds the corrected t-test finds few differences, and noisy scores would be equal to all
 * (docs/decisions/0027).
 */
export function recommend<M extends ScoredModel>(
  models: readonly M[],
  options: RecommendOptions = {},
): Recommendation<M> {
  checkModels(models);
  const { baseline } = readOptions("recommend", recommendOptions, options);
  const measured = models.map((model) => ({
    model,
    mean: meanOf(model.scores),
    kind: kindOf(model.estimator),
  }));
  const byName = (a: ScoredModel, b: ScoredModel) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const sorted = measured.sort(
    (a, b) => descending(a.mean, b.mean) || a.kind.complexity - b.kind.complexity || byName(a.model, b.model),
  );
  const [best] = sorted;
  if (best === undefined || Number.isNaN(best.mean))
    return {
      ranked: sorted.map(({ model }) => ({ ...model, mean: Number.NaN, margin: Number.NaN, tied: false })),
      recommended: undefined,
      reason: "No model is recommended: none has a finite score in every fold.",
    };
  const lead = baseline === undefined ? undefined : Math.max(0, best.mean - baseline);
  const judged = sorted.map(({ model, mean, kind }) => {
    const tied = model === best.model || isTied(best.model.scores, model.scores, best.mean - mean, lead);
    return { ranked: { ...model, mean, margin: marginOf(model.scores, mean), tied }, kind };
  });
  const tied = judged.filter(({ ranked }) => ranked.tied);
  // From the best on, so that the first of the simplest is the best of them.
  const chosen = tied.reduce((a, b) => (b.kind.complexity < a.kind.complexity ? b : a));
  return {
    ranked: judged.map(({ ranked }) => ranked),
    recommended: chosen.ranked,
    reason: reasonOf(chosen, tied, judged.length, baseline),
  };
}

function checkModels(models: unknown): void {
  const at = Array.isArray(models) ? models.findIndex((model) => !isScored(model)) : -1;
  if (Array.isArray(models) && at < 0) return;
  const expected = `${at < 0 ? "a list of " : ""}{ name, estimator, scores }`;
  const received = show(at < 0 ? models : (models as readonly unknown[])[at]);
  throw new DataError("recommend", at < 0 ? "models" : `models[${at}]`, expected, received);
}

function isScored(model: unknown): boolean {
  const { name, estimator, scores } = (model ?? {}) as Partial<ScoredModel>;
  return (
    typeof name === "string" && typeof estimator === "object" && estimator !== null && isArrayLike(scores)
  );
}

/** NaN last. Twelve digits count: means of the same scores in another order differ by rounding. */
const descending = (a: number, b: number): number =>
  Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : rounded(b) - rounded(a);

const rounded = (mean: number): number => Number(mean.toPrecision(12));

function meanOf(scores: ArrayLike<number>): number {
  const list = Array.from(scores);
  return list.length > 0 && list.every(Number.isFinite)
    ? list.reduce((sum, score) => sum + score, 0) / list.length
    : Number.NaN;
}

function marginOf(scores: ArrayLike<number>, mean: number): number {
  if (Number.isNaN(mean) || scores.length < 2) return Number.NaN;
  const { interval } = compareScores(Float64Array.from(scores), new Float64Array(scores.length));
  return (interval[1] - interval[0]) / 2;
}

/** Relative. Differences that are 0 in all folds but one have d̄ = s / √J: rounding must not decide. */
const ROUNDING = 1e-12;

/** Scores of one fold, or of other folds than those of the best, say nothing about a difference. */
function isTied(
  best: ArrayLike<number>,
  scores: ArrayLike<number>,
  difference: number,
  lead: number | undefined,
): boolean {
  const J = best.length;
  if (Number.isNaN(difference) || scores.length !== J || J < 2) return false;
  const loss = difference - ROUNDING * Math.max(1, maxOf(Array.from(best, Math.abs)));
  if (lead !== undefined && loss <= NEGLIGIBLE_LOSS * lead) return true;
  if (lead !== undefined && loss > LARGEST_LOSS * lead) return false;
  const d = Array.from(best, (score, f) => score - scores[f]!);
  const variance = d.reduce((sum, v) => sum + (v - difference) ** 2, 0) / (J - 1);
  return loss <= Math.sqrt(variance / J);
}

interface Judged {
  readonly ranked: Ranked<ScoredModel>;
  readonly kind: ModelKind;
}

function reasonOf(
  chosen: Judged,
  tied: readonly Judged[],
  models: number,
  baseline: number | undefined,
): string {
  const { name, mean, margin } = chosen.ranked;
  const sentences = [`${name} is recommended: ${because(chosen, tied, models)}.`];
  for (const { ranked, kind } of tied)
    if (kind === undeclared && tied.length > 1)
      sentences.push(`${ranked.name} counts as the most complex: it is not an estimator of the library.`);
  if (baseline !== undefined && !(rounded(mean) > rounded(baseline)))
    sentences.push(`It is not better than a constant prediction (${baseline.toFixed(4)}).`);
  else if (baseline !== undefined && mean - margin <= baseline)
    sentences.push(`Its lead over a constant prediction (${baseline.toFixed(4)}) could be chance.`);
  return sentences.join(" ");
}

function because({ ranked, kind }: Judged, tied: readonly Judged[], models: number): string {
  if (models === 1) return "it is the only model";
  if (ranked.scores.length < 2) return "it has the best score; one fold does not tell whether that is chance";
  if (tied.length === 1) return "it is the best, and no other model is tied with it";
  if (ranked === tied[0]!.ranked)
    return tied.length === 2
      ? "it is the best, and the model that is tied with it is not simpler"
      : `it is the best, and none of the ${tied.length - 1} models that are tied with it is simpler`;
  const equals = tied.filter((other) => other.kind.complexity === kind.complexity).length;
  const simplest = equals === 1 ? "the simplest" : `the best of the ${equals} simplest`;
  return `${kind.label}, ${simplest} of the ${tied.length} models that are tied with the best`;
}
