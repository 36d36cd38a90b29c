import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { makeBlobs, makeMoons } from "../data/generators/index.js";
import { Matrix } from "../data/matrix.js";
import { adjustedRandScore } from "../metrics/index.js";
import { setThreads } from "../numeric/runtime/threads.js";
import { AgglomerativeClustering, DBSCAN, KMeans, MiniBatchKMeans } from "./index.js";

const blobs = (nSamples: number, centers = 4, seed = 1) =>
  makeBlobs({ nSamples, centers, nFeatures: 3, clusterStd: 1, centerBox: [-20, 20], randomState: seed });

/** Rows of small numbers, and how many of them are first centres. */
const problems = fc
  .record({
    rows: fc.array(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 2 }), {
      minLength: 6,
      maxLength: 60,
    }),
    k: fc.integer({ min: 1, max: 6 }),
    seed: fc.integer({ min: 0, max: 1000 }),
  })
  .map(({ rows, k, seed }) => ({
    // No two rows are as far from a centre: quarters and eighths are, random digits are not.
    X: rows.map(([a, b], i) => [
      a! + new Random(seed + i).uniform(),
      b! + new Random(seed - i - 1).uniform(),
    ]),
    k,
    seed,
  }));

const startOf = (X: readonly (readonly number[])[], k: number) => X.slice(0, k).map((row) => [...row]);

describe("KMeans", () => {
  it("finds blobs that are far from each other", () => {
    const { X, y } = blobs(400);
    const model = new KMeans({ nClusters: 4 }).fit(X);
    expect(adjustedRandScore(y, model.labels)).toBe(1);
    expect(model.report.converged).toBe(true);
    expect(Array.from(model.predict(X))).toEqual(Array.from(model.labels));
  });

  it("never raises the inertia from step to step", () => {
    fc.assert(
      fc.property(problems, ({ X, k }) => {
        let before = Infinity;
        for (const step of new KMeans({ nClusters: k, init: startOf(X, k), tol: 0 }).steps(X)) {
          const { inertia } = step.model();
          expect(inertia).toBeLessThanOrEqual(before * (1 + 1e-12));
          before = inertia;
        }
      }),
    );
  });

  it("learns the same bits with bounds as without, with one thread as with many", () => {
    fc.assert(
      fc.property(problems, ({ X, k, seed }) => {
        const [plain, bounded] = (["lloyd", "hamerly"] as const).map((algorithm) =>
          new KMeans({ nClusters: k, algorithm, tol: 0, randomState: seed }).fit(X),
        );
        expect(bounded!.clusterCenters.data).toEqual(plain!.clusterCenters.data);
        expect(bounded!.labels).toEqual(plain!.labels);
        expect(bounded!.inertia).toBe(plain!.inertia);
      }),
    );
    const { X } = makeBlobs({ nSamples: 20_000, centers: 30, nFeatures: 7, clusterStd: 4, randomState: 2 });
    const fit = (algorithm: "lloyd" | "hamerly") => new KMeans({ nClusters: 25, algorithm }).fit(X);
    const expected = fit("lloyd");
    expect(fit("hamerly").clusterCenters.data).toEqual(expected.clusterCenters.data);
    setThreads(1);
    expect(fit("hamerly").clusterCenters.data).toEqual(expected.clusterCenters.data);
    setThreads(8);
  });

  it("assigns every row to its nearest centre by differences in doubles, the smaller number of equal ones", () => {
    fc.assert(
      fc.property(problems, fc.constantFrom(0, 1e6, 1e9), ({ X, k }, offset) => {
        const moved = X.map((row) => row.map((value) => Math.round(value) + offset));
        const model = new KMeans({ nClusters: k, init: startOf(moved, k) }).fit(moved);
        const centers = model.clusterCenters.toArray();
        const nearest = moved.map((row) => {
          const squares = centers.map((c) => c.reduce((sum, v, j) => sum + (row[j]! - v) * (row[j]! - v), 0));
          return squares.indexOf(Math.min(...squares));
        });
        expect(Array.from(model.labels)).toEqual(nearest);
      }),
    );
  });

  it("does not depend on where the origin is, nor on a rotation", () => {
    const { X } = blobs(300, 5, 3);
    const init = X.selectRows([0, 1, 2, 3, 4]).toArray();
    const [sin, cos] = [0.6, 0.8];
    const moves: ((row: ArrayLike<number>) => number[])[] = [
      ([a, b, c]: ArrayLike<number> & Iterable<number>) => [a! + 1e6, b! - 1e6, c! + 3e5],
      ([a, b, c]: ArrayLike<number> & Iterable<number>) => [cos * a! - sin * b!, sin * a! + cos * b!, c!],
    ] as never;
    const expected = new KMeans({ nClusters: 5, init }).fit(X);
    for (const move of moves) {
      const model = new KMeans({ nClusters: 5, init: init.map(move) }).fit(X.toArray().map(move));
      expect(model.labels).toEqual(expected.labels);
      expect(model.report.iterations).toBe(expected.report.iterations);
      // Rows at 1e6 have an error of 1e-10 themselves.
      expect(Math.abs(model.inertia / expected.inertia - 1)).toBeLessThan(1e-9);
    }
  });

  it("counts a row of weight 2 as the row twice, from the same centres", () => {
    fc.assert(
      fc.property(problems, ({ X, k }) => {
        const sampleWeight = X.map((_, i) => 1 + (i % 2));
        const estimator = new KMeans({ nClusters: k, init: startOf(X, k), tol: 0 });
        const twice = X.flatMap((row, i) => (i % 2 === 1 ? [row, row] : [row]));
        const [one, two] = [estimator.fit(X, { sampleWeight }), estimator.fit(twice)];
        expect(Math.abs(one.inertia - two.inertia)).toBeLessThanOrEqual(1e-9 * (1 + two.inertia));
      }),
    );
  });

  it("gives an empty cluster the farthest row", () => {
    const X = [[0], [1], [2], [100]];
    const model = new KMeans({ nClusters: 2, init: [[1], [1e9]] }).fit(X);
    expect(Array.from(model.labels)).toEqual([0, 0, 0, 1]);
    expect(Array.from(model.clusterCenters.data)).toEqual([1, 100]);
  });

  it("makes every row a cluster when asked for as many, and says so when rows are equal", () => {
    const X = [
      [0, 0],
      [3, 1],
      [1, 5],
      [9, 9],
    ];
    expect(new KMeans({ nClusters: 4 }).fit(X).inertia).toBe(0);
    const equal = new KMeans({ nClusters: 3 }).fit([[1], [1], [1], [2]]);
    expect(equal.inertia).toBe(0);
    expect(equal.report.warnings.join()).toMatch(/Only 2 of 3 clusters have rows/);
    expect(() => new KMeans({ nClusters: 5 }).fit(X)).toThrow(ParameterError);
    expect(() => new KMeans({ nClusters: 2, init: [[1]] }).fit(X)).toThrow(
      /nClusters × columns of X = 2 × 2/,
    );
    expect(() => new KMeans({ nClusters: 2 }).fit([[1e300], [-1e300], [5]])).toThrow(DataError);
  });

  it("returns distances to the centres, and −inertia as score", () => {
    const { X } = blobs(50);
    const model = new KMeans({ nClusters: 3 }).fit(X);
    const distances = model.transform(X);
    const least = Array.from({ length: 50 }, (_, i) => Math.min(...distances.row(i)) ** 2);
    expect(least.reduce((sum, d) => sum + d, 0)).toBeCloseTo(model.inertia, 9);
    expect(model.score(X)).toBeCloseTo(-model.inertia, 9);
  });
});

describe("MiniBatchKMeans", () => {
  it("comes near the inertia of KMeans", () => {
    const { X } = makeBlobs({ nSamples: 5000, centers: 8, nFeatures: 4, clusterStd: 1, randomState: 7 });
    const all = new KMeans({ nClusters: 8, nInit: 3 }).fit(X);
    const some = new MiniBatchKMeans({ nClusters: 8, nInit: 3, batchSize: 256 }).fit(X);
    expect(some.inertia).toBeLessThan(1.1 * all.inertia);
    expect(some.report.iterations).toBeLessThan((100 * 5000) / 256);
  });

  it("keeps every centre the mean of the rows it was given by partialFit", () => {
    const estimator = new MiniBatchKMeans({ nClusters: 1, init: [[7]] });
    const first = estimator.partialFit(null, [[1], [2]]);
    expect(first.clusterCenters.at(0, 0)).toBe(1.5);
    const second = estimator.partialFit(first, [[3]], { sampleWeight: [2] });
    expect(second.clusterCenters.at(0, 0)).toBe(2.25);
    expect(Array.from(second.counts)).toEqual([4]);
    expect(first.clusterCenters.at(0, 0)).toBe(1.5);
  });
});

describe("DBSCAN", () => {
  it("separates two moons, which no centres can", () => {
    const { X, y } = makeMoons({ nSamples: 400, noise: 0.05, randomState: 1 });
    const model = new DBSCAN({ eps: 0.2 }).fit(X);
    expect(model.nClusters).toBe(2);
    expect(adjustedRandScore(y, model.labels)).toBe(1);
  });

  it("finds noise, and gives a border row to the first of two clusters", () => {
    const X = [[0], [0.1], [0.2], [1.15], [2.1], [2.2], [2.3], [50]];
    const model = new DBSCAN({ eps: 0.96, minSamples: 4 }).fit(X);
    expect(Array.from(model.labels)).toEqual([0, 0, 0, 0, 1, 1, 1, -1]);
    expect(Array.from(model.coreSampleIndices)).not.toContain(3);
  });

  it("handles thousands of equal rows", () => {
    const X = Matrix.zeros(3000, 2);
    const model = new DBSCAN({ eps: 1 }).fit(X);
    expect(model.nClusters).toBe(1);
    expect(model.coreSampleIndices.length).toBe(3000);
  });
});

describe("AgglomerativeClustering", () => {
  it("joins the nearest first, and returns the merges as data", () => {
    const model = new AgglomerativeClustering({ nClusters: 2, linkage: "single" }).fit([[0], [1], [5], [9]]);
    expect(Array.from(model.children)).toEqual([0, 1, 4, 2, 5, 3]);
    expect(Array.from(model.distances)).toEqual([1, 4, 4]);
    expect(Array.from(model.counts)).toEqual([2, 3, 4]);
    expect(Array.from(model.cut(4))).toHaveLength(4);
    expect(new Set(model.cut(3)).size).toBe(3);
  });

  it("draws its dendrogram: one bar per merge, one text per row", () => {
    const { X } = blobs(12);
    const model = new AgglomerativeClustering({ nClusters: 3 }).fit(X);
    const { leaves, links } = model.dendrogram();
    expect(Array.from(leaves).sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i));
    expect(links).toHaveLength(11);
    const svg = model.toSvg({ labels: Array.from({ length: 12 }, (_, i) => `<${i}>`), threshold: 5 });
    expect(svg.match(/M[^M]*V[^M]*H/g)).toHaveLength(11);
    expect(svg).toContain("&lt;11&gt;");
    expect(() => model.toSvg({ labels: ["one"] })).toThrow(/one per row of fit \(12\)/);
  });

  it("refuses pairs of parameters that contradict each other", () => {
    expect(() => new AgglomerativeClustering({ nClusters: 2, distanceThreshold: 1 })).toThrow(ParameterError);
    // @ts-expect-error: the compiler refuses it too
    expect(() => new AgglomerativeClustering({ metric: "cosine" })).toThrow(/ward/);
  });

  it("has one cluster for one row", () => {
    expect(Array.from(new AgglomerativeClustering({ nClusters: 1 }).fit([[3, 4]]).labels)).toEqual([0]);
  });
});
