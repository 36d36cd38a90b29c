import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "argmax";
import { type FitCase, mixedSample, numbersSample } from "../cases.js";

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

export const trees: readonly FitCase[] = [
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
];
