import {
  AdaBoostClassifier,
  BaggingClassifier,
  BaggingRegressor,
  DecisionStump,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  GaussianNB,
  KNeighborsClassifier,
  KNeighborsRegressor,
  LinearRegression,
  LinearSVC,
  LogisticRegression,
  makeMoons,
  pipeline,
  StandardScaler,
  SVC,
  SVR,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

/** The lecture's algorithm, line by line. */
function lecture(
  X: readonly (readonly number[])[],
  t: readonly number[],
  T: number,
  form: "exp(−α t h)" | "exp(2α [h ≠ t])",
  normalise: boolean,
) {
  const N = t.length;
  let w = t.map(() => 1 / N);
  const rounds: { alpha: number; err: number; h: number[]; w: number[] }[] = [];
  for (let round = 0; round < T; round++) {
    const h = new DecisionStump({ criterion: "error" }).fit(X, t, { sampleWeight: w }).predict(X);
    const wrong = w.reduce((sum, wn, n) => sum + (h[n] === t[n] ? 0 : wn), 0);
    const err = wrong / w.reduce((sum, wn) => sum + wn, 0);
    const alpha = 0.5 * Math.log((1 - err) / err);
    rounds.push({ alpha, err, h, w });
    w = w.map((wn, n) =>
      form === "exp(−α t h)"
        ? wn * Math.exp(-alpha * t[n]! * h[n]!)
        : wn * Math.exp(2 * alpha * (h[n] === t[n] ? 0 : 1)),
    );
    const total = normalise ? w.reduce((sum, wn) => sum + wn, 0) : 1;
    w = w.map((wn) => wn / total);
  }
  return rounds;
}

describe("B15 AdaBoost of stumps", () => {
  const data = makeMoons({ nSamples: 150, noise: 0.25, randomState: 4 });
  const X = data.X.toArray();
  const t = data.y.map((k) => (k === 1 ? 1 : -1));
  const T = 15;
  const model = new AdaBoostClassifier({
    estimator: new DecisionStump({ criterion: "error" }),
    nEstimators: T,
  }).fit(X, t);
  const forms = (["exp(−α t h)", "exp(2α [h ≠ t])"] as const).flatMap((form) =>
    [true, false].map((normalise) => ({ form, normalise })),
  );

  it.each(forms)("is the lecture's with weights $form, normalised: $normalise", ({ form, normalise }) => {
    const rounds = lecture(X, t, T, form, normalise);
    const weights = [...model.stagedRowWeights(X, t)];
    for (const [m, { alpha, err, w }] of rounds.entries()) {
      expect(model.alphas[m]).toBeCloseTo(alpha, 9);
      expect(model.estimatorErrors[m]).toBeCloseTo(err, 10);
      const total = w.reduce((sum, wn) => sum + wn, 0);
      for (const [n, wn] of w.entries()) expect(weights[m]![n]).toBeCloseTo(wn / total, 10);
    }
    const H = X.map((_, n) => Math.sign(rounds.reduce((sum, { alpha, h }) => sum + alpha * h[n]!, 0)));
    expect(model.predict(X)).toEqual(H);
  });

  it("gives rows that a member got wrong half of all weight in the next round", () => {
    const weights = [...model.stagedRowWeights(X, t)];
    const h = model.members.map((member) => member.predict(X));
    for (let m = 0; m + 1 < T; m++) {
      const wrong = weights[m + 1]!.reduce((sum, w, n) => sum + (h[m]![n] === t[n] ? 0 : w), 0);
      expect(wrong).toBeCloseTo(0.5, 12);
    }
  });

  it("reduces bias: many stumps fit what one cannot", async () => {
    const { X: Z, y } = await loadDataset("breastCancer");
    const [first, ...rest] = [...new AdaBoostClassifier({ nEstimators: 60 }).fit(Z, y).stagedScore(Z, y)];
    expect(first).toBeLessThan(0.93);
    expect(rest.at(-1)).toBeGreaterThan(0.99);
  });
});

describe("B14 bagging", () => {
  const { X, y } = makeMoons({ nSamples: 400, noise: 0.3, randomState: 8 });
  const estimators = [
    new DecisionTreeClassifier(),
    new LogisticRegression(),
    new GaussianNB(),
    new SVC(),
    pipeline(new StandardScaler(), new LinearSVC()),
  ];

  it.each(estimators.map((estimator) => [estimator.constructor.name, estimator] as const))(
    "is m resamples of n examples with replacement, of %s",
    (_, estimator) => {
      const model = new BaggingClassifier({ estimator, nEstimators: 3, oobScore: true }).fit(X, y);
      for (const { rows } of model.members) {
        expect(rows).toHaveLength(400);
        // n examples drawn n times: 1 − 1/e of them are met, 0.07 is four standard deviations.
        expect(Math.abs(new Set(rows).size / 400 - (1 - Math.exp(-1)))).toBeLessThan(0.07);
      }
      const [first, second] = model.members;
      expect(first!.rows).not.toEqual(second!.rows);
      expect(model.oobScore).toBeGreaterThan(0.8);
    },
  );

  it("has members that differ, and averages their predictions", () => {
    const model = new BaggingClassifier({ nEstimators: 7 }).fit(X, y);
    const [a, b] = model.members.map(({ model: tree }) => tree.predict(X));
    expect(a).not.toEqual(b);
    const mean = X.toArray().map(
      (row) => model.members.reduce((sum, { model: tree }) => sum + tree.predictProba([row]).at(0, 1), 0) / 7,
    );
    for (const [i, p] of mean.entries()) expect(model.predictProba(X).at(i, 1)).toBeCloseTo(p, 12);
  });

  it.each([
    ["LogisticRegression", new LogisticRegression({ C: 100 })],
    ["GaussianNB", new GaussianNB()],
    ["a k-NN of five", new KNeighborsClassifier({ nNeighbors: 5 })],
    ["pipeline", pipeline(new StandardScaler(), new LogisticRegression())],
  ])("averages probabilities, whatever the members: %s", (_, estimator) => {
    const model = new BaggingClassifier({ estimator: estimator as GaussianNB, nEstimators: 5 }).fit(X, y);
    const own = model.members.map(({ model: member }) => member.predictProba(X));
    const p = model.predictProba(X);
    let between = 0;
    for (let i = 0; i < X.rows; i++) {
      const mean = own.reduce((sum, member) => sum + member.at(i, 1), 0) / 5;
      expect(p.at(i, 1)).toBeCloseTo(mean, 12);
      // A vote would be a multiple of a fifth.
      if (Math.abs(5 * mean - Math.round(5 * mean)) > 0.01) between++;
    }
    expect(between).toBeGreaterThan(40);
  });

  it("of members without probabilities it is their vote", () => {
    const model = new BaggingClassifier({ estimator: new LinearSVC(), nEstimators: 5 }).fit(X, y);
    const own = model.members.map(({ model: member }) => member.predict(X));
    const p = model.predictProba(X);
    for (let i = 0; i < X.rows; i++)
      expect(p.at(i, 1)).toBeCloseTo(own.filter((labels) => labels[i] === 1).length / 5, 12);
  });

  it.each([
    ["LinearRegression", new LinearRegression()],
    ["KNeighborsRegressor", new KNeighborsRegressor()],
    ["SVR", new SVR()],
    ["a tree", new DecisionTreeRegressor()],
  ])("averages the numbers of any regressor: %s", (_, estimator) => {
    const t = X.toArray().map(([a, b]) => Math.sin(3 * a!) + b!);
    const model = new BaggingRegressor({ estimator: estimator as LinearRegression, nEstimators: 5 }).fit(
      X,
      t,
    );
    const own = model.members.map(({ model: member }) => member.predict(X));
    expect(own[0]).not.toEqual(own[1]);
    model.predict(X).forEach((value, i) => {
      // The mean of the five, not their median or one of them.
      expect(value).toBeCloseTo(own.reduce((sum, member) => sum + member[i]!, 0) / 5, 10);
    });
  });

  it("reduces variance: what bags say depends less on the sample than what trees say", () => {
    const fresh = makeMoons({ nSamples: 200, noise: 0.3, randomState: 99 });
    const samples = Array.from({ length: 8 }, (_, seed) =>
      makeMoons({ nSamples: 200, noise: 0.3, randomState: seed }),
    );
    /** Mean over fresh rows of the variance of P(1 | x) over the samples. */
    const variance = (estimator: DecisionTreeClassifier | BaggingClassifier) => {
      const said = samples.map((sample) => estimator.fit(sample.X, sample.y).predictProba(fresh.X).column(1));
      const spread = (i: number) => {
        const mean = said.reduce((sum, p) => sum + p[i]!, 0) / said.length;
        return said.reduce((sum, p) => sum + (p[i]! - mean) ** 2, 0) / said.length;
      };
      return fresh.y.reduce((sum, _, i) => sum + spread(i), 0) / fresh.y.length;
    };
    expect(variance(new BaggingClassifier({ nEstimators: 30 }))).toBeLessThan(
      0.6 * variance(new DecisionTreeClassifier()),
    );
  });

  it("cannot overfit by more members, and the out-of-bag score says how good it is", () => {
    const fresh = makeMoons({ nSamples: 2000, noise: 0.3, randomState: 99 });
    const scores = [5, 50, 150].map((nEstimators) => {
      const model = new BaggingClassifier({ nEstimators, oobScore: true }).fit(X, y);
      return { fresh: model.score(fresh.X, fresh.y), oob: model.oobScore! };
    });
    expect(scores[2]!.fresh).toBeGreaterThan(scores[0]!.fresh - 0.005);
    // Shares near 0.9 of 400 and of 2000 rows: two standard errors of their difference are 0.033.
    expect(Math.abs(scores[2]!.oob - scores[2]!.fresh)).toBeLessThan(0.033);
  });
});

describe("Y9 boosting can over-fit", () => {
  it("noisy moons, trees of depth 2: the test accuracy falls from its best round, the training error does not rise", () => {
    const train = makeMoons({ nSamples: 200, noise: 0.35, randomState: 1 });
    const test = makeMoons({ nSamples: 2000, noise: 0.35, randomState: 2 });
    const estimator = new DecisionTreeClassifier({ maxDepth: 2 });
    const model = new AdaBoostClassifier({ estimator, nEstimators: 200 }).fit(train.X, train.y);
    expect(model.members).toHaveLength(200);
    const fresh = [...model.stagedScore(test.X, test.y)];
    const best = fresh.indexOf(Math.max(...fresh));
    expect(best).toBeLessThan(100);
    // Proportions of 2,000 rows have a standard error of 0.008, of a difference on the same rows less.
    expect(fresh.at(-1)).toBeLessThan(fresh[best]! - 0.03);
    const own = [...model.stagedScore(train.X, train.y)];
    expect(own.at(-1)).toBeGreaterThanOrEqual(own[best]!);
    expect(own.at(-1)).toBe(1);
    for (let m = 1; m < 200; m++)
      expect(model.exponentialErrors[m]).toBeLessThanOrEqual(model.exponentialErrors[m - 1]!);
  });
});
