import { CategoricalColumn, type Column, NumericColumn, type Table, TextColumn } from "argmax/data";
import { structureOf } from "argmax/structure";
import type { Model, Scores } from "../../estimators.js";
import { valueAt } from "../../projection.js";
import type { Answer, Ask, Grid, GridView, Margin, Roles, Task } from "../../protocol.js";
import type { Context } from "../context.js";

/** What a trained model says on the points of a plane. */
export async function grid(
  { roles, model, view }: Ask<"grid">,
  { held }: Context<"grid">,
): Promise<Answer<"grid">> {
  const fitted = await held.model(model);
  return gridOf(fitted, held.table(roles.table), roles, view);
}

export const gridOf = (model: Model, table: Table, roles: Roles, view: GridView): Grid =>
  gridOn(model, planeTable(table, roles.features, view), roles.task, view);

/** The same for points that are ready for the model. */
export const gridOn = (model: Model, points: unknown, task: Task, view: GridView): Grid => ({
  view,
  task,
  ...read(model, points, task),
});

/**
 * The points of the plane as rows, from the largest y down: two columns vary, or all of a projection; the others are those of a row.
 */
export function planeTable(table: Table, features: readonly string[], view: GridView): Table {
  const { n, x, y, axes, projection } = view;
  const rows = n * n;
  const along = new Float64Array(rows);
  const up = new Float64Array(rows);
  for (let i = 0; i < n; i++) {
    const atY = y[1] - ((y[1] - y[0]) * (i + 0.5)) / n;
    for (let j = 0; j < n; j++) {
      along[i * n + j] = x[0] + ((x[1] - x[0]) * (j + 0.5)) / n;
      up[i * n + j] = atY;
    }
  }
  const columns = features.map((name): [string, Column] => {
    const k = projection?.columns.indexOf(name) ?? -1;
    if (k >= 0)
      return [name, new NumericColumn(along.map((a, point) => valueAt(projection!, k, a, up[point]!)))];
    if (projection !== undefined) return [name, constant(table.column(name), view.row, rows)];
    if (name === axes[0]) return [name, new NumericColumn(along)];
    if (name === axes[1]) return [name, new NumericColumn(up)];
    return [name, constant(table.column(name), view.row, rows)];
  });
  return (table.constructor as typeof Table).fromColumns(new Map(columns));
}

/** A column that has the entry of a row everywhere; of no row, the median or the most frequent entry. */
function constant(column: Column, row: number | null, rows: number): Column {
  if (column.kind === "categorical") {
    const code = row === null ? mostFrequent(column.codes) : column.codes[row]!;
    return new CategoricalColumn(new Int32Array(rows).fill(code), column.categories);
  }
  if (column.kind === "text") {
    const text = column.values[row ?? 0] ?? "";
    return new TextColumn(new Array(rows).fill(text));
  }
  if (column.kind === "boolean") throw new Error("Tables of the studio have no boolean columns.");
  const value = row === null ? median(column.values) : column.values[row]!;
  return new NumericColumn(new Float64Array(rows).fill(value));
}

export function median(values: Float64Array): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const { length } = sorted;
  if (length === 0) return Number.NaN;
  return length % 2 === 1 ? sorted[length >> 1]! : (sorted[length / 2 - 1]! + sorted[length / 2]!) / 2;
}

export function mostFrequent(codes: Int32Array): number {
  const counts = new Map<number, number>();
  for (const code of codes) if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  let best = -1;
  for (const [code, count] of counts) if (best < 0 || count > counts.get(best)!) best = code;
  return best;
}

type Reading = Pick<Grid, "winner" | "lead" | "value" | "margin" | "scale" | "classes">;

function read(model: Model, points: unknown, task: Task): Reading {
  if (task === "regression") {
    const value = Float32Array.from(model.predict!(points) as ArrayLike<number>);
    const [winner, lead] = [new Uint8Array(value.length), new Uint8Array(value.length).fill(255)];
    return { winner, lead, value, margin: null, scale: "value", classes: 0 };
  }
  const scores = scoresOf(model, points);
  if (scores === undefined) return labelsOn(model, points);
  return scores.scale === "probability"
    ? fromProbabilities(scores, model, points)
    : fromScores(scores, model, points);
}

interface ScoreTable extends Scores {
  readonly scale: "probability" | "score";
}

/** Probabilities, or a score per class. */
export const scoresOf = (model: Model, x: unknown): ScoreTable | undefined =>
  probabilitiesOf(model, x) ?? decisionsOf(model, x);

function probabilitiesOf(model: Model, x: unknown): ScoreTable | undefined {
  if (typeof model.predictProba !== "function") return undefined;
  try {
    return { ...parts(model.predictProba(x)), scale: "probability" };
  } catch {
    // Pipelines have the method whether their last step has it or not.
    return undefined;
  }
}

/** The decision function; two classes have the scores −f and f. Scores of pairs of classes are not scores of classes. */
function decisionsOf(model: Model, x: unknown): ScoreTable | undefined {
  if (typeof model.decisionFunction !== "function" || pairMargins(model) === "pairs") return undefined;
  let decision: Scores | Float64Array;
  try {
    decision = model.decisionFunction(x);
  } catch {
    return undefined;
  }
  if (!(decision instanceof Float64Array) && decision.cols > 1) return { ...parts(decision), scale: "score" };
  const f = decision instanceof Float64Array ? decision : decision.data;
  const data = new Float64Array(2 * f.length);
  for (let i = 0; i < f.length; i++) {
    data[2 * i] = -f[i]!;
    data[2 * i + 1] = f[i]!;
  }
  return { data, rows: f.length, cols: 2, scale: "score" };
}

const parts = ({ data, rows, cols }: Scores): Scores => ({ data, rows, cols });

/** Whether three or more classes are decided by votes of their pairs; what the decision function then returns. */
function pairMargins(model: Model): "pairs" | "votes" | undefined {
  const structure = structureOf(model);
  if (structure.kind !== "classifier" || structure.classes.length < 3) return undefined;
  if (structure.decision.kind !== "pairs") return undefined;
  return structure.margins === "pairVotes" ? "votes" : "pairs";
}

/** A probability that leads the next one by half of all is a margin of any model. */
const PROBABILITY_MARGIN = 0.5;

function fromProbabilities(scores: Scores, model: Model, points: unknown): Reading {
  const { data, cols } = scores;
  const { winner, ahead } = winners(scores);
  const lead = Uint8Array.from(winner, (best, i) => {
    const beyond = cols > 1 ? (data[i * cols + best]! - 1 / cols) / (1 - 1 / cols) : 1;
    return Math.round(255 * Math.min(1, Math.max(0, beyond)));
  });
  const value = cols === 2 ? decisionOf(model, points) : null;
  const margin: Margin | null =
    value === null && cols > 1
      ? { of: "probability", level: PROBABILITY_MARGIN, values: Float32Array.from(ahead) }
      : null;
  return { winner, lead, value, margin, scale: "probability", classes: cols };
}

/** The class with the largest score of every point, and by how much it leads the next one. */
function winners({ data, rows, cols }: Scores): { winner: Uint8Array; ahead: Float64Array } {
  const winner = new Uint8Array(rows);
  const ahead = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let best = 0;
    let next = -1;
    for (let c = 1; c < cols; c++) {
      if (data[i * cols + c]! > data[i * cols + best]!) {
        next = best;
        best = c;
      } else if (next < 0 || data[i * cols + c]! > data[i * cols + next]!) next = c;
    }
    winner[i] = best;
    ahead[i] = next < 0 ? Infinity : data[i * cols + best]! - data[i * cols + next]!;
  }
  return { winner, ahead };
}

/** The decision function of two classes, where the model has one. */
function decisionOf(model: Model, points: unknown): Float32Array | null {
  const scores = decisionsOf(model, points);
  if (scores?.cols !== 2) return null;
  return Float32Array.from({ length: scores.rows }, (_, i) => scores.data[2 * i + 1]!);
}

function fromScores(scores: Scores, model: Model, points: unknown): Reading {
  const { data, rows, cols } = scores;
  const { winner, ahead } = winners(scores);
  // Half of the difference: it is |f| of two classes, and 1 on the margin.
  const half = ahead.map((difference) => difference / 2);
  const lead = Uint8Array.from(half, (one) => Math.round(255 * Math.min(1, one)));
  const value = cols === 2 ? Float32Array.from({ length: rows }, (_, i) => data[2 * i + 1]!) : null;
  const margin: Margin | null =
    value === null
      ? (pairMargin(model, points) ?? { of: "score", level: 1, values: Float32Array.from(half) })
      : null;
  return { winner, lead, value, margin, scale: "score", classes: cols };
}

/** Scores that are votes have no margin, but the pairs of classes that vote have one each; undefined for other models. */
function pairMargin(model: Model, points: unknown): Margin | undefined {
  if (pairMargins(model) === undefined) return undefined;
  const accepted = Array.from(model.predict!(points, { minMargin: 1 }));
  return {
    of: "pairs",
    level: 0.5,
    values: Float32Array.from(accepted, (label) => (label === undefined ? 0 : 1)),
  };
}

/** Labels alone: every point is sure. */
function labelsOn(model: Model, points: unknown): Reading {
  const found = model.predict!(points);
  const { classes } = model;
  const numberOf = classes === undefined ? undefined : new Map(classes.map((label, c) => [label, c]));
  const winner = Uint8Array.from(found, (label) => numberOf?.get(label) ?? Number(label) & 255);
  const lead = new Uint8Array(winner.length).fill(255);
  const margin = pairMargin(model, points) ?? null;
  return { winner, lead, value: null, margin, scale: "label", classes: 0 };
}
