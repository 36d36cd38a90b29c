/** Depth of a packed slice, and rows of A packed at a time: A's block is 256 × 64 × 8 = 128 KB of second-level cache. */
export const DEPTH: i32 = 256;
export const ROWS: i32 = 64;
