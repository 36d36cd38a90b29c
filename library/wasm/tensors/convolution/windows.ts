import { addRun, copyRun } from "../../shared/runs";

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
  const run = <usize>windowWidth * some;
  const window = <usize>windowHeight * run;
  const to = min(count * outHeight, (chunk + 1) * chunkRows);
  // Windows ox0 … ox1 − 1 are between the left and the right side of the image.
  const ox0 = min(outWidth, (padLeft + strideX - 1) / strideX);
  const room = width - windowWidth + padLeft;
  const ox1 = room < 0 ? ox0 : max(ox0, min(outWidth, room / strideX + 1));
  const inside = ox0 * strideX - padLeft;
  for (let r = chunk * chunkRows; r < to; r++) {
    const image = x + <usize>(r / outHeight) * <usize>height * line + <usize>channelFrom * w;
    const top = (r % outHeight) * strideY - padTop;
    for (let wy = 0; wy < windowHeight; wy++) {
      const y = top + wy;
      const at = out + <usize>r * <usize>outWidth * window + <usize>wy * run;
      if (y < 0 || y >= height) {
        for (let ox = 0; ox < outWidth; ox++) zeroRun<T>(at + <usize>ox * window, windowWidth * channelCount);
        continue;
      }
      const source = image + <usize>y * line;
      const step = <usize>strideX * pixel;
      if (channelCount == channels) {
        const from = source + <usize>inside * pixel;
        copyRuns(from, step, at + <usize>ox0 * window, window, ox1 - ox0, run);
      } else {
        for (let wx = 0; wx < windowWidth; wx++) {
          const target = at + <usize>ox0 * window + <usize>wx * some;
          copyRuns(source + <usize>(inside + wx) * pixel, step, target, window, ox1 - ox0, some);
        }
      }
      for (let ox = 0; ox < outWidth; ox++) {
        if (ox == ox0) ox = ox1;
        if (ox >= outWidth) break;
        const left = ox * strideX - padLeft;
        const first = min(windowWidth, max(0, -left));
        const end = max(first, min(windowWidth, width - left));
        const target = at + <usize>ox * window;
        zeroRun<T>(target, first * channelCount);
        for (let wx = first; wx < end; wx++)
          copyRun<T>(source + <usize>(left + wx) * pixel, target + <usize>wx * some, channelCount);
        zeroRun<T>(target + <usize>end * some, (windowWidth - end) * channelCount);
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
