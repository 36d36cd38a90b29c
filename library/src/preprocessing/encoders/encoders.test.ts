import { describe, expect, expectTypeOf, it } from "vitest";
import { DataError, ParameterError } from "../../core/errors.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import type { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { pipeline } from "../../pipeline/index.js";
import { LabelEncoder, OneHotEncoder, OrdinalEncoder, StandardScaler } from "../index.js";

const table = Table.fromColumns({
  city: ["Oslo", "Rome", null, "Oslo"],
  rooms: [2, 3, 2, 5],
  urban: [true, false, true, true],
});

describe("OneHotEncoder", () => {
  it("has one output for every category of a table's columns, missing ones last", () => {
    const model = new OneHotEncoder({ sparseOutput: false }).fit(table);
    expect(model.categories).toEqual([
      ["Oslo", "Rome", null],
      [2, 3, 5],
      [false, true],
    ]);
    expect(model.featureNames()).toEqual([
      "city_Oslo",
      "city_Rome",
      "city_null",
      "rooms_2",
      "rooms_3",
      "rooms_5",
      "urban_false",
      "urban_true",
    ]);
    expect(model.transform(table).toArray()[2]).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
    expectTypeOf(model.transform(table)).toEqualTypeOf<Matrix>();
    expectTypeOf(new OneHotEncoder().fit(table).transform(table)).toEqualTypeOf<CsrMatrix>();
  });

  it("goes there and back, sparse and dense, with and without a dropped category", () => {
    const rows = table.toRows().map(({ city, rooms, urban }) => [city, rooms, urban]);
    for (const drop of [null, "first", "ifBinary", ["Rome", 3, true]] as const) {
      for (const sparseOutput of [true, false]) {
        const model = new OneHotEncoder({ drop, sparseOutput }).fit(rows);
        expect(model.inverseTransform(model.transform(rows))).toEqual(rows);
      }
    }
  });

  it("gives null for what it ignored, and a name to infrequent ones", () => {
    const model = new OneHotEncoder({ handleUnknown: "ignore" }).fit([["a"], ["b"]]);
    expect(model.inverseTransform(model.transform([["z"]]))).toEqual([[null]]);
    const rare = new OneHotEncoder({ minFrequency: 2 }).fit([["a"], ["a"], ["b"], ["c"]]);
    expect(rare.featureNames(["letter"])).toEqual(["letter_a", "letter_infrequent"]);
    expect(rare.infrequentCategories).toEqual([["b", "c"]]);
    expect(rare.inverseTransform(rare.transform([["a"], ["c"]]))).toEqual([["a"], ["infrequent"]]);
  });

  it("has a name of its own for every output, whatever categories and columns are called", () => {
    const names = ["infrequent", "infrequent", "infrequent_", "infrequent_", "b", "c"].map((name) => [name]);
    const rare = new OneHotEncoder({ minFrequency: 2 }).fit(names);
    expect(rare.featureNames(["x"])).toEqual(["x_infrequent", "x_infrequent_", "x_infrequent__"]);
    expect(rare.inverseTransform(rare.transform([["infrequent"], ["b"]]))).toEqual([
      ["infrequent"],
      ["infrequent__"],
    ]);
    const missing = new OneHotEncoder().fit([["null"], [null]]);
    expect(missing.featureNames(["x"])).toEqual(["x_null", "x_null_"]);
    const columns = new OneHotEncoder().fit(Table.fromColumns({ a: ["b_c"], a_b: ["c"] }));
    expect(columns.featureNames()).toEqual(["a_b_c", "a_b_c_"]);
  });

  it("says which value it does not know, and where", () => {
    const model = new OneHotEncoder().fit([["a"], ["b"]]);
    expect(() => model.transform([["a"], ["z"]])).toThrow(
      'FittedOneHotEncoder.transform: X[1][0] must be one of the categories of column 0 ("a", "b"), got "z". handleUnknown: "ignore" encodes it as zeros.',
    );
  });

  it("refuses mixed columns, infinities, sparse rows, and tables with other columns", () => {
    expect(() => new OneHotEncoder().fit([["a"], [1]] as never)).toThrow(
      /X\[1\]\[0\] must be a string like the rows before it/,
    );
    expect(() => new OneHotEncoder().fit([[Infinity]])).toThrow(DataError);
    // biome-ignore lint/suspicious/noSparseArray: a hole is what this is about
    expect(() => new OneHotEncoder().fit([["a"], , ["b"]] as never)).toThrow(
      /X\[1\] must be a row of cells, got undefined/,
    );
    const sparse = CsrMatrix.fromRows([[[0, 1]]], 3);
    expect(() => new OneHotEncoder().fit(sparse)).toThrow(/X must be dense/);
    const model = new OneHotEncoder().fit(table);
    expect(() => model.transform(sparse)).toThrow(/X must be dense/);
    expect(model.transform(table.select(["rooms", "city", "urban"]))).toEqual(model.transform(table));
    expect(() => model.transform(table.select(["rooms", "urban"]))).toThrow(/column "city" must be in X/);
    expect(() => new OneHotEncoder({ minFrequency: 1.5 })).toThrow(ParameterError);
    expect(() => new OneHotEncoder({ drop: ["x", 2, true] }).fit(table)).toThrow(
      /drop\[0\] must be a category of column 0/,
    );
  });

  it("takes no rows there and back, and refuses outputs of another width", () => {
    const model = new OneHotEncoder().fit(table);
    const none = model.transform([]);
    expect([none.rows, none.cols]).toEqual([0, 8]);
    expect(model.inverseTransform(none)).toEqual([]);
    expect(() => model.inverseTransform([[1]])).toThrow(/X must be 8 columns wide, as in fit, got 1 columns/);
  });

  it("is a step of a pipeline that takes tables", () => {
    const model = pipeline(new OneHotEncoder({ sparseOutput: false }), new StandardScaler()).fit(table);
    expect(model.transform(table).cols).toBe(8);
  });
});

describe("OrdinalEncoder", () => {
  it("numbers categories in their order, and goes back", () => {
    const cells = [
      ["low", true],
      ["high", false],
      [null, true],
    ];
    const model = new OrdinalEncoder({
      categories: [
        ["low", "mid", "high"],
        [false, true],
      ],
    }).fit(cells);
    const codes = model.transform(cells);
    expect([...codes.data]).toEqual([0, 1, 2, 0, Number.NaN, 1]);
    expect(model.inverseTransform(codes)).toEqual(cells);
  });

  it("gives missing and unknown entries the codes it was told", () => {
    const model = new OrdinalEncoder({
      handleUnknown: "useEncodedValue",
      unknownValue: -1,
      encodedMissingValue: -2,
    }).fit([["a"], ["b"], [null]]);
    expect([...model.transform([["z"], [null], ["b"]]).data]).toEqual([-1, -2, 1]);
  });

  it("refuses codes that are a category's, and unknownValue without a use", () => {
    const encoder = new OrdinalEncoder({ handleUnknown: "useEncodedValue", unknownValue: 1 });
    expect(() => encoder.fit([["a"], ["b"]])).toThrow(
      /unknownValue must be a number other than the codes of the categories \(0 to 1\), got 1/,
    );
    // @ts-expect-error: the compiler refuses it too
    expect(() => new OrdinalEncoder({ unknownValue: -1 })).toThrow(ParameterError);
    // @ts-expect-error: the compiler refuses it too
    expect(() => new OrdinalEncoder({ handleUnknown: "useEncodedValue" })).toThrow(ParameterError);
  });
});

describe("LabelEncoder", () => {
  it("codes labels and gives them back with their type", () => {
    const y = ["ham", "spam", "ham"] as const;
    const model = new LabelEncoder().fit(y);
    expect([...model.transform(y)]).toEqual([0, 1, 0]);
    expectTypeOf(model.inverseTransform([1, 0])).toEqualTypeOf<("ham" | "spam")[]>();
    expect(model.inverseTransform([1, 0])).toEqual(["spam", "ham"]);
    expect([...new LabelEncoder().fitTransform([30, 10, 20])]).toEqual([2, 0, 1]);
  });

  it("refuses labels and codes that it does not know, and no labels", () => {
    const model = new LabelEncoder().fit(["a", "b"]);
    // @ts-expect-error: there is no such label
    expect(() => model.transform(["z"])).toThrow(/y\[0\] must be one of the classes/);
    expect(() => model.inverseTransform([2])).toThrow(/codes\[0\] must be a code from 0 to 1, got 2/);
    expect(() => new LabelEncoder().fit([])).toThrow(DataError);
    expect(() => new LabelEncoder().fit(undefined as never)).toThrow(DataError);
  });
});
