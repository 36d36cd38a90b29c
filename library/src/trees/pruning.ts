import type { GrownTree } from "../numeric/trees/grow-tree.js";

/**
 * Cost-complexity pruning [Breiman et al. 1984, ch. 3]: R_α(T) = Σ over leaves t of (N_t/N) i(t), plus α |leaves|. Each step removes
 * the weakest branch, the one with the smallest effective α = (R(t) − R(T_t))/(|T_t| − 1), which gives a path of nested trees.
 */
export interface PruningPath {
  /** The smallest α for which each tree of the path is optimal, ascending; the first is 0. */
  readonly alphas: Float64Array;
  /** Total impurity of the leaves of each tree, weighted by their rows. */
  readonly impurities: Float64Array;
  /** Number of leaves of each tree. */
  readonly leaves: Int32Array;
}

/** A tree that is pruned step by step; `leaf[k]` is 1 if node k is a leaf by now. */
class Pruner {
  readonly leaf: Uint8Array;
  readonly #tree: GrownTree;
  readonly #parents: Int32Array;
  /** R(T_t): impurity of the leaves below each node. */
  readonly #branchImpurity: Float64Array;
  /** |T_t|: number of leaves below each node. */
  readonly #leafCount: Int32Array;
  /** The weakest node of the branch below each, itself included; −1 for a leaf. */
  readonly #weakest: Int32Array;

  constructor(tree: GrownTree) {
    this.#tree = tree;
    const n = tree.features.length;
    this.leaf = Uint8Array.from(tree.features, (feature) => (feature < 0 ? 1 : 0));
    this.#parents = new Int32Array(n).fill(-1);
    this.#branchImpurity = new Float64Array(n);
    this.#leafCount = new Int32Array(n);
    this.#weakest = new Int32Array(n).fill(-1);
    for (let k = n - 1; k >= 0; k--) {
      const [left, right] = [tree.lefts[k]!, tree.rights[k]!];
      if (left < 0) {
        this.#branchImpurity[k] = this.#nodeImpurity(k);
        this.#leafCount[k] = 1;
        continue;
      }
      this.#parents[left] = k;
      this.#parents[right] = k;
      this.#branchImpurity[k] = this.#branchImpurity[left]! + this.#branchImpurity[right]!;
      this.#leafCount[k] = this.#leafCount[left]! + this.#leafCount[right]!;
      this.#updateWeakest(k);
    }
  }

  get impurity(): number {
    return this.#branchImpurity[0]!;
  }

  get leaves(): number {
    return this.#leafCount[0]!;
  }

  /** The weakest remaining branch and its effective α; null if only the root is left. */
  weakest(): { node: number; alpha: number } | null {
    const node = this.#weakest[0]!;
    return node < 0 ? null : { node, alpha: this.#alpha(node) };
  }

  #alpha(k: number): number {
    return (this.#nodeImpurity(k) - this.#branchImpurity[k]!) / (this.#leafCount[k]! - 1);
  }

  /** The weakest of the node itself and of the branches below its children; ties go to the first. */
  #updateWeakest(k: number): void {
    let weakest = k;
    for (const other of [this.#weakest[this.#tree.lefts[k]!]!, this.#weakest[this.#tree.rights[k]!]!]) {
      if (other >= 0 && this.#alpha(other) < this.#alpha(weakest)) weakest = other;
    }
    this.#weakest[k] = weakest;
  }

  /** Turns a node into a leaf. */
  prune(node: number): void {
    const impurity = this.#nodeImpurity(node) - this.#branchImpurity[node]!;
    const count = 1 - this.#leafCount[node]!;
    this.leaf[node] = 1;
    this.#weakest[node] = -1;
    for (let k = node; k >= 0; k = this.#parents[k]!) {
      this.#branchImpurity[k]! += impurity;
      this.#leafCount[k]! += count;
      if (k !== node) this.#updateWeakest(k);
    }
  }

  /** R(t): impurity of the node as a leaf. */
  #nodeImpurity(k: number): number {
    const { weights, impurities } = this.#tree;
    return (weights[k]! / weights[0]!) * impurities[k]!;
  }
}

export function pruningPath(tree: GrownTree): PruningPath {
  const pruner = new Pruner(tree);
  const alphas = [0];
  const impurities = [pruner.impurity];
  const leaves = [pruner.leaves];
  for (let weak = pruner.weakest(); weak !== null; weak = pruner.weakest()) {
    pruner.prune(weak.node);
    const alpha = Math.max(weak.alpha, alphas.at(-1)!);
    if (alpha === alphas.at(-1)) {
      impurities[impurities.length - 1] = pruner.impurity;
      leaves[leaves.length - 1] = pruner.leaves;
      continue;
    }
    alphas.push(alpha);
    impurities.push(pruner.impurity);
    leaves.push(pruner.leaves);
  }
  return {
    alphas: Float64Array.from(alphas),
    impurities: Float64Array.from(impurities),
    leaves: Int32Array.from(leaves),
  };
}

/** The smallest optimal tree for this α. */
export function pruned(tree: GrownTree, ccpAlpha: number): GrownTree {
  if (ccpAlpha === 0) return tree;
  const pruner = new Pruner(tree);
  for (let weak = pruner.weakest(); weak !== null && weak.alpha <= ccpAlpha; weak = pruner.weakest()) {
    pruner.prune(weak.node);
  }
  return compact(tree, pruner.leaf);
}

/** The nodes that are still reachable, renumbered in the same order. */
function compact(tree: GrownTree, leaf: Uint8Array): GrownTree {
  const reached: number[] = [];
  const stack = [0];
  for (let k = stack.pop(); k !== undefined; k = stack.pop()) {
    reached.push(k);
    if (leaf[k] === 0) stack.push(tree.rights[k]!, tree.lefts[k]!);
  }
  reached.sort((a, b) => a - b);
  const index = new Int32Array(leaf.length).fill(-1);
  for (const [e, k] of reached.entries()) index[k] = e;
  const integers = (list: Int32Array) => Int32Array.from(reached, (k) => list[k]!);
  const reals = (list: Float64Array) => Float64Array.from(reached, (k) => list[k]!);
  const children = (list: Int32Array) =>
    Int32Array.from(reached, (k) => (leaf[k] === 1 ? -1 : index[list[k]!]!));
  const { width } = tree;
  const values = new Float64Array(reached.length * width);
  for (const [e, k] of reached.entries())
    values.set(tree.values.subarray(k * width, (k + 1) * width), e * width);
  return {
    ...tree,
    features: Int32Array.from(reached, (k) => (leaf[k] === 1 ? -1 : tree.features[k]!)),
    thresholds: reals(tree.thresholds),
    lefts: children(tree.lefts),
    rights: children(tree.rights),
    counts: integers(tree.counts),
    weights: reals(tree.weights),
    depths: integers(tree.depths),
    impurities: reals(tree.impurities),
    missingLeft: integers(tree.missingLeft),
    categoryStarts: Int32Array.from(reached, (k) => (leaf[k] === 1 ? -1 : tree.categoryStarts[k]!)),
    values,
  };
}
