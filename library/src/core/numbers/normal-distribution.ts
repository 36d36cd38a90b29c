import { exp, log } from "./elementary.js";

/** Coefficients of three rational functions, the highest power first [Wichura 1988, AS 241, PPND16]. */
const CENTRE = {
  over: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
    1971.5909503065513, 133.14166789178438, 3.3871328727963665,
  ],
  under: [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
    687.1870074920579, 42.31333070160091, 1,
  ],
};
const SHOULDER = {
  over: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  under: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
};
const TAIL = {
  over: [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124,
    0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  under: [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133,
    0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
  ],
};

const polynomial = (coefficients: readonly number[], r: number): number =>
  coefficients.reduce((sum, coefficient) => sum * r + coefficient, 0);
const rational = ({ over, under }: typeof CENTRE, r: number): number =>
  polynomial(over, r) / polynomial(under, r);

/** The x below which a standard normal number is with probability p; ±∞ at 0 and 1. About 16 digits. */
export function normalQuantile(p: number): number {
  if (p <= 0 || p >= 1) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * rational(CENTRE, 0.180625 - q * q);
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p));
  const x = r <= 5 ? rational(SHOULDER, r - 1.6) : rational(TAIL, r - 5);
  return q < 0 ? -x : x;
}

/** 1 / √(2π). */
const DENSITY = 0.3989422804014327;

/** Probability that a standard normal number is below x, with an error of about 1e-16. [Marsaglia 2004, eq. 3] */
export function normalCdf(x: number): number {
  // Beyond ±9 what is left is below the error.
  if (!(Math.abs(x) < 9)) return x > 0 ? 1 : x < 0 ? 0 : x;
  let sum = x;
  let term = x;
  for (let i = 3, before = Number.NaN; sum !== before; i += 2) {
    before = sum;
    term *= (x * x) / i;
    sum += term;
  }
  return 0.5 + sum * DENSITY * exp(-0.5 * x * x);
}
