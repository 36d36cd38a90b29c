/** A kind of model; `complexity` orders the kinds from the simplest on. */
export interface ModelKind {
  readonly complexity: number;
  /** As a sentence has it: "a linear model". */
  readonly label: string;
}

/**
 * What is the simplest explanation of a prediction: nothing, a weight per column, a distribution per class, a path of questions, the rows
 * that are near, or many of these. Estimators of a kind count as equally simple. A test holds the registry to this table.
 */
const kinds: readonly (readonly [label: string, ids: string])[] = [
  ["a constant", "DummyClassifier DummyRegressor"],
  [
    "a linear model",
    `LinearRegression Ridge RidgeCV Lasso LassoCV ElasticNet ElasticNetCV HuberRegressor PoissonRegressor ConstrainedRidge
     ConstrainedLasso LogisticRegression LogisticRegressionCV SoftmaxRegression LinearSVC LinearSVR LinearClassifier LinearRegressor
     Perceptron SGDClassifier SGDRegressor IsotonicRegression DecisionStump`,
  ],
  [
    "a distribution per class",
    `GaussianNB BernoulliNB MultinomialNB ComplementNB CategoricalNB MixedNB NearestCentroid LinearDiscriminantAnalysis
     QuadraticDiscriminantAnalysis GaussianMixtureClassifier`,
  ],
  ["a tree", "DecisionTreeClassifier DecisionTreeRegressor"],
  [
    "a model of stored rows",
    `KNeighborsClassifier KNeighborsRegressor RadiusNeighborsClassifier RadiusNeighborsRegressor SVC SVR KernelRidge
     KernelLogisticRegression KernelPerceptron KernelFisherDiscriminant`,
  ],
  [
    "an ensemble or a network",
    `RandomForestClassifier RandomForestRegressor ExtraTreesClassifier ExtraTreesRegressor BaggingClassifier BaggingRegressor
     AdaBoostClassifier AdaBoostRegressor HistGradientBoostingClassifier HistGradientBoostingRegressor VotingClassifier
     VotingRegressor StackingClassifier StackingRegressor Cascade MLPClassifier MLPRegressor NeuralClassifier NeuralRegressor
     CNNClassifier ViTClassifier TransformerClassifier`,
  ],
];

const declared: ReadonlyMap<string, ModelKind> = new Map(
  kinds.flatMap(([label, ids], complexity) =>
    ids.split(/\s+/).map((id) => [id, Object.freeze({ complexity, label })] as const),
  ),
);

/** An estimator that is not of the library may be anything: the most complex kind. */
export const undeclared: ModelKind = Object.freeze({
  complexity: kinds.length,
  label: "a model of undeclared simplicity",
});

/** The kind of an estimator: that of the last step of a pipeline, and of the estimator inside one that calibrates, searches or has several outputs. */
export function kindOf(estimator: object): ModelKind {
  const { id, params } = lastStep(estimator) as Parametric;
  const found = typeof id === "string" ? declared.get(id) : undefined;
  if (found !== undefined) return found;
  const inner = params?.estimator;
  return typeof inner === "object" && inner !== null ? kindOf(inner) : undeclared;
}

interface Parametric {
  readonly id?: unknown;
  readonly params?: {
    readonly steps?: readonly unknown[];
    readonly regressor?: unknown;
    readonly estimator?: unknown;
  };
}

/** The model itself: without the steps of a pipeline before it, and without the transformation of its targets. */
export function lastStep(estimator: object): object {
  const { params } = estimator as Parametric;
  const last = params?.steps?.at(-1) ?? params?.regressor;
  const step = Array.isArray(last) ? last[1] : last;
  return typeof step === "object" && step !== null ? lastStep(step) : estimator;
}
