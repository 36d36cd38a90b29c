import {
  add,
  choose,
  compare,
  divide,
  type Expression,
  isNull,
  multiply,
  not,
  number,
  subtract,
} from "../expressions/expression.js";

/** Linear between the points, constant beyond them. */
export function curveAt(
  { x: knots, y }: { readonly x: Float64Array; readonly y: Float64Array },
  v: Expression,
): Expression {
  const last = knots.length - 1;
  const branches = Array.from({ length: last }, (_, i) => {
    const [low, high, from, to] = [knots[i]!, knots[i + 1]!, y[i]!, y[i + 1]!];
    const share = divide(subtract(v, number(low)), number(high - low));
    return {
      test: compare(v, "<", number(high)),
      value: from === to ? number(from) : add(number(from), multiply(share, number(to - from))),
    };
  });
  return choose([
    { test: compare(v, "<=", number(knots[0]!)), value: number(y[0]!) },
    ...branches,
    { test: not(isNull(v)), value: number(y[last]!) },
  ]);
}
