import { describe, expect, it } from "vitest";
import { ArgmaxError, DataError, ParameterError, ShapeError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { crossValScore } from "../selection/index.js";
import { IsotonicRegression } from "./index.js";

const column = (list: readonly number[]) => list.map((value) => [value]);
const random = new Random(5);
const x = Array.from({ length: 40 }, () => Math.round(10 * random.normal()) / 10);
const y = x.map((v) => v + random.normal());

describe("IsotonicRegression", () => {
  it("pools what falls: [1, 3, 2] becomes [1, 2.5, 2.5]", () => {
    const model = new IsotonicRegression().fit([[1], [2], [3]], [1, 3, 2]);
    expect([...model.predict([[1], [1.5], [2], [2.4], [3]])]).toEqual([1, 1.75, 2.5, 2.5, 2.5]);
    expect([...model.xThresholds]).toEqual([1, 2, 3]);
  });

  it("is as near to y as any monotone function: min–max formula of the means", () => {
    const points = [...new Set(x)].sort((a, b) => a - b);
    const weights = x.map((_, i) => 1 + (i % 4));
    const model = new IsotonicRegression().fit(column(x), y, { sampleWeight: weights });
    const mean = (from: number, to: number) => {
      let [sum, total] = [0, 0];
      x.forEach((v, i) => {
        if (v < points[from]! || v > points[to]!) return;
        sum += weights[i]! * y[i]!;
        total += weights[i]!;
      });
      return sum / total;
    };
    // f(x_k) = max over a ≤ k of min over b ≥ k of the mean of y from a to b [Robertson et al. 1988].
    points.forEach((point, k) => {
      const value = Math.max(
        ...points.slice(0, k + 1).map((_, a) => Math.min(...points.slice(k).map((_, b) => mean(a, k + b)))),
      );
      expect(model.predict([[point]])[0]).toBeCloseTo(value, 12);
    });
  });

  it("pools and interpolates numbers of any size: nothing overflows, and the model loads", () => {
    const far = 1.7e308;
    const cases = [
      { x: [1, 2, 3], y: [-far, far, far], at: [1.5, 2.5], expected: [0, far] },
      { x: [1, 2], y: [far, 1.5e308], at: [1.5], expected: [1.6e308] },
      { x: [1, 1, 1], y: [far, far, far], at: [1], expected: [far] },
      { x: [1, 2, 3], y: new Array(3).fill(Number.MAX_VALUE), at: [2], expected: [Number.MAX_VALUE] },
      { x: [-far, far], y: [0, 1], at: [0, far / 2], expected: [0.5, 0.75] },
      { x: [1, 1, 2], y: [100, 300, 100], w: [1e307, 1e307, 1e307], at: [1], expected: [500 / 3] },
      { x: [1, 1, 2], y: [1e-300, 3e-300, 8e-300], w: [1e-300, 1e-300, 1e-300], at: [1], expected: [2e-300] },
      { x: [1, 2], y: [2, 1], w: [1e300, 1e-300], at: [1], expected: [2] },
    ];
    for (const { x, y, w, at, expected } of cases) {
      const options = w === undefined ? {} : { sampleWeight: w };
      const model = new IsotonicRegression().fit(column(x), y, options);
      for (const one of [model, loadModel(saveModel(model), IsotonicRegression)]) {
        one.predict(column(at)).forEach((value, i) => {
          expect(expected[i] === 0 ? value : value / expected[i]!).toBeCloseTo(expected[i] === 0 ? 0 : 1, 12);
        });
      }
    }
    const auto = new IsotonicRegression({ increasing: "auto" });
    const sampleWeight = [1e250, 1e250, 1e250];
    expect(auto.fit(column([1, 2, 3]), [1, 2, 3], { sampleWeight }).increasing).toBe(true);
  });

  it("falls if told to, and by itself where ranks say so; weights decide", () => {
    const falling = y.map((v) => -v);
    const [up, down] = [new IsotonicRegression(), new IsotonicRegression({ increasing: false })];
    const mirrored = down.fit(column(x), falling).predict(column(x));
    up.fit(column(x), y)
      .predict(column(x))
      .forEach((v, i) => {
        expect(mirrored[i]).toBeCloseTo(-v, 12);
      });
    const auto = new IsotonicRegression({ increasing: "auto" });
    expect(auto.fit(column(x), y).increasing).toBe(true);
    expect(auto.fit(column(x), falling).increasing).toBe(false);
    const [a, b] = [column([0, 1, 2, 3]), [5, 4, 3, 10]];
    expect(auto.fit(a, b).increasing).toBe(true);
    expect(auto.fit(a, b, { sampleWeight: [9, 9, 9, 1] }).increasing).toBe(false);
  });

  it("stays within its bounds, and outside the x of fit clips or refuses", () => {
    const model = new IsotonicRegression({ yMin: -0.5, yMax: 0.25 }).fit(column(x), y);
    const far = model.predict([[-100], [100]]);
    expect([...far]).toEqual([-0.5, 0.25]);
    const strict = new IsotonicRegression({ outOfBounds: "raise" }).fit(column(x), y);
    expect([strict.xMin, strict.xMax]).toEqual([Math.min(...x), Math.max(...x)]);
    expect(strict.predict(column([strict.xMin, strict.xMax])).length).toBe(2);
    expect(() => strict.predict([[0], [100]])).toThrow(
      /IsotonicRegression\.predict: X\[1\]\[0\] must be between the x of fit \(-.* to .*\), got 100\. Use outOfBounds: "clip"/,
    );
  });

  it("is a constant for one point", () => {
    const model = new IsotonicRegression().fit([[2], [2]], [1, 4], { sampleWeight: [2, 1] });
    expect([...model.predict([[0], [2], [9]])]).toEqual([2, 2, 2]);
  });

  it("takes a column of a table by its name, and saves", () => {
    const table = Table.fromColumns({ dose: x });
    const model = new IsotonicRegression({ yMax: 2 }).fit(table, y);
    expect(() => model.predict(Table.fromColumns({ other: x }))).toThrow(/column "dose" must be in X/);
    expect(() => model.predict(Table.fromColumns({ dose: x, other: x }))).toThrow(/also has "other"/);
    const copy = loadModel(saveModel(model)) as typeof model;
    expect(copy.featureNamesIn).toEqual(["dose"]);
    expect(copy.predict(table)).toEqual(model.predict(table));
    const scores = crossValScore(new IsotonicRegression(), table, y);
    expect(scores.reduce((sum, r2) => sum + r2, 0) / scores.length).toBeGreaterThan(0);
  });

  it("does not let its thresholds change it", () => {
    const model = new IsotonicRegression().fit(column(x), y);
    const before = model.predict(column(x));
    model.xThresholds.fill(0);
    model.yThresholds.fill(0);
    expect(model.predict(column(x))).toEqual(before);
  });

  it("says what is wrong", () => {
    expect(() => new IsotonicRegression({ yMin: 2, yMax: 1 })).toThrow(
      "yMin must be at most yMax (1), got 2.",
    );
    expect(() => new IsotonicRegression({ outOfBounds: "nan" as never })).toThrow(ParameterError);
    expect(() => new IsotonicRegression().fit([[1, 2]], [1])).toThrow(
      "IsotonicRegression.fit: X must be one column, got 2 columns.",
    );
    expect(() => new IsotonicRegression().fit([[1, 2]], [1])).toThrow(ShapeError);
    expect(() => new IsotonicRegression().fit(CsrMatrix.fromDense(Matrix.fromRows([[1]])), [1])).toThrow(
      ArgmaxError,
    );
    expect(() => new IsotonicRegression().fit([[Number.NaN]], [1])).toThrow(DataError);
  });
});
