import type { MatrixLike } from "../core/contract.js";
import type { StateReader, Tensor } from "../core/state/state.js";
import { type Design, readMatrix } from "../data/input.js";
import type { TableColumns } from "../data/table/table-columns.js";
import type { GrownTree } from "../numeric/trees/grow-tree.js";
import { PackedForest, treeLeaves } from "../numeric/trees/leaves.js";
import { requireNoInfinity } from "./growth.js";

/** A node as `Tree.node` returns it. */
export interface TreeNode {
  /** Index of the node. */
  readonly node: number;
  readonly depth: number;
  /** Number of training rows. */
  readonly count: number;
  /** Total weight of these rows. */
  readonly weight: number;
  readonly impurity: number;
  /** Class proportions, or the mean (median with absoluteError) of the target. */
  readonly value: Float64Array;
  /** Absent at a leaf. */
  readonly split?: {
    readonly feature: number;
    /** Rows with x ≤ threshold, or x in categories, go left. */
    readonly threshold?: number;
    readonly categories?: Int32Array;
    /** Names of the categories, if X was a table. */
    readonly categoryNames?: readonly string[];
    readonly missingLeft: boolean;
    readonly left: number;
    readonly right: number;
  };
}

/** A fitted tree: its nodes, and the leaves of rows. */
export class Tree {
  #packed: PackedForest | undefined;

  constructor(
    readonly grown: GrownTree,
    readonly nFeatures: number,
    /** Names and categories of the columns, if X was a table. */
    readonly columns?: TableColumns | undefined,
  ) {}

  get nodeCount(): number {
    return this.grown.features.length;
  }

  /** Whether a node splits a list of categories from others. */
  get hasCategories(): boolean {
    return this.grown.pool.length > 0;
  }

  get leafCount(): number {
    return (this.nodeCount + 1) / 2;
  }

  /** Number of splits on the longest path from the root to a leaf. */
  get depth(): number {
    return this.grown.depths.reduce((most, depth) => Math.max(most, depth), 0);
  }

  node(k: number): TreeNode {
    const { features, thresholds, lefts, rights, counts, weights, depths, impurities } = this.grown;
    const { missingLeft, categoryStarts, pool, values, width } = this.grown;
    const common = {
      node: k,
      depth: depths[k]!,
      count: counts[k]!,
      weight: weights[k]!,
      impurity: impurities[k]!,
      value: values.slice(k * width, (k + 1) * width),
    };
    if (features[k]! < 0) return common;
    const start = categoryStarts[k]!;
    return {
      ...common,
      split: {
        feature: features[k]!,
        ...(start < 0
          ? { threshold: thresholds[k]! }
          : this.#categories(features[k]!, pool.slice(start + 1, start + 1 + pool[start]!))),
        missingLeft: missingLeft[k] === 1,
        left: lefts[k]!,
        right: rights[k]!,
      },
    };
  }

  #categories(feature: number, categories: Int32Array) {
    const categoryNames = this.columns?.named(feature, categories);
    return categoryNames ? { categories, categoryNames } : { categories };
  }

  /** The nodes in preorder. */
  *nodes(): Generator<TreeNode> {
    const stack = [0];
    for (let k = stack.pop(); k !== undefined; k = stack.pop()) {
      const node = this.node(k);
      yield node;
      if (node.split) stack.push(node.split.right, node.split.left);
    }
  }

  /** Leaf index of each row. */
  leaves(where: string, x: MatrixLike): Int32Array {
    return this.leavesOf(where, this.rowsOf(where, x));
  }

  /** Leaf index of each row that `rowsOf` has read. */
  leavesOf(where: string, rows: Design): Int32Array {
    this.#packed ??= new PackedForest([this.grown]);
    return treeLeaves(where, rows, this.grown, this.#packed);
  }

  /** Reads and checks X; the columns of a table are found by name. */
  rowsOf(where: string, x: MatrixLike): Design {
    const given = this.columns ? this.columns.read(where, x) : x;
    const design = readMatrix(where, given, {
      like: { nFeatures: this.nFeatures },
      sparse: true,
      missing: true,
    });
    requireNoInfinity(where, design);
    return design;
  }

  /** Node indices from the root to the leaf, for each row. */
  paths(where: string, x: MatrixLike): Int32Array[] {
    const { lefts, rights, depths } = this.grown;
    const parents = new Int32Array(this.nodeCount).fill(-1);
    for (let k = 0; k < parents.length; k++) {
      if (lefts[k]! < 0) continue;
      parents[lefts[k]!] = k;
      parents[rights[k]!] = k;
    }
    return Array.from(this.leaves(where, x), (leaf) => {
      const path = new Int32Array(depths[leaf]! + 1);
      for (let k = leaf, at = path.length - 1; at >= 0; at--, k = parents[k]!) path[at] = k;
      return path;
    });
  }

  /** Impurity decrease per column, weighted by the rows of the nodes; they sum to 1, or are 0 if there is no split. */
  get importances(): Float64Array {
    const { features, lefts, rights, weights, impurities } = this.grown;
    const sums = new Float64Array(this.nFeatures);
    const total = (k: number) => weights[k]! * impurities[k]!;
    for (let k = 0; k < features.length; k++) {
      if (features[k]! >= 0) sums[features[k]!]! += total(k) - total(lefts[k]!) - total(rights[k]!);
    }
    const all = sums.reduce((sum, v) => sum + v, 0);
    return all > 0 ? sums.map((v) => v / all) : sums;
  }

  /** Without `categories`, the lists of categories are left out: there are none. Depths follow from the children. */
  toTensors(categories = this.hasCategories): Record<string, Tensor> {
    const { grown } = this;
    const lists = ["features", "thresholds", "lefts", "rights", "counts", "weights", "impurities"] as const;
    const more = categories ? (["categoryStarts", "pool"] as const) : [];
    const tensors = [...lists, "missingLeft" as const, ...more].map((name): [string, Tensor] => {
      const data = grown[name];
      return [name, { shape: [data.length], data }];
    });
    const values = { shape: [grown.features.length, grown.width], data: grown.values };
    return { ...Object.fromEntries(tensors), values };
  }
}

/** The inverse of `toTensors`. */
export function readTree(
  reader: StateReader,
  width: number,
  nFeatures: number,
  columns?: TableColumns,
): Tree {
  const features = reader.integers("features", [-1]);
  const n = features.length;
  if (n === 0) reader.fail("features", "at least one node", "none");
  const wrong = features.find((feature) => feature < -1 || feature >= nFeatures);
  if (wrong !== undefined) reader.fail("features", `below ${nFeatures}`, String(wrong));
  const [lefts, rights] = [reader.integers("lefts", [n]), reader.integers("rights", [n])];
  const hasCategories = "pool" in reader.state.tensors;
  const categoryStarts = hasCategories ? reader.integers("categoryStarts", [n]) : new Int32Array(n).fill(-1);
  const pool = hasCategories ? reader.integers("pool", [-1]) : new Int32Array(0);
  const depths = checkedDepths(reader, features, lefts, rights);
  checkCategories(reader, features, categoryStarts, pool, columns);
  const grown = {
    ...{ features, lefts, rights, depths, categoryStarts, pool, width },
    values: reader.finite("values", [n, width]),
    thresholds: reader.finite("thresholds", [n]),
    counts: reader.integers("counts", [n]),
    weights: reader.floats("weights", [n]),
    impurities: reader.floats("impurities", [n]),
    missingLeft: reader.integers("missingLeft", [n]),
  };
  return new Tree(grown, nFeatures, columns);
}

/** Depths of the nodes, each of which must come after its one parent: otherwise the number of paths could be exponential. */
function checkedDepths(
  reader: StateReader,
  features: Int32Array,
  lefts: Int32Array,
  rights: Int32Array,
): Int32Array {
  const n = features.length;
  const depths = new Int32Array(n);
  const hasParent = new Uint8Array(n);
  for (let k = 0; k < n; k++) {
    if (k > 0 && hasParent[k] === 0) reader.fail("lefts and rights", "one parent per node", "none");
    const [left, right] = [lefts[k]!, rights[k]!];
    const isLeaf = features[k]! < 0;
    const fits = isLeaf ? left === -1 && right === -1 : left > k && right > k && left < n && right < n;
    if (!fits) reader.fail("lefts and rights", "nodes after their parents", `${left} and ${right}`);
    if (isLeaf) continue;
    if (left === right || hasParent[left] === 1 || hasParent[right] === 1)
      reader.fail("lefts and rights", "one parent per node", "two");
    for (const child of [left, right]) {
      hasParent[child] = 1;
      depths[child] = depths[k]! + 1;
    }
  }
  return depths;
}

/** Every list of categories must be inside the pool, and have codes of the column that its node splits. */
function checkCategories(
  reader: StateReader,
  features: Int32Array,
  starts: Int32Array,
  pool: Int32Array,
  columns: TableColumns | undefined,
): void {
  starts.forEach((start, k) => {
    if (start === -1) return;
    const size = start >= 0 && start < pool.length ? pool[start]! : -1;
    if (size < 0 || start + size >= pool.length)
      reader.fail("categoryStarts", "inside the pool", String(start));
    if (features[k]! < 0 || !columns) return;
    const listed = pool.subarray(start + 1, start + 1 + size);
    if (!columns.knows(features[k]!, listed))
      reader.fail("pool", "codes of the column's categories", "others");
  });
}
