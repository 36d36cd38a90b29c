import { DataError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";

/** More outputs than this do not fit in memory. */
const MOST = 50_000_000;

/**
 * The products of columns, degree by degree. Those of degree k that begin with column c are x_c times those of degree
 * k − 1 that begin with c or a later column (a later one only, without powers), which are contiguous:
 *
 *   place of (c, rest) in degree k  =  starts[k][c] + place of rest in degree k − 1 − starts[k − 1][first allowed]
 */
export class Monomials {
  readonly count: number;
  /** starts[k][c]: place within degree k of the first product that begins with column c; at c = d their number. */
  readonly #starts: Float64Array[] = [];
  /** First output of each degree; −1 for degrees that are only intermediate. */
  readonly #outputs: number[] = [];
  /** Least distance to the next column of a product: 1 without powers. */
  readonly #step: 0 | 1;

  constructor(
    where: string,
    readonly cols: number,
    low: number,
    readonly high: number,
    interactionOnly: boolean,
    readonly bias: boolean,
  ) {
    this.#step = interactionOnly ? 1 : 0;
    if (cols > MOST) throw new DataError(where, "X", `at most ${MOST} columns wide`, `${cols} columns`);
    const ones = new Float64Array(cols + 1).map((_, c) => c);
    let count = bias ? 1 : 0;
    for (let k = 1; k <= high; k++) {
      const before = this.#starts[k - 2];
      const starts = k === 1 ? ones : new Float64Array(cols + 1);
      if (before !== undefined) {
        for (let c = 0; c < cols; c++) starts[c + 1] = starts[c]! + before[cols]! - before[c + this.#step]!;
      }
      this.#starts.push(starts);
      this.#outputs.push(k >= low ? count : -1);
      if (k >= low) count += starts[cols]!;
      if (!(count <= MOST && starts[cols]! <= MOST)) {
        const expected = `one that makes at most ${MOST} columns of ${cols}`;
        throw new DataError(where, "degree", expected, `degree ${k}, which makes more`);
      }
    }
    this.count = count;
  }

  /** Every output with the columns that it multiplies. */
  forEach(visit: (output: number, columns: readonly number[]) => void): void {
    if (this.bias) visit(0, []);
    let before: readonly (readonly number[])[] = [];
    for (let k = 1; k <= this.high; k++) {
      const products: number[][] = [];
      for (let c = 0; c < this.cols; c++) {
        if (k === 1) products.push([c]);
        else
          for (let e = this.#starts[k - 2]![c + this.#step]!; e < before.length; e++)
            products.push([c, ...before[e]!]);
      }
      const first = this.#outputs[k - 1]!;
      if (first >= 0) for (const [e, columns] of products.entries()) visit(first + e, columns);
      before = products;
    }
  }

  dense({ data, rows, cols }: Matrix): Matrix {
    const out = Matrix.zeros(rows, this.count);
    const work = this.#starts.map((starts) => new Float64Array(starts[this.cols]!));
    for (let i = 0; i < rows; i++) {
      const to = i * this.count;
      if (this.bias) out.data[to] = 1;
      for (let k = 1; k <= this.high; k++) {
        const own = work[k - 1]!;
        const before = work[k - 2];
        let o = 0;
        for (let c = 0; c < cols; c++) {
          const x = data[i * cols + c]!;
          if (before === undefined) own[o++] = x;
          else
            for (let e = this.#starts[k - 2]![c + this.#step]!; e < before.length; e++)
              own[o++] = x * before[e]!;
        }
        if (this.#outputs[k - 1]! >= 0) out.data.set(own, to + this.#outputs[k - 1]!);
      }
    }
    return out;
  }

  /** Only products of stored entries: a row with m of them has as many products as m columns. */
  sparse({ rows, indptr, indices, values }: CsrMatrix): CsrMatrix {
    const ends = new Int32Array(rows + 1);
    const columns: number[] = [];
    const products: number[] = [];
    for (let i = 0; i < rows; i++) {
      if (this.bias) {
        columns.push(0);
        products.push(1);
      }
      let before: Product[] = [];
      for (let k = 1; k <= this.high; k++) {
        const own: Product[] = [];
        for (let e = indptr[i]!; e < indptr[i + 1]!; e++)
          this.#extend(k, indices[e]!, values[e]!, before, own);
        const first = this.#outputs[k - 1]!;
        if (first >= 0) {
          for (const { place, value } of own) {
            columns.push(first + place);
            products.push(value);
          }
        }
        before = own;
      }
      ends[i + 1] = columns.length;
    }
    return new CsrMatrix({ rows, cols: this.count, indptr: ends, indices: columns, values: products });
  }

  /** Adds the products of degree k that begin with column c. */
  #extend(k: number, c: number, x: number, before: readonly Product[], own: Product[]): void {
    if (k === 1) {
      own.push({ place: c, first: c, value: x });
      return;
    }
    const from = this.#starts[k - 1]![c]! - this.#starts[k - 2]![c + this.#step]!;
    for (const { place, first, value } of before)
      if (first >= c + this.#step) own.push({ place: from + place, first: c, value: x * value });
  }
}

interface Product {
  /** Place among the products of its degree. */
  readonly place: number;
  /** Its first column. */
  readonly first: number;
  readonly value: number;
}
