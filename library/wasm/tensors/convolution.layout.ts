/** Tiles of 2 × 2 outputs that are transformed and multiplied together: with 8 channels and 16 filters they fit into 32 KB. */
export const TILES: i32 = 16;
/** Entries of a transformed tile: 4 × 4. */
export const ENTRIES: i32 = 16;

/**
 * Images are count × height × width × channels, row-major; a window is windowHeight × windowWidth pixels, and an output has one entry per
 * image, output position and channel. The padding at the bottom and at the right follows from the size of the output.
 */
@unmanaged
export class Windows {
  count: i32;
  height: i32;
  width: i32;
  channels: i32;
  windowHeight: i32;
  windowWidth: i32;
  strideY: i32;
  strideX: i32;
  padTop: i32;
  padLeft: i32;
  outHeight: i32;
  outWidth: i32;
}
