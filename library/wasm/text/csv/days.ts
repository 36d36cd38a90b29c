import { CsvFile } from "../csv.layout";
import { byteAt, MINUS, ZERO } from "./bytes";

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
