type Squares = Float64Array<ArrayBufferLike>;

/** Finds the k nearest of the rows that have a value in a column; of equally near ones the first. A heap with the farthest at its root. */
export class NearestRows {
  #heap = new Int32Array(0);

  constructor(private readonly k: number) {}

  /** Numbers of these rows, in no order, valid until the next call. Rows whose squared distance is NaN or whose column has a gap are left out. */
  find(squares: Squares, column: Float64Array): Int32Array {
    const most = Math.min(this.k, squares.length);
    if (this.#heap.length < most) this.#heap = new Int32Array(most);
    const heap = this.#heap;
    let count = 0;
    let r = 0;
    for (; r < squares.length && count < most; r++) {
      if (Number.isNaN(squares[r]! + column[r]!)) continue;
      heap[count] = r;
      siftUpInto(squares, count++, heap);
    }
    let farthest = count > 0 ? squares[heap[0]!]! : Number.NaN;
    for (; r < squares.length; r++) {
      if (!(squares[r]! < farthest) || Number.isNaN(column[r]!)) continue;
      heap[0] = r;
      siftDownInto(squares, count, heap);
      farthest = squares[heap[0]!]!;
    }
    return heap.subarray(0, count);
  }
}

/** Whether row a comes after row b in the order of distance and number. */
const isAfter = (squares: Squares, a: number, b: number): boolean =>
  squares[a]! > squares[b]! || (squares[a] === squares[b] && a > b);

function siftUpInto(squares: Squares, start: number, out: Int32Array): void {
  const row = out[start]!;
  let at = start;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isAfter(squares, row, out[parent]!)) break;
    out[at] = out[parent]!;
    at = parent;
  }
  out[at] = row;
}

/** Moves the root of a heap of `count` rows down to its place. */
function siftDownInto(squares: Squares, count: number, out: Int32Array): void {
  const row = out[0]!;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= count) break;
    if (child + 1 < count && isAfter(squares, out[child + 1]!, out[child]!)) child++;
    if (!isAfter(squares, out[child]!, row)) break;
    out[at] = out[child]!;
    at = child;
  }
  out[at] = row;
}
