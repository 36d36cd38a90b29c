import { describe, expect, it } from "vitest";
import { BaggingClassifier } from "../bagging/index.js";
import { GaussianNB, MultinomialNB } from "../bayes/index.js";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { LinearDiscriminantAnalysis } from "../discriminant/index.js";
import { RandomForestRegressor } from "../forests/index.js";
import { LinearRegression, LogisticRegression, PoissonRegressor, Ridge } from "../linear/index.js";
import { VotingClassifier } from "../meta/index.js";
import { KNeighborsRegressor } from "../neighbors/index.js";
import { pipeline } from "../pipeline/index.js";
import { OneHotEncoder, StandardScaler } from "../preprocessing/index.js";
import { GridSearch } from "../selection/index.js";
import { SVC } from "../svm/index.js";
import { TfidfVectorizer } from "../text/index.js";
import { DecisionTreeClassifier, DecisionTreeRegressor } from "../trees/index.js";
import { explain } from "./explain.js";
import { permutationImportance } from "./permutation-importance.js";

function normals(n: number, d: number, seed: number): number[][] {
  const random = new Random(seed);
  return Array.from({ length: n }, () => Array.from({ length: d }, () => random.normal()));
}

const X = normals(60, 4, 3);
const y = X.map((row) => 2 * row[0]! - row[1]! + 0.5 * row[2]! * row[3]!);
const three = y.map((v) => (v < -1 ? "low" : v < 1 ? "middle" : "high"));
const background = X.slice(0, 20);
const mean = (values: readonly number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;

describe("explain", () => {
  it("of a linear model is w (x − mean of the background), dense or sparse", () => {
    const model = new Ridge().fit(X, y);
    const found = explain(model, X, { background });
    expect(found.method).toBe("linear");
    for (let j = 0; j < 4; j++) {
      const centre = mean(background.map((row) => row[j]!));
      expect(found.contributions(7)[j]).toBeCloseTo(model.coef[j]! * (X[7]![j]! - centre), 12);
    }
    expect(found.baseValues[0]).toBeCloseTo(mean([...model.predict(background)]), 12);
    model.predict(X).forEach((value, i) => {
      expect(found.predictions.data[i]).toBeCloseTo(value, 12);
    });
    const sparse = (rows: number[][]) => CsrMatrix.fromDense(Matrix.fromRows(rows));
    const again = explain(model, sparse(X), { background: sparse(background) });
    again.matrix().data.forEach((value, e) => {
      expect(value).toBeCloseTo(found.matrix().data[e]!, 12);
    });
  });

  it("of a classifier explains its scores: one for two classes, one per class for more", () => {
    const two = new LogisticRegression().fit(
      X,
      y.map((v) => (v > 0 ? "yes" : "no")),
    );
    expect(explain(two, X, { background }).outputNames).toEqual(["yes"]);
    for (const model of [
      new LogisticRegression().fit(X, three),
      new LinearDiscriminantAnalysis().fit(X, three),
    ]) {
      const found = explain(model, X, { background });
      expect(found.outputNames).toEqual(model.classes);
      const scores = model.decisionFunction(X).data;
      // Margins of a discriminant are equal up to a constant per row.
      const apart = found.predictions.data.map((v, e) => v - scores[e]!);
      for (let i = 0; i < X.length; i++) {
        expect(apart[3 * i + 1]).toBeCloseTo(apart[3 * i]!, 9);
        expect(apart[3 * i + 2]).toBeCloseTo(apart[3 * i]!, 9);
      }
    }
  });

  it("of counts explains their logarithm", () => {
    const model = new PoissonRegressor().fit(
      X,
      y.map((v) => Math.max(0, Math.round(v))),
    );
    const found = explain(model, X, { background });
    expect(found.output).toBe("score");
    expect(Math.exp(found.predictions.data[3]!)).toBeCloseTo(model.predict(X)[3]!, 10);
  });

  it("of naive Bayes are the features' log likelihoods less their mean", () => {
    const model = new GaussianNB().fit(X, three);
    const found = explain(model, X.slice(0, 3), { background });
    expect(found.method).toBe("additive");
    const joint = model.predictJointLogProba(X.slice(0, 3)).data;
    joint.forEach((value, e) => {
      expect(found.predictions.data[e]).toBeCloseTo(value, 10);
    });
    const density = (v: number, k: number, j: number) => {
      const [m, s] = [model.theta.row(k)[j]!, model.var.row(k)[j]!];
      return -0.5 * (Math.log(2 * Math.PI * s) + (v - m) ** 2 / s);
    };
    const expected = density(X[2]![1]!, 0, 1) - mean(background.map((row) => density(row[1]!, 0, 1)));
    expect(found.contributions(2, 0)[1]).toBeCloseTo(expected, 10);
    const counts = X.map((row) => row.map((v) => Math.round(Math.abs(v) * 3)));
    const words = new MultinomialNB().fit(counts, three);
    const own = explain(words, counts.slice(0, 2), { background: counts.slice(0, 10) });
    words.predictJointLogProba(counts.slice(0, 2)).data.forEach((value, e) => {
      expect(own.predictions.data[e]).toBeCloseTo(value, 10);
    });
  });

  it("of any other model enumerates all sets of features: one row of background, by hand", () => {
    const model = new KNeighborsRegressor({ nNeighbors: 1 }).fit(
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      [0, 0, 4, 10],
    );
    const found = explain(model, [1, 1], { background: [[0, 0]] });
    expect(found.method).toBe("exactShap");
    // v(∅) = 0, v({0}) = 4, v({1}) = 0, v(both) = 10: the averages over both orders.
    expect([...found.contributions()]).toEqual([7, 3]);
    expect(found.baseValues[0]).toBe(0);
  });

  it("by enumeration equals the exact formula of an additive model", () => {
    const model = new LinearRegression().fit(X, y);
    const plain = {
      nFeatures: 4,
      predict: (x: Parameters<typeof model.predict>[0]) => model.predict(x),
      toState: () => model.toState(),
    };
    const exact = explain(model, X.slice(0, 4), { background }).matrix().data;
    explain(plain, X.slice(0, 4), { background })
      .matrix()
      .data.forEach((value, e) => {
        expect(value).toBeCloseTo(exact[e]!, 10);
      });
  });

  it("by sampling is exact for interactions of two features, and sums to the output for any model", () => {
    const d = 16;
    const rows = normals(6, d, 8);
    const outputs = (f: (row: Float64Array) => number) => ({
      nFeatures: d,
      predict: (x: unknown) =>
        Float64Array.from({ length: (x as Matrix).rows }, (_, i) => f((x as Matrix).row(i))),
      toState: () => new LinearRegression().fit(X, y).toState(),
    });
    const base = [Array.from({ length: d }, () => 0)];
    const options = { background: base, nSamples: 600 };
    const pairs = explain(
      outputs((r) => 3 * r[0]! + r[1]! * r[2]! - 2 * r[4]! * r[9]!),
      rows[0]!,
      options,
    );
    expect(pairs.method).toBe("kernelShap");
    const [row] = rows as [number[]];
    const expected = new Float64Array(d);
    expected[0] = 3 * row[0]!;
    expected[1] = expected[2] = (row[1]! * row[2]!) / 2;
    expected[4] = expected[9] = -row[4]! * row[9]!;
    pairs.contributions().forEach((value, j) => {
      expect(value).toBeCloseTo(expected[j]!, 9);
    });
    const product = outputs((r) => r[0]! * r[1]! * r[2]! * r[3]! + r[5]!);
    const found = explain(product, rows, options);
    rows.forEach((own, i) => {
      expect(found.predictions.data[i]).toBeCloseTo(own[0]! * own[1]! * own[2]! * own[3]! + own[5]!, 9);
    });
    expect(explain(product, rows, options).matrix().data).toEqual(found.matrix().data);
    expect(explain(product, rows, { ...options, randomState: 1 }).matrix().data).not.toEqual(
      found.matrix().data,
    );
  });

  it("explains probabilities where there are any, and a decision function otherwise", () => {
    const model = new SVC().fit(X, three);
    const found = explain(model, X.slice(0, 2), { background: background.slice(0, 5) });
    expect(found.output).toBe("score");
    model.decisionFunction(X.slice(0, 2)).data.forEach((value, e) => {
      expect(found.predictions.data[e]).toBeCloseTo(value, 9);
    });
  });

  it("of a pipeline is in the features of its last step, by their names, and can be grouped", () => {
    const table = Table.fromColumns({
      city: ["Oslo", "Rome", "Oslo", "Bonn", "Rome", "Bonn"],
      size: ["s", "l", "l", "s", "s", "l"],
    });
    const price = [1, 6, 3, 2, 4, 5];
    const model = pipeline(new OneHotEncoder(), new Ridge()).fit(table, price);
    const found = explain(model, table.head(1), { background: table });
    expect(found.featureNames).toEqual(["city_Bonn", "city_Oslo", "city_Rome", "size_l", "size_s"]);
    const byColumn = found.grouped((name) => name.split("_")[0]!);
    expect(byColumn.featureNames).toEqual(["city", "size"]);
    const own = found.contributions();
    expect(byColumn.contributions()[0]).toBeCloseTo(own[0]! + own[1]! + own[2]!, 12);
    expect(byColumn.predictions.data[0]).toBeCloseTo((model.predict(table) as Float64Array)[0]!, 10);
    const scaled = pipeline(new StandardScaler(), new DecisionTreeRegressor({ maxDepth: 3 })).fit(X, y);
    expect(explain(scaled, X[5]!).predictions.data[0]).toBeCloseTo(
      (scaled.predict(X) as Float64Array)[5]!,
      10,
    );
  });

  it("of a search explains its best model", () => {
    const search = new GridSearch({ estimator: new DecisionTreeRegressor(), grid: { maxDepth: [2, 3] } }).fit(
      X,
      y,
    );
    expect(explain(search, X[0]!).contributions()).toEqual(explain(search.bestModel, X[0]!).contributions());
  });

  it("of trees that predict several targets has an output per target", () => {
    const Y = Table.fromColumns({ sum: y, twice: y.map((v) => 2 * v) });
    const model = new RandomForestRegressor({ nEstimators: 4 }).fit(X, Y);
    const found = explain(model, X);
    expect(found.outputNames).toEqual(["sum", "twice"]);
    model.predict(X).data.forEach((value, e) => {
      expect(found.predictions.data[e]).toBeCloseTo(value, 10);
    });
    const linear = explain(new Ridge().fit(X, Y), X, { background });
    expect(linear.outputNames).toEqual(["sum", "twice"]);
    expect(linear.contributions(2, 1)[0]! / linear.contributions(2, 0)[0]!).toBeCloseTo(2, 8);
  });

  it("enumerates sets of features of tables with text and gaps, columns in any order", () => {
    const table = Table.fromColumns({
      city: X.map((row) => (row[0]! > 0 ? "Oslo" : "Rome")),
      size: X.map((row, i) => (i % 9 === 0 ? null : row[1]!)),
      isNew: X.map((row) => row[2]! > 0),
    });
    // Members that read text are not a forest of numbers.
    const estimator = new DecisionTreeClassifier({ maxDepth: 4 });
    const model = new BaggingClassifier({ estimator, nEstimators: 3 }).fit(table, three);
    const turned = table.select(["isNew", "city", "size"]);
    const found = explain(model, turned.head(3), { background: turned });
    expect(found.method).toBe("exactShap");
    expect(found.featureNames).toEqual(["city", "size", "isNew"]);
    model.predictProba(table.head(3)).data.forEach((value, e) => {
      expect(found.predictions.data[e]).toBeCloseTo(value, 10);
    });
  });

  it("takes names of columns, which must be one per column", () => {
    const model = new DecisionTreeRegressor().fit(X, y);
    const featureNames = ["a", "b", "c", "d"];
    expect(explain(model, X, { featureNames }).featureNames).toEqual(featureNames);
    const scaled = pipeline(new StandardScaler(), new Ridge()).fit(X, y);
    expect(explain(scaled, X, { background, featureNames }).featureNames).toEqual(featureNames);
    expect(() => explain(model, X, { featureNames: ["a"] })).toThrow(
      "featureNames must be one per column (4)",
    );
  });

  it("of a loaded model is that of the model", () => {
    const model = new DecisionTreeRegressor().fit(X, y);
    const again = DecisionTreeRegressor.restore(model.toState()) as typeof model;
    expect(explain(again, X).matrix().data).toEqual(explain(model, X).matrix().data);
  });

  it("prints a row as a list of its contributions, several rows as their means", () => {
    const model = new LinearRegression().fit(
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ],
      [0, 3, -1, 2],
    );
    const options = { background: [[0, 0]] };
    expect(String(explain(model, [1, 2], options))).toBe(
      [
        "Explanation of the prediction: 1, from 0",
        "  x0  +3.000  ████████████████████",
        "  x1  −2.000  █████████████",
      ].join("\n"),
    );
    expect(
      String(
        explain(
          model,
          [
            [1, 2],
            [0, 0],
          ],
          options,
        ),
      ),
    ).toBe(
      [
        "Explanation of 2 rows: mean absolute contributions to the prediction",
        "  x0  +1.500  ████████████████████",
        "  x1  +1.000  █████████████",
      ].join("\n"),
    );
    const tree = new DecisionTreeClassifier().fit([[0], [1], [2]], ["a", "b", "b"]);
    expect(String(explain(tree, [2]))).toContain('Explanation of the probability of "b": 1, from 0.66667');
  });

  it("refuses what it cannot use", () => {
    const linear = new Ridge().fit(X, y);
    const tree = new DecisionTreeRegressor().fit(X, y);
    expect(() => explain(linear, X)).toThrow("explain: background must be given for FittedRidge");
    expect(() => explain(tree, X, { background })).toThrow("explain: background must be absent for trees");
    expect(() => explain(linear, [[1, 2]], { background })).toThrow("X must be 4 columns wide");
    expect(() => explain(tree, X, { nSample: 3 } as never)).toThrow("nSample");
    expect(() => explain(tree, X).contributions(99)).toThrow("Explanation.contributions");
    expect(() => explain(new StandardScaler().fit(X), X, { background })).toThrow("a fitted regressor");
  });
});

describe("documents", () => {
  const documents = ["good plot", "good cast", "bad plot", "bad cast", "good fun", "bad luck"];
  const y = ["up", "up", "down", "down", "up", "down"];
  const model = pipeline(new TfidfVectorizer(), new LogisticRegression()).fit(documents, y);

  it("are explained by their words", () => {
    const found = explain(model, ["good plot"], { background: documents });
    expect(found.featureNames).toEqual(["bad", "cast", "fun", "good", "luck", "plot"]);
    const contributions = found.contributions(0);
    expect(found.featureNames[contributions.indexOf(Math.max(...contributions))]).toBe("good");
    expect(found.predictions.at(0, 0)).toBeCloseTo(model.decisionFunction(["good plot"]).at(0, 0), 12);
    const trees = pipeline(new TfidfVectorizer(), new DecisionTreeClassifier()).fit(documents, y);
    expect(explain(trees, documents).featureNames).toEqual(found.featureNames);
    const cells = pipeline(new OneHotEncoder(), new LogisticRegression()).fit(
      [["a"], ["b"], ["a"], ["b"]],
      [0, 1, 0, 1],
    );
    expect(explain(cells, [["a"]], { background: [["a"], ["b"]] }).featureNames).toEqual(["x0_a", "x0_b"]);
  });

  it("have importances of words, and are refused where a model has no columns", () => {
    const found = permutationImportance(model, documents, y, { nRepeats: 3 });
    expect(found.names).toEqual(["bad", "cast", "fun", "good", "luck", "plot"]);
    expect(found.baseline).toBe(model.score(documents, y));
    expect(found.mean[3]! + found.mean[0]!).toBeGreaterThan(found.mean[1]! + found.mean[5]!);
    const votes = new VotingClassifier({
      estimators: { model: pipeline(new TfidfVectorizer(), new LogisticRegression()) },
    });
    const wrapped = votes.fit(documents, y);
    for (const refused of [
      () => explain(wrapped, documents, { background: documents }),
      () => permutationImportance(wrapped, documents, y),
    ])
      expect(refused).toThrow(
        /X must be columns, of which each is a feature, got documents. Words are the features of a pipeline/,
      );
  });
});
