import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/start-workers.js";
import { expectSameWithThreads, guarded, quarters } from "../../../test/support/tensors.js";
import { Random } from "../../core/numbers/random.js";
import { type Dtype, type Reals, type TensorSpace, withSpace } from "./space.js";
import {
  averagePoolGradientInto,
  averagePoolInto,
  hasQuads,
  maxPoolGradientInto,
  maxPoolInto,
  maxQuadsGradientInto,
  maxQuadsInto,
  type WindowShape,
  windowsAddInto,
  windowsInto,
} from "./windows.js";

const dtypes: readonly Dtype[] = ["float32", "float64"];

interface Options {
  readonly stride?: number;
  readonly pad?: number;
  readonly count?: number;
}

function windowShape(height: number, width: number, channels: number, side: number, o: Options): WindowShape {
  const { stride = 1, pad = 0, count = 2 } = o;
  return {
    count,
    height,
    width,
    channels,
    windowHeight: side,
    windowWidth: side + (side > 2 ? 1 : 0),
    strideY: stride,
    strideX: stride,
    padTop: pad,
    padLeft: pad,
    outHeight: Math.floor((height + 2 * pad - side) / stride) + 1,
    outWidth: Math.floor((width + 2 * pad - side) / stride) + 1,
  };
}

const shapes: readonly WindowShape[] = [
  ...[1, 2, 3, 4, 5, 8, 9].flatMap((channels) => [
    windowShape(5, 6, channels, 3, {}),
    windowShape(5, 6, channels, 3, { pad: 1 }),
    windowShape(7, 6, channels, 2, { stride: 2 }),
    windowShape(4, 5, channels, 1, {}),
    windowShape(5, 4, channels, 3, { pad: 2, stride: 2 }),
  ]),
  windowShape(6, 6, 40, 4, { pad: 1, count: 3 }),
  // Windows of padding only.
  windowShape(2, 2, 2, 2, { pad: 3 }),
];

const inputSize = (s: WindowShape) => s.count * s.height * s.width * s.channels;
const outputSize = (s: WindowShape) => s.count * s.outHeight * s.outWidth * s.channels;

/** The entries of every window in order, −1 outside the image: count·outHeight·outWidth rows of windowHeight·windowWidth·channels. */
function places(s: WindowShape): number[][] {
  const rows: number[][] = [];
  for (let n = 0; n < s.count; n++)
    for (let oy = 0; oy < s.outHeight; oy++)
      for (let ox = 0; ox < s.outWidth; ox++) {
        const row: number[] = [];
        for (let wy = 0; wy < s.windowHeight; wy++)
          for (let wx = 0; wx < s.windowWidth; wx++) {
            const y = oy * s.strideY - s.padTop + wy;
            const x = ox * s.strideX - s.padLeft + wx;
            const isInside = y >= 0 && y < s.height && x >= 0 && x < s.width;
            for (let c = 0; c < s.channels; c++)
              row.push(isInside ? ((n * s.height + y) * s.width + x) * s.channels + c : -1);
          }
        rows.push(row);
      }
  return rows;
}

/** Entries inside the image of every output entry's window. */
function poolPlaces(s: WindowShape): number[][] {
  return places(s).flatMap((row) =>
    Array.from({ length: s.channels }, (_, c) => row.filter((at, e) => at >= 0 && e % s.channels === c)),
  );
}

const forAll = (check: (space: TensorSpace, shape: WindowShape, dtype: Dtype) => void) => {
  for (const dtype of dtypes)
    withSpace("test", dtype, (space) => {
      for (const shape of shapes) space.step(() => check(space, shape, dtype));
    });
};

describe("windows", () => {
  it("have the entries of a plain loop, zeros outside the image, and write nothing else", () => {
    forAll((space, shape) => {
      const x = quarters(inputSize(shape), 1);
      const expected = places(shape).flatMap((row) => row.map((at) => (at < 0 ? 0 : x[at]!)));
      const { out, isIntact } = guarded(space, expected.length);
      windowsInto(space, space.copy(x), shape, out);
      expect(Array.from(out.array), JSON.stringify(shape)).toEqual(expected);
      expect(isIntact()).toBe(true);
    });
  });

  it("are added back to their places", () => {
    forAll((space, shape) => {
      const rows = places(shape);
      const g = quarters(rows.length * rows[0]!.length, 2);
      for (const accumulate of [false, true]) {
        const { out, isIntact } = guarded(space, inputSize(shape));
        const expected = Array.from(out.array, () => (accumulate ? 7 : 0));
        rows.flat().forEach((at, e) => {
          if (at >= 0) expected[at]! += g[e]!;
        });
        windowsAddInto(space, space.copy(g), shape, out, accumulate);
        expect(Array.from(out.array), JSON.stringify(shape)).toEqual(expected);
        expect(isIntact()).toBe(true);
      }
    });
  });

  it("of a group have its channels only, both ways", () => {
    forAll((space, shape) => {
      const half = Math.ceil(shape.channels / 2);
      const from = shape.channels - half;
      const x = quarters(inputSize(shape), 3);
      const chosen = places(shape).map((row) => row.filter((_, e) => e % shape.channels >= from));
      const { out, isIntact } = guarded(space, chosen.length * chosen[0]!.length);
      windowsInto(space, space.copy(x), shape, out, from, half);
      expect(Array.from(out.array)).toEqual(chosen.flat().map((at) => (at < 0 ? 0 : x[at]!)));
      const back = guarded(space, x.length);
      const expected = Array.from(x, () => 7);
      for (const at of chosen.flat()) if (at >= 0) expected[at]! += x[at]!;
      windowsAddInto(space, out, shape, back.out, true, from, half);
      expect(Array.from(back.out.array)).toEqual(expected);
      expect(isIntact() && back.isIntact()).toBe(true);
    });
  });
});

describe("pooling", () => {
  it("finds each window's first maximum inside the image, and brings gradients there", () => {
    forAll((space, shape) => {
      const x = quarters(inputSize(shape), 4);
      const pools = poolPlaces(shape);
      const top = pools.map((pool) => Math.max(...pool.map((at) => x[at]!)));
      const first = pools.map((pool, e) => pool.find((at) => x[at] === top[e]) ?? -1);
      const { out, isIntact } = guarded(space, outputSize(shape));
      const positions = space.integers(new Int32Array(outputSize(shape)));
      maxPoolInto(space, space.copy(x), shape, out, positions);
      expect(Array.from(positions.array), JSON.stringify(shape)).toEqual(first);
      expect(Array.from(out.array)).toEqual(top.map((v) => (v === Number.NEGATIVE_INFINITY ? 0 : v)));
      for (const accumulate of [false, true]) {
        const back = guarded(space, x.length);
        const expected = x.map(() => (accumulate ? 7 : 0));
        first.forEach((at, e) => {
          if (at >= 0) expected[at]! += out.array[e]!;
        });
        maxPoolGradientInto(space, out, positions, back.out, accumulate);
        expect(Array.from(back.out.array)).toEqual(expected);
        expect(isIntact() && back.isIntact()).toBe(true);
      }
    });
  });

  it("of quads has the same maxima and gradients", () => {
    for (const dtype of dtypes)
      withSpace("test", dtype, (space) => {
        for (const channels of [1, 2, 3, 4, 5, 8, 11])
          for (const [height, width] of [
            [4, 6],
            [5, 6],
            [4, 7],
            [3, 5],
            [1, 1],
          ] as const) {
            const shape = {
              ...windowShape(height, width, channels, 2, { stride: 2, count: 3 }),
              outHeight: Math.ceil(height / 2),
              outWidth: Math.ceil(width / 2),
            };
            expect(hasQuads(shape)).toBe(true);
            const x = space.copy(quarters(inputSize(shape), 8));
            // NaN is the maximum where it is the first entry, and nowhere else.
            x.array[0] = Number.NaN;
            if (x.length > 40) x.array[channels] = x.array[39] = Number.NaN;
            const g = space.copy(quarters(outputSize(shape), 9));
            const expected = space.reals(outputSize(shape));
            const positions = space.integers(new Int32Array(outputSize(shape)));
            maxPoolInto(space, x, shape, expected, positions);
            const { out, isIntact } = guarded(space, expected.length);
            maxQuadsInto(space, x, shape, out);
            expect(Array.from(out.array), JSON.stringify(shape)).toEqual(Array.from(expected.array));
            for (const accumulate of [false, true]) {
              const back = guarded(space, x.length);
              const slow = guarded(space, x.length);
              maxPoolGradientInto(space, g, positions, slow.out, accumulate);
              maxQuadsGradientInto(space, g, x, shape, back.out, accumulate);
              expect(Array.from(back.out.array), JSON.stringify(shape)).toEqual(Array.from(slow.out.array));
              expect(isIntact() && back.isIntact()).toBe(true);
            }
          }
      });
  });

  it("has no quads where a window overlaps another, or pixels are in none", () => {
    const shape = windowShape(6, 6, 4, 2, { stride: 2 });
    expect(hasQuads(shape)).toBe(true);
    expect(hasQuads({ ...shape, strideX: 1, outWidth: 5 })).toBe(false);
    expect(hasQuads({ ...shape, height: 7 })).toBe(false);
    expect(hasQuads({ ...shape, padTop: 1 })).toBe(false);
    expect(hasQuads({ ...shape, windowWidth: 3 })).toBe(false);
  });

  it("gives the place of a maximum of −∞", () => {
    withSpace("test", "float32", (space) => {
      const shape = windowShape(2, 2, 1, 2, { count: 1 });
      const out = space.reals(1);
      const positions = space.integers([9]);
      maxPoolInto(space, space.copy(new Array(4).fill(Number.NEGATIVE_INFINITY)), shape, out, positions);
      expect([out.array[0], positions.array[0]]).toEqual([Number.NEGATIVE_INFINITY, 0]);
    });
  });

  it("averages what is inside the image, and shares gradients equally", () => {
    forAll((space, shape, dtype) => {
      // f32: sums of quarters are exact, one division rounds; gradients add up to 12 rounded shares.
      const tolerance = dtype === "float32" ? 2e-6 : 1e-14;
      const x = quarters(inputSize(shape), 5);
      const g = quarters(outputSize(shape), 6);
      const pools = poolPlaces(shape);
      const { out, isIntact } = guarded(space, outputSize(shape));
      averagePoolInto(space, space.copy(x), shape, out);
      const sum = (pool: number[]) => pool.reduce((s, at) => s + x[at]!, 0);
      const error = (actual: Reals, expected: number[]) =>
        Math.max(...expected.map((value, e) => Math.abs(value - actual.array[e]!)));
      expect(
        error(
          out,
          pools.map((pool) => sum(pool) / Math.max(1, pool.length)),
        ),
      ).toBeLessThan(tolerance);
      for (const accumulate of [false, true]) {
        const back = guarded(space, x.length);
        const expected = x.map(() => (accumulate ? 7 : 0));
        pools.forEach((pool, e) => {
          for (const at of pool) expected[at]! += g[e]! / pool.length;
        });
        averagePoolGradientInto(space, space.copy(g), shape, back.out, accumulate);
        expect(error(back.out, expected)).toBeLessThan(tolerance);
        expect(isIntact() && back.isIntact()).toBe(true);
      }
    });
  });
});

describe("threads", () => {
  restoreThreads();

  it("do not change a bit of windows and pools", async () => {
    const shape = windowShape(28, 28, 3, 5, { count: 30, pad: 2 });
    const x = new Random(7);
    const input = Float32Array.from({ length: inputSize(shape) }, () => x.normal());
    const run = () =>
      withSpace("test", "float32", (space) => {
        const images = space.copy(input);
        const windows = space.reals((outputSize(shape) / 3) * shape.windowHeight * shape.windowWidth * 3);
        const positions = space.integers(new Int32Array(outputSize(shape)));
        const pooled = space.reals(outputSize(shape));
        const means = space.reals(outputSize(shape));
        const back = [space.reals(input.length), space.reals(input.length)] as const;
        windowsInto(space, images, shape, windows);
        windowsAddInto(space, windows, shape, back[0]);
        maxPoolInto(space, images, shape, pooled, positions);
        averagePoolInto(space, images, shape, means);
        averagePoolGradientInto(space, means, shape, back[1]);
        const quads = windowShape(28, 28, 3, 2, { count: 30, stride: 2 });
        const [tops, slopes] = [space.reals(outputSize(quads)), space.reals(input.length)];
        maxQuadsInto(space, images, quads, tops);
        maxQuadsGradientInto(space, tops, images, quads, slopes);
        const parts = [windows, pooled, means, positions, ...back, tops, slopes];
        return Buffer.concat(parts.map(({ array }) => new Uint8Array(array.slice().buffer)));
      });
    await expectSameWithThreads(run);
  });
});
