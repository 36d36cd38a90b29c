import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { Matrix } from "../data/matrix.js";
import type { Loss } from "../losses/loss.js";
import * as losses from "../losses/losses.js";
import {
  coordinateDescent,
  dualCoordinateDescent,
  gradientDescent,
  interiorPoint,
  lbfgs,
  newton,
  proximal,
  sgd,
} from "./index.js";
import type { Solution } from "./objective.js";
import { linearProblem, openObjective, type Problem } from "./problem.js";
import type { AnySolver, SolverStep } from "./solver.js";

function problem(loss: Loss, options: Partial<Problem> = {}): Problem {
  const random = new Random(11);
  const n = 60;
  const d = 4;
  const x = Matrix.zeros(n, d);
  for (let e = 0; e < n * d; e++) x.data[e] = random.normal();
  const margin = Float64Array.from(
    { length: n },
    (_, i) => x.at(i, 0) - 0.5 * x.at(i, 2) + 0.3 + random.normal(),
  );
  const classification = ["logistic", "hinge", "squaredHinge", "exponential", "modifiedHuber", "perceptron"];
  const y =
    loss.name === "poisson"
      ? margin.map((v) => Math.round(Math.max(0, v + 1)))
      : classification.includes(loss.name)
        ? margin.map((v) => (v > 0 ? 1 : -1))
        : margin;
  const stated = { where: "test", x, y, weights: undefined, loss, maxIter: 20_000, tol: 1e-8 };
  return linearProblem({ ...stated, l2: 1.5, ...options });
}

function solve(solver: AnySolver, p: Problem): { solution: Solution; steps: SolverStep[] } {
  const steps: SolverStep[] = [];
  const run = solver.minimise(p);
  for (;;) {
    const step = run.next();
    if (step.done) return { solution: step.value, steps };
    steps.push(step.value);
  }
}

const smooth = [
  losses.squared(),
  losses.logistic(),
  losses.squaredHinge(),
  losses.huber(1),
  losses.exponential(),
  losses.poisson(),
  losses.modifiedHuber(),
  losses.squaredEpsilonInsensitive(0.2),
];

describe.each(smooth.map((loss) => [loss.name, loss] as const))("solvers on %s", (_, loss) => {
  const p = problem(loss);

  it("end where the gradient is zero", () => {
    for (const solver of [newton(), lbfgs()]) {
      const { solution } = solve(solver, p);
      expect(solution.converged).toBe(true);
      // tol² of J is about the square of the gradient over the curvature, here of order n.
      expect(solution.gradientNorm).toBeLessThan(1e-4);
    }
  });

  it("agree on the minimum", () => {
    const best = solve(newton(), p).solution.objective;
    for (const solver of [lbfgs(), proximal(), coordinateDescent(), gradientDescent()]) {
      expect(Math.abs(solve(solver, p).solution.objective - best) / best).toBeLessThan(1e-9);
    }
  });

  it("never climb: every accepted step lowers the objective", () => {
    for (const solver of [newton(), lbfgs(), gradientDescent(), coordinateDescent()]) {
      const values = solve(solver, { ...p, maxIter: 100 }).steps.map((s) => s.objective!);
      // Steps at the rounding floor may go either way by an ulp or two.
      for (let k = 1; k < values.length; k++)
        expect(values[k]).toBeLessThanOrEqual(values[k - 1]! * (1 + 1e-13));
    }
  });

  it("agree with an l1 penalty, zeros included", () => {
    const kinked = { ...p, l1: 8, l2: 0.1 };
    const a = solve(coordinateDescent(), kinked).solution;
    const b = solve(proximal(), { ...kinked, tol: 1e-9 }).solution;
    expect(Math.abs(a.objective - b.objective) / a.objective).toBeLessThan(1e-9);
    expect(Array.from(a.theta, (w) => w === 0)).toEqual(Array.from(b.theta, (w) => w === 0));
  });
});

describe("the gradient and Hessian of an objective", () => {
  it.each(smooth.map((loss) => [loss.name, loss] as const))("are finite differences of %s", (_, loss) => {
    const objective = openObjective(problem(loss, { l2: 0 }));
    try {
      const theta = Float64Array.of(0.3, -0.2, 0.1, 0.4, 0.05);
      const gradient = new Float64Array(5);
      objective.evaluate(theta, gradient);
      const hessian = new Float64Array(25);
      objective.hessianInto(hessian);
      const product = new Float64Array(5);
      const v = Float64Array.of(1, -2, 0.5, 0, 3);
      objective.hessianVectorInto(v, product);
      for (let j = 0; j < 5; j++) {
        const h = 1e-5;
        const up = theta.slice();
        const down = theta.slice();
        up[j]! += h;
        down[j]! -= h;
        const gUp = new Float64Array(5);
        const gDown = new Float64Array(5);
        const difference = (objective.evaluate(up, gUp) - objective.evaluate(down, gDown)) / (2 * h);
        expect(Math.abs(gradient[j]! - difference)).toBeLessThan(1e-5 * Math.max(1, Math.abs(difference)));
        let row = 0;
        for (let k = 0; k < 5; k++) {
          row += hessian[j * 5 + k]! * v[k]!;
          // A row that crosses a kink between the two points changes its curvature by up to 2 x².
          if (["logistic", "squared", "exponential", "poisson"].includes(loss.name)) {
            expect(Math.abs(hessian[j * 5 + k]! - (gUp[k]! - gDown[k]!) / (2 * h))).toBeLessThan(1e-3);
          }
        }
        expect(Math.abs(product[j]! - row)).toBeLessThan(1e-10 * Math.max(1, Math.abs(row)));
      }
    } finally {
      objective.close();
    }
  });
});

describe("solvers of kinked losses", () => {
  const kinked = [losses.hinge(), losses.epsilonInsensitive(0.2), losses.absolute()];

  it.each(kinked.map((loss) => [loss.name, loss] as const))(
    "dual descent and interior point agree on %s",
    (_, loss) => {
      for (const intercept of [true, false]) {
        const p = problem(loss, { intercept });
        const a = solve(interiorPoint(), { ...p, tol: 1e-5 }).solution;
        const b = solve(dualCoordinateDescent(), { ...p, tol: 1e-4 }).solution;
        expect(a.converged).toBe(true);
        expect(Math.abs(a.objective - b.objective) / a.objective).toBeLessThan(1e-6);
      }
    },
  );

  it("a median fit has as many rows above as below", () => {
    const p = problem(losses.absolute(), { l2: 0 });
    const { theta } = solve(interiorPoint(), p).solution;
    const x = p.x as Matrix;
    let above = 0;
    let below = 0;
    for (let i = 0; i < x.rows; i++) {
      const r = p.y[i]! - theta[4]! - x.row(i).reduce((sum, v, j) => sum + v * theta[j]!, 0);
      if (r > 1e-6) above++;
      if (r < -1e-6) below++;
    }
    // Five coefficients can pass through five rows.
    expect(above + below).toBe(55);
    expect(Math.abs(above - below)).toBeLessThanOrEqual(5);
  });

  it("a τ-quantile fit has a share τ of the rows below", () => {
    const p = problem(losses.quantile(0.8), { l2: 0 });
    const { theta } = solve(interiorPoint(), p).solution;
    const x = p.x as Matrix;
    let below = 0;
    for (let i = 0; i < x.rows; i++) {
      if (p.y[i]! < theta[4]! + x.row(i).reduce((sum, v, j) => sum + v * theta[j]!, 0) + 1e-6) below++;
    }
    expect(below / 60).toBeGreaterThan(0.75);
    expect(below / 60).toBeLessThan(0.9);
  });

  it("sgd gets close to the minimum that interior point certifies", () => {
    const p = problem(losses.hinge());
    const best = solve(interiorPoint(), p).solution.objective;
    const { solution } = solve(sgd({ average: true }), { ...p, maxIter: 500, tol: 0 });
    expect(solution.objective).toBeGreaterThanOrEqual(best * (1 - 1e-9));
    expect(solution.objective).toBeLessThan(best * 1.01);
  });
});

describe("gradient descent", () => {
  it("says so when its rate is too large", () => {
    const { solution } = solve(gradientDescent({ learningRate: 1e200 }), problem(losses.poisson()));
    expect(solution.converged).toBe(false);
    expect(solution.warnings?.[0]).toContain("lower the learning rate");
    expect(solution.theta.every(Number.isFinite)).toBe(true);
  });
});

describe("solvers", () => {
  it("know no statistics: they read what a loss declares, never its name", () => {
    const folder = new URL("./", import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    for (const name of names) {
      const text = readFileSync(new URL(name, folder), "utf8");
      expect(
        `${name} ${/(loss|solver)\.name (!|=)==|includes\((problem\.)?loss\.name/.exec(text)?.[0]}`,
      ).toBe(`${name} undefined`);
    }
  });
});
