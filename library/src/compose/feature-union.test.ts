import { describe, expect, expectTypeOf, it } from "vitest";
import { withParams } from "../core/composite.js";
import { ArgmaxError, ParameterError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { LogisticRegression, Ridge } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import type { FittedStandardScaler } from "../preprocessing/index.js";
import { MinMaxScaler, SimpleImputer, StandardScaler } from "../preprocessing/index.js";
import { GridSearch } from "../selection/index.js";
import { CountVectorizer, TfidfVectorizer } from "../text/index.js";
import { featureUnion } from "./index.js";

const X = [
  [1, 10],
  [2, 30],
  [3, 20],
];
const documents = ["red car", "blue car", "red house", "old blue house"];
const labels = ["car", "car", "house", "house"] as const;

const dense = (Z: Matrix | CsrMatrix) => (Z instanceof CsrMatrix ? Z.toDense() : Z).toArray();

describe("featureUnion", () => {
  it("puts the outputs of its transformers side by side", () => {
    const union = featureUnion({ scaled: new MinMaxScaler(), raw: "passthrough", none: "drop" });
    const model = union.fit(X);
    const expected = [
      [0, 0, 1, 10],
      [0.5, 1, 2, 30],
      [1, 0.5, 3, 20],
    ];
    expect(dense(model.transform(X))).toEqual(expected);
    expect(dense(union.fitTransform(X))).toEqual(expected);
    expect(model.nOutputs).toBe(4);
    expect(model.part("none")).toBeUndefined();
  });

  it("multiplies outputs by the weights of their transformers, dense and sparse", () => {
    const parts = { a: new MinMaxScaler(), b: "passthrough" } as const;
    const model = featureUnion(parts, { transformerWeights: { b: 0.5 } }).fit(X);
    expect(dense(model.transform(X))[1]).toEqual([0.5, 1, 1, 15]);
    const words = featureUnion({ words: new CountVectorizer() }, { transformerWeights: { words: 3 } });
    const counts = words.fitTransform(documents) as CsrMatrix;
    expect(counts).toBeInstanceOf(CsrMatrix);
    expect([...new Set(counts.values)]).toEqual([3]);
    expect(words.fit(documents).transform(documents)).toEqual(counts);
  });

  it("takes documents, also from an iterator, and names words and letters", () => {
    const union = featureUnion({
      words: new TfidfVectorizer(),
      letters: new CountVectorizer({ analyzer: "char", ngramRange: [1, 1] }),
    });
    function* once() {
      yield* documents;
    }
    const model = union.fit(once());
    expect(model.transform(once())).toEqual(model.transform(documents));
    expect(model.featureNames().slice(0, 3)).toEqual(["blue", "car", "house"]);
    const same = featureUnion({ a: new CountVectorizer(), b: new TfidfVectorizer() }).fit(documents);
    expect(same.featureNames().slice(4, 7)).toEqual(["a__red", "b__blue", "b__car"]);
    const classifier = pipeline(union, new LogisticRegression()).fit(documents, labels);
    expect(classifier.predict(["a red house", "the blue car"])).toEqual(["house", "car"]);
  });

  it("finds a table's columns by name, and keeps their names", () => {
    const table = Table.fromColumns({ age: [1, 2, 3], pay: [10, 30, 20] });
    const model = featureUnion({ scaled: new StandardScaler(), raw: "passthrough" }).fit(table);
    expect(model.featureNames()).toEqual(["scaled__age", "scaled__pay", "raw__age", "raw__pay"]);
    expect(model.transform(table.select(["pay", "age"]))).toEqual(model.transform(table));
    expect(() => model.transform(table.drop(["pay"]))).toThrow(/"pay"/);
  });

  it("is searched through, printed, saved and loaded", () => {
    const union = featureUnion({ words: new TfidfVectorizer(), raw: new CountVectorizer() });
    expect(String(withParams(union, { "words.lowercase": false }))).toBe(
      "featureUnion({ words: TfidfVectorizer({ lowercase: false }), raw: CountVectorizer() })",
    );
    const pipe = pipeline(["union", union], ["logistic", new LogisticRegression()]);
    const grid = {
      "union.words.ngramRange": [
        [1, 1],
        [1, 2],
      ],
      "logistic.C": [1, 10],
    } as const;
    const found = new GridSearch({ estimator: pipe, grid, cv: 2 }).fit(documents, labels);
    expect(found.results.candidates).toHaveLength(4);
    // @ts-expect-error There is no such part.
    expect(() => withParams(union, { "letters.lowercase": false })).toThrow(ParameterError);
    const model = union.fit(documents);
    const back = loadModel(saveModel(model)) as unknown as typeof model;
    expect(back.transform(documents)).toEqual(model.transform(documents));
    expect(back.featureNames()).toEqual(model.featureNames());
    const scaled = featureUnion({ scale: new StandardScaler() }).fit(X);
    expectTypeOf(scaled.part("scale")).toEqualTypeOf<FittedStandardScaler>();
  });

  it("takes gaps as its transformers do, and parts of any name", () => {
    const gaps = [
      [1, null],
      [2, 3],
    ];
    const filled = featureUnion({ raw: "passthrough", filled: new SimpleImputer() }).fitTransform(
      gaps as never,
    );
    expect(dense(filled)).toEqual([
      [1, Number.NaN, 1, 3],
      [2, 3, 2, 3],
    ]);
    for (const name of ["constructor", "toString", "valueOf", "__proto__"])
      expect(dense(featureUnion({ [name]: new MinMaxScaler() }).fitTransform(X))[1]).toEqual([0.5, 1]);
    const none = { transformerWeights: { scaled: undefined } } as never;
    expect(featureUnion({ scaled: new MinMaxScaler() }, none).fit(X).nOutputs).toBe(2);
  });

  it("refuses what is not X, and names the part", () => {
    const raw = featureUnion({ raw: "passthrough" });
    expect(() => raw.fit(undefined as never)).toThrow(ArgmaxError);
    expect(() => raw.fit(X).transform(undefined as never)).toThrow(ArgmaxError);
    expect(() => raw.fit([[1], ["a"]] as never)).toThrow(/FeatureUnion.fit, "raw"/);
    expect(() => raw.fit(X).featureNames(["u"])).toThrow(ArgmaxError);
    const words = featureUnion({ words: new CountVectorizer({ analyzer: "char" }) });
    for (const wrong of ["abc", null, undefined, 5])
      expect(() => words.fit(wrong as never), String(wrong)).toThrow(ArgmaxError);
  });

  it("refuses what is not a transformer, and rows that do not fit", () => {
    expect(() => featureUnion({})).toThrow(ParameterError);
    expect(() => featureUnion({ a: new Ridge() as never })).toThrow(/"a" must be a transformer, got Ridge/);
    expect(() =>
      featureUnion({ a: new StandardScaler() }, { transformerWeights: { b: 2 } as never }),
    ).toThrow(/the names in transformerWeights must be names of transformers \("a"\), got "b"/);
    expect(() => featureUnion({ a: "drop" }).fit(X)).toThrow(/one or more that are not dropped/);
    const union = featureUnion({ a: new StandardScaler(), b: "passthrough" });
    expect(() => union.fit([[1, Number.NaN]])).toThrow(/FeatureUnion.fit, "a".*NaN/);
    expect(() => union.fit(X).transform([[1]])).toThrow(ShapeError);
    expect(() => union.fit(X, undefined, { sampleWeight: [1, 2] })).toThrow(ShapeError);
    expect(() =>
      featureUnion({ a: new CountVectorizer() }).fit(documents, undefined, { sampleWeight: [1, 1, 1, 1] }),
    ).toThrow(/no transformer takes weights/);
  });
});
