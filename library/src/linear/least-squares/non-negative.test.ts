import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { Matrix } from "../../data/matrix.js";
import { Table } from "../../data/table/table.js";
import { ElasticNet, Lasso, LinearRegression, lassoPath, Ridge } from "../index.js";

const random = new Random(11);
const [n, d] = [40, 5];
const X = new Matrix(
  Float64Array.from({ length: n * d }, () => random.normal()),
  n,
  d,
);
const y = Float64Array.from(
  { length: n },
  (_, i) => 3 + X.at(i, 0) - 2 * X.at(i, 1) + 0.3 * X.at(i, 2) + random.normal(),
);
const sampleWeight = Float64Array.from({ length: n }, (_, i) => i % 4);

/** The best of all subsets of columns whose unconstrained solution is not negative. */
function bySubsets(fit: (x: Matrix) => { coef: Float64Array; report: { objective: number } }): Float64Array {
  let best = { objective: Infinity, coef: new Float64Array(d) };
  for (let mask = 1; mask < 1 << d; mask++) {
    const columns = [...Array(d).keys()].filter((j) => (mask >> j) & 1);
    const part = Matrix.fromRows(Array.from({ length: n }, (_, i) => columns.map((j) => X.at(i, j))));
    const { coef, report } = fit(part);
    if (coef.some((w) => w < 0) || report.objective >= best.objective) continue;
    const all = new Float64Array(d);
    for (const [e, j] of columns.entries()) all[j] = coef[e]!;
    best = { objective: report.objective, coef: all };
  }
  return best.coef;
}

describe("positive", () => {
  it.each([
    ["LinearRegression", LinearRegression, {}],
    ["Ridge", Ridge, { alpha: 3 }],
    ["Lasso", Lasso, { alpha: 0.1, tol: 1e-13 }],
    ["ElasticNet", ElasticNet, { alpha: 0.2, tol: 1e-13 }],
  ])("of %s is the best of all subsets of columns, with weights", (_, type, params) => {
    const make = (own: object) => new type({ ...params, ...own } as never);
    const model = make({ positive: true }).fit(X, y, { sampleWeight });
    const expected = bySubsets((x) => make({}).fit(x, y, { sampleWeight }));
    expect(Math.max(...model.coef.map((w, j) => Math.abs(w - expected[j]!)))).toBeLessThan(1e-6);
    expect(model.coef.some((w) => w === 0) && model.coef.some((w) => w > 0)).toBe(true);
    expect(model.report.converged).toBe(true);
  });

  it("is the usual minimum where that is not negative", () => {
    const target = Float64Array.from({ length: n }, (_, i) => X.row(i).reduce((sum, v) => sum + v, 1));
    const model = new LinearRegression({ positive: true }).fit(X, target);
    expect(Math.max(...model.coef.map((w) => Math.abs(w - 1)))).toBeLessThan(1e-9);
    expect(model.report.objective).toBeLessThan(1e-15);
  });

  it("ends for copies of columns and constant ones, and keeps their names", () => {
    const table = Table.fromRows(
      Array.from({ length: n }, (_, i) => ({ a: X.at(i, 0), b: X.at(i, 0), c: 1 })),
    );
    const model = new LinearRegression({ positive: true }).fit(table, y);
    const alone = new LinearRegression({ positive: true }).fit(
      Array.from({ length: n }, (_, i) => [X.at(i, 0)]),
      y,
    );
    expect(model.coef[0]! + model.coef[1]!).toBeCloseTo(alone.coef[0]!, 8);
    expect(model.coef[2]).toBe(0);
    expect(model.featureNamesIn).toEqual(["a", "b", "c"]);
  });

  it("stops at maxIter and says so, reports steps, and follows the path", () => {
    const steps = [...new Lasso({ alpha: 1e-4, positive: true, tol: 1e-15 }).steps(X, y)];
    expect(
      steps
        .at(-1)!
        .model()
        .coef.every((w) => w >= 0),
    ).toBe(true);
    const path = lassoPath(X, y, { nAlphas: 10, positive: true, tol: 1e-12 });
    for (let a = 0; a < 10; a++) {
      const alone = new Lasso({ alpha: path.alphas[a]!, positive: true, tol: 1e-12 }).fit(X, y);
      expect(Math.max(...alone.coef.map((w, j) => Math.abs(w - path.coefs.at(a, j))))).toBeLessThan(1e-8);
      expect(path.dualGaps[a]).toBeLessThan(1e-9);
    }
  });
});
