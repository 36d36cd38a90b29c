import { estimatorClass, type Model, type ModelStep } from "../estimators.js";
import type { Unwrapped } from "../unwrapped.js";

/** One step of a series, however it is made. */
export interface Moment {
  readonly at: number;
  readonly objective: number | null;
  readonly weights: ArrayLike<number> | null;
  model(): Model;
}

export interface Series {
  readonly unit: string | null;
  readonly moments: Iterable<Moment>;
  readonly total: number | null;
  /** Whether the fit ended because a number was no longer finite; known at its end. */
  readonly hasDiverged: () => boolean;
}

/** The steps of the fit; for trees their growth, for neighbours their number. */
export async function seriesOf(
  { last, x, y }: Unwrapped,
  params: Readonly<Record<string, unknown>>,
): Promise<Series> {
  const unit = unitOf(last.id);
  if (typeof last.steps === "function") {
    let report: FitReport | undefined;
    const moments = fromSteps(last.steps(x, y), (model) => {
      report = (model as { report?: FitReport }).report;
    });
    const hasDiverged = () => report?.warnings?.some((warning) => /diverged/i.test(warning)) ?? false;
    return { unit, moments, total: null, hasDiverged };
  }
  const Class = await estimatorClass(last.id);
  const fitWith = (change: object) => new Class({ ...params, ...change }).fit(x, y);
  if (/^DecisionTree/.test(last.id)) {
    const { leafCount } = last.fit(x, y) as unknown as { leafCount: number };
    const leaves = Array.from({ length: Math.max(0, leafCount - 1) }, (_, k) => k + 2);
    return {
      unit: "leaves",
      moments: fromValues(leaves, (maxLeafNodes) => fitWith({ maxLeafNodes })),
      total: leaves.length,
      hasDiverged: never,
    };
  }
  if (/^KNeighbors/.test(last.id)) {
    // Up to the number of the model: the last picture is the model itself.
    const most = Number(params["nNeighbors"] ?? Class.table["nNeighbors"]?.default);
    const values = Array.from({ length: most }, (_, k) => k + 1);
    return {
      unit: "neighbours",
      moments: fromValues(values, (nNeighbors) => fitWith({ nNeighbors })),
      total: values.length,
      hasDiverged: never,
    };
  }
  return { unit: null, moments: fromValues([1], () => last.fit(x, y)), total: 1, hasDiverged: never };
}

const never = () => false;

interface FitReport {
  readonly warnings?: readonly string[];
}

function* fromSteps(
  steps: Generator<ModelStep, Model, void>,
  onEnd: (model: Model) => void,
): Generator<Moment> {
  for (;;) {
    const next = steps.next();
    if (next.done) {
      onEnd(next.value);
      return;
    }
    const step = next.value;
    const { rowWeights } = step as { rowWeights?: ArrayLike<number> | (() => ArrayLike<number>) };
    yield {
      at: step.iteration,
      objective: step.objective ?? null,
      weights: typeof rowWeights === "function" ? rowWeights() : (rowWeights ?? null),
      model: () => step.model(),
    };
  }
}

function* fromValues(values: readonly number[], fit: (value: number) => Model): Generator<Moment> {
  for (const value of values) yield { at: value, objective: null, weights: null, model: () => fit(value) };
}

function unitOf(id: string): string {
  if (/^(AdaBoost|HistGradient)/.test(id)) return "round";
  if (/^(RandomForest|ExtraTrees|Bagging)/.test(id)) return "tree";
  if (/^(MLP|Neural|CNN|ViT|Transformer)/.test(id)) return "epoch";
  return "step";
}
