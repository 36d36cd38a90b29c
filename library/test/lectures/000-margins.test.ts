import { DataError, type FittedSVC, Random, SVC } from "argmax";
import { describe, expect, it } from "vitest";
import { corners } from "../support/corners.js";
import { alphasOf, exactMachine } from "../support/exact-machine.js";

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, v, j) => sum + v * b[j]!, 0);

/** Two clouds that a line separates: rows, and ±1. */
function apart(perClass: number, seed: number): { X: number[][]; y: number[] } {
  const random = new Random(seed);
  const turn = 2 * Math.PI * random.uniform();
  const centre = [2.5 * Math.cos(turn), 2.5 * Math.sin(turn)];
  const y = Array.from({ length: 2 * perClass }, (_, i) => (i % 2 === 0 ? 1 : -1));
  const within = () => 2 * random.uniform() - 1;
  return { X: y.map((sign) => centre.map((c) => sign * c + 1.5 * within())), y };
}

/** w = Σ y α x. */
const normalOf = (model: FittedSVC, X: readonly (readonly number[])[]) =>
  X[0]!.map((_, j) => model.support.reduce((sum, i, s) => sum + model.dualCoef.at(0, s) * X[i]![j]!, 0));

const hardMargin = new SVC({ kernel: "linear", C: Infinity, tol: 1e-8 });

describe("A9 functional and geometric margin", () => {
  const { X, y } = apart(12, 1);
  const model = new SVC({ kernel: "linear", C: 0.05, tol: 1e-8 }).fit(X, y);
  const [w, b] = [normalOf(model, X), model.intercept[0]!];
  const norm = Math.sqrt(dot(w, w));
  const { functional, geometric, minFunctional, minGeometric } = model.margins(X, y);

  it("γ̂ = y(w·x + b), and γ = γ̂/‖w‖ is the distance from the boundary", () => {
    X.forEach((x, i) => {
      expect(functional[i]).toBeCloseTo(y[i]! * (dot(w, x) + b), 10);
      expect(geometric[i]).toBeCloseTo(functional[i]! / norm, 10);
      // The foot of the perpendicular lies on the boundary, and γ steps along w/‖w‖ away from x.
      const foot = x.map((v, j) => v - (y[i]! * geometric[i]! * w[j]!) / norm);
      expect(dot(w, foot) + b).toBeCloseTo(0, 10);
    });
    // With ‖w‖ = 1 both would be the same, and this would show nothing.
    expect(Math.abs(norm - 1)).toBeGreaterThan(0.1);
  });

  it("the minimal ones are those of the worst row", () => {
    expect(minFunctional).toBe(Math.min(...functional));
    expect(minGeometric).toBe(Math.min(...geometric));
  });

  it("doubling (w, b) doubles γ̂ and leaves γ, and the boundary, where they are", () => {
    const state = model.toState();
    const twice = (name: string) => {
      const { shape, data } = state.tensors[name]!;
      return { shape, data: Float64Array.from(data, (v) => 2 * v) };
    };
    const tensors = { ...state.tensors, coef: twice("coef"), intercept: twice("intercept") };
    const doubled = SVC.restore({ ...state, tensors });
    const margins = doubled.margins(X, y);
    X.forEach((_, i) => {
      expect(margins.functional[i]).toBeCloseTo(2 * functional[i]!, 10);
      expect(margins.geometric[i]).toBeCloseTo(geometric[i]!, 10);
    });
    expect(doubled.predict(X)).toEqual(model.predict(X));
  });

  it("a boundary without a direction has no distance: margins are 0, not NaN", () => {
    const flat = new SVC({ kernel: "linear" }).fit([[0], [0]], [-1, 1]);
    expect([...flat.margins([[0], [0]], [-1, 1]).geometric]).toEqual([0, 0]);
  });
});

describe("A10 the optimal margin classifier", () => {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

  it.each(seeds)("is the solution of its QP, found by trying all sets of support vectors (%i)", (seed) => {
    const { X, y } = apart(4, seed);
    const exact = exactMachine(
      X.map((a) => X.map((b) => dot(a, b))),
      y,
      { C: Infinity },
    )!;
    const model = hardMargin.fit(X, y);
    const w = X[0]!.map((_, j) => exact.alpha.reduce((sum, a, i) => sum + a * y[i]! * X[i]![j]!, 0));
    // The solver keeps kernel values in 32 bits: seven digits, less what the equations lose.
    normalOf(model, X).forEach((v, j) => {
      expect(v).toBeCloseTo(w[j]!, 5);
    });
    expect(model.intercept[0]).toBeCloseTo(exact.b, 5);
    expect(model.report.objective).toBeCloseTo(exact.objective, 6);
  });

  it.each(seeds.slice(0, 4))("has the largest minimal margin of all directions (%i)", (seed) => {
    const { X, y } = apart(15, seed);
    const ours = hardMargin.fit(X, y).margins(X, y).minGeometric;
    let best = -Infinity;
    for (let turn = 0; turn < 20_000; turn++) {
      const u = [Math.cos((2 * Math.PI * turn) / 20_000), Math.sin((2 * Math.PI * turn) / 20_000)];
      const along = (sign: number) => X.flatMap((x, i) => (y[i] === sign ? [dot(u, x)] : []));
      best = Math.max(best, (Math.min(...along(1)) - Math.max(...along(-1))) / 2);
    }
    expect(ours).toBeGreaterThan(best - 1e-6);
    // Between two of the directions that were tried, 3e-4 apart, no row of length 5 gains more than this.
    expect(ours).toBeLessThan(best + 1e-3);
  });

  it.each(seeds)("meets the KKT conditions (%i)", (seed) => {
    const { X, y } = apart(15, seed);
    const model = hardMargin.fit(X, y);
    const alpha = alphasOf(model, X.length);
    const { functional } = model.margins(X, y);
    expect(dot(alpha, y)).toBeCloseTo(0, 10);
    functional.forEach((margin, i) => {
      expect(margin).toBeGreaterThan(1 - 1e-6);
      // Either the row has no part in w, or it lies on its margin.
      expect(alpha[i]! * (margin - 1)).toBeCloseTo(0, 5);
    });
    expect(model.report.dualityGap).toBeLessThan(1e-5);
  });

  it("says so when the classes cannot be separated", () => {
    const y = [1, -1, -1, 1];
    const gram = corners.map((a) => corners.map((b) => dot(a, b)));
    expect(exactMachine(gram, y, { C: Infinity })).toBeUndefined();
    expect(() => hardMargin.fit(corners, y)).toThrow(DataError);
    expect(() => hardMargin.fit(corners, y)).toThrow(
      /rows that the kernel can separate.*no boundary of this kernel separates.*Set a finite C/,
    );
  });
});
