/** Rows packed at a time: 64 × 50 × 8 = 25 KB stay in the first-level cache for all classes. */
export const ROWS: i32 = 64;
