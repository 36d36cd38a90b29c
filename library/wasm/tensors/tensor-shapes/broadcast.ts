/** Codes of `src/numeric/tensors/broadcasting.ts`, in its order; the last two are for operands in the other order. */
// @inline
const ADD: i32 = 0;
// @inline
const SUBTRACT: i32 = 1;
// @inline
const MULTIPLY: i32 = 2;
// @inline
const DIVIDE: i32 = 3;
// @inline
const MAXIMUM: i32 = 4;
// @inline
const MINIMUM: i32 = 5;
// @inline
const SUBTRACT_FROM: i32 = 6;
// @inline
const DIVIDE_INTO: i32 = 7;

// @inline
function vector<T>(code: i32, x: v128, y: v128): v128 {
  if (code == ADD) return v128.add<T>(x, y);
  if (code == SUBTRACT) return v128.sub<T>(x, y);
  if (code == MULTIPLY) return v128.mul<T>(x, y);
  if (code == DIVIDE) return v128.div<T>(x, y);
  if (code == MAXIMUM) return v128.max<T>(x, y);
  if (code == MINIMUM) return v128.min<T>(x, y);
  if (code == SUBTRACT_FROM) return v128.sub<T>(y, x);
  return v128.div<T>(y, x);
}

// @inline
function scalar<T>(code: i32, x: T, y: T): T {
  if (code == ADD) return <T>(x + y);
  if (code == SUBTRACT) return <T>(x - y);
  if (code == MULTIPLY) return <T>(x * y);
  if (code == DIVIDE) return <T>(x / y);
  if (code == MAXIMUM) return max<T>(x, y);
  if (code == MINIMUM) return min<T>(x, y);
  if (code == SUBTRACT_FROM) return <T>(y - x);
  return <T>(y / x);
}

/** Rows from … to − 1 with a constant code: compiled once per code. */
// @inline
function rowsOf<T>(
  code: i32,
  a: usize,
  b: usize,
  out: usize,
  middle: i32,
  inner: i32,
  a1: usize,
  a2: usize,
  b1: usize,
  b2: usize,
  alongB: i32,
  from: i32,
  to: i32,
): void {
  const bytes = <usize>inner * sizeof<T>();
  const whole = bytes & ~15;
  let i1 = from / middle;
  let i2 = from % middle;
  let z = out + <usize>from * bytes;
  for (let r = from; r < to; r++, z += bytes) {
    const x = a + <usize>i1 * a1 + <usize>i2 * a2;
    const y = b + <usize>i1 * b1 + <usize>i2 * b2;
    let e: usize = 0;
    if (alongB) {
      for (; e < whole; e += 16) {
        v128.store(z + e, vector<T>(code, v128.load(x + e), v128.load(y + e)));
      }
      for (; e < bytes; e += sizeof<T>()) {
        store<T>(z + e, scalar<T>(code, load<T>(x + e), load<T>(y + e)));
      }
    } else {
      const one = load<T>(y);
      const all = v128.splat<T>(one);
      for (; e < whole; e += 16) v128.store(z + e, vector<T>(code, v128.load(x + e), all));
      for (; e < bytes; e += sizeof<T>()) store<T>(z + e, scalar<T>(code, load<T>(x + e), one));
    }
    if (++i2 == middle) {
      i2 = 0;
      i1++;
    }
  }
}

/**
 * out = a ∘ b for a chunk of rows; out is outer × middle × inner, row-major, and a row is `inner` entries.
 * a1, a2, b1, b2   entries between the outer and the middle neighbours of a and b; 0 along broadcast axes
 * alongB           1: b has a row too, 0: one number per row. a always has a row.
 * out may be a or b where that one has out's shape. Nothing is written past the last entry.
 */
export function binaryRows<T>(
  code: i32,
  a: usize,
  b: usize,
  out: usize,
  rows: i32,
  middle: i32,
  inner: i32,
  a1: i32,
  a2: i32,
  b1: i32,
  b2: i32,
  alongB: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const p = <usize>a1 * w;
  const q = <usize>a2 * w;
  const s = <usize>b1 * w;
  const t = <usize>b2 * w;
  const from = chunk * chunkRows;
  const to = min(rows, from + chunkRows);
  if (code == ADD) rowsOf<T>(ADD, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
  else if (code == SUBTRACT) rowsOf<T>(SUBTRACT, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
  else if (code == MULTIPLY) rowsOf<T>(MULTIPLY, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
  else if (code == DIVIDE) rowsOf<T>(DIVIDE, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
  else if (code == MAXIMUM) rowsOf<T>(MAXIMUM, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
  else if (code == MINIMUM) rowsOf<T>(MINIMUM, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
  else if (code == SUBTRACT_FROM)
    rowsOf<T>(SUBTRACT_FROM, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
  else rowsOf<T>(DIVIDE_INTO, a, b, out, middle, inner, p, q, s, t, alongB, from, to);
}
