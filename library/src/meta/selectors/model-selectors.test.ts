import { describe, expect, it } from "vitest";
import { HistGradientBoostingClassifier } from "../../boosting/index.js";
import { columnTransformer } from "../../compose/index.js";
import { withParams } from "../../core/composite.js";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { KFold } from "../../data/splitters/index.js";
import { Table } from "../../data/table/table.js";
import { RandomForestClassifier } from "../../forests/index.js";
import { Lasso, LinearClassifier, LinearRegression, LogisticRegression, Ridge } from "../../linear/index.js";
import { KNeighborsClassifier } from "../../neighbors/index.js";
import { elasticNet, l1, laplacePrior } from "../../penalties/index.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { pipeline } from "../../pipeline/index.js";
import { StandardScaler } from "../../preprocessing/index.js";
import { crossValScore, GridSearch } from "../../selection/index.js";
import { DecisionTreeClassifier } from "../../trees/index.js";
import { RFE, RFECV, SelectFromModel, SequentialFeatureSelector } from "../index.js";

const random = new Random(4);
const n = 120;
const drawn = () => Array.from({ length: n }, () => random.normal());
const columns = { noise: drawn(), strong: drawn(), weak: drawn(), other: drawn() };
const table = Table.fromColumns(columns);
const numbers = columns.strong.map((value, i) => 3 * value + columns.weak[i]! + 0.1 * random.normal());
const labels = numbers.map((value) => (value > 0 ? "up" : "down"));
const levels = numbers.map((value) => (value > 1.5 ? "high" : value > -1.5 ? "mid" : "low"));

describe("SelectFromModel", () => {
  it("keeps columns of large coefficients, of any number of classes, and names them", () => {
    expect(
      new SelectFromModel({ estimator: new Ridge(), threshold: "1.5*mean" })
        .fit(table, numbers)
        .featureNames(),
    ).toEqual(["strong"]);
    for (const y of [labels, levels]) {
      const model = new SelectFromModel({
        estimator: new LogisticRegression(),
        maxFeatures: 2,
        threshold: 0,
      });
      expect(model.fit(table, y).featureNames()).toEqual(["strong", "weak"]);
    }
    const trees = new SelectFromModel({ estimator: new DecisionTreeClassifier() }).fit(table, labels);
    expect(trees.featureNames()).toContain("strong");
    expect(trees.scores).toEqual(trees.model.featureImportances);
  });

  it("keeps what a lasso does not set to 0, and reads multiples of the mean and the median", () => {
    const lasso = new SelectFromModel({ estimator: new Lasso({ alpha: 0.3 }) }).fit(table, numbers);
    expect(lasso.threshold).toBe(1e-5);
    expect(lasso.selected).toEqual([1, 2]);
    expect(loadModel(saveModel(lasso), SelectFromModel).threshold).toBe(1e-5);
    const model = new LinearRegression().fit(table, numbers);
    const sizes = model.coef.map(Math.abs);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / 4;
    const at = (threshold: string) => SelectFromModel.prefit(model, { threshold }).threshold;
    expect(at("0.5*mean")).toBeCloseTo(mean / 2, 14);
    const sorted = sizes.slice().sort();
    expect(at("2 * median")).toBeCloseTo(sorted[1]! + sorted[2]!, 14);
  });

  it("knows an l1 penalty of models that are fitted already, and of penalties that are objects", () => {
    const own = new Lasso({ alpha: 0.3 }).fit(table, numbers);
    for (const model of [own, loadModel(saveModel(own), Lasso)]) {
      const lasso = SelectFromModel.prefit(model);
      expect([lasso.threshold, lasso.selected]).toEqual([1e-5, [1, 2]]);
      expect(loadModel(saveModel(lasso), SelectFromModel).threshold).toBe(1e-5);
    }
    for (const penalty of [l1(0.05), elasticNet(0.05, 1), laplacePrior(0.2)]) {
      const estimator = new LinearClassifier({ penalty });
      const fitted = new SelectFromModel({ estimator }).fit(table, labels);
      expect(fitted.threshold).toBe(1e-5);
      expect(loadModel(saveModel(fitted), SelectFromModel).threshold).toBe(1e-5);
      expect(SelectFromModel.prefit(estimator.fit(table, labels)).threshold).toBe(1e-5);
    }
    const mixed = new SelectFromModel({
      estimator: new LinearClassifier({ penalty: elasticNet(0.01, 0.5) }),
    });
    expect(mixed.fit(table, labels).threshold).toBeGreaterThan(0.01);
  });

  it("measures coefficients of several classes by a norm of any order", () => {
    const model = new LogisticRegression().fit(table, levels);
    const rows = [0, 1, 2].map((k) => Array.from(model.coef.row(k), Math.abs));
    for (const normOrder of [1, 1.5, 2, 3, 40, Infinity]) {
      const { scores } = SelectFromModel.prefit(model, { normOrder });
      scores.forEach((score, j) => {
        const sizes = rows.map((row) => row[j]!);
        const sum = sizes.reduce((all, size) => all + size ** normOrder, 0);
        expect(score / (normOrder === Infinity ? Math.max(...sizes) : sum ** (1 / normOrder))).toBeCloseTo(
          1,
          12,
        );
      });
    }
  });

  it("takes a model that is fitted already, by any path, and is saved with it", () => {
    const search = new GridSearch({ estimator: new Ridge(), grid: { alpha: [0.1, 1] }, cv: 3 }).fit(
      table,
      numbers,
    );
    const model = SelectFromModel.prefit(search, { importanceGetter: "bestModel.coef", threshold: 2 });
    expect(model.featureNames()).toEqual(["strong"]);
    const loaded = loadModel(saveModel(model), SelectFromModel);
    expect(loaded.transform(table)).toEqual(model.transform(table));
    expect(loaded.scores).toEqual(model.scores);
  });

  it("says what is wrong: no importances, no column, an invalid threshold", () => {
    const nearest = new SelectFromModel({ estimator: new KNeighborsClassifier() });
    expect(() => nearest.fit(table, labels)).toThrow(
      /importanceGetter must be given, since FittedKNeighborsClassifier has neither coef nor featureImportances/,
    );
    const none = new SelectFromModel({ estimator: new Ridge(), threshold: 1e6 });
    expect(() => none.fit(table, numbers)).toThrow(
      /X must be with a column of an importance of at least 1000000, got none/,
    );
    expect(() => new SelectFromModel({ estimator: new Ridge(), threshold: "most" })).toThrow(
      /threshold must be/,
    );
    expect(() => new SelectFromModel({} as never)).toThrow(
      /estimator must be an estimator or a pipeline, got nothing/,
    );
    const wide = new SelectFromModel({ estimator: new Ridge(), maxFeatures: 9 });
    expect(() => wide.fit(table, numbers)).toThrow(/at least maxFeatures = 9 columns wide, got 4 columns/);
  });
});

describe("parameters of certain columns", () => {
  const estimator = new HistGradientBoostingClassifier({ categoricalFeatures: [3], maxIter: 5 });

  it("are refused where columns are left out one after the other, also in a part of a pipeline", () => {
    for (const Selector of [RFE, RFECV, SequentialFeatureSelector]) {
      expect(() => new Selector({ estimator })).toThrow(
        `${Selector.id}: estimator.categoricalFeatures must be absent, since the numbers of columns change as columns are left out, got [3].`,
      );
      const monotone = new HistGradientBoostingClassifier({ monotonicCst: [1, 0, 0, 0] });
      const steps = pipeline(["scale", new StandardScaler()], ["model", monotone]);
      expect(() => new Selector({ estimator: steps })).toThrow(
        /estimator\.model\.monotonicCst must be absent/,
      );
      const groups = new HistGradientBoostingClassifier({ interactionCst: [[0, 1]] });
      expect(() => new Selector({ estimator: groups })).toThrow(/estimator\.interactionCst must be absent/);
      new Selector({ estimator: new HistGradientBoostingClassifier({ interactionCst: "pairwise" }) });
    }
  });

  it("work in SelectFromModel, by name too: its estimator gets the table", () => {
    const group = table.column("other").values.map((value) => Math.floor(value) + 5);
    const own = Table.fromColumns({ ...columns, group });
    const selector = new SelectFromModel({
      estimator: new DecisionTreeClassifier({ categoricalFeatures: ["group"], maxDepth: 3 }),
    });
    const model = selector.fit(own, labels);
    expect(model.model.featureNamesIn).toEqual(own.columnNames);
    const alone = new DecisionTreeClassifier({ categoricalFeatures: [4], maxDepth: 3 }).fit(own, labels);
    expect(model.scores).toEqual(alone.featureImportances);
  });
});

describe("rows of weight 0", () => {
  it("count for no selector, nor for its folds", () => {
    const sampleWeight = numbers.map((_, i) => (i % 3 === 0 ? 0 : 1 + (i % 2)));
    const kept = Int32Array.from(numbers.keys()).filter((i) => sampleWeight[i]! > 0);
    const [some, y] = [table.selectRows(kept), Array.from(kept, (i) => numbers[i]!)];
    const weights = Array.from(kept, (i) => sampleWeight[i]!);
    for (const selector of [
      new RFECV({ estimator: new Ridge(), cv: 3 }),
      new SequentialFeatureSelector({ estimator: new Ridge(), cv: 3 }),
      new RFE({ estimator: new Ridge() }),
      new SelectFromModel({ estimator: new Ridge() }),
    ]) {
      const all = selector.fit(table, numbers, { sampleWeight });
      expect(all.toState()).toEqual(selector.fit(some, y, { sampleWeight: weights }).toState());
      const matrix = selector.fit(
        table,
        numbers.map((value) => [value, -value]),
        { sampleWeight },
      );
      expect(matrix.nFeatures).toBe(4);
    }
  });
});

describe("RFE", () => {
  it("ranks columns by when they were dropped, and has a model of the others", () => {
    const model = new RFE({ estimator: new LinearRegression(), nFeaturesToSelect: 1 }).fit(table, numbers);
    expect(model.featureNames()).toEqual(["strong"]);
    expect([model.ranking[1], model.ranking[2]]).toEqual([1, 2]);
    expect([...model.ranking].sort()).toEqual([1, 2, 3, 4]);
    expect(model.model.coef.length).toBe(1);
    const byTwo = new RFE({ estimator: new LinearRegression(), nFeaturesToSelect: 1, step: 2 }).fit(
      table,
      numbers,
    );
    expect([...byTwo.ranking].sort()).toEqual([1, 2, 3, 3]);
  });

  it("compares coefficients whose squares underflow", () => {
    const Y = numbers.map((value, i) => [value * 1e-200, columns.noise[i]! * 1e-210]);
    const model = new RFE({ estimator: new LinearRegression(), nFeaturesToSelect: 1 }).fit(table, Y as never);
    expect(model.featureNames()).toEqual(["strong"]);
  });

  it("keeps half by default, or a share", () => {
    expect(new RFE({ estimator: new Ridge() }).fit(table, numbers).selected).toEqual([1, 2]);
    expect(
      new RFE({ estimator: new Ridge(), nFeaturesToSelect: 0.75 }).fit(table, numbers).selected.length,
    ).toBe(3);
    expect(() => new RFE({ estimator: new Ridge(), nFeaturesToSelect: 5 }).fit(table, numbers)).toThrow(
      /at least nFeaturesToSelect = 5 columns wide/,
    );
  });

  it("selects from sparse rows as from dense ones, and passes weights on", () => {
    const dense = table.toMatrix() as Matrix;
    const selector = new RFE({ estimator: new LogisticRegression(), nFeaturesToSelect: 2 });
    const sparse = selector.fit(CsrMatrix.fromDense(dense), labels);
    expect(sparse.selected).toEqual([1, 2]);
    expect(sparse.transform(CsrMatrix.fromDense(dense))).toBeInstanceOf(CsrMatrix);
    expect(sparse.inverseTransform(sparse.transform(dense)).column(1)).toEqual(dense.column(1));
    // Rows of weight 0 would turn the order round.
    const misleading = labels.map((label, i) =>
      i % 2 === 0 ? label : columns.noise[i]! > 0 ? "up" : "down",
    );
    const sampleWeight = labels.map((_, i) => (i % 2 === 0 ? 1 : 0));
    const some = labels.flatMap((_, i) => (i % 2 === 0 ? [i] : []));
    const half = selector.fit(
      dense.selectRows(some),
      some.map((i) => labels[i]!),
    );
    expect(selector.fit(dense, misleading, { sampleWeight }).ranking).toEqual(half.ranking);
  });
});

describe("RFECV", () => {
  it("finds how many columns say something, with scores for every number of them", () => {
    const model = new RFECV({ estimator: new LinearRegression(), cv: new KFold({ nSplits: 4 }) }).fit(
      table,
      numbers,
    );
    expect(model.featureNames()).toEqual(expect.arrayContaining(["strong", "weak"]));
    expect(model.results.map(({ nFeatures }) => nFeatures)).toEqual([1, 2, 3, 4]);
    const all = crossValScore(new LinearRegression(), table, numbers, { cv: new KFold({ nSplits: 4 }) });
    expect(model.results[3]!.scores).toEqual([...all]);
    expect(loadModel(saveModel(model), RFECV).results).toEqual(model.results);
  });

  it("measures by any scorer and with any step", () => {
    const model = new RFECV({
      estimator: new LogisticRegression(),
      step: 2,
      minFeaturesToSelect: 1,
      scoring: "rocAuc",
      cv: 3,
    }).fit(table, labels);
    expect(model.results.map(({ nFeatures }) => nFeatures)).toEqual([1, 2, 4]);
    expect(model.results[2]!.meanScore).toBeGreaterThan(0.98);
    const own = new RFECV({ estimator: new Ridge(), scoring: () => 0, cv: 3 }).fit(table, numbers);
    expect(own.selected.length).toBe(1);
    expect(loadModel(saveModel(own), RFECV).selected).toEqual(own.selected);
  });
});

describe("SequentialFeatureSelector", () => {
  it("adds or removes columns one by one, for models without importances too", () => {
    const estimator = new KNeighborsClassifier();
    for (const direction of ["forward", "backward"] as const) {
      const model = new SequentialFeatureSelector({ estimator, nFeaturesToSelect: 2, direction, cv: 3 });
      expect(model.fit(table, labels).featureNames()).toEqual(["strong", "weak"]);
    }
    const until = new SequentialFeatureSelector({ estimator: new Ridge(), tol: 0.001, cv: 3 }).fit(
      table,
      numbers,
    );
    expect(until.featureNames()).toEqual(["strong", "weak"]);
    const back = new SequentialFeatureSelector({
      estimator: new Ridge(),
      tol: -0.01,
      cv: 3,
      direction: "backward",
    });
    expect(back.fit(table, numbers).featureNames()).toEqual(["strong", "weak"]);
    expect(loadModel(saveModel(until), SequentialFeatureSelector).scores).toEqual(until.scores);
  });

  it("refuses a tolerance that decides nothing", () => {
    const estimator = new Ridge();
    expect(() => new SequentialFeatureSelector({ estimator, tol: 0.1, nFeaturesToSelect: 2 })).toThrow(
      /tol must be null, or nFeaturesToSelect "auto"/,
    );
    expect(() => new SequentialFeatureSelector({ estimator, tol: -0.1 })).toThrow(/tol must be at least 0/);
  });
});

describe("selectors around a model", () => {
  it("stand in pipelines and column transformers, and searches reach the model inside", () => {
    const steps = pipeline(
      ["scale", new StandardScaler()],
      ["select", new SelectFromModel({ estimator: new LogisticRegression(), threshold: "1.5*mean" })],
      ["classify", new RandomForestClassifier({ nEstimators: 10 })],
    );
    const model = steps.fit(table, labels);
    expect(model.featureNames()).toEqual(["strong"]);
    const loaded = loadModel(saveModel(model));
    expect(loaded.predict!(table)).toEqual(model.predict(table));
    expect(withParams(steps, { "select.estimator.C": 0.01 }).namedParts().get("select")).toMatchObject({
      params: { estimator: { params: { C: 0.01 } } },
    });
    const grid = { "select.estimator.C": [0.01, 1], "select.threshold": ["mean", 0] } as const;
    const search = new GridSearch({ estimator: steps, grid, cv: 3 }).fit(table, labels);
    expect(search.results.length).toBe(4);
    const both = columnTransformer({
      some: [new RFE({ estimator: new Ridge(), nFeaturesToSelect: 1 }), ["noise", "strong"]],
      rest: [new StandardScaler(), ["other"]],
    });
    expect(both.fit(table, numbers).featureNames()).toEqual(["strong", "other"]);
  });

  it("choose within each fold: the score of noise stays that of noise", () => {
    const draw = new Random(9);
    const X = Matrix.fromRows(
      Array.from({ length: 80 }, () => Array.from({ length: 200 }, () => draw.normal())),
    );
    const coin = Array.from({ length: 80 }, () => draw.uniform() < 0.5);
    const steps = pipeline(
      new SelectFromModel({ estimator: new LogisticRegression(), threshold: 0, maxFeatures: 5 }),
      new LogisticRegression(),
    );
    const scores = crossValScore(steps, X, coin, { cv: 4 });
    // Eighty fair coins: a standard deviation of 0.056.
    expect(Math.abs(scores.reduce((sum, score) => sum + score / 4, 0) - 0.5)).toBeLessThan(0.2);
  });

  it("pass gaps on to models that take them", () => {
    const gaps = Table.fromColumns({
      ...columns,
      strong: columns.strong.map((v, i) => (i % 9 === 0 ? null : v)),
    });
    const model = new SelectFromModel({ estimator: new DecisionTreeClassifier({ maxDepth: 2 }) }).fit(
      gaps,
      labels,
    );
    expect(model.featureNames()).toEqual(["strong"]);
    expect(model.transform(gaps).data[0]).toBeNaN();
    expect(() => new SelectFromModel({ estimator: new Ridge() }).fit(gaps, numbers)).toThrow(
      /must be a finite number/,
    );
  });

  it("do not compare scores that are not numbers", () => {
    const undefinedScore = new RFECV({ estimator: new Ridge(), cv: 3, scoring: () => Number.NaN });
    expect(() => undefinedScore.fit(table, numbers)).toThrow(
      /the score of 4 columns must be a number.*got NaN/,
    );
    const sequential = new SequentialFeatureSelector({
      estimator: new Ridge(),
      cv: 3,
      scoring: () => Number.NaN,
    });
    expect(() => sequential.fit(table, numbers)).toThrow(/the score of 1 columns must be a number.*got NaN/);
  });
});
