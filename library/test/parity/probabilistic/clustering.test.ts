import {
  AgglomerativeClustering,
  adjustedMutualInfoScore,
  adjustedRandScore,
  calinskiHarabaszScore,
  completenessScore,
  contingencyMatrix,
  DBSCAN,
  daviesBouldinScore,
  type EntropyAverage,
  fowlkesMallowsScore,
  homogeneityCompletenessVMeasure,
  homogeneityScore,
  KMeans,
  type Matrix,
  MiniBatchKMeans,
  mutualInfoScore,
  normalizedMutualInfoScore,
  randScore,
  silhouetteSamples,
  silhouetteScore,
  vMeasureScore,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Case, casesOf, dataOf } from "../fixtures.js";

type Rows = readonly (readonly number[])[];

interface Expected {
  readonly init: Rows;
  readonly centers: Rows;
  readonly labels: readonly number[];
  readonly inertia: number;
  readonly iterations: number;
  readonly distances: Rows & readonly number[];
  readonly score: number;
  readonly batches: Rows;
  readonly core: readonly number[];
  readonly nClusters: number;
  readonly children: Rows;
  readonly counts: readonly number[];
  readonly threshold: number;
  readonly cutLabels: readonly number[];
  readonly leaves: readonly number[] | null;
  readonly truth: readonly (string | number)[];
  readonly prediction: readonly number[];
  readonly silhouette: number;
  readonly samples: readonly number[];
  readonly contingency: Rows;
  readonly [score: string]: unknown;
}

// Sums of the same numbers in another order, of up to 2,000 rows.
const digits = 1e-12;

const all = casesOf<Expected>("clustering");
const of = (estimator: string) =>
  all.filter((fixture) => fixture.estimator === estimator).map((fixture) => [fixture.name, fixture] as const);

const rowsOf = async (fixture: Case<Expected>) => {
  const { X, fitOptions } = await dataOf<string>(fixture);
  return { X: X as Matrix, fitOptions };
};

/** Centres near the origin are differences of the rows: their errors are relative to the largest entry of X. */
const withLargest = (X: Matrix, centers: ArrayLike<number>): number[] => [
  ...Array.from(centers),
  X.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
];

describe("KMeans from the same centres", () => {
  it.each(of("KMeans"))("%s: inertia, labels, iterations, centres", async (_, fixture) => {
    const { X, fitOptions } = await rowsOf(fixture);
    const { init, centers, labels, inertia, iterations, distances, score } = fixture.expected;
    for (const algorithm of ["lloyd", "hamerly"] as const) {
      const model = new KMeans({ ...fixture.params, init, algorithm }).fit(X, fitOptions);
      expect(Math.abs(model.inertia - inertia)).toBeLessThanOrEqual(digits * (inertia + 1));
      expect(Array.from(model.predict(X))).toEqual(labels);
      expect(model.report.iterations).toBe(iterations);
      expectClose(withLargest(X, model.clusterCenters.data), withLargest(X, centers.flat()), digits);
      // scikit-learn takes roots of ‖x‖² + ‖c‖² − 2x·c, which loses half of the digits of small distances.
      expectClose(model.transform(X.selectRows([0, 1, 2, 3, 4, 5, 6])).data, distances.flat(), 1e-7);
      expectClose([model.score(X.selectRows([0, 1, 2, 3, 4, 5, 6]))], [score], 1e-9);
    }
  });
});

describe("MiniBatchKMeans.partialFit from the same centres", () => {
  it.each(of("MiniBatchKMeans"))("%s: centres and labels", async (_, fixture) => {
    const { X } = await rowsOf(fixture);
    const { init, batches, centers, labels } = fixture.expected;
    const estimator = new MiniBatchKMeans({ ...fixture.params, init });
    const model = batches.reduce<ReturnType<typeof estimator.partialFit> | null>(
      (before, batch) => estimator.partialFit(before, X.selectRows(batch)),
      null,
    )!;
    expectClose(withLargest(X, model.clusterCenters.data), withLargest(X, centers.flat()), digits);
    expect(Array.from(model.predict(X))).toEqual(labels);
  });
});

describe("DBSCAN", () => {
  it.each(of("DBSCAN"))("%s: labels and core rows", async (_, fixture) => {
    const { X, fitOptions } = await rowsOf(fixture);
    const model = new DBSCAN(fixture.params).fit(X, fitOptions);
    expect(Array.from(model.labels)).toEqual(fixture.expected.labels);
    expect(Array.from(model.coreSampleIndices)).toEqual(fixture.expected.core);
  });
});

describe("AgglomerativeClustering", () => {
  it.each(of("AgglomerativeClustering"))("%s: linkage matrix and labels", async (_, fixture) => {
    const { X } = await rowsOf(fixture);
    const { nClusters, labels, children, distances, counts, threshold, cutLabels } = fixture.expected;
    const model = new AgglomerativeClustering({ ...fixture.params, nClusters }).fit(X);
    // Lance–Williams updates of ward are differences of squares, in another order than scipy's.
    expectClose(model.distances, distances as readonly number[], 1e-11);
    expect(Array.from(model.children)).toEqual(children.flat());
    expect(Array.from(model.counts)).toEqual(counts);
    expect(Array.from(model.labels)).toEqual(labels);
    const cut = new AgglomerativeClustering({ ...fixture.params, distanceThreshold: threshold }).fit(X);
    expect(Array.from(cut.labels)).toEqual(cutLabels);
    const { leaves } = fixture.expected;
    if (leaves) expect(Array.from(model.dendrogram().leaves)).toEqual(leaves);
  });
});

describe("scores of two labelings", () => {
  const near = (ours: number, expected: unknown) =>
    expect(Math.abs(ours - (expected as number))).toBeLessThanOrEqual(1e-13);

  it.each(of("scores"))("%s", (name, { expected }) => {
    const { truth, prediction } = expected;
    const pair = [truth as readonly (string | number)[] as readonly number[], prediction] as const;
    near(randScore(...pair), expected["rand"]);
    near(adjustedRandScore(...pair), expected["adjustedRand"]);
    near(fowlkesMallowsScore(...pair), expected["fowlkesMallows"]);
    near(mutualInfoScore(...pair), expected["mutualInfo"]);
    near(homogeneityScore(...pair), expected["homogeneity"]);
    near(completenessScore(...pair), expected["completeness"]);
    near(vMeasureScore(...pair), expected["vMeasure1"]);
    near(homogeneityCompletenessVMeasure(...pair, { beta: 0.7 }).vMeasure, expected["vMeasure"]);
    for (const averageMethod of ["arithmetic", "geometric", "min", "max"] as EntropyAverage[]) {
      near(normalizedMutualInfoScore(...pair, { averageMethod }), expected[`normalized ${averageMethod}`]);
      // exp of a difference of log-factorials of 120: 13 digits of the chance, which is divided by a small difference.
      // Singletons share all information with any labeling, by chance too: with the least entropy the score is 0/0.
      if (averageMethod === "min" && name === "all singletons") continue;
      // The same partition into singletons is 0/0: scikit-learn has 0 for two rows and 1 for more, here it is 1 as the other scores are.
      if (name === "two rows") {
        expect(adjustedMutualInfoScore(...pair, { averageMethod })).toBe(1);
        continue;
      }
      const adjusted = expected[`adjusted ${averageMethod}`] as number;
      expect(Math.abs(adjustedMutualInfoScore(...pair, { averageMethod }) - adjusted)).toBeLessThanOrEqual(
        1e-10 * Math.max(1, Math.abs(adjusted)),
      );
    }
    expect(contingencyMatrix(...pair).matrix.toArray()).toEqual(expected.contingency);
  });
});

describe("scores of a clustering by its rows", () => {
  it.each(of("shape"))("%s", async (_, fixture) => {
    const { X } = await rowsOf(fixture);
    const { labels, samples, ...expected } = fixture.expected;
    // scikit-learn's distances have about eight digits where rows are near each other.
    expectClose([silhouetteScore(X, labels)], [expected.silhouette], 1e-8);
    expectClose(
      [silhouetteScore(X, labels, { metric: "manhattan" })],
      [expected["manhattan"] as number],
      1e-12,
    );
    expectClose([silhouetteScore(X, labels, { metric: "cosine" })], [expected["cosine"] as number], 1e-8);
    expectClose(
      silhouetteSamples(X, labels).filter((_, i) => i % 7 === 0),
      samples,
      1e-7,
    );
    expectClose([daviesBouldinScore(X, labels)], [expected["daviesBouldin"] as number], 1e-8);
    expectClose([calinskiHarabaszScore(X, labels)], [expected["calinskiHarabasz"] as number], 1e-11);
  });
});
