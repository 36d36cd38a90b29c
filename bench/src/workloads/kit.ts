import type { Workload } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

const npm = (call: string) => ({ side: "ml.js", call, params: {}, label: call, information: true }) as const;

export const kit: readonly Workload[] = [
  {
    id: "parse-csv",
    title: "CSV, 100,000 × 10: numbers, categories, dates, quoted text, gaps",
    group: "kit",
    action: "csv",
    data: { kind: "csv", rows: 100_000, seed: 31 },
    contestants: [
      argmax("parseCsv"),
      { ...sklearn("pandas.read_csv"), label: "pandas" },
      npm("papaparse"),
      npm("udsv"),
    ],
    pledge: { ratio: 1, objective: 1e-9 },
    note: "The types of all columns are guessed; pandas leaves dates as strings, papaparse and uDSV too, which make no categories either.",
  },
  {
    id: "grid-svc",
    title: "GridSearch, 12 SVC × 5 folds, 2,000 × 20",
    group: "kit",
    action: "tune",
    data: { kind: "classification", rows: 2000, cols: 20, classes: 2, seed: 32 },
    contestants: [
      argmax("GridSearch", {
        estimator: "SVC",
        params: {},
        grid: { C: [0.1, 1, 10, 100], gamma: [0.01, 0.05, 0.1] },
      }),
      sklearn("model_selection.GridSearchCV", {
        estimator: "svm.SVC",
        params: {},
        param_grid: { C: [0.1, 1, 10, 100], gamma: [0.01, 0.05, 0.1] },
        n_jobs: 2,
      }),
    ],
    pledge: { ratio: 1, objective: 1e-3 },
    note: "Two workers on both sides. The objective is the best mean accuracy, negated.",
  },
  {
    id: "random-boosting",
    title: "RandomSearch, 10 HistGradientBoostingClassifier × 3 folds, 5,000 × 20",
    group: "kit",
    action: "tune",
    data: { kind: "classification", rows: 5000, cols: 20, classes: 2, seed: 33 },
    contestants: [
      argmax("RandomSearch", {
        estimator: "HistGradientBoostingClassifier",
        params: { maxIter: 50 },
        space: { learningRate: ["logUniform", 0.02, 0.5], maxLeafNodes: ["integers", 5, 40] },
        nIter: 10,
        cv: 3,
      }),
      sklearn("model_selection.RandomizedSearchCV", {
        estimator: "ensemble.HistGradientBoostingClassifier",
        params: { max_iter: 50 },
        space: { learning_rate: ["logUniform", 0.02, 0.5], max_leaf_nodes: ["integers", 5, 40] },
        n_iter: 10,
        cv: 3,
        n_jobs: 2,
        random_state: 0,
      }),
    ],
    pledge: { ratio: 1, objective: 0.02 },
    note: "The candidates are drawn from the same distributions by different generators.",
  },
  {
    id: "compare",
    title: "compare, 12 models × 5 folds, 5,000 × 30, 5 columns of strings, with gaps",
    group: "kit",
    action: "compare",
    data: { kind: "mixed", rows: 5000, numbers: 25, categories: [3, 5, 8, 12, 20], seed: 35 },
    contestants: [
      argmax("compare", { numbers: 25 }),
      sklearn("model_selection.cross_val_score", { numbers: 25, n_jobs: 2 }),
    ],
    pledge: { ratio: 1, objective: 0.02 },
    note: "Two workers on both sides; scikit-learn is told what to do with each column. The objective is the best mean accuracy, negated.",
  },
  {
    id: "reload-forest",
    title: "save and load RandomForestClassifier, 100 trees, 20,000 × 20",
    group: "kit",
    action: "reload",
    data: { kind: "classification", rows: 20_000, cols: 20, classes: 2, seed: 34 },
    contestants: [
      argmax("RandomForestClassifier", { randomState: 0 }),
      sklearn("ensemble.RandomForestClassifier", { random_state: 0 }),
    ],
    pledge: { ratio: 1 },
    note: "joblib on the other side, to and from memory.",
  },
];
