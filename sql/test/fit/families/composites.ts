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
} from "argmax";
import { classSamples, type FitCase, mixedSample, numbersSample, ROUNDING } from "../cases.js";

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
];
