import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from "@preact/signals";
import { asKind, type ColumnData, columnOf, type TableData } from "../data/table.js";
import { Pool, poolSize, Stopped } from "../work/pool.js";
import type { EstimatorInfo, Grid, GridView, Roles, Task, Trained } from "../work/protocol.js";
import { type Action, reduce } from "./actions.js";
import { firstDocument, type ModelEntry, type Source, type StudioDocument } from "./document.js";
import { guessedRoles } from "./guess-roles.js";

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

export const pool = new Pool(
  () => new Worker(new URL("../work/worker.ts", import.meta.url), { type: "module" }),
  poolSize(navigator.hardwareConcurrency || 2),
);

export interface LoadedTable {
  /** Of the version that workers hold. */
  readonly key: string;
  readonly data: TableData;
}

/** The table as it was read; kinds that the document changes are in `table`. */
const read = signal<LoadedTable | null>(null);
export const tableProblem = signal<string | null>(null);

export const table: ReadonlySignal<LoadedTable | null> = computed(() => {
  const given = read.value;
  const { kinds } = document.value;
  if (given === null) return null;
  const changed = given.data.columns.filter(
    ({ name, kind }) => kinds[name] !== undefined && kinds[name] !== kind,
  );
  if (changed.length === 0) return given;
  const columns = given.data.columns.map((column) => asKind(column, kinds[column.name] ?? column.kind));
  return {
    key: `${given.key} ${changed.map(({ name }) => `${name}:${kinds[name]}`)}`,
    data: { ...given.data, columns },
  };
});

let tables = 0;

/** Takes a table that the page has read itself, as that of `source`. */
export function openTable(source: Source, data: TableData): void {
  given = JSON.stringify(source);
  tableProblem.value = null;
  read.value = { key: `table ${++tables}`, data };
  const { roles, axes, task } = guessedRoles(data, document.value);
  const models = task === taskOf(document.value, table.value) ? undefined : firstModels(task);
  dispatch({ type: "load", source, roles, axes, ...(models && { models }) });
}

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
      if (given === wanted) read.value = { key: `table ${++tables}`, data };
    },
    (error: Error) => {
      if (given === wanted) tableProblem.value = error.message;
    },
  );
});

/** Loads an included, generated or painted table and guesses its roles. */
export async function openSource(source: Source): Promise<void> {
  try {
    openTable(source, await pool.run("table", { source }));
  } catch (error) {
    tableProblem.value = (error as Error).message;
  }
}

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
  const named = (role: string) => loaded.data.columns.find(({ name }) => given[name] === role)?.name ?? null;
  const features = loaded.data.columns
    .map(({ name }) => name)
    .filter((name) => (given[name] ?? "feature") === "feature");
  return { table: loaded.key, features, target: named("target"), group: named("group"), task: task.value };
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

/** The part of the plane that pictures show: all points and a little around them. Null where no two columns can be drawn. */
export const plane: ReadonlySignal<Omit<GridView, "n"> | null> = computed(() => {
  const loaded = table.value;
  const { axes, view } = document.value;
  if (loaded === null || axes === null || roles.value === null) return null;
  const columns = axes.map((name) => columnOf(loaded.data, name));
  if (!axes.every((name) => roles.value!.features.includes(name))) return null;
  const ranges = columns.map((column) => (column?.kind === "number" ? around(column.values) : undefined));
  if (ranges[0] === undefined || ranges[1] === undefined) return null;
  const row = view.row !== null && view.row < loaded.data.rows ? view.row : null;
  return { axes, x: ranges[0], y: ranges[1], row };
});

function around(values: Float64Array): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (!(least <= most)) return [0, 1];
  const margin = 0.06 * (most - least) || Math.abs(least) * 0.1 || 1;
  return [least - margin, most + margin];
}

/** How far a model is. */
export interface Run {
  readonly state: "queued" | "running" | "done" | "cancelled" | "failed";
  readonly stage: string;
  /** 0 to 1; null where the end is not known. */
  readonly progress: number | null;
  readonly message: string;
  readonly grid: Grid | undefined;
  readonly trained: Trained | undefined;
}

const idle: Run = {
  state: "queued",
  stage: "",
  progress: null,
  message: "",
  grid: undefined,
  trained: undefined,
};

interface Training {
  readonly run: Signal<Run>;
  key: string;
  stop: AbortController | undefined;
  gridKey: string;
  gridStop: AbortController | undefined;
}

const trainings = new Map<string, Training>();

function trainingOf(id: string): Training {
  let training = trainings.get(id);
  if (training === undefined) {
    training = { run: signal(idle), key: "", stop: undefined, gridKey: "", gridStop: undefined };
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
  if (current === null) return;
  untracked(() => {
    for (const model of models) {
      const training = trainingOf(model.id);
      const key = JSON.stringify([model.estimator, model.params, current, split]);
      if (training.key !== key) start(training, key, model, current, preview);
    }
    for (const [id, training] of trainings)
      if (!models.some((model) => model.id === id)) {
        training.stop?.abort();
        pool.drop(`model ${training.key}`);
        trainings.delete(id);
      }
  });
});

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
  Object.assign(training, { key, stop });
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
        onNews: ({ stage, done, total, grid }) =>
          put({ stage, progress: total === null ? null : done / total, ...(grid && { grid }) }),
      },
    )
    .then(
      (trained) => {
        pool.hold(`model ${key}`, trained.file);
        put({ state: "done", stage: "", progress: 1, trained });
        refreshGrid(training);
      },
      (error: Error) =>
        put(error instanceof Stopped ? { state: "cancelled" } : { state: "failed", message: error.message }),
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
    for (const { id } of models) refreshGrid(trainingOf(id));
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

export function cancel(id: string): void {
  const { run, stop } = trainingOf(id);
  if (run.value.state !== "queued" && run.value.state !== "running") return;
  run.value = { ...run.value, state: "cancelled" };
  stop?.abort();
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
  return estimators.map((estimator, k) => ({ id: `m${k + 1}`, estimator, params: {} }));
}

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
export const selectedRows = signal<ReadonlySet<number> | null>(null);
