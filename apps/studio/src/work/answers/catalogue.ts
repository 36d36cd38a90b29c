import type { ParamSpec } from "argmax/core";
import { allEstimators, type EstimatorClass, targetTransformers } from "../estimators.js";
import type { EstimatorInfo, ParamInfo } from "../protocol.js";

/** Every estimator with its parameters. */
export async function catalogue(): Promise<readonly EstimatorInfo[]> {
  const transformers = [...(await targetTransformers()).keys()];
  return (await allEstimators()).map(({ family, Class }) => ({
    id: Class.id,
    family,
    task: Class.capabilities.task as EstimatorInfo["task"],
    params: paramsOf(Class, transformers),
    steps: "steps" in Class.prototype,
    probabilities: Class.capabilities.probabilities,
    multiclass: Class.capabilities.multiclass,
    form: Class.capabilities.form ?? null,
    cost: Class.candidate?.cost ?? null,
    hasDefaults: hasDefaults(Class),
  }));
}

function hasDefaults(Class: EstimatorClass): boolean {
  try {
    new Class({});
    return true;
  } catch {
    return false;
  }
}

const paramsOf = ({ table }: EstimatorClass, transformers: readonly string[]): ParamInfo[] =>
  Object.entries(table).map(([name, spec]) => infoOf(name, spec, transformers));

function infoOf(name: string, spec: ParamSpec<unknown>, transformers: readonly string[]): ParamInfo {
  const { kind, default: value, doc, expected, range } = spec;
  const choices = spec.kind === "transformer" ? transformers : choicesOf(spec);
  return {
    name,
    kind,
    default: sendable(value),
    doc,
    expected,
    ...(choices === undefined ? {} : { choices }),
    ...(range === undefined ? {} : { range: { ...range } }),
  };
}

/** Functions that are known by name are named in what is expected. */
function choicesOf({ kind, choices, expected }: ParamSpec<unknown>): ParamInfo["choices"] {
  if (choices !== undefined || kind !== "function") return choices;
  return [...expected.matchAll(/"(\w+)"/g)].map(([, known]) => known!);
}

/** Functions and objects of classes cannot be sent: their name, or else their text, says what they are. */
function sendable(value: unknown): unknown {
  if (typeof value === "function") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { name, kind } = value as { readonly name?: unknown; readonly kind?: unknown };
  return [name, kind].find((one) => typeof one === "string") ?? String(value);
}
