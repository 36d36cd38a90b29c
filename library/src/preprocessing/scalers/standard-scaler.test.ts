import { describe, expect, expectTypeOf, it } from "vitest";
import { AbortError, DataError, ParameterError, ShapeError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { loadDataset } from "../../datasets/index.js";
import { StandardScaler } from "../index.js";

const moments = (column: Float64Array) => {
  const mean = column.reduce((sum, x) => sum + x, 0) / column.length;
  return [mean, column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / column.length] as const;
};

describe("StandardScaler", () => {
  it("gives columns of mean 0 and variance 1", async () => {
    const { X } = await loadDataset("wine");
    const Z = new StandardScaler().fitTransform(X);
    for (let j = 0; j < X.cols; j++) {
      const [mean, variance] = moments(Z.column(j));
      expect(mean).toBeCloseTo(0, 13);
      expect(variance).toBeCloseTo(1, 13);
    }
  });

  it("learns what scikit-learn 1.2.1 learns from wine, weighted or not", async () => {
    const { X } = await loadDataset("wine");
    const plain = new StandardScaler().fit(X);
    [13.000617977528083, 2.336348314606741, 2.3665168539325854].forEach((m, j) => {
      expect(plain.mean[j]).toBeCloseTo(m, 13);
    });
    [0.6553597304633259, 1.241004080924126, 0.07484180027774268].forEach((v, j) => {
      expect(plain.variance[j]).toBeCloseTo(v, 13);
    });
    [1.5186125409891542, -0.562249798328623, 0.23205254099473993].forEach((z, j) => {
      expect(plain.transform(X).at(0, j)).toBeCloseTo(z, 12);
    });
    const sampleWeight = Array.from({ length: X.rows }, (_, i) => i % 4);
    const weighted = new StandardScaler().fit(X, undefined, { sampleWeight });
    [12.989358490566042, 2.4149811320754724, 2.345849056603774].forEach((m, j) => {
      expect(weighted.mean[j]).toBeCloseTo(m, 13);
    });
    [0.6126769469562123, 1.3508929241723031, 0.07007031683873266].forEach((v, j) => {
      expect(weighted.variance[j]).toBeCloseTo(v, 13);
    });
  });

  it("keeps its digits far away from 0, where sums of squares would cancel", () => {
    const random = new Random(5);
    const small = Array.from({ length: 1000 }, () => [random.normal()]);
    const far = small.map(([x]) => [x! + 1e9]);
    const [near, away] = [new StandardScaler().fit(small), new StandardScaler().fit(far)];
    // The data themselves lose 1e-7 by being moved.
    expect(away.variance[0]).toBeCloseTo(near.variance[0]!, 6);
  });

  it("only centres a constant column, even one whose mean rounds", () => {
    const scaler = new StandardScaler().fit([[0.1], [0.1], [0.1]]);
    expect(scaler.scale[0]).toBe(1);
    expect(scaler.variance[0]).toBe(0);
    expect(scaler.transform([[0.1], [0.3]]).toArray()).toEqual([[0], [0.3 - 0.1]]);
  });

  it.each([1e-200, 1e-150, 1e150, 1e200, 1e307])(
    "scales columns of size %s without overflow or underflow",
    (size) => {
      const Z = new StandardScaler().fitTransform([[size], [2 * size], [3 * size]]);
      expect(Z.data[1]).toBeCloseTo(0, 10);
      expect(Z.data[2]).toBeCloseTo(Math.sqrt(1.5), 12);
    },
  );

  it("refuses a column whose range does not fit a double", () => {
    expect(() => new StandardScaler().fit([[-1.7e308], [1.7e308]])).toThrow(DataError);
  });

  it("does only what it is asked to", () => {
    const X = [
      [1, 10],
      [3, 30],
    ];
    expect(new StandardScaler({ withMean: false, withStd: false }).fitTransform(X).toArray()).toEqual(X);
    expect(new StandardScaler({ withMean: false }).fitTransform(X).toArray()).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(new StandardScaler({ withStd: false }).fitTransform(X).toArray()).toEqual([
      [-1, -10],
      [1, 10],
    ]);
  });

  it("goes there and back", async () => {
    const { X } = await loadDataset("iris");
    const scaler = new StandardScaler().fit(X);
    const back = scaler.inverseTransform(scaler.transform(X));
    back.data.forEach((value, e) => {
      expect(value).toBeCloseTo(X.data[e]!, 13);
    });
  });

  it("keeps sparse rows sparse, and says why it cannot centre them", () => {
    const dense = Matrix.fromRows([
      [0, 5, 0],
      [2, 5, 0],
      [0, 5, -3],
      [6, 5, 0],
    ]);
    const sparse = CsrMatrix.fromDense(dense);
    const scaler = new StandardScaler({ withMean: false });
    const Z = scaler.fitTransform(sparse);
    expectTypeOf(Z).toEqualTypeOf<CsrMatrix>();
    expectTypeOf(scaler.fitTransform(dense)).toEqualTypeOf<Matrix>();
    expect(Z).toBeInstanceOf(CsrMatrix);
    expect(Z.toDense().toArray()).toEqual(scaler.fitTransform(dense).toArray());
    const sampleWeight = [1, 2, 0, 0.5];
    const [a, b] = [sparse, dense].map((x) => scaler.fit(x, undefined, { sampleWeight }));
    a!.variance.forEach((v, j) => {
      expect(v).toBeCloseTo(b!.variance[j]!, 14);
    });
    expect(scaler.fit(dense).inverseTransform(Z).toDense().data[9]).toBeCloseTo(6, 14);
    expect(() => new StandardScaler().fit(sparse)).toThrow(
      "new StandardScaler({ withMean: false }) keeps it sparse.",
    );
    expect(() => new StandardScaler().fit(dense).transform(sparse)).toThrow(DataError);
  });

  it("refuses other widths, unknown parameters and aborted fits", () => {
    const scaler = new StandardScaler().fit([[1, 2]]);
    expect(() => scaler.transform([[1]])).toThrow(ShapeError);
    expect(() => new StandardScaler({ with_mean: true } as never)).toThrow(ParameterError);
    expect(() => new StandardScaler().fit([[1]], undefined, { signal: AbortSignal.abort() })).toThrow(
      AbortError,
    );
    expect(scaler.transform([]).shape).toEqual([0, 2]);
  });
});

describe("StandardScaler.partialFit", () => {
  const random = new Random(3);
  const X = new Matrix(
    Float64Array.from({ length: 60 * 3 }, (_, e) => (e % 3 === 2 ? 7 : 1e6 + random.normal())),
    60,
    3,
  );
  const part = (from: number, to: number) =>
    X.selectRows(Int32Array.from({ length: to - from }, (_, r) => from + r));
  const weight = Float64Array.from({ length: 60 }, (_, i) => (i % 4) / 2);

  it.each([
    ["rows", undefined],
    ["weighted rows", weight],
  ])("learns from %s in parts what fit learns from all of them", (_, sampleWeight) => {
    const scaler = new StandardScaler();
    const whole = scaler.fit(X, undefined, sampleWeight && { sampleWeight });
    let model: ReturnType<typeof scaler.fit> | null = null;
    for (const [from, to] of [
      [0, 25],
      [25, 26],
      [26, 60],
    ] as const) {
      const own = sampleWeight && { sampleWeight: sampleWeight.slice(from, to) };
      model = scaler.partialFit(model, part(from, to), undefined, own);
    }
    expect(model!.nSamplesSeen).toBe(whole.nSamplesSeen);
    expect(model!.nSamplesSeen).toBe(sampleWeight ? sampleWeight.reduce((sum, s) => sum + s, 0) : 60);
    for (let j = 0; j < 3; j++) {
      expect(Math.abs(model!.mean[j]! - whole.mean[j]!)).toBeLessThan(1e-9);
      expect(Math.abs(model!.var[j]! - whole.var[j]!)).toBeLessThan(1e-9);
    }
    expect(model!.scale[2]).toBe(1);
  });

  it("takes sparse rows without centring, and refuses other models and widths", () => {
    const scaler = new StandardScaler({ withMean: false });
    const sparse = CsrMatrix.fromDense(X);
    const model = scaler.partialFit(scaler.partialFit(null, sparse), sparse);
    expect(model.nSamplesSeen).toBe(120);
    expect(Math.abs(model.variance[0]! - scaler.fit(X).variance[0]!)).toBeLessThan(1e-9);
    expect(() => new StandardScaler().partialFit(null, sparse)).toThrow(DataError);
    expect(() => scaler.partialFit(model, [[1, 2]])).toThrow(ShapeError);
    expect(() => scaler.partialFit({} as never, X)).toThrow(ParameterError);
  });

  it("names its columns", () => {
    const model = new StandardScaler().fit(X);
    expect(model.featureNamesOut).toEqual(["x0", "x1", "x2"]);
    expect(model.featureNames(["a", "b", "c"])).toEqual(["a", "b", "c"]);
    expect(() => model.featureNames(["a"])).toThrow(ShapeError);
  });
});
