import {
  gradientDescent,
  LinearClassifier,
  LinearRegressor,
  LinearSVC,
  LogisticRegression,
  logistic,
  none,
  SGDClassifier,
  SoftmaxRegression,
  softmax,
  squared,
} from "argmax";
import { describe, expect, it } from "vitest";

const X = [
  [1, 2],
  [3, -1],
  [-2, 0],
  [0.5, 1],
];

describe("B4 a tie on the boundary", () => {
  it("goes to the first class, whatever the classifier: the second needs more than the threshold", () => {
    const y = ["no", "yes", "no", "yes"];
    for (const estimator of [new LogisticRegression(), new LinearSVC(), new SGDClassifier()]) {
      const model = estimator.fit(X, y);
      const threshold = model.decisionFunction([[0.3, 0.4]]).data[0]!;
      expect(model.predict([[0.3, 0.4]], { threshold })).toEqual(["no"]);
      expect(model.predict([[0.3, 0.4]], { threshold: threshold - 1e-9 })).toEqual(["yes"]);
    }
    const origin = new LogisticRegression({ fitIntercept: false }).fit(X, y);
    expect(origin.decisionFunction([[0, 0]]).data[0]).toBe(0);
    expect(origin.predict([[0, 0]])).toEqual(["no"]);
    expect(origin.predictProba([[0, 0]]).row(0)).toEqual(Float64Array.of(0.5, 0.5));
  });
});

describe("B7 softmax regression, step by step", () => {
  const labels = ["a", "b", "c", "a"];
  const classes = ["a", "b", "c"];
  const descent = (learningRate: number) =>
    new LinearClassifier({
      loss: softmax(),
      penalty: none(),
      solver: gradientDescent({ learningRate }),
      maxIter: 1,
    });

  it("the first step from w = 0 is −α/N Σ (p − t) x, with p = 1/3", () => {
    const model = descent(0.3).fit(X, labels);
    const expected = classes.map((k) =>
      [0, 1].map(
        (j) => (-0.3 / 4) * X.reduce((sum, x, i) => sum + (1 / 3 - (labels[i] === k ? 1 : 0)) * x[j]!, 0),
      ),
    );
    // Scores of all classes may move together; probabilities, and differences of coefficients, do not see it.
    for (const k of [1, 2]) {
      for (const j of [0, 1])
        expect(model.coef.at(k, j) - model.coef.at(0, j)).toBeCloseTo(
          expected[k]![j]! - expected[0]![j]!,
          13,
        );
    }
  });

  it("logits of ±1000 give a finite loss: log Σ exp z − z of the truth, to the last digits", () => {
    // The same row with another label cannot be right as well. The fit would return a constant instead; its step does not.
    const [rows, y] = [
      [...X, X[0]!],
      [...labels, "b"],
    ];
    const [step] = [...descent(3000).steps(rows, y)];
    const model = step!.model();
    const z = model.decisionFunction(rows).toArray();
    expect(Math.max(...z.flat().map(Math.abs))).toBeGreaterThan(1000);
    const loss = z.reduce((sum, row, i) => {
      const most = Math.max(...row);
      const own = row[classes.indexOf(y[i]!)]!;
      return sum + most + Math.log(row.reduce((all, v) => all + Math.exp(v - most), 0)) - own;
    }, 0);
    expect(step!.objective! / (loss / 5)).toBeCloseTo(1, 12);
    const p = model.predictProba(rows);
    expect(p.data.every((v) => v >= 0 && v <= 1)).toBe(true);
    for (const row of p.toArray()) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 14);
  });

  it("is what SoftmaxRegression minimises: its gradient Σ (p − t) x vanishes", () => {
    const rows = [...X, [1, -2], [-1, 1.5]];
    const y = [...labels, "b", "c"];
    const model = new SoftmaxRegression({ C: 1, tol: 1e-8 }).fit(rows, y);
    const p = model.predictProba(rows);
    classes.forEach((k, c) => {
      for (const j of [0, 1]) {
        const slope = rows.reduce((sum, x, i) => sum + (p.at(i, c) - (y[i] === k ? 1 : 0)) * x[j]!, 0);
        // C = 1: the penalty ½‖w‖² pulls back by w.
        expect(slope + model.coef.at(c, j)).toBeCloseTo(0, 6);
      }
    });
  });
});

describe("X18 linear and logistic regression share one update, and a summed cost needs α′ = α/N", () => {
  const t = [1, 0, 1, 0];
  const [alpha, N, steps] = [0.2, X.length, 5];
  const paths = (link: (z: number) => number) => {
    const run = (rate: number, average: boolean) => {
      let [w0, w1, b] = [0, 0, 0];
      const path: number[][] = [];
      for (let step = 0; step < steps; step++) {
        const errors = X.map((x, i) => link(w0 * x[0]! + w1 * x[1]! + b) - t[i]!);
        const sum = (of: (x: number[]) => number) =>
          X.reduce((all, x, i) => all + errors[i]! * of(x), 0) / (average ? N : 1);
        [w0, w1, b] = [w0 - rate * sum((x) => x[0]!), w1 - rate * sum((x) => x[1]!), b - rate * sum(() => 1)];
        path.push([w0, w1, b]);
      }
      return path;
    };
    return { mean: run(alpha, true), summed: run(alpha / N, false) };
  };
  const solver = gradientDescent({ learningRate: alpha });

  it("w ← w − α/N Σ (y − t) x, with y = z", () => {
    const { mean, summed } = paths((z) => z);
    const learned = [
      ...new LinearRegressor({ loss: squared(), penalty: none(), solver, maxIter: steps, tol: 1e-300 }).steps(
        X,
        t,
      ),
    ];
    mean.forEach((expected, step) => {
      const model = learned[step]!.model();
      [...model.coef, model.intercept].forEach((value, e) => {
        expect(value).toBeCloseTo(expected[e]!, 13);
        expect(value).toBeCloseTo(summed[step]![e]!, 13);
      });
    });
  });

  it("and with y = σ(z)", () => {
    const { mean, summed } = paths((z) => 1 / (1 + Math.exp(-z)));
    const learned = [
      ...new LinearClassifier({
        loss: logistic(),
        penalty: none(),
        solver,
        maxIter: steps,
        tol: 1e-300,
      }).steps(X, t),
    ];
    mean.forEach((expected, step) => {
      const model = learned[step]!.model();
      [...model.coef.data, model.intercept[0]!].forEach((value, e) => {
        expect(value).toBeCloseTo(expected[e]!, 13);
        expect(value).toBeCloseTo(summed[step]![e]!, 13);
      });
    });
  });
});
