/**
 * A node of a tree that rows walk down. The left child comes next. A leaf is its own right child, and its threshold is NaN: a step from
 * a leaf stays there.
 */
@unmanaged
export class PackedNode {
  /**
   * Values up to it go left. Of a question about categories: where they are in `pool`, in the lower half. Of a leaf: NaN with the leaf's
   * number in the lower half.
   */
  threshold: f64;
  /** The column in the lower bits, and flags from FLAG_BIT on. */
  column: i32;
  /** How many bytes after the tree's first node the right child is. */
  right: i32;
}

export const FLAG_BIT: i32 = 29;
export const MISSING_GOES_LEFT: i32 = 1;
export const CATEGORICAL: i32 = 2;
export const LEAF: i32 = 4;
/** The upper half of a leaf's threshold. */
export const NAN_WORD: i32 = 0x7ff80000;

/** What the splitKinds of trees are about: numbers only, also sets of categories, or also lists of them. */
export const THRESHOLDS: i32 = 0;
export const WITH_SETS: i32 = 1;
export const WITH_LISTS: i32 = 2;
