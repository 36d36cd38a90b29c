import { Column } from "../boosting.layout";
import { problem } from "./problem";

// @inline
function columnAt(j: i32): Column {
  return changetype<Column>(<usize>problem.columns + <usize>j * offsetof<Column>());
}

/** Values of column j have bins 0 … binsOf(j) − 1; binsOf(j) is the bin of missing values. */
// @inline
export function binsOf(j: i32): i32 {
  return columnAt(j).bins;
}
// @inline
export function hasMissing(j: i32): bool {
  return columnAt(j).missing != 0;
}
// @inline
export function isCategorical(j: i32): bool {
  return columnAt(j).categorical != 0;
}
/** Monotonic constraint: 1 increasing, −1 decreasing, 0 none. */
// @inline
export function direction(j: i32): i32 {
  return columnAt(j).direction;
}
