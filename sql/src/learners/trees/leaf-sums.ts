import type { HistogramTree, LeafHistograms, TreeRule } from "argmax/sums";
import {
  type Condition,
  compare,
  type Expression,
  either,
  isIn,
  isNull,
  multiply,
  not,
  nothing,
  number,
  shared,
  when,
} from "../../expressions/expression.js";
import { type Aggregate, type SumGroup, type SumQuery, sumOf } from "../../expressions/sums.js";
import type { BinnedColumns } from "./tree-bins.js";

/** What a tree learns from. */
export interface TreeSource {
  readonly x: readonly Expression[];
  readonly columns: BinnedColumns;
  /** A number, or the place of the class. */
  readonly y: Expression;
  /** 0: regression. */
  readonly classes: number;
  /** Undefined: all weights are 1. */
  readonly weight: Expression | undefined;
  /** Whether a row is learned from; all are unless given. */
  readonly isDrawn?: Condition | undefined;
  /** Of a regression: its impurity is made of sums of this. */
  readonly square: Expression;
}

/** Whether a row goes left. */
export function goesLeft(
  { x, columns }: Pick<TreeSource, "x" | "columns">,
  { feature, threshold, categories, missingLeft }: Omit<TreeRule, "left" | "right">,
): Condition {
  const column = x[feature]!;
  if (categories === undefined) {
    const isLow = compare(column, "<=", number(threshold));
    return missingLeft ? either(isLow, isNull(column)) : isLow;
  }
  const isListed = isIn(column, Array.from(categories, number));
  const known = Array.from(columns.bins[feature]!.categories!, number);
  return missingLeft ? either(isListed, isNull(column), not(isIn(column, known))) : isListed;
}

/** The place of a row's leaf among the wanted ones; NULL for others. */
function leafOf(source: TreeSource, tree: HistogramTree): Expression {
  const places = new Map(tree.wanted.map((node, w) => [node, w]));
  const below = (node: number): Expression => {
    const rule = tree.rule(node);
    const place = places.get(node);
    if (rule === undefined) return place === undefined ? nothing : number(place);
    const [left, right] = [below(rule.left), below(rule.right)];
    return left.kind === "null" && right.kind === "null"
      ? nothing
      : when(goesLeft(source, rule), left, right);
  };
  const leaf = below(0);
  return shared(source.isDrawn ? when(source.isDrawn, leaf, nothing) : leaf);
}

/** The queries of a tree's next histograms: groups of wanted leaves, bins and classes, per column. */
export function leafQueries(source: TreeSource, tree: HistogramTree): SumQuery[] {
  const { columns, classes, weight, y, square } = source;
  const leaf = leafOf(source, tree);
  const own = weight ? [sumOf(weight)] : [];
  const w = (e: Expression) => (weight ? multiply(weight, e) : e);
  const aggregates: readonly Aggregate[] = classes > 0 ? own : [...own, sumOf(w(y))];
  // Once per leaf would do; the first column's groups have them too.
  const more: readonly Aggregate[] =
    classes > 0 ? [] : [sumOf(w(square)), { kind: "min", of: y }, { kind: "max", of: y }];
  // Other rows have no bin: it takes most of the time.
  return columns.keys.map((bin, j) => ({
    groupBy: [leaf, when(isNull(leaf), nothing, bin), ...(classes > 0 ? [y] : [])].map((of) => ({
      of,
      type: "number" as const,
    })),
    aggregates: j === 0 ? [...aggregates, ...more] : aggregates,
  }));
}

/** The answers as histograms of the wanted leaves. */
export function leafHistograms(
  { columns, classes, weight }: TreeSource,
  tree: HistogramTree,
  answers: readonly SumGroup[][],
): LeafHistograms[] {
  const record = 2 + Math.max(1, classes);
  const leaves = tree.wanted.map(() => ({
    columns: columns.bins.map(({ count }) => new Float64Array((count + 1) * record)),
    squares: 0,
    range: [Infinity, -Infinity] as [number, number],
  }));
  for (const [j, groups] of answers.entries())
    for (const { keys, count, values } of groups) {
      if (keys[0] === null || keys[0] === undefined) continue;
      const leaf = leaves[Number(keys[0])]!;
      const histogram = leaf.columns[j]!;
      const at = Number(keys[1]) * record;
      const own = weight ? values[0]! : count;
      histogram[at]! += count;
      histogram[at + 1]! += own;
      if (classes > 0) {
        histogram[at + 2 + Number(keys[2])]! += own;
        continue;
      }
      const first = weight ? 1 : 0;
      histogram[at + 2]! += values[first]!;
      if (j > 0) continue;
      leaf.squares += values[first + 1]!;
      leaf.range[0] = Math.min(leaf.range[0], values[first + 2]!);
      leaf.range[1] = Math.max(leaf.range[1], values[first + 3]!);
    }
  return leaves;
}
