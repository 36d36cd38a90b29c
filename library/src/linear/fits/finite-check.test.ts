import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import { CsrMatrix } from "../../data/csr-matrix.js";
import { Matrix } from "../../data/matrix.js";
import * as losses from "../../losses/losses.js";
import { l2 } from "../../penalties/penalties.js";
import * as solvers from "../../solvers/index.js";
import type { AnySolver } from "../../solvers/solver.js";
import { LinearClassifier } from "../linear-classifier.js";
import { LinearRegressor } from "../linear-regressor.js";

const all: readonly AnySolver[] = [
  solvers.newton(),
  solvers.lbfgs(),
  solvers.gradientDescent(),
  solvers.coordinateDescent(),
  solvers.proximal(),
  solvers.dualCoordinateDescent(),
  solvers.interiorPoint(),
  solvers.sgd(),
];
const classification = [
  losses.logistic(),
  losses.softmax(),
  losses.hinge(),
  losses.squaredHinge(),
  losses.perceptron(),
  losses.exponential(),
  losses.modifiedHuber(),
];
const regression = [
  losses.squared(),
  losses.absolute(),
  losses.huber(),
  losses.quantile(),
  losses.epsilonInsensitive(),
  losses.squaredEpsilonInsensitive(),
  losses.poisson(),
];

/** Rows of which one number, far from the first rows that a sample might look at, is not finite. */
function rows(n: number, bad: number): Matrix {
  const random = new Random(8);
  const x = Matrix.zeros(n, 2);
  for (let e = 0; e < x.data.length; e++) x.data[e] = random.normal();
  x.data[2 * (n - 2) + 1] = bad;
  return x;
}

describe.each([
  ["few rows", 20],
  ["rows enough for a sample", 5000],
] as const)("a number in X that is not finite is an error with its place: %s", (_, n) => {
  const y = Array.from({ length: n }, (_, i) => i % 3);
  const fits = [
    ...classification.map((loss) => ({ loss, classifies: true })),
    ...regression.map((loss) => ({ loss, classifies: false })),
  ];
  const cases = fits.flatMap((fit) =>
    all.filter((solver) => solver.losses.includes(fit.loss.name)).map((solver) => ({ ...fit, solver })),
  );

  it.each(cases.map((c) => [c.loss.name, c.solver.name, c] as const))("%s by %s", (_, __, c) => {
    const params = { loss: c.loss, penalty: l2(0.1), solver: c.solver, maxIter: 20 } as never;
    const learner = c.classifies ? new LinearClassifier(params) : new LinearRegressor(params);
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      const x = rows(n, bad);
      for (const design of [x, CsrMatrix.fromDense(x)]) {
        expect(() => learner.fit(design, y as never)).toThrow(
          `X[${n - 2}][1] must be a finite number, got ${bad}.`,
        );
      }
    }
  });
});
