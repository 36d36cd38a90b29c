import {
  BernoulliNB,
  CategoricalNB,
  CountVectorizer,
  CsrMatrix,
  GaussianNB,
  LinearDiscriminantAnalysis,
  LogisticRegression,
  MultinomialNB,
  makeCircles,
  ThresholdBinner,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";

describe("A5 logistic regression with polynomial terms", () => {
  const { X, y } = makeCircles({ nSamples: 200, noise: 0.05, factor: 0.5, randomState: 3 });
  const rows = X.toArray();

  it("a line cannot separate a circle from the ring around it", () => {
    expect(new LogisticRegression().fit(rows, y).score(rows, y)).toBeLessThan(0.7);
  });

  it("the hypothesis σ(w·(v₁, v₂, v₁², v₁v₂, v₂²) + b) separates them", () => {
    const mapped = rows.map(([a, b]) => [a!, b!, a! * a!, a! * b!, b! * b!]);
    const model = new LogisticRegression({ C: 100 }).fit(mapped, y);
    expect(model.score(mapped, y)).toBe(1);
    // The boundary is a circle: equal weight on both squares, next to none on the product.
    const [, , aa, ab, bb] = model.coef.row(0);
    expect(Math.abs(aa! - bb!) / Math.abs(aa!)).toBeLessThan(0.2);
    expect(Math.abs(ab! / aa!)).toBeLessThan(0.2);
  });
});

describe("A3 discretisation by thresholds", () => {
  it("edges 1, 10, 50, 100 map 0.5→0, 1→1, 10→2, 99→3, 100→4", () => {
    const binner = new ThresholdBinner({ edges: [1, 10, 50, 100] });
    expect([...binner.fitTransform([[0.5], [1], [10], [99], [100]]).data]).toEqual([0, 1, 2, 3, 4]);
  });

  it("gives each bin an indicator, for event models of binary features", () => {
    const model = new ThresholdBinner({ edges: [1, 10], encode: "onehot-dense" }).fit([[0]]);
    expect(model.transform([[0], [5], [50]]).toArray()).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect(model.featureNames(["price"])).toEqual(["price_0", "price_1", "price_2"]);
  });
});

describe("A6 generative learning: the posterior of Gaussians with one covariance", () => {
  it("is the logistic function of a linear form", async () => {
    const { X, y } = await loadDataset("breastCancer");
    const model = new LinearDiscriminantAnalysis().fit(X, y);
    const [w, b] = [model.coef.row(0), model.intercept[0]!];
    const p = model.predictProba(X);
    for (let i = 0; i < X.rows; i++) {
      const z = X.row(i).reduce((sum, x, j) => sum + w[j]! * x, b);
      expect(p.at(i, 1)).toBeCloseTo(1 / (1 + Math.exp(-z)), 12);
    }
  });

  it("whose w = Σ⁻¹(μ₁ − μ₀) and b = ½(μ₀ᵀΣ⁻¹μ₀ − μ₁ᵀΣ⁻¹μ₁) + log π₁/π₀ are computed from means and covariance", () => {
    // Four rows around (0, 0) and eight around (3, 1), all with the scatter that a cross has: Σ is known by hand.
    const cross = [
      [1, 1],
      [-1, -1],
      [2, -2],
      [-2, 2],
    ];
    const X = [
      ...cross,
      ...cross.map(([u, v]) => [3 + u!, 1 + v!]),
      ...cross.map(([u, v]) => [3 + u!, 1 + v!]),
    ];
    const y = X.map((_, i) => (i < 4 ? 0 : 1));
    const model = new LinearDiscriminantAnalysis().fit(X, y);
    // Σ of a cross is (10, −6; −6, 10), three of them over 12 − 2 rows: (3, −1.8; −1.8, 3), its inverse (3, 1.8; 1.8, 3)/5.76.
    const apply = ([u, v]: readonly number[]) => [(3 * u! + 1.8 * v!) / 5.76, (1.8 * u! + 3 * v!) / 5.76];
    const w = apply([3, 1]);
    const b = -0.5 * (3 * w[0]! + w[1]!) + Math.log(8 / 4);
    expect(model.coef.at(0, 0)).toBeCloseTo(w[0]!, 12);
    expect(model.coef.at(0, 1)).toBeCloseTo(w[1]!, 12);
    expect(model.intercept[0]).toBeCloseTo(b, 12);
    for (const x of [[0, 0], [1.5, 0.5], [-2, 7], ...X]) {
      const z = w[0]! * x[0]! + w[1]! * x[1]! + b;
      expect(model.predictProba([x]).at(0, 1)).toBeCloseTo(1 / (1 + Math.exp(-z)), 12);
    }
  });
});

describe("A1 multivariate Bernoulli event model", () => {
  // Three spam and two ham messages; the columns say whether "buy", "price" and "lunch" occur.
  const X = [
    [1, 1, 0],
    [1, 0, 0],
    [1, 1, 1],
    [0, 1, 1],
    [0, 0, 1],
  ];
  const y = ["spam", "spam", "spam", "ham", "ham"];

  it("probabilities are fractions of rows, smoothed: φ = (ones + 1) / (rows + 2), P(y) = rows / all", () => {
    const model = new BernoulliNB().fit(X, y);
    const expected = [
      [1 / 4, 2 / 4, 3 / 4],
      [4 / 5, 3 / 5, 2 / 5],
    ];
    expected.flat().forEach((p, e) => {
      expect(Math.exp(model.featureLogProb.data[e]!)).toBeCloseTo(p, 14);
    });
    expect(Array.from(model.classLogPrior, Math.exp)).toEqual([
      expect.closeTo(0.4, 14),
      expect.closeTo(0.6, 14),
    ]);
  });

  it("absent words count: the posterior of a message is Bayes' rule on both", () => {
    const model = new BernoulliNB().fit(X, y);
    const ham = 0.4 * (3 / 4) * (2 / 4) * (3 / 4);
    const spam = 0.6 * (1 / 5) * (3 / 5) * (2 / 5);
    expect(model.predictProba([[0, 1, 1]]).data[0]).toBeCloseTo(ham / (ham + spam), 14);
  });
});

describe("A2 multinomial event model, xᵢ ∈ {1 … k}", () => {
  // The living area in four ranges (0 … 3) and the number of bathrooms (0 … 1); was the house sold?
  const X = [
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
    [2, 0],
  ];
  const y = [0, 0, 1, 1, 1];

  it("each value of each column has a probability of its own: (count + 1) / (rows + k)", () => {
    const [area, baths] = new CategoricalNB().fit(X, y).featureLogProb;
    const expectedArea = [2 / 6, 2 / 6, 1 / 6, 1 / 6, 1 / 7, 1 / 7, 3 / 7, 2 / 7];
    const expectedBaths = [3 / 4, 1 / 4, 2 / 5, 3 / 5];
    expectedArea.forEach((p, e) => {
      expect(Math.exp(area!.data[e]!)).toBeCloseTo(p, 14);
    });
    expectedBaths.forEach((p, e) => {
      expect(Math.exp(baths!.data[e]!)).toBeCloseTo(p, 14);
    });
  });

  it("a range that was never sold is smoothed, not ruled out", () => {
    const no = (2 / 5) * (2 / 6) * (1 / 4);
    const yes = (3 / 5) * (1 / 7) * (3 / 5);
    expect(new CategoricalNB().fit(X, y).predictProba([[0, 1]]).data[0]).toBeCloseTo(no / (no + yes), 14);
  });
});

describe("A4 text event model with Laplace smoothing", () => {
  // Documents of different lengths over five words, as counts.
  const X = [
    [3, 1, 0, 0, 0],
    [1, 0, 1, 0, 0],
    [0, 1, 0, 2, 0],
  ];
  const y = ["spam", "spam", "ham"];

  it("word probabilities are (count + 1) / (words of the class + vocabulary)", () => {
    const model = new MultinomialNB().fit(X, y);
    const expected = [1 / 8, 2 / 8, 1 / 8, 3 / 8, 1 / 8, 5 / 11, 2 / 11, 2 / 11, 1 / 11, 1 / 11];
    expected.forEach((p, e) => {
      expect(Math.exp(model.featureLogProb.data[e]!)).toBeCloseTo(p, 14);
    });
  });

  it("a vocabulary of 50,000 words works on sparse rows, exactly", () => {
    const words = 50_000;
    const rows = Array.from({ length: 400 }, (_, i) =>
      Array.from({ length: 30 }, (_, e): [number, number] => [(i * 7919 + e * e * 613) % words, 1 + (e % 3)]),
    );
    const documents = CsrMatrix.fromRows(rows, words);
    const labels = rows.map((_, i) => i % 2);
    const model = new MultinomialNB().fit(documents, labels);
    const counts = new Map<number, number>();
    let total = 0;
    rows.forEach((row, i) => {
      if (labels[i] !== 1) return;
      for (const [j, count] of row) {
        counts.set(j, (counts.get(j) ?? 0) + count);
        total += count;
      }
    });
    for (const j of [0, 613, 7919, 49_999, ...counts.keys()]) {
      const p = ((counts.get(j) ?? 0) + 1) / (total + words);
      expect(Math.abs(Math.exp(model.featureLogProb.at(1, j)) / p - 1)).toBeLessThan(1e-13);
    }
    expect(model.score(documents, labels)).toBeGreaterThan(0.95);
  });

  it("a document of a million words has a posterior, and no word outside the training set vetoes a class", () => {
    const model = new MultinomialNB().fit(X, y);
    const [ham, spam] = model.predictProba([[600_000, 200_000, 0, 199_999, 1]]).data;
    expect([ham, spam]).toEqual([0, 1]);
    const log = model.predictLogProba([[600_000, 200_000, 0, 199_999, 1]]).data;
    expect(log.every(Number.isFinite)).toBe(true);
    expect(model.predict([[0, 0, 0, 0, 5]])).toEqual(["ham"]); // 1/8 against 1/11 outweighs 1/3 against 2/3
  });
});

describe("A4 from text: documents of different lengths, 50,000 words", () => {
  it("a vocabulary of 50,000 words comes from strings, and goes into sparse rows", () => {
    // Document i has 1,000 words of its own and 100 i of the next ones; word w is written in letters.
    const word = (w: number) =>
      w.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
    const texts = Array.from({ length: 50 }, (_, i) =>
      Array.from({ length: 1000 + 100 * i }, (_, e) => `w${word((i * 1000 + e) % 50_000)}`).join(" "),
    );
    const y = texts.map((_, i) => i % 2);
    const { model: vectorizer, X } = new CountVectorizer().fitAndTransform(texts);
    expect(vectorizer.nFeatures).toBe(50_000);
    expect(X.values.reduce((sum, count) => sum + count, 0)).toBe(50 * 1000 + 100 * 25 * 49);
    const model = new MultinomialNB().fit(X, y);
    const total = [0, 1].map((k) => y.reduce<number>((sum, c, i) => sum + (c === k ? 1000 + 100 * i : 0), 0));
    // A word of no document of the class has (0 + 1) / (total + n).
    const rarest = Math.min(...model.featureLogProb.row(1));
    expect(Math.exp(rarest) * (total[1]! + vectorizer.nFeatures)).toBeCloseTo(1, 10);
  });
});

describe("A6 generative learning: the posterior of Gaussian naive Bayes", () => {
  const shape = [
    [0, 1],
    [2, 3],
    [1, -1],
    [-1, 0.5],
    [3, 2],
  ];
  const apart = [4, -2];
  const X = [...shape, ...shape.map((row) => row.map((v, j) => v + apart[j]!))];
  const y = X.map((_, i) => (i < shape.length ? 0 : 1));

  it("is the logistic function of a linear form when the classes share their variances", () => {
    const model = new GaussianNB({ varSmoothing: 0, priors: [0.3, 0.7] }).fit(X, y);
    const [m0, m1, v] = [model.theta.row(0), model.theta.row(1), model.var.row(0)];
    const w = [0, 1].map((j) => (m1[j]! - m0[j]!) / v[j]!);
    const b =
      Math.log(0.7 / 0.3) - [0, 1].reduce((sum, j) => sum + (m1[j]! ** 2 - m0[j]! ** 2) / (2 * v[j]!), 0);
    for (const x of [[0, 0], [1, 2], [-3, 5], [10, -7], ...X]) {
      const z = w[0]! * x[0]! + w[1]! * x[1]! + b;
      expect(model.predictProba([x]).data[1]).toBeCloseTo(1 / (1 + Math.exp(-z)), 12);
    }
  });

  it("is not when they do not: the log-odds bend", () => {
    const wider = X.map((row, i) => (y[i] === 1 ? row.map((v) => 2 * v) : row));
    const model = new GaussianNB().fit(wider, y);
    const logOdds = [-1, 0, 1].map((t) => {
      const [a, b] = model.predictLogProba([[t, 0]]).data;
      return b! - a!;
    });
    expect(Math.abs(logOdds[0]! - 2 * logOdds[1]! + logOdds[2]!)).toBeGreaterThan(0.1);
  });
});
