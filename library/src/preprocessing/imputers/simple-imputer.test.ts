import { describe, expect, it } from "vitest";
import { DataError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { LogisticRegression } from "../../linear/index.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { pipeline } from "../../pipeline/index.js";
import { OneHotEncoder, SimpleImputer } from "../index.js";

const people = Table.fromColumns({
  age: [30, null, 50, 40],
  town: ["Oslo", "Rome", null, "Rome"],
  member: [true, null, false, true],
});

describe("SimpleImputer", () => {
  it("keeps a table with text a table, each column filled with a value of its kind", () => {
    const model = new SimpleImputer({ strategy: "mostFrequent" }).fit(people);
    const full = model.transform(people);
    expect(full).toBeInstanceOf(Table);
    expect(full.toRows()).toEqual([
      { age: 30, town: "Oslo", member: true },
      { age: 30, town: "Rome", member: true },
      { age: 50, town: "Rome", member: false },
      { age: 40, town: "Rome", member: true },
    ]);
    expect(full.column("member").kind).toBe("boolean");
  });

  it("turns a table of numbers and booleans into a matrix", () => {
    const numbers = people.drop(["town"]);
    const Z = new SimpleImputer().fit(numbers).transform(numbers);
    expect(Z.toArray()).toEqual([
      [30, 1],
      [40, 2 / 3],
      [50, 0],
      [40, 1],
    ]);
  });

  it("finds columns by name, whatever their order", () => {
    const model = new SimpleImputer({ strategy: "mostFrequent" }).fit(people);
    const other = people.select(["town", "member", "age"]);
    expect(model.transform(other).toRows()).toEqual(model.transform(people).toRows());
    expect(() => model.transform(people.drop(["age"]))).toThrow(/column "age" must be in X, as in fit/);
  });

  it("fills a category that fit has not met, and text with a constant of its own", () => {
    const model = new SimpleImputer({ strategy: "constant" }).fit(people);
    const row = Table.fromColumns({ age: [null], town: [null], member: [null] });
    expect(model.transform(row).toRows()).toEqual([{ age: 0, town: "missing_value", member: false }]);
  });

  it("drops a column without any value, warns by name, and keeps it on request", () => {
    const x = Table.fromColumns({ a: [1, null, 3], b: [null, null, null] });
    const warnings: string[] = [];
    const model = new SimpleImputer().fit(x, { onWarning: (text) => warnings.push(text) });
    expect(model.droppedFeatures).toEqual(["b"]);
    expect(warnings).toEqual([
      'SimpleImputer: column "b" has no value and is dropped; keepEmptyFeatures keeps it.',
    ]);
    expect(model.featureNames()).toEqual(["a"]);
    expect(new SimpleImputer({ keepEmptyFeatures: true }).fitTransform(x)).toEqual(
      new Matrix(Float64Array.of(1, 0, 2, 0, 3, 0), 3, 2),
    );
  });

  it("appends indicators of the columns that had gaps in fit only", () => {
    const model = new SimpleImputer({ addIndicator: true }).fit([
      [1, 5],
      [Number.NaN, 7],
    ]);
    expect(model.featureNames()).toEqual(["x0", "x1", "missingindicator_x0"]);
    expect(model.transform([[Number.NaN, Number.NaN]]).toArray()).toEqual([[1, 6, 1]]);
    const text = new SimpleImputer({ strategy: "mostFrequent", addIndicator: true }).fit(people);
    expect(text.transform(people.selectRows([1])).toRows()).toEqual([
      {
        age: 30,
        town: "Rome",
        member: true,
        missingindicator_age: 1,
        missingindicator_town: 0,
        missingindicator_member: 1,
      },
    ]);
  });

  it("stands before an encoder in a pipeline, and is saved with it", () => {
    const steps = pipeline(
      new SimpleImputer({ strategy: "mostFrequent" }),
      new OneHotEncoder({ handleUnknown: "ignore" }),
      new LogisticRegression(),
    );
    const model = steps.fit(people, ["a", "b", "a", "b"]);
    const loaded = loadModel(saveModel(model));
    expect(loaded.predictProba!(people).data).toEqual(model.predictProba(people).data);
    expect(model.steps[0].statistics).toEqual([30, "Rome", true]);
  });

  it("refuses what it cannot fill, and says what can", () => {
    expect(() => new SimpleImputer().fit(people)).toThrow(
      'SimpleImputer.fit: column "town" must be numbers, since text has no mean, got text ("Oslo", "Rome"). strategy: "mostFrequent" and "constant" fill text too.',
    );
    expect(() => new SimpleImputer({ strategy: "constant", fillValue: 7 }).fit(people)).toThrow(
      /column "town" must be numbers, to be filled with 7, got text/,
    );
    expect(() => new SimpleImputer().fit([[1], [Infinity]])).toThrow(/X\[1\]\[0\] must be a finite number/);
    const sparse = new CsrMatrix({ rows: 1, cols: 1, indptr: [0, 1], indices: [0], values: [Infinity] });
    expect(() => new SimpleImputer().fit(sparse)).toThrow(DataError);
    const model = new SimpleImputer().fit(people.drop(["town"]));
    expect(() => model.transform(Table.fromColumns({ age: ["old"], member: [true] }))).toThrow(
      /column "age" must be numbers, as in fit, got text/,
    );
  });

  it("gives a mean also where the sum of a column does not fit a double", () => {
    expect(new SimpleImputer().fit([[1.5e308], [1.5e308], [Number.NaN]]).statistics).toEqual([1.5e308]);
  });
});

it("the median of many numbers is that of their order, with ties, gaps and huge values among them", () => {
  const random = new Random(3);
  const draws: Readonly<Record<string, () => number>> = {
    normal: () => random.normal(),
    ties: () => Math.floor(3 * random.uniform()),
    "one far away": () => (random.uniform() < 0.001 ? 1e300 : random.uniform()),
    "too far for a difference": () => (random.uniform() < 0.5 ? -1.7e308 : 1.7e308),
    constant: () => 5,
  };
  for (const [name, draw] of Object.entries(draws)) {
    for (const n of [2047, 2048, 5001]) {
      const numbers = Array.from({ length: n }, draw);
      const sorted = Float64Array.from(numbers).sort();
      const expected = sorted[(n - 1) >> 1]! / 2 + sorted[n >> 1]! / 2;
      const X = [...numbers, Number.NaN].map((value) => [value]);
      const [statistic] = new SimpleImputer({ strategy: "median" }).fit(X).statistics;
      // Halves are added here, so that sums fit a double: the last bit may differ.
      expect(Math.abs((statistic as number) - expected), `${name}, ${n}`).toBeLessThanOrEqual(
        Math.abs(expected) * 2 ** -52,
      );
    }
  }
});
