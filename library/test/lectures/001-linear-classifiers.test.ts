import {
  isLinearlySeparable,
  LabelBinarizer,
  LinearRegression,
  LogisticRegression,
  MultiOutputRegressor,
  Random,
  SoftmaxRegression,
  separatingHyperplane,
} from "argmax";
import { loadDataset } from "argmax/datasets";
import { describe, expect, it } from "vitest";
import { corners, xor } from "../support/corners.js";

describe("Y3 a column x₀ = 1 in place of a bias", () => {
  const random = new Random(3);
  const X = Array.from({ length: 60 }, () => [random.normal(), 3 + random.normal()]);
  const withOnes = X.map((row) => [1, ...row]);
  const t = X.map(([a, b]) => 5 + 2 * a! - b! + 0.3 * random.normal());
  const y = t.map((value) => (value + random.normal() > 2 ? "up" : "down"));

  it("linear regression: w₀ is the bias, and predictions are equal", () => {
    const bias = new LinearRegression().fit(X, t);
    const column = new LinearRegression({ fitIntercept: false }).fit(withOnes, t);
    expect(Math.abs(bias.intercept)).toBeGreaterThan(1);
    expect(column.coef[0]).toBeCloseTo(bias.intercept, 9);
    const predicted = column.predict(withOnes);
    bias.predict(X).forEach((value, i) => {
      expect(predicted[i]).toBeCloseTo(value, 9);
    });
  });

  it("logistic regression without a penalty: the same", () => {
    const params = { penalty: "none", tol: 1e-10 } as const;
    const bias = new LogisticRegression(params).fit(X, y);
    const column = new LogisticRegression({ ...params, fitIntercept: false }).fit(withOnes, y);
    expect(Math.abs(bias.intercept[0]!)).toBeGreaterThan(1);
    const p = column.predictProba(withOnes).data;
    bias.predictProba(X).data.forEach((value, e) => {
      expect(p[e]).toBeCloseTo(value, 9);
    });
  });

  it("with a penalty it is not: the column is penalised, the bias is not", () => {
    const bias = new LogisticRegression({ C: 0.1 }).fit(X, y);
    const column = new LogisticRegression({ C: 0.1, fitIntercept: false }).fit(withOnes, y);
    expect(Math.abs(column.coef.at(0, 0) - bias.intercept[0]!)).toBeGreaterThan(0.1);
  });
});

describe("Y4 linear programming finds the separating w", () => {
  const sides = (rows: readonly (readonly number[])[], y: readonly number[]) => {
    const plane = separatingHyperplane(rows, y)!;
    return rows.map((x) => x.reduce((z, v, j) => z + v * plane.coef[j]!, plane.intercept));
  };

  it("AND, OR and NAND: every row is strictly on its side", () => {
    for (const y of [
      [0, 0, 0, 1],
      [0, 1, 1, 1],
      [1, 1, 1, 0],
    ])
      for (const [i, z] of sides(corners, y).entries()) expect(Math.sign(z)).toBe(y[i] === 1 ? 1 : -1);
  });

  it("XOR has none", () => {
    expect(separatingHyperplane(corners, xor)).toBeUndefined();
    expect(isLinearlySeparable(corners, xor)).toBe(false);
  });

  it("a gap of 1e-6 between rows a million apart is found, and one row moved across it leaves none", () => {
    const rows = [[-1e6], [0], [1e-6], [1e6]];
    const y = [0, 0, 1, 1];
    for (const [i, z] of sides(rows, y).entries()) expect(Math.sign(z)).toBe(y[i] === 1 ? 1 : -1);
    expect(separatingHyperplane([...rows, [-1e-6]], [...y, 1])).toBeUndefined();
  });
});

describe("Y7 one-hot targets", async () => {
  const { X, y } = await loadDataset("iris");
  const binarizer = new LabelBinarizer().fit(y);
  const T = binarizer.transform(y);

  it("labels ↔ rows (0 … 1 … 0), both ways", () => {
    expect(binarizer.classes).toEqual(["setosa", "versicolor", "virginica"]);
    expect(binarizer.transform(["virginica", "setosa", "versicolor"]).toArray()).toEqual([
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    for (let i = 0; i < T.rows; i++) expect(T.row(i).reduce((sum, t) => sum + t, 0)).toBe(1);
    expect(binarizer.inverseTransform(T)).toEqual([...y]);
  });

  it("the softmax cross-entropy −Σ t log y of one-hot targets is the loss, with the gradient (y − t) x", () => {
    const model = new SoftmaxRegression({ C: 1, tol: 1e-9 }).fit(X, y);
    const p = model.predictProba(X);
    // The rows of y are the model's answers as labels, too.
    expect(binarizer.inverseTransform(p)).toEqual(model.predict(X));
    let loss = 0;
    T.data.forEach((t, e) => {
      loss -= t * Math.log(p.data[e]!);
    });
    const penalty = 0.5 * model.coef.data.reduce((sum, w) => sum + w * w, 0);
    expect((loss + penalty) / model.report.objective).toBeCloseTo(1, 9);
    for (let k = 0; k < 3; k++) {
      let slope = model.coef.at(k, 2);
      for (let i = 0; i < X.rows; i++) slope += (p.at(i, k) - T.at(i, k)) * X.at(i, 2);
      expect(slope).toBeCloseTo(0, 6);
    }
  });

  it("squared error on one-hot targets is a classifier, too: the largest output decides", () => {
    const outputs = new MultiOutputRegressor({ estimator: new LinearRegression() }).fit(X, T).predict(X);
    const labels = binarizer.inverseTransform(outputs);
    const right = labels.filter((label, i) => label === y[i]).length;
    // The middle class is masked by its neighbours [Hastie, Tibshirani & Friedman 2009, section 4.2]: 23 rows are lost.
    expect(right).toBe(127);
  });

  it("two classes share a column, of 0 and 1 or of −1 and +1", () => {
    const labels = ["no", "yes", "yes"];
    expect(new LabelBinarizer().fitTransform(labels).toArray()).toEqual([[0], [1], [1]]);
    const signs = new LabelBinarizer({ negLabel: -1 }).fit(labels);
    expect(signs.transform(labels).toArray()).toEqual([[-1], [1], [1]]);
    expect(signs.inverseTransform([[-0.2], [0.2]])).toEqual(["no", "yes"]);
  });
});
