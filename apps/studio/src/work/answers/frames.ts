import { type EstimatorClass, estimatorClass, type Model } from "../estimators.js";
import type { Answer, Ask, Frame } from "../protocol.js";
import { unwrapped } from "../unwrapped.js";
import type { Context } from "./context.js";
import { gridOn, planeTable } from "./grid.js";
import type { Numbers } from "./internals/parts.js";
import { outlinesOf } from "./outlines.js";
import { type Moment, seriesOf } from "./series.js";
import { preparedEstimator, trainingRows } from "./train.js";

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
  const series = await seriesOf(parts, ask.model.params);
  const { unit, moments, total } = series;
  const bound = boundOf(await estimatorClass(parts.last.id), ask.model.params);

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
