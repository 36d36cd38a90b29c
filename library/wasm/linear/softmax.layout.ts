/** Rows handled together; 32 × 100 doubles stay in the first-level cache between margins and gradient. */
export const BLOCK: i32 = 32;
