import { selectRows, type Table } from "argmax/data";
import { accuracyScore, adjustedRandScore, r2Score } from "argmax/metrics";
import { minOf } from "argmax/numeric";
import { modelCard, saveModel } from "argmax/persistence";
import type { Fold, Splitter } from "argmax/selection";
import { GroupKFold, KFold, StratifiedKFold, TimeSeriesSplit } from "argmax/selection";
import { preparedEstimator } from "../build-estimator.js";
import type { Model } from "../estimators.js";
import type { Answer, Ask, Held as HeldRows, Roles, Split, Task, TrainAsk } from "../protocol.js";
import { checkpoints, type Progress } from "./checkpoints.js";
import type { Context } from "./context.js";
import { absentScore, answersOf, someRows } from "./model-answers.js";
import { gridOf, scoresOf } from "./pictures/grid.js";

/** News at most this often. */
const MILLISECONDS = 100;

/** Rows for which the answers of the fitted model are kept. */
const FITTED_ROWS = 2000;

/** The rows that a model learns from: those with a target. */
export interface TrainingRows {
  readonly x: Table;
  /** Labels or values; undefined for clusters. */
  readonly y: readonly (string | number)[] | undefined;
  /** Their numbers in the table. */
  readonly rows: Int32Array;
  readonly groups: readonly string[] | undefined;
}

/** Fits the model to all rows, then measures it on folds, which it has not seen. */
export async function train(ask: Ask<"train">, context: Context<"train">): Promise<Answer<"train">> {
  const trained = await trainModel(ask, context);
  const { file, fitted, held } = trained;
  const arrays = [
    file,
    fitted.predicted,
    fitted.scores,
    fitted.rows,
    held?.rows,
    held?.truth,
    held?.predicted,
    held?.scores,
  ];
  // Two of them may be views of one buffer, which moves once.
  const buffers = new Set(arrays.flatMap((array) => (array == null ? [] : [array.buffer as ArrayBuffer])));
  context.move?.([...buffers]);
  return trained;
}

async function trainModel(ask: Ask<"train">, context: Context<"train">): Promise<Answer<"train">> {
  const { roles, preview } = ask;
  const { held, news, breathe } = context;
  const table = held.table(roles.table);
  const data = trainingRows(table, roles);
  const { task } = roles;
  if (data.y !== undefined) checkFolds(ask.split, data.y.length, data.groups);

  const warnings: string[] = [];
  const card = task === "clustering" ? modelCard(data.x) : modelCard(data.x, { task, target: roles.target! });
  let start = 0;
  const keptOf = (model: Model) => {
    const fitMilliseconds = performance.now() - start;
    return {
      ...unmeasured(model, data, task),
      file: saveModel(model, { card }),
      fitMilliseconds,
      warnings,
    };
  };
  const pictureOf = (model: Model) => {
    if (preview === null || model.predict === undefined) return {};
    try {
      return { grid: gridOf(model, table, roles, preview) };
    } catch (error) {
      // Some answer near their rows only.
      warnings.push(`There is no picture: ${(error as Error).message}`);
      return {};
    }
  };

  let last = 0;
  const estimator = await preparedEstimator(ask.model, data.x);
  const checkpoint = checkpoints(estimator, data.x, data.y, (model, { iteration, total = null }) => {
    const kept = { trained: keptOf(model), step: { at: iteration, total } };
    news({ stage: "fit", done: iteration, total, kept });
  });
  const onProgress = (step: Progress) => {
    checkpoint(step);
    const now = performance.now();
    if (now - last < MILLISECONDS) return;
    last = now;
    news({ stage: "fit", done: step.iteration, total: step.total ?? null });
  };
  const onWarning = (warning: string) => warnings.push(warning);
  start = performance.now();
  const model = estimator.fit(data.x, data.y, { onProgress, onWarning });
  const base = keptOf(model);
  news({ stage: "fit", done: 1, total: 1, ...pictureOf(model), kept: { trained: base, step: null } });
  await breathe();
  if (task === "clustering" || data.y === undefined) {
    const predicted = model.predict?.(data.x) ?? model.labels ?? [];
    const truth = roles.target === null ? undefined : trainingLabels(table, roles.target);
    const scores = truth === undefined ? [] : [adjustedRandScore(truth, Array.from(predicted))];
    return { ...base, scores, held: clustersOf(predicted, data.rows) };
  }
  const all = splitterOf(ask.split, task, data.y, data.groups).split(data.x, data.y, data.groups);
  const folds = ask.split.kind === "holdout" ? all.slice(0, 1) : all;
  return { ...base, ...(await measure(ask, data, folds, base.classes, context)) };
}

/** A table may be too small for its folds. */
function checkFolds({ kind, folds }: Split, rows: number, groups: TrainingRows["groups"]): void {
  const isGrouped = kind === "groups" && groups !== undefined;
  const found = isGrouped ? new Set(groups).size : rows;
  // The first rows of a series are not held out.
  if (found >= (kind === "time" ? folds + 1 : folds)) return;
  const unit = isGrouped ? "group" : "row";
  throw new Error(
    `${found} ${found === 1 ? `${unit} is` : `${unit}s are`} too few for ${folds} folds: choose fewer folds in Data, or a larger table.`,
  );
}

/** What is known of a model before it is measured. */
function unmeasured(
  model: Model,
  data: TrainingRows,
  task: Task,
): Omit<Answer<"train">, "file" | "fitMilliseconds" | "warnings"> {
  const classes = task === "classification" ? (model.classes ?? []).map(String) : [];
  const some = model.predict === undefined ? new Int32Array(0) : someRows(data.x.rows, FITTED_ROWS);
  const rows = selectRows(data.x, some);
  const start = performance.now();
  model.predict?.(rows);
  const predictMicroseconds = (1000 * (performance.now() - start)) / Math.max(1, some.length);
  return {
    task,
    classes,
    metric: task === "clustering" ? "adjusted Rand" : task === "regression" ? "R²" : "accuracy",
    scores: [],
    predictMicroseconds,
    held: null,
    canPredict: model.predict !== undefined,
    fitted: { ...answersOf(model, rows, classes), rows: Int32Array.from(some, (i) => data.rows[i]!) },
  };
}

function clustersOf(found: ArrayLike<string | number>, rows: Int32Array): HeldRows {
  const predicted = Float64Array.from(found as ArrayLike<number>);
  const truth = new Float64Array(predicted.length).fill(Number.NaN);
  return { rows, truth, predicted, scores: null, scale: "score" };
}

export function trainingRows(table: Table, { features, target, group, task }: Roles): TrainingRows {
  const x = table.select(features);
  const groupCells = group === null ? undefined : cellsOf(table, group).map(String);
  if (task === "clustering" || target === null)
    return {
      x,
      y: undefined,
      rows: Int32Array.from({ length: table.rows }, (_, i) => i),
      groups: groupCells,
    };
  const cells = cellsOf(table, target);
  const rows = Int32Array.from(cells.flatMap((cell, i) => (cell === null ? [] : [i])));
  const y = Array.from(rows, (i) => (task === "regression" ? Number(cells[i]) : String(cells[i])));
  const groups = groupCells === undefined ? undefined : Array.from(rows, (i) => groupCells[i]!);
  return { x: rows.length === table.rows ? x : selectRows(x, rows), y, rows, groups };
}

function cellsOf(table: Table, name: string): (string | number | null)[] {
  const column = table.column(name) as {
    readonly length: number;
    at(i: number): string | number | null;
  };
  return Array.from({ length: column.length }, (_, i) => column.at(i));
}

const trainingLabels = (table: Table, target: string): string[] => cellsOf(table, target).map(String);

export function splitterOf(
  { kind, folds, seed }: Split,
  task: string,
  y: readonly (string | number)[],
  groups: unknown,
): Splitter {
  if (kind === "time") return new TimeSeriesSplit({ nSplits: folds });
  if (kind === "groups" && groups !== undefined) return new GroupKFold({ nSplits: folds });
  const params = { nSplits: folds, shuffle: true, randomState: seed };
  // A class with fewer rows than folds cannot be in each of them.
  return task === "classification" && rarest(y) >= folds ? new StratifiedKFold(params) : new KFold(params);
}

function rarest(y: readonly (string | number)[]): number {
  const counts = new Map<string | number, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return minOf(counts.values());
}

async function measure(
  ask: TrainAsk,
  data: TrainingRows,
  folds: readonly Fold[],
  classes: readonly string[],
  { news, breathe, isStopped }: Context<"train">,
): Promise<{ scores: number[]; held: HeldRows }> {
  const y = data.y!;
  const isClass = ask.roles.task === "classification";
  const numberOf = new Map(classes.map((name, c) => [name, c]));
  const value = (label: string | number): number => (isClass ? numberOf.get(String(label))! : Number(label));
  const predicted = new Float64Array(y.length).fill(Number.NaN);
  let scores: Float64Array | null = isClass ? new Float64Array(y.length * classes.length) : null;
  let scale: HeldRows["scale"] = "probability";
  const foldScores: number[] = [];
  for (const [f, { train: rows, test }] of folds.entries()) {
    news({ stage: "folds", done: f, total: folds.length });
    await breathe();
    if (isStopped()) throw new Error("stopped");
    const estimator = await preparedEstimator(ask.model, data.x);
    const model = estimator.fit(
      selectRows(data.x, rows),
      Array.from(rows, (i) => y[i]!),
    );
    const held = selectRows(data.x, test);
    const truth = Array.from(test, (i) => y[i]!);
    const found = Array.from(model.predict!(held));
    foldScores.push(isClass ? accuracyScore(truth, found) : r2Score(truth as number[], found as number[]));
    for (const [e, i] of test.entries()) predicted[i] = value(found[e]!);
    const table = scores === null ? undefined : scoresOf(model, held);
    if (table === undefined) scores = null;
    else {
      scale = table.scale;
      // A fold may have no row of a rare class.
      for (const i of test) scores!.fill(absentScore[scale], i * classes.length, (i + 1) * classes.length);
      const columns = (model.classes ?? []).map((label) => numberOf.get(String(label))!);
      for (const [e, i] of test.entries())
        for (const [c, column] of columns.entries())
          scores![i * classes.length + column] = table.data[e * table.cols + c]!;
    }
  }
  const seen = Array.from(predicted.keys()).filter((i) => !Number.isNaN(predicted[i]!));
  const held = { truth: Float64Array.from(y, value), predicted, scores, scale, rows: data.rows };
  // Rows that are never held out: the first ones of a series in time, all but one fold of a single split.
  return { scores: foldScores, held: seen.length === y.length ? held : partOf(held, seen, classes.length) };
}

function partOf(held: HeldRows, seen: readonly number[], classes: number): HeldRows {
  const { scores } = held;
  return {
    ...held,
    rows: Int32Array.from(seen, (i) => held.rows[i]!),
    truth: Float64Array.from(seen, (i) => held.truth[i]!),
    predicted: Float64Array.from(seen, (i) => held.predicted[i]!),
    scores:
      scores === null
        ? null
        : Float64Array.from(seen.flatMap((i) => [...scores.subarray(i * classes, (i + 1) * classes)])),
  };
}
