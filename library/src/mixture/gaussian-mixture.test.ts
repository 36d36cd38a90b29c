import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { makeBlobs } from "../data/generators/index.js";
import { Matrix } from "../data/matrix.js";
import { QuadraticDiscriminantAnalysis } from "../discriminant/index.js";
import { GaussianMixture } from "./gaussian-mixture.js";
import { GaussianMixtureClassifier } from "./gaussian-mixture-classifier.js";

const { X } = makeBlobs({ nSamples: 200, centers: 3, nFeatures: 3, clusterStd: 1, randomState: 1 });
const types = ["full", "tied", "diag", "spherical"] as const;

describe("GaussianMixture", () => {
  it.each(types)("finds the same %s mixture at an offset of 1e6", (covarianceType) => {
    const moved = new Matrix(
      X.data.map((value) => value + 1e6),
      X.rows,
      X.cols,
    );
    const start = [0, 70, 140];
    const params = { nComponents: 3, covarianceType, tol: 1e-6 };
    const near = new GaussianMixture({ ...params, meansInit: start.map((i) => Array.from(X.row(i))) }).fit(X);
    const far = new GaussianMixture({ ...params, meansInit: start.map((i) => Array.from(moved.row(i))) });
    const model = far.fit(moved);
    expect(model.lowerBound).toBeCloseTo(near.lowerBound, 7);
    for (let k = 0; k < 3; k++) {
      // The rows themselves are rounded to 1e-10 at this offset.
      model.covariance(k).data.forEach((value, e) => {
        expect(value).toBeCloseTo(near.covariance(k).data[e]!, 6);
      });
    }
  });

  it.each(types)("takes one point per component (%s): regCovar is all that is left", (covarianceType) => {
    const few = X.selectRows([0, 80, 160]);
    const model = new GaussianMixture({ nComponents: 3, covarianceType }).fit(few);
    expect(model.scoreSamples(few).every(Number.isFinite)).toBe(true);
    expect([...new Set(model.predict(few))].length).toBe(3);
    expect(model.covariance(0).at(0, 0)).toBeCloseTo(1e-6, 10);
  });

  it("names the component whose covariance is singular", () => {
    const flat = Matrix.fromRows(Array.from({ length: 20 }, (_, i) => [i, 2 * i]));
    expect(() => new GaussianMixture({ regCovar: 0 }).fit(flat)).toThrow(
      "GaussianMixture.fit: the covariance of component 0 must be of full rank",
    );
    expect(new GaussianMixture().fit(flat).converged).toBe(true);
  });

  it("takes more columns than rows with regCovar", () => {
    const random = new Random(1);
    const wide = Matrix.fromRows(
      Array.from({ length: 8 }, () => Array.from({ length: 20 }, () => random.normal())),
    );
    const model = new GaussianMixture({ nComponents: 2, regCovar: 1e-3 }).fit(wide);
    expect(model.scoreSamples(wide).every(Number.isFinite)).toBe(true);
  });

  it("refuses fewer rows than components", () => {
    expect(() => new GaussianMixture({ nComponents: 4 }).fit(X.selectRows([0, 1]))).toThrow(
      "X must be at least as many rows as components (4), got 2",
    );
  });

  it("counts a row of weight 2 like the row twice, from the same start", () => {
    const meansInit = [0, 70, 140].map((i) => Array.from(X.row(i)));
    const eye = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const square = [eye.slice(0, 3), eye.slice(3, 6), eye.slice(6)];
    const given = { weightsInit: [0.2, 0.3, 0.5], meansInit, precisionsInit: [square, square, square] };
    const weights = Array.from({ length: X.rows }, (_, i) => 1 + (i % 2));
    const twice = X.selectRows(weights.flatMap((w, i) => Array.from({ length: w }, () => i)));
    const mixture = new GaussianMixture({ nComponents: 3, tol: 0, maxIter: 10, ...given });
    const one = mixture.fit(X, { sampleWeight: weights });
    const two = mixture.fit(twice);
    one.lowerBounds.forEach((bound, t) => {
      expect(bound).toBeCloseTo(two.lowerBounds[t]!, 11);
    });
    expect(one.score(X, { sampleWeight: weights })).toBeCloseTo(two.score(twice), 11);
  });

  it("keeps the best of several starts", () => {
    const once = new GaussianMixture({ nComponents: 6, initParams: "random" }).fit(X);
    const often = new GaussianMixture({ nComponents: 6, initParams: "random", nInit: 5 }).fit(X);
    expect(often.lowerBound).toBeGreaterThanOrEqual(once.lowerBound);
  });

  it.each(["kmeans", "k-means++", "random", "randomFromData"] as const)("starts by %s", (initParams) => {
    const model = new GaussianMixture({ nComponents: 3, initParams, maxIter: 300 }).fit(X);
    expect(model.score(X)).toBeGreaterThan(new GaussianMixture().fit(X).score(X));
  });

  it.each(types)("draws rows from the %s density that it has learned", (covarianceType) => {
    const model = new GaussianMixture({ nComponents: 3, covarianceType }).fit(X);
    const { X: drawn, components } = model.sample(20_000, { randomState: 3 });
    for (let k = 0; k < 3; k++) {
      const own = Array.from(components.keys()).filter((i) => components[i] === k);
      expect(own.length / 20_000).toBeCloseTo(model.weights[k]!, 1);
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          const gap = (i: number, j: number) => drawn.at(i, j) - model.means.at(k, j);
          const moment = own.reduce((sum, i) => sum + gap(i, a) * gap(i, b), 0) / own.length;
          // Six standard errors of a moment of 6000 rows.
          expect(Math.abs(moment - model.covariance(k).at(a, b))).toBeLessThan(0.2);
        }
      }
    }
    expect(() => model.sample(-1)).toThrow("n must be an integer ≥ 0");
  });

  it("precision is the inverse of the covariance", () => {
    const model = new GaussianMixture({ nComponents: 2 }).fit(X);
    const [S, P] = [model.covariance(1), model.precision(1)];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const entry = [0, 1, 2].reduce((sum, e) => sum + S.at(i, e) * P.at(e, j), 0);
        expect(entry).toBeCloseTo(i === j ? 1 : 0, 10);
      }
    }
    expect(() => model.covariance(2)).toThrow("k must be a component, from 0 to 1, got 2");
  });

  it("says what is wrong with a given start", () => {
    const fit = (params: object) => () => new GaussianMixture({ nComponents: 2, ...params }).fit(X);
    expect(fit({ meansInit: [[1, 2, 3]] })).toThrow("meansInit must be of shape 2 × 3");
    expect(fit({ weightsInit: [0.5, 0.4] })).toThrow("weightsInit must be numbers that sum to 1");
    expect(
      fit({
        covarianceType: "diag",
        precisionsInit: [
          [1, 1, -1],
          [1, 1, 1],
        ],
      }),
    ).toThrow("precisionsInit");
    expect(fit({ covarianceType: "identity", precisionsInit: [1, 1] })).toThrow(
      "precisionsInit must be absent",
    );
  });
});

describe("GaussianMixtureClassifier", () => {
  const { X, y } = makeBlobs({ nSamples: 150, centers: 3, nFeatures: 3, clusterStd: 4, randomState: 2 });

  it("with one full component per class is quadratic discriminant analysis with divisor n", () => {
    const ours = new GaussianMixtureClassifier({ regCovar: 0 }).fit(X, y).predictProba(X).data;
    // A weight w for every row makes the divisor w n − 1: as good as w n.
    const sampleWeight = y.map(() => 1e9);
    const qda = new QuadraticDiscriminantAnalysis().fit(X, y, { sampleWeight }).predictProba(X).data;
    ours.forEach((p, e) => {
      expect(p).toBeCloseTo(qda[e]!, 8);
    });
  });

  it("tells classes apart that are two clusters each, where one Gaussian cannot", () => {
    const random = new Random(5);
    const rows = Array.from({ length: 400 }, (_, i) => {
      const [a, b] = [i % 2, (i >> 1) % 2];
      return [3 * a + 0.4 * random.normal(), 3 * b + 0.4 * random.normal()];
    });
    const labels = rows.map((_, i) => ((i % 2) + ((i >> 1) % 2) === 1 ? "odd" : "even"));
    const score = (nComponents: number) =>
      new GaussianMixtureClassifier({ nComponents, covarianceType: "spherical" })
        .fit(rows, labels)
        .score(rows, labels);
    expect(score(1)).toBeLessThan(0.75);
    expect(score(2)).toBeGreaterThan(0.99);
  });

  it("takes priors, and returns the Gaussians of a class", () => {
    const params = { priors: [0.8, 0.1, 0.1], nComponents: 2 };
    const model = new GaussianMixtureClassifier(params).fit(X, y);
    expect(Array.from(model.priors)).toEqual(params.priors);
    const { weights, means, covariances } = model.components(y[0]!);
    expect(weights.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    expect([means.rows, covariances.length]).toEqual([2, 2]);
    expect(() => model.components(77)).toThrow("the class must be one of the classes (0, 1, 2), got 77");
  });

  it("names the class that has fewer rows than components", () => {
    const labels = X.toArray().map((_, i) => (i === 0 ? "rare" : "common"));
    expect(() => new GaussianMixtureClassifier({ nComponents: 2 }).fit(X, labels)).toThrow(
      'class "rare" must be at least as many rows as components (2), got 1',
    );
  });
});
