import { type BinnedColumn, binCount } from "argmax/sums";
import {
  choose,
  compare,
  type Expression,
  isNull,
  number,
  shared,
  when,
} from "../../expressions/expression.js";

/** The bin of a value: the number of edges below it, by a binary search; gaps and unknown categories have the last bin. */
export function binOf(x: Expression, column: BinnedColumn): Expression {
  const { edges, categorical } = column;
  const missing = number(binCount(column));
  if (categorical)
    return shared(
      choose(
        Array.from(edges, (edge, b) => ({ test: compare(x, "=", number(edge)), value: number(b) })),
        missing,
      ),
    );
  const search = (from: number, to: number): Expression => {
    if (from === to) return number(from);
    const middle = (from + to) >> 1;
    return when(compare(x, "<=", number(edges[middle]!)), search(from, middle), search(middle + 1, to));
  };
  return shared(choose([{ test: isNull(x), value: missing }], search(0, edges.length)));
}
