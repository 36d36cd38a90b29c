import { pair } from "../../shared/wide-sums";
import { Windows } from "../convolution.layout";
import { padImage } from "./padding";
import { nextOf, overnextOf, splatOf } from "./splat";

/**
 * The gradient of the filters over a chunk of images: partials[chunk, t, k] = Σ x[n, …]·g[n, oy, ox, k] for the taps t = (wy, wx, c).
 * g has the shape of the convolution's output; the other arguments are those of `convolveImages`.
 * padded    as there
 * offsets   the place of every tap in bytes from a window's first entry; a multiple of four of them, the last one repeated
 * inThrees  whether taps are threes of neighbours in memory: the first layer of 3 × 3 windows on grey or coloured images. A tile of four would
 *           leave a rest of one
 * partials  filters of `taps` rows per chunk
 */
export function filterGradientImages<T>(
  x: usize,
  g: usize,
  filterCount: i32,
  offsets: usize,
  taps: i32,
  inThrees: i32,
  partials: usize,
  padded: usize,
  paddedHeight: i32,
  paddedWidth: i32,
  shapeAt: usize,
  chunkImages: i32,
  chunk: i32,
): void {
  const shape = changetype<Windows>(shapeAt);
  const pixel = <usize>shape.channels * sizeof<T>();
  const wide = <usize>paddedWidth * pixel;
  const size = <usize>paddedHeight * wide;
  const area = padded + <usize>chunk * size;
  const results = <usize>filterCount * sizeof<T>();
  const sums = partials + <usize>chunk * <usize>taps * results;
  const down = <usize>shape.strideY * wide;
  const step = <usize>shape.strideX * pixel;
  const outHeight = shape.outHeight;
  const outWidth = shape.outWidth;
  memory.fill(area, 0, size);
  memory.fill(sums, 0, <usize>taps * results);
  const to = min(shape.count, (chunk + 1) * chunkImages);
  for (let n = chunk * chunkImages; n < to; n++) {
    const image = x + <usize>n * <usize>(shape.height * shape.width) * pixel;
    padImage(image, shape, pixel, area, paddedHeight, paddedWidth);
    const slopes = g + <usize>n * <usize>(outHeight * outWidth) * results;
    const together = inThrees ? 3 : 4;
    for (let t = 0; t < taps; t += together) {
      const places = offsets + ((<usize>t) << 2);
      for (let k: usize = 0; k < results; k += 32) {
        const own = slopes + k;
        const target = sums + <usize>t * results + k;
        if (inThrees) {
          const first = area + <usize>load<i32>(places);
          threeTaps<T>(first, down, step, own, results, outHeight, outWidth, target);
        } else {
          const rows = min(4, taps - t);
          fourTaps<T>(area, down, step, places, own, results, outHeight, outWidth, target, rows);
        }
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

/** The tile of three neighbouring taps: each of their offsets is a constant. */
function threeTaps<T>(
  area: usize,
  down: usize,
  step: usize,
  g: usize,
  results: usize,
  outHeight: i32,
  outWidth: i32,
  sums: usize,
): void {
  let a0 = v128.splat<T>(<T>0);
  let b0 = a0;
  let a1 = a0;
  let b1 = a0;
  let a2 = a0;
  let b2 = a0;
  for (let oy = 0; oy < outHeight; oy++, area += down) {
    let p = area;
    const end = p + <usize>outWidth * step;
    for (; p < end; p += step, g += results) {
      const f = v128.load(g);
      const h = v128.load(g, 16);
      let s = splatOf<T>(p);
      a0 = v128.add<T>(a0, v128.mul<T>(s, f));
      b0 = v128.add<T>(b0, v128.mul<T>(s, h));
      s = nextOf<T>(p);
      a1 = v128.add<T>(a1, v128.mul<T>(s, f));
      b1 = v128.add<T>(b1, v128.mul<T>(s, h));
      s = overnextOf<T>(p);
      a2 = v128.add<T>(a2, v128.mul<T>(s, f));
      b2 = v128.add<T>(b2, v128.mul<T>(s, h));
    }
  }
  addPair<T>(sums, a0, b0);
  addPair<T>(sums + results, a1, b1);
  addPair<T>(sums + 2 * results, a2, b2);
}

// @inline
function addPair<T>(at: usize, a: v128, b: v128): void {
  v128.store(at, v128.add<T>(v128.load(at), a));
  v128.store(at, v128.add<T>(v128.load(at, 16), b), 16);
}

/** out[e] (+)= Σ_c partials[c, e], in doubles and in the order of chunks; `size` is even. */
export function addFilterPartials<T>(
  partials: usize,
  chunks: i32,
  size: i32,
  out: usize,
  accumulate: i32,
): void {
  const bytes = <usize>size * sizeof<T>();
  for (let e: usize = 0; e < bytes; e += 2 * sizeof<T>()) {
    let sum = accumulate ? pair<T>(out + e) : f64x2.splat(0);
    let at = partials + e;
    for (let c = 0; c < chunks; c++, at += bytes) sum = f64x2.add(sum, pair<T>(at));
    if (sizeof<T>() == 4) v128.store64_lane(out + e, f32x4.demote_f64x2_zero(sum), 0);
    else v128.store(out + e, sum);
  }
}
