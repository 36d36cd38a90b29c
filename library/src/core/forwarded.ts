import type { FittedModel, Samples } from "./contract.js";

/** What a fitted model computes of rows. */
export const answering = [
  "predict",
  "predictProba",
  "predictLogProba",
  "decisionFunction",
  "scoreSamples",
  "transform",
] as const;

/** The methods that a model around another one (a pipeline, a search) has exactly when that one has them. */
const methods = [...answering, "score"] as const;

/** What the inner model learned about the rows of fit: the outer one has it too. */
const learned = ["classes", "labels", "nTargets", "targetNames"] as const;

export type ForwardedMethod = (typeof methods)[number];
export type ForwardedValue = (typeof learned)[number];

/** Gives `outer` what `inner` has; each method through `call`, which may prepare X first. */
export function forward(
  outer: object,
  inner: FittedModel,
  call: (method: (x: Samples, ...rest: unknown[]) => unknown, x: Samples, rest: unknown[]) => unknown,
): void {
  const values = inner as unknown as Readonly<Record<string, unknown>>;
  for (const name of methods) {
    const method = values[name];
    if (typeof method !== "function") continue;
    const bound = (x: Samples, ...rest: unknown[]): unknown => method.call(inner, x, ...rest);
    const value = (x: Samples, ...rest: unknown[]) => call(bound, x, rest);
    Object.defineProperty(outer, name, { value, enumerable: false });
  }
  for (const name of learned)
    if (name in values) Object.defineProperty(outer, name, { value: values[name], enumerable: true });
}
