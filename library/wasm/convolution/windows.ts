import { addRun, copyRun } from "../shared/runs";

/**
 * Images are count × height × width × channels, row-major. A window is windowHeight × windowWidth pixels; outside the image are zeros.
 * Windows are rows of windowHeight × windowWidth × channelCount entries, one per image and output position, and use the channels from
 * `channelFrom` on.
 */

// @inline
function zeroRun<T>(to: usize, n: i32): void {
  for (const end = to + <usize>n * sizeof<T>(); to < end; to += sizeof<T>()) store<T>(to, <T>0);
}

/**
 * Copies whole vectors, so up to 15 bytes past the end of the run: they are written again by the next run. Where these are not inside
 * the chunk (`limit`) or the image (`last`), the copy is exact.
 */
// @inline
function copyFast<T>(from: usize, to: usize, n: i32, last: usize, limit: usize): void {
  const bytes = <usize>n * sizeof<T>();
  const rounded = (bytes + 15) & ~15;
  if (bytes >= 512 || from + rounded > last || to + rounded > limit) {
    copyRun<T>(from, to, n);
    return;
  }
  for (let e: usize = 0; e < bytes; e += 16) v128.store(to + e, v128.load(from + e));
}

/** The windows of a chunk of rows of output positions (count × outHeight in all). */
export function windowRows<T>(
  x: usize,
  out: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  windowHeight: i32,
  windowWidth: i32,
  strideY: i32,
  strideX: i32,
  padTop: i32,
  padLeft: i32,
  outHeight: i32,
  outWidth: i32,
  channelFrom: i32,
  channelCount: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const pixel = <usize>channels * w;
  const line = <usize>width * pixel;
  const some = <usize>channelCount * w;
  const run = windowWidth * channelCount;
  const whole = channelCount == channels;
  const from = chunk * chunkRows;
  const to = min(count * outHeight, from + chunkRows);
  const last = x + <usize>count * <usize>height * line;
  const size = <usize>outWidth * <usize>windowHeight * <usize>run * w;
  const limit = out + <usize>to * size;
  let at = out + <usize>from * size;
  for (let r = from; r < to; r++) {
    const image = x + <usize>(r / outHeight) * <usize>height * line + <usize>channelFrom * w;
    const top = (r % outHeight) * strideY - padTop;
    for (let ox = 0; ox < outWidth; ox++) {
      const left = ox * strideX - padLeft;
      const first = min(windowWidth, max(0, -left));
      const end = max(first, min(windowWidth, width - left));
      for (let wy = 0; wy < windowHeight; wy++, at += <usize>run * w) {
        const y = top + wy;
        if (y < 0 || y >= height) {
          zeroRun<T>(at, run);
          continue;
        }
        let source = image + <usize>y * line + <usize>(left + first) * pixel;
        let target = at + <usize>first * some;
        zeroRun<T>(at, first * channelCount);
        if (whole) {
          copyFast<T>(source, target, (end - first) * channels, last, limit);
        } else {
          for (let wx = first; wx < end; wx++, source += pixel, target += some)
            copyFast<T>(source, target, channelCount, last, limit);
        }
        zeroRun<T>(at + <usize>end * some, (windowWidth - end) * channelCount);
      }
    }
  }
}

/** Adds all windows of a chunk of images to their places; unless `accumulate`, the images are zeros before. */
export function addWindows<T>(
  x: usize,
  windows: usize,
  count: i32,
  height: i32,
  width: i32,
  channels: i32,
  windowHeight: i32,
  windowWidth: i32,
  strideY: i32,
  strideX: i32,
  padTop: i32,
  padLeft: i32,
  outHeight: i32,
  outWidth: i32,
  channelFrom: i32,
  channelCount: i32,
  accumulate: i32,
  chunkImages: i32,
  chunk: i32,
): void {
  const w = sizeof<T>();
  const pixel = <usize>channels * w;
  const line = <usize>width * pixel;
  const some = <usize>channelCount * w;
  const run = <usize>windowWidth * some;
  const from = chunk * chunkImages;
  const to = min(count, from + chunkImages);
  // A vector is read again soon after it is written, fast only if both are the same 16 bytes: so runs across pixels need whole vectors.
  const whole = channelCount == channels && (pixel & 15) == 0;
  let at = windows + <usize>from * <usize>outHeight * <usize>outWidth * <usize>windowHeight * run;
  for (let n = from; n < to; n++) {
    const image = x + <usize>n * <usize>height * line;
    if (!accumulate) memory.fill(image, 0, <usize>height * line);
    for (let oy = 0; oy < outHeight; oy++) {
      const top = oy * strideY - padTop;
      for (let ox = 0; ox < outWidth; ox++) {
        const left = ox * strideX - padLeft;
        const first = min(windowWidth, max(0, -left));
        const end = max(first, min(windowWidth, width - left));
        for (let wy = 0; wy < windowHeight; wy++, at += run) {
          const y = top + wy;
          if (y < 0 || y >= height) continue;
          let source = at + <usize>first * some;
          let target = image + <usize>y * line + <usize>(left + first) * pixel + <usize>channelFrom * w;
          if (whole) {
            addRun<T>(source, target, (end - first) * channels);
          } else {
            for (let wx = first; wx < end; wx++, source += some, target += pixel)
              addRun<T>(source, target, channelCount);
          }
        }
      }
    }
  }
}
