import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { conicKind, QuadraticDiscriminantAnalysis } from "./index.js";

const random = new Random(12);
const rings = (rows: number, cols: number) => {
  const X = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: cols }, () => random.normal() * (i % 2 === 0 ? 1 : 5)),
  );
  return { X, y: X.map((_, i) => (i % 2 === 0 ? "inner" : "outer")) };
};

describe("QuadraticDiscriminantAnalysis", () => {
  it("tells a ball from the shell around it, where no line can", () => {
    const { X, y } = rings(400, 3);
    expect(new QuadraticDiscriminantAnalysis().fit(X, y).score(X, y)).toBeGreaterThan(0.93);
  });

  it("names the class whose covariance is singular, and what to do", () => {
    const { X, y } = rings(40, 2);
    const constant = X.map((row, i) => [...row, y[i] === "inner" ? 3 : random.normal()]);
    expect(() => new QuadraticDiscriminantAnalysis().fit(constant, y)).toThrow(
      'QuadraticDiscriminantAnalysis.fit: the covariance of class "inner" must be of full rank, got column 2 constant. Set regParam above 0, leave columns out, or use LinearDiscriminantAnalysis.',
    );
    const twice = X.map((row) => [...row, row[0]! + row[1]!]);
    expect(() => new QuadraticDiscriminantAnalysis().fit(twice, y)).toThrow(
      /the covariance of class "inner" must be of full rank, got columns that depend on each other \(20 rows, 3 columns\)/,
    );
    expect(() => new QuadraticDiscriminantAnalysis({ tiedCovariance: true }).fit(twice, y)).toThrow(
      /of all classes/,
    );
    expect(() => new QuadraticDiscriminantAnalysis({ regParam: 1e-20 }).fit(twice, y)).toThrow(
      "Raise regParam, leave columns out, or use LinearDiscriminantAnalysis.",
    );
    for (const rows of [constant, twice]) {
      const model = new QuadraticDiscriminantAnalysis({ regParam: 0.01 }).fit(rows, y);
      expect(model.score(rows, y)).toBeGreaterThan(0.8);
    }
  });

  it("needs two rows of every class", () => {
    const { X, y } = rings(20, 2);
    expect(() => new QuadraticDiscriminantAnalysis().fit([...X, [9, 9]], [...y, "alone"])).toThrow(
      /class "alone" must be more than one row/,
    );
  });

  it("tells nearly dependent columns apart by QR of the rows", () => {
    // The third column differs from the first by a thousandth: squared that is a millionth, and the margins depend on it.
    const X = Array.from({ length: 60 }, (_, i) => {
      const [a, b, c] = [random.normal(), random.normal(), random.normal() * (i % 2 === 0 ? 1 : 2)];
      return [a, b, a + 1e-3 * c];
    });
    const y = X.map((_, i) => i % 2);
    const shifted = X.map(([a, b, c]) => [a!, b!, (c! - a!) * 1e3]);
    const [near, plain] = [X, shifted].map((rows) =>
      new QuadraticDiscriminantAnalysis().fit(rows, y).decisionFunction(rows),
    );
    near!.data.forEach((z, i) => {
      expect(z).toBeCloseTo(plain!.data[i]!, 8);
    });
  });

  it("scores thousands of rows together as each by itself", () => {
    const { X, y } = rings(3000, 6);
    const model = new QuadraticDiscriminantAnalysis().fit(X, y);
    const together = model.decisionFunction(X).data;
    for (let i = 0; i < 3000; i += 97)
      expect(model.decisionFunction([X[i]!]).data[0]).toBeCloseTo(together[i]!, 9);
  });

  it("is right a million standard deviations away, and at the end of the doubles", () => {
    const { X, y } = rings(60, 2);
    const model = new QuadraticDiscriminantAnalysis().fit(X, y);
    for (const far of [1e6, 1e155, 1.7e308]) {
      const asked = [
        [far, 0],
        [-far, far],
      ];
      expect(model.predict(asked)).toEqual(["outer", "outer"]);
      expect([...model.predictProba(asked).data]).toEqual([0, 1, 0, 1]);
      expect(model.predictLogProba(asked).data.every((v) => v <= 0 && v > -Infinity)).toBe(true);
    }
  });

  it("keeps covariances when asked, and always has their inverses", async () => {
    const { X, y } = await loadDataset("iris");
    const model = new QuadraticDiscriminantAnalysis({ storeCovariance: true }).fit(X, y);
    const [S, P] = [model.covariance("setosa"), model.precision("setosa")];
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) {
        let sum = 0;
        for (let l = 0; l < 4; l++) sum += S.at(i, l) * P.at(l, j);
        expect(sum).toBeCloseTo(i === j ? 1 : 0, 12);
      }
    }
    expect(() => new QuadraticDiscriminantAnalysis().fit(X, y).covariance("setosa")).toThrow(
      /storeCovariance/,
    );
  });
});

describe("conicKind", () => {
  const conic = (a: number, b: number, c: number, d: number, e: number, f: number) =>
    conicKind({
      A: Matrix.fromRows([
        [a, b / 2],
        [b / 2, c],
      ]),
      b: Float64Array.of(d, e),
      c: f,
    });

  it.each<[string, Parameters<typeof conic>]>([
    ["circle", [1, 0, 1, 0, 0, -4]],
    ["circle", [-2, 0, -2, 4, 4, 4]],
    ["ellipse", [1, 0, 4, 0, 0, -4]],
    ["ellipse", [1, 1, 1, 0, 0, -1]],
    ["ellipse", [1e-12, 0, 1e12, 0, 0, -1]],
    ["point", [1, 0, 1, 0, 0, 0]],
    ["empty", [1, 0, 1, 0, 0, 1]],
    ["hyperbola", [1, 0, -1, 0, 0, 1]],
    ["hyperbola", [0, 1, 0, 0, 0, 1]],
    ["intersecting lines", [0, 1, 0, 0, 0, 0]],
    ["intersecting lines", [1, 0, -1, 2, 0, 1]],
    ["parabola", [1, 0, 0, 0, 1, 0]],
    ["parabola", [1, 2, 1, 1, -1, 0]],
    ["parallel lines", [1, 0, 0, 0, 0, -1]],
    ["parallel lines", [1, 2, 1, 0, 0, -1]],
    ["line", [1, 0, 0, 2, 0, 1]],
    ["line", [0, 0, 0, 1, 2, 3]],
    ["empty", [1, 0, 0, 0, 0, 1]],
    ["empty", [0, 0, 0, 0, 0, 1]],
    ["plane", [0, 0, 0, 0, 0, 0]],
  ])("%s: %j", (kind, coefficients) => {
    expect(conic(...coefficients)).toBe(kind);
  });

  it("is for two features", () => {
    expect(() => conicKind({ A: Matrix.zeros(3, 3), b: new Float64Array(3), c: 1 })).toThrow(
      /one of two features/,
    );
  });

  describe("of fewer rows than columns", () => {
    const random = new Random(4);
    const draw = (n: number, d: number) =>
      new Matrix(
        Float64Array.from({ length: n * d }, () => random.normal()),
        n,
        d,
      );
    const y = [0, 0, 0, 1, 1, 1, 1, 2, 2];
    const sampleWeight = y.map((_, i) => 0.5 + (i % 3));

    it("is the same from updates row by row as from the covariance", () => {
      const X = draw(9, 40);
      const rows = draw(5, 40);
      for (const tiedCovariance of [false, true])
        for (const regParam of [1e-6, 0.1, 0.9])
          for (const options of [{}, { sampleWeight }]) {
            const params = { tiedCovariance, regParam };
            const model = new QuadraticDiscriminantAnalysis(params).fit(X, y, options);
            // With storeCovariance the whitening is that of the covariance itself.
            const whole = new QuadraticDiscriminantAnalysis({ ...params, storeCovariance: true }).fit(
              X,
              y,
              options,
            );
            const [got, expected] = [model.decisionFunction(rows).data, whole.decisionFunction(rows).data];
            const scale = expected.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
            got.forEach((v, e) => {
              expect(Math.abs(v - expected[e]!) / scale).toBeLessThan(1e-12);
            });
          }
    });

    it("costs d² per row, and is refused at once without regParam", () => {
      const X = draw(8, 1500);
      const labels = [0, 0, 0, 0, 1, 1, 1, 1];
      const start = performance.now();
      expect(() => new QuadraticDiscriminantAnalysis().fit(X, labels)).toThrow(
        /the covariance of class 0 must be of full rank, got columns that depend on each other \(4 rows, 1500 columns\)/,
      );
      expect(() => new QuadraticDiscriminantAnalysis({ tiedCovariance: true }).fit(X, labels)).toThrow(
        /the covariance of all classes .* \(8 rows, 1500 columns\)/,
      );
      // A factorisation of 1500 × 1500 takes seconds.
      expect(performance.now() - start).toBeLessThan(500);
    });
  });
});
