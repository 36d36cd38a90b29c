import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import type { Loss } from "../losses/loss.js";
import { epsilonInsensitive, hinge, squaredHinge } from "../losses/losses.js";
import { dualCoordinateDescent } from "./dual-coordinate-descent.js";
import { interiorPoint } from "./interior-point.js";
import { newton } from "./newton.js";
import type { Solution } from "./objective.js";
import { linearProblem, type Problem } from "./problem.js";
import type { AnySolver } from "./solver.js";

function minimum(solver: AnySolver, problem: Problem): Solution {
  const steps = solver.minimise(problem);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function problem(loss: Loss, C: number, options: Partial<Problem> = {}): Problem {
  const random = new Random(3);
  const n = 200;
  const d = 5;
  const x = Matrix.zeros(n, d);
  for (let e = 0; e < n * d; e++) x.data[e] = random.normal();
  const target = Float64Array.from(
    { length: n },
    (_, i) => 0.7 + x.at(i, 0) - 0.8 * x.at(i, 1) + 0.5 * random.normal(),
  );
  const y = loss.name === "epsilonInsensitive" ? target : target.map((v) => (v > 0 ? 1 : -1));
  const stated = { where: "test", x, y, weights: undefined, loss, maxIter: 3000, tol: 1e-4 };
  return linearProblem({ ...stated, l2: 1 / C, ...options });
}

const strengths = [1e-6, 1e-5, 1e-4, 1e-2, 1, 100, 1000];

describe.each([
  ["hinge", hinge()],
  ["epsilonInsensitive", epsilonInsensitive(0.1)],
])("dualCoordinateDescent with the %s loss", (_, loss) => {
  describe.each([true, false])("intercept: %s", (intercept) => {
    it.each(strengths)("C = %d: the gap bounds the distance to the interior point's minimum", (C) => {
      const task = problem(loss, C, { intercept });
      const found = minimum(dualCoordinateDescent(), task);
      const best = minimum(interiorPoint(), { ...task, maxIter: 200, tol: 1e-6 });
      const excess = found.objective - best.objective;
      expect(found.gradientNorm).toBeGreaterThanOrEqual(0);
      expect(excess).toBeLessThanOrEqual(found.gradientNorm + 1e-9 * best.objective);
      if (found.converged) expect(excess).toBeLessThanOrEqual(1.1e-8 * best.objective);
      if (C === 1e-4 || C === 1e-2) expect(found.converged).toBe(true);
    });
  });
});

describe("dualCoordinateDescent", () => {
  it("finds the free intercept of unbalanced classes when C is tiny", () => {
    const task = problem(hinge(), 1e-6);
    const found = minimum(dualCoordinateDescent(), task);
    const best = minimum(interiorPoint(), { ...task, maxIter: 200, tol: 1e-6 });
    expect(found.iterations).toBeGreaterThan(1);
    expect(found.objective / best.objective - 1).toBeLessThan(1e-6);
  });

  it("agrees with Newton on the squared hinge", () => {
    const task = problem(squaredHinge(), 0.1);
    const found = minimum(dualCoordinateDescent(), task);
    const best = minimum(newton(), { ...task, tol: 1e-8 });
    expect(found.converged).toBe(true);
    expect(found.objective / best.objective - 1).toBeLessThan(1.1e-8);
  });

  it("sees sparse rows as it sees dense ones", () => {
    const task = problem(hinge(), 0.1);
    const dense = minimum(dualCoordinateDescent(), task);
    const sparse = minimum(dualCoordinateDescent(), { ...task, x: CsrMatrix.fromDense(task.x as Matrix) });
    expect(Math.abs(sparse.objective / dense.objective - 1)).toBeLessThan(2e-8);
  });

  it("does not claim convergence when the sweeps run out", () => {
    const found = minimum(dualCoordinateDescent(), problem(epsilonInsensitive(0.1), 1000, { maxIter: 5 }));
    expect(found.converged).toBe(false);
    expect(found.gradientNorm).toBeGreaterThan(0);
  });
});
