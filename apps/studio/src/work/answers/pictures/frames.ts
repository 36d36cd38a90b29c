import { structureOf } from "argmax/structure";
import { preparedEstimator } from "../../build-estimator.js";
import { type EstimatorClass, estimatorClass, type Model } from "../../estimators.js";
import type { Held } from "../../held.js";
import type { Answer, Ask, Frame, Panel, StepPanelsAsk } from "../../protocol.js";
import { unwrapped } from "../../unwrapped.js";
import type { Context } from "../context.js";
import { aboutOf } from "../internals/about.js";
import { weightsOf } from "../internals/linear.js";
import { panelsOf } from "../internals/panels.js";
import { scoresOf } from "../internals/scores.js";
import { trainingRows } from "../train.js";
import { gridOn, planeTable } from "./grid.js";
import { outlineNote, outlinesOf } from "./outlines.js";
import { type Moment, seriesOf, walked } from "./series.js";

/** Fits the model step by step and keeps a picture of some of the steps, with what the model consists of. */
export async function frames(ask: Ask<"frames">, context: Context<"frames">): Promise<Answer<"frames">> {
  const { roles, view, most } = ask;
  const { parts, table, data, panelsAt } = await preparedSteps(ask, context);
  const points = parts.transform(planeTable(table, roles.features, view));
  const series = await seriesOf(parts);
  const bound = boundOf(await estimatorClass(parts.last.id), parts.last.params);
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
      panels: panelsAt(model),
    };
  };
  const { kept, last, diverged } = await walked(series, most, picture, context);
  const end = last?.model();
  return {
    unit: series.unit,
    frames: kept,
    isLinear: end !== undefined && weightsOf(structureOf(end)) !== undefined,
    outlineNote: kept[0]?.outlines.length ? outlineNote(end!, roles.features.length) : null,
    diverged,
    rows: data.rows,
  };
}

/** Goes through the same steps once more for the panels of another row. */
export async function stepPanels(
  ask: Ask<"stepPanels">,
  context: Context<"stepPanels">,
): Promise<Answer<"stepPanels">> {
  const { parts, panelsAt } = await preparedSteps(ask, context);
  const series = await seriesOf(parts);
  const look = (moment: Moment) => panelsAt(moment.model());
  return (await walked(series, ask.most, look, { ...context, news: () => {} })).kept;
}

async function preparedSteps({ roles, model, row }: StepPanelsAsk, { held }: { readonly held: Held }) {
  const table = held.table(roles.table);
  const data = trainingRows(table, roles);
  const parts = unwrapped(await preparedEstimator(model, data.x), data.x, data.y);
  const { before, isScaledTarget } = parts;
  const about = aboutOf({ table, roles, data, before, isScaledTarget, row });
  const panelsAt = (fitted: Model): readonly Panel[] =>
    panelsOf(fitted, about(fitted)).filter(({ kind }) => kind !== "curve");
  return { table, data, parts, panelsAt };
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
  const expansion = scoresOf(model, "kernel");
  if (expansion === undefined || !("supportVectors" in model)) return null;
  const { support, coef } = expansion;
  const { data, rows, cols } = coef;
  const most = bound ?? data.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const bounded = Uint8Array.from(support, (_, k) => {
    for (let r = 0; r < rows; r++) if (Math.abs(data[r * cols + k]!) > most * (1 - 1e-6)) return 1;
    return 0;
  });
  return { rows: support.slice(), bounded };
}
