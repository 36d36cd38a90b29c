import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import {
  MaxAbsScaler,
  MinMaxScaler,
  PowerTransformer,
  QuantileTransformer,
  RobustScaler,
  StandardScaler,
} from "../index.js";

const random = new Random(6);
const skewed = Matrix.fromRows(
  Array.from({ length: 300 }, () => [Math.exp(random.normal()), random.normal() - 4]),
);

describe("columns that are constant up to rounding", () => {
  const noise = [[0.3], [0.1 + 0.2], [0.3], [0.1 + 0.2]];
  const scalers = [new StandardScaler(), new MinMaxScaler(), new RobustScaler()];

  for (const scaler of scalers)
    it(`${scaler.constructor.name} does not turn the last bits into a feature`, () => {
      for (const factor of [1, -1e-200, 1e200, 7e15]) {
        const z = scaler.fitTransform(noise.map(([x]) => [x! * factor]));
        // Centred, not divided: what is left is rounding in the units of the column.
        for (const value of z.data) expect(Math.abs(value)).toBeLessThanOrEqual(1e-16 * Math.abs(factor));
      }
    });

  for (const scaler of scalers)
    it(`${scaler.constructor.name} keeps a small spread that numbers of this size can have`, () => {
      const z = scaler.fitTransform([[1e9], [1e9 + 1], [1e9], [1e9 + 1]]);
      expect(z.data[1]! - z.data[0]!).toBeGreaterThanOrEqual(1);
      const tiny = scaler.fitTransform([[0], [1e-300], [0], [1e-300]]);
      expect(tiny.data[1]! - tiny.data[0]!).toBeGreaterThanOrEqual(1);
    });

  it("partialFit agrees", () => {
    const scaler = new StandardScaler();
    const model = scaler.partialFit(scaler.fit([[0.3]]), [[0.1 + 0.2]]);
    expect([...model.scale]).toEqual([1]);
  });
});

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

  it("finds the power of columns whose spread is small beside their mean", () => {
    const quantiles = Array.from({ length: 50 }, (_, i) => -Math.log(1 - (i + 0.5) / 50));
    const boxCox = (offset: number, factor = 1) =>
      new PowerTransformer({ method: "boxCox" }).fit(quantiles.map((q) => [offset + factor * q])).lambdas[0]!;
    // The roots of the likelihood's derivative in 50 digits (Python's decimal); a minimum is found to half of the digits.
    expect(boxCox(30)).toBeCloseTo(-21.70893547, 4);
    expect(boxCox(2020, 5)).toBeCloseTo(-288.2529472, 3);
    const years = quantiles.map((q) => [2020 + 5 * q]);
    const model = new PowerTransformer().fit(years);
    const same = new PowerTransformer({ method: "boxCox" }).fit(years.map(([x]) => [x! + 1]));
    expect(model.lambdas[0]).toBeCloseTo(same.lambdas[0]!, 3);
    const negative = new PowerTransformer().fit(years.map(([x]) => [-x!]));
    expect(2 - negative.lambdas[0]!).toBeCloseTo(model.lambdas[0]!, 3);
    for (const fitted of [model, negative]) {
      const X = fitted === model ? years : years.map(([x]) => [-x!]);
      const Z = fitted.transform(X);
      const z = [...Z.data];
      expect(z.reduce((sum, v) => sum + v * v, 0) / z.length).toBeCloseTo(1, 9);
      // Skewness of about 0 is what the power is for; that of the years is 1.7.
      expect(Math.abs(z.reduce((sum, v) => sum + v ** 3, 0) / z.length)).toBeLessThan(0.3);
      fitted.inverseTransform(Z).data.forEach((x, i) => {
        expect(x).toBeCloseTo(X[i]![0]!, 6);
      });
    }
  });

  it("standardised powers are those of the definition, on both sides of 0", () => {
    for (const column of [
      [0, 0.5, 2, 7, 9],
      [-4, -3, -1, -0.2, 0],
      [-3, -1, 0, 2, 8],
    ]) {
      const X = column.map((x) => [x]);
      const model = new PowerTransformer().fit(X);
      const plain = new PowerTransformer({ standardize: false }).fit(X);
      expect(plain.lambdas).toEqual(model.lambdas);
      const test = [[-2.5], [-0.1], [0], [0.1], [3.5]];
      const z = plain.transform(X).column(0);
      const mean = z.reduce((sum, v) => sum + v, 0) / z.length;
      const deviation = Math.sqrt(z.reduce((sum, v) => sum + (v - mean) ** 2, 0) / z.length);
      const expected = plain.transform(test).data.map((v) => (v - mean) / deviation);
      const got = model.transform(test);
      got.data.forEach((v, i) => {
        expect(v).toBeCloseTo(expected[i]!, 10);
      });
      model.inverseTransform(got).data.forEach((x, i) => {
        expect(x).toBeCloseTo(test[i]![0]!, 10);
      });
    }
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
