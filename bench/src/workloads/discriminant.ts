import type { DataSpec } from "../data/spec.js";
import type { Workload } from "../workload.js";
import { argmax, faster, sklearn } from "./contestants.js";
import { digits, iris } from "./data.js";

const fiveClasses: DataSpec = { kind: "classification", rows: 200_000, cols: 50, classes: 5, seed: 12 };

/** Half a millisecond in scikit-learn, 150 rows: measures the overhead of a call. */
const small = { ratio: 5, objective: 1e-6 } as const;

const row = (
  id: string,
  title: string,
  data: DataSpec,
  name: "LinearDiscriminantAnalysis" | "QuadraticDiscriminantAnalysis",
  pledge: Workload["pledge"],
  params: { readonly ours?: object; readonly theirs?: object } = {},
): Workload => ({
  id,
  title,
  group: "probabilistic",
  action: "classify",
  data,
  contestants: [argmax(name, params.ours), sklearn(`discriminant_analysis.${name}`, params.theirs)],
  pledge,
});

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
