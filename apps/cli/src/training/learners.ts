import type { Capabilities, PipelineStep, RegisteredClass } from "argmax";
import { estimatorClasses, ParameterError } from "argmax";
import { UsageError } from "../command.js";
import { nearest } from "../data/nearest.js";

export type Task = "classification" | "regression";

/** An estimator that can be named on the command line. */
export interface LearnerClass {
  /** The name of the class: `RandomForestClassifier`. */
  readonly id: string;
  /** As words: `random-forest-classifier`. */
  readonly name: string;
  readonly task: Task;
  readonly capabilities: Capabilities;
  readonly create: (params: Readonly<Record<string, unknown>>) => Learner;
  readonly table: ParamsTable;
  readonly searchSpace: RegisteredClass["searchSpace"];
}

export type Learner = InstanceType<RegisteredClass> & PipelineStep;
export type ParamsTable = RegisteredClass["table"];

/** `RandomForestClassifier` → `random-forest-classifier`, `KNeighborsClassifier` → `k-neighbors-classifier`, `MLPRegressor` → `mlp-regressor`. */
export const wordsOf = (id: string): string =>
  id
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();

let all: readonly LearnerClass[] | undefined;

/** Every classifier and regressor that can be made from plain values. Those around another estimator are given as JSON (--pipeline). */
export function learnerClasses(): readonly LearnerClass[] {
  all ??= estimatorClasses.flatMap((given): LearnerClass[] => {
    const { id, table, capabilities, searchSpace } = given;
    const Class = given as unknown as new (params: object) => Learner;
    if (capabilities.task !== "classification" && capabilities.task !== "regression") return [];
    if (Object.values(table).some(needsPart) || isOfParts(capabilities)) return [];
    const create = (params: object) => {
      try {
        return new Class(params);
      } catch (error) {
        throw error instanceof ParameterError ? new UsageError(`--set: ${error.message}`) : error;
      }
    };
    return [{ id, name: wordsOf(id), task: capabilities.task, capabilities, create, table, searchSpace }];
  });
  return all;
}

/** A parameter that a word of the command line could not give: one without a default, a list of estimators, of stages or of layers. */
const needsPart = ({ default: value, kind }: ParamsTable[string]): boolean =>
  value === undefined || kind === "estimators" || kind === "stages" || kind === "layers";

/** Whether it is one around any other estimator, or X is documents, images, sequences or a single column. */
const isOfParts = ({ input, composite, form }: Capabilities): boolean =>
  input !== undefined || (composite === true && form === undefined);

/** One name for a classifier and its regressor: `random-forest`. */
export const shortName = (name: string): string => name.replace(/-(classifier|regressor)$/, "");

/** Names for help and completion; a pair of classifier and regressor has one short name. */
export const learnerNames = (task?: Task): string[] => [
  ...new Set(
    learnerClasses()
      .filter((one) => task === undefined || one.task === task)
      .map(({ name }) => shortName(name)),
  ),
];

/** Parameters of each model, by its short name and all of its names, with the values to choose from. A classifier and its regressor are one. */
export function learnerSettings(): {
  readonly names: readonly string[];
  readonly params: ReadonlyMap<string, readonly string[]>;
}[] {
  return learnerNames().map((short) => {
    const both = learnerClasses().filter(({ name }) => shortName(name) === short);
    const params = new Map<string, string[]>();
    for (const { table } of both)
      for (const [name, { choices = [] }] of Object.entries(table))
        params.set(name, [...new Set([...(params.get(name) ?? []), ...choices.map(String)])]);
    return { names: [...new Set([short, ...both.map(({ name }) => name)])], params };
  });
}

/** The estimator of a name for a task: `random-forest` is the classifier or the regressor. */
export function findLearner(given: string, task: Task): LearnerClass {
  const wanted = given.toLowerCase();
  const named = learnerClasses().filter(
    ({ id, name }) => id.toLowerCase() === wanted || name === wanted || shortName(name) === wanted,
  );
  const found = named.find((one) => one.task === task);
  if (found !== undefined) return found;
  if (named.length > 0)
    throw new UsageError(
      `--model ${given} is for ${named[0]!.task}, and this is ${task === "regression" ? "a regression" : "a classification"}: give --task ${named[0]!.task}, or another model.`,
    );
  const names = learnerNames(task);
  const near = nearest(given, names);
  throw new UsageError(
    `There is no model ${JSON.stringify(given)}${near === undefined ? "" : ` (did you mean ${near}?)`}. The models for ${task} are ${names.join(", ")}.`,
  );
}

/** Parameters from `name=value` words. A value is JSON (8, true, null, [100, 50]) or else text. */
export function readSettings(words: readonly string[] | undefined): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const word of words ?? []) {
    const at = word.indexOf("=");
    if (at <= 0)
      throw new UsageError(`--set must be NAME=VALUE, as maxDepth=8; got ${JSON.stringify(word)}.`);
    const name = word.slice(0, at).trim();
    if (Object.hasOwn(settings, name)) throw new UsageError(`--set ${name} is given twice.`);
    Object.defineProperty(settings, name, { value: readValue(word.slice(at + 1)), enumerable: true });
  }
  return settings;
}

export function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
