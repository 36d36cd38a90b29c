import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import { LinearRegression } from "../linear-regression.js";
import { Ridge } from "../ridge.js";

function gaussian(rows: number, cols: number, seed = 3): Matrix {
  const random = new Random(seed);
  const x = Matrix.zeros(rows, cols);
  for (let e = 0; e < x.data.length; e++) x.data[e] = random.normal();
  return x;
}

const noise = (n: number) => gaussian(n, 1, 5).data;

function copyColumn(x: Matrix, from: number, to: number, factor = 1): Matrix {
  for (let i = 0; i < x.rows; i++) x.data[i * x.cols + to] = factor * x.at(i, from);
  return x;
}

const largestGap = (a: Float64Array, b: Float64Array) =>
  a.reduce((most, v, j) => Math.max(most, Math.abs(v - b[j]!)), 0);

describe("the solution of least norm", () => {
  it("shares a coefficient among copies in proportion to their scale", () => {
    const x = copyColumn(gaussian(100, 4), 1, 2, 3);
    const y = Float64Array.from({ length: 100 }, (_, i) => 10 * x.at(i, 1) + x.at(i, 0));
    for (const design of [x, CsrMatrix.fromDense(x)]) {
      const { coef } = new LinearRegression().fit(design, y);
      expect(largestGap(coef, Float64Array.of(1, 1, 3, 0))).toBeLessThan(1e-12);
    }
  });

  it("keeps its digits when columns differ by twelve orders of magnitude", () => {
    const x = gaussian(100, 3);
    for (let i = 0; i < 100; i++) {
      x.data[i * 3]! *= 1e6;
      x.data[i * 3 + 1]! *= 1e-6;
    }
    copyColumn(x, 1, 2);
    const y = Float64Array.from({ length: 100 }, (_, i) => 1e-6 * x.at(i, 1));
    const { coef } = new LinearRegression().fit(x, y);
    expect(coef[1]).toBeCloseTo(5e-7, 12);
    expect(coef[2]).toBeCloseTo(5e-7, 12);
  });

  it.each([
    ["dependent columns", () => copyColumn(copyColumn(gaussian(60, 8), 0, 5, -2), 1, 7)],
    ["more columns than rows", () => gaussian(20, 30)],
    [
      "more columns than rows, some rows twice",
      () => {
        const x = gaussian(20, 30);
        x.data.copyWithin(30, 0, 30);
        x.data.copyWithin(60, 0, 30);
        return x;
      },
    ],
  ])("is the limit of ever weaker ridges: %s", (_, design) => {
    const x = design();
    const y = noise(x.rows);
    for (const fitIntercept of [true, false]) {
      for (const sampleWeight of [undefined, y.map((_v, i) => i % 3)]) {
        const options = sampleWeight ? { sampleWeight } : {};
        const plain = new LinearRegression({ fitIntercept }).fit(x, y, options);
        const ridge = new Ridge({ alpha: 1e-7, fitIntercept }).fit(x, y, options);
        expect(largestGap(plain.coef, ridge.coef)).toBeLessThan(1e-5);
        expect(plain.report.gradientNorm).toBeLessThan(1e-10);
      }
    }
  });

  it("takes about a second for a thousand columns with a copy, or a thousand rows in more columns", () => {
    const started = performance.now();
    const tall = new LinearRegression().fit(copyColumn(gaussian(1200, 800), 3, 7), noise(1200));
    expect(tall.coef[3]).toBeCloseTo(tall.coef[7]!, 12);
    const wide = new LinearRegression().fit(gaussian(800, 1000), noise(800));
    expect(wide.report.objective).toBeLessThan(1e-18);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

it("reports the gradient of the dual solution, not 0", () => {
  const x = gaussian(20, 30);
  const { report } = new Ridge({ alpha: 0.5 }).fit(x, noise(20));
  expect(report.solver).toBe("dual");
  expect(report.gradientNorm).toBeGreaterThan(0);
  expect(report.gradientNorm).toBeLessThan(1e-11);
});
