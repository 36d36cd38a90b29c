import { Windows } from "../convolution.layout";
import { endColumn, endRow, firstColumn, firstRow } from "./inside";

/**
 * out = the largest entry of each window inside the image, positions = its place in x, the first of equal ones, for a chunk of rows of
 * output positions. A window without entries gives 0 and the position −1.
 */
export function maxPoolRows<T>(
  x: usize,
  out: usize,
  positions: usize,
  shapeAt: usize,
  chunkRows: i32,
  chunk: i32,
): void {
  const shape = changetype<Windows>(shapeAt);
  const w = sizeof<T>();
  const channels = shape.channels;
  const line = shape.width * channels;
  const to = min(shape.count * shape.outHeight, (chunk + 1) * chunkRows);
  for (let r = chunk * chunkRows; r < to; r++) {
    const oy = r % shape.outHeight;
    const y0 = firstRow(shape, oy);
    const rows = endRow(shape, oy) - y0;
    const image = ((r / shape.outHeight) * shape.height + y0) * line;
    for (let ox = 0; ox < shape.outWidth; ox++) {
      const x0 = firstColumn(shape, ox);
      const columns = endColumn(shape, ox) - x0;
      const e = <usize>(r * shape.outWidth + ox) * <usize>channels;
      const first = image + x0 * channels;
      maxPixel<T>(x, first, rows, columns, line, channels, out + e * w, positions + (e << 2));
    }
  }
}

/** All channels of a window of `rows` × `columns` pixels from the entry `first` on. */
// @inline
function maxPixel<T>(
  x: usize,
  first: i32,
  rows: i32,
  columns: i32,
  line: i32,
  channels: i32,
  out: usize,
  positions: usize,
): void {
  const w = sizeof<T>();
  const side = <i32>(16 / w);
  const isEmpty = rows <= 0 || columns <= 0;
  let c = 0;
  if (!isEmpty)
    for (; c + side <= channels; c += side)
      maxVector<T>(
        x,
        first + c,
        rows,
        columns,
        line,
        channels,
        out + <usize>c * w,
        positions + ((<usize>c) << 2),
      );
  for (; c < channels; c++) {
    let best: T = 0;
    let place = -1;
    if (!isEmpty) {
      place = first + c;
      best = load<T>(x + <usize>place * w);
      for (let y = 0; y < rows; y++) {
        let at = first + c + y * line;
        for (let k = 0; k < columns; k++, at += channels) {
          const value = load<T>(x + <usize>at * w);
          if (value > best) {
            best = value;
            place = at;
          }
        }
      }
    }
    store<T>(out + <usize>c * w, best);
    store<i32>(positions + ((<usize>c) << 2), place);
  }
}

/** One vector of channels of `rows` × `columns` pixels from the entry `first` on. */
// @inline
function maxVector<T>(
  x: usize,
  first: i32,
  rows: i32,
  columns: i32,
  line: i32,
  pixel: i32,
  out: usize,
  positions: usize,
): void {
  let best = v128.load(x + <usize>first * sizeof<T>());
  // Places as wide as the entries, for bitselect: i32 or i64.
  let place = sizeof<T>() == 4 ? i32x4.splat(first) : i64x2.splat(first);
  for (let y = 0; y < rows; y++) {
    let at = first + y * line;
    for (let k = 0; k < columns; k++, at += pixel) {
      const value = v128.load(x + <usize>at * sizeof<T>());
      const isMore = v128.gt<T>(value, best);
      best = v128.bitselect(value, best, isMore);
      place = v128.bitselect(sizeof<T>() == 4 ? i32x4.splat(at) : i64x2.splat(at), place, isMore);
    }
  }
  v128.store(out, best);
  if (sizeof<T>() == 4) {
    v128.store(positions, i32x4.add(place, i32x4(0, 1, 2, 3)));
  } else {
    store<i32>(positions, i32x4.extract_lane(place, 0));
    store<i32>(positions, i32x4.extract_lane(place, 2) + 1, 4);
  }
}

/** x[positions[e]] += g[e] in the order of e; positions below 0 are left out. */
export function addAtPositions<T>(g: usize, positions: usize, n: i32, x: usize): void {
  for (let e = 0; e < n; e++) {
    const place = load<i32>(positions + ((<usize>e) << 2));
    if (place < 0) continue;
    const at = x + <usize>place * sizeof<T>();
    store<T>(at, load<T>(at) + load<T>(g + <usize>e * sizeof<T>()));
  }
}

/** out = the mean of each window's entries inside the image, for a chunk of rows of output positions; 0 without entries. */
export function averagePoolRows<T>(x: usize, out: usize, shapeAt: usize, chunkRows: i32, chunk: i32): void {
  const shape = changetype<Windows>(shapeAt);
  const bytes = <usize>shape.channels * sizeof<T>();
  const line = <usize>shape.width * bytes;
  const to = min(shape.count * shape.outHeight, (chunk + 1) * chunkRows);
  for (let r = chunk * chunkRows; r < to; r++) {
    const oy = r % shape.outHeight;
    const y0 = firstRow(shape, oy);
    const rows = max(0, endRow(shape, oy) - y0);
    const start = x + <usize>((r / shape.outHeight) * shape.height + y0) * line;
    for (let ox = 0; ox < shape.outWidth; ox++) {
      const x0 = firstColumn(shape, ox);
      const columns = max(0, endColumn(shape, ox) - x0);
      const z = out + <usize>(r * shape.outWidth + ox) * bytes;
      averagePixel<T>(start + <usize>x0 * bytes, rows, columns, line, bytes, z);
    }
  }
}

/** Rows are summed one by one and then added: rounding errors grow with the sides of a window, not with its area. */
// @inline
function averagePixel<T>(first: usize, rows: i32, columns: i32, line: usize, bytes: usize, out: usize): void {
  const whole = bytes & ~15;
  const share = <T>max(1, rows * columns);
  let e: usize = 0;
  for (; e < whole; e += 16) {
    let sum = v128.splat<T>(<T>0);
    for (let y = 0; y < rows; y++) {
      let inRow = v128.splat<T>(<T>0);
      let at = first + e + <usize>y * line;
      for (let k = 0; k < columns; k++, at += bytes) inRow = v128.add<T>(inRow, v128.load(at));
      sum = v128.add<T>(sum, inRow);
    }
    v128.store(out + e, v128.div<T>(sum, v128.splat<T>(share)));
  }
  for (; e < bytes; e += sizeof<T>()) {
    let sum = <T>0;
    for (let y = 0; y < rows; y++) {
      let inRow = <T>0;
      let at = first + e + <usize>y * line;
      for (let k = 0; k < columns; k++, at += bytes) inRow = <T>(inRow + load<T>(at));
      sum = <T>(sum + inRow);
    }
    store<T>(out + e, <T>(sum / share));
  }
}

/** x (+)= each entry of g over its window's entries, in equal shares, for a chunk of images. */
export function averagePoolGradient<T>(
  x: usize,
  g: usize,
  shapeAt: usize,
  accumulate: i32,
  chunkImages: i32,
  chunk: i32,
): void {
  const shape = changetype<Windows>(shapeAt);
  const bytes = <usize>shape.channels * sizeof<T>();
  const line = <usize>shape.width * bytes;
  const size = <usize>shape.height * line;
  const from = chunk * chunkImages;
  const to = min(shape.count, from + chunkImages);
  let at = g + <usize>from * <usize>shape.outHeight * <usize>shape.outWidth * bytes;
  for (let n = from; n < to; n++) {
    const image = x + <usize>n * size;
    if (!accumulate) memory.fill(image, 0, size);
    for (let oy = 0; oy < shape.outHeight; oy++) {
      const y0 = firstRow(shape, oy);
      const y1 = endRow(shape, oy);
      for (let ox = 0; ox < shape.outWidth; ox++, at += bytes) {
        const x0 = firstColumn(shape, ox);
        const x1 = endColumn(shape, ox);
        const share = <T>max(1, (y1 - y0) * (x1 - x0));
        for (let y = y0; y < y1; y++)
          for (let k = x0; k < x1; k++)
            addShare<T>(at, share, bytes, image + <usize>y * line + <usize>k * bytes);
      }
    }
  }
}

/** out += g / share, for all channels of a pixel. */
// @inline
function addShare<T>(g: usize, share: T, bytes: usize, out: usize): void {
  const whole = bytes & ~15;
  let e: usize = 0;
  for (; e < whole; e += 16) {
    const part = v128.div<T>(v128.load(g + e), v128.splat<T>(share));
    v128.store(out + e, v128.add<T>(v128.load(out + e), part));
  }
  for (; e < bytes; e += sizeof<T>()) store<T>(out + e, load<T>(out + e) + <T>(load<T>(g + e) / share));
}
