import type { DataSpec } from "../data/spec.js";
import { type Workload, workloadsWith } from "../workload.js";
import { argmax, sklearn, xgboost } from "./contestants.js";

// A fifth of the rows is held out.
const small: DataSpec = {
  kind: "classification",
  rows: 15_000,
  cols: 16,
  classes: 2,
  informative: 10,
  seed: 61,
};
const threeClasses: DataSpec = {
  kind: "classification",
  rows: 100_000,
  cols: 20,
  classes: 3,
  informative: 10,
  seed: 62,
};
const large: DataSpec = {
  kind: "classification",
  rows: 200_000,
  cols: 50,
  classes: 2,
  informative: 20,
  seed: 63,
};
const numbers: DataSpec = { kind: "regression", rows: 100_000, cols: 20, informative: 10, seed: 64 };

/** XGBoost with the shape of tree that the others have by default: 31 leaves, the best leaf first, 255 bins, rate 0.1. */
const alike = {
  n_estimators: 100,
  tree_method: "hist",
  grow_policy: "lossguide",
  max_leaves: 31,
  max_depth: 0,
  max_bin: 255,
  learning_rate: 0.1,
  reg_lambda: 0,
};

/** A hundred rounds on all processors, none saved by stopping early. */
const boosted = (kind: "Classifier" | "Regressor") => [
  argmax(`HistGradientBoosting${kind}`, { maxIter: 100, earlyStopping: false }),
  sklearn(`ensemble.HistGradientBoosting${kind}`, { max_iter: 100, early_stopping: false }),
  xgboost(`XGB${kind}`, alike),
];

// Trees are the same up to splits of equal gain, and up to the rows that quantiles are taken from beyond 200,000.
const sameTrees = { ratio: 1, objective: 1e-2 } as const;

const fits = workloadsWith({ group: "ensembles", action: "heldOut", pledge: sameTrees }, [
  {
    id: "hist-small",
    title: "HistGradientBoostingClassifier, 100 rounds, 12,000 × 16",
    data: small,
    contestants: boosted("Classifier"),
    // XGBoost grows other trees; of the 3,000 rows that judge some 420 are wrong, with a standard error of 19.
    pledge: { ratio: 1, objective: 6e-2 },
  },
  {
    id: "hist-classes",
    title: "HistGradientBoostingClassifier, 100 rounds, 80,000 × 20, 3 classes",
    data: threeClasses,
    contestants: boosted("Classifier"),
  },
  {
    id: "hist-large",
    title: "HistGradientBoostingClassifier, 100 rounds, 160,000 × 50",
    data: large,
    contestants: boosted("Classifier"),
  },
  {
    id: "hist-regression",
    title: "HistGradientBoostingRegressor, 100 rounds, 80,000 × 20",
    data: numbers,
    contestants: boosted("Regressor"),
  },
]);

const predictions = workloadsWith({ group: "ensembles", action: "heldOutPredict", pledge: sameTrees }, [
  {
    id: "hist-classes-predict",
    title: "HistGradientBoostingClassifier, 300 trees: 20,000 rows",
    data: threeClasses,
    contestants: boosted("Classifier"),
  },
  {
    id: "hist-large-predict",
    title: "HistGradientBoostingClassifier, 100 trees: 40,000 rows of 50 columns",
    data: large,
    contestants: boosted("Classifier"),
  },
]);

const explanations: readonly Workload[] = [
  {
    id: "tree-shap",
    title: "explain (TreeSHAP), 100 trees of 31 leaves: 1,000 rows of 20 columns",
    group: "ensembles",
    action: "explain",
    data: { kind: "regression", rows: 20_000, cols: 20, informative: 10, seed: 65 },
    contestants: [
      argmax("HistGradientBoostingRegressor", { maxIter: 100, earlyStopping: false }),
      xgboost("XGBRegressor", alike),
    ],
    // XGBoost grows other trees: their errors on the training rows differ by a few per cent.
    pledge: { ratio: 1, objective: 5e-2 },
  },
];

/** Gradient boosting on binned columns. */
export const boosting: readonly Workload[] = [...fits, ...predictions, ...explanations];
