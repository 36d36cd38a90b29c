import {
  accuracyScore,
  BaggingClassifier,
  background,
  CalibratedClassifier,
  type CategoricalColumn,
  CountVectorizer,
  crossValidate,
  crossValScore,
  DecisionTreeClassifier,
  type FittedDecisionTreeClassifier,
  type FittedKernelMap,
  type FittedLogisticRegression,
  type FittedOneVsOneClassifier,
  type FittedRidge,
  type FittedRidgeCVTargets,
  GaussianMixture,
  GaussianNB,
  GridSearch,
  HistGradientBoostingRegressor,
  KFold,
  kernelize,
  kernels,
  type Label,
  LinearClassifier,
  LinearSVC,
  LogisticRegression,
  loadClassifier,
  loadModel,
  logistic,
  Matrix,
  type MatrixLike,
  MultinomialNB,
  MultiOutputClassifier,
  MultiOutputRegressor,
  type NumericColumn,
  OneVsOneClassifier,
  OneVsRestClassifier,
  pipeline,
  RandomForestClassifier,
  RandomSearch,
  RegressorChain,
  RFE,
  Ridge,
  RidgeCV,
  type Schema,
  type SearchedModel,
  SelectFromModel,
  SequentialFeatureSelector,
  StackingClassifier,
  StackingRegressor,
  StandardScaler,
  SVC,
  Table,
  ThresholdClassifier,
  TransformedTargetRegressor,
  trainTestSplit,
  type ValidationOptions,
  VotingClassifier,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import type { FittedCNNClassifier, FittedNeuralClassifier } from "argmax/neural";
import { CNNClassifier, dense, NeuralClassifier } from "argmax/neural";
import { grad, matmul, sum, type Tensor } from "argmax/neural/autodiff";
import { describe, expectTypeOf, test } from "vitest";

const X = [
  [0, 1],
  [1, 0],
  [2, 2],
  [3, 3],
];

describe("labels keep their type", () => {
  test("literals", () => {
    const model = new LogisticRegression().fit(X, ["ham", "ham", "spam", "spam"]);
    expectTypeOf(model).toEqualTypeOf<FittedLogisticRegression<"ham" | "spam">>();
    expectTypeOf(model.predict(X)).toEqualTypeOf<("ham" | "spam")[]>();
    expectTypeOf(model.classes).toEqualTypeOf<readonly ("ham" | "spam")[]>();
  });

  test("strings, numbers, booleans and typed arrays", () => {
    const words: string[] = ["a", "a", "b", "b"];
    const estimator = new LogisticRegression();
    expectTypeOf(estimator.fit(X, words).predict(X)).toEqualTypeOf<string[]>();
    expectTypeOf(estimator.fit(X, [false, false, true, true]).predict(X)).toEqualTypeOf<boolean[]>();
    expectTypeOf(estimator.fit(X, Int32Array.of(0, 0, 1, 1)).predict(X)).toEqualTypeOf<number[]>();
  });

  test("through kernelize", () => {
    const model = kernelize(new LogisticRegression(), kernels.rbf()).fit(X, ["ham", "ham", "spam", "spam"]);
    expectTypeOf(model.predict(X)).toEqualTypeOf<("ham" | "spam")[]>();
    expectTypeOf(model.predictProba(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(model.predictLogProba(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(model.steps[0]).toEqualTypeOf<FittedKernelMap>();
    expectTypeOf(kernelize(new Ridge()).fit(X, [1, 2, 3, 4]).predict(X)).toEqualTypeOf<Float64Array>();
  });

  test("through a pipeline", () => {
    const model = pipeline(new StandardScaler(), new LogisticRegression()).fit(X, [
      "ham",
      "ham",
      "spam",
      "spam",
    ]);
    expectTypeOf(model.predict(X)).toEqualTypeOf<("ham" | "spam")[]>();
    expectTypeOf(model.classes).toEqualTypeOf<readonly ("ham" | "spam")[]>();
    expectTypeOf(model.predictProba(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(model.predictLogProba(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(model.last.coef).toEqualTypeOf<FittedLogisticRegression["coef"]>();
  });

  test("rows that may be rejected may have no label", () => {
    type Mail = "ham" | "spam";
    const labels: Mail[] = ["ham", "ham", "spam", "spam"];
    const svm = new LinearSVC().fit(X, labels);
    expectTypeOf(svm.predict(X, { threshold: 1 })).toEqualTypeOf<Mail[]>();
    expectTypeOf(svm.predict(X, { minMargin: undefined })).toEqualTypeOf<Mail[]>();
    expectTypeOf(svm.predict(X, { minMargin: 1 })).toEqualTypeOf<(Mail | undefined)[]>();
    const perhaps: { minMargin?: number } = {};
    expectTypeOf(svm.predict(X, perhaps)).toEqualTypeOf<(Mail | undefined)[]>();
    expectTypeOf(new SVC().fit(X, labels).predict(X, { minMargin: 1 })).toEqualTypeOf<(Mail | undefined)[]>();
    expectTypeOf(new GaussianNB().fit(X, labels).predict(X, { minProba: 0.9 })).toEqualTypeOf<
      (Mail | undefined)[]
    >();
    const logistic = new LogisticRegression().fit(X, labels);
    expectTypeOf(logistic.predict(X, { threshold: 0, minProba: 0.9 })).toEqualTypeOf<(Mail | undefined)[]>();
    const piped = pipeline(new StandardScaler(), new LogisticRegression()).fit(X, labels);
    expectTypeOf(piped.predict(X, { threshold: 1 })).toEqualTypeOf<Mail[]>();
    expectTypeOf(piped.predict(X, { minProba: 0.9 })).toEqualTypeOf<(Mail | undefined)[]>();
    const fit = () => background(new LinearSVC()).fit(X, labels);
    const rejecting = async () => (await fit()).predict(X, { minMargin: 1 });
    expectTypeOf(rejecting).toEqualTypeOf<() => Promise<(Mail | undefined)[]>>();
  });

  test("and in the background", () => {
    const fit = () => background(new LogisticRegression()).fit(X, ["ham", "ham", "spam", "spam"]);
    const predict = async () => (await fit()).predict(X, { threshold: 0.5 });
    expectTypeOf(predict).toEqualTypeOf<() => Promise<("ham" | "spam")[]>>();
    expectTypeOf(async () => (await fit()).classes[0]!).toEqualTypeOf<() => Promise<"ham" | "spam">>();
    expectTypeOf<Awaited<ReturnType<typeof fit>>>().toExtend<FittedLogisticRegression>();
    const text = () =>
      background(pipeline(new CountVectorizer(), new MultinomialNB())).fit(["a b", "c d"], ["ham", "spam"]);
    expectTypeOf(async () => (await text()).predict(["a"])).toEqualTypeOf<
      () => Promise<("ham" | "spam")[]>
    >();
    const regress = () => background(new Ridge()).fit(X, [1, 2, 3, 4]);
    expectTypeOf<Awaited<ReturnType<typeof regress>>>().toEqualTypeOf<FittedRidge>();
  });
});

describe("what comes out", () => {
  test("regressions give Float64Arrays", () => {
    expectTypeOf(new Ridge().fit(X, [1, 2, 3, 4]).predict(X)).toEqualTypeOf<Float64Array>();
  });

  test("probabilities exist where the loss has a likelihood", () => {
    const model = new LinearClassifier({ loss: logistic() }).fit(X, [0, 0, 1, 1]);
    expectTypeOf(model.predictProba(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(model.predictLogProba(X)).toEqualTypeOf<Matrix>();
  });

  test("RidgeCV of a matrix Y has an α per target, of a list one", () => {
    expectTypeOf(new RidgeCV().fit(X, X)).toEqualTypeOf<FittedRidgeCVTargets>();
    expectTypeOf(new RidgeCV().fit(X, X).alpha).toEqualTypeOf<Float64Array>();
    expectTypeOf(new RidgeCV().fit(X, [1, 2, 3, 4]).alpha).toEqualTypeOf<number>();
  });

  test("an estimator per target gives a matrix for a matrix Y, and a list for a list", () => {
    for (const estimator of [new MultiOutputRegressor(), new RegressorChain({ estimator: new Ridge() })]) {
      expectTypeOf(estimator.fit(X, X).predict(X)).toEqualTypeOf<Matrix>();
      expectTypeOf(estimator.fit(X, [1, 2, 3, 4]).predict(X)).toEqualTypeOf<Float64Array>();
    }
  });

  test("a classifier per output gives rows of labels for rows of labels", () => {
    const rows = X.map((_, i) => [i % 2 === 0 ? "a" : "b", i < 2 ? "c" : "d"] as const);
    const model = new MultiOutputClassifier().fit(X, rows);
    expectTypeOf(model.predict(X)).toEqualTypeOf<("a" | "b" | "c" | "d")[][]>();
    expectTypeOf(model.predictProba(X)).toEqualTypeOf<Matrix[]>();
    expectTypeOf(new MultiOutputClassifier().fit(X, ["a", "b", "a", "b"]).predict(X)).toEqualTypeOf<
      ("a" | "b")[]
    >();
  });

  test("wrappers of classifiers have the scores of what they wrap, and reject rows", () => {
    const labels: ("a" | "b")[] = ["a", "b", "a", "b"];
    const rest = new OneVsRestClassifier().fit(X, labels);
    expectTypeOf(rest.predictProba(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(rest.decisionFunction(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(rest.predict(X, { threshold: 1 })).toEqualTypeOf<("a" | "b")[]>();
    expectTypeOf(rest.predict(X, { minMargin: 1 })).toEqualTypeOf<("a" | "b" | undefined)[]>();
    const margins = new OneVsRestClassifier({ estimator: new LinearSVC() }).fit(X, labels);
    expectTypeOf(margins.decisionFunction(X)).toEqualTypeOf<Matrix>();
    const positiveLabel = "b";
    const cut = new ThresholdClassifier({ estimator: new LinearSVC(), threshold: 0, positiveLabel }).fit(
      X,
      labels,
    );
    expectTypeOf(cut.decisionFunction(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(cut.predict(X, { minMargin: 1 })).toEqualTypeOf<("a" | "b" | undefined)[]>();
    const fixed = new ThresholdClassifier({ threshold: 0.5, positiveLabel }).fit(X, labels);
    expectTypeOf(fixed.predictLogProba(X)).toEqualTypeOf<Matrix>();
    const responseMethod = "decisionFunction";
    const byMargin = new ThresholdClassifier({ responseMethod, threshold: 0, positiveLabel }).fit(X, labels);
    expectTypeOf(byMargin.decisionFunction(X)).toEqualTypeOf<Matrix>();
    const stack = new StackingClassifier({ estimators: { nb: new GaussianNB() }, cv: 2 }).fit(X, labels);
    expectTypeOf(stack.predictProba(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(stack.predict(X, { minProba: 0.9 })).toEqualTypeOf<("a" | "b" | undefined)[]>();
  });

  test("wrappers take what the estimator inside takes", () => {
    const documents = ["a b", "b c", "c d", "d a"];
    const labels: ("ham" | "spam")[] = ["ham", "spam", "ham", "spam"];
    const words = new CountVectorizer({ tokenPattern: "\\w+" });
    const estimator = pipeline(words, new LogisticRegression());
    const regressor = pipeline(words, new Ridge());
    const votes = new VotingClassifier({ estimators: { a: estimator, b: estimator } }).fit(documents, labels);
    expectTypeOf(votes.predict(documents)).toEqualTypeOf<("ham" | "spam")[]>();
    expectTypeOf(votes.predict(documents, { minProba: 1 })).toEqualTypeOf<("ham" | "spam" | undefined)[]>();
    expectTypeOf(votes.predictProba(documents)).toEqualTypeOf<Matrix>();
    expectTypeOf(votes.score(documents, labels)).toEqualTypeOf<number>();
    const rest = new OneVsRestClassifier({ estimator }).fit(documents, labels);
    expectTypeOf(rest.predict(documents)).toEqualTypeOf<("ham" | "spam")[]>();
    expectTypeOf(rest.decisionFunction(documents)).toEqualTypeOf<Matrix>();
    const calibrated = new CalibratedClassifier({ estimator, cv: 2 }).fit(documents, labels);
    expectTypeOf(calibrated.predictProba(documents)).toEqualTypeOf<Matrix>();
    const bag = new BaggingClassifier({ estimator, nEstimators: 2 }).fit(documents, labels);
    expectTypeOf(bag.predict(documents)).toEqualTypeOf<("ham" | "spam")[]>();
    const stack = new StackingRegressor({ estimators: { a: regressor }, cv: 2 }).fit(documents, [1, 2, 3, 4]);
    expectTypeOf(stack.predict(documents)).toEqualTypeOf<Float64Array>();
    const both = new MultiOutputRegressor({ estimator: regressor }).fit(documents, [
      [1, 2],
      [2, 3],
      [3, 1],
      [0, 1],
    ]);
    expectTypeOf(both.predict(documents)).toEqualTypeOf<Matrix>();
    const logs = new TransformedTargetRegressor({ regressor }).fit(documents, [1, 2, 3, 4]);
    expectTypeOf(logs.predict(documents)).toEqualTypeOf<Float64Array>();
    // Numbers are as before, without a second signature.
    expectTypeOf(() => new OneVsOneClassifier().fit(X, labels)).returns.toEqualTypeOf<
      FittedOneVsOneClassifier<"ham" | "spam">
    >();
  });

  test("selectors take several targets", () => {
    expectTypeOf(new RFE({ estimator: new Ridge() }).fit(X, X).ranking).toEqualTypeOf<Int32Array>();
    expectTypeOf(new SelectFromModel({ estimator: new Ridge() }).fitTransform(X, X)).toEqualTypeOf<Matrix>();
    const rows = X.map((_, i) => [i % 2 === 0 ? "a" : "b", i % 2 === 0 ? "c" : "d"]);
    const estimator = new MultiOutputClassifier();
    expectTypeOf(
      new SequentialFeatureSelector({ estimator, cv: new KFold({ nSplits: 2 }) }).fit(X, rows).nFeatures,
    ).toEqualTypeOf<number>();
  });

  test("a dataset knows what its targets are", async () => {
    const diabetes = await loadDataset("diabetes");
    expectTypeOf(diabetes.X).toEqualTypeOf<Matrix>();
    expectTypeOf(
      new Ridge().fit(diabetes.X, diabetes.y).score(diabetes.X, diabetes.y),
    ).toEqualTypeOf<number>();
  });
});

describe("tables", () => {
  const people = Table.fromColumns({ age: [31, 45], city: ["Oslo", null], member: [true, false] });

  test("are X, with text where categories are parted", () => {
    const tree = () =>
      new DecisionTreeClassifier({ categoricalFeatures: ["city", 2] }).fit(people, ["no", "yes"]);
    expectTypeOf(tree).toEqualTypeOf<() => FittedDecisionTreeClassifier<"no" | "yes">>();
    expectTypeOf<ReturnType<typeof tree>["featureNamesIn"]>().toEqualTypeOf<readonly string[] | undefined>();
    const forest = () => new RandomForestClassifier().fit(people, [1, 2]).predict(people.selectRows([0]));
    expectTypeOf(forest).toEqualTypeOf<() => (1 | 2)[]>();
    const boosting = () => new HistGradientBoostingRegressor().fit(people, [1, 2]).predict(people);
    expectTypeOf(boosting).toEqualTypeOf<() => Float64Array>();
  });
});

describe("columns of a table", () => {
  const people = Table.fromColumns({ age: [31, 45], city: ["Oslo", "Rome"], member: [true, false] });

  test("are y, and labels keep their literals", () => {
    const cities = () => new LogisticRegression().fit(X, people.column("city"));
    expectTypeOf(cities).toEqualTypeOf<() => FittedLogisticRegression<"Oslo" | "Rome">>();
    const members = () => new LogisticRegression().fit(X, people.column("member")).predict(X);
    expectTypeOf(members).toEqualTypeOf<() => boolean[]>();
    const ages = () => new Ridge().fit(X, people.column("age"), { sampleWeight: people.column("age") });
    expectTypeOf(ages).toEqualTypeOf<() => FittedRidge>();
    const score = () => cities().score(X, people.column("city"));
    expectTypeOf(score).toEqualTypeOf<() => number>();
    const piped = () =>
      pipeline(new StandardScaler(), new LogisticRegression()).fit(X, people.column("city"));
    expectTypeOf(() => piped().predict(X)).toEqualTypeOf<() => ("Oslo" | "Rome")[]>();
    const far = () => background(new LogisticRegression()).fit(X, people.column("city"));
    expectTypeOf(async () => (await far()).predict(X)).toEqualTypeOf<() => Promise<("Oslo" | "Rome")[]>>();
    expectTypeOf(() =>
      crossValScore(new LogisticRegression(), X, people.column("city")),
    ).returns.toEqualTypeOf<Float64Array>();
    expectTypeOf(() =>
      accuracyScore(people.column("city"), cities().predict(X)),
    ).returns.toEqualTypeOf<number>();
  });

  test("are split like any other list", () => {
    const split = () => trainTestSplit(people, people.column("city")).train.y;
    expectTypeOf(split).toEqualTypeOf<() => CategoricalColumn<"Oslo" | "Rome">>();
  });

  test("a table of certain columns is a table", () => {
    const rows = (table: Table) => table.rows;
    expectTypeOf(rows).toBeCallableWith(people);
    expectTypeOf(people).toExtend<Table<Schema>>();
    expectTypeOf<Table<{ age: number }>>().not.toExtend<Table<{ age: string }>>();
    expectTypeOf<Table<{ age: number }>>().not.toExtend<Table<{ city: string }>>();
    expectTypeOf(people.column("age")).toEqualTypeOf<NumericColumn>();
    expectTypeOf(people.select(people.columnNames).columnNames).toEqualTypeOf<
      readonly ("age" | "city" | "member")[]
    >();
  });
});

describe("a loaded model", () => {
  const bytes = new Uint8Array();

  test("has the labels that the caller states", () => {
    const claimed = () => loadClassifier<"cat" | "dog">(bytes).predict(X);
    expectTypeOf(claimed).returns.toEqualTypeOf<("cat" | "dog")[]>();
    const checked = () => loadClassifier(bytes, { classes: ["cat", "dog"] });
    expectTypeOf(() => checked().predict(X)).returns.toEqualTypeOf<("cat" | "dog")[]>();
    expectTypeOf(() => checked().classes).returns.toEqualTypeOf<readonly ("cat" | "dog")[]>();
    expectTypeOf(() => loadClassifier(bytes).predict(X)).returns.toEqualTypeOf<Label[]>();
    const named = () => loadModel(bytes, LogisticRegression, { classes: ["cat", "dog"] });
    expectTypeOf(() => named().predict(X)).returns.toEqualTypeOf<("cat" | "dog")[]>();
    expectTypeOf(() => named().coef).returns.toEqualTypeOf<Matrix>();
    expectTypeOf(() => named().predict(X, { minProba: 0.9 })).returns.toEqualTypeOf<
      ("cat" | "dog" | undefined)[]
    >();
    expectTypeOf(() =>
      loadModel(bytes, LogisticRegression),
    ).returns.toEqualTypeOf<FittedLogisticRegression>();
  });
});

describe("a scorer", () => {
  test("gets the model, rows and targets of its estimator", () => {
    type Score = Exclude<NonNullable<NonNullable<Parameters<typeof classify>[0]>["scoring"]>, string>;
    const classify = (options?: ValidationOptions<LogisticRegression>) =>
      crossValidate(new LogisticRegression(), X, ["a", "b"], options);
    expectTypeOf<Parameters<Score>[0]>().toEqualTypeOf<FittedLogisticRegression>();
    expectTypeOf<Parameters<Score>[1]>().toEqualTypeOf<MatrixLike>();
    expectTypeOf<Parameters<Score>[2]>().toEqualTypeOf<ArrayLike<Label>>();
    const own = () =>
      crossValidate(new LogisticRegression(), X, ["a", "b"], {
        scoring: (model, x, y, { sampleWeight }) => accuracyScore(y, model.predict(x), { sampleWeight }),
      });
    expectTypeOf(() => own().testScore).returns.toEqualTypeOf<Float64Array>();
    const regress = () =>
      crossValScore(new Ridge(), X, [1, 2], {
        scoring: (model, x, y) => -Math.abs(model.predict(x)[0]! - y[0]!),
      });
    expectTypeOf(regress).returns.toEqualTypeOf<Float64Array>();
    const text = () =>
      crossValScore(pipeline(new CountVectorizer(), new MultinomialNB()), ["a", "b"], ["ham", "spam"], {
        scoring: (model, x, y) => accuracyScore(y, model.predict(x)),
      });
    expectTypeOf(text).returns.toEqualTypeOf<Float64Array>();
    const density = () => crossValScore(new GaussianMixture(), X, { scoring: (model, x) => model.score(x) });
    expectTypeOf(density).returns.toEqualTypeOf<Float64Array>();
    const far = () =>
      background(new Ridge()).crossValidate(X, [1, 2], { scoring: (model, x, y) => model.score(x, y) });
    expectTypeOf(async () => (await far()).testScore).returns.toEqualTypeOf<Promise<Float64Array>>();
    const narrow = (model: FittedRidge, x: Matrix, y: Float64Array) => model.score(x, y);
    expectTypeOf(() =>
      crossValScore(new Ridge(), X, [1, 2], { scoring: narrow }),
    ).returns.toEqualTypeOf<Float64Array>();
  });
});

describe("a search by several scorers", () => {
  const svc = { estimator: new SVC(), grid: { C: [1, 10] } };
  const own = { estimator: new SVC(), space: { C: [1, 10] } };

  test("has a mean, deviation and rank per name", () => {
    const listed = () =>
      new GridSearch({ ...svc, scoring: ["accuracy", "rocAuc"], refit: "rocAuc" }).fit(X, ["a", "b"]);
    type Listed = ReturnType<typeof listed>["results"]["candidates"][number];
    expectTypeOf<Listed["meanScore"]>().toEqualTypeOf<{
      readonly accuracy: number;
      readonly rocAuc: number;
    }>();
    expectTypeOf<keyof Listed["scores"]>().toEqualTypeOf<"accuracy" | "rocAuc">();
    expectTypeOf(() => listed().bestScore).returns.toEqualTypeOf<number>();
    const named = () =>
      new RandomSearch({
        ...own,
        scoring: { mine: (model, x, y) => accuracyScore(y, model.predict(x)), auc: "rocAuc" },
        refit: "mine",
      }).fit(X, ["a", "b"]);
    type Named = ReturnType<typeof named>["results"]["candidates"][number];
    expectTypeOf<Named["rank"]>().toEqualTypeOf<{ readonly mine: number; readonly auc: number }>();
    const far = () =>
      background(new GridSearch({ ...svc, scoring: ["f1", "recall"], refit: false })).fit(X, ["a", "b"]);
    type Far = Awaited<ReturnType<typeof far>>["results"]["candidates"][number];
    expectTypeOf<keyof Far["stdScore"]>().toEqualTypeOf<"f1" | "recall">();
  });

  test("is the same as before with one", () => {
    type One = SearchedModel<FittedRidge, Ridge>;
    const ridge = { estimator: new Ridge(), grid: { alpha: [1] } };
    expectTypeOf(() => new GridSearch(ridge).fit(X, [1, 2])).returns.toEqualTypeOf<One>();
    expectTypeOf(() =>
      new GridSearch({ ...ridge, scoring: "r2", refit: false }).fit(X, [1, 2]),
    ).returns.toEqualTypeOf<One>();
    expectTypeOf(() =>
      new GridSearch({ ...ridge, scoring: (model, x, y) => model.score(x, y) }).fit(X, [1, 2]),
    ).returns.toEqualTypeOf<One>();
    expectTypeOf(() =>
      new GridSearch({ ...ridge, scoring: null }).fit(X, [1, 2]),
    ).returns.toEqualTypeOf<One>();
    expectTypeOf<One["results"]["candidates"][number]["meanScore"]>().toEqualTypeOf<number>();
  });
});

describe("X and y may be", () => {
  test("read-only rows, and bytes as canvases hold them", () => {
    const rows: readonly (readonly number[])[] = X;
    const tuples = [
      [1, 2],
      [3, 4],
    ] as const;
    const labels: readonly string[] = ["a", "b"];
    const bytes = new Uint8ClampedArray(8);
    const model = () => new LogisticRegression().fit(rows, labels);
    expectTypeOf(model).returns.toEqualTypeOf<FittedLogisticRegression<string>>();
    expectTypeOf(() => new Ridge().fit(tuples, bytes)).returns.toEqualTypeOf<FittedRidge>();
    expectTypeOf(() => model().predict([bytes])).returns.toEqualTypeOf<string[]>();
    expectTypeOf(() => model().predict({ data: bytes, rows: 4, cols: 2 })).returns.toEqualTypeOf<string[]>();
    expectTypeOf(() => model().predict({ data: bytes, shape: [4, 2] as const })).returns.toEqualTypeOf<
      string[]
    >();
    const images = { data: bytes, rows: 2, height: 2, width: 1, channels: 2 };
    expectTypeOf(() => new CNNClassifier().fit(images, labels)).returns.toExtend<
      FittedCNNClassifier<string>
    >();
    expectTypeOf(() => Matrix.fromRows(rows)).returns.toExtend<Matrix>();
    expectTypeOf(() => trainTestSplit(rows, labels).train.X).returns.toEqualTypeOf<(readonly number[])[]>();
    expectTypeOf(() => trainTestSplit(bytes, labels).train.X).returns.toEqualTypeOf<typeof bytes>();
  });
});

describe("networks", () => {
  test("keep the type of labels", () => {
    const fit = () => new NeuralClassifier({ layers: [dense(4), dense(1)] }).fit(X, ["no", "yes"]);
    expectTypeOf(fit).toEqualTypeOf<() => FittedNeuralClassifier<"no" | "yes">>();
    expectTypeOf(() => fit().predict(X)).toEqualTypeOf<() => ("no" | "yes")[]>();
  });

  test("gradients are one array per argument, as wide as asked for", () => {
    const f = (a: Tensor, b: Tensor) => sum(matmul(a, b));
    const narrow = grad(f);
    expectTypeOf<ReturnType<typeof narrow>["length"]>().toEqualTypeOf<2>();
    expectTypeOf<ReturnType<typeof narrow>[0]["data"]>().toEqualTypeOf<Float32Array>();
    const wide = grad(f, { dtype: "float64" });
    expectTypeOf<ReturnType<typeof wide>[0]["data"]>().toEqualTypeOf<Float64Array>();
  });
});
