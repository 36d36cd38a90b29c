import { describe, expect, expectTypeOf, it } from "vitest";
import { BaggingClassifier } from "../bagging/index.js";
import { GaussianNB } from "../bayes/index.js";
import { withParams } from "../core/composite.js";
import { DataError, ParameterError } from "../core/errors.js";
import { Random } from "../core/numbers/random.js";
import { GroupKFold } from "../data/splitters/groups.js";
import { LogisticRegression } from "../linear/logistic-regression.js";
import { Ridge } from "../linear/ridge.js";
import { CalibratedClassifier } from "../meta/index.js";
import { saveModel } from "../persistence/index.js";
import { createLoader } from "../persistence/loader.js";
import { Pipeline, pipeline } from "../pipeline/index.js";
import { StandardScaler } from "../preprocessing/scalers/standard-scaler.js";
import { SVC } from "../svm/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { crossValidate, crossValScore } from "./cross-validate.js";
import { integers, logUniform, uniform } from "./distributions.js";
import { GridSearch } from "./grid-search.js";
import { HalvingSearch } from "./halving-search.js";
import { RandomSearch } from "./random-search.js";

/** Two noisy half circles, named. */
const random = new Random(5);
const n = 160;
const X = Array.from({ length: n }, (_, i) => {
  const angle = Math.PI * random.uniform();
  const [a, b] =
    i % 2 === 0 ? [Math.cos(angle), Math.sin(angle)] : [1 - Math.cos(angle), 0.4 - Math.sin(angle)];
  return [a + 0.25 * random.normal(), b + 0.25 * random.normal()];
});
const y = X.map((_, i): "upper" | "lower" => (i % 2 === 0 ? "upper" : "lower"));
const named = pipeline(["scale", new StandardScaler()], ["svc", new SVC()]);

describe("withParams", () => {
  it("changes parameters of an estimator, of steps by name or place, and steps themselves", () => {
    expect(withParams(new Ridge({ fitIntercept: false }), { alpha: 3 }).params).toMatchObject({
      alpha: 3,
      fitIntercept: false,
    });
    const changed = withParams(named, { "svc.C": 7, "scale.withMean": false });
    expect(changed.step("svc").params.C).toBe(7);
    expect(changed.step("scale").params.withMean).toBe(false);
    expect(changed.names).toEqual(["scale", "svc"]);
    const placed = withParams(pipeline(new StandardScaler(), new SVC()), { "1.C": 7 });
    expect((placed.steps[1] as SVC).params.C).toBe(7);
    const other = withParams(named, { svc: new LogisticRegression() });
    expect(other.steps[1]).toBeInstanceOf(LogisticRegression);
  });

  it("knows the names when compiling, and refuses others", () => {
    // @ts-expect-error There is no gama.
    expect(() => withParams(named, { "svc.gama": 1 })).toThrow(/svc: the parameter must be .*gamma/);
    // @ts-expect-error There is no such step.
    expect(() => withParams(named, { "tree.C": 1 })).toThrow(ParameterError);
    // @ts-expect-error C is a number.
    expect(() => withParams(named, { "svc.C": "1" })).toThrow(ParameterError);
  });
});

describe("GridSearch", () => {
  const grid = { "svc.C": [0.1, 1, 10], "svc.gamma": [0.1, 1] };

  it("finds what crossValScore of every candidate finds", () => {
    const found = new GridSearch({ estimator: named, grid, cv: 4 }).fit(X, y);
    const means = grid["svc.C"].flatMap((C) =>
      grid["svc.gamma"].map((gamma) => {
        const scores = crossValScore(withParams(named, { "svc.C": C, "svc.gamma": gamma }), X, y, { cv: 4 });
        return { C, gamma, mean: scores.reduce((sum, score) => sum + score, 0) / 4 };
      }),
    );
    expect(found.results.candidates.map(({ meanScore }) => meanScore)).toEqual(means.map(({ mean }) => mean));
    const best = Math.max(...means.map(({ mean }) => mean));
    const first = means.find(({ mean }) => mean === best)!;
    expect(found.bestParams).toEqual({ "svc.C": first.C, "svc.gamma": first.gamma });
    expect(found.bestScore).toBe(best);
    expect(found.results.candidates.filter(({ rank }) => rank === 1).length).toBe(
      means.filter(({ mean }) => mean === best).length,
    );
  });

  it("predicts with the best model, which knows its labels", () => {
    const found = new GridSearch({ estimator: new SVC({ probability: true }), grid: { C: [1, 10] } }).fit(
      X,
      y,
    );
    expectTypeOf(found.predict(X)).toEqualTypeOf<("upper" | "lower")[]>();
    const classes: readonly ("upper" | "lower")[] = found.classes;
    const own = new SVC({ C: found.bestParams.C as number, probability: true }).fit(X, y);
    expect(found.predict(X)).toEqual(own.predict(X));
    expect(found.predictProba(X)).toEqual(own.predictProba(X));
    expect(found.score(X, y)).toBe(own.score(X, y));
    expect(classes).toEqual(["lower", "upper"]);
    expect(String(found)).toMatch(/^FittedGridSearch\n {2}best of 2: \{ C: (?:1|10) \}, score 0\.\d+/);
    expect(String(found.results)).toContain("rank");
    expect(found.results.toTable().columnNames.slice(0, 2)).toEqual(["C", "meanScore"]);
  });

  it("searches regressors, lists of grids and whole steps", () => {
    const target = X.map(([a, b]) => 2 * a! - b!);
    const regression = new GridSearch({
      estimator: new Ridge(),
      grid: { alpha: [0, 1, 100] },
      scoring: "negMeanSquaredError",
    }).fit(X, target);
    expectTypeOf(regression.predict(X)).toEqualTypeOf<Float64Array>();
    expect(regression.bestParams).toEqual({ alpha: 0 });
    const steps = new GridSearch({
      estimator: named,
      grid: [
        { svc: [new DecisionTreeClassifier({ maxDepth: 2 })] },
        { "svc.kernel": ["linear"], "svc.C": [1, 2] },
      ],
    }).fit(X, y);
    expect(steps.results.length).toBe(3);
    expect(steps.results.candidates[2]!.params).toEqual({ "svc.kernel": "linear", "svc.C": 2 });
  });

  it("reaches the members of ensembles", () => {
    const bag = new BaggingClassifier({ estimator: new DecisionTreeClassifier(), nEstimators: 3 });
    const found = new GridSearch({
      estimator: bag,
      grid: { "estimator.maxDepth": [1, 4], nEstimators: [2, 3] },
      cv: 3,
    }).fit(X, y);
    expect(found.results.length).toBe(4);
    // @ts-expect-error A tree has no C.
    expect(() => new GridSearch({ estimator: bag, grid: { "estimator.C": [1] } }).fit(X, y)).toThrow(
      ParameterError,
    );
  });

  it("is an estimator: crossValidate of it is nested, and it can be a step", () => {
    const search = new GridSearch({
      estimator: new DecisionTreeClassifier(),
      grid: { maxDepth: [1, 5] },
      cv: 3,
    });
    const { testScore } = crossValidate(search, X, y, { cv: 3 });
    expect(testScore).toHaveLength(3);
    const inside = pipeline(new StandardScaler(), search).fit(X, y);
    expect(inside.predict(X)).toHaveLength(n);
  });

  it("does not compile with a misspelt name or a wrong value", () => {
    // @ts-expect-error There is no gama.
    expect(() => new GridSearch({ estimator: new SVC(), grid: { gama: [1] } }).fit(X, y)).toThrow(
      ParameterError,
    );
    // @ts-expect-error C is a number.
    expect(() => new GridSearch({ estimator: new SVC(), grid: { C: ["1"] } }).fit(X, y)).toThrow(
      ParameterError,
    );
    // @ts-expect-error Lists are required.
    expect(() => new GridSearch({ estimator: new SVC(), grid: { C: 1 } })).toThrow(/non-empty lists/);
    // @ts-expect-error A grid is required.
    expect(() => new GridSearch({ estimator: new SVC() })).toThrow(/grid must be/);
    // @ts-expect-error An estimator is required.
    expect(() => new GridSearch({ grid: { C: [1] } })).toThrow(/estimator must be/);
  });

  it("reports progress, can be stopped, and skips what fails if asked", () => {
    const seen: number[] = [];
    const search = new GridSearch({ estimator: new SVC(), grid: { C: [1, 2] }, cv: 3 });
    search.fit(X, y, { onProgress: ({ iteration, total }) => seen.push(iteration / total!) });
    expect(seen).toEqual([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1]);
    const controller = new AbortController();
    const stop = () => controller.abort();
    expect(() => search.fit(X, y, { signal: controller.signal, onProgress: stop })).toThrow(/stopped|abort/i);
    const negative = { estimator: new SVC(), grid: { C: [-1, 1] } } as const;
    expect(() => new GridSearch(negative).fit(X, y)).toThrow(/C must be/);
    const warnings: string[] = [];
    const skipping = new GridSearch({ ...negative, onError: "skip" });
    const found = skipping.fit(X, y, { onWarning: (text) => warnings.push(text) });
    expect(found.bestParams).toEqual({ C: 1 });
    expect(found.results.candidates.map(({ rank }) => rank)).toEqual([2, 1]);
    expect(warnings[0]).toMatch(/\{ C: -1 \} has no score: .*C must be/);
    expect(() => new GridSearch({ ...negative, grid: { C: [-1] }, onError: "skip" }).fit(X, y)).toThrow(
      DataError,
    );
  });

  it("takes groups, weights, and no refit", () => {
    const groups = X.map((_, i) => i % 5);
    const search = new GridSearch({
      estimator: new DecisionTreeClassifier(),
      grid: { maxDepth: [2] },
      cv: new GroupKFold({ nSplits: 5 }),
      refit: false,
    });
    const found = search.fit(X, y, { groups, sampleWeight: X.map((_, i) => 1 + (i % 3)) });
    expect(found.results.candidates[0]!.scores).toHaveLength(5);
    expect(() => found.bestModel).toThrow(/refit must be true/);
    expect("predict" in found).toBe(false);
    expect(() => search.fit(X, y)).toThrow(/groups must be given/);
  });

  it("is saved and loaded with its results", () => {
    const search = new GridSearch({
      estimator: named,
      grid,
      cv: 2,
      scoring: (model, x, y) => model.score(x, y as never),
    });
    const found = search.fit(X, y);
    const loader = createLoader([GridSearch as never, Pipeline as never, StandardScaler, SVC]);
    const loaded = loader.loadModel(saveModel(found), GridSearch);
    expect(loaded.bestParams).toEqual(found.bestParams);
    expect(loaded.results.toJSON()).toEqual(found.results.toJSON());
    expect((loaded as unknown as typeof found).predict(X)).toEqual(found.predict(X));
  });
});

describe("RandomSearch", () => {
  it("draws different candidates from lists and all kinds from distributions, the same for the same seed", () => {
    const search = new RandomSearch({
      estimator: new SVC(),
      space: { C: [1, 2, 3], kernel: ["linear", "rbf"] },
      nIter: 50,
      cv: 2,
    });
    const found = search.fit(X, y);
    expect(new Set(found.results.candidates.map(({ params }) => JSON.stringify(params))).size).toBe(6);
    const drawn = new RandomSearch({
      estimator: new DecisionTreeClassifier(),
      space: { maxDepth: integers(1, 4), ccpAlpha: uniform(0, 0.1) },
      nIter: 12,
      cv: 2,
      randomState: 3,
    });
    const results = drawn.fit(X, y).results.candidates;
    expect(results).toHaveLength(12);
    for (const { params } of results) {
      expect([1, 2, 3, 4]).toContain(params.maxDepth);
      expect(params.ccpAlpha).toBeLessThan(0.1);
    }
    expect(drawn.fit(X, y).results.candidates.map(({ params }) => params)).toEqual(
      results.map(({ params }) => params),
    );
  });

  it("draws every order of magnitude equally often with logUniform", () => {
    const draws = Array.from({ length: 4000 }, () => logUniform(1e-2, 1e2).draw(random));
    // Standard deviation of each share is √(0.25 · 0.75 / 4000) < 0.007.
    for (let k = -2; k < 2; k++) {
      const share = draws.filter((v) => v >= Number(`1e${k}`) && v < Number(`1e${k + 1}`)).length / 4000;
      expect(share).toBeCloseTo(0.25, 1);
    }
    expect(() => logUniform(0, 1)).toThrow(ParameterError);
    expect(() => integers(1.5, 3)).toThrow(ParameterError);
  });

  it("begins nothing after its time", () => {
    const search = new RandomSearch({
      estimator: new SVC(),
      space: { C: uniform(1, 2) },
      nIter: 1000,
      timeBudget: 0.05,
    });
    expect(search.fit(X, y).results.length).toBeLessThan(1000);
  });
});

describe("HalvingSearch", () => {
  it("keeps rare classes in every round", () => {
    // 6 of 400 rows are of the third class: a random tenth of the rows often has none of them.
    const X = Array.from({ length: 400 }, (_, i) => [i % 7, Math.sin(i), i < 6 ? 9 : 0]);
    const y = X.map((_, i) => (i < 6 ? "rare" : i % 2 === 0 ? "even" : "odd"));
    for (let seed = 0; seed < 5; seed++) {
      const search = new HalvingSearch({
        estimator: new CalibratedClassifier({ estimator: new GaussianNB(), cv: 2 }),
        space: { method: ["sigmoid", "isotonic", "temperature"] },
        scoring: "negLogLoss",
        cv: 3,
        minRows: 20,
        randomState: seed,
      });
      const found = search.fit(X, y);
      for (const { scores } of found.results) expect([...scores].every(Number.isFinite)).toBe(true);
    }
  });

  it("begins no round after its time, and takes the best of the last one", () => {
    const space = { C: uniform(1, 2) };
    const common = { estimator: new SVC(), space, nCandidates: 9, minRows: 16, cv: 2, randomState: 0 };
    const whole = new HalvingSearch(common).fit(X, y);
    const search = new HalvingSearch({ ...common, timeBudget: 1e-6 }).fit(X, y);
    expect(search.results.candidates.map(({ rows }) => rows)).toEqual(new Array(9).fill(16));
    expect(search.results.candidates).toHaveLength(9);
    expect(search.bestScore).toBe(Math.max(...search.results.candidates.map(({ meanScore }) => meanScore)));
    expect(whole.results.candidates.length).toBeGreaterThan(9);
  });

  it("measures fewer candidates on more rows in every round", () => {
    const search = new HalvingSearch({
      estimator: new DecisionTreeClassifier(),
      space: { maxDepth: integers(1, 8), minSamplesLeaf: integers(1, 10) },
      factor: 2,
      cv: 4,
    });
    const { candidates } = search.fit(X, y).results;
    const rounds = new Map<number, number>();
    for (const { rows } of candidates) rounds.set(rows!, (rounds.get(rows!) ?? 0) + 1);
    // Two rows per fold and class: 16 of 160, so that ten candidates are drawn.
    expect([...rounds]).toEqual([
      [16, 10],
      [32, 5],
      [64, 3],
      [128, 2],
    ]);
  });

  it("chooses among the survivors of the last round", () => {
    const search = new HalvingSearch({
      estimator: new SVC(),
      space: { C: logUniform(1e-3, 1e3) },
      nCandidates: 6,
      minRows: 40,
      cv: 2,
    });
    const found = search.fit(X, y);
    expect(found.results.candidates[found.bestIndex]!.rows).toBe(120);
    expect(found.predict(X)).toHaveLength(n);
  });
});
