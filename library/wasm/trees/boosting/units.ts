import { Problem } from "../boosting.layout";

/** The integers that stand for gradients and hessians; see boosting.layout.ts. A sum of hessians has the number of rows from bit `shift` on. */
export let shift: i64 = 0;
export let hessianMask: i64 = 0;
/** Factors from integers to gradients and hessians. */
export let gradientUnit: f64 = 1;
export let hessianUnit: f64 = 1;

export function setUnits(problem: Problem): void {
  shift = <i64>problem.shift;
  hessianMask = ((<i64>1) << shift) - 1;
  gradientUnit = 1 / problem.gradientScale;
  hessianUnit = 1 / problem.hessianScale;
}

// @inline
export function rowsIn(hessian: i64): i32 {
  return <i32>(hessian >> shift);
}
// @inline
export function hessianIn(hessian: i64): f64 {
  return <f64>(hessian & hessianMask) * hessianUnit;
}
