import { effect, signal } from "@preact/signals";
import type { ColumnSummary } from "../data/describe.js";
import type { Warning } from "../data/warnings.js";
import { modelSpec } from "./model-specs.js";
import { document, pool, reader, roles, table } from "./session.js";

/** Figures of the columns in their order, of the table with this key. */
export const summaries = signal<{ readonly key: string; readonly list: readonly ColumnSummary[] } | null>(
  null,
);

/** What is wrong with the table; null until it is known. */
export const warnings = signal<readonly Warning[] | null>(null);

/** Describes the table and checks its roles, again after each change, until the returned function is called. */
export function watchTable(): () => void {
  let describing: AbortController | undefined;
  let reviewing: AbortController | undefined;
  const ends = [
    effect(() => {
      const loaded = table.value;
      describing?.abort();
      if (loaded === null || summaries.peek()?.key === loaded.key) return;
      describing = new AbortController();
      reader.hold(loaded.key, loaded.data);
      reader
        .run("describe", { table: loaded.key }, { needs: [loaded.key], signal: describing.signal })
        .then((list) => {
          summaries.value = { key: loaded.key, list };
        }, ignore);
    }),
    effect(() => {
      const known = summaries.value;
      const current = roles.value;
      reviewing?.abort();
      warnings.value = null;
      if (known === null || current === null || known.key !== current.table) return;
      reviewing = new AbortController();
      const { features, target, table: key } = current;
      const { roles: given } = document.peek();
      const ignored = Object.keys(given).filter((name) => given[name] === "ignore");
      reader
        .run(
          "review",
          { table: key, reviewed: { features, target, ignored } },
          { needs: [key], signal: reviewing.signal },
        )
        .then((list) => {
          warnings.value = list;
        }, ignore);
    }),
  ];
  return () => {
    for (const end of ends) end();
    describing?.abort();
    reviewing?.abort();
  };
}

/** What was stopped is asked anew, and the table is of use without its figures. */
const ignore = (): void => {};

/** Milliseconds until all models are trained, and the model that takes more than all others together. */
export interface TrainingTime {
  readonly total: number;
  readonly slowest: string | null;
}

/** Null if no sample of the table can be fitted. */
export async function trainingTime(signal: AbortSignal): Promise<TrainingTime | null> {
  const loaded = table.value;
  const current = roles.value;
  if (loaded === null || current === null) return null;
  reader.hold(loaded.key, loaded.data);
  const { models: entries, split } = document.value;
  const models = entries.flatMap(({ id }) => modelSpec(id) ?? []);
  const times = await reader.run(
    "estimate",
    { roles: current, models, folds: split.folds, measured: split.kind === "holdout" ? 1 : split.folds },
    { needs: [loaded.key], signal },
  );
  const known = models.flatMap(({ estimator }, k) =>
    times[k] == null ? [] : [{ estimator, time: times[k] }],
  );
  if (known.length === 0) return null;
  const sum = known.reduce((all, { time }) => all + time, 0);
  const slowest = known.reduce((a, b) => (b.time > a.time ? b : a));
  return {
    // Workers share the models; the longest one is a bound.
    total: Math.max(slowest.time, sum / pool.width),
    slowest: known.length > 1 && slowest.time > sum / 2 ? slowest.estimator : null,
  };
}
