// @inline
function splatOf<T>(at: usize): v128 {
  return sizeof<T>() == 4 ? v128.load32_splat(at) : v128.load64_splat(at);
}

/** Copies an image into an area with a border of zeros, which stays as it is; what no window covers is left out. */
// @inline
function padImage(
  image: usize,
  height: i32,
  width: i32,
  pixel: usize,
  padTop: i32,
  padLeft: i32,
  area: usize,
  paddedHeight: i32,
  paddedWidth: i32,
): void {
  const rows = min(height, paddedHeight - padTop);
  const bytes = <usize>max(0, min(width, paddedWidth - padLeft)) * pixel;
  for (let y = 0; y < rows; y++) {
    const target = area + (<usize>(y + padTop) * <usize>paddedWidth + <usize>padLeft) * pixel;
    memory.copy(target, image + <usize>y * <usize>width * pixel, bytes);
  }
}

/**
 * Convolution without windows, for a chunk of images: out[n, oy, ox, k] = bias[k] + Σ x[n, …]·filters[(wy, wx, c), k], or 0 where that is
 * negative, if `rectified`.
 *
 * Four positions times two vectors of filters are computed together in eight accumulators, as in a GEMM: four neighbours, or, where a row
 * ends with two more, these of two rows. One or three more are computed with neighbours that were computed before.
 *
 * On entry: outWidth ≥ 4, `filterCount` entries are a multiple of 32 bytes, bias is an address or 0 for none.
 * padded   one area per chunk for an image with its border of zeros: paddedHeight × paddedWidth × channels
 */
export function convolveImages<T>(
  x: usize,
  filters: usize,
  filterCount: i32,
  bias: usize,
  rectified: i32,
  out: usize,
  padded: usize,
  paddedHeight: i32,
  paddedWidth: i32,
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
  chunkImages: i32,
  chunk: i32,
): void {
  const pixel = <usize>channels * sizeof<T>();
  const wide = <usize>paddedWidth * pixel;
  const size = <usize>paddedHeight * wide;
  const area = padded + <usize>chunk * size;
  const results = <usize>filterCount * sizeof<T>();
  const run = windowWidth * channels;
  const step = <usize>strideX * pixel;
  const down = <usize>strideY * wide;
  const line = <usize>outWidth * results;
  const floor: T = rectified ? 0 : <T>-Infinity;
  memory.fill(area, 0, size);
  const to = min(count, (chunk + 1) * chunkImages);
  for (let n = chunk * chunkImages; n < to; n++) {
    const image = x + <usize>n * <usize>height * <usize>width * pixel;
    padImage(image, height, width, pixel, padTop, padLeft, area, paddedHeight, paddedWidth);
    for (let oy = 0; oy < outHeight; oy++) {
      const top = area + <usize>oy * down;
      const z = out + <usize>(n * outHeight + oy) * line;
      for (let next = 0; next < outWidth; next += 4) {
        let ox = min(next, outWidth - 4);
        // From the first two positions to the other two.
        let apart = 2 * step;
        let between = 2 * results;
        if (next + 2 == outWidth && oy + 1 - (oy & 1) < outHeight) {
          if (oy & 1) break;
          ox = next;
          apart = down;
          between = line;
        }
        const left = top + <usize>ox * step;
        for (let k: usize = 0; k < results; k += 32) {
          const start = bias ? bias + k : 0;
          const target = z + <usize>ox * results + k;
          const own = filters + k;
          fourByTwo<T>(
            left,
            step,
            apart,
            wide,
            windowHeight,
            run,
            own,
            results,
            start,
            floor,
            target,
            between,
          );
        }
      }
    }
  }
}

/**
 * The tile: rows of `run` entries, `wide` bytes apart, of two windows `step` bytes apart and two more `apart` bytes after these, times two
 * vectors of filters.
 */
function fourByTwo<T>(
  x: usize,
  step: usize,
  apart: usize,
  wide: usize,
  rows: i32,
  run: i32,
  filters: usize,
  results: usize,
  bias: usize,
  floor: T,
  out: usize,
  between: usize,
): void {
  let a0 = bias ? v128.load(bias) : v128.splat<T>(<T>0);
  let b0 = bias ? v128.load(bias, 16) : v128.splat<T>(<T>0);
  let a1 = a0;
  let b1 = b0;
  let a2 = a0;
  let b2 = b0;
  let a3 = a0;
  let b3 = b0;
  for (let y = 0; y < rows; y++, x += wide) {
    let p = x;
    let q = x + apart;
    const end = p + <usize>run * sizeof<T>();
    for (; p < end; p += sizeof<T>(), q += sizeof<T>(), filters += results) {
      const f = v128.load(filters);
      const g = v128.load(filters, 16);
      let s = splatOf<T>(p);
      a0 = v128.add<T>(a0, v128.mul<T>(s, f));
      b0 = v128.add<T>(b0, v128.mul<T>(s, g));
      s = splatOf<T>(p + step);
      a1 = v128.add<T>(a1, v128.mul<T>(s, f));
      b1 = v128.add<T>(b1, v128.mul<T>(s, g));
      s = splatOf<T>(q);
      a2 = v128.add<T>(a2, v128.mul<T>(s, f));
      b2 = v128.add<T>(b2, v128.mul<T>(s, g));
      s = splatOf<T>(q + step);
      a3 = v128.add<T>(a3, v128.mul<T>(s, f));
      b3 = v128.add<T>(b3, v128.mul<T>(s, g));
    }
  }
  const low = v128.splat<T>(floor);
  storePair<T>(out, a0, b0, low);
  storePair<T>(out + results, a1, b1, low);
  storePair<T>(out + between, a2, b2, low);
  storePair<T>(out + between + results, a3, b3, low);
}

/** NaN stays NaN. */
// @inline
function storePair<T>(out: usize, a: v128, b: v128, low: v128): void {
  v128.store(out, v128.pmax<T>(a, low));
  v128.store(out, v128.pmax<T>(b, low), 16);
}

/**
 * The gradient of the filters over a chunk of images: partials[chunk, t, k] = Σ x[n, …]·g[n, oy, ox, k] for the taps t = (wy, wx, c).
 * g has the shape of the convolution's output; the other arguments are those of `convolveImages`.
 * padded    as there
 * offsets   the place of every tap in bytes from a window's first entry; a multiple of four of them, the last one repeated
 * partials  filters of `taps` rows per chunk
 */
export function filterGradientImages<T>(
  x: usize,
  g: usize,
  filterCount: i32,
  offsets: usize,
  taps: i32,
  partials: usize,
  padded: usize,
  paddedHeight: i32,
  paddedWidth: i32,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  strideY: i32,
  strideX: i32,
  padTop: i32,
  padLeft: i32,
  outHeight: i32,
  outWidth: i32,
  chunkImages: i32,
  chunk: i32,
): void {
  const pixel = <usize>channels * sizeof<T>();
  const wide = <usize>paddedWidth * pixel;
  const size = <usize>paddedHeight * wide;
  const area = padded + <usize>chunk * size;
  const results = <usize>filterCount * sizeof<T>();
  const sums = partials + <usize>chunk * <usize>taps * results;
  memory.fill(area, 0, size);
  memory.fill(sums, 0, <usize>taps * results);
  const to = min(count, (chunk + 1) * chunkImages);
  for (let n = chunk * chunkImages; n < to; n++) {
    const image = x + <usize>n * <usize>height * <usize>width * pixel;
    padImage(image, height, width, pixel, padTop, padLeft, area, paddedHeight, paddedWidth);
    const slopes = g + <usize>n * <usize>outHeight * <usize>outWidth * results;
    for (let t = 0; t < taps; t += 4) {
      const places = offsets + ((<usize>t) << 2);
      for (let k: usize = 0; k < results; k += 32) {
        const target = sums + <usize>t * results + k;
        const down = <usize>strideY * wide;
        const step = <usize>strideX * pixel;
        fourTaps<T>(
          area,
          down,
          step,
          places,
          slopes + k,
          results,
          outHeight,
          outWidth,
          target,
          min(4, taps - t),
        );
      }
    }
  }
}

/** The tile: four taps times two vectors of filters, summed over all positions of an image and added to `count` rows of sums. */
function fourTaps<T>(
  area: usize,
  down: usize,
  step: usize,
  offsets: usize,
  g: usize,
  results: usize,
  outHeight: i32,
  outWidth: i32,
  sums: usize,
  count: i32,
): void {
  const o0 = <usize>load<i32>(offsets);
  const o1 = <usize>load<i32>(offsets, 4);
  const o2 = <usize>load<i32>(offsets, 8);
  const o3 = <usize>load<i32>(offsets, 12);
  let a0 = v128.splat<T>(<T>0);
  let b0 = a0;
  let a1 = a0;
  let b1 = a0;
  let a2 = a0;
  let b2 = a0;
  let a3 = a0;
  let b3 = a0;
  for (let oy = 0; oy < outHeight; oy++, area += down) {
    let p = area;
    const end = p + <usize>outWidth * step;
    for (; p < end; p += step, g += results) {
      const f = v128.load(g);
      const h = v128.load(g, 16);
      let s = splatOf<T>(p + o0);
      a0 = v128.add<T>(a0, v128.mul<T>(s, f));
      b0 = v128.add<T>(b0, v128.mul<T>(s, h));
      s = splatOf<T>(p + o1);
      a1 = v128.add<T>(a1, v128.mul<T>(s, f));
      b1 = v128.add<T>(b1, v128.mul<T>(s, h));
      s = splatOf<T>(p + o2);
      a2 = v128.add<T>(a2, v128.mul<T>(s, f));
      b2 = v128.add<T>(b2, v128.mul<T>(s, h));
      s = splatOf<T>(p + o3);
      a3 = v128.add<T>(a3, v128.mul<T>(s, f));
      b3 = v128.add<T>(b3, v128.mul<T>(s, h));
    }
  }
  addPair<T>(sums, a0, b0);
  if (count > 1) addPair<T>(sums + results, a1, b1);
  if (count > 2) addPair<T>(sums + 2 * results, a2, b2);
  if (count > 3) addPair<T>(sums + 3 * results, a3, b3);
}

// @inline
function addPair<T>(at: usize, a: v128, b: v128): void {
  v128.store(at, v128.add<T>(v128.load(at), a));
  v128.store(at, v128.add<T>(v128.load(at, 16), b), 16);
}

/** out[e] (+)= Σ_c partials[c, e], in doubles and in the order of chunks. */
export function addFilterPartials<T>(
  partials: usize,
  chunks: i32,
  size: i32,
  out: usize,
  accumulate: i32,
): void {
  const w = sizeof<T>();
  for (let e = 0; e < size; e++) {
    let sum = accumulate ? <f64>load<T>(out + <usize>e * w) : 0;
    for (let c = 0; c < chunks; c++) sum += <f64>load<T>(partials + (<usize>c * <usize>size + <usize>e) * w);
    store<T>(out + <usize>e * w, <T>sum);
  }
}
