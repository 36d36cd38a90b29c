/** Rows packed at a time: 128 × 4 × 8 bytes = 4 KB per panel, so that two panels fit the first-level cache. */
export const DEPTH: i32 = 128;
/** Rows that are added to one partial result together; streamed blocks are multiples of it. */
export const PIECE: i32 = 512;
