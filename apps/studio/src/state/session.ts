import { batch, computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { type GuessedRoles, guessedRoles } from "../data/guess-roles.js";
import { pixelColumns } from "../data/pixel-columns.js";
import type { Source } from "../data/source.js";
import { type ColumnData, columnOf, ownValue, type TableData } from "../data/table.js";
import { Pool, poolSize } from "../work/pool.js";
import type { EstimatorInfo, Roles, Task } from "../work/protocol.js";
import { type Action, reduce } from "./actions.js";
import { firstDocument, firstModels, type ModelEntry, type StudioDocument } from "./document.js";
import { modelName } from "./model-names.js";
import { planeSignals } from "./plane.js";
import type { RowSet } from "./row-set.js";
import { withKinds } from "./table-kinds.js";

/** The document, and what is computed from it: tables, models, pictures. Screens read these signals and dispatch actions. */
export const document = signal<StudioDocument>(firstDocument);

export const toast = signal<{ readonly text: string; readonly undo?: Action } | null>(null);

export function dispatch(action: Action): void {
  if (action.type === "removeModel") {
    const { models, board } = document.value;
    const at = models.findIndex(({ id }) => id === action.id);
    const model = models[at];
    if (model !== undefined)
      toast.value = {
        text: `Removed ${modelName(model.estimator)}.`,
        undo: { type: "insertModel", model, at, board },
      };
  }
  // What could be undone was about the document before.
  if (action.type === "open") toast.value = null;
  if (choices.has(action.type)) followsLeader.value = false;
  document.value = reduce(document.value, action);
}

/** Whether the best model becomes the selected one: of an own table, until somebody chooses or changes a model. */
export const followsLeader = signal(false);

const choices: ReadonlySet<Action["type"]> = new Set(["open", "select", "addModel", "setParam", "compare"]);

/** Selects a model as nobody's choice. */
export function selectLeader(id: string): void {
  document.value = reduce(document.value, { type: "select", id });
}

const startWorker = () => new Worker(new URL("../work/worker.ts", import.meta.url), { type: "module" });

export const pool = new Pool(startWorker, poolSize(navigator.hardwareConcurrency || 2));

/** A worker that reads and describes tables: it does not wait for models. */
export const reader = new Pool(startWorker, 1);

interface LoadedTable {
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
    followsLeader.value = source.kind === "file";
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

export const modelEntry = (id: string | null): ModelEntry | undefined =>
  document.value.models.find((model) => model.id === id);

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
