import { useEffect, useMemo, useState } from "preact/hooks";
import type { CascadeStage, ModelEntry } from "../../state/document.js";
import { modelLabel } from "../../state/model-names.js";
import { document as current, dispatch } from "../../state/session.js";
import { runOf } from "../../state/training.js";
import { positionsOf, type Ranking } from "../../work/measures/ranking.js";
import type { Held, Trained } from "../../work/protocol.js";
import { bestWithin, frontier, runCascade, type Stage } from "./cascade.js";
import type { Judged } from "./judged.js";

/** A model that may be a stage: its held-out rows are those of the others. */
export interface Member {
  readonly model: ModelEntry;
  readonly name: string;
  readonly trained: Trained;
  readonly scale: Held["scale"];
  /** Microseconds per row. */
  readonly time: number;
  readonly score: number;
}

const positions = new WeakMap<Held, Map<number, Float64Array>>();

/** Once per model and class. */
function cachedPositions({ held, classes }: Trained, positive: number): Float64Array {
  let known = positions.get(held!);
  if (known === undefined) {
    known = new Map();
    positions.set(held!, known);
  }
  let found = known.get(positive);
  if (found === undefined) {
    found = positionsOf(held!, held!.scores!, classes.length, positive);
    known.set(positive, found);
  }
  return found;
}

export function membersOf(models: readonly ModelEntry[], { held, names }: Judged): Member[] {
  return models.flatMap((model) => {
    const { trained, state } = runOf(model.id).value;
    if (state !== "done" || !trained?.held || trained.held.rows.length !== held.rows.length) return [];
    if (trained.classes.join("\n") !== names.join("\n")) return [];
    if (trained.held.scores === null) return [];
    const score = trained.scores.reduce((sum, value) => sum + value, 0) / Math.max(1, trained.scores.length);
    const name = modelLabel(model, models);
    const { scale } = trained.held;
    return [{ model, name, trained, scale, time: trained.predictMicroseconds, score }];
  });
}

/** Those of the document; else the fastest model and the best of the others. Undefined where there are no two. */
export function stagesOf(
  given: readonly CascadeStage[],
  members: readonly Member[],
): CascadeStage[] | undefined {
  const known = given.filter(({ model }) => members.some((member) => member.model.id === model));
  if (known.length >= 2 && known.length === given.length) return [...known];
  const [fastest] = [...members].sort((a, b) => a.time - b.time);
  const [best] = members.filter((member) => member !== fastest).sort((a, b) => b.score - a.score);
  if (fastest === undefined || best === undefined) return undefined;
  return [fastest, best].map(({ model }) => ({ model: model.id, cost: null, low: 0.2, high: 0.8 }));
}

/** How long the threshold must rest before the cascade follows it. */
const MILLISECONDS = 120;

/** A value that follows once it rests: sums over all rows are not for every pixel of a slider. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export interface BuilderProps {
  readonly judged: Judged & { readonly ranking: Ranking };
  readonly members: readonly Member[];
  readonly stages: readonly CascadeStage[];
}

/** Everything that the parts of the card show. */
export function useCascade({ judged, members, stages }: BuilderProps) {
  const { positive, ranking } = judged;
  const threshold = useSettled(judged.threshold);
  const { isPositive } = ranking;
  const { budget } = current.value.cascade;
  const memberOf = (model: string) => members.find((member) => member.model.id === model)!;
  const run: readonly Stage[] = stages.map(({ model, cost, low, high }) => {
    const member = memberOf(model);
    return { position: cachedPositions(member.trained, positive), low, high, cost: cost ?? member.time };
  });
  const recipe = JSON.stringify([stages, run.map(({ cost }) => cost), threshold, positive]);
  const result = useMemo(() => runCascade(run, threshold, isPositive), [recipe, isPositive]);
  const line = useMemo(() => frontier(run, threshold, isPositive), [recipe, isPositive]);
  const best = useMemo(
    () => (budget === null ? undefined : bestWithin(run, threshold, isPositive, budget)),
    [recipe, isPositive, budget],
  );
  const alone = useMemo(
    () =>
      run.map((stage) => {
        const { error } = runCascade([stage], threshold, isPositive);
        return { error, cost: stage.cost };
      }),
    [recipe, isPositive],
  );
  const measured = stages.every(({ cost }) => cost === null);
  const unit = measured ? "µs" : "";
  return {
    judged,
    members,
    stages,
    memberOf,
    run,
    recipe,
    result,
    line,
    best,
    alone,
    budget,
    measured,
    unit,
  };
}

export type CascadeView = ReturnType<typeof useCascade>;

export const put = (stages: readonly CascadeStage[]) => dispatch({ type: "setCascade", cascade: { stages } });

/** Of the document as it is now: a field may be left before the change of another one is rendered. */
export const changeStage = (
  { members, stages }: CascadeView,
  s: number,
  with_: (stage: CascadeStage) => Partial<CascadeStage>,
) =>
  put(
    (stagesOf(current.value.cascade.stages, members) ?? stages).map((stage, k) =>
      k === s ? { ...stage, ...with_(stage) } : stage,
    ),
  );
