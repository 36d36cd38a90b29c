import { integers, logUniform, ParameterError, uniform } from "argmax";
import { UsageError } from "./command.js";
import { readValue } from "./learners.js";

export type Space = Record<string, readonly unknown[] | ReturnType<typeof uniform>>;

const forest: Space = {
  nEstimators: [100, 200, 400],
  maxFeatures: ["sqrt", "log2", 0.3, 0.6, 1],
  minSamplesLeaf: integers(1, 20),
  maxDepth: [null, 4, 8, 16],
};
const boosting: Space = {
  learningRate: logUniform(0.01, 0.5),
  maxLeafNodes: integers(7, 63),
  minSamplesLeaf: integers(5, 60),
  l2Regularization: [0, 0.1, 1, 10],
  maxIter: [50, 100, 200, 400],
};
const tree: Space = {
  maxDepth: [null, 2, 3, 4, 6, 8, 12],
  minSamplesLeaf: integers(1, 40),
  ccpAlpha: logUniform(1e-5, 1e-1),
};
const neighbors: Space = { nNeighbors: integers(1, 40), weights: ["uniform", "distance"], p: [1, 2] };
const network: Space = {
  hiddenLayerSizes: [[32], [64], [128], [64, 64]],
  alpha: logUniform(1e-6, 1e-1),
  learningRateInit: logUniform(3e-4, 1e-2),
};
const svm: Space = { C: logUniform(1e-2, 1e3), gamma: logUniform(1e-4, 1) };

/** What is worth trying, by the estimator's id: the ranges of the usual guides. */
export const spaces: Readonly<Record<string, Space>> = {
  LogisticRegression: { C: logUniform(1e-4, 1e3) },
  SoftmaxRegression: { C: logUniform(1e-4, 1e3) },
  LinearSVC: { C: logUniform(1e-4, 1e3) },
  LinearSVR: { C: logUniform(1e-3, 1e3), epsilon: logUniform(1e-3, 1) },
  SGDClassifier: { alpha: logUniform(1e-6, 1e-1), loss: ["hinge", "logistic"] },
  SGDRegressor: { alpha: logUniform(1e-6, 1e-1) },
  Ridge: { alpha: logUniform(1e-4, 1e4) },
  Lasso: { alpha: logUniform(1e-4, 1e2) },
  ElasticNet: { alpha: logUniform(1e-4, 1e2), l1Ratio: uniform(0.05, 1) },
  GaussianNB: { varSmoothing: logUniform(1e-12, 1e-1) },
  MultinomialNB: { alpha: logUniform(1e-3, 10) },
  BernoulliNB: { alpha: logUniform(1e-3, 10) },
  KNeighborsClassifier: neighbors,
  KNeighborsRegressor: neighbors,
  SVC: svm,
  SVR: { ...svm, epsilon: logUniform(1e-3, 1) },
  DecisionTreeClassifier: tree,
  DecisionTreeRegressor: tree,
  RandomForestClassifier: forest,
  RandomForestRegressor: forest,
  ExtraTreesClassifier: forest,
  ExtraTreesRegressor: forest,
  HistGradientBoostingClassifier: boosting,
  HistGradientBoostingRegressor: boosting,
  AdaBoostClassifier: { nEstimators: [25, 50, 100, 200], learningRate: logUniform(0.03, 2) },
  AdaBoostRegressor: { nEstimators: [25, 50, 100, 200], learningRate: logUniform(0.03, 2) },
  MLPClassifier: network,
  MLPRegressor: network,
};

const distributions = { log: logUniform, uniform, integers } as const;

/** Ranges from words: `C=log:0.01:100`, `maxDepth=integers:2:12`, `kernel=rbf,linear`. */
export function readSpace(words: readonly string[] | undefined): Space | undefined {
  if (words === undefined) return undefined;
  const space: Space = {};
  for (const word of words) {
    const at = word.indexOf("=");
    if (at <= 0)
      throw new UsageError(
        `--range must be NAME=log:FROM:TO, NAME=uniform:FROM:TO, NAME=integers:FROM:TO or NAME=A,B,C; got ${JSON.stringify(word)}.`,
      );
    try {
      space[word.slice(0, at)] = readRange(word.slice(at + 1));
    } catch (error) {
      throw error instanceof ParameterError ? new UsageError(`--range ${word}: ${error.message}`) : error;
    }
  }
  return space;
}

function readRange(text: string): Space[string] {
  const [kind, from, to, ...more] = text.split(":");
  if (Object.hasOwn(distributions, kind!) && more.length === 0 && from !== undefined && to !== undefined)
    return distributions[kind as keyof typeof distributions](Number(from), Number(to));
  const list = readValue(`[${text}]`);
  return Array.isArray(list) ? list : text.split(",").map((one) => readValue(one.trim()));
}
