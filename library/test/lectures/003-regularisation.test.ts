import {
  BernoulliNB,
  ConstrainedLasso,
  ConstrainedRidge,
  CountVectorizer,
  coordinateDescent,
  crossValidate,
  gaussianPrior,
  Lasso,
  LassoCV,
  LinearRegressor,
  LogisticRegression,
  l1,
  l2,
  laplacePrior,
  lassoPath,
  MultinomialNB,
  newton,
  pipeline,
  Random,
  Ridge,
  RidgeCV,
  StandardScaler,
  squared,
} from "argmax";
import { loadDataset, loadTexts } from "argmax/datasets";
import { describe, expect, it } from "vitest";

const { X, y } = await loadDataset("diabetes");
const n = X.rows;
const norm = (w: Float64Array, p: 1 | 2) =>
  p === 1 ? w.reduce((sum, v) => sum + Math.abs(v), 0) : Math.sqrt(w.reduce((sum, v) => sum + v * v, 0));
const largest = (w: Float64Array) => w.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

describe("D1 penalised and constrained forms are two spellings", () => {
  it("ridge with λ, then ‖w‖₂ ≤ ‖ŵ‖: the constrained fit returns ŵ", () => {
    const ridge = new Ridge({ alpha: 0.5 }).fit(X, y);
    const constrained = new ConstrainedRidge({ radius: norm(ridge.coef, 2) }).fit(X, y);
    constrained.coef.forEach((w, j) => {
      expect(Math.abs(w - ridge.coef[j]!) / largest(ridge.coef)).toBeLessThan(1e-4);
    });
  });

  it("lasso with λ, then ‖w‖₁ ≤ ‖ŵ‖₁: the constrained fit returns ŵ, zeros included", () => {
    const lasso = new Lasso({ alpha: 0.5, tol: 1e-12 }).fit(X, y);
    const constrained = new ConstrainedLasso({ radius: norm(lasso.coef, 1) }).fit(X, y);
    constrained.coef.forEach((w, j) => {
      expect(Math.abs(w - lasso.coef[j]!) / largest(lasso.coef)).toBeLessThan(1e-4);
    });
    expect(Array.from(constrained.coef, (w) => w === 0)).toEqual(Array.from(lasso.coef, (w) => w === 0));
  });

  it("a ball that holds the unconstrained solution changes nothing", () => {
    const free = new Ridge({ alpha: 0 }).fit(X, y);
    const inside = new ConstrainedRidge({ radius: 10 * norm(free.coef, 2), tol: 1e-9, maxIter: 200_000 }).fit(
      X,
      y,
    );
    expect(inside.report.converged).toBe(true);
    inside.coef.forEach((w, j) => {
      // The least eigenvalue of these columns is 1/4000 of the largest: tol 1e-9 leaves six digits at least.
      expect(Math.abs(w - free.coef[j]!) / largest(free.coef)).toBeLessThan(1e-6);
    });
    expect(inside.intercept).toBeCloseTo(free.intercept, 6);
  });

  it("a ball that does not hold it is reached: ‖w‖ = c, and the error is the larger the smaller the ball", () => {
    const free = new Ridge({ alpha: 0 }).fit(X, y);
    const fits = [0.9, 0.5, 0.1].map((share) =>
      new ConstrainedRidge({ radius: share * norm(free.coef, 2), tol: 1e-9, maxIter: 200_000 }).fit(X, y),
    );
    fits.forEach(({ coef }, e) => {
      expect(norm(coef, 2) / norm(free.coef, 2)).toBeCloseTo([0.9, 0.5, 0.1][e]!, 9);
    });
    const scores = [free, ...fits].map((model) => model.score(X, y));
    for (let e = 1; e < scores.length; e++) expect(scores[e]).toBeLessThan(scores[e - 1]!);
  });
});

describe("Y17 the point where a contour touches the ball, in two dimensions", () => {
  const random = new Random(17);
  const Z = Array.from({ length: 60 }, () => {
    const a = random.normal();
    return [a, 0.6 * a + 0.8 * random.normal()];
  });
  const t = Z.map(([a, b]) => 2 * a! + 0.7 * b! + 0.3 * random.normal());
  const given = { radius: 0.5, tol: 1e-12, fitIntercept: false };
  /** Of the mean squared error: normal to the contour through w. */
  const gradient = (w: Float64Array) =>
    [0, 1].map((j) => Z.reduce((sum, z, i) => sum + (z[0]! * w[0]! + z[1]! * w[1]! - t[i]!) * z[j]!, 0) / 60);

  it("ridge: on the circle, where the gradient is parallel to w and points inwards", () => {
    const { coef } = new ConstrainedRidge(given).fit(Z, t);
    const [g1, g2] = gradient(coef);
    expect(norm(coef, 2)).toBeCloseTo(0.5, 12);
    expect(Math.abs(g1! * coef[1]! - g2! * coef[0]!)).toBeLessThan(1e-10);
    // Downhill, −g, is outwards: a smaller error lies beyond the circle.
    expect(-(g1! * coef[0]! + g2! * coef[1]!)).toBeGreaterThan(0.1);
    // No corner is preferred.
    expect(Math.min(...coef.map(Math.abs))).toBeGreaterThan(0.1);
  });

  it("lasso: exactly on an axis, a corner of the square, where every gradient within its cone touches", () => {
    const { coef } = new ConstrainedLasso(given).fit(Z, t);
    expect(coef).toEqual(Float64Array.of(0.5, 0));
    const [g1, g2] = gradient(coef);
    expect(-g1!).toBeGreaterThan(Math.abs(g2!));
  });

  it("a ball around the unconstrained minimum: it stays, and the gradient is 0", () => {
    for (const Estimator of [ConstrainedRidge, ConstrainedLasso]) {
      const { coef } = new Estimator({ ...given, radius: 10 }).fit(Z, t);
      for (const g of gradient(coef)) expect(g).toBeCloseTo(0, 9);
    }
  });
});

describe("Y18 lasso for few important weights, ridge for many small ones", () => {
  const d = 60;
  /** Held-out R² of both on four draws of 50 rows, each with its α chosen by cross-validation on these rows. */
  const scores = (weight: (j: number, random: Random) => number) =>
    [0, 1, 2, 4].map((seed) => {
      const random = new Random(1800 + seed);
      const w = Array.from({ length: d }, (_, j) => weight(j, random));
      const draw = (count: number) => {
        const rows = Array.from({ length: count }, () => Array.from({ length: d }, () => random.normal()));
        const targets = rows.map((x) => x.reduce((sum, v, j) => sum + v * w[j]!, 0) + 1.5 * random.normal());
        return { rows, targets };
      };
      const [train, test] = [draw(50), draw(1000)];
      const lasso = new LassoCV().fit(train.rows, train.targets);
      const ridge = new RidgeCV({ alphas: [0.1, 1, 3, 10, 30, 100] }).fit(train.rows, train.targets);
      return {
        lasso: lasso.score(test.rows, test.targets),
        ridge: ridge.score(test.rows, test.targets),
        kept: lasso.coef.filter((v) => v !== 0).length,
      };
    });

  it("three weights of 3 and 57 zeros: lasso is better, and drops most columns", () => {
    for (const { lasso, ridge, kept } of scores((j) => (j < 3 ? 3 : 0))) {
      expect(lasso).toBeGreaterThan(ridge + 0.1);
      expect(kept).toBeLessThan(d / 2);
    }
  });

  it("sixty weights of ±0.5: ridge is better", () => {
    for (const { lasso, ridge } of scores((_, random) => (random.uniform() < 0.5 ? 0.5 : -0.5)))
      expect(ridge).toBeGreaterThan(lasso + 0.1);
  });
});

describe("D2 lasso gives exact zeros, ridge does not", () => {
  it("on the diabetes data", () => {
    const lasso = new Lasso({ alpha: 1 }).fit(X, y);
    const ridge = new Ridge({ alpha: 1 }).fit(X, y);
    expect(lasso.coef.filter((w) => w === 0).length).toBeGreaterThan(5);
    expect(ridge.coef.every((w) => w !== 0)).toBe(true);
  });

  it("the path starts with all coefficients 0 and lets them in one after another", () => {
    const path = lassoPath(X, y);
    expect(path.alphas.length).toBe(100);
    expect(path.coefs.row(0).every((w) => w === 0)).toBe(true);
    expect(path.coefs.row(99).every((w) => w !== 0)).toBe(true);
    const fit = new Lasso({ alpha: path.alphas[60]!, tol: 1e-10 }).fit(X, y);
    fit.coef.forEach((w, j) => {
      expect(Math.abs(w - path.coefs.at(60, j)) / largest(fit.coef)).toBeLessThan(1e-2);
    });
  });
});

describe("D3 MAP: priors are another spelling of penalties", () => {
  it("a Gaussian prior N(0, σ²) is ridge with λ = 1/σ²", () => {
    const sigma = 2;
    const fit = { solver: newton(), loss: squared(), tol: 1e-10 };
    const prior = new LinearRegressor({ ...fit, penalty: gaussianPrior(sigma) }).fit(X, y);
    const ridge = new Ridge({ alpha: 1 / sigma ** 2 }).fit(X, y);
    const penalty = new LinearRegressor({ ...fit, penalty: l2(1 / sigma ** 2 / n) }).fit(X, y);
    for (let j = 0; j < X.cols; j++) {
      expect(prior.coef[j]).toBeCloseTo(ridge.coef[j]!, 6);
      expect(penalty.coef[j]).toBeCloseTo(ridge.coef[j]!, 6);
    }
  });

  it("a Laplace prior of scale b is lasso with λ = 1/b", () => {
    const b = 1 / 442;
    const fit = { solver: coordinateDescent(), loss: squared(), tol: 1e-8 };
    const prior = new LinearRegressor({ ...fit, penalty: laplacePrior(b) }).fit(X, y);
    const lasso = new Lasso({ alpha: 1 / (b * n), tol: 1e-14 }).fit(X, y);
    const penalty = new LinearRegressor({ ...fit, penalty: l1(1 / (b * n)) }).fit(X, y);
    for (let j = 0; j < X.cols; j++) {
      expect(prior.coef[j]).toBeCloseTo(lasso.coef[j]!, 5);
      expect(penalty.coef[j]).toBeCloseTo(lasso.coef[j]!, 5);
    }
  });
});

describe("D6 logistic regression as a linear classifier", () => {
  it("predicts the second class exactly where w·x + b > 0, which is where its probability exceeds ½", async () => {
    const cancer = await loadDataset("breastCancer");
    const Z = new StandardScaler().fitTransform(cancer.X);
    const model = new LogisticRegression().fit(Z, cancer.y);
    const z = model.decisionFunction(Z).data;
    const p = model.predictProba(Z);
    model.predict(Z).forEach((label, i) => {
      expect(label === model.classes[1]).toBe(z[i]! > 0);
      expect(p.at(i, 1) > 0.5).toBe(z[i]! > 0);
    });
  });
});

describe("D5 correlated features hurt naive Bayes", () => {
  // P(Y) = (0.8, 0.2), P(X₁ = 1 | Y) = 0.3 and 0.7: the table of all four cases, weighed by their probability.
  const cases = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const;
  const labels = cases.map(([, label]) => label);
  const sampleWeight = [0.56, 0.24, 0.06, 0.14];
  const errorOf = (rows: number[][]) => {
    const model = new BernoulliNB({ alpha: 0 }).fit(rows, labels, { sampleWeight });
    return 1 - model.score(rows, labels, { sampleWeight });
  };

  it("with X₁ alone the error is 0.20", () => {
    expect(errorOf(cases.map(([x]) => [x]))).toBeCloseTo(0.2, 12);
  });

  it("with X₁ copied, which adds no information, it is 0.30", () => {
    expect(errorOf(cases.map(([x]) => [x, x]))).toBeCloseTo(0.3, 12);
  });

  // Weights of a thousand rows: alpha = 0 counts as 1e-10 of a row, below the last digits asked for.
  const model = new BernoulliNB({ alpha: 0 }).fit(
    cases.map(([x]) => [x, x]),
    labels,
    { sampleWeight: sampleWeight.map((w) => 1e4 * w) },
  );

  it.each([
    [[0, 0], 0.392, 0.018, 0],
    [[1, 1], 0.072, 0.098, 1],
    // The note prints ŷ = 1 in these two rows; its own products say 0.
    [[0, 1], 0.168, 0.042, 0],
    [[1, 0], 0.168, 0.042, 0],
  ] as const)("Y19 Table 7.4, (X₁, X₂) = %j: joints %d and %d, ŷ = %d", (x, zero, one, label) => {
    const joint = model.predictJointLogProba([[...x]]).data;
    expect(Math.exp(joint[0]!)).toBeCloseTo(zero, 12);
    expect(Math.exp(joint[1]!)).toBeCloseTo(one, 12);
    expect(model.predict([[...x]])).toEqual([label]);
  });
});

describe("D4 naive Bayes topic classification, end to end from strings", () => {
  const mean = (list: ArrayLike<number>) => Array.from(list).reduce((sum, v) => sum + v, 0) / list.length;

  it("tokens and bag of words: order is lost, counts are kept", () => {
    const { model, X } = new CountVectorizer().fitAndTransform(["Dog bites man.", "Man bites dog, dog!"]);
    expect(model.featureNames()).toEqual(["bites", "dog", "man"]);
    expect(X.toDense().toArray()).toEqual([
      [1, 1, 1],
      [1, 2, 1],
    ]);
  });

  it("add-one smoothing: P(word | topic) = (count + 1) / (words of the topic + vocabulary)", () => {
    const texts = ["goal match goal", "match referee", "vote law vote"];
    const model = pipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, ["sport", "sport", "law"]);
    const [vectorizer, bayes] = model.steps;
    const sport = model.classes.indexOf("sport");
    // Five words of sport, five different words in all.
    const p = (word: string) => Math.exp(bayes.featureLogProb.at(sport, vectorizer.vocabulary.get(word)!));
    expect([p("goal"), p("match"), p("vote")].map((x) => Math.round(x * 1e12) / 1e12)).toEqual([
      0.3, 0.3, 0.1,
    ]);
    expect(model.predict(["a goal and a vote that nobody saw"])).toEqual(["sport"]);
  });

  it("n-grams tell apart what single words cannot", () => {
    const texts = ["not good at all", "good not bad", "not bad at all", "bad not good"];
    const y = ["bad", "good", "good", "bad"];
    const learn = (ngramRange: readonly [number, number]) =>
      pipeline(new CountVectorizer({ ngramRange }), new MultinomialNB()).fit(texts, y);
    expect(learn([1, 2]).predict(["not good", "not bad"])).toEqual(["bad", "good"]);
    expect(learn([1, 1]).predictProba(["good not bad"]).data[0]).toBeCloseTo(0.5, 12);
    expect(learn([1, 2]).predictProba(["good not bad"]).data[0]).toBeLessThan(0.4);
  });

  it("sorts real mails by topic and by spam, judged on mails it has not seen", async () => {
    const topics = await loadTexts("mailTopics");
    const bayes = pipeline(new CountVectorizer({ stopWords: "english" }), new MultinomialNB());
    expect(mean(crossValidate(bayes, topics.texts, topics.y, { cv: 5 }).testScore)).toBeGreaterThan(0.75);
    const spam = await loadTexts("spam");
    expect(mean(crossValidate(bayes, spam.texts, spam.y, { cv: 5 }).testScore)).toBeGreaterThan(0.95);
  });
});
