import {
  AdaBoostClassifier,
  DecisionStump,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "argmax";
import { classSamples, type FitCase, mixedSample, numbersSample, ROUNDING, type Sample } from "../cases.js";

/** Sums of gradients are those of integers, the same in any order. What they are made of differs in its last digits. */
const SAME_TREES = "trees are the same, raw predictions are sums in another order";

/** Columns as they are, and with categories, gaps and booleans. */
const classification = [
  numbersSample("two classes", { classes: 2 }),
  numbersSample("three classes and weights", { weighted: true }),
  numbersSample("an offset of 1e8", { classes: 2, offset: 1e8 }),
  mixedSample("categories and gaps", { rows: 120 }),
  mixedSample("categories, gaps, weights and three classes", { rows: 120, classes: 3, weighted: true }),
];
const regression = [
  numbersSample("numbers", { task: "regression" }),
  numbersSample("weights", { task: "regression", weighted: true }),
  numbersSample("an offset of 1e8", { task: "regression", offset: 1e8 }),
  mixedSample("categories and gaps", { rows: 120, task: "regression" }),
  mixedSample("categories, gaps and weights", { rows: 120, task: "regression", weighted: true }),
];
const few = { maxIter: 2, minSamplesLeaf: 4, maxLeafNodes: 5, maxBins: 20 };

/** Whole numbers of few values, of which some are 0: counts. */
const counts = (weighted: boolean): Sample => {
  const sample = mixedSample("counts", { rows: 120, task: "regression", weighted });
  const y = (sample.columns["y"] as number[]).map((value) => Math.max(0, Math.round(value + 2)));
  return { ...sample, name: weighted ? "counts and weights" : "counts", columns: { ...sample.columns, y } };
};

/** Exact trees: each value has a bin of its own. */
const decisionTrees: readonly FitCase[] = [
  ...(["gini", "entropy", "twoing"] as const).map(
    (criterion): FitCase => ({
      name: `DecisionTreeClassifier, ${criterion}`,
      make: () => new DecisionTreeClassifier({ criterion, maxDepth: 4, minSamplesLeaf: 3 }),
      samples: criterion === "twoing" ? [classification[1]!, classification[4]!] : classification,
      within: 1e-12,
      because: ROUNDING,
    }),
  ),
  {
    name: "DecisionTreeClassifier with few leaves and balanced classes",
    make: () =>
      new DecisionTreeClassifier({
        maxLeafNodes: 7,
        classWeight: "balanced",
        minSamplesSplit: 0.1,
        minWeightFractionLeaf: 0.02,
      }),
    // Of three classes a group of categories is as good as the others, which only rounding tells apart.
    samples: classification.slice(0, 4),
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "DecisionTreeRegressor",
    make: () => new DecisionTreeRegressor({ minSamplesLeaf: 4, maxDepth: 5 }),
    samples: regression,
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "DecisionTreeRegressor with few leaves, pruned",
    make: () => new DecisionTreeRegressor({ maxLeafNodes: 9, ccpAlpha: 0.02, minImpurityDecrease: 0.001 }),
    samples: [regression[1]!, regression[4]!],
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "DecisionTreeRegressor, poisson",
    make: () =>
      new DecisionTreeRegressor({ criterion: "poisson", maxDepth: 3, categoricalFeatures: ["open"] }),
    samples: [counts(false), counts(true)],
    within: 1e-9,
    because: ROUNDING,
  },
];

/** Without draws, all trees of a forest are the same. Ties, which small leaves have, would go to random columns. */
const forests: readonly FitCase[] = [
  {
    name: "RandomForestClassifier of all rows and columns",
    make: () =>
      new RandomForestClassifier({ nEstimators: 2, bootstrap: false, maxFeatures: null, minSamplesLeaf: 8 }),
    samples: [classification[1]!],
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "RandomForestRegressor of all rows and columns",
    make: () =>
      new RandomForestRegressor({ nEstimators: 2, bootstrap: false, minSamplesLeaf: 8, ccpAlpha: 0.01 }),
    samples: [regression[1]!, regression[2]!],
    within: 1e-9,
    because: ROUNDING,
  },
];

/** Sums of weights that change by factors of exp(vote): the last digits of a round are those of all before it. */
const boosted = { within: 1e-9, because: ROUNDING };

const adaBoost: readonly FitCase[] = [
  ...(["gini", "error"] as const).map(
    (criterion): FitCase => ({
      name: `DecisionStump, ${criterion}`,
      make: () => new DecisionStump({ criterion, classWeight: criterion === "gini" ? "balanced" : null }),
      samples: classSamples(),
      within: 1e-12,
      because: ROUNDING,
    }),
  ),
  {
    name: "AdaBoostClassifier",
    make: () => new AdaBoostClassifier({ nEstimators: 6 }),
    samples: classSamples(),
    ...boosted,
  },
  {
    name: "AdaBoostClassifier with balanced classes and a rate",
    make: () =>
      new AdaBoostClassifier({
        nEstimators: 4,
        learningRate: 0.6,
        classWeight: "balanced",
        estimator: new DecisionStump({ criterion: "error" }),
      }),
    samples: [numbersSample("two classes and weights", { classes: 2, weighted: true })],
    ...boosted,
  },
  {
    name: "AdaBoostClassifier of trees",
    make: () =>
      new AdaBoostClassifier({
        nEstimators: 3,
        randomState: 5,
        estimator: new DecisionTreeClassifier({ maxDepth: 2, minSamplesLeaf: 3 }),
      }),
    samples: classification,
    ...boosted,
  },
  {
    name: "AdaBoostClassifier that stops at a member without errors",
    make: () =>
      new AdaBoostClassifier({ nEstimators: 3, estimator: new DecisionTreeClassifier({ maxDepth: 9 }) }),
    samples: [numbersSample("two classes", { classes: 2, rows: 40 })],
    ...boosted,
  },
];

export const trees: readonly FitCase[] = [
  ...decisionTrees,
  ...adaBoost,
  ...forests,
  {
    name: "HistGradientBoostingRegressor",
    make: () => new HistGradientBoostingRegressor(few),
    samples: regression,
    within: 1e-9,
    because: SAME_TREES,
  },
  {
    name: "HistGradientBoostingRegressor with columns drawn, a penalty and constraints",
    make: () =>
      new HistGradientBoostingRegressor({
        ...few,
        maxBins: 255,
        maxFeatures: 0.6,
        l2Regularization: 0.5,
        monotonicCst: [1, -1, 0],
        interactionCst: [[0, 1], [2]],
      }),
    samples: [regression[1]!],
    within: 1e-9,
    because: SAME_TREES,
  },
  {
    name: "HistGradientBoostingClassifier",
    make: () => new HistGradientBoostingClassifier(few),
    samples: classification,
    within: 1e-9,
    because: SAME_TREES,
  },
  {
    name: "HistGradientBoostingClassifier with balanced classes that stops early by its training loss",
    make: () =>
      new HistGradientBoostingClassifier({
        ...few,
        maxIter: 3,
        maxDepth: 2,
        classWeight: "balanced",
        earlyStopping: true,
        validationFraction: null,
        nIterNoChange: 1,
        tol: 0.05,
      }),
    samples: [classification[4]!],
    within: 1e-9,
    because: SAME_TREES,
  },
  ...[HistGradientBoostingRegressor, HistGradientBoostingClassifier].map(
    (type): FitCase => ({
      name: `${type.id} on a scratch file`,
      make: () => new type({ ...few, maxIter: 5 }),
      samples: (type === HistGradientBoostingRegressor ? regression : classification).slice(3),
      options: { scratch: {} },
      within: 1e-14,
      because: "the kernels are the same, only the mean of the targets is summed in another order",
    }),
  ),
];
