import { Worker as NodeWorker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
// The worker is a file, so these tests use what the build wrote.
import {
  AbortError,
  AdaBoostClassifier,
  BaggingClassifier,
  background,
  Cascade,
  DataError,
  GaussianNB,
  LogisticRegression,
  Matrix,
  MinMaxScaler,
  type Progress,
  pipeline,
  Random,
  Ridge,
  SGDClassifier,
  StandardScaler,
  saveModel,
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

  test("finds the estimators that others are made of", async () => {
    const stages = [0, 1].map((j) => ({ features: [j], cost: 1 + j, estimator: new GaussianNB() }));
    for (const estimator of [
      new AdaBoostClassifier({ nEstimators: 3 }),
      new BaggingClassifier({ estimator: pipeline(new StandardScaler(), new LogisticRegression()) }),
      new Cascade({ stages }),
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
