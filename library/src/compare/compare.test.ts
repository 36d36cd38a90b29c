import { describe, expect, test } from "vitest";
import { loadCsv } from "../../dist/datasets/index.js";
// Workers are files, so these tests use what the build wrote.
import {
  AbortError,
  Comparison,
  compare,
  crossValScore,
  DataError,
  DecisionTreeClassifier,
  DummyClassifier,
  type FoldMemory,
  type FoldRecord,
  GaussianNB,
  KFold,
  KNeighborsClassifier,
  type Learner,
  LogisticRegression,
  makeClassification,
  makeRegression,
  ParameterError,
  parseCsv,
  Ridge,
  StratifiedKFold,
} from "../../dist/index.js";

const { X, y } = makeClassification({ nSamples: 200, nFeatures: 6, randomState: 4 });
const two = { tree: new DecisionTreeClassifier({ maxDepth: 3 }), bayes: new GaussianNB() };

describe("documents", () => {
  test("are compared by models of their words, of which none is left out", async () => {
    const words = ["sun", "rain", "wind", "snow", "the", "a", "of"];
    const documents = Array.from({ length: 60 }, (_, i) =>
      Array.from({ length: 8 }, (_, k) => words[(i * 5 + k * (1 + (i % 4))) % words.length]!).join(" "),
    );
    const labels = documents.map((text) => (/sun.*rain/.test(text) ? "mixed" : "plain"));
    const found = await compare(documents, labels, { cv: 2 });
    expect(found.leftOut).toEqual([]);
    expect(String(found.best.estimator)).toContain("TfidfVectorizer");
    const { estimator } = found.best;
    const model = estimator.fit(documents as never, labels as never) as never as typeof Classifies;
    expect(model.predict(documents)).toHaveLength(60);
  }, 60_000);
  const Classifies = { predict: (x: readonly string[]): unknown[] => [...x] };
});

describe("compare", () => {
  test("measures models as crossValScore does, and lists the best first", async () => {
    const found = await compare(X, y, { models: two, cv: 4 });
    expect(found.task).toBe("classification");
    for (const { name, scores, mean } of found.models) {
      // Shuffled: files are often sorted.
      const cv = new StratifiedKFold({ nSplits: 4, shuffle: true });
      const own = crossValScore(two[name as keyof typeof two], X, y, { cv });
      expect([...scores]).toEqual([...own]);
      expect(mean).toBeCloseTo(
        own.reduce((sum, score) => sum + score / 4, 0),
        12,
      );
    }
    expect(found.models[0]!.mean).toBeGreaterThanOrEqual(found.models[1]!.mean);
    expect(found.best).toBe(found.models[0]);
  });

  test("brackets what is tied with the best, and recommends the simplest of it", () => {
    const model = (name: string, estimator: Learner, scores: number[], fitTime: number) => ({
      name,
      estimator,
      scores: Float64Array.from(scores),
      fitTime,
      scoreTime: 0.01,
    });
    const found = new Comparison({
      task: "classification",
      scoring: "accuracy",
      measured: [
        model("worst", new LogisticRegression(), [0.5, 0.51, 0.5, 0.49, 0.5], 0.001),
        model("simple", two.tree, [0.91, 0.89, 0.9, 0.9, 0.91], 2),
        model("complex", new KNeighborsClassifier(), [0.9, 0.92, 0.91, 0.89, 0.9], 0.25),
      ],
      leftOut: [{ name: "other", because: "it is too slow." }],
      baseline: 0.4,
    });
    expect(found.models.map(({ name, label, tied }) => [name, label, tied])).toEqual([
      ["complex", "complex", true],
      ["simple", "simple (maxDepth 3)", true],
      ["worst", "worst", false],
    ]);
    expect(found.recommended).toBe(found.models[1]);
    expect(String(found).split("\n")).toEqual([
      "                          accuracy  ± 95 %      fit  predict",
      "┌  complex                  0.9040  0.0212   250 ms  10.0 ms",
      "└  simple (maxDepth 3) ←    0.9020  0.0156   2.00 s  10.0 ms",
      "   worst                    0.5000  0.0132  1.00 ms  10.0 ms",
      "simple is recommended: a tree, the simplest of the 2 models that are tied with the best.",
      "A constant prediction scores 0.4000.",
      "other was left out: it is too slow.",
    ]);
  });

  test("scores that are not numbers, of one fold too, have a place in the table", () => {
    const model = (name: string, scores: number[]) => ({
      name,
      estimator: two.bayes,
      scores: Float64Array.from(scores),
      fitTime: 0.01,
      scoreTime: 0.01,
    });
    const custom = { task: "classification", scoring: "custom", leftOut: [] } as const;
    const found = new Comparison({ ...custom, measured: [model("a", [Number.NaN]), model("b", [0.5])] });
    expect([found.best.name, found.recommended.name, found.baseline]).toEqual(["b", "b", undefined]);
    expect(String(found).split("\n")[2]).toMatch(/^ +a +– +– /);
    const none = new Comparison({ ...custom, measured: [model("a", [Number.NaN])] });
    expect(none.reason).toContain("No model is recommended");
  });

  test("says which label the scores are about", async () => {
    const named = Array.from(y, (label) => (label === y[0] ? "fraud" : "legit"));
    const found = await compare(X, named, { models: two, cv: 3, scoring: "recall", positiveLabel: "legit" });
    expect(found.positiveLabel).toBe("legit");
    const cv = new StratifiedKFold({ nSplits: 3, shuffle: true });
    const expected = crossValScore(found.best.estimator as DecisionTreeClassifier, X, named, {
      scoring: "recall",
      positiveLabel: "legit",
      cv,
    });
    expect(found.best.scores).toEqual(expected);
    expect(String(found)).toContain('recall is that of "legit".');
    expect((await compare(X, named, { models: two, cv: 3 })).positiveLabel).toBeUndefined();
  });

  test("measures a constant prediction on the same folds, where the scorer can", async () => {
    const dummy = crossValScore(new DummyClassifier(), X, y, {
      cv: new StratifiedKFold({ nSplits: 3, shuffle: true }),
    });
    const { baseline } = await compare(X, y, { models: two, cv: 3 });
    expect(baseline).toBeCloseTo(
      dummy.reduce((sum, score) => sum + score / 3, 0),
      12,
    );
    expect((await compare(X, y, { models: two, cv: 3, scoring: "rocAuc" })).baseline).toBeCloseTo(0.5, 12);
    expect((await compare(X, y, { models: two, cv: 3, scoring: () => 1 })).baseline).toBeUndefined();
  });

  test("takes a mixed table as it is, with all its models", async () => {
    const { csv } = await loadCsv("titanic");
    const table = parseCsv(csv, { types: { survived: "category", pclass: "category" } }).selectRows(
      Array.from({ length: 260 }, (_, i) => 5 * i),
    );
    const warnings: string[] = [];
    const found = await compare(table.drop(["survived", "boat", "body"]), table.column("survived"), {
      cv: 3,
      onWarning: (text) => warnings.push(text),
    });
    expect(found.warnings.map(({ code, column }) => [code, column])).toEqual([["limited-words", "name"]]);
    expect(warnings).toEqual(found.warnings.map(({ message }) => message));
    expect(found.models).toHaveLength(12);
    // 62 % did not survive.
    expect(found.best.mean).toBeGreaterThan(0.7);
  }, 120_000);

  test("compares regressors by R², fills gaps, and guesses what y is", async () => {
    const { X: rows, y: targets } = makeRegression({ nSamples: 90, nFeatures: 4, randomState: 1 });
    rows.data[5] = Number.NaN;
    const found = await compare(rows, targets, { cv: 3 });
    expect(found.task).toBe("regression");
    expect(found.scoring).toBe("r2");
    expect(found.leftOut).toEqual([]);
    const isLinear = /Linear|Ridge|Lasso/;
    expect(found.best.name).toMatch(isLinear);
    const groups = Array.from(y, (_, i) => i % 9);
    expect((await compare(X, y, { models: two, groups, cv: 3 })).models[0]!.scores).toHaveLength(3);
    expect((await compare(X, y, { models: two })).task).toBe("classification");
    expect((await compare(X, y, { models: { ridge: new Ridge() }, task: "regression" })).task).toBe(
      "regression",
    );
  }, 120_000);

  test("fills the gaps of numeric columns for models that do not read them", async () => {
    const gaps = Array.from({ length: 60 }, (_, i) => [i % 7 === 0 ? Number.NaN : X.at(i, 0), X.at(i, 1)]);
    const found = await compare(gaps, Array.from(y).slice(0, 60), { cv: 2 });
    expect(found.leftOut).toEqual([]);
    expect(found.models.map(({ name }) => name)).toContain("AdaBoostClassifier");
  });

  test("scales the targets of regressors whose defaults are for unit variance", async () => {
    const prices = Array.from({ length: 200 }, (_, i) => 200_000 + 30_000 * X.at(i, 0) - 20_000 * X.at(i, 1));
    const { models } = await compare(X, prices, { cv: 2 });
    for (const id of ["SVR", "MLPRegressor"])
      expect(models.find(({ name }) => name === id)!.mean).toBeGreaterThan(0.5);
  });

  test("gives the reason once if no model can be fitted", async () => {
    const rows = [[1], [2], [3], [4]];
    await expect(compare(rows, ["a", "a", "a", "b"], { cv: 2 })).rejects.toThrow(
      /^compare: the models must be one or more that can be fitted, got MLPClassifier and 11 others: StratifiedKFold\.split: nSplits must be at most 1, [^;]*got 2\.$/,
    );
  });

  test("reports every fold, leaves out what fails, and can be stopped", async () => {
    const seen: (readonly [number, number])[] = [];
    const many = new KNeighborsClassifier({ nNeighbors: 5000 });
    const warnings: string[] = [];
    const begun: string[] = [];
    const found = await compare(X, y, {
      models: { ...two, many },
      cv: new KFold({ nSplits: 3, shuffle: true }),
      scoring: "balancedAccuracy",
      onStart: (model) => begun.push(model),
      onProgress: ({ iteration, total }) => seen.push([iteration, total]),
      onWarning: (text) => warnings.push(text),
    });
    expect(seen.slice(0, 2)).toEqual([
      [1, 9],
      [2, 9],
    ]);
    expect(begun).toEqual([...Object.keys(two), "many"]);
    expect(found.models).toHaveLength(2);
    expect(found.leftOut[0]).toMatchObject({ name: "many" });
    expect(warnings[0]).toMatch(/^many was left out: .*nNeighbors/);
    const controller = new AbortController();
    const stopped = compare(X, y, {
      models: two,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(stopped).rejects.toThrow(AbortError);
    const onProgress = () => {
      throw new RangeError("the listener's own");
    };
    await expect(compare(X, y, { models: two, onProgress })).rejects.toThrow("the listener's own");
  }, 60_000);

  test("goes on where an interrupted comparison stopped, with the same scores", async () => {
    const whole = await compare(X, y, { models: two });
    const kept = new Map<string, FoldRecord>();
    let measured = 0;
    const memory: FoldMemory = {
      recall: (key) => kept.get(key),
      remember: (key, record) => {
        kept.set(key, record);
        measured++;
      },
    };
    const stop = new AbortController();
    const onProgress = ({ iteration }: { iteration: number }) => iteration === 4 && stop.abort();
    await expect(compare(X, y, { models: two, memory, onProgress, signal: stop.signal })).rejects.toThrow();
    const first = measured;
    expect(first).toBeGreaterThanOrEqual(4);
    expect(first).toBeLessThan(10);
    const seen: number[] = [];
    const resumed = await compare(X, y, {
      models: two,
      memory,
      onProgress: ({ iteration }) => seen.push(iteration),
    });
    expect(measured).toBe(10);
    expect(seen).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
    const scores = ({ models }: typeof whole) => models.map(({ name, scores }) => [name, [...scores]]);
    expect(scores(resumed)).toEqual(scores(whole));
    // Nothing is left to measure.
    await compare(X, y, { models: two, memory });
    expect(measured).toBe(10);
  });

  test("refuses what it cannot compare", async () => {
    await expect(compare(X, y, { models: {} })).rejects.toThrow(ParameterError);
    await expect(compare(X, 5 as never)).rejects.toThrow(DataError);
    await expect(
      compare(X, y, { models: { many: new KNeighborsClassifier({ nNeighbors: 5000 }) } }),
    ).rejects.toThrow(/one or more that can be fitted/);
    // @ts-expect-error There is no such option.
    await expect(compare(X, y, { folds: 3 })).rejects.toThrow(ParameterError);
  });
});
