import type { Classifier, Progress } from "../core/contract.js";
import { pow } from "../core/elementary.js";
import type { Label } from "../core/labels.js";
import type { Random } from "../core/random.js";
import {
  type Allowance,
  allowanceFor,
  cut,
  fewWarning,
  guaranteeFor,
  lowest,
  type SensitivityGuarantee,
  tooFew,
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

/** What a fit gives besides. */
export interface JudgedCascade extends LearnedCascade {
  readonly guarantee: SensitivityGuarantee;
  readonly warnings: readonly string[];
  readonly heldOut: CascadeReport;
}

/** Fits one stage after the other, and chooses its threshold by scores of rows that its model has not seen. */
export function* fitStages<L extends Label>(
  where: string,
  source: ScoreSource<L>,
  rules: CascadeRules<L>,
  random: Random,
): Generator<Progress, JudgedCascade, void> {
  const { train, judged } = source;
  const { stages, positive } = rules;
  const budget = new Budget(where, judged, rules, random);
  const fitted: FittedStage[] = [];
  const exits = new Int32Array(judged.y.length).fill(stages.length);
  let alive = allRows(train);
  for (const [s, { features, cost, estimator }] of stages.entries()) {
    const columns = rules.cumulative ? stages.slice(0, s + 1).flatMap((stage) => stage.features) : features;
    const { model, scores, learned } = source.fit(
      estimator,
      rules.survivors ? alive : allRows(train),
      columns,
    );
    const threshold = budget.spend(s, scores);
    for (let i = 0; i < exits.length; i++)
      if (exits[i] === stages.length && scores[i]! < threshold) exits[i] = s;
    alive = alive.filter((i) => learned[i]! >= threshold);
    fitted.push({ features, cost, columns, threshold, model });
    yield { iteration: s + 1, total: stages.length + 1 };
  }
  const columns = stages.flatMap(({ features }) => features);
  const { model, scores } = source.fit(rules.reference, allRows(train), columns);
  const threshold = budget.whole(scores);
  const cost = stages.reduce((sum, stage) => sum + stage.cost, 0);
  yield { iteration: stages.length + 1, total: stages.length + 1 };
  const truth = { positive: judged.y.map((label) => label === positive), weights: judged.weights };
  return {
    stages: fitted,
    single: { features: columns, cost, columns, threshold, model },
    guarantee: budget.guarantee,
    warnings: budget.warnings,
    heldOut: cascadeReport(
      judged.y.length,
      stageReports(fitted, { ...truth, exits }),
      singleReport(cost, threshold, scores, truth),
    ),
  };
}

/** The blocks that thresholds may give up, and how the stages share them. */
class Budget {
  readonly #allowance: Allowance;
  /** In an order that has nothing to do with that of the rows, since it decides between equal scores. */
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
    if (confidence !== null && blocks < 1) throw tooFew(where, positives, sensitivity, confidence);
  }

  /** The threshold of stage s. */
  spend(s: number, scores: Float64Array): number {
    if (this.#allowance.blocks < 1) return lowest(scores, this.#positives);
    const budget = this.#until(s) * this.#allowance.unit - this.#spent;
    const { threshold, left, spent } = cut(scores, this.#left, this.#weights, budget);
    this.#left = left;
    this.#spent += spent;
    if (threshold === -Infinity && this.#rules.stages[s]!.sensitivity !== 1) this.#idle.push(s);
    return threshold;
  }

  /** The threshold of one classifier that may give up as much as all stages. */
  whole(scores: Float64Array): number {
    const { blocks, unit } = this.#allowance;
    if (blocks < 1) return lowest(scores, this.#positives);
    return cut(scores, this.#positives, this.#weights, blocks * unit).threshold;
  }

  /** Blocks that the stages may have given up by the end of stage s. */
  #until(s: number): number {
    const { stages, sensitivity } = this.#rules;
    const { blocks } = this.#allowance;
    const own = stages[s]!.sensitivity ?? null;
    this.#needed *= own ?? pow(sensitivity, 1 / stages.length);
    if (s === stages.length - 1 && own === null) return blocks;
    const part = (blocks * (1 - Math.max(sensitivity, this.#needed))) / (1 - sensitivity);
    // The last stage is the most specific: where there are too few blocks for all, it has one.
    return own === null ? Math.min(Math.round(part), blocks - 1) : part;
  }

  get guarantee(): SensitivityGuarantee {
    const { positives, blocks, unit } = this.#allowance;
    const { stages, sensitivity } = this.#rules;
    return guaranteeFor(positives, blocks < 1 ? stages.length : this.#spent / unit, sensitivity);
  }

  get warnings(): readonly string[] {
    const { positives, blocks } = this.#allowance;
    if (blocks < 1) return [fewWarning(positives, this.#rules.sensitivity, this.guarantee.expected)];
    if (this.#idle.length === 0) return [];
    const [subject, verb] = this.#idle.length === 1 ? ["Stage", "lets"] : ["Stages", "let"];
    return [
      `${subject} ${this.#idle.join(", ")} ${verb} all samples pass: with so few positives, ${Math.floor(blocks)} ` +
        `may be given up for ${this.#rules.stages.length} stages.`,
    ];
  }
}

/** How a cascade and the one classifier do on labelled rows. */
export function judge<L extends Label>(
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
