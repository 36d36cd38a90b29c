import { at, binsOf, d, n, part, STRIDE, WIDTH } from "./problem";

/** Rows whose gradients are put in order at a time. */
export const CHUNK: i32 = 2048;

@inline
function bump(place: usize, gh: v128, offset: usize): void {
  v128.store(place + offset, i64x2.add(v128.load(place + offset), gh));
}

/** Adds rows to the histograms of a panel's eight columns. */
function addEight(panel: usize, rows: usize, count: i32, ordered: usize, out: usize): void {
  for (let e: i32 = 0; e < count; e++) {
    const i = <usize>load<i32>(rows + (<usize>e << 2));
    const gh = v128.load(ordered + (<usize>e << 4));
    const bins = load<u64>(panel + (i << 3));
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

/** The same for a panel of at most four columns. */
function addFour(panel: usize, rows: usize, count: i32, ordered: usize, out: usize): void {
  for (let e: i32 = 0; e < count; e++) {
    const i = <usize>load<i32>(rows + (<usize>e << 2));
    const gh = v128.load(ordered + (<usize>e << 4));
    const bins = load<u32>(panel + (i << 3));
    bump(out + <usize>((bins << 4) & 0xff0), gh, 0);
    bump(out + <usize>((bins >> 4) & 0xff0), gh, STRIDE);
    bump(out + <usize>((bins >> 12) & 0xff0), gh, 2 * STRIDE);
    bump(out + <usize>((bins >> 20) & 0xff0), gh, 3 * STRIDE);
  }
}

/** Adds the rows at `from` … `from + count − 1` of the row list to a histogram; at most CHUNK of them. */
export function addRows(from: i32, count: i32, out: usize): void {
  const rows = <usize>at.rows + (<usize>from << 2);
  const packed = <usize>at.packed;
  const ordered = <usize>at.ordered + ((<usize>part * <usize>CHUNK) << 4);
  for (let e: i32 = 0; e < count; e++) {
    const i = <usize>load<i32>(rows + (<usize>e << 2));
    v128.store(ordered + (<usize>e << 4), v128.load(packed + (i << 4)));
  }
  for (let first: i32 = 0; first < d; first += WIDTH) {
    const panel = <usize>at.panels + ((<usize>(first >> 3) * <usize>n) << 3);
    const place = out + <usize>first * STRIDE;
    if (d - first > 4) addEight(panel, rows, count, ordered, place);
    else addFour(panel, rows, count, ordered, place);
  }
}

export function clearHistogram(out: usize): void {
  for (let j: i32 = 0; j < d; j++) memory.fill(out + <usize>j * STRIDE, 0, <usize>(binsOf(j) + 1) << 4);
}

/** Column j of `out` += that of `more`. */
export function addColumn(j: i32, more: usize, out: usize): void {
  const to = out + <usize>j * STRIDE;
  const from = more + <usize>j * STRIDE;
  const end = <usize>(binsOf(j) + 1) << 4;
  for (let e: usize = 0; e < end; e += 16) v128.store(to + e, i64x2.add(v128.load(to + e), v128.load(from + e)));
}

/** Column j of `out` −= that of `less`: what is left of a parent without one of its children is the other. */
export function subtractColumn(j: i32, less: usize, out: usize): void {
  const to = out + <usize>j * STRIDE;
  const from = less + <usize>j * STRIDE;
  const end = <usize>(binsOf(j) + 1) << 4;
  for (let e: usize = 0; e < end; e += 16) v128.store(to + e, i64x2.sub(v128.load(to + e), v128.load(from + e)));
}
