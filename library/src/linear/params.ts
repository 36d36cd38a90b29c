import { flag, integer, type ParamSpec, real } from "../core/params.js";

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

export const positive = (): ParamSpec<boolean> =>
  flag({ default: false, doc: "Require every coefficient to be ≥ 0; the intercept is free." });
