import { real } from "../../shared/arrays";
import { alpha, mayFall, mayRise, upper, y } from "./problem";

/** Whether y α of a variable may increase, and whether it may decrease. */
// @inline
export function isUp(v: i32): bool {
  return real(y, v) > 0 ? real(alpha, v) < real(upper, v) : real(alpha, v) > 0;
}
// @inline
export function isLow(v: i32): bool {
  return real(y, v) > 0 ? real(alpha, v) > 0 : real(alpha, v) < real(upper, v);
}

/** The upper bound of a variable. */
// @inline
export function limitOf(v: i32): f64 {
  return real(upper, v);
}

export function noteBounds(v: i32): void {
  store<f32>(mayRise + ((<usize>v) << 2), isUp(v) ? 0 : -Infinity);
  store<f32>(mayFall + ((<usize>v) << 2), isLow(v) ? 0 : -Infinity);
}
