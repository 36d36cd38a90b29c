/** Images and windows as in windows.ts; an output has one entry per image, output position and channel. */

/**
 * out = the largest entry of each window inside the image, positions = its place in x, the first of equal ones, for a chunk of rows of
 * output positions. A window without entries gives 0 and the position −1.
 */
export function maxPoolRows<T>(
  x: usize,
  out: usize,
  positions: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  windowHeight: i32,
  windowWidth: i32,
  strideY: i32,
  strideX: i32,
  padTop: i32,
  padLeft: i32,
  outHeight: i32,
  outWidth: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const side = <i32>(16 / w);
  const whole = channels & ~(side - 1);
  const to = min(count * outHeight, (chunk + 1) * chunkRows);
  for (let r = chunk * chunkRows; r < to; r++) {
    const top = (r % outHeight) * strideY - padTop;
    const y0 = max(0, top);
    const y1 = min(height, top + windowHeight);
    const image = (r / outHeight) * height;
    for (let ox = 0; ox < outWidth; ox++) {
      const left = ox * strideX - padLeft;
      const x0 = max(0, left);
      const x1 = min(width, left + windowWidth);
      const e = <usize>(r * outWidth + ox) * <usize>channels;
      const isEmpty = y0 >= y1 || x0 >= x1;
      const first = ((image + y0) * width + x0) * channels;
      const columns = x1 - x0;
      let c = 0;
      if (!isEmpty)
        for (; c < whole; c += side) {
          const z = out + (e + <usize>c) * w;
          const p = positions + ((e + <usize>c) << 2);
          maxVector<T>(x, first + c, y1 - y0, columns, width * channels, channels, z, p);
        }
      for (; c < channels; c++) {
        let best: T = 0;
        let place = -1;
        if (!isEmpty) {
          place = first + c;
          best = load<T>(x + <usize>place * w);
          for (let y = 0; y < y1 - y0; y++) {
            let at = first + c + y * width * channels;
            for (let k = 0; k < columns; k++, at += channels) {
              const value = load<T>(x + <usize>at * w);
              if (value > best) {
                best = value;
                place = at;
              }
            }
          }
        }
        store<T>(out + (e + <usize>c) * w, best);
        store<i32>(positions + ((e + <usize>c) << 2), place);
      }
    }
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
export function averagePoolRows<T>(
  x: usize,
  out: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  windowHeight: i32,
  windowWidth: i32,
  strideY: i32,
  strideX: i32,
  padTop: i32,
  padLeft: i32,
  outHeight: i32,
  outWidth: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const bytes = <usize>channels * w;
  const whole = bytes & ~15;
  const line = <usize>width * bytes;
  const to = min(count * outHeight, (chunk + 1) * chunkRows);
  for (let r = chunk * chunkRows; r < to; r++) {
    const top = (r % outHeight) * strideY - padTop;
    const y0 = max(0, top);
    const rows = max(0, min(height, top + windowHeight) - y0);
    const start = x + <usize>((r / outHeight) * height + y0) * line;
    for (let ox = 0; ox < outWidth; ox++) {
      const left = ox * strideX - padLeft;
      const x0 = max(0, left);
      const columns = max(0, min(width, left + windowWidth) - x0);
      const first = start + <usize>x0 * bytes;
      const z = out + <usize>(r * outWidth + ox) * bytes;
      const share = <T>max(1, rows * columns);
      let e: usize = 0;
      // Rows are summed one by one and then added: rounding errors grow with the sides of a window, not with its area.
      for (; e < whole; e += 16) {
        let sum = v128.splat<T>(<T>0);
        for (let y = 0; y < rows; y++) {
          let inRow = v128.splat<T>(<T>0);
          let at = first + e + <usize>y * line;
          for (let k = 0; k < columns; k++, at += bytes) inRow = v128.add<T>(inRow, v128.load(at));
          sum = v128.add<T>(sum, inRow);
        }
        v128.store(z + e, v128.div<T>(sum, v128.splat<T>(share)));
      }
      for (; e < bytes; e += w) {
        let sum = <T>0;
        for (let y = 0; y < rows; y++) {
          let inRow = <T>0;
          let at = first + e + <usize>y * line;
          for (let k = 0; k < columns; k++, at += bytes) inRow = <T>(inRow + load<T>(at));
          sum = <T>(sum + inRow);
        }
        store<T>(z + e, <T>(sum / share));
      }
    }
  }
}

/** x (+)= each entry of g over its window's entries, in equal shares, for a chunk of images. */
export function averagePoolGradient<T>(
  x: usize,
  g: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  windowHeight: i32,
  windowWidth: i32,
  strideY: i32,
  strideX: i32,
  padTop: i32,
  padLeft: i32,
  outHeight: i32,
  outWidth: i32,
  accumulate: i32,
  chunkImages: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const bytes = <usize>channels * w;
  const whole = bytes & ~15;
  const line = <usize>width * bytes;
  const from = chunk * chunkImages;
  const to = min(count, from + chunkImages);
  let at = g + <usize>from * <usize>outHeight * <usize>outWidth * bytes;
  for (let n = from; n < to; n++) {
    const image = x + <usize>n * <usize>height * line;
    if (!accumulate) memory.fill(image, 0, <usize>height * line);
    for (let oy = 0; oy < outHeight; oy++) {
      const top = oy * strideY - padTop;
      const y0 = max(0, top);
      const y1 = min(height, top + windowHeight);
      for (let ox = 0; ox < outWidth; ox++, at += bytes) {
        const left = ox * strideX - padLeft;
        const x0 = max(0, left);
        const x1 = min(width, left + windowWidth);
        const share = <T>max(1, (y1 - y0) * (x1 - x0));
        for (let y = y0; y < y1; y++) {
          for (let k = x0; k < x1; k++) {
            const z = image + <usize>y * line + <usize>k * bytes;
            let e: usize = 0;
            for (; e < whole; e += 16) {
              const part = v128.div<T>(v128.load(at + e), v128.splat<T>(share));
              v128.store(z + e, v128.add<T>(v128.load(z + e), part));
            }
            for (; e < bytes; e += w) store<T>(z + e, load<T>(z + e) + <T>(load<T>(at + e) / share));
          }
        }
      }
    }
  }
}
