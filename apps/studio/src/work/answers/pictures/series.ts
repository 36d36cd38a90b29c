import { estimatorClass, type Model, type ModelStep } from "../../estimators.js";
import type { FramesNews } from "../../protocol.js";
import type { Unwrapped } from "../../unwrapped.js";

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
  /** What the fit returned; undefined while it is under way, and where the last step has the same model. */
  readonly fitted: () => Model | undefined;
  /** Whether the fit ended because a number was no longer finite; known at its end. */
  readonly hasDiverged: () => boolean;
}

/** The steps of the fit; for trees their growth, for neighbours their number. */
export async function seriesOf({ last, x, y }: Unwrapped): Promise<Series> {
  const { params } = last;
  const Class = await estimatorClass(last.id);
  if (typeof last.steps === "function") {
    let fitted: (Model & { readonly report?: FitReport }) | undefined;
    const moments = fromSteps(last.steps(x, y), (model) => {
      fitted = model;
    });
    const hasDiverged = () => fitted?.report?.warnings?.some((warning) => /diverged/i.test(warning)) ?? false;
    const unit = Class.capabilities.step ?? "step";
    return { unit, moments, total: null, fitted: () => fitted, hasDiverged };
  }
  const fitWith = (change: object) => new Class({ ...params, ...change }).fit(x, y);
  if (Class.table["maxLeafNodes"] !== undefined) {
    const whole = last.fit(x, y) as Model & { readonly leafCount: number };
    const leaves = Array.from({ length: Math.max(1, whole.leafCount - 1) }, (_, k) => k + 2);
    // The last is the model itself: its nodes may be numbered in another order.
    return ofValues("leaves", leaves, (maxLeafNodes) =>
      maxLeafNodes < whole.leafCount ? fitWith({ maxLeafNodes }) : whole,
    );
  }
  if (Class.table["nNeighbors"] !== undefined) {
    // Up to the number of the model: the last picture is the model itself.
    const most = Number(params["nNeighbors"] ?? Class.table["nNeighbors"].default);
    const values = Array.from({ length: most }, (_, k) => k + 1);
    return ofValues("neighbours", values, (nNeighbors) => fitWith({ nNeighbors }));
  }
  // Discriminants forget their covariances unless they are asked to keep them; pictures draw them.
  const isForgetful = Class.table["storeCovariance"] !== undefined;
  return ofValues(null, [1], () => (isForgetful ? fitWith({ storeCovariance: true }) : last.fit(x, y)));
}

const ofValues = (unit: string | null, values: readonly number[], fit: (value: number) => Model): Series => ({
  unit,
  moments: fromValues(values, fit),
  total: values.length,
  fitted: () => undefined,
  hasDiverged: () => false,
});

interface FitReport {
  readonly warnings?: readonly string[];
}

function* fromSteps(
  steps: Generator<ModelStep, Model, void>,
  onEnd: (model: Model) => void,
): Generator<Moment> {
  // Fits of one class after another, or of several starts, count from 1 each: their steps are numbered through.
  let [before, previous] = [0, 0];
  for (;;) {
    const next = steps.next();
    if (next.done) {
      onEnd(next.value);
      return;
    }
    const step = next.value;
    if (step.iteration < previous) before += previous;
    previous = step.iteration;
    const { rowWeights } = step as { rowWeights?: ArrayLike<number> | (() => ArrayLike<number>) };
    yield {
      at: before + step.iteration,
      objective: step.objective ?? null,
      weights: typeof rowWeights === "function" ? rowWeights() : (rowWeights ?? null),
      model: () => step.model(),
    };
  }
}

function* fromValues(values: readonly number[], fit: (value: number) => Model): Generator<Moment> {
  for (const value of values) yield { at: value, objective: null, weights: null, model: () => fit(value) };
}

/** Milliseconds between two looks at messages. */
const PATIENCE = 30;

interface Walk<T> {
  readonly kept: readonly T[];
  readonly last: Moment | undefined;
  /** The step at which the objective or a weight became infinite; null for none. */
  readonly diverged: number | null;
}

/** Goes through a series and looks at some of its steps: every one, every second, every fourth, …, and at the fitted model. */
export async function walked<T>(
  series: Series,
  most: number,
  look: (moment: Moment) => T,
  { news, breathe, isStopped }: WalkContext,
): Promise<Walk<T>> {
  let kept: { readonly at: number; readonly seen: T }[] = [];
  let stride = 1;
  let at = 0;
  let last: Moment | undefined;
  let diverged: number | null = null;
  let looked = performance.now();
  for (const moment of series.moments) {
    if (moment.objective !== null && !Number.isFinite(moment.objective)) {
      diverged = moment.at;
      break;
    }
    // A clustering of its own rows alone says nothing about the plane.
    if (at === 0 && moment.model().predict === undefined) break;
    at++;
    last = moment;
    if ((at - 1) % stride === 0) {
      kept.push({ at, seen: look(moment) });
      if (kept.length > most) {
        stride *= 2;
        kept = kept.filter((one) => (one.at - 1) % stride === 0);
      }
    }
    if (performance.now() - looked > PATIENCE) {
      news({ done: at, total: series.total });
      await breathe();
      if (isStopped()) break;
      looked = performance.now();
    }
  }
  const fitted = series.fitted();
  // Series may reuse their memory, so the last step is looked at while it is the last.
  if (last !== undefined && (fitted !== undefined || kept.at(-1)?.at !== at)) {
    if (kept.at(-1)?.at === at) kept.pop();
    kept.push({ at, seen: look(fitted === undefined ? last : { ...last, model: () => fitted }) });
  }
  if (diverged === null && series.hasDiverged()) diverged = (last?.at ?? 0) + 1;
  return { kept: kept.map(({ seen }) => seen), last, diverged };
}

interface WalkContext {
  readonly news: (news: FramesNews) => void;
  readonly breathe: () => Promise<void>;
  readonly isStopped: () => boolean;
}
