import { workloadsWith } from "../workload.js";
import { argmax, logistic, mlLinear, mlLogistic, sklearn, tiny } from "./contestants.js";
import { iris, irisNumbers } from "./data.js";

export const small = workloadsWith({ group: "iris", action: "fit", pledge: tiny, data: irisNumbers }, [
  {
    id: "iris-logistic",
    title: "logistic regression, iris",
    data: iris,
    measure: { kind: "softmax", C: 1 },
    contestants: [argmax("LogisticRegression"), logistic("lbfgs"), mlLogistic({}, "defaults")],
    note: "ml-logistic-regression fits one class against the rest, without a penalty: its objective is of another problem.",
  },
  {
    id: "iris-linear-svc",
    title: "LinearSVC, iris",
    data: iris,
    measure: { kind: "squaredHinge", C: 1 },
    contestants: [
      argmax("LinearSVC"),
      sklearn("svm.LinearSVC", { dual: false, intercept_scaling: 100 }, "dual=False"),
      sklearn("svm.LinearSVC", {}, "defaults"),
    ],
  },
  {
    id: "iris-ridge",
    title: "ridge, iris (petal width from the rest)",
    measure: { kind: "squares", alpha: 1 },
    contestants: [argmax("Ridge"), sklearn("linear_model.Ridge")],
  },
  {
    id: "iris-linear",
    title: "linear regression, iris (petal width from the rest)",
    measure: { kind: "squares", alpha: 0 },
    contestants: [argmax("LinearRegression"), sklearn("linear_model.LinearRegression"), mlLinear],
  },
  {
    id: "iris-lasso",
    title: "lasso, iris (petal width from the rest)",
    measure: { kind: "elasticNet", alpha: 0.01, l1Ratio: 1 },
    contestants: [argmax("Lasso", { alpha: 0.01 }), sklearn("linear_model.Lasso", { alpha: 0.01 })],
  },
]);

export const latency = workloadsWith(
  { group: "latency", action: "predictOne", pledge: { seconds: 5e-6, ratio: 1 }, data: iris },
  [
    {
      id: "predict-one-logistic",
      title: "predict one row, logistic regression, iris",
      contestants: [argmax("LogisticRegression"), logistic("lbfgs")],
      note: "The row comes as number[][] / a list of lists.",
    },
    {
      id: "predict-one-linear",
      title: "predict one row, linear regression, iris",
      data: irisNumbers,
      contestants: [argmax("LinearRegression"), sklearn("linear_model.LinearRegression")],
    },
    {
      id: "start",
      title: "import and first prediction in a fresh process",
      action: "start",
      contestants: [argmax("LogisticRegression"), logistic("lbfgs")],
      pledge: { seconds: 0.06, ratio: 1 },
      note: "From the first line of the program to a prediction by a saved model; the interpreter's own start is not in it.",
    },
  ],
);
