import {
  ElasticNet,
  elasticNet,
  exponential,
  HuberRegressor,
  huber,
  Lasso,
  LinearClassifier,
  LinearRegression,
  LinearRegressor,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  lbfgs,
  modifiedHuber,
  PoissonRegressor,
  poisson,
  Ridge,
  SoftmaxRegression,
  squaredHinge,
} from "argmax";
import { classSamples, type FitCase, numberSamples, numbersSample, type Sample } from "../cases.js";

/** How a solver came to its answer, and the gradient that is left there. */
const except = ["values.report.iterations", "values.report.gradientNorm", "values.report.solver"];
const tight = { tol: 1e-8, maxIter: 1000 };
const because = "minimisers stop where J is within tol² of its minimum: coefficients within tol, about";
const solved = { within: 1e-7, because, except };

/** Counts to predict from the columns of a sample. */
function counted(sample: Sample): Sample {
  const y = sample.columns["y"]!.map((v) => Math.max(0, Math.round(Number(v) / 2 + 2)));
  return { ...sample, columns: { ...sample.columns, y } };
}

const counts = () => numberSamples().map(counted);

/** Columns of which one is the sum of two others, and of which two differ little. */
function dependent(by: number): Sample {
  const sample = numbersSample(`columns that depend within ${by}`, { task: "regression", rows: 60 });
  const [a, b, c] = sample.features.map((name) => sample.columns[name]! as readonly number[]);
  const d = a!.map((v, i) => v + b![i]! + by * Math.sin(i));
  return {
    ...sample,
    columns: { ...sample.columns, d, e: c!.map((v) => 2 * v) },
    features: by === 0 ? [...sample.features, "d", "e"] : [...sample.features, "d"],
  };
}

/** Moments have half the digits of columns. */
const direct = { within: 1e-9, because: "sums in another order, and systems of moderate condition", except };
const noisy = {
  within: 1e-6,
  because: "the least of nearly dependent columns moves by their condition times rounding",
  except,
};

export const linear: readonly FitCase[] = [
  {
    name: "LogisticRegression",
    make: () => new LogisticRegression(tight),
    samples: classSamples(),
    ...solved,
  },
  {
    name: "LogisticRegression, balanced classes, no intercept",
    make: () => new LogisticRegression({ ...tight, classWeight: "balanced", fitIntercept: false }),
    samples: classSamples().slice(0, 2),
    ...solved,
  },
  {
    name: "LogisticRegression, one against the rest",
    make: () => new LogisticRegression({ ...tight, multiClass: "ovr", penalty: "none" }),
    samples: [numbersSample("three classes"), numbersSample("weights", { weighted: true })],
    ...solved,
  },
  {
    name: "LogisticRegression, l1",
    make: () => new LogisticRegression({ ...tight, penalty: "l1", C: 0.1 }),
    samples: classSamples(),
    ...solved,
  },
  {
    name: "LogisticRegression, elastic net",
    make: () => new LogisticRegression({ ...tight, penalty: "elasticnet", C: 0.2 }),
    samples: classSamples().slice(0, 2),
    ...solved,
  },
  {
    name: "SoftmaxRegression",
    make: () => new SoftmaxRegression(tight),
    samples: classSamples(),
    ...solved,
  },
  {
    name: "SoftmaxRegression with a reference",
    make: () => new SoftmaxRegression({ ...tight, form: "reference", penalty: "none" }),
    samples: [numbersSample("three classes"), numbersSample("weights", { weighted: true })],
    ...solved,
  },
  {
    name: "LinearSVC",
    make: () => new LinearSVC({ ...tight, loss: "squaredHinge" }),
    samples: classSamples(),
    ...solved,
  },
  {
    name: "LinearClassifier, modified Huber",
    make: () => new LinearClassifier({ ...tight, loss: modifiedHuber() }),
    samples: classSamples().slice(0, 2),
    ...solved,
  },
  {
    name: "LinearClassifier, exponential, L-BFGS",
    make: () => new LinearClassifier({ ...tight, loss: exponential(), solver: lbfgs() }),
    samples: classSamples().slice(0, 2),
    ...solved,
  },
  {
    name: "LinearClassifier, squared hinge, elastic net",
    make: () => new LinearClassifier({ ...tight, loss: squaredHinge(), penalty: elasticNet(0.1, 0.5) }),
    samples: classSamples().slice(0, 2),
    ...solved,
  },
  { name: "PoissonRegressor", make: () => new PoissonRegressor(tight), samples: counts(), ...solved },
  {
    name: "LinearRegressor, Poisson, l1",
    make: () => new LinearRegressor({ ...tight, loss: poisson(), penalty: elasticNet(0.1, 1) }),
    samples: counts(),
    ...solved,
  },
  {
    name: "LinearRegressor, Huber",
    make: () => new LinearRegressor({ ...tight, loss: huber(0.5) }),
    samples: numberSamples(),
    ...solved,
  },
  { name: "LinearRegressor", make: () => new LinearRegressor(tight), samples: numberSamples(), ...solved },
  {
    name: "LinearSVR",
    make: () => new LinearSVR({ ...tight, loss: "squaredEpsilonInsensitive", epsilon: 0.3 }),
    samples: numberSamples(),
    ...solved,
  },
  {
    name: "LinearRegression",
    make: () => new LinearRegression(),
    samples: [...numberSamples(), dependent(0)],
    ...direct,
  },
  { name: "LinearRegression", make: () => new LinearRegression(), samples: [dependent(1e-5)], ...noisy },
  {
    name: "LinearRegression, no intercept",
    make: () => new LinearRegression({ fitIntercept: false }),
    samples: [numbersSample("weights", { task: "regression", weighted: true })],
    ...direct,
  },
  {
    name: "LinearRegression, w ≥ 0",
    make: () => new LinearRegression({ positive: true }),
    samples: numberSamples(),
    ...direct,
    within: 1e-8,
    because: "in memory the objective is that of predictions, which have 8 digits behind an offset of 1e8",
  },
  {
    name: "Ridge",
    make: () => new Ridge({ alpha: 3 }),
    samples: [...numberSamples(), dependent(0)],
    ...direct,
  },
  { name: "Lasso", make: () => new Lasso({ alpha: 0.3, tol: 1e-12 }), samples: numberSamples(), ...direct },
  {
    name: "ElasticNet",
    make: () => new ElasticNet({ alpha: 0.3, tol: 1e-12 }),
    samples: [...numberSamples(), dependent(0)],
    ...direct,
  },
  {
    name: "ElasticNet, w ≥ 0",
    make: () => new ElasticNet({ alpha: 0.1, positive: true, tol: 1e-12 }),
    samples: numberSamples(),
    ...direct,
    within: 1e-8,
    because: "in memory the objective is that of predictions, which have 8 digits behind an offset of 1e8",
  },
  {
    name: "HuberRegressor",
    make: () => new HuberRegressor({ tol: 1e-10, maxIter: 300 }),
    samples: numberSamples(),
    ...solved,
  },
];
