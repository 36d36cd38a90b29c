import { describe, expect, it } from "vitest";
import { columnTransformer } from "../../compose/index.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { LogisticRegression } from "../../linear/index.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { pipeline } from "../../pipeline/index.js";
import { MissingIndicator, SimpleImputer } from "../index.js";

const people = Table.fromColumns({
  age: [30, null, 50, 40],
  town: ["Oslo", "Rome", null, "Rome"],
  id: [1, 2, 3, 4],
});

describe("MissingIndicator", () => {
  it("marks gaps of numbers and text, of the columns that had some in fit", () => {
    const model = new MissingIndicator().fit(people);
    expect(model.featureNames()).toEqual(["missingindicator_age", "missingindicator_town"]);
    const Z = model.transform(people.select(["town", "id", "age"]));
    expect(Z.toArray()).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
  });

  it("refuses gaps in a column that had none, by its name, or ignores them on request", () => {
    const row = Table.fromColumns({ age: [1], town: ["Oslo"], id: [null] });
    expect(() => new MissingIndicator().fit(people).transform(row)).toThrow(
      'FittedMissingIndicator.transform: column "id" must be without gaps, as in fit, got a gap in row 0. errorOnNew: false ignores it; features: "all" has an indicator for every column.',
    );
    expect(new MissingIndicator({ errorOnNew: false }).fit(people).transform(row).toArray()).toEqual([
      [0, 0],
    ]);
    expect(new MissingIndicator({ features: "all" }).fit(people).transform(row).toArray()).toEqual([
      [0, 0, 1],
    ]);
  });

  it("keeps sparse rows sparse: zeros that are not stored are not gaps", () => {
    const x = CsrMatrix.fromRows([[[0, Number.NaN]], [[1, 2]], []], 2);
    const Z = new MissingIndicator({ features: "all" }).fitTransform(x);
    expect(Z).toBeInstanceOf(CsrMatrix);
    expect(Z.toDense()).toEqual(new Matrix(Float64Array.of(1, 0, 0, 0, 0, 0), 3, 2));
    expect(new MissingIndicator().fit(x).features).toEqual([0]);
  });

  it("has no column where nothing is missing", () => {
    const Z = new MissingIndicator().fitTransform([
      [1, 2],
      [3, 4],
    ]);
    expect([Z.rows, Z.cols]).toEqual([2, 0]);
  });

  it("stands beside an imputer, and is saved with it", () => {
    const numbers = people.drop(["town"]);
    const both = columnTransformer({
      filled: [new SimpleImputer(), ["age", "id"]],
      gaps: [new MissingIndicator(), ["age"]],
    });
    const model = pipeline(both, new LogisticRegression()).fit(numbers, ["a", "b", "a", "b"]);
    expect(model.featureNames()).toEqual(["age", "id", "missingindicator_age"]);
    const loaded = loadModel(saveModel(model));
    expect(loaded.predictProba!(numbers)).toEqual(model.predictProba(numbers));
  });

  it("refuses infinities, wrong widths and weights", () => {
    expect(() => new MissingIndicator().fit([[Infinity]])).toThrow(/must be a finite number/);
    const sparse = CsrMatrix.fromRows([[[0, Infinity]]], 1);
    expect(() => new MissingIndicator().fit(sparse)).toThrow(/X must be free of infinities/);
    expect(() => new MissingIndicator().fit([[1, 2]]).transform([[1]])).toThrow(/X must be 2 columns wide/);
    expect(() => new MissingIndicator().fit([[1]], { sampleWeight: [1] })).toThrow(/sampleWeight/);
    expect(() => new MissingIndicator({ features: "some" as never })).toThrow(/"missing-only"/);
  });
});
