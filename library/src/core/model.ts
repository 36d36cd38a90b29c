import type { FitReport, FittedModel, FittedRegressor } from "./contract.js";
import { maxOf, pushAll } from "./numbers/extremes.js";
import { Printed, shortNumber, shownPlaces } from "./text/printing.js";
import { asCode, numbersAsCode } from "./text/printing-code.js";

/** What `fit` returns. Printed as what it is: classes, features, how training went, and what was learned. */
export abstract class Model extends Printed {
  toString(): string {
    return describeModel(this as unknown as Describable);
  }
}

interface Describable extends FittedModel {
  readonly classes?: readonly unknown[];
  readonly report?: FitReport;
}

/** Own properties that are shown otherwise, or not at all. */
const apart = new Set([
  ...["classes", "nFeatures", "featureNamesIn", "report", "state", "params", "labels", "id", "name"],
  ...["takesSparse", "codes", "targets", "positive", "outlier", "warnings"],
]);
/** Getters that cost nothing and say how large a model is. */
const sizes = ["depth", "leafCount", "nIter", "nSamples", "nComponents", "parameterCount", "oobScore"];
/** Lists that are shown by their length. */
const lists = ["trees", "estimators", "members", "stages", "support"];

function describeModel(model: Describable): string {
  const lines: [string, string][] = [];
  const { classes, featureNamesIn, report } = model;
  if (Array.isArray(classes)) lines.push(["classes", short(classes.map(asCode))]);
  if (model.nFeatures !== undefined)
    lines.push(["features", `${model.nFeatures}${featureNamesIn ? `: ${short(featureNamesIn)}` : ""}`]);
  if (report) lines.push(["training", training(report)]);
  for (const warning of report?.warnings ?? []) lines.push(["warning", warning]);
  const { own, counts } = contentsOf(model as unknown as Readonly<Record<string, unknown>>);
  for (const [key, value] of own) {
    const text = described(value);
    if (text !== undefined) lines.push([key, text]);
  }
  pushAll(lines, counts);
  const width = maxOf(lines.map(([key]) => key.length));
  return [titleOf(model), ...lines.map(([key, text]) => `  ${key.padEnd(width)}  ${text}`)].join("\n");
}

/** What was learned, by name, and the lengths of long lists. */
function contentsOf(model: Readonly<Record<string, unknown>>) {
  const own = Object.entries(model).filter(([key]) => !apart.has(key) && !lists.includes(key));
  for (const key of sizes) if (key in model && !Object.hasOwn(model, key)) own.push([key, model[key]]);
  const counts = lists
    .filter((key) => key in model)
    .map((key): [string, string] => [key, String((model[key] as ArrayLike<unknown>)?.length ?? "none")]);
  return { own, counts };
}

/** A bundler may have changed the names of classes: the kind of a model is kept in its state. */
function titleOf(model: FittedModel): string {
  const { name } = model.constructor;
  return name.startsWith("Fitted") ? name : `Fitted${model.toState?.().kind ?? ""}`;
}

const short = (names: readonly string[]): string =>
  shownPlaces(names.length)
    .map((e) => (e < 0 ? "…" : names[e]!))
    .join(", ");

function training({ converged, iterations, objective, solver }: FitReport): string {
  const steps = `${solver}: ${converged ? "converged" : "NOT CONVERGED"} after ${iterations} ${iterations === 1 ? "iteration" : "iterations"}`;
  return Number.isFinite(objective) ? `${steps}, objective ${shortNumber(objective)}` : steps;
}

/** A learned value in one line; undefined where it has none. */
function described(value: unknown): string | undefined {
  if (typeof value === "number") return shortNumber(value);
  if (typeof value === "string" || typeof value === "boolean") return asCode(value);
  if (ArrayBuffer.isView(value)) return numbersAsCode(value as Float64Array);
  if (Array.isArray(value)) {
    if (value.every((entry) => typeof entry === "number")) return numbersAsCode(value);
    return value.every((entry) => typeof entry === "string") ? short(value.map(asCode)) : undefined;
  }
  const { rows, cols, data } = (value ?? {}) as { rows?: unknown; cols?: unknown; data?: unknown };
  if (typeof rows !== "number" || typeof cols !== "number") return undefined;
  const size = `${rows} × ${cols}`;
  return rows === 1 && ArrayBuffer.isView(data) ? `${size}: ${numbersAsCode(data as Float64Array)}` : size;
}

/** Whether a model that was loaded predicts a number per row: no labels, and not several targets. */
export const isSingleTarget = (model: FittedModel): model is FittedRegressor =>
  "predict" in model &&
  !("classes" in model) &&
  (model as { readonly nTargets?: number }).nTargets === undefined;
