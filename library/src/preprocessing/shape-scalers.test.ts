import { describe, expect, it } from "vitest";
import { Random } from "../core/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table.js";
import { MaxAbsScaler, PowerTransformer, QuantileTransformer, RobustScaler } from "./index.js";

const random = new Random(6);
const skewed = Matrix.fromRows(
  Array.from({ length: 300 }, () => [Math.exp(random.normal()), random.normal() - 4]),
);

describe("RobustScaler", () => {
  it("is not moved by an outlier", () => {
    const rows = [[1], [2], [3], [4], [5]];
    const outlier = [[1], [2], [3], [4], [5e9]];
    expect(new RobustScaler().fit(outlier).scale).toEqual(new RobustScaler().fit(rows).scale);
    expect(new RobustScaler().fitTransform(rows).toArray()).toEqual([[-1], [-0.5], [0], [0.5], [1]]);
  });

  it("refuses to centre sparse rows, and ranges without a length", () => {
    expect(() => new RobustScaler().fit(CsrMatrix.fromDense(skewed))).toThrow(/withCentering: false/);
    expect(() => new RobustScaler({ quantileRange: [75, 25] })).toThrow(/\[low, high\] with low < high/);
    expect(() => new RobustScaler({ quantileRange: [0, 100], unitVariance: true })).toThrow(
      /within \(0, 100\)/,
    );
  });
});

describe("MaxAbsScaler", () => {
  it("keeps zeros, signs and the names of columns", () => {
    const table = Table.fromColumns({ a: [0, -4, 2], b: [0, 0, 0] });
    const model = new MaxAbsScaler().fit(table);
    expect(model.transform(table.select(["b", "a"])).toArray()).toEqual([
      [0, 0],
      [-1, 0],
      [0.5, 0],
    ]);
    expect(model.featureNames()).toEqual(["a", "b"]);
  });
});

describe("PowerTransformer", () => {
  it("finds the logarithm of lognormal numbers, and leaves normal ones alone", () => {
    const [log, plain] = new PowerTransformer({ method: "boxCox" }).fit(
      Matrix.fromRows(skewed.toArray().map(([a, b]) => [a!, b! + 20])),
    ).lambdas;
    // 300 rows: the likelihood's deviation of λ is about 0.04 for the first and far more for a column far from 0.
    expect(Math.abs(log!)).toBeLessThan(0.15);
    expect(plain).toBeGreaterThan(-3);
  });

  it("maximises the likelihood: no power near it is likelier", () => {
    const x = skewed.column(1);
    const cost = (lambda: number) => {
      const z = x.map((v) =>
        v >= 0 ? ((1 + v) ** lambda - 1) / lambda : -((1 - v) ** (2 - lambda) - 1) / (2 - lambda),
      );
      const mean = z.reduce((sum, v) => sum + v, 0) / z.length;
      const variance = z.reduce((sum, v) => sum + (v - mean) ** 2, 0) / z.length;
      const slopes = x.reduce((sum, v) => sum + Math.sign(v) * Math.log1p(Math.abs(v)), 0);
      return (z.length / 2) * Math.log(variance) - (lambda - 1) * slopes;
    };
    const [, lambda] = new PowerTransformer().fit(skewed).lambdas;
    for (const step of [1e-3, 0.1, 1]) {
      expect(cost(lambda!)).toBeLessThan(cost(lambda! + step));
      expect(cost(lambda!)).toBeLessThan(cost(lambda! - step));
    }
  });

  it("gives back what it was given, and mean 0 and variance 1", () => {
    const model = new PowerTransformer().fit(skewed);
    const Z = model.transform(skewed);
    for (const j of [0, 1]) {
      const z = Z.column(j);
      expect(z.reduce((sum, v) => sum + v, 0) / z.length).toBeCloseTo(0, 12);
      expect(z.reduce((sum, v) => sum + v * v, 0) / z.length).toBeCloseTo(1, 12);
    }
    const back = model.inverseTransform(Z);
    expect(Math.max(...back.data.map((v, e) => Math.abs(v - skewed.data[e]!)))).toBeLessThan(1e-11);
  });

  it("leaves a constant column constant, and refuses boxCox of what is not positive", () => {
    expect(new PowerTransformer().fitTransform([[3], [3]]).toArray()).toEqual([[0], [0]]);
    expect(() => new PowerTransformer({ method: "boxCox" }).fit([[1], [0]])).toThrow(
      /X\[1\]\[0\] must be above 0, as boxCox requires, got 0. method: "yeoJohnson"/,
    );
  });
});

describe("QuantileTransformer", () => {
  it("makes any column uniform or normal, and knows the way back", () => {
    const uniform = new QuantileTransformer().fit(skewed);
    const Z = uniform.transform(skewed);
    const sorted = Z.column(0).sort();
    expect(Math.max(...sorted.map((z, i) => Math.abs(z - i / 299)))).toBeLessThan(1e-12);
    expect(
      Math.max(...uniform.inverseTransform(Z).data.map((v, e) => Math.abs(v - skewed.data[e]!))),
    ).toBeLessThan(1e-12);
    const normal = new QuantileTransformer({ outputDistribution: "normal" }).fit(skewed);
    expect(normal.transform([[-1e9, 1e9]]).data).toEqual(
      Float64Array.of(-5.199337582605575, 5.19933758270342),
    );
  });

  it("puts equal values in the middle of their share", () => {
    const model = new QuantileTransformer({ nQuantiles: 5 }).fit([[1], [2], [2], [2], [3]]);
    expect([...model.transform([[1], [2], [2.5], [3], [9]]).data]).toEqual([0, 0.5, 0.875, 1, 1]);
  });
});
