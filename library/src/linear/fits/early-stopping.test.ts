import { describe, expect, it } from "vitest";
import { DataError, ParameterError } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import { runToEnd } from "../../core/steps.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { loadDataset } from "../../datasets/index.js";
import { squared } from "../../losses/losses.js";
import { loadModel, saveModel } from "../../persistence/index.js";
import { StandardScaler } from "../../preprocessing/index.js";
import { linearProblem } from "../../solvers/problem.js";
import { sgdSteps } from "../../solvers/sgd.js";
import { Perceptron, SGDClassifier, SGDRegressor } from "../index.js";

const random = new Random(2);
const X = new Matrix(
  Float64Array.from({ length: 400 * 5 }, () => random.normal()),
  400,
  5,
);
const labels = Array.from({ length: 400 }, (_, i) => (X.at(i, 0) + 0.5 * random.normal() > 0 ? "b" : "a"));
const numbers = Float64Array.from(
  { length: 400 },
  (_, i) => 2 * X.at(i, 0) - X.at(i, 1) + 0.1 * random.normal(),
);

describe("earlyStopping", () => {
  it("stops nIterNoChange epochs after the score of held-out rows last rose by tol", () => {
    // The score of epoch 4 is above that of epoch 2 by less than tol.
    const scores = [0.5, 0.6, 0.55, 0.6005, 0.6005, 0.4, 0.9];
    const thetas: Float64Array[] = [];
    const heldOutScore = (theta: Float64Array) => {
      thetas.push(theta);
      return scores[thetas.length - 1]!;
    };
    const y = numbers;
    const stated = { where: "test", x: X, y, weights: undefined, loss: squared(), maxIter: 100, tol: 1e-3 };
    const options = {
      learningRate: "constant",
      eta0: 0.01,
      powerT: 0.25,
      l1Update: "truncate",
      batchSize: 1,
      shuffle: true,
      average: false,
      nIterNoChange: 4,
    } as const;
    const solution = runToEnd(sgdSteps(linearProblem({ ...stated, heldOutScore }), options));
    expect(solution.iterations).toBe(6);
    expect(solution.converged).toBe(true);
    expect(solution.theta).toEqual(thetas[4]);
  });

  it("ends long before maxIter, the sooner the fewer epochs it waits", () => {
    const epochs = [2, 7].map((nIterNoChange) => {
      const params = { learningRate: "constant", earlyStopping: true, nIterNoChange } as const;
      const { report } = new SGDClassifier({ ...params, loss: "logLoss" }).fit(X, labels);
      expect(report.converged).toBe(true);
      return report.iterations;
    });
    expect(epochs[0]).toBeLessThanOrEqual(epochs[1]!);
    expect(epochs[1]).toBeLessThan(100);
  });

  it("keeps the epoch whose held-out score is highest", () => {
    const params = { earlyStopping: true, validationFraction: 0.25, tol: 1e-9, eta0: 0.05 };
    const steps = [...new SGDRegressor(params).steps(X, numbers)];
    const model = new SGDRegressor(params).fit(X, numbers);
    const kept = steps.filter((step) => step.model().coef.every((w, j) => w === model.coef[j]));
    expect(kept.length).toBe(1);
    expect(model.score(X, numbers)).toBeGreaterThan(0.95);
  });

  it("learns from the other rows only, with the proportions of the classes, the same for every class", async () => {
    const iris = await loadDataset("iris");
    const x = new StandardScaler().fitTransform(iris.X);
    for (const type of [SGDClassifier, Perceptron]) {
      const model = new type({ earlyStopping: true, validationFraction: 0.3 }).fit(x, iris.y);
      expect(model.score(x, iris.y)).toBeGreaterThan(0.8);
      const back = loadModel(saveModel(model));
      expect(back.predict!(x)).toEqual(model.predict(x));
    }
  });

  it("takes sparse rows and weights; a row of weight 0 is neither learned from nor held out", () => {
    const sampleWeight = labels.map((_, i) => (i < 300 ? 1 : 0));
    const rows = Int32Array.from({ length: 300 }, (_, i) => i);
    for (const type of [SGDClassifier, Perceptron]) {
      const weighted = new type({ earlyStopping: true }).fit(X, labels, { sampleWeight });
      const without = new type({ earlyStopping: true }).fit(X.selectRows(rows), labels.slice(0, 300));
      expect(weighted.coef).toEqual(without.coef);
      expect(
        new type({ earlyStopping: true }).fit(CsrMatrix.fromDense(X), labels).score(X, labels),
      ).toBeGreaterThan(0.7);
    }
  });

  it("is refused by partialFit, and where too few rows are left", () => {
    const expected = "earlyStopping must be false in partialFit, which never sees all rows, got true.";
    expect(() => new SGDClassifier({ earlyStopping: true }).partialFit(null, X, labels)).toThrow(expected);
    expect(() => new SGDRegressor({ earlyStopping: true }).partialFit(null, X, numbers)).toThrow(
      ParameterError,
    );
    expect(() => new SGDRegressor({ earlyStopping: true }).fit([[1], [2], [3]], [1, 2, 3])).toThrow(
      DataError,
    );
    expect(() => new Perceptron({ earlyStopping: true }).fit([[1], [2]], ["a", "b"])).toThrow(DataError);
    expect(() => new Perceptron({ validationFraction: 1 })).toThrow(ParameterError);
  });
});
