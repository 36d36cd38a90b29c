import type { ModelEntry } from "../../../state/document.js";
import { modelLabel } from "../../../state/model-names.js";
import type { Standing } from "../../../state/standings.js";
import type { Held, Trained } from "../../../work/protocol.js";

/** A ticked model; those that are not trained and measured yet have no `held`. */
export interface Contender {
  readonly id: string;
  readonly estimator: string;
  /** Its name, and what tells it from others of its kind. */
  readonly label: string;
  readonly standing: Standing;
  readonly trained: Trained | undefined;
  readonly held: Held | undefined;
}

/** In the order in which they were ticked. */
export function contendersOf(
  compared: readonly string[],
  models: readonly ModelEntry[],
  rows: readonly Standing[],
): Contender[] {
  return compared.flatMap((id) => {
    const standing = rows.find(({ model }) => model.id === id);
    if (standing === undefined) return [];
    const { model, run } = standing;
    const trained = run.state === "done" ? run.trained : undefined;
    return [
      {
        id,
        estimator: model.estimator,
        label: modelLabel(model, models),
        standing,
        trained,
        held: (run.stopped === "" ? trained?.held : undefined) ?? undefined,
      },
    ];
  });
}

/** A contender that can be measured. */
export type Measured = Contender & { readonly trained: Trained; readonly held: Held };

/** Those with the same held-out rows as the first of them. */
export function measuredOf(contenders: readonly Contender[]): Measured[] {
  const measured = contenders.filter((one): one is Measured => one.held !== undefined);
  return measured.filter(({ held }) => held.rows.length === measured[0]!.held.rows.length);
}
