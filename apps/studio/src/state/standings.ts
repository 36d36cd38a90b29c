import { recommend } from "argmax/compare";
import type { ModelEntry, ParamValue } from "./document.js";
import { modelLabel } from "./model-names.js";
import { isPart } from "./param-value.js";
import type { Run } from "./training.js";

export interface Standing {
  readonly model: ModelEntry;
  readonly run: Run;
  readonly mean: number | undefined;
  /** Half of the 95 % interval. */
  readonly margin: number | undefined;
  /** Tied with the best, as `recommend` of the library decides. */
  readonly tied: boolean;
  /** The simplest of the tied ones. */
  readonly recommended: boolean;
}

export interface Standings {
  /** From the best model on; those without scores last. */
  readonly rows: readonly Standing[];
  /** Why a model is recommended; empty before a model has scores. */
  readonly reason: string;
}

/** All models are measured on the same folds. `baseline` is the score of a constant prediction. */
export function standings(
  models: readonly ModelEntry[],
  runs: readonly Run[],
  baseline: number | undefined,
): Standings {
  const measured = models.map((model, k) => ({
    name: modelLabel(model, models),
    estimator: described(model, models),
    scores: runs[k]!.trained?.scores ?? [],
    model,
    run: runs[k]!,
  }));
  const { ranked, recommended, reason } = recommend(measured, { baseline });
  const figure = (value: number) => (Number.isNaN(value) ? undefined : value);
  return {
    rows: ranked.map((row) => ({
      model: row.model,
      run: row.run,
      mean: figure(row.mean),
      margin: figure(row.margin),
      tied: row.tied,
      recommended: row === recommended,
    })),
    reason: recommended === undefined ? "" : reason,
  };
}

/** An entry as the library reads an estimator: its name, and the one inside it. A model may name itself: `path` are those passed. */
function described(
  { estimator, params }: Omit<ModelEntry, "id">,
  models: readonly ModelEntry[],
  path: readonly string[] = [],
): object {
  const inside = (value: ParamValue | undefined): object | undefined => {
    if (!isPart(value)) return undefined;
    if ("estimator" in value) return { id: value.estimator };
    const other = models.find(({ id }) => id === value.model && !path.includes(id));
    return other && described(other, models, [...path, other.id]);
  };
  const inner = inside(params["estimator"]) ?? inside(params["regressor"]);
  return { id: estimator, params: inner === undefined ? {} : { estimator: inner } };
}
