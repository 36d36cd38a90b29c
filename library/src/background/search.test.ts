// The worker is a file, so these tests use what the build wrote.

import { afterAll, describe, expect, it } from "vitest";
import {
  background,
  DecisionTreeClassifier,
  type FoldMemory,
  type FoldRecord,
  GridSearch,
  HalvingSearch,
  integers,
  makeMoons,
  ParameterError,
  pipeline,
  RandomSearch,
  Ridge,
  StandardScaler,
  SVC,
  setThreads,
  threads,
} from "../../dist/index.js";

const { X, y } = makeMoons({ nSamples: 120, noise: 0.3, randomState: 2 });
const before = threads();
afterAll(() => setThreads(before));

const scoresOf = (found: { results: Iterable<{ params: unknown; scores: unknown }> }) =>
  Array.from(found.results, ({ params, scores }) => ({ params, scores }));

describe("a search in the background", () => {
  const grid = new GridSearch({
    estimator: pipeline(["scale", new StandardScaler()], ["svc", new SVC()]),
    grid: { "svc.C": [0.1, 1, 10], "svc.gamma": [0.5, 2] },
    cv: 3,
  });

  it.each([1, 2, 3])(
    "finds what fit finds, with %i workers",
    async (count) => {
      setThreads(count);
      const here = grid.fit(X, y);
      const seen: number[] = [];
      const there = await background(grid).fit(X, y, { onProgress: ({ iteration }) => seen.push(iteration) });
      expect(scoresOf(there)).toEqual(scoresOf(here));
      expect(there.bestParams).toEqual(here.bestParams);
      expect(there.predict(X)).toEqual(here.predict(X));
      expect(there.toState()).toEqual(here.toState());
      expect(seen).toEqual(Array.from({ length: 18 }, (_, k) => k + 1));
      setThreads(before);
    },
    60_000,
  );

  it.each([1, 2, 3])(
    "finds the same by several scorers, with %i workers",
    async (count) => {
      setThreads(count);
      const several = new RandomSearch({
        estimator: new DecisionTreeClassifier(),
        space: { maxDepth: integers(1, 6), minSamplesLeaf: integers(1, 9) },
        nIter: 5,
        cv: 3,
        scoring: { auc: "rocAuc", loss: "negLogLoss", hits: "accuracy" },
        refit: "loss",
      });
      const sampleWeight = Float64Array.from(y, (_, i) => 1 + (i % 2));
      const here = several.fit(X, y, { sampleWeight });
      const there = await background(several).fit(X, y, { sampleWeight });
      expect(scoresOf(there)).toEqual(scoresOf(here));
      expect(there.bestScore).toBe(here.bestScore);
      expect(there.bestScore).toBe(there.results.candidates[there.bestIndex]!.meanScore.loss);
      expect(there.toState()).toEqual(here.toState());
      const undecided = new GridSearch({
        estimator: new SVC(),
        grid: { C: [1, 10], gamma: [-1, 1] },
        scoring: ["accuracy", "rocAuc"],
        refit: false,
        onError: "skip",
      });
      const found = await background(undecided).fit(X, y);
      expect(scoresOf(found)).toEqual(scoresOf(undecided.fit(X, y)));
      expect(() => found.bestParams).toThrow(/refit must be the name of a scorer/);
      setThreads(before);
    },
    60_000,
  );

  it("measures the positive label that is named", async () => {
    const positiveLabel = [...new Set(y)].sort()[0]!;
    const own = { estimator: new SVC(), grid: { C: [0.1, 1] }, scoring: "precision", cv: 3 } as const;
    const search = new GridSearch({ ...own, positiveLabel });
    const here = search.fit(X, y);
    expect(scoresOf(await background(search).fit(X, y))).toEqual(scoresOf(here));
    expect(String(here)).toContain(`score of ${JSON.stringify(positiveLabel)} `);
  });

  it("takes random and halving searches, weights and regressors", async () => {
    const space = { maxDepth: integers(1, 6), minSamplesLeaf: integers(1, 9) };
    const sampleWeight = Float64Array.from(y, (_, i) => 1 + (i % 2));
    for (const search of [
      new RandomSearch({ estimator: new DecisionTreeClassifier(), space, nIter: 7, cv: 3 }),
      new HalvingSearch({
        estimator: new DecisionTreeClassifier(),
        space,
        nCandidates: 9,
        minRows: 20,
        cv: 3,
      }),
    ]) {
      const there = await background(search).fit(X, y, { sampleWeight });
      expect(scoresOf(there)).toEqual(scoresOf(search.fit(X, y, { sampleWeight })));
    }
    const ridge = new GridSearch({ estimator: new Ridge(), grid: { alpha: [0.1, 10] } });
    const targets = Float64Array.from(y, Number);
    expect((await background(ridge).fit(X, targets)).predict(X)).toEqual(ridge.fit(X, targets).predict(X));
  }, 60_000);

  it("does not see what happens to X afterwards", async () => {
    const rows = X.toArray();
    const promise = background(grid).fit(rows, y);
    for (const row of rows) row.fill(0);
    expect(scoresOf(await promise)).toEqual(scoresOf(grid.fit(X.toArray(), y)));
  }, 60_000);

  it("skips or throws errors of candidates as fit does, and can be stopped", async () => {
    const wrong = { estimator: new SVC(), grid: { C: [-1, 1] } } as const;
    await expect(background(new GridSearch(wrong)).fit(X, y)).rejects.toThrow(/C must be/);
    const skipping = new GridSearch({ ...wrong, onError: "skip" });
    const warnings: string[] = [];
    const found = await background(skipping).fit(X, y, { onWarning: (text) => warnings.push(text) });
    expect(found.bestParams).toEqual({ C: 1 });
    expect(found.warnings).toEqual(skipping.fit(X, y).warnings);
    expect(warnings).toEqual(found.warnings);
    const controller = new AbortController();
    const stopped = background(grid).fit(X, y, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    const own = new GridSearch({ estimator: new SVC(), grid: { C: [1] }, scoring: () => 1 });
    await expect(background(own).fit(X, y)).rejects.toThrow(ParameterError);
    const scoring = { own: () => 1, hits: "accuracy" } as const;
    const mixed = new GridSearch({ estimator: new SVC(), grid: { C: [1] }, scoring, refit: "hits" });
    await expect(background(mixed).fit(X, y)).rejects.toThrow(
      /functions cannot be saved or sent to a worker/,
    );
  }, 60_000);

  it.each([
    ["a grid", grid],
    [
      "a random search",
      new RandomSearch({
        estimator: new SVC(),
        space: { C: [0.1, 1, 10], gamma: [0.5, 2, 5] },
        nIter: 6,
        cv: 3,
        timeBudget: 600,
      }),
    ],
    [
      "halving",
      new HalvingSearch({
        estimator: new DecisionTreeClassifier(),
        space: { maxDepth: integers(1, 9) },
        nCandidates: 9,
        cv: 3,
      }),
    ],
  ])(
    "of %s goes on from what is remembered, here and in workers, with the same result",
    async (_, search) => {
      const kept = new Map<string, FoldRecord>();
      const memory: FoldMemory = {
        recall: (key) => kept.get(key),
        remember: (key, record) => void kept.set(key, record),
      };
      const whole = (search as typeof grid).fit(X, y, { memory });
      const all = kept.size;
      for (const key of [...kept.keys()].filter((_, place) => place % 3 !== 0)) kept.delete(key);
      const remembered = kept.size;
      expect(remembered).toBeGreaterThan(0);
      const resumed = await background(search as typeof grid).fit(X, y, { memory });
      expect(scoresOf(resumed)).toEqual(scoresOf(whole));
      expect(kept.size).toBe(all);
      // A record that could not have been measured shows that it is not measured again.
      kept.set([...kept.keys()][0]!, { testScores: [7], fitTime: 0, scoreTime: 0 });
      for (const again of [
        (search as typeof grid).fit(X, y, { memory }),
        await background(search as typeof grid).fit(X, y, { memory }),
      ])
        expect(Array.from(again.results, ({ scores }) => [...scores]).flat()).toContain(7);
    },
  );
});
