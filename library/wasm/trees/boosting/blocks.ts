import { CHUNK, STRIDE, SUB_BLOCK } from "../boosting.layout";
import { addGathered } from "./histogram";
import { chunkBuffer, enter, problem, rowBytes } from "./problem";
import { leafBelow } from "./routes";

/**
 * Blocks of rows that are in memory one after the other. Of a row a block has its bins, its node as a 16-bit number, and its gradient and
 * hessian as integers: two 64-bit words as those of a problem (`wide`), or two 32-bit words without the row count.
 */

/** 1.5 · 2⁵²: adding it leaves the nearest integer in the low bits. */
const ROUND: f64 = 6755399441055744;
const ROUND_BITS: i64 = 0x4338000000000000;

/** Converts the gradients of piece `chunk` of a block to integers; `pieces` have `rows` rows. */
export function packBlock(
  address: usize,
  gradients: usize,
  packed: usize,
  wide: i32,
  count: i32,
  rows: i32,
  chunk: i32,
): void {
  enter(address, 0);
  const end = min(count, (chunk + 1) * rows);
  const scales = f64x2.replace_lane(f64x2.splat(problem.gradientScale), 1, problem.hessianScale);
  const one = i64x2.replace_lane(
    i64x2.splat(-ROUND_BITS),
    1,
    (wide != 0 ? (<i64>1) << (<i64>problem.shift) : 0) - ROUND_BITS,
  );
  for (let i = chunk * rows; i < end; i++) {
    const scaled = f64x2.add(f64x2.mul(v128.load(gradients + ((<usize>i) << 4)), scales), f64x2.splat(ROUND));
    const words = i64x2.add(scaled, one);
    if (wide != 0) v128.store(packed + ((<usize>i) << 4), words);
    else {
      const both = i8x16.shuffle(words, words, 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11);
      store<i64>(packed + ((<usize>i) << 3), i64x2.extract_lane(both, 0));
    }
  }
}

/** Gathers the gradients of rows into this thread's buffer. */
// @inline
function gather(rows: usize, count: i32, packed: usize, wide: i32): void {
  const out = chunkBuffer();
  if (wide != 0) {
    for (let e: i32 = 0; e < count; e++) {
      const i = <usize>load<i32>(rows + ((<usize>e) << 2));
      v128.store(out + ((<usize>e) << 4), v128.load(packed + (i << 4)));
    }
    return;
  }
  const one = i64x2.replace_lane(i64x2.splat(0), 1, (<i64>1) << (<i64>problem.shift));
  for (let e: i32 = 0; e < count; e++) {
    const i = <usize>load<i32>(rows + ((<usize>e) << 2));
    const pair = i64x2.extend_low_i32x4_s(v128.load64_zero(packed + (i << 3)));
    v128.store(out + ((<usize>e) << 4), i64x2.add(pair, one));
  }
}

/**
 * Moves the rows of a block to the leaves of the tree, and adds those of wanted leaves to histograms. A chunk is a thread: each takes pieces
 * of SUB_BLOCK rows by the counter at `taken`, and has histograms of its own.
 *
 * wanted       32-bit per node: which histogram the rows of a leaf are added to; −1 for none
 * histograms   `wantedCount` per thread
 * work         per thread 4 (SUB_BLOCK + wantedCount + 1) bytes, rounded up to 64
 */
export function addBlock(
  address: usize,
  rowBins: usize,
  places: usize,
  packed: usize,
  wide: i32,
  count: i32,
  wanted: usize,
  wantedCount: i32,
  histograms: usize,
  work: usize,
  taken: usize,
  chunk: i32,
): void {
  enter(address, chunk);
  const bytes = rowBytes * STRIDE;
  const own = histograms + <usize>chunk * <usize>wantedCount * bytes;
  const list = work + <usize>chunk * ((((<usize>(SUB_BLOCK + wantedCount + 1)) << 2) + 63) & ~63);
  const starts = list + ((<usize>SUB_BLOCK) << 2);
  const pieces = (count + SUB_BLOCK - 1) / SUB_BLOCK;
  for (;;) {
    const piece = atomic.add<i32>(taken, 1);
    if (piece >= pieces) return;
    const from = piece * SUB_BLOCK;
    const rows = min(SUB_BLOCK, count - from);
    moveRows(rowBins, places, from, rows, wanted, wantedCount, starts);
    listRows(places, from, rows, wanted, list, starts);
    let begin: i32 = 0;
    for (let w: i32 = 0; w < wantedCount; w++) {
      const end = load<i32>(starts + ((<usize>w) << 2));
      for (; begin < end; begin += CHUNK) {
        const some = min(CHUNK, end - begin);
        const listed = list + ((<usize>begin) << 2);
        gather(listed, some, packed, wide);
        addGathered(listed, some, rowBins, own + <usize>w * bytes);
      }
      begin = end;
    }
  }
}

/** Moves rows to the leaves below them; counts those of wanted leaves at `starts`, one place further. */
function moveRows(
  rowBins: usize,
  places: usize,
  from: i32,
  rows: i32,
  wanted: usize,
  wantedCount: i32,
  starts: usize,
): void {
  memory.fill(starts, 0, (<usize>(wantedCount + 1)) << 2);
  for (let i = from; i < from + rows; i++) {
    const place = places + ((<usize>i) << 1);
    const before = <i32>load<u16>(place);
    const v = leafBelow(before, rowBins + <usize>i * rowBytes);
    if (v != before) store<u16>(place, <u16>v);
    const w = load<i32>(wanted + ((<usize>v) << 2));
    if (w < 0) continue;
    const at = starts + ((<usize>(w + 1)) << 2);
    store<i32>(at, load<i32>(at) + 1);
  }
  for (let w: i32 = 0; w < wantedCount; w++) {
    const at = starts + ((<usize>w) << 2);
    store<i32>(at, load<i32>(at, 4) + load<i32>(at), 4);
  }
}

/** Lists the rows of wanted leaves, leaf after leaf; `starts` are their ends then. */
function listRows(places: usize, from: i32, rows: i32, wanted: usize, list: usize, starts: usize): void {
  for (let i = from; i < from + rows; i++) {
    const w = load<i32>(wanted + ((<usize>load<u16>(places + ((<usize>i) << 1))) << 2));
    if (w < 0) continue;
    const at = starts + ((<usize>w) << 2);
    const e = load<i32>(at);
    store<i32>(at, e + 1);
    store<i32>(list + ((<usize>e) << 2), i);
  }
}

/** Moves the rows of piece `chunk` to the leaves of the grown tree, adds the values of these to z, and moves them back to the root. */
export function addBlockScores(
  address: usize,
  rowBins: usize,
  places: usize,
  values: usize,
  z: usize,
  count: i32,
  rows: i32,
  chunk: i32,
): void {
  enter(address, 0);
  const end = min(count, (chunk + 1) * rows);
  for (let i = chunk * rows; i < end; i++) {
    const place = places + ((<usize>i) << 1);
    const v = leafBelow(<i32>load<u16>(place), rowBins + <usize>i * rowBytes);
    store<u16>(place, 0);
    const score = z + ((<usize>i) << 3);
    store<f64>(score, load<f64>(score) + load<f64>(values + ((<usize>v) << 3)));
  }
}
