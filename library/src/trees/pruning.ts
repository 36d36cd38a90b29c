import type { GrownTree } from "../numeric/trees/grow-tree.js";

/**
 * Cost-complexity pruning [Breiman et al. 1984, ch. 3]: R_α(T) = Σ over leaves of (N_t/N) i(t) + α |leaves|. The weakest branch,
 * that with the least (R(t) − R(T_t))/(|T_t| − 1), is cut first, and so on: a path of ever smaller trees.
 */
export interface PruningPath {
  /** The α from which each tree of the path is the best, ascending; the first is 0. */
  readonly alphas: Float64Array;
  /** Impurity of the leaves, weighted by their rows, of each. */
  readonly impurities: Float64Array;
  readonly leaves: Int32Array;
}

/** A tree that is cut back; `leaf[k]` is 1 where a branch has become a leaf. */
class Pruner {
  readonly leaf: Uint8Array;
  readonly #tree: GrownTree;
  readonly #parents: Int32Array;
  /** Of the branch below each node: impurity of its leaves, and their number. */
  readonly #held: Float64Array;
  readonly #count: Int32Array;
  /** The weakest node of the branch below each, itself included; −1 at a leaf. */
  readonly #weakest: Int32Array;

  constructor(tree: GrownTree) {
    this.#tree = tree;
    const n = tree.features.length;
    this.leaf = Uint8Array.from(tree.features, (feature) => (feature < 0 ? 1 : 0));
    this.#parents = new Int32Array(n).fill(-1);
    this.#held = new Float64Array(n);
    this.#count = new Int32Array(n);
    this.#weakest = new Int32Array(n).fill(-1);
    for (let k = n - 1; k >= 0; k--) {
      const [left, right] = [tree.lefts[k]!, tree.rights[k]!];
      if (left < 0) {
        this.#held[k] = this.#own(k);
        this.#count[k] = 1;
        continue;
      }
      this.#parents[left] = k;
      this.#parents[right] = k;
      this.#held[k] = this.#held[left]! + this.#held[right]!;
      this.#count[k] = this.#count[left]! + this.#count[right]!;
      this.#compare(k);
    }
  }

  get impurity(): number {
    return this.#held[0]!;
  }

  get leaves(): number {
    return this.#count[0]!;
  }

  /** The weakest branch that is left and its α; null at the root alone. */
  weakest(): { node: number; alpha: number } | null {
    const node = this.#weakest[0]!;
    return node < 0 ? null : { node, alpha: this.#strength(node) };
  }

  #strength(k: number): number {
    return (this.#own(k) - this.#held[k]!) / (this.#count[k]! - 1);
  }

  /** Finds the weakest of a node and its children's; of equally weak ones the first. */
  #compare(k: number): void {
    let weakest = k;
    for (const other of [this.#weakest[this.#tree.lefts[k]!]!, this.#weakest[this.#tree.rights[k]!]!]) {
      if (other >= 0 && this.#strength(other) < this.#strength(weakest)) weakest = other;
    }
    this.#weakest[k] = weakest;
  }

  cut(node: number): void {
    const held = this.#own(node) - this.#held[node]!;
    const count = 1 - this.#count[node]!;
    this.leaf[node] = 1;
    this.#weakest[node] = -1;
    for (let k = node; k >= 0; k = this.#parents[k]!) {
      this.#held[k]! += held;
      this.#count[k]! += count;
      if (k !== node) this.#compare(k);
    }
  }

  /** R(t): what the node would hold as a leaf. */
  #own(k: number): number {
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
    pruner.cut(weak.node);
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

/** The smallest tree that is best for this α. */
export function pruned(tree: GrownTree, ccpAlpha: number): GrownTree {
  if (ccpAlpha === 0) return tree;
  const pruner = new Pruner(tree);
  for (let weak = pruner.weakest(); weak !== null && weak.alpha <= ccpAlpha; weak = pruner.weakest()) {
    pruner.cut(weak.node);
  }
  return keep(tree, pruner.leaf);
}

/** The nodes that can still be reached, numbered anew in the same order. */
function keep(tree: GrownTree, leaf: Uint8Array): GrownTree {
  const reached: number[] = [];
  const waiting = [0];
  for (let k = waiting.pop(); k !== undefined; k = waiting.pop()) {
    reached.push(k);
    if (leaf[k] === 0) waiting.push(tree.rights[k]!, tree.lefts[k]!);
  }
  reached.sort((a, b) => a - b);
  const number = new Int32Array(leaf.length).fill(-1);
  for (const [e, k] of reached.entries()) number[k] = e;
  const integers = (list: Int32Array) => Int32Array.from(reached, (k) => list[k]!);
  const reals = (list: Float64Array) => Float64Array.from(reached, (k) => list[k]!);
  const children = (list: Int32Array) =>
    Int32Array.from(reached, (k) => (leaf[k] === 1 ? -1 : number[list[k]!]!));
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
