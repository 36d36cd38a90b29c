import {
  AgglomerativeClustering,
  CalibratedClassifier,
  calibrationCurve,
  confusionMatrix,
  DecisionTreeClassifier,
  decisionBoundary,
  explain,
  type FittedProbabilisticClassifier,
  GaussianNB,
  HistGradientBoostingRegressor,
  KNeighborsClassifier,
  LogisticRegression,
  learningCurve,
  type Matrix,
  makeClassification,
  makeMoons,
  partialDependence,
  permutationImportance,
  pipeline,
  precisionRecallCurve,
  RandomForestClassifier,
  rocCurve,
  StandardScaler,
  SVC,
  trainTestSplit,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import {
  barPlot,
  beeswarmPlot,
  calibrationPlot,
  confusionMatrixPlot,
  decisionBoundaryPlot,
  dendrogramPlot,
  learningCurvePlot,
  partialDependencePlot,
  prPlot,
  rocPlot,
  treePlot,
} from "argmax/plot";

/** The figures of docs/guide/inspection.md. */

const diabetes = async () => {
  const { X, y, featureNames } = await loadDataset("diabetes");
  const estimator = new HistGradientBoostingRegressor({ maxIter: 40, learningRate: 0.1 });
  const model = estimator.fit(X, y);
  return { X, y, featureNames, model };
};

async function importances(): Promise<string> {
  const { X, y, featureNames } = await loadDataset("wine");
  const { train, test } = trainTestSplit(X, y, { testSize: 0.4, stratify: true, randomState: 2 });
  const estimator = new RandomForestClassifier();
  const model = estimator.fit(train.X, train.y);
  const found = permutationImportance(model, test.X, test.y, { nRepeats: 20, featureNames });
  return barPlot(found, { title: "Permutation importance in wine", label: "Fall of the accuracy" });
}

async function contributions(): Promise<string> {
  const { X, featureNames, model } = await diabetes();
  const some = X.selectRows(Array.from({ length: 140 }, (_, i) => 3 * i));
  return beeswarmPlot(explain(model, some, { featureNames }), some, {
    title: "Contributions to the progress of diabetes",
  });
}

async function dependence(): Promise<string> {
  const { X, featureNames, model } = await diabetes();
  const some = X.selectRows(Array.from({ length: 60 }, (_, i) => 7 * i));
  const found = partialDependence(model, some, "bmi", { individual: true, gridResolution: 40, featureNames });
  return partialDependencePlot(found, { title: "Progress of diabetes by bmi" });
}

async function dependenceOfTwo(): Promise<string> {
  const { X, featureNames, model } = await diabetes();
  const found = partialDependence(model, X, ["bmi", "s5"], { gridResolution: 25, featureNames });
  return partialDependencePlot(found, { title: "Progress of diabetes by bmi and s5" });
}

async function confusion(): Promise<string> {
  const { X, y } = await loadDataset("iris");
  const { train, test } = trainTestSplit(X, y, { testSize: 0.5, stratify: true, randomState: 3 });
  const estimator = new KNeighborsClassifier({ nNeighbors: 3 });
  const model = estimator.fit(train.X, train.y);
  return confusionMatrixPlot(confusionMatrix(test.y, model.predict(test.X)), {
    title: "Neighbours of irises",
  });
}

function boundary(): string {
  const { X, y } = makeMoons({ nSamples: 160, noise: 0.2, randomState: 5 });
  const labels = y.map((k) => (k === 1 ? "lower" : "upper"));
  const estimator = pipeline(new StandardScaler(), new SVC({ probability: true }));
  const model = estimator.fit(X, labels);
  return decisionBoundaryPlot(decisionBoundary(model, X, { resolution: 40 }), X, labels, {
    title: "Two moons by an SVC",
  });
}

async function tree(): Promise<string> {
  const { X, y, featureNames } = await loadDataset("iris");
  const estimator = new DecisionTreeClassifier({ maxDepth: 3, minSamplesLeaf: 4 });
  const model = estimator.fit(X, y);
  return treePlot(model, { featureNames, title: "A tree of irises" });
}

async function dendrogram(): Promise<string> {
  const { X, y } = await loadDataset("iris");
  const some = Array.from({ length: 30 }, (_, i) => 5 * i);
  const estimator = new AgglomerativeClustering({ nClusters: 3 });
  const model = estimator.fit(X.selectRows(some));
  const labels = some.map((i) => y[i]!);
  return dendrogramPlot(model.dendrogram(), { labels, threshold: 5, title: "Irises by distance" });
}

/** The truth, and the probability of malignant by two pairs of columns, of rows that were not learned from. */
async function cancerScores() {
  const { X, y } = await loadDataset("breastCancer");
  const { train, test } = trainTestSplit(X, y, { testSize: 0.5, stratify: true, randomState: 1 });
  const scoresOf = (columns: number[]) => {
    const estimator = pipeline(new StandardScaler(), new LogisticRegression());
    const model = estimator.fit(train.X.selectColumns(columns), train.y);
    return model.predictProba(test.X.selectColumns(columns)).column(model.classes.indexOf("malignant"));
  };
  return { y: test.y, first: scoresOf([0, 1]), second: scoresOf([4, 8]) };
}

/** A curve for each pair of columns. */
async function cancerCurves<C>(curve: (y: string[], scores: Float64Array) => C): Promise<Record<string, C>> {
  const { y, first, second } = await cancerScores();
  return { "radius and texture": curve(y, first), "smoothness and symmetry": curve(y, second) };
}

const malignant = { positiveLabel: "malignant" } as const;

async function roc(): Promise<string> {
  const curves = await cancerCurves((y, scores) => rocCurve(y, scores, malignant));
  return rocPlot(curves, { title: "Malignant by two columns" });
}

async function precisionRecall(): Promise<string> {
  const curves = await cancerCurves((y, scores) => precisionRecallCurve(y, scores, malignant));
  return prPlot(curves, { title: "Malignant by two columns" });
}

async function calibration(): Promise<string> {
  const { X, y } = makeClassification({
    nSamples: 4000,
    nFeatures: 10,
    nInformative: 4,
    flipY: 0.1,
    randomState: 3,
  });
  const { train, test } = trainTestSplit(X, y, { testSize: 0.5, stratify: true });
  const curveOf = (model: FittedProbabilisticClassifier) =>
    calibrationCurve(test.y, (model.predictProba(test.X) as Matrix).column(1));
  const bayes = new GaussianNB();
  const calibrated = new CalibratedClassifier({ estimator: bayes });
  const [before, after] = [bayes, calibrated].map((estimator) => curveOf(estimator.fit(train.X, train.y)));
  const curves = { "naive Bayes": before!, calibrated: after! };
  return calibrationPlot(curves, { title: "Naive Bayes, before and after" });
}

async function learning(): Promise<string> {
  const { X, y } = await loadDataset("digits");
  const estimator = new GaussianNB({ varSmoothing: 1e-2 });
  const found = learningCurve(estimator, X, y, { cv: 5, trainSizes: [0.05, 0.1, 0.2, 0.4, 0.7, 1] });
  return learningCurvePlot(found, { title: "Naive Bayes of digits" });
}

export const figures: Readonly<Record<string, () => string | Promise<string>>> = {
  "permutation-importance.svg": importances,
  "shap-beeswarm.svg": contributions,
  "partial-dependence.svg": dependence,
  "partial-dependence-of-two.svg": dependenceOfTwo,
  "confusion-matrix.svg": confusion,
  "svc-boundary.svg": boundary,
  "themed-tree.svg": tree,
  "themed-dendrogram.svg": dendrogram,
  "roc.svg": roc,
  "precision-recall.svg": precisionRecall,
  "calibration.svg": calibration,
  "learning-curve.svg": learning,
};
