import { ParameterError, show } from "../../core/errors.js";
import { either, flag, integer, numbers, type ParamSpec, real } from "../../core/params/params.js";

/** Parameters that several linear estimators share. */

export const fitIntercept = (fallback = true): ParamSpec<boolean> =>
  flag({ default: fallback, doc: "Fit an intercept b, which is not penalised; when false, b = 0." });

export const inverseStrength = (): ParamSpec<number> =>
  real({ above: 0, default: 1, doc: "Inverse regularisation strength: smaller values regularise more." });

export const l1Ratio = (fallback: number): ParamSpec<number> =>
  real({
    atLeast: 0,
    atMost: 1,
    default: fallback,
    doc: "Mixing parameter of the elastic net: 0 is the l2 penalty, 1 the l1 penalty.",
  });

export const objectiveTol = (fallback: number): ParamSpec<number> =>
  real({
    above: 0,
    default: fallback,
    doc: "Stop when the objective is within about tol² of its minimum, relative to its value.",
  });

export const maxIterations = (fallback: number): ParamSpec<number> =>
  integer({ atLeast: 1, default: fallback, doc: "Maximum number of solver iterations." });

export const rowOrderSeed = (): ParamSpec<number> =>
  integer({ default: 0, doc: "Seed for the order in which the solver visits the rows." });

/** Of the machines that take any solver. */
export const solverParams = {
  tol: real({
    above: 0,
    default: 1e-4,
    doc: "Tolerance of the solver's stopping rule, which each solver documents.",
  }),
  maxIter: integer({
    atLeast: 1,
    default: 1000,
    doc: "Maximum number of solver iterations (epochs, sweeps).",
  }),
  randomState: rowOrderSeed(),
};

export const positive = (): ParamSpec<boolean> =>
  flag({ default: false, doc: "Require every coefficient to be ≥ 0; the intercept is free." });

/** α of a penalty α‖w‖²: one number, or a list with one per target. */
export const strengthPerTarget = (): ParamSpec<number | readonly number[]> =>
  either(
    real({
      atLeast: 0,
      default: 1,
      doc: "Regularisation strength α of the penalty α‖w‖²; for several targets also a list, one per target.",
    }),
    numbers({ atLeast: 0, default: [], doc: "" }),
  );

/** α of every target. */
export function strengthsOf(
  where: string,
  alpha: number | readonly number[],
  targets: number,
): readonly number[] {
  if (typeof alpha === "number") return Array.from({ length: targets }, () => alpha);
  if (alpha.length === targets) return alpha;
  const expected = `a number, or a list of ${targets}, one per target`;
  throw new ParameterError(where, "alpha", expected, `${alpha.length} numbers`);
}

/** α of the only target of a list y. */
export function strengthOfOne(where: string, alpha: number | readonly number[]): number {
  if (typeof alpha === "number") return alpha;
  const advice = "A list has one α per column of a matrix Y.";
  throw new ParameterError(where, "alpha", "a number, since y is one target", show(alpha), advice);
}
