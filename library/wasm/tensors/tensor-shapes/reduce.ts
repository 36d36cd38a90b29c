import { addRun } from "../../shared/runs";
import { addColumns, sumRun } from "../../shared/wide-sums";

/** x is outer × middle × inner, row-major, everywhere in this file. Nothing is written past the last entry of an output. */

// @inline
function put<T>(at: usize, value: f64, accumulate: i32): void {
  store<T>(at, accumulate ? <T>(<f64>load<T>(at) + value) : <T>value);
}

/**
 * out[o, i] (+)= scale · Σ_m x[o, m, i] for a chunk of o.
 * work   `inner` doubles per chunk; not used for inner = 1
 */
export function sumOuter<T>(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
  work: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const slab = <usize>middle * <usize>inner * w;
  const to = min(outer, (chunk + 1) * chunkOuter);
  const sums = work + ((<usize>chunk * <usize>inner) << 3);
  for (let o = chunk * chunkOuter; o < to; o++) {
    const at = x + <usize>o * slab;
    if (inner == 1) {
      put<T>(out + <usize>o * w, sumRun<T>(at, middle) * scale, accumulate);
    } else {
      memory.fill(sums, 0, (<usize>inner) << 3);
      addColumns<T>(at, middle, inner, sums);
      const z = out + <usize>o * <usize>inner * w;
      for (let i = 0; i < inner; i++)
        put<T>(z + <usize>i * w, load<f64>(sums + ((<usize>i) << 3)) * scale, accumulate);
    }
  }
}

/** partials[chunk, o, i] = Σ x[o, m, i] over the m of a chunk, in doubles. */
export function sumMiddle<T>(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  partials: usize,
  chunkMiddle: i32,
  chunk: i32,
): void {
  const row = <usize>inner * sizeof<T>();
  const from = chunk * chunkMiddle;
  const count = min(middle, from + chunkMiddle) - from;
  let sums = partials + ((<usize>chunk * <usize>outer * <usize>inner) << 3);
  for (let o = 0; o < outer; o++, sums += (<usize>inner) << 3) {
    const at = x + (<usize>o * <usize>middle + <usize>from) * row;
    if (inner == 1) {
      store<f64>(sums, sumRun<T>(at, count));
    } else {
      memory.fill(sums, 0, (<usize>inner) << 3);
      addColumns<T>(at, count, inner, sums);
    }
  }
}

/** out[e] (+)= scale · Σ_c partials[c, e], in the order of chunks. */
export function addPartials<T>(
  partials: usize,
  chunks: i32,
  size: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
): void {
  for (let e = 0; e < size; e++) {
    let sum: f64 = 0;
    for (let c = 0; c < chunks; c++) sum += load<f64>(partials + ((<usize>c * <usize>size + <usize>e) << 3));
    put<T>(out + <usize>e * sizeof<T>(), sum * scale, accumulate);
  }
}

/** The largest of n ≥ 1 consecutive entries; NaN if one is NaN. pmax is one instruction where max, which keeps NaN, is eight. */
function maxRun<T>(x: usize, n: i32): T {
  const bytes = <usize>n * sizeof<T>();
  let best = load<T>(x);
  let e: usize = 0;
  if (bytes >= 32) {
    let m0 = v128.load(x);
    let m1 = v128.load(x, 16);
    // Lanes of ones where an entry was not a number.
    let wrong = v128.or(v128.ne<T>(m0, m0), v128.ne<T>(m1, m1));
    for (e = 32; e + 32 <= bytes; e += 32) {
      const v0 = v128.load(x + e);
      const v1 = v128.load(x + e, 16);
      m0 = v128.pmax<T>(m0, v0);
      m1 = v128.pmax<T>(m1, v1);
      wrong = v128.or(wrong, v128.or(v128.ne<T>(v0, v0), v128.ne<T>(v1, v1)));
    }
    if (v128.any_true(wrong)) return <T>NaN;
    m0 = v128.pmax<T>(m0, m1);
    best = max<T>(v128.extract_lane<T>(m0, 0), v128.extract_lane<T>(m0, 1));
    if (sizeof<T>() == 4)
      best = max<T>(best, max<T>(v128.extract_lane<T>(m0, 2), v128.extract_lane<T>(m0, 3)));
  }
  for (; e < bytes; e += sizeof<T>()) best = max<T>(best, load<T>(x + e));
  return best;
}

/** The first of n entries that is `value`; 0 if none is. */
function firstOf<T>(x: usize, n: i32, value: T): i32 {
  const bytes = <usize>n * sizeof<T>();
  const all = v128.splat<T>(value);
  let e: usize = 0;
  while (e + 16 <= bytes && !v128.any_true(v128.eq<T>(v128.load(x + e), all))) e += 16;
  for (; e < bytes; e += sizeof<T>()) if (load<T>(x + e) == value) return <i32>(e / sizeof<T>());
  return 0;
}

/** out[o, i] = max_m x[o, m, i] for a chunk of o; middle ≥ 1. */
export function maxOuter<T>(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  const row = <usize>inner * sizeof<T>();
  const whole = row & ~15;
  const to = min(outer, (chunk + 1) * chunkOuter);
  for (let o = chunk * chunkOuter; o < to; o++) {
    let at = x + <usize>o * <usize>middle * row;
    const z = out + <usize>o * row;
    if (inner == 1) {
      store<T>(z, maxRun<T>(at, middle));
      continue;
    }
    memory.copy(z, at, row);
    for (let m = 1; m < middle; m++) {
      at += row;
      let e: usize = 0;
      for (; e < whole; e += 16) v128.store(z + e, v128.max<T>(v128.load(z + e), v128.load(at + e)));
      for (; e < row; e += sizeof<T>()) store<T>(z + e, max<T>(load<T>(z + e), load<T>(at + e)));
    }
  }
}

/** out[o, i] = the first m with the largest x[o, m, i], for a chunk of o; middle ≥ 1. A NaN among the entries gives any m. */
export function argmaxOuter<T>(
  x: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  chunkOuter: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const row = <usize>inner * w;
  const to = min(outer, (chunk + 1) * chunkOuter);
  for (let o = chunk * chunkOuter; o < to; o++) {
    const at = x + <usize>o * <usize>middle * row;
    const z = out + ((<usize>o * <usize>inner) << 2);
    if (inner == 1) {
      store<i32>(z, firstOf<T>(at, middle, maxRun<T>(at, middle)));
      continue;
    }
    memory.fill(z, 0, (<usize>inner) << 2);
    for (let m = 1; m < middle; m++) {
      for (let i = 0; i < inner; i++) {
        const place = z + ((<usize>i) << 2);
        const column = at + <usize>i * w;
        const best = load<T>(column + <usize>load<i32>(place) * row);
        if (load<T>(column + <usize>m * row) > best) store<i32>(place, m);
      }
    }
  }
}

/** to (+)= from · scale over n entries; from may not be to. */
// @inline
function scaleRun<T>(from: usize, scale: T, to: usize, n: i32, accumulate: i32): void {
  const bytes = <usize>n * sizeof<T>();
  const whole = bytes & ~15;
  const all = v128.splat<T>(scale);
  let e: usize = 0;
  for (; e < whole; e += 16) {
    let value = v128.mul<T>(v128.load(from + e), all);
    if (accumulate) value = v128.add<T>(v128.load(to + e), value);
    v128.store(to + e, value);
  }
  for (; e < bytes; e += sizeof<T>()) {
    let value = <T>(load<T>(from + e) * scale);
    if (accumulate) value = <T>(load<T>(to + e) + value);
    store<T>(to + e, value);
  }
}

/** to (+)= value in n places. */
// @inline
function fillRun<T>(value: T, to: usize, n: i32, accumulate: i32): void {
  const bytes = <usize>n * sizeof<T>();
  const whole = bytes & ~15;
  const all = v128.splat<T>(value);
  let e: usize = 0;
  for (; e < whole; e += 16) {
    v128.store(to + e, accumulate ? v128.add<T>(v128.load(to + e), all) : all);
  }
  for (; e < bytes; e += sizeof<T>()) {
    store<T>(to + e, accumulate ? <T>(load<T>(to + e) + value) : value);
  }
}

/** out[o, m, i] (+)= g[o, i] · scale for a chunk of the outer × middle rows. */
export function spreadRows<T>(
  g: usize,
  rows: i32,
  middle: i32,
  inner: i32,
  out: usize,
  scale: f64,
  accumulate: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const row = <usize>inner * w;
  const factor = <T>scale;
  const to = min(rows, (chunk + 1) * chunkRows);
  let r = chunk * chunkRows;
  while (r < to) {
    const o = r / middle;
    const end = min(to, (o + 1) * middle);
    const from = g + <usize>o * row;
    if (inner == 1) {
      fillRun<T>(<T>(load<T>(from) * factor), out + <usize>r * w, end - r, accumulate);
      r = end;
    } else {
      for (; r < end; r++) scaleRun<T>(from, factor, out + <usize>r * row, inner, accumulate);
    }
  }
}

/** out[o, positions[o, i], i] += g[o, i] for a chunk of o; unless `accumulate`, out is 0 elsewhere. */
export function maxGradientOuter<T>(
  g: usize,
  positions: usize,
  outer: i32,
  middle: i32,
  inner: i32,
  out: usize,
  accumulate: i32,
  chunkOuter: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const row = <usize>inner * w;
  const from = chunk * chunkOuter;
  const to = min(outer, from + chunkOuter);
  const slab = <usize>middle * row;
  if (!accumulate) memory.fill(out + <usize>from * slab, 0, <usize>(to - from) * slab);
  for (let o = from; o < to; o++) {
    for (let i = 0; i < inner; i++) {
      const e = <usize>o * <usize>inner + <usize>i;
      const at = out + <usize>o * slab + <usize>load<i32>(positions + (e << 2)) * row + <usize>i * w;
      store<T>(at, load<T>(at) + load<T>(g + e * w));
    }
  }
}

/** table row indices[r] += g row r for columns of a chunk, in the order of r. */
export function scatterColumns<T>(
  g: usize,
  rows: i32,
  cols: i32,
  indices: usize,
  table: usize,
  chunkCols: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const from = chunk * chunkCols;
  const count = min(cols, from + chunkCols) - from;
  for (let r = 0; r < rows; r++) {
    const target = load<i32>(indices + ((<usize>r) << 2));
    addRun<T>(
      g + (<usize>r * <usize>cols + <usize>from) * w,
      table + (<usize>target * <usize>cols + <usize>from) * w,
      count,
    );
  }
}
