import { pushAll } from "../../core/numbers/extremes.js";
import type { TreeNodes } from "../../core/structure.js";
import type { Matrix } from "../../data/matrix.js";
import {
  CATEGORICAL,
  FLAG_BIT,
  LEAF,
  MISSING_GOES_LEFT,
  NAN_WORD,
  packedNodeBytes,
  packedNodeI32,
  THRESHOLDS,
  WITH_LISTS,
  WITH_SETS,
} from "../generated/packed-trees.layout.js";
import { isInRange } from "./leaf-of-row.js";

/** A tree as lists, one entry per node. */
export type TreeLists = TreeNodes;

/** Trees for prediction; see wasm/shared/packed-trees.ts. */
export interface PackedTrees {
  /** PackedNode of all trees, one after the other. */
  readonly nodes: Float64Array<ArrayBuffer>;
  /** The same bytes as 32-bit words. */
  readonly words: Int32Array<ArrayBuffer>;
  readonly pool: Int32Array;
  /** Index of the first node and of the first leaf of each tree, then the numbers of all nodes and leaves. */
  readonly starts: Int32Array;
  /** Node index of each leaf in its tree. */
  readonly leafNodes: Int32Array;
  /** `width` numbers per leaf. */
  readonly values: Float64Array;
  readonly width: number;
  /** THRESHOLDS, WITH_SETS or WITH_LISTS. */
  readonly splitKinds: number;
}

/** A packed node in doubles and in words of four bytes. */
export const NODE_DOUBLES: number = packedNodeBytes / 8;
const NODE_WORDS = packedNodeBytes / 4;
const { column: COLUMN, skip: SKIP } = packedNodeI32;
const COLUMN_BITS = 2 ** FLAG_BIT - 1;
const LEAF_FLAG = LEAF << FLAG_BIT;
const MISSING_FLAG = MISSING_GOES_LEFT << FLAG_BIT;
const CATEGORY_FLAG = CATEGORICAL << FLAG_BIT;

export function packTrees(trees: readonly TreeLists[]): PackedTrees {
  const total = trees.reduce((sum, { features }) => sum + features.length, 0);
  // A binary tree has one leaf more than splits.
  const leaves = (total + trees.length) / 2;
  const width = trees[0]?.width ?? 1;
  const nodes = new Float64Array(total * NODE_DOUBLES);
  const pool: number[] = [];
  const packed = {
    nodes,
    words: new Int32Array(nodes.buffer),
    starts: new Int32Array(2 * trees.length + 2),
    leafNodes: new Int32Array(leaves),
    values: new Float64Array(leaves * width),
    width,
  };
  let splitKinds: number = THRESHOLDS;
  for (const [t, tree] of trees.entries()) splitKinds = Math.max(splitKinds, packTree(tree, t, packed, pool));
  return { ...packed, pool: Int32Array.from(pool.length === 0 ? [0] : pool), splitKinds };
}

/** Writes tree t in preorder; returns its kinds of splits. */
function packTree(
  tree: TreeLists,
  t: number,
  packed: Omit<PackedTrees, "pool" | "splitKinds">,
  pool: number[],
): number {
  const { features, thresholds, lefts, rights, missingLeft, categoryStarts, values } = tree;
  const { nodes, words, starts, leafNodes, width } = packed;
  const start = starts[2 * t]!;
  const firstLeaf = starts[2 * t + 1]!;
  let at = start;
  let leaf = firstLeaf;
  let splitKinds: number = THRESHOLDS;
  // Right children that are not written yet, and their parents.
  const open = [0];
  const parents = [-1];
  while (open.length > 0) {
    const parent = parents.pop()!;
    if (parent >= 0) words[parent * NODE_WORDS + SKIP] = packedNodeBytes * (at - parent - 1);
    for (let k = open.pop()!; ; k = lefts[k]!, at++) {
      const word = at * NODE_WORDS;
      if (features[k]! < 0) {
        words[word] = leaf - firstLeaf;
        words[word + 1] = NAN_WORD;
        words[word + COLUMN] = LEAF_FLAG;
        words[word + SKIP] = -packedNodeBytes;
        leafNodes[leaf] = k;
        for (let e = 0; e < width; e++) packed.values[leaf * width + e] = values[k * width + e]!;
        leaf++;
        at++;
        break;
      }
      const category = categoryStarts[k]!;
      if (category < 0) nodes[at * NODE_DOUBLES] = thresholds[k]!;
      else {
        words[word] = pool.length;
        splitKinds = Math.max(splitKinds, pushCategories(tree.pool, category, pool));
      }
      words[word + COLUMN] =
        features[k]! | (missingLeft[k] === 1 ? MISSING_FLAG : 0) | (category < 0 ? 0 : CATEGORY_FLAG);
      open.push(rights[k]!);
      parents.push(at);
    }
  }
  starts[2 * t + 2] = at;
  starts[2 * t + 3] = leaf;
  return splitKinds;
}

/** Words up to which a set is used instead of a list of any length: 256 categories. */
const SHORT_SET = 8;

/** Appends the categories listed at `start` as a bit set, or as a list if the set would be long; returns which. */
function pushCategories(lists: Int32Array, start: number, out: number[]): number {
  const count = lists[start]!;
  const length = count === 0 ? 1 : (lists[start + count]! >> 5) + 1;
  if (length > Math.max(SHORT_SET, count)) {
    out.push(-count);
    for (let e = 1; e <= count; e++) out.push(lists[start + e]!);
    return WITH_LISTS;
  }
  const set = new Int32Array(length);
  for (let e = 1; e <= count; e++) set[lists[start + e]! >> 5]! |= 1 << (lists[start + e]! & 31);
  pushAll(out, [length, ...set, 0]);
  return WITH_SETS;
}

/** Whether a category is in the set or list at `start`. */
function isPacked(pool: Int32Array, start: number, category: number): boolean {
  const length = pool[start]!;
  if (length < 0) return isInRange(pool, start + 1, start - length, category);
  const word = category >> 5;
  return category >= 0 && word < length && ((pool[start + 1 + word]! >>> (category & 31)) & 1) === 1;
}

/**
 * out[i, k] += the values of row i's leaf in trees from … to − 1, of `scores` sums per row; tree t adds its values from
 * k = (t · width) mod scores on. The twin of the kernel, for few rows.
 */
export function addFewTreeSums(
  { data, rows, cols }: Matrix,
  packed: PackedTrees,
  from: number,
  to: number,
  scores: number,
  out: Float64Array,
): void {
  const { nodes, words, pool, starts, values, width } = packed;
  for (let i = 0, row = 0; i < rows; i++, row += cols) {
    for (let t = from; t < to; t++) {
      let at = starts[2 * t]! * NODE_WORDS;
      for (let column = words[at + COLUMN]!; column >= 0; column = words[at + COLUMN]!) {
        const value = data[row + (column & COLUMN_BITS)]!;
        let left = value <= nodes[at >> 1]!;
        if (Number.isNaN(value)) left = (column & MISSING_FLAG) !== 0;
        else if ((column & CATEGORY_FLAG) !== 0) left = isPacked(pool, words[at]!, value);
        at += NODE_WORDS + (left ? 0 : words[at + SKIP]! >> 2);
      }
      const own = (starts[2 * t + 1]! + words[at]!) * width;
      const sum = i * scores + ((t * width) % scores);
      for (let k = 0; k < width; k++) out[sum + k]! += values[own + k]!;
    }
  }
}
