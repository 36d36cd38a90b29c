import type { DefaultCandidate } from "../core/contract.js";
import { type EstimatorJson, estimatorClasses, estimatorFromJson } from "../persistence/index.js";
import type { Learner } from "../selection/index.js";
import { type Needs, prepared, type Unprepared } from "./prepared-for.js";

/** A model to be compared. */
export interface Entrant {
  readonly name: string;
  readonly estimator: Learner;
}

/** A model that is left out, and why. */
export interface LeftOut {
  readonly name: string;
  readonly because: string;
}

interface Candidate extends DefaultCandidate {
  readonly estimator: Unprepared;
}

/**
 * Those that declare it, the slowest first. All have their default parameters, so that a name is the same model everywhere; a test holds
 * them to it.
 */
const candidates = (task: "classification" | "regression", randomState: number): readonly Candidate[] =>
  estimatorClasses
    .flatMap(({ id, candidate, capabilities, table }): Candidate[] => {
      if (candidate === undefined || capabilities.task !== task) return [];
      const params: EstimatorJson["params"] = table["randomState"] === undefined ? {} : { randomState };
      return [{ ...candidate, estimator: estimatorFromJson({ estimator: id, params }) }];
    })
    .sort((a, b) => b.cost - a.cost);

/** The models for a task, each with the steps that X needs; inside cross-validation these learn from training rows only. */
export function defaultModels(
  task: "classification" | "regression",
  needs: Needs,
  randomState: number,
): { readonly entrants: readonly Entrant[]; readonly leftOut: readonly LeftOut[] } {
  const all = candidates(task, randomState);
  const slow = all.filter(({ mostRows = Infinity }) => needs.rows > mostRows);
  return {
    entrants: all
      .filter((candidate) => !slow.includes(candidate))
      .map((candidate) => ({
        name: candidate.estimator.id,
        estimator: prepared(candidate.estimator, needs),
      })),
    leftOut: slow.map(({ estimator, mostRows }) => ({
      name: estimator.id,
      because: `its time grows faster than the rows, of which there are more than ${mostRows}`,
    })),
  };
}
