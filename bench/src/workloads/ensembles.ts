import type { DataSpec } from "../data/spec.js";
import { workloadsWith } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

/** A fifth is held out: 20,000 rows to learn from. */
const data: DataSpec = {
  kind: "classification",
  rows: 25_000,
  cols: 20,
  classes: 2,
  informative: 10,
  seed: 51,
};

const boosted = (stumps: number) => [
  argmax("AdaBoostClassifier", { nEstimators: stumps }),
  sklearn("ensemble.AdaBoostClassifier", { n_estimators: stumps, algorithm: "SAMME" }),
];
/** Both fit members on all processors. */
const bagged = [
  argmax("BaggingClassifier", { nEstimators: 50 }),
  sklearn("ensemble.BaggingClassifier", { n_estimators: 50, n_jobs: -1 }),
];

// Both choose the same stumps, except for ties, of which scikit-learn draws one.
const sameStumps = { ratio: 10, objective: 1e-2 } as const;
// Two bags draw different rows.
const otherRows = { ratio: 2, objective: 5e-2 } as const;

/** Ensembles of any estimator: fits of stumps and trees, and their predictions for 5,000 rows. */
export const ensembles = workloadsWith({ group: "ensembles", action: "heldOut", pledge: sameStumps }, [
  {
    id: "ada-boost-100",
    title: "AdaBoostClassifier, 100 stumps, 20,000 × 20",
    data,
    contestants: boosted(100),
  },
  {
    id: "ada-boost-500",
    title: "AdaBoostClassifier, 500 stumps, 20,000 × 20",
    data,
    contestants: boosted(500),
  },
  {
    id: "ada-boost-100-predict",
    title: "AdaBoostClassifier, 100 stumps: 5,000 rows",
    action: "heldOutPredict",
    data,
    contestants: boosted(100),
  },
  {
    id: "ada-boost-500-predict",
    title: "AdaBoostClassifier, 500 stumps: 5,000 rows",
    action: "heldOutPredict",
    data,
    contestants: boosted(500),
  },
  {
    id: "ada-boost-regression",
    title: "AdaBoostRegressor, 50 trees of depth 3, 10,000 × 20",
    data: { kind: "regression", rows: 12_500, cols: 20, informative: 10, seed: 57 },
    contestants: [
      argmax("AdaBoostRegressor", { nEstimators: 50 }),
      sklearn("ensemble.AdaBoostRegressor", { n_estimators: 50 }),
    ],
    pledge: otherRows,
  },
  {
    id: "bagging-50",
    title: "BaggingClassifier, 50 trees, 20,000 × 20",
    data,
    contestants: bagged,
    pledge: otherRows,
  },
  {
    id: "bagging-50-predict",
    title: "BaggingClassifier, 50 trees: 5,000 rows",
    action: "heldOutPredict",
    data,
    contestants: bagged,
    pledge: { ratio: 1, objective: 5e-2 },
  },
]);
