import type { Tree, TreeNode } from "./tree.js";

/** Where the nodes of a drawn tree are. */
export interface TreeLayout {
  /** In preorder, down to the greatest depth that is shown. */
  readonly nodes: readonly TreeNode[];
  /** Whether nothing is drawn below a node. */
  isEnd(node: TreeNode): boolean;
  /** By the node's number: leaves at 0, 1, … from left to right, each branch centred above its children. */
  readonly across: ReadonlyMap<number, number>;
  /** Number of ends. */
  readonly ends: number;
  /** Depth of the deepest node that is shown. */
  readonly depth: number;
}

export function treeLayout(tree: Tree, maxDepth: number): TreeLayout {
  const nodes = [...tree.nodes()].filter(({ depth }) => depth <= maxDepth);
  const isEnd = (node: TreeNode) => !node.split || node.depth >= maxDepth;
  const across = new Map<number, number>();
  let ends = 0;
  for (const node of nodes) if (isEnd(node)) across.set(node.node, ends++);
  for (const node of nodes.toReversed()) {
    if (isEnd(node)) continue;
    const { left, right } = node.split!;
    across.set(node.node, (across.get(left)! + across.get(right)!) / 2);
  }
  const depth = nodes.reduce((most, node) => Math.max(most, node.depth), 0);
  return { nodes, isEnd, across, ends, depth };
}
