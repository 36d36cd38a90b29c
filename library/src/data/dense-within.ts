import { DataError } from "../core/errors.js";
import type { Design } from "./input.js";
import { Matrix } from "./matrix.js";

/** Numbers that sparse rows may have when they are made dense: 256 MB. */
const MOST_NUMBERS = 2 ** 25;
const MEGABYTE = 2 ** 20;

/**
 * Dense rows for what has no sparse form; refuses where they would take too much memory. `reason` names what needs them, as in
 * "which absolute errors need".
 */
export function denseWithin(
  where: string,
  x: Design,
  reason: string,
  { advice = "Leave columns out, or call X.toDense() if memory allows.", most = MOST_NUMBERS } = {},
): Matrix {
  if (x instanceof Matrix) return x;
  const numbers = x.rows * x.cols;
  if (numbers <= most) return x.toDense();
  throw new DataError({
    where,
    subject: "X",
    expected: `dense, or of at most ${Math.floor((8 * most) / MEGABYTE)} MB as dense rows, which ${reason}`,
    received: `sparse rows of ${x.rows} × ${x.cols}, ${Math.ceil((8 * numbers) / MEGABYTE)} MB as dense ones`,
    advice,
  });
}
