import { describe, expect, it } from "vitest";
import { DataError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { isLinearlySeparable, separatingHyperplane } from "./index.js";

describe("separatingHyperplane", () => {
  const random = new Random(4);

  it("exists exactly where isLinearlySeparable says so, and has every row strictly on its side", () => {
    let found = 0;
    for (let draw = 0; draw < 60; draw++) {
      const [n, d] = [4 + random.below(12), 1 + random.below(4)];
      const scale = 10 ** (random.below(13) - 6);
      const X = Array.from({ length: n }, () =>
        Array.from({ length: d }, () => scale * (random.normal() + (draw % 3))),
      );
      const y = X.map((_, i) => (i < 2 ? i : random.below(2)));
      const plane = separatingHyperplane(X, y);
      expect(plane !== undefined).toBe(isLinearlySeparable(X, y));
      if (plane === undefined) continue;
      found++;
      X.forEach((x, i) => {
        const z = x.reduce((sum, v, j) => sum + v * plane.coef[j]!, plane.intercept);
        expect(Math.sign(z)).toBe(y[i] === 1 ? 1 : -1);
      });
    }
    expect(found).toBeGreaterThan(10);
    expect(found).toBeLessThan(50);
  });

  it("has coefficient 0 for a constant column, and takes sparse rows", () => {
    const rows = Matrix.fromRows([
      [7, 0],
      [7, 1],
      [7, 3],
    ]);
    const labels = ["a", "a", "b"];
    const plane = separatingHyperplane(rows, labels)!;
    expect(plane.coef[0]).toBe(0);
    expect(separatingHyperplane(CsrMatrix.fromDense(rows), labels)).toEqual(plane);
  });

  it("says so where rounding hides the margins, and refuses one class and three", () => {
    const far = [[2 ** 53 - 2], [2 ** 53 - 1], [2 ** 53]];
    expect(isLinearlySeparable(far, [0, 0, 1])).toBe(true);
    expect(() => separatingHyperplane(far, [0, 0, 1])).toThrow(
      /separatingHyperplane: X must be columns whose differences are not lost beside their size/,
    );
    expect(() => separatingHyperplane([[1], [2]], [0, 0])).toThrow(DataError);
    expect(() => separatingHyperplane([[1], [2], [3]], [0, 1, 2])).toThrow(
      "Test one class against the rest.",
    );
  });
});
