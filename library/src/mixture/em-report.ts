import type { FitReport } from "../core/contract.js";

/** How a run of EM ended; the objective is minus the mean log-likelihood, the gradient's place takes its last change. */
export function mixtureReport(
  lowerBounds: readonly number[],
  converged: boolean,
  maxIter: number,
): FitReport {
  const last = lowerBounds.at(-1) ?? -Number.MAX_VALUE;
  return {
    converged,
    iterations: lowerBounds.length,
    objective: -last,
    gradientNorm: Math.abs(last - (lowerBounds.at(-2) ?? 0)),
    solver: "expectationMaximisation",
    warnings:
      converged || lowerBounds.length < maxIter
        ? []
        : [
            `The log-likelihood still changes after ${maxIter} iterations: raise maxIter or tol, or scale the columns.`,
          ],
  };
}
