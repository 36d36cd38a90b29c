import { addRun, copyRun } from "../../shared/runs";
import { Windows } from "../convolution.layout";

/**
 * Windows are rows of windowHeight × windowWidth × channelCount entries, one per image and output position, and use the channels from
 * `channelFrom` on; outside the image are zeros.
 */

// @inline
function zeroRun<T>(to: usize, n: i32): void {
  for (const end = to + <usize>n * sizeof<T>(); to < end; to += sizeof<T>()) store<T>(to, <T>0);
}

/**
 * Copies `count` runs of the same length, with `from` and `to` moved by their steps in bytes after each. The last vector of a run ends
 * with the run and overlaps the one before, so that nothing is written past the end.
 */
function copyRuns(from: usize, step: usize, to: usize, toStep: usize, count: i32, bytes: usize): void {
  const last = bytes - 16;
  const end = from + <usize>count * step;
  if (bytes >= 32) {
    for (; from < end; from += step, to += toStep) {
      for (let e: usize = 0; e < last; e += 16) v128.store(to + e, v128.load(from + e));
      v128.store(to + last, v128.load(from + last));
    }
  } else if (bytes >= 16) {
    for (; from < end; from += step, to += toStep) {
      const front = v128.load(from);
      const back = v128.load(from + last);
      v128.store(to, front);
      v128.store(to + last, back);
    }
  } else if (bytes >= 8) {
    for (; from < end; from += step, to += toStep) {
      const front = load<u64>(from);
      const back = load<u32>(from + bytes - 4);
      store<u64>(to, front);
      store<u32>(to + bytes - 4, back);
    }
  } else {
    for (; from < end; from += step, to += toStep) store<u32>(to, load<u32>(from));
  }
}

/** The windows of a chunk of rows of output positions (count × outHeight in all). */
export function windowRows<T>(
  x: usize,
  out: usize,
  shapeAt: usize,
  channelFrom: i32,
  channelCount: i32,
  chunkRows: i32,
  chunk: i32,
): void {
  const shape = changetype<Windows>(shapeAt);
  const line = <usize>(shape.width * shape.channels) * sizeof<T>();
  const entries = shape.windowWidth * channelCount;
  const run = <usize>entries * sizeof<T>();
  const window = <usize>shape.windowHeight * run;
  const to = min(shape.count * shape.outHeight, (chunk + 1) * chunkRows);
  // Windows ox0 … ox1 − 1 are between the left and the right side of the image.
  const ox0 = min(shape.outWidth, (shape.padLeft + shape.strideX - 1) / shape.strideX);
  const room = shape.width - shape.windowWidth + shape.padLeft;
  const ox1 = room < 0 ? ox0 : max(ox0, min(shape.outWidth, room / shape.strideX + 1));
  for (let r = chunk * chunkRows; r < to; r++) {
    const image =
      x + <usize>(r / shape.outHeight) * <usize>shape.height * line + <usize>channelFrom * sizeof<T>();
    const top = (r % shape.outHeight) * shape.strideY - shape.padTop;
    for (let wy = 0; wy < shape.windowHeight; wy++) {
      const y = top + wy;
      const at = out + <usize>r * <usize>shape.outWidth * window + <usize>wy * run;
      if (y >= 0 && y < shape.height)
        windowLine<T>(image + <usize>y * line, shape, channelCount, ox0, ox1, at, window);
      else for (let ox = 0; ox < shape.outWidth; ox++) zeroRun<T>(at + <usize>ox * window, entries);
    }
  }
}

/** One row of pixels of the windows of one row of output positions, `window` bytes apart; `line` are the pixels of that row. */
function windowLine<T>(
  line: usize,
  shape: Windows,
  channelCount: i32,
  ox0: i32,
  ox1: i32,
  out: usize,
  window: usize,
): void {
  const pixel = <usize>shape.channels * sizeof<T>();
  const some = <usize>channelCount * sizeof<T>();
  const step = <usize>shape.strideX * pixel;
  const outWidth = shape.outWidth;
  const windowWidth = shape.windowWidth;
  const inside = line + <usize>(ox0 * shape.strideX - shape.padLeft) * pixel;
  const target = out + <usize>ox0 * window;
  if (channelCount == shape.channels)
    copyRuns(inside, step, target, window, ox1 - ox0, <usize>windowWidth * some);
  else
    for (let wx: usize = 0; wx < <usize>windowWidth; wx++)
      copyRuns(inside + wx * pixel, step, target + wx * some, window, ox1 - ox0, some);
  for (let ox = 0; ox < outWidth; ox++) {
    if (ox == ox0) ox = ox1;
    if (ox >= outWidth) break;
    const left = ox * shape.strideX - shape.padLeft;
    const first = min(windowWidth, max(0, -left));
    const end = max(first, min(windowWidth, shape.width - left));
    const to = out + <usize>ox * window;
    zeroRun<T>(to, first * channelCount);
    for (let wx = first; wx < end; wx++)
      copyRun<T>(line + <usize>(left + wx) * pixel, to + <usize>wx * some, channelCount);
    zeroRun<T>(to + <usize>end * some, (windowWidth - end) * channelCount);
  }
}

/** Adds all windows of a chunk of images to their places; unless `accumulate`, the images are zeros before. */
export function addWindows<T>(
  x: usize,
  windows: usize,
  shapeAt: usize,
  channelFrom: i32,
  channelCount: i32,
  accumulate: i32,
  chunkImages: i32,
  chunk: i32,
): void {
  const shape = changetype<Windows>(shapeAt);
  const pixel = <usize>shape.channels * sizeof<T>();
  const line = <usize>shape.width * pixel;
  const size = <usize>shape.height * line;
  const some = <usize>channelCount * sizeof<T>();
  const run = <usize>shape.windowWidth * some;
  const from = chunk * chunkImages;
  const to = min(shape.count, from + chunkImages);
  // A vector is read again soon after it is written, fast only if both are the same 16 bytes: so runs across pixels need whole vectors.
  const whole = channelCount == shape.channels && (pixel & 15) == 0;
  let at = windows + <usize>from * <usize>(shape.outHeight * shape.outWidth * shape.windowHeight) * run;
  for (let n = from; n < to; n++) {
    const image = x + <usize>n * size;
    if (!accumulate) memory.fill(image, 0, size);
    for (let oy = 0; oy < shape.outHeight; oy++) {
      const top = oy * shape.strideY - shape.padTop;
      for (let ox = 0; ox < shape.outWidth; ox++) {
        const left = ox * shape.strideX - shape.padLeft;
        const first = min(shape.windowWidth, max(0, -left));
        const end = max(first, min(shape.windowWidth, shape.width - left));
        for (let wy = 0; wy < shape.windowHeight; wy++, at += run) {
          const y = top + wy;
          if (y < 0 || y >= shape.height) continue;
          let source = at + <usize>first * some;
          let target =
            image + <usize>y * line + <usize>(left + first) * pixel + <usize>channelFrom * sizeof<T>();
          if (whole) {
            addRun<T>(source, target, (end - first) * channelCount);
          } else {
            for (let wx = first; wx < end; wx++, source += some, target += pixel)
              addRun<T>(source, target, channelCount);
          }
        }
      }
    }
  }
}
