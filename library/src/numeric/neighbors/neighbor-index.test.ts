import { describe, expect, it } from "vitest";
import { pow } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { heap } from "../runtime/heap.js";
import { setThreads } from "../runtime/threads.js";
import { distanceOf, hasTree, type Metric, type MetricName, metricCodes, reducedOf } from "./metric.js";
import { NeighborIndex, type SearchMethod } from "./neighbor-index.js";

/** The formulas as they are written in books, one pair of rows at a time. */
const formulas: Record<MetricName, (x: Float64Array, y: Float64Array, p: number) => number> = {
  euclidean: (x, y) => Math.sqrt(x.reduce((sum, v, j) => sum + (v - y[j]!) ** 2, 0)),
  manhattan: (x, y) => x.reduce((sum, v, j) => sum + Math.abs(v - y[j]!), 0),
  chebyshev: (x, y) => x.reduce((most, v, j) => Math.max(most, Math.abs(v - y[j]!)), 0),
  minkowski: (x, y, p) => x.reduce((sum, v, j) => sum + Math.abs(v - y[j]!) ** p, 0) ** (1 / p),
  cosine: (x, y) => {
    const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, v, j) => sum + v * b[j]!, 0);
    const norms = Math.sqrt(dot(x, x) * dot(y, y));
    return norms === 0 ? 1 : 1 - dot(x, y) / norms;
  },
  hamming: (x, y) => x.filter((v, j) => v !== y[j]).length / x.length,
  jaccard: (x, y) => {
    const either = x.filter((v, j) => v !== 0 || y[j] !== 0).length;
    const both = x.filter((v, j) => v !== 0 && y[j] !== 0).length;
    return either === 0 ? 0 : (either - both) / either;
  },
};

const metrics: Metric[] = [
  ...(Object.keys(metricCodes) as MetricName[])
    .filter((name) => name !== "minkowski")
    .map((name) => ({ name, p: 2 })),
  { name: "minkowski", p: 3 },
  { name: "minkowski", p: 1.5 },
];
const methodsOf = (metric: Metric): SearchMethod[] =>
  hasTree(metric) ? ["brute", "kdTree", "ballTree"] : ["brute"];

const random = new Random(7);
const gaussian = (rows: number, cols: number, offset = 0, digits = Infinity) => {
  const round = (v: number) => (digits === Infinity ? v : Math.round(v * digits) / digits);
  const data = Float64Array.from({ length: rows * cols }, () => offset + round(random.normal()));
  return new Matrix(data, rows, cols);
};

interface Nearest {
  readonly distances: number[][];
  readonly indices: number[][];
}

function search(index: NeighborIndex, z: Matrix, k: number, self = false): Nearest {
  const distances: number[][] = [];
  const indices: number[][] = [];
  index.nearest("here", z, k, self, (_, count, d, i) => {
    for (let r = 0; r < count; r++) {
      distances.push(Array.from(d.subarray(r * k, (r + 1) * k)));
      indices.push(Array.from(i.subarray(r * k, (r + 1) * k)));
    }
  });
  return { distances, indices };
}

/** All points by distance, ties by number. */
const ranked = (x: Matrix, z: Float64Array, { name, p }: Metric, own = -1) =>
  Array.from({ length: x.rows }, (_, i) => ({ i, d: formulas[name](z, x.row(i), p) }))
    .filter(({ i }) => i !== own)
    .sort((a, b) => a.d - b.d || a.i - b.i);

/** Formulas add in another order: numbers may differ in the last places, so ties among them are compared by distance. */
function expectNearest(found: Nearest, x: Matrix, z: Matrix, k: number, metric: Metric, self = false): void {
  for (let r = 0; r < z.rows; r++) {
    const all = ranked(x, z.row(r), metric, self ? r : -1);
    const scale = all.at(-1)!.d;
    for (let e = 0; e < k; e++) {
      expect(Math.abs(found.distances[r]![e]! - all[e]!.d)).toBeLessThanOrEqual(1e-12 * scale + 1e-15);
      const own = formulas[metric.name](z.row(r), x.row(found.indices[r]![e]!), metric.p);
      expect(Math.abs(own - all[e]!.d)).toBeLessThanOrEqual(1e-12 * scale + 1e-15);
    }
    expect(new Set(found.indices[r]).size).toBe(k);
  }
}

describe.each(metrics.flatMap((metric) => methodsOf(metric).map((method) => [metric, method] as const)))(
  "nearest by %j, %s",
  (metric, method) => {
    it.each([
      [1, 1, 1],
      [7, 3, 2],
      [8, 4, 3],
      [9, 5, 9],
      [100, 33, 4],
      [257, 70, 17],
    ])("finds the k nearest of %i points for %i queries in %i columns", (n, m, d) => {
      const x = gaussian(n, d);
      const z = gaussian(m, d);
      const index = new NeighborIndex("here", x, metric, method, 5);
      for (const k of [1, Math.min(3, n), n]) expectNearest(search(index, z, k), x, z, k, metric);
    });

    it("gives ties to the smaller number, also among duplicates", () => {
      // Values on a coarse grid: many equal distances.
      const x = gaussian(300, 3, 0, 1);
      const z = gaussian(40, 3, 0, 1);
      const { distances, indices } = search(new NeighborIndex("here", x, metric, method, 4), z, 20);
      for (let r = 0; r < z.rows; r++)
        for (let e = 1; e < 20; e++)
          if (distances[r]![e] === distances[r]![e - 1])
            expect(indices[r]![e]).toBeGreaterThan(indices[r]![e - 1]!);
      const first = search(new NeighborIndex("here", x, metric, "brute", 4), z, 20);
      expect({ distances, indices }).toEqual(first);
    });

    it("leaves a point itself out when asked, not its duplicates", () => {
      const x = gaussian(60, 2, 0, 1);
      const found = search(new NeighborIndex("here", x, metric, method, 4), x, 5, true);
      found.indices.forEach((list, r) => {
        expect(list).not.toContain(r);
      });
      expectNearest(found, x, x, 5, metric, true);
    });

    it("finds all points within a radius, by number", () => {
      const x = gaussian(211, 3);
      const z = gaussian(71, 3);
      const index = new NeighborIndex("here", x, metric, method, 7);
      const radii = Array.from(
        { length: z.rows },
        (_, r) => ranked(x, z.row(r), metric)[r % 50]!.d * (1 + 1e-9),
      );
      index.within("here", z, radii, false, (from, count, starts, distances, indices) => {
        for (let r = 0; r < count; r++) {
          const within = ranked(x, z.row(from + r), metric).filter(({ d }) => d <= radii[from + r]!);
          const own = Array.from(indices.subarray(starts[r]!, starts[r + 1]!));
          expect(own).toEqual(within.map(({ i }) => i).sort((a, b) => a - b));
          own.forEach((i, e) => {
            const d = formulas[metric.name](z.row(from + r), x.row(i), metric.p);
            expect(Math.abs(distances[starts[r]! + e]! - d)).toBeLessThanOrEqual(1e-12 * (1 + d));
          });
        }
      });
    });
  },
);

describe("a filter in 32 bits", () => {
  it.each([0, 1e6, -1e9, 1e12])("never changes the answer, at an offset of %d", (offset) => {
    const x = gaussian(500, 6, offset);
    const z = gaussian(50, 6, offset);
    const metric: Metric = { name: "euclidean", p: 2 };
    const brute = search(new NeighborIndex("here", x, metric, "brute", 30), z, 7);
    const tree = search(new NeighborIndex("here", x, metric, "kdTree", 30), z, 7);
    expect(brute).toEqual(tree);
    expectNearest(brute, x, z, 7, metric);
  });

  it("nor at any scale, nor for queries far outside, nor with one point far away", () => {
    const metric: Metric = { name: "euclidean", p: 2 };
    for (const scale of [1e-160, 1e-100, 1e-30, 1, 1e30, 1e100, 1e150]) {
      const x = gaussian(200, 4);
      const z = gaussian(30, 4);
      for (const m of [x, z]) for (let e = 0; e < m.data.length; e++) m.data[e]! *= scale;
      z.data.fill(1e3 * scale, 0, 4);
      z.data[5] = 1e20 * scale;
      if (scale <= 1e100) x.data[0] = 1e30 * scale;
      const brute = search(new NeighborIndex("here", x, metric, "brute", 30), z, 5);
      const tree = search(new NeighborIndex("here", x, metric, "kdTree", 30), z, 5);
      expect(brute).toEqual(tree);
    }
  });

  it("nor when it compares along a few directions first", () => {
    // Rows in 6 of 120 directions, and a little of all: most of the variance is in few of them.
    const [a, b] = [gaussian(2500, 6), gaussian(6, 120)];
    const x = gaussian(2500, 120, 0);
    for (let i = 0; i < x.rows; i++)
      for (let j = 0; j < x.cols; j++) {
        let sum = 0;
        for (let e = 0; e < 6; e++) sum += a.at(i, e) * b.at(e, j);
        x.data[i * x.cols + j] = 1e3 + sum + 0.1 * x.data[i * x.cols + j]!;
      }
    const z = x.selectRows(Int32Array.from({ length: 60 }, (_, i) => 41 * i));
    for (let e = 0; e < z.data.length; e += 7) z.data[e]! += 0.3;
    const metric: Metric = { name: "euclidean", p: 2 };
    const brute = search(new NeighborIndex("here", x, metric, "brute", 30), z, 9);
    expect(brute).toEqual(search(new NeighborIndex("here", x, metric, "kdTree", 30), z, 9));
    expectNearest(brute, x, z, 9, metric);
  });

  it("nor when all points are nearly the same", () => {
    const metric: Metric = { name: "euclidean", p: 2 };
    const x = gaussian(400, 5);
    for (let e = 0; e < x.data.length; e++) x.data[e] = 1 + 1e-9 * x.data[e]!;
    const brute = search(new NeighborIndex("here", x, metric, "brute", 30), x, 6, true);
    expect(brute).toEqual(search(new NeighborIndex("here", x, metric, "ballTree", 30), x, 6, true));
  });
});

describe("trees", () => {
  it.each(["kdTree", "ballTree"] as const)(
    "a %s of 10⁵ equal points is built and searched",
    (method) => {
      const x = new Matrix(new Float64Array(2e5).fill(3), 1e5, 2);
      const index = new NeighborIndex("here", x, { name: "euclidean", p: 2 }, method, 30);
      const { distances, indices } = search(index, x.selectRows([0, 5, 99_999]), 3);
      expect(indices).toEqual([
        [0, 1, 2],
        [0, 1, 2],
        [0, 1, 2],
      ]);
      expect(distances.flat().every((d) => d === 0)).toBe(true);
    },
    20_000,
  );
});

it("memory of the kernels does not grow with the number of queries", () => {
  const metric: Metric = { name: "euclidean", p: 2 };
  const index = new NeighborIndex("here", gaussian(2000, 12), metric, "brute", 30);
  const reserved = (queries: number) => {
    search(index, gaussian(queries, 12), 5);
    return heap().bytesReserved;
  };
  const first = reserved(2048);
  expect(reserved(20_000)).toBe(first);
});

it("the answer does not depend on the number of threads", () => {
  const x = gaussian(3000, 20);
  const z = gaussian(1500, 20);
  const metric: Metric = { name: "euclidean", p: 2 };
  const answers = [1, 4].map((threads) => {
    setThreads(threads);
    return search(new NeighborIndex("here", x, metric, "brute", 30), z, 5);
  });
  expect(answers[0]).toEqual(answers[1]);
});

it("reduced distances and distances are each other's inverse", () => {
  for (const metric of metrics)
    for (const d of [0.5, 1, 7]) expect(distanceOf(metric, reducedOf(metric, d))).toBeCloseTo(d, 12);
  expect(reducedOf({ name: "minkowski", p: 3 }, 2)).toBe(pow(2, 3));
});
