import { workloadsWith } from "../workload.js";
import { argmax, faster, mlLinear, sklearn } from "./contestants.js";
import { longRegression, square, tenTargets, wide } from "./data.js";

const tenAlphas = [0.01, 0.1, 1, 10, 100, 1000, 10_000, 1e5, 1e6, 1e7];

export const regression = workloadsWith({ group: "linear", action: "fit", pledge: faster }, [
  {
    id: "linear-200k",
    title: "linear regression, 200,000 × 100",
    data: longRegression,
    measure: { kind: "squares", alpha: 0 },
    contestants: [argmax("LinearRegression"), sklearn("linear_model.LinearRegression"), mlLinear],
  },
  {
    id: "ridge-200k",
    title: "ridge, 200,000 × 100",
    data: longRegression,
    measure: { kind: "squares", alpha: 1 },
    contestants: [argmax("Ridge"), sklearn("linear_model.Ridge")],
  },
  {
    id: "ridge-targets",
    title: "ridge, 10 targets, 160,000 × 100",
    action: "heldOut",
    data: tenTargets,
    contestants: [argmax("Ridge"), sklearn("linear_model.Ridge")],
  },
  {
    id: "lasso-2000",
    title: "lasso, 2,000 × 2,000",
    data: square,
    measure: { kind: "elasticNet", alpha: 0.02, l1Ratio: 1 },
    contestants: [argmax("Lasso", { alpha: 0.02 }), sklearn("linear_model.Lasso", { alpha: 0.02 })],
  },
  {
    id: "lasso-path",
    title: "lasso path, 100 steps, 2,000 × 2,000",
    action: "path",
    data: square,
    measure: { kind: "elasticNetPath", l1Ratio: 1 },
    contestants: [
      argmax("lassoPath", { nAlphas: 100, eps: 0.01 }),
      sklearn("linear_model.lasso_path", { n_alphas: 100, eps: 0.01 }),
    ],
    note: "scikit-learn's path has no intercept and gets centred data; centring is inside the time.",
  },
  {
    id: "ridge-cv-200k",
    title: "RidgeCV, leave-one-out, 10 alphas, 200,000 × 100",
    data: longRegression,
    measure: { kind: "squares", alpha: 0 },
    contestants: [
      argmax("RidgeCV", { alphas: tenAlphas }),
      sklearn("linear_model.RidgeCV", { alphas: tenAlphas }),
    ],
  },
  {
    id: "lasso-cv",
    title: "LassoCV, 100 alphas, 5 folds, 2,000 × 2,000",
    data: square,
    measure: { kind: "elasticNet", alpha: 0, l1Ratio: 1 },
    contestants: [argmax("LassoCV", { eps: 0.01 }), sklearn("linear_model.LassoCV", { eps: 0.01 })],
  },
  {
    id: "elastic-net-cv",
    title: "ElasticNetCV, 3 ratios, 50 alphas, 5 folds, 2,000 × 2,000",
    data: square,
    measure: { kind: "elasticNet", alpha: 0, l1Ratio: 1 },
    contestants: [
      argmax("ElasticNetCV", { eps: 0.01, nAlphas: 50, l1Ratio: [0.2, 0.5, 0.9] }),
      sklearn("linear_model.ElasticNetCV", { eps: 0.01, n_alphas: 50, l1_ratio: [0.2, 0.5, 0.9] }),
    ],
  },
  {
    id: "elastic-net-wide",
    title: "elastic net, 300 × 10,000",
    data: wide,
    measure: { kind: "elasticNet", alpha: 0.1, l1Ratio: 0.5 },
    contestants: [
      argmax("ElasticNet", { alpha: 0.1, l1Ratio: 0.5 }),
      sklearn("linear_model.ElasticNet", { alpha: 0.1, l1_ratio: 0.5 }),
    ],
  },
]);
