import { describe, expect, it } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import {
  absolute,
  CsrMatrix,
  coordinateDescent,
  epsilonInsensitive,
  HuberRegressor,
  hinge,
  huber,
  interiorPoint,
  isLinearlySeparable,
  Lasso,
  LinearClassifier,
  LinearRegression,
  LinearRegressor,
  LinearSVR,
  LogisticRegression,
  l2,
  lassoPath,
  Matrix,
  makeBlobs,
  newton,
  none,
  Perceptron,
  PoissonRegressor,
  PolynomialFeatures,
  pipeline,
  Ridge,
  squaredEpsilonInsensitive,
  squaredHinge,
} from "../../src/index.js";

/** Data on which solvers once stopped at a wrong point and said that they had converged. */
const X = Array.from({ length: 50 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]);
const y = X.map((row) => 100 + 3 * row[0]!);
const labels = X.map((row, i) => (row[0]! + row[1]! + Math.sin(9 * i) > 0 ? 1 : 0));
const moved = (rows: readonly number[][], by: number) => rows.map((row) => row.map((v) => v + by));
const sparse = (rows: readonly number[][]) => CsrMatrix.fromDense(Matrix.fromRows(rows));

describe("Huber's loss where every row starts beyond δ", () => {
  it.each([
    ["newton", newton()],
    ["coordinateDescent", coordinateDescent()],
    ["chosen by itself", null],
  ] as const)("leaves w = 0: %s", (_, solver) => {
    const model = new LinearRegressor({ loss: huber(1.35), penalty: none(), solver }).fit(X, y);
    expect(model.score(X, y)).toBeGreaterThan(1 - 1e-9);
    expect(model.report.converged).toBe(true);
  });

  it("is minimised by HuberRegressor wherever the columns lie", () => {
    const random = new Random(5);
    const rows = Array.from({ length: 40 }, () => Array.from({ length: 8 }, () => random.normal()));
    const targets = rows.map(
      (row, i) => 5 * row[0]! - 2 * row[1]! + random.normal() + (i % 7 === 0 ? 40 * random.normal() : 0),
    );
    const near = new HuberRegressor().fit(rows, targets);
    const far = new HuberRegressor().fit(moved(rows, 1e6), targets);
    // Columns at 1e6 are rounded to 1e-10, predictions to 1e-9.
    expect(Math.abs(far.report.objective / near.report.objective - 1)).toBeLessThan(1e-7);
    expect(far.report.converged).toBe(true);
  });
});

describe("isLinearlySeparable", () => {
  it("says yes to two points on a diagonal and to any set with a column twice", () => {
    expect(
      isLinearlySeparable(
        [
          [0, 0],
          [1, 1],
        ],
        ["a", "b"],
      ),
    ).toBe(true);
    const twice = X.map((row) => [row[0]!, row[1]!, row[0]!]);
    const split = X.map((row) => (row[0]! - 0.3 * row[1]! > 0.1 ? 1 : 0));
    expect(isLinearlySeparable(X, split)).toBe(true);
    expect(isLinearlySeparable(twice, split)).toBe(true);
    expect(isLinearlySeparable(twice, labels)).toBe(false);
  });
});

describe("a constant column without a penalty", () => {
  const Z = Array.from({ length: 50 }, (_, i) => [2 * Math.sin(1.3 * i), 1]);
  const t = Z.map((row, i) => 5 + 2 * row[0]! + 0.1 * Math.cos(i));

  it.each([
    ["dense", Z],
    ["sparse", sparse(Z)],
  ] as const)("has the coefficient 0: squares, %s", (_, rows) => {
    const model = new LinearRegressor({ penalty: none() }).fit(rows, t);
    expect(model.score(Z, t)).toBeGreaterThan(0.999);
    expect(model.coef[1]).toBe(0);
    expect(model.report.converged).toBe(true);
  });

  it("has the coefficient 0: counts", () => {
    const counts = Z.map((row) => Math.round(Math.exp(1 + 0.5 * row[0]!)));
    const model = new PoissonRegressor({ alpha: 0 }).fit(Z, counts);
    expect(model.coef[1]).toBe(0);
    expect(Math.abs(model.intercept)).toBeLessThan(2);
  });

  it("does no harm behind PolynomialFeatures, whose first column it is", () => {
    const model = pipeline(
      new PolynomialFeatures({ degree: 2 }),
      new LogisticRegression({ penalty: "none", maxIter: 1000 }),
    ).fit(X, labels);
    const plain = pipeline(
      new PolynomialFeatures({ degree: 2, includeBias: false }),
      new LogisticRegression({ penalty: "none", maxIter: 1000 }),
    ).fit(X, labels);
    expect(model.score(X, labels)).toBe(plain.score(X, labels));
  });
});

describe("interior points on dependent columns", () => {
  const withOnes = X.map((row) => [...row, 1]);
  const wide = X.slice(0, 3).map((row) => [...row, row[0]! + 1, row[1]! * 2]);

  it.each([
    ["ones", withOnes, y],
    ["a column twice", X.map((row) => [...row, row[1]!]), y],
    ["one-hot columns", X.map((row, i) => [row[0]!, i % 2, (i + 1) % 2]), y],
    ["more columns than rows", wide, y.slice(0, 3)],
  ] as const)("fit exactly what can be fitted exactly: %s", (_, rows, targets) => {
    const model = new LinearRegressor({ loss: absolute(), penalty: none(), solver: interiorPoint() }).fit(
      rows,
      targets,
    );
    expect(model.score(rows, targets)).toBeGreaterThan(1 - 1e-12);
    expect(model.report.converged).toBe(true);
  });

  it.each([
    ["nearly dependent", X.map((row, i) => [row[0]!, row[0]! + 1e-7 * Math.sin(3 * i)])],
    ["of size 1e6", X.map((row) => row.map((v) => 1e6 * v))],
  ] as const)("are never worse than a constant: columns %s", (_, rows) => {
    for (const strength of [1e-6, 1e-3, 1]) {
      const classifier = new LinearClassifier({
        loss: hinge(),
        penalty: l2(strength),
        solver: interiorPoint(),
      });
      const least = Math.min(labels.filter((k) => k === 1).length, labels.filter((k) => k === 0).length);
      expect(classifier.fit(rows, labels).report.objective).toBeLessThanOrEqual((2 * least) / 50 + 1e-9);
      const regressor = new LinearRegressor({
        loss: epsilonInsensitive(0.1),
        penalty: l2(strength),
        solver: interiorPoint(),
      });
      const { report } = regressor.fit(rows, y);
      expect(report.objective).toBeLessThanOrEqual(
        y.reduce((sum, v) => sum + Math.max(0, Math.abs(v - 100) - 0.1), 0) / 50,
      );
      expect(report.converged).toBe(true);
    }
  });
});

describe("nearly dependent columns of least squares", () => {
  // Start and end of an event in milliseconds; their difference is what is asked for.
  const random = new Random(8);
  const times = Array.from({ length: 300 }, () => {
    const start = 1.7e12 + 3e10 * random.uniform();
    return [start, start + 5e3 + 2e3 * random.normal()];
  });
  const duration = times.map(([start, end]) => end! - start!);

  it.each([
    ["LinearRegression", () => new LinearRegression().fit(times, duration)],
    ["Ridge of strength 0", () => new Ridge({ alpha: 0 }).fit(times, duration)],
    ["sparse rows", () => new LinearRegression().fit(sparse(times), duration)],
  ] as const)("are told apart: %s", (_, fit) => {
    // scikit-learn's LinearRegression reaches 0.999997; predictions of 1.7e12 are rounded to 2e-4.
    expect(fit().score(times, duration)).toBeGreaterThan(0.999997);
  });

  it("are told apart far from the origin, without an intercept", () => {
    const far = moved(X, 1e6);
    const targets = far.map((row) => 3 * (row[0]! - row[1]!));
    const model = new LinearRegression({ fitIntercept: false }).fit(far, targets);
    expect(model.score(far, targets)).toBeGreaterThan(1 - 1e-12);
  });

  it("share a coefficient if they are copies, as scikit-learn's solution of least norm does", () => {
    const model = new LinearRegression().fit(
      X.map((row) => [row[0]!, row[1]!, row[0]!]),
      y,
    );
    expect(model.coef[0]).toBeCloseTo(1.5, 12);
    expect(model.coef[2]).toBeCloseTo(1.5, 12);
  });
});

describe("more columns than rows, of very different sizes and far from 0", () => {
  it("fit every target", () => {
    const random = new Random(3);
    const rows = Array.from({ length: 25 }, () =>
      Array.from(
        { length: 30 },
        (_, j) => random.normal() * (j % 2 === 0 ? 1e-6 : 1) + (j % 3 === 0 ? 1e6 : 0),
      ),
    );
    const targets = rows.map(() => 10 + random.normal());
    // Coefficients of 1e6 times entries of 1e6 are rounded to 1e-4.
    expect(new LinearRegression().fit(rows, targets).score(rows, targets)).toBeGreaterThan(1 - 1e-5);
    const near = rows.map((row) => row.map((v, j) => v - rows[0]![j]!));
    expect(new LinearRegression().fit(near, targets).report.objective).toBeLessThan(1e-20);
  });
});

describe("targets inside the tube of a constant", () => {
  it("are fitted by a constant, which is a minimum", () => {
    const { report } = new LinearSVR({ epsilon: 0.1, C: 1e3 }).fit(
      X,
      y.map((v) => v * 1e-6),
    );
    expect(report.objective).toBe(0);
    expect(report.converged).toBe(true);
    // Nothing is wrong with the fit, and the one warning is about what was asked for.
    expect(report.warnings).toEqual([expect.stringMatching(/^No row is outside the tube: epsilon = 0\.1 /)]);
  });
});

describe("sparse rows at 1e8", () => {
  const far = moved(X, 1e8);
  const counts = X.map((row) => Math.round(Math.exp(1 + row[0]!)));

  it.each([
    ["logistic", (rows: number[][] | CsrMatrix) => new LogisticRegression().fit(rows, labels)],
    ["squared hinge", (rows) => new LinearClassifier({ loss: squaredHinge() }).fit(rows, labels)],
    ["poisson", (rows) => new PoissonRegressor().fit(rows, counts)],
    [
      "squared ε-insensitive",
      (rows) => new LinearRegressor({ loss: squaredEpsilonInsensitive(0.1), penalty: l2(0.01) }).fit(rows, y),
    ],
    ["lasso", (rows) => new Lasso({ alpha: 0.1 }).fit(rows, y)],
    ["ridge", (rows) => new Ridge({ alpha: 0.1 }).fit(rows, y)],
  ] as [string, (rows: number[][] | CsrMatrix) => { report: { objective: number; converged: boolean } }][])(
    "reach the minimum of the rows at 0: %s",
    (_, fit) => {
      const here = fit(X).report;
      const there = fit(sparse(far)).report;
      // Entries at 1e8 are rounded to 1e-8, and so are predictions.
      expect(Math.abs(there.objective - here.objective)).toBeLessThan(1e-5 * Math.abs(here.objective));
      expect(there.converged).toBe(true);
    },
  );
});

describe("a path over sparse rows at 1e8", () => {
  it("is that of the rows at 0", () => {
    const here = lassoPath(X, y, { alphas: [0.5, 0.1] });
    const there = lassoPath(sparse(moved(X, 1e8)), y, { alphas: [0.5, 0.1] });
    for (const a of [0, 1]) {
      expect(there.coefs.at(a, 0)).toBeCloseTo(here.coefs.at(a, 0), 6);
      expect(there.dualGaps[a]).toBeLessThan(1e-5);
    }
  });
});

describe("separable classes without a penalty", () => {
  it("give the model of the last step, with finite coefficients and a warning", () => {
    const { X: blobs } = makeBlobs({ nSamples: 7, nFeatures: 21, centers: 3, randomState: 101 });
    const classes = [0, 1, 2, 3, 2, 3, 1];
    const estimator = new LogisticRegression({ penalty: "none" });
    const model = estimator.fit(blobs, classes);
    expect(model.score(blobs, classes)).toBe(1);
    const steps = [...estimator.steps(blobs, classes)];
    expect(steps.at(-1)!.model().score(blobs, classes)).toBe(1);
    expect(Math.max(...model.coef.data.map(Math.abs))).toBeLessThan(1e3);
    expect(model.report.converged).toBe(false);
    expect(model.report.warnings[0]).toContain("separable");
  });
});

describe("reported objectives of least squares", () => {
  it("are those of the predictions, not differences of sums", () => {
    for (const targets of [y, y.map((v, i) => v + 1e-7 * Math.sin(5 * i)), y.map((v) => v * 1e9)]) {
      for (const estimator of [new LinearRegression(), new Ridge({ alpha: 1e-9 })]) {
        const model = estimator.fit(X, targets);
        const fits = model.predict(X);
        const penalty =
          "alpha" in estimator.params ? 1e-9 * model.coef.reduce((sum, w) => sum + w * w, 0) : 0;
        const objective = targets.reduce((sum, v, i) => sum + (v - fits[i]!) ** 2, penalty);
        expect(Math.abs(model.report.objective - objective)).toBeLessThanOrEqual(1e-6 * objective);
      }
    }
  });
});

describe("units", () => {
  it("of y do not matter: 1e-12", () => {
    const model = new LinearRegressor().fit(X, y);
    const tiny = new LinearRegressor().fit(
      X,
      y.map((v) => v * 1e-12),
    );
    expect(tiny.coef[0]! * 1e12).toBeCloseTo(model.coef[0]!, 6);
  });

  it("of weights do not matter: 1e200", () => {
    const sampleWeight = X.map(() => 1e200);
    for (const estimator of [
      new Lasso({ alpha: 0.1 }),
      new LinearRegression(),
      new HuberRegressor({ alpha: 0 }),
    ]) {
      const heavy = estimator.fit(X, y, { sampleWeight });
      expect(heavy.coef[0]).toBeCloseTo(estimator.fit(X, y).coef[0]!, 6);
    }
    const path = lassoPath(X, y, { sampleWeight, alphas: [0.1] });
    expect(path.coefs.at(0, 0)).toBeCloseTo(new Lasso({ alpha: 0.1 }).fit(X, y).coef[0]!, 6);
    expect(() => new Lasso().fit(X, y, { sampleWeight: X.map(() => 1e307) })).toThrow("sampleWeight must be");
  });

  it("of X that no product can hold are an error: 1e307", () => {
    expect(() =>
      new Perceptron().fit(
        X.map((row) => row.map((v) => v * 1e307)),
        labels,
      ),
    ).toThrow("column");
  });
});
