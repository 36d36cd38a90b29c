import { workloadsWith } from "../workload.js";
import { argmax, faster, logistic, mlLogistic, sklearn } from "./contestants.js";
import { digits, documents, fewMatter, long, tall, tenClasses } from "./data.js";

export const classification = workloadsWith({ group: "linear", action: "fit", pledge: faster }, [
  {
    id: "logistic-100k",
    title: "logistic regression, 100,000 × 50",
    data: tall,
    measure: { kind: "logistic", C: 1 },
    contestants: [
      argmax("LogisticRegression"),
      logistic("lbfgs"),
      logistic("newton-cholesky"),
      mlLogistic({ numSteps: 30, learningRate: 4e-5 }, "30 steps"),
    ],
    note: "ml-logistic-regression's default of 50,000 steps would take hours and its default rate does not converge here: it runs 30 steps at a rate that converges, with a column of ones for the intercept it lacks.",
  },
  {
    id: "logistic-cv-100k",
    title: "LogisticRegressionCV, 10 Cs, 5 folds, 100,000 × 50",
    data: tall,
    measure: { kind: "logistic", C: 1 },
    contestants: [
      argmax("LogisticRegressionCV", { scoring: "negLogLoss" }),
      sklearn("linear_model.LogisticRegressionCV", { scoring: "neg_log_loss" }),
    ],
  },
  {
    id: "logistic-1m",
    title: "logistic regression, 1,000,000 × 20",
    data: long,
    measure: { kind: "logistic", C: 1 },
    contestants: [argmax("LogisticRegression"), logistic("lbfgs"), logistic("newton-cholesky")],
  },
  {
    id: "softmax-20k",
    title: "softmax regression, 20,000 × 100, 10 classes",
    data: tenClasses,
    measure: { kind: "softmax", C: 1 },
    contestants: [argmax("LogisticRegression"), logistic("lbfgs"), logistic("newton-cg")],
  },
  {
    id: "softmax-digits",
    title: "softmax regression, digits (1,797 × 64, 10 classes)",
    data: digits,
    measure: { kind: "softmax", C: 1 },
    contestants: [argmax("LogisticRegression"), logistic("lbfgs"), logistic("newton-cg")],
  },
  {
    id: "l1-logistic-20k",
    title: "L1 logistic regression, 20,000 × 100",
    data: fewMatter,
    measure: { kind: "logistic", C: 0.02, l1: true },
    contestants: [
      argmax("LogisticRegression", { penalty: "l1", C: 0.02, fitIntercept: false }),
      logistic("liblinear", { penalty: "l1", C: 0.02, fit_intercept: false }),
      logistic("saga", { penalty: "l1", C: 0.02, fit_intercept: false }),
    ],
    note: "Without an intercept on all sides: liblinear penalises it, so with one it would solve another problem.",
  },
  {
    id: "sparse-logistic",
    title: "sparse logistic regression, 20,000 × 50,000, 150 non-zeros a row",
    data: documents,
    measure: { kind: "logistic", C: 1 },
    contestants: [
      argmax("LogisticRegression"),
      logistic("lbfgs"),
      logistic("newton-cg"),
      logistic("liblinear"),
    ],
    note: "liblinear penalises the intercept, too little to matter among so many rows.",
  },
  {
    id: "linear-svc-100k",
    title: "LinearSVC, squared hinge, 100,000 × 50",
    data: tall,
    measure: { kind: "squaredHinge", C: 1 },
    contestants: [argmax("LinearSVC"), sklearn("svm.LinearSVC", { dual: false }, "dual=False")],
    note: "scikit-learn's default, dual=True, needs over a minute here; dual=False is its fast way. It penalises the intercept, too little to matter among so many rows.",
  },
  {
    id: "hinge-20k",
    title: "LinearSVC, hinge, 20,000 × 100",
    data: fewMatter,
    measure: { kind: "hinge", C: 1 },
    contestants: [
      argmax("LinearSVC", { loss: "hinge", fitIntercept: false }),
      sklearn("svm.LinearSVC", { loss: "hinge", fit_intercept: false }),
    ],
    note: "Without an intercept on both sides (LIBLINEAR penalises it). scikit-learn stops at its default of 1,000 passes.",
  },
]);

export const stochastic = workloadsWith({ group: "linear", action: "fit", data: tall }, [
  {
    id: "perceptron-100k",
    title: "Perceptron, 100,000 × 50",
    measure: { kind: "accuracy" },
    contestants: [argmax("Perceptron"), sklearn("linear_model.Perceptron")],
    // The classes overlap, so the last weights depend on the order of rows: scikit-learn's own error rate varies by 13 %
    // of itself over five seeds, hence their means by about 13 % / √5.
    seeds: 5,
    pledge: { ratio: 1, objective: 0.06 },
  },
  {
    id: "sgd-hinge-100k",
    title: "SGDClassifier, hinge, 100,000 × 50",
    measure: { kind: "meanHinge", alpha: 1e-4 },
    contestants: [argmax("SGDClassifier"), sklearn("linear_model.SGDClassifier")],
    // Where a stochastic solver stops depends on its shuffles: scikit-learn's own objective varies by 1.6 % over five seeds.
    seeds: 5,
    pledge: { ratio: 1, objective: 0.007 },
  },
  {
    id: "sgd-log-100k",
    title: "SGDClassifier, log loss, 100,000 × 50",
    measure: { kind: "meanLogistic", alpha: 1e-4 },
    contestants: [
      argmax("SGDClassifier", { loss: "logLoss" }),
      sklearn("linear_model.SGDClassifier", { loss: "log_loss" }),
    ],
    // As above: 0.5 % over five seeds.
    seeds: 5,
    pledge: { ratio: 1, objective: 0.0025 },
  },
]);
