import { type Kernel, kernelMatrix, kernels, Matrix, ParameterError, Random, SVC, SVR } from "argmax";
import { describe, expect, it } from "vitest";
import { alphasOf, exactMachine } from "../support/exact-machine.js";

const random = new Random(6);
const normals = (rows: number, cols: number) =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, () => random.normal()));

type Row = ArrayLike<number>;
const dot = (x: Row, y: Row) => Array.from(x).reduce((sum, v, j) => sum + v * y[j]!, 0);
const distance = (x: Row, y: Row) =>
  Math.sqrt(Array.from(x).reduce((sum, v, j) => sum + (v - y[j]!) ** 2, 0));
/** Rows of the plane that are not close to each other, so that kernel matrices are well conditioned. */
function spread(rows: number): number[][] {
  const kept: number[][] = [];
  while (kept.length < rows) {
    const [next] = normals(1, 2) as [number[]];
    if (kept.every((row) => distance(row, next) > 0.8)) kept.push(next);
  }
  return kept;
}
const gramOf = (k: (x: Row, y: Row) => number, X: readonly Row[]) => X.map((x) => X.map((y) => k(x, y)));

describe("C5 the dual with the bias inside the kernel, and with a separate one", () => {
  const sigma = 1.2;
  const gaussian = (x: Row, y: Row) => Math.exp(-(distance(x, y) ** 2) / (2 * sigma * sigma));
  const c = [1, -1, 1, -1, 1, -1, -1];
  const cases = (["kernel", "separate"] as const).flatMap((bias) =>
    [0.5, 3, Infinity].flatMap((C) => [1, 2, 3].map((trial) => [bias, C, trial] as const)),
  );

  it.each(cases)("bias %s, C = %d: α maximises L(α), found by trying all of them (%i)", (bias, C) => {
    const V = spread(c.length);
    const exact = exactMachine(gramOf(gaussian, V), c, { C, bias })!;
    const model = new SVC({ kernel: kernels.rbf({ sigma }), C, bias, tol: 1e-8 }).fit(V, c);
    const alpha = alphasOf(model, c.length);
    const scale = Math.max(...exact.alpha);
    // 32-bit kernel values: seven digits of the largest α, less the condition of the matrix.
    alpha.forEach((a, i) => {
      expect(Math.abs(a - exact.alpha[i]!) / scale).toBeLessThan(1e-5);
      expect(a).toBeGreaterThanOrEqual(0);
    });
    expect(Math.abs(model.report.objective / exact.objective - 1)).toBeLessThan(1e-6);
    // With all rows at a bound, a separate bias may be anywhere between two of them.
    if (exact.alpha.some((a) => a > 1e-6 && a < C - 1e-6)) {
      expect(Math.abs(model.intercept[0]! - exact.b) / Math.max(1, scale)).toBeLessThan(1e-5);
    }
  });

  it("the bias inside is Σ α c, without a condition on it; the separate one makes it 0", () => {
    const V = normals(c.length, 2);
    const signed = (bias: "kernel" | "separate") => {
      const model = new SVC({ kernel: kernels.rbf({ sigma }), bias, C: 2, tol: 1e-8 }).fit(V, c);
      return { sum: dot(alphasOf(model, c.length), c), b: model.intercept[0]! };
    };
    const [inside, separate] = [signed("kernel"), signed("separate")];
    expect(inside.b).toBeCloseTo(inside.sum, 12);
    expect(Math.abs(inside.sum)).toBeGreaterThan(1e-3);
    expect(separate.sum).toBeCloseTo(0, 12);
  });

  it.each(["kernel", "separate"] as const)(
    "bias %s: only support vectors are kept, and Σ αₙ cₙ k(vₙ, v) + b over them classifies",
    (bias) => {
      const V = normals(60, 2);
      const labels = V.map(([a, b]) => (a! + b! > 0 ? 1 : -1));
      const model = new SVC({ kernel: kernels.rbf({ sigma }), bias, C: 10 }).fit(V, labels);
      const kept = (model.supportVectors as Matrix).toArray();
      expect(kept.length).toBe(model.support.length);
      expect(kept.length).toBeLessThan(30);
      expect(kept).toEqual(Array.from(model.support, (i) => V[i]));
      expect(model.dualCoef.data.every((a) => a !== 0)).toBe(true);
      const asked = normals(40, 2);
      const scores = asked.map((v) =>
        kept.reduce((sum, row, s) => sum + model.dualCoef.at(0, s) * gaussian(row, v), model.intercept[0]!),
      );
      const ours = model.decisionFunction(asked).data;
      scores.forEach((f, i) => {
        expect(ours[i]).toBeCloseTo(f, 10);
      });
      expect(model.predict(asked)).toEqual(scores.map((f) => (f > 0 ? 1 : -1)));
    },
  );
});

const [a, c, d, sigma] = [0.7, 1.3, 3, 1.6];
/** The lecture's formulas with a, c, d and σ; r = ‖x − y‖. */
const formulas: readonly (readonly [string, Kernel, (x: Row, y: Row) => number])[] = [
  ["linear", kernels.linear({ gamma: a, coef0: c }), (x, y) => a * dot(x, y) + c],
  ["quadratic", kernels.quadratic({ gamma: a, coef0: c }), (x, y) => (a * dot(x, y) + c) ** 2],
  ["polynomial", kernels.polynomial({ gamma: a, coef0: c, degree: d }), (x, y) => (a * dot(x, y) + c) ** d],
  ["sigmoid", kernels.sigmoid({ gamma: a, coef0: c }), (x, y) => Math.tanh(a * dot(x, y) + c)],
  ["Gaussian", kernels.rbf({ sigma }), (x, y) => Math.exp(-(distance(x, y) ** 2) / (2 * sigma ** 2))],
  ["exponential", kernels.exponential({ sigma }), (x, y) => Math.exp(-distance(x, y) / (2 * sigma ** 2))],
  ["Laplacian", kernels.laplacian({ sigma }), (x, y) => Math.exp(-distance(x, y) / sigma)],
  ["multiquadric", kernels.multiquadric({ coef0: c }), (x, y) => Math.sqrt(distance(x, y) ** 2 + c ** 2)],
  [
    "inverse multiquadric",
    kernels.inverseMultiquadric({ coef0: c }),
    (x, y) => 1 / Math.sqrt(distance(x, y) ** 2 + c ** 2),
  ],
  [
    "rational quadratic",
    kernels.rationalQuadratic({ coef0: c }),
    (x, y) => 1 - distance(x, y) ** 2 / (distance(x, y) ** 2 + c),
  ],
  [
    "thin-plate spline",
    kernels.thinPlate(),
    (x, y) => (distance(x, y) === 0 ? 0 : distance(x, y) ** 2 * Math.log(distance(x, y))),
  ],
];

/** The smallest diagonal entry that Cholesky's elimination meets, relative to the largest: below 0 for a negative eigenvalue. */
function smallestPivot(gram: number[][]): number {
  const k = gram.map((row) => [...row]);
  const left = [...k.keys()];
  const largest = Math.max(...gram.flat().map(Math.abs));
  let least = Infinity;
  while (left.length > 0) {
    const diagonal = left.map((r) => k[r]![r]! / largest);
    least = Math.min(least, ...diagonal);
    const at = diagonal.indexOf(Math.max(...diagonal));
    // What is left is rounding.
    if (diagonal[at]! < 1e-10) break;
    const [p] = left.splice(at, 1) as [number];
    for (const r of left) {
      const factor = k[r]![p]! / k[p]![p]!;
      for (const e of left) k[r]![e]! -= factor * k[p]![e]!;
    }
  }
  return least;
}

describe("C6 kernels", () => {
  it.each(formulas)("%s is its formula, in its matrix and in what a machine decides", (_, kernel, k) => {
    const V = normals(23, 3);
    const y = V.map(([v]) => (v! > 0 ? 1 : -1));
    const asked = normals(11, 3);
    const values = kernelMatrix(kernel, asked, V);
    asked.forEach((x, i) => {
      V.forEach((v, t) => {
        expect(values.at(i, t)).toBeCloseTo(k(v, x), 11);
      });
    });
    const model = new SVC({ kernel, maxIter: 500 }).fit(V, y);
    const ours = model.decisionFunction(asked).data;
    const support = (model.supportVectors as Matrix).toArray();
    asked.forEach((x, i) => {
      const terms = support.map((v, s) => model.dualCoef.at(0, s) * k(v, x));
      const score = terms.reduce((sum, v) => sum + v, model.intercept[0]!);
      const size = terms.reduce((sum, v) => sum + Math.abs(v), 1);
      expect(Math.abs(ours[i]! - score) / size).toBeLessThan(1e-12);
    });
  });

  it("rational quadratic has a minus: with the plus that is printed, two rows are enough for a negative eigenvalue", () => {
    const [x, y] = normals(2, 3) as [number[], number[]];
    const share = distance(x, y) ** 2 / (distance(x, y) ** 2 + c);
    const determinant = (k: number) => 1 - k * k;
    expect(determinant(1 + share)).toBeLessThan(0);
    expect(determinant(1 - share)).toBeGreaterThan(0);
    expect(kernels.rationalQuadratic({ coef0: c }).positiveDefinite).toBe(true);
  });

  it.each(formulas.filter(([, { positiveDefinite }]) => positiveDefinite === true))(
    "%s says that it is positive definite, and no rows are found that tell otherwise",
    (_, __, k) => {
      for (let trial = 0; trial < 20; trial++) {
        // Forty eliminations, each rounded to 1e-16 of the largest entry.
        expect(smallestPivot(gramOf(k, normals(40, 1 + (trial % 5))))).toBeGreaterThan(-1e-13);
      }
    },
  );

  /** Rows that have a negative eigenvalue with kernels that say they may. */
  const witnesses: readonly (readonly [string, Kernel, (x: Row, y: Row) => number, number[][]])[] = [
    ["sigmoid", kernels.sigmoid({ gamma: 1, coef0: -1 }), (x, y) => Math.tanh(dot(x, y) - 1), [[0], [1]]],
    ["multiquadric", kernels.multiquadric(), (x, y) => Math.sqrt(distance(x, y) ** 2 + 1), [[0], [1]]],
    ["thin-plate spline", kernels.thinPlate(), formulas[10]![2], [[0], [2]]],
    ["linear, c < 0", kernels.linear({ coef0: -1 }), (x, y) => dot(x, y) - 1, [[0], [1]]],
    [
      "quadratic, c < 0",
      kernels.quadratic({ gamma: 1, coef0: -1 }),
      (x, y) => (dot(x, y) - 1) ** 2,
      [[0], [1]],
    ],
  ];

  it.each(witnesses)(
    "%s says that it is not positive definite, and there are rows that show it",
    (_, kernel, k, rows) => {
      expect(kernel.positiveDefinite).toBe(false);
      const [[p, q], [, s]] = gramOf(k, rows) as [[number, number], [number, number]];
      expect(Math.min(p, s, p * s - q * q)).toBeLessThan(0);
    },
  );

  it.each(witnesses)("%s: soft margins warn, the hard margin refuses it", (_, kernel) => {
    const V = normals(30, 2);
    const y = V.map(([v]) => (v! > 0 ? 1 : -1));
    const options = { kernel, maxIter: 10_000 };
    expect(new SVC(options).fit(V, y).report.warnings.join(" ")).toMatch(/not positive definite/);
    expect(new SVR(options).fit(V, y).report.warnings.join(" ")).toMatch(/not positive definite/);
    expect(() => new SVC({ kernel, C: Infinity })).toThrow(ParameterError);
    expect(() => new SVC({ kernel, C: Infinity })).toThrow(/kernel must be positive definite/);
  });

  it("a quadratic kernel solves XOR: α = 1/8 for all four rows, w·w = 1/2, and the decision is the product", () => {
    const X = [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ];
    const y = [1, -1, -1, 1];
    const model = new SVC({ kernel: kernels.quadratic({ gamma: 1, coef0: 1 }), C: Infinity, tol: 1e-9 }).fit(
      X,
      y,
    );
    alphasOf(model, 4).forEach((v) => {
      expect(v).toBeCloseTo(1 / 8, 7);
    });
    expect(model.normSquares[0]).toBeCloseTo(1 / 2, 7);
    expect(model.marginWidths[0]).toBeCloseTo(2 * Math.SQRT2, 6);
    for (const [u, v] of normals(20, 2))
      expect(model.decisionFunction([[u!, v!]]).data[0]).toBeCloseTo(u! * v!, 6);
  });

  it("data that a circle separates need the lecture's third coordinate, or a kernel that has it", () => {
    const V = normals(80, 2).filter((v) => Math.abs(dot(v, v) - 1) > 0.1);
    const y = V.map((v) => (dot(v, v) > 1 ? 1 : -1));
    const lifted = new Matrix(Float64Array.from(V.flatMap((v) => [...v, Math.sqrt(dot(v, v))])), V.length, 3);
    expect(() => new SVC({ kernel: "linear", C: Infinity }).fit(V, y)).toThrow(/separate/);
    expect(new SVC({ kernel: "linear", C: Infinity }).fit(lifted, y).score(lifted, y)).toBe(1);
    expect(new SVC({ kernel: "quadratic", C: Infinity }).fit(V, y).score(V, y)).toBe(1);
  });
});
