import { describe, expect, it } from "vitest";
import * as argmax from "../../src/index.js";
import { problem } from "./data.js";
import { isProtected } from "./hidden-methods.js";
import { subjects } from "./registry.js";
import { capabilities } from "./subject.js";

/**
 * Every function and every public method, with each of its arguments replaced by something else. Some of these calls are legal
 * (weights may be undefined); what is thrown must be an error of the library.
 */
const wrongValues = [null, undefined, 5, -1, 0.5, "x", {}, [], [null], () => 0] as const;

type Call = (...given: unknown[]) => unknown;

/** The first step of an iterator, the value of a promise: errors come no later than there. */
async function settle(result: unknown): Promise<unknown> {
  const value = await result;
  const { next } = (value ?? {}) as Partial<Iterator<unknown>>;
  return typeof next === "function" ? (value as Iterator<unknown>).next() : value;
}

/** What was thrown that is not an error of the library, by call. */
async function strangeErrors(name: string, call: Call, legal: readonly unknown[]): Promise<string[]> {
  const found: string[] = [];
  for (let k = 0; k < legal.length; k++) {
    for (const wrong of wrongValues) {
      const given = legal.with(k, wrong);
      try {
        await settle(call(...given));
      } catch (error) {
        const isOwn = error instanceof argmax.ArgmaxError || error instanceof argmax.AbortError;
        if (!isOwn) found.push(`${name}, argument ${k} = ${shown(wrong)}: ${error}`);
      }
    }
  }
  return found;
}

const shown = (value: unknown) =>
  typeof value === "function" ? "a function" : value === undefined ? "undefined" : JSON.stringify(value);

const X = [
  [1, 2],
  [2, 1],
  [3, 5],
  [4, 4],
  [5, 1],
  [6, 2],
];
const labels = ["a", "a", "b", "b", "a", "b"];
const targets = [1, 2, 3, 4, 5, 6];
const chances = [0.1, 0.2, 0.9, 0.8, 0.3, 0.6];
const zeroOne = [0, 0, 1, 1, 0, 1];
const table = argmax.Table.fromRows(X.map(([a, b]) => ({ a: a!, b: b! })));
const estimator = () => new argmax.LogisticRegression();
const model = estimator().fit(X, labels);
const bytes = () => argmax.saveModel(model);
const lda = () => new argmax.LinearDiscriminantAnalysis().fit(X, labels);
const tree = () => new argmax.DecisionTreeClassifier().fit(X, labels);
const costs = { costs: [1, 2], estimator: estimator(), stages: 1 };
const counts = [
  [3, 1],
  [1, 3],
] as const;

const positive = targets.map((value) => 1 + Math.abs(value));

/** Legal arguments of every function that the library exports; kernels and scorers by their place. */
const functions: Readonly<Record<string, readonly unknown[]>> = {
  structureOf: [model],
  evaluate: [argmax.structureOf(model), X],
  linearScoresOf: [{ kind: "constant", values: Float64Array.of(1) }],
  checkTable: [table, {}],
  checkTableSteps: [table, {}],
  summarizeColumn: [table.column("a"), {}],
  guessTarget: [table],
  isUsableColumn: ["a", table.column("a")],
  identifierLikelihood: ["a", table.column("a")],
  nearestName: ["word", ["wird", "ward"]],
  meanInterval: [targets, {}],
  rocAucInterval: [0.8, 10, 20, {}],
  wilsonInterval: [3, 10, {}],
  accuracyScore: [labels, labels, {}],
  balancedAccuracyScore: [labels, labels, {}],
  binaryRates: [zeroOne, zeroOne, {}],
  brierScoreLoss: [zeroOne, chances, {}],
  confusionMatrix: [labels, labels, {}],
  auc: [
    [0, 0.5, 1],
    [0, 0.5, 1],
  ],
  averagePrecisionScore: [zeroOne, targets, {}],
  calibrationCurve: [zeroOne, chances, {}],
  classificationReport: [labels, labels, {}],
  cohenKappaScore: [labels, labels, {}],
  costScore: [zeroOne, zeroOne, counts, {}],
  d2AbsoluteErrorScore: [targets, targets, {}],
  d2TweedieScore: [targets, targets, {}],
  detCurve: [zeroOne, targets, {}],
  expectedCalibrationError: [zeroOne, chances, {}],
  explainedVarianceScore: [targets, targets, {}],
  fBetaScore: [zeroOne, zeroOne, { beta: 2 }],
  hammingLoss: [labels, labels, {}],
  hingeLoss: [zeroOne, targets, {}],
  jaccardScore: [zeroOne, zeroOne, {}],
  matthewsCorrcoef: [labels, labels, {}],
  maxError: [targets, targets, {}],
  meanAbsolutePercentageError: [targets, targets, {}],
  meanGammaDeviance: [positive, positive, {}],
  meanPinballLoss: [targets, targets, {}],
  meanPoissonDeviance: [positive, positive, {}],
  meanSquaredLogError: [positive, positive, {}],
  meanTweedieDeviance: [targets, targets, {}],
  medianAbsoluteError: [targets, targets, {}],
  precisionRecallCurve: [zeroOne, targets, {}],
  rocAucScore: [zeroOne, targets, {}],
  rocCurve: [zeroOne, targets, {}],
  rootMeanSquaredLogError: [positive, positive, {}],
  topKAccuracyScore: [zeroOne, chances, {}],
  zeroOneLoss: [labels, labels, {}],
  adjustedMutualInfoScore: [labels, zeroOne, {}],
  adjustedRandScore: [labels, zeroOne],
  calinskiHarabaszScore: [X, labels],
  completenessScore: [labels, zeroOne],
  contingencyMatrix: [labels, zeroOne],
  daviesBouldinScore: [X, labels],
  fowlkesMallowsScore: [labels, zeroOne],
  homogeneityCompletenessVMeasure: [labels, zeroOne, {}],
  homogeneityScore: [labels, zeroOne],
  mutualInfoScore: [labels, zeroOne],
  fClassif: [X, labels],
  fRegression: [X, targets],
  chi2: [X, labels],
  mutualInfoClassif: [X, labels, { nNeighbors: 2 }],
  mutualInfoRegression: [X, targets, { discreteFeatures: false }],
  normalizedMutualInfoScore: [labels, zeroOne, {}],
  randScore: [labels, zeroOne],
  silhouetteSamples: [X, labels, {}],
  silhouetteScore: [X, labels, {}],
  vMeasureScore: [labels, zeroOne, {}],
  f1Score: [zeroOne, zeroOne, {}],
  logLoss: [zeroOne, chances, {}],
  meanAbsoluteError: [targets, targets, {}],
  meanSquaredError: [targets, targets, {}],
  precisionRecallF1: [zeroOne, zeroOne, {}],
  precisionScore: [zeroOne, zeroOne, {}],
  r2Score: [targets, targets, {}],
  recallScore: [zeroOne, zeroOne, {}],
  rootMeanSquaredError: [targets, targets, {}],
  compareScores: [targets, targets, {}],
  crossValPredict: [estimator(), X, labels, { cv: 2 }],
  learningCurve: [estimator(), X, labels, { cv: 2 }],
  permutationTestScore: [estimator(), X, labels, { cv: 2, nPermutations: 2 }],
  validationCurve: [estimator(), X, labels, { cv: 2, paramName: "C", paramRange: [1] }],
  background: [estimator(), {}],
  betaPrior: [2, 2],
  dirichletPrior: [2],
  cascadeFromCosts: [X, labels, costs],
  conicKind: [lda().conic("a", "b")],
  coordinateDescent: [{}],
  createLoader: [[argmax.Ridge]],
  crossValScore: [estimator(), X, labels, { cv: 2 }],
  crossValidate: [estimator(), X, labels, { cv: 2 }],
  dualCoordinateDescent: [{}],
  elasticNet: [1, 0.5],
  elasticNetPath: [X, targets, {}],
  entropy: [counts[0]],
  gini: [counts[0]],
  nodeError: [counts[0]],
  impurityChange: [argmax.gini, ...counts],
  twoingChange: [...counts],
  epsilonInsensitive: [0.1],
  estimatorFromJson: [estimator().toJSON()],
  exponential: [{}],
  fisherCriterion: [X, labels, [1, 1], {}],
  formatLibsvmModel: [new argmax.SVC().fit(X, zeroOne)],
  parseLibsvmModel: [argmax.formatLibsvmModel(new argmax.SVC().fit(X, zeroOne)), 2],
  formatSvmlight: [X, targets, {}],
  parseSvmlight: ["1 1:2 2:3\n", {}],
  gaussianPrior: [1],
  gradientDescent: [{}],
  hinge: [{}],
  huber: [1],
  interiorPoint: [{}],
  isLinearlySeparable: [X, labels],
  separatingHyperplane: [X, labels],
  kernelMatrix: ["rbf", X, X],
  kernelize: [estimator(), "rbf"],
  l1: [1],
  l1Ball: [1],
  l2: [1],
  l2Ball: [1],
  laplacePrior: [1],
  lassoPath: [X, targets, {}],
  lbfgs: [{}],
  loadClassifier: [bytes()],
  loadModel: [bytes(), argmax.LogisticRegression],
  loadModelCard: [bytes()],
  loadRegressor: [bytes()],
  loadTransformer: [bytes()],
  absolute: [{}],
  logistic: [{}],
  makeBlobs: [{}],
  makeCircles: [{}],
  makeClassification: [{}],
  makeMoons: [{}],
  makeRegression: [{}],
  makeSpirals: [{}],
  makeXor: [{}],
  modifiedHuber: [{}],
  newton: [{}],
  none: [{}],
  perceptron: [{}],
  columnTransformer: [{ all: [new argmax.StandardScaler(), [0, 1]] }, {}],
  featureUnion: [{ scaled: new argmax.StandardScaler() }, {}],
  compare: [X, labels, { models: { model: estimator() }, cv: 2 }],
  counterfactual: [model, X[0], { background: X }],
  decisionBoundary: [model, X, {}],
  explain: [model, X, { background: X }],
  partialDependence: [model, X, [0], {}],
  permutationImportance: [model, X, labels, {}],
  integers: [1, 5],
  logUniform: [1, 5],
  uniform: [1, 5],
  parseCsv: ["a,b\n1,2", {}],
  withParams: [estimator(), { C: 2 }],
  pipeline: [new argmax.StandardScaler(), estimator()],
  poisson: [{}],
  proximal: [{}],
  quantile: [0.5],
  saveModel: [model, {}],
  modelToJson: [model, {}],
  toOnnx: [model],
  selectRows: [X, [0, 1]],
  serveFits: [[argmax.Ridge]],
  setThreads: [argmax.threads()],
  sgd: [{}],
  softmax: [{}],
  squared: [{}],
  squaredEpsilonInsensitive: [0.1],
  squaredHinge: [{}],
  tableOfRows: ["predict", [{ name: "a", kind: "numeric", nullable: true, required: true }], [{ a: 1 }]],
  convertText: [new argmax.TextColumn(["1.5", "2"])],
  textDecoderOf: ["windows-1252"],
  timeLimit: [10],
  usualPositive: [["no", "yes"]],
  describeTable: [argmax.Table.fromColumns({ a: [1, 2] })],
  guessTask: [[1, 2]],
  modelLabel: ["tree", new argmax.DecisionTreeClassifier({ maxDepth: 3 })],
  modelSettings: [new argmax.DecisionTreeClassifier({ maxDepth: 3 })],
  recommend: [
    [{ name: "tree", estimator: new argmax.DecisionTreeClassifier(), scores: [0.5, 0.6] }],
    { baseline: 0.4 },
  ],
  preparedFor: [new argmax.LogisticRegression(), [[1], [2]]],
  modelCard: [argmax.Table.fromColumns({ a: [1, 2] }), { target: "b", task: "regression" }],
  checkArrow: [new Uint8Array(), {}],
  checkArrowOffsets: [[0, 1], 1],
  checkedArrowChunks: [(async function* () {})(), {}],
  tableFromArrow: [{ numRows: 0, schema: { fields: [] }, getChild: () => null }],
  tableVectorizer: [{}],
  threads: [],
  trainTestSplit: [X, labels, {}],
  trainValidationTestSplit: [X, labels, {}],
  ...Object.fromEntries(Object.keys(argmax.kernels).map((name) => [`kernels.${name}`, [{}]])),
  "kernels.custom": [() => 1, {}],
  "kernels.sum": [argmax.kernels.rbf(), argmax.kernels.linear()],
  "kernels.product": [argmax.kernels.rbf(), argmax.kernels.linear()],
  ...Object.fromEntries(
    Object.keys(argmax.scorers).map((name) => [`scorers.${name}`, [model, X, labels, {}]]),
  ),
};

const isClass = (value: unknown) => /^class\b/.test(Function.prototype.toString.call(value));

/** Exported functions by name. */
const exported = Object.entries(argmax).flatMap(([name, value]): [string, Call][] => {
  if (value === argmax.kernels || value === argmax.scorers)
    return Object.entries(value).map(([inner, call]) => [`${name}.${inner}`, call as Call]);
  return typeof value === "function" && !isClass(value) ? [[name, value as unknown as Call]] : [];
});

describe("exported functions throw the library's own errors, whatever they are given", () => {
  it.each(exported)("%s", async (name, call) => {
    const before = argmax.threads();
    expect(functions, "every exported function is in the list above").toHaveProperty([name]);
    const legal = functions[name]!;
    expect(await strangeErrors(name, call, legal)).toEqual([]);
    argmax.setThreads(before);
  });

  it("and there is no other in the list", () => {
    expect(Object.keys(functions).sort()).toEqual(exported.map(([name]) => name).sort());
  });
});

/** Methods that only other code of the library calls; those that TypeScript hides are read from the source. */
const internal = new Set(
  (
    "constructor toState toJSON restore rowLikelihood values raw rawStages index scoresWith described meansOf parts where between " +
    "plan labelsOf toTensors leaves leavesOf rowsOf paths fitAndTransform fitAndTransformAsync"
  ).split(" "),
);

/** Public methods of an object, its class's parents' included. */
function methodsOf(object: object): [string, Call][] {
  const found = new Map<string, Call>();
  for (
    let at = Object.getPrototypeOf(object);
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (
        typeof value === "function" &&
        !internal.has(name) &&
        !isProtected(object, name) &&
        !found.has(name)
      )
        found.set(name, (value as Call).bind(object));
  }
  return [...found];
}

/** Legal arguments of methods; others take X alone. */
const argumentsOf = (method: string, x: unknown, y: unknown): readonly unknown[] => {
  if (method === "partialFit") return [null, x, y, {}];
  if (["fit", "steps", "score", "fitTransform", "outliers", "evaluate"].includes(method)) return [x, y, {}];
  return [x, y];
};

async function strangeMethods(object: object, x: unknown, y: unknown): Promise<string[]> {
  const found: string[] = [];
  for (const [name, call] of methodsOf(object))
    found.push(...(await strangeErrors(name, call, argumentsOf(name, x, y))));
  return found;
}

describe("public methods throw the library's own errors, whatever they are given", () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))("%s", async (_, subject) => {
    const { X: x, y } = problem(subject, { rows: 24 });
    const given = subject.make();
    expect(capabilities(subject)).toBeDefined();
    expect(await strangeMethods(given, x, y)).toEqual([]);
    expect(await strangeMethods(given.fit(x, y), x, y)).toEqual([]);
    for (const wrong of wrongValues) {
      const make = async () => subject.build(wrong as never);
      await make().catch((error: unknown) => expect(error).toBeInstanceOf(argmax.ArgmaxError));
    }
  });

  const things: Record<string, () => [object, ...unknown[]]> = {
    Matrix: () => [argmax.Matrix.fromRows(X), 0, 1],
    CsrMatrix: () => [argmax.CsrMatrix.fromDense(argmax.Matrix.fromRows(X)), 0],
    Table: () => [argmax.Table.fromColumns({ age: targets, kind: labels }), "age"],
    NumericColumn: () => [argmax.Table.fromColumns({ age: targets }).column("age"), 0],
    CategoricalColumn: () => [argmax.Table.fromColumns({ kind: labels }).column("kind"), 0],
    BooleanColumn: () => [argmax.Table.fromColumns({ old: [true, false] }).column("old"), 0],
    ConfusionMatrix: () => [argmax.confusionMatrix(labels, labels), "a", "b"],
    KFold: () => [new argmax.KFold({ nSplits: 2 }), X],
    StratifiedKFold: () => [new argmax.StratifiedKFold({ nSplits: 2 }), X, labels],
    Random: () => [new argmax.Random(1), 5],
    Tree: () => [tree().tree, 0],
    ParameterError: () => [
      new argmax.ParameterError({ where: "", subject: "", expected: "", received: "" }),
      "f",
    ],
    Loader: () => [argmax.createLoader([argmax.Ridge]), bytes(), argmax.Ridge],
  };
  it.each(Object.entries(things))("%s", async (_, make) => {
    const [object, ...given] = make();
    const methods = methodsOf(object);
    const own = Object.entries(object).filter(([, value]) => typeof value === "function") as [string, Call][];
    for (const [name, call] of [...methods, ...own])
      expect(await strangeErrors(name, call, given)).toEqual([]);
  });

  const {
    Matrix,
    CsrMatrix,
    Table,
    NumericColumn,
    CategoricalColumn,
    BooleanColumn,
    KFold,
    StratifiedKFold,
  } = argmax;
  const doors: Record<string, [Call, ...unknown[]]> = {
    "new Matrix": [(...g) => new Matrix(...(g as [never, never, never])), Float64Array.of(1, 2), 1, 2],
    "Matrix.zeros": [Matrix.zeros as Call, 2, 2],
    "Matrix.fromRows": [Matrix.fromRows as Call, X],
    "new CsrMatrix": [(g) => new CsrMatrix(g as never), CsrMatrix.fromDense(Matrix.fromRows(X))],
    "CsrMatrix.fromDense": [CsrMatrix.fromDense as Call, Matrix.fromRows(X)],
    "CsrMatrix.fromRows": [CsrMatrix.fromRows as Call, [[[0, 1]]], 2],
    "Table.fromColumns": [Table.fromColumns as Call, { age: targets }],
    "Table.fromRows": [Table.fromRows as Call, [{ age: 1 }]],
    "new NumericColumn": [(g) => new NumericColumn(g as never), Float64Array.of(1)],
    "new BooleanColumn": [(g) => new BooleanColumn(g as never), Uint8Array.of(1)],
    "new CategoricalColumn": [
      (...g) => new CategoricalColumn(...(g as [never, never])),
      Int32Array.of(0),
      ["a"],
    ],
    "new KFold": [(g) => new KFold(g as never), {}],
    "new StratifiedKFold": [(g) => new StratifiedKFold(g as never), {}],
    "new Random": [(g) => new argmax.Random(g as never), 1],
    "new Pipeline": [(g) => new argmax.Pipeline(g as never), { steps: [estimator()] }],
  };
  it.each(Object.entries(doors))("%s", async (name, [call, ...legal]) => {
    expect(await strangeErrors(name, call, legal)).toEqual([]);
  });
});
