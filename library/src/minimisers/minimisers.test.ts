import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exp } from "../core/numbers/elementary.js";
import { Random } from "../core/numbers/random.js";
import { minimiseGradientDescent } from "./gradient-descent.js";
import { minimiseLbfgs } from "./lbfgs.js";
import { minimiseNewton } from "./newton.js";
import { minimiseNewtonCg } from "./newton-cg.js";
import type {
  Minimiser,
  MinimiserStep,
  Minimum,
  SmoothFunction,
  TwiceSmoothFunction,
} from "./smooth-function.js";

type Hessian = Required<Pick<SmoothFunction, "hessianVectorInto">> & {
  hessianInto(out: Float64Array): undefined;
};

function run(steps: Minimiser): { minimum: Minimum; values: number[] } {
  const seen: MinimiserStep[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done) return { minimum: step.value, values: seen.map((s) => s.objective!) };
    seen.push(step.value);
  }
}

const descends = (values: readonly number[]) =>
  // At the rounding floor a step may go either way by an ulp or two.
  values.every((v, k) => k === 0 || v <= values[k - 1]! + 1e-13 * Math.abs(values[k - 1]!));

/** (1 − a)² + 100 (b − a²)²: one minimum, 0 at (1, 1), along a curved valley; not convex. */
function rosenbrock(): SmoothFunction & Hessian {
  let at: [number, number] = [0, 0];
  const hessian = () => {
    const [a, b] = at;
    return [2 - 400 * b + 1200 * a * a, -400 * a, -400 * a, 200] as const;
  };
  return {
    size: 2,
    evaluate: (theta, out) => {
      const [a, b] = theta as unknown as [number, number];
      at = [a, b];
      out?.set([-2 * (1 - a) - 400 * a * (b - a * a), 200 * (b - a * a)]);
      return (1 - a) ** 2 + 100 * (b - a * a) ** 2;
    },
    hessianInto: (out) => void out.set(hessian()),
    hessianVectorInto: (v, out) => {
      const [p, q, r, s] = hessian();
      out.set([p * v[0]! + q * v[1]!, r * v[0]! + s * v[1]!]);
    },
  };
}

describe("Rosenbrock's valley", () => {
  const start = Float64Array.of(-1.2, 1);
  const options = { maxIter: 200, tol: 1e-8 };
  it.each([
    ["minimiseLbfgs", () => minimiseLbfgs(rosenbrock(), start, { ...options, memory: 5 })],
    ["minimiseNewton", () => minimiseNewton(rosenbrock(), start, options)],
    ["minimiseNewtonCg", () => minimiseNewtonCg(rosenbrock(), start, options)],
  ] as const)("%s ends at (1, 1), downhill all the way", (_, steps) => {
    const { minimum, values } = run(steps());
    expect(minimum.converged).toBe(true);
    expect(descends(values)).toBe(true);
    // f is 1e-28 or less there (tol² of 1e-12 of the start), and its smallest curvature 0.4.
    expect(Math.abs(minimum.theta[0]! - 1)).toBeLessThan(1e-10);
    expect(Math.abs(minimum.theta[1]! - 1)).toBeLessThan(1e-10);
    expect(start).toEqual(Float64Array.of(-1.2, 1));
  });

  it("gradient descent gets there too, in many more steps", () => {
    const { minimum, values } = run(
      minimiseGradientDescent(rosenbrock(), start, {
        maxIter: 50_000,
        tol: 1e-8,
        step: 1,
        lineSearch: true,
      }),
    );
    expect(minimum.converged).toBe(true);
    expect(descends(values)).toBe(true);
    // A gradient of 1e-8 · 233 over a curvature of 0.4.
    expect(Math.abs(minimum.theta[0]! - 1)).toBeLessThan(1e-5);
  });
});

/** Σ ½ c_e (θ_e − e)², curvatures c_e from 1 to 1000. */
function quadratic(size: number): SmoothFunction & Hessian {
  const curvature = (e: number) => 1 + (999 * e) / (size - 1);
  return {
    size,
    evaluate: (theta, out) => {
      let value = 0;
      for (let e = 0; e < size; e++) {
        const r = theta[e]! - e;
        value += 0.5 * curvature(e) * r * r;
        if (out) out[e] = curvature(e) * r;
      }
      return value;
    },
    hessianInto: (out) => {
      out.fill(0);
      for (let e = 0; e < size; e++) out[e * size + e] = curvature(e);
      return undefined;
    },
    hessianVectorInto: (v, out) => {
      for (let e = 0; e < size; e++) out[e] = curvature(e) * v[e]!;
    },
  };
}

describe("a quadratic in 1000 dimensions", () => {
  const size = 1000;
  const f = quadratic(size);
  const start = new Float64Array(size);
  const truth = start.map((_, e) => e);
  const distance = ({ theta }: Minimum) =>
    truth.reduce((most, t, e) => Math.max(most, Math.abs(theta[e]! - t)), 0);

  it("takes Newton one step", () => {
    const { minimum } = run(minimiseNewton(f, start, { maxIter: 10, tol: 1e-6 }));
    expect(minimum.iterations).toBe(1);
    // Cholesky of a diagonal matrix rounds each coordinate a few times.
    expect(distance(minimum)).toBeLessThan(1e-9);
    expect(minimum.gap).toBeLessThan(1e-9);
  });

  it.each([
    ["minimiseLbfgs", () => minimiseLbfgs(f, start, { maxIter: 1000, tol: 1e-8, memory: 10 })],
    ["minimiseNewtonCg", () => minimiseNewtonCg(f, start, { maxIter: 50, tol: 1e-8 })],
  ] as const)("is minimised by %s", (_, steps) => {
    const { minimum, values } = run(steps());
    expect(minimum.converged).toBe(true);
    expect(descends(values)).toBe(true);
    // f ≤ 1e-16 · 1e-12 of the start, 1.3e11, would be 1e-17: coordinates to 1e-8 at the smallest curvature, 1.
    expect(distance(minimum)).toBeLessThan(1e-5);
  });

  it("is minimised by gradient descent with the step 1 / largest curvature", () => {
    const options = { maxIter: 100_000, tol: 1e-6, step: 1e-3, lineSearch: false };
    const { minimum, values } = run(minimiseGradientDescent(f, start, options));
    expect(minimum.converged).toBe(true);
    expect(descends(values)).toBe(true);
    // Gradients of 1e-6 of the first, at most 1e6, over the smallest curvature, 1.
    expect(distance(minimum)).toBeLessThan(1);
  });
});

const tanh = (z: number) => 1 - 2 / (exp(2 * z) + 1);

/**
 * The squared loss of a network of two layers, 2 inputs, `hidden` tanh units and one output, on XOR, by hand:
 *
 *   o = v·h + c,  h = tanh(Wx + b),   f = ½ Σ (o − y)² + ½ decay ‖θ‖²
 *   δ = o − y,  ∂f/∂v = δ h,  ∂f/∂W = δ v (1 − h²) xᵀ
 *
 * The Hessian–vector product is the derivative of the gradient along v (Pearlmutter's R operator), written out.
 */
function network(
  hidden: number,
  decay: number,
): SmoothFunction & Required<Pick<SmoothFunction, "hessianVectorInto">> {
  const rows = [
    [0, 0, 0],
    [0, 1, 1],
    [1, 0, 1],
    [1, 1, 0],
  ] as const;
  const size = 4 * hidden + 1;
  let last = new Float64Array(size);
  // θ: for every unit [W₁, W₂, b, v], then c.
  const unit = (theta: Float64Array, u: number, x: readonly number[]) =>
    tanh(theta[4 * u]! * x[0]! + theta[4 * u + 1]! * x[1]! + theta[4 * u + 2]!);
  return {
    size,
    evaluate: (theta, out) => {
      last = theta.slice();
      let value = 0;
      out?.fill(0);
      for (const [a, b, y] of rows) {
        const h = Array.from({ length: hidden }, (_, u) => unit(theta, u, [a, b]));
        const delta = h.reduce((sum, hu, u) => sum + theta[4 * u + 3]! * hu, theta[size - 1]!) - y;
        value += 0.5 * delta * delta;
        if (!out) continue;
        for (let u = 0; u < hidden; u++) {
          const back = delta * theta[4 * u + 3]! * (1 - h[u]! ** 2);
          for (const [e, xe] of [a, b, 1].entries()) out[4 * u + e]! += back * xe;
          out[4 * u + 3]! += delta * h[u]!;
        }
        out[size - 1]! += delta;
      }
      for (let e = 0; e < size; e++) {
        value += 0.5 * decay * theta[e]! ** 2;
        if (out) out[e]! += decay * theta[e]!;
      }
      return value;
    },
    hessianVectorInto: (p, out) => {
      for (let e = 0; e < size; e++) out[e] = decay * p[e]!;
      for (const [a, b, y] of rows) {
        const x = [a, b, 1];
        const h = Array.from({ length: hidden }, (_, u) => unit(last, u, x));
        const dh = h.map((hu, u) => (1 - hu * hu) * (p[4 * u]! * a + p[4 * u + 1]! * b + p[4 * u + 2]!));
        let delta = last[size - 1]! - y;
        let change = p[size - 1]!;
        for (let u = 0; u < hidden; u++) {
          delta += last[4 * u + 3]! * h[u]!;
          change += p[4 * u + 3]! * h[u]! + last[4 * u + 3]! * dh[u]!;
        }
        for (let u = 0; u < hidden; u++) {
          const [v, slope] = [last[4 * u + 3]!, 1 - h[u]! ** 2];
          const back = change * v * slope + delta * p[4 * u + 3]! * slope - 2 * delta * v * h[u]! * dh[u]!;
          for (const [e, xe] of x.entries()) out[4 * u + e]! += back * xe;
          out[4 * u + 3]! += change * h[u]! + delta * dh[u]!;
        }
        out[size - 1]! += change;
      }
    },
  };
}

describe("a network of two layers", () => {
  const f = network(4, 1e-3);
  const random = new Random(3);
  const start = new Float64Array(f.size).map(() => random.normal());

  it("has the gradient and the Hessian that finite differences have", () => {
    const h = 1e-5;
    const gradient = new Float64Array(f.size);
    f.evaluate(start, gradient);
    const v = start.map(() => random.normal());
    const product = new Float64Array(f.size);
    f.hessianVectorInto(v, product);
    const moved = (t: number) => start.map((x, e) => x + t * v[e]!);
    const [up, down] = [new Float64Array(f.size), new Float64Array(f.size)];
    const rise = f.evaluate(moved(h), up) - f.evaluate(moved(-h), down);
    // Central differences err by h² times a third derivative of order 10.
    expect(rise / (2 * h)).toBeCloseTo(
      gradient.reduce((sum, g, e) => sum + g * v[e]!, 0),
      7,
    );
    for (let e = 0; e < f.size; e++) expect((up[e]! - down[e]!) / (2 * h)).toBeCloseTo(product[e]!, 6);
  });

  it.each([
    ["minimiseLbfgs", () => minimiseLbfgs(f, start, { maxIter: 2000, tol: 1e-7, memory: 10 })],
    ["minimiseNewtonCg", () => minimiseNewtonCg(f, start, { maxIter: 500, tol: 1e-7 })],
    [
      "minimiseGradientDescent",
      () => minimiseGradientDescent(f, start, { maxIter: 50_000, tol: 1e-4, step: 0.1, lineSearch: true }),
    ],
  ] as const)("learns XOR by %s", (_, steps) => {
    const { minimum, values } = run(steps());
    expect(minimum.converged).toBe(true);
    expect(descends(values)).toBe(true);
    // The least exact of them stops at 1e-4 of the first gradient, of order 10.
    expect(minimum.gradientNorm).toBeLessThan(1e-3);
    // The decay costs ½ · 1e-3 · ‖θ‖² with ‖θ‖² of order 10; a network that has not learned XOR costs ½.
    expect(minimum.objective).toBeLessThan(0.01);
  });
});

describe("the general minimisers", () => {
  it("know no data and no statistics: they import linear algebra and what all files share", () => {
    const folder = new URL("./", import.meta.url);
    const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    for (const name of sources) {
      const text = readFileSync(new URL(name, folder), "utf8");
      for (const [, from] of text.matchAll(/ from "([^"]+)"/g))
        expect(`${name}: ${from}`).toMatch(/: (\.\/[a-z-]+\.js|\.\.\/core\/.*|\.\.\/numeric\/linalg\/.*)$/);
    }
  });
});

describe("Newton's method with a borrowed Hessian", () => {
  /** Σ exp(θⱼ) − cⱼ θⱼ, whose minimum is at θⱼ = log cⱼ. */
  const c = Float64Array.of(0.5, 2, 7);
  const least = c.reduce((sum, v) => sum + v - v * Math.log(v), 0);
  const borrowing = (factor: number) => {
    let at = new Float64Array(3);
    let hessians = 0;
    const f: TwiceSmoothFunction = {
      size: 3,
      // As costly as that of 50 columns.
      hessianCost: 13,
      evaluate: (theta, out) => {
        at = theta.slice();
        out?.set(theta.map((t, j) => Math.exp(t) - c[j]!));
        return theta.reduce((sum, t, j) => sum + Math.exp(t) - c[j]! * t, 0);
      },
      hessianInto: (out) => {
        hessians++;
        out.fill(0);
        for (let j = 0; j < 3; j++) out[4 * j] = Math.exp(at[j]!);
        return undefined;
      },
      hessianVectorInto: (v, out) => out.set(v.map((w, j) => w * Math.exp(at[j]!))),
      borrowHessianInto: (out) => {
        out.fill(0);
        for (let j = 0; j < 3; j++) out[4 * j] = factor * c[j]!;
        return true;
      },
    };
    return { f, hessians: () => hessians };
  };

  it("reaches the tolerance however wrong the Hessian is", () => {
    const tol = 1e-5;
    for (const factor of [1e-6, 1e-3, 0.3, 1, 3, 1e3, 1e6, 1e9])
      for (const off of [1e-7, 1e-4, 1e-2, 1]) {
        const { f } = borrowing(factor);
        const start = c.map((v) => Math.log(v) + off);
        const { minimum: found } = run(minimiseNewton(f, start, { maxIter: 200, tol }));
        expect(found.converged).toBe(true);
        // tol² of f, and the rounding of f itself.
        expect(found.objective - least, `factor ${factor}, ${off} away`).toBeLessThan(
          1e-10 * Math.abs(least) + 1e-14,
        );
      }
  });

  it("computes none of its own where the borrowed one is good", () => {
    const { f, hessians } = borrowing(1.2);
    const { minimum: found } = run(
      minimiseNewton(
        f,
        c.map((v) => Math.log(v) + 0.01),
        { maxIter: 50, tol: 1e-4 },
      ),
    );
    expect(found.iterations).toBeLessThan(5);
    expect(hessians()).toBe(0);
  });
});
