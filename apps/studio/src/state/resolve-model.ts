import { twoClassesOnly } from "../generated/estimators.js";
import type { ModelSpec, SpecValue } from "../work/protocol.js";
import { limits, type ModelEntry, type ParamValue } from "./document.js";
import { modelName } from "./model-names.js";
import type { HiddenLayer, Part, Stage } from "./param-value.js";
import { isEventBlock, isHiddenLayer, isListOf, isNamedPart, isPart, isStage } from "./param-value.js";

/** What a model of the bench depends on besides itself. */
export interface Bench {
  readonly models: readonly ModelEntry[];
  readonly features: readonly string[];
  /** None in a regression. */
  readonly classes: readonly string[];
  readonly target: string | null;
}

/** A model with all that it is made of, or why it cannot be made, in one sentence. */
export type Resolved =
  | { readonly spec: ModelSpec; readonly problem?: never }
  | { readonly spec?: never; readonly problem: string };

export function resolveModel(model: ModelEntry, bench: Bench): Resolved {
  try {
    return { spec: new Resolver(bench).spec(model, [model.id]) };
  } catch (error) {
    if (error instanceof Unresolvable) return { problem: error.message };
    throw error;
  }
}

class Unresolvable extends Error {}

class Resolver {
  readonly #bench: Bench;
  #estimators = 0;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** `path`: the models that this one is inside, itself last. */
  spec({ estimator, params }: Omit<ModelEntry, "id">, path: readonly string[]): ModelSpec {
    if (++this.#estimators > limits.estimators)
      throw new Unresolvable(
        `It is made of more than ${limits.estimators} estimators: choose smaller members.`,
      );
    const { classes, target } = this.#bench;
    if (classes.length > 2 && twoClassesOnly.includes(estimator))
      throw new Unresolvable(
        `${modelName(estimator)} separates two classes, and ${target} has ${classes.length}: choose a target with two in Data.`,
      );
    const entries = Object.entries(params).map(([name, value]) => [name, this.#value(value, path)]);
    return { estimator, params: Object.fromEntries(entries) };
  }

  #value(value: ParamValue, path: readonly string[]): SpecValue {
    // JSON, and so a link, has no such number.
    if (value === "Infinity") return Infinity;
    if (isPart(value)) return this.#part(value, path);
    if (isNamedPart(value)) return { ...value.settings, name: value.name };
    if (isListOf(value, isPart)) return named(value.map((part) => this.#part(part, path)));
    if (isListOf(value, isStage)) return value.map((stage, s) => this.#stage(stage, s, path));
    if (isListOf(value, isEventBlock))
      return value.map(({ event, columns }, b) => {
        const known = this.#features(columns);
        if (known.length === 0) throw new Unresolvable(`Block ${b + 1} has no column: choose one.`);
        return { model: event, columns: { columns: known } };
      });
    if (isListOf(value, isHiddenLayer)) return [...value.map(layerJson), this.#outputs()];
    if (isListOf(value, isText)) return { columns: this.#features(value) };
    return value as SpecValue;
  }

  #part(part: Part, path: readonly string[]): ModelSpec {
    if (path.length > limits.depth)
      throw new Unresolvable(`Its members are more than ${limits.depth} deep: choose simpler ones.`);
    // What has defaults is not a model of the bench: it cannot lead back here.
    if ("estimator" in part) return this.spec({ estimator: part.estimator, params: {} }, [...path, ""]);
    const model = this.#bench.models.find(({ id }) => id === part.model);
    if (model === undefined)
      throw new Unresolvable(`Its member ${part.model} is no longer on the bench: choose another one.`);
    if (path.includes(part.model))
      throw new Unresolvable(`It is made of itself, by way of ${path.at(-1)}: choose another member.`);
    return this.spec(model, [...path, model.id]);
  }

  #stage({ part, columns, cost, sensitivity }: Stage, s: number, path: readonly string[]): SpecValue {
    const known = this.#features(columns);
    if (known.length === 0) throw new Unresolvable(`Stage ${s + 1} has no column: choose one.`);
    return { features: { columns: known }, cost, estimator: this.#part(part, path), sensitivity };
  }

  /** Other columns may have been left out since. */
  #features(columns: readonly string[]): readonly string[] {
    const known = new Set(this.#bench.features);
    return [...new Set(columns)].filter((name) => known.has(name));
  }

  #outputs(): SpecValue {
    const { length } = this.#bench.classes;
    return { layer: "dense", units: Math.max(1, length) };
  }
}

const isText = (value: unknown): value is string => typeof value === "string";

const layerJson = (layer: HiddenLayer): SpecValue => ({ ...layer });

/** Members by name, each once: "svc", "svc2". */
function named(members: readonly ModelSpec[]): Readonly<Record<string, ModelSpec>> {
  const out = new Map<string, ModelSpec>();
  for (const member of members) {
    const stem = memberName(member.estimator);
    let name = stem;
    for (let k = 2; out.has(name); k++) name = `${stem}${k}`;
    out.set(name, member);
  }
  return Object.fromEntries(out);
}

/** "KNeighborsClassifier" → "kNeighborsClassifier", "SVC" → "svc". */
const memberName = (estimator: string): string =>
  estimator.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase());
