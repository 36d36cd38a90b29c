import { describe, expect, it } from "vitest";
import { Matrix } from "../data/matrix.js";
import { LogisticRegression } from "./logistic-regression.js";

describe("the report", () => {
  it("gives the gradient of the objective as the estimator writes it, whatever C is", () => {
    const x = Matrix.fromRows([
      [0.2, 1.1],
      [1.3, -0.4],
      [-0.7, 0.6],
      [0.9, 0.8],
      [-1.2, -0.3],
    ]);
    const y = [0, 1, 0, 1, 1];
    for (const C of [0.1, 10]) {
      const model = new LogisticRegression({ C, maxIter: 1 }).fit(x, y);
      const [w, b] = [model.coef.row(0), model.intercept[0]!];
      // J = C Σ log(1 + e^{−±z}) + ½‖w‖²
      const gradient = [w[0]!, w[1]!, 0];
      for (let i = 0; i < x.rows; i++) {
        const z = w[0]! * x.at(i, 0) + w[1]! * x.at(i, 1) + b;
        const slope = C * (1 / (1 + Math.exp(-z)) - y[i]!);
        gradient[0]! += slope * x.at(i, 0);
        gradient[1]! += slope * x.at(i, 1);
        gradient[2]! += slope;
      }
      const largest = Math.max(...gradient.map(Math.abs));
      // The same sums in another order; the gradient is what is left of terms of size C.
      expect(model.report.gradientNorm).toBeCloseTo(largest, 12);
      expect(largest).toBeGreaterThan(1e-6);
    }
  });
});
