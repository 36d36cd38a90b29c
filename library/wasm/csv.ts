import { BAD_WIDTH, CsvFile, DONE, FULL, NOT_CLOSED, TEXT_AFTER_QUOTE } from "./csv/layout";

/**
 * Cells of CSV files, by RFC 4180, and what they hold. Kernels read what nearly all cells look like; where one looks different they
 * stop at its row, and the caller reads that cell and goes on after it. The twins are in src/numeric/csv/csv-cells.test.ts.
 */

const NEWLINE: i32 = 10;
const RETURN: i32 = 13;
const SPACE: i32 = 32;
const PLUS: i32 = 43;
const MINUS: i32 = 45;
const ZERO: i32 = 48;

/**
 * Constants of vectors, in memory: a loop keeps in registers what was loaded before it, but writes a constant anew each time, with four
 * instructions.
 */
const NEWLINES = memory.data<u8>([10]);
const RETURNS = memory.data<u8>([13]);
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

// @inline
function byteAt(text: usize, at: i32): i32 {
  return <i32>load<u8>(text + <usize>at);
}

/** How many bytes divide cells: no file has more cells. */
export function countBreaks(text: usize, length: i32, delimiter: i32): i32 {
  const delimiters = i8x16.splat(<i8>delimiter);
  const newlines = v128.load_splat<u8>(NEWLINES);
  const returns = v128.load_splat<u8>(RETURNS);
  let count: i32 = 0;
  let at: i32 = 0;
  for (; at + 16 <= length; at += 16) count += popcnt(breaksAt(text, at, delimiters, newlines, returns));
  for (; at < length; at++) {
    const code = byteAt(text, at);
    if (code == delimiter || code == NEWLINE || code == RETURN) count++;
  }
  return count;
}

/** Where the next delimiter or line break is; there is one. */
// @inline
function nextBreak(text: usize, from: i32, delimiters: v128, newlines: v128, returns: v128): i32 {
  let at = from;
  let mask = breaksAt(text, at, delimiters, newlines, returns);
  while (mask == 0) {
    at += 16;
    mask = breaksAt(text, at, delimiters, newlines, returns);
  }
  return at + ctz(mask);
}

/** Bit e: byte e from `at` on is a delimiter or part of a line break. */
// @inline
function breaksAt(text: usize, at: i32, delimiters: v128, newlines: v128, returns: v128): i32 {
  const bytes = v128.load(text + <usize>at);
  const lines = v128.or(i8x16.eq(bytes, newlines), i8x16.eq(bytes, returns));
  return i8x16.bitmask(v128.or(i8x16.eq(bytes, delimiters), lines));
}

/** Where the next quote is; `length` or more if there is none. */
// @inline
function nextQuote(text: usize, from: i32, length: i32, quotes: v128): i32 {
  for (let at = from; at < length; at += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(text + <usize>at), quotes));
    if (mask != 0) return at + ctz(mask);
  }
  return length;
}

/** Finds cells from row start `at` on until there are `most` rows. Rows without anything are passed over. */
export function findFields(file: CsvFile, most: i32): i32 {
  const text = file.text;
  const length = file.length;
  const delimiter = file.delimiter;
  const quote = file.quote;
  const trim = file.trim != 0;
  const delimiters = i8x16.splat(<i8>delimiter);
  const quotes = i8x16.splat(<i8>quote);
  const newlines = v128.load_splat<u8>(NEWLINES);
  const returns = v128.load_splat<u8>(RETURNS);
  let at = file.at;
  let cells = file.cells;
  while (at < length && file.rows < most) {
    const rowStart = at;
    const first = cells;
    let code: i32 = delimiter;
    while (code == delimiter) {
      if (cells == file.capacity) {
        file.at = rowStart;
        file.cells = first;
        return FULL;
      }
      const cell = (<usize>cells) << 2;
      code = byteAt(text, at);
      if (trim) while (code == SPACE) code = byteAt(text, ++at);
      if (code == quote) {
        const open = at;
        let isDoubled = false;
        for (at++; ; at += 2) {
          at = nextQuote(text, at, length, quotes);
          if (at >= length) {
            file.wrongAt = open;
            return NOT_CLOSED;
          }
          if (byteAt(text, at + 1) != quote) break;
          isDoubled = true;
        }
        store<i32>(file.starts + cell, open + 1);
        store<i32>(file.ends + cell, isDoubled ? ~at : at);
        const close = at++;
        if (trim) while (byteAt(text, at) == SPACE) at++;
        code = byteAt(text, at);
        if (code != delimiter && code != NEWLINE && code != RETURN) {
          file.wrongAt = close;
          return TEXT_AFTER_QUOTE;
        }
      } else {
        store<i32>(file.starts + cell, at);
        const start = at;
        at = nextBreak(text, at, delimiters, newlines, returns);
        code = byteAt(text, at);
        let end = at;
        if (trim) while (end > start && byteAt(text, end - 1) == SPACE) end--;
        store<i32>(file.ends + cell, end);
      }
      cells++;
      at++;
    }
    if (code == RETURN && byteAt(text, at) == NEWLINE) at++;
    const width = cells - first;
    if (width == 1 && isBlank(file, first)) cells = first;
    else if (file.cols < 0 || width == file.cols) {
      file.cols = width;
      file.rows++;
    } else {
      file.at = at;
      file.cells = first;
      file.wrongAt = rowStart;
      file.width = width;
      return BAD_WIDTH;
    }
  }
  file.at = at;
  file.cells = cells;
  return DONE;
}

/** A cell without anything; quotes around nothing are something. */
function isBlank(file: CsvFile, f: i32): bool {
  const cell = (<usize>f) << 2;
  const start = load<i32>(file.starts + cell);
  if (load<i32>(file.ends + cell) != start) return false;
  return start == 0 || byteAt(file.text, start - 1) != file.quote;
}

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
 * is no plain number, or one that a double does not hold at first sight; `exactly`: also at integers of more than 15 digits or
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
    // More digits than these are no exponent of a double.
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

// @inline
function pairAt(text: usize, at: i32): i32 {
  const tens = byteAt(text, at) - ZERO;
  const ones = byteAt(text, at + 1) - ZERO;
  return <u32>tens <= 9 && <u32>ones <= 9 ? 10 * tens + ones : -10000;
}

// @inline
function daysIn(year: i32, month: i32): i32 {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/** Column `col` as days YYYY-MM-DD, in milliseconds since 1970; rows and the result as in `readNumbers`. */
export function readDays(
  file: CsvFile,
  col: i32,
  first: i32,
  from: i32,
  rows: i32,
  emptyIsMissing: bool,
  out: usize,
): i32 {
  const text = file.text;
  const cols = <usize>file.cols;
  let cell = ((<usize>first + <usize>from) * cols + <usize>col) << 2;
  for (let row = from; row < rows; row++, cell += cols << 2) {
    const start = load<i32>(file.starts + cell);
    const end = load<i32>(file.ends + cell);
    if (start == end && emptyIsMissing) {
      store<f64>(out + ((<usize>row) << 3), NaN);
      continue;
    }
    if (end - start != 10 || byteAt(text, start + 4) != MINUS || byteAt(text, start + 7) != MINUS) return row;
    const year = 100 * pairAt(text, start) + pairAt(text, start + 2);
    const month = pairAt(text, start + 5);
    const day = pairAt(text, start + 8);
    if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return row;
    store<f64>(out + ((<usize>row) << 3), 86400000 * <f64>daysBefore(year, month, day));
  }
  return rows;
}

/** Days since 1970 in the Gregorian calendar, in which years begin in March [Hinnant 2013]. Years from 0 on. */
// @inline
function daysBefore(year: i32, month: i32, day: i32): i32 {
  // 400 years have as many days always; they keep the year before year 0 above 0.
  const y = (month <= 2 ? year - 1 : year) + 400;
  const dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return 365 * y + y / 4 - y / 100 + y / 400 + dayOfYear - 719468 - 146097;
}

/** The first `length` bytes of up to 8 from `at` on. */
// @inline
function upToEight(at: usize, length: i32): u64 {
  const bytes = load<u64>(at);
  return length >= 8 ? bytes : bytes & (((<u64>1) << ((<u64>length) << 3)) - 1);
}

/** Of the length and at most 16 bytes, at both ends. */
// @inline
function hashOf(at: usize, length: i32): u32 {
  const front = upToEight(at, length);
  const back: u64 = length > 8 ? load<u64>(at + <usize>length - 8) : 0;
  // Odd constants without a pattern: the golden ratio and √2 in 64 bits.
  const mixed = ((front ^ <u64>length) * 0x9e3779b97f4a7c15) ^ (rotl<u64>(back, 29) * 0x6a09e667f3bcc909);
  return <u32>(((mixed ^ (mixed >> 32)) * 0x9e3779b97f4a7c15) >> 32);
}

function areEqual(a: usize, b: usize, length: i32): bool {
  let e: i32 = 0;
  for (; e + 8 <= length; e += 8) if (load<u64>(a + <usize>e) != load<u64>(b + <usize>e)) return false;
  return upToEight(a + <usize>e, length - e) == upToEight(b + <usize>e, length - e);
}

/**
 * Numbers the different cells of column `col` in the order in which they appear, by their bytes between the quotes. `codes` has one entry
 * per row; `places` the first cell of each number. A table of hashes grows in `slots`: 2^k integers, more than 2 `most`; `hashes` has
 * room for `most`. Returns how many there are, or −1 if more than `most`.
 */
export function readCategories(
  file: CsvFile,
  col: i32,
  first: i32,
  rows: i32,
  most: i32,
  codes: usize,
  slots: usize,
  hashes: usize,
  places: usize,
): i32 {
  const text = file.text;
  const cols = <usize>file.cols;
  let mask: u32 = 255;
  memory.fill(slots, 255, 1024);
  let count: i32 = 0;
  let cell = (<usize>first * cols + <usize>col) << 2;
  for (let row = 0; row < rows; row++, cell += cols << 2) {
    const start = load<i32>(file.starts + cell);
    const stored = load<i32>(file.ends + cell);
    const length = (stored < 0 ? ~stored : stored) - start;
    const at = text + <usize>start;
    const hash = hashOf(at, length);
    let slot = hash & mask;
    let code = load<i32>(slots + ((<usize>slot) << 2));
    while (code >= 0) {
      if (load<u32>(hashes + ((<usize>code) << 2)) == hash) {
        const place = (<usize>load<i32>(places + ((<usize>code) << 2))) << 2;
        const other = load<i32>(file.starts + place);
        const end = load<i32>(file.ends + place);
        if ((end < 0 ? ~end : end) - other == length && areEqual(at, text + <usize>other, length)) break;
      }
      slot = (slot + 1) & mask;
      code = load<i32>(slots + ((<usize>slot) << 2));
    }
    if (code < 0) {
      if (count == most) return -1;
      code = count++;
      store<u32>(hashes + ((<usize>code) << 2), hash);
      store<i32>(places + ((<usize>code) << 2), <i32>(cell >> 2));
      store<i32>(slots + ((<usize>slot) << 2), code);
      if (2 * count > <i32>mask) {
        mask = 2 * mask + 1;
        spread(slots, mask, hashes, count);
      }
    }
    store<i32>(codes + ((<usize>row) << 2), code);
  }
  return count;
}

/** The table of hashes again, with mask + 1 slots. */
function spread(slots: usize, mask: u32, hashes: usize, count: i32): void {
  memory.fill(slots, 255, (<usize>mask + 1) << 2);
  for (let code = 0; code < count; code++) {
    let slot = load<u32>(hashes + ((<usize>code) << 2)) & mask;
    while (load<i32>(slots + ((<usize>slot) << 2)) >= 0) slot = (slot + 1) & mask;
    store<i32>(slots + ((<usize>slot) << 2), code);
  }
}
