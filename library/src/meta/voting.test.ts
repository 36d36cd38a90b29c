import { describe, expect, expectTypeOf, it } from "vitest";
import { GaussianNB } from "../bayes/index.js";
import { HistGradientBoostingClassifier } from "../boosting/index.js";
import { withParams } from "../core/composite.js";
import { ParameterError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Table } from "../data/table/table.js";
import { loadDataset } from "../datasets/index.js";
import { LinearDiscriminantAnalysis } from "../discriminant/index.js";
import { LogisticRegression, Ridge } from "../linear/index.js";
import { KNeighborsRegressor } from "../neighbors/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { GridSearch } from "../selection/index.js";
import { DecisionTreeClassifier } from "../trees/index.js";
import { VotingClassifier, VotingRegressor } from "./index.js";

const iris = await loadDataset("iris");
const diabetes = await loadDataset("diabetes");

describe("VotingClassifier", () => {
  const members = {
    bayes: new GaussianNB(),
    lda: new LinearDiscriminantAnalysis(),
    tree: new DecisionTreeClassifier({ maxDepth: 1 }),
  };

  it("soft: the weighted mean of the probabilities", () => {
    const model = new VotingClassifier({ estimators: members, voting: "soft", weights: [1, 2, 0] }).fit(
      iris.X,
      iris.y,
    );
    expectTypeOf(model.predict(iris.X)).toEqualTypeOf<(typeof iris.y)[number][]>();
    const [a, b] = [members.bayes.fit(iris.X, iris.y), members.lda.fit(iris.X, iris.y)].map((m) =>
      m.predictProba(iris.X),
    );
    model.predictProba(iris.X).data.forEach((p, e) => {
      expect(p).toBeCloseTo((a!.data[e]! + 2 * b!.data[e]!) / 3, 12);
    });
  });

  it("hard: the class with most votes, of equal ones the first", () => {
    const model = new VotingClassifier({ estimators: members }).fit(iris.X, iris.y);
    const votes = Object.values(members).map((member) => member.fit(iris.X, iris.y).predict(iris.X));
    const count = (i: number, label: string) => votes.filter((own) => own[i] === label).length;
    const expected = iris.y.map((_, i) =>
      model.classes.reduce((best, label) => (count(i, label) > count(i, best) ? label : best)),
    );
    expect(model.predict(iris.X)).toEqual(expected);
    expect(model.predictProba(iris.X).at(0, 0)).toBe(1);
  });

  it("takes two classes, sparse rows, weights, and tables with columns in another order", () => {
    const y = iris.y.map((label) => label === "setosa");
    const estimators = { a: new LogisticRegression({ C: 0.1 }), b: new LogisticRegression() };
    const voting = new VotingClassifier({ estimators, voting: "soft" });
    const sampleWeight = y.map((_, i) => i % 3);
    const dense = voting.fit(iris.X, y, { sampleWeight });
    const sparse = voting.fit(CsrMatrix.fromDense(iris.X), y, { sampleWeight });
    sparse.predictProba(iris.X).data.forEach((p, e) => {
      expect(p).toBeCloseTo(dense.predictProba(iris.X).data[e]!, 5);
    });
    const names = ["a", "b", "c", "d"];
    const tableOf = (order: readonly number[]) =>
      Table.fromColumns(Object.fromEntries(order.map((j) => [names[j]!, iris.X.column(j)])));
    const model = voting.fit(tableOf([0, 1, 2, 3]), y, { sampleWeight });
    expect(model.predictProba(tableOf([2, 0, 3, 1]))).toEqual(dense.predictProba(iris.X));
  });

  it("passes tables with text and gaps on to members that read them", () => {
    const table = Table.fromColumns({
      city: iris.y.map((label, i) => (i % 7 === 0 ? null : `${label}ville`)),
      size: iris.y.map((_, i) => (i % 5 === 0 ? null : i % 3)),
    });
    const estimators = {
      few: new HistGradientBoostingClassifier({ maxIter: 5 }),
      tree: new DecisionTreeClassifier(),
    };
    const model = new VotingClassifier({ estimators, voting: "soft" }).fit(table, iris.y);
    expect(model.score(table, iris.y)).toBeGreaterThan(0.85);
    const back = loadModel(saveModel(model), VotingClassifier);
    expect(back.predictProba(table)).toEqual(model.predictProba(table));
  });

  it("is a composite: searches reach its members by name", () => {
    const voting = new VotingClassifier({
      estimators: { tree: new DecisionTreeClassifier(), bayes: new GaussianNB() },
    });
    const changed = withParams(voting, { "tree.maxDepth": 2, voting: "soft" });
    expect((changed.params.estimators.tree as DecisionTreeClassifier).params.maxDepth).toBe(2);
    const grid = { "tree.maxDepth": [1, 3], voting: ["hard", "soft"] } as const;
    const search = new GridSearch({ estimator: voting, grid, cv: 3 });
    expect(search.fit(iris.X, iris.y).results.length).toBe(4);
    // @ts-expect-error: a naive Bayes has no depth
    expect(() => withParams(voting, { "bayes.maxDepth": 2 })).toThrow(ParameterError);
  });

  it("refuses members of another task, names with dots, none at all, and weights that do not fit", () => {
    const estimators = { a: new GaussianNB() };
    expect(() => new VotingClassifier({ estimators: {} })).toThrow(
      "estimators must be an object of one or more",
    );
    expect(() => new VotingClassifier({ estimators: { "a.b": new GaussianNB() } })).toThrow(ParameterError);
    // @ts-expect-error: a regressor is not a classifier
    expect(() => new VotingClassifier({ estimators: { a: new Ridge() } })).toThrow("which is for regression");
    expect(() => new VotingClassifier({ estimators, weights: [1, 2] })).toThrow("1 numbers ≥ 0");
    expect(() => new VotingClassifier({ estimators, weights: [0] })).toThrow("not all 0");
  });
});

describe("VotingRegressor", () => {
  it("is the weighted mean of its members", () => {
    const { X, y } = diabetes;
    const estimators = { ridge: new Ridge(), knn: new KNeighborsRegressor() };
    const model = new VotingRegressor({ estimators, weights: [3, 1] }).fit(X, y);
    const [a, b] = [estimators.ridge.fit(X, y).predict(X), estimators.knn.fit(X, y).predict(X)];
    model.predict(X).forEach((v, i) => {
      expect(v).toBeCloseTo((3 * a[i]! + b[i]!) / 4, 9);
    });
    expect(() =>
      new VotingRegressor({ estimators }).fit(X, y, { sampleWeight: new Float64Array(y.length).fill(1) }),
    ).toThrow("not all of the estimators take weights");
  });
});
