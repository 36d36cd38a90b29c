import { describe, expect, it } from "vitest";
import { Random } from "../../src/core/random.js";
import { type Kernel, SVC, SVR } from "../../src/kernel/index.js";
import * as kernels from "../../src/kernel/kernels.js";
import { fc } from "../support/properties.js";

type Row = ArrayLike<number>;
const dot = (x: Row, y: Row) => Array.from(x).reduce((sum, v, j) => sum + v * y[j]!, 0);
const square = (x: Row, y: Row) => Array.from(x).reduce((sum, v, j) => sum + (v - y[j]!) ** 2, 0);

interface Choice {
  readonly kernel: Kernel;
  /** Its formula in doubles. */
  readonly k: (x: Row, y: Row) => number;
  /** Values of quarters have at most 24 bits, so that nothing is lost where they are kept as 32-bit floats. */
  readonly exact?: true;
}

const choices: readonly Choice[] = [
  { kernel: kernels.linear(), k: dot, exact: true },
  { kernel: kernels.quadratic({ gamma: 0.25 }), k: (x, y) => (0.25 * dot(x, y) + 1) ** 2, exact: true },
  { kernel: kernels.rbf({ gamma: 0.4 }), k: (x, y) => Math.exp(-0.4 * square(x, y)) },
  { kernel: kernels.rbf({ gamma: 1e-9 }), k: (x, y) => Math.exp(-1e-9 * square(x, y)) },
  { kernel: kernels.polynomial({ gamma: 0.2, degree: 3 }), k: (x, y) => (0.2 * dot(x, y) + 1) ** 3 },
  { kernel: kernels.laplacian({ gamma: 0.5 }), k: (x, y) => Math.exp(-0.5 * Math.sqrt(square(x, y))) },
  { kernel: kernels.inverseMultiquadric(), k: (x, y) => 1 / Math.sqrt(square(x, y) + 1) },
  {
    kernel: kernels.sum(kernels.linear(), kernels.rationalQuadratic()),
    k: (x, y) => dot(x, y) + 1 - square(x, y) / (square(x, y) + 1),
  },
];

/** Few different numbers, so that rows meet: duplicates, the same row in both classes, constant columns. */
const problem = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 2, max: 30 }))
  .chain(([cols, rows]) =>
    fc.record({
      X: fc.array(
        fc.array(
          fc.integer({ min: -12, max: 12 }).map((v) => v / 4),
          { minLength: cols, maxLength: cols },
        ),
        { minLength: rows, maxLength: rows },
      ),
      signs: fc
        .array(fc.constantFrom(-1, 1), { minLength: rows, maxLength: rows })
        // Both classes, whatever the draw.
        .map((list) => [-1, 1, ...list.slice(2)]),
      targets: fc.array(
        fc.integer({ min: -64, max: 64 }).map((v) => v / 16),
        { minLength: rows, maxLength: rows },
      ),
      weights: fc.option(
        fc.array(
          fc.integer({ min: 1, max: 12 }).map((v) => v / 4),
          { minLength: rows, maxLength: rows },
        ),
        { nil: undefined },
      ),
      C: fc.integer({ min: -6, max: 6 }).map((power) => 10 ** power),
      choice: fc.constantFrom(...choices),
      bias: fc.constantFrom("separate" as const, "kernel" as const),
    }),
  );

const tol = 1e-4;

/** What kernel values may be wrong by, relative to themselves: a few units of a 32-bit float, or of a double. */
const grainOf = ({ exact }: Choice) => (exact ? 2 ** -46 : 2 ** -21);

interface Machine {
  readonly support: Int32Array;
  readonly dualCoef: { at(k: number, s: number): number };
}

/** Signed coefficients of all rows, f without b in doubles, and the most that rounding may have changed it by. */
function expansionOf(model: Machine, X: readonly Row[], choice: Choice) {
  const coef = new Float64Array(X.length);
  for (const [s, i] of model.support.entries()) coef[i] = model.dualCoef.at(0, s);
  const terms = X.map((x) => X.map((z, j) => coef[j]! * choice.k(z, x)));
  const f = terms.map((row) => row.reduce((sum, v) => sum + v, 0));
  // f sums them up, and the bias of all rows comes from the f of some.
  const grain =
    2 * grainOf(choice) * Math.max(...terms.map((row) => row.reduce((sum, v) => sum + Math.abs(v), 0)));
  return { coef, f, grain };
}

describe("support vector machines", () => {
  it("classify by an α that meets the conditions of optimality", () => {
    fc.assert(
      fc.property(problem, ({ X, signs, weights, C, choice, bias }) => {
        const options = weights ? { sampleWeight: weights } : {};
        const model = new SVC({ kernel: choice.kernel, C, tol, bias }).fit(X, signs, options);
        const { coef, f, grain } = expansionOf(model, X, choice);
        const upper = X.map((_, i) => C * (weights?.[i] ?? 1));
        const total = coef.reduce((sum, v) => sum + Math.abs(v), 0);
        const b = model.intercept[0]!;
        const inside = coef.reduce((sum, v) => sum + v, 0);
        // Steps of all free variables at once solve equations whose condition is 1e7, in doubles.
        if (bias === "separate") expect(Math.abs(inside)).toBeLessThanOrEqual(1e-9 * total);
        else expect(Math.abs(b - inside)).toBeLessThanOrEqual(1e-9 * total);
        const slack = tol + grain + (bias === "kernel" ? 2 * grainOf(choice) * total : 0);
        coef.forEach((v, i) => {
          const alpha = v * signs[i]!;
          const margin = signs[i]! * (f[i]! + b);
          expect(alpha).toBeGreaterThanOrEqual(0);
          expect(alpha).toBeLessThanOrEqual(upper[i]! * (1 + 1e-12));
          if (alpha < upper[i]!) expect(margin).toBeGreaterThanOrEqual(1 - slack);
          if (alpha > 0) expect(margin).toBeLessThanOrEqual(1 + slack);
        });
      }),
    );
  });

  it("regress by an α that meets the conditions of optimality", () => {
    fc.assert(
      fc.property(problem, ({ X, targets, weights, C, choice, bias }) => {
        const epsilon = 0.25;
        const options = weights ? { sampleWeight: weights } : {};
        const model = new SVR({ kernel: choice.kernel, C, tol, bias, epsilon }).fit(X, targets, options);
        const { coef, f, grain } = expansionOf(model, X, choice);
        const total = coef.reduce((sum, v) => sum + Math.abs(v), 0);
        const inside = coef.reduce((sum, v) => sum + v, 0);
        const b = model.intercept;
        if (bias === "separate") expect(Math.abs(inside)).toBeLessThanOrEqual(1e-9 * total);
        else expect(Math.abs(b - inside)).toBeLessThanOrEqual(1e-9 * total);
        const slack = tol + grain + (bias === "kernel" ? 2 * grainOf(choice) * total : 0);
        coef.forEach((v, i) => {
          const upper = C * (weights?.[i] ?? 1);
          const residual = targets[i]! - f[i]! - b;
          expect(Math.abs(v)).toBeLessThanOrEqual(upper * (1 + 1e-12));
          // Above the tube by more only where the coefficient is at its bound, and so below it.
          if (v < upper) expect(residual).toBeLessThanOrEqual(epsilon + slack);
          if (v > -upper) expect(residual).toBeGreaterThanOrEqual(-epsilon - slack);
          if (v > 0) expect(residual).toBeGreaterThanOrEqual(epsilon - slack);
          if (v < 0) expect(residual).toBeLessThanOrEqual(-epsilon + slack);
        });
      }),
    );
  });

  it("tell their dual and the gap to the primal as they are", () => {
    fc.assert(
      fc.property(problem, ({ X, signs, weights, C, choice }) => {
        const options = weights ? { sampleWeight: weights } : {};
        const model = new SVC({ kernel: choice.kernel, C, tol }).fit(X, signs, options);
        const { coef, f, grain } = expansionOf(model, X, choice);
        const total = coef.reduce((sum, v) => sum + Math.abs(v), 0);
        const ww = coef.reduce((sum, v, i) => sum + v * f[i]!, 0);
        const b = model.intercept[0]!;
        let costs = 0;
        let slacks = 0;
        for (const [i, sign] of signs.entries()) {
          const cost = C * (weights?.[i] ?? 1);
          costs += cost;
          slacks += cost * Math.max(0, 1 - sign * (f[i]! + b));
        }
        const dual = 0.5 * ww - total;
        const { objective, dualityGap } = model.report;
        const rounding = grain * total + 1e-12 * total;
        expect(Math.abs(objective - dual)).toBeLessThanOrEqual(rounding);
        const gap = 0.5 * ww + slacks + dual;
        expect(Math.abs(dualityGap! - gap)).toBeLessThanOrEqual(2 * rounding + grain * costs + 1e-12 * costs);
        // Every row is at most 2 tol from where it should be, at its cost.
        expect(dualityGap).toBeLessThanOrEqual(2 * tol * costs + 2 * rounding + grain * costs);
      }),
    );
  });

  /** Of two fits that mean the same: duals agree to what the tolerance leaves, and so do decisions where no one row decides. */
  const precise = 1e-6;

  it("count a row of weight 2 like the row twice, whatever the order of the rows", () => {
    fc.assert(
      fc.property(problem, fc.infiniteStream(fc.nat()), ({ X, signs, targets, C, choice, bias }, draws) => {
        const twice = X.map((_, i) => i % 3 === 0);
        const sampleWeight = twice.map((two) => (two ? 2 : 1));
        const order = X.flatMap((_, i) => (twice[i] ? [i, i] : [i]))
          .map((i) => ({ i, key: draws.next().value! }))
          .sort((a, b) => a.key - b.key)
          .map(({ i }) => i);
        const often = order.map((i) => X[i]!);
        const params = { kernel: choice.kernel, C, bias, tol: precise };
        const pairs = [
          [
            new SVC(params).fit(X, signs, { sampleWeight }),
            new SVC(params).fit(
              often,
              order.map((i) => signs[i]!),
            ),
          ],
          [
            new SVR(params).fit(X, targets, { sampleWeight }),
            new SVR(params).fit(
              often,
              order.map((i) => targets[i]!),
            ),
          ],
        ];
        for (const [one, many] of pairs) {
          const costs = 2 * C * X.length;
          const { grain, coef } = expansionOf(one!, X, choice);
          const total = coef.reduce((sum, v) => sum + Math.abs(v), 0);
          // Each stops at most tol times its costs above the minimum, and has rounded its kernel values.
          const apart = 2 * precise * costs + 2 * grain * total + 1e-9 * total;
          expect(Math.abs(one!.report.objective - many!.report.objective)).toBeLessThanOrEqual(apart);
        }
      }),
    );
  });

  it("of the same rows in both classes, or of a kernel that cannot tell rows apart, decide by what there is more of", () => {
    const counts = fc.integer({ min: 1, max: 9 });
    const sets = fc.record({ a: counts, b: counts, C: problem.map(({ C }) => C) });
    fc.assert(
      fc.property(sets, fc.boolean(), ({ a, b, C }, apart) => {
        const labels = [...Array<string>(a).fill("a"), ...Array<string>(b).fill("b")];
        const X = labels.map((_, i) => [apart ? i : 3, 0.5]);
        const constant = apart ? kernels.polynomial({ degree: 0 }) : kernels.rbf({ gamma: 1 });
        const model = new SVC({ kernel: constant, C }).fit(X, labels);
        expect(model.report.converged).toBe(true);
        const [decision] = model.decisionFunction(X.slice(0, 1)).data;
        // All rows of the rarer class are at C, and of the other as many as balance them: its rows are on their margin.
        if (a !== b) expect(decision).toBeCloseTo(b > a ? 1 : -1, 2);
        else expect(Math.abs(decision!)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("of two rows run through the middle between them, however large or small they are", () => {
    const power = fc.integer({ min: -15, max: 15 });
    fc.assert(
      fc.property(power, fc.integer({ min: 1, max: 40 }), (exponent, cols) => {
        const size = 10 ** exponent;
        const X = [Array<number>(cols).fill(size), Array<number>(cols).fill(3 * size)];
        const model = new SVC({ kernel: "linear", C: Infinity, tol: 1e-6 }).fit(X, ["near", "far"]);
        expect(model.predict(X)).toEqual(["near", "far"]);
        // From 32-bit products of both.
        expect(model.marginWidths[0]! / (2 * size * Math.sqrt(cols))).toBeCloseTo(1, 5);
        const soft = new SVC({ C: 10 }).fit(X, ["near", "far"]);
        expect(soft.predict(X)).toEqual(["near", "far"]);
        const middle = soft.decisionFunction([Array<number>(cols).fill(2 * size)]).data[0];
        expect(middle).toBeCloseTo(0, 5);
      }),
    );
  });

  it("of far more columns than rows separate them, and meet the conditions", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 2, max: 12 }), (seed, rows) => {
        const random = new Random(seed);
        const X = Array.from({ length: rows }, () => Array.from({ length: 600 }, () => random.normal()));
        const y = X.map((_, i) => i % 2);
        const model = new SVC({ kernel: "linear", C: Infinity, tol: 1e-7 }).fit(X, y);
        const { functional } = model.margins(X, y);
        // Random directions are nearly orthogonal, so that every row is a support vector.
        expect(model.support.length).toBe(rows);
        for (const margin of functional) expect(margin).toBeCloseTo(1, 5);
      }),
      { numRuns: 20 },
    );
  });

  it("tell 26 classes apart, by pairs and one against the rest", () => {
    const alphabet = [..."abcdefghijklmnopqrstuvwxyz"];
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const random = new Random(seed);
        const y = alphabet.flatMap((letter) => Array<string>(5).fill(letter));
        const X = y.map((letter) => {
          const k = alphabet.indexOf(letter);
          return [k % 6, Math.floor(k / 6)].map((v) => v + 0.1 * random.normal());
        });
        const pairs = new SVC({ gamma: 4, C: 10, decisionFunctionShape: "ovo" }).fit(X, y);
        expect(pairs.classes).toEqual(alphabet);
        expect(pairs.decisionFunction(X).cols).toBe((26 * 25) / 2);
        const rest = new SVC({ gamma: 4, C: 10, multiClass: "ovr" }).fit(X, y);
        expect(rest.decisionFunction(X).cols).toBe(26);
        for (const model of [pairs, rest]) expect(model.predict(X)).toEqual(y);
      }),
      { numRuns: 3 },
    );
  });
});
