import { LogisticRegression } from "argmax";
import { expect, it } from "vitest";
import { fitInDatabase, local } from "../../src/index.js";
import { tableOf } from "./databases.js";

it("many classes are learned in few passes: L-BFGS begins at the minimum of a sample, with its Hessian", async () => {
  const rows = Array.from({ length: 1200 }, (_, i) => i);
  const noise = (i: number) => (i * 0.7548776662466927) % 1;
  const a = rows.map((i) => (i % 40) + 3 * noise(i));
  const b = rows.map((i) => (i % 40) ** 2 / 40 + 3 * noise(7 * i + 1));
  const y = rows.map((i) => `c${i % 40}`);
  let passes = 0;
  const table = local(tableOf({ a, b, y }));
  const model = await fitInDatabase(new LogisticRegression(), table, {
    target: "y",
    onProgress: (progress) => {
      passes = progress.passes;
    },
  });
  expect(model.report.converged).toBe(true);
  expect(passes).toBeLessThan(15);
  const expected = new LogisticRegression({ tol: 1e-7, maxIter: 2000 }).fit(
    rows.map((i) => [a[i]!, b[i]!]),
    y,
  );
  expect(model.report.objective / expected.report.objective - 1).toBeLessThan(1e-7);
});
