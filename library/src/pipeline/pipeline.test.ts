import { describe, expect, expectTypeOf, it } from "vitest";
import { MeanRegressor, NearestMean } from "../../test/support/nearest-mean.js";
import { MultinomialNB } from "../bayes/index.js";
import { AbortError, DataError, ParameterError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { loadDataset } from "../datasets/index.js";
import { LinearDiscriminantAnalysis } from "../discriminant/index.js";
import { LogisticRegression } from "../linear/index.js";
import { estimatorFromJson, loadModel, saveModel } from "../persistence/index.js";
import { type FittedStandardScaler, MinMaxScaler, StandardScaler } from "../preprocessing/index.js";
import { crossValScore } from "../selection/index.js";
import { CountVectorizer } from "../text/index.js";
import { Pipeline, pipeline } from "./index.js";

const X = [
  [0, 1000],
  [1, 3000],
  [10, 1000],
  [11, 3000],
];
const y = ["ham", "ham", "spam", "spam"] as const;

describe("pipeline", () => {
  it("does by one call what its steps do one after the other", () => {
    const model = pipeline(new StandardScaler(), new NearestMean()).fit(X, y);
    const scaler = new StandardScaler().fit(X);
    const last = new NearestMean().fit(scaler.transform(X), y);
    expect(model.predict(X)).toEqual(["ham", "ham", "spam", "spam"]);
    expect(model.decisionFunction(X)).toEqual(last.decisionFunction(scaler.transform(X)));
    expect(model.score(X, y)).toBe(1);
    expect(model.classes).toEqual(["ham", "spam"]);
    expect(model.nFeatures).toBe(2);
  });

  it("has in its type exactly what its last step has, with the labels it was fitted on", () => {
    const model = pipeline(new StandardScaler(), new MinMaxScaler(), new NearestMean()).fit(X, y);
    expectTypeOf(model.predict(X)).toEqualTypeOf<("ham" | "spam")[]>();
    expectTypeOf(model.predict(X, { furthest: true })).toEqualTypeOf<("ham" | "spam")[]>();
    expectTypeOf(model.decisionFunction(X)).toEqualTypeOf<Matrix>();
    expectTypeOf(model.classes).toEqualTypeOf<readonly ("ham" | "spam")[]>();
    expectTypeOf(model.steps[0]).toEqualTypeOf<FittedStandardScaler>();
    expectTypeOf(model.last.means).toEqualTypeOf<Matrix>();
    expectTypeOf(model.last.predict(X, { furthest: true })).toEqualTypeOf<("ham" | "spam")[]>();
    // @ts-expect-error: NearestMean has no probabilities
    expect(model.predictProba).toBeUndefined();
    // @ts-expect-error: and transforms nothing
    expect(model.transform).toBeUndefined();
    // @ts-expect-error: there is no such label
    expect(() => model.score(X, ["eggs", "ham", "ham", "ham"])).not.toThrow();
    // @ts-expect-error: an unfitted pipeline cannot predict
    expect(pipeline(new NearestMean()).predict).toBeUndefined();
  });

  it("passes further arguments on to the last step", () => {
    const model = pipeline(new StandardScaler(), new NearestMean()).fit(X, y);
    expect(model.predict(X, { furthest: true })).toEqual(["spam", "spam", "ham", "ham"]);
  });

  it("of a regressor is a regressor", () => {
    const model = pipeline(new StandardScaler(), new MeanRegressor()).fit(X, [1, 2, 3, 4]);
    expectTypeOf(model.predict(X)).toEqualTypeOf<Float64Array>();
    expect([...model.predict([[0, 0]])]).toEqual([2.5]);
    expectTypeOf(model.last.mean).toBeNumber();
    // @ts-expect-error: it learns numbers
    expect(() => pipeline(new MeanRegressor()).fit(X, y)).toThrow(DataError);
  });

  it("of transformers is a transformer", () => {
    const scale = pipeline(new StandardScaler(), new MinMaxScaler());
    const model = scale.fit(X);
    expectTypeOf(model.transform(X)).toEqualTypeOf<Matrix>();
    expect(model.transform(X).row(0)).toEqual(new Float64Array([0, 0]));
    expect(scale.capabilities.task).toBe("transform");
    expect("predict" in model).toBe(false);
  });

  it("nests", () => {
    const inner = pipeline(new StandardScaler(), new MinMaxScaler());
    const model = pipeline(inner, pipeline(new StandardScaler(), new NearestMean())).fit(X, [
      true,
      true,
      false,
      false,
    ]);
    expectTypeOf(model.predict(X)).toEqualTypeOf<boolean[]>();
    expect(model.predict(X)).toEqual([true, true, false, false]);
  });

  it("gives weights to every step that takes them", async () => {
    const iris = await loadDataset("iris");
    const sampleWeight = iris.y.map((_, i) => i % 3);
    const model = pipeline(new StandardScaler(), new NearestMean()).fit(iris.X, iris.y, { sampleWeight });
    const alone = new StandardScaler().fit(iris.X, undefined, { sampleWeight });
    expect(model.steps[0].mean).toEqual(alone.mean);
    const last = new NearestMean().fit(alone.transform(iris.X), iris.y, { sampleWeight });
    expect(model.last.means).toEqual(last.means);
  });

  it("refuses weights that its last step would ignore", () => {
    expect(() =>
      pipeline(new StandardScaler(), new MeanRegressor()).fit(X, [1, 2, 3, 4], {
        sampleWeight: [1, 1, 1, 1],
      }),
    ).toThrow(
      "Pipeline.fit: sampleWeight must be absent, since MeanRegressor does not take weights, got weights.",
    );
  });

  it("names the step that fails, when fitting and when predicting", () => {
    const estimator = pipeline(new StandardScaler(), new NearestMean());
    expect(() => estimator.fit(X, y.slice(1))).toThrow(
      "pipeline step 2, NearestMean.fit: y must be as long as X has rows (4), got 3 entries.",
    );
    expect(() => estimator.fit(X, y).predict([[1]])).toThrow(ShapeError);
    expect(() => estimator.fit(X, y).predict([[1]])).toThrow(
      "pipeline step 1, FittedStandardScaler.transform: X must be 2 columns wide, as in fit, got 1 columns.",
    );
    expect(() => pipeline(new MinMaxScaler(), estimator).fit([[Number.NaN, 1]], ["a"])).toThrow(
      "pipeline step 1, MinMaxScaler.fit: X[0][0]",
    );
  });

  it("refuses a predictor before the end, things that are not estimators, and no steps", () => {
    // @ts-expect-error: only the last step may predict
    expect(() => pipeline(new NearestMean(), new StandardScaler())).toThrow(
      "pipeline: step 1 must be a transformer, since another step follows it, got NearestMean, made for classification.",
    );
    // @ts-expect-error: not an estimator
    expect(() => pipeline(new StandardScaler(), {})).toThrow(ParameterError);
    // @ts-expect-error: nothing at all
    expect(() => pipeline()).toThrow(ParameterError);
    expect(() => new Pipeline({} as never)).toThrow(ParameterError);
  });

  it("passes sparse rows on where all steps take them", () => {
    const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
    const scale = pipeline(new StandardScaler({ withMean: false }), new StandardScaler({ withMean: false }));
    expect(scale.capabilities.sparse).toBe(true);
    expect(scale.fit(sparse).transform(sparse)).toBeInstanceOf(CsrMatrix);
    expect(pipeline(new StandardScaler(), new MinMaxScaler()).capabilities.sparse).toBe(false);
  });

  it("takes what its first step takes", () => {
    const { input, task } = pipeline(new CountVectorizer(), new MultinomialNB()).capabilities;
    expect({ input, task }).toEqual({ input: "text", task: "classification" });
    expect(pipeline(new StandardScaler(), new MultinomialNB()).capabilities.input).toBeUndefined();
  });

  it("stops when its signal says so", () => {
    expect(() =>
      pipeline(new StandardScaler(), new NearestMean()).fit(X, y, { signal: AbortSignal.abort() }),
    ).toThrow(AbortError);
  });

  it("describes itself in JSON", () => {
    expect(
      JSON.parse(JSON.stringify(pipeline(new StandardScaler({ withStd: false }), new NearestMean()))),
    ).toEqual({
      estimator: "Pipeline",
      params: {
        steps: [
          { estimator: "StandardScaler", params: { withMean: true, withStd: false } },
          { estimator: "NearestMean", params: { shrink: 0 } },
        ],
      },
    });
  });

  it("predicts nothing for no rows", () => {
    expect(pipeline(new StandardScaler(), new NearestMean()).fit(X, y).predict([])).toEqual([]);
  });
});

describe("a pipeline's first step", () => {
  it("may take documents", () => {
    const texts = ["cheap pills now", "meeting at noon", "pills cheap", "noon meeting moved"];
    const labels = ["spam", "ham", "spam", "ham"] as const;
    const model = pipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
    const predicted: ("spam" | "ham")[] = model.predict(["cheap cheap pills"]);
    expect(predicted).toEqual(["spam"]);
    expect(
      crossValScore(pipeline(new CountVectorizer(), new MultinomialNB()), texts, labels, { cv: 2 }),
    ).toEqual(Float64Array.of(1, 1));
  });

  it("may be a classifier whose models transform", () => {
    const x = [
      [0, 0],
      [1, 0.2],
      [0.2, 1],
      [4, 4.1],
      [5, 4],
      [4.3, 5],
      [9, 0],
      [8, 1],
      [8.5, 0.3],
    ];
    const y = ["a", "a", "a", "b", "b", "b", "c", "c", "c"];
    const model = pipeline(new LinearDiscriminantAnalysis({ nComponents: 1 }), new LogisticRegression()).fit(
      x,
      y,
    );
    expect(model.last.nFeatures).toBe(1);
    expect(model.score(x, y)).toBe(1);
  });

  it("may not be one whose models do not", () => {
    expect(() => pipeline(new MultinomialNB() as never, new LogisticRegression())).toThrow(
      /step 1 must be a transformer/,
    );
  });
});

describe("steps by name", () => {
  const named = pipeline(["scale", new StandardScaler()], ["means", new NearestMean()]);

  it("are found in the pipeline and in its model, with their types", () => {
    const model = named.fit(X, y);
    expect(named.names).toEqual(["scale", "means"]);
    expect(named.step("scale")).toBe(named.steps[0]);
    expect(model.step("scale").mean).toEqual(new StandardScaler().fit(X).mean);
    expectTypeOf(named.step("scale")).toEqualTypeOf<StandardScaler>();
    expectTypeOf(model.step("scale")).toEqualTypeOf<FittedStandardScaler>();
    expectTypeOf(model.step("means").means).toEqualTypeOf<Matrix>();
    expectTypeOf(model.predict(X)).toEqualTypeOf<("ham" | "spam")[]>();
    expect(model.predict(X)).toEqual(pipeline(new StandardScaler(), new NearestMean()).fit(X, y).predict(X));
    // @ts-expect-error: no such step
    expect(() => model.step("svc")).toThrow(
      'FittedPipeline.step: the name must be "scale" or "means", got "svc".',
    );
    // @ts-expect-error: no such step
    expect(() => named.step("svc")).toThrow(ParameterError);
  });

  it("have the names of scikit-learn's make_pipeline where none are given", () => {
    const scale = pipeline(new StandardScaler(), new MinMaxScaler(), new StandardScaler());
    expect(scale.names).toEqual(["standardscaler-1", "minmaxscaler", "standardscaler-2"]);
    const model = scale.fit(X);
    expect(model.step("minmaxscaler")).toBe(model.steps[1]);
  });

  it("survive saving and JSON", () => {
    const estimator = pipeline(["scale", new StandardScaler()], ["logistic", new LogisticRegression()]);
    const model = loadModel(saveModel(estimator.fit(X, y)), Pipeline);
    expect(model.names).toEqual(["scale", "logistic"]);
    const scaler = model.step("scale") as FittedStandardScaler;
    expect(scaler.mean).toEqual(estimator.fit(X, y).step("scale").mean);
    const text = JSON.stringify(estimator);
    const back = estimatorFromJson(JSON.parse(text)) as Pipeline;
    expect(back.names).toEqual(["scale", "logistic"]);
    expect(JSON.stringify(back)).toBe(text);
    const plain = loadModel(
      saveModel(pipeline(new StandardScaler(), new LogisticRegression()).fit(X, y)),
      Pipeline,
    );
    expect(plain.names).toEqual(["standardscaler", "logisticregression"]);
  });

  it("must differ, and name every step or none", () => {
    const pairs =
      (...steps: unknown[]) =>
      () =>
        new Pipeline({ steps: steps as never });
    expect(pairs(["a", new StandardScaler()], ["a", new NearestMean()])).toThrow("with different names");
    expect(pairs(["a", new StandardScaler()], new NearestMean())).toThrow(ParameterError);
    expect(pairs(["", new StandardScaler()])).toThrow(ParameterError);
    // @ts-expect-error: only the last step may predict
    expect(() => pipeline(["a", new NearestMean()], ["b", new StandardScaler()])).toThrow(
      "step 1 must be a transformer",
    );
  });
});
