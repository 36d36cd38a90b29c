import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { columnMoments } from "./column-moments.js";
import { mergeInto, momentsOf, recentred } from "./moments.js";

const random = new Random(8);
const column = (n: number, offset: number) =>
  Float64Array.from({ length: n }, () => random.normal() + offset);
const asMatrix = (data: Float64Array) => new Matrix(data, data.length, 1);

describe("mergeInto", () => {
  it("adds moments of blocks to those of all rows, empty blocks and an offset of 1e6 included", () => {
    const blocks = [column(40, 1e6), new Float64Array(0), column(3, 1e6 + 5), column(500, 1e6 - 2)];
    const out = { mean: new Float64Array(1), squares: new Float64Array(1) };
    let weight = 0;
    for (const block of blocks) {
      const { mean, variance } =
        block.length > 0
          ? columnMoments("test", asMatrix(block), undefined)
          : { mean: Float64Array.of(0), variance: Float64Array.of(0) };
      mergeInto(weight, block.length, mean[0]!, variance[0]! * block.length, 0, out);
      weight += block.length;
    }
    const all = Float64Array.from(blocks.flatMap((block) => [...block]));
    const whole = columnMoments("test", asMatrix(all), undefined);
    expect(out.mean[0]).toBeCloseTo(whole.mean[0]!, 8);
    expect(out.squares[0]! / weight).toBeCloseTo(whole.variance[0]!, 9);
  });
});

describe("recentred", () => {
  it("moves sums around any centre to the mean, and stays symmetric", () => {
    const x = new Matrix(column(600, 3), 200, 3);
    const { mean, scatter } = momentsOf("test", x, new Float64Array(200), undefined, true);
    const centre = Float64Array.of(2.5, 3.25, 4);
    const offset = mean.map((m, j) => 200 * (m - centre[j]!));
    const around = new Float64Array(9);
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) around[a * 3 + b] = scatter[a * 4 + b]! + (offset[a]! * offset[b]!) / 200;
    const { moments, shift } = recentred(centre, 200, offset, around);
    for (let a = 0; a < 3; a++) {
      expect(moments.mean[a]).toBeCloseTo(mean[a]!, 12);
      for (let b = 0; b < 3; b++) {
        expect(moments.scatter[a * 3 + b]).toBeCloseTo(scatter[a * 4 + b]!, 9);
        expect(moments.scatter[a * 3 + b]).toBe(moments.scatter[b * 3 + a]);
      }
    }
    expect(shift).toBeGreaterThan(0.1);
  });
});
