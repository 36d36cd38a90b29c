import { describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { loadDataset } from "../../datasets/index.js";
import { MinMaxScaler } from "../index.js";

const X = [
  [1, -5],
  [2, 0],
  [5, 5],
];

describe("MinMaxScaler", () => {
  it("maps every column onto [0, 1]", () => {
    expect(new MinMaxScaler().fitTransform(X).toArray()).toEqual([
      [0, 0],
      [0.25, 0.5],
      [1, 1],
    ]);
  });

  it("learns what scikit-learn 1.2.1 learns from wine", async () => {
    const wine = await loadDataset("wine");
    const scaler = new MinMaxScaler({ featureRange: [-1, 2] }).fit(wine.X);
    const Z = scaler.transform(wine.X);
    [1.526315789473685, -0.4249011857707512, 0.7165775401069525].forEach((z, j) => {
      expect(Z.at(0, j)).toBeCloseTo(z, 13);
    });
    expect(scaler.scale[0]).toBeCloseTo(0.7894736842105262, 14);
    expect(scaler.min[0]).toBeCloseTo(-9.707894736842103, 13);
  });

  it("is exact for columns far from 0", () => {
    const far = [[1e15], [1e15 + 1], [1e15 + 2]];
    expect(new MinMaxScaler().fitTransform(far).toArray()).toEqual([[0], [0.5], [1]]);
  });

  it("maps a constant column to the lower end", () => {
    expect(new MinMaxScaler({ featureRange: [2, 3] }).fitTransform([[7], [7]]).toArray()).toEqual([[2], [2]]);
  });

  it("lets new rows fall outside unless it clips", () => {
    expect(
      new MinMaxScaler()
        .fit(X)
        .transform([[9, -10]])
        .toArray(),
    ).toEqual([[2, -0.5]]);
    expect(
      new MinMaxScaler({ clip: true })
        .fit(X)
        .transform([[9, -10]])
        .toArray(),
    ).toEqual([[1, 0]]);
  });

  it("goes there and back", () => {
    const scaler = new MinMaxScaler({ featureRange: [-2, 2] }).fit(X);
    expect(scaler.inverseTransform(scaler.transform(X)).toArray()).toEqual(X);
  });

  it("does not see rows of weight 0", () => {
    const scaler = new MinMaxScaler().fit([...X, [100, 100]], undefined, { sampleWeight: [1, 0.5, 3, 0] });
    expect([...scaler.dataMax]).toEqual([5, 5]);
  });

  it.each([1e-320, 1e-150, 1e150, 1e307])("maps columns of size %s", (size) => {
    expect(new MinMaxScaler().fitTransform([[0], [size]]).toArray()).toEqual([[0], [1]]);
  });

  it("refuses an empty range, sparse rows, and columns wider than a double", () => {
    expect(() => new MinMaxScaler({ featureRange: [1, 1] })).toThrow(
      "MinMaxScaler: featureRange must be [low, high] with low < high, got [1, 1].",
    );
    expect(() => new MinMaxScaler({ featureRange: [1] })).toThrow(ParameterError);
    expect(() => new MinMaxScaler().fit(CsrMatrix.fromRows([[[0, 1]]], 1))).toThrow(DataError);
    expect(() => new MinMaxScaler().fit([[-1.7e308], [1.7e308]])).toThrow(DataError);
  });
});
