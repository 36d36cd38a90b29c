import {
  absolute,
  BernoulliNB,
  type ClassificationLossName,
  coordinateDescent,
  dualCoordinateDescent,
  elasticNet,
  epsilonInsensitive,
  exponential,
  gradientDescent,
  hinge,
  huber,
  interiorPoint,
  isLinearlySeparable,
  LinearClassifier,
  LinearRegression,
  LinearRegressor,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  type Loss,
  l1,
  l1Ball,
  l2,
  l2Ball,
  lbfgs,
  logistic,
  logLoss,
  makeBlobs,
  makeRegression,
  modifiedHuber,
  newton,
  none,
  ParameterError,
  Perceptron,
  perceptron,
  poisson,
  proximal,
  quantile,
  SoftmaxRegression,
  sgd,
  softmax,
  squared,
  squaredEpsilonInsensitive,
  squaredHinge,
} from "argmax";
import { describe, expect, it } from "vitest";
import { corners, xor } from "../support/corners.js";

const classifierLosses: readonly Loss<ClassificationLossName>[] = [
  logistic(),
  softmax(),
  hinge(),
  squaredHinge(),
  perceptron(),
  exponential(),
  modifiedHuber(),
  squared(),
];
const regressorLosses = [
  squared(),
  absolute(),
  huber(),
  quantile(0.5),
  epsilonInsensitive(0.1),
  squaredEpsilonInsensitive(0.1),
  poisson(),
];
const penalties = [none(), l1(0.01), l2(0.01), elasticNet(0.01, 0.5), l1Ball(1), l2Ball(1)];
const solvers = [
  newton(),
  lbfgs(),
  gradientDescent(),
  sgd({ learningRate: "invscaling" }),
  coordinateDescent(),
  proximal(),
  dualCoordinateDescent(),
  interiorPoint(),
];
const legal = (loss: { name: string }, penalty: { name: string }, solver: (typeof solvers)[number]) =>
  (solver.losses as readonly string[]).includes(loss.name) &&
  (solver.penalties as readonly string[]).includes(penalty.name);

describe("B2 the modular approach: model × loss × regulariser × optimiser", () => {
  const blobs = makeBlobs({ nSamples: 90, centers: 2, nFeatures: 3, clusterStd: 1.5, randomState: 4 });
  const line = makeRegression({ nSamples: 80, nFeatures: 3, noise: 1, randomState: 5 });
  const scale = 1 / 60;
  const target = Array.from(line.y, (v) => v * scale);
  const counts = target.map((v) => Math.round(Math.max(0, v + 3)));
  let combinations = 0;

  for (const loss of classifierLosses) {
    for (const penalty of penalties) {
      for (const solver of solvers.filter((s) => legal(loss, penalty, s))) {
        combinations++;
        it(`classifies with ${loss.name} + ${penalty.name} by ${solver.name}`, () => {
          const estimator = new LinearClassifier({ loss, penalty, solver: solver as never });
          const model = estimator.fit(blobs.X, blobs.y);
          expect(model.coef.data.every(Number.isFinite)).toBe(true);
          expect(model.score(blobs.X, blobs.y)).toBeGreaterThan(0.9);
        });
      }
    }
  }

  for (const loss of regressorLosses) {
    for (const penalty of penalties) {
      for (const solver of solvers.filter((s) => legal(loss, penalty, s))) {
        combinations++;
        it(`regresses with ${loss.name} + ${penalty.name} by ${solver.name}`, () => {
          const y = loss.name === "poisson" ? counts : target;
          const model = new LinearRegressor({ loss, penalty, solver: solver as never }).fit(line.X, y);
          expect(model.score(line.X, y)).toBeGreaterThan(0.5);
        });
      }
    }
  }

  it("has more than a hundred legal combinations", () => {
    expect(combinations).toBeGreaterThan(100);
  });

  it("the same problem has the same minimum whatever solves it", () => {
    const objective = (solver: unknown) =>
      new LinearClassifier({
        loss: logistic(),
        penalty: l2(0.1),
        solver: solver as ReturnType<typeof newton>,
        tol: 1e-7,
        maxIter: 5000,
      }).fit(blobs.X, blobs.y).report.objective;
    const best = objective(newton());
    for (const solver of [lbfgs(), gradientDescent(), proximal(), coordinateDescent()]) {
      expect(objective(solver)).toBeCloseTo(best, 9);
    }
  });

  it("an illegal combination from JSON says why, and what would be legal", () => {
    const make = () => new LinearClassifier({ loss: "hinge", penalty: "l1", solver: "newton" } as never);
    expect(make).toThrow(ParameterError);
    expect(make).toThrow(
      /LinearClassifier: solver must be one that can minimise the hinge loss \("sgd" with penalty l1\), got "newton"/,
    );
  });
});

describe("B3 linear regression", () => {
  it("by gradient descent and directly reaches the same minimum", () => {
    const { X, y } = makeRegression({ nSamples: 100, nFeatures: 4, noise: 3, randomState: 1 });
    const direct = new LinearRegression().fit(X, y);
    const descended = new LinearRegressor({
      loss: squared(),
      penalty: none(),
      solver: gradientDescent({ learningRate: 0.3 }),
      tol: 1e-10,
      maxIter: 10_000,
    }).fit(X, y);
    descended.coef.forEach((w, j) => {
      expect(w).toBeCloseTo(direct.coef[j]!, 6);
    });
    expect(descended.intercept).toBeCloseTo(direct.intercept, 6);
  });

  it("one step from w = 0 is α/N Σ (t − y) x", () => {
    const X = [[1], [2], [4]];
    const t = [1, 2, 6];
    const model = new LinearRegressor({
      loss: squared(),
      penalty: none(),
      solver: gradientDescent({ learningRate: 0.1 }),
      maxIter: 1,
    }).fit(X, t);
    expect(model.coef[0]).toBeCloseTo((0.1 * (1 * 1 + 2 * 2 + 4 * 6)) / 3, 12);
    expect(model.intercept).toBeCloseTo((0.1 * (1 + 2 + 6)) / 3, 12);
  });
});

describe("B4 binary linear classifier with threshold", () => {
  const X = [[-2], [-1], [1], [2]];
  const model = new LogisticRegression().fit(X, [0, 0, 1, 1]);

  it("y = 1 where w·x + b exceeds r, and r is chosen when predicting", () => {
    const z = model.decisionFunction([[0.5]]).data[0]!;
    expect(model.predict([[0.5]])).toEqual([1]);
    expect(model.predict([[0.5]], { threshold: z + 0.01 })).toEqual([0]);
    expect(model.predict([[0.5]], { threshold: z - 0.01 })).toEqual([1]);
  });

  it("targets {0, 1}, {−1, +1} and words give the same plane", () => {
    const signs = new LogisticRegression().fit(X, [-1, -1, 1, 1]);
    const words = new LogisticRegression().fit(X, ["no", "no", "yes", "yes"]);
    expect(signs.coef.data).toEqual(model.coef.data);
    expect(words.coef.data).toEqual(model.coef.data);
    expect(words.predict([[3]])).toEqual(["yes"]);
  });
});

describe("B5 perceptron and separability", () => {
  const apart = makeBlobs({
    nSamples: 60,
    centers: [
      [-4, 0],
      [4, 1],
    ],
    clusterStd: 0.8,
    randomState: 2,
  });

  it("the perceptron converges on separable data: no mistakes left", () => {
    const model = new Perceptron({ tol: 0, maxIter: 200 }).fit(apart.X, apart.y);
    expect(model.score(apart.X, apart.y)).toBe(1);
  });

  it("isLinearlySeparable says yes to blobs and AND, no to XOR and to overlapping blobs", () => {
    expect(isLinearlySeparable(apart.X, apart.y)).toBe(true);
    expect(isLinearlySeparable(corners, [0, 0, 0, 1])).toBe(true);
    expect(isLinearlySeparable(corners, xor)).toBe(false);
    const mixed = makeBlobs({
      nSamples: 60,
      centers: [
        [0, 0],
        [1, 0],
      ],
      clusterStd: 1,
      randomState: 2,
    });
    expect(isLinearlySeparable(mixed.X, mixed.y)).toBe(false);
  });

  it("points that touch the same place with different labels are not separable", () => {
    expect(isLinearlySeparable([[0], [1], [1]], ["a", "a", "b"])).toBe(false);
  });
});

describe("B6 logistic regression by gradient descent from w = 0", () => {
  it("the first step is −α/N Σ (y − t) x with y = ½", () => {
    const X = [
      [1, 2],
      [3, -1],
      [-2, 0],
    ];
    const t = [1, 0, 1];
    const model = new LinearClassifier({
      loss: logistic(),
      penalty: none(),
      solver: gradientDescent({ learningRate: 0.6 }),
      maxIter: 1,
    }).fit(X, t);
    for (const j of [0, 1]) {
      const gradient = X.reduce((sum, x, i) => sum + (0.5 - t[i]!) * x[j]!, 0) / 3;
      expect(model.coef.at(0, j)).toBeCloseTo(-0.6 * gradient, 14);
    }
  });
});

describe("B7 softmax regression", () => {
  it("logits of ±1000 give a finite loss and exact probabilities", () => {
    const X = [[1000], [-1000], [0]];
    const model = new SoftmaxRegression({ C: 1 }).fit(X, ["hot", "cold", "mild"]);
    expect(Number.isFinite(model.report.objective)).toBe(true);
    const far = model.predictProba([[1e6]]);
    expect(far.data.every(Number.isFinite)).toBe(true);
    expect(far.row(0).reduce((sum, p) => sum + p, 0)).toBe(1);
  });

  it("three blobs are told apart, and probabilities sum to 1", () => {
    const { X, y } = makeBlobs({ nSamples: 90, centers: 3, nFeatures: 2, clusterStd: 1, randomState: 0 });
    const model = new SoftmaxRegression().fit(X, y);
    expect(model.score(X, y)).toBeGreaterThan(0.95);
    for (const row of model.predictProba(X).toArray())
      expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  });
});

describe("B8 SVM for classification and regression, linear", () => {
  it("SVC separates, SVR stays inside its tube", () => {
    const { X, y } = makeBlobs({
      nSamples: 60,
      centers: [
        [-3, 0],
        [3, 0],
      ],
      clusterStd: 0.7,
      randomState: 2,
    });
    expect(new LinearSVC({ loss: "hinge" }).fit(X, y).score(X, y)).toBe(1);
    const line = Array.from({ length: 30 }, (_, i) => [i / 10]);
    const t = line.map(([v], i) => 2 * v! + 1 + (i % 2 === 0 ? 0.05 : -0.05));
    const model = new LinearSVR({ epsilon: 0.1, C: 100 }).fit(line, t);
    model.predict(line).forEach((fit, i) => {
      expect(Math.abs(fit - t[i]!)).toBeLessThanOrEqual(0.1 + 1e-6);
    });
  });
});

describe("B16 maximum likelihood as cross-entropy", () => {
  // Seven heads and three tails, the coin thrown in both classes: a coin has nothing else to tell.
  const throws = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0];
  const X = [...throws, ...throws].map((heads) => [heads]);
  const y = X.map((_, i) => (i < throws.length ? "first" : "second"));

  it("the likeliest coin is the fraction of heads", () => {
    const model = new BernoulliNB({ alpha: 0 }).fit(X, y);
    // alpha 0 is 1e-10 in the counts: 0.7 to ten digits.
    expect(Math.exp(model.featureLogProb.at(0, 0))).toBeCloseTo(0.7, 9);
  });

  it("it has the least cross-entropy, and the mean negative log-likelihood is that number", () => {
    const crossEntropy = (p: number) => -(0.7 * Math.log(p) + 0.3 * Math.log(1 - p));
    const model = new BernoulliNB({ alpha: 0 }).fit(X, y);
    const likelihood = throws.map((heads) => model.logLikelihood([[heads]]).at(0, 0));
    const mean = -likelihood.reduce((sum, l) => sum + l, 0) / throws.length;
    expect(mean).toBeCloseTo(crossEntropy(0.7), 9);
    for (const p of [0.5, 0.65, 0.75, 0.9]) expect(crossEntropy(p)).toBeGreaterThan(mean);
    const forecasts = throws.map(() => [1 - 0.7, 0.7]);
    expect(logLoss(throws, forecasts)).toBeCloseTo(mean, 9);
  });
});

describe("B17 Bernoulli naive Bayes in one pass", () => {
  const D = 6;
  const X = Array.from({ length: 40 }, (_, i) =>
    Array.from({ length: D }, (_, j) => ((i * (j + 3)) % 7 > 3 ? 1 : 0)),
  );
  const y = X.map((row, i) => (row[0]! + row[1]! + (i % 3) > 1 ? "yes" : "no"));

  it("learns 2D + 1 numbers from two classes", () => {
    expect(new BernoulliNB().fit(X, y).nParameters).toBe(2 * D + 1);
  });

  it("row by row it is the model of all rows at once", () => {
    const estimator = new BernoulliNB();
    const stream = X.reduce<ReturnType<typeof estimator.fit<string>> | null>(
      (model, row, i) => estimator.partialFit(model, [row], [y[i]!], { classes: ["no", "yes"] }),
      null,
    )!;
    const all = estimator.fit(X, y);
    expect(stream.featureCount).toEqual(all.featureCount);
    expect(stream.featureLogProb).toEqual(all.featureLogProb);
    expect(stream.predictProba(X)).toEqual(all.predictProba(X));
  });

  it("the posterior is Bayes' rule: P(x | y) P(y) over its sum", () => {
    const model = new BernoulliNB().fit(X, y);
    const joint = model.predictJointLogProba([X[3]!]).data.map((z) => Math.exp(z));
    const likelihood = model.logLikelihood([X[3]!]).data.map((z) => Math.exp(z));
    const posterior = model.predictProba([X[3]!]).data;
    for (const k of [0, 1]) {
      expect(joint[k]).toBeCloseTo(likelihood[k]! * Math.exp(model.classLogPrior[k]!), 14);
      expect(posterior[k]).toBeCloseTo(joint[k]! / (joint[0]! + joint[1]!), 14);
    }
  });
});
