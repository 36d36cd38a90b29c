import type { CsrMatrix } from "../../data/csr-matrix.js";

/** Entry (i, j), by bisection: the columns of a row ascend. */
export function sparseAt({ indptr, indices, values }: CsrMatrix, i: number, j: number): number {
  let from = indptr[i]!;
  let to = indptr[i + 1]!;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (indices[middle]! < j) from = middle + 1;
    else to = middle;
  }
  return from < indptr[i + 1]! && indices[from] === j ? values[from]! : 0;
}
