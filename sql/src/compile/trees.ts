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
  shared,
  sum,
  when,
} from "../expressions/expression.js";
import type { Cells } from "./cells.js";
import { refuse } from "./refuse.js";

/** More nodes than this make a text that no database reads in reasonable time. */
const MOST_NODES = 1_000_000;

/** Nested CASEs, one per tree, which say its value, or the place of its leaf in lists of values. Gaps go where the tree sends them. */
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
    if (tree.width === 1) {
      terms[first]!.push(below(tree, conditions, 0, (leaf) => tree.values[leaf]!));
      continue;
    }
    const leaves = [...tree.features.keys()].filter((node) => tree.features[node]! < 0);
    const places = new Map(leaves.map((leaf, place) => [leaf, place + 1]));
    const at = shared(below(tree, conditions, 0, (leaf) => places.get(leaf)!));
    for (let k = 0; k < tree.width; k++) {
      const list = leaves.map((leaf) => tree.values[leaf * tree.width + k]!);
      terms[first + k]!.push({ kind: "element", list, at });
    }
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

/** What a leaf gets, by nested conditions from a node on. */
function below(
  tree: TreeNodes,
  conditions: readonly (Condition | undefined)[],
  node: number,
  valueOfLeaf: (leaf: number) => number,
): Expression {
  const condition = conditions[node];
  if (condition === undefined) return number(valueOfLeaf(node));
  const left = below(tree, conditions, tree.lefts[node]!, valueOfLeaf);
  const right = below(tree, conditions, tree.rights[node]!, valueOfLeaf);
  return when(condition, left, right);
}
