import type { Classifier, FitOptions, FittedClassifier } from "../core/contract.js";
import type { Label } from "../core/labels.js";
import { Random } from "../core/numbers/random.js";
import type { Matrix } from "../data/matrix.js";
import type { ClassificationSet } from "../data/training-set.js";
import type { MemberSet } from "../ensembles/member-rows.js";
import { encodeInto, memberOptions, reseeded } from "../ensembles/members.js";
import { StumpSearch } from "../numeric/trees/stumps.js";
import { type DecisionStump, FittedDecisionStump, withClassProportions } from "../trees/decision-stump.js";
import type { WeakLearner } from "./ada-boost-rounds.js";

/** A learner that owns memory until it is closed. */
export interface ClosableLearner<M> extends WeakLearner<M> {
  close(): void;
}

/** Fits stumps to columns that are sorted once for all rounds. */
export function stumpLearner<L extends Label>(
  where: string,
  stump: DecisionStump,
  set: ClassificationSet<L>,
  rounds: number,
): ClosableLearner<FittedDecisionStump<L>> {
  const { classes, codes } = set;
  const { criterion } = stump.params;
  const search = new StumpSearch(where, set.x as Matrix, codes, classes.length, criterion, rounds);
  return {
    learn: (weights, _, mistakes) => {
      const split = withClassProportions(search.best(weights));
      const member = new FittedDecisionStump(stump.params, classes, set.x.cols, split);
      search.mistakesInto(member.answers, mistakes);
      return member;
    },
    close: () => search.close(),
  };
}

/** Fits any classifier that takes weights. */
export function memberLearner<L extends Label>(
  estimator: Classifier,
  set: MemberSet<ClassificationSet<L>>,
  seed: number,
  options: FitOptions,
): ClosableLearner<FittedClassifier<L>> {
  const { x, classes, codes } = set;
  const y = Array.from(codes, (k) => classes[k]!);
  const random = new Random(seed);
  const predicted = new Int32Array(codes.length);
  return {
    learn: (weights, _, mistakes) => {
      const own = reseeded(estimator, () => random.uint32());
      const member = own.fit(x, y, memberOptions(options, weights.slice()));
      encodeInto(member.predict(x), classes, predicted);
      for (let i = 0; i < codes.length; i++) mistakes[i] = predicted[i] === codes[i] ? 0 : 1;
      return member;
    },
    close: () => {},
  };
}
