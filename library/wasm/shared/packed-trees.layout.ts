export const FLAG_BIT: i32 = 29;
export const MISSING_GOES_LEFT: i32 = 1;
export const CATEGORICAL: i32 = 2;
export const LEAF: i32 = 4;
/** The upper half of a leaf's threshold. */
export const NAN_WORD: i32 = 0x7ff80000;

/** Kinds of splits in the trees: thresholds only, also sets of categories, or also lists of categories. */
export const THRESHOLDS: i32 = 0;
export const WITH_SETS: i32 = 1;
export const WITH_LISTS: i32 = 2;

/**
 * A node of a packed tree. The left child follows its parent. A leaf is its own right child, and its threshold is NaN, so that a step
 * from a leaf stays there.
 */
@unmanaged
export class PackedNode {
  /**
   * Rows with x ≤ threshold go left. Categorical split: the start of its categories in `pool`, in the lower half. Leaf: NaN, with the
   * leaf index in the lower half.
   */
  threshold: f64;
  /** The column in the lower bits, and flags from FLAG_BIT on. */
  column: i32;
  /** Bytes from the left child to the right one, which of a leaf is itself. */
  skip: i32;
}
