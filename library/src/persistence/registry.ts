import { AdaBoostClassifier, AdaBoostRegressor } from "../adaboost/index.js";
import { BaggingClassifier, BaggingRegressor } from "../bagging/index.js";
import {
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  GaussianNB,
  MixedNB,
  MultinomialNB,
} from "../bayes/index.js";
import { HistGradientBoostingClassifier, HistGradientBoostingRegressor } from "../boosting/index.js";
import { Cascade } from "../cascade/index.js";
import { AgglomerativeClustering, DBSCAN, KMeans, MiniBatchKMeans } from "../clustering/index.js";
import { ColumnTransformer, FeatureUnion, TableVectorizer } from "../compose/index.js";
import type { FittedRegressor, FittedTransformer } from "../core/contract.js";
import type { Estimator } from "../core/estimator.js";
import type { Label } from "../core/labels.js";
import type { ParamsTable } from "../core/params.js";
import { KernelPCA, PCA, TruncatedSVD } from "../decomposition/index.js";
import { LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis } from "../discriminant/index.js";
import { DummyClassifier, DummyRegressor } from "../dummy/index.js";
import {
  SelectFdr,
  SelectFpr,
  SelectFwe,
  SelectKBest,
  SelectPercentile,
  VarianceThreshold,
} from "../feature-selection/index.js";
import {
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
} from "../forests/index.js";
import { IsotonicRegression } from "../isotonic/index.js";
import {
  KernelFisherDiscriminant,
  KernelLogisticRegression,
  KernelMap,
  KernelPerceptron,
  KernelRidge,
  Nystroem,
} from "../kernel-methods/index.js";
import {
  ConstrainedLasso,
  ConstrainedRidge,
  ElasticNet,
  ElasticNetCV,
  HuberRegressor,
  Lasso,
  LassoCV,
  LinearClassifier,
  LinearRegression,
  LinearRegressor,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  LogisticRegressionCV,
  Perceptron,
  PoissonRegressor,
  Ridge,
  RidgeCV,
  SGDClassifier,
  SGDRegressor,
  SoftmaxRegression,
} from "../linear/index.js";
import {
  CalibratedClassifier,
  MultiOutputClassifier,
  MultiOutputRegressor,
  OneVsOneClassifier,
  OneVsRestClassifier,
  OutputCodeClassifier,
  RegressorChain,
  RFE,
  RFECV,
  SelectFromModel,
  SequentialFeatureSelector,
  StackingClassifier,
  StackingRegressor,
  ThresholdClassifier,
  TransformedTargetRegressor,
  VotingClassifier,
  VotingRegressor,
} from "../meta/index.js";
import { GaussianMixture, GaussianMixtureClassifier } from "../mixture/index.js";
import {
  KNeighborsClassifier,
  KNeighborsRegressor,
  NearestCentroid,
  NearestNeighbors,
  RadiusNeighborsClassifier,
  RadiusNeighborsRegressor,
} from "../neighbors/index.js";
import {
  CNNClassifier,
  MLPClassifier,
  MLPRegressor,
  NeuralClassifier,
  NeuralRegressor,
  TransformerClassifier,
  ViTClassifier,
} from "../neural/index.js";
import { Pipeline } from "../pipeline/pipeline.js";
import {
  Binarizer,
  DateParts,
  FunctionTransformer,
  KBinsDiscretizer,
  KNNImputer,
  MaxAbsScaler,
  MinMaxScaler,
  MissingIndicator,
  Normalizer,
  OneHotEncoder,
  OrdinalEncoder,
  PolynomialFeatures,
  PowerTransformer,
  QuantileTransformer,
  RobustScaler,
  SimpleImputer,
  SplineTransformer,
  StandardScaler,
  TargetEncoder,
  ThresholdBinner,
} from "../preprocessing/index.js";
import { GridSearch, HalvingSearch, RandomSearch } from "../selection/index.js";
import { SVC, SVR } from "../svm/index.js";
import { CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer } from "../text/index.js";
import { DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import {
  createLoader,
  type EstimatorJson,
  type LoadedClassifier,
  type LoadedModel,
  type Loader,
  type LoadOptions,
  type RegisteredClass,
} from "./loader.js";

/** Every estimator of the library. */
export const estimatorClasses: readonly RegisteredClass[] = [
  StandardScaler,
  MinMaxScaler,
  MaxAbsScaler,
  RobustScaler,
  PowerTransformer,
  QuantileTransformer,
  Binarizer,
  DateParts,
  FunctionTransformer,
  KBinsDiscretizer,
  KNNImputer,
  MissingIndicator,
  Normalizer,
  OneHotEncoder,
  OrdinalEncoder,
  PolynomialFeatures,
  SimpleImputer,
  SplineTransformer,
  TargetEncoder,
  ThresholdBinner,
  ColumnTransformer,
  FeatureUnion,
  TableVectorizer,
  SelectFdr,
  SelectFpr,
  SelectFwe,
  SelectKBest,
  SelectPercentile,
  VarianceThreshold,
  Pipeline,
  DummyClassifier,
  DummyRegressor,
  VotingClassifier,
  VotingRegressor,
  StackingClassifier,
  StackingRegressor,
  CalibratedClassifier,
  ThresholdClassifier,
  OneVsRestClassifier,
  OneVsOneClassifier,
  OutputCodeClassifier,
  IsotonicRegression,
  TransformedTargetRegressor,
  RFE,
  RFECV,
  SelectFromModel,
  SequentialFeatureSelector,
  MultiOutputClassifier,
  MultiOutputRegressor,
  RegressorChain,
  ConstrainedLasso,
  ConstrainedRidge,
  ElasticNet,
  ElasticNetCV,
  HuberRegressor,
  Lasso,
  LassoCV,
  LinearClassifier,
  LinearRegression,
  LinearRegressor,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  LogisticRegressionCV,
  Perceptron,
  PoissonRegressor,
  Ridge,
  RidgeCV,
  SGDClassifier,
  SGDRegressor,
  SoftmaxRegression,
  BernoulliNB,
  CategoricalNB,
  ComplementNB,
  GaussianNB,
  MixedNB,
  MultinomialNB,
  LinearDiscriminantAnalysis,
  QuadraticDiscriminantAnalysis,
  GaussianMixture,
  GaussianMixtureClassifier,
  PCA,
  TruncatedSVD,
  KernelPCA,
  KNeighborsClassifier,
  KNeighborsRegressor,
  NearestCentroid,
  NearestNeighbors,
  RadiusNeighborsClassifier,
  RadiusNeighborsRegressor,
  CNNClassifier,
  MLPClassifier,
  MLPRegressor,
  NeuralClassifier,
  NeuralRegressor,
  TransformerClassifier,
  ViTClassifier,
  AgglomerativeClustering,
  DBSCAN,
  KMeans,
  MiniBatchKMeans,
  CountVectorizer,
  HashingVectorizer,
  TfidfTransformer,
  TfidfVectorizer,
  KernelFisherDiscriminant,
  KernelLogisticRegression,
  KernelMap,
  KernelPerceptron,
  KernelRidge,
  Nystroem,
  SVC,
  SVR,
  DecisionStump,
  AdaBoostClassifier,
  AdaBoostRegressor,
  BaggingClassifier,
  BaggingRegressor,
  Cascade,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  ExtraTreesClassifier,
  ExtraTreesRegressor,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  RandomForestClassifier,
  RandomForestRegressor,
  GridSearch,
  RandomSearch,
  HalvingSearch,
];

let all: Loader | undefined;
const loader = (): Loader => {
  all ??= createLoader(estimatorClasses);
  return all;
};

/**
 * The model in a file that `saveModel` wrote: any model; or, with a class as second argument, one of that class:
 *
 *   loadModel(bytes, LogisticRegression, { classes: ["cat", "dog"] }).predict(X)
 */
export const loadModel: Loader["loadModel"] = (...given: readonly unknown[]) =>
  loader().loadModel(...(given as [Uint8Array, never, never])) as never;

/**
 * A classifier: `loadClassifier<"cat" | "dog">(bytes)`, or `loadClassifier(bytes, { classes: ["cat", "dog"] })`, which throws if the
 * model has other classes.
 */
export function loadClassifier<const L extends Label = Label>(
  bytes: Uint8Array | ArrayBuffer,
  options?: LoadOptions<L>,
): LoadedClassifier<L> {
  return loader().loadClassifier(bytes, options);
}

export function loadRegressor(bytes: Uint8Array | ArrayBuffer): FittedRegressor & LoadedModel {
  return loader().loadRegressor(bytes);
}

export function loadTransformer(bytes: Uint8Array | ArrayBuffer): FittedTransformer & LoadedModel {
  return loader().loadTransformer(bytes);
}

/** The estimator that `toJSON` described. */
export function estimatorFromJson(json: EstimatorJson): Estimator<ParamsTable> {
  return loader().estimatorFromJson(json);
}
