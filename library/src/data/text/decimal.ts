const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const UPPER_E = 69;
const LOWER_E = 101;

/** Powers of ten that are exact in 64 bits. */
const TENS = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));
/** Digits that always make an integer below 2⁵³. */
const EXACT_DIGITS = 15;
/** Digits of a number that are read beyond these; more are left to `Number`. */
const MORE_DIGITS = 6;

/**
 * Reads decimal numbers from ASCII bytes. Digits that make an integer below 2⁵³ and a power of ten up to 10²² are both exact, so
 * that one product or quotient rounds correctly [Clinger 1990]. Up to 21 digits, as programs print doubles, the quotient is
 * computed to twice the precision, and taken if its error cannot change the rounding [Dekker 1971]. The rest is left to `Number`, of
 * text that `textOf` cuts out.
 */
export class DecimalScanner {
  /** Where the number that was read ends. */
  end = 0;

  constructor(
    readonly bytes: Uint8Array,
    readonly textOf: (start: number, end: number) => string,
    readonly mark = DOT,
  ) {}

  /** The number that begins at `start`; NaN, and `end` is `start`, if none does. The bytes after it end with one that is not a digit. */
  read(start: number): number {
    const { bytes, mark } = this;
    let at = start;
    let code = bytes[at]! - ZERO;
    const negative = code === MINUS - ZERO;
    if (negative || code === PLUS - ZERO) code = bytes[++at]! - ZERO;
    const digits = at;
    let mantissa = 0;
    for (; code >= 0 && code <= 9; code = bytes[++at]! - ZERO) mantissa = 10 * mantissa + code;
    let count = at - digits;
    let exponent = 0;
    let point = at;
    if (code === mark - ZERO) {
      for (code = bytes[++at]! - ZERO; code >= 0 && code <= 9; code = bytes[++at]! - ZERO)
        mantissa = 10 * mantissa + code;
      exponent = point + 1 - at;
      count -= exponent;
    } else point = -1;
    if (count === 0) {
      this.end = start;
      return Number.NaN;
    }
    this.end = at;
    const last = at;
    if (code === LOWER_E - ZERO || code === UPPER_E - ZERO) exponent += this.#readExponent();
    if (exponent >= -22 && exponent <= 22) {
      if (mantissa < 2 ** 53) {
        const size = exponent < 0 ? mantissa / TENS[-exponent]! : mantissa * TENS[exponent]!;
        return negative ? -size : size;
      }
      if (exponent <= 0 && count <= EXACT_DIGITS + MORE_DIGITS) {
        const size = this.#readLong(digits, point, last, TENS[-exponent]!);
        if (!Number.isNaN(size)) return negative ? -size : size;
      }
    }
    const text = this.textOf(start, this.end);
    return Number(mark === DOT ? text : text.replace(String.fromCharCode(mark), "."));
  }

  /** The digits between two places, without the point, over a power of ten; NaN if the error of the quotient could change its rounding. */
  #readLong(from: number, point: number, to: number, power: number): number {
    const { bytes } = this;
    let high = 0;
    let low = 0;
    let read = 0;
    let scale = 1;
    for (let at = from; at < to; at++) {
      if (at === point) continue;
      const digit = bytes[at]! - ZERO;
      if (read++ < EXACT_DIGITS) high = 10 * high + digit;
      else {
        low = 10 * low + digit;
        scale *= 10;
      }
    }
    // high · scale + low as a sum of two doubles, exactly.
    const product = high * scale;
    const rest = errorOfProduct(high, scale, product) + low;
    const sum = product + rest;
    const error = rest - (sum - product);
    // Long division: the first quotient, and that of what it leaves.
    const quotient = sum / power;
    const taken = quotient * power;
    const left = sum - taken - errorOfProduct(quotient, power, taken) + error;
    const more = left / power;
    const doubt = quotient * DOUBT;
    const below = quotient + (more - doubt);
    return below === quotient + (more + doubt) ? below : Number.NaN;
  }

  /** Moves `end` over `e`, sign and digits; stays in front of an `e` that no digit follows. */
  #readExponent(): number {
    const { bytes } = this;
    let at = this.end + 1;
    const negative = bytes[at] === MINUS;
    if (negative || bytes[at] === PLUS) at++;
    const digits = at;
    let size = 0;
    for (let code = bytes[at]! - ZERO; code >= 0 && code <= 9; code = bytes[++at]! - ZERO)
      size = 10 * size + code;
    if (at === digits) return 0;
    this.end = at;
    return negative ? -size : size;
  }
}

/** Relative error of the quotient to twice the precision, which is below 2⁻¹⁰⁰; four times that. */
const DOUBT = 2 ** -98;
/** Splits a double into halves of 26 bits. */
const SPLIT = 2 ** 27 + 1;

/** a·b − fl(a·b), exactly. */
function errorOfProduct(a: number, b: number, product: number): number {
  const p = SPLIT * a;
  const aHigh = p - (p - a);
  const aLow = a - aHigh;
  const q = SPLIT * b;
  const bHigh = q - (q - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
