/**
 * Steps of the sum over k that are done together: a panel of B with so many fits into the first-level cache.
 */
export const DEPTH: i32 = 256;
/** Rows of A that are multiplied with a panel of B before the next panel. */
export const ROWS: i32 = 16;
/** Bytes that a chunk needs beside the transposed rows of A: a tile of the product. */
export const TILE_BYTES: i32 = 128;
/** Bytes after the tile where zeros are skipped: the end of the steps of every four rows. */
export const ENDS_BYTES: i32 = 16;
/** Bytes of a step where zeros are skipped, beside an entry of each of four rows. */
export const STEP_HEAD: i32 = 8;
