import {
  type Classifier,
  crossValidate,
  type LoadedModel,
  logLoss,
  type Matrix,
  type MatrixLike,
  pipeline,
  type Regressor,
  type Splitter,
  StandardScaler,
} from "argmax";
import type { ProgressBar } from "../progress.js";
import { type Entry, labelOf } from "./models.js";

/** The result of one model in one fold. */
export interface FoldResult {
  /** Accuracy or R². */
  readonly score: number;
  readonly logLoss: number | undefined;
  readonly predictMicrosecondsPerRow: number;
  readonly converged: boolean;
}

/** A row of the leaderboard. */
export interface Standing {
  readonly model: string;
  readonly minimises: string;
  readonly mean: number;
  /** Standard deviation over the folds. */
  readonly spread: number;
  readonly logLoss: number | undefined;
  readonly fitMilliseconds: number;
  readonly predictMicrosecondsPerRow: number;
  readonly converged: boolean;
}

/** The first fit is not timed: it compiles kernels and code. */
export const jobsOf = (folds: number): number => folds + 1;

/** Cross-validates `pipeline(StandardScaler, model)`. */
export function compete(
  entry: Entry<Classifier> | Entry<Regressor>,
  X: Matrix,
  y: ArrayLike<string | number | boolean>,
  splitter: Splitter,
  folds: number,
  bar: ProgressBar,
): Standing {
  const { minimises, estimator } = entry;
  const name = labelOf(entry);
  const results: FoldResult[] = [];
  const begin = (fold: number) => bar.begin(name, `fold ${fold} of ${folds}`);
  const steps = pipeline(new StandardScaler(), estimator as Classifier);
  bar.begin(name, "warming up");
  judge(steps.fit(X, y), X, y);
  bar.advance();
  begin(1);
  const { fitTime } = crossValidate(steps, X, y, {
    cv: splitter,
    scoring: (model, x, t) => {
      results.push(judge(model, x, t));
      return results.at(-1)!.score;
    },
    onProgress: ({ iteration }) => {
      bar.advance();
      if (iteration < folds) begin(iteration + 1);
    },
  });
  return summarise(
    name,
    minimises,
    results,
    Array.from(fitTime, (seconds) => 1000 * seconds),
  );
}

/** The common methods of the fitted pipelines. */
interface Fitted extends LoadedModel {
  readonly last: { readonly report?: { readonly converged: boolean } };
}

function judge(fitted: object, x: MatrixLike, y: ArrayLike<string | number | boolean>): FoldResult {
  const model = fitted as Fitted;
  const started = performance.now();
  model.predict?.(x);
  const microseconds = 1000 * (performance.now() - started);
  return {
    score: model.score!(x, y as never),
    logLoss: model.predictProba && logLoss(y, model.predictProba(x), { labels: model.classes! }),
    predictMicrosecondsPerRow: microseconds / y.length,
    converged: model.last.report?.converged ?? true,
  };
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, v) => sum + v, 0) / values.length;

/** Times are medians, which are robust to interruptions by other programs. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export function summarise(
  model: string,
  minimises: string,
  folds: readonly FoldResult[],
  fitMilliseconds: readonly number[],
): Standing {
  const scores = folds.map(({ score }) => score);
  const average = mean(scores);
  const losses = folds.flatMap((fold) => fold.logLoss ?? []);
  return {
    model,
    minimises,
    mean: average,
    spread: Math.sqrt(mean(scores.map((score) => (score - average) ** 2))),
    logLoss: losses.length === folds.length ? mean(losses) : undefined,
    fitMilliseconds: median(fitMilliseconds),
    predictMicrosecondsPerRow: median(folds.map((fold) => fold.predictMicrosecondsPerRow)),
    converged: folds.every(({ converged }) => converged),
  };
}

/** Best first; ties are broken by the log loss, then by the fit time. */
export function rank(standings: readonly Standing[]): Standing[] {
  const loss = (standing: Standing) => standing.logLoss ?? Number.MAX_VALUE;
  return [...standings].sort(
    (a, b) => b.mean - a.mean || loss(a) - loss(b) || a.fitMilliseconds - b.fitMilliseconds,
  );
}
