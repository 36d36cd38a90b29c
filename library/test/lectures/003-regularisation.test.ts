import {
  BernoulliNB,
  ConstrainedLasso,
  ConstrainedRidge,
  CountVectorizer,
  coordinateDescent,
  crossValidate,
  gaussianPrior,
  Lasso,
  LinearRegressor,
  LogisticRegression,
  l1,
  l2,
  laplacePrior,
  lassoPath,
  MultinomialNB,
  newton,
  pipeline,
  Ridge,
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
    expect(inside.score(X, y)).toBeCloseTo(free.score(X, y), 6);
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
