import { describe, expect, it } from "vitest";
import { restoreThreads } from "../../../test/support/start-workers.js";
import { expectSameWithThreads, guarded, quarters } from "../../../test/support/tensors.js";
import { Random } from "../../core/numbers/random.js";
import { argmaxInto, maxGradientInto, maxInto, spreadInto, sumInto } from "./reductions.js";
import { type Dtype, withSpace } from "./space.js";

const dtypes: readonly Dtype[] = ["float32", "float64"];
const round = (dtype: Dtype) => (dtype === "float32" ? Math.fround : (x: number) => x);
const EDGES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33];

const sizes = EDGES.flatMap((middle) =>
  [1, 2, 3, 4, 5, 9].flatMap((inner) => [1, 3].map((outer) => [outer, middle, inner] as const)),
);

/** x[o, m, i] for all m. */
const slice = (x: readonly number[], middle: number, inner: number, e: number): number[] =>
  Array.from({ length: middle }, (_, m) => x[(Math.floor(e / inner) * middle + m) * inner + (e % inner)]!);

describe("reductions", () => {
  it("sum the middle axis, scaled and onto what is there, and write nothing else", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const [outer, middle, inner] of sizes) {
          const x = quarters(outer * middle * inner, 1);
          for (const accumulate of [false, true]) {
            const { out, isIntact } = guarded(space, outer * inner);
            sumInto(space, space.copy(x), outer, middle, inner, out, { scale: 0.5, accumulate });
            const expected = Array.from(
              { length: outer * inner },
              (_, e) => slice(x, middle, inner, e).reduce((s, v) => s + v, 0) * 0.5 + (accumulate ? 7 : 0),
            );
            expect(Array.from(out.array)).toEqual(expected);
            expect(isIntact()).toBe(true);
          }
        }
      });
    }
  });

  it("find maxima and the first of equal ones", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const [outer, middle, inner] of sizes) {
          const x = quarters(outer * middle * inner, 2);
          const { out, isIntact } = guarded(space, outer * inner);
          const positions = space.integers(new Int32Array(outer * inner));
          maxInto(space, space.copy(x), outer, middle, inner, out);
          argmaxInto(space, space.copy(x), outer, middle, inner, positions);
          const slices = Array.from({ length: outer * inner }, (_, e) => slice(x, middle, inner, e));
          expect(Array.from(out.array)).toEqual(slices.map((s) => Math.max(...s)));
          expect(Array.from(positions.array)).toEqual(slices.map((s) => s.indexOf(Math.max(...s))));
          expect(isIntact()).toBe(true);
        }
      });
    }
  });

  it("spread a gradient over the middle axis, or to the place of the maximum", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (const [outer, middle, inner] of sizes) {
          const g = quarters(outer * inner, 3);
          const places = quarters(outer * inner, 4).map((v) => Math.floor((v + 2) * 64) % middle);
          for (const accumulate of [false, true]) {
            const base = accumulate ? 7 : 0;
            const n = outer * middle * inner;
            const all = guarded(space, n);
            spreadInto(space, space.copy(g), outer, middle, inner, all.out, { scale: 0.5, accumulate });
            const owner = (e: number) => Math.floor(e / inner / middle) * inner + (e % inner);
            expect(Array.from(all.out.array)).toEqual(
              Array.from({ length: n }, (_, e) => base + g[owner(e)]! * 0.5),
            );
            const one = guarded(space, n);
            const positions = space.integers(places);
            maxGradientInto(space, space.copy(g), positions, outer, middle, inner, one.out, accumulate);
            expect(Array.from(one.out.array)).toEqual(
              Array.from({ length: n }, (_, e) => {
                const isPlace = Math.floor(e / inner) % middle === places[owner(e)];
                return base + (isPlace ? g[owner(e)]! : 0);
              }),
            );
            expect(all.isIntact() && one.isIntact()).toBe(true);
          }
        }
      });
    }
  });

  it("sum a million 0.1 to the last bits in both widths, as a row and as columns", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        const x = space.copy(new Array(1e6).fill(0.1));
        const expected = 1e6 * round(dtype)(0.1);
        const out = space.reals(10);
        sumInto(space, x, 1, 1e6, 1, out);
        // One rounding to f32 at the end, of 2⁻²⁴ relative.
        const tolerance = dtype === "float32" ? 6e-8 : 1e-12;
        expect(Math.abs(out.array[0]! / expected - 1)).toBeLessThan(tolerance);
        sumInto(space, x, 1, 1e5, 10, out);
        for (const sum of out.array) expect(Math.abs((10 * sum) / expected - 1)).toBeLessThan(tolerance);
      });
    }
  });

  it("keep a NaN among the entries of a maximum", () => {
    for (const dtype of dtypes) {
      withSpace("test", dtype, (space) => {
        for (let place = 0; place < 21; place++) {
          const x = new Array(21).fill(1);
          x[place] = Number.NaN;
          const out = space.reals(1);
          maxInto(space, space.copy(x), 1, 21, 1, out);
          expect(out.array[0]).toBeNaN();
        }
      });
    }
  });

  it("leave the space as it was", () => {
    withSpace("test", "float32", (space) => {
      const x = space.zeros(4e5);
      const out = space.reals(200);
      const mark = space.mark();
      sumInto(space, x, 1, 2000, 200, out);
      sumInto(space, x, 1, 100, 4, out);
      expect(space.mark()).toEqual(mark);
    });
  });
});

describe("threads", () => {
  restoreThreads();

  it("do not change a bit of sums, maxima and their gradients", async () => {
    const [outer, middle, inner] = [80, 601, 11];
    const random = new Random(5);
    const input = Float64Array.from({ length: outer * middle * inner }, () => random.normal());
    const run = (dtype: Dtype) =>
      withSpace("test", dtype, (space) => {
        const x = space.copy(input);
        const sizes = [outer, middle, inner] as const;
        const make = (n: number) => space.reals(n);
        const [sums, total, columns, top] = [make(outer * inner), make(1), make(601), make(outer * inner)];
        const [spread, back] = [make(x.length), make(x.length)];
        const positions = space.integers(new Int32Array(outer * inner));
        sumInto(space, x, ...sizes, sums);
        sumInto(space, x, 1, x.length, 1, total);
        sumInto(space, x, 1, outer * inner, middle, columns);
        maxInto(space, x, ...sizes, top);
        argmaxInto(space, x, ...sizes, positions);
        spreadInto(space, sums, ...sizes, spread);
        maxGradientInto(space, sums, positions, ...sizes, back);
        const results = [sums, total, columns, top, positions, spread, back];
        return Buffer.concat(results.map(({ array }) => new Uint8Array(array.slice().buffer)));
      });
    for (const dtype of dtypes) await expectSameWithThreads(() => run(dtype));
  });
});
