import type { TreeNodes, TreeScores } from "argmax";
import {
  add,
  both,
  type Condition,
  compare,
  divide,
  type Expression,
  either,
  isIn,
  isNull,
  not,
  number,
  sum,
  when,
} from "../expressions/expression.js";
import type { Cells } from "./cells.js";
import { refuse } from "./refuse.js";

/** More nodes than this make a text that no database reads in reasonable time. */
const MOST_NODES = 1_000_000;

/** Nested CASEs, one per tree and score; gaps go where the tree sends them. */
export function treeScores(
  { trees, divisor, baseline, codes }: TreeScores,
  columns: readonly Cells[],
): Expression[] {
  const nodes = trees.reduce((count, tree) => count + tree.features.length, 0);
  if (nodes > MOST_NODES) refuse(`${nodes} nodes of trees, more than ${MOST_NODES}`);
  const outputs = baseline.length;
  const terms: Expression[][] = Array.from({ length: outputs }, () => []);
  for (const [t, tree] of trees.entries()) {
    const first = (t * tree.width) % outputs;
    const conditions = conditionsOf(tree, columns, codes);
    for (let k = 0; k < tree.width; k++) terms[first + k]!.push(valueBelow(tree, conditions, 0, k));
  }
  return terms.map((own, k) => add(number(baseline[k]!), divide(sum(own), number(divisor))));
}

/** By node, whether a row goes left. */
function conditionsOf(
  tree: TreeNodes,
  columns: readonly Cells[],
  codes: TreeScores["codes"],
): (Condition | undefined)[] {
  return Array.from(tree.features, (feature, node) => {
    if (feature < 0) return undefined;
    const column = columns[feature]!;
    const gapsLeft = tree.missingLeft[node] === 1;
    const start = tree.categoryStarts[node]!;
    if (start < 0) {
      const isLow = compare(column.number, "<=", number(tree.thresholds[node]!));
      return gapsLeft ? either(isLow, isNull(column.number)) : isLow;
    }
    const listed = Array.from(tree.pool.subarray(start + 1, start + 1 + tree.pool[start]!));
    return categoryCondition(column, listed, codes?.[feature] ?? null, gapsLeft);
  });
}

/** Categories that training has not seen go where gaps go. */
function categoryCondition(
  column: Cells,
  listed: readonly number[],
  codes: ArrayLike<number> | null,
  gapsLeft: boolean,
): Condition {
  const { categories } = column;
  const codeOf = (place: number) => (codes ? codes[place]! : place);
  if (categories === undefined) {
    const left = isIn(
      column.number,
      listed.map((place) => number(codeOf(place))),
    );
    if (!gapsLeft) return left;
    const gap = isNull(column.number);
    return codes ? either(left, gap, not(isIn(column.number, Array.from(codes, number)))) : either(left, gap);
  }
  const nameOf = (place: number) => categories[codeOf(place)]!;
  const left = column.isOneOf(listed.map(nameOf));
  if (!gapsLeft) return left;
  const known = codes ? Array.from(codes, (code) => categories[code]!) : categories;
  return either(left, column.isGap(), both(not(column.isOneOf(known)), not(column.isGap())));
}

function valueBelow(
  tree: TreeNodes,
  conditions: readonly (Condition | undefined)[],
  node: number,
  k: number,
): Expression {
  const condition = conditions[node];
  if (condition === undefined) return number(tree.values[node * tree.width + k]!);
  const left = valueBelow(tree, conditions, tree.lefts[node]!, k);
  const right = valueBelow(tree, conditions, tree.rights[node]!, k);
  // Of many classes most are in few leaves.
  if (left.kind === "number" && right.kind === "number" && left.value === right.value) return left;
  return when(condition, left, right);
}
