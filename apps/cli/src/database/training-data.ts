import {
  type ColumnType,
  type DatabaseRows,
  type EngineSession,
  type SourceColumn,
  withoutValues,
} from "@argmax/sql";
import {
  BooleanColumn,
  type Column,
  DateColumn,
  guessTask,
  type Label,
  type ModelCard,
  modelCard,
  NumericColumn,
  type Table,
  TextColumn,
} from "argmax";
import { Failure, readChoice, UsageError } from "../command.js";
import { settled, tableOf } from "../data/columns.js";
import { requireNames } from "../data/names.js";
import { listed } from "../data/nearest.js";
import { readNames } from "../data/options.js";
import { gapsRemark } from "../data/target.js";
import type { Task } from "../training/learners.js";
import {
  constantFailure,
  datesFailure,
  imbalanceRemarks,
  leakRemarks,
  needsNumbers,
  rareClasses,
} from "../training/training-data.js";
import type { TrainingValues } from "../training/training-options.js";
import type { OpenedDatabase } from "./open.js";

/** Rows of a database, divided into what is predicted and what from. */
export interface DatabaseTrainingData {
  readonly name: string;
  /** Without rows that have no target. */
  readonly rows: DatabaseRows;
  readonly count: number;
  readonly features: readonly string[];
  readonly target: string;
  readonly task: Task;
  /** The number of rows of each class; none for a regression. */
  readonly classes: ReadonlyMap<Label, number>;
  readonly remarks: readonly string[];
  readonly card: ModelCard;
}

/** Rows that a card describes, and that hints at leaks are from. */
const SAMPLED = 10_000;
/** Milliseconds that a pass may take. */
const PASS = 3_600_000;
const MOST_CLASSES = 10_000;

const show = (entry: unknown) => JSON.stringify(entry);

/** What a model learns from, by a look at the first rows and one pass over all. */
export async function databaseTrainingData(
  opened: OpenedDatabase,
  values: TrainingValues,
  signal: AbortSignal,
): Promise<DatabaseTrainingData> {
  const { name, rows } = opened;
  const { target, features } = chosenColumns(opened, values);
  const session = await rows.engine.open(rows.source, { signal, timeoutMs: PASS });
  try {
    const found = await sampleOf(session, [...features, target], signal);
    if (found.rows === 0) throw new Failure(`${name} has no rows.`);
    const X = found.drop([target.name]);
    const task = taskOf(found.column(target.name), target, values);
    const facts = await factsOf(session, target, task, features, categoricalIn(X), signal);
    const { classes, gaps, count } = facts;
    if (count === gaps)
      throw new Failure(`Column ${show(target.name)} of ${name} has no entries: there is nothing to learn.`);
    if (task === "classification" && classes.size === 1)
      throw constantFailure(name, target.name, [...classes.keys()][0]);
    if (classes.size > MOST_CLASSES)
      throw new Failure(`Column ${show(target.name)} of ${name} has more than ${MOST_CLASSES} classes.`);
    const card = modelCard(X, { target: target.name, task });
    return {
      name,
      rows: gaps === 0 ? rows : withoutValues(rows, target, [null]),
      count: count - gaps,
      features: features.map((column) => column.name),
      target: target.name,
      task,
      classes,
      remarks: [
        ...opened.remarks,
        ...(gaps === 0 ? [] : [gapsRemark(target.name, gaps)]),
        ...leakRemarks(found, X, target.name, task),
        ...(task === "classification" ? imbalanceRemarks(classes, count - gaps) : []),
      ],
      card: { ...card, rows: count - gaps, inputs: card.inputs.map(ofAllRows(facts)) },
    };
  } finally {
    await session.close();
  }
}

/** The rows without classes of fewer rows than there are parts to measure with. */
export function withoutRareRows(
  data: DatabaseTrainingData,
  target: SourceColumn,
  fewest: number,
  parts: string,
): DatabaseTrainingData {
  const found = rareClasses(data, data.classes, fewest, parts);
  if (found === undefined) return data;
  const count = data.count - found.rows;
  return {
    ...data,
    rows: withoutValues(data.rows, target, found.rare),
    count,
    classes: new Map([...data.classes].filter(([label]) => !found.rare.includes(label))),
    remarks: [...data.remarks, found.remark],
    card: { ...data.card, rows: count },
  };
}

export const targetOf = ({ columns }: OpenedDatabase, { target }: DatabaseTrainingData): SourceColumn =>
  columns.find(({ name }) => name === target)!;

/** The target and the other columns, as --columns and --drop say. */
function chosenColumns(
  { columns, label, name }: OpenedDatabase,
  values: TrainingValues,
): { readonly target: SourceColumn; readonly features: readonly SourceColumn[] } {
  const names = columns.map((column) => column.name);
  if (values.target === undefined)
    throw new UsageError(`--target is missing: the column to predict. The columns are ${listed(names)}.`);
  const [asked, dropped] = [readNames(values.columns), readNames(values.drop) ?? []];
  requireNames(label, [values.target, ...(asked ?? []), ...dropped], names);
  const target = columns.find((column) => column.name === values.target)!;
  if (target.type === "date") throw datesFailure(name, target.name);
  const features = columns.filter(
    (column) => column !== target && !dropped.includes(column.name) && (asked?.includes(column.name) ?? true),
  );
  if (features.length === 0)
    throw dropped.length > 0
      ? new UsageError("--drop leaves no column to predict from.")
      : new Failure(`${name} has only the column ${show(target.name)}: there is nothing to predict it from.`);
  const nested = [target, ...features].find(({ type }) => type === undefined);
  if (nested !== undefined)
    throw new Failure(
      `${label}, column ${show(nested.name)} is not of numbers, text, booleans or dates. ` +
        "Flatten it first, or leave it out: --drop or --columns.",
    );
  return { target, features };
}

type BatchBlock = readonly ArrayLike<number | string | null>[];

/** The first rows as a table. */
async function sampleOf(
  session: EngineSession,
  columns: readonly SourceColumn[],
  signal: AbortSignal,
): Promise<Table> {
  const asked = columns.map((column) => {
    const of = read(column);
    return { of, type: of.as };
  });
  const blocks = session.batches(asked, { rows: SAMPLED, limit: SAMPLED, signal, timeoutMs: PASS });
  const found: BatchBlock[] = [];
  for await (const block of blocks) found.push(block);
  return tableOf(
    columns.map(({ name, type }, c) => {
      const cells = found.flatMap((block) => Array.from<number | string | null>(block[c]!));
      return [name, settled(columnOf(type, cells))] as const;
    }),
  );
}

/** A column of cells, in which a gap is NaN or null. */
export function columnOf(type: ColumnType | undefined, cells: ArrayLike<number | string | null>): Column {
  if (type === "text") return new TextColumn(Array.from(cells as ArrayLike<string | null>));
  const numbers = Float64Array.from(cells as ArrayLike<number>);
  if (type === "date") return new DateColumn(numbers);
  if (type === "boolean")
    return new BooleanColumn(Uint8Array.from(numbers, (value) => (Number.isNaN(value) ? 2 : value)));
  return new NumericColumn(numbers);
}

function taskOf(sample: Column, { name, type }: SourceColumn, { task }: TrainingValues): Task {
  const asked = task === undefined ? undefined : readChoice("task", task, ["classification", "regression"]);
  const entries = sample.toArray().filter((entry) => entry !== null) as Label[];
  if (asked === "regression" && type !== "number") throw needsNumbers(name, entries[0]);
  return asked ?? (type === "number" && entries.length > 0 ? guessTask(entries) : "classification");
}

const categoricalIn = (X: Table): readonly string[] =>
  X.columnNames.filter((name) => (X.column(name) as Column).kind === "categorical");

/** What is known of all rows. */
interface Facts {
  readonly count: number;
  /** Rows without a target. */
  readonly gaps: number;
  /** The number of rows of each class. */
  readonly classes: ReadonlyMap<Label, number>;
  /** Names of columns with gaps. */
  readonly missing: ReadonlySet<string>;
  readonly ranges: ReadonlyMap<string, { readonly min: number; readonly max: number }>;
  readonly categories: ReadonlyMap<string, readonly string[]>;
}

const read = ({ name, type }: SourceColumn) =>
  ({ kind: "column", name, type, as: type === "text" ? "text" : "number" }) as const;

/** 1 where a column has a gap, otherwise 0. */
const gapOf = (column: SourceColumn) =>
  ({
    kind: "sum",
    of: {
      kind: "case",
      branches: [{ test: { kind: "isNull", a: read(column) }, value: { kind: "number", value: 1 } }],
      otherwise: { kind: "number", value: 0 },
    },
  }) as const;

/** Asks for all that is known of all rows in one pass. */
async function factsOf(
  session: EngineSession,
  target: SourceColumn,
  task: Task,
  features: readonly SourceColumn[],
  categorical: readonly string[],
  signal: AbortSignal,
): Promise<Facts> {
  const numeric = features.filter(({ type }) => type === "number");
  const keyType = target.type === "text" ? "text" : "number";
  const queries = [
    {
      groupBy: task === "classification" ? [{ of: read(target), type: keyType } as const] : [],
      aggregates: [gapOf(target)],
    },
    {
      groupBy: [],
      aggregates: [
        ...features.map(gapOf),
        ...numeric.flatMap((column) => [
          { kind: "min" as const, of: read(column) },
          { kind: "max" as const, of: read(column) },
        ]),
      ],
    },
    ...features
      .filter(({ name }) => categorical.includes(name))
      .map((column) => ({ groupBy: [{ of: read(column), type: "text" as const }], aggregates: [] })),
  ];
  const [groups, [whole], ...lists] = (await session.sums(queries, { signal, timeoutMs: PASS })) as [
    Groups,
    Groups,
    ...Groups[],
  ];
  const values = whole!.values;
  return {
    count: groups.reduce((all, { count }) => all + count, 0),
    gaps: groups.reduce((all, group) => all + group.values[0]!, 0),
    classes: new Map(
      groups.flatMap(({ keys: [key], count }): [Label, number][] =>
        key === undefined || key === null ? [] : [[target.type === "boolean" ? key === 1 : key, count]],
      ),
    ),
    missing: new Set(features.flatMap(({ name }, j) => (values[j]! > 0 ? [name] : []))),
    ranges: new Map(
      numeric.map(({ name }, e) => {
        const at = features.length + 2 * e;
        return [name, { min: values[at]!, max: values[at + 1]! }];
      }),
    ),
    categories: new Map(
      categorical.map((name, c) => [
        name,
        lists[c]!.flatMap(({ keys: [key] }) => (typeof key === "string" ? [key] : [])).sort(),
      ]),
    ),
  };
}

type Groups = Awaited<ReturnType<EngineSession["sums"]>>[number];

/** What a card says of a column, by all rows. */
const ofAllRows =
  ({ missing, ranges, categories }: Facts) =>
  (input: ModelCard["inputs"][number]): ModelCard["inputs"][number] => {
    const { name } = input;
    const all = categories.get(name);
    const range = ranges.get(name);
    return {
      ...input,
      missing: missing.has(name),
      ...(input.categories !== undefined &&
        all !== undefined &&
        all.length <= MOST_LISTED && { categories: all }),
      ...(range !== undefined && range.min <= range.max && range),
    };
  };

/** As of a card that is made of a table. */
const MOST_LISTED = 1000;
