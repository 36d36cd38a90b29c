import type { Classifier, Progress } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { pow } from "../core/numbers/elementary.js";
import type { Random } from "../core/numbers/random.js";
import {
  type Allowance,
  allowanceFor,
  cutBlocks,
  fewPositivesWarning,
  guaranteeFor,
  lowestScore,
  type SensitivityGuarantee,
  tooFewPositives,
} from "./cascade-blocks.js";
import { type CascadeReport, cascadeReport, singleReport, stageReports } from "./cascade-report.js";
import { allRows, type LabelledRows, type ScoreSource } from "./cascade-scores.js";
import { type CascadeStage, scoresOf } from "./cascade-stage.js";
import { type FittedStage, walkMatrix } from "./cascade-walk.js";

export interface CascadeRules<L extends Label> {
  readonly stages: readonly CascadeStage[];
  readonly sensitivity: number;
  readonly confidence: number | null;
  readonly cumulative: boolean;
  readonly survivors: boolean;
  /** The classifier on all columns. */
  readonly reference: Classifier;
  readonly positive: L;
}

export interface LearnedCascade {
  readonly stages: readonly FittedStage[];
  readonly single: FittedStage;
}

/** The result of a fit. */
export interface CascadeFit extends LearnedCascade {
  readonly guarantee: SensitivityGuarantee;
  readonly warnings: readonly string[];
  readonly heldOut: CascadeReport;
}

/** Fits one stage after the other, and chooses its threshold on scores of rows that its model was not fitted to. */
export function* fitStages<L extends Label>(
  where: string,
  source: ScoreSource<L>,
  rules: CascadeRules<L>,
  random: Random,
): Generator<Progress, CascadeFit, void> {
  const { train, calibration } = source;
  const { stages, positive } = rules;
  const budget = new Budget(where, calibration, rules, random);
  const fitted: FittedStage[] = [];
  const exits = new Int32Array(calibration.y.length).fill(stages.length);
  let remaining = allRows(train);
  for (const [s, { features, cost, estimator }] of stages.entries()) {
    const columns = rules.cumulative ? stages.slice(0, s + 1).flatMap((stage) => stage.features) : features;
    const { model, scores, trainScores } = source.fit(
      estimator,
      rules.survivors ? remaining : allRows(train),
      columns,
    );
    const threshold = budget.threshold(s, scores);
    for (let i = 0; i < exits.length; i++)
      if (exits[i] === stages.length && scores[i]! < threshold) exits[i] = s;
    remaining = remaining.filter((i) => trainScores[i]! >= threshold);
    fitted.push({ features, cost, columns, threshold, model });
    yield { iteration: s + 1, total: stages.length + 1 };
  }
  const columns = stages.flatMap(({ features }) => features);
  const { model, scores } = source.fit(rules.reference, allRows(train), columns);
  const threshold = budget.singleThreshold(scores);
  const cost = stages.reduce((sum, stage) => sum + stage.cost, 0);
  yield { iteration: stages.length + 1, total: stages.length + 1 };
  const truth = { positive: calibration.y.map((label) => label === positive), weights: calibration.weights };
  return {
    stages: fitted,
    single: { features: columns, cost, columns, threshold, model },
    guarantee: budget.guarantee,
    warnings: budget.warnings,
    heldOut: cascadeReport(
      calibration.y.length,
      stageReports(fitted, { ...truth, exits }),
      singleReport(cost, threshold, scores, truth),
    ),
  };
}

/** The blocks that thresholds may give up, and their allocation to the stages; see cascade-blocks.ts. */
class Budget {
  readonly #allowance: Allowance;
  /** Shuffled, since their order breaks ties between scores. */
  readonly #positives: readonly number[];
  readonly #rules: CascadeRules<Label>;
  readonly #weights: Float64Array;
  readonly #idle: number[] = [];
  #left: readonly number[];
  #spent = 0;
  /** The product of the sensitivities of the stages so far. */
  #needed = 1;

  constructor(
    where: string,
    { y, weights }: LabelledRows<Label>,
    rules: CascadeRules<Label>,
    random: Random,
  ) {
    this.#rules = rules;
    this.#weights = weights;
    const ofClass = Array.from(y.keys()).filter((i) => y[i] === rules.positive && weights[i]! > 0);
    this.#positives = random.shuffleInto(ofClass);
    this.#left = this.#positives;
    const { sensitivity, confidence } = rules;
    this.#allowance = allowanceFor(
      this.#positives.map((i) => weights[i]!),
      sensitivity,
      confidence,
    );
    const { positives, blocks } = this.#allowance;
    if (confidence !== null && blocks < 1) throw tooFewPositives(where, positives, sensitivity, confidence);
  }

  /** The threshold of stage s. */
  threshold(s: number, scores: Float64Array): number {
    if (this.#allowance.blocks < 1) return lowestScore(scores, this.#positives);
    const budget = this.#blocksUntil(s) * this.#allowance.unit - this.#spent;
    const { threshold, left, spent } = cutBlocks(scores, this.#left, this.#weights, budget);
    this.#left = left;
    this.#spent += spent;
    if (threshold === -Infinity && this.#rules.stages[s]!.sensitivity !== 1) this.#idle.push(s);
    return threshold;
  }

  /** The threshold of a single classifier that may give up as many blocks as all stages. */
  singleThreshold(scores: Float64Array): number {
    const { blocks, unit } = this.#allowance;
    if (blocks < 1) return lowestScore(scores, this.#positives);
    return cutBlocks(scores, this.#positives, this.#weights, blocks * unit).threshold;
  }

  /** Blocks that stages 0 … s may give up in total. */
  #blocksUntil(s: number): number {
    const { stages, sensitivity } = this.#rules;
    const { blocks } = this.#allowance;
    const own = stages[s]!.sensitivity ?? null;
    this.#needed *= own ?? pow(sensitivity, 1 / stages.length);
    if (s === stages.length - 1 && own === null) return blocks;
    const blocksSoFar = (blocks * (1 - Math.max(sensitivity, this.#needed))) / (1 - sensitivity);
    // The last stage is the most specific: if there are too few blocks for all, it gets one.
    return own === null ? Math.min(Math.round(blocksSoFar), blocks - 1) : blocksSoFar;
  }

  get guarantee(): SensitivityGuarantee {
    const { positives, blocks, unit } = this.#allowance;
    const { stages, sensitivity } = this.#rules;
    return guaranteeFor(positives, blocks < 1 ? stages.length : this.#spent / unit, sensitivity);
  }

  get warnings(): readonly string[] {
    const { positives, blocks } = this.#allowance;
    if (blocks < 1) return [fewPositivesWarning(positives, this.#rules.sensitivity, this.guarantee.expected)];
    if (this.#idle.length === 0) return [];
    const [subject, verb] = this.#idle.length === 1 ? ["Stage", "lets"] : ["Stages", "let"];
    return [
      `${subject} ${this.#idle.join(", ")} ${verb} all samples pass: with so few positives, ${Math.floor(blocks)} ` +
        `may be given up for ${this.#rules.stages.length} stages.`,
    ];
  }
}

/** The report of a cascade and of the single classifier on labelled rows. */
export function evaluateCascade<L extends Label>(
  { stages, single }: LearnedCascade,
  rows: LabelledRows<L>,
  positive: L,
): CascadeReport {
  const truth = { positive: rows.y.map((label) => label === positive), weights: rows.weights };
  const exits = walkMatrix(stages, rows.x, positive);
  const scores = scoresOf(single.model, rows.x.selectColumns(single.columns), positive);
  return cascadeReport(
    rows.y.length,
    stageReports(stages, { ...truth, exits }),
    singleReport(single.cost, single.threshold, scores, truth),
  );
}
