import { isColumn } from "./column-like.js";
import type { MatrixLike } from "./contract.js";
import { isArrayLike, isTypedArray } from "./numbers/typed-arrays.js";

/** Whether y is a matrix, one column per target, and not a list of numbers. */
export function isTargetMatrix(y: unknown): y is MatrixLike {
  if (Array.isArray(y)) return y.length > 0 && isArrayLike(y[0]);
  if (typeof y !== "object" || y === null || isTypedArray(y) || isColumn(y)) return false;
  return "data" in y || "toMatrix" in y || "indptr" in y;
}
