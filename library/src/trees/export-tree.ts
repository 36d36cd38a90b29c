import { ShapeError } from "../core/errors.js";
import { absent, option, readOptions } from "../core/options.js";
import { integer, type ParamSpec, real } from "../core/params.js";
import type { Tree, TreeNode } from "./tree.js";

export interface ExportOptions {
  /** Names of the columns; without, those of the table in fit, or x[0], x[1], … */
  readonly featureNames?: readonly string[];
  /** Digits behind the point. */
  readonly decimals?: number;
  /** Deeper nodes are left out, and said to be. */
  readonly maxDepth?: number;
}

const exportOptions = {
  featureNames: option<readonly string[]>(
    "texts",
    "Names of the columns; without, those of the table in fit, or x[0], x[1], …",
    "an array of names",
    (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  ),
  decimals: integer({ atLeast: 0, atMost: 20, default: 2, doc: "Digits behind the point." }),
  maxDepth: absent(
    real({ atLeast: 0, infinite: true, default: Infinity, doc: "Deeper nodes are left out." }),
  ),
} satisfies Record<keyof ExportOptions, ParamSpec<unknown>>;

/** How the questions of a tree read. */
export interface Wording {
  question(node: TreeNode): string;
  /** The same, answered with no. */
  opposite(node: TreeNode): string;
}

export function wordingOf(where: string, tree: Tree, options: ExportOptions): Wording {
  const { featureNames, decimals } = readOptions(where, exportOptions, options);
  if (featureNames && featureNames.length !== tree.nFeatures) {
    throw new ShapeError({
      where,
      subject: "featureNames",
      expected: `${tree.nFeatures} names, one a column`,
      received: `${featureNames.length}`,
    });
  }
  const names = featureNames ?? tree.columns?.names;
  const nameOf = (feature: number) => names?.[feature] ?? `x[${feature}]`;
  const ask = ({ split }: TreeNode, yes: boolean) => {
    const { feature, threshold, categories, categoryNames } = split!;
    if (categories)
      return `${nameOf(feature)} ${yes ? "in" : "not in"} ${group(categoryNames ?? [...categories])}`;
    if (threshold === Number.MAX_VALUE) return `${nameOf(feature)} ${yes ? "is known" : "is missing"}`;
    if (tree.columns?.columns[feature]?.kind === "boolean") return `${nameOf(feature)} is ${!yes}`;
    return `${nameOf(feature)} ${yes ? "≤" : ">"} ${threshold!.toFixed(decimals)}`;
  };
  return { question: (node) => ask(node, true), opposite: (node) => ask(node, false) };
}

/** At most eight categories; those that could be mistaken for two, or for none, in quotes. */
function group(categories: readonly (number | string)[]): string {
  const shown = categories.slice(0, 8).map((category) => {
    const text = String(category);
    return /^$|^\s|\s$|[{},"…\p{Cc}]/u.test(text) ? JSON.stringify(text) : text;
  });
  return categories.length <= 8 ? `{${shown.join(", ")}}` : `{${shown.join(", ")}, … ${categories.length}}`;
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
