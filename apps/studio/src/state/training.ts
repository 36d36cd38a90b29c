import { effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { Stopped } from "../work/pool.js";
import type { Grid, GridView, Kept, Roles, Trained } from "../work/protocol.js";
import type { StudioDocument } from "./document.js";
import { resolvedModel } from "./model-specs.js";
import type { Resolved } from "./resolve-model.js";
import { document, holdTraining, plane, pool, roles, table } from "./session.js";

/** How far a model is. */
export interface Run {
  /** Waiting: until somebody asks for it (see `holdTraining`). */
  readonly state: "waiting" | "queued" | "running" | "done" | "cancelled" | "failed";
  readonly stage: string;
  /** 0 to 1; null where the end is not known. */
  readonly progress: number | null;
  readonly message: string;
  readonly grid: Grid | undefined;
  readonly trained: Trained | undefined;
  /** Where the training was stopped, if it was: the model is usable, but was not measured. */
  readonly stopped: string;
}

const idle: Run = {
  state: "queued",
  stage: "",
  progress: null,
  message: "",
  grid: undefined,
  trained: undefined,
  stopped: "",
};

interface Training {
  readonly run: Signal<Run>;
  key: string;
  stop: AbortController | undefined;
  /** What is left if the training is stopped now. */
  kept: Kept | undefined;
  gridKey: string;
  gridStop: AbortController | undefined;
}

const trainings = new Map<string, Training>();

function trainingOf(id: string): Training {
  let training = trainings.get(id);
  if (training === undefined) {
    const run = signal(idle);
    training = { run, key: "", stop: undefined, kept: undefined, gridKey: "", gridStop: undefined };
    trainings.set(id, training);
  }
  return training;
}

/** The run of a model, as a signal. */
export const runOf = (id: string): ReadonlySignal<Run> => trainingOf(id).run;

/** The model file of a run, as workers know it. */
export const modelKey = (id: string): string => `model ${trainingOf(id).key}`;

/**
 * Trains what has changed: a model once its estimator, its parameters, those of its members, the table or the split differ from those of
 * its last run.
 */
effect(() => {
  const { models, split } = document.value;
  const current = roles.value;
  const preview = plane.value;
  const isHeld = holdTraining.value;
  if (current === null) return;
  untracked(() => {
    for (const model of models) {
      const training = trainingOf(model.id);
      const resolved = resolvedModel(model.id);
      const key = trainingKey(resolved, current, split);
      if (isHeld && training.key !== key) putOff(training, key);
      else if (training.key !== key || (!isHeld && training.run.value.state === "waiting"))
        start(training, key, resolved, current, preview);
    }
    for (const [id, training] of trainings)
      if (!models.some((model) => model.id === id)) {
        training.stop?.abort();
        pool.drop(`model ${training.key}`);
        trainings.delete(id);
      }
  });
});

/** What a run depends on. */
function trainingKey({ spec, problem }: Resolved, current: Roles, split: StudioDocument["split"]): string {
  return JSON.stringify([spec ?? problem, current, split]);
}

function putOff(training: Training, key: string): void {
  training.stop?.abort();
  pool.drop(`model ${training.key}`);
  Object.assign(training, { key, stop: undefined, kept: undefined });
  training.run.value = { ...idle, state: "waiting" };
}

function start(
  training: Training,
  key: string,
  { spec, problem: unresolved }: Resolved,
  current: Roles,
  preview: Omit<GridView, "n"> | null,
): void {
  const loaded = table.value!;
  training.stop?.abort();
  pool.drop(`model ${training.key}`);
  const stop = new AbortController();
  Object.assign(training, { key, stop, kept: undefined });
  const { run } = training;
  const put = (change: Partial<Run>) => {
    if (training.stop === stop) run.value = { ...run.value, ...change };
  };
  put({ ...idle, grid: run.value.grid });
  const problem = problemOf(current) ?? unresolved;
  if (problem !== undefined || spec === undefined) {
    put({ state: "failed", message: problem ?? "", grid: undefined });
    return;
  }
  pool.hold(loaded.key, loaded.data);
  const view = preview && { ...preview, n: TILE_POINTS };
  training.gridKey = gridKey(view, key);
  pool
    .run(
      "train",
      { roles: current, model: spec, split: document.value.split, preview: view },
      {
        needs: [loaded.key],
        signal: stop.signal,
        onStart: () => put({ state: "running", stage: "fit" }),
        onNews: ({ stage, done, total, grid, kept }) => {
          if (training.stop !== stop) return;
          if (kept !== undefined) training.kept = kept;
          // The fitted model can be looked into while it is measured.
          const trained = kept?.step === null ? kept.trained : undefined;
          if (trained !== undefined) pool.hold(`model ${key}`, trained.file);
          const progress = total === null ? null : done / total;
          put({ stage, progress, ...(grid && { grid }), ...(trained && { trained }) });
        },
      },
    )
    .then(
      (trained) => {
        pool.hold(`model ${key}`, trained.file);
        if (training.stop === stop) training.kept = undefined;
        // The picture until now may be that of another estimator.
        const picture = trained.canPredict ? {} : { grid: undefined };
        put({ state: "done", stage: "", progress: 1, trained, ...picture });
        refreshGrid(training);
      },
      (error: Error) => put(failure(error)),
    );
}

const failure = (error: Error): Partial<Run> =>
  error instanceof Stopped
    ? { state: "cancelled" }
    : { state: "failed", message: error.message, grid: undefined };

/** What is missing before anything can be trained. */
function problemOf({ features, task: wanted, target }: Roles): string | undefined {
  if (features.length === 0) return "No column is a feature: give one this role in Data.";
  if (wanted !== "clustering" && target === null) return "No column is the target: choose one in Data.";
  return undefined;
}

/** Points per side of a tile's grid. */
const TILE_POINTS = 150;

const gridKey = (view: GridView | null, key: string): string => JSON.stringify([view, key]);

/** Pictures follow the plane, without training anew. */
effect(() => {
  const view = plane.value;
  const { models } = document.value;
  untracked(() => {
    if (view === null) return;
    for (const model of models) {
      const training = trainingOf(model.id);
      // Another table or other roles: the model is about to be trained anew, and its picture with it.
      const current = roles.value;
      if (
        current !== null &&
        training.key === trainingKey(resolvedModel(model.id), current, document.value.split)
      )
        refreshGrid(training);
    }
  });
});

function refreshGrid(training: Training): void {
  const { run } = training;
  const view = plane.value && { ...plane.value, n: TILE_POINTS };
  const current = roles.value;
  if (run.value.trained === undefined || run.value.state !== "done" || current === null) return;
  const key = gridKey(view, training.key);
  if (training.gridKey === key) return;
  training.gridKey = key;
  training.gridStop?.abort();
  if (view === null) {
    run.value = { ...run.value, grid: undefined };
    return;
  }
  const stop = new AbortController();
  training.gridStop = stop;
  gridFor(training.key, view, stop.signal).then(
    (grid) => {
      if (training.gridStop === stop) run.value = { ...run.value, grid };
    },
    () => {},
  );
}

/** A picture of a trained model. */
function gridFor(key: string, view: GridView, signal?: AbortSignal): Promise<Grid> {
  const current = roles.value!;
  const model = `model ${key}`;
  const loaded = table.value!;
  pool.hold(loaded.key, loaded.data);
  return pool.run(
    "grid",
    { roles: current, model, view },
    { needs: [loaded.key, model], ...(signal && { signal }) },
  );
}

/** The same by the id of the model. */
export const gridOf = (id: string, view: GridView, signal?: AbortSignal): Promise<Grid> =>
  gridFor(trainingOf(id).key, view, signal);

/** Stops a training. What it has so far is kept, if there is something. */
export function cancel(id: string): void {
  const training = trainingOf(id);
  const { run, stop, kept } = training;
  if (run.value.state !== "queued" && run.value.state !== "running") return;
  // Whatever comes of it is too late.
  training.stop = undefined;
  stop?.abort();
  if (kept === undefined) {
    run.value = { ...run.value, state: "cancelled" };
    return;
  }
  const stopped = stoppedWhere(kept);
  const warnings = [
    ...kept.trained.warnings,
    `The training was stopped ${stopped}: the model is usable, but was not measured.`,
  ];
  pool.hold(`model ${training.key}`, kept.trained.file);
  const trained = { ...kept.trained, warnings };
  run.value = { ...run.value, state: "done", stage: "", progress: 1, trained, stopped };
  // The picture of the whole fit is there already.
  if (kept.step !== null) training.gridKey = "";
  refreshGrid(training);
}

function stoppedWhere({ step }: Kept): string {
  if (step === null) return "before it was measured";
  return step.total === null ? `at step ${step.at}` : `at step ${step.at} of ${step.total}`;
}

export function cancelAll(): void {
  for (const id of trainings.keys()) cancel(id);
}

/** Trains a model anew that was cancelled or has failed. */
export function retry(id: string): void {
  const isThere = document.value.models.some((one) => one.id === id);
  const training = trainingOf(id);
  if (!isThere || roles.value === null) return;
  start(training, training.key, resolvedModel(id), roles.value, plane.value);
}
