/** A set of rows with a byte for each row: choosing most of a large table is as quick as choosing a few. */
export class RowSet implements Iterable<number> {
  readonly size: number;
  readonly #isIn: Uint8Array;

  constructor(rows: ArrayLike<number>) {
    let most = -1;
    for (let e = 0; e < rows.length; e++) if (rows[e]! > most) most = rows[e]!;
    const isIn = new Uint8Array(most + 1);
    let size = 0;
    for (let e = 0; e < rows.length; e++) {
      const row = rows[e]!;
      size += 1 - isIn[row]!;
      isIn[row] = 1;
    }
    this.size = size;
    this.#isIn = isIn;
  }

  has(row: number): boolean {
    return this.#isIn[row] === 1;
  }

  with(rows: ArrayLike<number>): RowSet {
    const all = new Int32Array(this.size + rows.length);
    all.set(this.toArray());
    all.set(rows, this.size);
    return new RowSet(all);
  }

  without(row: number): RowSet {
    return new RowSet(this.toArray().filter((one) => one !== row));
  }

  /** Ascending. */
  toArray(): Int32Array<ArrayBuffer> {
    const rows = new Int32Array(this.size);
    let count = 0;
    for (let row = 0; row < this.#isIn.length; row++) if (this.#isIn[row] === 1) rows[count++] = row;
    return rows;
  }

  [Symbol.iterator](): Iterator<number> {
    return this.toArray()[Symbol.iterator]();
  }
}

export const noRows = new RowSet([]);
