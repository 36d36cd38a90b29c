import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/start-workers.js";
import { expectSameWithThreads, guarded, quarters } from "../../../test/support/tensors.js";
import { Random } from "../../core/numbers/random.js";
import {
  canConvolve,
  canDifferentiateFilters,
  canDifferentiateInput,
  convolutionGradientInto,
  convolveInto,
  filterGradientInto,
} from "./convolution.js";
import { type Dtype, type TensorSpace, withSpace } from "./space.js";
import { type WindowShape, windowsAddInto, windowsInto } from "./windows.js";

const dtypes: readonly Dtype[] = ["float32", "float64"];

function shapeOf(
  sides: readonly [number, number],
  channels: number,
  window: number,
  pad: number,
  stride = 1,
) {
  const [height, width] = sides;
  return {
    count: 3,
    height,
    width,
    channels,
    windowHeight: window,
    windowWidth: window + 1,
    strideY: stride,
    strideX: stride,
    padTop: pad,
    padLeft: pad,
    outHeight: Math.floor((height + 2 * pad - window) / stride) + 1,
    outWidth: Math.floor((width + 2 * pad - window - 1) / stride) + 1,
  } satisfies WindowShape;
}

const shapes = [1, 3, 8].flatMap((channels) => [
  ...[5, 6, 7, 8, 9, 10].map((width) => shapeOf([6, width], channels, 2, 1)),
  shapeOf([9, 12], channels, 3, 2),
  shapeOf([9, 12], channels, 3, 0),
  // The last row and column of the image are in no window.
  shapeOf([10, 13], channels, 3, 0, 2),
  shapeOf([5, 9], channels, 1, 0),
  // Two more positions than a multiple of four, in an even and an odd number of rows.
  shapeOf([4, 9], channels, 3, 0),
  shapeOf([5, 9], channels, 3, 0),
  shapeOf([5, 14], channels, 3, 0, 2),
  // Rows of three neighbouring taps, or of six.
  { ...shapeOf([6, 8], channels, 2, 1), windowHeight: 3, outHeight: 6 },
  { ...shapeOf([6, 9], channels, 2, 0, 2), windowHeight: 5, outHeight: 1 },
]);

interface Sizes {
  readonly input: number;
  readonly positions: number;
  readonly taps: number;
}
const sizesOf = (s: WindowShape): Sizes => ({
  input: s.count * s.height * s.width * s.channels,
  positions: s.count * s.outHeight * s.outWidth,
  taps: s.windowHeight * s.windowWidth * s.channels,
});

/** a (n × k) · b (k × m), plainly. */
function product(a: ArrayLike<number>, b: ArrayLike<number>, n: number, k: number, m: number): number[] {
  const out = new Array(n * m).fill(0);
  for (let i = 0; i < n; i++)
    for (let e = 0; e < k; e++) for (let j = 0; j < m; j++) out[i * m + j] += a[i * k + e]! * b[e * m + j]!;
  return out;
}

/** The transpose of a (n × m). */
function transposed(a: ArrayLike<number>, n: number, m: number): number[] {
  return Array.from({ length: n * m }, (_, e) => a[(e % n) * m + Math.floor(e / n)]!);
}

const forAll = (check: (space: TensorSpace, shape: WindowShape, filters: number) => void) => {
  for (const dtype of dtypes)
    withSpace("test", dtype, (space) => {
      for (const shape of shapes)
        for (const filters of [8, 16]) space.step(() => check(space, shape, filters));
    });
};

describe("direct convolution", () => {
  it("is windows times filters plus bias, and writes nothing else", () => {
    forAll((space, shape, filterCount) => {
      if (!canConvolve(space, shape, filterCount)) return;
      const { input, positions, taps } = sizesOf(shape);
      const x = space.copy(quarters(input, 1));
      const [filters, bias] = [quarters(taps * filterCount, 2), quarters(filterCount, 3)];
      const windows = space.reals(positions * taps);
      windowsInto(space, x, shape, windows);
      const expected = product(windows.array, filters, positions, taps, filterCount);
      const plain = guarded(space, expected.length);
      convolveInto(space, x, shape, space.copy(filters), filterCount, undefined, false, plain.out);
      expect(Array.from(plain.out.array), JSON.stringify(shape)).toEqual(expected);
      const shifted = guarded(space, expected.length);
      convolveInto(space, x, shape, space.copy(filters), filterCount, space.copy(bias), false, shifted.out);
      expect(Array.from(shifted.out.array)).toEqual(expected.map((v, e) => v + bias[e % filterCount]!));
      const rectified = guarded(space, expected.length);
      convolveInto(space, x, shape, space.copy(filters), filterCount, space.copy(bias), true, rectified.out);
      expect(Array.from(rectified.out.array)).toEqual(Array.from(shifted.out.array, (v) => Math.max(v, 0)));
      expect(plain.isIntact() && shifted.isIntact() && rectified.isIntact()).toBe(true);
    });
  });

  it("has the filters' gradient windowsᵀ · g", () => {
    forAll((space, shape, filterCount) => {
      const { input, positions, taps } = sizesOf(shape);
      expect(canDifferentiateFilters(space, filterCount)).toBe(true);
      const x = space.copy(quarters(input, 4));
      const g = quarters(positions * filterCount, 5);
      const windows = space.reals(positions * taps);
      windowsInto(space, x, shape, windows);
      const columns = transposed(windows.array, positions, taps);
      const expected = product(columns, g, taps, positions, filterCount);
      for (const accumulate of [false, true]) {
        const { out, isIntact } = guarded(space, expected.length);
        filterGradientInto(space, x, shape, space.copy(g), filterCount, out, accumulate);
        const base = accumulate ? 7 : 0;
        expect(Array.from(out.array), JSON.stringify(shape)).toEqual(expected.map((v) => v + base));
        expect(isIntact()).toBe(true);
      }
    });
  });

  it("has the images' gradient that adding g · filtersᵀ back to its places gives", () => {
    forAll((space, shape, filterCount) => {
      if (!canDifferentiateInput(space, shape)) return;
      const { input, positions, taps } = sizesOf(shape);
      const filters = quarters(taps * filterCount, 6);
      const g = quarters(positions * filterCount, 7);
      const rows = product(g, transposed(filters, taps, filterCount), positions, filterCount, taps);
      const expected = space.reals(input);
      windowsAddInto(space, space.copy(rows), shape, expected);
      for (const accumulate of [false, true]) {
        const { out, isIntact } = guarded(space, input);
        const both = [space.copy(g), space.copy(filters)] as const;
        convolutionGradientInto(space, both[0], shape, both[1], filterCount, out, accumulate);
        const base = accumulate ? 7 : 0;
        expect(Array.from(out.array), JSON.stringify(shape)).toEqual(
          Array.from(expected.array, (v) => v + base),
        );
        expect(isIntact()).toBe(true);
      }
    });
  });
});

describe("threads", () => {
  restoreThreads();

  it("do not change a bit of a convolution and its gradients", async () => {
    const shape = { ...shapeOf([14, 14], 8, 3, 1), count: 21 };
    const { input, positions, taps } = sizesOf(shape);
    const random = new Random(8);
    const values = Float32Array.from({ length: Math.max(input, positions * 16) }, () => random.normal());
    const run = () =>
      withSpace("test", "float32", (space) => {
        const all = space.copy(values);
        const part = (n: number) => space.part(all, 0, n);
        const [out, slopes, back] = [space.reals(positions * 16), space.reals(taps * 16), space.reals(input)];
        convolveInto(space, part(input), shape, part(taps * 16), 16, undefined, false, out);
        filterGradientInto(space, part(input), shape, part(positions * 16), 16, slopes);
        convolutionGradientInto(space, part(positions * 16), shape, part(taps * 16), 16, back);
        return Buffer.concat([out, slopes, back].map(({ array }) => new Uint8Array(array.slice().buffer)));
      });
    await expectSameWithThreads(run);
  });
});
