/**
 * Convolution of f32 with windows of 3 × 3 and strides of 1 by F(2×2, 3×3) of Lavin and Gray, "Fast Algorithms for Convolutional Neural
 * Networks" (2016): a tile of 2 × 2 outputs takes 16 products per channel and filter instead of 36.
 *
 *   out = A [ Σ_c (G f G') ∘ (B x B') ] A',   ∂f = G' [ Σ_tiles (B x B') ∘ (A' g A) ] G,   ' the transpose
 *
 *       ⎡1  0 −1  0⎤       ⎡ 1   0   0⎤
 *   B = ⎢0  1  1  0⎥   G = ⎢ ½   ½   ½⎥   A = ⎡1  1  1  0⎤
 *       ⎢0 −1  1  0⎥       ⎢ ½  −½   ½⎥       ⎣0  1 −1  1⎦
 *       ⎣0 −1  0  1⎦       ⎣ 0   0   1⎦
 *
 * where x is a tile of 4 × 4 inputs and g one of 2 × 2 gradients. Entry p of 16 of all transformed tiles of a block is a matrix, so that the
 * sums are 16 products of matrices. The last row of A and B has the opposite sign of the paper's: no entry of A' g A is negated.
 */

/**
 * The transformed filters G f G': out[p, k / 8, c, k % 8] of filters[y, x, c, k].
 * On entry: `filterCount` is a multiple of 8.
 */
export function transformFilters(filters: usize, channels: i32, filterCount: i32, out: usize): void {
  const results = (<usize>filterCount) << 2;
  const tap = <usize>channels * results;
  for (let c = 0; c < channels; c++) {
    for (let k: usize = 0; k < results; k += 16) {
      let from = filters + <usize>c * results + k;
      const to = out + (k >> 5) * ((<usize>channels) << 5) + ((<usize>c) << 5) + (k & 31);
      // Rows of G f in place of the columns of f.
      for (let x = 0; x < 3; x++, from += tap) {
        const f0 = v128.load(from);
        const f1 = v128.load(from + 3 * tap);
        const f2 = v128.load(from + 6 * tap);
        const sum = halfOf(f32x4.add(f0, f2));
        const middle = halfOf(f1);
        const at = to + <usize>x * tap;
        v128.store(at, f0);
        v128.store(at + 4 * tap, f32x4.add(sum, middle));
        v128.store(at + 8 * tap, f32x4.sub(sum, middle));
        v128.store(at + 12 * tap, f2);
      }
      for (let y: usize = 0; y < 4; y++) {
        const at = to + 4 * y * tap;
        const f1 = v128.load(at + tap);
        const f2 = v128.load(at + 2 * tap);
        const sum = halfOf(f32x4.add(v128.load(at), f2));
        const middle = halfOf(f1);
        v128.store(at + tap, f32x4.add(sum, middle));
        v128.store(at + 2 * tap, f32x4.sub(sum, middle));
        v128.store(at + 3 * tap, f2);
      }
    }
  }
}

// @inline
function halfOf(v: v128): v128 {
  return f32x4.mul(v, f32x4.splat(0.5));
}

/**
 * B x B' of a tile of all channels. As for the other transforms, the entries of four channels or filters are neighbours:
 * out[c / 4, p, c % 4].
 */
// @inline
export function transformInput(x: usize, wide: usize, pixel: usize, out: usize): void {
  for (let c: usize = 0; c < pixel; c += 16, out += 256) {
    let p = x + c;
    const a0 = v128.load(p);
    const a1 = v128.load(p + pixel);
    const a2 = v128.load(p + 2 * pixel);
    const a3 = v128.load(p + 3 * pixel);
    p += wide;
    const b0 = v128.load(p);
    const b1 = v128.load(p + pixel);
    const b2 = v128.load(p + 2 * pixel);
    const b3 = v128.load(p + 3 * pixel);
    p += wide;
    const c0 = v128.load(p);
    const c1 = v128.load(p + pixel);
    const c2 = v128.load(p + 2 * pixel);
    const c3 = v128.load(p + 3 * pixel);
    p += wide;
    const d0 = f32x4.sub(v128.load(p), b0);
    const d1 = f32x4.sub(v128.load(p + pixel), b1);
    const d2 = f32x4.sub(v128.load(p + 2 * pixel), b2);
    const d3 = f32x4.sub(v128.load(p + 3 * pixel), b3);
    storeInputRow(out, f32x4.sub(a0, c0), f32x4.sub(a1, c1), f32x4.sub(a2, c2), f32x4.sub(a3, c3));
    storeInputRow(out + 64, f32x4.add(b0, c0), f32x4.add(b1, c1), f32x4.add(b2, c2), f32x4.add(b3, c3));
    storeInputRow(out + 128, f32x4.sub(c0, b0), f32x4.sub(c1, b1), f32x4.sub(c2, b2), f32x4.sub(c3, b3));
    storeInputRow(out + 192, d0, d1, d2, d3);
  }
}

/** A row of B x, times B'. */
// @inline
function storeInputRow(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(out, f32x4.sub(a, c));
  v128.store(out, f32x4.add(b, c), 16);
  v128.store(out, f32x4.sub(c, b), 32);
  v128.store(out, f32x4.sub(d, b), 48);
}

/**
 * A m A' of a tile, with bias and floor: to `out`, `right` bytes after it and `below` bytes after both; `right` or `below` is 0 where the
 * image ends. The first outputs are stored last, over those outside the image.
 */
// @inline
export function transformOutput(
  m: usize,
  results: usize,
  bias: usize,
  floor: f32,
  out: usize,
  right: usize,
  below: usize,
): void {
  const low = f32x4.splat(floor);
  for (let k: usize = 0; k < results; k += 16, m += 256, out += 16) {
    const l0 = leftOf(m);
    const r0 = rightOf(m);
    // The entry that all four outputs contain once.
    const central = bias ? f32x4.add(v128.load(m, 80), v128.load(bias + k)) : v128.load(m, 80);
    const l1 = f32x4.add(v128.load(m, 64), f32x4.add(central, v128.load(m, 96)));
    const r1 = f32x4.add(f32x4.sub(central, v128.load(m, 96)), v128.load(m, 112));
    const l2 = leftOf(m + 128);
    const r2 = rightOf(m + 128);
    const l3 = leftOf(m + 192);
    const r3 = rightOf(m + 192);
    storeOutput(out + below + right, f32x4.add(f32x4.sub(r1, r2), r3), low);
    storeOutput(out + below, f32x4.add(f32x4.sub(l1, l2), l3), low);
    storeOutput(out + right, f32x4.add(r0, f32x4.add(r1, r2)), low);
    storeOutput(out, f32x4.add(l0, f32x4.add(l1, l2)), low);
  }
}

/** A row of m times the first column of A'. */
// @inline
function leftOf(m: usize): v128 {
  return f32x4.add(v128.load(m), f32x4.add(v128.load(m, 16), v128.load(m, 32)));
}

/** A row of m times the second column of A'. */
// @inline
function rightOf(m: usize): v128 {
  return f32x4.add(f32x4.sub(v128.load(m, 16), v128.load(m, 32)), v128.load(m, 48));
}

/** NaN stays NaN. */
// @inline
function storeOutput(out: usize, sum: v128, low: v128): void {
  v128.store(out, f32x4.pmax(sum, low));
}

/** A' g A of a tile of all filters. `right` and `below` as in `transformOutput`. */
// @inline
export function transformGradient(g: usize, results: usize, right: usize, below: usize, out: usize): void {
  const zero = f32x4.splat(0);
  for (let k: usize = 0; k < results; k += 16, g += 16, out += 256) {
    const a = v128.load(g);
    const b = right ? v128.load(g + right) : zero;
    const c = below ? v128.load(g + below) : zero;
    const d = right && below ? v128.load(g + below + right) : zero;
    storeGradientRow(out, a, b);
    storeGradientRow(out + 64, f32x4.add(a, c), f32x4.add(b, d));
    storeGradientRow(out + 128, f32x4.sub(a, c), f32x4.sub(b, d));
    storeGradientRow(out + 192, c, d);
  }
}

/** A row of A' g, times A. */
// @inline
function storeGradientRow(out: usize, a: v128, b: v128): void {
  v128.store(out, a);
  v128.store(out, f32x4.add(a, b), 16);
  v128.store(out, f32x4.sub(a, b), 32);
  v128.store(out, b, 48);
}

/** The gradient of the filters from that of the transformed ones: out = G' s G, where entry p of s is s + p · bytes; `bytes` per entry. */
export function transformSums(s: usize, bytes: usize, out: usize): void {
  for (let e: usize = 0; e < bytes; e += 16, s += 16, out += 16) {
    // Rows of G' s in place of those of s.
    for (let x: usize = 0; x < 4; x++) {
      const at = s + x * bytes;
      const s1 = v128.load(at + 4 * bytes);
      const s2 = v128.load(at + 8 * bytes);
      const sum = halfOf(f32x4.add(s1, s2));
      v128.store(at, f32x4.add(v128.load(at), sum));
      v128.store(at + 4 * bytes, halfOf(f32x4.sub(s1, s2)));
      v128.store(at + 8 * bytes, f32x4.add(sum, v128.load(at + 12 * bytes)));
    }
    for (let y: usize = 0; y < 3; y++) {
      const at = s + 4 * y * bytes;
      const s1 = v128.load(at + bytes);
      const s2 = v128.load(at + 2 * bytes);
      const sum = halfOf(f32x4.add(s1, s2));
      const to = out + 3 * y * bytes;
      v128.store(to, f32x4.add(v128.load(at), sum));
      v128.store(to + bytes, halfOf(f32x4.sub(s1, s2)));
      v128.store(to + 2 * bytes, f32x4.add(sum, v128.load(at + 3 * bytes)));
    }
  }
}
