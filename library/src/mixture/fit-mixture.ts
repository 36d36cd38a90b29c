import type { FitReport } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { mapSteps } from "../core/steps.js";
import type { EmResult, EmStep, MixtureRows } from "./expectation-maximisation.js";
import { ExpectationMaximisation } from "./expectation-maximisation.js";
import type { MixtureParams } from "./params.js";
import type { StartParams } from "./start-params.js";
import { startOf } from "./starts.js";

/** Runs EM from each of nInit starts and returns the run that ended at the largest likelihood. */
export function* fitMixture(
  where: string,
  rows: MixtureRows,
  params: MixtureParams,
  given?: StartParams,
  subject = "X",
): Generator<EmStep & { readonly start: number }, EmResult, void> {
  const { nComponents: K, nInit } = params;
  if (rows.x.rows < K) {
    throw new DataError(where, subject, `at least as many rows as components (${K})`, `${rows.x.rows}`);
  }
  const random = new Random(params.randomState);
  const em = new ExpectationMaximisation(where, rows, params);
  try {
    let best: EmResult | undefined;
    for (let start = 0; start < nInit; start++) {
      const run = em.run(startOf(where, rows, em, params, given, random.split()));
      const before = start * params.maxIter;
      const result = yield* mapSteps(run, (step) => ({ ...step, start, iteration: before + step.iteration }));
      if (best === undefined || result.lowerBounds.at(-1)! > best.lowerBounds.at(-1)!) best = result;
    }
    return best!;
  } finally {
    em.close();
  }
}

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
