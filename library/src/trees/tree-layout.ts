import { DataError, show } from "../core/errors.js";
import { pushAll } from "../core/numbers/extremes.js";
import type { Tree, TreeNode } from "./tree.js";

/** A node and its place. */
export interface PlacedNode<N> {
  readonly node: N;
  /** Of the root, 0. */
  readonly depth: number;
  /** In widths of a node: 0 for the leftmost ones. */
  readonly across: number;
  readonly children: readonly PlacedNode<N>[];
}

/** Where the nodes of a drawn tree are. */
export interface TreeLayout<N> {
  /** In preorder. */
  readonly nodes: readonly PlacedNode<N>[];
  /** In widths of a node. */
  readonly width: number;
  /** Depth of the deepest node. */
  readonly depth: number;
}

interface Subtree<N> extends PlacedNode<N> {
  readonly children: Subtree<N>[];
  across: number;
  /** From the parent. */
  shift: number;
  /** The leftmost and the rightmost place on every level, from this node. */
  left: readonly number[];
  right: readonly number[];
}

/**
 * Places for the nodes of a tree. Subtrees are as close to each other as their levels allow, nodes of one level at least 1 apart; each
 * node is centred above its children [Reingold & Tilford 1981].
 */
export function treeLayout<N>(root: N, childrenOf: (node: N) => Iterable<N>): TreeLayout<N> {
  if (typeof childrenOf !== "function") {
    const expected = "a function from a node to its children";
    const received = show(childrenOf);
    throw new DataError("treeLayout", "childrenOf", expected, received);
  }
  const nodes = preorder(root, childrenOf);
  for (const node of nodes.toReversed()) if (node.children.length > 0) join(node);
  for (const node of nodes) for (const child of node.children) child.across = node.across + child.shift;
  const least = nodes.reduce((most, { across }) => Math.min(most, across), 0);
  for (const node of nodes) node.across -= least;
  return {
    nodes,
    width: 1 + nodes.reduce((most, { across }) => Math.max(most, across), 0),
    depth: nodes.reduce((most, { depth }) => Math.max(most, depth), 0),
  };
}

/** Of a fitted tree, without the nodes below a depth. */
export const fittedTreeLayout = (tree: Tree, maxDepth: number): TreeLayout<TreeNode> =>
  treeLayout(tree.node(0), ({ depth, split }) =>
    split && depth < maxDepth ? [tree.node(split.left), tree.node(split.right)] : [],
  );

function preorder<N>(root: N, childrenOf: (node: N) => Iterable<N>): Subtree<N>[] {
  const leaf = (node: N, depth: number): Subtree<N> => ({
    ...{ node, depth, across: 0, shift: 0 },
    ...{ children: [], left: [0], right: [0] },
  });
  const nodes: Subtree<N>[] = [];
  const stack = [leaf(root, 0)];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    nodes.push(next);
    for (const child of childrenOf(next.node)) next.children.push(leaf(child, next.depth + 1));
    pushAll(stack, next.children.toReversed());
  }
  return nodes;
}

/** Puts the subtrees of a node side by side, and the node above their middle. */
function join<N>(node: Subtree<N>): void {
  const { children } = node;
  const left: number[] = [];
  const right: number[] = [];
  for (const child of children) {
    const gaps = child.left.slice(0, right.length).map((edge, level) => right[level]! + 1 - edge);
    child.shift = gaps.reduce((most, gap) => Math.max(most, gap), gaps[0] ?? 0);
    for (const [level, edge] of child.left.entries()) left[level] ??= edge + child.shift;
    for (const [level, edge] of child.right.entries()) right[level] = edge + child.shift;
    // A contour is read by the node above only.
    child.left = child.right = [];
  }
  const middle = (children[0]!.shift + children.at(-1)!.shift) / 2;
  for (const child of children) child.shift -= middle;
  node.left = [0, ...left.map((edge) => edge - middle)];
  node.right = [0, ...right.map((edge) => edge - middle)];
}
