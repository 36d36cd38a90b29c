import { CHUNK, CHUNK_COLUMNS, PANEL_COLUMNS, STRIDE } from "../boosting.layout";
import { binsOf } from "./columns";
import { chunkBuffer, d, problem, rowBytes } from "./problem";

// @inline
function bump(place: usize, gh: v128, offset: usize): void {
  v128.store(place + offset, i64x2.add(v128.load(place + offset), gh));
}

/** Adds rows to the histograms of eight columns. */
function addEight(panel: usize, count: i32, gradients: usize, out: usize): void {
  for (let e: i32 = 0; e < count; e++) {
    const gh = v128.load(gradients + ((<usize>e) << 4));
    const bins = load<u64>(panel + ((<usize>e) << 3));
    // 16 times the bin of each column.
    bump(out + <usize>((bins << 4) & 0xff0), gh, 0);
    bump(out + <usize>((bins >> 4) & 0xff0), gh, STRIDE);
    bump(out + <usize>((bins >> 12) & 0xff0), gh, 2 * STRIDE);
    bump(out + <usize>((bins >> 20) & 0xff0), gh, 3 * STRIDE);
    bump(out + <usize>((bins >> 28) & 0xff0), gh, 4 * STRIDE);
    bump(out + <usize>((bins >> 36) & 0xff0), gh, 5 * STRIDE);
    bump(out + <usize>((bins >> 44) & 0xff0), gh, 6 * STRIDE);
    bump(out + <usize>((bins >> 52) & 0xff0), gh, 7 * STRIDE);
  }
}

/** `addEight` for at most four columns. */
function addFour(panel: usize, count: i32, gradients: usize, out: usize): void {
  for (let e: i32 = 0; e < count; e++) {
    const gh = v128.load(gradients + ((<usize>e) << 4));
    const bins = load<u32>(panel + ((<usize>e) << 3));
    bump(out + <usize>((bins << 4) & 0xff0), gh, 0);
    bump(out + <usize>((bins >> 4) & 0xff0), gh, STRIDE);
    bump(out + <usize>((bins >> 12) & 0xff0), gh, 2 * STRIDE);
    bump(out + <usize>((bins >> 20) & 0xff0), gh, 3 * STRIDE);
  }
}

/** Gathers the gradients of rows. */
// @inline
function gatherGradients(rows: usize, count: i32, packed: usize, out: usize): void {
  for (let e: i32 = 0; e < count; e++) {
    const i = <usize>load<i32>(rows + ((<usize>e) << 2));
    v128.store(out + ((<usize>e) << 4), v128.load(packed + (i << 4)));
  }
}

/** Gathers columns first … end − 1 of rows, in panels of eight. Rows of a node are scattered, and 64 columns are one or two cache lines. */
function gatherBins(rows: usize, count: i32, rowBins: usize, first: i32, end: i32, out: usize): void {
  const bins = rowBins + <usize>first;
  const bytes = <usize>(end - first);
  const apart = rowBytes;
  for (let e: i32 = 0; e < count; e++) {
    const row = bins + <usize>load<i32>(rows + ((<usize>e) << 2)) * apart;
    let to = out + ((<usize>e) << 3);
    for (let b: usize = 0; b < bytes; b += 8, to += (<usize>CHUNK) << 3) store<u64>(to, load<u64>(row + b));
  }
}

/** Adds the rows at `from` … `from + count − 1` of the row list to a histogram; at most CHUNK of them. */
export function addRows(from: i32, count: i32, out: usize): void {
  const rows = <usize>problem.rows + ((<usize>from) << 2);
  gatherGradients(rows, count, <usize>problem.packed, chunkBuffer());
  addGathered(rows, count, <usize>problem.rowBins, out);
}

/** Adds rows, whose gradients are in this thread's buffer, to a histogram. */
export function addGathered(rows: usize, count: i32, rowBins: usize, out: usize): void {
  const gradients = chunkBuffer();
  const panels = gradients + ((<usize>CHUNK) << 4);
  for (let block: i32 = 0; block < d; block += CHUNK_COLUMNS) {
    const end = min(d, block + CHUNK_COLUMNS);
    gatherBins(rows, count, rowBins, block, end, panels);
    for (let first = block; first < end; first += PANEL_COLUMNS) {
      const panel = panels + <usize>(first - block) * <usize>CHUNK;
      const place = out + <usize>first * STRIDE;
      if (d - first > 4) addEight(panel, count, gradients, place);
      else addFour(panel, count, gradients, place);
    }
  }
}

export function clearHistogram(out: usize): void {
  for (let j: i32 = 0; j < d; j++) memory.fill(out + <usize>j * STRIDE, 0, (<usize>(binsOf(j) + 1)) << 4);
}

/** Column j of `out` += that of `more`. */
export function addColumn(j: i32, more: usize, out: usize): void {
  const to = out + <usize>j * STRIDE;
  const from = more + <usize>j * STRIDE;
  const end = (<usize>(binsOf(j) + 1)) << 4;
  for (let e: usize = 0; e < end; e += 16)
    v128.store(to + e, i64x2.add(v128.load(to + e), v128.load(from + e)));
}

/** Column j of `out` −= that of `less`: a parent minus one child is the other child. */
export function subtractColumn(j: i32, less: usize, out: usize): void {
  const to = out + <usize>j * STRIDE;
  const from = less + <usize>j * STRIDE;
  const end = (<usize>(binsOf(j) + 1)) << 4;
  for (let e: usize = 0; e < end; e += 16)
    v128.store(to + e, i64x2.sub(v128.load(to + e), v128.load(from + e)));
}
