import { describe, expect, expectTypeOf, it } from "vitest";
import { withParams } from "../core/composite.js";
import { DataError, ParameterError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { TextColumn } from "../data/table/column.js";
import { Table } from "../data/table/table.js";
import { PCA } from "../decomposition/index.js";
import { LogisticRegression, Ridge } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import type { FittedStandardScaler } from "../preprocessing/index.js";
import { MinMaxScaler, OneHotEncoder, SimpleImputer, StandardScaler } from "../preprocessing/index.js";
import { GridSearch } from "../selection/index.js";
import { TfidfVectorizer } from "../text/index.js";
import { columnTransformer } from "./index.js";

const people = Table.fromColumns({
  age: [20, 40, 60, 80],
  town: ["Oslo", "Rome", "Oslo", "Bonn"],
  note: new TextColumn(["red car", "blue car", null, "red house"]),
  member: [true, false, true, false],
  income: [1, 2, 3, 4],
});
const dense = (Z: Matrix | CsrMatrix) => (Z instanceof CsrMatrix ? Z.toDense() : Z).toArray();

describe("columnTransformer", () => {
  const parts = columnTransformer(
    {
      numbers: [new MinMaxScaler(), ["age", "income"]],
      towns: [new OneHotEncoder(), "categorical"],
      words: [new TfidfVectorizer({ norm: null, useIdf: false }), "text"],
    },
    { remainder: "passthrough" },
  );

  it("gives each transformer its columns and puts the outputs side by side", () => {
    const model = parts.fit(people);
    expect(model.featureNames()).toEqual(
      "age income town_Bonn town_Oslo town_Rome blue car house red member".split(" "),
    );
    expect(dense(model.transform(people))).toEqual([
      [0, 0, 0, 1, 0, 0, 1, 0, 1, 1],
      [1 / 3, 1 / 3, 0, 0, 1, 1, 1, 0, 0, 0],
      [2 / 3, 2 / 3, 0, 1, 0, 0, 0, 0, 0, 1],
      [1, 1, 1, 0, 0, 0, 0, 1, 1, 0],
    ]);
    expect(model.columns.get("words")).toEqual(["note"]);
    expect(parts.fitTransform(people)).toEqual(model.transform(people));
  });

  it("finds columns by name in any order; a missing one is named, and a new one only matters to the remainder", () => {
    const model = parts.fit(people);
    const other = people.select(["note", "income", "member", "town", "age"]);
    expect(model.transform(other)).toEqual(model.transform(people));
    expect(() => model.transform(people.drop(["town"]))).toThrow(/column "town" must be in X, as in fit/);
    const wider = people.with({ id: [1, 2, 3, 4] });
    expect(() => model.transform(wider)).toThrow(/also has "id". X.drop\(\["id"\]\)/);
    const dropping = columnTransformer({ numbers: [new MinMaxScaler(), ["age"]] }).fit(people);
    expect(dense(dropping.transform(wider))).toEqual([[0], [1 / 3], [2 / 3], [1]]);
    expect(dense(dropping.transform(people.select(["age"])))).toEqual([[0], [1 / 3], [2 / 3], [1]]);
  });

  it("takes columns by a function, and saves what the function chose", () => {
    const model = columnTransformer({
      short: [new StandardScaler(), (name, column) => name.length === 3 && column.kind === "numeric"],
    }).fit(people);
    expect(model.columns.get("short")).toEqual(["age"]);
    const loaded = loadModel(saveModel(model));
    expect(loaded.transform!(people)).toEqual(model.transform(people));
  });

  it("puts the transformer's name before all names if two would be the same", () => {
    const model = columnTransformer({
      a: [new MinMaxScaler(), ["age"]],
      b: [new StandardScaler(), ["age"]],
    }).fit(people);
    expect(model.featureNames()).toEqual(["a__age", "b__age"]);
  });

  it("names the outputs of transformers that have no names, and of pipelines", () => {
    const model = columnTransformer({
      axes: [new PCA({ nComponents: 1 }), ["age", "income"]],
      towns: [pipeline(new SimpleImputer({ strategy: "mostFrequent" }), new OneHotEncoder()), ["town"]],
    }).fit(people);
    expect(model.featureNames()).toEqual(["pca0", "town_Bonn", "town_Oslo", "town_Rome"]);
  });

  it("stays sparse below the threshold of stored entries, and is dense at or above it", () => {
    const one = (sparseThreshold: number) =>
      columnTransformer({ towns: [new OneHotEncoder(), ["town"]] }, { sparseThreshold }).fit(people)
        .sparseOutput;
    // One of three entries is stored.
    expect([one(0.33), one(0.34), one(0)]).toEqual([false, true, false]);
    const numbers = columnTransformer({ ages: [new StandardScaler(), ["age"]] }, { sparseThreshold: 1 });
    expect(numbers.fit(people).sparseOutput).toBe(false);
  });

  it("gives the same for dense and sparse rows, by number", () => {
    const rows = Matrix.fromRows([
      [0, 2, 0, 1],
      [3, 0, 0, 5],
      [0, 4, 1, 0],
    ]);
    const of = columnTransformer(
      { b: [new StandardScaler({ withMean: false }), [3, 1]], a: ["passthrough", [0]] },
      { sparseThreshold: 1 },
    );
    const sparse = of.fit(CsrMatrix.fromDense(rows));
    expect(sparse.sparseOutput).toBe(true);
    expect(dense(sparse.transform(CsrMatrix.fromDense(rows)))).toEqual(dense(of.fit(rows).transform(rows)));
    expect(of.fit(rows).featureNames()).toEqual(["x3", "x1", "x0"]);
  });

  it("takes rows of cells by number", () => {
    const rows = [
      ["Oslo", 1, null],
      ["Rome", 3, 5],
    ];
    const model = columnTransformer({
      towns: [new OneHotEncoder(), [0]],
      numbers: [new SimpleImputer(), "numeric"],
    }).fit(rows);
    expect(dense(model.transform(rows))).toEqual([
      [1, 0, 1, 5],
      [0, 1, 3, 5],
    ]);
    expect(model.featureNamesIn).toBeUndefined();
  });

  it("leaves out a transformer whose kind no column has", () => {
    const model = columnTransformer({
      dates: [new StandardScaler(), "date"],
      ages: [new StandardScaler(), ["age"]],
    });
    const fitted = model.fit(people);
    expect(fitted.part("dates")).toBeUndefined();
    expect(fitted.nOutputs).toBe(1);
  });

  it("knows its fitted transformers by name and type", () => {
    const model = parts.fit(people);
    expectTypeOf(
      columnTransformer({ s: [new StandardScaler(), "numeric"] })
        .fit(people)
        .part("s"),
    ).toEqualTypeOf<FittedStandardScaler>();
    expect(model.part("numbers").dataMax).toEqual(Float64Array.of(80, 4));
    // @ts-expect-error there is no such transformer
    expect(() => model.part("nobody")).toThrow(ParameterError);
  });

  it("is searched through by name, as the compiler knows", () => {
    const other = withParams(parts, { "towns.sparseOutput": false, sparseThreshold: 0 });
    expect(other.params.transformers.towns![0]).toMatchObject({ params: { sparseOutput: false } });
    const y = [0, 1, 2, 3, 0, 1, 2, 3];
    const twice = people.selectRows([0, 1, 2, 3, 0, 1, 2, 3]);
    const steps = pipeline(["columns", parts], ["ridge", new Ridge()]);
    const search = new GridSearch({
      estimator: steps,
      grid: { "columns.words.binary": [true, false], "ridge.alpha": [0.1, 1] },
      cv: 2,
    }).fit(twice, y);
    expect(search.results.length).toBe(4);
    expect(() => withParams(parts, { "nobody.x": 1 } as never)).toThrow(/numbers\.…/);
  });

  it("gives weights to the transformers that take them", () => {
    const weighted = columnTransformer({
      ages: [new StandardScaler(), ["age"]],
      towns: [new OneHotEncoder(), ["town"]],
    });
    const model = weighted.fit(people, { sampleWeight: [1, 0, 0, 1] });
    expect(model.part("ages").mean).toEqual(Float64Array.of(50));
  });

  it("trains a classifier in a pipeline, saved and loaded", () => {
    const steps = pipeline(parts, new LogisticRegression());
    const model = steps.fit(people, ["a", "b", "a", "b"]);
    const loaded = loadModel(saveModel(model));
    expect(loaded.predictProba!(people).data).toEqual(model.predictProba(people).data);
    expect(model.featureNames()).toEqual(parts.fit(people).featureNames());
  });

  it("prints what it does with which columns", () => {
    expect(
      String(columnTransformer({ ages: [new StandardScaler(), ["age"]] }, { remainder: "passthrough" })),
    ).toBe('columnTransformer({ ages: [StandardScaler(), ["age"]] }, { remainder: "passthrough" })');
    expect(String(parts.fit(people))).toBe(
      [
        "FittedColumnTransformer",
        "  features   5 → 10, dense",
        '  numbers    MinMaxScaler of "age", "income" → 2 columns',
        '  towns      OneHotEncoder of "town" → 3 columns',
        '  words      TfidfVectorizer of "note" → 4 columns',
        '  remainder  passthrough of "member" → 1 columns',
      ].join("\n"),
    );
  });

  it("refuses wrong parts, columns and rows, and says what is right", () => {
    expect(() => columnTransformer({ a: [new Ridge() as never, [0]] })).toThrow(
      /"a" must be a transformer, got Ridge/,
    );
    expect(() => columnTransformer({ a: [new StandardScaler(), "number" as never] })).toThrow(ParameterError);
    expect(() => columnTransformer({ remainder: [new StandardScaler(), [0]] })).toThrow(ParameterError);
    const scaled = (columns: readonly string[] | readonly number[]) =>
      columnTransformer({ a: [new StandardScaler(), columns] });
    expect(() => scaled(["height"]).fit(people)).toThrow(
      /the columns of "a" must be in X, which has "age", "town", "note", "member", "income", got "height"/,
    );
    expect(() => scaled(["age"]).fit([[1]])).toThrow(/only the columns of a Table have names/);
    expect(() => scaled([4]).fit([[1]])).toThrow(/numbers from 0 to 0, got 4/);
    expect(() => scaled(["town"]).fit(people)).toThrow(/"a".*column "town" must be numeric or boolean/);
    expect(() => columnTransformer({ w: [new TfidfVectorizer(), ["age"]] }).fit(people)).toThrow(
      /must be one column of text, got a column of kind numeric/,
    );
    const gap = [
      [1, 2, 3],
      [4, 5, Number.NaN],
    ];
    expect(() => scaled([2]).fit(gap)).toThrow(/X\[1\]\[2\] must be a finite number, got NaN/);
    expect(dense(scaled([0]).fit(gap).transform(gap))).toEqual([[-1], [1]]);
    const kept = columnTransformer({}, { remainder: "passthrough" });
    expect(() => kept.fit(people)).toThrow(DataError);
    expect(() =>
      scaled([0])
        .fit(gap)
        .transform([[1, 2]]),
    ).toThrow(ShapeError);
  });
});
