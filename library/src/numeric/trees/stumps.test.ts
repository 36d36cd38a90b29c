import { afterEach, describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { setThreads, threads } from "../runtime/threads.js";
import { stumpVotesInto } from "./stump-votes.js";
import { type Split, type SplitCriterion, StumpSearch } from "./stumps.js";

const cores = threads();
afterEach(() => setThreads(cores));

/** Every split of every column, tried one by one. */
function twin(x: Matrix, codes: Int32Array, K: number, weights: Float64Array, criterion: SplitCriterion) {
  let best: { score: number; feature: number; threshold: number } | undefined;
  for (let j = 0; j < x.cols; j++) {
    const values = [...new Set(x.column(j).map((v) => v + 0))].sort((a, b) => a - b);
    for (let v = 0; v + 1 < values.length; v++) {
      const threshold = values[v]! / 2 + values[v + 1]! / 2;
      const sides = [new Float64Array(K), new Float64Array(K)];
      for (let i = 0; i < x.rows; i++) sides[x.at(i, j) <= threshold ? 0 : 1]![codes[i]!]! += weights[i]!;
      const score = sides.reduce((sum, side) => {
        const total = side.reduce((a, b) => a + b, 0);
        return (
          sum + (criterion === "error" ? Math.max(...side) : side.reduce((a, b) => a + b * b, 0) / total)
        );
      }, 0);
      if (best === undefined || score > best.score * (1 + 1e-11)) best = { score, feature: j, threshold };
    }
  }
  return best;
}

/** A problem with ties in the values of X where `steps` is small. */
function problem(n: number, d: number, K: number, steps: number, seed: number) {
  const random = new Random(seed);
  const x = Matrix.zeros(n, d);
  for (let e = 0; e < n * d; e++) x.data[e] = (random.below(2 * steps) - steps) / 8;
  const codes = Int32Array.from({ length: n }, (_, i) => (i < K ? i : random.below(K)));
  const raw = Float64Array.from({ length: n }, () => 0.1 + random.uniform());
  const total = raw.reduce((a, b) => a + b, 0);
  return { x, codes, weights: raw.map((w) => w / total) };
}

function search(p: ReturnType<typeof problem>, K: number, criterion: SplitCriterion): Split {
  const own = new StumpSearch("test", p.x, p.codes, K, criterion, 1);
  try {
    own.best(p.weights.map(() => 1 / p.weights.length)); // what one search leaves behind must not reach the next
    return own.best(p.weights);
  } finally {
    own.close();
  }
}

describe("StumpSearch", () => {
  const sizes = [2, 3, 4, 7, 8, 9, 33, 200].flatMap((n) => [1, 2, 3, 5].map((d) => [n, d] as const));

  it.each(["gini", "error"] as const)("finds what trying every split finds, by %s", (criterion) => {
    for (const [n, d] of sizes) {
      for (const K of [2, 3, 5]) {
        if (n < K) continue;
        for (const steps of [2, 1000]) {
          const given = problem(n, d, K, steps, 100 * n + d);
          const expected = twin(given.x, given.codes, K, given.weights, criterion);
          const { feature, threshold, leaves } = search(given, K, criterion);
          expect(feature).toBe(expected?.feature ?? -1);
          expect(threshold).toBe(expected?.threshold ?? 0);
          expect(leaves.reduce((a, b) => a + b, 0)).toBeCloseTo(feature < 0 ? 2 : 1, 12);
        }
      }
    }
  });

  it("finds the same bits with one thread and with many", () => {
    for (const K of [2, 4]) {
      const given = problem(30_011, 7, K, 1e6, K);
      setThreads(1);
      const alone = search(given, K, "gini");
      setThreads(Math.max(2, cores));
      expect(search(given, K, "gini")).toEqual(alone);
    }
  });

  it("takes the first column and the lowest threshold of equal splits", () => {
    // Columns 1 and 2 separate equally well at two places each; column 0 does not.
    const x = Matrix.fromRows([
      [0, 1, 1],
      [1, 2, 2],
      [0, 3, 3],
      [1, 4, 4],
    ]);
    const given = { x, codes: Int32Array.of(0, 1, 0, 1), weights: new Float64Array(4).fill(0.25) };
    expect(search({ ...given, x: x.selectColumns([1, 2]) }, 2, "gini")).toMatchObject({
      feature: 0,
      threshold: 1.5,
    });
    expect(search(given, 2, "gini")).toMatchObject({ feature: 0, threshold: 0.5 });
  });

  it("orders negative numbers, zeros of both signs and the largest doubles", () => {
    const values = [1e308, -1e308, -0, 0, 5e-324, -5e-324, 1.5, -1.5];
    const x = new Matrix(Float64Array.from(values), 8, 1);
    const weights = new Float64Array(8).fill(1 / 8);
    const codes = Int32Array.from(values, (v) => (v > 0 ? 1 : 0));
    const { threshold, leaves } = search({ x, codes, weights }, 2, "gini");
    expect(threshold).toBe(0); // half of the smallest double rounds to 0, which lies left
    expect([...leaves]).toEqual([0.625, 0, 0, 0.375]);
  });
});

describe("stumpVotesInto", () => {
  it("adds the votes of every stump, whatever the number of rows and classes", () => {
    for (const rows of [1, 7, 8, 9, 15, 4099]) {
      for (const K of [2, 3]) {
        const random = new Random(rows);
        const { x } = problem(rows, 3, 1, 1000, rows);
        const T = 40;
        const stumps = {
          features: Int32Array.from({ length: T }, () => random.below(4) - 1),
          thresholds: Float64Array.from({ length: T }, () => random.normal() * 50),
          answers: Int32Array.from({ length: 2 * T }, () => random.below(K)),
        };
        const weights = Float64Array.from({ length: T }, () => random.uniform());
        const out = Matrix.zeros(rows, K);
        stumpVotesInto("test", stumps, weights, x, out);
        const expected = Matrix.zeros(rows, K);
        for (let i = 0; i < rows; i++) {
          for (let t = 0; t < T; t++) {
            const j = stumps.features[t]!;
            const side = j >= 0 && x.at(i, j) > stumps.thresholds[t]! ? 1 : 0;
            expected.data[i * K + stumps.answers[2 * t + side]!]! += weights[t]!;
          }
        }
        expect(out.data).toEqual(expected.data);
      }
    }
  });
});
