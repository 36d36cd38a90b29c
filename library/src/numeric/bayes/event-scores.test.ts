import { describe, expect, it } from "vitest";
import { log } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { limits } from "../rows/dense-rows.js";
import { setThreads } from "../runtime/threads.js";
import { centredSums, logInto, normalDensities } from "./event-scores.js";

const bits = (v: Float64Array) => Array.from(new BigUint64Array(v.slice().buffer));

function random(rows: number, cols: number, seed: number): Matrix {
  const generator = new Random(seed);
  const out = Matrix.zeros(rows, cols);
  for (let e = 0; e < out.data.length; e++) out.data[e] = generator.normal();
  return out;
}

const K = 3;
const codesOf = (rows: number) => Int32Array.from({ length: rows }, (_, i) => (i * 7) % K);

describe("sums by class around a centre", () => {
  // Around the edges of pairs, and large enough for the kernel.
  for (const cols of [1, 2, 3, 5, 8, 50]) {
    it.each(["without", "with"])(`agree with plain sums %s weights, ${cols} columns`, (kind) => {
      const x = random(Math.ceil(30_000 / cols) + 1, cols, cols);
      const codes = codesOf(x.rows);
      const weights = kind === "with" ? random(x.rows, 1, 9).data.map(Math.abs) : undefined;
      const centre = random(K, cols, 2).data;
      const { first, second } = centredSums("test", x, codes, weights, centre);
      const plain = [new Float64Array(K * cols), new Float64Array(K * cols)] as const;
      for (let i = 0; i < x.rows; i++) {
        for (let j = 0; j < cols; j++) {
          const at = codes[i]! * cols + j;
          const u = x.at(i, j) - centre[at]!;
          plain[0][at]! += (weights?.[i] ?? 1) * u;
          plain[1][at]! += (weights?.[i] ?? 1) * u * u;
        }
      }
      // Sums of up to 10,000 terms of size 1 in another order.
      for (const [e, v] of first.entries()) expect(Math.abs(v - plain[0][e]!)).toBeLessThan(1e-9);
      for (const [e, v] of second.entries()) expect(Math.abs(v - plain[1][e]!)).toBeLessThan(1e-9);
    });
  }

  it("have the same bits streamed in blocks and with one thread", async () => {
    const x = random(40_000, 10, 4);
    const codes = codesOf(x.rows);
    const centre = random(K, 10, 5).data;
    const run = () => {
      const { first, second } = centredSums("test", x, codes, undefined, centre);
      return [...bits(first), ...bits(second)];
    };
    setThreads(1);
    const alone = run();
    const { blockBytes } = limits;
    limits.blockBytes = 200_000;
    try {
      expect(run()).toEqual(alone);
    } finally {
      limits.blockBytes = blockBytes;
      setThreads(2);
    }
    run(); // starts the worker
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let k = 0; k < 3; k++) expect(run()).toEqual(alone);
  });
});

describe("normal log-densities", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 50])(
    "of %i columns have the same bits alone and in a batch",
    (cols) => {
      const x = random(Math.ceil(25_000 / cols / K) + 1, cols, cols);
      const theta = random(K, cols, 1).data;
      const r = random(K, cols, 2).data.map((v) => 0.5 + Math.abs(v));
      const constant = Float64Array.of(-1, 0.25, 3);
      const all = normalDensities("test", x, theta, r, constant);
      for (const i of [0, 1, x.rows - 2, x.rows - 1]) {
        const one = normalDensities("test", x.selectRows([i]), theta, r, constant);
        expect(bits(one.data)).toEqual(bits(all.row(i)));
        for (let k = 0; k < K; k++) {
          let sum = 0;
          for (let j = 0; j < cols; j++) sum += ((x.at(i, j) - theta[k * cols + j]!) * r[k * cols + j]!) ** 2;
          expect(all.at(i, k)).toBeCloseTo(constant[k]! - sum / 2, 10);
        }
      }
    },
  );
});

describe("logarithms in place", () => {
  it("have the bits of core/numbers/elementary.ts, few and many", () => {
    const generator = new Random(3);
    for (const length of [1, 2, 999, 1001, 40_000]) {
      const values = Float64Array.from(
        { length },
        (_, e) => generator.uniform() * 10 ** ((e % 30) - 12) + 1e-300,
      );
      const expected = values.map(log);
      logInto(values);
      expect(bits(values)).toEqual(bits(expected));
    }
  });
});
