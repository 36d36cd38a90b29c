import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, ParameterError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { Binarizer, KBinsDiscretizer, Normalizer, PolynomialFeatures, ThresholdBinner } from "../index.js";

const column = (...values: number[]) => values.map((value) => [value]);

describe("KBinsDiscretizer", () => {
  it("cuts into bins of equal width, of equal counts, or around clusters", () => {
    const X = column(0, 1, 2, 3, 4, 100);
    const edges = (strategy: "uniform" | "quantile" | "kmeans") => [
      ...new KBinsDiscretizer({ nBins: 2, strategy, encode: "ordinal" }).fit(X).binEdges[0]!,
    ];
    expect(edges("uniform")).toEqual([0, 50, 100]);
    expect(edges("quantile")).toEqual([0, 2.5, 100]);
    expect(edges("kmeans")).toEqual([0, 51, 100]);
  });

  it("has a bin per value at most, with more bins than rows or values too", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 2, max: 12 }),
        fc.constantFrom("uniform" as const, "quantile" as const, "kmeans" as const),
        (column, nBins, strategy) => {
          const X = column.map((x) => [x]);
          const model = new KBinsDiscretizer({ nBins, strategy, encode: "ordinal" }).fit(X);
          const values = [...new Set(column)].sort();
          expect(model.binEdges[0]![0]).toBe(values[0]);
          // Interpolated quantiles are rounded, and of two edges that differ by rounding the first is kept.
          expect(model.binEdges[0]!.at(-1)).toBeCloseTo(values.at(-1)!, 12);
          const bins = model.transform(values.map((x) => [x])).data;
          bins.forEach((bin, i) => {
            expect(bin).toBeGreaterThanOrEqual(i === 0 ? 0 : bins[i - 1]!);
          });
          if (strategy === "kmeans" && nBins >= values.length)
            expect([...bins]).toEqual(values.map((_, i) => i));
        },
      ),
    );
  });

  it("puts an edge into the bin above it, and everything outside into the outer bins", () => {
    const model = new KBinsDiscretizer({ nBins: 2, strategy: "uniform", encode: "ordinal" }).fit(
      column(0, 10),
    );
    expect([...model.transform(column(-99, 4.9, 5, 10, 99)).data]).toEqual([0, 0, 1, 1, 1]);
    expectTypeOf(model.transform([[1]])).toEqualTypeOf<Matrix>();
  });

  it("goes back to the middle of each bin, from every encoding", () => {
    const X = [
      [0, 7],
      [10, 7],
    ];
    for (const encode of ["onehot", "onehot-dense", "ordinal"] as const) {
      const model = new KBinsDiscretizer({ nBins: 2, strategy: "uniform", encode }).fit(X);
      expect(model.inverseTransform(model.transform(X)).toArray()).toEqual([
        [2.5, 7],
        [7.5, 7],
      ]);
      expect([...model.nBins]).toEqual([2, 1]);
    }
  });

  it("merges edges that fall together, also in columns of a tiny range", () => {
    for (const size of [1, 1e-30]) {
      const X = column(...[0, 0, 0, 0, 0, 0, 1, 2].map((v) => v * size));
      expect(new KBinsDiscretizer({ nBins: 4 }).fit(X).nBins[0]).toBe(2);
    }
  });

  it("finds a place for clusters that would be empty", () => {
    const model = new KBinsDiscretizer({ nBins: 4, strategy: "kmeans", encode: "ordinal" }).fit(
      column(0, 1, 2, 100),
    );
    expect([...model.transform(column(0, 1, 2, 100)).data]).toEqual([0, 1, 2, 3]);
  });

  it("refuses sparse rows, and bins for other columns than there are", () => {
    expect(() => new KBinsDiscretizer().fit(CsrMatrix.fromRows([[[0, 1]]], 1))).toThrow(/X must be dense/);
    expect(() => new KBinsDiscretizer({ nBins: [2, 2] }).fit([[1], [2]])).toThrow(DataError);
    expect(() => new KBinsDiscretizer({ nBins: [1] })).toThrow(ParameterError);
    const model = new KBinsDiscretizer({ encode: "ordinal" }).fit(column(1, 2, 3));
    expect(() => model.inverseTransform([[17]])).toThrow(/X\[0\]\[0\] must be a bin from 0 to 4, got 17/);
  });
});

describe("ThresholdBinner", () => {
  it("takes one list for all columns or one per column", () => {
    const X = [[5, 5]];
    expect(new ThresholdBinner({ edges: [1, 4] }).fitTransform(X).toArray()).toEqual([[2, 2]]);
    expect(new ThresholdBinner({ edges: [[1], [9, 10]] }).fitTransform(X).toArray()).toEqual([[1, 0]]);
    expect(() => new ThresholdBinner({ edges: [[1], [9], [3]] }).fit(X)).toThrow(DataError);
    expect(() => new ThresholdBinner({ edges: [2, 1] })).toThrow(/edges must be an ascending list/);
  });
});

describe("Binarizer", () => {
  it("keeps sparse rows sparse, and stores no zeros", () => {
    const rows = CsrMatrix.fromRows(
      [
        [
          [0, 2],
          [2, -1],
        ],
        [[1, 0.5]],
      ],
      3,
    );
    const Z = new Binarizer({ threshold: 0.5 }).fitTransform(rows);
    expect(Z.toDense().toArray()).toEqual([
      [1, 0, 0],
      [0, 0, 0],
    ]);
    expect(Z.nonZeros).toBe(1);
    expect(() => new Binarizer({ threshold: -1 }).fit(rows)).toThrow(
      /dense, since zeros are above the threshold -1/,
    );
  });
});

describe("Normalizer", () => {
  it("makes every row 1 long, by each norm", () => {
    const X = [
      [3, -4],
      [0, 0],
    ];
    const first = (norm: "l1" | "l2" | "max") => new Normalizer({ norm }).fitTransform(X).toArray();
    expect(first("l2")).toEqual([
      [0.6, -0.8],
      [0, 0],
    ]);
    expect(first("l1")).toEqual([
      [3 / 7, -4 / 7],
      [0, 0],
    ]);
    expect(first("max")).toEqual([
      [0.75, -1],
      [0, 0],
    ]);
  });

  it.each([1e-320, 1e-200, 1e200, 1.7e308])("works for rows of size %s", (size) => {
    const [row] = new Normalizer().fitTransform([[size, size]]).toArray();
    expect(row![0]).toBeCloseTo(Math.SQRT1_2, 15);
  });
});

describe("PolynomialFeatures", () => {
  it("has scikit-learn's order, and the names of the columns", () => {
    const model = new PolynomialFeatures().fit([[1, 2]]);
    expect(model.featureNames(["a", "b"])).toEqual(["1", "a", "b", "a^2", "a b", "b^2"]);
    expect(model.transform([[2, 3]]).toArray()).toEqual([[1, 2, 3, 4, 6, 9]]);
  });

  it("gives the same for sparse rows as for dense ones, and stores no products of zeros", () => {
    const rows = CsrMatrix.fromRows(
      [
        [
          [0, 2],
          [3, 3],
        ],
        [],
        [[1, 5]],
      ],
      4,
    );
    for (const params of [
      {},
      { degree: 3 },
      { degree: [2, 4], includeBias: false },
      { degree: 3, interactionOnly: true },
    ]) {
      const sparse = new PolynomialFeatures(params).fitTransform(rows);
      expect(sparse.toDense()).toEqual(new PolynomialFeatures(params).fitTransform(rows.toDense()));
    }
    expect(new PolynomialFeatures({ includeBias: false }).fitTransform(rows).nonZeros).toBe(5 + 0 + 2);
  });

  it("says when products do not fit a double, when nothing would come out, and when too much would", () => {
    expect(() => new PolynomialFeatures().fitTransform([[1e200]])).toThrow(
      /X must be numbers whose products fit a double/,
    );
    expect(() => new PolynomialFeatures({ degree: 0, includeBias: false })).toThrow(ParameterError);
    expect(() => new PolynomialFeatures({ degree: [3, 2] })).toThrow(ParameterError);
    expect(() => new PolynomialFeatures({ degree: 20 }).fit([new Array(100).fill(1)])).toThrow(
      /degree must be one that makes at most/,
    );
  });
});

describe("the names of a table's columns", () => {
  const table = Table.fromColumns({ age: [1, 2, 3, 4], rooms: [4, 1, 3, 2] });
  const cases = [
    [new KBinsDiscretizer({ nBins: 2 }), ["age_0", "age_1", "rooms_0", "rooms_1"]],
    [new ThresholdBinner({ edges: [2] }), ["age", "rooms"]],
    [new Binarizer(), ["age", "rooms"]],
    [new Normalizer(), ["age", "rooms"]],
    [new PolynomialFeatures(), ["1", "age", "rooms", "age^2", "age rooms", "rooms^2"]],
  ] as const;

  it.each(cases)("are those of the outputs, and are saved: %#", (estimator, names) => {
    const model = estimator.fit(table);
    expect(model.featureNamesIn).toEqual(["age", "rooms"]);
    expect(model.featureNames()).toEqual(names);
    const again = loadModel(saveModel(model)) as typeof model;
    expect(again.featureNames()).toEqual(names);
    expect(model.featureNames(["a", "b"])[1]).not.toBe(names[1]);
    expect(() => model.featureNames(["a"])).toThrow(/the names must be one per column \(2\), got 1 names/);
  });

  it.each(cases)("are those that a later table is read by: %#", (estimator) => {
    const model = estimator.fit(table);
    expect(model.transform(table.select(["rooms", "age"]))).toEqual(model.transform(table));
    expect(() => model.transform(table.select(["rooms"]))).toThrow(/column "age" must be in X, as in fit/);
    expect(model.transform(table)).toEqual(model.transform(table.toMatrix()));
    expect(estimator.fit(table.toMatrix()).transform(table.select(["rooms", "age"])).rows).toBe(4);
  });
});
