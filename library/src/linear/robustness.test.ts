import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { exponential, hinge, perceptron, quantile, squaredHinge } from "../losses/losses.js";
import { heap } from "../numeric/runtime/heap.js";
import { l1, l1Ball, none } from "../penalties/penalties.js";
import {
  isLinearlySeparable,
  Lasso,
  LinearClassifier,
  LinearRegressor,
  LinearSVC,
  LogisticRegression,
  PoissonRegressor,
  SoftmaxRegression,
} from "./index.js";

function normal(rows: number, cols: number, seed = 1): Matrix {
  const random = new Random(seed);
  return new Matrix(
    new Float64Array(rows * cols).map(() => random.normal()),
    rows,
    cols,
  );
}

/** Labels from a noisy plane through the first two columns. */
function labels(x: Matrix, seed = 2): number[] {
  const random = new Random(seed);
  return Array.from({ length: x.rows }, (_, i) =>
    x.at(i, 0) - 0.5 * x.at(i, 1) + random.normal() > 0 ? 1 : 0,
  );
}

describe("a column that samples of the rows miss", () => {
  const x = normal(100_000, 6);
  const y = labels(x);
  for (let i = 0; i < x.rows; i++) x.data[i * 6 + 5] = 0;
  for (let k = 0; k < 12; k++) {
    x.data[(k * 8000 + 3000) * 6 + 5] = 1;
    y[k * 8000 + 3000] = k % 4 ? 1 : 0;
  }

  it.each([
    [
      "logistic",
      (solver: "newton" | "lbfgs") =>
        new LogisticRegression({ penalty: "none", tol: 1e-7, solver }).fit(x, y),
    ],
    [
      "squared hinge",
      (solver: "newton" | "lbfgs") =>
        new LinearClassifier({
          loss: squaredHinge(),
          penalty: none(),
          tol: 1e-7,
          solver: solver as never,
        }).fit(x, y),
    ],
  ] as const)("still gets its coefficient: %s", (_, fit) => {
    const model = fit("newton");
    const other = fit("lbfgs");
    expect(model.coef.at(0, 5)).not.toBe(0);
    expect(model.report.objective).toBeLessThanOrEqual(other.report.objective * (1 + 1e-9));
  });
});

describe("a row unlike all others", () => {
  it("does not overflow what the sample found: Poisson and exponential losses still converge", () => {
    const x = normal(50_000, 5);
    x.data[777 * 5] = 2000;
    const counts = Array.from({ length: x.rows }, (_, i) => (i % 3 === 0 ? 1 : 0));
    const poisson = new PoissonRegressor({ alpha: 0 }).fit(x, counts);
    expect(poisson.report.converged).toBe(true);
    const classes = new LinearClassifier({ loss: exponential(), penalty: none() }).fit(x, labels(x));
    expect(Number.isFinite(classes.report.objective)).toBe(true);
  });

  it("with Infinity in it is found wherever it stands", () => {
    const x = normal(40_000, 3);
    x.data[(x.rows - 7) * 3 + 1] = Infinity;
    expect(() => new LogisticRegression().fit(x, labels(normal(40_000, 3)))).toThrow(
      "X[39993][1] must be a finite number",
    );
  });

  it("too large to square is an error that names the column, never NaN", () => {
    const x = normal(200, 3);
    x.data[4] = 1e200;
    const y = labels(normal(200, 3));
    for (const estimator of [new LogisticRegression(), new LinearSVC(), new SoftmaxRegression()]) {
      expect(() => estimator.fit(x, y)).toThrow("column 1 of X must be small enough for sums of squares");
    }
    expect(() => new Lasso().fit(x, y)).toThrow("column 1 of X");
  });
});

describe("columns far from the origin", () => {
  const near = normal(2000, 3);
  const y = labels(near);
  const far = new Matrix(
    near.data.map((v, e) => (e % 3 === 0 ? v + 1e7 : v)),
    2000,
    3,
  );

  it.each([
    ["logistic", (x: Matrix) => new LogisticRegression().fit(x, y)],
    ["softmax", (x: Matrix) => new SoftmaxRegression().fit(x, y)],
    ["squared hinge", (x: Matrix) => new LinearSVC().fit(x, y)],
    ["hinge", (x: Matrix) => new LinearSVC({ loss: "hinge" }).fit(x, y)],
  ] as const)("cost no accuracy: %s", (_, fit) => {
    const here = fit(near);
    const there = fit(far);
    // 1e7 itself rounds the entries to 1e-9.
    expect(Math.abs(there.report.objective - here.report.objective) / here.report.objective).toBeLessThan(
      1e-6,
    );
    expect(there.score(far, y)).toBeCloseTo(here.score(near, y), 3);
  });

  it("are separable when their distances say so", () => {
    expect(isLinearlySeparable([[1e9 + 1], [1e9 + 2], [1e9 - 1], [1e9 - 2]], [0, 0, 1, 1])).toBe(true);
    expect(isLinearlySeparable([[1e200], [2e200], [-1e200]], [0, 0, 1])).toBe(true);
    expect(isLinearlySeparable([[1e-200], [2e-200], [-1e-200]], [0, 0, 1])).toBe(true);
  });
});

describe("badly scaled sparse columns", () => {
  it("reach the same minimum by L-BFGS as by Newton", () => {
    const dense = normal(1500, 60);
    for (let e = 0; e < dense.data.length; e++)
      dense.data[e] = (e * 7919) % 5 === 0 ? dense.data[e]! * 10 ** ((e % 60) / 7.5 - 4) : 0;
    const x = CsrMatrix.fromDense(dense);
    const y = labels(normal(1500, 60, 3), 4);
    const fit = (solver: "newton" | "lbfgs") =>
      new LogisticRegression({ penalty: "none", maxIter: 5000, solver }).fit(x, y).report;
    expect(fit("lbfgs").objective).toBeLessThan(fit("newton").objective * (1 + 1e-5));
  });
});

describe("weights of classes", () => {
  const x = normal(60, 2);
  const y = labels(x).map((k) => (k === 1 ? "constructor" : "other"));
  it("of 0 take the class away, which leaves nothing to tell apart", () => {
    expect(() => new LogisticRegression({ classWeight: { other: 0 } }).fit(x, y)).toThrow(
      "labels of at least two classes",
    );
  });
  it("are looked up by label, not by what objects inherit", () => {
    expect(
      Number.isFinite(new LogisticRegression({ classWeight: { other: 2 } }).fit(x, y).report.objective),
    ).toBe(true);
  });
});

describe("steps of a fit", () => {
  const x = normal(300, 3);
  const y = Array.from({ length: 300 }, (_, i) => (x.at(i, 0) > 0.5 ? "a" : x.at(i, 1) > 0 ? "b" : "c"));

  it("may be asked for their model at any time without harm to the final one", () => {
    const estimator = new LogisticRegression({ multiClass: "ovr" });
    const steps = estimator.steps(x, y);
    const kept: { model(): unknown }[] = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      kept.push(step.value);
      for (const earlier of kept) earlier.model();
    }
    expect(step.value.coef.data).toEqual(estimator.fit(x, y).coef.data);
  });

  it("free their memory when a callback throws or the caller walks away", () => {
    const before = heap().bytesInUse;
    const stop = () => {
      throw new Error("stop");
    };
    expect(() => new LogisticRegression().fit(x, y, { onProgress: stop })).toThrow("stop");
    for (const _ of new LogisticRegression().steps(x, y)) break;
    expect(heap().bytesInUse).toBe(before);
  });
});

describe("the solver that nobody chose", () => {
  const x = normal(80, 3);
  const y = labels(x);
  it("fits the loss and the penalty", () => {
    expect(new LinearClassifier({ loss: hinge() }).fit(x, y).report.solver).toBe("interiorPoint");
    expect(new LinearClassifier({ penalty: l1(0.1) }).fit(x, y).report.solver).toBe("coordinateDescent");
    expect(new LinearRegressor({ loss: quantile(0.9) }).fit(x, y).report.solver).toBe("interiorPoint");
    expect(new LinearClassifier().fit(x, y).report.solver).toBe("newton");
    expect(new LinearClassifier().fit(normal(50, 3000), labels(normal(50, 3000))).report.solver).toBe(
      "lbfgs",
    );
  });
  it("does not exist for kinks inside a ball, which does not compile and says so", () => {
    // @ts-expect-error: no solver minimises a loss with kinks inside a ball
    expect(() => new LinearClassifier({ loss: perceptron(), penalty: l1Ball(1) })).toThrow(
      "penalty must be none, l1, l2 or elasticNet with the perceptron loss",
    );
  });
});

describe("separable classes without a penalty", () => {
  it("are named as the reason why nothing converges", () => {
    const model = new LogisticRegression({ penalty: "none" }).fit([[0], [1], [2], [3]], [0, 0, 1, 1]);
    expect(model.report.warnings[0]).toContain("separable");
  });
});
