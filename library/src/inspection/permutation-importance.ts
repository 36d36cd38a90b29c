import type { FittedModel, Samples } from "../core/contract.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { option, readOptions, sampleWeight } from "../core/options.js";
import { integer, type ParamSpec, randomState } from "../core/params.js";
import { Printed } from "../core/printing.js";
import { Random } from "../core/random.js";
import { Matrix } from "../data/matrix.js";
import { positiveLabel } from "../metrics/inputs.js";
import { findScorer, type Scorer, type ScorerName } from "../metrics/scorers.js";
import { barList } from "./bar-list.js";
import { chosenEntries, featureNamesOption, inspectRows, type NamesOption } from "./inspected-rows.js";

export interface PermutationImportanceOptions extends NamesOption {
  /** What to measure: a name, or a function of the fitted model; larger is better. Without it: the model's `score`. */
  readonly scoring?: ScorerName | Scorer | undefined;
  /** Which of two labels is "positive", for scorers that ask; without it 1, true, "yes" and the like. Other labels must be given. */
  readonly positiveLabel?: Label | undefined;
  /** How often each column is permuted. */
  readonly nRepeats?: number | undefined;
  readonly randomState?: number | undefined;
  /** One weight per row, for scoring. */
  readonly sampleWeight?: NumberArray | undefined;
}

export const permutationImportanceOptions = {
  scoring: option<ScorerName | Scorer>(
    "union",
    "What to measure: a name, or a function of the fitted model; larger is better.",
    "a name or a function",
    (value) => typeof value === "string" || typeof value === "function",
  ),
  positiveLabel,
  nRepeats: integer({ atLeast: 1, default: 5, doc: "How often each column is permuted." }),
  randomState: randomState(),
  sampleWeight,
  featureNames: featureNamesOption,
} satisfies Record<keyof PermutationImportanceOptions, ParamSpec<unknown>>;

/** How much a model's score falls when a column is permuted. Printed as a list, largest first. */
export class PermutationImportance extends Printed {
  /** Mean and standard deviation over the repeats, per column. */
  readonly mean: Float64Array;
  readonly std: Float64Array;

  constructor(
    readonly names: readonly string[],
    /** The score of X as it is. */
    readonly baseline: number,
    /** baseline − the score with the column permuted: one row per column of X, one column per repeat. */
    readonly repeats: Matrix,
  ) {
    super();
    const { rows, cols } = repeats;
    this.mean = new Float64Array(rows);
    this.std = new Float64Array(rows);
    for (let j = 0; j < rows; j++) {
      const own = repeats.row(j);
      const mean = own.reduce((sum, v) => sum + v, 0) / cols;
      this.mean[j] = mean;
      this.std[j] = Math.sqrt(own.reduce((sum, v) => sum + (v - mean) ** 2, 0) / cols);
    }
  }

  toString(): string {
    const spread = (j: number) => `± ${this.std[j]!.toFixed(3)}`;
    return [
      `PermutationImportance of a score of ${this.baseline.toFixed(3)}`,
      ...barList(this.names, this.mean, spread),
    ].join("\n");
  }
}

/**
 * How much a fitted model relies on each column: its score on X minus the score with the column's entries in random order, which keeps
 * the column's distribution and breaks its relation to y and to the other columns [Breiman 2001]. Measure on rows that the model has
 * not learned from. Of columns that say the same, each seems unimportant. Parity: scikit-learn's permutation_importance, with other draws.
 */
export function permutationImportance(
  model: FittedModel,
  x: Samples,
  y: Labels<Label>,
  options: PermutationImportanceOptions = {},
): PermutationImportance {
  const where = "permutationImportance";
  const { nRepeats, randomState } = readOptions(where, permutationImportanceOptions, options);
  const scorer = findScorer(where, options.scoring, undefined, options.positiveLabel);
  const scoreOptions = options.sampleWeight === undefined ? {} : { sampleWeight: options.sampleWeight };
  const rows = inspectRows(where, model, x, options.featureNames);
  const score = (own: Samples) => scorer(model, own, y, scoreOptions);
  const baseline = score(rows.x);
  const random = new Random(randomState);
  const repeats = Matrix.zeros(rows.cols, nRepeats);
  for (let j = 0; j < rows.cols; j++) {
    const column = rows.column(j);
    const own = random.split();
    for (let r = 0; r < nRepeats; r++) {
      const permuted = chosenEntries(column, own.permutation(rows.rows));
      repeats.data[j * nRepeats + r] = baseline - score(rows.withColumn(j, permuted).x);
    }
  }
  return new PermutationImportance(rows.names, baseline, repeats);
}
