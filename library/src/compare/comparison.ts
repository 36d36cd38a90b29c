import { show } from "../core/errors.js";
import type { Label } from "../core/labels.js";
import { grid, Printed } from "../core/text/printing.js";
import type { DataWarning } from "../data/table/data-warning.js";
import type { ScorerName } from "../metrics/scorers.js";
import type { Learner } from "../selection/index.js";
import type { LeftOut } from "./default-models.js";
import { modelLabel } from "./model-settings.js";
import { type Ranked, recommend } from "./recommend.js";

/** What was measured of a model, before it is compared. */
export interface Measured {
  readonly name: string;
  readonly estimator: Learner;
  /** One per fold. */
  readonly scores: Float64Array;
  /** Mean seconds of a fit. */
  readonly fitTime: number;
  /** Mean seconds of the predictions for a fold. */
  readonly scoreTime: number;
}

/** A model that was compared. */
export interface Contender extends Ranked<Measured> {
  /** The name, and the parameters that differ from their defaults: `DecisionTreeClassifier (maxDepth 6)`. */
  readonly label: string;
}

/** What a comparison is made of. */
export interface Compared {
  readonly task: "classification" | "regression";
  readonly scoring: ScorerName | "custom";
  readonly positiveLabel?: Label | undefined;
  readonly measured: readonly Measured[];
  readonly leftOut: readonly LeftOut[];
  readonly warnings?: readonly DataWarning[];
  readonly baseline?: number | undefined;
}

/** The models from the best on, and what can be said about their differences. */
export class Comparison extends Printed {
  readonly task: "classification" | "regression";
  readonly scoring: ScorerName | "custom";
  /** The label that the scores are about; undefined where they are about all labels. */
  readonly positiveLabel: Label | undefined;
  /** From the best on. */
  readonly models: readonly Contender[];
  readonly leftOut: readonly LeftOut[];
  /** What should be known of the columns of X: text that was read as numbers, columns that are left out, words that some models do not read. */
  readonly warnings: readonly DataWarning[];
  /** Mean score of a constant prediction on the same folds; undefined where the scorer cannot measure one. */
  readonly baseline: number | undefined;
  /** The simplest of the models that are tied with the best (`recommend`); the first one if no model has a score in every fold. */
  readonly recommended: Contender;
  /** Why it is recommended, as a sentence. */
  readonly reason: string;

  constructor({ task, scoring, positiveLabel, measured, leftOut, warnings = [], baseline }: Compared) {
    super();
    this.task = task;
    this.scoring = scoring;
    this.positiveLabel = positiveLabel;
    this.leftOut = Object.freeze([...leftOut]);
    this.warnings = Object.freeze([...warnings]);
    this.baseline = baseline;
    const labelled = measured.map((model) => ({ ...model, label: modelLabel(model.name, model.estimator) }));
    const { ranked, recommended, reason } = recommend(labelled, { baseline });
    this.models = Object.freeze(ranked.map((model) => Object.freeze(model)));
    this.recommended = recommended ?? this.models[0]!;
    this.reason = reason;
    Object.freeze(this);
  }

  get best(): Contender {
    return this.models[0]!;
  }

  toString(): string {
    const { models, recommended, baseline } = this;
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
        ["", ...models.map((model) => (model === recommended ? `${model.label} ←` : model.label))],
        [this.scoring, ...models.map(({ mean }) => figure(mean))],
        ["± 95 %", ...models.map(({ margin }) => figure(margin))],
        ["fit", ...models.map(({ fitTime }) => seconds(fitTime))],
        ["predict", ...models.map(({ scoreTime }) => seconds(scoreTime))],
      ],
      2,
    );
    const notes = [
      this.positiveLabel === undefined ? "" : `${this.scoring} is that of ${show(this.positiveLabel)}.`,
      this.reason,
      baseline === undefined ? "" : `A constant prediction scores ${baseline.toFixed(4)}.`,
      ...this.leftOut.map(({ name, because }) => `${name} was left out: ${because.replace(/\.$/, "")}.`),
      ...this.warnings.map(({ message }) => message),
    ];
    return [figures, ...notes.filter((note) => note !== "")].join("\n");
  }
}

/** A mean or a margin; a dash where there is none. */
const figure = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(4));
