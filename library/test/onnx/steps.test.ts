import { describe, expect, test } from "vitest";
import { Matrix, Table } from "../../src/data/index.js";
import { loadDataset } from "../../src/datasets/index.js";
import {
  Binarizer,
  ColumnTransformer,
  DecisionTreeClassifier,
  FeatureUnion,
  KBinsDiscretizer,
  LogisticRegression,
  MaxAbsScaler,
  MinMaxScaler,
  Normalizer,
  OneHotEncoder,
  OrdinalEncoder,
  PCA,
  PolynomialFeatures,
  pipeline,
  RandomForestClassifier,
  RFE,
  RobustScaler,
  SelectFromModel,
  SelectKBest,
  SimpleImputer,
  StandardScaler,
  TableVectorizer,
  TargetEncoder,
  TruncatedSVD,
  VarianceThreshold,
} from "../../src/index.js";
import { toOnnx } from "../../src/onnx/index.js";
import { after, all, columnsOf, expectSame, matrixOf } from "./expect-same.js";

/** Numbers, categories, true and false, all with gaps, and integers. */
const cells = Array.from({ length: 80 }, (_, i) => ({
  size: i % 9 === 0 ? null : Math.sin(5 * i),
  city: i % 7 === 0 ? null : ["Älta", "Bonn", "Rome", `rare${i % 20}`][i % 4]!,
  open: i % 5 === 0 ? null : i % 3 === 0,
  rooms: i % 8 === 3 ? null : i % 4,
}));
const y = cells.map((_, i) => (i % 4 > 1 !== (i % 11 === 0) ? "yes" : "no"));
const table = Table.fromRows(cells) as unknown as Table;
const only = (...names: readonly string[]): Table => table.select(names as never) as unknown as Table;

describe("steps of numbers", async () => {
  const { X, y: species } = await loadDataset("iris");
  const withConstants = X.toArray().map((row) => [...row, 5, 0]);

  test.each([
    ["Normalizer", all(new Normalizer(), new Normalizer({ norm: "l1" }), new Normalizer({ norm: "max" }))],
    ["Binarizer", all(new Binarizer({ threshold: 1.5 }))],
    [
      "PolynomialFeatures",
      all(
        new PolynomialFeatures(),
        new PolynomialFeatures({ degree: 3, interactionOnly: true, includeBias: false }),
        new PolynomialFeatures({ degree: [2, 3] }),
      ),
    ],
    [
      "KBinsDiscretizer",
      all(
        new KBinsDiscretizer({ encode: "onehot-dense", nBins: 4 }),
        new KBinsDiscretizer({ encode: "ordinal", nBins: 3 }),
      ),
    ],
    [
      "selections of columns",
      all(
        new SelectKBest({ k: 2 }),
        new VarianceThreshold(),
        new SelectFromModel({ estimator: new DecisionTreeClassifier() }),
        new RFE({ estimator: new LogisticRegression(), nFeaturesToSelect: 2 }),
      ),
    ],
    [
      "FeatureUnion",
      all(
        new FeatureUnion({
          transformers: { scaled: new StandardScaler(), main: new PCA({ nComponents: 2 }) },
          transformerWeights: { main: 0.3 },
        }),
      ),
    ],
    ["TruncatedSVD", all(new TruncatedSVD({ nComponents: 2 }))],
    ["PCA of a constant column, whitened", all(new PCA({ whiten: true, nComponents: 4 }))],
  ])("%s", async (_, steps) => {
    for (const step of steps) {
      const model = after(step, after(new StandardScaler(), new LogisticRegression())).fit(
        withConstants,
        species,
      );
      await expectSame(model, withConstants, matrixOf(withConstants));
    }
  });

  test("scalers of columns far from 0 move no row across the threshold of a tree", async () => {
    const far = Matrix.fromRows(X.toArray().map((row) => row.map((v) => v + 1e7)));
    for (const step of [new MinMaxScaler({ featureRange: [-1, 3] }), new RobustScaler(), new MaxAbsScaler()])
      await expectSame(after(step, new DecisionTreeClassifier()).fit(far, species), far, far);
  });

  test("rows of zeros, tiny and huge ones have the direction that Normalizer gives them", async () => {
    const model = after(new Normalizer(), new LogisticRegression()).fit(X, species);
    const rows = [
      [0, 0, 0, 0],
      [1e-200, 2e-200, 0, 0],
      [1e200, -1e200, 3e200, 0],
    ];
    await expectSame(model, rows, matrixOf(rows));
  });

  test("gaps are filled, marked or dropped", async () => {
    const gaps = X.toArray().map((row, i) => [
      ...row.map((v, j) => ((i + j) % 6 === 0 ? Number.NaN : v)),
      Number.NaN,
    ]);
    for (const options of [
      {},
      { strategy: "mostFrequent" },
      { strategy: "constant", fillValue: 9 },
      { keepEmptyFeatures: true },
      { addIndicator: true },
    ] as const)
      await expectSame(
        after(new SimpleImputer(options), new LogisticRegression()).fit(gaps, species),
        gaps,
        matrixOf(gaps),
      );
  });
});

describe("steps of cells", () => {
  test.each([
    ["OneHotEncoder", new OneHotEncoder({ handleUnknown: "ignore" })],
    ["OneHotEncoder that drops the first", new OneHotEncoder({ drop: "first" })],
    ["OneHotEncoder that drops one of two", new OneHotEncoder({ drop: "ifBinary" })],
    [
      "OneHotEncoder of rare ones",
      new OneHotEncoder({ handleUnknown: "infrequentIfExist", minFrequency: 6 }),
    ],
    [
      "OrdinalEncoder",
      new OrdinalEncoder({
        handleUnknown: "useEncodedValue",
        unknownValue: -2,
        encodedMissingValue: -1,
      } as never),
    ],
    ["TargetEncoder", new TargetEncoder()],
  ])("%s of texts, numbers, true and false, with gaps", async (_, step) => {
    const x = only("city", "open", "rooms");
    const model = after(step, new RandomForestClassifier({ nEstimators: 5 })).fit(x, y);
    await expectSame(model, x, columnsOf(x));
    if ((step.params as { handleUnknown?: string }).handleUnknown === "error") return;
    const others = Table.fromRows([
      { city: "Paris", open: true, rooms: 77 },
      { city: null, open: null, rooms: null },
      { city: "Rome", open: false, rooms: 2 },
    ]) as unknown as Table;
    await expectSame(model, others, columnsOf(others));
  });

  test("TargetEncoder of three classes", async () => {
    const three = cells.map((_, i) => ["a", "b", "c"][(i * i) % 3]!);
    const x = only("city", "rooms");
    await expectSame(after(new TargetEncoder(), new LogisticRegression()).fit(x, three), x, columnsOf(x));
  });

  test("SimpleImputer of texts, and marks of gaps", async () => {
    const x = only("city", "rooms", "open");
    const filled = new SimpleImputer({ strategy: "mostFrequent", addIndicator: true });
    const encoder = new OneHotEncoder({ handleUnknown: "ignore" });
    const model = after(filled, after(encoder, new LogisticRegression())).fit(x, y);
    await expectSame(model, x, columnsOf(x));
  });

  test.each([
    ["as it is", {}],
    ["not scaled", { scale: false }],
    ["with many categories", { maxCategories: 3 }],
    ["without rare categories", { minFrequency: 0 }],
  ])("TableVectorizer %s", async (_, options) => {
    const model = after(new TableVectorizer(options), new LogisticRegression()).fit(table, y);
    await expectSame(model, table, columnsOf(table));
    const reordered = only("rooms", "open", "size", "city");
    await expectSame(model, reordered, columnsOf(reordered));
  });

  test("columns that the model does not read are not inputs", async () => {
    const columns = new ColumnTransformer({
      transformers: { numbers: [new SimpleImputer(), ["size"]] },
    } as never);
    const model = after(columns, new LogisticRegression()).fit(table, y);
    await expectSame(model, table, { size: columnsOf(table)["size"]! });
  });

  test("what has no operators is refused with the name of the column", () => {
    const dated = Table.fromRows(cells.map(({ rooms }, i) => ({ rooms, when: new Date(2020, 1, i) })));
    const model = pipeline(new TableVectorizer(), new LogisticRegression()).fit(dated as never, y);
    expect(() => toOnnx(model)).toThrow(
      /^toOnnx: the steps of the column "when" must be transformers of standard/,
    );
    const tree = new DecisionTreeClassifier().fit(only("city", "rooms") as never, y);
    expect(() => toOnnx(tree)).toThrow(
      /^toOnnx: the column "city" must be numbers, or encoded in a pipeline, got categories\./,
    );
    const both = Table.fromRows(["", null, "a", "b"].map((city) => ({ city })));
    const encoded = pipeline(new OneHotEncoder(), new LogisticRegression()).fit(both as never, [0, 1, 0, 1]);
    expect(() => toOnnx(encoded)).toThrow(
      /the categories of the column "city" must be without the empty text/,
    );
  });
});

test("columns may have any name that ONNX has", async () => {
  const names = [
    "__proto__",
    "constructor",
    "x",
    "label",
    "probabilities_",
    "MatMul_0",
    "constant_0",
    "💥 a/b",
  ];
  const named = (name: string) =>
    Table.fromColumns(
      new Map([name, "other"].map((own, k) => [own, cells.map((_, i) => Math.sin(i + 3 * k))])) as never,
    ) as unknown as Table;
  for (const name of names) {
    const x = named(name);
    await expectSame(new LogisticRegression().fit(x as never, y) as never, x, columnsOf(x));
  }
  for (const name of ["", "a\0b", "\ud800"])
    expect(() => toOnnx(new LogisticRegression().fit(named(name) as never, y))).toThrow(
      /^toOnnx: the name of a column must be text of Unicode characters, not empty and without NUL, got .*\. Rename/,
    );
});
