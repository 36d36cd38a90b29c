/** The random number generator of a tree [Marsaglia 2003, xorshift]. */
let state: u32 = 1;

/** `seed` must not be 0. */
export function seedDraws(seed: u32): void {
  state = seed;
}

/** A random 32-bit word. */
export function draw(): u32 {
  let s = state;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  state = s;
  return s;
}

/** A random number between low and high, below high. */
// @inline
export function drawBetween(low: f64, high: f64): f64 {
  const value = low + (<f64>draw() / 4294967296) * (high - low);
  return value < high ? value : low;
}

/** A random integer below n [Lemire 2019, without rejection: n is far below 2³²]. */
// @inline
export function drawBelow(n: i32): i32 {
  return <i32>((<u64>draw() * <u64>n) >> 32);
}

/**
 * Draws columns for the places `next`, `next` + 1, … of a random order until one is marked; returns its place, or `end`.
 * marks   a byte per column
 * Fast for very many columns of which few are marked: the state stays in a register.
 */
export function drawMarked(order: usize, next: i32, end: i32, columns: i32, marks: usize): i32 {
  let s = state;
  let place = order + ((<usize>next) << 2);
  const last = order + ((<usize>end) << 2);
  let left = <u64>(columns - next);
  for (; place < last; place += 4, left--) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    const other = place + ((<usize>((<u64>s * left) >> 32)) << 2);
    const column = load<i32>(other);
    store<i32>(other, load<i32>(place));
    store<i32>(place, column);
    if (load<u8>(marks + <usize>column) != 0) break;
  }
  state = s;
  return <i32>((place - order) >> 2);
}
