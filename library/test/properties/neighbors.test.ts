import { describe, expect, it } from "vitest";
import { CsrMatrix, Matrix } from "../../src/data/index.js";
import { NearestNeighbors } from "../../src/neighbors/index.js";
import { fc } from "../support/properties.js";

type Row = readonly number[];
type Distance = (x: Row, z: Row, p: number) => number;

const dot = (x: Row, z: Row) => x.reduce((sum, v, j) => sum + v * z[j]!, 0);
const differences = (x: Row, z: Row) => x.map((v, j) => Math.abs(v - z[j]!));
/** Relative to the largest entry, so that nothing overflows. */
const relative = (x: Row) => {
  const most = Math.max(...x.map(Math.abs));
  return most === 0 ? x : x.map((v) => v / most);
};

/** The formulas of the guide, one pair of rows at a time. */
const formulas = {
  euclidean: (x, z) => formulas.minkowski(x, z, 2),
  manhattan: (x, z) => differences(x, z).reduce((sum, v) => sum + v, 0),
  chebyshev: (x, z) => Math.max(...differences(x, z)),
  minkowski: (x, z, p) => {
    const most = Math.max(...differences(x, z));
    if (most === 0) return 0;
    return most * differences(x, z).reduce((sum, v) => sum + (v / most) ** p, 0) ** (1 / p);
  },
  cosine: (x, z) => {
    const [a, b] = [relative(x), relative(z)];
    const norms = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
    return norms === 0 ? 1 : Math.max(0, 1 - dot(a, b) / norms);
  },
  hamming: (x, z) => x.filter((v, j) => v !== z[j]).length / x.length,
  jaccard: (x, z) => {
    const either = x.filter((v, j) => v !== 0 || z[j] !== 0).length;
    const both = x.filter((v, j) => v !== 0 && z[j] !== 0).length;
    return either === 0 ? 0 : (either - both) / either;
  },
} satisfies Record<string, Distance> as Record<MetricName, Distance>;
type MetricName = "euclidean" | "manhattan" | "chebyshev" | "minkowski" | "cosine" | "hamming" | "jaccard";

const trees: readonly MetricName[] = ["euclidean", "manhattan", "chebyshev", "minkowski"];
const sparse: readonly MetricName[] = ["euclidean", "cosine"];

/** Points on a grid, so that ties and duplicates are common, or anywhere; around 0 or far from it. */
const cases = fc
  .record({
    metric: fc.constantFrom(...(Object.keys(formulas) as MetricName[])),
    p: fc.constantFrom(1, 1.5, 2, 3, 4.5),
    rows: fc.integer({ min: 1, max: 70 }),
    cols: fc.integer({ min: 1, max: 9 }),
    grid: fc.boolean(),
    offset: fc.constantFrom(0, 0, 1e6),
    exponent: fc.constantFrom(0, 0, -6, 6, -100, 100),
    leafSize: fc.constantFrom(1, 2, 3, 30),
    self: fc.boolean(),
    seed: fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })),
    k: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ metric, p, rows, cols, grid, offset, exponent, leafSize, self, seed, k }) => {
    // The powers of minkowski overflow.
    const scale = 10 ** (metric === "minkowski" && p > 2 ? Math.sign(exponent) : exponent);
    const draw = () => {
      const { value: drawn } = seed.next();
      // Squares of much smaller numbers underflow at the smallest scale.
      const value = Math.abs(drawn) < 1e-3 ? 0 : drawn;
      return (offset + (grid ? Math.round(2 * value) : value)) * scale;
    };
    const row = () => Array.from({ length: cols }, draw);
    const X: Row[] = Array.from({ length: rows }, row);
    for (let i = 2; i < rows; i += 3) X[i] = X[(i * 7) % i]!;
    const own = self && rows > 1;
    const Z = own ? X : [row(), X[0]!, row()];
    const most = own ? rows - 1 : rows;
    return { metric, p, leafSize, X, Z, self: own, k: 1 + Math.floor(k * (most - 1)), most };
  });

const csr = (rows: readonly Row[]) => CsrMatrix.fromDense(Matrix.fromRows(rows));

describe("neighbours", () => {
  it("are those of brute force in plain TypeScript, by every method, dense or sparse", () => {
    fc.assert(
      fc.property(cases, ({ metric, p, leafSize, X, Z, self, k, most }) => {
        const fit = (algorithm: "brute" | "kdTree" | "ballTree") =>
          new NearestNeighbors({ nNeighbors: 1, metric, p, leafSize, algorithm });
        const methods = trees.includes(metric)
          ? (["brute", "kdTree", "ballTree"] as const)
          : ["brute" as const];
        const models = methods.map((method) => fit(method).fit(X));
        if (sparse.includes(metric)) models.push(fit("brute").fit(csr(X)));
        for (const [number, model] of models.entries()) {
          const query = self ? null : number === methods.length ? csr(Z) : Z;
          const found = model.kneighbors(query, { nNeighbors: k });
          const first = models[0]!.kneighbors(self ? null : Z, { nNeighbors: k });
          // Sparse rows are summed in another order.
          if (number < methods.length) expect(found).toEqual(first);
          for (let i = 0; i < Z.length; i++) {
            const distances = X.map((x) => formulas[metric](Z[i]!, x, p));
            const expected = distances.filter((_, t) => !(self && t === i)).sort((a, b) => a - b);
            const indices = Array.from(found.indices.subarray(i * k, (i + 1) * k));
            expect(new Set(indices).size).toBe(k);
            indices.forEach((t, e) => {
              const distance = found.distances.at(i, e);
              // 1 − x·z/‖x‖‖z‖ cancels; the others are exact to rounding of sums and powers.
              const rounding = metric === "cosine" ? 1e-14 : 1e-11 * distance;
              expect(Math.abs(distance - expected[e]!)).toBeLessThanOrEqual(rounding);
              expect(Math.abs(distance - distances[t]!)).toBeLessThanOrEqual(rounding);
            });
          }
          expect(found.k).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("within a radius are those whose distance is at most the radius, also if it is exactly one of the distances", () => {
    fc.assert(
      fc.property(cases, ({ metric, p, leafSize, X, Z, self, k, most }) => {
        fc.pre(metric !== "minkowski" || p <= 2);
        const algorithms = trees.includes(metric)
          ? (["brute", "kdTree", "ballTree"] as const)
          : ["brute" as const];
        for (const algorithm of algorithms) {
          const model = new NearestNeighbors({
            nNeighbors: 1,
            metric,
            p: p === 1.5 ? 2 : p,
            leafSize,
            algorithm,
          }).fit(X);
          const all = model.kneighbors(self ? null : Z, { nNeighbors: most });
          const radius = all.distances.at(0, k - 1);
          if (radius === 0) return;
          const { starts, indices, distances } = model.radiusNeighbors(self ? null : Z, { radius });
          for (let i = 0; i < Z.length; i++) {
            const near = Array.from(all.indices.subarray(i * most, (i + 1) * most))
              .filter((_, e) => all.distances.at(i, e) <= radius)
              .sort((a, b) => a - b);
            expect(Array.from(indices.subarray(starts[i], starts[i + 1]))).toEqual(near);
          }
          expect(distances.every((distance) => distance <= radius)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
