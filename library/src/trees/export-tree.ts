import { ShapeError } from "../core/errors.js";
import type { Tree, TreeNode } from "./tree.js";

export interface ExportOptions {
  /** Names of the columns; x[0], x[1], … without. */
  readonly featureNames?: readonly string[];
  /** Digits behind the point. */
  readonly decimals?: number;
  /** Deeper nodes are left out, and said to be. */
  readonly maxDepth?: number;
}

/** How the questions of a tree read. */
export interface Wording {
  question(node: TreeNode): string;
  /** The same, answered with no. */
  opposite(node: TreeNode): string;
}

export function wordingOf(where: string, tree: Tree, { featureNames, decimals = 2 }: ExportOptions): Wording {
  if (featureNames && featureNames.length !== tree.nFeatures) {
    throw new ShapeError({
      where,
      subject: "featureNames",
      expected: `${tree.nFeatures} names, one a column`,
      received: `${featureNames.length}`,
    });
  }
  const nameOf = (feature: number) => featureNames?.[feature] ?? `x[${feature}]`;
  const set = (categories: Int32Array) =>
    categories.length <= 8
      ? `{${categories.join(", ")}}`
      : `{${categories.subarray(0, 8).join(", ")}, … ${categories.length}}`;
  const ask = ({ split }: TreeNode, yes: boolean) => {
    const { feature, threshold, categories } = split!;
    if (categories) return `${nameOf(feature)} ${yes ? "in" : "not in"} ${set(categories)}`;
    if (threshold === Number.MAX_VALUE) return `${nameOf(feature)} ${yes ? "is known" : "is missing"}`;
    return `${nameOf(feature)} ${yes ? "≤" : ">"} ${threshold!.toFixed(decimals)}`;
  };
  return { question: (node) => ask(node, true), opposite: (node) => ask(node, false) };
}

/** scikit-learn's export_text. */
export function treeRules(tree: Tree, say: (value: Float64Array) => string, options: ExportOptions): string {
  const wording = wordingOf("rules", tree, options);
  const { maxDepth = Infinity } = options;
  const lines: string[] = [];
  // Depth by a list and not by calls: trees may be ten thousand questions deep.
  const waiting: { text: string | null; node: number }[] = [{ text: null, node: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = tree.node(next.node);
    const indent = "|   ".repeat(Math.max(0, node.depth - 1));
    if (next.text !== null) lines.push(`${indent}|--- ${next.text}`);
    const inside = "|   ".repeat(node.depth);
    if (!node.split) lines.push(`${inside}|--- ${say(node.value)}`);
    else if (node.depth >= maxDepth) lines.push(`${inside}|--- …`);
    else {
      waiting.push({ text: wording.opposite(node), node: node.split.right });
      waiting.push({ text: wording.question(node), node: node.split.left });
    }
  }
  return `${lines.join("\n")}\n`;
}

const quoted = (text: string) =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

export function treeDot(tree: Tree, say: (value: Float64Array) => string, options: ExportOptions): string {
  const wording = wordingOf("toDot", tree, options);
  const { maxDepth = Infinity, decimals = 2 } = options;
  const lines = ["digraph Tree {", 'node [shape=box, fontname="sans-serif"];'];
  for (const node of tree.nodes()) {
    if (node.depth > maxDepth) continue;
    const text = [
      ...(node.split ? [wording.question(node)] : []),
      `impurity ${node.impurity.toFixed(decimals)}, ${node.count} rows`,
      say(node.value),
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
