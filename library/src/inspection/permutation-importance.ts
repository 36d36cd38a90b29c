import type { FittedModel, FittedTransformer, Samples } from "../core/contract.js";
import { outputNames } from "../core/feature-names-out.js";
import type { Label, Labels, NumberArray } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import { readOptions, sampleWeight } from "../core/params/options.js";
import { integer, randomState, type TableOf } from "../core/params/params.js";
import { Printed } from "../core/text/printing.js";
import { isTable } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import { readSamples } from "../data/select-rows.js";
import { positiveLabel } from "../metrics/inputs.js";
import { findScorer, type Scorer, type ScorerName } from "../metrics/scorers.js";
import { FittedPipeline } from "../pipeline/index.js";
import { crossValidationOptions } from "../selection/cross-validate.js";
import { barList } from "./bar-list.js";
import type { NamesOption } from "./inspected-rows.js";
import { chosenEntries, featureNamesOption, inspectRows, readsText } from "./inspected-rows.js";

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
  scoring: crossValidationOptions.scoring,
  positiveLabel,
  nRepeats: integer({ atLeast: 1, default: 5, doc: "How often each column is permuted." }),
  randomState: randomState(),
  sampleWeight,
  featureNames: featureNamesOption,
} satisfies TableOf<PermutationImportanceOptions>;

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
 * not learned from. Of columns that say the same, each seems unimportant. The features of documents are their words: what a pipeline's
 * vectorizer makes of them is permuted. Parity: scikit-learn's permutation_importance, with other draws.
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
  const { model: scored, x: seen, names } = afterVectorizer(where, model, x);
  const rows = inspectRows(where, scored, seen, options.featureNames ?? names);
  const score = (own: Samples) => scorer(scored, own, y, scoreOptions);
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

/** Of a pipeline of documents or rows with text: its other steps, and what the first makes of X. All other models as they are. */
function afterVectorizer(where: string, model: FittedModel, x: Samples): ScoredRows {
  const [first, ...rest] = model instanceof FittedPipeline ? (model.steps as readonly FittedModel[]) : [];
  const list = isTable(x) ? x : readSamples(where, x);
  if (first === undefined || rest.length === 0 || !readsText(list)) return { model, x, names: undefined };
  const columns = (first as FittedTransformer<Samples>).transform(list as Samples);
  const others = new FittedPipeline([], (model as FittedPipeline).names.slice(1), rest);
  return { model: others, x: columns, names: outputNames(where, first, undefined, columns.cols) };
}

interface ScoredRows {
  readonly model: FittedModel;
  readonly x: Samples;
  readonly names: readonly string[] | undefined;
}
