import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { addClassSums, eventScoresInto, type Threshold } from "./class-sums.js";

const bits = (v: Float64Array) => Array.from(new BigUint64Array(v.slice().buffer));

/** Rows of very different lengths: some empty, one longer than a block. */
function random(rows: number, cols: number, perRow: number, seed: number): CsrMatrix {
  const generator = new Random(seed);
  const lists = Array.from({ length: rows }, (_, i) => {
    const count = i === 3 ? 0 : i === 5 ? 20 * perRow : Math.floor(2 * perRow * generator.uniform());
    return Array.from({ length: count }, (): [number, number] => [
      Math.floor(cols * generator.uniform() ** 2),
      Math.ceil(8 * generator.uniform()) / 4,
    ]);
  });
  return CsrMatrix.fromRows(lists, cols);
}

const rules: Readonly<Record<string, Threshold | null>> = {
  counts: null,
  "ones above a threshold": { threshold: 1, flip: false },
  "zeros that are ones": { threshold: -1, flip: true },
};
const eventOf = (rule: Threshold | null) => (v: number) =>
  rule === null ? v : v > rule.threshold !== rule.flip ? 1 : 0;

describe.each(Object.entries(rules))("%s", (_, rule) => {
  it.each([2, 3, 4, 7])("sums by class are plain sums, %i classes", (K) => {
    const x = random(400, 300, 60, K);
    expect(x.nonZeros).toBeGreaterThan(2 ** 14); // more than one block
    const codes = Int32Array.from({ length: x.rows }, (_, i) => (i * 5) % K);
    for (const weights of [undefined, Float64Array.from(codes, (_, i) => (i % 4) / 2)]) {
      const sums = new Float64Array(K * x.cols).fill(1);
      expect(addClassSums("test", x, codes, weights, rule, sums)).toBe(0);
      const expected = new Float64Array(K * x.cols).fill(1);
      for (let i = 0; i < x.rows; i++)
        for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++)
          expected[codes[i]! * x.cols + x.indices[e]!]! += (weights?.[i] ?? 1) * eventOf(rule)(x.values[e]!);
      // Quarters: every sum is exact.
      expect(sums).toEqual(expected);
    }
  });

  it.each([2, 3, 4, 7])("scores of a row have the same bits alone and in a batch, %i classes", (K) => {
    const x = random(300, 200, 40, 10 + K);
    const generator = new Random(K);
    const w = Float64Array.from({ length: x.cols * K }, () => generator.normal());
    const all = new Float64Array(x.rows * K);
    expect(eventScoresInto("test", x, w, K, rule, all)).toBe(0);
    for (let i = 0; i < x.rows; i += 7) {
      const one = new Float64Array(K);
      eventScoresInto("test", x.selectRows([i]), w, K, rule, one);
      expect(bits(one)).toEqual(bits(all.slice(i * K, (i + 1) * K)));
      for (let k = 0; k < K; k++) {
        let sum = 0;
        for (let e = x.indptr[i]!; e < x.indptr[i + 1]!; e++)
          sum += eventOf(rule)(x.values[e]!) * w[x.indices[e]! * K + k]!;
        expect(one[k]).toBeCloseTo(sum, 10);
      }
    }
  });
});

describe("what cannot be counted shows in the status", () => {
  const spoiled = (value: number, rows: number) => {
    const x = random(rows, 50, 40, 1);
    const values = x.values.slice();
    values[values.length - 3] = value;
    return new CsrMatrix({ ...x, values });
  };

  it.each([10, 400])("in sums and scores of %i rows", (rows) => {
    const bad: readonly [number, Threshold | null][] = [
      [-2, null],
      [Number.NaN, rules["ones above a threshold"]!],
      [Infinity, rules["ones above a threshold"]!],
    ];
    for (const [value, rule] of bad) {
      const x = spoiled(value, rows);
      const expected = rule === null ? -2 : Number.NaN;
      const codes = Int32Array.from({ length: rows }, (_, i) => i % 2);
      expect(addClassSums("test", x, codes, undefined, rule, new Float64Array(100))).toBe(expected);
      expect(eventScoresInto("test", x, new Float64Array(100), 2, rule, new Float64Array(2 * rows))).toBe(
        expected,
      );
    }
  });
});
