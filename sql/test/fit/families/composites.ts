import {
  columnTransformer,
  featureUnion,
  GaussianNB,
  LinearDiscriminantAnalysis,
  MaxAbsScaler,
  MinMaxScaler,
  OneHotEncoder,
  OrdinalEncoder,
  PCA,
  pipeline,
  SimpleImputer,
  StandardScaler,
  tableVectorizer,
} from "argmax";
import type { Cell } from "../../tables.js";
import { classSamples, type FitCase, mixedSample, numbersSample, ROUNDING, type Sample } from "../cases.js";

const mixed = () => [
  mixedSample("a mixed table"),
  mixedSample("three classes", { classes: 3 }),
  mixedSample("weights", { weighted: true }),
];

const table = () =>
  columnTransformer(
    {
      numbers: [pipeline(new SimpleImputer({ strategy: "median" }), new StandardScaler()), ["size", "price"]],
      towns: [new OneHotEncoder({ minFrequency: 5, handleUnknown: "infrequentIfExist" }), "categorical"],
      flags: [new SimpleImputer({ strategy: "mostFrequent" }), "boolean"],
      nothing: [new StandardScaler(), "date"],
    },
    { sparseThreshold: 0 },
  );

/** Columns of which each is treated in another way: row numbers, names of rows, constants, many categories. */
function wideTable(): Sample {
  const rows = 60;
  const of = (make: (i: number) => Cell) => Array.from({ length: rows }, (_, i) => make(i));
  const columns = {
    id: of((i) => i + 100),
    shuffled: of((i) => (i * 7) % rows),
    twice: of((i) => (i < 2 ? 0 : i)),
    name: of((i) => `row ${i}`),
    code: of((i) => `c${(i * i) % 50}`),
    one: of(() => "same"),
    yes: of(() => true),
    flag: of((i) => (i % 5 === 0 ? null : i % 3 === 0)),
    zero: of(() => 0),
    size: of((i) => Math.sin(i)),
  };
  return {
    name: "row numbers, names of rows, constants, many categories",
    columns,
    features: Object.keys(columns),
  };
}

export const composites: readonly FitCase[] = [
  {
    name: "pipeline(StandardScaler, GaussianNB)",
    make: () => pipeline(new StandardScaler(), new GaussianNB()),
    samples: classSamples(),
    within: 1e-8,
    because: ROUNDING,
  },
  {
    name: "columnTransformer",
    make: () =>
      columnTransformer(
        {
          towns: [new OneHotEncoder(), ["town"]],
          sizes: [new SimpleImputer({ addIndicator: true }), (name) => name === "size"],
          price: ["passthrough", [3]],
        },
        { remainder: new OrdinalEncoder(), sparseThreshold: 0.9 },
      ),
    samples: [mixedSample("a mixed table", { task: "none" })],
    within: 1e-12,
    because: ROUNDING,
  },
  {
    name: "featureUnion",
    make: () =>
      featureUnion(
        { all: "passthrough", range: new MinMaxScaler(), axes: new PCA({ nComponents: 1 }), no: "drop" },
        { transformerWeights: { range: 3 } },
      ),
    samples: [numbersSample("numbers", { task: "none" })],
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "pipeline(featureUnion, GaussianNB)",
    make: () =>
      pipeline(
        featureUnion(
          { all: new MaxAbsScaler(), range: new MinMaxScaler() },
          { transformerWeights: { all: 5 } },
        ),
        new GaussianNB(),
      ),
    samples: [numbersSample("numbers"), numbersSample("weights", { weighted: true })],
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "pipeline(columnTransformer, GaussianNB)",
    make: () => pipeline(table(), new GaussianNB()),
    samples: mixed(),
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "pipeline(columnTransformer, LinearDiscriminantAnalysis)",
    make: () => pipeline(table(), new LinearDiscriminantAnalysis({ solver: "lsqr", shrinkage: 0.1 })),
    samples: mixed(),
    within: 1e-8,
    because: ROUNDING,
  },
  {
    name: "pipeline(SimpleImputer, OneHotEncoder, GaussianNB)",
    make: () =>
      pipeline(
        new SimpleImputer({ strategy: "mostFrequent" }),
        new OneHotEncoder({ sparseOutput: false, minFrequency: 4, handleUnknown: "ignore" }),
        new GaussianNB(),
      ),
    samples: [mixedSample("a mixed table"), mixedSample("weights", { weighted: true })],
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "tableVectorizer",
    make: () => tableVectorizer(),
    samples: [
      mixedSample("a mixed table", { task: "none" }),
      mixedSample("labels", { classes: 3 }),
      wideTable(),
    ],
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "tableVectorizer with parameters",
    make: () =>
      tableVectorizer({
        columns: { price: "passthrough", size: "drop" },
        categories: new OrdinalEncoder(),
        scale: false,
        minFrequency: 0,
      }),
    samples: [mixedSample("a mixed table")],
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "pipeline(tableVectorizer, GaussianNB)",
    make: () => pipeline(tableVectorizer({ sparseThreshold: 0 }), new GaussianNB()),
    samples: mixed(),
    within: 1e-8,
    because: ROUNDING,
  },
];
