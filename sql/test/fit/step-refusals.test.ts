import {
  columnTransformer,
  FunctionTransformer,
  GaussianNB,
  KBinsDiscretizer,
  MultinomialNB,
  OneHotEncoder,
  PCA,
  pipeline,
  QuantileTransformer,
  SelectKBest,
  SimpleImputer,
  SplineTransformer,
  StandardScaler,
  TruncatedSVD,
} from "argmax";
import { describe, expect, it } from "vitest";
import { type DatabaseFitOptions, fitInDatabase, local } from "../../src/index.js";
import { mixedSample, numbersSample, type Sample } from "./cases.js";
import { tableOf } from "./databases.js";

const numbers = numbersSample("numbers");
const mixed = mixedSample("mixed");

const refused: readonly (readonly [
  claim: string,
  estimator: Parameters<typeof fitInDatabase>[0],
  sample: Sample,
  message: string | RegExp,
  options?: DatabaseFitOptions,
])[] = [
  [
    "text where numbers are needed",
    new GaussianNB(),
    mixed,
    /column "town" must be numeric or boolean, got text/,
  ],
  [
    "gaps where numbers are needed",
    new StandardScaler(),
    mixed,
    /column "size" must be finite numbers/,
    { features: ["size"] },
  ],
  ["counts below 0", new MultinomialNB(), numbers, /column "x one" must be a count ≥ 0/],
  [
    "weights where nothing depends on them",
    new PCA(),
    numbers,
    /sampleWeight must be absent/,
    { sampleWeight: "w" },
  ],
  [
    "random projections",
    new PCA({ svdSolver: "randomized", nComponents: 1 }),
    numbers,
    /svdSolver: "covariance" is exact/,
  ],
  ["the default of TruncatedSVD", new TruncatedSVD(), numbers, /algorithm must be "exact"/],
  [
    "bins of k-means",
    new KBinsDiscretizer({ strategy: "kmeans" }),
    numbers,
    /strategy must be "quantile" or "uniform"/,
  ],
  [
    "mutual information",
    new SelectKBest({ scoreFunction: "mutualInfoClassif", k: 1 }),
    numbers,
    /scoreFunction must be one of "fClassif"/,
  ],
  [
    "functions of the caller",
    new FunctionTransformer({ func: (x) => x }),
    numbers,
    /got a function of your own/,
  ],
  ["means of text", new SimpleImputer(), mixed, /column "town" must be numbers, since text has no mean/],
  [
    "categories that a list does not have",
    new OneHotEncoder({ categories: [["ash", null], [1], [true], [1]] }),
    mixed,
    /column "town" must be made of its categories \("ash", null\)/,
  ],
  [
    "sparse rows",
    pipeline(new OneHotEncoder(), new GaussianNB()),
    mixed,
    /X must be dense here, got a sparse matrix/,
  ],
  [
    "splines before another step",
    pipeline(new SplineTransformer(), new GaussianNB()),
    numbers,
    /got SplineTransformer: it computes splines/,
  ],
  [
    "normal quantiles before another step",
    pipeline(new QuantileTransformer({ outputDistribution: "normal" }), new GaussianNB()),
    numbers,
    /got QuantileTransformer: quantiles of the normal distribution/,
  ],
  [
    "functions that read cells",
    columnTransformer({ a: [new StandardScaler(), (_, column) => column.missing === 0] }),
    numbers,
    /a function that chooses columns must be one that reads names and kinds only.*got one that reads missing/,
  ],
];

describe("steps in a database refuse", () => {
  for (const [claim, estimator, { columns, features, target }, message, options] of refused)
    it(claim, async () => {
      const fitted = fitInDatabase(estimator, local(tableOf(columns)), { features, target, ...options });
      await expect(fitted).rejects.toThrow(message);
    });
});
