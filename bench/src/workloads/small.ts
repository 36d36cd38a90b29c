import type { Workload } from "../workload.js";
import { argmax, logistic, mlLinear, mlLogistic, sklearn, tiny } from "./contestants.js";
import { iris, irisNumbers } from "./data.js";

export const small: readonly Workload[] = [
  {
    id: "iris-logistic",
    title: "logistic regression, iris",
    group: "iris",
    action: "fit",
    data: iris,
    measure: { kind: "softmax", C: 1 },
    contestants: [argmax("LogisticRegression"), logistic("lbfgs"), mlLogistic({}, "defaults")],
    pledge: tiny,
    note: "ml-logistic-regression fits one class against the rest, without a penalty: its objective is of another problem.",
  },
  {
    id: "iris-linear-svc",
    title: "LinearSVC, iris",
    group: "iris",
    action: "fit",
    data: iris,
    measure: { kind: "squaredHinge", C: 1 },
    contestants: [
      argmax("LinearSVC"),
      sklearn("svm.LinearSVC", { dual: false, intercept_scaling: 100 }, "dual=False"),
      sklearn("svm.LinearSVC", {}, "defaults"),
    ],
    pledge: tiny,
  },
  {
    id: "iris-ridge",
    title: "ridge, iris (petal width from the rest)",
    group: "iris",
    action: "fit",
    data: irisNumbers,
    measure: { kind: "squares", alpha: 1 },
    contestants: [argmax("Ridge"), sklearn("linear_model.Ridge")],
    pledge: tiny,
  },
  {
    id: "iris-linear",
    title: "linear regression, iris (petal width from the rest)",
    group: "iris",
    action: "fit",
    data: irisNumbers,
    measure: { kind: "squares", alpha: 0 },
    contestants: [argmax("LinearRegression"), sklearn("linear_model.LinearRegression"), mlLinear],
    pledge: tiny,
  },
  {
    id: "iris-lasso",
    title: "lasso, iris (petal width from the rest)",
    group: "iris",
    action: "fit",
    data: irisNumbers,
    measure: { kind: "elasticNet", alpha: 0.01, l1Ratio: 1 },
    contestants: [argmax("Lasso", { alpha: 0.01 }), sklearn("linear_model.Lasso", { alpha: 0.01 })],
    pledge: tiny,
  },
];

export const latency: readonly Workload[] = [
  {
    id: "predict-one-logistic",
    title: "predict one row, logistic regression, iris",
    group: "latency",
    action: "predictOne",
    data: iris,
    contestants: [argmax("LogisticRegression"), logistic("lbfgs")],
    pledge: { seconds: 5e-6, ratio: 1 },
    note: "The row comes as number[][] / a list of lists.",
  },
  {
    id: "predict-one-linear",
    title: "predict one row, linear regression, iris",
    group: "latency",
    action: "predictOne",
    data: irisNumbers,
    contestants: [argmax("LinearRegression"), sklearn("linear_model.LinearRegression")],
    pledge: { seconds: 5e-6, ratio: 1 },
  },
  {
    id: "start",
    title: "import and first prediction in a fresh process",
    group: "latency",
    action: "start",
    data: iris,
    contestants: [argmax("LogisticRegression"), logistic("lbfgs")],
    pledge: { seconds: 0.06, ratio: 1 },
    note: "From the first line of the program to a prediction by a saved model; the interpreter's own start is not in it.",
  },
];
