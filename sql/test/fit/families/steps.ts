import {
  Binarizer,
  DateParts,
  FunctionTransformer,
  KBinsDiscretizer,
  MaxAbsScaler,
  MinMaxScaler,
  MissingIndicator,
  Normalizer,
  OneHotEncoder,
  OrdinalEncoder,
  PolynomialFeatures,
  pipeline,
  QuantileTransformer,
  RobustScaler,
  SelectFwe,
  SelectKBest,
  SelectPercentile,
  SimpleImputer,
  SplineTransformer,
  StandardScaler,
  TargetEncoder,
  ThresholdBinner,
  VarianceThreshold,
} from "argmax";
import {
  countsSample,
  datesSample,
  type FitCase,
  gapsSample,
  mixedSample,
  numbersSample,
  ROUNDING,
  rowSamples,
  type Sample,
  tailsSample,
} from "../cases.js";

const EXACT = "order statistics are numbers of the column";

const exact = (name: string, make: FitCase["make"], samples: readonly Sample[] = unweighted()): FitCase => ({
  name,
  make,
  samples,
  within: 0,
  because: EXACT,
});

const unweighted = () => [
  numbersSample("numbers", { task: "none" }),
  numbersSample("an offset of 1e8", { task: "none", offset: 1e8 }),
  tailsSample("long tails, few values, equal values and gaps between them"),
];

const numbers = () => [numbersSample("numbers", { task: "none" })];
const mixed = () => [mixedSample("a mixed table", { task: "none" })];
const weighted = () => [
  numbersSample("numbers", { task: "none" }),
  numbersSample("weights", { task: "none", weighted: true }),
  tailsSample("long tails and whole weights", { weighted: true }),
];
/** With three labels of text. */
function labelled(name: string): Sample {
  const sample = mixedSample(name, { classes: 3 });
  return { ...sample, columns: { ...sample.columns, y: sample.columns["y"]!.map((y) => `class ${y}`) } };
}

const gaps = () => [gapsSample("gaps, an empty column")];

export const steps: readonly FitCase[] = [
  {
    name: "StandardScaler",
    make: () => new StandardScaler(),
    samples: rowSamples(),
    within: 1e-10,
    because: ROUNDING,
  },
  exact("MinMaxScaler", () => new MinMaxScaler({ featureRange: [-1, 2], clip: true }), rowSamples()),
  exact("MaxAbsScaler", () => new MaxAbsScaler(), rowSamples()),
  exact("RobustScaler", () => new RobustScaler()),
  exact(
    "RobustScaler with parameters",
    () => new RobustScaler({ quantileRange: [3, 88], unitVariance: true, withCentering: false }),
  ),
  exact("QuantileTransformer", () => new QuantileTransformer({ nQuantiles: 40 })),
  exact("Normalizer", () => new Normalizer({ norm: "l1" }), numbers()),
  exact("Binarizer", () => new Binarizer({ threshold: 0.5 }), numbers()),
  exact("ThresholdBinner", () => new ThresholdBinner({ edges: [-1, 0, 2], encode: "onehot" }), numbers()),
  exact("PolynomialFeatures", () => new PolynomialFeatures({ degree: 3 }), numbers()),
  exact("FunctionTransformer", () => new FunctionTransformer({ func: "square" }), numbers()),
  {
    name: "SimpleImputer, mean",
    make: () => new SimpleImputer({ addIndicator: true }),
    samples: [gapsSample("gaps, an empty column"), gapsSample("an offset of 1e8", { offset: 1e8 })],
    within: 1e-12,
    because: ROUNDING,
  },
  exact(
    "SimpleImputer, median",
    () => new SimpleImputer({ strategy: "median", keepEmptyFeatures: true }),
    gaps(),
  ),
  exact("SimpleImputer, most frequent", () => new SimpleImputer({ strategy: "mostFrequent" }), mixed()),
  exact("SimpleImputer, constant", () => new SimpleImputer({ strategy: "constant" }), mixed()),
  exact("MissingIndicator", () => new MissingIndicator({ features: "all" }), mixed()),
  exact("MissingIndicator of gaps", () => new MissingIndicator(), [...mixed(), ...gaps()]),
  exact("OneHotEncoder", () => new OneHotEncoder(), mixed()),
  exact(
    "OneHotEncoder with rare categories",
    () => new OneHotEncoder({ minFrequency: 0.1, drop: "ifBinary", handleUnknown: "infrequentIfExist" }),
    mixed(),
  ),
  exact(
    "OneHotEncoder with few outputs",
    () => new OneHotEncoder({ maxCategories: 3, drop: "first" }),
    mixed(),
  ),
  exact(
    "OneHotEncoder of given categories",
    () =>
      new OneHotEncoder({
        categories: [["elm", "ash", null], [1, 20], [true], [1]],
        handleUnknown: "ignore",
      }),
    mixed(),
  ),
  exact("OrdinalEncoder", () => new OrdinalEncoder({ encodedMissingValue: -2 }), mixed()),
  exact(
    "OrdinalEncoder of given categories",
    () =>
      new OrdinalEncoder({
        categories: [["elm", "ash"], [20], [false, true], [1]],
        handleUnknown: "useEncodedValue",
        unknownValue: -1,
      }),
    mixed(),
  ),
  exact("KBinsDiscretizer", () => new KBinsDiscretizer()),
  exact(
    "KBinsDiscretizer, uniform",
    () => new KBinsDiscretizer({ strategy: "uniform", nBins: [3, 4, 5], encode: "ordinal" }),
    numbers(),
  ),
  exact("SplineTransformer", () => new SplineTransformer(), weighted()),
  exact(
    "SplineTransformer at quantiles",
    () => new SplineTransformer({ knots: "quantile", nKnots: 7 }),
    weighted(),
  ),
  {
    name: "VarianceThreshold",
    make: () => new VarianceThreshold(),
    samples: [...rowSamples(), { ...tailsSample("a constant column"), features: ["few", "same"] }],
    within: 1e-9,
    because: ROUNDING,
  },
  {
    name: "SelectKBest by classes",
    make: () => new SelectKBest({ k: 2 }),
    samples: [
      numbersSample("three classes"),
      numbersSample("an offset of 1e8", { offset: 1e8 }),
      countsSample("whole numbers", { labels: "number" }),
    ],
    within: 1e-7,
    because: ROUNDING,
  },
  {
    name: "SelectPercentile by correlation",
    make: () => new SelectPercentile({ scoreFunction: "fRegression", percentile: 50 }),
    samples: [
      numbersSample("numbers", { task: "regression" }),
      numbersSample("an offset of 1e8", { task: "regression", offset: 1e8 }),
    ],
    within: 1e-6,
    because: "a correlation of nearly 1 in F = r²/(1 − r²)",
  },
  {
    name: "SelectFwe by counts",
    make: () => new SelectFwe({ scoreFunction: "chi2", alpha: 0.2 }),
    samples: [countsSample("counts")],
    within: 1e-9,
    because: ROUNDING,
  },
  ...(["auto", 3] as const).map(
    (smooth): FitCase => ({
      name: `TargetEncoder, smooth ${smooth}`,
      make: () => new TargetEncoder({ smooth }),
      samples: [
        mixedSample("numbers", { task: "regression" }),
        mixedSample("labels that are numbers", { classes: 3 }),
        labelled("labels"),
      ],
      within: 1e-9,
      because: ROUNDING,
    }),
  ),
  {
    name: "TargetEncoder of classes",
    make: () =>
      new TargetEncoder({ targetType: "classes", categories: [["elm", "ash", null], [20], [true], [1]] }),
    samples: [mixedSample("three classes", { classes: 3 }), mixedSample("two classes")],
    within: 1e-9,
    because: ROUNDING,
  },
  exact("DateParts", () => new DateParts(), [datesSample("points in time and gaps")]),
  exact(
    "DateParts of a list",
    () => new DateParts({ parts: ["dayOfYear", "weekday", "hour"], cyclic: true }),
    [datesSample("points in time and gaps")],
  ),
  {
    name: "pipeline(DateParts, SimpleImputer, StandardScaler)",
    make: () => pipeline(new DateParts({ cyclic: true }), new SimpleImputer(), new StandardScaler()),
    samples: [datesSample("points in time and gaps")],
    within: 1e-8,
    because: ROUNDING,
  },
];
