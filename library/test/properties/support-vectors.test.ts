import { describe, expect, it } from "vitest";
import { Random } from "../../src/core/numbers/random.js";
import { CsrMatrix } from "../../src/data/csr-matrix.js";
import { Matrix } from "../../src/data/matrix.js";
import * as kernels from "../../src/kernel-functions/kernels.js";
import { SVC, SVR } from "../../src/svm/index.js";
import type { Choice, Row } from "../support/optimality.js";
import { expansionOf, expectOptimalClassifier, expectOptimalRegressor } from "../support/optimality.js";
import { fc } from "../support/properties.js";

const dot = (x: Row, y: Row) => Array.from(x).reduce((sum, v, j) => sum + v * y[j]!, 0);
const square = (x: Row, y: Row) => Array.from(x).reduce((sum, v, j) => sum + (v - y[j]!) ** 2, 0);

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
const boundsOf = (X: readonly Row[], C: number, weights: readonly number[] | undefined) =>
  X.map((_, i) => C * (weights?.[i] ?? 1));

describe("support vector machines", () => {
  it("classify by an α that meets the conditions of optimality", () => {
    fc.assert(
      fc.property(problem, ({ X, signs, weights, C, choice, bias }) => {
        const options = weights ? { sampleWeight: weights } : {};
        const model = new SVC({ kernel: choice.kernel, C, tol, bias }).fit(X, signs, options);
        expectOptimalClassifier(model, X, signs, { choice, upper: boundsOf(X, C, weights), bias, tol });
      }),
    );
  });

  it("regress by an α that meets the conditions of optimality", () => {
    fc.assert(
      fc.property(problem, ({ X, targets, weights, C, choice, bias }) => {
        const epsilon = 0.25;
        const options = weights ? { sampleWeight: weights } : {};
        const model = new SVR({ kernel: choice.kernel, C, tol, bias, epsilon }).fit(X, targets, options);
        const asked = { choice, upper: boundsOf(X, C, weights), bias, tol };
        expectOptimalRegressor(model, X, targets, epsilon, asked);
      }),
    );
  });

  it("meet them from sparse rows, with a function for a kernel, and with its matrix", () => {
    fc.assert(
      fc.property(problem, ({ X, signs, targets, C: drawn, choice, bias }) => {
        // Rows of a kernel that are made outside are learned by single steps only, whose number grows with C, as LIBSVM's does.
        const C = Math.min(drawn, 100);
        const asked = { choice, upper: boundsOf(X, C, undefined), bias, tol };
        // So many columns of zeros that it stays sparse.
        const wide = X.map((row) => [...row, ...new Array<number>(60).fill(0)]);
        const sparse = CsrMatrix.fromDense(
          new Matrix(Float64Array.from(wide.flat()), X.length, wide[0]!.length),
        );
        const gram = X.map((x) => X.map((z) => choice.k(x, z)));
        const forms = [
          { rows: sparse, kernel: choice.kernel },
          { rows: X, kernel: choice.k },
          { rows: gram, kernel: "precomputed" as const },
        ];
        for (const { rows, kernel } of forms) {
          const params = { kernel, C, tol, bias };
          expectOptimalClassifier(new SVC(params).fit(rows, signs), X, signs, asked);
          expectOptimalRegressor(new SVR(params).fit(rows, targets), X, targets, 0.1, asked);
        }
      }),
    );
  });

  it("of kernels that are not inner products stop where no pair of α can do better", () => {
    const sigmoid: Choice = {
      kernel: kernels.sigmoid({ gamma: 0.5, coef0: -1 }),
      k: (x, y) => Math.tanh(0.5 * dot(x, y) - 1),
    };
    fc.assert(
      fc.property(problem, ({ X, signs, weights, C }) => {
        const options = weights ? { sampleWeight: weights } : {};
        const params = { kernel: sigmoid.kernel, C, tol, maxIter: 100_000 };
        const model = new SVC(params).fit(X, signs, options);
        const asked = { choice: sigmoid, upper: boundsOf(X, C, weights), bias: "separate" as const, tol };
        if (model.report.converged) expectOptimalClassifier(model, X, signs, asked);
        expect(model.report.warnings.join()).toMatch(/not positive definite/);
      }),
    );
  });

  it("of hundreds of rows meet them, with room for a few rows of kernel values only", () => {
    const drawn = fc.record({
      seed: fc.nat(),
      rows: fc.integer({ min: 150, max: 500 }),
      C: fc.constantFrom(0.1, 1, 10),
      choice: fc.constantFrom(...choices.filter(({ kernel }) => kernel.formula?.gamma !== 1e-9)),
      shrinking: fc.boolean(),
      bias: fc.constantFrom("separate" as const, "kernel" as const),
    });
    fc.assert(
      fc.property(drawn, ({ seed, rows, C, choice, shrinking, bias }) => {
        const random = new Random(seed);
        const quarter = () => Math.round(4 * random.normal()) / 4;
        const X = Array.from({ length: rows }, () => [quarter(), quarter(), quarter()]);
        const noise = X.map(() => random.normal());
        const targets = X.map(([a, b, c], i) => Math.sin(a!) + b! * c! + 0.3 * noise[i]!);
        const signs = targets.map((z, i) => (z + noise[i]! > 0 ? 1 : -1));
        const params = { kernel: choice.kernel, C, tol: 1e-3, shrinking, bias, cacheSize: 0.02 };
        const asked = { choice, upper: X.map(() => C), bias, tol: 1e-3 };
        expectOptimalClassifier(new SVC(params).fit(X, signs), X, signs, asked);
        expectOptimalRegressor(new SVR(params).fit(X, targets), X, targets, 0.1, asked);
      }),
      { numRuns: 10 },
    );
  });

  it("tell their dual and the gap to the primal as they are", () => {
    fc.assert(
      fc.property(problem, ({ X, signs, weights, C, choice }) => {
        const options = weights ? { sampleWeight: weights } : {};
        const model = new SVC({ kernel: choice.kernel, C, tol }).fit(X, signs, options);
        const { coef, f, total, grain } = expansionOf(model, X, choice);
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
          const { grain, total } = expansionOf(one!, X, choice);
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
