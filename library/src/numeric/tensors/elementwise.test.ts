import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/restore-threads.js";
import { cos, exp, log, log1pExp, pow, sigmoid, sin, tanh } from "../../core/numbers/elementary.js";
import { Random } from "../../core/numbers/random.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import { derivativeFromValue, hasDerivative, type Unary, type UnaryName, unaryNames } from "./activations.js";
import { anyFunction } from "./any-function.js";
import { unaryGradientInto, unaryInto } from "./elementwise.js";
import { type Dtype, withSpace } from "./space.js";

restoreThreads();

const dtypes: Dtype[] = ["float32", "float64"];

/** Φ(x): its series for small |x|, the continued fraction of Mills' ratio for large. */
function normalCdf(x: number): number {
  const s = Math.abs(x);
  const density = exp(-0.5 * s * s) * 0.3989422804014327;
  let tail: number;
  if (s < 3) {
    let term = s;
    let sum = s;
    for (let k = 1; k < 100; k++) {
      term *= (s * s) / (2 * k + 1);
      sum += term;
    }
    tail = 0.5 - density * sum;
  } else {
    let fraction = s;
    for (let k = 300; k > 0; k--) fraction = s + k / fraction;
    tail = density / fraction;
  }
  return x < 0 ? tail : 1 - tail;
}

const twins: Record<UnaryName, (x: number, a: number, c: number) => number> = {
  linear: (x) => x,
  negative: (x) => -x,
  exp,
  log,
  sqrt: Math.sqrt,
  square: (x) => x * x,
  reciprocal: (x) => 1 / x,
  abs: Math.abs,
  sin,
  cos,
  sigmoid: (x, a, c) => sigmoid(a * (x - c)),
  tanh,
  relu: (x) => Math.max(0, x),
  leakyRelu: (x, a) => (x > 0 ? x : a * x),
  gelu: (x) => x * normalCdf(x),
  softplus: log1pExp,
  gaussian: (x, a, c) => exp(-((x - c) ** 2) / (2 * a * a)),
  inverseMultiquadric: (x, a, c) => 1 / Math.sqrt((x - c) ** 2 + a * a),
  sign: Math.sign,
  heaviside: (x) => (x > 0 ? 1 : 0),
  twoStep: (x, a, c) => (x > a && x < c ? 1 : 0),
  scale: (x, a, c) => a * x + c,
  power: (x, a) => (x < 0 && a % 2 !== 0 ? -1 : 1) * pow(Math.abs(x), a),
};

/** Every function with its default constants, some with others. */
const functions: { f: Unary; a: number; c: number }[] = [
  ...unaryNames.map((name) => {
    const a = name === "leakyRelu" ? 0.01 : name === "twoStep" ? 0.25 : 1;
    return { f: { name }, a, c: name === "twoStep" ? 0.75 : 0 };
  }),
  ...(["sigmoid", "gaussian", "inverseMultiquadric", "twoStep", "scale"] as const).map((name) => ({
    f: { name, a: 0.5, c: 1.25 },
    a: 0.5,
    c: 1.25,
  })),
  { f: { name: "leakyRelu", a: 0.2 }, a: 0.2, c: 0 },
  ...[-3, 0, 2, 3, 65, 0.5, -1.7].map((a) => ({ f: { name: "power" as const, a }, a, c: 0 })),
];
const label = ({ name, a, c }: Unary): string => `${name}(${[a, c].filter((v) => v !== undefined)})`;

const positiveOnly = ({ name, a }: Unary): boolean =>
  name === "log" || name === "sqrt" || (name === "power" && a !== undefined && a % 1 !== 0);

/** Numbers of sizes from 1e-3 to 30, of both signs where the function is defined there. */
function points(f: Unary, n: number): Float64Array {
  const random = new Random(n);
  return Float64Array.from({ length: n }, (_, e) => {
    const size = Math.fround(exp(random.uniform() * 10.3 - 6.9));
    return e % 2 === 1 && !positiveOnly(f) ? -size : size;
  });
}

/** Sizes around one vector, two vectors and one chunk. */
const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 501, 16383, 16385];

/**
 * Largest error, relative to values of at least `floor`: 2 ulp of floats (6e-8 each, relative up to 1.2e-7)
 * or doubles; arguments that are sums or products lose a rounding, which exp magnifies by the size of its
 * argument, up to 90; gelu as documented.
 */
function allowed(f: Unary, dtype: Dtype): { tol: number; floor: number } {
  const ulp = dtype === "float32" ? 1.2e-7 : 2.3e-16;
  if (f.name === "gelu") return { tol: dtype === "float32" ? 1e-6 : 1e-15, floor: 1 };
  if (f.name === "gaussian") return { tol: 4 * ulp, floor: 0.1 };
  if (f.name === "sigmoid" && f.a !== undefined) return { tol: 40 * ulp, floor: 0 };
  if (f.name === "sin" || f.name === "cos") return { tol: 2 * ulp, floor: 1e-3 };
  if (f.name === "scale") return { tol: 2 * ulp, floor: 1 };
  if (f.name === "power")
    return { tol: (2 + Math.abs(f.a ?? 0)) * ulp * (dtype === "float32" ? 1 : 4), floor: 0 };
  // The twin of tanh has errors of its own near 0.
  if (f.name === "tanh" && dtype === "float64") return { tol: 4 * ulp, floor: 0 };
  return { tol: 2 * ulp, floor: 0 };
}

/** Below, a little above the smallest normal numbers, results may be 0. */
const TINY = { float32: 1.9e-38, float64: 9e-308 };
const HUGE = { float32: 3.4e38, float64: 1.7e308 };

describe("unaryInto", () => {
  for (const { f, a, c } of functions) {
    it(`computes ${label(f)} to the last bits`, () => {
      for (const dtype of dtypes) {
        const { tol, floor } = allowed(f, dtype);
        for (const n of sizes) {
          const values = points(f, n);
          withSpace("test", dtype, (space) => {
            const whole = space.copy(new Float64Array(n + 8).fill(7));
            const out = space.part(whole, 3, n);
            unaryInto(space, anyFunction(f), space.copy(values), out);
            let worst = 0;
            for (const [e, y] of out.array.entries()) {
              const expected = twins[f.name](values[e]!, a, c);
              if (Math.abs(expected) < TINY[dtype] || Math.abs(expected) > HUGE[dtype]) continue;
              const error = Math.abs(y - expected) / Math.max(floor, Math.abs(expected));
              if (!(error <= worst)) worst = error;
            }
            expect(worst).toBeLessThanOrEqual(tol);
            expect(whole.array.every((v, e) => (e >= 3 && e < 3 + n) || v === 7)).toBe(true);
          });
        }
      }
    });
  }

  it("works in place", () => {
    withSpace("test", "float32", (space) => {
      const x = space.copy([-1, 2, -3, 4, -5]);
      unaryInto(space, anyFunction({ name: "relu" }), x, x);
      expect([...x.array]).toEqual([0, 2, 0, 4, 0]);
    });
  });

  it("is finite for every finite number where the true value is", () => {
    const bounded: UnaryName[] = ["sigmoid", "tanh", "gelu", "gaussian", "inverseMultiquadric", "softplus"];
    for (const dtype of dtypes) {
      const big = [1e-40, 1, 87, 88, 89, 104, 709, 745, 1e4, 1e19, 1e30, 3e38];
      const values = [...big, ...big.map((v) => -v), 0, -0];
      withSpace("test", dtype, (space) => {
        const x = space.copy(values);
        const [y, g, d] = [space.reals(x.length), space.copy(values.map(() => 1)), space.reals(x.length)];
        for (const name of bounded) {
          unaryInto(space, anyFunction({ name }), x, y);
          expect(y.array.every(Number.isFinite), name).toBe(true);
          unaryGradientInto(space, anyFunction({ name }), x, y, g, d);
          expect(d.array.every(Number.isFinite), name).toBe(true);
        }
      });
    }
  });

  it("follows the limits of exp and log", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        const of = (name: UnaryName, values: number[]) => {
          const x = space.copy(values);
          unaryInto(space, anyFunction({ name }), x, x);
          return [...x.array];
        };
        const nan = Number.NaN;
        expect(of("exp", [-Infinity, -1e4, 0, 1e4, Infinity, nan])).toEqual([
          0,
          0,
          1,
          Infinity,
          Infinity,
          nan,
        ]);
        expect(of("log", [0, -0, 1, Infinity, -1, nan])).toEqual([
          -Infinity,
          -Infinity,
          0,
          Infinity,
          nan,
          nan,
        ]);
        const smallest = dtype === "float32" ? 2 ** -149 : 2 ** -1074;
        expect(of("log", [smallest])[0]).toBeCloseTo(log(smallest), dtype === "float32" ? 4 : 12);
        const largest = dtype === "float32" ? 88.722 : 709.78;
        expect(of("exp", [largest])[0]! / exp(largest)).toBeCloseTo(1, 5);
        const lowest = dtype === "float32" ? -86.89 : -706.9;
        expect(of("exp", [lowest])[0]! / exp(lowest)).toBeCloseTo(1, 5);
        expect(of("relu", [nan])[0]).toBeNaN();
      });
    }
  });

  it("has the same bits with one thread and with four", async () => {
    const values = points({ name: "tanh" }, 1_500_001);
    const run = (dtype: Dtype): Buffer =>
      withSpace("test", dtype, (space) => {
        const x = space.copy(values);
        unaryInto(space, anyFunction({ name: "tanh" }), x, x);
        unaryGradientInto(space, anyFunction({ name: "gelu" }), x, x, x, x);
        return Buffer.from(x.array.slice().buffer);
      });
    assumeCores(4);
    setThreads(1);
    const alone = dtypes.map(run);
    setThreads(4);
    run("float64"); // starts the workers
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (const [e, dtype] of dtypes.entries()) expect(run(dtype).equals(alone[e]!)).toBe(true);
  });
});

describe("unaryGradientInto", () => {
  for (const { f, a, c } of functions.filter(({ f }) => hasDerivative(f.name))) {
    it(`is g times the central difference of ${label(f)}`, () => {
      const n = 503;
      // Near their poles and for large exponents, the third derivative spoils the difference quotient.
      const limit = (f.a ?? 0) > 8 ? 2 : 6;
      const x = points(f, n).map((v) => Math.sign(v) * Math.min(Math.max(Math.abs(v), 0.05), limit));
      const g = points({ name: "linear" }, n + 1).subarray(1);
      const h = 1e-5;
      const slope = (v: number) => (twins[f.name](v + h, a, c) - twins[f.name](v - h, a, c)) / (2 * h);
      for (const dtype of dtypes) {
        withSpace("test", dtype, (space) => {
          const y = space.reals(n);
          const [xs, gs] = [space.copy(x), space.copy(g)];
          const out = space.copy(new Float64Array(n).fill(1));
          unaryInto(space, anyFunction(f), xs, y);
          unaryGradientInto(
            space,
            anyFunction(f),
            derivativeFromValue.has(f.name) ? y : xs,
            y,
            gs,
            out,
            true,
          );
          const once = space.copy(g);
          unaryGradientInto(space, anyFunction(f), xs, y, once, once);
          for (let e = 0; e < n; e++) {
            const expected = g[e]! * slope(x[e]!);
            // f32: a few roundings of 6e-8, y(1 − y) more; f64: h² f‴/6 and 1e-16/h of the quotient.
            const tol = dtype === "float32" ? 2e-5 : 2e-6;
            const size = 1 + Math.abs(expected) + Math.abs(g[e]!) * Math.abs(twins[f.name](x[e]!, a, c));
            expect(Math.abs(once.array[e]! - expected) / size).toBeLessThan(tol);
            expect(Math.abs(out.array[e]! - 1 - expected) / size).toBeLessThan(tol);
          }
        });
      }
    });
  }

  it("is 0 at the kinks of relu and abs and for functions without a derivative", () => {
    withSpace("test", "float32", (space) => {
      for (const name of ["relu", "abs", "sign", "heaviside", "twoStep"] as const) {
        const x = space.copy([0, -0, 0, 0, 0]);
        const out = space.copy([1, 1, 1, 1, 1]);
        unaryGradientInto(space, anyFunction({ name }), x, x, space.copy([1, 2, 3, 4, 5]), out);
        expect([...out.array].map(Math.abs)).toEqual([0, 0, 0, 0, 0]);
      }
    });
  });
});
