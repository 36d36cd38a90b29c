import {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals";
import { pixelColumns } from "../data/pixel-columns.js";
import { type ColumnData, columnOf, ownValue, type TableData } from "../data/table.js";
import { Pool, poolSize, Stopped } from "../work/pool.js";
import type { EstimatorInfo, Grid, GridView, Kept, Roles, Task, Trained } from "../work/protocol.js";
import { type Action, reduce } from "./actions.js";
import { firstDocument, type ModelEntry, type Source, type StudioDocument } from "./document.js";
import { type GuessedRoles, guessedRoles } from "./guess-roles.js";
import { planeSignals } from "./plane.js";
import type { RowSet } from "./row-set.js";
import { withKinds } from "./table-kinds.js";

/** The document, and what is computed from it: tables, models, pictures. Screens read these signals and dispatch actions. */
export const document = signal<StudioDocument>(firstDocument);

export const toast = signal<{ readonly text: string; readonly undo?: Action } | null>(null);

export function dispatch(action: Action): void {
  if (action.type === "removeModel") {
    const at = document.value.models.findIndex(({ id }) => id === action.id);
    const model = document.value.models[at];
    if (model !== undefined)
      toast.value = { text: `Removed ${model.estimator}.`, undo: { type: "insertModel", model, at } };
  }
  document.value = reduce(document.value, action);
}

const startWorker = () => new Worker(new URL("../work/worker.ts", import.meta.url), { type: "module" });

export const pool = new Pool(startWorker, poolSize(navigator.hardwareConcurrency || 2));

/** A worker that reads and describes tables: it does not wait for models. */
export const reader = new Pool(startWorker, 1);

export interface LoadedTable {
  /** Of the version that workers hold. */
  readonly key: string;
  readonly data: TableData;
}

/** The table as it was read; kinds that the document changes are in `table`. */
const read = signal<LoadedTable | null>(null);
export const tableProblem = signal<string | null>(null);

const kinds = computed(() => document.value.kinds);

export const table: ReadonlySignal<LoadedTable | null> = computed(() =>
  read.value === null ? null : withKinds(read.value, kinds.value, reader),
);

/** Workers forget the table before. */
let last: string | undefined;
effect(() => {
  const key = table.value?.key;
  if (last !== undefined && last !== key) {
    pool.drop(last);
    reader.drop(last);
  }
  last = key;
});

let tables = 0;

/** Takes a table that was read here, as that of `source`. */
export function openTable(source: Source, data: TableData, guess: GuessedRoles = guessedRoles(data)): void {
  opened++;
  const before = task.value;
  const { roles, axes, task: after } = guess;
  batch(() => {
    given = JSON.stringify(source);
    show(data);
    // What could be undone was about the table before.
    toast.value = null;
    const models = after === before ? undefined : firstModels(after);
    // Two pixels say little about a picture.
    const kind = pixelColumns(data) === undefined ? "slice" : "projection";
    dispatch({ type: "load", source, roles, axes, plane: kind, ...(models && { models }) });
  });
}

/** Takes the table that the document is about already, with the roles that it has. */
export function supplyTable(data: TableData): void {
  batch(() => show(data));
}

function show(data: TableData): void {
  tableProblem.value = null;
  selectedRows.value = null;
  holdTraining.value = data.rows > LARGE_ROWS || data.rows * data.columns.length > LARGE_CELLS;
  read.value = { key: `table ${++tables}`, data };
}

/** Larger tables are trained on when somebody asks for it. */
const LARGE_ROWS = 50_000;
const LARGE_CELLS = 2e6;

/** While true, what has changed is not trained: the table is large, and nobody has asked yet. */
export const holdTraining = signal(false);

let given = "";

/** Loads what the document names, unless it is there. A file cannot be loaded: it is asked for. */
effect(() => {
  const { source } = document.value;
  const wanted = JSON.stringify(source);
  if (wanted === given) return;
  given = wanted;
  tableProblem.value = null;
  if (source.kind === "file") {
    read.value = null;
    tableProblem.value = `This link is about ${source.name}. Drop that file here: it was not sent with the link.`;
    return;
  }
  pool.run("table", { source }).then(
    (data) => {
      if (given === wanted) supplyTable(data);
    },
    (error: Error) => {
      if (given === wanted) tableProblem.value = error.message;
    },
  );
});

let opened = 0;

/** Loads an included, generated or painted table and guesses its roles. The last one asked for is shown. */
export async function openSource(source: Source): Promise<void> {
  const mine = ++opened;
  try {
    const data = await reader.run("table", { source });
    if (mine === opened) openTable(source, data, source.kind === "included" ? undefined : pointRoles);
  } catch (error) {
    if (mine === opened) tableProblem.value = (error as Error).message;
  }
}

/** Generated and painted points are x, y and class, even if there is but one class yet. */
const pointRoles: GuessedRoles = { roles: { class: "target" }, axes: ["x", "y"], task: "classification" };

function taskOf(current: StudioDocument, loaded: LoadedTable | null): Task {
  const name = Object.entries(current.roles).find(([, role]) => role === "target")?.[0];
  const target = loaded === null || name === undefined ? undefined : columnOf(loaded.data, name);
  if (target === undefined) return "clustering";
  return target.kind === "number" ? "regression" : "classification";
}

export const task = computed(() => taskOf(document.value, table.value));

/** What models learn from; null while there is no table. */
export const roles: ReadonlySignal<Roles | null> = computed(() => {
  const loaded = table.value;
  if (loaded === null) return null;
  const { roles: given } = document.value;
  const named = (role: string) =>
    loaded.data.columns.find(({ name }) => ownValue(given, name) === role)?.name ?? null;
  const features = loaded.data.columns
    .map(({ name }) => name)
    .filter((name) => (ownValue(given, name) ?? "feature") === "feature");
  return { table: loaded.key, features, target: named("target"), group: named("group"), task: task.value };
});

/** The column that names rows. */
export const idColumn: ReadonlySignal<ColumnData | undefined> = computed(() => {
  const { roles: given } = document.value;
  return table.value?.data.columns.find(({ name }) => ownValue(given, name) === "id");
});

export const targetColumn: ReadonlySignal<ColumnData | undefined> = computed(() => {
  const name = roles.value?.target;
  return table.value === null || name == null ? undefined : columnOf(table.value.data, name);
});

/** The classes, as trained models number them. */
export const classes = computed((): readonly string[] => {
  const target = targetColumn.value;
  if (task.value !== "classification" || target?.kind !== "category") return [];
  const seen = new Set(target.codes);
  return target.levels.filter((_, code) => seen.has(code));
});

export const { plane, places, planeProblem } = planeSignals({ document, table, roles, reader });

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

export const modelEntry = (id: string | null): ModelEntry | undefined =>
  document.value.models.find((model) => model.id === id);

/** The model file of a run, as workers know it. */
export const modelKey = (id: string): string => `model ${trainingOf(id).key}`;

/** Trains what has changed: a model once its estimator, its parameters, the table or the split differ from those of its last run. */
effect(() => {
  const { models, split } = document.value;
  const current = roles.value;
  const preview = plane.value;
  const isHeld = holdTraining.value;
  if (current === null) return;
  untracked(() => {
    for (const model of models) {
      const training = trainingOf(model.id);
      const key = trainingKey(model, current, split);
      if (isHeld && training.key !== key) putOff(training, key);
      else if (training.key !== key || (!isHeld && training.run.value.state === "waiting"))
        start(training, key, model, current, preview);
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
function trainingKey(model: ModelEntry, current: Roles, split: StudioDocument["split"]): string {
  return JSON.stringify([model.estimator, model.params, current, split]);
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
  model: ModelEntry,
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
  const problem = problemOf(current);
  if (problem !== undefined) {
    put({ state: "failed", message: problem });
    return;
  }
  pool.hold(loaded.key, loaded.data);
  const view = preview && { ...preview, n: TILE_POINTS };
  training.gridKey = gridKey(view, key);
  pool
    .run(
      "train",
      { roles: current, model, split: document.value.split, preview: view },
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
      (error: Error) =>
        put(
          error instanceof Stopped
            ? { state: "cancelled" }
            : { state: "failed", message: error.message, grid: undefined },
        ),
    );
}

/** What is missing before anything can be trained. */
function problemOf({ features, task: wanted, target }: Roles): string | undefined {
  if (features.length === 0) return "No column is a feature: give one this role in Data.";
  if (wanted !== "clustering" && target === null) return "No column is the target: choose one in Data.";
  return undefined;
}

/** Points per side of a tile's grid. */
export const TILE_POINTS = 150;

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
      if (current !== null && training.key === trainingKey(model, current, document.value.split))
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
  const model = document.value.models.find((one) => one.id === id);
  const training = trainingOf(id);
  if (model === undefined || roles.value === null) return;
  start(training, training.key, model, roles.value, plane.value);
}

/** The models that every table begins with. */
export function firstModels(wanted: Task): readonly ModelEntry[] {
  if (wanted === "classification") return firstDocument.models;
  const estimators =
    wanted === "regression"
      ? [
          "LinearRegression",
          "SVR",
          "KNeighborsRegressor",
          "DecisionTreeRegressor",
          "HistGradientBoostingRegressor",
        ]
      : ["KMeans", "GaussianMixture", "DBSCAN"];
  return estimators.map((estimator, k) => ({
    id: `m${k + 1}`,
    estimator,
    params: firstParams[estimator] ?? {},
  }));
}

/** Of estimators whose defaults show little: eight centres for every table, or a single component. */
const firstParams: Readonly<Record<string, ModelEntry["params"]>> = {
  KMeans: { nClusters: 3 },
  GaussianMixture: { nComponents: 3 },
};

/** Every estimator, once somebody wants to add one. */
export const catalogue = signal<readonly EstimatorInfo[] | null>(null);
let asked = false;
export function loadCatalogue(): void {
  if (asked) return;
  asked = true;
  void pool.run("catalogue", {}).then((found) => {
    catalogue.value = found;
  });
}

/** Rows that a cell, a bar or a brush has chosen, everywhere; null for none. */
export const selectedRows = signal<RowSet | null>(null);
