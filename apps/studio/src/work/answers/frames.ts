import { preparedEstimator } from "../build-estimator.js";
import { type EstimatorClass, estimatorClass, type Model, type ModelStep } from "../estimators.js";
import { placeOf } from "../projection.js";
import type { Answer, Ask, Frame, GridView } from "../protocol.js";
import { type Unwrapped, unwrapped } from "../unwrapped.js";
import type { Context } from "./context.js";
import { gridOn, planeTable } from "./grid.js";
import { trainingRows } from "./train.js";

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
  /** Whether the fit ended because a number was no longer finite; known at its end. */
  readonly hasDiverged: () => boolean;
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
  const series = await seriesOf(parts, parts.last.params);
  const { unit, moments, total } = series;
  const bound = boundOf(await estimatorClass(parts.last.id), parts.last.params);

  let kept: { readonly at: number; readonly frame: Frame }[] = [];
  let stride = 1;
  let seen = 0;
  let last: Moment | undefined;
  let diverged: number | null = null;
  let looked = performance.now();
  const picture = (moment: Moment): Frame => {
    const model = moment.model();
    const grid = gridOn(model, points, roles.task, view);
    if (grid.task === "regression") grid.value!.set(grid.value!.map((value) => parts.value(value)));
    return {
      at: moment.at,
      objective: moment.objective ?? objectiveOf(model),
      grid,
      weights: moment.weights === null ? null : scaledWeights(moment.weights),
      support: supportOf(model, bound),
      outlines: outlinesOf(model, parts, roles.features, view),
    };
  };
  for (const moment of moments) {
    if (moment.objective !== null && !Number.isFinite(moment.objective)) {
      diverged = moment.at;
      break;
    }
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
  if (diverged === null && series.hasDiverged()) diverged = (last?.at ?? 0) + 1;
  return {
    unit,
    frames: kept.map(({ frame }) => frame),
    isLinear: last !== undefined && isLinear(last.model()),
    diverged,
    rows: data.rows,
  };
}

/** The steps of the fit; for trees their growth, for neighbours their number. */
async function seriesOf(
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

/** What a step leaves to its model: the inertia of centres, the dual objective of support vectors. */
function objectiveOf(model: Model): number | null {
  const { inertia, report } = model as { inertia?: number; report?: { objective?: number } };
  const found = inertia ?? report?.objective;
  return found !== undefined && Number.isFinite(found) ? found : null;
}

function scaledWeights(weights: ArrayLike<number>): Float32Array {
  const out = Float32Array.from(weights);
  const mean = out.reduce((sum, weight) => sum + weight, 0) / (out.length || 1) || 1;
  return out.map((weight) => weight / mean);
}

/** The bound C of the coefficients of support vectors; undefined where it differs between rows. */
function boundOf({ table }: EstimatorClass, params: Readonly<Record<string, unknown>>): number | undefined {
  const C = params["C"] ?? table["C"]?.default;
  return typeof C === "number" && params["classWeight"] == null ? C : undefined;
}

/** Positions of the support vectors among the training rows; those at the bound, or else at the largest coefficient, are bounded. */
function supportOf(model: Model, bound: number | undefined): Frame["support"] {
  const { support, dualCoef } = model as { support?: Int32Array; dualCoef?: Numbers };
  if (!(support instanceof Int32Array) || dualCoef === undefined) return null;
  const { data, rows, cols } = dualCoef;
  const most = bound ?? data.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const bounded = Uint8Array.from(support, (_, k) => {
    for (let r = 0; r < rows; r++) if (Math.abs(data[r * cols + k]!) > most * (1 - 1e-6)) return 1;
    return 0;
  });
  return { rows: support.slice(), bounded };
}

/** Whether the model has one weight per column; kernel machines refuse to say. */
function isLinear(model: Model): boolean {
  try {
    return (model as { coef?: unknown }).coef !== undefined;
  } catch {
    return false;
  }
}

const CORNERS = 48;

interface Numbers {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

function diagonal(variance: Float64Array): { readonly data: Float64Array; readonly cols: number } {
  const cols = variance.length;
  const data = new Float64Array(cols * cols);
  for (let j = 0; j < cols; j++) data[j * cols + j] = variance[j]!;
  return { data, cols };
}

/** Centres of k-means, and ellipses of two deviations of mixtures and of naive Bayes, where the columns can be traced back. */
function outlinesOf(
  model: Model,
  { inverse }: Unwrapped,
  features: readonly string[],
  view: GridView,
): Frame["outlines"] {
  if (inverse === undefined) return [];
  const place = placing(features, view);
  const flat = (points: number[][]) => inverse(points).map(place);
  const {
    clusterCenters,
    means,
    covariance,
    theta,
    var: variance,
  } = model as {
    clusterCenters?: Numbers;
    means?: Numbers;
    theta?: Numbers;
    var?: Numbers;
    covariance?: (component: string | number) => { data: Float64Array; cols: number };
  };
  const rowsOf = ({ data, rows, cols }: Numbers) =>
    Array.from({ length: rows }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
  if (clusterCenters !== undefined) return rowsOf(clusterCenters).map((center) => flat([center]));
  if (theta !== undefined && variance !== undefined)
    return rowsOf(theta).map((center, k) =>
      shadow(center, diagonal(variance.data.subarray(k * theta.cols, (k + 1) * theta.cols)), flat),
    );
  if (means === undefined || typeof covariance !== "function") return [];
  return rowsOf(means).flatMap((center, k) => {
    let spread: { data: Float64Array; cols: number };
    try {
      spread = covariance.call(model, model.classes?.[k] ?? k);
    } catch {
      // Discriminants keep their covariances only where that is asked for.
      return [];
    }
    return [shadow(center, spread, flat)];
  });
}

/** Where a row is drawn in the plane of a view. */
function placing(
  features: readonly string[],
  { axes, projection }: GridView,
): (row: ArrayLike<number>) => readonly [number, number] {
  if (projection === undefined) {
    const [a, b] = axes.map((name) => features.indexOf(name)) as [number, number];
    return (row) => [row[a]!, row[b]!];
  }
  const columns = projection.columns.map((name) => features.indexOf(name));
  return (row) => {
    const { x, y } = placeOf(
      projection,
      columns.map((j) => row[j]!),
    );
    return [x, y];
  };
}

/** The ellipse of two deviations around a centre, seen in the plane: of the covariance A Σ Aᵀ, where A is what `flat` does to differences. */
function shadow(
  center: number[],
  { data, cols }: { readonly data: Float64Array; readonly cols: number },
  flat: (points: number[][]) => (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const moved = Array.from({ length: cols }, (_, j) => center.with(j, center[j]! + 1));
  const [[x, y], ...ends] = flat([center, ...moved]) as [readonly [number, number], ...[number, number][]];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < cols; i++)
    for (let j = 0; j < cols; j++) {
      const s = data[i * cols + j]!;
      xx += (ends[i]![0] - x) * s * (ends[j]![0] - x);
      xy += (ends[i]![0] - x) * s * (ends[j]![1] - y);
      yy += (ends[i]![1] - y) * s * (ends[j]![1] - y);
    }
  // The Cholesky factor turns a circle into the ellipse.
  const l = Math.sqrt(xx);
  const m = xy / (l || 1);
  const n = Math.sqrt(Math.max(0, yy - m * m));
  return Array.from({ length: CORNERS + 1 }, (_, e) => {
    const angle = (2 * Math.PI * e) / CORNERS;
    const [c, s] = [2 * Math.cos(angle), 2 * Math.sin(angle)];
    return [x + l * c, y + m * c + n * s] as const;
  });
}
