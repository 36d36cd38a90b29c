import type { FittedRandomForestClassifier } from "argmax/forests";
import { maxOf } from "argmax/numeric";
import type {
  FittedDecisionStump,
  FittedDecisionTreeClassifier,
  TreeNode as LibraryNode,
  Tree,
} from "argmax/trees";
import type { Panel, TreeNode } from "../../protocol.js";
import type { About } from "./about.js";
import { largest } from "./bars.js";
import { lastLines } from "./limits.js";
import { scoresOf } from "./scores.js";
import { viewAs } from "./view.js";

/** Deeper levels of larger trees are left out. */
const MOST_NODES = 127;

/** A single tree, with the path of the row. */
export function treePanel(model: object, { classes, names, row }: About): Panel[] {
  const grown = treeOf(model);
  if (grown === undefined) return [];
  const { tree } = grown;
  const nodes = topLevels([...tree.nodes()]);
  return [
    {
      kind: "tree",
      title: "Tree",
      nodes: nodes.map((node) => treeNode(node, classes, names)),
      folded: tree.nodeCount - nodes.length,
      path: row === undefined ? [] : [...grown.decisionPath(row)[0]!],
      ofRow: true,
    },
  ];
}

const treeOf = (model: object): FittedDecisionTreeClassifier | undefined =>
  scoresOf(model, "trees") && viewAs<FittedDecisionTreeClassifier>(model, "tree", "decisionPath");

/** The whole levels from the root on that have no more than `MOST_NODES` together. */
function topLevels(nodes: readonly LibraryNode[]): readonly LibraryNode[] {
  if (nodes.length <= MOST_NODES) return nodes;
  const levels: number[] = [];
  for (const { depth } of nodes) levels[depth] = (levels[depth] ?? 0) + 1;
  let total = 0;
  const first = levels.findIndex((size) => {
    total += size;
    return total > MOST_NODES;
  });
  return nodes.filter(({ depth }) => depth < first);
}

function treeNode(
  { node, count, value, split }: LibraryNode,
  classes: readonly string[],
  names: readonly string[],
): TreeNode {
  const best = value.indexOf(maxOf(value));
  const answer =
    classes.length > 0
      ? `${classes[best]} ${(100 * value[best]!).toFixed(0)} %`
      : String(Number(value[0]!.toPrecision(4)));
  return {
    node,
    text: split === undefined ? answer : questionOf(split, names),
    rows: count,
    best: classes.length > 0 ? best : null,
    children: split === undefined ? null : [split.left, split.right],
  };
}

interface Split {
  readonly feature: number;
  readonly threshold?: number;
  readonly categoryNames?: readonly string[];
  readonly categories?: ArrayLike<number>;
}

/** "billLength ≤ 43.35", "island in Biscoe, Dream". */
export function questionOf(
  { feature, threshold, categoryNames, categories = [] }: Split,
  names: readonly string[],
): string {
  if (threshold !== undefined) return question(names, feature, threshold);
  const values = categoryNames ?? Array.from(categories, String);
  return `${names[feature]} in ${values.slice(0, 3).join(", ")}${values.length > 3 ? "…" : ""}`;
}

const question = (names: readonly string[], feature: number, threshold: number): string =>
  feature < 0 ? "none: all columns are constant" : `${names[feature]} ≤ ${Number(threshold.toPrecision(4))}`;

/** The class of each side of a stump, and its proportion. */
export function sidesOf(
  { leaves }: FittedDecisionStump,
  classes: readonly string[],
): readonly [string, string] {
  const side = (i: number): string => {
    const shares = [...leaves.data.subarray(i * leaves.cols, (i + 1) * leaves.cols)];
    const best = shares.indexOf(maxOf(shares));
    return `${classes[best]} ${(100 * shares[best]!).toFixed(0)}\u00a0%`;
  };
  return [side(0), side(1)];
}

export const stumpOf = (model: object): FittedDecisionStump | undefined =>
  scoresOf(model, "trees") && viewAs<FittedDecisionStump>(model, "feature", "threshold", "leaves");

export function stump(model: object, { classes, names }: About): Panel[] {
  const found = stumpOf(model);
  if (found === undefined) return [];
  return [
    {
      kind: "table",
      title: "One question",
      note: "The most frequent class of each side, and its proportion there.",
      head: ["Question", "Yes", "No"],
      rows: [[question(names, found.feature, found.threshold), ...sidesOf(found, classes)]],
    },
  ];
}

/** Impurity decrease per column; undefined for models that do not split on columns. */
export const importancesOf = (model: object): Float64Array | undefined =>
  viewAs<FittedRandomForestClassifier>(model, "featureImportances")?.featureImportances;

export function importances(model: object, { names }: About): Panel[] {
  const shares = importancesOf(model);
  if (shares?.length !== names.length) return [];
  const bars = names.map((name, j) => ({ name, value: shares[j]! }));
  return [
    {
      kind: "bars",
      title: "Importance of columns",
      note: "How much splits on each column reduce the impurity.",
      bars: largest(bars),
      areShares: true,
    },
  ];
}

/** The first question that a stump or a tree asks; undefined for others. */
export function firstQuestion(member: object, names: readonly string[]): string | undefined {
  const single = stumpOf(member);
  if (single !== undefined) return question(names, single.feature, single.threshold);
  const grown = treeOf(member);
  return grown && rootQuestion(grown.tree, names);
}

function rootQuestion(tree: Tree, names: readonly string[]): string {
  const { split } = tree.node(0);
  return split === undefined ? "none: a single leaf" : questionOf(split, names);
}

/** The trees of a forest so far. */
export function forest(model: object, { names }: About): Panel[] {
  const trees = scoresOf(model, "trees") && viewAs<FittedRandomForestClassifier>(model, "trees")?.trees;
  if (trees === undefined) return [];
  const { shown, cut } = lastLines(trees);
  return [
    {
      kind: "table",
      title: "Trees",
      note: `${trees.length} ${trees.length === 1 ? "tree" : "trees"}, whose answers are averaged: what each asks first, and how large it is.${cut}`,
      head: ["Tree", "First question", "Leaves", "Depth"],
      rows: shown.map(({ at, value: tree }) => [
        at + 1,
        rootQuestion(tree, names),
        tree.leafCount,
        tree.depth,
      ]),
    },
  ];
}
