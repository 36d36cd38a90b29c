import { AdaBoostClassifier, AdaBoostRegressor } from "../adaboost/index.js";
import { GaussianNB } from "../bayes/index.js";
import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "../boosting/index.js";
import { LinearDiscriminantAnalysis } from "../discriminant/index.js";
import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../forests/index.js";
import {
  ElasticNet,
  LassoCV,
  LinearRegression,
  LinearSVC,
  LogisticRegression,
  RidgeCV,
} from "../linear/index.js";
import { KNeighborsClassifier, KNeighborsRegressor } from "../neighbors/index.js";
import { MLPClassifier, MLPRegressor } from "../neural/index.js";
import type { Learner } from "../selection/index.js";
import { SVC, SVR } from "../svm/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
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

interface Candidate {
  readonly estimator: Unprepared;
  /** The time of a fit grows with the square of the rows or worse: not above this many. */
  readonly mostRows?: number;
}

// All have their default parameters, so that a name is the same model everywhere; a test holds them to it.
// Those that take long come first, so that at the end no worker waits long for another.

const classifiers = (randomState: number): readonly Candidate[] => [
  { estimator: new MLPClassifier({ randomState }) },
  { estimator: new HistGradientBoostingClassifier({ randomState }) },
  { estimator: new AdaBoostClassifier({ randomState }) },
  { estimator: new ExtraTreesClassifier({ randomState }) },
  { estimator: new RandomForestClassifier({ randomState }) },
  { estimator: new DecisionTreeClassifier({ randomState }) },
  { estimator: new SVC(), mostRows: 20_000 },
  { estimator: new KNeighborsClassifier(), mostRows: 50_000 },
  { estimator: new GaussianNB() },
  { estimator: new LinearDiscriminantAnalysis() },
  { estimator: new LinearSVC({ randomState }) },
  { estimator: new LogisticRegression() },
];

const regressors = (randomState: number): readonly Candidate[] => [
  { estimator: new MLPRegressor({ randomState }) },
  { estimator: new HistGradientBoostingRegressor({ randomState }) },
  { estimator: new AdaBoostRegressor({ randomState }) },
  { estimator: new ExtraTreesRegressor({ randomState }) },
  { estimator: new RandomForestRegressor({ randomState }) },
  { estimator: new DecisionTreeRegressor({ randomState }) },
  { estimator: new SVR(), mostRows: 20_000 },
  { estimator: new KNeighborsRegressor(), mostRows: 50_000 },
  { estimator: new ElasticNet() },
  { estimator: new LassoCV(), mostRows: 100_000 },
  { estimator: new RidgeCV(), mostRows: 100_000 },
  { estimator: new LinearRegression() },
];

/** The models for a task, each with the steps that X needs; inside cross-validation these learn from training rows only. */
export function defaultModels(
  task: "classification" | "regression",
  needs: Needs,
  randomState: number,
): { readonly entrants: readonly Entrant[]; readonly leftOut: readonly LeftOut[] } {
  const all = task === "classification" ? classifiers(randomState) : regressors(randomState);
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
