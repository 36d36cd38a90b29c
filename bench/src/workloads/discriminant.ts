import type { Workload } from "../workload.js";
import { classified, faster } from "./contestants.js";
import { digits, fiveClasses, iris } from "./data.js";

/** Half a millisecond in scikit-learn, 150 rows: measures the overhead of a call. */
const small = { ratio: 5, objective: 1e-6 } as const;

const row = classified("discriminant_analysis");

/** Fits, and the classes of all rows; the objective is the mean log loss on them. */
export const discriminant: readonly Workload[] = [
  row(
    "lda-200k",
    "LDA, 200,000 × 50, 5 classes, fit and predict",
    fiveClasses,
    "LinearDiscriminantAnalysis",
    faster,
  ),
  row(
    "qda-200k",
    "QDA, 200,000 × 50, 5 classes, fit and predict",
    fiveClasses,
    "QuadraticDiscriminantAnalysis",
    faster,
  ),
  row(
    "lda-digits",
    "LDA, digits (rank-deficient), fit and predict",
    digits,
    "LinearDiscriminantAnalysis",
    faster,
  ),
  row(
    "lda-digits-shrunk",
    "LDA, Ledoit–Wolf, digits, fit and predict",
    digits,
    "LinearDiscriminantAnalysis",
    faster,
    { ours: { solver: "lsqr", shrinkage: "auto" }, theirs: { solver: "lsqr", shrinkage: "auto" } },
  ),
  row("iris-lda", "LDA, iris, fit and predict", iris, "LinearDiscriminantAnalysis", small),
  row("iris-qda", "QDA, iris, fit and predict", iris, "QuadraticDiscriminantAnalysis", small),
];
