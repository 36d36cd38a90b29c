/**
 * The promises of the form "this does not compile". Nothing here runs: the compiler is the test, and it complains when
 * a line marked @ts-expect-error is fine after all.
 */
import { Worker as NodeWorker } from "node:worker_threads";
import {
  AdaBoostClassifier,
  AgglomerativeClustering,
  absolute,
  accuracyScore,
  background,
  CountVectorizer,
  coordinateDescent,
  crossValidate,
  crossValScore,
  DBSCAN,
  DecisionTreeClassifier,
  dualCoordinateDescent,
  ElasticNet,
  elasticNet,
  type FittedRidge,
  FunctionTransformer,
  GridSearch,
  HalvingSearch,
  HistGradientBoostingRegressor,
  hinge,
  huber,
  KNeighborsClassifier,
  kernelize,
  kernels,
  Lasso,
  LinearClassifier,
  LinearDiscriminantAnalysis,
  LinearRegressor,
  LinearSVC,
  LogisticRegression,
  l1,
  l2,
  lbfgs,
  loadClassifier,
  loadModel,
  logistic,
  MultinomialNB,
  MultiOutputClassifier,
  MultiOutputRegressor,
  NearestCentroid,
  newton,
  OneHotEncoder,
  OneVsRestClassifier,
  OrdinalEncoder,
  Perceptron,
  pipeline,
  proximal,
  RandomForestClassifier,
  RegressorChain,
  RFE,
  Ridge,
  SelectFdr,
  SelectFromModel,
  SGDClassifier,
  StackingClassifier,
  StandardScaler,
  SVC,
  saveModel,
  squared,
  Table,
  ThresholdClassifier,
  trainTestSplit,
  withParams,
} from "argmax";
import { dense, NeuralClassifier, neuron, optimizers } from "argmax/neural";
import { grad, multiply, sum, type Tensor } from "argmax/neural/autodiff";

const X = [
  [1, 2],
  [3, 4],
];
const y = ["no", "yes"] as const;

export function unfittedModelsCannotPredict() {
  // @ts-expect-error: predict belongs to what fit returns
  new LogisticRegression().predict(X);
  // @ts-expect-error
  new Ridge().coef;
  // @ts-expect-error
  new StandardScaler().transform(X);
  // @ts-expect-error: there is nothing to save yet
  saveModel(new Ridge());
  // @ts-expect-error
  pipeline(new StandardScaler(), new Ridge()).predict(X);
}

export function parametersAreChecked() {
  // @ts-expect-error: the name is scikit-learn's C
  new LogisticRegression({ c: 0.5 });
  // @ts-expect-error: unknown
  new Ridge({ lambda: 1 });
  // @ts-expect-error: a number
  new LogisticRegression({ C: "0.5" });
  // @ts-expect-error: not one of the choices
  new LogisticRegression({ penalty: "l3" });
  // @ts-expect-error
  new LogisticRegression().fit(X, y, { sampleweight: [1, 2] });
}

export function inputIsNumbers() {
  // @ts-expect-error: features are numbers
  new LogisticRegression().fit([["1", "2"]], y);
  // @ts-expect-error: rows of numbers, not numbers
  new LogisticRegression().fit([1, 2, 3], y);
  // @ts-expect-error: targets of a regression are numbers
  new Ridge().fit(X, y);
  // @ts-expect-error: labels are strings, numbers or booleans
  new LogisticRegression().fit(X, [null, undefined]);
  // @ts-expect-error: fit needs y
  new LogisticRegression().fit(X);
}

export function modelsAreReadOnly() {
  const model = new LogisticRegression().fit(X, y);
  // @ts-expect-error
  model.coef = new LogisticRegression().fit(X, y).coef;
  // @ts-expect-error
  model.classes.push("maybe");
  const estimator = new LogisticRegression();
  // @ts-expect-error
  estimator.params.C = 2;
}

export function probabilitiesOnlyWhereThereAreSome() {
  // @ts-expect-error: a margin is not a probability
  new Perceptron().fit(X, y).predictProba(X);
  // @ts-expect-error
  new LinearSVC().fit(X, y).predictProba(X);
  // @ts-expect-error
  new LinearClassifier({ loss: hinge() }).fit(X, y).predictProba(X);
  // @ts-expect-error
  pipeline(new StandardScaler(), new LinearSVC()).fit(X, y).predictProba(X);
  // @ts-expect-error: nor is there one to reject by
  new LinearSVC().fit(X, y).predict(X, { minProba: 0.9 });
  // @ts-expect-error: proportions in a leaf are not margins
  new DecisionTreeClassifier().fit(X, y).predict(X, { minMargin: 1 });
  // @ts-expect-error: a number is never rejected
  new Lasso().fit(X, [1, 2]).predict(X, { minMargin: 1 });
  // @ts-expect-error: a rejected row has no label
  const labels: (typeof y)[number][] = new LinearSVC().fit(X, y).predict(X, { minMargin: 1 });
  // @ts-expect-error: misspelt
  labels.push(...new SVC().fit(X, y).predict(X, { treshold: 1 }));
  // @ts-expect-error: a regression has no classes
  new Lasso().fit(X, [1, 2]).classes;
}

export function illegalCombinationsOfParts() {
  // @ts-expect-error: Newton needs curvature, the hinge has none
  new LinearClassifier({ loss: hinge(), penalty: l2(1), solver: newton() });
  // @ts-expect-error: L-BFGS needs a gradient everywhere, l1 has a kink at 0
  new LinearClassifier({ loss: logistic(), penalty: l1(1), solver: lbfgs() });
  // @ts-expect-error
  new LinearClassifier({ loss: logistic(), penalty: elasticNet(1, 0.5), solver: newton() });
  // @ts-expect-error: the dual of the logistic loss is not a box
  new LinearClassifier({ loss: logistic(), penalty: l2(1), solver: dualCoordinateDescent() });
  // @ts-expect-error: the dual needs the strongly convex l2
  new LinearClassifier({ loss: hinge(), penalty: l1(1), solver: dualCoordinateDescent() });
  // @ts-expect-error: the absolute loss is not smooth
  new LinearRegressor({ loss: absolute(), penalty: l2(1), solver: lbfgs() });
  // @ts-expect-error: a loss of numbers in a classifier
  new LinearClassifier({ loss: huber(), penalty: l2(1), solver: lbfgs() });
  // @ts-expect-error: a loss of classes in a regressor
  new LinearRegressor({ loss: logistic(), penalty: l2(1), solver: lbfgs() });
}

export function legalCombinationsOfParts() {
  new LinearClassifier({ loss: logistic(), penalty: l2(1), solver: newton() });
  new LinearClassifier({ loss: logistic(), penalty: l1(1), solver: proximal() });
  new LinearClassifier({ loss: hinge(), penalty: l2(1), solver: dualCoordinateDescent() });
  new LinearRegressor({ loss: squared(), penalty: l1(1), solver: coordinateDescent() });
  new LinearRegressor({ loss: huber(), penalty: l2(1), solver: lbfgs() });
}

export function illegalPairsOfParameters() {
  // @ts-expect-error: Newton needs a gradient everywhere, l1 has a kink at 0
  new LogisticRegression({ penalty: "l1", solver: "newton" });
  // @ts-expect-error
  new LogisticRegression({ solver: "lbfgs", penalty: "elasticnet" });
  // @ts-expect-error: no solver minimises the hinge with an l1 penalty
  new LinearSVC({ loss: "hinge", penalty: "l1" });
  // @ts-expect-error: trees cannot search by the Jaccard distance
  new DBSCAN({ metric: "jaccard", algorithm: "ballTree" });
  // @ts-expect-error: ward is about means
  new AgglomerativeClustering({ metric: "cosine" });
  // @ts-expect-error: standard errors are of means, not of medians
  new NearestCentroid({ metric: "manhattan", shrinkThreshold: 1 });
  // @ts-expect-error: which quantile?
  new HistGradientBoostingRegressor({ loss: "quantile" });
  // @ts-expect-error: which value?
  new OrdinalEncoder({ handleUnknown: "useEncodedValue" });
  // @ts-expect-error: svd computes no covariance
  new LinearDiscriminantAnalysis({ shrinkage: 0.5 });
}

export function legalPairsOfParameters() {
  new LogisticRegression({ penalty: "l1", solver: "proximal" });
  new LogisticRegression({ penalty: "none", solver: "newton" });
  new LogisticRegression({ solver: "newton", C: 2 });
  new LinearSVC({ loss: "hinge" });
  new LinearSVC({ penalty: "l1" });
  new DBSCAN({ metric: "cosine", algorithm: "brute" });
  new DBSCAN({ algorithm: "kdTree" });
  new AgglomerativeClustering({ metric: "cosine", linkage: "average", nClusters: 3 });
  new NearestCentroid({ shrinkThreshold: 1 });
  new HistGradientBoostingRegressor({ loss: "quantile", quantile: 0.9 });
  new OrdinalEncoder({ handleUnknown: "useEncodedValue", unknownValue: -1 });
  new LinearDiscriminantAnalysis({ solver: "lsqr", shrinkage: 0.5 });
  const { params } = new LogisticRegression({ penalty: "l1" });
  new LogisticRegression({ ...params, C: 2 });
  new DBSCAN({ ...new DBSCAN().params, eps: 3 });
  const either = (penalty: "l1" | "l2") => new LogisticRegression({ penalty });
  return either("l1");
}

/** Options that come from elsewhere are often `number | undefined`. */
export function undefinedIsTheDefault(maxDepth: number | undefined, option: boolean | undefined) {
  new DecisionTreeClassifier({ maxDepth });
  new RandomForestClassifier({ maxDepth, bootstrap: option });
  new LogisticRegression({ penalty: undefined, solver: undefined, C: maxDepth });
  new SVC({ probability: option });
  new LinearClassifier({ loss: undefined, penalty: undefined, solver: undefined });
  new OneHotEncoder({ sparseOutput: option });
  new AdaBoostClassifier({ estimator: undefined, nEstimators: maxDepth });
  lbfgs({ memory: maxDepth });
  dense(3, { activation: undefined });
  optimizers.adam({ learningRate: maxDepth });
  crossValidate(new LogisticRegression(), X, y, { cv: maxDepth, returnModels: option, scoring: undefined });
  new LogisticRegression().fit(X, y, { sampleWeight: undefined, signal: undefined, onProgress: undefined });
  trainTestSplit(X, y, { testSize: maxDepth, stratify: undefined });
  kernels.rbf({ gamma: maxDepth });
  // @ts-expect-error: null is not a default
  new LogisticRegression({ C: null });
}

export function pipelines() {
  // @ts-expect-error: a classifier is not a transformer, so it can only come last
  pipeline(new LogisticRegression(), new StandardScaler());
  // @ts-expect-error: a regression's targets are numbers, through a pipeline too
  pipeline(new StandardScaler(), new ElasticNet()).fit(X, y);
  // @ts-expect-error: a kernelised regression's targets are numbers
  kernelize(new Ridge()).fit(X, y);
  // @ts-expect-error: hinge losses have no probabilities, in any space
  kernelize(new LinearSVC()).fit(X, y).predictProba(X);
  // @ts-expect-error: a pipeline of transformers predicts nothing
  pipeline(new StandardScaler(), new StandardScaler()).fit(X).predict(X);
}

export function labels() {
  const model = new LogisticRegression().fit(X, y);
  // @ts-expect-error: "maybe" was never seen
  model.score(X, ["no", "maybe"]);
  const predictions = model.predict(X);
  // @ts-expect-error: "maybe" cannot come out
  predictions.includes("maybe");
  // @ts-expect-error: numbers and strings are never equal
  accuracyScore([1, 0], predictions);
}

export function documents() {
  // @ts-expect-error: a string is not a list of documents
  new CountVectorizer().fit("one text");
  const model = pipeline(new CountVectorizer(), new MultinomialNB()).fit(["a", "b"], y);
  // @ts-expect-error
  model.predict("one text");
}

export async function inTheBackground() {
  // @ts-expect-error: it is a promise
  background(new Ridge()).fit(X, [1, 2]).coef;
  // @ts-expect-error: the same y as here
  await background(new Ridge()).fit(X, y);
  // @ts-expect-error
  await background(new SGDClassifier()).fit(X);
  const model = await background(new LogisticRegression()).fit(X, y);
  // @ts-expect-error
  model.predict(X).includes("maybe");
}

/** Types of the platform are accepted by their members, so that the declarations do not need them. */
export function signalsAndWorkersOfThePlatform() {
  const { signal } = new AbortController();
  new LogisticRegression().fit(X, y, { signal });
  crossValidate(new LogisticRegression(), X, y, { signal: AbortSignal.timeout(1000) });
  background(new LogisticRegression(), { worker: () => new Worker("worker.js") });
  background(new LogisticRegression(), { worker: () => new NodeWorker("worker.js") });
  // @ts-expect-error: the controller is not a signal
  new LogisticRegression().fit(X, y, { signal: new AbortController() });
  // @ts-expect-error
  background(new LogisticRegression(), { worker: () => "worker.js" });
}

export function scorersAndLoaders(bytes: Uint8Array) {
  // @ts-expect-error: a score is a number
  crossValidate(new Ridge(), X, [1, 2], { scoring: () => "good" });
  // @ts-expect-error: a ridge regression has no classes
  crossValidate(new Ridge(), X, [1, 2], { scoring: (model) => model.classes.length });
  // @ts-expect-error: nor is a classifier's model one
  crossValidate(new LogisticRegression(), X, y, { scoring: (model: FittedRidge) => model.score(X, [1]) });
  // @ts-expect-error: several scores are by name
  crossValidate(new Ridge(), X, [1, 2], { scoring: ["r2", "negMaxError"] }).testScore[0];
  // @ts-expect-error: nobody asked for it
  crossValidate(new Ridge(), X, [1, 2], { scoring: ["r2"] }).testScore.negMaxError;
  // @ts-expect-error: no such scorer
  crossValidate(new Ridge(), X, [1, 2], { scoring: ["rSquared"] });
  // @ts-expect-error: a ridge regression has no classes, among several scorers too
  crossValidate(new Ridge(), X, [1, 2], { scoring: { mine: (model) => model.classes.length } });
  // @ts-expect-error: one score per fold
  crossValScore(new Ridge(), X, [1, 2], { scoring: ["r2"] });
  const ridge = { estimator: new Ridge(), grid: { alpha: [1, 2] } };
  // @ts-expect-error: one of the scorers must choose
  new GridSearch({ ...ridge, scoring: ["r2", "negMaxError"] });
  // @ts-expect-error: not both of them
  new GridSearch({ ...ridge, scoring: ["r2", "negMaxError"], refit: true });
  // @ts-expect-error: not another one
  new GridSearch({ ...ridge, scoring: ["r2", "negMaxError"], refit: "accuracy" });
  // @ts-expect-error: one scorer has no name
  new GridSearch({ ...ridge, scoring: "r2", refit: "r2" });
  // @ts-expect-error: no such scorer
  new GridSearch({ ...ridge, scoring: ["rSquared"], refit: false });
  // @ts-expect-error: a ridge regression has no classes
  new GridSearch({ ...ridge, scoring: { mine: (model) => model.classes.length }, refit: "mine" });
  // @ts-expect-error: nobody asked for it
  new GridSearch({ ...ridge, scoring: ["r2"], refit: "r2" }).fit(X, [1, 2]).results.candidates[0]?.rank.r3;
  // @ts-expect-error: halving is by one scorer
  new HalvingSearch({ estimator: new Ridge(), space: { alpha: [1, 2] }, scoring: ["r2"] });
  // @ts-expect-error: "cow" is not among the labels stated
  loadClassifier<"cat" | "dog">(bytes).predict(X).includes("cow");
  const loaded = loadModel(bytes, LogisticRegression, { classes: ["cat", "dog"] });
  // @ts-expect-error
  loaded.predict(X).includes("cow");
  // @ts-expect-error: labels are strings, numbers or booleans
  loadClassifier(bytes, { classes: [null] });
}

export function neighbours() {
  const model = new KNeighborsClassifier().fit(X, y);
  const label: "yes" | "no" = model.explain([1, 2])[0]!.label;
  // @ts-expect-error: "maybe" was never seen
  model.predict(X).includes("maybe");
  // @ts-expect-error: a row is a list of numbers
  model.explain("row");
  // @ts-expect-error: no such metric
  new KNeighborsClassifier({ metric: "euclid" });
  new KNeighborsClassifier({ metric: (a, b) => Math.abs(a[0]! - b[0]!), weights: (d) => 1 / (1 + d) });
  return label;
}

export function withoutTargets() {
  new StandardScaler().fit(X, { sampleWeight: [1, 2] });
  new StandardScaler().fit(X, y, { sampleWeight: [1, 2] });
  // @ts-expect-error: no such option
  new StandardScaler().fit(X, { sampleWeights: [1, 2] });
  const scoring = () => 1;
  crossValidate(new StandardScaler(), X, { cv: 2, scoring });
  // @ts-expect-error: a classifier needs y
  crossValidate(new LogisticRegression(), X, { cv: 2 });
  background(new StandardScaler()).fit(X, { sampleWeight: [1, 2] });
}

export function tables() {
  const people = Table.fromColumns({ age: [31, 45], city: ["Oslo", "Rome"] });
  // @ts-expect-error: columns are numbers or names
  new DecisionTreeClassifier({ categoricalFeatures: [true] });
  // @ts-expect-error: one column is a list too
  new DecisionTreeClassifier({ categoricalFeatures: "city" });
  const model = new DecisionTreeClassifier().fit(people, y);
  // @ts-expect-error: no such column
  people.column("town");
  // @ts-expect-error
  people.select(["age", "town"]);
  // @ts-expect-error: targets of a regression are numbers
  new Ridge().fit(X, people.column("city"));
  // @ts-expect-error: "Bern" was never seen
  new LogisticRegression().fit(X, people.column("city")).score(X, ["Bern", "Oslo"]);
  // @ts-expect-error: rows of cells are not a table
  model.predict([[31, "Oslo"]]);
}

export function networks() {
  // @ts-expect-error: an untrained network has no predict
  new NeuralClassifier({ layers: dense(1) }).predict(X);
  // @ts-expect-error: no such activation
  dense(3, { activation: "logistic" });
  // @ts-expect-error: a layer has a number of units
  dense("3");
  // @ts-expect-error: no such optimizer
  new NeuralClassifier({ optimizer: "adagrad" });
  // @ts-expect-error: adam has no momentum
  optimizers.adam({ momentum: 0.9 });
  // @ts-expect-error: layers, not sizes
  new NeuralClassifier({ layers: [10, 3] });
  // @ts-expect-error: weights are required
  neuron({ bias: 1 });
  const gradient = grad((a: Tensor, b: Tensor) => sum(multiply(a, b)));
  // @ts-expect-error: a gradient takes as many arguments as its function
  gradient([1]);
  // @ts-expect-error: a gradient is that of a tensor
  grad((a: Tensor) => a.size);
}

export function selectors() {
  // @ts-expect-error: there is no default estimator
  new SelectFromModel({ threshold: "mean" });
  const steps = pipeline(
    ["select", new RFE({ estimator: new LogisticRegression() })],
    ["classify", new LogisticRegression()],
  );
  // @ts-expect-error: the estimator inside has no alpha
  withParams(steps, { "select.estimator.alpha": 1 });
  // @ts-expect-error: a prefit selector takes a fitted model
  SelectFromModel.prefit(new LogisticRegression());
  // @ts-expect-error: no such function
  new FunctionTransformer({ func: "log3" });
  // @ts-expect-error: a model of dense rows gives no sparse ones
  new FunctionTransformer({ func: "log1p" }).fitTransform(X).indptr;
  // @ts-expect-error: mutual information has no p-values to select by
  new SelectFdr({ scoreFunction: "mutualInfoClassif" });
}

export function wrappers() {
  const labels = ["a", "b"];
  const estimator = new LinearSVC();
  // @ts-expect-error: classifiers without probabilities give none
  new OneVsRestClassifier({ estimator }).fit(X, labels).predictProba(X);
  // @ts-expect-error: a threshold of decision values has no probabilities
  new ThresholdClassifier({ estimator, threshold: 0 }).fit(X, labels).predictProba(X);
  // @ts-expect-error: nor has one of a classifier with probabilities
  new ThresholdClassifier({ responseMethod: "decisionFunction" }).fit(X, labels).predictProba(X);
  // @ts-expect-error: a threshold of probabilities has no decision function
  new ThresholdClassifier().fit(X, labels).decisionFunction(X);
  const stack = new StackingClassifier({ estimators: { svm: estimator }, finalEstimator: estimator });
  // @ts-expect-error: the final classifier has no probabilities
  stack.fit(X, labels).predictProba(X);
  // @ts-expect-error: a classifier of numbers reads no documents, nor does what is made of it
  new OneVsRestClassifier({ estimator }).fit(["some text"], labels);
}

export function outputs() {
  // @ts-expect-error: a regressor of several targets is made of a regressor
  new MultiOutputRegressor({ estimator: new LogisticRegression() });
  // @ts-expect-error: a classifier of several outputs is made of a classifier
  new MultiOutputClassifier({ estimator: new Ridge() });
  // @ts-expect-error: an order is a list, or "random"
  new RegressorChain({ order: "reverse" });
  // @ts-expect-error: targets of a regression are numbers
  new MultiOutputRegressor().fit(X, [["a", "b"]]);
}
