/**
 * The models of which files are kept, one or more of every kind: `{ name, estimator, rows, y }`, where `rows` names one of the sets below.
 * They are small, since the files are committed; a case that is changed needs another name, since old files stay as they are.
 */
import * as argmax from "argmax";
import { batchNorm, dense, dropout } from "argmax/neural";

const { makeBlobs, parseCsv } = argmax;

const blobs = makeBlobs({
  nSamples: 24,
  centers: 3,
  nFeatures: 4,
  clusterStd: 4,
  centerBox: [-5, 5],
  randomState: 5,
});
const exactly = (value) => Math.round(value * 64) / 64;
const real = blobs.X.toArray().map(([a, b, c, d]) => [a, b / 4, c + 3, d * 2].map(exactly));
const counts = real.map((row) => row.map((value) => Math.max(0, Math.round(value / 2 + 4))));
const labels = blobs.y.map((k) => ["ant", "bee", "cow"][k]);
const pair = blobs.y.map((k) => k === 0);
const numbers = real.map(([a, b, c], i) => exactly(a - 2 * b + 0.5 * c + (i % 5) / 4));
const wholes = numbers.map((value) => Math.max(0, Math.round(value / 4 + 2)));
const two = numbers.map((value, i) => [value, exactly(2 * value - real[i][3])]);
const words = "ada byte code data Émile fünf gramm hash kernel 日本 loss model".split(" ");
const texts = real.map((_, i) =>
  [0, 1, 2, 3, 4].map((w) => words[(i * (w + 3) + w * w) % words.length]).join(" "),
);
const dates = real.map((_, i) => Date.UTC(2024, i % 12, 1 + i, i, 30));

/** Numbers with gaps, categories with gaps, dates and free text. */
const csv = [
  "age,port,when,note,pay",
  ...real.map(([age, , , pay], i) =>
    [
      i % 7 === 3 ? "" : age,
      i % 9 === 4 ? "" : ["oslo", "rome", "wien"][i % 3],
      new Date(dates[i]).toISOString(),
      texts[i],
      pay,
    ].join(","),
  ),
].join("\n");
const types = { age: "number", port: "category", when: "date", note: "text", pay: "number" };
/** Two of its columns, which trees take as they are. */
const mixed = csv.replaceAll(/^([^,]*,[^,]*),.*$/gm, "$1");
const mixedTypes = { age: "number", port: "category" };
const named = {
  csv: ["a,b,c,d", ...real.map((row) => row.join(","))].join("\n"),
  types: Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, "number"])),
};
const HEAD = 6;

/** What the models are asked about. */
export const rows = {
  real: real.slice(0, HEAD),
  counts: counts.slice(0, HEAD),
  dates: dates.slice(0, HEAD).map((date) => [date]),
  texts: texts.slice(0, HEAD),
  table: { csv, types, head: HEAD },
  categories: { csv: mixed, types: mixedTypes, head: HEAD },
  named: { ...named, head: HEAD },
};

/** What they learn from. */
export const training = {
  real,
  counts,
  dates: dates.map((date) => [date]),
  texts,
  table: parseCsv(csv, { types }),
  categories: parseCsv(mixed, { types: mixedTypes }),
  named: parseCsv(named.csv, { types: named.types }),
};

export const cases = [];
const exported = new Map(Object.entries(argmax));

/** `id` or `id, variant`: the class's name and, where there are several, what is special about this one. */
function add(set, y, list) {
  for (const [name, params = {}] of Object.entries(list)) {
    const type = exported.get(name.split(",")[0]);
    cases.push({ name, estimator: new type(params), rows: set, y });
  }
}

const { GaussianNB, LinearDiscriminantAnalysis, LogisticRegression, NearestCentroid, Ridge } = argmax;
const { columnTransformer, MultinomialNB, pipeline, SimpleImputer, StandardScaler } = argmax;
const { DummyRegressor, MinMaxScaler, OneHotEncoder, PCA, tableVectorizer, TfidfVectorizer } = argmax;
const forest = { nEstimators: 3, maxDepth: 3 };
const bayes = () => new GaussianNB();
const classifiers = () => ({ bayes: bayes(), nearest: new NearestCentroid() });

add("real", undefined, {
  StandardScaler: {},
  MinMaxScaler: { clip: true },
  MaxAbsScaler: {},
  RobustScaler: {},
  PowerTransformer: {},
  QuantileTransformer: { nQuantiles: 8, outputDistribution: "normal" },
  Binarizer: {},
  KBinsDiscretizer: { nBins: 3 },
  Normalizer: {},
  PolynomialFeatures: {},
  SimpleImputer: { strategy: "median", addIndicator: true },
  ThresholdBinner: { edges: [-1, 1], encode: "onehot" },
  FunctionTransformer: { func: "cbrt" },
  SplineTransformer: { nKnots: 3 },
  KNNImputer: { nNeighbors: 2 },
  MissingIndicator: { features: "all" },
  VarianceThreshold: {},
  PCA: { nComponents: 2, whiten: true },
  TruncatedSVD: { nComponents: 2 },
  KernelPCA: { nComponents: 2, kernel: "rbf" },
  KernelMap: {},
  Nystroem: { nComponents: 4 },
  KMeans: { nClusters: 3 },
  MiniBatchKMeans: { nClusters: 3, batchSize: 12 },
  DBSCAN: { eps: 6, minSamples: 3 },
  AgglomerativeClustering: { nClusters: 3 },
  GaussianMixture: { nComponents: 2, covarianceType: "diag" },
  NearestNeighbors: { nNeighbors: 3 },
});
add("counts", undefined, { OneHotEncoder: {}, OrdinalEncoder: {}, TfidfTransformer: {} });
add("dates", numbers, { IsotonicRegression: { increasing: "auto" } });
add("dates", undefined, { DateParts: { cyclic: true } });
add("texts", undefined, {
  CountVectorizer: { ngramRange: [1, 2] },
  TfidfVectorizer: { sublinearTf: true },
  HashingVectorizer: { nFeatures: 16 },
});
add("real", labels, {
  LogisticRegression: {},
  "LogisticRegression, l1": { penalty: "l1" },
  LogisticRegressionCV: { Cs: 3, cv: 3 },
  SoftmaxRegression: {},
  LinearSVC: {},
  Perceptron: {},
  SGDClassifier: { loss: "logLoss" },
  LinearClassifier: {},
  GaussianNB: {},
  BernoulliNB: {},
  LinearDiscriminantAnalysis: {},
  QuadraticDiscriminantAnalysis: { regParam: 0.1 },
  GaussianMixtureClassifier: {},
  KNeighborsClassifier: { weights: "distance" },
  "KNeighborsClassifier, in a tree": { algorithm: "kdTree", leafSize: 3 },
  NearestCentroid: { shrinkThreshold: 0.5 },
  RadiusNeighborsClassifier: { radius: 4, outlierLabel: "mostFrequent" },
  KernelFisherDiscriminant: {},
  KernelLogisticRegression: {},
  KernelPerceptron: {},
  SVC: { probability: true },
  "SVC, one against the rest": { multiClass: "ovr", kernel: "poly", degree: 2 },
  DecisionTreeClassifier: {},
  RandomForestClassifier: forest,
  ExtraTreesClassifier: forest,
  AdaBoostClassifier: { nEstimators: 3 },
  "AdaBoostClassifier, of naive Bayes": { estimator: bayes(), nEstimators: 2 },
  BaggingClassifier: { nEstimators: 3 },
  "BaggingClassifier, on half of the columns": { estimator: bayes(), nEstimators: 2, maxFeatures: 0.5 },
  HistGradientBoostingClassifier: { maxIter: 3, minSamplesLeaf: 2 },
  MLPClassifier: { hiddenLayerSizes: [4], maxIter: 10 },
  NeuralClassifier: {
    layers: [dense(4, { activation: "gelu" }), batchNorm(), dropout(0.2), dense(3)],
    maxIter: 5,
  },
  CNNClassifier: { filters: [2], hiddenLayerSizes: [4], maxIter: 3, batchSize: 8 },
  ViTClassifier: { dimensions: 4, heads: 2, depth: 1, feedForwardSize: 4, maxIter: 3, batchSize: 8 },
  "ViTClassifier, with a class token": {
    dimensions: 4,
    heads: 2,
    depth: 1,
    feedForwardSize: 4,
    maxIter: 3,
    batchSize: 8,
    pooling: "classToken",
  },
  DummyClassifier: {},
  MultiOutputClassifier: { estimator: bayes() },
  VotingClassifier: { estimators: classifiers() },
  "VotingClassifier, soft": {
    estimators: { a: bayes(), b: new LinearDiscriminantAnalysis() },
    voting: "soft",
  },
  StackingClassifier: { estimators: classifiers(), cv: 3, passthrough: true },
  CalibratedClassifier: { estimator: bayes(), cv: 3 },
  "CalibratedClassifier, isotonic": { estimator: bayes(), cv: 3, method: "isotonic", ensemble: false },
  OneVsRestClassifier: { estimator: bayes() },
  OneVsOneClassifier: { estimator: new LogisticRegression() },
  OutputCodeClassifier: { estimator: bayes() },
  SelectFromModel: { estimator: new LogisticRegression() },
  SelectFpr: { alpha: 0.2 },
  SelectFdr: { alpha: 0.2 },
  SelectFwe: { alpha: 0.2 },
  RFE: { estimator: new LogisticRegression(), nFeaturesToSelect: 2 },
  RFECV: { estimator: new LogisticRegression(), cv: 3 },
  SequentialFeatureSelector: { estimator: bayes(), cv: 3, nFeaturesToSelect: 2 },
  "CalibratedClassifier, temperature": { estimator: bayes(), cv: 3, method: "temperature" },
  GridSearch: { estimator: bayes(), cv: 3, grid: { varSmoothing: [1e-9, 1e-3] } },
  "GridSearch, by several scorers": {
    estimator: bayes(),
    cv: 3,
    grid: { varSmoothing: [1e-9, 1e-3] },
    scoring: { hits: "accuracy", loss: "negLogLoss" },
    refit: "loss",
  },
  HalvingSearch: { estimator: bayes(), cv: 3, space: { varSmoothing: [1e-9, 1e-3, 1e-2] }, minRows: 12 },
});
add("real", pair, {
  ThresholdClassifier: { estimator: bayes(), cv: 3, minRecall: 0.9 },
  DecisionStump: {},
  "LogisticRegression, two classes": {},
  "SVC, two classes": {},
  "HistGradientBoostingClassifier, two classes": { maxIter: 3, minSamplesLeaf: 2 },
  "CalibratedClassifier, two classes": { estimator: new LogisticRegression(), cv: 2 },
  Cascade: {
    stages: [
      { features: [2], cost: 1, estimator: bayes() },
      { features: [0, 3], cost: 5, estimator: new LogisticRegression() },
    ],
    sensitivity: 0.9,
  },
});
add(
  "real",
  labels.map((label, i) => [label, String(pair[i])]),
  { "MultiOutputClassifier, of two outputs": { estimator: bayes() } },
);
add("counts", labels, {
  MultinomialNB: {},
  ComplementNB: {},
  CategoricalNB: {},
  MixedNB: {
    blocks: [
      { model: "categorical", columns: [2] },
      { model: "multinomial", columns: [0, 3], alpha: 0.5 },
    ],
  },
  TransformerClassifier: { dimensions: 4, heads: 2, depth: 1, feedForwardSize: 4, maxIter: 3, batchSize: 8 },
});
add("counts", numbers, { TargetEncoder: {} });
add("real", numbers, {
  SelectKBest: { scoreFunction: "fRegression", k: 2 },
  SelectPercentile: { scoreFunction: "fRegression", percentile: 50 },
  ConstrainedLasso: {},
  ConstrainedRidge: {},
  ElasticNet: {},
  ElasticNetCV: { cv: 3, nAlphas: 5, l1Ratio: [0.3, 0.8] },
  HuberRegressor: {},
  Lasso: {},
  LassoCV: { cv: 3, nAlphas: 5 },
  LinearRegression: {},
  LinearRegressor: {},
  LinearSVR: {},
  Ridge: {},
  RidgeCV: {},
  SGDRegressor: {},
  KNeighborsRegressor: { metric: "manhattan", algorithm: "ballTree", leafSize: 3 },
  RadiusNeighborsRegressor: { radius: 5, outlierValue: 0 },
  KernelRidge: {},
  SVR: {},
  DecisionTreeRegressor: {},
  RandomForestRegressor: forest,
  ExtraTreesRegressor: forest,
  AdaBoostRegressor: { nEstimators: 2 },
  BaggingRegressor: { nEstimators: 2 },
  HistGradientBoostingRegressor: { maxIter: 3, minSamplesLeaf: 2 },
  MLPRegressor: { hiddenLayerSizes: [4], maxIter: 10 },
  NeuralRegressor: { layers: [dense(3, { activation: "tanh" }), dense(1)], maxIter: 5 },
  DummyRegressor: {},
  TransformedTargetRegressor: { regressor: new Ridge(), transformer: new StandardScaler() },
  VotingRegressor: { estimators: { ridge: new Ridge(), mean: new DummyRegressor() }, weights: [3, 1] },
  StackingRegressor: { estimators: { ridge: new Ridge(), mean: new DummyRegressor() }, cv: 3 },
  MultiOutputRegressor: {},
  RegressorChain: {},
  RandomSearch: { estimator: new Ridge(), cv: 3, space: { alpha: [0.1, 1, 10] }, nIter: 2 },
});
add("real", wholes, {
  PoissonRegressor: {},
  "HistGradientBoostingRegressor, of counts": { loss: "poisson", maxIter: 3, minSamplesLeaf: 2 },
});
add("real", two, {
  "Ridge, of two targets": {},
  "MultiOutputRegressor, of two targets": { estimator: new argmax.DecisionTreeRegressor({ maxDepth: 2 }) },
  "RegressorChain, of two targets": { order: [1, 0], cv: 3 },
  "RidgeCV, of two targets": { alphaPerTarget: true, storeCvValues: true },
  "DecisionTreeRegressor, of two targets": { maxDepth: 3 },
  "RandomForestRegressor, of two targets": forest,
  "KernelRidge, of two targets": {},
});
add("categories", labels, {
  "DecisionTreeClassifier, of categories and gaps": { maxDepth: 3 },
  "RandomForestClassifier, of categories and gaps": forest,
  "HistGradientBoostingClassifier, of categories and gaps": { maxIter: 2, minSamplesLeaf: 2 },
});
add("named", labels, {
  "LogisticRegression, of a named table": {},
  "DecisionTreeClassifier, of a named table": {},
});

const byColumn = columnTransformer({
  numbers: [pipeline(new SimpleImputer(), new StandardScaler()), ["age", "pay"]],
  ports: [new OneHotEncoder({ handleUnknown: "ignore" }), ["port"]],
});
const vectorized = tableVectorizer({ maxTerms: 8 });
cases.push(
  {
    name: "Pipeline",
    estimator: pipeline(new StandardScaler(), new LogisticRegression()),
    rows: "real",
    y: labels,
  },
  {
    name: "Pipeline, of transformers",
    estimator: pipeline(new MinMaxScaler(), new PCA({ nComponents: 2 })),
    rows: "named",
    y: undefined,
  },
  {
    name: "Pipeline, of texts",
    estimator: pipeline(new TfidfVectorizer(), new MultinomialNB()),
    rows: "texts",
    y: labels,
  },
  { name: "ColumnTransformer", estimator: byColumn, rows: "table", y: undefined },
  {
    name: "FeatureUnion",
    estimator: argmax.featureUnion({ scaled: new StandardScaler(), raw: "passthrough" }),
    rows: "named",
    y: undefined,
  },
  { name: "TableVectorizer", estimator: vectorized, rows: "table", y: undefined },
  {
    name: "Pipeline, of a table",
    estimator: pipeline(
      vectorized,
      new argmax.HistGradientBoostingClassifier({ maxIter: 3, minSamplesLeaf: 2 }),
    ),
    rows: "table",
    y: pair,
  },
  {
    name: "CalibratedClassifier, of a pipeline",
    estimator: new argmax.CalibratedClassifier({
      estimator: pipeline(byColumn, new LogisticRegression()),
      cv: 2,
    }),
    rows: "table",
    y: labels,
  },
);
