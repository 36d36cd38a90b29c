import type { Problem } from "../../src/solvers/problem.js";

/** A problem of one output with an intercept and no penalty, apart from what is given. */
export const solverProblem = (given: Pick<Problem, "x" | "y" | "loss"> & Partial<Problem>): Problem => ({
  where: "test",
  weights: undefined,
  outputs: 1,
  intercept: true,
  l1: 0,
  l2: 0,
  ball: null,
  maxIter: 1000,
  tol: 1e-6,
  randomState: 0,
  ...given,
});
