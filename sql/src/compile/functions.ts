import type { FunctionName } from "argmax";
import {
  add,
  both,
  call,
  choose,
  compare,
  divide,
  type Expression,
  largestOf,
  multiply,
  negative,
  number,
  product,
  shared,
  subtract,
  sum,
  when,
} from "../expressions/expression.js";

/** Functions of the library as expressions, with its values at the ends: PostgreSQL takes an exponential of −800 or of 800 for an error. */

const [LEAST, MOST] = [-700, 709];

export function exponential(given: Expression): Expression {
  const x = shared(given);
  return choose(
    [
      { test: compare(x, "<", number(LEAST)), value: number(0) },
      { test: compare(x, ">", number(MOST)), value: number(Infinity) },
    ],
    call("exp", x),
  );
}

/** eˣ of x ≤ 0. */
export function decay(given: Expression): Expression {
  const x = shared(given);
  return when(compare(x, "<", number(LEAST)), number(0), call("exp", x));
}

/** −∞ at 0, NULL below. */
export function logarithm(given: Expression): Expression {
  const x = shared(given);
  return choose([
    { test: compare(x, ">", number(0)), value: call("log", x) },
    { test: compare(x, "=", number(0)), value: number(-Infinity) },
  ]);
}

/** log(1 + x): of x near 0 by log(u) · x/(u − 1) with u = 1 + x, whose roundings cancel [Higham 2002, §1.14.1]. */
export function logOnePlus(given: Expression): Expression {
  const x = shared(given);
  const u = shared(add(number(1), x));
  const rest = subtract(u, number(1));
  return choose([{ test: compare(u, "=", number(1)), value: x }], multiply(logarithm(u), divide(x, rest)));
}

/** eˣ − 1: of x near 0 by (u − 1) · x / log(u) with u = eˣ. */
export function exponentialLessOne(given: Expression): Expression {
  const x = shared(given);
  const u = shared(exponential(x));
  const near = both(compare(x, ">", number(-0.5)), compare(x, "<", number(0.5)));
  const rest = subtract(u, number(1));
  return choose(
    [
      { test: compare(u, "=", number(1)), value: x },
      { test: near, value: divide(multiply(rest, x), call("log", u)) },
    ],
    rest,
  );
}

/** P of the second class and of the first from log-odds; neither is 1 less the other, which would lose all of a small one. */
export function sigmoids(given: Expression): { readonly second: Expression; readonly first: Expression } {
  const z = shared(given);
  const e = shared(decay(negative(call("abs", z))));
  const large = shared(divide(number(1), add(number(1), e)));
  const small = shared(divide(e, add(number(1), e)));
  const isPositive = compare(z, ">=", number(0));
  return { second: when(isPositive, large, small), first: when(isPositive, small, large) };
}

export const sigmoid = (z: Expression): Expression => sigmoids(z).second;

/** (1 − e)/(1 + e) of e = e^(−2|x|), with the sign of x. */
export function hyperbolicTangent(given: Expression): Expression {
  const x = shared(given);
  const t = shared(exponentialLessOne(multiply(number(-2), call("abs", x))));
  const size = shared(divide(negative(t), add(number(2), t)));
  return when(compare(x, "<", number(0)), negative(size), size);
}

export const integerPower = (x: Expression, n: number): Expression =>
  product(Array.from({ length: n }, () => x));

const root3 = (given: Expression): Expression => {
  const x = shared(given);
  const size = shared(call("abs", x));
  const first = shared(call("power", size, number(1 / 3)));
  const better = subtract(first, divide(subtract(first, divide(size, multiply(first, first))), number(3)));
  const unsigned = shared(when(compare(size, ">", number(0)), better, size));
  return when(compare(x, "<", number(0)), negative(unsigned), unsigned);
};

const signOf = (x: Expression): Expression =>
  choose([
    { test: compare(x, ">", number(0)), value: number(1) },
    { test: compare(x, "<", number(0)), value: number(-1) },
    { test: compare(x, "=", number(0)), value: number(0) },
  ]);

/** The root of a number ≥ 0; NULL of others. */
const squareRoot = (given: Expression): Expression => {
  const x = shared(given);
  return choose([{ test: compare(x, ">=", number(0)), value: call("sqrt", x) }]);
};

export const namedExpressions: { readonly [F in FunctionName]: (x: Expression) => Expression } = {
  abs: (x) => call("abs", x),
  arctanh: (x) => divide(subtract(logOnePlus(x), logOnePlus(negative(x))), number(2)),
  cbrt: root3,
  cos: (x) => call("cos", x),
  cube: (x) => integerPower(x, 3),
  exp: exponential,
  expit: sigmoid,
  expm1: exponentialLessOne,
  log: logarithm,
  log1p: logOnePlus,
  logit: (p) => subtract(logarithm(p), logOnePlus(negative(p))),
  negative,
  reciprocal: (x) => divide(number(1), x),
  sign: signOf,
  sin: (x) => call("sin", x),
  sqrt: squareRoot,
  square: (x) => integerPower(x, 2),
  tanh: hyperbolicTangent,
};

/** log Σ e^z: the largest, and the logarithm of what the others add to it. */
export function logSumOfExponentials(given: readonly Expression[]): Expression {
  const z = given.map(shared);
  const top = largestOf(z);
  return add(top, call("log", sum(z.map((one) => decay(subtract(one, top))))));
}
