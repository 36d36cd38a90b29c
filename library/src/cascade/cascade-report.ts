/** Rates and costs of one stage on labelled samples. */
export interface StageReport {
  readonly features: readonly number[];
  readonly cost: number;
  /** Samples with a score below it are classified as negative. */
  readonly threshold: number;
  /** Proportion of all samples that reach the stage. */
  readonly reached: number;
  /** True positive rate of the stage, among the positives that reach it. */
  readonly tpr: number;
  /** False positive rate of the stage, among the negatives that reach it. */
  readonly fpr: number;
  /** Proportion of all positives that pass stages up to this one. */
  readonly sensitivity: number;
  /** Proportion of all negatives that left at stages up to this one. */
  readonly specificity: number;
  /** cost × reached. */
  readonly costPerSample: number;
}

/** A single classifier on all columns of the cascade, with a threshold for the same sensitivity. */
export interface SingleReport {
  readonly cost: number;
  readonly threshold: number;
  readonly sensitivity: number;
  readonly specificity: number;
}

export interface CascadeReport {
  readonly samples: number;
  readonly stages: readonly StageReport[];
  /** Of the whole cascade. */
  readonly sensitivity: number;
  readonly specificity: number;
  /** Expected cost of one sample. */
  readonly costPerSample: number;
  readonly single: SingleReport;
}

/** Where labelled samples left the cascade. */
export interface CascadeExits {
  /** Whether each sample is positive. */
  readonly positive: readonly boolean[];
  readonly weights: Float64Array;
  /** The stage at which each sample left; the number of stages for those that passed all. */
  readonly exits: Int32Array;
}

/** part/whole, or `empty` if there is nothing: 1 for positives that pass, 0 for negatives that pass. */
const proportion = (part: number, whole: number, empty: number): number => (whole > 0 ? part / whole : empty);

export function stageReports(
  stages: readonly {
    readonly features: readonly number[];
    readonly cost: number;
    readonly threshold: number;
  }[],
  { positive, weights, exits }: CascadeExits,
): StageReport[] {
  const S = stages.length;
  // [s][k]: weight of class k that reaches stage s, summed from the end, so that no difference rounds below 0.
  const here = Array.from({ length: S + 1 }, () => [0, 0] as [number, number]);
  for (let i = 0; i < exits.length; i++) here[exits[i]!]![positive[i] ? 1 : 0] += weights[i]!;
  for (let s = S - 1; s >= 0; s--) for (const k of [0, 1] as const) here[s]![k] += here[s + 1]![k];
  const total = here[0]!;
  return stages.map(({ features, cost, threshold }, s) => {
    const [negatives, positives] = here[s]!;
    const [wrong, right] = here[s + 1]!;
    const reached = proportion(negatives + positives, total[0] + total[1], 0);
    return {
      features,
      cost,
      threshold,
      reached,
      tpr: proportion(right, positives, 1),
      fpr: proportion(wrong, negatives, 0),
      sensitivity: proportion(right, total[1], 1),
      specificity: 1 - proportion(wrong, total[0], 0),
      costPerSample: cost * reached,
    };
  });
}

export function cascadeReport(
  samples: number,
  stages: readonly StageReport[],
  single: SingleReport,
): CascadeReport {
  const { sensitivity, specificity } = stages.at(-1)!;
  const costPerSample = stages.reduce((sum, stage) => sum + stage.costPerSample, 0);
  return { samples, stages, sensitivity, specificity, costPerSample, single };
}

/** The report of a threshold on scores. */
export function singleReport(
  cost: number,
  threshold: number,
  scores: Float64Array,
  { positive, weights }: Pick<CascadeExits, "positive" | "weights">,
): SingleReport {
  const exits = Int32Array.from(scores, (z) => (z >= threshold ? 1 : 0));
  const [only] = stageReports([{ features: [], cost, threshold }], { positive, weights, exits });
  return { cost, threshold, sensitivity: only!.sensitivity, specificity: only!.specificity };
}
