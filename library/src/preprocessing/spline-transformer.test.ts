import { describe, expect, it } from "vitest";
import { ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { LinearRegression, Ridge } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { SplineTransformer } from "./index.js";

const column = (values: readonly number[]): number[][] => values.map((value) => [value]);
const grid = Array.from({ length: 41 }, (_, i) => i / 4);

describe("SplineTransformer", () => {
  it("gives numbers ≥ 0 whose sum is 1 between the knots, degree + 1 of them not 0", () => {
    for (const degree of [0, 1, 2, 3, 6]) {
      const Z = new SplineTransformer({ degree, nKnots: 7 }).fitTransform(column(grid));
      expect(Z.cols).toBe(6 + degree);
      for (const row of Z.toArray()) {
        expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 14);
        expect(row.every((value) => value >= 0)).toBe(true);
        expect(row.filter((value) => value > 0).length).toBeLessThanOrEqual(degree + 1);
      }
    }
  });

  it("has a sum of 1 also at ends where quantiles coincide", () => {
    for (const sign of [1, -1]) {
      const values = [0, 1, 2, 5, 5, 5, 5, 5].map((value) => sign * value);
      for (const degree of [0, 1, 2, 3]) {
        for (const extrapolation of ["constant", "linear", "continue", "error"] as const) {
          const model = new SplineTransformer({ degree, knots: "quantile", nKnots: 4, extrapolation });
          const beyond = extrapolation === "error" ? [] : [-7, 7];
          const Z = model.fit(column(values)).transform(column([...values, ...beyond]));
          for (const row of Z.toArray())
            expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 10);
        }
      }
    }
  });

  it("of degree 1 is linear interpolation between the knots", () => {
    const model = new SplineTransformer({ degree: 1, nKnots: 3 }).fit(column([0, 10]));
    expect(model.transform(column([0, 2.5, 5, 10])).toArray()).toEqual([
      [1, 0, 0],
      [0.5, 0.5, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
    expect([...model.knots[0]!]).toEqual([0, 5, 10]);
  });

  it("reproduces every polynomial of its degree, beyond the knots if it continues", () => {
    const cubic = (x: number) => 1 - 2 * x + x * x - x * x * x;
    const x = column(Array.from({ length: 30 }, (_, i) => i / 10));
    const model = pipeline(
      new SplineTransformer({ extrapolation: "continue", includeBias: false }),
      new LinearRegression(),
    ).fit(
      x,
      x.map(([value]) => cubic(value!)),
    );
    for (const value of [-1, 0.05, 2.95, 4]) expect(model.predict([[value]])[0]).toBeCloseTo(cubic(value), 8);
  });

  it("goes on along its tangents if linear, and stays where it is if constant", () => {
    const at = (extrapolation: "linear" | "constant", x: number) => [
      ...new SplineTransformer({ extrapolation }).fit(column(grid)).transform([[x]]).data,
    ];
    expect(at("constant", 99)).toEqual(at("constant", 10));
    expect(at("constant", -99)).toEqual(at("constant", 0));
    const [end, one, two] = [10, 11, 12].map((x) => at("linear", x));
    for (const [k, value] of end!.entries()) expect(two![k]! - one![k]!).toBeCloseTo(one![k]! - value, 14);
  });

  it("of degree 0 has the values of the ends beyond them", () => {
    const model = new SplineTransformer({ degree: 0, nKnots: 3 }).fit(column([0, 10]));
    expect(model.transform(column([-5, 15])).toArray()).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it("is the same again after every period, and smooth where one ends", () => {
    const hours = column(Array.from({ length: 25 }, (_, i) => i));
    const model = new SplineTransformer({ extrapolation: "periodic", nKnots: 9 }).fit(hours);
    const [here, later, earlier] = [5, 29, -19].map((x) => model.transform([[x]]).data);
    expect(later).toEqual(here);
    expect(earlier).toEqual(here);
    const before = model.transform([[24 - 1e-7]]).data;
    const after = model.transform([[24 + 1e-7]]).data;
    for (const [k, value] of before.entries()) expect(after[k]).toBeCloseTo(value, 6);
  });

  it("drops rows of weight 0, and moves quantiles by weights", () => {
    const x = column([0, 1, 2, 3, 100]);
    const sampleWeight = [1, 1, 1, 1, 0];
    expect([...new SplineTransformer({ nKnots: 2 }).fit(x, { sampleWeight }).knots[0]!]).toEqual([0, 3]);
    const heavy = new SplineTransformer({ nKnots: 3, knots: "quantile" }).fit(x, {
      sampleWeight: [1, 1, 9, 1, 1],
    });
    expect([...heavy.knots[0]!]).toEqual([0, 2, 100]);
  });

  it("gives zeros for a constant column, of every extrapolation", () => {
    for (const extrapolation of ["error", "constant", "linear", "continue", "periodic"] as const) {
      const Z = new SplineTransformer({ extrapolation }).fitTransform(column([2, 2, 2]));
      expect(Z.data.every((value) => value === 0)).toBe(true);
    }
  });

  it("keeps names, finds a table's columns by name, and is saved", () => {
    const random = new Random(1);
    const table = Table.fromColumns({
      a: Array.from({ length: 20 }, () => random.normal()),
      b: Array.from({ length: 20 }, () => random.uniform()),
    });
    const steps = pipeline(new SplineTransformer({ nKnots: 3, degree: 1 }), new Ridge());
    const model = steps.fit(table, table.column("a").values);
    expect(model.steps[0].featureNames()).toEqual([
      "a_sp_0",
      "a_sp_1",
      "a_sp_2",
      "b_sp_0",
      "b_sp_1",
      "b_sp_2",
    ]);
    const loaded = loadModel(saveModel(model));
    expect(loaded.predict!(table.select(["b", "a"]))).toEqual(model.predict(table));
  });

  it("refuses numbers beyond its knots if asked to, knots that do not ascend, and splines that have no outputs", () => {
    const strict = new SplineTransformer({ extrapolation: "error" }).fit(column(grid));
    expect(() => strict.transform(column([3, 10.5]))).toThrow(
      'FittedSplineTransformer.transform: X[1][0] must be between the knots, from 0 to 10, got 10.5. Another extrapolation ("constant", "linear", …) takes numbers beyond them.',
    );
    expect(() => new SplineTransformer({ knots: [[1], [1]] })).toThrow(/ascending in every column/);
    expect(() => new SplineTransformer({ knots: [[1], [2, 3]] })).toThrow(/knots must be "uniform"/);
    expect(() => new SplineTransformer({ knots: [[1], [2]] }).fit([[1, 2]])).toThrow(
      /knots must be one column for each of the 2 columns of X, got 1 columns/,
    );
    expect(() => new SplineTransformer({ extrapolation: "periodic", nKnots: 3 })).toThrow(
      /degree must be below the number of knots \(3\), as periodic splines require, got 3/,
    );
    expect(() => new SplineTransformer({ degree: 0, nKnots: 2, includeBias: false })).toThrow(/no output/);
    for (const huge of [{ degree: 1e10 }, { nKnots: 1e10 }])
      expect(() => new SplineTransformer(huge)).toThrow(ParameterError);
    const sparse = CsrMatrix.fromDense(Matrix.fromRows([[1]]));
    expect(() => new SplineTransformer().fit(sparse)).toThrow(/X must be dense here/);
    const cubes = new SplineTransformer({ extrapolation: "continue" }).fit(column(grid));
    expect(() => cubes.transform([[1e200]])).toThrow(/must be a number whose splines fit a double/);
  });
});
