import { CsrMatrix } from "../data/csr-matrix.js";
import { grown } from "./terms.js";

/** Below this an insertion sort is faster than a call of the built-in sort. */
const FEW = 96;

/** Sorts the first `count` numbers. */
export function sortFirst(list: Int32Array | Float64Array, count: number): void {
  if (count > FEW) {
    list.subarray(0, count).sort();
    return;
  }
  for (let k = 1; k < count; k++) {
    const value = list[k]!;
    let at = k;
    while (at > 0 && list[at - 1]! > value) {
      list[at] = list[at - 1]!;
      at--;
    }
    list[at] = value;
  }
}

/** Builds sparse rows of whole numbers, one at a time. */
export class RowBuilder {
  rows = 0;
  nonZeros = 0;
  indptr = new Int32Array(1 << 8);
  indices = new Int32Array(1 << 10);
  values = new Int32Array(1 << 10);

  /** Reserves room for this many more entries. */
  reserve(entries: number): void {
    const wanted = this.nonZeros + entries;
    if (wanted <= this.indices.length) return;
    this.indices = grown(this.indices, wanted);
    this.values = grown(this.values, wanted);
  }

  /** Ends the row of everything added since the last call. */
  endRow(): void {
    if (this.rows + 1 === this.indptr.length) this.indptr = grown(this.indptr, this.rows + 2);
    this.indptr[++this.rows] = this.nonZeros;
  }

  /** The rows as they are: their columns must ascend. */
  toMatrix(cols: number): CsrMatrix {
    const { rows, nonZeros } = this;
    const values = new Float64Array(nonZeros);
    // For the few numbers of a short document, a loop is faster than a copy that converts.
    for (let e = 0; e < nonZeros; e++) values[e] = this.values[e]!;
    return new CsrMatrix(
      {
        rows,
        cols,
        indptr: this.indptr.slice(0, rows + 1),
        indices: this.indices.slice(0, nonZeros),
        values,
      },
      true,
    );
  }

  /** Removes the rows and keeps their memory. */
  clear(): void {
    this.rows = 0;
    this.nonZeros = 0;
  }
}
