import {
  AdaBoostClassifier,
  AdaBoostRegressor,
  type Classifier,
  DecisionTreeClassifier,
  DecisionTreeRegressor,
  ElasticNet,
  elasticNet,
  GaussianMixtureClassifier,
  GaussianNB,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  HuberRegressor,
  KernelLogisticRegression,
  KernelRidge,
  KNeighborsClassifier,
  KNeighborsRegressor,
  Lasso,
  LinearClassifier,
  LinearDiscriminantAnalysis,
  LinearRegression,
  LinearRegressor,
  LinearSVC,
  LinearSVR,
  LogisticRegression,
  l2,
  logistic,
  MLPClassifier,
  MLPRegressor,
  modelLabel,
  NearestCentroid,
  newton,
  Perceptron,
  PoissonRegressor,
  proximal,
  QuadraticDiscriminantAnalysis,
  RandomForestClassifier,
  RandomForestRegressor,
  type Regressor,
  Ridge,
  SGDClassifier,
  SGDRegressor,
  SoftmaxRegression,
  SVC,
  SVR,
  squared,
} from "argmax";

export interface Entry<E> {
  /** The id of the estimator, which is shown with the parameters that differ from their defaults; or the parts that it is made of. */
  readonly name: string;
  /** The objective in one line; m is the margin y·(w·x + b), r the residual y − (w·x + b). */
  readonly minimises: string;
  readonly estimator: E;
}

export const classifiers = (randomState: number): readonly Entry<Classifier>[] => [
  {
    name: "LogisticRegression",
    minimises: "C Σ log(1 + e⁻ᵐ) + ½‖w‖²",
    estimator: new LogisticRegression(),
  },
  {
    name: "LogisticRegression",
    minimises: "C Σ log(1 + e⁻ᵐ) + ‖w‖₁",
    estimator: new LogisticRegression({ penalty: "l1" }),
  },
  {
    name: "SoftmaxRegression",
    minimises: "C Σ −log softmax(Wx + b)ᵧ + ½‖W‖²",
    estimator: new SoftmaxRegression(),
  },
  {
    name: "LinearSVC",
    minimises: "C Σ max(0, 1 − m)² + ½‖w‖²",
    estimator: new LinearSVC({ randomState }),
  },
  {
    name: "LinearSVC",
    minimises: "C Σ max(0, 1 − m) + ½‖w‖²",
    estimator: new LinearSVC({ loss: "hinge", randomState }),
  },
  {
    name: "Perceptron",
    minimises: "Σ max(0, −m), one example at a time",
    estimator: new Perceptron({ randomState }),
  },
  {
    name: "SGDClassifier",
    minimises: "mean max(0, 1 − m) + ½α‖w‖²",
    estimator: new SGDClassifier({ randomState }),
  },
  {
    name: "SVC",
    minimises: "½‖w‖² + C Σ max(0, 1 − m), Gaussian kernel",
    estimator: new SVC(),
  },
  {
    name: "KernelLogisticRegression",
    minimises: "½‖w‖² + C Σ log(1 + e⁻ᵐ), Gaussian kernel",
    estimator: new KernelLogisticRegression(),
  },
  {
    name: "GaussianNB",
    minimises: "−Σ log p(x, y), independent normal columns",
    estimator: new GaussianNB(),
  },
  {
    name: "LinearDiscriminantAnalysis",
    minimises: "−Σ log p(x, y), normal classes, one covariance",
    estimator: new LinearDiscriminantAnalysis(),
  },
  {
    name: "QuadraticDiscriminantAnalysis",
    minimises: "−Σ log p(x, y), normal classes",
    estimator: new QuadraticDiscriminantAnalysis({ regParam: 0.01 }),
  },
  {
    name: "GaussianMixtureClassifier",
    minimises: "−Σ log p(x, y), classes of 2 normal clusters each",
    estimator: new GaussianMixtureClassifier({ nComponents: 2, covarianceType: "diag", randomState }),
  },
  {
    name: "KNeighborsClassifier",
    minimises: "nothing: the 5 nearest rows vote",
    estimator: new KNeighborsClassifier(),
  },
  {
    name: "NearestCentroid",
    minimises: "Σ ‖x − μ‖², μ of the row's class",
    estimator: new NearestCentroid(),
  },
  {
    name: "MLPClassifier",
    minimises: "mean −log p + ½α‖W‖², a hidden layer of 100 neurons",
    estimator: new MLPClassifier({ maxIter: 500, randomState }),
  },
  {
    name: "DecisionTreeClassifier",
    minimises: "Σ over leaves N(1 − Σ p²), split by split",
    estimator: new DecisionTreeClassifier({ minSamplesLeaf: 5 }),
  },
  {
    name: "RandomForestClassifier",
    minimises: "Σ N(1 − Σ p²), mean of 100 trees on drawn rows",
    estimator: new RandomForestClassifier({ randomState }),
  },
  {
    name: "AdaBoostClassifier",
    minimises: "Σ e⁻ᵐ, m of weighted votes, 50 stumps one by one",
    estimator: new AdaBoostClassifier({ randomState }),
  },
  {
    name: "HistGradientBoostingClassifier",
    minimises: "mean log(1 + e⁻ᵐ), 100 trees one by one",
    estimator: new HistGradientBoostingClassifier({ randomState }),
  },
  {
    name: "logistic + elasticNet + proximal",
    minimises: "mean log(1 + e⁻ᵐ) + α(½‖w‖₁ + ¼‖w‖²)",
    estimator: new LinearClassifier({ loss: logistic(), penalty: elasticNet(0.01), solver: proximal() }),
  },
  {
    name: "squared + l2 + newton",
    minimises: "mean ½(1 − m)² + ½α‖w‖²",
    estimator: new LinearClassifier({ loss: squared(), penalty: l2(0.01), solver: newton() }),
  },
];

export const regressors = (randomState: number): readonly Entry<Regressor>[] => [
  { name: "LinearRegression", minimises: "Σ r²", estimator: new LinearRegression() },
  { name: "Ridge", minimises: "Σ r² + α‖w‖²", estimator: new Ridge() },
  { name: "Lasso", minimises: "mean ½r² + α‖w‖₁", estimator: new Lasso() },
  { name: "ElasticNet", minimises: "mean ½r² + α(½‖w‖₁ + ¼‖w‖²)", estimator: new ElasticNet() },
  { name: "HuberRegressor", minimises: "Σ Huber(r/σ)σ + nσ + α‖w‖²", estimator: new HuberRegressor() },
  { name: "PoissonRegressor", minimises: "mean eᶻ − yz + ½α‖w‖²", estimator: new PoissonRegressor() },
  { name: "LinearSVR", minimises: "C Σ max(0, |r| − ε) + ½‖w‖²", estimator: new LinearSVR({ randomState }) },
  { name: "SVR", minimises: "C Σ max(0, |r| − ε) + ½‖w‖², Gaussian kernel", estimator: new SVR({ C: 100 }) },
  {
    name: "KernelRidge",
    minimises: "Σ r² + α‖w‖², Gaussian kernel",
    estimator: new KernelRidge({ alpha: 1, fitIntercept: true }),
  },
  {
    name: "KNeighborsRegressor",
    minimises: "nothing: the mean of the 5 nearest rows",
    estimator: new KNeighborsRegressor(),
  },
  {
    name: "MLPRegressor",
    minimises: "mean ½r² + ½α‖W‖², a hidden layer of 100 neurons",
    estimator: new MLPRegressor({ solver: "lbfgs", alpha: 1, randomState }),
  },
  {
    name: "DecisionTreeRegressor",
    minimises: "Σ r² around the mean of each leaf, split by split",
    estimator: new DecisionTreeRegressor({ minSamplesLeaf: 5 }),
  },
  {
    name: "RandomForestRegressor",
    minimises: "Σ r² in leaves, mean of 100 trees on drawn rows",
    estimator: new RandomForestRegressor({ randomState }),
  },
  {
    name: "AdaBoostRegressor",
    minimises: "nothing as a whole: 50 trees of depth 3 on rows drawn by their residuals",
    estimator: new AdaBoostRegressor({ randomState }),
  },
  {
    name: "HistGradientBoostingRegressor",
    minimises: "mean ½r², 100 trees one by one",
    estimator: new HistGradientBoostingRegressor({ randomState }),
  },
  { name: "SGDRegressor", minimises: "mean ½r² + ½α‖w‖²", estimator: new SGDRegressor({ randomState }) },
  {
    name: "squared + l2 + newton",
    minimises: "mean ½r² + ½α‖w‖²",
    estimator: new LinearRegressor({ loss: squared(), penalty: l2(0.1), solver: newton() }),
  },
];

/** What is shown of a model: `DecisionTreeClassifier (minSamplesLeaf 5)`. */
export const labelOf = ({ name, estimator }: Entry<object>): string =>
  name === (estimator as { readonly id?: string }).id ? modelLabel(name, estimator) : name;
