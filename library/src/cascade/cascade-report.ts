/** How one stage does on labelled samples. */
export interface StageReport {
  readonly features: readonly number[];
  readonly cost: number;
  /** Samples with a score below it leave as negatives. */
  readonly threshold: number;
  /** Share of all samples that reach the stage. */
  readonly reached: number;
  /** Share of the positives that reach it and pass. */
  readonly tpr: number;
  /** Share of the negatives that reach it and pass. */
  readonly fpr: number;
  /** Share of all positives that are left after it. */
  readonly sensitivity: number;
  /** Share of all negatives that have left by now. */
  readonly specificity: number;
  /** cost × reached. */
  readonly costPerSample: number;
}

/** One classifier on all columns of the cascade, with the threshold that keeps the same sensitivity. */
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

/** A walk of labelled samples through the stages. */
export interface Walked {
  /** Whether each sample is positive. */
  readonly positive: readonly boolean[];
  readonly weights: Float64Array;
  /** The stage that each sample left at; one more than the last for those that passed all. */
  readonly exits: Int32Array;
}

/** Shares of nothing are 1 for positives that are kept and 0 for negatives that pass. */
const share = (part: number, whole: number, empty: number): number => (whole > 0 ? part / whole : empty);

export function stageReports(
  stages: readonly {
    readonly features: readonly number[];
    readonly cost: number;
    readonly threshold: number;
  }[],
  { positive, weights, exits }: Walked,
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
    const reached = share(negatives + positives, total[0] + total[1], 0);
    return {
      features,
      cost,
      threshold,
      reached,
      tpr: share(right, positives, 1),
      fpr: share(wrong, negatives, 0),
      sensitivity: share(right, total[1], 1),
      specificity: 1 - share(wrong, total[0], 0),
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

/** What a threshold on scores keeps. */
export function singleReport(
  cost: number,
  threshold: number,
  scores: Float64Array,
  { positive, weights }: Pick<Walked, "positive" | "weights">,
): SingleReport {
  const exits = Int32Array.from(scores, (z) => (z >= threshold ? 1 : 0));
  const [only] = stageReports([{ features: [], cost, threshold }], { positive, weights, exits });
  return { cost, threshold, sensitivity: only!.sensitivity, specificity: only!.specificity };
}
