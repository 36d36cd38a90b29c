import { AdaBoostClassifier } from "argmax/adaboost";
import type { Capabilities, DefaultCandidate, FittedModel, ParamsTable } from "argmax/core";
import { LogisticRegression } from "argmax/linear";
import { KNeighborsClassifier } from "argmax/neighbors";
import { MLPClassifier } from "argmax/neural";
import { SVC } from "argmax/svm";
import { DecisionTreeClassifier } from "argmax/trees";

/** A class of the library that can be added as a model. */
export interface EstimatorClass {
  new (params: object): Estimator;
  readonly id: string;
  readonly table: ParamsTable;
  readonly capabilities: Capabilities;
  readonly candidate?: DefaultCandidate;
}

export interface Estimator {
  readonly id: string;
  /** With the defaults. */
  readonly params: Readonly<Record<string, unknown>>;
  fit(x: unknown, y?: unknown, options?: unknown): Model;
  steps?(x: unknown, y?: unknown): Generator<ModelStep, Model, void>;
}

export interface ModelStep {
  readonly iteration: number;
  readonly total?: number;
  readonly objective?: number;
  model(): Model;
}

/** What a fitted model may offer. */
export interface Model extends FittedModel {
  readonly classes?: readonly (string | number)[];
  /** Absent where a clustering knows its own rows only, which have `labels`. */
  predict?(x: unknown): ArrayLike<string | number>;
  /** Undefined for rows whose winner has a smaller margin. */
  predict?(x: unknown, options: { readonly minMargin: number }): ArrayLike<string | number | undefined>;
  readonly labels?: ArrayLike<number>;
  predictProba?(x: unknown): Scores;
  decisionFunction?(x: unknown): Scores | Float64Array;
}

export interface Scores {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

/** The models of the first opening come with the worker; others are loaded when they are first used. */
const first = [
  AdaBoostClassifier,
  LogisticRegression,
  KNeighborsClassifier,
  MLPClassifier,
  SVC,
  DecisionTreeClassifier,
] as readonly EstimatorClass[];

interface Listed {
  readonly family: string;
  readonly Class: EstimatorClass;
}

let listed: Promise<readonly Listed[]> | undefined;

/** Every learner of the library by family. */
export function allEstimators(): Promise<readonly Listed[]> {
  listed ??= import("./all-estimators.js").then(({ families }) =>
    Object.entries(families).flatMap(([family, names]) =>
      Object.values(names)
        .filter(isEstimatorClass)
        .map((Class) => ({ family, Class })),
    ),
  );
  return listed;
}

const learns = new Set(["classification", "regression", "clustering", "density"]);

function isDeclared(value: unknown): value is EstimatorClass {
  const { id, table, capabilities } = (typeof value === "function" ? value : {}) as Partial<EstimatorClass>;
  return typeof id === "string" && table !== undefined && capabilities !== undefined;
}

const isEstimatorClass = (value: unknown): value is EstimatorClass =>
  isDeclared(value) && learns.has(value.capabilities.task);

export async function estimatorClass(id: string): Promise<EstimatorClass> {
  const known = first.find((Class) => Class.id === id);
  if (known !== undefined) return known;
  const found = (await allEstimators()).find(({ Class }) => Class.id === id);
  if (found === undefined) throw new Error(`There is no estimator ${id}.`);
  return found.Class;
}

/** Transformers of a target that have a way back, by id: they can be parts of an estimator. */
export async function targetTransformers(): Promise<ReadonlyMap<string, EstimatorClass>> {
  const { transformers } = await import("./all-estimators.js");
  const classes = Object.values(transformers as object).filter(isDeclared);
  return new Map(classes.filter((Class) => Class.capabilities.invertible).map((Class) => [Class.id, Class]));
}

export async function transformerClass(id: string): Promise<EstimatorClass> {
  const found = (await targetTransformers()).get(id);
  if (found === undefined) throw new Error(`There is no estimator ${id}.`);
  return found;
}
