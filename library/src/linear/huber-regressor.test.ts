import { expect, it } from "vitest";
import { Random } from "../core/numbers/random.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { HuberRegressor } from "./huber-regressor.js";

const random = new Random(3);
const x = Matrix.zeros(200, 2);
for (let e = 0; e < x.data.length; e++) x.data[e] = random.normal();
const y = Float64Array.from({ length: 200 }, (_, i) => x.at(i, 0) + 0.1 * random.normal());

it("finds the same scale wherever y is centred", () => {
  const near = new HuberRegressor().fit(x, y);
  const far = new HuberRegressor().fit(
    x,
    y.map((v) => v + 1.7e9),
  );
  expect(Math.abs(far.scale / near.scale - 1)).toBeLessThan(1e-4);
  expect(Math.abs(far.coef[0]! - near.coef[0]!)).toBeLessThan(1e-4);
});

it("reports the name of the solver it used", () => {
  expect(new HuberRegressor().fit(x, y).report.solver).toBe("newton");
  expect(new HuberRegressor().fit(CsrMatrix.fromDense(x), y).report.solver).toBe("lbfgs");
});

it("outliers wants one finite target a row", () => {
  const model = new HuberRegressor().fit(x, y);
  expect(model.outliers(x, y)).toHaveLength(200);
  expect(() => model.outliers(x, y.slice(1))).toThrow("y must be as long as X has rows (200)");
});
