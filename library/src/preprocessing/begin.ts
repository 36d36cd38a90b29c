import type { FitOptions } from "../core/contract.js";
import { AbortError, ParameterError } from "../core/errors.js";

/** What a transformer that takes no weights does first: obeys the signal, and refuses weights instead of ignoring them. */
export function begin(where: string, options: FitOptions): void {
  if (options.signal?.aborted) throw new AbortError(where, options.signal);
  if (options.sampleWeight === undefined) return;
  throw new ParameterError({
    where,
    subject: "sampleWeight",
    expected: "absent, since nothing here depends on weights",
    received: "weights",
  });
}
