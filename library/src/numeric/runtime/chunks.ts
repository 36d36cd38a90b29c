/** How rows are divided into chunks. It depends on the size of the problem only, never on the number of threads. */
export interface Chunks {
  readonly rows: number;
  readonly count: number;
}

/** Rows per chunk when partial results are small: a few hundred microseconds of work each. */
const CHUNK_ROWS = 2048;
/** Partial results of all chunks together stay below this. */
const PARTIALS_BYTES = 16 * 2 ** 20;

/** Chunks of n rows whose partial results take `partial` doubles each. */
export function chunksOf(n: number, partial: number, rows = CHUNK_ROWS): Chunks {
  const most = Math.max(1, Math.floor(PARTIALS_BYTES / (8 * partial)));
  const needed = Math.ceil(n / rows);
  if (needed <= most) return { rows, count: Math.max(1, needed) };
  // A multiple of 512: streamed blocks are whole chunks, and Gram matrices read their rows in blocks of 512.
  const larger = 512 * Math.ceil(n / most / 512);
  return { rows: larger, count: Math.ceil(n / larger) };
}

/** out += the sum of `count` partial results, always in chunk order. */
export function addPartials(partials: Float64Array<ArrayBufferLike>, count: number, out: Float64Array): void {
  const size = out.length;
  for (let c = 0; c < count; c++) {
    for (let e = 0, at = c * size; e < size; e++, at++) out[e]! += partials[at]!;
  }
}
