import { byteAt, NEWLINE, RETURN, SPACE } from "./csv/bytes";
import { BAD_WIDTH, CsvFile, DONE, FULL, NOT_CLOSED, TEXT_AFTER_QUOTE } from "./csv.layout";

export { readCategories } from "./csv/categories";
export { readDays } from "./csv/days";
export { readNumbers } from "./csv/numbers";

/**
 * Cells of CSV files, by RFC 4180, and what they hold. Kernels read what nearly all cells look like; where one looks different they
 * stop at its row, and the caller reads that cell and goes on after it. The twins are in src/numeric/csv/csv-cells.test.ts.
 */

/** Kept in registers by loops; see csv/numbers.ts. */
const NEWLINES = memory.data<u8>([10]);
const RETURNS = memory.data<u8>([13]);

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

/** Where the cell whose quote is at `open` is closed, or ~ that if quotes inside are doubled; `length` or more if it is not closed. */
// @inline
function closingQuote(text: usize, open: i32, length: i32, quote: i32, quotes: v128): i32 {
  let isDoubled = false;
  let at = open + 1;
  for (; ; at += 2) {
    at = nextQuote(text, at, length, quotes);
    if (at >= length || byteAt(text, at + 1) != quote) break;
    isDoubled = true;
  }
  return isDoubled ? ~at : at;
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
      if (cells == file.capacity) return stop(file, rowStart, first, FULL);
      const cell = (<usize>cells) << 2;
      code = byteAt(text, at);
      if (trim) while (code == SPACE) code = byteAt(text, ++at);
      if (code == quote) {
        const close = closingQuote(text, at, length, quote, quotes);
        const end = close < 0 ? ~close : close;
        if (end >= length) return fail(file, at, NOT_CLOSED);
        store<i32>(file.starts + cell, at + 1);
        store<i32>(file.ends + cell, close);
        at = end + 1;
        if (trim) while (byteAt(text, at) == SPACE) at++;
        code = byteAt(text, at);
        if (code != delimiter && code != NEWLINE && code != RETURN) return fail(file, end, TEXT_AFTER_QUOTE);
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
      file.wrongAt = rowStart;
      file.width = width;
      return stop(file, at, first, BAD_WIDTH);
    }
  }
  return stop(file, at, cells, DONE);
}

/** Where to go on, and how many cells there are until then. */
// @inline
function stop(file: CsvFile, at: i32, cells: i32, outcome: i32): i32 {
  file.at = at;
  file.cells = cells;
  return outcome;
}

// @inline
function fail(file: CsvFile, at: i32, outcome: i32): i32 {
  file.wrongAt = at;
  return outcome;
}

/** A cell without anything; quotes around nothing are something. */
function isBlank(file: CsvFile, f: i32): bool {
  const cell = (<usize>f) << 2;
  const start = load<i32>(file.starts + cell);
  if (load<i32>(file.ends + cell) != start) return false;
  return start == 0 || byteAt(file.text, start - 1) != file.quote;
}
