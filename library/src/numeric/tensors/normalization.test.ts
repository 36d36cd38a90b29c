import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/start-workers.js";
import { expectSameWithThreads, guarded } from "../../../test/support/tensors.js";
import { Random } from "../../core/numbers/random.js";
import {
  batchNormFixedInto,
  batchNormGradientInto,
  batchNormInto,
  dropoutMaskInto,
  layerNormGradientInto,
  layerNormInto,
} from "./normalization.js";
import { type Dtype, type Reals, withSpace } from "./space.js";

const dtypes: readonly Dtype[] = ["float32", "float64"];
const EPSILON = 1e-5;

function normals(n: number, seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: n }, () => Math.fround(random.normal()));
}

interface Twin {
  readonly y: number[];
  readonly means: number[];
  readonly scales: number[];
}

/** (x − mean)/√(var + ε) over groups of entries; groupOf gives an entry's group. */
function normalise(x: number[], groupOf: (e: number) => number, groups: number): Twin {
  const sums = new Array(groups).fill(0);
  const counts = new Array(groups).fill(0);
  const squares = new Array(groups).fill(0);
  x.forEach((value, e) => {
    sums[groupOf(e)] += value;
    counts[groupOf(e)]++;
  });
  const means = sums.map((sum, k) => sum / counts[k]);
  x.forEach((value, e) => {
    squares[groupOf(e)] += (value - means[groupOf(e)]!) ** 2;
  });
  const scales = squares.map((sum, k) => 1 / Math.sqrt(sum / counts[k] + EPSILON));
  return { y: x.map((v, e) => (v - means[groupOf(e)]!) * scales[groupOf(e)]!), means, scales };
}

const norms = [
  {
    name: "layer norm",
    into: layerNormInto,
    gradientInto: layerNormGradientInto,
    groupOf: (cols: number) => (e: number) => Math.floor(e / cols),
    groups: (rows: number, _cols: number) => rows,
  },
  {
    name: "batch norm",
    into: batchNormInto,
    gradientInto: batchNormGradientInto,
    groupOf: (cols: number) => (e: number) => e % cols,
    groups: (_rows: number, cols: number) => cols,
  },
] as const;

const sizes = [1, 2, 3, 4, 5, 7, 8, 9, 16, 19].flatMap((cols) =>
  [1, 2, 3, 5, 8].map((rows) => [rows, cols] as const),
);

const largest = (actual: Reals, expected: readonly number[]): number =>
  Math.max(...expected.map((value, e) => Math.abs(value - actual.array[e]!)));

describe.each(norms)("$name", ({ into, gradientInto, groupOf, groups }) => {
  it("is its formula in both widths, for parameters anywhere, and writes nothing else", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const [rows, cols] of sizes) {
          const x = normals(rows * cols, 1);
          const [gain, shift] = [normals(cols, 2), normals(cols, 3)];
          const twin = normalise(x, groupOf(cols), groups(rows, cols));
          const [out, means, scales] = [
            guarded(space, x.length),
            guarded(space, twin.means.length),
            guarded(space, twin.scales.length),
          ];
          const parameters = space.copy([0, ...gain, ...shift]);
          const g = space.part(parameters, 1, cols);
          const s = space.part(parameters, 1 + cols, cols);
          into(space, space.copy(x), cols, g, s, EPSILON, out.out, means.out, scales.out);
          // f32: entries up to 4, scales up to 316 (variance near 0): the mean's rounding, 2⁻²⁴, is magnified by the scale.
          const width = dtype === "float32" ? 6e-7 : 1e-15;
          const size = Math.max(...twin.scales);
          expect(largest(means.out, twin.means)).toBeLessThan(2 * width);
          expect(largest(scales.out, twin.scales)).toBeLessThan(20 * width * size);
          expect(
            largest(
              out.out,
              twin.y.map((v, e) => v * gain[e % cols]! + shift[e % cols]!),
            ),
          ).toBeLessThan(20 * width * size);
          expect(out.isIntact() && means.isIntact() && scales.isIntact()).toBe(true);
        }
      });
    }
  });

  it("has the gradients of central differences", () => {
    withSpace("test", "float64", (space) => {
      const [rows, cols] = [5, 7];
      const x = normals(rows * cols, 4);
      const [gain, shift, g] = [normals(cols, 5), normals(cols, 6), normals(rows * cols, 7)];
      const [out, means, scales] = [space.reals(x.length), space.reals(7), space.reals(7)];
      /** Σ g·y as a function of x, gain and shift, one after the other. */
      const value = (all: number[]) => {
        const part = (from: number, n: number) => space.copy(all.slice(from, from + n));
        const p = [part(x.length, cols), part(x.length + cols, cols)] as const;
        into(space, part(0, x.length), cols, p[0], p[1], EPSILON, out, means, scales);
        return g.reduce((sum, slope, e) => sum + slope * out.array[e]!, 0);
      };
      const all = [...x, ...gain, ...shift];
      const step = 1e-5;
      const expected = all.map((_, k) => {
        const moved = (by: number) => space.step(() => value(all.map((v, e) => (e === k ? v + by : v))));
        return (moved(step) - moved(-step)) / (2 * step);
      });
      value(all);
      const slopes = [guarded(space, x.length), guarded(space, cols), guarded(space, cols)] as const;
      for (const accumulate of [false, true]) {
        const [dx, dGain, dShift] = slopes.map(({ out }) => out) as [Reals, Reals, Reals];
        const both = [space.copy(x), space.copy(gain), space.copy(g)] as const;
        const add = { x: accumulate, gain: accumulate, shift: accumulate };
        gradientInto(space, both[0], cols, both[1], means, scales, both[2], dx, dGain, dShift, add);
        const actual = [...dx.array, ...dGain.array, ...dShift.array];
        // Differences of values near 10 with steps of 1e-5 are right to 1e-9; the second time everything is there twice.
        actual.forEach((slope, k) => {
          expect(Math.abs(slope - expected[k]! * (accumulate ? 2 : 1))).toBeLessThan(1e-8);
        });
        expect(slopes.every(({ isIntact }) => isIntact())).toBe(true);
      }
    });
  });

  it("has the same gradients in both widths", () => {
    for (const [rows, cols] of sizes) {
      if (rows < 3 || cols < 3) continue;
      const [single, double] = dtypes.map((dtype) =>
        withSpace("test", dtype, (space) => {
          const x = space.copy(normals(rows * cols, 8));
          const [gain, g] = [space.copy(normals(cols, 9)), space.copy(normals(rows * cols, 10))];
          const [out, means, scales] = [space.reals(x.length), space.reals(20), space.reals(20)];
          into(space, x, cols, gain, gain, EPSILON, out, means, scales);
          const slopes = [space.reals(x.length), space.reals(cols), space.reals(cols)] as const;
          const add = { x: false, gain: false, shift: false };
          gradientInto(space, x, cols, gain, means, scales, g, ...slopes, add);
          return slopes.flatMap(({ array }) => Array.from(array));
        }),
      ) as [number[], number[]];
      const size = Math.max(...double.map(Math.abs));
      // f32: about ten roundings of 2⁻²⁴ of terms as large as the largest gradient.
      single.forEach((slope, e) => {
        expect(Math.abs(slope - double[e]!)).toBeLessThan(4e-6 * size);
      });
    }
  });
});

describe("batch norm", () => {
  it("keeps five digits of the variance of 100,000 rows far from 0", () => {
    withSpace("test", "float32", (space) => {
      const [rows, cols] = [1e5, 3];
      const x = Float32Array.from(normals(rows * cols, 11), (v) => 1000 + v);
      const [out, means, scales] = [space.reals(x.length), space.reals(cols), space.reals(cols)];
      const [gain, shift] = [space.copy([1, 1, 1]), space.zeros(cols)];
      batchNormInto(space, space.copy(x), cols, gain, shift, 0, out, means, scales);
      for (let j = 0; j < cols; j++) {
        let [sum, squares] = [0, 0];
        for (let i = 0; i < rows; i++) sum += x[i * cols + j]!;
        for (let i = 0; i < rows; i++) squares += (x[i * cols + j]! - sum / rows) ** 2;
        expect(Math.abs(scales.array[j]! ** 2 * (squares / rows) - 1)).toBeLessThan(1e-6);
        expect(Math.abs(means.array[j]! / (sum / rows) - 1)).toBeLessThan(1e-7);
      }
    });
  });

  it("with given statistics is the same as with its own", () => {
    withSpace("test", "float32", (space) => {
      const x = space.copy(normals(70, 12));
      const [gain, shift] = [space.copy(normals(7, 13)), space.copy(normals(7, 14))];
      const [out, again] = [space.reals(70), space.reals(70)];
      const [means, scales] = [space.reals(7), space.reals(7)];
      batchNormInto(space, x, 7, gain, shift, EPSILON, out, means, scales);
      batchNormFixedInto(space, x, 7, gain, shift, means, scales, again);
      expect(Array.from(again.array)).toEqual(Array.from(out.array));
    });
  });
});

describe("dropout masks", () => {
  const mask = (dtype: Dtype, seed: number, keep: number, n: number) =>
    withSpace("test", dtype, (space) => {
      const { out, isIntact } = guarded(space, n);
      dropoutMaskInto(space, seed, keep, out);
      expect(isIntact()).toBe(true);
      return Array.from(out.array);
    });

  it("keep the same entries in both widths, whatever the length", () => {
    const whole = mask("float64", 3, 0.75, 40_000).map((v) => v > 0);
    for (const dtype of dtypes)
      for (const n of [0, 1, 3, 4, 5, 32768, 32769, 40_000])
        expect(mask(dtype, 3, 0.75, n).map((v) => v > 0)).toEqual(whole.slice(0, n));
  });

  it("have the mean 1, and entries 0 and 1/keep only", () => {
    for (const keep of [0.1, 0.5, 0.8, 1]) {
      const values = mask("float64", 5, keep, 1e5);
      expect(values.every((v) => v === 0 || v === 1 / keep)).toBe(true);
      // Four standard deviations of the mean.
      const mean = values.reduce((s, v) => s + v, 0) / 1e5;
      expect(Math.abs(mean - 1)).toBeLessThanOrEqual(4 * Math.sqrt((1 / keep - 1) / 1e5));
    }
  });

  it("of different seeds, and neighbouring entries of one, are independent", () => {
    const signs = (seed: number) => mask("float32", seed, 0.5, 1e5).map((v) => v - 1);
    const product = (a: number[], b: number[], lag: number) =>
      a.slice(lag).reduce((sum, v, e) => sum + v * b[e]!, 0) / a.length;
    const first = signs(0);
    for (const seed of [1, 2, 2 ** 32, 2 ** 40]) {
      const other = signs(seed);
      for (const lag of [0, 1, 2]) expect(Math.abs(product(other, first, lag))).toBeLessThan(0.015);
    }
    for (const lag of [1, 2, 3, 4, 64, 784]) expect(Math.abs(product(first, first, lag))).toBeLessThan(0.015);
  });
});

describe("threads", () => {
  restoreThreads();

  it("do not change a bit of normalisation and masks", async () => {
    const [rows, cols] = [4001, 67];
    const [input, slopes] = [normals(rows * cols, 15), normals(rows * cols, 16)];
    const run = () =>
      withSpace("test", "float32", (space) => {
        const [x, g] = [space.copy(input), space.copy(slopes)];
        const [gain, shift] = [space.copy(slopes.slice(0, cols)), space.copy(input.slice(0, cols))];
        const results: Reals[] = [space.reals(rows * cols)];
        dropoutMaskInto(space, 1, 0.5, results[0]!);
        for (const { into, gradientInto } of norms) {
          const [out, means, scales] = [space.reals(x.length), space.zeros(rows), space.zeros(rows)];
          into(space, x, cols, gain, shift, EPSILON, out, means, scales);
          const back = [space.reals(x.length), space.reals(cols), space.reals(cols)] as const;
          const add = { x: false, gain: false, shift: false };
          gradientInto(space, x, cols, gain, means, scales, g, ...back, add);
          results.push(out, means, scales, ...back);
        }
        return Buffer.concat(results.map(({ array }) => new Uint8Array(array.slice().buffer)));
      });
    await expectSameWithThreads(run);
  });
});
