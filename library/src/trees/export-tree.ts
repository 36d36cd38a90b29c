import { ShapeError } from "../core/errors.js";
import { absent, option, readOptions } from "../core/params/options.js";
import { integer, type ParamSpec, real } from "../core/params/params.js";
import type { Tree, TreeNode } from "./tree.js";

export interface ExportOptions {
  /** Column names; by default those of the table in fit, or x[0], x[1], … */
  readonly featureNames?: readonly string[] | undefined;
  /** Digits after the decimal point. */
  readonly decimals?: number | undefined;
  /** Deeper nodes are replaced by "…". */
  readonly maxDepth?: number | undefined;
}

const exportOptions = {
  featureNames: option<readonly string[]>(
    "texts",
    "Column names; by default those of the table in fit, or x[0], x[1], …",
    "an array of names",
    (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  ),
  decimals: integer({ atLeast: 0, atMost: 20, default: 2, doc: "Digits after the decimal point." }),
  maxDepth: absent(real({ atLeast: 0, infinite: true, default: Infinity, doc: "Maximum depth to show." })),
} satisfies Record<keyof ExportOptions, ParamSpec<unknown>>;

/** A tree, and the value of a leaf as text. */
export interface ShownTree {
  readonly tree: Tree;
  readonly describe: (value: Float64Array) => string;
}

/** The splits of a tree as text. */
export interface SplitText {
  /** The condition for going left. */
  left(node: TreeNode): string;
  /** The condition for going right. */
  right(node: TreeNode): string;
}

export function splitText(where: string, tree: Tree, options: ExportOptions): SplitText {
  const { featureNames, decimals } = readOptions(where, exportOptions, options);
  if (featureNames && featureNames.length !== tree.nFeatures) {
    const expected = `${tree.nFeatures} names, one per column`;
    throw new ShapeError(where, "featureNames", expected, `${featureNames.length}`);
  }
  const names = featureNames ?? tree.columns?.names;
  const nameOf = (feature: number) => names?.[feature] ?? `x[${feature}]`;
  const condition = ({ split }: TreeNode, left: boolean) => {
    const { feature, threshold, categories, categoryNames } = split!;
    if (categories)
      return `${nameOf(feature)} ${left ? "in" : "not in"} ${group(categoryNames ?? [...categories])}`;
    if (threshold === Number.MAX_VALUE) return `${nameOf(feature)} ${left ? "is known" : "is missing"}`;
    if (tree.columns?.columns[feature]?.kind === "boolean") return `${nameOf(feature)} is ${!left}`;
    return `${nameOf(feature)} ${left ? "≤" : ">"} ${threshold!.toFixed(decimals)}`;
  };
  return { left: (node) => condition(node, true), right: (node) => condition(node, false) };
}

/** At most eight categories; names with separators or spaces at their ends in quotes. */
function group(categories: readonly (number | string)[]): string {
  const shown = categories.slice(0, 8).map((category) => {
    const text = String(category);
    return /^$|^\s|\s$|[{},"…\p{Cc}]/u.test(text) ? JSON.stringify(text) : text;
  });
  return categories.length <= 8 ? `{${shown.join(", ")}}` : `{${shown.join(", ")}, … ${categories.length}}`;
}

/** Rules as indented text. Parity: scikit-learn's export_text. */
export function treeRules({ tree, describe }: ShownTree, options: ExportOptions): string {
  const conditions = splitText("rules", tree, options);
  const { maxDepth = Infinity } = options;
  const lines: string[] = [];
  // A stack instead of recursion: trees may be ten thousand nodes deep.
  const stack: { text: string | null; node: number }[] = [{ text: null, node: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const node = tree.node(next.node);
    const indent = "|   ".repeat(Math.max(0, node.depth - 1));
    if (next.text !== null) lines.push(`${indent}|--- ${next.text}`);
    const inside = "|   ".repeat(node.depth);
    if (!node.split) lines.push(`${inside}|--- ${describe(node.value)}`);
    else if (node.depth >= maxDepth) lines.push(`${inside}|--- …`);
    else {
      stack.push({ text: conditions.right(node), node: node.split.right });
      stack.push({ text: conditions.left(node), node: node.split.left });
    }
  }
  return `${lines.join("\n")}\n`;
}

const quoted = (text: string) =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

export function treeDot({ tree, describe }: ShownTree, options: ExportOptions): string {
  const conditions = splitText("toDot", tree, options);
  const { maxDepth = Infinity, decimals = 2 } = options;
  const lines = ["digraph Tree {", 'node [shape=box, fontname="sans-serif"];'];
  for (const node of tree.nodes()) {
    if (node.depth > maxDepth) continue;
    const text = [
      ...(node.split ? [conditions.left(node)] : []),
      `impurity ${node.impurity.toFixed(decimals)}, ${node.count} rows`,
      describe(node.value),
    ].join("\n");
    lines.push(`${node.node} [label=${quoted(text)}];`);
    if (!node.split || node.depth >= maxDepth) continue;
    lines.push(
      `${node.node} -> ${node.split.left} [label="yes"];`,
      `${node.node} -> ${node.split.right} [label="no"];`,
    );
  }
  return `${[...lines, "}"].join("\n")}\n`;
}
