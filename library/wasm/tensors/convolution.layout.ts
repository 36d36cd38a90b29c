/** Tiles of 2 × 2 outputs that are transformed and multiplied together: with 8 channels and 16 filters they fit into 32 KB. */
export const TILES: i32 = 16;
/** Entries of a transformed tile: 4 × 4. */
export const ENTRIES: i32 = 16;
