import { computed } from "@preact/signals";
import { targetColumn, task } from "./session.js";

interface Baseline {
  /** The most frequent class; undefined in a regression. */
  readonly name: string | undefined;
  /** Its fraction of the rows, or the R² of the mean. */
  readonly score: number;
}

/** What a model without features would score; undefined without a target. */
export const baseline = computed((): Baseline | undefined => {
  if (task.value === "regression") return { name: undefined, score: 0 };
  const target = targetColumn.value;
  if (task.value !== "classification" || target?.kind !== "category") return undefined;
  const counts = new Map<number, number>();
  for (const code of target.codes) if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [code, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
  return total === 0 ? undefined : { name: target.levels[code]!, score: most / total };
});
