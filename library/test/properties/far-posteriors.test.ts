import { describe, expect, it } from "vitest";
import {
  BaggingClassifier,
  exponential,
  GaussianNB,
  HistGradientBoostingClassifier,
  KernelLogisticRegression,
  kernels,
  LinearClassifier,
  LinearDiscriminantAnalysis,
  LogisticRegression,
  logistic,
  type Matrix,
  MultinomialNB,
  makeBlobs,
  pipeline,
  QuadraticDiscriminantAnalysis,
  SGDClassifier,
  SoftmaxRegression,
  StandardScaler,
  SVC,
} from "../../src/index.js";
import { add, type DD, dd, minus, over, times, value } from "../support/double-double.js";

/**
 * Rows so far away that a probability is below 1e-300, or a logarithm near −0: what 1 − p, log(p) and log(Σ) lose there. The
 * expected logarithms are written down from the model's own scores, or in 32 digits from what it learned.
 */
const blobs = (centers: number) =>
  makeBlobs({ nSamples: 120, centers, nFeatures: 2, clusterStd: 2.5, randomState: 3 });
const two = blobs(2);
const three = blobs(3);
const far = [
  [30, -40],
  [-500, 300],
  [4000, 4000],
  [-9000, 2],
  [2, 12000],
];

/** log p_k of class scores: −log Σⱼ e^{z_j − z_k}, whose sum beside 1 never cancels. */
const softmaxLogs = (z: readonly number[]): number[] =>
  z.map((own, k) => {
    const others = z.filter((_, j) => j !== k).map((other) => other - own);
    const top = Math.max(0, ...others);
    if (top === 0) return -Math.log1p(others.reduce((sum, v) => sum + Math.exp(v), 0));
    return -(top + Math.log(others.reduce((sum, v) => sum + Math.exp(v - top), Math.exp(-top))));
  });

/** log σ(z). */
const logSigmoid = (z: number): number => Math.min(z, 0) - Math.log1p(Math.exp(-Math.abs(z)));

const near = (received: number, expected: number, within: number) =>
  expect(Math.abs(received - expected), `${received} is ${expected}`).toBeLessThanOrEqual(
    within * Math.abs(expected) + 1e-307,
  );

interface Probabilistic {
  predictProba(x: number[][]): Matrix;
  predictLogProba(x: number[][]): Matrix;
}

/** Both methods against expected logarithms; e^log p has the relative error |log p| eps, hence 1e-12 and not less. */
function expectLogs(model: Probabilistic, expected: readonly (readonly number[])[], within = 1e-13): void {
  const logs = model.predictLogProba(far);
  const p = model.predictProba(far);
  let smallest = 0;
  for (const [i, row] of expected.entries())
    for (const [k, log] of row.entries()) {
      near(logs.at(i, k), log, within);
      if (log > -700) near(p.at(i, k), Math.exp(log), 1e-12 + within * Math.abs(log));
      smallest = Math.min(smallest, log);
    }
  expect(smallest).toBeLessThan(-300);
}

const rowsOf = (m: Matrix) => m.toArray();

describe("log probabilities of far rows, from log-odds of two classes", () => {
  const logOdds = (z: Matrix, factor = 1) =>
    rowsOf(z).map(([v]) => [logSigmoid(-factor * v!), logSigmoid(factor * v!)]);
  it("SVC: the calibrated sigmoid, and not 1 − p", () => {
    const model = new SVC({ kernel: kernels.linear(), probability: true }).fit(two.X, two.y);
    const { a, b } = model.sigmoids[0]!;
    const f = model.decisionFunction(far);
    expectLogs(
      model,
      rowsOf(f).map(([v]) => [logSigmoid(a * v! + b), logSigmoid(-(a * v! + b))]),
    );
  });
  it("LogisticRegression, SGDClassifier, and the same in a pipeline", () => {
    const model = new LogisticRegression().fit(two.X, two.y);
    expectLogs(model, logOdds(model.decisionFunction(far)));
    const sgd = new SGDClassifier({ loss: "logLoss" }).fit(two.X, two.y);
    expectLogs(sgd, logOdds(sgd.decisionFunction(far)));
    const steps = pipeline(new StandardScaler(), new LogisticRegression()).fit(two.X, two.y);
    expectLogs(steps, logOdds(steps.decisionFunction(far)));
  });
  it("exponential loss: half log-odds", () => {
    const model = new LinearClassifier({ loss: exponential() }).fit(two.X, two.y);
    expectLogs(model, logOdds(model.decisionFunction(far), 2));
  });
  it("KernelLogisticRegression and linear discriminants", () => {
    const model = new KernelLogisticRegression({ kernel: kernels.linear() }).fit(two.X, two.y);
    expectLogs(model, logOdds(model.decisionFunction(far)));
    const lda = new LinearDiscriminantAnalysis().fit(two.X, two.y);
    expectLogs(lda, logOdds(lda.decisionFunction(far)));
  });
});

describe("log probabilities of far rows, more classes", () => {
  it("softmax of the scores: SoftmaxRegression, kernel logistic regression, discriminants", () => {
    const models = [
      new SoftmaxRegression().fit(three.X, three.y),
      new KernelLogisticRegression({ kernel: kernels.linear() }).fit(three.X, three.y),
      new LinearDiscriminantAnalysis().fit(three.X, three.y),
      new QuadraticDiscriminantAnalysis().fit(three.X, three.y),
    ];
    for (const model of models) expectLogs(model, rowsOf(model.decisionFunction(far)).map(softmaxLogs));
  });
  it("one against the rest: sigmoids divided by their sum", () => {
    const models = [
      new LinearClassifier({ loss: logistic() }).fit(three.X, three.y),
      new SGDClassifier({ loss: "logLoss" }).fit(three.X, three.y),
    ];
    for (const model of models) {
      const expected = rowsOf(model.decisionFunction(far)).map((z) => softmaxLogs(z.map(logSigmoid)));
      expectLogs(model, expected, 1e-12);
    }
    const svc = new SVC({ kernel: kernels.linear(), probability: true, multiClass: "ovr" }).fit(
      three.X,
      three.y,
    );
    const expected = rowsOf(svc.decisionFunction(far)).map((f) =>
      softmaxLogs(f.map((v, k) => logSigmoid(-(svc.sigmoids[k]!.a * v + svc.sigmoids[k]!.b)))),
    );
    expectLogs(svc, expected, 1e-12);
  });
});

describe("log probabilities of far rows, in 32 digits", () => {
  const sum = (list: readonly DD[]): DD => list.reduce(add, dd(0));
  it("GaussianNB", () => {
    const model = new GaussianNB().fit(three.X, three.y);
    const joint = (x: readonly number[], k: number): DD =>
      sum(
        x.map((v, j) => {
          const s2 = model.var.at(k, j);
          const t = minus(dd(v), dd(model.theta.at(k, j)));
          return minus(over(times(t, t), dd(-2 * s2)), dd(0.5 * Math.log(2 * Math.PI * s2)));
        }),
      );
    const expected = far.map((x) => {
      const z = [0, 1, 2].map((k) => add(joint(x, k), dd(model.classLogPrior[k]!)));
      const top = z.reduce((a, b) => (value(minus(b, a)) > 0 ? b : a));
      return softmaxLogs(z.map((own) => value(minus(own, top))));
    });
    // Joint logarithms near 1e7 are subtracted: 1e7 eps, relative to differences of 1e2 and more; near 0 nothing is left.
    const logs = model.predictLogProba(far);
    for (const [i, row] of expected.entries())
      for (const [k, log] of row.entries()) if (log < -1e-3) near(logs.at(i, k), log, 1e-10);
  });
  it("MultinomialNB: documents of a million words", () => {
    const X = [
      [3, 1, 0],
      [2, 0, 1],
      [0, 1, 3],
      [1, 0, 4],
    ];
    const model = new MultinomialNB().fit(X, ["a", "a", "b", "b"]);
    const document = [1_000_000, 7, 3];
    const z = [0, 1].map((k) =>
      add(
        dd(model.classLogPrior[k]!),
        sum(document.map((n, j) => times(dd(n), dd(model.featureLogProb.at(k, j))))),
      ),
    );
    const [first, second] = softmaxLogs([0, value(minus(z[1]!, z[0]!))]);
    const logs = model.predictLogProba([document]);
    near(logs.at(0, 1), second!, 1e-12);
    expect(second).toBeLessThan(-1e5);
    expect(logs.at(0, 0)).toBeCloseTo(first!, 15);
  });
});

describe("log probabilities of bags and boosted trees", () => {
  it("BaggingClassifier: the logarithm of the mean where every member underflows", () => {
    const model = new BaggingClassifier({ estimator: new LogisticRegression(), nEstimators: 5 }).fit(
      two.X,
      two.y,
    );
    const members = model.members.map(({ model: member }) => member.predictLogProba(far));
    const expected = far.map((_, i) =>
      [0, 1].map((k) => {
        const own = members.map((logs) => logs.at(i, k));
        const other = members.map((logs) => logs.at(i, 1 - k));
        const top = Math.max(...own);
        // A mean near 1 is 1 − the mean of the others.
        if (top > -1e-3) return Math.log1p(-other.reduce((total, v) => total + Math.exp(v), 0) / 5);
        return top + Math.log(own.reduce((total, v) => total + Math.exp(v - top), 0) / 5);
      }),
    );
    expectLogs(model, expected);
  });
  it("HistGradientBoostingClassifier: a probability that rounds to 1 has a logarithm below 0", () => {
    const X = Array.from({ length: 60 }, (_, i) => [i]);
    const y = X.map(([v]) => (v! < 30 ? "a" : "b"));
    const model = new HistGradientBoostingClassifier({ learningRate: 20, maxIter: 9, minSamplesLeaf: 5 }).fit(
      X,
      y,
    );
    const z = model.decisionFunction([[0]]).at(0, 0);
    expect(z).toBeLessThan(-30);
    near(model.predictLogProba([[0]]).at(0, 0), -Math.exp(z), 1e-12);
    near(model.predictLogProba([[0]]).at(0, 1), z, 1e-12);
  });
});
