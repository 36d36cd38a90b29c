import { freemem } from "node:os";
import { Matrix, Random, saveModel } from "argmax";
import { afterEach, describe, expect, test } from "vitest";
import { limits } from "../../src/numeric/rows/dense-rows.js";
import { estimatorClasses } from "../../src/persistence/generated/estimators.js";
import { megabytes, runChild } from "./child.js";

const usual = limits.residentBytes;
afterEach(() => {
  limits.residentBytes = usual;
});

/** Three classes, a linear target and counts, all of the same rows. */
function sample(rows: number, cols: number) {
  const random = new Random(rows + cols);
  const X = Matrix.zeros(rows, cols);
  const y = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) X.data[i * cols + j] = random.normal();
    y[i] = X.data[i * cols]! + 0.5 * X.data[i * cols + 1]! + random.normal();
  }
  return {
    X,
    regression: y,
    counts: y.map((value) => Math.max(0, Math.round(value))),
    classification: Array.from(y, (value) => (value < -0.5 ? "low" : value < 0.5 ? "middle" : "high")),
  };
}

interface Fitting {
  fit(x: Matrix, y?: unknown): Parameters<typeof saveModel>[0];
}

// Blocks are of 8 MB: three of them, the last one short, and rows that no chunk size divides.
const samples = [sample(120_001, 20), sample(11_003, 200)];

/** Estimators to which blocks of dense rows mean nothing, and why. */
const others: Readonly<Record<string, string>> = {
  Pipeline: "its steps are here",
  SVC: "learns from kernel rows, whose number times the rows is out of reach here",
  SVR: "the same",
  KernelFisherDiscriminant: "the same",
  KernelLogisticRegression: "the same",
  KernelMap: "the same",
  KernelPerceptron: "the same",
  KernelRidge: "the same",
  KernelPCA: "the same",
  AgglomerativeClustering: "keeps the distances of all pairs of rows, out of reach here too",
  DBSCAN: "keeps all rows, to search among them",
  MLPClassifier: "draws batches of single rows; neural/training/batches.test.ts has the same claim",
  MLPRegressor: "the same",
  NeuralClassifier: "the same",
  NeuralRegressor: "the same",
  CNNClassifier: "the same",
  ViTClassifier: "the same",
  TransformerClassifier: "the same",
  Nystroem: "keeps a sample of the rows, and kernel values of one block after the other",
  DecisionTreeClassifier: "keeps all columns, sorted",
  DecisionTreeRegressor: "the same",
  DecisionStump: "the same",
  AdaBoostClassifier: "the same",
  RandomForestClassifier: "the same",
  RandomForestRegressor: "the same",
  ExtraTreesClassifier: "keeps all rows",
  ExtraTreesRegressor: "the same",
  HistGradientBoostingClassifier: "keeps all columns, in bins",
  HistGradientBoostingRegressor: "the same",
  BaggingClassifier: "its members are here, or not",
  BaggingRegressor: "the same",
  Cascade: "the same",
  OneHotEncoder: "looks at cells one by one, without kernels",
  OrdinalEncoder: "the same",
  CategoricalNB: "counts cells one by one, without kernels",
  KBinsDiscretizer: "sorts columns, without kernels",
  MixedNB: "its parts are here",
  MultinomialNB: "adds up counts, which these rows are not; the same sums as BernoulliNB",
  ComplementNB: "the same",
  TfidfTransformer: "weighs counts, which these rows are not",
  TargetEncoder: "looks at cells one by one, without kernels",
  SelectKBest: "needs y, and scores columns one by one, without blocks",
  SelectPercentile: "the same",
  SelectFpr: "the same",
  SelectFdr: "the same",
  SelectFwe: "the same",
  IsotonicRegression: "takes one column",
  ColumnTransformer: "its transformers are here",
  FeatureUnion: "the same",
  VotingClassifier: "its estimators are here",
  VotingRegressor: "the same",
  StackingClassifier: "the same",
  StackingRegressor: "the same",
  ThresholdClassifier: "the same",
  SelectFromModel: "the same",
  RFE: "the same",
  RFECV: "the same",
  SequentialFeatureSelector: "the same",
  GridSearch: "the same",
  RandomSearch: "the same",
  HalvingSearch: "the same",
};

describe("rows that pass through in blocks give the bits of rows that stay", () => {
  const streaming = estimatorClasses.filter(
    ({ id, capabilities }) => !Object.hasOwn(others, id) && capabilities.input !== "text",
  );
  for (const Type of streaming) {
    test(Type.id, () => {
      for (const data of samples) {
        const { task } = Type.capabilities;
        const y =
          task !== "classification" && task !== "regression"
            ? undefined
            : Type.id === "PoissonRegressor"
              ? data.counts
              : data[task];
        const estimator = new (Type as unknown as new () => Fitting)();
        const resident = saveModel(estimator.fit(data.X, y));
        limits.residentBytes = 2 ** 20;
        const streamed = saveModel(estimator.fit(data.X, y));
        limits.residentBytes = usual;
        const shape = `${data.X.rows} × ${data.X.cols}`;
        expect(Buffer.compare(resident, streamed) === 0, `the same bits at ${shape}`).toBe(true);
      }
    });
  }
});

interface Large {
  readonly bytes: number;
  readonly fits: readonly {
    name: string;
    seconds: number;
    difference: number | null;
    error: string | null;
  }[];
}

const NEEDED = 8 * 2 ** 30;

test("an input larger than WASM can address is streamed, or refused with an error that says so", async () => {
  expect(freemem(), "bytes of free memory, of which this check needs 8 GB").toBeGreaterThan(NEEDED);
  const { bytes, fits } = await runChild<Large>("larger-than-wasm.mjs");
  expect(bytes).toBeGreaterThan(2 ** 32);
  for (const { name, seconds, difference, error } of fits) {
    console.log(`${name} on ${megabytes(bytes)} MB, ${seconds.toFixed(1)} s: ${error ?? difference}`);
  }
  const streamed = ["StandardScaler", "LinearRegression", "Ridge", "LogisticRegression", "LinearSVC"];
  for (const { name, difference, error } of fits) {
    if (streamed.includes(name)) expect({ name, error }).toEqual({ name, error: null });
    // Solvers stop within their tolerance, at slightly different places when the sums round differently.
    if (error === null) expect(difference).toBeLessThan(1e-4);
    else expect(error).toMatch(/^DataError: .*the working memory must be at most 4 GB/);
  }
});
