import type { Cells } from "../compile/cells.js";
import {
  add,
  call,
  divide,
  type Expression,
  multiply,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../expressions/expression.js";

const fraction = (given: Expression): Expression => {
  const x = shared(given);
  return subtract(x, call("floor", x));
};

/** Multiples of the golden ratio less their whole part: spread over 0 to 1, and no simple fractions. */
const factor = (j: number): number => ((j + 1) * 0.6180339887498949) % 1;

/** What a gap counts as. */
const GAP = number(0.7548776662466927);

/**
 * A number from 0 to 1 per row that looks random and depends on nothing but the values of these columns: rows that are equal have the same.
 * It is made of sums, products and whole parts of doubles alone, which all databases round alike.
 */
export function rowFraction(columns: readonly Cells[], seed: number): Expression {
  const parts = columns.map((column, j) => {
    const { of, type } = column.key;
    const x = type === "text" ? divide({ kind: "hash", of: [of] }, number(2 ** 32)) : column.number;
    const own = fraction(multiply(x, number(0.5 + factor(j))));
    const known = when(column.isGap(), GAP, own);
    return multiply(known, number(12.9898 + 78.233 * factor(7 * j + 3)));
  });
  const start = fraction(multiply(number(43_758.5453), add(sum(parts), number(factor(seed)))));
  const mixed = shared(start);
  return shared(
    fraction(multiply(multiply(add(mixed, number(0.5)), add(mixed, number(1.5))), number(9301.49297))),
  );
}
