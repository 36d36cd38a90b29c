import { describe, expect, it } from "vitest";
import { DataError, FormatError, ParameterError } from "../core/errors.js";
import type { ModelState } from "../core/state/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { makeMoons } from "../data/generators/index.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { LogisticRegression } from "../linear/logistic-regression.js";
import { Ridge } from "../linear/ridge.js";
import { accuracyScore } from "../metrics/index.js";
import { saveModel } from "../persistence/index.js";
import { createLoader } from "../persistence/loader.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { crossValidate } from "./cross-validate.js";
import { GridSearch } from "./grid-search.js";
import { HalvingSearch } from "./halving-search.js";
import { RandomSearch } from "./random-search.js";

const { X, y } = makeMoons({ nSamples: 120, noise: 0.2, randomState: 2 });
const depths = [1, 2, 3, 8];
const scoring = ["accuracy", "rocAuc", "negLogLoss"] as const;
const tree = new DecisionTreeClassifier();
const trees = { estimator: tree, grid: { maxDepth: depths }, cv: 4 };
const mean = (list: ArrayLike<number>) =>
  Array.from(list).reduce((sum, score) => sum + score, 0) / list.length;

describe("a search with several scorers", () => {
  it("measures each as crossValidate does, and each as a search with that scorer alone", () => {
    const sampleWeight = Float64Array.from(y, (_, i) => 1 + (i % 3));
    const found = new GridSearch({ ...trees, scoring, refit: "rocAuc" }).fit(X, y, { sampleWeight });
    for (const [c, { params, scores }] of found.results.candidates.entries()) {
      const estimator = new DecisionTreeClassifier({ maxDepth: params["maxDepth"] as number });
      const { testScore } = crossValidate(estimator, X, y, { cv: 4, scoring, sampleWeight });
      for (const name of scoring) expect(scores[name]).toEqual(Array.from(testScore[name]));
      expect(found.results.candidates[c]!.meanScore.rocAuc).toBe(mean(testScore.rocAuc));
    }
    for (const name of scoring) {
      const alone = new GridSearch({ ...trees, scoring: name }).fit(X, y, { sampleWeight });
      for (const [c, one] of alone.results.candidates.entries()) {
        const { meanScore, stdScore, rank } = found.results.candidates[c]!;
        expect([meanScore[name], stdScore[name], rank[name]]).toEqual([
          one.meanScore,
          one.stdScore,
          one.rank,
        ]);
      }
    }
  });

  it("chooses by the scorer that refit names", () => {
    const chosen = scoring.map((name) => new GridSearch({ ...trees, scoring, refit: name }).fit(X, y));
    for (const [s, name] of scoring.entries()) {
      const found = chosen[s]!;
      const alone = new GridSearch({ ...trees, scoring: name }).fit(X, y);
      expect(found.bestParams).toEqual(alone.bestParams);
      expect(found.bestIndex).toBe(found.results.bestIndex);
      expect(found.bestScore).toBe(alone.bestScore);
      expect(found.predict(X)).toEqual(alone.predict(X));
      expect(String(found)).toContain(`best of 4 by ${name}: { maxDepth: `);
    }
    // Deep trees are sure of themselves, which costs them log loss but not accuracy: the choices differ.
    expect(chosen[2]!.bestParams).not.toEqual(chosen[0]!.bestParams);
  });

  it("takes an object of names and functions, sparse rows, tables and three classes", async () => {
    const iris = await loadDataset("iris");
    const search = new GridSearch({
      estimator: new LogisticRegression(),
      grid: { C: [0.01, 1] },
      cv: 3,
      scoring: { hits: (model, x, y) => accuracyScore(y, model.predict(x)), macro: "f1Macro" },
      refit: "hits",
    });
    const dense = search.fit(iris.X, iris.y);
    const { candidates } = dense.results;
    expect(candidates.map(({ rank }) => rank.hits)).toEqual([2, 1]);
    const alone = new GridSearch({ estimator: new LogisticRegression(), grid: { C: [0.01, 1] }, cv: 3 });
    expect(candidates.map(({ scores }) => scores.hits)).toEqual(
      alone.fit(iris.X, iris.y).results.candidates.map(({ scores }) => scores),
    );
    const sparse = search.fit(CsrMatrix.fromDense(iris.X), iris.y);
    for (const [c, { meanScore }] of sparse.results.candidates.entries())
      expect(meanScore.macro).toBeCloseTo(candidates[c]!.meanScore.macro, 12);
    const columns = new Map(["a", "b", "c", "d"].map((name, j) => [name, iris.X.column(j)]));
    const named = search.fit(Table.fromColumns(columns), iris.y);
    expect(named.featureNamesIn).toEqual(["a", "b", "c", "d"]);
    expect(named.results.toJSON()).toEqual(dense.results.toJSON());
  });

  it("draws random candidates, and measures regressors", () => {
    const target = X.toArray().map(([a, b]) => 2 * a! - b!);
    const found = new RandomSearch({
      estimator: new Ridge(),
      space: { alpha: [0, 1, 100] },
      scoring: ["r2", "negMaxError"],
      refit: "negMaxError",
      timeBudget: 60,
    }).fit(X, target);
    expect(found.bestParams).toEqual({ alpha: 0 });
    expect(found.results.candidates[found.bestIndex]!.rank).toEqual({ r2: 1, negMaxError: 1 });
  });

  it("has no best candidate and no model without refit", () => {
    const found = new GridSearch({ ...trees, scoring, refit: false }).fit(X, y);
    expect(found.results.length).toBe(4);
    expect(found.results.bestIndex).toBe(-1);
    expect(() => found.bestParams).toThrow(
      /^FittedGridSearch\.bestIndex: refit must be the name of a scorer in the search, .* got false\.$/,
    );
    expect(() => found.bestScore).toThrow(DataError);
    expect(() => found.bestEstimator).toThrow(DataError);
    expect(() => found.bestModel).toThrow(DataError);
    expect("predict" in found).toBe(false);
    expect(String(found)).toBe("FittedGridSearch\n  4 candidates, none chosen");
  });

  it("prints and tabulates mean, deviation and rank per scorer, from the best by refit on", () => {
    const { results } = new GridSearch({
      ...trees,
      grid: { maxDepth: [1, 3] },
      scoring: { acc: "accuracy", auc: "rocAuc" },
      refit: "auc",
    }).fit(X, y);
    const [head, first, second] = String(results).split("\n");
    expect(head!.trim().split(/\s+/)).toEqual(["rank", "acc", "±", "rank", "auc", "±"]);
    const order = [...results.candidates].sort((a, b) => a.rank.auc - b.rank.auc);
    expect(first).toContain(`{ maxDepth: ${order[0]!.params["maxDepth"]} }`);
    expect(second).toContain(`{ maxDepth: ${order[1]!.params["maxDepth"]} }`);
    const table = results.toTable();
    expect(table.columnNames).toEqual([
      "maxDepth",
      ...["acc", "auc"].flatMap((name) => [`meanScore.${name}`, `stdScore.${name}`, `rank.${name}`]),
      "fitTime",
      "scoreTime",
    ]);
    expect(table.select(["rank.auc"]).toMatrix().toArray().flat()).toEqual(
      results.candidates.map(({ rank }) => rank.auc),
    );
  });

  it("ranks a candidate that fails last by every scorer", () => {
    const search = new GridSearch({
      estimator: tree,
      grid: { maxDepth: [-1, 2] },
      scoring,
      refit: "accuracy",
      onError: "skip",
    });
    const found = search.fit(X, y);
    expect(found.results.candidates[0]!.rank).toEqual({ accuracy: 2, rocAuc: 2, negLogLoss: 2 });
    expect(found.results.candidates[0]!.meanScore).toEqual({
      accuracy: Number.NaN,
      rocAuc: Number.NaN,
      negLogLoss: Number.NaN,
    });
    expect(found.warnings).toHaveLength(1);
    const failing = { estimator: tree, grid: { maxDepth: [-1] }, scoring, onError: "skip" } as const;
    for (const refit of ["accuracy", false] as const)
      expect(() => new GridSearch({ ...failing, refit }).fit(X, y)).toThrow(/must be fitted, one at least/);
  });
});

describe("scoring and refit of a search", () => {
  const ridge = { estimator: new Ridge(), grid: { alpha: [1] } };

  it("must agree", () => {
    const several = ["r2", "negMaxError"] as const;
    // @ts-expect-error Somebody has to choose.
    expect(() => new GridSearch({ ...ridge, scoring: several })).toThrow(
      'GridSearch: refit must be the scorer that chooses the best candidate ("r2", "negMaxError"), or false, got true.',
    );
    // @ts-expect-error None of the scorers.
    expect(() => new GridSearch({ ...ridge, scoring: several, refit: "accuracy" })).toThrow(ParameterError);
    // @ts-expect-error One scorer has no name.
    expect(() => new GridSearch({ ...ridge, scoring: "r2", refit: "r2" })).toThrow(
      'GridSearch: refit must be true or false, since there is one scorer, got "r2".',
    );
    expect(() => new GridSearch({ ...ridge, refit: "r2" })).toThrow(ParameterError);
  });

  it("refuses no scorers, unknown ones, the same twice, and those of another task", () => {
    expect(() => new GridSearch({ ...ridge, scoring: [], refit: false })).toThrow(
      /scoring must be a non-empty list of names/,
    );
    // @ts-expect-error No such scorer.
    expect(() => new GridSearch({ ...ridge, scoring: ["rSquared"], refit: false })).toThrow(ParameterError);
    // @ts-expect-error Neither a name nor a function.
    expect(() => new GridSearch({ ...ridge, scoring: { mine: 1 }, refit: "mine" })).toThrow(
      /names \(?.*functions/,
    );
    expect(() => new GridSearch({ ...ridge, scoring: ["r2", "r2"], refit: "r2" })).toThrow(
      /names that differ/,
    );
    const labels = new GridSearch({ ...ridge, scoring: ["r2", "accuracy"], refit: "r2" });
    expect(() => labels.fit(X, Array.from(y, Number))).toThrow(/scoring must be one for regression/);
    const text = { mine: () => "good" } as unknown as { mine: () => number };
    expect(() =>
      new GridSearch({ ...ridge, scoring: text, refit: "mine" }).fit(X, Array.from(y, Number)),
    ).toThrow(/what scoring returns must be a number, got "good"/);
  });

  it("are one scorer and a flag in HalvingSearch, as in scikit-learn", () => {
    const space = { alpha: [1, 2] };
    // @ts-expect-error One scorer decides which candidates survive.
    expect(() => new HalvingSearch({ estimator: new Ridge(), space, scoring: ["r2"] })).toThrow(
      /^HalvingSearch: scoring must be one scorer: /,
    );
    // @ts-expect-error Nor is refit a name.
    expect(() => new HalvingSearch({ estimator: new Ridge(), space, refit: "r2" })).toThrow(ParameterError);
  });

  it("are copied and frozen, and described as JSON", () => {
    const given: { auc: "rocAuc" | "f1"; f: "f1" } = { auc: "rocAuc", f: "f1" };
    const search = new GridSearch({ ...trees, scoring: given, refit: "f" });
    given.auc = "f1";
    expect(search.params.scoring).toEqual({ auc: "rocAuc", f: "f1" });
    expect(Object.isFrozen(search.params.scoring)).toBe(true);
    const { estimatorFromJson } = createLoader([GridSearch as never, DecisionTreeClassifier]);
    const again = estimatorFromJson(JSON.parse(JSON.stringify(search)));
    expect(again.toJSON()).toEqual(search.toJSON());
    expect(String(again)).toContain('scoring: { auc: "rocAuc", f: "f1" }, refit: "f"');
  });
});

describe("a saved search with several scorers", () => {
  const { loadModel } = createLoader([GridSearch as never, DecisionTreeClassifier]);
  const search = new GridSearch({
    ...trees,
    scoring: { own: (model, x, y) => model.score(x, y), auc: "rocAuc" },
    refit: "auc",
  });
  const found = search.fit(X, y);

  it("is loaded with all scores, though functions are not saved", () => {
    const loaded = loadModel(saveModel(found), GridSearch) as unknown as typeof found;
    expect(loaded.bestScore).toBe(found.bestScore);
    expect(loaded.bestParams).toEqual(found.bestParams);
    expect(loaded.results.toJSON()).toEqual(found.results.toJSON());
    expect(loaded.results.candidates.map(({ rank }) => rank)).toEqual(
      found.results.candidates.map(({ rank }) => rank),
    );
    expect(String(loaded.results)).toBe(String(found.results));
    expect(loaded.predict(X)).toEqual(found.predict(X));
    expect(saveModel(loaded)).toEqual(saveModel(found));
    expect(found.toState().params["scoring"]).toEqual({ own: null, auc: "rocAuc" });
  });

  it("is refused where its results and refit contradict each other", () => {
    const state = found.toState();
    const [first, ...rest] = state.values["results"] as { params: object; scores: object }[];
    const broken = (changes: Partial<ModelState>) => () =>
      GridSearch.restore({ ...state, ...changes }, () => found.bestModel);
    expect(broken({})).not.toThrow();
    expect(broken({ params: { ...state.params, refit: "f1" } })).toThrow(FormatError);
    expect(broken({ params: { ...state.params, refit: true } })).toThrow(FormatError);
    const others = [{ ...first, scores: { own: [1] } }, ...rest];
    expect(broken({ values: { ...state.values, results: others as never } })).toThrow(FormatError);
    const none = [{ ...first, scores: {} }];
    expect(broken({ values: { ...state.values, results: none as never } })).toThrow(FormatError);
  });
});
