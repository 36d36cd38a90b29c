import { preparedFor } from "argmax/compare";
import { ColumnTransformer } from "argmax/compose";
import type { Column, Table } from "argmax/data";
import { Pipeline, pipeline } from "argmax/pipeline";
import { OrdinalEncoder, SimpleImputer, TargetEncoder } from "argmax/preprocessing";
import { type Estimator, estimatorClass, transformerClass } from "./estimators.js";
import type { ColumnNames, ModelSpec, SpecValue } from "./protocol.js";

/** The estimator with all that it is made of, behind the steps that these columns need. */
export async function preparedEstimator(spec: ModelSpec, x: Table): Promise<Estimator> {
  // Whatever a link names: only an estimator learns.
  await estimatorClass(spec.estimator);
  const front = frontOf(spec, x);
  const estimator = await built(spec, front?.names ?? x.columnNames);
  if (front === undefined) return preparedFor(estimator, x) as Estimator;
  const last = preparedFor(estimator, front.sample);
  return new Pipeline({ steps: [front.step, last] }) as unknown as Estimator;
}

async function built(spec: ModelSpec, names: readonly string[]): Promise<Estimator> {
  const Class = await estimatorClass(spec.estimator).catch(() => transformerClass(spec.estimator));
  return new Class((await valuesOf(spec.params, names)) as object);
}

async function valuesOf(value: SpecValue, names: readonly string[]): Promise<unknown> {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return Promise.all(value.map((entry) => valuesOf(entry, names)));
  if (isModelSpec(value)) return built(value, names);
  if (isColumnNames(value)) return value.columns.map((name) => names.indexOf(name));
  const entries = Object.entries(value).map(async ([key, entry]) => [key, await valuesOf(entry, names)]);
  return Object.fromEntries(await Promise.all(entries));
}

const isList = (value: object): value is readonly SpecValue[] => Array.isArray(value);

export const isModelSpec = (value: unknown): value is ModelSpec => {
  const { estimator, params } = (value ?? {}) as Partial<ModelSpec>;
  return typeof estimator === "string" && typeof params === "object" && params !== null;
};

export const isColumnNames = (value: unknown): value is ColumnNames => {
  const { columns, ...others } = (value ?? {}) as Partial<ColumnNames>;
  return Array.isArray(columns) && Object.keys(others).length === 0;
};

/** A step that makes a column of numbers of every column, their names, and a row like those it makes. */
interface Front {
  readonly step: Estimator;
  readonly names: readonly string[];
  readonly sample: readonly (readonly number[])[];
}

/**
 * Where an estimator names columns, one-hot columns would be in their place. Instead, in front of it each category is a number: its mean
 * target for the stages of a cascade, which may be any classifier, else its code. Free text is left out. Undefined where all columns are numbers,
 * or no column is named.
 */
function frontOf(spec: ModelSpec, x: Table): Front | undefined {
  const kinds = x.columnNames.map((name) => x.column(name).kind);
  const named = (isWanted: (kind: Column["kind"]) => boolean) =>
    x.columnNames.filter((_, j) => isWanted(kinds[j]!));
  const numbers = named((kind) => kind === "numeric");
  const categories = named((kind) => kind === "categorical");
  if (numbers.length === x.columnNames.length || !namesColumns(spec)) return undefined;
  const encoder = hasStages(spec)
    ? new TargetEncoder()
    : pipeline(
        new SimpleImputer({ strategy: "mostFrequent" }),
        // Those of all rows: a fold may have no row of a rare one.
        new OrdinalEncoder({ categories: categories.map((name) => categoriesOf(x, name)) }),
      );
  const transformers = {
    ...(numbers.length > 0 && { numbers: [new SimpleImputer({ strategy: "median" }), numbers] as const }),
    ...(categories.length > 0 && { categories: [encoder, categories] as const }),
  };
  const names = [...numbers, ...categories];
  return {
    step: new ColumnTransformer({ transformers }) as Estimator,
    names,
    sample: [names.map(() => 0)],
  };
}

function categoriesOf(x: Table, name: string): string[] {
  const column = x.column(name) as { readonly length: number; at(i: number): string | null };
  const seen = new Set<string>();
  for (let i = 0; i < column.length; i++) {
    const value = column.at(i);
    if (value !== null) seen.add(value);
  }
  return [...seen].sort();
}

const namesColumns = (value: SpecValue): boolean =>
  isColumnNames(value) ? value.columns.length > 0 : entriesOf(value).some(namesColumns);

/** Whether columns are named beside a model that reads them. */
function hasStages(value: SpecValue): boolean {
  const entries = entriesOf(value);
  return (entries.some(isColumnNames) && entries.some(isModelSpec)) || entries.some(hasStages);
}

const entriesOf = (value: SpecValue): readonly SpecValue[] =>
  typeof value === "object" && value !== null ? (Object.values(value) as SpecValue[]) : [];
