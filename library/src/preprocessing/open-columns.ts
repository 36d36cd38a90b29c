import type { FitOptions } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { beginFit } from "../core/options.js";

/** What a transformer that takes no weights does first: obeys the signal, and refuses weights instead of ignoring them. */
export function begin(where: string, options: FitOptions, y?: unknown): void {
  beginFit(where, options, y);
  if (options.sampleWeight === undefined) return;
  throw new ParameterError({
    where,
    subject: "sampleWeight",
    expected: "absent, since nothing here depends on weights",
    received: "weights",
  });
}
