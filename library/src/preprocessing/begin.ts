import type { FitOptions } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import { beginFit } from "../core/options.js";

/** What a transformer that takes no weights does first: obeys the signal, and refuses weights instead of ignoring them. */
export function begin(where: string, options: FitOptions): void {
  beginFit(where, options);
  if (options.sampleWeight === undefined) return;
  throw new ParameterError({
    where,
    subject: "sampleWeight",
    expected: "absent, since nothing here depends on weights",
    received: "weights",
  });
}
