import { checkTable, guessTask, type Table, type VectorizerParams } from "argmax";
import { Failure, readChoice, UsageError } from "../command.js";
import { loadTable } from "../data/load.js";
import { requireNames } from "../data/names.js";
import { listed } from "../data/nearest.js";
import { readNames, readSourceOptions } from "../data/options.js";
import { splitTarget } from "../data/target.js";
import { shellWord } from "../shell.js";
import type { Task } from "./learners.js";
import { type InDatabase, memoryOf, requireMemory } from "./memory.js";
import { readVectorizer, type TrainingValues } from "./training-options.js";

export interface TrainingData {
  readonly name: string;
  readonly X: Table;
  readonly y: readonly (string | number | boolean)[];
  readonly target: string;
  readonly task: Task;
  readonly remarks: readonly string[];
  /** Parameters of the vectorizer of tables. */
  readonly vectorizer: VectorizerParams;
}

/** Reads a table, and divides it into what is predicted and what from. */
export async function loadTrainingData(
  source: string,
  values: TrainingValues,
  signal: AbortSignal,
  inDatabase?: InDatabase,
): Promise<TrainingData> {
  if (values.rows === undefined) await requireMemory(source, inDatabase, memoryOf(process.env));
  const loaded = await loadTable(source, readSourceOptions(values, signal));
  const { X: all, y, target, remarks } = splitTarget(loaded, values.target);
  if (loaded.table.column(target).kind === "date") throw datesFailure(loaded.name, target);
  if (y.every((entry) => entry === y[0])) throw constantFailure(loaded.name, target, y[0]);
  const X = trainingColumns(loaded.name, all, values);
  const task =
    values.task === undefined
      ? guessTask(y)
      : readChoice("task", values.task, ["classification", "regression"]);
  if (task === "regression" && typeof y[0] !== "number") throw needsNumbers(target, y[0]);
  const found = [
    ...loaded.remarks,
    ...loaded.table.warnings.map(({ message }) => `${loaded.name}: ${message}`),
    ...remarks,
    ...leakRemarks(loaded.table, X, target, task),
    ...(task === "regression" ? [] : imbalanceRemarks(countsOf(y), y.length)),
  ];
  return { name: loaded.name, X, y, target, task, remarks: found, vectorizer: readVectorizer(values) };
}

export const needsNumbers = (target: string, entry: unknown): UsageError =>
  new UsageError(
    `--task regression needs numbers to predict, and ${JSON.stringify(target)} has ${JSON.stringify(entry)}.`,
  );

export const datesFailure = (name: string, target: string): Failure =>
  new Failure(
    `Column ${JSON.stringify(target)} of ${name} has dates, which cannot be predicted. Predict a number instead, as the days since an event.`,
  );

export const constantFailure = (name: string, target: string, entry: unknown): Failure =>
  new Failure(
    `Column ${JSON.stringify(target)} of ${name} is ${JSON.stringify(entry)} in every row: there is nothing to learn.`,
  );

/** Fraction of one class from which accuracy says little. */
const ONE_SIDED = 0.85;

/** How often each label is there. */
export function countsOf<T>(y: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** `counts` are those of the classes. */
export function imbalanceRemarks(counts: ReadonlyMap<unknown, number>, rows: number): string[] {
  const [label, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
  if (count < ONE_SIDED * rows) return [];
  const share = `${((100 * count) / rows).toFixed(1)} %`;
  const other = counts.size === 2 ? "rocAuc or averagePrecision" : "balancedAccuracy";
  return [
    `! ${share} of the rows are ${JSON.stringify(label)}, so that a constant prediction has a high accuracy: --scoring ${other} is more informative.`,
  ];
}

/**
 * The data without classes of fewer rows than there are parts to measure with: stratified folds need a row of each class in every one.
 * `parts` is as a sentence has it: `5 folds`.
 */
export function withoutRareClasses(data: TrainingData, fewest: number, parts: string): TrainingData {
  if (data.task === "regression") return data;
  const found = rareClasses(data, countsOf(data.y), fewest, parts);
  if (found === undefined) return data;
  const left = new Set(found.rare);
  const kept = Array.from(data.y.keys()).filter((i) => !left.has(data.y[i]!));
  return {
    ...data,
    X: data.X.selectRows(kept),
    y: kept.map((i) => data.y[i]!),
    remarks: [...data.remarks, found.remark],
  };
}

/** The classes of too few rows to be measured, and what to say of them; undefined if there are none. */
export function rareClasses<T>(
  { name, target }: Pick<TrainingData, "name" | "target">,
  counts: ReadonlyMap<T, number>,
  fewest: number,
  parts: string,
): { readonly rare: readonly T[]; readonly rows: number; readonly remark: string } | undefined {
  const few = [...counts].filter(([, count]) => count < fewest);
  if (few.length === 0) return undefined;
  const rare = few.map(([label]) => label);
  const need = `a class needs ${fewest} rows or more`;
  const sum = (list: readonly (readonly [T, number])[]) => list.reduce((all, [, count]) => all + count, 0);
  if (counts.size - rare.length < 2)
    throw new Failure(
      `Column ${JSON.stringify(target)} of ${name} has ${counts.size} classes in ${sum([...counts])} rows, and ${counts.size === rare.length ? "none" : "only one"} of them can be measured: with ${parts}, ${need}.`,
    );
  const rows = sum(few);
  const classes = `${rare.length === 1 ? "the class" : `${rare.length} classes:`} ${listed(rare.map((label) => JSON.stringify(label)))}`;
  const remark = `${rows === 1 ? "1 row was" : `${rows} rows were`} left out, of ${classes}. With ${parts}, ${need}.`;
  return { rare, rows, remark };
}

/** Columns that leak the target: scores with them are optimistically biased. */
export function leakRemarks(table: Table, X: Table, target: string, task: Task): string[] {
  const found = checkTable(table, { target, task, features: X.columnNames, codes: ["id-like", "leak"] });
  return found.flatMap(({ code, column, message }) =>
    // Text that differs in every row is left out by the vectorizer, which says so.
    code === "id-like" && X.column(column!).kind !== "numeric"
      ? []
      : `! ${message} To leave it out: --drop ${shellWord(column!)}`,
  );
}

/** The columns to learn from: all that are not dropped. */
export function trainingColumns(source: string, all: Table, { drop }: TrainingValues): Table {
  const dropped = readNames(drop) ?? [];
  const names: readonly string[] = all.columnNames;
  requireNames(source, dropped, names);
  if (dropped.length === names.length) throw new UsageError("--drop leaves no column to predict from.");
  return dropped.length === 0 ? all : all.drop(dropped);
}
