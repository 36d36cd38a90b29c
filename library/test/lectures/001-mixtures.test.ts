import { GaussianMixture, KMeans, makeBlobs, Random } from "argmax";
import { describe, expect, it } from "vitest";

const { X } = makeBlobs({ nSamples: 120, centers: 3, nFeatures: 2, clusterStd: 1.5, randomState: 4 });
const meansInit = [X.row(0), X.row(40), X.row(80)].map((row) => Array.from(row));
const weightsInit = [0.2, 0.3, 0.5];

/** N(x | μ, I). */
const density = (x: Float64Array, mean: ArrayLike<number>) =>
  Math.exp(-0.5 * x.reduce((sum, v, j) => sum + (v - mean[j]!) ** 2, 0)) / (2 * Math.PI);

describe("B18 a Gaussian mixture with identity covariances, by EM", () => {
  const note = { nComponents: 3, covarianceType: "identity", weightsInit, meansInit } as const;

  it("E: r = π N(x | μ, I) / Σ π N(x | μ, I); M: μ = Σ r x / N, π = N / n", () => {
    const [expectation, maximisation] = [...new GaussianMixture({ ...note, maxIter: 1 }).steps(X)];
    expect(expectation!.phase).toBe("expectation");
    const r = Array.from({ length: X.rows }, (_, i) => {
      const joint = meansInit.map((mean, k) => weightsInit[k]! * density(X.row(i), mean));
      const total = joint.reduce((sum, p) => sum + p, 0);
      return joint.map((p) => p / total);
    });
    const responsibilities = expectation!.model().predictProba(X);
    r.forEach((row, i) => {
      row.forEach((p, k) => {
        expect(responsibilities.at(i, k)).toBeCloseTo(p, 12);
      });
    });
    const model = maximisation!.model();
    for (let k = 0; k < 3; k++) {
      const N = r.reduce((sum, row) => sum + row[k]!, 0);
      expect(model.weights[k]).toBeCloseTo(N / X.rows, 12);
      for (let j = 0; j < 2; j++) {
        const mean = r.reduce((sum, row, i) => sum + row[k]! * X.at(i, j), 0) / N;
        expect(model.means.at(k, j)).toBeCloseTo(mean, 12);
      }
    }
  });

  it("the log-likelihood is Σ log Σ π N(x | μ, I), and never decreases", () => {
    const steps = [...new GaussianMixture({ ...note, tol: 0, maxIter: 60 }).steps(X)];
    const first = Array.from({ length: X.rows }, (_, i) =>
      Math.log(meansInit.reduce((sum, mean, k) => sum + weightsInit[k]! * density(X.row(i), mean), 0)),
    ).reduce((sum, value) => sum + value, 0);
    const { lowerBounds } = steps.at(-1)!.model();
    expect(lowerBounds[0]! * X.rows).toBeCloseTo(first, 9);
    for (let t = 1; t < lowerBounds.length; t++)
      expect(lowerBounds[t]).toBeGreaterThanOrEqual(lowerBounds[t - 1]! - 1e-13);
  });

  it.each(["full", "tied", "diag", "spherical"] as const)(
    "general covariances (%s): the log-likelihood never decreases, responsibilities sum to 1",
    (covarianceType) => {
      const params = { nComponents: 3, covarianceType, regCovar: 0, tol: 0, maxIter: 80 } as const;
      const model = new GaussianMixture(params).fit(X);
      for (let t = 1; t < model.lowerBounds.length; t++)
        expect(model.lowerBounds[t]).toBeGreaterThanOrEqual(model.lowerBounds[t - 1]! - 1e-12);
      const r = model.predictProba(X);
      for (let i = 0; i < X.rows; i++) expect(r.row(i).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 14);
    },
  );
});

describe("B19 k-means is EM with identity covariances and hardened responsibilities", () => {
  it.each([2, 3, 5])("from the same %i centres: the same centres and the same assignment", (k) => {
    const random = new Random(k);
    const centres = Array.from({ length: k }, () => Array.from(X.row(random.below(X.rows))));
    const clusters = new KMeans({ nClusters: k, init: centres, tol: 0, maxIter: 300 }).fit(X);
    const mixture = new GaussianMixture({
      nComponents: k,
      covarianceType: "identity",
      hardAssignments: true,
      equalWeights: true,
      meansInit: centres,
      tol: 1e-15,
      maxIter: 300,
    });
    const model = mixture.fit(X);
    model.means.data.forEach((value, e) => {
      expect(value).toBeCloseTo(clusters.clusterCenters.data[e]!, 10);
    });
    expect(Array.from(model.predict(X))).toEqual(Array.from(clusters.labels));
    // The maximised function is a constant less half of the inertia per row.
    const constant = -Math.log(k) - Math.log(2 * Math.PI);
    expect(model.lowerBound).toBeCloseTo(constant - clusters.inertia / (2 * X.rows), 10);
  });
});
