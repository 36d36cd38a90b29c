import { expect, it } from "vitest";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import type { Loss } from "../../losses/loss.js";
import * as losses from "../../losses/losses.js";
import type { PenaltyName } from "../../penalties/penalties.js";
import { autoSolver } from "./auto-solver.js";
import { prefersCoordinates, smoothSolver } from "./choose-smooth-solver.js";

const dense = (rows: number, cols: number) => Matrix.zeros(rows, cols);
const sparse = (rows: number, cols: number) =>
  new CsrMatrix({
    rows,
    cols,
    indptr: new Int32Array(rows + 1),
    indices: new Int32Array(0),
    values: new Float64Array(0),
  });

/** The rows of docs/decisions/0010-solvers-chosen-by-shape.md, at both sides of every limit. */
const table: [Loss, PenaltyName, Matrix | CsrMatrix, string | null][] = [
  [losses.hinge(), "l2", sparse(600, 600), "dualCoordinateDescent"],
  [losses.squaredHinge(), "l2", sparse(10, 10), "dualCoordinateDescent"],
  [losses.squaredHinge(), "l2", sparse(10, 9), "newton"],
  [losses.logistic(), "l2", dense(2, 30), "newton"],
  [losses.logistic(), "none", dense(15, 31), "lbfgs"],
  [losses.poisson(), "l2", dense(16, 31), "newton"],
  [losses.logistic(), "l2", dense(2000, 1001), "lbfgs"],
  [losses.logistic(), "l2", sparse(500, 100), "newton"],
  [losses.logistic(), "l2", sparse(500, 101), "lbfgs"],
  [losses.softmax(), "l2", dense(1000, 20), "newton"],
  [losses.softmax(), "l2", dense(1100, 20), "lbfgs"],
  [losses.squared(), "l1", dense(10, 2000), "coordinateDescent"],
  [losses.softmax(), "elasticNet", dense(10, 99), "coordinateDescent"],
  [losses.softmax(), "elasticNet", dense(10, 100), "proximal"],
  [losses.huber(), "l2Ball", dense(10, 10), "proximal"],
  [losses.hinge(), "l2", dense(1000, 1001), "interiorPoint"],
  [losses.quantile(), "none", dense(1001, 1000), "interiorPoint"],
  [losses.hinge(), "l2", sparse(501, 500), "interiorPoint"],
  [losses.hinge(), "l2", sparse(502, 501), "dualCoordinateDescent"],
  [losses.absolute(), "l2", dense(1001, 1001), "dualCoordinateDescent"],
  [losses.quantile(), "l2", dense(1001, 1001), "sgd"],
  [losses.hinge(), "l1", dense(10, 10), "sgd"],
  [losses.perceptron(), "none", dense(10, 10), "sgd"],
  [losses.hinge(), "l1Ball", dense(10, 10), null],
];

it.each(table.map((row) => [row[0].name, row[1], `${row[2].rows} × ${row[2].cols}`, row[3], row] as const))(
  "%s, %s, %s: %s",
  (_, __, ___, expected, [loss, penalty, x]) => {
    expect(autoSolver(loss, penalty, x, 3)?.name ?? null).toBe(expected);
    // Estimators with a smooth loss ask one of these two directly: the answer is the same.
    const outputs = loss.targets === "classes" ? 3 : 1;
    const smooth = loss.shape === "curved" || loss.shape === "quadratic";
    if (smooth && (penalty === "none" || penalty === "l2"))
      expect(smoothSolver(x, outputs).name).toBe(expected);
    if (smooth && (penalty === "l1" || penalty === "elasticNet"))
      expect(prefersCoordinates(x, outputs)).toBe(expected === "coordinateDescent");
  },
);
