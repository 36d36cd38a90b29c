import * as adaboost from "../../src/adaboost/index.js";
import * as bagging from "../../src/bagging/index.js";
import * as bayes from "../../src/bayes/index.js";
import * as boosting from "../../src/boosting/index.js";
import * as cascade from "../../src/cascade/index.js";
import * as clustering from "../../src/clustering/index.js";
import * as compose from "../../src/compose/index.js";
import type { EstimatorClass } from "../../src/core/contract.js";
import * as decomposition from "../../src/decomposition/index.js";
import * as discriminant from "../../src/discriminant/index.js";
import * as dummy from "../../src/dummy/index.js";
import * as featureSelection from "../../src/feature-selection/index.js";
import * as forests from "../../src/forests/index.js";
import { IsotonicRegression } from "../../src/isotonic/index.js";
import * as kernelMethods from "../../src/kernel-methods/index.js";
import * as linear from "../../src/linear/index.js";
import * as meta from "../../src/meta/index.js";
import * as mixture from "../../src/mixture/index.js";
import * as neighbors from "../../src/neighbors/index.js";
import * as neural from "../../src/neural/index.js";
import { Pipeline, pipeline } from "../../src/pipeline/index.js";
import * as preprocessing from "../../src/preprocessing/index.js";
import { MinMaxScaler, StandardScaler } from "../../src/preprocessing/index.js";
import * as selection from "../../src/selection/index.js";
import * as svm from "../../src/svm/index.js";
import * as text from "../../src/text/index.js";
import * as trees from "../../src/trees/index.js";
import type { AnyEstimator, Subject } from "./subject.js";

/** Builds subjects of a class whose parameters all have defaults. */
function subject(
  type: EstimatorClass & (new (params: never) => object),
  given: Omit<Subject, "name" | "type" | "make" | "build" | "precise"> & {
    readonly name?: string;
    readonly params?: object;
    /** Parameters of the precise form. */
    readonly precisely?: object;
  },
): Subject {
  const { name = type.id, params = {}, precisely = {}, ...rest } = given;
  const build = (own: object) => new type({ ...params, ...own } as never) as AnyEstimator;
  return {
    ...rest,
    name,
    type,
    make: () => build({}),
    build: (own) => new type(own as never) as AnyEstimator,
    precise: () => build(precisely),
  };
}

/** A pipeline is one class with many faces. */
const pipelineSubject = (
  name: string,
  make: () => unknown,
  rest: Omit<Subject, "name" | "type" | "make" | "build">,
): Subject => ({
  ...rest,
  name,
  type: Pipeline,
  make: make as () => AnyEstimator,
  build: (params) => new Pipeline(params as never) as unknown as AnyEstimator,
});

const rounding = { within: 1e-12, because: "sums of the same numbers in another order round differently" };

const solved = { within: 1e-5, because: "an iterative solver stops within its tolerance of the minimum" };

/** Stochastic gradient descent takes one row after the other, in an order drawn from its seed. */
const stochastic = {
  "counts a row of weight 2 like the row twice":
    "a step of twice the size is not two steps at different places",
  "does not depend on the order of the rows":
    "the rows are visited in the order of a seeded shuffle of their numbers",
  "gives the same answers for sparse rows as for dense ones":
    "scikit-learn's rule: the intercept learns a hundred times slower from sparse rows",
};

const early = { earlyStopping: true, validationFraction: 0.2 };

/** partialFit is refused with early stopping. */
const wholeSets = {
  "learns on from the columns of the same names": "partialFit is refused: it never sees all rows",
  "refuses options that do not exist, and says which one was probably meant":
    "partialFit is refused before its options are read",
  "refuses a controller in place of its signal, and no function to tell of progress":
    "partialFit is refused before its options are read",
  "has partialFit exactly if it declares it, and it leaves the model it starts from alone":
    "only without early stopping",
};

/** Folds are made of consecutive rows. */
const inFolds = {
  "counts a row of weight 2 like the row twice": "a row twice moves the borders of the folds",
  "does not depend on the order of the rows": "rows in another order are in other folds",
};

const otherThreshold = {
  "gives probabilities in [0, 1] that sum to 1, the largest for the predicted class":
    "the threshold is not 0.5, which is what it is for",
};

const leaveOneOut = {
  "counts a row of weight 2 like the row twice": "of a row twice, one is left out at a time",
};

function linearSubjects(): Subject[] {
  const iterative = { iterative: true, agreement: solved };
  const direct = { iterative: false, agreement: rounding };
  const tight = { tol: 1e-10, maxIter: 100_000 };
  return [
    subject(linear.LogisticRegression, { ...iterative, precisely: tight }),
    subject(linear.LogisticRegression, {
      name: "LogisticRegression with l1",
      params: { penalty: "l1" },
      ...iterative,
      precisely: tight,
    }),
    subject(linear.LogisticRegressionCV, {
      params: { Cs: 5, cv: 3 },
      ...iterative,
      precisely: tight,
      exceptions: inFolds,
    }),
    subject(linear.SoftmaxRegression, { ...iterative, precisely: tight }),
    subject(linear.LinearSVC, { ...iterative, precisely: tight }),
    subject(linear.LinearSVC, {
      name: "LinearSVC with hinge",
      params: { loss: "hinge" },
      ...iterative,
      precisely: tight,
    }),
    subject(linear.Perceptron, { ...iterative, exceptions: stochastic }),
    subject(linear.SGDClassifier, { ...iterative, exceptions: stochastic }),
    subject(linear.SGDClassifier, {
      name: "SGDClassifier with logLoss",
      params: { loss: "logLoss" },
      ...iterative,
      exceptions: stochastic,
    }),
    subject(linear.SGDClassifier, {
      name: "SGDClassifier that stops early",
      params: early,
      ...iterative,
      exceptions: { ...stochastic, ...wholeSets },
    }),
    subject(linear.Perceptron, {
      name: "Perceptron that stops early",
      params: early,
      ...iterative,
      exceptions: stochastic,
    }),
    subject(linear.LinearClassifier, { ...iterative, precisely: tight }),
    subject(linear.LinearRegression, direct),
    subject(linear.Ridge, direct),
    subject(linear.LinearRegression, {
      name: "LinearRegression with positive",
      params: { positive: true },
      iterative: false,
      agreement: solved,
    }),
    subject(linear.Lasso, {
      name: "Lasso with positive",
      params: { positive: true, alpha: 0.1 },
      ...iterative,
      precisely: { ...tight, positive: true, alpha: 0.1 },
    }),
    subject(linear.RidgeCV, { ...direct, exceptions: leaveOneOut }),
    subject(linear.RidgeCV, {
      name: "RidgeCV by folds",
      params: { cv: 3, alphas: [0.1, 1, 10, 100] },
      ...direct,
      exceptions: inFolds,
    }),
    subject(linear.LassoCV, { ...iterative, precisely: tight, exceptions: inFolds }),
    subject(linear.ElasticNetCV, {
      params: { l1Ratio: [0.3, 0.8], nAlphas: 20 },
      ...iterative,
      precisely: tight,
      exceptions: inFolds,
    }),
    subject(linear.Lasso, { ...iterative, precisely: tight }),
    subject(linear.ElasticNet, { ...iterative, precisely: tight }),
    subject(linear.ConstrainedRidge, { ...iterative, precisely: tight }),
    subject(linear.ConstrainedLasso, { ...iterative, precisely: tight }),
    subject(linear.LinearSVR, { ...iterative, precisely: tight }),
    subject(linear.HuberRegressor, { ...iterative, precisely: tight }),
    subject(linear.PoissonRegressor, { targets: "counts", ...iterative, precisely: tight }),
    subject(linear.SGDRegressor, { ...iterative, exceptions: stochastic }),
    subject(linear.SGDRegressor, {
      name: "SGDRegressor that stops early",
      params: early,
      ...iterative,
      exceptions: {
        ...stochastic,
        ...wholeSets,
        "predicts a constant target almost exactly":
          "R² of a constant is 0 for every model that is not exact: it stops after nIterNoChange epochs, as in scikit-learn",
      },
    }),
    subject(linear.LinearRegressor, { ...iterative, precisely: tight }),
  ];
}

function discriminantSubjects(): Subject[] {
  const direct = {
    iterative: false,
    agreement: {
      within: 1e-11,
      because: "sums in another order, divided by variances a hundred times smaller",
    },
  };
  const { LinearDiscriminantAnalysis: LDA, QuadraticDiscriminantAnalysis: QDA } = discriminant;
  return [
    subject(LDA, direct),
    subject(LDA, { name: "LDA by lsqr, shrunk", params: { solver: "lsqr", shrinkage: "auto" }, ...direct }),
    subject(LDA, { name: "LDA by eigen", params: { solver: "eigen", shrinkage: 0.2 }, ...direct }),
    subject(QDA, direct),
    subject(QDA, { name: "QDA, regularised", params: { regParam: 0.1, storeCovariance: true }, ...direct }),
    subject(QDA, { name: "QDA, tied", params: { tiedCovariance: true }, ...direct }),
  ];
}

function bayesSubjects(): Subject[] {
  const direct = { iterative: false, agreement: rounding };
  const counts = { ...direct, features: "counts" } as const;
  const blocks = [
    { model: "categorical", columns: [2] },
    { model: "multinomial", columns: [0, 3], alpha: 0.5 },
  ];
  return [
    subject(bayes.BernoulliNB, direct),
    subject(bayes.BernoulliNB, {
      name: "BernoulliNB with a threshold below 0 and a Beta prior",
      params: { binarize: -1, alpha: { ones: 1, zeros: 2 }, priorAlpha: 1 },
      ...direct,
    }),
    subject(bayes.MultinomialNB, counts),
    subject(bayes.ComplementNB, counts),
    subject(bayes.ComplementNB, { name: "ComplementNB with norm", params: { norm: true }, ...counts }),
    subject(bayes.CategoricalNB, counts),
    subject(bayes.GaussianNB, direct),
    subject(bayes.MixedNB, { ...counts }),
    subject(bayes.MixedNB, {
      name: "MixedNB with three kinds of columns",
      params: { blocks },
      ...counts,
      exceptions: {
        "does not depend on the order of the columns": "its blocks name columns by their position",
      },
    }),
  ];
}

function encoderSubjects(): Subject[] {
  const exact = { iterative: false, agreement: { within: 0, because: "the same rows have the same codes" } };
  const products = { iterative: false, agreement: rounding };
  const sparseBack = {
    "refuses sparse rows, since it does not declare them":
      "inverseTransform takes what transform gives, which is sparse; fit and transform refuse it (their own tests)",
  };
  const newValues = {
    "stays finite when asked about values far from those it has seen":
      "a value that was not there in fit is an error unless handleUnknown says otherwise",
  };
  const { KBinsDiscretizer, OneHotEncoder, OrdinalEncoder, PolynomialFeatures, ThresholdBinner } =
    preprocessing;
  return [
    subject(preprocessing.Binarizer, exact),
    subject(preprocessing.Binarizer, { name: "Binarizer below 0", params: { threshold: -1 }, ...exact }),
    ...([null, "tanh", "expit"] as const).map((func) =>
      subject(preprocessing.FunctionTransformer, {
        name: `FunctionTransformer${func === null ? "" : ` of ${func}`}`,
        params: { func },
        ...exact,
        exceptions: {
          "works with every choice in its table: finite answers, and the same after saving":
            "log, sqrt and reciprocal are not defined for all numbers, which is an error (its own test)",
        },
      }),
    ),
    subject(preprocessing.Normalizer, products),
    subject(preprocessing.Normalizer, { name: "Normalizer by l1", params: { norm: "l1" }, ...products }),
    subject(PolynomialFeatures, products),
    subject(PolynomialFeatures, {
      name: "PolynomialFeatures of interactions",
      params: { degree: [2, 3], interactionOnly: true, includeBias: false },
      ...products,
      exceptions: {
        "stays finite when asked about values far from those it has seen":
          "products of three numbers of 1e102 do not fit a double, and the error says so (its own test)",
        "stays finite, or says why not, with values of 1e150 and of 1e-150":
          "transform says why not, where the check expects fit to do so (its own test)",
      },
    }),
    subject(preprocessing.SplineTransformer, products),
    subject(preprocessing.SplineTransformer, {
      name: "SplineTransformer at quantiles, periodic",
      params: { knots: "quantile", extrapolation: "periodic", degree: 2, includeBias: false },
      ...products,
      exceptions: {
        "counts a row of weight 2 like the row twice":
          "scikit-learn's rule: quantiles of rows with different weights are rows, those of others are interpolated",
      },
    }),
    subject(KBinsDiscretizer, { ...exact, exceptions: sparseBack }),
    subject(KBinsDiscretizer, {
      name: "KBinsDiscretizer by k-means",
      params: { strategy: "kmeans", encode: "ordinal" },
      ...exact,
    }),
    subject(ThresholdBinner, exact),
    subject(ThresholdBinner, {
      name: "ThresholdBinner, one-hot",
      params: { edges: [-1, 1], encode: "onehot" },
      ...exact,
    }),
    subject(OneHotEncoder, { ...exact, exceptions: { ...sparseBack, ...newValues } }),
    subject(OneHotEncoder, {
      name: "OneHotEncoder that takes what it does not know",
      params: { handleUnknown: "infrequentIfExist", minFrequency: 2, drop: "first" },
      ...exact,
      exceptions: sparseBack,
    }),
    subject(OrdinalEncoder, { ...exact, exceptions: newValues }),
    subject(OrdinalEncoder, {
      name: "OrdinalEncoder that takes what it does not know",
      params: { handleUnknown: "useEncodedValue", unknownValue: -1, encodedMissingValue: -2 },
      ...exact,
    }),
  ];
}

function imputerSubjects(): Subject[] {
  const filled = { iterative: false, agreement: rounding };
  const { KNNImputer, MissingIndicator, SimpleImputer } = preprocessing;
  return [
    subject(MissingIndicator, filled),
    subject(MissingIndicator, {
      name: "MissingIndicator of all columns",
      params: { features: "all" },
      ...filled,
    }),
    subject(KNNImputer, filled),
    subject(KNNImputer, {
      name: "KNNImputer by distance, with indicators",
      params: { nNeighbors: 2, weights: "distance", addIndicator: true },
      ...filled,
    }),
    subject(SimpleImputer, filled),
    subject(SimpleImputer, {
      name: "SimpleImputer of medians, with indicators",
      params: { strategy: "median", addIndicator: true },
      ...filled,
    }),
  ];
}

function composedSubjects(): Subject[] {
  const { ColumnTransformer, FeatureUnion, TableVectorizer } = compose;
  const scaled = { iterative: false, agreement: rounding };
  const byNumber = {
    "does not depend on the order of the columns": "its transformers are given columns by number",
    "stays finite with more columns than rows, with one column and with few rows":
      "its transformers are given columns by number, and some must exist",
    "refuses NaN and infinities, and says where they are":
      "a column that is passed through may have gaps; the others are refused (its own test)",
  };
  const ignores = {
    "refuses a table that lacks a column of fit or has another one, and names it":
      "columns that no transformer takes are dropped, also new ones (its own test)",
  };
  return [
    composedSubject(
      "ColumnTransformer of a remainder",
      { transformers: {}, remainder: new StandardScaler() },
      scaled,
    ),
    composedSubject(
      "ColumnTransformer of two scalers and a passed-through column",
      {
        transformers: { a: [new StandardScaler(), [1, 0]], b: [new MinMaxScaler(), [2]] },
        remainder: "passthrough",
      },
      { ...scaled, exceptions: byNumber },
    ),
    composedSubject(
      "ColumnTransformer that takes gaps",
      { transformers: { numbers: [new preprocessing.SimpleImputer(), "numeric"] } },
      { ...scaled, exceptions: ignores },
    ),
    unionSubject("FeatureUnion of two scalers", {
      transformers: { standard: new StandardScaler(), spread: new MinMaxScaler() },
      transformerWeights: { spread: 2 },
    }),
    unionSubject("FeatureUnion that takes gaps and categories", {
      transformers: {
        filled: new preprocessing.SimpleImputer(),
        codes: new preprocessing.OrdinalEncoder({ handleUnknown: "useEncodedValue", unknownValue: -1 }),
      },
    }),
    subject(TableVectorizer, {
      ...scaled,
      exceptions: {
        ...ignores,
        "works with every choice in its table: finite answers, and the same after saving":
          "with numbers dropped, a table of numbers has nothing to learn from, which is an error (its own test)",
      },
    }),
  ];

  function unionSubject(name: string, given: object): Subject {
    const build = (params: object | null) =>
      new FeatureUnion((params && { ...given, ...params }) as never) as unknown as AnyEstimator;
    return { ...scaled, name, type: FeatureUnion, make: () => build({}), build };
  }

  function composedSubject(
    name: string,
    given: object,
    rest: Omit<Subject, "name" | "type" | "make" | "build">,
  ): Subject {
    const build = (params: object | null) =>
      new ColumnTransformer((params && { ...given, ...params }) as never) as unknown as AnyEstimator;
    return { ...rest, name, type: ColumnTransformer, make: () => build({}), build };
  }
}

function dateSubjects(): Subject[] {
  const { DateParts } = preprocessing;
  const exact = { iterative: false, agreement: { within: 0, because: "the same dates have the same parts" } };
  const exceptions = {
    "stays finite when asked about values far from those it has seen":
      "there are no dates beyond 8.64e15 milliseconds, which is an error (its own test)",
  };
  return [
    subject(DateParts, { ...exact, exceptions }),
    subject(DateParts, {
      name: "DateParts in cycles",
      params: { cyclic: true, parts: ["weekday", "hour", "second"] },
      ...exact,
      exceptions,
    }),
  ];
}

function targetEncoderSubjects(): Subject[] {
  const means = { iterative: false, agreement: rounding, features: "counts" } as const;
  const { TargetEncoder } = preprocessing;
  return [
    subject(TargetEncoder, means),
    subject(TargetEncoder, { name: "TargetEncoder, smoothed", params: { smooth: 5 }, ...means }),
  ];
}

function selectorSubjects(): Subject[] {
  const { SelectFdr, SelectFpr, SelectFwe, SelectKBest, SelectPercentile, VarianceThreshold } =
    featureSelection;
  const exact = { iterative: false, agreement: rounding };
  const byCorrelation = { scoreFunction: "fRegression" };
  const back = {
    "refuses NaN and infinities, and says where they are":
      "inverseTransform takes the columns that are kept, of which there are fewer (its own test)",
  };
  const classes = {
    ...back,
    "works with every choice in its table: finite answers, and the same after saving":
      "fClassif and chi2 require classes, and y are numbers (its own tests)",
    "stays finite with more columns than rows, with one column and with few rows":
      "k columns of fewer are an error that says so (its own test)",
  };
  return [
    subject(VarianceThreshold, exact),
    subject(SelectKBest, { params: { ...byCorrelation, k: 2 }, ...exact, exceptions: classes }),
    subject(SelectKBest, {
      name: "SelectKBest by mutual information",
      params: { scoreFunction: { name: "mutualInfoRegression", nNeighbors: 4 }, k: 2 },
      ...exact,
      exceptions: {
        ...classes,
        "gives the same answers for sparse rows as for dense ones":
          "columns of sparse rows hold categories, those of dense ones are continuous (its own test)",
      },
    }),
    subject(SelectFpr, { params: { ...byCorrelation, alpha: 0.9 }, ...exact, exceptions: classes }),
    subject(SelectFdr, { params: { ...byCorrelation, alpha: 0.9 }, ...exact, exceptions: classes }),
    subject(SelectFwe, { params: byCorrelation, ...exact, exceptions: classes }),
    subject(SelectPercentile, {
      params: { ...byCorrelation, percentile: 50 },
      ...exact,
      exceptions: classes,
    }),
  ];
}

function textSubjects(): Subject[] {
  const counted = { iterative: false, agreement: rounding };
  const sixty = { nFeatures: 60 }; // few enough to be written out densely
  return [
    subject(text.CountVectorizer, counted),
    subject(text.CountVectorizer, {
      name: "CountVectorizer of two words and stop words",
      params: { ngramRange: [1, 2], stopWords: ["data", "fünf"], minDf: 2 },
      ...counted,
    }),
    subject(text.CountVectorizer, {
      name: "CountVectorizer of characters",
      params: { analyzer: "charWb", ngramRange: [1, 3], stripAccents: "unicode" },
      ...counted,
    }),
    subject(text.CountVectorizer, {
      name: "CountVectorizer of a pattern",
      params: { tokenPattern: "[a-zé]+", binary: true, maxFeatures: 20 },
      ...counted,
    }),
    subject(text.CountVectorizer, {
      name: "CountVectorizer of a fixed vocabulary",
      params: { vocabulary: ["model", "code", "日本", "unheard"] },
      ...counted,
    }),
    subject(text.TfidfVectorizer, counted),
    subject(text.TfidfVectorizer, {
      name: "TfidfVectorizer, sublinear",
      params: { sublinearTf: true, norm: "l1", smoothIdf: false },
      ...counted,
    }),
    subject(text.HashingVectorizer, {
      params: sixty,
      ...counted,
      exceptions: {
        "works with every choice in its table: finite answers, and the same after saving":
          "the check takes defaults elsewhere, and a million dense columns; hashing-vectorizer.test.ts has it",
      },
    }),
    subject(text.TfidfTransformer, { features: "counts", ...counted }),
  ];
}

/** Trees, and forests of them. */
function treeSubjects(): Subject[] {
  const grown = {
    iterative: false,
    agreement: { within: 1e-9, because: "sums of the same numbers in another order round differently" },
  };
  const drawn = "which rows and columns a tree draws is a matter of their order";
  const forest = {
    ...grown,
    iterative: true,
    params: { nEstimators: 5 },
    exceptions: {
      "counts a row of weight 2 like the row twice": drawn,
      "does not depend on the order of the rows": drawn,
      "does not depend on the order of the columns": drawn,
      "reports how its fit ended": "trees are grown, not minimised: there is nothing to converge",
    },
  };
  return [
    subject(trees.DecisionTreeClassifier, grown),
    subject(trees.DecisionTreeClassifier, {
      name: "DecisionTreeClassifier by deviance, with few leaves",
      params: { criterion: "entropy", maxLeafNodes: 6 },
      ...grown,
    }),
    subject(trees.DecisionTreeRegressor, grown),
    subject(trees.DecisionTreeRegressor, {
      name: "DecisionTreeRegressor by absolute error",
      params: { criterion: "absoluteError" },
      ...grown,
    }),
    subject(forests.RandomForestClassifier, forest),
    subject(forests.RandomForestRegressor, forest),
    subject(forests.ExtraTreesClassifier, forest),
    subject(forests.ExtraTreesRegressor, forest),
    subject(forests.RandomForestRegressor, {
      ...forest,
      name: "RandomForestRegressor by absolute error",
      params: { ...forest.params, criterion: "absoluteError" },
    }),
    subject(forests.ExtraTreesRegressor, {
      ...forest,
      name: "ExtraTreesRegressor by absolute error",
      params: { ...forest.params, criterion: "absoluteError" },
    }),
  ];
}

/** Kernelised linear methods. */
function kernelisedSubjects(): Subject[] {
  const direct = {
    iterative: false,
    agreement: { within: 1e-8, because: "the same system with its rows in another order" },
  };
  const solved = {
    iterative: true,
    agreement: { within: 1e-6, because: "an iterative solver stops within its tolerance of the minimum" },
    precisely: { tol: 1e-8, maxIter: 10_000 },
  };
  const pivots =
    "which rows span the space, and so its columns, is a matter of their order; products are not";
  const basis = {
    "counts a row of weight 2 like the row twice": pivots,
    "does not depend on the order of the rows": pivots,
  };
  return [
    subject(kernelMethods.KernelRidge, {
      ...direct,
      exceptions: {
        "predicts a constant target almost exactly":
          "it has no intercept unless asked, and is pulled towards 0",
      },
    }),
    subject(kernelMethods.KernelRidge, {
      name: "KernelRidge with an intercept and a polynomial kernel",
      params: { kernel: "poly", degree: 2, coef0: 1, fitIntercept: true, alpha: 0.1 },
      ...direct,
    }),
    subject(kernelMethods.KernelLogisticRegression, solved),
    subject(kernelMethods.KernelFisherDiscriminant, direct),
    subject(kernelMethods.KernelFisherDiscriminant, {
      name: "KernelFisherDiscriminant with a linear kernel, not shrunk",
      params: { kernel: "linear", shrinkage: 0 },
      ...direct,
    }),
    subject(kernelMethods.KernelPerceptron, {
      iterative: true,
      agreement: { within: 1e-8, because: "kernel values round differently" },
      exceptions: {
        "counts a row of weight 2 like the row twice":
          stochastic["counts a row of weight 2 like the row twice"],
        "does not depend on the order of the rows": stochastic["does not depend on the order of the rows"],
      },
    }),
    subject(kernelMethods.KernelMap, { ...direct, exceptions: basis }),
    subject(kernelMethods.KernelMap, {
      name: "KernelMap of a cubic kernel",
      params: { kernel: "poly", coef0: 1 },
      ...direct,
      exceptions: basis,
    }),
    subject(kernelMethods.Nystroem, { params: { nComponents: 8 }, ...direct, exceptions: basis }),
  ];
}

function kernelSubjects(): Subject[] {
  // A machine is not learned step by step but some thousand steps at a time, and small sets are done before the first look.
  const machine = {
    iterative: false,
    agreement: {
      within: 1e-4,
      because: "kernel values are kept in 32 bits, and the descent stops at a violation of 1e-7",
    },
    precisely: { tol: 1e-7 },
  };
  return [
    subject(svm.SVC, { name: "SVC", params: { breakTies: true }, ...machine }),
    subject(svm.SVC, {
      name: "SVC with a linear kernel",
      params: { kernel: "linear", breakTies: true },
      ...machine,
    }),
    subject(svm.SVC, {
      name: "SVC with probabilities",
      params: { probability: true, breakTies: true },
      ...machine,
      exceptions: {
        "gives probabilities in [0, 1] that sum to 1, the largest for the predicted class":
          "they come from machines that had not seen the row (probabilities.test.ts has range, sum and agreement)",
        "counts a row of weight 2 like the row twice":
          "two rows may be held out in different folds, one row of weight 2 in one only",
        "does not depend on the order of the rows":
          "folds are drawn by the rows' numbers, as in scikit-learn; the spread over seeds has a parity test",
      },
    }),
    subject(svm.SVC, { name: "SVC, one against the rest", params: { multiClass: "ovr" }, ...machine }),
    subject(svm.SVR, machine),
  ];
}

function baggingSubjects(): Subject[] {
  const drawn = {
    "does not depend on the order of the rows": "rows are drawn by their numbers",
    "counts a row of weight 2 like the row twice": "two rows are drawn twice as often as one",
  };
  const bag = { iterative: false, agreement: rounding, exceptions: drawn };
  const { BaggingClassifier, BaggingRegressor } = bagging;
  return [
    subject(BaggingClassifier, {
      ...bag,
      exceptions: {
        ...drawn,
        "does not depend on the order of the columns":
          "of equally good questions a tree asks about the first column, and ten drawn trees have many of them",
      },
    }),
    subject(BaggingClassifier, {
      name: "BaggingClassifier of logistic regressions on half of the columns",
      params: {
        estimator: new linear.LogisticRegression(),
        maxFeatures: 0.5,
        maxSamples: 0.8,
        oobScore: true,
        nEstimators: 6,
      },
      ...bag,
      agreement: solved,
      exceptions: {
        ...drawn,
        "does not depend on the order of the columns": "columns are drawn by their numbers",
      },
    }),
    subject(BaggingRegressor, {
      ...bag,
      params: { oobScore: true },
      exceptions: {
        ...drawn,
        "does not depend on the order of the columns":
          "of equally good questions a tree asks about the first column, and ten drawn trees have many of them",
      },
    }),
    subject(BaggingRegressor, {
      name: "BaggingRegressor of ridge regressions",
      params: { estimator: new linear.Ridge(), bootstrap: false, maxSamples: 0.7 },
      ...bag,
    }),
  ];
}

/** Made of other estimators, whose parameters they hold. */
function ensembleSubjects(): Subject[] {
  const stumps = {
    agreement: {
      within: 1e-10,
      because: "row weights round differently, and votes are logarithms of their sums",
    },
  };
  const two = {
    "learns the same whatever the classes are called":
      "a stump names two of three classes, and the check compares names by their rank among those it sees (its own test)",
  };
  const { AdaBoostClassifier, AdaBoostRegressor } = adaboost;
  const drawn = "rows are drawn by their numbers";
  const { DecisionStump } = trees;
  return [
    subject(DecisionStump, { iterative: false, ...stumps, exceptions: two }),
    subject(DecisionStump, {
      name: "DecisionStump by error",
      params: { criterion: "error" },
      iterative: false,
      ...stumps,
      exceptions: two,
    }),
    subject(AdaBoostClassifier, { iterative: true, ...stumps }),
    subject(AdaBoostClassifier, {
      name: "AdaBoostClassifier of naive Bayes",
      params: { estimator: new bayes.GaussianNB(), nEstimators: 5, learningRate: 0.5 },
      iterative: true,
      agreement: { within: 1e-8, because: "rounding of the first member's moments goes through five rounds" },
    }),
    subject(AdaBoostRegressor, {
      params: { nEstimators: 8 },
      iterative: true,
      agreement: { within: 1e-9, because: "members round differently; draws are the same" },
      exceptions: {
        "does not depend on the order of the columns": "of equal splits the first column's is taken",
        "does not depend on the order of the rows": drawn,
        "counts a row of weight 2 like the row twice": drawn,
      },
    }),
    subject(AdaBoostRegressor, {
      name: "AdaBoostRegressor of ridges",
      params: { estimator: new linear.Ridge(), nEstimators: 5, loss: "square", learningRate: 0.5 },
      iterative: true,
      agreement: { within: 1e-9, because: "members round differently; draws are the same" },
      exceptions: {
        "does not depend on the order of the rows": drawn,
        "counts a row of weight 2 like the row twice": drawn,
      },
    }),
    ...baggingSubjects(),
    subject(cascade.Cascade, {
      params: {
        stages: [
          { features: [2], cost: 1, estimator: new bayes.GaussianNB() },
          { features: [0, 3], cost: 5, estimator: new linear.LogisticRegression() },
        ],
        sensitivity: 0.9,
      },
      iterative: false,
      agreement: { within: 0, because: "labels are equal or not" },
      exceptions: {
        "does not depend on the order of the columns": "its stages name columns by their position",
        "does not depend on the order of the rows": "folds are drawn by the numbers of rows",
        "counts a row of weight 2 like the row twice": "two rows may be in two folds, one is not",
      },
    }),
  ];
}

/** Boosted trees on bins. A row of weight 2 is one row of a leaf, so that leaves of one row are compared. */
function histSubjects(): Subject[] {
  const rounds = {
    iterative: true,
    agreement: {
      within: 1e-6,
      because:
        "gradients are whole numbers of a unit that depends on the number of rows, and their rounding adds up over rounds",
    },
    precisely: { minSamplesLeaf: 1, maxIter: 20 },
  };
  const { HistGradientBoostingClassifier: Classifier, HistGradientBoostingRegressor: Regressor } = boosting;
  const needsPositive = {
    "works with every choice in its table: finite answers, and the same after saving":
      "gamma takes positive targets only (hist-gradient-boosting.test.ts has every loss)",
  };
  const heldOut = "rows are held out by their numbers";
  const alike = "of columns that part the rows alike the first is taken";
  return [
    subject(Classifier, rounds),
    subject(Classifier, {
      name: "HistGradientBoostingClassifier that stops early",
      params: { earlyStopping: true, minSamplesLeaf: 5, validationFraction: 0.2, nIterNoChange: 3 },
      iterative: true,
      agreement: rounds.agreement,
      exceptions: {
        "does not depend on the order of the rows": heldOut,
        "counts a row of weight 2 like the row twice": heldOut,
        "does not depend on the order of the columns": alike,
      },
    }),
    subject(Regressor, { ...rounds, exceptions: needsPositive }),
    subject(Regressor, {
      name: "HistGradientBoostingRegressor of counts",
      params: { loss: "poisson", l2Regularization: 1 },
      targets: "counts",
      ...rounds,
      exceptions: { ...needsPositive, "does not depend on the order of the columns": alike },
    }),
  ];
}

const preciseLogistic = (scaler: StandardScaler) =>
  pipeline(scaler, new linear.LogisticRegression({ tol: 1e-10, maxIter: 10_000 })) as unknown as AnyEstimator;

function scalerSubjects(): readonly Subject[] {
  const positive = {
    "works with every choice in its table: finite answers, and the same after saving":
      "boxCox requires positive numbers, which X are not (its own test)",
  };
  const likeliest = { within: 1e-6, because: "λ is found where the likelihood is flat" };
  return [
    subject(StandardScaler, { iterative: false, agreement: rounding }),
    subject(StandardScaler, {
      name: "StandardScaler without centring",
      params: { withMean: false },
      iterative: false,
      agreement: rounding,
    }),
    subject(MinMaxScaler, { iterative: false, agreement: rounding }),
    subject(MinMaxScaler, {
      name: "MinMaxScaler with clipping",
      params: { clip: true, featureRange: [-1, 1] },
      iterative: false,
      agreement: rounding,
    }),
    subject(preprocessing.PowerTransformer, {
      iterative: false,
      agreement: likeliest,
      exceptions: positive,
    }),
    subject(preprocessing.PowerTransformer, {
      name: "PowerTransformer without standardising",
      params: { standardize: false },
      iterative: false,
      agreement: likeliest,
      exceptions: positive,
    }),
    subject(preprocessing.QuantileTransformer, { iterative: false, agreement: rounding }),
    subject(preprocessing.QuantileTransformer, {
      name: "QuantileTransformer to normal, of 20 quantiles",
      params: { outputDistribution: "normal", nQuantiles: 20 },
      iterative: false,
      agreement: rounding,
    }),
    subject(preprocessing.MaxAbsScaler, { iterative: false, agreement: rounding }),
    subject(preprocessing.RobustScaler, { iterative: false, agreement: rounding }),
    subject(preprocessing.RobustScaler, {
      name: "RobustScaler without centring",
      params: { withCentering: false, unitVariance: true, quantileRange: [10, 90] },
      iterative: false,
      agreement: rounding,
    }),
  ];
}

function neighborSubjects(): Subject[] {
  const exact = { iterative: false, agreement: rounding };
  const numbered = {
    "does not depend on the order of the rows":
      "of equally near rows the one with the smaller number is a neighbour, and all columns are whole numbers of 1/64",
  };
  const empty = "a row without neighbours is an error that says so (its own test)";
  const far = {
    "stays finite when asked about values far from those it has seen": empty,
    "has logarithms of probabilities that are those of predictProba, at most 0 and −∞ only where p is 0":
      empty,
  };
  const {
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestCentroid,
    NearestNeighbors,
    RadiusNeighborsClassifier,
    RadiusNeighborsRegressor,
  } = neighbors;
  return [
    subject(KNeighborsClassifier, exact),
    subject(KNeighborsClassifier, {
      name: "KNeighborsClassifier by distance, in a tree",
      params: { weights: "distance", algorithm: "kdTree", leafSize: 3 },
      ...exact,
    }),
    subject(KNeighborsClassifier, {
      name: "KNeighborsClassifier by angle",
      params: { metric: "cosine", nNeighbors: 3 },
      ...exact,
    }),
    subject(KNeighborsRegressor, exact),
    subject(KNeighborsRegressor, {
      name: "KNeighborsRegressor by manhattan, in a ball tree",
      params: { metric: "manhattan", weights: "distance", algorithm: "ballTree", leafSize: 2 },
      ...exact,
    }),
    subject(RadiusNeighborsClassifier, { params: { radius: 30 }, ...exact, exceptions: far }),
    subject(RadiusNeighborsClassifier, {
      name: "RadiusNeighborsClassifier with a class for outliers",
      params: { radius: 4, outlierLabel: "mostFrequent", weights: "distance" },
      ...exact,
    }),
    subject(RadiusNeighborsRegressor, {
      params: { radius: 5, outlierValue: 0 },
      ...exact,
    }),
    subject(NearestNeighbors, {
      ...exact,
      exceptions: {
        ...numbered,
        "stays finite with more columns than rows, with one column and with few rows":
          "fewer rows than nNeighbors are enough for a radius; the k nearest are refused when they are asked for",
      },
    }),
    subject(NearestCentroid, exact),
    subject(NearestCentroid, {
      name: "NearestCentroid, shrunken",
      params: { shrinkThreshold: 0.5 },
      ...exact,
    }),
    subject(NearestCentroid, {
      name: "NearestCentroid of medians",
      params: { metric: "manhattan" },
      ...exact,
    }),
  ];
}

function clusteringSubjects(): readonly Subject[] {
  const { AgglomerativeClustering, DBSCAN, KMeans, MiniBatchKMeans } = clustering;
  const drawn = "its start is drawn by row number, and another start may end in another local minimum";
  const rowsMatter = {
    "does not depend on the order of the rows": drawn,
    "counts a row of weight 2 like the row twice": drawn,
  };
  const given = [
    [-3, 0, 0, -6],
    [3, 1, 3, 6],
    [0, -1, 8, 0],
  ];
  const begun = {
    params: { nClusters: 3, init: given },
    precisely: { nClusters: 3, init: given, tol: 0 },
    iterative: true,
    agreement: rounding,
    exceptions: {
      "does not depend on the order of the columns": "the given centres have columns, too",
    },
  };
  return [
    subject(KMeans, { iterative: true, agreement: rounding, exceptions: rowsMatter }),
    subject(KMeans, { name: "KMeans from given centres", ...begun }),
    subject(KMeans, {
      name: "KMeans from given centres, without bounds",
      ...begun,
      params: { ...begun.params, algorithm: "lloyd" },
      precisely: { ...begun.precisely, algorithm: "lloyd" },
    }),
    subject(MiniBatchKMeans, {
      iterative: true,
      agreement: rounding,
      params: { nClusters: 3, batchSize: 20 },
      precisely: { nClusters: 3, batchSize: 20 },
      exceptions: {
        ...rowsMatter,
        "works when it is cut off after two iterations, and says so":
          "its iterations are batches, and maxIter counts passes over X",
      },
    }),
    subject(DBSCAN, { params: { eps: 6, minSamples: 4 }, iterative: false, agreement: rounding }),
    subject(DBSCAN, {
      name: "DBSCAN by angle",
      params: { eps: 0.05, minSamples: 3, metric: "cosine" },
      iterative: false,
      agreement: rounding,
    }),
    ...(["ward", "complete", "average", "single"] as const).map((linkage) =>
      subject(AgglomerativeClustering, {
        name: `AgglomerativeClustering, ${linkage}`,
        params: { linkage, nClusters: 5 },
        iterative: false,
        agreement: rounding,
      }),
    ),
  ];
}

function pipelineSubjects(): readonly Subject[] {
  return [
    pipelineSubject("Pipeline of two scalers", () => pipeline(new StandardScaler(), new MinMaxScaler()), {
      iterative: false,
      agreement: rounding,
    }),
    pipelineSubject(
      "Pipeline of a scaler and LogisticRegression",
      () => pipeline(new StandardScaler(), new linear.LogisticRegression()),
      {
        iterative: true,
        agreement: solved,
        precise: () => preciseLogistic(new StandardScaler()),
      },
    ),
    pipelineSubject(
      "Pipeline that takes sparse rows",
      () => preciseLogistic(new StandardScaler({ withMean: false })),
      {
        iterative: true,
        agreement: solved,
      },
    ),
    pipelineSubject(
      "Pipeline in a pipeline, with Ridge",
      () =>
        pipeline(
          pipeline(new StandardScaler(), new MinMaxScaler()),
          pipeline(new StandardScaler(), new linear.Ridge()),
        ),
      { iterative: false, agreement: rounding },
    ),
  ];
}

/** A search over an estimator; `given` are its own parameters. */
function searchSubject<T extends EstimatorClass & (new (params: never) => unknown)>(
  type: T,
  name: string,
  given: object,
  rest: Omit<Subject, "name" | "type" | "make" | "build">,
): Subject {
  const build = (params: object | null) =>
    new type((params && { ...given, ...params }) as never) as AnyEstimator;
  return { ...rest, name, type, make: () => build({}), build };
}

function searchSubjects(): readonly Subject[] {
  const bayesian = { estimator: new bayes.GaussianNB(), cv: 3 };
  const byFold = {
    "counts a row of weight 2 like the row twice": "the row and its copy may be in different folds",
    "does not see a class whose rows all weigh 0":
      "folds are made of all rows, so that a model has the class",
    "works with every choice in its table: finite answers, and the same after saving":
      "without refit there is no model, which its own test sees",
    "does not depend on the order of the rows": "folds are made of consecutive rows",
  };
  return [
    searchSubject(
      selection.GridSearch,
      "GridSearch over GaussianNB",
      { ...bayesian, grid: { varSmoothing: [1e-9, 1e-3] } },
      { iterative: false, agreement: rounding, exceptions: byFold },
    ),
    searchSubject(
      selection.GridSearch,
      "GridSearch over GaussianNB by several scorers",
      {
        ...bayesian,
        grid: { varSmoothing: [1e-9, 1e-3] },
        scoring: ["accuracy", "negLogLoss"],
        refit: "negLogLoss",
      },
      { iterative: false, agreement: rounding, exceptions: byFold },
    ),
    searchSubject(
      selection.RandomSearch,
      "RandomSearch over Ridge",
      { estimator: new linear.Ridge(), cv: 3, space: { alpha: [0.1, 1, 10] }, nIter: 2 },
      { iterative: false, agreement: rounding, exceptions: byFold },
    ),
    searchSubject(
      selection.HalvingSearch,
      "HalvingSearch over GaussianNB",
      { ...bayesian, space: { varSmoothing: [1e-9, 1e-3, 1e-2] }, minRows: 20 },
      { iterative: false, agreement: rounding, exceptions: byFold },
    ),
  ];
}

function neuralSubjects(): Subject[] {
  const { CNNClassifier, MLPClassifier, MLPRegressor, NeuralClassifier, NeuralRegressor } = neural;
  const { batchNorm, dense, dropout, TransformerClassifier, ViTClassifier } = neural;
  const shuffled = {
    "counts a row of weight 2 like the row twice":
      "a step of twice the size is not two steps at different places",
    "does not depend on the order of the rows":
      "the rows are visited in the order of a seeded shuffle of their numbers",
  };
  const drawn = {
    "does not depend on the order of the columns": "the first weights are drawn in the order of the columns",
  };
  const whole = {
    "learns on from the columns of the same names": "partialFit is refused: it never sees all rows",
    "refuses options that do not exist, and says which one was probably meant":
      "partialFit is refused before its options are read",
    "refuses a controller in place of its signal, and no function to tell of progress":
      "partialFit is refused before its options are read",
    "has partialFit exactly if it declares it, and it leaves the model it starts from alone":
      "only the stochastic solvers without early stopping have it",
  };
  const unknown = "a token outside the vocabulary is an error";
  const three = "its last layer has three outputs, so that it takes three classes only";
  const threeOutputs = {
    "has a structure that computes the same answers for two classes": three,
    "keeps the type and identity of labels, and sorts its classes": three,
    "gives probabilities in [0, 1] that sum to 1, the largest for the predicted class": three,
    "has logarithms of probabilities that are those of predictProba, at most 0 and −∞ only where p is 0":
      three,
    "does not see a class whose rows all weigh 0": three,
  };
  const trained = {
    iterative: true,
    agreement: { within: 1e-4, because: "weights of 32 bits, whose rounding every epoch doubles" },
    sparsePredictions: { within: 1e-6, because: "sums of 32 bits in another order" },
    exceptions: { ...shuffled, ...drawn },
  };
  const small = { hiddenLayerSizes: [8], maxIter: 60, learningRateInit: 0.02 };
  const small8 = {
    dimensions: 8,
    heads: 2,
    depth: 1,
    feedForwardSize: 8,
    maxIter: 30,
    batchSize: 8,
    optimizer: neural.optimizers.adam({ learningRate: 0.01 }),
  };
  const exact = { hiddenLayerSizes: [3], activation: "tanh", solver: "lbfgs", alpha: 1, maxIter: 3000 };
  const minimum = {
    iterative: true,
    agreement: { within: 1e-3, because: "the minimum is flat, and found within the solver's tolerance" },
    precisely: { tol: 1e-9 },
    exceptions: { ...drawn, ...whole },
  };
  // The other ViT saves and loads with a class token too; all checks take six seconds.
  const classToken = subject(ViTClassifier, {
    name: "ViTClassifier with a class token",
    params: { ...small8, maxIter: 25, pooling: "classToken" },
    ...trained,
  });
  return [
    subject(MLPClassifier, { params: small, ...trained }),
    subject(MLPClassifier, {
      name: "MLPClassifier that stops early",
      params: { ...small, earlyStopping: true, validationFraction: 0.3 },
      ...trained,
      exceptions: { ...shuffled, ...drawn, ...whole },
    }),
    subject(MLPClassifier, {
      name: "MLPClassifier by sgd in 64 bits",
      params: { ...small, solver: "sgd", dtype: "float64", activation: "logistic" },
      ...trained,
    }),
    subject(MLPClassifier, { name: "MLPClassifier by lbfgs", params: exact, ...minimum }),
    subject(MLPRegressor, { params: { ...small, maxIter: 300 }, ...trained }),
    subject(MLPRegressor, { name: "MLPRegressor by lbfgs", params: { ...exact, alpha: 30 }, ...minimum }),
    subject(NeuralClassifier, { params: { maxIter: 20 }, ...trained }),
    subject(NeuralClassifier, {
      name: "NeuralClassifier with dropout, batch norm and squared errors",
      params: {
        layers: [dense(12, { activation: "gelu" }), batchNorm(), dropout(0.2), dense(3)],
        loss: "squaredError",
        optimizer: "rmsProp",
        maxIter: 20,
      },
      ...trained,
      exceptions: { ...shuffled, ...drawn, ...threeOutputs },
    }),
    subject(NeuralRegressor, {
      params: {
        maxIter: 200,
        optimizer: neural.optimizers.adam({ learningRate: 0.01 }),
        loss: "huber",
        alpha: 0.01,
      },
      ...trained,
    }),
    subject(CNNClassifier, {
      params: { filters: [8], hiddenLayerSizes: [16], maxIter: 20, batchSize: 8 },
      ...trained,
    }),
    subject(ViTClassifier, { params: { ...small8, maxIter: 25 }, ...trained }),
    ...(process.env["ARGMAX_DEEP"] ? [classToken] : []),
    subject(TransformerClassifier, {
      features: "counts",
      params: small8,
      ...trained,
      exceptions: {
        ...shuffled,
        ...drawn,
        "has logarithms of probabilities that are those of predictProba, at most 0 and −∞ only where p is 0":
          unknown,
        "stays finite when asked about values far from those it has seen": unknown,
      },
    }),
  ];
}

function mixtureSubjects(): Subject[] {
  const { GaussianMixture, GaussianMixtureClassifier } = mixture;
  const iterative = { iterative: true, agreement: solved };
  const tight = { tol: 1e-11, maxIter: 2000 };
  const start =
    "the likelihood has several maxima, and rows that are drawn from their numbers begin at another one";
  const local = {
    "counts a row of weight 2 like the row twice": start,
    "does not depend on the order of the rows": start,
  };
  return [
    subject(GaussianMixture, { ...iterative, precisely: tight }),
    subject(GaussianMixture, {
      name: "GaussianMixture of two diagonal components",
      params: { nComponents: 2, covarianceType: "diag" },
      ...iterative,
      exceptions: local,
      precisely: tight,
    }),
    subject(GaussianMixtureClassifier, { ...iterative, precisely: tight }),
    subject(GaussianMixtureClassifier, {
      name: "GaussianMixtureClassifier of two tied components per class",
      params: { nComponents: 2, covarianceType: "tied" },
      ...iterative,
      exceptions: local,
      precisely: tight,
    }),
  ];
}

function decompositionSubjects(): Subject[] {
  const { KernelPCA, PCA, TruncatedSVD } = decomposition;
  const spectral = {
    within: 1e-9,
    because: "rounding in the matrix turns eigenvectors by rounding over the gap to the next eigenvalue",
  };
  const exact = { iterative: false, agreement: spectral };
  const fewer = {
    "refuses NaN and infinities, and says where they are":
      "inverseTransform takes scores, of which there are fewer columns than of X (their own tests)",
  };
  const indefinite = {
    "works with every choice in its table: finite answers, and the same after saving":
      "a centred multiquadric matrix has no positive eigenvalue, which is an error (its own test)",
  };
  return [
    subject(PCA, exact),
    subject(PCA, {
      name: "PCA of two whitened components, by the Gram matrix",
      params: { nComponents: 2, whiten: true, svdSolver: "gram" },
      ...exact,
      exceptions: fewer,
    }),
    subject(PCA, {
      name: "PCA, randomised",
      params: { nComponents: 2, svdSolver: "randomized" },
      ...exact,
      exceptions: fewer,
    }),
    subject(TruncatedSVD, { ...exact, exceptions: fewer }),
    subject(TruncatedSVD, {
      name: "TruncatedSVD, exact",
      params: { algorithm: "exact" },
      ...exact,
      exceptions: fewer,
    }),
    subject(KernelPCA, { params: { nComponents: 3 }, ...exact, exceptions: indefinite }),
    subject(KernelPCA, {
      name: "KernelPCA with the linear kernel",
      params: { kernel: "linear", nComponents: 2 },
      ...exact,
      exceptions: indefinite,
    }),
  ];
}

function metaSubjects(): Subject[] {
  const baseline = {
    iterative: false,
    agreement: rounding,
    exceptions: {
      "keeps the type and identity of labels, and sorts its classes": "it predicts one class only",
      "scores by accuracy or R², with weights": "it does not look at X, so its score is low",
    },
  };
  const { DummyClassifier, DummyRegressor } = dummy;
  const direct = { iterative: false, agreement: rounding };
  const classifiers = { bayes: new bayes.GaussianNB(), nearest: new neighbors.NearestCentroid() };
  const regressors = { ridge: new linear.Ridge(), mean: new DummyRegressor() };
  return [
    subject(meta.VotingClassifier, { params: { estimators: classifiers }, ...direct }),
    subject(meta.VotingClassifier, {
      name: "VotingClassifier by probabilities",
      params: {
        estimators: { bayes: new bayes.GaussianNB(), lda: new discriminant.LinearDiscriminantAnalysis() },
        voting: "soft",
        weights: [1, 2],
      },
      ...direct,
    }),
    subject(meta.StackingClassifier, {
      params: { estimators: classifiers, finalEstimator: new bayes.GaussianNB(), cv: 3 },
      iterative: false,
      agreement: rounding,
      exceptions: inFolds,
    }),
    subject(meta.StackingClassifier, {
      name: "StackingClassifier that passes X through",
      params: { estimators: classifiers, cv: 3, passthrough: true },
      iterative: false,
      agreement: solved,
      precisely: { finalEstimator: new linear.LogisticRegression({ tol: 1e-10, maxIter: 100_000 }) },
      exceptions: inFolds,
    }),
    subject(meta.CalibratedClassifier, {
      params: { estimator: new bayes.GaussianNB(), cv: 3 },
      iterative: false,
      agreement: solved,
      exceptions: inFolds,
    }),
    subject(meta.CalibratedClassifier, {
      name: "CalibratedClassifier by isotonic regression, one model",
      params: {
        estimator: new discriminant.LinearDiscriminantAnalysis(),
        cv: 3,
        method: "isotonic",
        ensemble: false,
      },
      iterative: false,
      agreement: solved,
      exceptions: inFolds,
    }),
    subject(meta.CalibratedClassifier, {
      name: "CalibratedClassifier by temperature",
      params: { estimator: new bayes.GaussianNB(), cv: 3, method: "temperature" },
      iterative: false,
      agreement: solved,
      exceptions: inFolds,
    }),
    subject(meta.ThresholdClassifier, {
      params: { estimator: new bayes.GaussianNB(), cv: 3 },
      iterative: false,
      agreement: rounding,
      exceptions: { ...inFolds, ...otherThreshold },
    }),
    subject(meta.ThresholdClassifier, {
      name: "ThresholdClassifier of decision values, with a target",
      params: {
        estimator: new discriminant.LinearDiscriminantAnalysis(),
        cv: 3,
        minRecall: 0.9,
        responseMethod: "decisionFunction",
      },
      iterative: false,
      agreement: rounding,
      exceptions: inFolds,
    }),
    subject(meta.ThresholdClassifier, {
      name: "ThresholdClassifier with a fixed threshold",
      params: { estimator: new bayes.GaussianNB(), threshold: 0.3 },
      ...direct,
      exceptions: otherThreshold,
    }),
    ...multiclassSubjects(direct),
    subject(meta.StackingRegressor, {
      params: { estimators: { ridge: new linear.Ridge(), lasso: new linear.Lasso({ alpha: 0.1 }) }, cv: 3 },
      iterative: false,
      agreement: solved,
      precisely: {
        estimators: {
          ridge: new linear.Ridge(),
          lasso: new linear.Lasso({ alpha: 0.1, tol: 1e-10, maxIter: 100_000 }),
        },
      },
      exceptions: inFolds,
    }),
    subject(meta.VotingRegressor, { params: { estimators: regressors, weights: [3, 1] }, ...direct }),
    subject(meta.TransformedTargetRegressor, {
      params: { regressor: new linear.Ridge(), transformer: new preprocessing.StandardScaler() },
      ...direct,
    }),
    subject(meta.TransformedTargetRegressor, {
      name: "TransformedTargetRegressor of logarithms",
      params: { regressor: new linear.Ridge({ alpha: 100 }), func: "log1p" },
      ...direct,
      targets: "counts",
    }),
    subject(meta.MultiOutputClassifier, { params: { estimator: new bayes.GaussianNB() }, ...direct }),
    subject(meta.MultiOutputRegressor, {
      params: { estimator: new linear.Ridge({ alpha: 0.5 }) },
      ...direct,
    }),
    subject(meta.RegressorChain, { params: { estimator: new linear.LinearRegression(), cv: 3 }, ...direct }),
    subject(DummyClassifier, baseline),
    subject(DummyClassifier, {
      name: "DummyClassifier of the most frequent class",
      params: { strategy: "mostFrequent" },
      ...baseline,
    }),
    subject(DummyRegressor, baseline),
    subject(DummyRegressor, {
      name: "DummyRegressor of the median",
      params: { strategy: "median" },
      ...baseline,
    }),
  ];
}

function isotonicSubjects(): Subject[] {
  const one = {
    iterative: false,
    agreement: rounding,
    features: "single",
    exceptions: {
      "does not depend on the order of the columns": "there is one column to begin with",
      "refuses a table that lacks a column of fit or has another one, and names it":
        "it takes one column; its own tests show this",
    },
  } as const;
  return [
    subject(IsotonicRegression, one),
    subject(IsotonicRegression, {
      name: "IsotonicRegression in the direction of y, with bounds",
      params: { increasing: "auto", yMin: -10, yMax: 10 },
      ...one,
    }),
  ];
}

/** By decision functions and by probabilities. */
function multiclassSubjects(direct: Pick<Subject, "iterative" | "agreement">): Subject[] {
  return [meta.OneVsRestClassifier, meta.OneVsOneClassifier, meta.OutputCodeClassifier].flatMap((type) => [
    subject(type, {
      params: { estimator: new linear.LogisticRegression() },
      iterative: false,
      agreement: solved,
      precisely: { estimator: new linear.LogisticRegression({ tol: 1e-10, maxIter: 100_000 }) },
    }),
    subject(type, {
      name: `${type.id} of probabilities`,
      params: { estimator: new bayes.GaussianNB() },
      ...direct,
    }),
  ]);
}

/** Selectors around a model. */
function wrapperSubjects(): Subject[] {
  const back = {
    "refuses NaN and infinities, and says where they are":
      "inverseTransform takes the columns that are kept, of which there are fewer (its own test)",
  };
  const few = {
    "stays finite with more columns than rows, with one column and with few rows":
      "more columns than there are cannot be kept, which is an error (its own test)",
  };
  const folds = {
    ...inFolds,
  };
  const estimator = new linear.Ridge();
  const direct = { iterative: false, agreement: rounding };
  return [
    searchSubject(
      meta.SelectFromModel,
      "SelectFromModel of Ridge",
      { estimator },
      { ...direct, exceptions: back },
    ),
    searchSubject(
      meta.SelectFromModel,
      "SelectFromModel of a tree",
      { estimator: new trees.DecisionTreeRegressor({ maxDepth: 3 }), threshold: 0, maxFeatures: 2 },
      { ...direct, exceptions: { ...back, ...few } },
    ),
    searchSubject(meta.RFE, "RFE of Ridge", { estimator }, { ...direct, exceptions: back }),
    searchSubject(
      meta.RFECV,
      "RFECV of Ridge",
      { estimator, cv: 3 },
      { ...direct, exceptions: { ...back, ...folds } },
    ),
    searchSubject(
      meta.SequentialFeatureSelector,
      "SequentialFeatureSelector of Ridge",
      { estimator, cv: 3 },
      { ...direct, exceptions: { ...back, ...folds } },
    ),
  ];
}

/** One test file for each, so that they can run side by side. */
export const families = {
  preprocessing: [
    ...scalerSubjects(),
    ...encoderSubjects(),
    ...imputerSubjects(),
    ...targetEncoderSubjects(),
    ...dateSubjects(),
  ],
  compose: composedSubjects(),
  featureSelection: [...selectorSubjects(), ...wrapperSubjects()],
  pipelines: pipelineSubjects(),
  searches: searchSubjects(),
  text: textSubjects(),
  linear: linearSubjects(),
  isotonic: isotonicSubjects(),
  bayes: bayesSubjects(),
  mixture: mixtureSubjects(),
  neighbors: neighborSubjects(),
  neural: neuralSubjects(),
  clustering: clusteringSubjects(),
  decomposition: decompositionSubjects(),
  discriminants: discriminantSubjects(),
  svm: kernelSubjects(),
  kernelMethods: kernelisedSubjects(),
  trees: treeSubjects(),
  ensembles: ensembleSubjects(),
  boosting: histSubjects(),
  meta: metaSubjects(),
} as const satisfies Record<string, readonly Subject[]>;

export const subjects: readonly Subject[] = Object.values(families).flat();
