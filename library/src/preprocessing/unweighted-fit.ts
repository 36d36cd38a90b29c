import type { FitOptions } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { beginFit } from "../core/options.js";

/** Start of the fit of a transformer that takes no weights: obeys the signal, and throws on weights instead of ignoring them. */
export function beginUnweightedFit(where: string, options: FitOptions, y?: unknown): void {
  beginFit(where, options, y);
  if (options.sampleWeight === undefined) return;
  throw new ParameterError({
    where,
    subject: "sampleWeight",
    expected: "absent, since nothing here depends on weights",
    received: "weights",
  });
}
