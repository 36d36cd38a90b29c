import { type BinnedColumn, binCount } from "argmax/sums";
import {
  type Condition,
  choose,
  compare,
  type Expression,
  either,
  isIn,
  isNull,
  not,
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

/** A split of bins: those up to `bin` go left, or those of a set of categories. */
export interface BinSplit {
  readonly bin: number;
  readonly missingLeft: boolean;
  readonly set: Int32Array | undefined;
}

/** Whether a value goes left. It is compared with the edge itself: bins are longer expressions. */
export function leftCondition(
  x: Expression,
  column: BinnedColumn,
  { bin, missingLeft, set }: BinSplit,
): Condition {
  const { edges } = column;
  if (set) {
    const listed = Array.from(edges).filter((_, b) => ((set[b >> 5]! >>> (b & 31)) & 1) === 1);
    const isListed = isIn(x, listed.map(number));
    // Numbers that training has not seen go where gaps go.
    return missingLeft ? either(isListed, isNull(x), not(isIn(x, Array.from(edges, number)))) : isListed;
  }
  const isLow = bin < edges.length ? compare(x, "<=", number(edges[bin]!)) : not(isNull(x));
  return missingLeft ? either(isLow, isNull(x)) : isLow;
}
