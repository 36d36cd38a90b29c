import type { ParamSpec } from "argmax/core";
import { allEstimators, type EstimatorClass } from "../estimators.js";
import type { EstimatorInfo, ParamInfo } from "../protocol.js";

/** Every estimator, with what it needs beyond plain parameters: others, layers, stages. */
export async function catalogue(): Promise<readonly EstimatorInfo[]> {
  return (await allEstimators()).map(({ family, Class }) => ({
    id: Class.id,
    family,
    task: Class.capabilities.task as EstimatorInfo["task"],
    params: paramsOf(Class),
    steps: "steps" in Class.prototype,
    probabilities: Class.capabilities.probabilities,
    needs: needsOf(Class),
  }));
}

/** Why the estimator cannot be made from its defaults; null where it can. */
function needsOf(Class: EstimatorClass): string | null {
  try {
    new Class({});
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const paramsOf = ({ table }: EstimatorClass): ParamInfo[] =>
  Object.entries(table).map(([name, spec]) => infoOf(name, spec));

function infoOf(
  name: string,
  { kind, default: value, doc, expected, choices, range }: ParamSpec<unknown>,
): ParamInfo {
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

/** Functions and objects of classes cannot be sent: their name, or else their text, says what they are. */
function sendable(value: unknown): unknown {
  if (typeof value === "function") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { name, kind } = value as { readonly name?: unknown; readonly kind?: unknown };
  return [name, kind].find((one) => typeof one === "string") ?? String(value);
}
