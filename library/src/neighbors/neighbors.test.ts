import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { heap } from "../numeric/runtime/heap.js";
import { loadModel, saveModel } from "../persistence/index.js";
import {
  KNeighborsClassifier,
  KNeighborsRegressor,
  NearestCentroid,
  NearestNeighbors,
  RadiusNeighborsClassifier,
  RadiusNeighborsRegressor,
} from "./index.js";

/** Points on a line, and their classes. */
const line = [[0], [1], [2], [10], [11], [12]];
const sides = ["left", "left", "left", "right", "right", "right"] as const;
const values = [0, 1, 2, 10, 11, 12];
const rowsOf = (graph: CsrMatrix) => graph.toDense().toArray();

describe("KNeighborsClassifier", () => {
  it("lets the k nearest rows vote", () => {
    const model = new KNeighborsClassifier({ nNeighbors: 3 }).fit(line, sides);
    expect(model.predict([[1.2], [9], [6.4]])).toEqual(["left", "right", "right"]);
    expect(model.predictProba([[1.2]]).toArray()).toEqual([[1, 0]]);
  });

  it("gives equal votes to the first class", () => {
    const model = new KNeighborsClassifier({ nNeighbors: 2 }).fit([[0], [1]], ["b", "a"]);
    expect(model.predict([[0.9]])).toEqual(["a"]);
    expect(model.predictProba([[0.9]]).toArray()).toEqual([[0.5, 0.5]]);
  });

  it("weights votes by 1/distance, and rows at distance 0 alone decide", () => {
    const model = new KNeighborsClassifier({ nNeighbors: 3, weights: "distance" }).fit(
      [[0], [1], [4]],
      ["a", "b", "b"],
    );
    // Distances 1, 2, 5 from −1: 1/1 against 1/2 + 1/5.
    const [pa, pb] = model.predictProba([[-1]]).data;
    expect(pa! / pb!).toBeCloseTo(1 / (1 / 2 + 1 / 5), 14);
    expect(model.predictProba([[0]]).toArray()).toEqual([[1, 0]]);
  });

  it("weights votes by a function of the distance, and refuses one that is negative", () => {
    const fit = (weights: (d: number) => number) =>
      new KNeighborsClassifier({ nNeighbors: 2, weights }).fit([[0], [3]], ["a", "b"]);
    expect(fit((d) => d).predictProba([[1]]).data[1]).toBeCloseTo(2 / 3, 14);
    expect(() => fit(() => -1).predict([[1]])).toThrow(/weights\(1\) must be a finite number ≥ 0, got -1/);
  });

  it("explains a prediction by the neighbours that voted", () => {
    const model = new KNeighborsClassifier({ nNeighbors: 2, weights: "distance" }).fit(line, sides);
    expect(model.explain([1.25])).toEqual([
      { index: 1, distance: 0.25, label: "left", weight: 0.75 },
      { index: 2, distance: 0.75, label: "left", weight: 0.25 },
    ]);
  });

  it("predicts training rows by the others", () => {
    const model = new KNeighborsClassifier({ nNeighbors: 1 }).fit(
      [[0], [1], [5], [5.5]],
      ["a", "b", "b", "b"],
    );
    expect(model.predictLeaveOneOut()).toEqual(["b", "a", "b", "b"]);
    expect(model.scoreLeaveOneOut()).toBe(0.5);
  });

  it("refuses more neighbours than rows", () => {
    expect(() => new KNeighborsClassifier({ nNeighbors: 7 }).fit(line, sides)).toThrow(
      /nNeighbors must be at most the number of rows \(6\), got 7/,
    );
    const model = new KNeighborsClassifier({ nNeighbors: 6 }).fit(line, sides);
    expect(() => model.predictLeaveOneOut()).toThrow(/at most the number of other training rows \(5\)/);
  });

  it("keeps its rows when the caller changes theirs", () => {
    const x = Matrix.fromRows(line);
    const model = new KNeighborsClassifier({ nNeighbors: 1 }).fit(x, sides);
    x.data.fill(100);
    expect(model.predict([[0]])).toEqual(["left"]);
  });

  it("takes a distance of the caller's, which cannot be saved", () => {
    const metric = (a: Float64Array, b: Float64Array) => Math.abs((a[0]! % 10) - (b[0]! % 10));
    const model = new KNeighborsClassifier({ nNeighbors: 1, metric }).fit([[1], [5]], ["a", "b"]);
    expect(model.predict([[102], [14]])).toEqual(["a", "b"]);
    expect(() => saveModel(model)).toThrow(/metric must be a name .* functions cannot be saved/);
    const broken = new KNeighborsClassifier({ nNeighbors: 1, metric: () => Number.NaN }).fit(
      [[1], [5]],
      ["a", "b"],
    );
    expect(() => broken.predict([[1]])).toThrow(/the metric between row 0 of X and training row 0 must be/);
  });

  it("refuses trees for metrics without one", () => {
    expect(() => new KNeighborsClassifier({ metric: "cosine", algorithm: "kdTree" })).toThrow(
      /algorithm must be "auto" or "brute"/,
    );
    expect(() => new KNeighborsClassifier({ metric: () => 0, algorithm: "ballTree" })).toThrow(
      /algorithm must be/,
    );
  });

  it("refuses sparse rows for metrics of dense ones, and compares sparse with dense rows", () => {
    const x = CsrMatrix.fromDense(Matrix.fromRows(line));
    expect(() => new KNeighborsClassifier({ metric: "manhattan" }).fit(x, sides)).toThrow(/X must be dense/);
    const model = new KNeighborsClassifier({ nNeighbors: 2 });
    for (const fitted of [model.fit(x, sides), model.fit(line, sides)])
      for (const z of [x, line]) expect(fitted.predict(z)).toEqual(sides);
  });
});

describe("one answer, whatever the method", () => {
  const random = new Random(5);
  const X = new Matrix(
    Float64Array.from({ length: 600 * 5 }, () => random.normal()),
    600,
    5,
  );
  const y = Array.from({ length: 600 }, () => random.below(3));
  const Z = X.selectRows(Int32Array.from({ length: 100 }, (_, i) => 3 * i));

  it.each(["euclidean", "manhattan", "chebyshev", "minkowski"] as const)("%s", (metric) => {
    const answers = (["brute", "kdTree", "ballTree"] as const).map((algorithm) => {
      const model = new KNeighborsClassifier({ algorithm, metric, p: 3, weights: "distance" }).fit(X, y);
      expect(model.method).toBe(algorithm);
      return [model.predictProba(Z), model.kneighbors(), model.radiusNeighbors(Z, { radius: 1.5 })];
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});

describe("RadiusNeighborsClassifier", () => {
  it("lets all rows within the radius vote, those on the rim included", () => {
    const model = new RadiusNeighborsClassifier({ radius: 2 }).fit(line, sides);
    expect(model.predict([[3], [9]])).toEqual(["left", "right"]);
    expect(model.explain([3]).map(({ index }) => index)).toEqual([2, 1]);
  });

  it("refuses a row without neighbours, unless it is told what those are", () => {
    const model = new RadiusNeighborsClassifier({ radius: 2 }).fit(line, sides);
    expect(() => model.predict([[1], [6]])).toThrow(
      /row 1 of X must be within 2 of a training row, got a row without neighbours.*outlierLabel/,
    );
    const [x, y] = [
      [...line, [13]],
      [...sides, "right" as const],
    ];
    const fit = (outlierLabel: string) =>
      new RadiusNeighborsClassifier({ radius: 1, outlierLabel }).fit(x, y);
    expect(fit("left").predict([[6]])).toEqual(["left"]);
    expect(fit("mostFrequent").predict([[6]])).toEqual(["right"]);
    expect(loadModel(saveModel(fit("mostFrequent"))).toState()).toEqual(fit("mostFrequent").toState());
    expect(() => fit("middle")).toThrow(/outlierLabel must be one of the classes \("left", "right"\)/);
  });
});

describe("regressors", () => {
  it("return means of the neighbours' targets", () => {
    expect(new KNeighborsRegressor({ nNeighbors: 3 }).fit(line, values).predict([[1], [11]])).toEqual(
      Float64Array.of(1, 11),
    );
    const model = new RadiusNeighborsRegressor({ radius: 1.5 }).fit(line, values);
    expect(model.predict([[0.5]])).toEqual(Float64Array.of(1));
    expect(() => model.predict([[6]])).toThrow(/without neighbours.*outlierValue/);
    const lenient = new RadiusNeighborsRegressor({ radius: 1.5, outlierValue: -1 }).fit(line, values);
    expect(lenient.predict([[6]])).toEqual(Float64Array.of(-1));
  });

  it("predict training rows by the others", () => {
    const model = new KNeighborsRegressor({ nNeighbors: 1 }).fit(line, values);
    expect(Array.from(model.predictLeaveOneOut())).toEqual([1, 0, 1, 11, 10, 11]);
  });
});

describe("NearestNeighbors", () => {
  it("needs nNeighbors rows only where nearest rows are asked for", () => {
    const model = new NearestNeighbors({ radius: 1.5 }).fit([[0], [1], [5]]);
    expect(model.radiusNeighbors([[0.5]]).indices).toEqual(Int32Array.of(0, 1));
    const message = /nNeighbors must be at most the number of training rows \(3\).*got 5/;
    expect(() => model.kneighbors([[0.5]])).toThrow(message);
    expect(() => model.kneighborsGraph([[0.5]])).toThrow(message);
    expect(() => model.transform([[0.5]])).toThrow(message);
    expect(model.kneighbors([[0.5]], { nNeighbors: 3 }).indices.length).toBe(3);
  });

  it("returns graphs of neighbours", () => {
    const model = new NearestNeighbors({ nNeighbors: 1, radius: 1 }).fit([[0], [1], [5]]);
    expect(rowsOf(model.kneighborsGraph())).toEqual([
      [0, 1, 0],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(rowsOf(model.kneighborsGraph([[4]], { mode: "distance" }))).toEqual([[0, 0, 1]]);
    expect(rowsOf(model.radiusNeighborsGraph([[1]]))).toEqual([[1, 1, 0]]);
    expect(rowsOf(model.transform([[4]]))).toEqual([[0, 0, 1]]);
  });

  it("sorts neighbours within a radius by distance on request", () => {
    const model = new NearestNeighbors({ radius: 10 }).fit(line);
    expect(Array.from(model.radiusNeighbors([[11]], { sortResults: true }).indices)).toEqual([4, 3, 5, 2, 1]);
    expect(Array.from(model.radiusNeighbors([[11]]).indices)).toEqual([1, 2, 3, 4, 5]);
    expect(() => model.kneighbors([[1]], { nNeighbours: 2 } as never)).toThrow(/Did you mean nNeighbors/);
  });

  it("finds a table's columns by name", () => {
    const model = new NearestNeighbors({ nNeighbors: 1 }).fit(Table.fromColumns({ a: [0, 9], b: [0, 1] }));
    const found = model.kneighbors(Table.fromColumns({ b: [1], a: [8] }));
    expect(Array.from(found.indices)).toEqual([1]);
  });
});

describe("NearestCentroid", () => {
  it("has the means of the classes, or their medians", () => {
    const X = [[0], [2], [10], [20]];
    const y = ["a", "a", "b", "b"];
    expect(new NearestCentroid().fit(X, y).centroids.toArray()).toEqual([[1], [15]]);
    const skewed = new NearestCentroid({ metric: "manhattan" }).fit([...X, [100]], [...y, "b"]);
    expect(skewed.centroids.toArray()).toEqual([[1], [20]]);
  });

  it("shrinks columns that tell nothing to the common mean", () => {
    const random = new Random(3);
    const X = Array.from({ length: 200 }, (_, i) => [random.normal() + 4 * (i % 2), random.normal()]);
    const y = X.map((_, i) => i % 2);
    const { centroids } = new NearestCentroid({ shrinkThreshold: 3 }).fit(X, y);
    expect(centroids.at(0, 1)).toBe(centroids.at(1, 1));
    expect(centroids.at(1, 0) - centroids.at(0, 0)).toBeGreaterThan(2);
  });

  it("refuses to shrink medians, and classes without spread", () => {
    // @ts-expect-error: the compiler refuses it too
    expect(() => new NearestCentroid({ metric: "manhattan", shrinkThreshold: 1 })).toThrow(/shrinkThreshold/);
    const fit = () => new NearestCentroid({ shrinkThreshold: 1 }).fit([[1], [1], [2], [2]], [0, 0, 1, 1]);
    expect(fit).toThrow(/classes without any spread/);
  });
});

describe("numbers at the edge of doubles", () => {
  const directions = [
    [1, 0],
    [3, 4],
    [0, 1],
    [0, 0],
  ];

  it.each([1e200, 1e300, 1e-200, 1e-310])(
    "cosine distances do not depend on the length of rows: %s",
    (scale) => {
      const scaled = directions.map((row, i) => row.map((v) => (i === 2 ? v : v * scale)));
      const estimator = new NearestNeighbors({ nNeighbors: 4, metric: "cosine" });
      const expected = estimator.fit(directions).kneighbors([[3, 3.9]]);
      for (const sparse of [false, true]) {
        const rows = (x: number[][]) => (sparse ? CsrMatrix.fromDense(Matrix.fromRows(x)) : x);
        const { indices, distances } = estimator
          .fit(rows(scaled))
          .kneighbors(rows([[3 * scale, 3.9 * scale]]));
        expect(indices).toEqual(expected.indices);
        // 1e-310 has 13 digits.
        for (const [e, d] of distances.data.entries()) expect(d).toBeCloseTo(expected.distances.data[e]!, 12);
      }
    },
  );

  it.each(["brute", "kdTree", "ballTree"] as const)(
    "%s refuses rows whose squares overflow or underflow",
    (algorithm) => {
      const fit = (x: number[][]) => new NearestNeighbors({ nNeighbors: 1, algorithm }).fit(x);
      const message =
        /the training rows must be numbers whose differences to the power of 2 neither overflow/;
      expect(() => fit([[1e200], [1], [2]])).toThrow(message);
      expect(() => fit([[1e-200], [2e-200]])).toThrow(message);
      expect(() => fit([[1], [2]]).kneighbors([[1e200]])).toThrow(/the distances of row 0 must be finite/);
      expect(fit([[0], [0]]).kneighbors([[0]]).distances.data).toEqual(Float64Array.of(0));
    },
  );

  it.each([1.5, 3, 65])("minkowski distances of equal rows are 0: p = %s", (p) => {
    for (const algorithm of ["brute", "kdTree", "ballTree"] as const) {
      const model = new NearestNeighbors({ nNeighbors: 2, p, algorithm, leafSize: 1 }).fit([[1], [1], [0.5]]);
      expect(model.kneighbors([[1]]).distances.data).toEqual(Float64Array.of(0, 0));
      expect(model.radiusNeighbors([[1]], { radius: 0.1 }).indices).toEqual(Int32Array.of(0, 1));
    }
  });

  it.each([1e200, 1e-200])(
    "NearestCentroid compares distances whose squares are not doubles: %s",
    (scale) => {
      const model = new NearestCentroid().fit([[scale], [5 * scale]], ["near", "far"]);
      expect(model.predict([[0], [4.9 * scale], [2 * scale]])).toEqual(["near", "far", "near"]);
    },
  );

  it("means of targets do not overflow", () => {
    const model = new KNeighborsRegressor({ nNeighbors: 2, weights: "distance" }).fit(
      [[0], [1]],
      [1.5e308, 1.7e308],
    );
    expect(model.predict([[0.5]])[0]).toBeCloseTo(1.6e308, -295);
    const plain = new KNeighborsRegressor({ nNeighbors: 2, weights: () => 0 }).fit(
      [[0], [1]],
      [1.5e308, 1.5e308],
    );
    expect(plain.predict([[0.5]])).toEqual(Float64Array.of(1.5e308));
  });
});

describe("saved models of neighbours", () => {
  it("refuse a metric that their rows or their algorithm do not have", () => {
    const x = CsrMatrix.fromDense(Matrix.fromRows(line));
    const sparse = new KNeighborsClassifier({ nNeighbors: 1 }).fit(x, sides).toState();
    const manhattan = { ...sparse, params: { ...sparse.params, metric: "manhattan" } };
    expect(() => KNeighborsClassifier.restore(manhattan)).toThrow(
      /metric must be one for sparse rows, got manhattan/,
    );
    const dense = new KNeighborsClassifier({ nNeighbors: 1 }).fit(line, sides).toState();
    const tree = { ...dense, params: { ...dense.params, metric: "cosine", algorithm: "kdTree" } };
    expect(() => KNeighborsClassifier.restore(tree)).toThrow(/algorithm must be "auto" or "brute"/);
  });
});

describe("memory", () => {
  it("does not grow with the number of models that one loop fits", () => {
    const rows = 20_000;
    const data = Float64Array.from({ length: rows * 20 }, (_, e) => (e * 7919) % 1009);
    const X = new Matrix(data, rows, 20);
    const models = Array.from({ length: 80 }, () => new NearestNeighbors({ nNeighbors: 1 }).fit(X));
    for (const model of models) model.kneighbors([X.row(5)]);
    expect(heap("test").bytesInUse).toBeLessThan(300 * 2 ** 20);
    // The first ones are built again.
    expect(models[0]!.kneighbors([X.row(5)]).distances.data).toEqual(Float64Array.of(0));
  });
});
