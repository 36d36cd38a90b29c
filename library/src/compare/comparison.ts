import { minOf } from "../core/extremes.js";
import { grid, Printed } from "../core/printing.js";
import type { DataWarning } from "../data/data-warning.js";
import type { ScorerName } from "../metrics/scorers.js";
import { compareScores } from "../selection/compare-scores.js";
import type { Learner } from "../selection/index.js";
import type { LeftOut } from "./default-models.js";

/** A model that was compared. */
export interface Contender {
  readonly name: string;
  readonly estimator: Learner;
  /** One per fold. */
  readonly scores: Float64Array;
  readonly mean: number;
  /** Half of the 95 % interval of the mean, corrected for rows that training sets share. */
  readonly margin: number;
  /** Mean seconds of a fit. */
  readonly fitTime: number;
  /** Mean seconds of the predictions for a fold. */
  readonly scoreTime: number;
  /** Whether the difference to the best could be chance: p > 0.05 in the corrected test. */
  readonly tied: boolean;
}

/** Seconds. Between runs on small data, times differ by as much: they would choose by chance. */
const EQUALLY_FAST = 0.005;

/** What was measured of a model, before it is compared. */
export type Measured = Pick<Contender, "name" | "estimator" | "scores" | "fitTime" | "scoreTime">;

/** The models from the best on, and what can be said about their differences. */
export class Comparison extends Printed {
  readonly task: "classification" | "regression";
  readonly scoring: ScorerName | "custom";
  /** From the best on. */
  readonly models: readonly Contender[];
  readonly leftOut: readonly LeftOut[];
  /** What should be known of the columns of X: text that was read as numbers, columns that are left out, words that some models do not read. */
  readonly warnings: readonly DataWarning[];

  constructor(
    task: "classification" | "regression",
    scoring: ScorerName | "custom",
    measured: readonly Measured[],
    leftOut: readonly LeftOut[],
    warnings: readonly DataWarning[] = [],
  ) {
    super();
    this.task = task;
    this.scoring = scoring;
    this.leftOut = Object.freeze([...leftOut]);
    this.warnings = Object.freeze([...warnings]);
    const mean = ({ scores }: Measured) => scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const sorted = [...measured].sort((a, b) => mean(b) - mean(a));
    const [best] = sorted;
    this.models = Object.freeze(
      sorted.map((model) => {
        const zeros = new Float64Array(model.scores.length);
        const { interval } = compareScores(model.scores, zeros);
        const tied = model === best || compareScores(best!.scores, model.scores).pValue > 0.05;
        return Object.freeze({ ...model, mean: mean(model), margin: (interval[1] - interval[0]) / 2, tied });
      }),
    );
    Object.freeze(this);
  }

  get best(): Contender {
    return this.models[0]!;
  }

  /** The fastest, to fit and to predict, of those that are not worse than the best beyond chance; the better one of equally fast ones. */
  get recommended(): Contender {
    const time = ({ fitTime, scoreTime }: Contender) => fitTime + scoreTime;
    const tied = this.models.filter((model) => model.tied);
    const fastest = minOf(tied.map(time));
    // A NaN compares with nothing: then the best.
    return tied.find((model) => time(model) <= fastest + EQUALLY_FAST) ?? this.best;
  }

  toString(): string {
    const { models, recommended } = this;
    const tied = models.filter((model) => model.tied).length;
    const bracket = models.map((model, i) => {
      if (!model.tied || tied === 1) return " ";
      if (i === 0) return "┌";
      return models.slice(i + 1).some((other) => other.tied) ? "│" : "└";
    });
    const seconds = (value: number) =>
      value < 1 ? `${(1000 * value).toPrecision(3)} ms` : `${value.toPrecision(3)} s`;
    const figures = grid(
      [
        ["", ...bracket],
        ["", ...models.map(({ name }) => name)],
        [this.scoring, ...models.map(({ mean }) => mean.toFixed(4))],
        ["± 95 %", ...models.map(({ margin }) => margin.toFixed(4))],
        ["fit", ...models.map(({ fitTime }) => seconds(fitTime))],
        ["predict", ...models.map(({ scoreTime }) => seconds(scoreTime))],
      ],
      2,
    );
    const notes = [
      tied > 1 ? `┌ └ tied with the best; the fastest of them is ${recommended.name}.` : "",
      ...this.leftOut.map(({ name, because }) => `${name} was left out: ${because.replace(/\.$/, "")}.`),
      ...this.warnings.map(({ message }) => message),
    ];
    return [figures, ...notes.filter((note) => note !== "")].join("\n");
  }
}
