import { estimatorClass, type Model, type ModelStep } from "../estimators.js";
import type { Answer, Ask, Frame, GridView } from "../protocol.js";
import { type Unwrapped, unwrapped } from "../unwrapped.js";
import type { Context } from "./context.js";
import { gridOn, planeTable } from "./grid.js";
import { preparedEstimator, trainingRows } from "./train.js";

/** One step of a series, however it is made. */
interface Moment {
  readonly at: number;
  readonly objective: number | null;
  readonly weights: ArrayLike<number> | null;
  model(): Model;
}

interface Series {
  readonly unit: string | null;
  readonly moments: Iterable<Moment>;
  readonly total: number | null;
}

/** Milliseconds between two looks at messages. */
const PATIENCE = 30;

/** Fits the model step by step and keeps a picture of some of the steps: every one, every second, every fourth, … */
export async function frames(ask: Ask<"frames">, context: Context<"frames">): Promise<Answer<"frames">> {
  const { roles, view, most } = ask;
  const { held, news, breathe, isStopped } = context;
  const table = held.table(roles.table);
  const data = trainingRows(table, roles);
  const parts = unwrapped(await preparedEstimator(ask.model, data.x), data.x, data.y);
  const points = parts.transform(planeTable(table, roles.features, view));
  const { unit, moments, total } = await seriesOf(parts, ask.model.params);

  let kept: { readonly at: number; readonly frame: Frame }[] = [];
  let stride = 1;
  let seen = 0;
  let last: Moment | undefined;
  let looked = performance.now();
  const picture = (moment: Moment): Frame => {
    const model = moment.model();
    const grid = gridOn(model, points, roles.task, view);
    if (grid.task === "regression") grid.value!.set(grid.value!.map((value) => parts.value(value)));
    return {
      at: moment.at,
      objective: moment.objective,
      grid,
      weights: moment.weights === null ? null : scaledWeights(moment.weights),
      support: supportOf(model),
      outlines: outlinesOf(model, parts, roles.features, view),
    };
  };
  for (const moment of moments) {
    // A clustering of its own rows alone says nothing about the plane.
    if (seen === 0 && moment.model().predict === undefined) break;
    seen++;
    last = moment;
    if ((seen - 1) % stride === 0) {
      kept.push({ at: seen, frame: picture(moment) });
      if (kept.length > most) {
        stride *= 2;
        kept = kept.filter(({ at }) => (at - 1) % stride === 0);
      }
    }
    if (performance.now() - looked > PATIENCE) {
      news({ done: seen, total });
      await breathe();
      if (isStopped()) break;
      looked = performance.now();
    }
  }
  // Series may reuse their memory, so the last step is looked at while it is the last.
  if (last !== undefined && kept.at(-1)?.at !== seen) kept.push({ at: seen, frame: picture(last) });
  return { unit, frames: kept.map(({ frame }) => frame), rows: data.rows };
}

/** The steps of the fit; for trees their growth, for neighbours their number. */
async function seriesOf(
  { last, x, y }: Unwrapped,
  params: Readonly<Record<string, unknown>>,
): Promise<Series> {
  const unit = unitOf(last.id);
  if (typeof last.steps === "function") {
    const steps = last.steps(x, y);
    return { unit, moments: fromSteps(steps), total: null };
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
    };
  }
  if (/^KNeighbors/.test(last.id)) {
    const rows = y?.length ?? 1;
    const values = Array.from({ length: Math.min(40, rows) }, (_, k) => k + 1);
    return {
      unit: "neighbours",
      moments: fromValues(values, (nNeighbors) => fitWith({ nNeighbors })),
      total: values.length,
    };
  }
  return { unit: null, moments: fromValues([1], () => last.fit(x, y)), total: 1 };
}

function* fromSteps(steps: Generator<ModelStep, Model, void>): Generator<Moment> {
  for (const step of steps) {
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

function scaledWeights(weights: ArrayLike<number>): Float32Array {
  const out = Float32Array.from(weights);
  const mean = out.reduce((sum, weight) => sum + weight, 0) / (out.length || 1) || 1;
  return out.map((weight) => weight / mean);
}

/** Positions of the support vectors among the training rows; those at the bound C are bounded. */
function supportOf(model: Model): Frame["support"] {
  const { support, dualCoef } = model as {
    support?: Int32Array;
    dualCoef?: { data: Float64Array; rows: number; cols: number };
  };
  if (!(support instanceof Int32Array) || dualCoef === undefined) return null;
  const { data, rows, cols } = dualCoef;
  const largest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bounded = Uint8Array.from(support, (_, k) => {
    for (let r = 0; r < rows; r++) if (Math.abs(data[r * cols + k]!) > largest * (1 - 1e-6)) return 1;
    return 0;
  });
  return { rows: support.slice(), bounded };
}

const CORNERS = 48;

/** Centres of k-means and ellipses of two deviations of mixtures, where the columns can be traced back. */
function outlinesOf(
  model: Model,
  { inverse }: Unwrapped,
  features: readonly string[],
  { axes }: GridView,
): Frame["outlines"] {
  if (inverse === undefined) return [];
  const [a, b] = axes.map((name) => features.indexOf(name)) as [number, number];
  const flat = (points: number[][]) => inverse(points).map((point) => [point[a]!, point[b]!] as const);
  const { clusterCenters, means, covariance } = model as {
    clusterCenters?: { data: Float64Array; rows: number; cols: number };
    means?: { data: Float64Array; rows: number; cols: number };
    covariance?: (component: string | number) => { data: Float64Array; cols: number };
  };
  const rowsOf = ({ data, rows, cols }: { data: Float64Array; rows: number; cols: number }) =>
    Array.from({ length: rows }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
  if (clusterCenters !== undefined) return rowsOf(clusterCenters).map((center) => flat([center]));
  if (means === undefined || typeof covariance !== "function") return [];
  return rowsOf(means).flatMap((center, k) => {
    let spread: { data: Float64Array; cols: number };
    try {
      spread = covariance.call(model, model.classes?.[k] ?? k);
    } catch {
      // Discriminants keep their covariances only where that is asked for.
      return [];
    }
    const { data, cols } = spread;
    const [xx, xy, yy] = [data[a * cols + a]!, data[a * cols + b]!, data[b * cols + b]!];
    // The Cholesky factor of the two axes turns a circle into the ellipse.
    const l = Math.sqrt(xx);
    const m = xy / l;
    const n = Math.sqrt(Math.max(0, yy - m * m));
    const corners = Array.from({ length: CORNERS + 1 }, (_, e) => {
      const angle = (2 * Math.PI * e) / CORNERS;
      const [c, s] = [2 * Math.cos(angle), 2 * Math.sin(angle)];
      return center.with(a, center[a]! + l * c).with(b, center[b]! + m * c + n * s);
    });
    return [flat(corners)];
  });
}
