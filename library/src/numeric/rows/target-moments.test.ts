import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { targetMoments } from "./moments.js";

/** Σ s (u − ū)(v − v̄) of two columns. */
function product(u: readonly number[], v: readonly number[], s: readonly number[], centre: boolean): number {
  const total = s.reduce((sum, w) => sum + w, 0);
  const mean = (list: readonly number[]) =>
    centre ? list.reduce((sum, value, i) => sum + s[i]! * value, 0) / total : 0;
  const [mu, mv] = [mean(u), mean(v)];
  return s.reduce((sum, w, i) => sum + w * (u[i]! - mu) * (v[i]! - mv), 0);
}

describe("moments of several targets", () => {
  it("are the sums over the rows, at every edge of the tiles of four columns", () => {
    const random = new Random(1);
    for (const d of [1, 2, 3, 4, 5, 8]) {
      for (const targets of [1, 2, 3, 4, 6]) {
        for (const centre of [false, true]) {
          const n = 37;
          const columns = Array.from({ length: d + targets }, () =>
            Array.from({ length: n }, () => 3 + random.normal()),
          );
          const weights = targets % 2 === 0 ? Array.from({ length: n }, () => random.uniform()) : undefined;
          const s = weights ?? Array<number>(n).fill(1);
          const x = Matrix.fromRows(
            Array.from({ length: n }, (_, i) => columns.slice(0, d).map((c) => c[i]!)),
          );
          const y = columns.slice(d).map((c) => Float64Array.from(c));
          const given = weights && Float64Array.from(weights);
          const { scatter, yMean, total } = targetMoments("test", x, y, given, centre);
          expect(total).toBeCloseTo(
            s.reduce((sum, w) => sum + w, 0),
            10,
          );
          expect(yMean.length).toBe(targets);
          for (let i = 0, e = 0; i < d + targets; i++) {
            for (let j = 0; j < d + targets; j++, e++)
              expect(scatter[e]).toBeCloseTo(product(columns[i]!, columns[j]!, s, centre), 9);
          }
        }
      }
    }
  });

  it("have the same bits for one target as among others", () => {
    const random = new Random(2);
    const n = 5000;
    const x = new Matrix(
      Float64Array.from({ length: 3 * n }, () => 1e4 + random.normal()),
      n,
      3,
    );
    const y = Array.from({ length: 3 }, () => Float64Array.from({ length: n }, () => random.normal()));
    const all = targetMoments("test", x, y, undefined, true);
    for (const [t, target] of y.entries()) {
      const { scatter, mean, yMean } = targetMoments("test", x, [target], undefined, true);
      expect(mean).toEqual(all.mean);
      expect(yMean[0]).toBe(all.yMean[t]);
      for (let j = 0; j < 3; j++) expect(scatter[4 * j + 3]).toBe(all.scatter[6 * j + 3 + t]);
    }
  });
});
