import { CsvFile } from "../csv.layout";
import { byteAt, MINUS, PLUS, ZERO } from "./bytes";

/**
 * Constants of vectors, in memory: a loop keeps in registers what was loaded before it, but writes a constant anew each time, with four
 * instructions.
 */
const ZEROS = memory.data<u8>([48]);
const NINES = memory.data<u8>([9]);
const LOW_BYTES = memory.data<i16>([255]);
const TENFOLD = memory.data<i16>([10]);
/** 100 and 1, 10,000 and 1 in halves of 32 bits. */
const HUNDREDFOLD = memory.data<i32>([65636]);
const MYRIADFOLD = memory.data<i32>([75536]);
const LANES = memory.data<u8>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
/** From byte k on: 16 − k zeros, then ones. */
const LAST_LANES = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255,
]);
/** From byte k on: 16 − k times −1, then zeros. */
const FIRST_LANES = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0,
]);

/** Digits that 64 bits always hold. */
const LONG_DIGITS: i32 = 19;
/** Digits of an integer that a double always holds. */
const EXACT_DIGITS: i32 = 15;
/** Splits a double into halves of 26 bits. */
const SPLIT: f64 = 134217729;
/** Relative error of the quotient to twice the precision, which is below 2⁻¹⁰⁰; four times that. */
const DOUBT: f64 = 3.1554436208840472e-30;

/** Powers of ten that are exact in 64 bits, 10⁰ … 10²². */
const TENS = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
  1e20, 1e21, 1e22,
]);

// @inline
function powerOfTen(k: i32): f64 {
  return load<f64>(TENS + ((<usize>k) << 3));
}

/**
 * Column `col` as numbers, from row `from` on (rows of the table, of which row 0 is row `first` of the file). Stops at a row whose cell
 * is not a plain number, or one that a double does not hold at first sight; `exactly`: also at integers of more than 15 digits or
 * with a zero in front. An empty cell is NaN if `emptyIsMissing`. Returns the row, or `rows`.
 */
export function readNumbers(
  file: CsvFile,
  col: i32,
  first: i32,
  from: i32,
  rows: i32,
  mark: i32,
  exactly: bool,
  emptyIsMissing: bool,
  out: usize,
): i32 {
  const cols = file.cols;
  let row = from;
  for (; ; row++) {
    row = shortNumbers(file, col, first, row, rows, mark, exactly, emptyIsMissing, out);
    if (row == rows) break;
    const cell = (<usize>((first + row) * cols + col)) << 2;
    const start = load<i32>(file.starts + cell);
    const value = longNumber(file.text, start, load<i32>(file.ends + cell), mark, exactly);
    if (value != value) break;
    store<f64>(out + ((<usize>row) << 3), value);
  }
  return row;
}

/**
 * The same for cells of digits and at most one mark, 16 bytes or fewer after the sign, each in one step; stops at others. Up to 16 bytes
 * before a cell are read.
 */
function shortNumbers(
  file: CsvFile,
  col: i32,
  first: i32,
  from: i32,
  rows: i32,
  mark: i32,
  exactly: bool,
  emptyIsMissing: bool,
  out: usize,
): i32 {
  const text = file.text;
  const starts = file.starts;
  const ends = file.ends;
  const cols = <usize>file.cols;
  const zeros = v128.load_splat<u8>(ZEROS);
  const nines = v128.load_splat<u8>(NINES);
  const lanes = v128.load(LANES);
  const lowBytes = v128.load_splat<i16>(LOW_BYTES);
  const tenfold = v128.load_splat<i16>(TENFOLD);
  const hundredfold = v128.load_splat<i32>(HUNDREDFOLD);
  const myriadfold = v128.load_splat<i32>(MYRIADFOLD);
  let cell = ((<usize>first + <usize>from) * cols + <usize>col) << 2;
  for (let row = from; row < rows; row++, cell += cols << 2) {
    const start = load<i32>(starts + cell);
    const end = load<i32>(ends + cell);
    if (start == end && emptyIsMissing) {
      store<f64>(out + ((<usize>row) << 3), NaN);
      continue;
    }
    const sign = byteAt(text, start);
    // Without a branch: signs of data are not predictable.
    const at = start + (i32(sign == MINUS) | i32(sign == PLUS));
    const length = end - at;
    if (<u32>(length - 1) > 15) return row;
    // The cell ends with the last lane; lanes before it are zeros.
    const bytes = v128.load(text + <usize>end - 16);
    let digits = v128.and(i8x16.sub(bytes, zeros), v128.load(LAST_LANES + <usize>length));
    const others = i8x16.bitmask(i8x16.gt_u(digits, nines));
    let power: i32 = 0;
    if (others != 0) {
      const point = ctz(others);
      if ((others & (others - 1)) != 0 || length == 1 || byteAt(text, end - 16 + point) != mark) return row;
      power = 15 - point;
      // Lanes up to the mark come from one lane before.
      digits = i8x16.swizzle(digits, i8x16.add(lanes, v128.load(FIRST_LANES + <usize>power)));
    } else if (exactly && (length > EXACT_DIGITS || (length > 1 && byteAt(text, at) == ZERO))) return row;
    // Two digits, four, eight: the first half of each group times its power of ten, plus the second.
    const pairs = i16x8.add(i16x8.mul(v128.and(digits, lowBytes), tenfold), i16x8.shr_u(digits, 8));
    const quads = i32x4.dot_i16x8_s(pairs, hundredfold);
    const eights = i32x4.dot_i16x8_s(i16x8.narrow_i32x4_s(quads, quads), myriadfold);
    const mantissa = <i64>i32x4.extract_lane(eights, 0) * 100000000 + <i64>i32x4.extract_lane(eights, 1);
    if (mantissa >= 9007199254740992) return row;
    const size = reinterpret<u64>(<f64>mantissa / powerOfTen(power));
    store<u64>(out + ((<usize>row) << 3), size | ((<u64>(sign == MINUS)) << 63));
  }
  return rows;
}

/** Any plain number; NaN for one that `readNumbers` stops at. */
function longNumber(text: usize, start: i32, end: i32, mark: i32, exactly: bool): f64 {
  let at = start;
  let code = byteAt(text, at);
  const isNegative = code == MINUS;
  if (isNegative || code == PLUS) code = byteAt(text, ++at);
  const digits = at;
  let mantissa: u64 = 0;
  let digit = code - ZERO;
  for (; <u32>digit <= 9; digit = byteAt(text, ++at) - ZERO) mantissa = 10 * mantissa + <u64>digit;
  let count = at - digits;
  let exponent: i32 = 0;
  if (digit + ZERO == mark) {
    const point = at;
    for (digit = byteAt(text, ++at) - ZERO; <u32>digit <= 9; digit = byteAt(text, ++at) - ZERO)
      mantissa = 10 * mantissa + <u64>digit;
    exponent = point + 1 - at;
    count -= exponent;
  } else if (exactly && at == end && (count > EXACT_DIGITS || (count > 1 && byteAt(text, digits) == ZERO))) {
    return NaN;
  }
  if (count == 0 || count > LONG_DIGITS) return NaN;
  // `e` or `E`: bit 5 of a letter is its case.
  if (at < end && ((digit + ZERO) | 32) == 101) {
    let after = at + 1;
    const below = byteAt(text, after) == MINUS;
    if (below || byteAt(text, after) == PLUS) after++;
    const power = after;
    let size: i32 = 0;
    // More digits than these are not an exponent of a double.
    for (
      digit = byteAt(text, after) - ZERO;
      <u32>digit <= 9 && after < power + 4;
      digit = byteAt(text, ++after) - ZERO
    )
      size = 10 * size + digit;
    if (after == power) return NaN;
    exponent += below ? -size : size;
    at = after;
  }
  if (at != end || exponent < -22 || exponent > 22) return NaN;
  let size: f64;
  if (mantissa < 9007199254740992) {
    size = exponent < 0 ? <f64>mantissa / powerOfTen(-exponent) : <f64>mantissa * powerOfTen(exponent);
  } else {
    if (exponent > 0) return NaN;
    size = quotientOf(mantissa, powerOfTen(-exponent));
  }
  return isNegative ? -size : size;
}

/** mantissa / power, rounded once; NaN if the error of the quotient could change its rounding. */
function quotientOf(mantissa: u64, power: f64): f64 {
  // The mantissa as a sum of two doubles, exactly.
  const sum = <f64>mantissa;
  const error = <f64>(<i64>(mantissa - <u64>sum));
  const quotient = sum / power;
  const taken = quotient * power;
  const left = sum - taken - errorOfProduct(quotient, power, taken) + error;
  const more = left / power;
  const doubt = quotient * DOUBT;
  const below = quotient + (more - doubt);
  return below == quotient + (more + doubt) ? below : NaN;
}

/** a·b − fl(a·b), exactly [Dekker 1971]. */
// @inline
function errorOfProduct(a: f64, b: f64, product: f64): f64 {
  const p = SPLIT * a;
  const aHigh = p - (p - a);
  const aLow = a - aHigh;
  const q = SPLIT * b;
  const bHigh = q - (q - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
