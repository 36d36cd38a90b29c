import { describe, expect, it } from "vitest";
import {
  type ArgmaxError,
  BaggingClassifier,
  CNNClassifier,
  CountVectorizer,
  CsrMatrix,
  DataError,
  GridSearch,
  HistGradientBoostingClassifier,
  HistGradientBoostingRegressor,
  loadModel,
  Matrix,
  MLPClassifier,
  MLPRegressor,
  makeMoons,
  ParameterError,
  pipeline,
  Random,
  StandardScaler,
  saveModel,
  Table,
  TransformedTargetRegressor,
} from "../../src/index.js";
import { problem } from "./data.js";
import { subjects } from "./registry.js";

/** Rows that a network and boosted trees overfit, and others to stop on. */
const train = makeMoons({ nSamples: 120, noise: 0.45, randomState: 1 });
const held = makeMoons({ nSamples: 200, noise: 0.45, randomState: 2 });
const labels = (y: readonly number[]): string[] => y.map((k) => (k === 1 ? "up" : "down"));
const validation = { X: held.X, y: labels(held.y) };
const numbers = { X: held.X, y: held.X.toArray().map(([a, b]) => Math.sin(3 * a!) + b! + 0.01) };
const t = train.X.toArray().map(([a, b]) => Math.sin(3 * a!) + b!);

const network = (params = {}) =>
  new MLPClassifier({
    hiddenLayerSizes: [32],
    learningRateInit: 0.02,
    earlyStopping: true,
    nIterNoChange: 5,
    maxIter: 400,
    ...params,
  });
const boosting = (params = {}) =>
  new HistGradientBoostingClassifier({ maxIter: 300, minSamplesLeaf: 5, nIterNoChange: 5, ...params });

describe("validation rows of fit", () => {
  it("decide when a network stops: its scores are those of these rows, and the best weights are kept", () => {
    const model = network().fit(train.X, labels(train.y), { validation });
    const { validationScores } = model;
    expect(model.report.converged).toBe(true);
    expect(validationScores.length).toBeLessThan(400);
    expect(model.score(validation.X, validation.y)).toBe(Math.max(...validationScores));
    // More than nIterNoChange epochs without a rise of tol.
    const best = validationScores.indexOf(Math.max(...validationScores));
    expect(validationScores.length).toBeGreaterThanOrEqual(best + 6);
  });

  it("leave all training rows to learn from", () => {
    // The epochs up to the first stop are those of a training without early stopping.
    const stopped = network().fit(train.X, labels(train.y), { validation });
    const free = network({ earlyStopping: false, nIterNoChange: 400 }).fit(train.X, labels(train.y));
    expect(free.lossCurve.slice(0, stopped.lossCurve.length)).toEqual(stopped.lossCurve);
    const trees = boosting().fit(train.X, labels(train.y), { validation });
    const same = boosting({ earlyStopping: false, maxIter: trees.nIter }).fit(train.X, labels(train.y));
    expect(same.predictProba(held.X)).toEqual(trees.predictProba(held.X));
  });

  it("decide when boosting stops, also with few rows, where auto would not", () => {
    const model = boosting().fit(train.X, labels(train.y), { validation });
    expect(model.nIter).toBeLessThan(300);
    const p = model.predictProba(held.X);
    const loss = held.y.reduce<number>((sum, k, i) => sum - Math.log(p.at(i, k)), 0) / held.y.length;
    expect(-model.validationScore.at(-1)!).toBeCloseTo(loss, 12);
    const stale = model.validationScore
      .slice(-5)
      .every((score) => score <= model.validationScore.at(-6)! + 1e-7);
    expect(stale).toBe(true);
  });

  it("may have weights: 2 counts as the row twice, 0 as the row gone", () => {
    const sampleWeight = held.y.map((_, i) => i % 3);
    const rows = held.y.flatMap((_, i) => new Array<number>(i % 3).fill(i));
    const repeated = { X: held.X.selectRows(rows), y: rows.map((i) => validation.y[i]!) };
    for (const estimator of [network(), boosting()]) {
      const weighted = estimator.fit(train.X, labels(train.y), {
        validation: { ...validation, sampleWeight },
      });
      const twice = estimator.fit(train.X, labels(train.y), { validation: repeated });
      const [a, b] = [weighted, twice].map((model) =>
        "validationScores" in model ? model.validationScores : model.validationScore,
      );
      expect(a!.length).toBe(b!.length);
      a!.forEach((score, e) => {
        expect(score).toBeCloseTo(b![e]!, 12);
      });
    }
  });

  it("work for regressors", () => {
    const net = new MLPRegressor({
      hiddenLayerSizes: [20],
      earlyStopping: true,
      maxIter: 200,
      learningRateInit: 0.01,
    });
    const model = net.fit(train.X, t, { validation: numbers });
    expect(model.score(numbers.X, numbers.y)).toBeCloseTo(Math.max(...model.validationScores), 6);
    const trees = new HistGradientBoostingRegressor({ maxIter: 500, nIterNoChange: 3, tol: 1e-3 });
    const boosted = trees.fit(train.X, t, { validation: numbers });
    expect(boosted.nIter).toBeLessThan(500);
    const error = boosted.predict(numbers.X).map((z, i) => (z - numbers.y[i]!) ** 2);
    const mean = error.reduce((sum, e) => sum + e, 0) / error.length;
    expect(-boosted.validationScore.at(-1)!).toBeCloseTo(mean / 2, 10);
    // R² of equal targets is undefined.
    expect(() => net.fit(train.X, t, { validation: { X: held.X, y: held.y.map(() => 1) } })).toThrow(
      "MLPRegressor.fit, validation: y must be of two different numbers or more, since R² of the rows is compared, got only 1.",
    );
  });

  it("work for networks on images, and in sparse rows", () => {
    const random = new Random(4);
    const images = (n: number) => ({
      data: Float32Array.from({ length: n * 16 }, () => random.uniform()),
      rows: n,
      height: 4,
      width: 4,
      channels: 1,
    });
    const y = (n: number) => Array.from({ length: n }, (_, i) => i % 2);
    const cnn = new CNNClassifier({ earlyStopping: true, maxIter: 3 });
    const model = cnn.fit(images(40), y(40), { validation: { X: images(20), y: y(20) } });
    expect(model.validationScores.length).toBe(3);
    const wide = { ...images(20), height: 2, width: 8 };
    expect(() => cnn.fit(images(40), y(40), { validation: { X: wide, y: y(20) } })).toThrow(
      "CNNClassifier.fit, validation: X must be images of 4 × 4 × 1, as in fit, got 2 × 8 × 1.",
    );
    const sparse = { X: CsrMatrix.fromDense(held.X), y: validation.y };
    expect(network().fit(train.X, labels(train.y), { validation: sparse }).validationScores).toEqual(
      network().fit(train.X, labels(train.y), { validation }).validationScores,
    );
  });

  it("are found by name in a table, in any order, with the categories of the training rows", () => {
    const random = new Random(5);
    const columns = (n: number, towns: readonly string[]) => {
      const town = Array.from({ length: n }, () => towns[random.below(towns.length)]!);
      const age = Array.from({ length: n }, () => random.normal());
      const y = town.map((name, i) => (name === "Oslo" || age[i]! + random.normal() > 1 ? "yes" : "no"));
      return { town, age, y };
    };
    const own = columns(200, ["Oslo", "Rome", "Bonn"]);
    const other = columns(100, ["Oslo", "Rome", "Lima"]);
    const table = Table.fromColumns({ town: own.town, age: own.age });
    const turned = Table.fromColumns({ age: other.age, town: other.town });
    const model = boosting().fit(table, own.y, { validation: { X: turned, y: other.y } });
    const p = model.predictProba(turned);
    const loss = other.y.reduce((sum, label, i) => sum - Math.log(p.at(i, label === "yes" ? 1 : 0)), 0) / 100;
    // Lima is not a category of the model: these rows were scored as the model predicts them.
    expect(-model.validationScore.at(-1)!).toBeCloseTo(loss, 12);
    const ages = Table.fromColumns({ extra: own.age.map((v) => -v), age: own.age });
    const swapped = Table.fromColumns({ age: other.age, extra: other.age.map((v) => -v) });
    const net = network({ maxIter: 20 }).fit(ages, own.y, { validation: { X: swapped, y: other.y } });
    expect(net.score(swapped, other.y)).toBe(Math.max(...net.validationScores));
    expect(() =>
      network().fit(ages, own.y, { validation: { X: Table.fromColumns({ age: other.age }), y: other.y } }),
    ).toThrow(/MLPClassifier.fit, validation: .*"extra"/);
  });

  it("of a pipeline are transformed by the steps before the last one, also texts", () => {
    const far = (X: Matrix) =>
      new Matrix(
        X.data.map((v) => 1000 + 100 * v),
        X.rows,
        X.cols,
      );
    const scaler = new StandardScaler();
    const scaled = scaler.fit(far(train.X));
    const piped = pipeline(scaler, network()).fit(far(train.X), labels(train.y), {
      validation: { X: far(held.X), y: validation.y },
    });
    const byHand = network().fit(scaled.transform(far(train.X)), labels(train.y), {
      validation: { X: scaled.transform(far(held.X)), y: validation.y },
    });
    expect(piped.last.validationScores).toEqual(byHand.validationScores);
    const texts = ["good film", "bad film", "good plot", "bad plot", "good", "bad"];
    const words = pipeline(new CountVectorizer(), network({ maxIter: 4 }));
    const model = words.fit(texts, ["+", "-", "+", "-", "+", "-"], {
      validation: { X: ["good good", "bad idea"], y: ["+", "-"] },
    });
    expect(model.last.validationScores.length).toBe(4);
  });

  it("are part of the resumed model's training, and of its file", () => {
    const short = boosting({ maxIter: 10 }).fit(train.X, labels(train.y), { validation });
    const loaded = loadModel(saveModel(short)) as typeof short;
    const options = { validation, resume: loaded };
    const more = boosting({ maxIter: 20 }).fit(train.X, labels(train.y), options);
    const whole = boosting({ maxIter: 20 }).fit(train.X, labels(train.y), { validation });
    expect(more.predictProba(held.X)).toEqual(whole.predictProba(held.X));
    // Without them, rows would be held out that the model has learned from.
    expect(() =>
      boosting({ maxIter: 20, earlyStopping: true }).fit(train.X, labels(train.y), { resume: loaded }),
    ).toThrow(
      "HistGradientBoostingClassifier.fit: validation must be given, as to the fit of the model that is resumed, got none.",
    );
  });
});

describe("validation rows that cannot be used", () => {
  const fit = (given: unknown, estimator: { fit(x: never, y: never, options: never): unknown } = network()) =>
    estimator.fit(train.X as never, labels(train.y) as never, { validation: given } as never);

  it.each([
    ["another width", { X: held.X.selectColumns([0]), y: validation.y }, /validation: X must be/],
    [
      "an unknown label",
      { X: held.X, y: validation.y.with(3, "left") },
      /validation: y\[3\] must be one of the classes/,
    ],
    [
      "too few labels",
      { X: held.X, y: validation.y.slice(1) },
      /validation: y must be as long as X has rows/,
    ],
    [
      "NaN in X",
      { X: held.X.toArray().with(2, [Number.NaN, 1]), y: validation.y },
      /validation: .*X.* must be/,
    ],
    ["no rows", { X: Matrix.zeros(0, 2), y: [] }, /validation: X must be/],
    [
      "a negative weight",
      { ...validation, sampleWeight: held.y.map(() => -1) },
      /validation: sampleWeight\[0\] must be/,
    ],
    [
      "another key",
      { ...validation, weights: [] },
      /validation must be labelled rows \{ X, y, sampleWeight\? \}/,
    ],
    ["no labels", { X: held.X }, /validation must be labelled rows/],
    ["null", null, /validation must be labelled rows/],
  ])("%s: an error that says so", (_, given, message) => {
    const errors = [network(), boosting({ earlyStopping: true })].map((estimator) => {
      try {
        fit(given, estimator);
      } catch (error) {
        return error as ArgmaxError;
      }
      return undefined;
    });
    // Boosting takes missing values.
    if (_ === "NaN in X") errors.pop();
    for (const error of errors) expect(error?.message).toMatch(message);
  });

  it("with early stopping off: an error, since they would decide nothing", () => {
    for (const estimator of [network({ earlyStopping: false }), boosting({ earlyStopping: false })])
      expect(() => fit(validation, estimator)).toThrow(
        /earlyStopping must be true with validation rows, which decide when to stop, got false/,
      );
    expect(() => fit(validation, new MLPClassifier({ solver: "lbfgs" }))).toThrow(ParameterError);
  });

  it("by an estimator inside another one: never ignored", () => {
    const inside = [
      new BaggingClassifier({ estimator: network() }),
      new GridSearch({ estimator: network(), grid: { alpha: [0, 1] } } as never),
      pipeline(new StandardScaler(), new StandardScaler()),
    ];
    for (const estimator of inside) expect(() => fit(validation, estimator as never)).toThrow(ParameterError);
    expect(() =>
      new TransformedTargetRegressor({ regressor: new MLPRegressor({ earlyStopping: true }) } as never).fit(
        train.X,
        t,
        { validation: numbers } as never,
      ),
    ).toThrow(ParameterError);
  });

  it.each(subjects.map((subject) => [subject.name, subject] as const))(
    "by %s: taken, or refused by name",
    (_, subject) => {
      const takes = "validation" in (subject.type.fitOptions ?? {}) && subject.type.id !== "Pipeline";
      if (takes) return;
      const { X, y } = problem(subject) as { X: never; y: never };
      expect(() => subject.make().fit(X, y, { validation: { X, y } } as never)).toThrow(/validation/);
    },
  );

  it("DataError is what wrong rows throw", () => {
    expect(() => fit({ X: held.X, y: validation.y.with(3, "left") })).toThrow(DataError);
  });
});
