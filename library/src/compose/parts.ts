import type { FitOptions, MatrixLike } from "../core/contract.js";
import { ArgmaxError, ParameterError, show } from "../core/errors.js";
import { maxOf } from "../core/numbers/extremes.js";
import { isTable } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import { fitAndTransform, type TransformingModel } from "../pipeline/fit-step.js";
import { distinctNames } from "../preprocessing/feature-names.js";
import type { PartTransformer, Remainder } from "./types.js";

export const isTransformer = (value: unknown): value is PartTransformer =>
  typeof (value as Partial<PartTransformer> | null | undefined)?.fit === "function";

export const isTreatment = (value: unknown): value is Remainder =>
  value === "drop" || value === "passthrough" || isTransformer(value);

export function refuseWeights(where: string): never {
  throw new ParameterError({
    where,
    subject: "sampleWeight",
    expected: "absent, since no transformer takes weights",
    received: "weights",
  });
}

/** A transformer fitted to X, and what it makes of X, as a matrix. */
export function fittedPart(
  where: string,
  part: PartTransformer,
  x: unknown,
  y: unknown,
  options: FitOptions,
): { readonly model: TransformingModel; readonly X: Design } {
  const { model, X } = fitAndTransform(part, x, y, options);
  return { model, X: outputOf(where, X) };
}

/** What a part makes, as a matrix. */
export function outputOf(where: string, x: MatrixLike, cols?: number): Design {
  if ((x as { cols?: unknown }).cols === 0 && !isTable(x)) return x as Design;
  return readMatrix(where, x, { sparse: true, missing: true, ...(cols === undefined ? {} : { cols }) });
}

/** Runs a part; an error of it names the part. */
export function withinPart<T>(where: string, name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ArgmaxError && error.where !== where
      ? error.within(`${where}, ${show(name)}`)
      : error;
  }
}

/** The outputs' names of all parts, with the name of the part before them if two would be the same. */
export function namesOfParts(parts: readonly (readonly [string, readonly string[]])[]): string[] {
  const plain = parts.flatMap(([, names]) => names);
  if (new Set(plain).size === plain.length) return plain;
  return distinctNames(parts.flatMap(([part, names]) => names.map((name) => `${part}__${name}`)));
}

/** A fitted composition as text: what goes in and comes out, and a line per part. */
export function printedParts(
  name: string,
  nFeatures: number,
  nOutputs: number,
  sparse: boolean,
  parts: readonly (readonly [string, string])[],
): string {
  const lines = [["features", `${nFeatures} → ${nOutputs}, ${sparse ? "sparse" : "dense"}`], ...parts];
  const width = maxOf(lines.map(([part]) => part!.length));
  return [name, ...lines.map(([part, text]) => `  ${part!.padEnd(width)}  ${text}`)].join("\n");
}
