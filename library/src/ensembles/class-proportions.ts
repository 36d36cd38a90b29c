import { log } from "../core/elementary.js";
import { Matrix } from "../data/matrix.js";

/** Logarithms of shares; −Infinity of none. */
export const logShares = ({ data, rows, cols }: Matrix): Matrix =>
  new Matrix(
    data.map((share) => (share > 0 ? log(share) : -Infinity)),
    rows,
    cols,
  );
