import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { LogisticRegression } from "../../linear/index.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { pipeline } from "../../pipeline/index.js";
import { FittedKNNImputer, KNNImputer } from "../index.js";

const GAP = Number.NaN;
const houses = Table.fromColumns({
  rooms: [1, 2, 3, 4, null],
  rent: [300, 500, null, 900, 310],
  lift: [false, false, true, null, false],
});

/** The same by its definition, one pair after the other. */
function filledByDefinition(rows: readonly number[][], asked: readonly number[], k: number): number[] {
  const distances = rows.map((row) => {
    const both = asked.flatMap((value, j) => (Number.isNaN(value + row[j]!) ? [] : [(value - row[j]!) ** 2]));
    return Math.sqrt((both.reduce((sum, square) => sum + square, 0) / both.length) * asked.length);
  });
  return asked.map((value, j) => {
    if (!Number.isNaN(value)) return value;
    const donors = [...rows.keys()]
      .filter((r) => !Number.isNaN(rows[r]![j]! + distances[r]!))
      .sort((a, b) => distances[a]! - distances[b]! || a - b)
      .slice(0, k);
    return donors.reduce((sum, r) => sum + rows[r]![j]!, 0) / donors.length;
  });
}

describe("KNNImputer", () => {
  it("fills as its definition does, of rows of any width with any gaps", () => {
    const random = new Random(3);
    for (const cols of [2, 5, 9]) {
      const rows = Array.from({ length: 70 }, () =>
        Array.from({ length: cols }, () => (random.uniform() < 0.15 ? GAP : random.normal())),
      );
      for (const row of rows) if (row.every(Number.isNaN)) row[0] = 1;
      for (const nNeighbors of [1, 4, 25]) {
        const Z = new KNNImputer({ nNeighbors }).fitTransform(rows);
        for (const [i, row] of rows.entries())
          for (const [j, value] of filledByDefinition(rows, row, nNeighbors).entries())
            expect(Z.data[i * cols + j]).toBeCloseTo(value, 12);
      }
    }
  });

  it("reads tables with gaps, booleans and any order of columns", () => {
    const model = new KNNImputer({ nNeighbors: 1 }).fit(houses);
    const Z = model.transform(houses.select(["lift", "rooms", "rent"]));
    expect(Z.toArray()).toEqual([
      [1, 300, 0],
      [2, 500, 0],
      [3, 500, 1],
      [4, 900, 1],
      [3, 310, 0],
    ]);
    expect(model.featureNames()).toEqual(["rooms", "rent", "lift"]);
  });

  it("takes rows with null, and counts the first of equally near rows", () => {
    const model = new KNNImputer({ nNeighbors: 1 }).fit([
      [0, 10],
      [2, 20],
      [null, 30],
    ]);
    expect(model.transform([[1, null]]).toArray()).toEqual([[1, 10]]);
  });

  it("leaves rows without a common column out of a mean, however few the others are", () => {
    const model = new KNNImputer({ nNeighbors: 3 }).fit([
      [1, GAP, 5],
      [GAP, 2, 100],
      [3, GAP, 7],
    ]);
    expect(model.transform([[2, GAP, GAP]]).toArray()).toEqual([[2, 2, 6]]);
  });

  it("gives the mean of a column to a row that has nothing", () => {
    const model = new KNNImputer({ nNeighbors: 1 }).fit([
      [1, 10],
      [2, 60],
    ]);
    expect(model.transform([[GAP, GAP]]).toArray()).toEqual([[1.5, 35]]);
  });

  it("by distance takes rows at distance 0 alone, and others by the inverse of their distance", () => {
    const rows = [
      [0, 10],
      [1, 20],
      [4, 50],
    ];
    const model = new KNNImputer({ nNeighbors: 3, weights: "distance" }).fit(rows);
    expect(model.transform([[1, GAP]]).toArray()).toEqual([[1, 20]]);
    // Distances 2, 1, 2 to x₀ = 2, up to a factor.
    expect(model.transform([[2, GAP]]).data[1]).toBeCloseTo((10 / 2 + 20 + 50 / 2) / 2, 12);
  });

  it("drops a column without any value, warns by name, and appends indicators also to rows without gaps", () => {
    const x = Table.fromColumns({ a: [1, null, 3], b: [null, null, null] });
    const warnings: string[] = [];
    const model = new KNNImputer({ addIndicator: true }).fit(x, { onWarning: (text) => warnings.push(text) });
    expect(warnings).toEqual([
      'KNNImputer: column "b" has no value and is dropped; keepEmptyFeatures keeps it.',
    ]);
    expect(model.featureNames()).toEqual(["a", "missingindicator_a", "missingindicator_b"]);
    expect(model.transform([[7, 8]]).toArray()).toEqual([[7, 0, 0]]);
    const kept = new KNNImputer({ keepEmptyFeatures: true }).fit(x);
    expect(kept.droppedFeatures).toEqual([]);
    expect(kept.transform([[7, 8]]).toArray()).toEqual([[7, 0]]);
  });

  it("measures numbers whose squares do not fit a double", () => {
    for (const unit of [1e200, 1e-200]) {
      const model = new KNNImputer({ nNeighbors: 1 }).fit([
        [1 * unit, 1],
        [5 * unit, 2],
      ]);
      expect(model.transform([[4 * unit, GAP]]).data[1]).toBe(2);
    }
  });

  it("stands before a classifier, and is saved with its rows and their gaps", () => {
    const steps = pipeline(new KNNImputer({ nNeighbors: 2 }), new LogisticRegression());
    const model = steps.fit(houses, ["a", "b", "a", "b", "a"]);
    const loaded = loadModel(saveModel(model));
    expect(loaded.predictProba!(houses).data).toEqual(model.predictProba(houses).data);
    const imputer = loadModel(saveModel(model.steps[0]), KNNImputer);
    expect(imputer).toBeInstanceOf(FittedKNNImputer);
    expect(imputer.transform(houses)).toEqual(model.steps[0].transform(houses));
  });

  it("does not change with the rows it was fitted on", () => {
    const rows = new Matrix(Float64Array.of(1, 10, 2, 20), 2, 2);
    const model = new KNNImputer({ nNeighbors: 1 }).fit(rows);
    rows.data.fill(0);
    expect(model.transform([[2, GAP]]).toArray()).toEqual([[2, 20]]);
  });

  it("refuses text, infinities, sparse rows and weights, and says what to do", () => {
    const people = Table.fromColumns({ age: [1, 2], town: ["Oslo", "Rome"] });
    expect(() => new KNNImputer().fit(people)).toThrow(
      'KNNImputer.fit: column "town" must be numeric or boolean, got text ("Oslo", "Rome"). SimpleImputer with strategy "mostFrequent" fills text; encoders turn it into numbers.',
    );
    expect(() => new KNNImputer().fit([[1], [Infinity]])).toThrow(/must be a finite number/);
    const sparse = new CsrMatrix({ rows: 1, cols: 1, indptr: [0, 1], indices: [0], values: [1] });
    expect(() => new KNNImputer().fit(sparse)).toThrow(/X must be dense here/);
    expect(() => new KNNImputer().fit([[1]], { sampleWeight: [1] })).toThrow(/sampleWeight must be absent/);
    expect(() => new KNNImputer({ nNeighbors: 0 })).toThrow(/nNeighbors must be an integer ≥ 1/);
    expect(() => new KNNImputer().fit([[1]]).transform([[1, 2]])).toThrow(/X must be 1 columns wide/);
  });
});
