import { ParameterError } from "argmax/core";
import type { AnyEstimator, Learner } from "../rows/learner.js";
import { bayesLearners } from "./bayes.js";
import { binLearners } from "./bins.js";
import { compositeLearners } from "./composites.js";
import { decompositionLearners } from "./decomposition.js";
import { discriminantLearners } from "./discriminant.js";
import { dummyLearners } from "./dummies.js";
import { encoderLearners } from "./encoders.js";
import { imputerLearners } from "./imputers.js";
import { kMeansLearners } from "./k-means.js";
import { huberLearners } from "./linear/huber.js";
import { leastSquaresLearners } from "./linear/least-squares.js";
import { solvedLearners } from "./linear/solved-models.js";
import { mixtureLearners } from "./mixtures.js";
import { scalerLearners } from "./scalers.js";
import { selectorLearners } from "./selectors.js";
import { statelessLearners } from "./stateless.js";
import { tableVectorizerLearners } from "./table-vectorizer.js";
import { targetEncoderLearners } from "./target-encoder.js";
import { adaBoostLearners } from "./trees/ada-boost.js";
import { boostingLearners } from "./trees/boosting.js";
import { treeLearners } from "./trees/decision-trees.js";
import { forestLearners } from "./trees/forests.js";
import { stumpLearners } from "./trees/stumps.js";

const learners: readonly Learner[] = [
  ...compositeLearners,
  ...tableVectorizerLearners,
  ...scalerLearners,
  ...statelessLearners,
  ...imputerLearners,
  ...encoderLearners,
  ...targetEncoderLearners,
  ...binLearners,
  ...selectorLearners,
  ...dummyLearners,
  ...bayesLearners,
  ...discriminantLearners,
  ...decompositionLearners,
  ...solvedLearners,
  ...leastSquaresLearners,
  ...huberLearners,
  ...kMeansLearners,
  ...mixtureLearners,
  ...boostingLearners,
  ...treeLearners,
  ...forestLearners,
  ...stumpLearners,
  ...adaBoostLearners,
];

/** The learner of an estimator's class; what cannot learn from sums is an error that names the ways out. */
export function learnerOf(where: string, estimator: AnyEstimator): Learner {
  const found = learners.find(({ type }) => (estimator.constructor as unknown) === type);
  if (found !== undefined) return found;
  const expected = "made of estimators that learn from sums over rows";
  const advice =
    "Fit it in memory to a sample of the rows, stream them with batches() into a model with partialFit, or take another estimator.";
  throw new ParameterError(where, "the estimator", expected, nameOf(estimator), advice);
}

const nameOf = (estimator: object): string => {
  const type = estimator.constructor as { readonly id?: string; readonly name: string };
  return type.id ?? type.name;
};

/** Whether a part of an estimator asks for dozens or hundreds of passes. */
export const takesManyPasses = (estimator: unknown): boolean =>
  partsOf(estimator).some((part) =>
    learners.some(({ type, manyPasses }) => manyPasses && (part.constructor as unknown) === type),
  );

/** The name of the first part of an estimator that cannot learn from sums; undefined if there is none. */
export function unlearnablePart(estimator: unknown): string | undefined {
  const part = partsOf(estimator).find(
    ({ constructor: own }) => !learners.some(({ type }) => (own as unknown) === type),
  );
  return part && nameOf(part);
}

/** An estimator and all that it is made of. */
function partsOf(given: unknown): object[] {
  if (typeof given !== "object" || given === null) return [];
  const isEstimator = "params" in given && typeof (given as { fit?: unknown }).fit === "function";
  const parts = Object.values(isEstimator ? (given as { readonly params: object }).params : given);
  return [...(isEstimator ? [given] : []), ...parts.flatMap(partsOf)];
}
