import { Worker as NodeWorker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
// The worker is a file, so these tests use what the build wrote.
import {
  AbortError,
  AdaBoostClassifier,
  ArgmaxError,
  BaggingClassifier,
  background,
  CalibratedClassifier,
  Cascade,
  CountVectorizer,
  type CrossValidationProgress,
  CsrMatrix,
  createLoader,
  crossValidate,
  DataError,
  DecisionTreeClassifier,
  GaussianNB,
  HistGradientBoostingClassifier,
  KFold,
  type Label,
  LogisticRegression,
  Matrix,
  MinMaxScaler,
  MLPClassifier,
  MLPRegressor,
  MultinomialNB,
  NeuralClassifier,
  ParameterError,
  Pipeline,
  type Progress,
  pipeline,
  Random,
  Ridge,
  SGDClassifier,
  StandardScaler,
  saveModel,
  setThreads,
  Table,
  TableVectorizer,
  tableVectorizer,
  threads,
  timeLimit,
} from "../../dist/index.js";

function clouds(rows: number, cols: number) {
  const random = new Random(3);
  const X = Matrix.zeros(rows, cols);
  const y = Array.from({ length: rows }, (_, i) => {
    const label = random.below(2) === 0 ? "ham" : "spam";
    for (let j = 0; j < cols; j++) X.data[i * cols + j] = random.normal() + (label === "ham" ? 0 : 0.3);
    return label as "ham" | "spam";
  });
  return { X, y };
}

/** Runs for minutes unless somebody stops it. */
const endless = new SGDClassifier({ maxIter: 1_000_000, tol: 0 });

describe("a fit in the background", () => {
  const { X, y } = clouds(500, 4);

  test("takes several targets, and keeps the names of a table's", async () => {
    const numbers = Array.from({ length: 500 }, (_, i) => [X.at(i, 0) + X.at(i, 1), 3 * X.at(i, 2) - 1]);
    const rows = numbers.map(([a, b]) => ({ a: a!, b: b! }));
    const estimator = new Ridge({ alpha: [1, 20] });
    const expected = estimator.fit(X, numbers);
    for (const Y of [numbers, Matrix.fromRows(numbers), Table.fromRows(rows)]) {
      const model = await background(estimator).fit(X, Y);
      expect(model.coef.data).toEqual(expected.coef.data);
      expect(model.targetNames).toEqual(Y instanceof Table ? ["a", "b"] : undefined);
      const { testScore } = await background(estimator).crossValidate(X, Y);
      expect(testScore).toEqual(crossValidate(estimator, X, Y).testScore);
    }
    const ragged = numbers.map((row, i) => (i === 7 ? [1] : row));
    await expect(background(estimator).fit(X, ragged)).rejects.toThrow(/Ridge\.fit: Y\[7\] must be/);
  });

  test("calibrates a model that is fitted already", async () => {
    const prefit = new GaussianNB().fit(X, y);
    const estimator = new CalibratedClassifier({ estimator: new GaussianNB() });
    const model = await background(estimator).fit(X, y, { prefit });
    expect(model.predictProba(X)).toEqual(estimator.fit(X, y, { prefit }).predictProba(X));
  });

  test("takes a column of a table as y", async () => {
    const column = Table.fromColumns({ y }).column("y");
    const estimator = new LogisticRegression();
    const model = await background(estimator).fit(X, column);
    expect(model.coef).toEqual(estimator.fit(X, y).coef);
    const { testScore } = await background(estimator).crossValidate(X, column);
    expect(testScore).toEqual(crossValidate(estimator, X, y).testScore);
  });

  test("throws the library's own errors, whatever it is given", async () => {
    const elsewhere = background(new LogisticRegression()) as unknown as Record<
      "fit" | "crossValidate",
      (...given: unknown[]) => Promise<unknown>
    >;
    const legal = [X, y, {}];
    for (const method of ["fit", "crossValidate"] as const) {
      for (let k = 0; k < legal.length; k++) {
        for (const wrong of [null, undefined, 5, "x", {}, [], [null], () => 0]) {
          const given = legal.map((value, l) => (l === k ? wrong : value));
          await elsewhere[method](...given).catch((error: unknown) =>
            expect(error, `${method}, argument ${k}: ${String(wrong)}`).toBeInstanceOf(ArgmaxError),
          );
        }
      }
    }
  });

  test("finds the estimators that others are made of", async () => {
    const stages = [0, 1].map((j) => ({ features: [j], cost: 1 + j, estimator: new GaussianNB() }));
    for (const estimator of [
      new AdaBoostClassifier({ nEstimators: 3 }),
      new BaggingClassifier({ estimator: pipeline(new StandardScaler(), new LogisticRegression()) }),
      new Cascade({ stages, positiveLabel: "spam" }),
    ]) {
      const elsewhere = await background(estimator).fit(X, y);
      expect(saveModel(elsewhere)).toEqual(saveModel(estimator.fit(X, y)));
    }
  });

  test("gives the very same model as a fit here", async () => {
    for (const estimator of [new LogisticRegression({ C: 0.1 }), new SGDClassifier()]) {
      const elsewhere = await background(estimator).fit(X, y);
      expect(saveModel(elsewhere)).toEqual(saveModel(estimator.fit(X, y)));
    }
  });

  test("works for regressors, transformers and pipelines", async () => {
    const target = X.column(0);
    const ridge = await background(new Ridge()).fit(X, target);
    expect(ridge.coef).toEqual(new Ridge().fit(X, target).coef);
    const scaler = await background(new StandardScaler()).fit(X);
    expect(scaler.mean).toEqual(new StandardScaler().fit(X).mean);
    const steps = pipeline(new StandardScaler(), new MinMaxScaler(), new LogisticRegression());
    const piped = await background(steps).fit(X, y);
    expect(piped.predict(X)).toEqual(steps.fit(X, y).predict(X));
  });

  test("keeps the labels and their type", async () => {
    const model = await background(new LogisticRegression()).fit(X, y);
    const labels: ("ham" | "spam")[] = model.predict(X);
    expect(new Set(labels)).toEqual(new Set(["ham", "spam"]));
  });

  test("passes on weights", async () => {
    const sampleWeight = y.map((label) => (label === "ham" ? 3 : 1));
    const model = await background(new LogisticRegression()).fit(X, y, { sampleWeight });
    expect(model.coef).toEqual(new LogisticRegression().fit(X, y, { sampleWeight }).coef);
  });

  test("continues a network's training, and starts from given weights", async () => {
    const short = new MLPClassifier({ hiddenLayerSizes: [3], maxIter: 2 });
    const long = new MLPClassifier({ hiddenLayerSizes: [3], maxIter: 4 });
    const begun = await background(short).fit(X, y);
    const resumed = await background(long).fit(X, y, { resume: begun });
    expect(saveModel(resumed)).toEqual(saveModel(long.fit(X, y)));
    const start = { coefs: begun.coefs, intercepts: begun.intercepts.map((bias) => bias.slice()) };
    const fit = background(short).fit(X, y, { start });
    const here = short.fit(X, y, { start });
    for (const bias of start.intercepts) bias.fill(0);
    expect(saveModel(await fit)).toEqual(saveModel(here));
    const layers = new NeuralClassifier({ maxIter: 1 });
    const first = layers.fit(X, y);
    const second = await background(new NeuralClassifier({ maxIter: 2 })).fit(X, y, { resume: first });
    expect(second.report.iterations).toBe(2);
    const numbers = X.column(0);
    const regressor = new MLPRegressor({ maxIter: 1 }).fit(X, numbers);
    const next = background(new MLPRegressor({ maxIter: 2 })).fit(X, numbers, { resume: regressor });
    expect((await next).report.iterations).toBe(2);
  });

  test("takes held-out rows of a cascade", async () => {
    const stages = [0, 1].map((j) => ({ features: [j], cost: 1 + j, estimator: new GaussianNB() }));
    const cascade = new Cascade({ stages, positiveLabel: "spam" });
    const heldOut = { X: X.toArray(), y, sampleWeight: y.map((_, i) => 1 + (i % 2)) };
    const elsewhere = await background(cascade).fit(X, y, { heldOut });
    expect(saveModel(elsewhere)).toEqual(saveModel(cascade.fit(X, y, { heldOut })));
  });

  test("takes validation rows of networks, boosting and pipelines", async () => {
    const validation = { X: X.toArray(), y, sampleWeight: y.map((_, i) => 1 + (i % 2)) };
    const network = new MLPClassifier({ hiddenLayerSizes: [4], earlyStopping: true, maxIter: 3 });
    for (const estimator of [
      network,
      new HistGradientBoostingClassifier({ maxIter: 5 }),
      pipeline(new StandardScaler(), network),
    ]) {
      const elsewhere = await background(estimator as MLPClassifier).fit(X, y, { validation });
      const here = (estimator as MLPClassifier).fit(X, y, { validation });
      expect(saveModel(elsewhere)).toEqual(saveModel(here));
    }
    await expect(
      background(network).fit(X, y, { validation: { X, y: y.map(() => "eggs") } }),
    ).rejects.toThrow("MLPClassifier.fit, validation: y[0] must be one of the classes");
  });

  test("refuses options that the estimator does not take", async () => {
    const resume = new MLPClassifier({ maxIter: 1 }).fit(X, y);
    await expect(background(new Ridge()).fit(X, X.column(0), { resume } as never)).rejects.toThrow(
      'Ridge.fit: every option must be one of sampleWeight, signal, onProgress, onWarning, got "resume".',
    );
    const fit = background(new MLPClassifier()).fit(X, y, { resume: new GaussianNB().fit(X, y) as never });
    await expect(fit).rejects.toThrow("MLPClassifier.fit: resume must be a fitted network");
  });

  test("leaves its input alone and does not mind when it changes afterwards", async () => {
    const mine = new Matrix(X.data.slice(), X.rows, X.cols);
    const fit = background(new LogisticRegression()).fit(mine, y);
    mine.data.fill(0);
    expect((await fit).coef).toEqual(new LogisticRegression().fit(X, y).coef);
  });

  test("runs beside others", async () => {
    const fits = [0.1, 1, 10].map((C) => background(new LogisticRegression({ C })).fit(X, y));
    const norms = (await Promise.all(fits)).map(({ coef }) => Math.abs(coef.data[0]!));
    expect(norms[0]).toBeLessThan(norms[2]!);
  });
});

describe("errors", () => {
  test("keep class and fields", async () => {
    const X = [[1], [Number.NaN]];
    const fit = background(new LogisticRegression()).fit(X, [0, 1]);
    const error = await fit.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DataError);
    expect(error).toMatchObject({ code: "data", where: "LogisticRegression.fit", received: "NaN" });
  });

  test("leave the worker usable", async () => {
    const estimator = new LogisticRegression();
    await expect(background(estimator).fit([[1], [2]], [1, 1])).rejects.toBeInstanceOf(DataError);
    expect((await background(estimator).fit([[1], [2]], [1, 0])).classes).toEqual([0, 1]);
  });

  test("say what to do when the worker cannot be started", async () => {
    const worker = () => new NodeWorker('throw new Error("no such file")', { eval: true });
    await expect(background(new Ridge(), { worker }).fit([[1]], [1])).rejects.toThrow("no such file");
  });
});

describe("progress and abort", () => {
  const { X, y } = clouds(2000, 20);

  test("progress comes at most about twenty times a second", async () => {
    const seen: Progress[] = [];
    const stop = new AbortController();
    const start = performance.now();
    const onProgress = (progress: Progress) => {
      if (seen.push(progress) === 8) stop.abort();
    };
    const fit = background(endless).fit(X, y, { signal: stop.signal, onProgress });
    await expect(fit).rejects.toBeInstanceOf(AbortError);
    expect(seen).toHaveLength(8);
    expect((performance.now() - start) / 1000).toBeGreaterThan(7 / 20);
    expect(seen.at(-1)!.iteration).toBeGreaterThan(seen[0]!.iteration);
  });

  test("every estimator's progress can be sent", async () => {
    for (const estimator of [
      new LogisticRegression(),
      new SGDClassifier(),
      pipeline(new StandardScaler(), new LogisticRegression()),
    ]) {
      const seen: Progress[] = [];
      await background(estimator).fit(X, y, { onProgress: (p) => void seen.push(p) });
      expect(seen.at(-1)!.iteration).toBeGreaterThan(0);
    }
  });

  test("an abort is prompt, before, at the start and in the middle", async () => {
    await expect(background(endless).fit(X, y, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(
      AbortError,
    );
    for (const delay of [0, 300]) {
      const stop = new AbortController();
      const fit = background(endless).fit(X, y, { signal: stop.signal });
      await new Promise((resolve) => setTimeout(resolve, delay));
      const aborted = performance.now();
      stop.abort();
      await expect(fit).rejects.toMatchObject({ name: "AbortError", code: "aborted" });
      expect(performance.now() - aborted).toBeLessThan(500);
    }
  });

  test("an aborted fit gives back the model of its last step, also if that step takes long", async () => {
    const stop = new AbortController();
    const fit = background(endless).fit(X, y, { signal: stop.signal, onProgress: () => stop.abort() });
    const error = await fit.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: "AbortError" });
    const model = (error as AbortError).model as ReturnType<typeof endless.fit>;
    expect(model.predict(X).length).toBe(X.rows);
  });

  test("the reason of an abort is the error's cause", async () => {
    const reason = new Error("enough");
    const before = background(endless).fit(X, y, { signal: AbortSignal.abort(reason) });
    await expect(before).rejects.toMatchObject({ name: "AbortError", cause: reason });
    const stop = new AbortController();
    const fit = background(endless).fit(X, y, { signal: stop.signal, onProgress: () => stop.abort(reason) });
    await expect(fit).rejects.toMatchObject({ name: "AbortError", cause: reason });
    const limited = background(endless).fit(X, y, { signal: timeLimit(0.2) });
    await expect(limited).rejects.toMatchObject({ name: "AbortError", cause: { name: "TimeoutError" } });
    const timed = background(endless).fit(X, y, { signal: AbortSignal.timeout(200) });
    await expect(timed).rejects.toMatchObject({ name: "AbortError", cause: { name: "TimeoutError" } });
  });

  test("a controller in place of its signal is refused", async () => {
    const signal = new AbortController() as unknown as AbortSignal;
    const message =
      "Ridge.fit: signal must be an AbortSignal, got a AbortController. Pass the controller's signal: controller.signal.";
    await expect(background(new Ridge()).fit([[1]], [1], { signal })).rejects.toThrow(message);
    for (const other of [null, "now", 5, {}]) {
      const fit = background(new Ridge()).fit([[1]], [1], { signal: other as never });
      await expect(fit).rejects.toMatchObject({ code: "parameter", subject: "signal" });
    }
  });

  test("a listener that throws ends the fit with its error", async () => {
    const fit = background(endless).fit(X, y, {
      onProgress: () => {
        throw new RangeError("mine");
      },
    });
    await expect(fit).rejects.toThrow("mine");
  });

  test("a worker of the caller's own does the same", async () => {
    let started = 0;
    const worker = () => {
      started++;
      return new NodeWorker(new URL("../../dist/background/worker.js", import.meta.url));
    };
    const estimator = new LogisticRegression();
    const first = await background(estimator, { worker }).fit(X, y);
    const second = await background(estimator, { worker }).fit(X, y);
    expect(first.coef).toEqual(estimator.fit(X, y).coef);
    expect(second.coef).toEqual(first.coef);
    expect(started).toBe(1);
  });
});

describe("cross-validation in the background", () => {
  const { X, y } = clouds(600, 5);
  const estimator = pipeline(new StandardScaler(), new LogisticRegression());
  const all = { cv: 7, returnTrainScore: true, returnModels: true } as const;

  test("gives the scores and models of the synchronous one, in the order of the folds", async () => {
    const here = crossValidate(estimator, X, y, all);
    const there = await background(estimator).crossValidate(X, y, all);
    expect(there.testScore).toEqual(here.testScore);
    expect(there.trainScore).toEqual(here.trainScore);
    expect(there.models.map((model) => saveModel(model))).toEqual(
      here.models.map((model) => saveModel(model)),
    );
    expect(there.models[0]!.predict(X)).toEqual(here.models[0]!.predict(X));
    expect(there.fitTime.length).toBe(7);
    expect(there.fitTime.every((seconds) => seconds > 0)).toBe(true);
    const { trainScore, models } = await background(estimator).crossValidate(X, y, { cv: 3 });
    expect([trainScore, models]).toEqual([undefined, undefined]);
  });

  test("with scorers by name and of the caller's own, weights and splitters", async () => {
    const sampleWeight = y.map((label, i) => (label === "ham" ? 1 : 1 + (i % 3)));
    for (const scoring of ["negLogLoss", "f1Macro", countHam] as const) {
      const options = { scoring, sampleWeight, cv: new KFold({ nSplits: 4, shuffle: true, randomState: 1 }) };
      const there = await background(estimator).crossValidate(X, y, options);
      expect(there.testScore).toEqual(crossValidate(estimator, X, y, options).testScore);
    }
  });

  test("with the positive label that is named", async () => {
    const recallOf = (positiveLabel: string) =>
      background(estimator).crossValidate(X, y, { scoring: "recall", positiveLabel, cv: 3 });
    const [ham, spam] = [await recallOf("ham"), await recallOf("spam")];
    const options = { scoring: "recall", positiveLabel: "ham", cv: 3 } as const;
    expect(ham.testScore).toEqual(crossValidate(estimator, X, y, options).testScore);
    expect(ham.testScore).not.toEqual(spam.testScore);
    await expect(background(estimator).crossValidate(X, y, { scoring: "recall" })).rejects.toThrow(
      'positiveLabel must be given as one of the labels ("ham", "spam")',
    );
  });

  test("with several scorers, by name or among them the caller's own, and any number of workers", async () => {
    const options = { cv: 3, returnTrainScore: true } as const;
    const before = threads();
    try {
      for (const count of [1, 3]) {
        setThreads(count);
        for (const scoring of [
          ["accuracy", "negLogLoss"],
          { hits: "accuracy", loss: "negLogLoss" },
          { hits: "accuracy", ham: countHam },
        ] as const) {
          const seen: unknown[] = [];
          const onProgress = ({ fold, testScore }: CrossValidationProgress<unknown>) => {
            seen[fold] = testScore;
          };
          const there = await background(estimator).crossValidate(X, y, { ...options, scoring, onProgress });
          const here = crossValidate(estimator, X, y, { ...options, scoring });
          expect([there.testScore, there.trainScore]).toEqual([here.testScore, here.trainScore]);
          const lists = Object.entries(there.testScore) as [string, Float64Array][];
          expect(seen).toEqual(
            [0, 1, 2].map((f) => Object.fromEntries(lists.map(([name, list]) => [name, list[f]]))),
          );
        }
      }
    } finally {
      setThreads(before);
    }
    await expect(
      background(estimator).crossValidate(X, y, { scoring: ["accuracy", "roc"] as never }),
    ).rejects.toThrow(ParameterError);
  });

  const countHam = (model: { predict(x: Matrix): Label[] }, x: Matrix) =>
    model.predict(x).filter((label) => label === "ham").length;

  test("takes arrays, sparse rows, tables and texts, and copies them", async () => {
    const rows = X.toArray();
    const forms = [rows, CsrMatrix.fromDense(X)] as const;
    for (const form of forms) {
      const there = background(new LogisticRegression()).crossValidate(form, y);
      const here = crossValidate(new LogisticRegression(), form, y);
      if (form === rows) for (const row of rows) row.fill(0);
      expect((await there).testScore).toEqual(here.testScore);
    }
    const table = Table.fromColumns({
      size: Array.from(X.column(0)),
      kind: y.map((l) => (l === "ham" ? "a" : "b")),
    });
    const trees = new DecisionTreeClassifier({ maxDepth: 2 });
    expect((await background(trees).crossValidate(table, y)).testScore).toEqual(
      crossValidate(trees, table, y).testScore,
    );
    const texts = y.map((label, i) => `${label} ${i % 7}`);
    const words = pipeline(new CountVectorizer(), new MultinomialNB());
    expect((await background(words).crossValidate(texts, y)).testScore).toEqual(
      crossValidate(words, texts, y).testScore,
    );
  });

  test("tells of every fold", async () => {
    const seen: CrossValidationProgress[] = [];
    const { testScore } = await background(estimator).crossValidate(X, y, {
      cv: 6,
      onProgress: (progress) => void seen.push(progress),
    });
    expect(seen.map(({ iteration, total }) => [iteration, total])).toEqual(
      [1, 2, 3, 4, 5, 6].map((i) => [i, 6]),
    );
    expect(seen.map(({ fold }) => fold).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const { fold, testScore: score } of seen) expect(score).toBe(testScore[fold]);
  });

  test("an abort is prompt and keeps its reason, a listener's error ends it, a controller is refused", async () => {
    const stop = new AbortController();
    const running = background(endless).crossValidate(X, y, { signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 400));
    const aborted = performance.now();
    stop.abort("enough");
    await expect(running).rejects.toMatchObject({ name: "AbortError", cause: "enough" });
    expect(performance.now() - aborted).toBeLessThan(500);
    const signal = stop.signal;
    await expect(background(estimator).crossValidate(X, y, { signal })).rejects.toBeInstanceOf(AbortError);
    const onProgress = () => {
      throw new RangeError("mine");
    };
    await expect(background(estimator).crossValidate(X, y, { onProgress })).rejects.toThrow("mine");
    const wrong = background(estimator).crossValidate(X, y, { signal: stop as unknown as AbortSignal });
    await expect(wrong).rejects.toMatchObject({ code: "parameter" });
  });

  test("the error is that of the first fold that fails, as in the synchronous one", async () => {
    const late = y.map((_, i) => (i < 300 ? 0 : i < 301 ? 1 : 0));
    const broken = new Matrix(X.data.slice(), X.rows, X.cols);
    broken.data[0] = Number.NaN;
    for (const [data, labels, cv] of [
      [broken, y, 5],
      [X, late, new KFold({ nSplits: 2 })],
      [X, y, 1000],
      [X, y, "five"],
    ] as const) {
      const options = { cv: cv as never };
      const here = () => crossValidate(new LogisticRegression(), data, labels as string[], options);
      expect(here).toThrow(ArgmaxError);
      const there = background(new LogisticRegression()).crossValidate(data, labels as string[], options);
      const [a, b] = await Promise.all(
        [Promise.resolve().then(here), there].map((run) => run.catch((e) => e)),
      );
      expect({ ...b, message: b.message }).toEqual({ ...a, message: a.message });
    }
  });

  test("what is not there to be sent or asked is refused", async () => {
    const fit = (worker: () => unknown) =>
      background(new GaussianNB(), { worker: worker as never }).fit(X, y);
    await expect(fit(() => ({}))).rejects.toMatchObject({ code: "parameter" });
    await expect(fit(() => null)).rejects.toMatchObject({ code: "parameter" });
    await expect(background(new GaussianNB()).fit(X, y, null as never)).rejects.toMatchObject({
      code: "parameter",
    });
    const functions = y.map(() => () => 1) as never;
    await expect(background(new GaussianNB()).fit(X, functions)).rejects.toMatchObject({ code: "data" });
    for (const nothing of [null, {}, new GaussianNB().fit(X, y)]) {
      expect(() => background(nothing as never)).toThrow(ArgmaxError);
    }
  });

  test("restores what a table vectorizer chose for the columns of a table", async () => {
    const X = Table.fromColumns({
      age: [31, 45, null, 22, 38, 51],
      city: ["Oslo", "Rome", "Oslo", "Rome", "Rome", "Oslo"],
      since: Array.from({ length: 6 }, (_, i) => new Date(2020 + i, 3 * (i % 4), 1)),
    });
    const y = ["yes", "no", "yes", "no", "no", "yes"];
    const estimator = pipeline(tableVectorizer(), new LogisticRegression());
    const there = await background(estimator).fit(X, y);
    const here = estimator.fit(X, y);
    expect(there.predictProba(X)).toEqual(here.predictProba(X));
    const { loadModel } = createLoader([Pipeline, TableVectorizer, LogisticRegression]);
    expect(loadModel(saveModel(here)).predict!(X as never)).toEqual(here.predict(X));
  });
});
