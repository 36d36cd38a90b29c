import { minOf } from "argmax/numeric";
import { compareScores } from "argmax/selection";
import type { ModelEntry } from "./document.js";
import type { Run } from "./training.js";

export interface Standing {
  readonly model: ModelEntry;
  readonly run: Run;
  readonly mean: number | undefined;
  /** Half of the 95 % interval. */
  readonly margin: number | undefined;
  /** Not worse than the best beyond chance. */
  readonly tied: boolean;
  /** The cheapest of the tied ones. */
  readonly recommended: boolean;
}

/** From the best model on; those without scores last. The same folds, so differences are compared fold by fold. */
export function standings(models: readonly ModelEntry[], runs: readonly Run[]): readonly Standing[] {
  const rows = models.map((model, k) => {
    const scores = runs[k]!.trained?.scores ?? [];
    const mean =
      scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return { model, run: runs[k]!, scores, mean };
  });
  const sorted = rows.sort((a, b) => (b.mean ?? -Infinity) - (a.mean ?? -Infinity));
  const best = sorted[0];
  const judged = sorted.map(({ model, run, scores, mean }) => {
    const several = scores.length > 1 && best!.scores.length === scores.length;
    const { interval } = several
      ? compareScores(scores, new Float64Array(scores.length))
      : { interval: undefined };
    const tied =
      mean !== undefined &&
      (scores === best!.scores || (several && compareScores(best!.scores, scores).pValue > 0.05));
    return { model, run, mean, margin: interval && (interval[1] - interval[0]) / 2, tied };
  });
  const time = ({ run }: { run: Run }) =>
    (run.trained?.fitMilliseconds ?? Infinity) + 0.001 * (run.trained?.predictMicroseconds ?? Infinity);
  const fastest = minOf(judged.filter(({ tied }) => tied).map(time));
  return judged.map((row) => ({ ...row, recommended: row.tied && time(row) === fastest }));
}
