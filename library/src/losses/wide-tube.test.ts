import { describe, expect, it } from "vitest";
import {
  epsilonInsensitive,
  LinearRegressor,
  LinearSVR,
  SGDRegressor,
  SVR,
  squared,
  squaredEpsilonInsensitive,
} from "../index.js";

const X = Array.from({ length: 50 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]);
const targets = (scale: number) => X.map((row, i) => scale * (2 + 3 * row[0]! + 0.1 * Math.sin(7 * i)));

describe("a tube that holds all of y is named in the report", () => {
  const regressors = {
    SVR: () => new SVR({ kernel: "linear" }),
    "SVR with rbf": () => new SVR(),
    'SVR with bias: "kernel"': () => new SVR({ kernel: "linear", bias: "kernel" }),
    LinearSVR: () => new LinearSVR({ epsilon: 0.1 }),
    "LinearSVR without intercept": () => new LinearSVR({ epsilon: 0.1, fitIntercept: false }),
    "LinearSVR with squares": () => new LinearSVR({ epsilon: 0.1, loss: "squaredEpsilonInsensitive" }),
    LinearRegressor: () => new LinearRegressor({ loss: epsilonInsensitive() }),
    "LinearRegressor with squares": () => new LinearRegressor({ loss: squaredEpsilonInsensitive() }),
    SGDRegressor: () => new SGDRegressor({ loss: "epsilonInsensitive" }),
  };
  it.each(Object.entries(regressors))("%s", (_, make) => {
    const [large, small] = [targets(1), targets(1e-6)];
    expect(make().fit(X, large).report.warnings).toEqual([]);
    const { report } = make().fit(X, small);
    expect(report.warnings).toEqual([
      expect.stringMatching(/^No row is outside the tube: epsilon = 0\.1 .* Lower epsilon, or scale y\.$/),
    ]);
  });

  it("but not where y is constant, nor where the loss has no tube", () => {
    const same = X.map(() => 3);
    for (const make of [regressors.SVR, regressors.LinearSVR])
      expect(make().fit(X, same).report.warnings).toEqual([]);
    expect(new LinearRegressor({ loss: squared() }).fit(X, targets(1e-6)).report.warnings).toEqual([]);
  });
});

describe("a tolerance above the spread of y", () => {
  it("is named by SVR, whose tol is in units of y", () => {
    for (const bias of ["separate", "kernel"] as const) {
      const { report } = new SVR({ kernel: "linear", epsilon: 1e-7, bias }).fit(X, targets(1e-6));
      expect(report.iterations).toBe(0);
      expect(report.warnings).toEqual([
        expect.stringMatching(
          /^No step was taken: .*epsilon = 1e-7 and tol = 0\.001 .*Scale y, or lower tol\.$/,
        ),
      ]);
    }
  });

  it("and what the warning says helps", () => {
    const small = targets(1e-6);
    const lower = new SVR({ kernel: "linear", epsilon: 1e-7, tol: 1e-9 }).fit(X, small);
    expect(lower.report.warnings).toEqual([]);
    expect(lower.score(X, small)).toBeGreaterThan(0.99);
    const scaled = targets(1);
    const model = new SVR({ kernel: "linear" }).fit(X, scaled);
    expect(model.report.warnings).toEqual([]);
    expect(model.score(X, scaled)).toBeGreaterThan(0.99);
  });

  it("does not concern the linear solvers, whose tol is relative", () => {
    const small = targets(1e-6);
    const model = new LinearSVR({ epsilon: 0 }).fit(X, small);
    expect(model.report.warnings).toEqual([]);
    expect(model.score(X, small)).toBeGreaterThan(0.99);
  });
});
