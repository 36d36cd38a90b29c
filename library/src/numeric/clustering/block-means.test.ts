import { expect, test } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import type { BlockStore } from "../boosting/block-rows.js";
import { BlockMeans } from "./block-means.js";
import { frameOf, MeansMemory } from "./means-memory.js";

/** A store in memory. */
function storeOf(): BlockStore {
  const bytes = new Uint8Array(64 * 2 ** 20);
  return {
    read: (at, out) => out.set(bytes.subarray(at, at + out.length)),
    write: (at, given) => bytes.set(given, at),
  };
}

for (const isWeighted of [false, true])
  test(`blocks of rows have the sums of all rows${isWeighted ? ", by weight" : ""}`, () => {
    const [d, k] = [3, 4];
    const random = new Random(1);
    const store = storeOf();
    const rows = 2 * Math.floor((8 * 2 ** 20) / 8 / d) + 777;
    const x = new Matrix(
      Float64Array.from({ length: rows * d }, () => random.normal() * 3),
      rows,
      d,
    );
    const weights = Float64Array.from({ length: rows }, () => random.uniform());
    const columns = Array.from({ length: d }, (_, j) =>
      Float64Array.from({ length: rows }, (_, i) => x.at(i, j)),
    );
    const centers = Float64Array.from({ length: k * d }, () => random.normal());
    const frame = frameOf(x);
    const whole = new MeansMemory("test", rows, d, k, frame, isWeighted ? weights : undefined);
    const blocks = new BlockMeans("test", store, d, k, isWeighted);
    try {
      whole.load(x.data);
      whole.centers.array.set(centers);
      whole.packRows();
      whole.assign(false);
      // Parts of columns that do not end where blocks do.
      for (let from = 0; from < rows; from += 100_000) {
        const to = Math.min(rows, from + 100_000);
        blocks.add(
          columns.map((column) => column.subarray(from, to)),
          isWeighted ? weights.subarray(from, to) : undefined,
        );
      }
      blocks.begin(frame);
      expect(blocks.rows).toBe(rows);
      const steps = blocks.assign(centers, true);
      let step = steps.next();
      while (!step.done) step = steps.next();
      const expected = whole.sums();
      const { sums, inertia } = step.value;
      // Sums of blocks are added in another order: relative to Σ |x| of the rows.
      sums.forEach((sum, e) => {
        expect(Math.abs(sum - expected[e]!)).toBeLessThan(1e-12 * rows);
      });
      expect(inertia / whole.measure()).toBeCloseTo(1, 12);
    } finally {
      whole.close();
      blocks.close();
    }
  });
