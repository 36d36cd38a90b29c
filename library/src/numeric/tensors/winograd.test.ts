import { describe, expect, it } from "vitest";
import { restoreThreads, startWorkers } from "../../../test/support/start-workers.js";
import { guarded, quarters } from "../../../test/support/tensors.js";
import { Random } from "../../core/numbers/random.js";
import { assumeCores, setThreads } from "../runtime/threads.js";
import {
  canConvolve,
  canDifferentiateInput,
  convolutionGradientInto,
  convolveInto,
  filterGradientInto,
} from "./convolution.js";
import { type Dtype, type Reals, withSpace } from "./space.js";
import type { WindowShape } from "./windows.js";
import { hasTiles } from "./winograd.js";

function shapeOf(count: number, sides: readonly [number, number], channels: number, pad: number) {
  const [height, width] = sides;
  return {
    count,
    height,
    width,
    channels,
    windowHeight: 3,
    windowWidth: 3,
    strideY: 1,
    strideX: 1,
    padTop: pad,
    padLeft: pad,
    outHeight: height + 2 * pad - 2,
    outWidth: width + 2 * pad - 2,
  } satisfies WindowShape;
}

const sizesOf = (s: WindowShape, filterCount: number) => ({
  input: s.count * s.height * s.width * s.channels,
  filters: 9 * s.channels * filterCount,
  output: s.count * s.outHeight * s.outWidth * filterCount,
});

/** Visits every product of the convolution: the indices of its input, filter and output. */
function forProducts(s: WindowShape, filterCount: number, visit: (x: number, f: number, y: number) => void) {
  const { count, height, width, channels, padTop, padLeft, outHeight, outWidth } = s;
  for (let n = 0; n < count; n++)
    for (let oy = 0; oy < outHeight; oy++)
      for (let ox = 0; ox < outWidth; ox++)
        for (let tap = 0; tap < 9; tap++) {
          const y = oy + Math.floor(tap / 3) - padTop;
          const x = ox + (tap % 3) - padLeft;
          if (y < 0 || x < 0 || y >= height || x >= width) continue;
          for (let c = 0; c < channels; c++)
            for (let k = 0; k < filterCount; k++)
              visit(
                ((n * height + y) * width + x) * channels + c,
                (tap * channels + c) * filterCount + k,
                ((n * outHeight + oy) * outWidth + ox) * filterCount + k,
              );
        }
}

interface Convolved {
  readonly output: ArrayLike<number>;
  readonly filters: ArrayLike<number>;
  readonly input: ArrayLike<number>;
}

/** Output and both gradients, plainly. */
function twin(s: WindowShape, k: number, x: ArrayLike<number>, f: ArrayLike<number>, g: ArrayLike<number>) {
  const sizes = sizesOf(s, k);
  const output = new Float64Array(sizes.output);
  const filters = new Float64Array(sizes.filters);
  const input = new Float64Array(sizes.input);
  forProducts(s, k, (a, b, c) => {
    output[c]! += x[a]! * f[b]!;
    filters[b]! += x[a]! * g[c]!;
    input[a]! += f[b]! * g[c]!;
  });
  return { output, filters, input } satisfies Convolved;
}

/** The same by the kernels. */
function kernels(
  s: WindowShape,
  k: number,
  x: ArrayLike<number>,
  f: ArrayLike<number>,
  g: ArrayLike<number>,
  dtype: Dtype = "float32",
): Convolved {
  return withSpace("test", dtype, (space) => {
    const sizes = sizesOf(s, k);
    const [output, filters, input] = [sizes.output, sizes.filters, sizes.input].map((n) => guarded(space, n));
    const [images, weights, gradient] = [x, f, g].map((values) => space.copy(values));
    convolveInto(space, images!, s, weights!, k, undefined, false, output!.out);
    filterGradientInto(space, images!, s, gradient!, k, filters!.out);
    if (canDifferentiateInput(space, s))
      convolutionGradientInto(space, gradient!, s, weights!, k, input!.out);
    expect(output!.isIntact() && filters!.isIntact() && input!.isIntact()).toBe(true);
    return {
      output: output!.out.array.slice(),
      filters: filters!.out.array.slice(),
      input: input!.out.array.slice(),
    };
  });
}

const shapes = [
  // One tile to several blocks of tiles, even and odd sides, windows over padding only at the corners and beyond.
  ...[4, 5, 6, 7, 12].map((width) => shapeOf(2, [5, width], 4, 1)),
  ...[3, 4, 7, 8].map((height) => shapeOf(3, [height, 6], 8, 0)),
  shapeOf(2, [4, 5], 12, 2),
  shapeOf(1, [6, 6], 16, 1),
  // More images than chunks: two per chunk, the last chunk with one.
  shapeOf(19, [5, 7], 8, 1),
];

describe("convolution by tiles", () => {
  it("is for windows of 3 × 3 in f32 with stride 1 and channels in vectors", () => {
    const shape = shapeOf(2, [6, 6], 8, 1);
    withSpace("test", "float32", (space) => {
      expect(hasTiles(space, shape, 8)).toBe(true);
      expect(hasTiles(space, { ...shape, strideX: 2 }, 8)).toBe(false);
      expect(hasTiles(space, { ...shape, windowWidth: 5 }, 8)).toBe(false);
      expect(hasTiles(space, { ...shape, channels: 6 }, 8)).toBe(false);
      expect(hasTiles(space, shape, 12)).toBe(false);
    });
    withSpace("test", "float64", (space) => expect(hasTiles(space, shape, 8)).toBe(false));
  });

  it("is exact where the sums are, as are its gradients, and writes nothing else", () => {
    for (const shape of shapes)
      for (const k of [8, 24]) {
        const { input, filters, output } = sizesOf(shape, k);
        const given = [quarters(input, 1), quarters(filters, 2), quarters(output, 3)] as const;
        const expected = twin(shape, k, ...given);
        const found = kernels(shape, k, ...given);
        const where = JSON.stringify({ ...shape, k });
        withSpace("test", "float32", (space) => expect(canConvolve(space, shape, k), where).toBe(true));
        expect(Array.from(found.output), where).toEqual(Array.from(expected.output));
        expect(Array.from(found.filters), where).toEqual(Array.from(expected.filters));
        if (shape.channels % 8 === 0 && shape.padTop < 3)
          expect(Array.from(found.input), where).toEqual(Array.from(expected.input));
      }
  });

  it("adds the bias and replaces negative outputs by 0", () => {
    const shape = shapeOf(2, [5, 7], 8, 1);
    const { input, filters, output } = sizesOf(shape, 16);
    const given = [quarters(input, 4), quarters(filters, 5)] as const;
    const bias = quarters(16, 6);
    const { output: sums } = twin(shape, 16, ...given, new Float64Array(output));
    withSpace("test", "float32", (space) => {
      const [x, f, b] = [...given, bias].map((values) => space.copy(values)) as [Reals, Reals, Reals];
      for (const rectified of [false, true]) {
        const out = space.reals(output);
        convolveInto(space, x, shape, f, 16, b, rectified, out);
        const expected = Array.from(sums, (v, e) => v + bias[e % 16]!);
        expect(Array.from(out.array)).toEqual(rectified ? expected.map((v) => Math.max(v, 0)) : expected);
      }
    });
  });

  it("adds the gradients to what is there", () => {
    const shape = shapeOf(2, [5, 7], 8, 1);
    const { input, filters, output } = sizesOf(shape, 8);
    const given = [quarters(input, 7), quarters(filters, 8), quarters(output, 9)] as const;
    const expected = twin(shape, 8, ...given);
    withSpace("test", "float32", (space) => {
      const [x, f, g] = given.map((values) => space.copy(values)) as [Reals, Reals, Reals];
      const toFilters = space.copy(new Array(filters).fill(7));
      filterGradientInto(space, x, shape, g, 8, toFilters, true);
      expect(Array.from(toFilters.array)).toEqual(Array.from(expected.filters, (v) => v + 7));
      const toInput = space.copy(new Array(input).fill(7));
      convolutionGradientInto(space, g, shape, f, 8, toInput, true);
      expect(Array.from(toInput.array)).toEqual(Array.from(expected.input, (v) => v + 7));
    });
  });

  it("has errors in 32 bits like those of the sums that define it", () => {
    const shape = shapeOf(6, [13, 14], 16, 1);
    const { input, filters, output } = sizesOf(shape, 16);
    const random = new Random(10);
    const normals = (n: number) => Float32Array.from({ length: n }, () => random.normal());
    const given = [normals(input), normals(filters), normals(output)] as const;
    const exact = kernels(shape, 16, ...given, "float64");
    const found = kernels(shape, 16, ...given);
    // Relative to the root mean square. 2⁻²⁴ per rounding, 16 products per sum and the transforms: about 1e-6 for 8 to 16 channels,
    // and 2.7e-6 for direct sums (docs/decisions/0019). The bound is three times that.
    for (const name of ["output", "filters", "input"] as const) {
      const square = Array.from(exact[name]).reduce((sum, v) => sum + v * v, 0) / exact[name].length;
      const worst = Array.from(found[name]).reduce(
        (most, v, e) => Math.max(most, Math.abs(v - exact[name][e]!)),
        0,
      );
      expect(worst / Math.sqrt(square), name).toBeLessThan(3e-6);
      expect(worst, name).toBeGreaterThan(0);
    }
  });
});

describe("threads", () => {
  restoreThreads();

  it("do not change a bit of a convolution by tiles and its gradients", async () => {
    const shape = shapeOf(21, [14, 15], 8, 1);
    const { input, filters, output } = sizesOf(shape, 16);
    const random = new Random(11);
    const normals = (n: number) => Float32Array.from({ length: n }, () => random.normal());
    const given = [normals(input), normals(filters), normals(output)] as const;
    assumeCores(4);
    setThreads(1);
    const alone = kernels(shape, 16, ...given);
    setThreads(4);
    startWorkers();
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (let k = 0; k < 3; k++) expect(kernels(shape, 16, ...given)).toEqual(alone);
  });
});
